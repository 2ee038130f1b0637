package view

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/show/sheet"
)

// Listing is a window of rows of the tree, given which nodes are open and which filters are set.
type Listing struct {
	Total   int            `json:"total"` // number of rows in all
	From    int            `json:"from"`  // number of the first row in the window
	Rows    []Row          `json:"rows"`
	Busy    bool           `json:"busy"`    // the search goes on, so there may be more soon
	Kinds   map[string]int `json:"kinds"`   // of all leaves that are known
	Formats map[string]int `json:"formats"` // of all leaves that are known
	State   int64          `json:"state"`   // of the files on disk
}

// Row is a line of the tree.
type Row struct {
	ID     int    `json:"id"`
	Depth  int    `json:"depth"`
	Name   string `json:"name"`
	Entry  string `json:"entry,omitempty"` // its path in the archive
	Title  string `json:"title,omitempty"`
	Place  string `json:"place"`
	Inner  bool   `json:"inner,omitempty"` // it has children
	Map    bool   `json:"map,omitempty"`
	Kind   string `json:"kind"`
	Format string `json:"format,omitempty"`
	Size   int64  `json:"size"`
	Count  int    `json:"count,omitempty"` // nodes in it that are known so far
	Open   bool   `json:"open,omitempty"`
	Odd    int    `json:"odd,omitempty"` // number of diagnostics, if it was read already
	Error  string `json:"error,omitempty"`
}

// mostRows is how many rows a window has.
const mostRows = 500

// filter says which nodes are wanted.
type filter struct {
	words  []string
	kinds  []string
	format string
	under  int  // only what is below this node; −1 for all
	flat   bool // leaves alone, without what they are in
	drawn  bool // only what has a picture of its own, maps and models first
	open   map[int]bool
}

func newFilter(q query) filter {
	f := filter{
		words: strings.Fields(strings.ToLower(q.text("q"))), format: q.text("format"), under: -1,
		flat: q.text("flat") != "", drawn: q.text("drawn") != "", open: map[int]bool{},
	}
	if s := q.text("kind"); s != "" {
		f.kinds = strings.Split(s, ",")
	}
	if n, err := strconv.Atoi(q.text("under")); err == nil {
		f.under = n
	}
	for s := range strings.SplitSeq(q.text("open"), ".") {
		if n, err := strconv.ParseInt(s, 36, 32); err == nil {
			f.open[int(n)] = true
		}
	}
	return f
}

// narrow reports whether the filter leaves something out, so that folders are shown for what is in them.
func (f *filter) narrow() bool { return len(f.words) > 0 || len(f.kinds) > 0 || f.format != "" }

func (f *filter) match(n *node) bool {
	if f.drawn && (!n.pictured() || n.partOf) {
		return false
	}
	if f.format != "" && n.format != f.format || len(f.kinds) > 0 && !slices.Contains(f.kinds, n.sort()) {
		return false
	}
	for _, w := range f.words {
		if !strings.Contains(n.folded, w) {
			return false
		}
	}
	return true
}

// line is a row by its node and depth.
type line struct{ id, depth int }

// lines returns the rows that a filter leaves. The tree is locked for reading.
func (t *tree) lines(f *filter) []line {
	var out []line
	// walk returns whether anything at or below the node is wanted.
	var walk func(id, depth int) bool
	walk = func(id, depth int) bool {
		n := t.nodes[id]
		switch {
		case f.flat:
			if n.leaf() && f.match(n) {
				out = append(out, line{id, 0})
			}
			if f.drawn && n.leaf() && len(f.kinds) == 0 {
				return true // a model is one picture, and not its textures as well
			}
			for _, c := range n.children {
				walk(c, 0)
			}
			return true
		case !f.narrow():
			out = append(out, line{id, depth})
			if f.open[id] {
				for _, c := range n.children {
					walk(c, depth+1)
				}
			}
			return true
		}
		at := len(out)
		out = append(out, line{id, depth})
		wanted := (n.leaf() || n.place == archive && len(f.kinds) == 0 && f.format == "") && f.match(n)
		for _, c := range n.children {
			wanted = walk(c, depth+1) || wanted
		}
		if !wanted {
			out = out[:at]
		}
		return wanted
	}
	from := t.roots
	if f.under >= 0 {
		from = []int{f.under}
	}
	for _, id := range from {
		if id < len(t.nodes) {
			walk(id, 0)
		}
	}
	if f.drawn {
		slices.SortStableFunc(out, func(a, b line) int { return cmp.Compare(t.nodes[a.id].rank(), t.nodes[b.id].rank()) })
	}
	return out
}

// rank is where a node stands among others: maps come first, then what is seen, then what is heard, then what is read.
func (n *node) rank() int {
	if n.isMap {
		return -1
	}
	return int(n.kind)
}

// sort is what a node is called among others: its kind, or a map.
func (n *node) sort() string {
	if n.isMap {
		return "map"
	}
	return n.kind.String()
}

// pictured reports whether a node has a picture of its own; an animation has not.
func (n *node) pictured() bool { return slices.Contains(sheet.Kinds, n.kind) }

// row returns a node as a line of the tree. The tree is locked for reading.
func (t *tree) row(l line, open bool) Row {
	n := t.nodes[l.id]
	r := Row{
		ID: n.id, Depth: l.depth, Name: n.name, Title: n.title, Place: placeNames[n.place], Kind: n.kind.String(), Format: n.format,
		Inner: n.holds || !n.leaf(), Map: n.isMap, Size: n.size, Count: len(n.children), Open: open && len(n.children) > 0, Odd: max(n.odd, 0),
	}
	if n.place == entry {
		r.Entry = n.entry
	}
	if n.err != nil {
		r.Error = plain(n.err)
	}
	return r
}

// list returns a window of the tree.
func (v *Viewer) list(f *filter, from, count int) Listing {
	for id := range f.open {
		v.open(id, whole)
	}
	if f.under >= 0 {
		v.open(f.under, sampled)
	}
	if f.narrow() || f.flat {
		v.openAll()
	}
	busy := v.scanning.Load() > 0
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	all := v.tree.lines(f)
	out := Listing{Total: len(all), From: min(from, len(all)), Busy: busy, State: v.generation.Load(), Rows: []Row{}}
	for _, l := range all[out.From:min(out.From+count, len(all))] {
		out.Rows = append(out.Rows, v.tree.row(l, f.narrow() || f.open[l.id]))
	}
	if from == 0 {
		out.Kinds, out.Formats = v.tree.census()
	}
	return out
}

// census counts the leaves of each kind and format. The tree is locked for reading.
func (t *tree) census() (kinds, formats map[string]int) {
	kinds, formats = map[string]int{}, map[string]int{}
	for _, n := range t.nodes {
		if !n.gone && !n.was && n.leaf() {
			kinds[n.sort()]++
			if n.format != "" {
				formats[n.format]++
			}
		}
	}
	return kinds, formats
}

func (v *Viewer) handleList(w http.ResponseWriter, r *http.Request) {
	q := query(r.URL.Query())
	f := newFilter(q)
	answer(w, v.list(&f, q.number("from", 0, 1<<30, 0), q.number("count", 1, mostRows, 200)))
}
