package view

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/explain"
)

// Span is a field of a file. Offsets count from the first stored byte that the page shows.
type Span struct {
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
	Path   string `json:"path"`
	Value  string `json:"value,omitempty"`
	Kind   string `json:"kind"` // field, kept, gap
}

// Spans is the requested part of a field map.
type Spans struct {
	Known bool   `json:"known"` // there is a field map
	Spans []Span `json:"spans"`
	Stops []Stop `json:"stops,omitempty"` // in the part, or in all of what is explained as a whole
	Total int    `json:"total"`
}

// Stop is a position where reading failed.
type Stop struct {
	Offset int64  `json:"offset"`
	Error  string `json:"error"`
}

// mostStops is how many places where reading stopped the page is told of.
const mostStops = 100

// The largest archive and the largest other file that is explained whole; of larger ones the page gets windows. An archive
// is cheap to read around a window, another file is read to its end for each.
const (
	mostWhole     = 4 << 20
	mostWholeLeaf = 64 << 20
)

// explained is a field map that was asked for last: the page asks for it piece by piece.
type explained struct {
	mu  sync.Mutex
	key string
	of  *explain.Map
}

// explain returns the field map of a node around an offset; nil where there is none.
func (v *Viewer) explain(n *node, from, to int64) (*explain.Map, error) {
	if _, err := confined(n); err != nil {
		return nil, err
	}
	within := windowOf(n, from, to)
	key := v.tag(n) + fmt.Sprint(within)
	x := &v.explained
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.key == key {
		return x.of, nil
	}
	src, l := v.source(n)
	m, err := explain.Source(&l, src, within)
	if errors.Is(err, formats.ErrUnknown) {
		m, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	x.key, x.of = key, m
	return m, nil
}

// windowOf returns the part of a node that is explained for the bytes from to to: all of it, unless it is large.
func windowOf(n *node, from, to int64) explain.Range {
	var step int64
	switch {
	case n.place == archive && n.size > mostWhole:
		step = 1 << 20
	case n.place == file && n.size > mostWholeLeaf:
		step = 16 << 20
	default:
		return explain.Range{}
	}
	return explain.Range{From: from / step * step, To: (to + step - 1) / step * step}
}

// spans returns the fields that lie in a range of the stored bytes of a node.
func (v *Viewer) spans(n *node, from, to int64) (Spans, error) {
	out := Spans{Spans: []Span{}}
	m, err := v.explain(n, from, to)
	if m == nil || err != nil {
		return out, err
	}
	start := m.Offset // of the entry in its file
	out.Known, out.Total = true, len(m.Spans)
	for i := range m.Spans {
		s := &m.Spans[i]
		if s.Offset-start >= to {
			break
		}
		if s.End()-start <= from {
			continue
		}
		name := strings.Trim(s.Path+"/"+s.Field, "/")
		if n.place != entry && s.Entry != "" {
			name = s.Name()
		}
		if s.Layout != "" && s.Count > 1 {
			name += fmt.Sprintf(" [%d]", s.Count)
		}
		out.Spans = append(out.Spans, Span{s.Offset - start, s.Size, name, m.Text(s), s.Kind.String()})
	}
	for i := range m.Stops[:min(len(m.Stops), mostStops)] {
		s := &m.Stops[i]
		out.Stops = append(out.Stops, Stop{s.Offset - start, strings.TrimPrefix(s.Entry+": "+s.Err.Error(), ": ")})
	}
	return out, nil
}

// mostBytes is how many bytes one request for fields is about.
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
	q := query(r.URL.Query())
	from := int64(q.number("from", 0, 1<<40, 0))
	out, err := v.spans(&n, from, from+int64(q.number("count", 1, mostBytes, 4096)))
	release()
	if err != nil {
		fail(w, status(err), err)
		return
	}
	answer(w, out)
}
