package freelancer

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Constants of compiled INI files (reference freelancer-bini).
const (
	BINIMagic   = "BINI"
	BINIVersion = 1 // the only one there is
	BINIHeader  = 12
)

// BINI is a compiled INI file: sections and entries in order. Their names and texts are stored in a table of strings at the
// end of the file.
type BINI struct {
	Sections []BINISection
	// Strings is the stored table of strings if it differs from the one that the game's compiler would make, as with other
	// tools. It is nil in all files of the game.
	Strings *BINIStrings `json:",omitempty"`
}

// BINISection is a section. Several may have the same name.
type BINISection struct {
	Name    string
	Entries []BINIEntry
}

// BINIEntry is a line of a section: the name of a key and its values, of which there may be none. A key may come several times.
type BINIEntry struct {
	Name   string
	Values []BINIValue
}

// BINIStrings is a stored table of strings.
type BINIStrings struct {
	Bytes   []byte
	Offsets []uint32 // of each name and text, in the order of the file; ignored if they lead to other texts
}

// Texts returns an iterator over all names and texts in the order of the file. named is true for the names of sections and
// keys.
func (x *BINI) Texts() iter.Seq2[string, bool] {
	return func(yield func(text string, named bool) bool) {
		for i := range x.Sections {
			s := &x.Sections[i]
			if !yield(s.Name, true) {
				return
			}
			for k := range s.Entries {
				if !s.Entries[k].texts(yield) {
					return
				}
			}
		}
	}
}

func (e *BINIEntry) texts(yield func(text string, named bool) bool) bool {
	if !yield(e.Name, true) {
		return false
	}
	for _, v := range e.Values {
		if v.Type == BINIText && !yield(v.Text, false) {
			return false
		}
	}
	return true
}

// Layout returns the table of strings, and the offsets of all names and texts in the order of the file. As in the game's
// compiler, each string occurs once: first all names, whose offsets have 16 bits, then the texts. If Strings is set, that
// table is kept and new strings are appended, unless a name would be out of reach.
func (x *BINI) Layout() (table []byte, offsets []uint32, err error) {
	if x.Strings != nil {
		if len(x.Strings.Bytes) == 0 {
			return nil, nil, schema.Errorf("bini", schema.ErrValue, "strings", "a stored table without bytes: none at all is meant by nil")
		}
		if x.unedited() {
			return x.Strings.Bytes, x.Strings.Offsets, nil
		}
		if table, offsets, err = x.lay(x.Strings.begin()); err != nil || x.reaches(offsets) {
			return table, offsets, err
		}
	}
	return x.lay(biniTable{at: map[string]uint32{}})
}

// unedited reports whether the stored offsets lead to the texts that the file has now.
func (x *BINI) unedited() bool {
	stored := x.Strings.Offsets
	for text := range x.Texts() {
		if len(stored) == 0 {
			return false
		}
		if was, ok := x.Strings.Text(stored[0]); !ok || was != text {
			return false
		}
		stored = stored[1:]
	}
	return len(stored) == 0
}

// reaches reports whether the offsets of names fit into 16 bits.
func (x *BINI) reaches(offsets []uint32) bool {
	i := 0
	for _, named := range x.Texts() {
		if named && offsets[i] > 0xFFFF {
			return false
		}
		i++
	}
	return true
}

// lay adds what a table lacks: names, then texts.
func (x *BINI) lay(t biniTable) (table []byte, offsets []uint32, err error) {
	n := 0
	for range x.Texts() {
		n++
	}
	offsets = make([]uint32, n)
	for _, names := range [...]bool{true, false} {
		i := 0
		for text, named := range x.Texts() {
			if named == names {
				if offsets[i], err = t.add(text); err != nil {
					return nil, nil, err
				}
			}
			i++
		}
	}
	return t.bytes, offsets, nil
}

// Text returns the string at an offset of the table. ok is false if there is none, or if it lacks its final zero.
func (s *BINIStrings) Text(offset uint32) (text string, ok bool) {
	if int64(offset) >= int64(len(s.Bytes)) {
		return "", false
	}
	b := s.Bytes[offset:]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", false
	}
	return schema.DecodeWindows1252(b[:n]), true
}

// begin returns a table that holds what the stored one does.
func (s *BINIStrings) begin() biniTable {
	t := biniTable{bytes: slices.Clone(s.Bytes), at: map[string]uint32{}}
	for _, offset := range s.Offsets {
		text, ok := s.Text(offset)
		if _, known := t.at[text]; ok && !known {
			t.at[text] = offset
		}
	}
	if n := len(t.bytes); n > 0 && t.bytes[n-1] != 0 {
		t.bytes = append(t.bytes, 0)
	}
	return t
}

// biniTable is a table of strings in the making.
type biniTable struct {
	bytes []byte
	at    map[string]uint32
}

// add returns the offset of a string, which comes to the end where the table lacks it.
func (t *biniTable) add(text string) (offset uint32, err error) {
	if offset, ok := t.at[text]; ok {
		return offset, nil
	}
	b, ok := schema.EncodeWindows1252(text)
	if !ok || strings.IndexByte(text, 0) >= 0 {
		return 0, schema.Errorf("bini", schema.ErrValue, "strings", "%q holds a zero, or a character that Windows-1252 lacks", text)
	}
	offset = uint32(len(t.bytes))
	t.at[text] = offset
	t.bytes = append(append(t.bytes, b...), 0)
	return offset, nil
}
