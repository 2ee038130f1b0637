package render

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// pcm encodes samples from −1 to 1.
func pcm(bits int, float bool, samples ...float64) []byte {
	var b []byte
	for _, x := range samples {
		full := float64(int64(1)<<(bits-1)) - 1
		switch {
		case float && bits == 32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		case float:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		case bits == 8:
			b = append(b, byte(int(x*full)+128))
		default:
			v := uint32(int32(x * full))
			for k := range bits / 8 {
				b = append(b, byte(v>>(8*k)))
			}
		}
	}
	return b
}

// TestSound: the waveform reaches from the least to the largest sample, the one before among them, whatever the samples are stored as.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		bits  int
		float bool
	}{{8, false}, {16, false}, {24, false}, {32, false}, {32, true}, {64, true}} {
		s := &asset.Sound{Rate: 4, Channels: 1, Bits: c.bits, Float: c.float, PCM: pcm(c.bits, c.float, 0.5, 0.5, -0.5, -0.5, 1, -1, 0, 0)}
		p, err := Sound(s, Options{Width: 4, Height: 100})
		if err != nil {
			t.Fatal(err)
		}
		for x, want := range [][2]int{{25, 25}, {25, 75}, {0, 99}, {50, 99}} {
			top, bottom := 100, -1
			for y := range 100 {
				if p.NRGBAAt(x, y).B == waveColor[2] {
					top, bottom = min(top, y), max(bottom, y)
				}
			}
			if top < want[0]-1 || top > want[0]+1 || bottom < want[1]-1 || bottom > want[1]+1 {
				t.Errorf("%d bits, float %v: column %d reaches from %d to %d, want %v", c.bits, c.float, x, top, bottom, want)
			}
		}
		if !slices.Equal(p.Facts, []string{"2.00 s", "4 Hz"}) {
			t.Errorf("facts %q", p.Facts)
		}
	}
}

// TestSoundLanes: each channel has a lane of its own; loops are marked.
func TestSoundLanes(t *testing.T) {
	s := &asset.Sound{Rate: 4, Channels: 2, Bits: 16, PCM: pcm(16, false, 1, 0, 1, 0, 1, 0, 1, 0), Loops: []asset.Loop{{Start: 1, End: 3}, {Start: 9, End: math.MaxUint32}}}
	p, err := Sound(s, Options{Width: 40, Height: 80, Background: white})
	if err != nil {
		t.Fatal(err)
	}
	wantPixel(t, "left", p, 5, 0, waveColor)
	wantPixel(t, "right", p, 5, 60, waveColor)
	wantPixel(t, "above the right one", p, 5, 50, white)
	wantPixel(t, "loop", p, 10, 3, waveLoop)
	wantPixel(t, "loop", p, 30, 70, waveLoop)
}

// TestSoundEmpty: what has no samples, or an impossible shape, is told of.
func TestSoundEmpty(t *testing.T) {
	for _, s := range []*asset.Sound{{}, {Channels: 2, Bits: 16}, {Channels: -1, Bits: 8, PCM: []byte{1}}, {Channels: 1, Bits: 12, PCM: make([]byte, 9)}} {
		p, err := Sound(s, Options{Width: 8, Height: 8})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.PCM) == 0 && !slices.Equal(p.Notes, []string{"no samples"}) {
			t.Errorf("%+v: notes %q", s, p.Notes)
		}
	}
}

// TestSoundWhole: the line of a sound has no gaps, however few samples it has.
func TestSoundWhole(t *testing.T) {
	s := &asset.Sound{Rate: 8000, Channels: 1, Bits: 16}
	for _, v := range []int16{0, 20000, -20000, 0, 30000, -30000, 5000} {
		s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(v))
	}
	p, err := Sound(s, Options{Width: 64, Height: 64})
	if err != nil {
		t.Fatal(err)
	}
	before := [2]int{0, 64}
	for x := range 64 {
		rows := [2]int{64, -1}
		for y := range 64 {
			if c := p.NRGBAAt(x, y); asset.RGBA([4]uint8{c.R, c.G, c.B, c.A}) == waveColor {
				rows = [2]int{min(rows[0], y), max(rows[1], y)}
			}
		}
		if rows[1] < before[0]-1 || rows[0] > before[1]+1 {
			t.Errorf("column %d has rows %v, the one before %v", x, rows, before)
		}
		before = rows
	}
}
