package fractal

import (
	"math"

	"github.com/usher-assets/usher/schema/unreal"
)

// wave is water in the light.
type wave struct {
	*water
	pix   []byte
	width int
	light [511]uint8 // by the slope
}

// NewWave returns water that is lit.
func NewWave(p *Wave) (Simulation, error) {
	w, err := newWater(&p.Water)
	if err != nil {
		return nil, err
	}
	return &wave{water: w, pix: make([]byte, p.Width*p.Height), width: p.Width, light: shades(p)}, nil
}

// shades tells how bright a slope is: the light that falls on it, and the highlight where it throws that at who looks.
func shades(p *Wave) (t [511]uint8) {
	light, view := upright(p.Light), upright(p.View)
	sharp := 1024 / (float64(p.Size) + 1)
	most := float64(255 - int(p.Range))
	for i := range t {
		lean := math.Atan(float64(float64(i-255)*float64(p.Amplitude)) / (128 * 64))
		diffuse := max(math.Cos(lean-light), 0)
		phong := math.Pow(max(math.Cos(lean-(light+view)/2), 0), sharp)
		t[i] = octet(int(math.Round(float64(most*diffuse) + float64(float64(p.Range)*phong))))
	}
	return t
}

// upright returns an angle of a slider, whose middle is upright, in radians.
func upright(v uint8) float64 { return (float64(v) - 128) / 128 * math.Pi / 2 }

// Step implements [Simulation].
func (w *wave) Step() []byte {
	w.step()
	for y := range len(w.pix) / w.width {
		slopes := w.slope(y)
		row := w.pix[y*w.width:][:w.width]
		for x := range row {
			row[x] = w.light[slopes[x]+255]
		}
	}
	return w.pix
}

// wet is a picture below water.
type wet struct {
	*water
	Layer
	amplitude int
	pix       []byte
	width     int
}

// NewWet returns a picture below water, which bends it to the sides.
func NewWet(p *Wet) (Simulation, error) {
	w, err := newWater(&p.Water)
	if err == nil {
		err = checkSize(p.Source.Width, p.Source.Height)
	}
	if err != nil {
		return nil, err
	}
	return &wet{water: w, Layer: p.Source, amplitude: int(p.Amplitude), pix: make([]byte, p.Width*p.Height), width: p.Width}, nil
}

// Step implements [Simulation].
func (w *wet) Step() []byte {
	source := w.Layer.Step()
	w.step()
	for y := range len(w.pix) / w.width {
		slopes := w.slope(y)
		from := source[y%w.Layer.Height*w.Layer.Width:][:w.Layer.Width]
		row := w.pix[y*w.width:][:w.width]
		for x := range row {
			row[x] = from[wrap(x+slopes[x]*w.amplitude>>bend, w.Layer.Width)]
		}
	}
	return w.pix
}

// bend is how little water bends a picture: the steepest slope by 16 pixels.
const bend = 11

// Ice are the parameters of an IceTexture: a picture behind a layer of glass.
type Ice struct {
	Width, Height        int
	Glass, Source        Layer
	Panning              unreal.Panning
	Across, Down         uint8 // HorizPanSpeed, VertPanSpeed: 128 stands still
	Frequency, Amplitude uint8
	MoveGlass            bool // otherwise the picture moves
}

type ice struct {
	Ice
	frame int
	pix   []byte
}

// NewIce returns a picture behind glass.
func NewIce(p *Ice) (Simulation, error) {
	for _, size := range [][2]int{{p.Width, p.Height}, {p.Glass.Width, p.Glass.Height}, {p.Source.Width, p.Source.Height}} {
		if err := checkSize(size[0], size[1]); err != nil {
			return nil, err
		}
	}
	return &ice{Ice: *p, pix: make([]byte, p.Width*p.Height)}, nil
}

// Step implements [Simulation].
func (s *ice) Step() []byte {
	glass, source := s.Glass.Step(), s.Source.Step()
	s.frame++
	du, dv := s.place()
	gu, gv, su, sv := 0, 0, du, dv
	if s.MoveGlass {
		gu, gv, su, sv = du, dv, 0, 0
	}
	for y := range s.Height {
		through := glass[wrap(y+gv, s.Glass.Height)*s.Glass.Width:][:s.Glass.Width]
		from := source[wrap(y+sv, s.Source.Height)*s.Source.Width:][:s.Source.Width]
		row := s.pix[y*s.Width:][:s.Width]
		for x := range row {
			row[x] = from[wrap(x+su+int(through[wrap(x+gu, s.Glass.Width)]), s.Source.Width)]
		}
	}
	return s.pix
}

// place returns where the layer that moves is: a steady drift, of a pixel a frame for 60 steps of the sliders, and what the way of
// panning adds.
func (s *ice) place() (u, v int) {
	u, v = -(int(s.Across)-128)*s.frame/60, (int(s.Down)-128)*s.frame/60
	phase, most := int(s.Frequency)*s.frame/4, int(s.Amplitude)
	switch s.Panning {
	case unreal.PanCircular:
		u, v = u+cos(phase)*most/127, v+sin(phase)*most/127
	case unreal.PanGestation:
		u, v = u+sin(phase+cos(phase/3))*most/127, v+cos(phase+sin(phase/2))*most/127
	case unreal.PanWavyX:
		u += sin(phase) * most / 127
	case unreal.PanWavyY:
		v += sin(phase) * most / 127
	}
	return u, v
}

// heights is water as it is: its height is the palette index.
type heights struct {
	*water
	pix   []byte
	width int
}

// NewWater returns water that shows its height.
func NewWater(p *Water) (Simulation, error) {
	w, err := newWater(p)
	if err != nil {
		return nil, err
	}
	return &heights{w, make([]byte, p.Width*p.Height), p.Width}, nil
}

// Step implements [Simulation].
func (w *heights) Step() []byte {
	w.step()
	for i := range w.pix {
		w.pix[i] = w.now[i/w.width/2*w.water.width+i%w.width/2]
	}
	return w.pix
}
