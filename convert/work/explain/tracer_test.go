package explain

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
)

// box is an archive of four bytes of directory and entries as a test needs them.
type box struct {
	format.ArchiveFile
	entries   []format.Entry
	payload   func(i int) ([]byte, error)
	abilities format.Abilities
}

func (b *box) Entries() []format.Entry       { return b.entries }
func (b *box) Payload(i int) ([]byte, error) { return b.payload(i) }
func (b *box) Abilities() format.Abilities   { return b.abilities }

// pair reads two halves of four bytes, and fails where the second one is "BAD!"[2:].
var pair = format.Format{Name: "pair", Kind: format.Table, Read: func(b []byte, d *schema.Diagnostics) (any, error) {
	c := read.NewCursor("pair", b, d)
	c.Text(2, "first")
	if bytes.HasSuffix(b, []byte("D!")) {
		c.Failf(schema.ErrValue, "second", "it is bad")
		return nil, c.Err()
	}
	c.Text(2, "second")
	return nil, c.Err()
}}

var errTorn = errors.New("torn")

// boxFormat is an archive of which the file says which entries it has, at 4, 8, 12 … of four bytes each, by the letter that they begin with:
//
//	p  a pair, of which Payload makes a copy      f  a pair that lies in what was read of the file
//	b  a pair that is broken                      e  nothing is known of its format
//	u  it was packed: its payload is not there    t  it is explained together with another
//	n  it has no place of its own                 x  its payload cannot be read
//	l  it is said to be longer than the file      [  it is such an archive, up to the end of the file
func boxFormat() *format.Format {
	f := &format.Format{Name: "box", Kind: format.Archive, Probe: func(in *format.Input) format.Confidence {
		if bytes.HasPrefix(in.Head, []byte("box!")) || bytes.HasPrefix(in.Head, []byte("[ox!")) {
			return format.Certain
		}
		return format.No
	}}
	f.Open = func(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
		file := make([]byte, size)
		if _, err := r.ReadAt(file, 0); err != nil {
			return nil, err
		}
		c := read.NewCursor("box", file, env.Diagnostics)
		c.Text(4, "directory")
		b := &box{}
		b.payload = func(i int) ([]byte, error) {
			e := &b.entries[i]
			switch e.Path[0] {
			case 'f', 'b', 't':
				at := max(e.Offset, 0)
				return file[at : at+4], nil
			case 'u':
				return []byte("????"), nil
			case 'n':
				return []byte("nope"), nil
			case 'x':
				return nil, errTorn
			case 'l':
				return append(slices.Clone(file[e.Offset:]), "more"...), nil
			}
			return slices.Clone(file[e.Offset : e.Offset+e.Size]), nil
		}
		b.abilities.Explain = func(i int, d *schema.Diagnostics) (bool, error) {
			if b.entries[i].Path[0] != 't' {
				return false, nil
			}
			d.Trace().NoteBytes(file[b.entries[i].Offset:][:4], 1, "text", "", "together")
			return true, nil
		}
		for at := int64(4); at < size; at += 4 {
			e := format.Entry{Path: string(file[at : at+4]), Size: 4, Offset: at, Kind: format.Raw}
			switch file[at] {
			case 'p', 'f', 'b', 'u', 'n', 'x':
				e.Format = &pair
			}
			switch file[at] {
			case 'n':
				e.Offset = -1
			case 'l':
				e.Size += size
			case '[':
				e.Size = size - at
			}
			b.entries = append(b.entries, e)
			if file[at] == '[' {
				break
			}
		}
		return b, c.Err()
	}
	return f
}

func explainBox(t *testing.T, file, entry string, within Range, from ...*format.Format) (*Map, error) {
	t.Helper()
	all := formats.All
	formats.All = []format.Format{*boxFormat()}
	defer func() { formats.All = all }()
	from = append(from, nil)
	return Reader(strings.NewReader(file), int64(len(file)), from[0], &format.Env{Name: "a.box", Diagnostics: new(schema.Diagnostics)}, entry, within)
}

// TestTracedArchive: an entry is taken apart where its payload lies as it is in the file, and kept where nothing is known of it; a range
// takes apart those that reach into it.
func TestTracedArchive(t *testing.T) {
	const head = "0+4 f directory; "
	for _, c := range []struct {
		what, file string
		within     Range
		want       string
		stops      string
	}{
		{"a copy", "box!pair", Range{}, head + "4+2 f pair: first; 6+2 f pair: second", ""},
		{"in what was read", "box!file", Range{}, head + "4+2 f file: first; 6+2 f file: second", ""},
		{"packed", "box!upup", Range{}, head + "4+4 g", ""},
		{"nowhere", "box!nope", Range{}, head + "4+4 g", ""},
		{"unknown", "box!else", Range{}, head + "4+4 k else: payload", ""},
		{"together", "box!tttt", Range{}, head + "4+4 f tttt: together", ""},
		{"longer than the file", "box!long", Range{}, head + "4+4 g", ""},
		{"damaged", "box!bAD!else", Range{}, head + "4+2 f bAD!: first; 6+2 g  (not read); 8+4 k else: payload", "bAD!@6"},
		{"torn", "box!xxxxelse", Range{}, head + "4+4 g  (0x78 throughout); 8+4 k else: payload", "xxxx@0"},
		{"another archive", "box![ox!pairelse", Range{}, head + "4+4 f [ox!: directory; 8+2 f [ox!/pair: first; 10+2 f [ox!/pair: second; 12+4 k [ox!/else: payload", ""},
		{"a range of one", "box!pairfilepair", Range{8, 9}, head + "4+4 k pair: payload; 8+2 f file: first; 10+2 f file: second; 12+4 k pair: payload", ""},
		{"a range of two", "box!pairpairpair", Range{7, 9}, head + "4+2 f pair: first; 6+2 f pair: second; 8+2 f pair: first; 10+2 f pair: second; 12+4 k pair: payload", ""},
		{"a range without them", "box!long", Range{0, 1}, head + "4+4 g", ""},
	} {
		m, err := explainBox(t, c.file, "", c.within)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		got := told(m.Spans)
		if c.what == "damaged" {
			got = strings.Replace(got, "(not read: "+m.Stops[0].Err.Error()+")", "(not read)", 1)
		}
		if got != c.want {
			t.Errorf("%s: %s, want\n%s", c.what, got, c.want)
		}
		var stops []string
		for _, s := range m.Stops {
			stops = append(stops, s.Entry+"@"+string(rune('0'+s.Offset)))
		}
		if got := strings.Join(stops, " "); got != c.stops {
			t.Errorf("%s: stops at %s, want %s", c.what, got, c.stops)
		}
	}
}

// TestTracedEntry: an entry alone has the offsets of the file where it lies there as it is, and else those of its payload.
func TestTracedEntry(t *testing.T) {
	for _, c := range []struct {
		file, entry string
		want        string
		unpacked    bool
		format      string
	}{
		{"box!elsepair", "pair", "8+2 f pair: first; 10+2 f pair: second", false, "pair"},
		{"box!elsepair", "else", "4+4 k else: payload", false, "raw"},
		{"box!elseupup", "upup", "0+2 f upup: first; 2+2 f upup: second", true, "pair"},
		{"box!elsetttt", "tttt", "8+4 f tttt: together", false, "raw"},
		{"box!else[ox!pair", "[ox!", "8+4 f [ox!: directory; 12+2 f [ox!/pair: first; 14+2 f [ox!/pair: second", false, "raw"},
	} {
		m, err := explainBox(t, c.file, c.entry, Range{})
		if err != nil {
			t.Errorf("%s: %v", c.entry, err)
			continue
		}
		if got := told(m.Spans); got != c.want || m.Unpacked != c.unpacked || m.Format != c.format {
			t.Errorf("%s: %s of %s, unpacked %t, want %s", c.entry, got, m.Format, m.Unpacked, c.want)
		}
	}
	for entry, want := range map[string]string{"xxxx": "torn", "none": "no entry"} {
		if _, err := explainBox(t, "box!xxxx", entry, Range{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
}

// TestTracedAs: a format that is named is that of the entries.
func TestTracedAs(t *testing.T) {
	for entry, want := range map[string]string{"": "0+4 f directory; 4+2 f else: first; 6+2 f else: second", "else": "4+2 f else: first; 6+2 f else: second"} {
		m, err := explainBox(t, "box!else", entry, Range{}, &pair)
		if err != nil || told(m.Spans) != want {
			t.Errorf("%q: %v, %v, want %s", entry, m, err, want)
		}
	}
}

// TestNameOfOffset: what covers an offset has a name; gaps and what lies outside have none.
func TestNameOfOffset(t *testing.T) {
	file := "box!pairupupelse"
	for at, want := range map[int64]string{0: "directory", 3: "directory", 4: "pair: first", 7: "pair: second", 8: "", 11: "", 12: "else: payload", 15: "else: payload", 16: "", -1: ""} {
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		if got := Name(strings.NewReader(file), int64(len(file)), boxFormat(), env, at); got != want {
			t.Errorf("at %d: %q, want %q", at, got, want)
		}
	}
	if got := Name(strings.NewReader("ab"+"cd"), 4, &pair, &format.Env{Diagnostics: new(schema.Diagnostics)}, 3); got != "second" {
		t.Errorf("in a leaf: %q", got)
	}
}
