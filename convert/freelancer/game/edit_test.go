package game

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema"

	write "github.com/usher-assets/usher/write/freelancer"
)

const ships = "; mine\r\n[Ship] ; first\r\nnickname = wren\r\n; between\r\nmaterial_library = a.mat\r\n\r\n[Ship]\r\nnickname = heron\r\nmass = 3"

// compiled returns an INI file as compiled.
func compiled(t *testing.T, text string) []byte {
	t.Helper()
	x, err := ini.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEdit: an edit changes its section alone, in a text and in a compiled file.
func TestEdit(t *testing.T) {
	for name, c := range map[string]struct {
		section, after int
		remove         bool
		text           string // what a text becomes
	}{
		"added behind a line":          {0, 0, false, strings.Replace(ships, "wren\r\n", "wren\r\nk = v\r\n", 1)},
		"added behind the last line":   {0, 1, false, strings.Replace(ships, "a.mat\r\n", "a.mat\r\nk = v\r\n", 1)},
		"added at the end of the file": {1, 1, false, ships + "\r\nk = v\r\n"},
		"the first gone":               {0, 0, true, "; mine\r\n; between\r\n\r\n[Ship]\r\nnickname = heron\r\nmass = 3"},
		"the last gone":                {1, 0, true, ships[:strings.LastIndex(ships, "[Ship]")]},
	} {
		for _, b := range [][]byte{[]byte(ships), compiled(t, ships)} {
			f := newFile(format.GameFile{}, b)
			s := f.Sections[c.section]
			e := &Edit{Section: s, Remove: c.remove, After: &s.Entries[c.after], Key: "k", Value: "v"}
			want, is := []byte(c.text), "text"
			if b[0] == 'B' {
				want, is = compiled(t, c.text), "compiled"
			}
			before := bytes.Clone(b)
			if got, err := e.Apply(b); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %s: %q, %v; want %q", name, is, got, err, want)
			}
			if !bytes.Equal(b, before) {
				t.Errorf("%s, %s: the bytes that it was made of are others", name, is)
			}
		}
	}
}

// TestEditMoved: a file that is another than the one that was looked at is not edited.
func TestEditMoved(t *testing.T) {
	for name, c := range map[string]struct {
		now            string
		section, after int
		text           bool // it is refused as a text; compiled, there is all that the edit wants
	}{
		"one section less":   {"[Ship]\nnickname = wren\n", 1, 0, false},
		"one line less":      {"[Ship]\nnickname = wren\n", 0, 1, false},
		"a line before it":   {"\n" + ships, 1, 0, true},
		"nothing left":       {"", 0, 0, false},
		"other lines, fewer": {"[Other]\n[Ship]\n", 1, 1, false},
	} {
		f := newFile(format.GameFile{}, []byte(ships))
		s := f.Sections[c.section]
		e := &Edit{Section: s, After: &s.Entries[c.after], Key: "k", Value: "v"}
		moved := func(b []byte) bool {
			got, err := e.Apply(b)
			return got == nil && errors.Is(err, schema.ErrRange) && strings.Contains(err.Error(), "has changed since")
		}
		if !c.text && !moved(compiled(t, c.now)) {
			t.Errorf("%s: it is edited, compiled", name)
		}
		if c.now != "[Ship]\nnickname = wren\n" && !moved([]byte(c.now)) {
			t.Errorf("%s: it is edited, as a text", name)
		}
	}
	broken := &Edit{Section: &Section{}}
	if _, err := broken.Apply([]byte("BINI\x01")); !errors.Is(err, schema.ErrTruncated) {
		t.Errorf("a compiled file that is cut off: %v", err)
	}
}
