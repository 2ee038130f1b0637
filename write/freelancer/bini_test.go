package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// newBINI has a value of each type, and a text that is a name as well.
func newBINI() *freelancer.BINI {
	return &freelancer.BINI{Sections: []freelancer.BINISection{
		{Name: "Ship", Entries: []freelancer.BINIEntry{
			{Name: "nickname", Values: []freelancer.BINIValue{{Type: freelancer.BINIText, Text: "heron"}, {Type: freelancer.BINIText, Text: "Ship"}}},
			{Name: "mass", Values: []freelancer.BINIValue{{Type: freelancer.BINIFloat, Bits: 0x3F800000}, {Type: freelancer.BINIInt, Bits: 7}}},
			{Name: "separable"},
		}},
		{Name: "Empty"},
	}}
}

// TestBINIBytes holds the layout, and that the names come before the texts.
func TestBINIBytes(t *testing.T) {
	got, err := write.BINI(newBINI())
	if err != nil {
		t.Fatal(err)
	}
	want := "BINI\x01\x00\x00\x00\x31\x00\x00\x00" +
		"\x00\x00\x03\x00" +
		"\x05\x00\x02\x03\x23\x00\x00\x00\x03\x00\x00\x00\x00" +
		"\x0e\x00\x02\x02\x00\x00\x80\x3f\x01\x07\x00\x00\x00" +
		"\x13\x00\x00" +
		"\x1d\x00\x00\x00" +
		"Ship\x00nickname\x00mass\x00separable\x00Empty\x00heron\x00"
	corpus.SameBytes(t, "compiled", got, []byte(want))
}

// TestBINIMalformed damages a file in one place, and holds how it is refused.
func TestBINIMalformed(t *testing.T) {
	good, err := write.BINI(newBINI())
	if err != nil {
		t.Fatal(err)
	}
	put := func(at int, v ...byte) func([]byte) []byte {
		return func(b []byte) []byte { copy(b[at:], v); return b }
	}
	for _, c := range []struct {
		name   string
		damage func(b []byte) []byte
		class  error
		offset int64
		field  string
	}{
		{"signature", put(0, 'X'), schema.ErrBadMagic, 0, "magic"},
		{"version", put(4, 2), schema.ErrUnsupported, 4, "version"},
		{"strings in the header", put(8, 11), schema.ErrRange, 8, "strings"},
		{"strings behind the end", put(8, 0xFF, 0xFF), schema.ErrRange, 8, "strings"},
		{"strings within an entry", put(8, 0x2F), schema.ErrTruncated, 0x2F, "entries"},
		{"count of entries", put(0xE, 0xFF, 0xFF), schema.ErrCount, 0x10, "entries"},
		{"one entry more", put(0xE, 5), schema.ErrTruncated, 0x30, "key"},
		{"count of values", put(0x12, 0xFF), schema.ErrCount, 0x13, "values"},
		{"type 0", put(0x13, 0), schema.ErrUnsupported, 0x13, "type"},
		{"type 4", put(0x1D+3, 4), schema.ErrUnsupported, 0x20, "type"},
		{"name behind the end", put(0xC, 0xFF), schema.ErrRange, 0xC, "name"},
		{"text behind the end", put(0x17, 1), schema.ErrRange, 0x14, "text"},
		{"no zero", func(b []byte) []byte { return b[:len(b)-1] }, schema.ErrTruncated, 0x14, "text"},
	} {
		_, err := read.BINI(c.damage(bytes.Clone(good)), nil)
		var at *schema.FormatError
		if !errors.As(err, &at) || !errors.Is(err, c.class) || at.Offset != c.offset || at.Field != c.field {
			t.Errorf("%s: %v, want %v of %s at 0x%x", c.name, err, c.class, c.field, c.offset)
		}
	}
}

// TestBINIShared refuses a file whose places all share one long string: what it says is longer than any machine's memory.
func TestBINIShared(t *testing.T) {
	const entries = 60000
	b := []byte("BINI\x01\x00\x00\x00")
	b = binary.LittleEndian.AppendUint32(b, freelancer.BINIHeader+4+3*entries)
	b = append(b, 0, 0, entries&0xFF, entries>>8)
	for i := range entries {
		b = append(b, byte(i), byte(i>>8), 0)
	}
	b = append(b, strings.Repeat("x", 1<<20)...)
	if _, err := read.BINI(append(b, 0), nil); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("got %v", err)
	}
}

// TestBINILimits refuses what a file has no room for.
func TestBINILimits(t *testing.T) {
	long := func(n int) []freelancer.BINIEntry {
		list := make([]freelancer.BINIEntry, n)
		for i := range list {
			list[i].Name = "k"
		}
		return list
	}
	one := func(e ...freelancer.BINIEntry) *freelancer.BINI {
		return &freelancer.BINI{Sections: []freelancer.BINISection{{Name: "A", Entries: e}}}
	}
	text := func(s string) freelancer.BINIValue { return freelancer.BINIValue{Type: freelancer.BINIText, Text: s} }
	far := strings.Repeat("n", 1<<16)
	for _, c := range []struct {
		name  string
		x     *freelancer.BINI
		class error
	}{
		{"most entries", one(long(65535)...), nil},
		{"entries", one(long(65536)...), schema.ErrRange},
		{"most values", one(freelancer.BINIEntry{Name: "k", Values: make([]freelancer.BINIValue, 0, 255)}), nil},
		{"values", one(freelancer.BINIEntry{Name: "k", Values: make([]freelancer.BINIValue, 256)}), schema.ErrRange},
		{"names in reach", one(freelancer.BINIEntry{Name: far[:65532]}, freelancer.BINIEntry{Name: "z"}), nil},
		{"names out of reach", one(freelancer.BINIEntry{Name: far}, freelancer.BINIEntry{Name: "z"}), schema.ErrRange},
		{"texts out of reach of names", one(freelancer.BINIEntry{Name: "k", Values: []freelancer.BINIValue{text(far)}}, freelancer.BINIEntry{Name: "z"}), nil},
		{"zero", one(freelancer.BINIEntry{Name: "a\x00b"}), schema.ErrValue},
		{"letter", one(freelancer.BINIEntry{Name: "k", Values: []freelancer.BINIValue{text("\u6f22")}}), schema.ErrValue},
		{"type", one(freelancer.BINIEntry{Name: "k", Values: []freelancer.BINIValue{{Type: 9}}}), schema.ErrValue},
	} {
		b, err := write.BINI(c.x)
		if !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
		if err != nil {
			continue
		}
		if x, err := read.BINI(b, nil); err != nil || x.Strings != nil {
			t.Errorf("%s: read again: %v", c.name, err)
		}
	}
}

// FuzzBINI reads whatever it is given: what is read comes back byte for byte.
func FuzzBINI(f *testing.F) {
	b, err := write.BINI(newBINI())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(corpus.Bytes(f, corpus.Testdata(f, "freelancer", "heron.ini")))
	f.Add(corpus.Bytes(f, corpus.Testdata(f, "freelancer", "tails.ini")))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.BINI(b, nil)
		if err != nil {
			if schema.Class(err) == nil {
				t.Errorf("%v has no class", err)
			}
			return
		}
		again, err := write.BINI(x)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "read and written", again, b)
	})
}
