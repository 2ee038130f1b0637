package layout

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/schema"
)

// Sample is a file of a format, or an entry of one, with what reads it.
type Sample struct {
	Bytes []byte
	Read  func(b []byte, d *schema.Diagnostics) error
}

// instance is a record as a reader read it: in one file, at one place.
type instance struct {
	frame
	nodes []node
	file  *file
	ended bool // the reader left it: what is not here is not in the file

	next int // the first node that nothing is known of
	at   int64
}

// file is what belongs to all instances of a run.
type file struct {
	b       []byte
	altered bool
}

// node is what a reader read next in a record: values of one layout, or records.
type node struct {
	key
	n      int // values, or records
	at     int64
	size   int64
	least  bool  // perhaps there are more: the reader did not come further
	part   int64 // the size of each piece that it was read in, if there were several
	record []*instance
}

// key is what nodes of the same item have in common.
type key struct {
	name, layout string // the layout is empty for records
	list         bool   // records with numbers
}

// run reads bytes, and returns what lies one behind the other from the first byte on. Behind a jump the rest is in loose pieces.
// A run with more warnings than usual ended, but not as it should.
func (s *Sample) run(b []byte, altered bool, usual int) (whole *instance, loose []schema.Span, warnings int) {
	trace, d := new(schema.Trace), new(schema.Diagnostics)
	trace.Place(b, 0)
	d.Record(trace)
	err := s.Read(b, d)
	n, at := 0, int64(0)
	for n < len(trace.Spans) && trace.Spans[n].Offset == at {
		at += trace.Spans[n].Size
		n++
	}
	warnings = len(d.All())
	whole = &instance{file: &file{b, altered}, ended: err == nil && n == len(trace.Spans) && (warnings <= usual || !altered)}
	whole.build(joined(trace.Spans[:n]), 0)
	return whole, trace.Spans[n:], warnings
}

// span is one or several that are values of the same field.
type span struct {
	schema.Span
	part int64 // the size of each
}

// joined makes one of spans that are values of the same field.
func joined(spans []schema.Span) (list []span) {
	for _, s := range spans {
		if s = byBytes(s); len(list) > 0 && s.Layout != schema.LayoutIndex {
			if was := &list[len(list)-1]; was.Path == s.Path && was.Field == s.Field && was.Layout == s.Layout && was.Size*int64(s.Count) == s.Size*int64(was.Count) {
				was.Size += s.Size
				was.Count += s.Count
				was.part = s.Size
				continue
			}
		}
		list = append(list, span{s, 0})
	}
	return list
}

// byBytes counts texts and data in their bytes.
func byBytes(s schema.Span) schema.Span {
	if size := wordsSize(s.Layout); s.Layout != schema.LayoutIndex && int64(size)*int64(s.Count) != s.Size {
		if len(strings.Fields(s.Layout)) > 1 {
			s.Layout = schema.LayoutBytes
		}
		s.Count = int(s.Size)
		if s.Layout == schema.LayoutWide {
			s.Count /= 2
		}
	}
	return s
}

func wordsSize(layout string) (n int) {
	for _, w := range words(layout) {
		n += w.Size()
	}
	return n
}

// known are the layouts that were parsed: few, and each of them a million times.
var known sync.Map

// words parses a layout.
func words(layout string) []Word {
	if list, ok := known.Load(layout); ok {
		return list.([]Word)
	}
	var list []Word
	for s := range strings.FieldsSeq(layout) {
		name, kind, named := strings.Cut(s, ":")
		if !named {
			name, kind = "", s
		}
		w := Word{name, strings.TrimLeft(kind, "0123456789"), 1}
		if n, err := strconv.Atoi(strings.TrimSuffix(kind, w.Kind)); err == nil && sizes[w.Kind] > 0 {
			w.Count = n
		}
		list = append(list, w)
	}
	known.Store(layout, list)
	return list
}

// step is the first part of what of a path lies below a depth.
func step(path string, depth int) (label string, index int, ok bool) {
	if path == "" {
		return "", 0, false
	}
	parts := strings.Split(path, "/")
	if depth >= len(parts) {
		return "", 0, false
	}
	label, digits, numbered := cutLast(parts[depth])
	if i, err := strconv.Atoi(digits); numbered && err == nil {
		return label, i, true
	}
	return parts[depth], -1, true
}

func cutLast(s string) (before, after string, ok bool) {
	if i := strings.LastIndexByte(s, ' '); i > 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// build makes nodes of spans whose paths begin alike up to a depth.
func (x *instance) build(spans []span, depth int) {
	if len(spans) > 0 {
		x.at = spans[0].Offset
	}
	index := 0 // of the last record
	for i := 0; i < len(spans); {
		s := &spans[i]
		label, number, below := step(s.Path, depth)
		if !below {
			x.nodes = append(x.nodes, node{key: key{name: s.Field, layout: s.Layout}, n: s.Count, at: s.Offset, size: s.Size, least: words(s.Layout)[0].numeric(), part: s.part})
			i++
			continue
		}
		end := i + 1
		for end < len(spans) {
			if l, k, ok := step(spans[end].Path, depth); !ok || l != label || k != number {
				break
			}
			end++
		}
		last := &spans[end-1]
		inner := &instance{frame: frame{parent: &x.frame}, file: x.file, ended: end < len(spans) || x.ended}
		inner.build(spans[i:end], depth+1)
		k := key{name: label, list: number >= 0}
		if n := len(x.nodes); n > 0 && x.nodes[n-1].key == k && number == index+1 {
			was := &x.nodes[n-1]
			was.n, was.size, was.record = was.n+1, last.Offset+last.Size-was.at, append(was.record, inner)
		} else {
			x.nodes = append(x.nodes, node{key: k, n: 1, at: s.Offset, size: last.Offset + last.Size - s.Offset, least: true, record: []*instance{inner}})
		}
		index, i = number, end
	}
	for i := range x.nodes {
		x.nodes[i].least = x.nodes[i].least && !x.ended && i == len(x.nodes)-1
	}
}

// What is altered: samples, the smallest ones; places of each field in a sample; and how much may be noted in all.
const (
	mostAltered = 4
	mostPlaces  = 3
	mostNoted   = 160_000
)

// alterations calls f with copies of a sample in which something is altered.
func alterations(b []byte, spans []schema.Span, most int, f func(b []byte)) {
	more := func(b []byte) bool { most--; f(b); return most > 0 }
	for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 256} {
		if !more(append(slices.Clone(b), make([]byte, n)...)) || n < len(b) && !more(slices.Clone(b[:len(b)-n])) {
			return
		}
	}
	if !more(slices.Concat(b, b)) {
		return
	}
	places := placesOf(spans)
	for _, s := range places {
		if !more(slices.Concat(b, b[s.Offset:])) || s.Offset > 0 && !more(slices.Clone(b[:s.Offset])) {
			return
		}
	}
	for round := range 3 + 32 {
		for _, s := range places {
			for _, a := range altered(b, s, round) {
				if !more(a) {
					return
				}
			}
		}
	}
}

var numbersOf = regexp.MustCompile(` \d+`)

// placesOf are the spans to be altered: the first and the last of each field.
func placesOf(spans []schema.Span) (list []schema.Span) {
	seen := map[string][]schema.Span{}
	for _, s := range spans {
		k := numbersOf.ReplaceAllString(s.Path, "") + "/" + s.Field
		if seen[k] = append(seen[k], s); len(seen[k]) > mostPlaces {
			seen[k] = slices.Delete(seen[k], mostPlaces-1, mostPlaces)
		}
	}
	for _, some := range seen {
		list = append(list, some...)
	}
	slices.SortFunc(list, func(a, b schema.Span) int { return cmp.Compare(a.Offset, b.Offset) })
	return list
}

// altered returns copies in which the first number of a span is another one: as it is, with more behind the file, and with so
// much more or less behind the file as the number has become larger or smaller.
func altered(b []byte, s schema.Span, round int) (list [][]byte) {
	n := int(min(s.Size, 4))
	if k := sizes[s.Layout]; k > 0 {
		n = min(k, 4)
	}
	change := func(v uint32) {
		a := slices.Clone(b)
		for i := range n {
			a[s.Offset+int64(i)] = byte(v >> (8 * i))
		}
		list = append(list, a, append(slices.Clone(a), make([]byte, 256)...))
	}
	var was uint32
	for i := range n {
		was |= uint32(b[s.Offset+int64(i)]) << (8 * i)
	}
	switch {
	case round == 0:
		change(was + 1)
		change(was - 1)
		list = append(list, append(slices.Clone(list[0]), 0))
		list = append(list, slices.Clone(list[2][:len(b)-1]))
	case round == 1:
		change(0)
		change(1)
		change(was + 2)
	case round == 2:
		change(was + 5)
		change(was - 2)
		change(^uint32(0))
	case round-3 < 8*n:
		change(was ^ 1<<(round-3))
	}
	return list
}
