package png_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func frameOf(w, h int, seed byte) asset.Frame {
	m := asset.NewImage(w, h, asset.RGBA8)
	for i := range m.Pix {
		m.Pix[i] = byte(i)*seed + byte(i>>3)
	}
	return asset.Frame{Mips: []asset.Image{m}}
}

func animated(t testing.TB, frames ...asset.Frame) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.EncodeAnimated(&b, &asset.Texture{Frames: frames, FPS: 15}, picture.RGBA); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestAnimated: frames come back to the bit, with the rate; viewers that know no animation see the first.
func TestAnimated(t *testing.T) {
	want := []asset.Frame{frameOf(7, 5, 1), frameOf(7, 5, 3), frameOf(7, 5, 0)}
	b := animated(t, want...)
	got, err := png.DecodeAnimated(b, picture.RGBA)
	if err != nil || len(got.Frames) != 3 || got.FPS != 15 || !png.IsAnimated(b) {
		t.Fatalf("%d frames at %v, %v", len(got.Frames), got.FPS, err)
	}
	for i := range want {
		if !bytes.Equal(got.Frames[i].Mips[0].Pix, want[i].Mips[0].Pix) {
			t.Errorf("frame %d is another one", i)
		}
	}
	first, err := png.Decode(bytes.NewReader(b))
	if err != nil || !bytes.Equal(first.Base().Pix, want[0].Mips[0].Pix) {
		t.Errorf("as a still picture: %v", err)
	}
	var still bytes.Buffer
	if err := png.Encode(&still, &asset.Texture{Frames: want[1:2]}, png.Options{}); err != nil {
		t.Fatal(err)
	}
	if one, err := png.DecodeAnimated(still.Bytes(), picture.RGBA); err != nil || len(one.Frames) != 1 || png.IsAnimated(still.Bytes()) {
		t.Errorf("a still picture: %v", err)
	}
	if err := png.EncodeAnimated(&still, &asset.Texture{Frames: []asset.Frame{frameOf(2, 2, 1), frameOf(2, 3, 1)}}, picture.RGBA); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("frames of different sizes: %v", err)
	}
}

// control changes the fcTL chunk of a frame.
func control(b []byte, frame int, edit func(c []byte)) []byte {
	b = bytes.Clone(b)
	at := 0
	for range frame + 1 {
		at += bytes.Index(b[at:], []byte("fcTL")) + 4
	}
	edit(b[at : at+26])
	binary.BigEndian.PutUint32(b[at+26:], crc32.ChecksumIEEE(b[at-4:at+26]))
	return b
}

// What other tools make: a frame that is drawn over the one before, and one that leaves nothing behind.
func TestAnimatedOfOtherTools(t *testing.T) {
	half := frameOf(2, 1, 0)
	copy(half.Mips[0].Pix, []byte{200, 0, 0, 0, 0, 200, 0, 255})
	base := frameOf(2, 1, 0)
	copy(base.Mips[0].Pix, []byte{10, 20, 30, 255, 40, 50, 60, 255})
	b := animated(t, base, half, half)
	b = control(b, 1, func(c []byte) { c[25] = 1 })           // over
	b = control(b, 2, func(c []byte) { c[24], c[25] = 2, 1 }) // over, and then as before
	got, err := png.DecodeAnimated(b, picture.RGBA)
	if err != nil {
		t.Fatal(err)
	}
	if pix := got.Frames[1].Mips[0].Pix; !bytes.Equal(pix, []byte{10, 20, 30, 255, 0, 200, 0, 255}) {
		t.Errorf("drawn over: %v", pix)
	}
	got, err = png.DecodeAnimated(control(animated(t, base, half), 0, func(c []byte) { c[24] = 1 }), picture.RGBA)
	if err != nil || !bytes.Equal(got.Frames[1].Mips[0].Pix, half.Mips[0].Pix) {
		t.Errorf("after one that is taken away: %v", err)
	}
}

// Damage is an error, and a small file does not fill the memory.
func TestAnimatedDamage(t *testing.T) {
	b := animated(t, frameOf(4, 4, 1), frameOf(4, 4, 2))
	for n := range len(b) {
		_, _ = png.DecodeAnimated(b[:n], picture.RGBA) // returns
	}
	for _, edit := range []func(c []byte){func(c []byte) { c[7] = 9 }, func(c []byte) { c[15] = 1 }, func(c []byte) { c[7] = 0 }, func(c []byte) { c[12] = 0xFF }} {
		if _, err := png.DecodeAnimated(control(b, 1, edit), picture.RGBA); err == nil {
			t.Error("a frame outside of the picture was read")
		}
	}
	twice := slices.Clone(b[:33]) // the signature and IHDR, then one of another size
	twice = append(twice, b[33:53]...)
	twice = append(append(twice, b[8:33]...), b[53:]...)
	copy(twice[53+8:], "\xFF\xFF\xFF\xF0")
	if _, err := png.DecodeAnimated(twice, picture.RGBA); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a second IHDR: %v", err)
	}
	if _, err := png.DecodeAnimated(slices.Concat(b[:8], b[33:53], b[8:33], b[53:]), picture.RGBA); err == nil {
		t.Error("an IHDR that is not first was read")
	}
	large := animated(t, frameOf(2048, 2048, 0))
	at := bytes.Index(large, []byte("fcTL")) - 4
	end := bytes.Index(large, []byte("IEND")) - 4
	many := append([]byte(nil), large[:end]...)
	for range 200 {
		many = append(many, large[at:at+38]...)
	}
	if _, err := png.DecodeAnimated(append(many, large[end:]...), picture.RGBA); err == nil {
		t.Error("200 frames of nothing were read")
	}
}

func FuzzDecodeAnimated(f *testing.F) {
	f.Add(animated(f, frameOf(3, 2, 1), frameOf(3, 2, 9)))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := png.DecodeAnimated(b, picture.RGBA)
		if err != nil {
			return
		}
		if len(x.Frames) > 1 {
			var out bytes.Buffer
			if err := png.EncodeAnimated(&out, x, picture.RGBA); err != nil {
				t.Fatal(err)
			}
		}
	})
}
