package view

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

const (
	testPort  = 4711
	testToken = "right"
)

// newViewer returns a viewer of operands whose files have been found.
func newViewer(t testing.TB, operands ...string) *Viewer {
	t.Helper()
	v, err := New(Config{Operands: operands})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	v.Scan(context.Background())
	return v
}

// ask sends a request as the page would, changed by change.
func ask(v *Viewer, method, target string, change func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	r.Host = fmt.Sprintf("127.0.0.1:%d", testPort)
	r.AddCookie(&http.Cookie{Name: fmt.Sprintf("usher-%d", testPort), Value: testToken})
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	v.Handler(testPort, testToken).ServeHTTP(w, r)
	return w.Result()
}

// get returns the answer to a request of the page, which is to succeed.
func get(t testing.TB, v *Viewer, target string) []byte {
	t.Helper()
	r := ask(v, http.MethodGet, target, nil)
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %s %v", target, r.Status, b, err)
	}
	return b
}

func getJSON(t testing.TB, v *Viewer, target string, value any) {
	t.Helper()
	if err := json.Unmarshal(get(t, v, target), value); err != nil {
		t.Fatalf("%s: %v", target, err)
	}
}

// TestGuard: nobody but the page of this server gets anything.
func TestGuard(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "ultimate3d", "ball.u3d"))
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	cookie := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Cookie", value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	own := fmt.Sprintf("127.0.0.1:%d", testPort)
	cases := []struct {
		name   string
		method string
		target string
		change func(*http.Request)
		want   int
	}{
		{"the page", "GET", "/", nil, 200},
		{"the page by name", "GET", "/", host(fmt.Sprintf("localhost:%d", testPort)), 200},
		{"the page by IPv6", "GET", "/", host(fmt.Sprintf("[::1]:%d", testPort)), 200},
		{"head", "HEAD", "/api/bytes/0", nil, 200},
		{"own origin", "GET", "/api/list", header("Origin", "http://"+own), 200},
		{"same origin", "GET", "/api/list", header("Sec-Fetch-Site", "same-origin"), 200},
		{"typed by hand", "GET", "/", header("Sec-Fetch-Site", "none"), 200},
		{"another host", "GET", "/", host("evil.example"), 403},
		{"another host with the port", "GET", "/", host(fmt.Sprintf("evil.example:%d", testPort)), 403},
		{"host without the port", "GET", "/", host("127.0.0.1"), 403},
		{"another port", "GET", "/", host("127.0.0.1:80"), 403},
		{"a host that begins alike", "GET", "/", host(own + ".evil.example"), 403},
		{"no host", "GET", "/", host(""), 403},
		{"another origin", "GET", "/api/list", header("Origin", "http://evil.example"), 403},
		{"another port's origin", "GET", "/api/list", header("Origin", "http://127.0.0.1:80"), 403},
		{"the origin of a file", "GET", "/api/list", header("Origin", "null"), 403},
		{"another scheme", "GET", "/api/list", header("Origin", "https://"+own), 403},
		{"another site's script", "GET", "/main.js", header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port's script", "GET", "/main.js", header("Sec-Fetch-Site", "same-site"), 403},
		{"no token", "GET", "/", cookie(""), 403},
		{"no token, a script", "GET", "/main.js", cookie(""), 403},
		{"no token, a list", "GET", "/api/list", cookie(""), 403},
		{"wrong token", "GET", "/api/list", cookie(fmt.Sprintf("usher-%d=wrong", testPort)), 403},
		{"another port's token", "GET", "/api/list", cookie("usher-80=" + testToken), 403},
		{"wrong token in the address", "GET", "/?token=wrong", cookie(""), 403},
		{"the token in another address", "GET", "/api/list?token=" + testToken, cookie(""), 403},
		{"empty token", "GET", "/?token=", cookie(fmt.Sprintf("usher-%d=", testPort)), 403},
		{"the first request", "GET", "/?token=" + testToken, cookie(""), 200},
		{"the first request, from a file", "GET", "/?token=" + testToken, func(r *http.Request) {
			r.Header.Del("Cookie")
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
		{"another site's script with the token", "GET", "/?token=" + testToken, func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "no-cors")
		}, 403},
		{"post", "POST", "/api/list", nil, 405},
		{"put", "PUT", "/api/bytes/0", nil, 405},
		{"delete", "DELETE", "/api/node/0", nil, 405},
		{"options", "OPTIONS", "/", nil, 405},
		{"patch", "PATCH", "/", nil, 405},
	}
	for _, c := range cases {
		r := ask(v, c.method, c.target, c.change)
		if r.StatusCode != c.want {
			t.Errorf("%s: %d, want %d", c.name, r.StatusCode, c.want)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q", c.name, name, got)
			}
		}
	}
}

// TestToken: the first request gets a cookie that no script and no other site sees, and an address without the token.
func TestToken(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "ultimate3d", "ball.u3d"))
	r := ask(v, http.MethodGet, "/?token="+testToken, func(r *http.Request) { r.Header.Del("Cookie") })
	c := r.Cookies()
	if len(c) != 1 || c[0].Name != "usher-4711" || c[0].Value != testToken || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode || c[0].Path != "/" {
		t.Errorf("cookies %v", c)
	}
	if b, _ := io.ReadAll(r.Body); !strings.Contains(string(b), `content="0; url=/"`) || strings.Contains(string(b), testToken) {
		t.Errorf("it leads to %q", b)
	}
	enter := func(text string) int {
		return ask(v, http.MethodGet, "/?token="+text, func(r *http.Request) { r.Header.Del("Cookie") }).StatusCode
	}
	ticket, other := v.Ticket(), v.Ticket()
	for _, c := range []struct {
		text string
		want int
	}{{ticket, 200}, {ticket, 403}, {other + "x", 403}, {other, 200}, {other, 403}, {testToken, 200}} {
		if got := enter(c.text); got != c.want {
			t.Errorf("%s: %d, want %d", c.text, got, c.want)
		}
	}
	seen := map[string]bool{}
	for range 100 {
		token := NewToken()
		if len(token) != 43 || seen[token] { // 256 bits
			t.Fatalf("token %q", token)
		}
		seen[token] = true
	}
}

// TestListen: the server is on the loopback interface.
func TestListen(t *testing.T) {
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !strings.HasPrefix(l.Addr().String(), "127.0.0.1:") {
		t.Errorf("it listens on %s", l.Addr())
	}
}

const secret = "nobody may read this"

// outside makes a folder to show, and beside it what is not to be shown; links lead there.
func outside(t *testing.T) (inside string) {
	t.Helper()
	dir := t.TempDir()
	inside = filepath.Join(dir, "shown")
	for _, d := range []string{"shown/deep", "hidden"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"shown/a.txt": "a", "shown/deep/b.txt": "b", "hidden/secret.txt": secret, "secret.txt": secret} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"link.txt": filepath.Join("..", "secret.txt"), "whole.txt": filepath.Join(dir, "secret.txt"), "folder": filepath.Join(dir, "hidden"), "good.txt": "a.txt",
	} {
		corpus.Allowed(t, os.Symlink(to, filepath.Join(inside, name)))
	}
	return inside
}

// TestConfined: what links lead to outside of the folder is not listed, and not read when a file becomes such a link.
func TestConfined(t *testing.T) {
	inside := outside(t)
	v := newViewer(t, inside)
	var l Listing
	getJSON(t, v, "/api/list?flat=1", &l)
	var names []string
	id := -1
	for _, r := range l.Rows {
		names = append(names, r.Name)
		if r.Name == "a.txt" {
			id = r.ID
		}
	}
	if got := strings.Join(names, " "); got != "a.txt b.txt good.txt" {
		t.Errorf("listed: %s", got)
	}
	file := filepath.Join(inside, "a.txt")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "secret.txt"), file); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"bytes", "text", "node", "thumb", "fields", "save", "spans"} {
		target := fmt.Sprintf("/api/%s/%d", what, id)
		if what == "save" {
			target += "/stored"
		}
		r := ask(v, http.MethodGet, target, nil)
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), secret) {
			t.Errorf("%s shows what lies outside", target)
		}
		if what == "bytes" && r.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %s", target, r.Status)
		}
	}
}

// TestPaths: no address leads to a path, however it is written.
func TestPaths(t *testing.T) {
	inside := outside(t)
	v := newViewer(t, inside)
	for _, target := range []string{
		"/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/..%5csecret.txt", "/secret.txt", "/api/bytes/../../secret.txt",
		"/api/bytes/..%2f..%2fsecret.txt", "/api/bytes/-1", "/api/bytes/999999", "/api/bytes/0x1", "/api/bytes/1e1", "/api/bytes/a.txt",
		"/api/bytes/%00", "/api/save/1/..%2f..%2fsecret.txt", "/api/save/1/exe", "/api/node/1%2f..", "/page/main.js", "/view.go",
		"/api/bytes/" + strings.Repeat("9", 300), "/api/image/1?frame=../../secret.txt", "/api/change/0", "/api/heat/-1", "//secret.txt",
		"/api/bytes//etc/passwd", "/etc/passwd", "/.%2e/.%2e/etc/passwd", "/api/list?under=-7&open=zz.-1.99999999999", "/api/list?from=-5&count=-5",
	} {
		r := ask(v, http.MethodGet, target, nil)
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), secret) || strings.Contains(string(b), "root:") {
			t.Errorf("%s shows what lies outside", target)
		}
		if r.StatusCode == http.StatusOK && !strings.HasPrefix(target, "/api/list") || r.StatusCode >= 500 {
			t.Errorf("%s: %s", target, r.Status)
		}
	}
}

// TestHarmless: what stands in files comes as data that a browser does not run.
func TestHarmless(t *testing.T) {
	dir := t.TempDir()
	const bad = `<script>alert(1)</script>`
	for _, name := range []string{"a.html", "b.svg", "c.txt", "d.js"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v := newViewer(t, dir)
	var l Listing
	getJSON(t, v, "/api/list?flat=1", &l)
	if len(l.Rows) != 4 {
		t.Fatalf("%d files", len(l.Rows))
	}
	for _, row := range l.Rows {
		for target, want := range map[string]string{
			fmt.Sprintf("/api/bytes/%d", row.ID):       "application/octet-stream",
			fmt.Sprintf("/api/save/%d/stored", row.ID): "application/octet-stream",
		} {
			r := ask(v, http.MethodGet, target, nil)
			if got := r.Header.Get("Content-Type"); got != want {
				t.Errorf("%s: %s is %q", row.Name, target, got)
			}
			if strings.Contains(target, "save") && !strings.HasPrefix(r.Header.Get("Content-Disposition"), "attachment") {
				t.Errorf("%s: %s is shown", row.Name, target)
			}
		}
		r := ask(v, http.MethodGet, fmt.Sprintf("/api/text/%d", row.ID), nil)
		if got := r.Header.Get("Content-Type"); r.StatusCode == 200 && !strings.HasPrefix(got, "text/plain") {
			t.Errorf("%s: as text it is %q", row.Name, got)
		}
	}
}
