package render

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// The colours of a waveform.
var (
	waveColor = asset.RGBA{0x6C, 0xB8, 0xF0, 255}
	waveAxis  = asset.RGBA{0x80, 0x80, 0x80, 255}
	waveLoop  = asset.RGBA{0xF0, 0xB0, 0x50, 255}
)

// Sound draws the waveform of a sound, with one lane for each channel. Each column of pixels shows the smallest and the
// largest sample of its time; the height of a lane is full scale. Marks show the ends of loops. A sound without decoded
// samples gives a flat line and a note.
func Sound(s *asset.Sound, o Options) (*Picture, error) {
	width, height, err := o.size()
	if err != nil {
		return nil, err
	}
	p := &Picture{NRGBA: image.NewNRGBA(image.Rect(0, 0, width, height))}
	for i := 0; i < len(p.Pix); i += 4 {
		copy(p.Pix[i:], o.Background[:])
	}
	frames := s.Frames()
	if frames == 0 || s.Channels < 1 {
		p.notef("no samples")
		p.column(0, width, height/2, height/2+1, waveAxis)
		return p, nil
	}
	if s.Rate > 0 {
		p.factf("%.2f s", float64(frames)/float64(s.Rate))
		p.factf("%d Hz", s.Rate)
	}
	switch s.Channels {
	case 1:
	case 2:
		p.factf("stereo")
	default:
		p.factf("%d channels", s.Channels)
	}
	lanes := min(s.Channels, 8)
	for c := range lanes {
		p.lane(s, c, c*height/lanes, (c+1)*height/lanes)
	}
	for _, l := range s.Loops {
		for _, at := range [...]uint32{l.Start, l.End} {
			if x := int(int64(at) * int64(width) / int64(frames)); x < width {
				p.column(x, x+1, 0, height, waveLoop)
			}
		}
	}
	return p, nil
}

// lane draws one channel between two rows.
func (p *Picture) lane(s *asset.Sound, channel, top, bottom int) {
	width, frames := p.Rect.Dx(), s.Frames()
	middle, half := float64(top+bottom)/2, float64(bottom-top)/2
	sample := reader(s)
	p.column(0, width, int(middle), int(middle)+1, waveAxis)
	for x := range width {
		from := int(int64(x) * int64(frames) / int64(width))
		to := max(int(int64(x+1)*int64(frames)/int64(width)), from+1)
		low, high := math.Inf(1), math.Inf(-1)
		for i := max(from-1, 0); i < min(to, frames); i++ { // from the one before, so that the line has no gaps
			v := sample(i*s.Channels + channel)
			low, high = min(low, v), max(high, v)
		}
		if low > high {
			continue
		}
		y0, y1 := int(middle-half*min(high, 1)), int(middle-half*max(low, -1))
		p.column(x, x+1, max(y0, top), min(y1+1, bottom), waveColor)
	}
}

// column fills a rectangle.
func (p *Picture) column(x0, x1, y0, y1 int, c asset.RGBA) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			copy(p.Pix[y*p.Stride+4*x:], c[:])
		}
	}
}

// reader returns how sample i of a sound is read, −1 … 1.
func reader(s *asset.Sound) func(i int) float64 {
	b := s.PCM
	switch {
	case s.Float && s.Bits == 32:
		return func(i int) float64 { return number(float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))) }
	case s.Float && s.Bits == 64:
		return func(i int) float64 { return number(math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))) }
	case s.Bits == 8:
		return func(i int) float64 { return float64(int(b[i])-128) / 128 }
	case s.Bits == 16:
		return func(i int) float64 { return float64(int16(binary.LittleEndian.Uint16(b[2*i:]))) / (1 << 15) }
	case s.Bits == 24:
		return func(i int) float64 {
			return float64(int32(b[3*i])<<8|int32(b[3*i+1])<<16|int32(b[3*i+2])<<24) / (1 << 31)
		}
	case s.Bits == 32:
		return func(i int) float64 { return float64(int32(binary.LittleEndian.Uint32(b[4*i:]))) / (1 << 31) }
	}
	return func(int) float64 { return 0 }
}

// number returns 0 for what is none.
func number(x float64) float64 {
	if x-x != 0 {
		return 0
	}
	return x
}

// Peaks returns the waveform of a sound. For each channel it holds the smallest and the largest sample of each of at most
// columns equal periods, one after the other, −1 … 1. It is nil without samples.
func Peaks(s *asset.Sound, columns int) [][]float32 {
	frames := s.Frames()
	if frames == 0 || s.Channels < 1 {
		return nil
	}
	columns = min(columns, frames)
	sample := reader(s)
	out := make([][]float32, s.Channels)
	for c := range out {
		out[c] = make([]float32, 0, 2*columns)
		for x := range columns {
			from, to := int(int64(x)*int64(frames)/int64(columns)), int(int64(x+1)*int64(frames)/int64(columns))
			low, high := math.Inf(1), math.Inf(-1)
			for i := from; i < to; i++ {
				v := sample(i*s.Channels + c)
				low, high = min(low, v), max(high, v)
			}
			out[c] = append(out[c], float32(max(low, -1)), float32(min(high, 1)))
		}
	}
	return out
}
