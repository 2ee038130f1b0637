package ultima9_test

import (
	"encoding/binary"
	"testing"

	"github.com/usher-assets/usher/schema"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestSharedFrames: frames of a texture may share their bytes, up to twice the record and 4,096 bytes in all.
func TestSharedFrames(t *testing.T) {
	frame := make([]byte, 20+4*16+16*16) // flags, size, anchor; rows; palette indices
	frame[4], frame[8] = 16, 16
	for n, class := range map[int]error{1: nil, 2: nil, 14: nil, 15: schema.ErrLimit, 200: schema.ErrLimit} {
		b := make([]byte, 16, 16+8*n+len(frame))
		b[0], b[4], b[8] = 16, 16, byte(n)
		for range n {
			b = binary.LittleEndian.AppendUint32(b, uint32(16+8*n))
			b = binary.LittleEndian.AppendUint32(b, uint32(len(frame)))
		}
		set, err := read.Texture(append(b, frame...), nil)
		if schema.Class(err) != class {
			t.Errorf("%d frames: %v, want %v", n, err, class)
		}
		if err == nil && (len(set.Frames) != n || len(set.Frames[n-1].Levels[0]) != 256 || len(set.Gaps) > 0) {
			t.Errorf("%d frames: %d, gaps %v", n, len(set.Frames), set.Gaps)
		}
	}
}

// TestEmptyLOD: a level of detail of no bytes is one, and a size that is not that of the bytes is refused.
func TestEmptyLOD(t *testing.T) {
	l, err := read.SappearLOD(make([]byte, 4), nil)
	if err != nil || l.Size != 0 {
		t.Errorf("an empty one: %+v, %v", l, err)
	}
	for name, b := range map[string][]byte{"longer": {0, 0, 0, 0, 0}, "shorter": {1, 0, 0, 0}} {
		if _, err := read.SappearLOD(b, nil); schema.Class(err) != schema.ErrMismatch {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTypeNameEnds: a name ends with its zero byte; what is missing or follows is told, with where it lies, and kept.
func TestTypeNameEnds(t *testing.T) {
	for _, c := range []struct {
		rest, name, after, code string
		offset                  int64
	}{
		{"axe\x00", "axe", "\x00", "", 0},
		{"axe", "axe", "", "no-terminator", 6},
		{"axe\x00!", "axe", "\x00!", "trailing-bytes", 10},
		{"\x00", "", "\x00", "", 0},
	} {
		var d schema.Diagnostics
		x, err := read.TypeName(append(make([]byte, 6), c.rest...), &d)
		if err != nil || x.Name == nil || *x.Name != c.name || string(x.After) != c.after {
			t.Errorf("%q: %+v, %v", c.rest, x, err)
		}
		all := d.All()
		if c.code == "" && len(all) > 0 || c.code != "" && (len(all) != 1 || all[0].Code != c.code || all[0].Offset != c.offset) {
			t.Errorf("%q: %v", c.rest, all)
		}
	}
}

// TestRouteBlock: the block of routes is as long as it says, to the byte.
func TestRouteBlock(t *testing.T) {
	for _, c := range []struct {
		size  byte
		block int
		class error
	}{{0, 0, nil}, {1, 1, schema.ErrMismatch}, {2, 2, schema.ErrMismatch}, {1, 0, schema.ErrMismatch}, {0, 1, nil}} {
		b := append(make([]byte, 12), make([]byte, c.block)...) // no points, no routes
		b[8] = c.size
		x, err := read.Highway(b, nil)
		if schema.Class(err) != c.class || err == nil && len(x.Trailing) != c.block {
			t.Errorf("%d bytes of %d: %+v, %v; want %v", c.size, c.block, x, err, c.class)
		}
	}
}
