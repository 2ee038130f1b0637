package ultima9

import (
	"errors"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestSamples16: the format has one or two channels, a rate of 32 bits that is not 0, and whole frames.
func TestSamples16(t *testing.T) {
	for _, tt := range []struct {
		name  string
		a     asset.Sound
		class error
	}{
		{"mono", asset.Sound{Channels: 1, Rate: 1, Bits: 16, PCM: make([]byte, 6)}, nil},
		{"stereo", asset.Sound{Channels: 2, Rate: math.MaxUint32, Bits: 16, PCM: make([]byte, 8)}, nil},
		{"no channels", asset.Sound{Channels: 0, Rate: 22050, Bits: 16}, schema.ErrUnsupported},
		{"three channels", asset.Sound{Channels: 3, Rate: 22050, Bits: 16, PCM: make([]byte, 12)}, schema.ErrUnsupported},
		{"no rate", asset.Sound{Channels: 1, Bits: 16, PCM: make([]byte, 6)}, schema.ErrUnsupported},
		{"a rate of 33 bits", asset.Sound{Channels: 1, Rate: math.MaxUint32 + 1, Bits: 16, PCM: make([]byte, 6)}, schema.ErrUnsupported},
		{"half a frame", asset.Sound{Channels: 2, Rate: 22050, Bits: 16, PCM: make([]byte, 6)}, schema.ErrMismatch},
		{"no bits", asset.Sound{Channels: 1, Rate: 22050, Bits: 0, PCM: make([]byte, 6)}, schema.ErrMismatch},
		{"72 bits", asset.Sound{Channels: 1, Rate: 22050, Bits: 72, PCM: make([]byte, 9)}, schema.ErrMismatch},
	} {
		b, err := samples16(&tt.a)
		if !errors.Is(err, tt.class) || tt.class == nil && (err != nil || len(b) != len(tt.a.PCM)) {
			t.Errorf("%s: %d bytes, %v; want %v", tt.name, len(b), err, tt.class)
		}
	}
}
