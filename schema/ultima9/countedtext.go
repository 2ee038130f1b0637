package ultima9

import (
	"bytes"

	"github.com/usher-assets/usher/schema"
)

// CountedText is a text stored after its length. The length counts the final zero.
type CountedText struct {
	Text string
	// Absent is set if the stored length is 0, so that even the zero is missing. It is ignored if Text is not empty.
	Absent bool `json:",omitempty" unwritten:"says nothing of a text that is not empty"`
	// Unterminated is set if there is no zero at the end.
	Unterminated bool `json:",omitempty"`
	// Rest holds the bytes after the zero that the length still covers.
	Rest []byte `json:",omitempty"`
}

// SplitCountedText decodes the bytes that the length covers.
func SplitCountedText(b []byte) CountedText {
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return CountedText{Text: schema.DecodeWindows1252(b), Absent: len(b) == 0, Unterminated: len(b) > 0}
	}
	return CountedText{Text: schema.DecodeWindows1252(b[:n]), Rest: b[n+1:]}
}

// Bytes returns the bytes that the length covers. It fails with ErrValue for a zero or a character outside the code page.
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
