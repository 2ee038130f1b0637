package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// told tells spans in words: offset, size, the first letter of the kind, the name, and what is said of it.
func told(spans []Span) string {
	var list []string
	for i := range spans {
		s := &spans[i]
		text := fmt.Sprintf("%d+%d %s %s", s.Offset, s.Size, s.Kind.String()[:1], s.Name())
		if s.Shared {
			text += " shared"
		}
		if s.Note != "" {
			text += " (" + s.Note + ")"
		}
		list = append(list, strings.TrimSpace(text))
	}
	return strings.Join(list, "; ")
}

func field(offset, size int64, name string) Span {
	return Span{Offset: offset, Size: size, Field: name}
}

// TestArrange: spans are in their order, what is between them is a gap, and what is noted twice is one.
func TestArrange(t *testing.T) {
	kept := Span{Offset: 4, Size: 4, Kind: Kept, Field: "k"}
	for _, c := range []struct {
		name         string
		offset, size int64
		spans        []Span
		want         string
		coverage     Coverage
	}{
		{"nothing", 0, 0, nil, "", Coverage{}},
		{"all unread", 0, 10, nil, "0+10 g", Coverage{0, 0, 10}},
		{"in another order", 0, 8, []Span{kept, field(0, 4, "a")}, "0+4 f a; 4+4 k k", Coverage{4, 4, 0}},
		{"gaps", 0, 12, []Span{field(2, 2, "a"), field(8, 2, "b")}, "0+2 g; 2+2 f a; 4+4 g; 8+2 f b; 10+2 g", Coverage{4, 0, 8}},
		{"shared", 0, 8, []Span{field(0, 6, "a"), field(4, 4, "b"), field(6, 2, "c")}, "0+6 f a; 4+4 f b shared; 6+2 f c shared", Coverage{8, 0, 0}},
		{"within another", 0, 8, []Span{field(0, 8, "a"), kept}, "0+8 f a; 4+4 k k shared", Coverage{8, 0, 0}},
		{"one byte shared", 0, 8, []Span{field(0, 5, "a"), kept}, "0+5 f a; 4+4 k k shared", Coverage{5, 3, 0}},
		{"twice", 0, 4, []Span{field(0, 4, "a"), field(0, 4, "a")}, "0+4 f a", Coverage{4, 0, 0}},
		{"twice, with another between", 0, 4, []Span{field(0, 4, "a"), field(0, 2, "a"), field(0, 4, "a")}, "0+4 f a; 0+2 f a shared", Coverage{4, 0, 0}},
		{"under another name", 0, 4, []Span{field(0, 4, "a"), field(0, 4, "b"), {Size: 4, Field: "a", Path: "p"}, {Size: 4, Field: "a", Entry: "e"}}, "0+4 f a; 0+4 f b shared; 0+4 f p/a shared; 0+4 f e: a shared", Coverage{4, 0, 0}},
		{"an entry", 100, 8, []Span{field(102, 2, "a")}, "100+2 g; 102+2 f a; 104+4 g", Coverage{2, 0, 6}},
		{"elsewhere as well", 0, 4, []Span{field(0, 4, "a"), field(8, 2, "b")}, "0+4 f a; 4+4 g; 8+2 f b", Coverage{6, 0, 4}},
	} {
		m := &Map{Offset: c.offset, Size: c.size, Spans: c.spans}
		m.arrange()
		if got := told(m.Spans); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := m.Coverage(); got != c.coverage {
			t.Errorf("%s: %v, want %v", c.name, got, c.coverage)
		}
	}
	if got := [...]float64{Coverage{1, 2, 5}.Share(Field), Coverage{1, 2, 5}.Share(Kept), Coverage{1, 2, 5}.Share(Gap), Coverage{}.Share(Gap)}; got != [...]float64{0.125, 0.25, 0.625, 0} {
		t.Error(got)
	}
}

// TestAt: an offset has the spans that cover it, in their order.
func TestAt(t *testing.T) {
	m := &Map{Size: 20, Spans: []Span{field(0, 10, "a"), field(2, 2, "b"), field(8, 4, "c"), field(14, 2, "d")}}
	m.arrange()
	for offset, want := range map[int64]string{-1: "", 0: "a", 1: "a", 2: "a b", 3: "a b", 4: "a", 8: "a c", 9: "a c", 10: "c", 11: "c", 12: "gap", 13: "gap", 14: "d", 16: "gap", 19: "gap", 20: ""} {
		var names []string
		for _, s := range m.At(offset) {
			if s.Kind == Gap {
				names = append(names, "gap")
			} else {
				names = append(names, s.Field)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("at %d: %s, want %s", offset, got, want)
		}
	}
}

// TestStops: reading ended where it was, or where the last thing led to what is nowhere; the gap there says why.
func TestStops(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ offset, last, want int64 }{{2, 0, 2}, {0, 2, 0}, {4, 2, 4}, {6, 2, 2}, {9, 2, 2}, {10, 2, 10}, {11, 2, 2}, {-1, 2, 2}} {
		m := &Map{Size: 10, Spans: []Span{field(0, 4, "a")}, Stops: []Stop{{Offset: c.offset, last: c.last, Err: broken}}}
		m.arrange()
		note := ""
		if c.offset == 4 {
			note = "not read: broken"
		}
		if m.Stops[0].Offset != c.want || m.Spans[1].Note != note {
			t.Errorf("%d: %d, want %d; %s", c.offset, m.Stops[0].Offset, c.want, told(m.Spans))
		}
	}
	b, err := json.Marshal(Stop{Offset: 3, Entry: "e", Field: "f", Err: broken})
	if want := `{"offset":3,"entry":"e","field":"f","error":"broken"}`; err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}

// TestGapNotes: a gap of one byte again and again says which.
func TestGapNotes(t *testing.T) {
	for text, want := range map[string]string{"\x00\x00\x00": "zeros", "\xff\xff\xff": "0xff throughout", "\x00\x00\x01": "", "abc": "", "\x05": "0x05 throughout"} {
		m := &Map{Size: int64(len(text)), content: content{{[]byte(text), 0}}}
		m.arrange()
		if got := m.Spans[0].Note; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestContent: bytes are known as far as they were read, and the longest run of them counts.
func TestContent(t *testing.T) {
	c := content{{[]byte("0123"), 0}, {[]byte("23456789"), 2}, {[]byte("xy"), 20}}
	for _, x := range []struct {
		offset, size int64
		want         string
	}{{0, 4, "0123"}, {0, 6, "0123"}, {2, 6, "234567"}, {3, 1, "3"}, {9, 5, "9"}, {10, 1, ""}, {-1, 2, ""}, {20, 2, "xy"}, {22, 1, ""}, {0, 0, ""}} {
		if got := string(c.from(x.offset, x.size)); got != x.want {
			t.Errorf("%d+%d: %q, want %q", x.offset, x.size, got, x.want)
		}
	}
	m := &Map{content: c}
	if a, b := m.Bytes(&Span{Offset: 2, Size: 8}), m.Bytes(&Span{Offset: 2, Size: 9}); string(a) != "23456789" || b != nil {
		t.Errorf("%q, %q", a, b)
	}
}

// TestLoad: what is read of a file is what a range needs: the spans in it, a margin, and how the long ones begin.
func TestLoad(t *testing.T) {
	file := make([]byte, 400_000)
	for i := range file {
		file[i] = byte(i % 251)
	}
	m := &Map{Size: int64(len(file)), Spans: []Span{field(0, 100_000, "long"), field(99_000, 40_000, "short"), field(150_000, 1000, "far"), field(150_000, 65_537, "longest"), field(240_000, 65_536, "largest that is read")}}
	type run struct{ offset, size int64 }
	for _, c := range []struct {
		within Range
		want   []run
	}{
		{Range{99_500, 99_600}, []run{{95_404, 43_596}, {0, 4096}}},
		{Range{120_000, 120_001}, []run{{99_000, 40_000}}},
		{Range{150_500, 150_501}, []run{{146_404, 8193}, {150_000, 4096}}},
		{Range{250_000, 250_001}, []run{{240_000, 65_536}}},
		{Range{0, 1}, []run{{0, 4097}, {0, 4096}}},
		{Range{399_999, 400_000}, []run{{395_903, 4097}}},
	} {
		m.content = nil
		if err := m.load(bytes.NewReader(file), c.within); err != nil {
			t.Fatal(err)
		}
		var got []run
		for _, p := range m.content {
			got = append(got, run{p.offset, int64(len(p.b))})
			if !bytes.Equal(p.b, file[p.offset:p.offset+int64(len(p.b))]) {
				t.Errorf("%v: other bytes at %d", c.within, p.offset)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.within, got, c.want)
		}
	}
	m = &Map{Size: 300_000, Spans: []Span{field(0, 100_000, "long"), field(90_000, 100_000, "long too"), {Offset: 190_000, Size: 110_000, Kind: Gap}}}
	if err := m.load(bytes.NewReader(make([]byte, 300_000)), Range{99_000, 190_001}); err != nil || m.Bytes(&Span{Offset: 90_000, Size: 4096}) == nil || m.Bytes(&Span{Size: 4096}) == nil {
		t.Errorf("the beginnings of two long spans are not read: %v", err)
	}
	if err := m.load(bytes.NewReader(file[:1000]), Range{500, 2000}); err == nil {
		t.Error("a file that is shorter than it was is read")
	}
}

// TestTaken: what a trace noted is kept or known by its layout, and stands below the entry that it is of.
func TestTaken(t *testing.T) {
	m := &Map{}
	m.take([]schema.Span{
		{Offset: 1, Size: 2, Layout: schema.LayoutBytes, Field: "rest", Count: 2}, {Offset: 3, Size: 4, Layout: "u32", Path: "/mesh/", Field: "count", Count: 1, Means: "x"}, {Offset: 7, Size: 1, Layout: "u8", Path: "5/mesh", Field: "flag"},
	}, "a.flx/", "5@2")
	want := []Span{
		{Offset: 1, Size: 2, Kind: Kept, Entry: "a.flx/5@2", Field: "rest", Layout: schema.LayoutBytes, Count: 2}, {Offset: 3, Size: 4, Entry: "a.flx/5@2", Path: "mesh", Field: "count", Layout: "u32", Count: 1, Means: "x"}, {Offset: 7, Size: 1, Entry: "a.flx/5@2", Path: "mesh", Field: "flag", Layout: "u8"},
	}
	if !slices.Equal(m.Spans, want) {
		t.Errorf("%+v", m.Spans)
	}
	for s, want := range map[Span]string{{Field: "f"}: "f", {Path: "p", Field: "f"}: "p/f", {Path: "p"}: "p", {Entry: "e", Field: "f"}: "e: f", {Entry: "e"}: "e", {Entry: "e", Path: "p/q", Field: "f"}: "e: p/q/f"} {
		if got := s.Name(); got != want {
			t.Errorf("%+v: %s", s, got)
		}
	}
}

// TestAroundRange: what lies before and behind a range is kept.
func TestAroundRange(t *testing.T) {
	for _, c := range []struct {
		within Range
		spans  []Span
		want   string
	}{
		{Range{}, nil, ""}, {Range{10, 20}, nil, "0+10 k before the range; 20+80 k behind the range"}, {Range{10, 20}, []Span{field(5, 10, "a"), field(18, 4, "b")}, "5+10 f a; 18+4 f b; 0+5 k before the range; 22+78 k behind the range"},
		{Range{-5, 20}, nil, "20+80 k behind the range"}, {Range{0, 200}, nil, ""}, {Range{99, 100}, nil, "0+99 k before the range"}, {Range{1, 99}, nil, "0+1 k before the range; 99+1 k behind the range"},
	} {
		m := &Map{Size: 100, Spans: c.spans}
		m.around(c.within)
		if slices.ContainsFunc(m.Spans, func(s Span) bool { return s.Kind == Kept && s.Count != 1 }) {
			t.Errorf("%v: %+v", c.within, m.Spans)
		}
		if got := told(m.Spans); got != c.want {
			t.Errorf("%v: %s, want %s", c.within, got, c.want)
		}
	}
}
