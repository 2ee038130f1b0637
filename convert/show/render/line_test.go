package render

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// blank is a drawing of nothing, of so many samples, that is seen along −Z.
func blank(width, height int) *drawing {
	d := &drawing{frame: newFrame(width/samples, height/samples)}
	clear(d.frame.depth)
	clear(d.frame.light)
	d.lens = newLens(vec{}, [2]float64{1, 1}, d.frame)
	return d
}

// dots shows the samples of a drawing, a letter each: the red of it in tenths, . for none.
func (d *drawing) dots() string {
	var b strings.Builder
	for i, l := range d.frame.light {
		if i > 0 && i%d.frame.width == 0 {
			b.WriteByte('/')
		}
		if l == 0 {
			b.WriteByte('.')
		} else {
			fmt.Fprint(&b, int(l&0xFFFF)*9/linearMax)
		}
	}
	return b.String()
}

func at(x, y int32, q float32) spot {
	return spot{x: x<<partBits + parts/2, y: y<<partBits + parts/2, q: q}
}

// TestLine: a line leads from end to end, in colours from that of the one to that of the other; what is nearer hides it.
func TestLine(t *testing.T) {
	black, red := [4]float32{0, 1, 0, 1}, [4]float32{linearMax, 0, 0, 1}
	for _, c := range []struct {
		what     string
		from, to spot
		want     string
	}{
		{"across", at(1, 1, 1), at(4, 1, 1), "....../.0369./....../......"}, {"back", at(4, 1, 1), at(1, 1, 1), "....../.9630./....../......"}, {"down", at(2, 0, 1), at(2, 3, 1), "..0.../..3.../..6.../..9..."}, {"up", at(2, 3, 1), at(2, 0, 1), "..9.../..6.../..3.../..0..."},
		{"aslant", at(0, 0, 1), at(3, 3, 1), "0...../.3..../..6.../...9.."}, {"flat", at(0, 0, 1), at(4, 2, 1), ""}, {"a point", at(2, 2, 1), at(2, 2, 1), "....../....../..0.../......"}, {"out of it", at(-2, 1, 1), at(7, 1, 1), ""},
	} {
		d := blank(6, 4)
		d.line(c.from, c.to, black, red)
		if got := d.dots(); c.want != "" && got != c.want || c.want == "" && strings.Count(got, ".") > 24-3-3+4 {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	d := blank(6, 4)
	d.line(at(0, 1, 2), at(5, 1, 2), red, red)
	d.line(at(2, 0, 1), at(2, 3, 1), black, black)
	if got := d.dots(); got != "..0.../999999/..0.../..0..." {
		t.Errorf("behind another: %s", got)
	}
	d.line(at(3, 0, 3), at(3, 3, 3), black, black)
	if got := d.dots(); got != "..00../999099/..00../..00.." {
		t.Errorf("before another: %s", got)
	}
	d.line(at(0, 1, 2), at(5, 1, 2), black, black)
	if got := d.dots(); got != "..00../000000/..00../..00.." {
		t.Errorf("as near as another: %s", got)
	}
	d.line(at(0, 1, 1.9), at(5, 1, 1.9), red, red)
	if got := d.dots(); got != "..00../000000/..00../..00.." {
		t.Errorf("behind what was drawn last: %s", got)
	}
}

// TestDrawLines: of a line that reaches behind the eye the part before it is drawn; lines of damaged scenes are left out.
func TestDrawLines(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		what string
		a, b vec
		n    []uint32
		want bool
	}{
		{"before the eye", vec{-0.5, 0, -1}, vec{0.5, 0, -1}, nil, true}, {"through it", vec{0.1, 0.1, -1}, vec{0.1, 0.1, 1}, nil, true}, {"from behind it", vec{0.1, 0.1, 1}, vec{0.1, 0.1, -1}, nil, true}, {"behind it", vec{0, 0, 1}, vec{0, 1, 2}, nil, false},
		{"nowhere", vec{0, 0, -1}, vec{nan, 0, -1}, nil, false}, {"from nowhere", vec{nan, 0, -1}, vec{0, 0, -1}, nil, false}, {"to no vertex", vec{0, 0, -1}, vec{0, 0.5, -1}, []uint32{0, 2}, false}, {"from no vertex", vec{0, 0, -1}, vec{0, 0.5, -1}, []uint32{2, 0}, false}, {"half a line", vec{0, 0, -1}, vec{0, 0.5, -1}, []uint32{0}, false},
	} {
		d := blank(8, 8)
		s := &piece{mode: asset.Lines, positions: []vec{c.a, c.b}, indices: c.n, look: &look{color: [4]float32{1, 1, 1, 1}}}
		d.drawLines(s, d.lens.all(s))
		if got := d.dots(); strings.Trim(got, "./") != "" != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
	}
	d := blank(8, 8)
	s := &piece{mode: asset.Points, positions: []vec{{0, 0, -1}, {0, 0, 1}}, indices: []uint32{0, 1, 2}, colors: [][4]float32{{0.5, 1, 1, 1}, {1, 1, 1, 1}}, look: &look{color: [4]float32{1, 1, 1, 1}}}
	d.drawPoints(s, d.lens.all(s))
	if got := d.dots(); got != "......../......../......../...44.../...44.../......../......../........" {
		t.Errorf("points: %s", got)
	}
	s.look.emissive = [3]float32{0.5}
	if got := d.ink(s, 0); got != [4]float32{linearMax, linearMax, linearMax, 1} {
		t.Errorf("the colour of a vertex with a glow: %v", got)
	}
}

// TestProject: what lies before the eye has a place; what lies behind it, or far beside the picture, has none.
func TestProject(t *testing.T) {
	d := blank(8, 8)
	for _, c := range []struct {
		p       vec
		x, y    int32
		outside bool
	}{
		{vec{0, 0, -1}, 4, 4, false}, {vec{1, 0, -1}, 8, 4, false}, {vec{0, 1, -1}, 4, 0, false}, {vec{-2, -2, -4}, 2, 6, false}, {vec{0, 0, -near}, 4, 4, false}, {vec{0, 0, -near / 2}, 0, 0, true}, {vec{0, 0, 1}, 0, 0, true}, {vec{2 * guard, 0, -1}, 0, 0, true},
		{vec{0, -2 * guard, -1}, 0, 0, true}, {vec{float32(math.NaN()), 0, -1}, 0, 0, true}, {vec{0, float32(math.NaN()), -1}, 0, 0, true}, {vec{0, 0, float32(math.NaN())}, 0, 0, true},
	} {
		got := d.lens.project(c.p)
		if got.outside != c.outside || got.x != c.x*parts || got.y != c.y*parts {
			t.Errorf("%v: %+v", c.p, got)
		}
	}
}

// TestOffScreen: a triangle lies beside the picture where all of it does, on one side.
func TestOffScreen(t *testing.T) {
	d := blank(8, 8)
	triangle := func(x, y int32) *[3]spot { return &[3]spot{at(x, y, 1), at(x+2, y, 1), at(x, y+2, 1)} }
	for _, c := range []struct {
		x, y int32
		want bool
	}{{3, 3, false}, {-2, 3, false}, {-3, 3, true}, {7, 3, false}, {8, 3, true}, {3, -2, false}, {3, -3, true}, {3, 7, false}, {3, 8, true}} {
		if got := d.offScreen(triangle(c.x, c.y)); got != c.want {
			t.Errorf("at %d, %d: %t", c.x, c.y, got)
		}
	}
}

// TestClippedSides: the back of a triangle that reaches behind the eye is drawn where both sides are.
func TestClippedSides(t *testing.T) {
	front := []vec{{-1, -1, -2}, {1, -1, -2}, {0, 3, 1}}
	for _, c := range []struct {
		order       [3]int
		both, wants bool
	}{{[3]int{0, 1, 2}, false, true}, {[3]int{0, 2, 1}, false, false}, {[3]int{0, 2, 1}, true, true}, {[3]int{0, 1, 2}, true, true}} {
		d := blank(16, 16)
		d.fill.f = d.frame
		s := &piece{positions: front, look: &look{color: [4]float32{1, 1, 1, 1}, unlit: true, doubleSided: c.both}}
		d.clipped(s, c.order)
		if got := strings.Trim(d.dots(), "./") != ""; got != c.wants {
			t.Errorf("%v, both sides %t: %t", c.order, c.both, got)
		}
	}
}

// TestReader: a sample of every size is read as the share of full scale that it is.
func TestReader(t *testing.T) {
	for _, c := range []struct {
		bits int
		pcm  []byte
		want [2]float64
	}{
		{8, []byte{0x80, 0xC0}, [2]float64{0, 0.5}}, {8, []byte{0, 0x81}, [2]float64{-1, 1.0 / 128}}, {16, []byte{0, 0x40, 1, 0x80}, [2]float64{0.5, -1 + 1.0/32768}}, {24, []byte{0, 0, 0x40, 1, 2, 0}, [2]float64{0.5, float64(0x201) / (1 << 23)}},
		{24, []byte{0, 0, 0x80, 0xFF, 0xFF, 0xFF}, [2]float64{-1, -1.0 / (1 << 23)}}, {32, []byte{0, 0, 0, 0x40, 1, 0, 0, 0}, [2]float64{0.5, 1.0 / (1 << 31)}}, {12, []byte{9, 9, 9}, [2]float64{}},
	} {
		sample := reader(&asset.Sound{Bits: c.bits, PCM: c.pcm})
		if got := [2]float64{sample(0), sample(1)}; got != c.want {
			t.Errorf("%d bits: %v, want %v", c.bits, got, c.want)
		}
	}
}

// TestLoops: a loop is a line of one column at its start, and at its end where that is in the picture.
func TestLoops(t *testing.T) {
	s := &asset.Sound{Channels: 1, Bits: 8, PCM: make([]byte, 16), Loops: []asset.Loop{{Start: 4, End: 12}, {Start: 14, End: 16}}}
	p, err := Sound(s, Options{Width: 8, Height: 4})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for x := range 8 {
		c := p.NRGBAAt(x, 0)
		if [4]uint8{c.R, c.G, c.B, c.A} == [4]uint8(waveLoop) {
			got += "|"
		} else {
			got += "."
		}
	}
	if got != "..|...||" {
		t.Errorf("%s", got)
	}
}

// TestLayOver: what shows through is mixed with what lies behind, by both their alphas.
func TestLayOver(t *testing.T) {
	for _, c := range []struct{ above, behind, want asset.RGBA }{
		{asset.RGBA{200, 100, 0, 255}, asset.RGBA{0, 0, 0, 255}, asset.RGBA{200, 100, 0, 255}}, {asset.RGBA{200, 100, 0, 0}, asset.RGBA{10, 20, 30, 255}, asset.RGBA{10, 20, 30, 255}}, {asset.RGBA{200, 100, 0, 51}, asset.RGBA{100, 0, 50, 255}, asset.RGBA{120, 20, 40, 255}},
		{asset.RGBA{200, 100, 0, 0}, asset.RGBA{10, 20, 30, 0}, asset.RGBA{200, 100, 0, 0}}, {asset.RGBA{200, 100, 0, 128}, asset.RGBA{0, 0, 0, 0}, asset.RGBA{200, 100, 0, 128}}, {asset.RGBA{255, 255, 255, 1}, asset.RGBA{0, 0, 0, 2}, asset.RGBA{85, 85, 85, 3}},
	} {
		l := &level{width: 1, height: 1, pix: []uint32{uint32(c.above[0]) | uint32(c.above[1])<<8 | uint32(c.above[2])<<16 | uint32(c.above[3])<<24}}
		m := l.image(1, Options{})
		layOver(m, func(int, int) asset.RGBA { return c.behind })
		if got := asset.RGBA(m.Pix[:4]); got != c.want {
			t.Errorf("%v over %v: %v, want %v", c.above, c.behind, got, c.want)
		}
	}
}

// TestPictureSizes: a picture has at least a pixel, and at most so many that they fit into the memory.
func TestPictureSizes(t *testing.T) {
	for _, c := range []struct {
		o             Options
		width, height int
	}{
		{Options{}, 256, 256}, {Options{Width: 3}, 3, DefaultSize}, {Options{Height: 3}, DefaultSize, 3}, {Options{Width: 1, Height: 1}, 1, 1}, {Options{Width: maxSide, Height: maxSide}, maxSide, maxSide},
		{Options{Width: -1, Height: 1}, 0, 0}, {Options{Width: 1, Height: -1}, 0, 0}, {Options{Width: maxSide + 1, Height: 1}, 0, 0}, {Options{Width: 1, Height: maxSide + 1}, 0, 0},
	} {
		width, height, err := c.o.size()
		if width != c.width || height != c.height || (err != nil) != (c.width == 0) {
			t.Errorf("%d x %d: %d x %d, %v", c.o.Width, c.o.Height, width, height, err)
		}
	}
	for cell, want := range map[int]int{4096 - 8 - 8 - 47: 1, 2044 - 8 - 47: 2, 2044 - 8 - 47 + 1: 1, 9999: 1} {
		if got := (&Sheet{Cell: cell}).Rows(); got != want {
			t.Errorf("cells of %d: %d rows, want %d", cell, got, want)
		}
	}
	if got := (&Sheet{Cell: 100}).Width(3); got != 8+3*108 {
		t.Errorf("three columns are %d wide", got)
	}
}

// TestMorphedCopy: what weights do to a shape is done to a copy of it, one target after the other.
func TestMorphedCopy(t *testing.T) {
	p := quad(1, 0, paint(1, 0, 0, 1))
	was := append([][3]float32(nil), p.Positions...)
	for range 2 {
		p.Targets = append(p.Targets, asset.Target{Positions: make([][3]float32, len(was))})
	}
	for i := range was {
		p.Targets[0].Positions[i], p.Targets[1].Positions[i] = [3]float32{1, 0, 0}, [3]float32{0, 1, 0}
	}
	s := sceneOf(p)
	s.Roots[0].Weights = []float32{2, 3}
	moved := sceneOf(quad(1, 0, p.Material))
	for i := range was {
		v := &moved.Meshes[0].Primitives[0].Positions[i]
		v[0], v[1] = v[0]+2, v[1]+3
	}
	camera := &Camera{Eye: [3]float64{2, 3, 10}, FieldOfView: 0.5}
	if got, want := shoot(t, s, camera), shoot(t, moved, camera); !bytes.Equal(got.Pix, want.Pix) || covered(got) == 0 {
		t.Errorf("%d pixels are covered, want %d", covered(got), covered(want))
	}
	if !slices.Equal(p.Positions, was) {
		t.Errorf("the shape itself was changed: %v", p.Positions)
	}
}

// TestOpaque: a texture is opaque where all of its texels are.
func TestOpaque(t *testing.T) {
	for want, alpha := range map[bool][]byte{true: {255, 255}, false: {255, 254}} {
		m := asset.NewImage(2, 1, asset.RGBA8)
		m.Pix[3], m.Pix[7] = alpha[0], alpha[1]
		if got := newTexels(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}); got.opaque != want {
			t.Errorf("%v: %t", alpha, got.opaque)
		}
	}
	if newTexels(new(asset.Texture)) != nil {
		t.Error("a texture of nothing has texels")
	}
}
