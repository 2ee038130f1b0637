package schema

import "bytes"

// FixedText is a text field of fixed length: characters up to the first zero, and whatever the writer of the file left
// behind it.
type FixedText struct {
	Text string
	// Rest holds the bytes behind the terminating zero up to the end of the field; nil when all of them are zero. When
	// it is longer than the room that Text leaves, its beginning is overwritten, as a write in place would do.
	Rest []byte `json:",omitempty" unwritten:"the text overwrites what it covers of it"`
	// Unterminated is set when the field has no terminating zero at all.
	Unterminated bool `json:",omitempty" unwritten:"says nothing of a text that is shorter than its field"`
}

// SplitFixedText takes a field apart.
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

// Bytes puts a field of n bytes together. An error is ErrValue (a character that the code page lacks, or a zero) or
// ErrRange (too long).
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

// Set replaces the text as the game would in a field of n bytes: only the characters and the zero behind them change.
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
