package ultima9

import (
	"bytes"

	"github.com/usher-assets/usher/schema"
)

// CountedText is a text with its length before it, the final zero counted.
type CountedText struct {
	Text string
	// Absent is set when the stored length is 0, so that not even the zero is there; it says nothing once Text is not
	// empty.
	Absent bool `json:",omitempty" unwritten:"says nothing of a text that is not empty"`
	// Unterminated is set when a text has no zero at its end.
	Unterminated bool `json:",omitempty"`
	// Rest holds what the length covers behind the zero.
	Rest []byte `json:",omitempty"`
}

// SplitCountedText takes the bytes that a length covers apart.
func SplitCountedText(b []byte) CountedText {
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return CountedText{Text: schema.DecodeWindows1252(b), Absent: len(b) == 0, Unterminated: len(b) > 0}
	}
	return CountedText{Text: schema.DecodeWindows1252(b[:n]), Rest: b[n+1:]}
}

// Bytes puts the bytes that the length covers together. An error is ErrValue: a zero, or a character that the code page
// lacks.
func (t CountedText) Bytes(field string) ([]byte, error) {
	if absent := t.Absent && t.Text == ""; len(t.Rest) > 0 && (absent || t.Unterminated) || absent && t.Unterminated {
		return nil, schema.Errorf("u9", schema.ErrMismatch, field, "a text that is Absent or Unterminated has no Rest, and one that is Absent no end")
	} else if absent {
		return nil, nil
	}
	b, ok := schema.EncodeWindows1252(t.Text)
	if !ok || bytes.IndexByte(b, 0) >= 0 {
		return nil, schema.Errorf("u9", schema.ErrValue, field, "%q holds a zero or a character that Windows-1252 lacks", t.Text)
	}
	if t.Unterminated {
		return b, nil
	}
	return append(append(b, 0), t.Rest...), nil
}
