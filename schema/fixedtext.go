package schema

import "bytes"

// FixedText is a text field of fixed length: the characters up to the first zero, and whatever bytes follow it.
type FixedText struct {
	Text string
	// Rest holds the bytes after the terminating zero up to the end of the field; nil if all of them are zero. If Text has
	// become longer, the beginning of Rest is dropped, as if Text were written over it.
	Rest []byte `json:",omitempty" unwritten:"the text overwrites what it covers of it"`
	// Unterminated is set if the field has no terminating zero.
	Unterminated bool `json:",omitempty" unwritten:"says nothing of a text that is shorter than its field"`
}

// SplitFixedText decodes the bytes of a field.
func SplitFixedText(b []byte) FixedText {
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return FixedText{Text: DecodeWindows1252(b), Unterminated: true}
	}
	t := FixedText{Text: DecodeWindows1252(b[:n])}
	if rest := b[n+1:]; len(bytes.TrimLeft(rest, "\x00")) > 0 {
		t.Rest = bytes.Clone(rest)
	}
	return t
}

// Bytes encodes a field of n bytes. It fails with ErrValue for a zero or a character outside the code page, and with
// ErrRange if the text is too long.
func (t FixedText) Bytes(n int, field string) ([]byte, error) {
	text, ok := EncodeWindows1252(t.Text)
	if !ok || bytes.IndexByte(text, 0) >= 0 {
		return nil, Errorf("text", ErrValue, field, "%q holds a zero or a character that Windows-1252 lacks", t.Text)
	}
	longest := n - 1
	if t.Unterminated {
		longest = n
	}
	if len(text) > longest {
		return nil, Errorf("text", ErrRange, field, "%q is longer than %d characters", t.Text, longest)
	}
	b := make([]byte, n)
	rest := t.Rest[max(0, len(t.Rest)-n):]
	copy(b[n-len(rest):], rest)
	copy(b, text)
	if len(text) < n {
		b[len(text)] = 0
	}
	return b, nil
}

// Set replaces the text in a field of n bytes as the game would: only the characters and the zero after them change.
func (t *FixedText) Set(text string, n int) error {
	old, err := t.Bytes(n, "text")
	if err != nil {
		return err
	}
	b, err := FixedText{Text: text}.Bytes(n, "text")
	if err != nil {
		return err
	}
	end := bytes.IndexByte(b, 0) + 1
	copy(old[:end], b)
	*t = SplitFixedText(old)
	return nil
}
