package game

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// Edit changes the bytes of an INI file, compiled or not, at a section of it. All else of a text stays as it is, comments as well.
type Edit struct {
	Section *Section
	Remove  bool   // the section goes; else an entry is added
	After   *Entry // that the new one comes behind
	Key     string // of the new one
	Value   string // which is a text
}

// Apply returns the file with the edit.
func (e *Edit) Apply(b []byte) ([]byte, error) {
	if !bytes.HasPrefix(b, []byte(freelancer.BINIMagic)) {
		return e.text(b)
	}
	x, err := read.BINI(b, nil)
	if err != nil {
		return nil, err
	}
	if e.Section.Number >= len(x.Sections) {
		return nil, errMoved
	}
	if e.Remove {
		x.Sections = slices.Delete(x.Sections, e.Section.Number, e.Section.Number+1)
		return write.BINI(x)
	}
	s := &x.Sections[e.Section.Number]
	if e.After.Number >= len(s.Entries) {
		return nil, errMoved
	}
	s.Entries = slices.Insert(s.Entries, e.After.Number+1, freelancer.BINIEntry{
		Name: e.Key, Values: []freelancer.BINIValue{{Type: freelancer.BINIText, Text: e.Value}},
	})
	return write.BINI(x)
}

var errMoved = schema.Errorf("ini", schema.ErrRange, "section", "the file has changed since it was looked at")

// text edits lines.
func (e *Edit) text(b []byte) ([]byte, error) {
	lines := slices.Collect(bytes.Lines(b))
	_, at, _ := ini.Read(b)
	if e.Section.Number >= len(at) || at[e.Section.Number][0] != e.Section.Line {
		return nil, errMoved
	}
	if e.Remove {
		for _, line := range at[e.Section.Number] {
			lines[line-1] = nil
		}
		return bytes.Join(lines, nil), nil
	}
	before := lines[e.After.Line-1]
	end := before[len(bytes.TrimRight(before, "\r\n")):]
	if len(end) == 0 { // the last line of the file
		end = []byte("\r\n")
		lines[e.After.Line-1] = append(slices.Clone(before), end...)
	}
	added := append([]byte(e.Key+" = "+e.Value), end...)
	return bytes.Join(slices.Insert(lines, e.After.Line, added), nil), nil
}
