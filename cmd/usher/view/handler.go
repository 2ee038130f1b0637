package view

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strconv"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Handler returns the handler for the requests of the page, for a server on the given port.
func (v *Viewer) Handler(port int, token string) http.Handler {
	return guarded(v.Answers(), port, token, &v.tickets, v.desk)
}

// Answers returns the handler for the requests of the page without a guard: for a page that runs without a server, which
// nobody else can reach.
func (v *Viewer) Answers() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("GET /api/list", v.handleList)
	mux.HandleFunc("GET /api/node/{id}", v.handleNode)
	mux.HandleFunc("GET /api/home/{id}", v.handleHome)
	mux.HandleFunc("GET /api/players/{id}", v.handlePlayers)
	mux.HandleFunc("GET /api/events", v.handleEvents)
	mux.HandleFunc("GET /api/changes", v.handleChanges)
	mux.HandleFunc("GET /api/change/{n}", v.handleChange)
	mux.HandleFunc("GET /api/heat/{n}", v.handleHeat)
	mux.HandleFunc("GET /api/bytes/{id}", v.handleBytes)
	mux.HandleFunc("GET /api/spans/{id}", v.handleSpans)
	mux.HandleFunc("GET /api/links/{id}", v.handleLinks)
	mux.HandleFunc("GET /api/save/{id}/{as}", v.handleSave)
	for name, m := range makers {
		mux.HandleFunc("GET /api/"+name+"/{id}", v.handleMade(name, m))
	}
	mux.Handle("GET /formats/", v.formats())
	if v.desk != nil {
		v.desk.handle(mux)
	}
	return mux
}

// formats answers with what is known of the formats, or with nothing: that there is none is no mistake of the page.
func (v *Viewer) formats() http.Handler {
	if v.config.Formats != nil {
		return v.config.Formats
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
}

// maker makes something of a node.
type maker func(v *Viewer, n *node, q query) (blob, error)

// makers are what is made of nodes and kept for a while.
var makers = map[string]maker{
	"thumb":  (*Viewer).thumbOrSign,
	"image":  (*Viewer).image,
	"model":  (*Viewer).model,
	"camera": (*Viewer).camera,
	"sound":  (*Viewer).sound,
	"peaks":  (*Viewer).peaks,
	"table":  (*Viewer).table,
	"text":   (*Viewer).text,
	"fields": (*Viewer).fields,

	"numbers": (*Viewer).numbers,
}

// query is the part of an address behind the question mark.
type query map[string][]string

func (q query) text(name string) string {
	if len(q[name]) == 0 {
		return ""
	}
	return q[name][0]
}

// number returns a number of the address, which lies between least and most.
func (q query) number(name string, least, most, otherwise int) int {
	n, err := strconv.Atoi(q.text(name))
	if err != nil {
		n = otherwise
	}
	return min(max(n, least), most)
}

// node returns the node that a request is about; without one it answers itself.
func (v *Viewer) node(w http.ResponseWriter, r *http.Request) (n node, ok bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err == nil {
		n, ok = v.tree.get(id)
	}
	if !ok {
		fail(w, http.StatusNotFound, v.tree.missing(r.PathValue("id")))
	}
	return n, ok
}

// plain is the text of an error on the page, which has no flags of the command line.
func plain(err error) string { return schema.Unhinted(err).Error() }

// fail answers with an error as text.
func fail(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, plain(err), status)
}

// status is what stands for an error.
func status(err error) int {
	switch {
	case errors.Is(err, errOutside):
		return http.StatusForbidden
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, formats.ErrNothing):
		return http.StatusNotFound
	}
	return http.StatusUnprocessableEntity
}

// answer sends a value as JSON.
func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(value) // the client has gone
}

// handleMade answers with what a maker makes of a node.
func (v *Viewer) handleMade(name string, m maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, ok := v.node(w, r)
		if !ok {
			return
		}
		release, err := v.acquire(r.Context())
		if err != nil {
			return // nobody waits any more
		}
		b, err := v.made(name, m, &n, query(r.URL.Query()))
		release()
		if err != nil {
			fail(w, status(err), err)
			return
		}
		serve(w, r, b)
	}
}

// made returns what a maker makes of a node, or has made of it.
func (v *Viewer) made(name string, m maker, n *node, q query) (blob, error) {
	tag := v.tag(n)
	key := name + tag + string(appendQuery(nil, q))
	if b, ok := v.cache.get(key); ok {
		return b, nil
	}
	var b blob
	if err := batch.Guarded(func() (err error) { b, err = m(v, n, q); return err }); err != nil {
		return blob{}, err
	}
	b.tag = tag
	v.cache.put(key, b)
	return b, nil
}

// tag tells the state of a node and of all that it may use from other ones. It is an HTTP entity tag.
func (v *Viewer) tag(n *node) string {
	b := append([]byte{'"'}, strconv.Itoa(n.id)...)
	for _, x := range [...]int64{v.generation.Load(), n.size, n.modified.UnixNano()} {
		b = append(b, '-')
		b = strconv.AppendInt(b, x, 36)
	}
	return string(append(b, '"'))
}

// parameters are those that makers look at, so that others make no new entry of the cache.
var parameters = [...]string{"size", "frame", "mip", "face", "player"}

func appendQuery(b []byte, q query) []byte {
	for _, name := range parameters {
		if s := q.text(name); s != "" && len(s) < 16 {
			b = append(append(append(b, name...), '='), s...)
		}
	}
	return b
}

func serve(w http.ResponseWriter, r *http.Request, b blob) {
	h := w.Header()
	h.Set("Content-Type", b.mime)
	h.Set("ETag", b.tag)
	c := newMemory(b.content)
	http.ServeContent(w, r, "", noTime, c)
}

// shows says how a kind is looked at.
func shows(k format.Kind) string {
	switch k {
	case format.Model, format.Animation:
		return "model"
	case format.Texture:
		return "picture"
	case format.Sound:
		return "sound"
	case format.Table:
		return "table"
	case format.Text:
		return "text"
	}
	return ""
}
