package view

import (
	"fmt"
	"net/http"
	"strings"
)

// writeHeader is the header that a page which may write sends with all that it asks for. No other page can send it: a browser
// adds no header of its own accord, as it adds cookies.
const writeHeader = "X-Usher-Write"

// mayWrite reports whether a request has the token to write with.
func (d *desk) mayWrite(r *http.Request) bool {
	return d.Alone || d.writers.has(r.Header.Get(writeHeader))
}

// entered returns where the first page leads to: with a ticket, which is good for one token to write with. It stands
// behind the # of the address, which no server sees, and the page takes it away from there.
func (d *desk) entered() string {
	if d == nil {
		return "/"
	}
	return "/#w=" + d.tickets.make()
}

// handleEnter gives a token to write with for a ticket.
func (d *desk) handleEnter(w http.ResponseWriter, r *http.Request) {
	if !d.tickets.take(r.URL.Query().Get("ticket")) {
		fail(w, http.StatusForbidden, fmt.Errorf("the address has been used: start the desk again to write, or open the address that it has printed"))
		return
	}
	answer(w, map[string]string{"token": d.writers.make()})
}

// handle adds what the desk can do to the addresses of the page.
func (d *desk) handle(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/desk", d.handleState)
	mux.HandleFunc("GET /api/desk/change/{id}", d.handleChange)
	mux.HandleFunc("GET /api/desk/heat/{old}/{new}", d.handleHeat)
	mux.HandleFunc("GET /api/desk/export", d.handleDownload)
	mux.HandleFunc("POST /api/desk/enter", d.handleEnter)
	for name, p := range d.posts() {
		mux.HandleFunc("POST /api/desk/"+name, d.writing(p.most, p.handle))
	}
}

// writer is something that a page may ask for which writes.
type writer struct {
	most   int64 // bytes that are sent
	handle http.HandlerFunc
}

// posts are all that a page may write by, by their addresses.
func (d *desk) posts() map[string]writer {
	list := map[string]writer{
		"put/{id}":        {mostSent, d.handlePut},
		"save/{id}":       {mostAsked, d.handleSave},
		"save-patch/{id}": {mostAsked, d.handleSavePatch},
		"restore/{id}":    {mostAsked, d.handleRestore},
		"open":            {mostSent, d.handleOpen},
		"found":           {mostAsked, d.handleFound},
		"place":           {mostAsked, d.handlePlace},
		"export":          {mostAsked, d.handleExport},
		"open-in/{id}":    {mostAsked, d.handleOpenIn},
	}
	if d.Alone {
		list["close/{id}"] = writer{mostAsked, d.handleClose}
	}
	for name, do := range acts {
		most := int64(mostAsked)
		if name == "add" || name == "edit" {
			most = mostSent
		}
		list[name+"/{id}"] = writer{most, d.handleAct(do)}
	}
	return list
}

// writing lets a request through that may write, and bounds what it sends.
func (d *desk) writing(most int64, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !d.mayWrite(r) {
			fail(w, http.StatusForbidden, fmt.Errorf("this page only looks: open the address that the desk has printed to write"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		next(w, r)
	}
}

// writes reports whether a request is one of those that may change something, sent by the page of this very server. Browsers
// tell the origin of every such request.
func (d *desk) writes(r *http.Request) bool {
	return d != nil && r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/api/desk/") && r.Header.Get("Origin") == "http://"+r.Host
}
