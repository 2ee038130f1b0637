package view

import (
	"net/http"
)

// Span is a field of a file as its reader sees it. Offsets count from the first of the stored bytes that the page shows.
type Span struct {
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
	Path   string `json:"path"`
	Value  string `json:"value,omitempty"`
	Kind   string `json:"kind"` // "field", "bytes" that are kept, "gap"
}

// Spans is the part of a field map that the page asked for.
type Spans struct {
	Known bool   `json:"known"` // there is a field map
	Spans []Span `json:"spans"`
	Total int    `json:"total"`
}

// explain returns the field map of a node, in the order of offsets. Without one, known is false.
func (v *Viewer) explain(*node) (spans []Span, known bool, err error) { return nil, false, nil }

// mostBytes is how many bytes one request of the hex view gets.
const mostBytes = 64 << 10

// handleBytes answers with stored bytes, which may be asked for in ranges.
func (v *Viewer) handleBytes(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	c, err := v.stored(&n)
	if err != nil {
		fail(w, status(err), err)
		return
	}
	defer c.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("ETag", v.tag(&n))
	http.ServeContent(w, r, "", noTime, c)
}

// handleSpans answers with the fields that lie in a range of bytes.
func (v *Viewer) handleSpans(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	release, err := v.acquire(r.Context())
	if err != nil {
		return // nobody waits any more
	}
	all, known, err := v.explain(&n)
	release()
	if err != nil {
		fail(w, status(err), err)
		return
	}
	q := query(r.URL.Query())
	from := int64(q.number("from", 0, 1<<62, 0))
	to := from + int64(q.number("count", 1, mostBytes, 4096))
	out := Spans{Known: known, Spans: []Span{}, Total: len(all)}
	for _, s := range all {
		if s.Offset < to && s.Offset+s.Size > from {
			out.Spans = append(out.Spans, s)
		}
	}
	answer(w, out)
}
