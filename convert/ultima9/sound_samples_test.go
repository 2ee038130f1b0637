package ultima9

import (
	"errors"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
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

// TestSeconds: how long a sound lasts follows from its bytes: 2 a sample, 15 for 28 samples, or a count before them.
func TestSeconds(t *testing.T) {
	for _, tt := range []struct {
		name     string
		encoding ultima9.SoundEncoding
		channels uint32
		rate     uint32
		data     []byte
		want     any
	}{
		{"PCM", ultima9.SoundPCM, 1, 100, make([]byte, 50), 0.25},
		{"PCM in stereo", ultima9.SoundPCM, 2, 100, make([]byte, 50), 0.12},
		{"EA-XA", ultima9.SoundEAXA, 1, 100, make([]byte, 15*5), 1.4},
		{"EA-XA in stereo", ultima9.SoundEAXA, 2, 100, make([]byte, 15*2*5+29), 1.4},
		{"MicroTalk", ultima9.SoundMicroTalk, 1, 1000, []byte{1, 2, 0, 0}, 0.513},
		{"MicroTalk without its count", ultima9.SoundMicroTalk, 1, 1000, []byte{1, 2, 0}, nil},
		{"none at all", ultima9.SoundPCM, 1, 100, nil, 0.0},
	} {
		var got any
		for _, f := range soundFacts(&ultima9.Sound{Encoding: tt.encoding, Channels: tt.channels, Rate: tt.rate, Data: tt.data}) {
			if f.Name == "seconds" {
				got = f.Value
			}
		}
		if got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
