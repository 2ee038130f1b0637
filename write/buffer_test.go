package write_test

import (
	"bytes"
	"encoding/hex"
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
	w.Fill(3, 0)
	w.Patch32(offset, w.Len(), "offset")
	w.Floats(1, -2)
	w.Fill(2, 0xCD)
	b, err := w.Finish()
	want := []byte{12, 0, 0, 0, 'a', 'b', 0xE9, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0xCD, 0xCD}
	if err != nil || !bytes.Equal(b, want) {
		t.Errorf("got  % x, %v\nwant % x", b, err, want)
	}
}

// TestBufferFields appends every kind of field, with a value in every byte.
func TestBufferFields(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(w *write.Buffer)
		want string
	}{
		"u8": {func(w *write.Buffer) { w.U8(0x81) }, "81"}, "i8": {func(w *write.Buffer) { w.I8(-2) }, "fe"},
		"u16": {func(w *write.Buffer) { w.U16(0x8182) }, "8281"}, "i16": {func(w *write.Buffer) { w.I16(-2) }, "feff"},
		"u32": {func(w *write.Buffer) { w.U32(0x81828384) }, "84838281"}, "i32": {func(w *write.Buffer) { w.I32(-2) }, "feffffff"},
		"u64": {func(w *write.Buffer) { w.U64(0x8182838485868788) }, "8887868584838281"}, "f32": {func(w *write.Buffer) { w.F32(-1.5) }, "0000c0bf"},
		"floats": {func(w *write.Buffer) { w.Floats(1, 2) }, "0000803f00000040"},
		"vec2s":  {func(w *write.Buffer) { w.Vec2s([][2]float32{{1, 2}, {0, 1}}) }, "0000803f00000040000000000000803f"},
		"vec3s":  {func(w *write.Buffer) { w.Vec3s([][3]float32{{1, 2, 0}}) }, "0000803f0000004000000000"},
		"u16s":   {func(w *write.Buffer) { w.U16s([]uint16{1, 0x203}) }, "01000302"}, "u32s": {func(w *write.Buffer) { w.U32s([]uint32{1, 2}) }, "0100000002000000"},
		"count8": {func(w *write.Buffer) { w.Count8(0, ""); w.Count8(255, "") }, "00ff"}, "count16": {func(w *write.Buffer) { w.Count16(65535, "") }, "ffff"},
		"count32": {func(w *write.Buffer) { w.Count32(1<<32-1, "") }, "ffffffff"},
		"bytes":   {func(w *write.Buffer) { w.Bytes([]byte{1, 2}); w.Raw("a") }, "010261"}, "fill": {func(w *write.Buffer) { w.Fill(3, 7); w.Fill(0, 8) }, "070707"},
		"string": {func(w *write.Buffer) { w.CString("aé", "") }, "61e900"}, "text": {func(w *write.Buffer) { w.Text("aé", "") }, "61e9"},
		"fixed": {func(w *write.Buffer) { w.U8(9); w.FixedText("ab", 4, ""); w.FixedText("abc", 3, "") }, "0961620000616263"},
		"room":  {func(w *write.Buffer) { w.Reserve32() }, "00000000"},
		"patch": {func(w *write.Buffer) { w.U8(9); m := w.Reserve32(); w.U8(8); w.Patch32(m, 1<<32-1, "") }, "09ffffffff08"},
		"extend": {func(w *write.Buffer) {
			w.U8(9)
			x := w.Extend(2)
			copy(x, []byte{1, 2})
			if len(x) != 2 || cap(x) != 2 {
				t.Errorf("%d bytes of %d are given out", len(x), cap(x))
			}
			copy(w.Extend(0), []byte{7})
		}, "090102"},
		"extend twice": {func(w *write.Buffer) {
			for i := range byte(3) {
				x := w.Extend(3)
				if !bytes.Equal(x, make([]byte, 3)) {
					t.Errorf("given out with %v", x)
				}
				x[0], x[2] = i+1, i+1
			}
		}, "010001020002030003"},
		"compact": {func(w *write.Buffer) { w.Compact(63); w.Compact(-64); w.Compact(8191); w.Compact(8192) }, "3fc0017f7f408001"},
	} {
		for _, room := range []int{0, 1, 2, 8, 64} {
			w := write.NewBuffer("test", room)
			tt.do(w)
			b, err := w.Finish()
			if got := hex.EncodeToString(b); err != nil || w.Err() != nil || got != tt.want || w.Len() != len(b) {
				t.Errorf("%s with room for %d: %s, want %s; %v", name, room, got, tt.want, err)
			}
		}
	}
	w := write.NewBuffer("test", -5)
	w.Patch32(w.Reserve32(), -1, "offset")
	if _, err := w.Finish(); !errors.Is(err, schema.ErrRange) || w.Err() != err {
		t.Errorf("a negative offset: %v", err)
	}
}
