package view

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// NewToken returns 256 random bits as text.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // cannot fail
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// policy lets the page have what comes from its own server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self' blob:; " +
	"media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// tickets are texts that let a browser in once.
type tickets struct {
	mu   sync.Mutex
	left map[string]bool
}

// Ticket returns a text that can be exchanged for the token once. Somebody who sees it later cannot open the page with it.
func (v *Viewer) Ticket() string { return v.tickets.make() }

// make returns a new ticket.
func (t *tickets) make() string {
	text := NewToken()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == nil {
		t.left = map[string]bool{}
	}
	t.left[text] = true
	return text
}

// has reports whether a text is a ticket, which it stays.
func (t *tickets) has(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.left[text]
}

// take reports whether a text is a ticket, which it is no longer then.
func (t *tickets) take(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	valid := t.left[text]
	delete(t.left, text)
	return valid
}

// entered is the page that goes on to the first one. A redirection would not do: coming from a file, it is a step of
// another site, and the cookie is for steps of this one.
const entered = `<!DOCTYPE html><meta http-equiv="refresh" content="0; url=%s"><link rel="icon" href="/icon.svg"><title>usher</title>`

// guarded lets requests through that the page of this very server sends, and the first one, which has the token in its
// address, or a ticket. Any page that the user visits can reach a local port: its requests bear another Host (when a name is made to
// lead here), tell another site, or lack the token. Methods that could change anything are refused altogether, but for those of
// a desk, which wants a token of their own for each.
func guarded(next http.Handler, port int, token string, tickets *tickets, d *desk) http.Handler {
	hosts := []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port), fmt.Sprintf("[::1]:%d", port)}
	cookie := fmt.Sprintf("usher-%d", port) // cookies are shared by all ports of a host
	right := func(s string) bool { return subtle.ConstantTimeCompare([]byte(s), []byte(token)) == 1 }
	next = new(http.CrossOriginProtection).Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		refuse := func(status int, why string) { http.Error(w, why, status) }
		given := r.URL.Query().Get("token")
		enters := r.URL.Path == "/" && given != "" && (r.Header.Get("Sec-Fetch-Mode") == "" || r.Header.Get("Sec-Fetch-Mode") == "navigate")
		switch site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin"); {
		case !slices.Contains(hosts, r.Host):
			refuse(http.StatusForbidden, "this server answers to its own address only")
			return
		case enters && r.Method == http.MethodGet && origin == "" && (right(given) || tickets.take(given)):
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			h.Set("Content-Type", "text/html; charset=utf-8")
			h.Set("Cache-Control", "no-store")
			_, _ = fmt.Fprintf(w, entered, d.entered()) // the client has gone
			return
		case site == "cross-site" || site == "same-site", origin != "" && origin != "http://"+r.Host:
			refuse(http.StatusForbidden, "other pages get nothing from here; open the address by hand")
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !d.writes(r):
			h.Set("Allow", "GET, HEAD")
			refuse(http.StatusMethodNotAllowed, "nothing can be changed here")
			return
		}
		if c, err := r.Cookie(cookie); err != nil || !right(c.Value) {
			refuse(http.StatusForbidden, "open the address that \"usher view\" has printed: it holds the token")
			return
		}
		next.ServeHTTP(w, r)
	})
}
