package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// leaf is a triangle with two sides, the smallest hull.
func leaf(id freelancer.Hash, first uint16) freelancer.SurHull {
	return freelancer.SurHull{Kind: freelancer.TerminalHull, ID: id, Units: 6, Faces: []freelancer.SurFace{
		{Points: [3]uint16{first, first + 1, first + 2}, Opposite: [3]int16{6, 4, 2}, Pierce: 1},
		{Points: [3]uint16{first, first + 2, first + 1}, Opposite: [3]int16{-2, -4, -6}},
	}}
}

// twoLeaves is a surface with two hulls and one about them.
func twoLeaves() *freelancer.Surface {
	wrap := leaf(0, 0)
	wrap.Kind = freelancer.WrappingHull
	for i := range wrap.Faces {
		wrap.Faces[i].Virtual = true
	}
	s := &freelancer.Surface{Radius: 2, Deviation: 250, Hulls: []freelancer.SurHull{leaf(7, 0), leaf(8, 3), wrap}}
	for i := range 6 {
		s.Points = append(s.Points, freelancer.SurPoint{At: [3]float32{float32(i), float32(i % 2), float32(i / 3)}, ID: 7 + freelancer.Hash(i/3)})
	}
	s.Nodes = []freelancer.SurNode{{Right: 2, Hull: 2, Radius: 4}, {Hull: 0, Radius: 1}, {Hull: 1, Radius: 1, Box: [3]uint8{1, 2, 3}}}
	return s
}

func newSur() *freelancer.Sur {
	return &freelancer.Sur{Version: 2, Parts: []*freelancer.SurPart{
		{ID: 7, Chunks: 4, NotFixed: true, Min: [3]float32{0, 0, 0}, Max: [3]float32{5, 1, 1}, Surface: twoLeaves(), Hardpoints: []freelancer.Hash{8}},
		{ID: 9, Chunks: 2, Surface: twoLeaves()},
	}}
}

func oldSur() *freelancer.Sur {
	one := twoLeaves()
	return &freelancer.Sur{Old: &freelancer.OldSur{Max: [3]float32{5, 1, 1}, Parts: []freelancer.OldSurPart{
		{Name: "Root", Surfaces: []*freelancer.Surface{one}},
		{Name: "Wing", Ledges: []freelancer.SurLedge{{Hull: leaf(2, 0), Points: one.Points[:3]}}},
	}}}
}

func surBytes(t testing.TB, s *freelancer.Sur) []byte {
	t.Helper()
	b, err := write.Sur(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzSur(f *testing.F) {
	fuzz(f, read.Sur, write.Sur, newSur(), oldSur(), &freelancer.Sur{})
}

// TestSurMalformed damages sound files: each is refused with the class of what is wrong (reference freelancer-sur 9).
func TestSurMalformed(t *testing.T) {
	const part, block = 8, 8 + 8 + 4 + 28 + 4 + 4 // of the first part: id, its surface's block
	hulls := block + freelancer.SurfaceHeader
	faces := hulls + freelancer.HullHeader
	points := hulls + 3*(freelancer.HullHeader+2*freelancer.FaceSize)
	nodes := points + 6*freelancer.PointSize
	word := func(at int, v uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], v); return b }
	}
	for _, c := range []struct {
		name   string
		damage func([]byte) []byte
		class  error
	}{
		{"magic", word(0, 0x73726577), schema.ErrBadMagic},
		{"version", word(4, math.Float32bits(3)), schema.ErrUnsupported},
		{"chunk", word(part+8, 0x21212121), schema.ErrBadMagic},
		{"chunk twice", word(part+8, binary.LittleEndian.Uint32([]byte("surf"))), schema.ErrTruncated},
		{"size", word(block-4, 1<<30), schema.ErrTruncated},
		{"size of the block", word(block+28, 1<<31), schema.ErrRange},
		{"root offset, too low", word(block+32, 40), schema.ErrRange},
		{"root offset, too high", word(block+32, 1<<20), schema.ErrRange},
		{"root offset, odd", word(block+32, uint32(nodes-block-4)), schema.ErrMismatch},
		{"points offset", word(hulls, 1<<20), schema.ErrRange},
		{"points offset, not a point", word(hulls, uint32(points-hulls+4)), schema.ErrRange},
		{"points offset of the second", word(hulls+48, 64), schema.ErrMismatch},
		{"points before the faces end", word(hulls, 16), schema.ErrMismatch},
		{"kind", word(hulls+8, 6), schema.ErrValue},
		{"node of the wrapping hull", word(hulls+96+4, 1), schema.ErrRange},
		{"node of the wrapping hull, behind the last", word(hulls+96+4, uint32(nodes+3*freelancer.NodeSize-hulls-96)), schema.ErrRange},
		{"face count", word(hulls+12, 0xFFFF), schema.ErrCount},
		{"face number", word(faces, 1), schema.ErrMismatch},
		{"highest bit of an edge", word(faces+4, 0x80060000), schema.ErrMismatch},
		{"point of a face", word(faces+4, 0x00060006), schema.ErrRange},
		{"right child", word(nodes, 28*3), schema.ErrRange},
		{"right child backwards", word(nodes, ^uint32(27)), schema.ErrRange},
		{"hull of a node", word(nodes+4, 4), schema.ErrRange},
		{"node reached twice", word(nodes+28, 28), schema.ErrCycle},
		{"left child missing", word(nodes+56, 28), schema.ErrRange},
		{"hpid count", word(nodes+84+4, 1<<30), schema.ErrCount},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, schema.ErrTruncated},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read.Sur(c.damage(surBytes(t, newSur())), nil); !errors.Is(err, c.class) {
				t.Errorf("got %v, want %v", err, c.class)
			}
		})
	}
	old := surBytes(t, oldSur())
	wing := bytes.Index(old, []byte("Wing"))
	for _, c := range []struct {
		name  string
		at    int
		value uint32
		class error
	}{
		{"name", wing - 4, 1 << 30, schema.ErrTruncated},
		{"tag", wing + 4, 0, schema.ErrBadMagic},
		{"count", wing + 8, 1 << 30, schema.ErrCount},
		{"size", wing + 12, 1 << 30, schema.ErrTruncated},
		{"points", wing + 16, 64, schema.ErrMismatch},
		{"kind", wing + 16 + 8, 0x605, schema.ErrValue},
	} {
		t.Run("older/"+c.name, func(t *testing.T) {
			b := bytes.Clone(old)
			binary.LittleEndian.PutUint32(b[c.at:], c.value)
			if _, err := read.Sur(b, nil); !errors.Is(err, c.class) {
				t.Errorf("got %v, want %v", err, c.class)
			}
		})
	}
}

// TestSurTolerated reads what real files do: wrong counts of chunks, a node with one child, no hulls at all.
func TestSurTolerated(t *testing.T) {
	chunks := func(n uint32) *freelancer.Sur {
		s := newSur()
		s.Parts = s.Parts[:1]
		s.Parts[0].Chunks = n
		return s
	}
	single := newSur()
	single.Parts[0].Surface.Nodes = []freelancer.SurNode{{Right: 1, Hull: 2}, {Hull: 0}}
	tail := newSur()
	tail.Parts[1].Surface.Tail = []byte("SHPE")
	bare := oldSur()
	bare.Old.Parts[1].Ledges = []freelancer.SurLedge{{Hull: freelancer.SurHull{Kind: freelancer.TerminalHull}}}
	order := newSur()
	order.Parts[1].Order = []freelancer.SurChunk{freelancer.SurfaceChunk, freelancer.ExtentsChunk}
	for name, s := range map[string]*freelancer.Sur{
		"one chunk too few": chunks(3), "one chunk too many": chunks(5), "a node with one child": single, "a tail": tail, "another order": order, "a ledge of no points": bare, "empty": {},
	} {
		b := surBytes(t, s)
		got, err := read.Sur(b, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		corpus.SameBytes(t, name, surBytes(t, got), b)
	}
}

// TestSurLimits: what the format has no room for is not written.
func TestSurLimits(t *testing.T) {
	many := newSur()
	h := &many.Parts[0].Surface.Hulls[0]
	for range freelancer.MaxFaces {
		h.Faces = append(h.Faces, h.Faces[0])
	}
	far := newSur()
	far.Parts[0].Surface.Hulls[0].Faces[0].Opposite[0] = math.MaxInt16
	back := newSur()
	back.Parts[0].Surface.Nodes[2].Right = 1
	both, parts := oldSur(), oldSur()
	both.Version, parts.Parts = 1, newSur().Parts[:1]
	for name, c := range map[string]struct {
		s     *freelancer.Sur
		class error
	}{
		"older, with a version": {both, schema.ErrMismatch}, "older, with a part": {parts, schema.ErrMismatch},
		"faces": {many, schema.ErrLimit}, "edge": {far, schema.ErrRange}, "node": {back, schema.ErrRange},
		"no surface": {&freelancer.Sur{Version: 2, Parts: []*freelancer.SurPart{{}}}, schema.ErrValue},
		"version":    {&freelancer.Sur{Version: 1}, schema.ErrUnsupported},
	} {
		if _, err := write.Sur(c.s); !errors.Is(err, c.class) {
			t.Errorf("%s: got %v, want %v", name, err, c.class)
		}
	}
}

// TestSurFaces: a hull has as many faces as their numbers tell apart.
func TestSurFaces(t *testing.T) {
	for n, want := range map[int]string{freelancer.MaxFaces + 1: "", freelancer.MaxFaces + 2: "a hull has 4097, at most 4096"} {
		s := newSur()
		h := &s.Parts[0].Surface.Hulls[0]
		h.Faces = slices.Repeat(h.Faces[:1], n)
		_, err := write.Sur(s)
		if want == "" && err != nil || want != "" && (!errors.Is(err, schema.ErrLimit) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d faces: %v, want %q", n, err, want)
		}
	}
}

// TestSurCorpus holds what is read against what the manifest says of each file.
func TestSurCorpus(t *testing.T) {
	figures := regexp.MustCompile(`([A-Za-z!][A-Za-z !]*?) (\d+)(?: of (\d+))?(?:;|$)`)
	for _, e := range corpus.Manifest(t, "freelancer/sur") {
		t.Run(e.File, func(t *testing.T) {
			var d schema.Diagnostics
			b := corpus.Bytes(t, e.Path)
			s, err := read.Sur(b, &d)
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "written back", surBytes(t, s), b)
			got := map[string]int{"parts": len(s.Parts)}
			central := true
			for _, p := range s.Parts {
				if p.NotFixed {
					got["!fxd"]++
				}
				got["hpid entries"] += len(p.Hardpoints)
				got["points"] += len(p.Surface.Points)
				central = central && p.Surface.Center == [3]float32{}
				for _, h := range p.Surface.Hulls {
					switch h.Kind {
					case freelancer.TerminalHull:
						got["terminal hulls"]++
					case freelancer.WrappingHull:
						got["wrap hulls"]++
					}
				}
				for i, n := range p.Surface.Nodes {
					if n.Right == i+1 {
						got["single-child node"]++
					}
				}
			}
			says := e.Columns["exercises"]
			checked := 0
			for _, m := range figures.FindAllStringSubmatch(says, -1) {
				name, want := strings.TrimSpace(m[1]), m[2]
				if name == "mass centre" || name == "id" {
					continue
				}
				n, _ := strconv.Atoi(want)
				if checked++; got[name] != n {
					t.Errorf("%s: %d, want %d", name, got[name], n)
				}
			}
			if checked < 3 {
				t.Errorf("the manifest says too little: %q", says)
			}
			for word, is := range map[string]bool{
				"id 0 (.3db)": s.Parts[0].ID == 0, "wrong chunk count": d.Has("chunk-count"), "single-child node": got["single-child node"] > 0,
			} {
				if strings.Contains(says, word) != is {
					t.Errorf("%s: %v", word, is)
				}
			}
			if strings.Contains(says, "mass centre 0") && !central && len(s.Parts) == 1 {
				t.Error("the centre of mass is not 0")
			}
		})
	}
}

func BenchmarkReadSur(b *testing.B) {
	file := surBytes(b, newSur())
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Sur(file, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteSur(b *testing.B) {
	s := newSur()
	b.SetBytes(int64(len(surBytes(b, s))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := write.Sur(s); err != nil {
			b.Fatal(err)
		}
	}
}
