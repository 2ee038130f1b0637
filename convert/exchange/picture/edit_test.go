package picture_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/media"
)

// TestCarry takes pixels through an edit: what is as it was, or lost a colour that nobody sees, is what is stored.
func TestCarry(t *testing.T) {
	for _, c := range []struct{ now, before, want [4]byte }{
		{[4]byte{1, 2, 3, 255}, [4]byte{1, 2, 3, 255}, [4]byte{9, 8, 7, 6}},
		{[4]byte{1, 2, 3, 254}, [4]byte{1, 2, 3, 255}, [4]byte{1, 2, 3, 254}},
		{[4]byte{0, 0, 0, 0}, [4]byte{1, 2, 3, 0}, [4]byte{9, 8, 7, 6}},
		{[4]byte{255, 255, 255, 0}, [4]byte{1, 2, 3, 0}, [4]byte{9, 8, 7, 6}},
		{[4]byte{4, 5, 6, 0}, [4]byte{1, 2, 3, 0}, [4]byte{4, 5, 6, 0}},
		{[4]byte{0, 0, 0, 0}, [4]byte{1, 2, 3, 1}, [4]byte{0, 0, 0, 0}},
	} {
		now := c.now
		if picture.Carry(now[:], c.before[:], []byte{9, 8, 7, 6}); now != c.want {
			t.Errorf("%v that was %v becomes %v, want %v", c.now, c.before, now, c.want)
		}
	}
}

// TestKeep changes the last pixel of a picture whose blocks stick out over its edges: the last block alone is the new
// one. Colour of transparent pixels counts where the blocks hold it.
func TestKeep(t *testing.T) {
	const w, h = 6, 5
	for _, c := range []struct {
		name  string
		b     picture.Blocks
		pixel []byte
		kept  bool
	}{
		{"BC1", picture.Blocks{Side: 4, Size: media.BC1Block}, []byte{0, 0, 0, 255}, false},
		{"BC1, unseen", picture.Blocks{Side: 4, Size: media.BC1Block}, []byte{1, 0, 0, 0}, true},
		{"BC3, unseen", picture.Blocks{Side: 4, Size: media.BC3Block}, []byte{1, 0, 0, 0}, false},
		{"16 bits", picture.Blocks{Side: 1, Size: 2}, []byte{0, 0, 0, 1}, false},
	} {
		was := make([]byte, 4*w*h)
		now := bytes.Clone(was)
		copy(now[len(now)-4:], c.pixel)
		n := (w + c.b.Side - 1) / c.b.Side * ((h + c.b.Side - 1) / c.b.Side) * c.b.Size
		stored, level := bytes.Repeat([]byte{1}, n), bytes.Repeat([]byte{2}, n)
		want := bytes.Clone(stored)
		if !c.kept {
			copy(want[n-c.b.Size:], level)
		}
		if c.b.Keep(level, stored, was, now, w); !bytes.Equal(level, want) {
			t.Errorf("%s: %v, want %v", c.name, level, want)
		}
	}
}
