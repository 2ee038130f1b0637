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
