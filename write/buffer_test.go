package write_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/write"
)

func TestBufferErrors(t *testing.T) {
	tests := []struct {
		name  string
		do    func(w *write.Buffer)
		class error
		text  string
	}{
		{"count8", func(w *write.Buffer) { w.Count8(256, "n") }, schema.ErrRange, "test+0x0: n: 256 does not fit, at most 255"},
		{"count16", func(w *write.Buffer) { w.U8(0); w.Count16(65536, "n") }, schema.ErrRange, "test+0x1: n: 65536 does not fit, at most 65535"},
		{"negative", func(w *write.Buffer) { w.Count32(-1, "n") }, schema.ErrRange, "test+0x0: n: -1 does not fit, at most 4294967295"},
		{"code page", func(w *write.Buffer) { w.Text("Ж", "name") }, schema.ErrValue, `test+0x0: name: "Ж" holds a character that Windows-1252 lacks`},
		{"zero", func(w *write.Buffer) { w.CString("a\x00b", "name") }, schema.ErrValue, `test+0x3: name: "a\x00b" holds a zero character`},
		{"fixed", func(w *write.Buffer) { w.FixedText("abcd", 3, "name") }, schema.ErrRange, `test+0x4: name: "abcd" is longer than 3 bytes`},
	}
	for _, tt := range tests {
		w := write.NewBuffer("test", 0)
		tt.do(w)
		w.Count8(1000, "later")
		b, err := w.Finish()
		if b != nil || !errors.Is(err, tt.class) || err.Error() != tt.text {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.text)
		}
	}
}

func TestBufferLayout(t *testing.T) {
	w := write.NewBuffer("test", 0)
	offset := w.Reserve32()
	w.Raw("ab")
	w.FixedText("é", 3, "name")
	w.Align(4)
	w.Patch32(offset, w.Len(), "offset")
	w.Floats(1, -2)
	w.Fill(2, 0xCD)
	b, err := w.Finish()
	want := []byte{12, 0, 0, 0, 'a', 'b', 0xE9, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0xCD, 0xCD}
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("got  % x, %v\nwant % x", b, err, want)
	}
}
