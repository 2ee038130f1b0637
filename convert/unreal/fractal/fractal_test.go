package fractal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

func after(t testing.TB, s Simulation, err error, steps int) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for range steps - 1 {
		s.Step()
	}
	return s.Step()
}

func lit(pix []byte) (n int) {
	for _, p := range pix {
		if p > 0 {
			n++
		}
	}
	return n
}

// burning returns a fire of one spark after some steps.
func burning(t testing.TB, s unreal.Spark, rising bool, steps int) []byte {
	sim, err := NewFire(&Fire{Width: 64, Height: 64, Heat: 230, Rising: rising, Limit: 40, Sparks: []unreal.Spark{s}})
	return after(t, sim, err, steps)
}

// TestSparks: every type of spark makes light, both where fire rises and where it does not; the same on every machine.
func TestSparks(t *testing.T) {
	sum := crc32.NewIEEE()
	for kind := range unreal.SparkTypes {
		for _, rest := range [][7]uint8{{255, 32, 32, 20, 200, 40, 12}, {100, 60, 3, 250, 61, 200, 1}, {180, 1, 250, 128, 5, 9, 90}} {
			s := unreal.Spark(append([]byte{uint8(kind)}, rest[:]...))
			for _, rising := range []bool{false, true} {
				a, b := bytes.Clone(burning(t, s, rising, 60)), burning(t, s, rising, 60)
				if !bytes.Equal(a, b) {
					t.Errorf("type %d: two fires of the same sparks differ", kind)
				}
				if rest[0] == 255 && lit(a) == 0 {
					t.Errorf("type %d, rising %v: dark", kind, rising)
				}
				sum.Write(a)
			}
		}
	}
	sameSum(t, sum.Sum32(), 0xf7346d2b)
}

// sameSum compares pictures with those that somebody looked at.
func sameSum(t *testing.T, got, want uint32) {
	t.Helper()
	if got != want {
		t.Errorf("the pictures have the sum %#x, not %#x", got, want)
	}
}

// TestDrops: every type of drop moves the water, but one at rest that is let alone.
func TestDrops(t *testing.T) {
	sum := crc32.NewIEEE()
	still := bytes.Repeat([]byte{rest}, 64*32)
	for kind := range unreal.DropTypes + 1 {
		for _, at := range [][7]uint8{{255, 16, 12, 0, 0, 9, 24}, {40, 30, 1, 250, 0, 77, 9}} {
			sim, err := NewWater(&Water{Width: 64, Height: 32, Drops: []unreal.Drop{unreal.Drop(append([]byte{uint8(kind)}, at[:]...))}})
			pix := after(t, sim, err, 60)
			if moved := !bytes.Equal(pix, still); moved != (kind < unreal.DropTypes) {
				t.Errorf("type %d: moved %v", kind, moved)
			}
			for range 40 {
				sum.Write(sim.Step())
			}
		}
	}
	sameSum(t, sum.Sum32(), 0x8c08f2ad)
}

// TestThrough: the same for what is seen on the water, below it, and behind glass, however that moves.
func TestThrough(t *testing.T) {
	sum := crc32.NewIEEE()
	write := func(s Simulation, err error) {
		after(t, s, err, 25)
		for range 25 {
			sum.Write(s.Step())
		}
	}
	water := Water{Width: 64, Height: 48, Amplitude: 200, Drops: []unreal.Drop{{uint8(unreal.DropPhaseSpot), 7, 9, 11, 0, 0, 0, 9}, {uint8(unreal.DropDiagonalOsc2), 7, 20, 3, 0, 0, 30, 20}}}
	for _, light := range []uint8{0, 60, 128, 250} {
		write(NewWave(&Wave{Water: water, Light: light, View: 170, Range: 90, Size: light}))
	}
	write(NewWet(&Wet{water, ramp(64, 48)}))
	write(NewWet(&Wet{water, ramp(30, 20)}))
	for panning := range unreal.PanWavyY + 2 {
		for _, glass := range []bool{false, true} {
			write(NewIce(&Ice{Width: 64, Height: 48, Glass: ramp(20, 30), Source: ramp(50, 40), Panning: panning, Across: 200, Down: 100, Frequency: 40, Amplitude: 13, MoveGlass: glass}))
		}
	}
	sameSum(t, sum.Sum32(), 0xac390fd0)
}

// TestFire: what is known of fire, in pixels.
func TestFire(t *testing.T) {
	const w = 64
	for _, c := range []struct {
		name   string
		spark  unreal.Spark
		rising bool
		steps  int
		want   map[[2]int]int // heat by place; −1 is any but 0
	}{
		{"a pulse begins where it is stored, and becomes brighter by D", unreal.Spark{uint8(unreal.SparkPulse), 100, 5, 6, 0, 0, 0, 7}, false, 1, map[[2]int]int{{5, 6}: 107}},
		{"and so on, beyond 255 from the start", unreal.Spark{uint8(unreal.SparkPulse), 250, 5, 6, 0, 0, 0, 7}, false, 1, map[[2]int]int{{5, 6}: 1}},
		{"heat goes to the sides and up", unreal.Spark{uint8(unreal.SparkPulse), 200, 5, 6, 0, 0, 0, 0}, false, 2, map[[2]int]int{{5, 6}: 200, {4, 6}: 49, {6, 6}: 49, {5, 5}: 49, {5, 7}: 0}},
		{"where it rises, to the row above and the one above that", unreal.Spark{uint8(unreal.SparkPulse), 200, 5, 6, 0, 0, 0, 0}, true, 2, map[[2]int]int{{5, 6}: 200, {4, 5}: 49, {5, 5}: 49, {6, 5}: 49, {5, 4}: 49, {4, 6}: 0}},
		{"what leaves at the top comes in below", unreal.Spark{uint8(unreal.SparkPulse), 200, 0, 0, 0, 0, 0, 0}, true, 2, map[[2]int]int{{0, 63}: 49, {63, 63}: 49, {0, 62}: 49}},
		{"a flash goes from one end to the other", unreal.Spark{uint8(unreal.SparkLineLightning), 200, 1, 30, 61, 0, 0, 0}, false, 1, map[[2]int]int{{1, 30}: -1, {62, 30}: 200}},
		{"and darker where it is a ramp", unreal.Spark{uint8(unreal.SparkRampLightning), 200, 1, 30, 61, 0, 0, 0}, false, 1, map[[2]int]int{{62, 30}: 0}},
		{"a star leaves no trace", unreal.Spark{uint8(unreal.SparkStars), 200, 9, 9, 0, 0, 0, 0}, false, 9, map[[2]int]int{{9, 9}: 200, {8, 9}: 0, {9, 8}: 0}},
		{"a place outside is wrapped", unreal.Spark{uint8(unreal.SparkPulse), 100, 64 + 5, 128 + 6, 0, 0, 0, 7}, false, 1, map[[2]int]int{{5, 6}: 107}},
	} {
		pix := burning(t, c.spark, c.rising, c.steps)
		for at, want := range c.want {
			if got := int(pix[at[1]*w+at[0]]); got != want && (want != -1 || got == 0) {
				t.Errorf("%s: %d at %v, want %d", c.name, got, at, want)
			}
		}
	}
}

// TestHeat: the hotter, the longer fire is seen; only at 255 it never goes out.
func TestHeat(t *testing.T) {
	was := -1
	for heat := 0; heat < 256; heat += 15 {
		sim, err := NewFire(&Fire{Width: 64, Height: 64, Heat: uint8(heat), Sparks: []unreal.Spark{{uint8(unreal.SparkPulse), 255, 32, 32}}})
		n := lit(after(t, sim, err, 40))
		if n < was {
			t.Errorf("heat %d lights %d pixels, and less heat %d", heat, n, was)
		}
		was = n
	}
	if was != 64*64 {
		t.Errorf("at 255 %d pixels are lit", was)
	}
}

// TestLimit: no more sparks fly than there may be, and none that a package says beyond those of the engine.
func TestLimit(t *testing.T) {
	for _, limit := range []int{-5, 0, 1, 2, 50, 1 << 30} {
		sparks := make([]unreal.Spark, 2*unreal.MaxSparks)
		for i := range sparks {
			sparks[i] = unreal.Spark{uint8(unreal.SparkWheel), 255, uint8(i), uint8(i), 0, 255, 3, 0}
		}
		for _, n := range []int{1, len(sparks)} {
			sim, err := NewFire(&Fire{Width: 64, Height: 64, Heat: 230, Limit: limit, Sparks: sparks[:n]})
			after(t, sim, err, 300/n+3)
			f := sim.(*fire)
			if len(f.emitters) > unreal.MaxSparks || len(f.particles) > max(limit-n, 0) || len(f.particles)+len(f.emitters) > unreal.MaxSparks {
				t.Errorf("limit %d: %d sparks emitted %d", limit, len(f.emitters), len(f.particles))
			}
		}
	}
}

// TestWater: a wave spreads to all sides alike, and the water comes to rest.
func TestWater(t *testing.T) {
	w, err := newWater(&Water{Width: 64, Height: 64, Drops: []unreal.Drop{{uint8(unreal.DropFixedDepth), 255, 16, 16}}})
	if err != nil {
		t.Fatal(err)
	}
	w.step()
	w.drops = nil
	for range 6 {
		w.step()
	}
	at := func(x, y int) uint8 { return w.now[y*w.width+x] }
	for d := range 10 {
		if at(16+d, 16) != at(16-d, 16) || at(16, 16+d) != at(16, 16-d) || at(16+d, 16) != at(16, 16+d) {
			t.Errorf("%d cells away: %d %d %d %d", d, at(16+d, 16), at(16-d, 16), at(16, 16+d), at(16, 16-d))
		}
	}
	for range 2000 {
		w.step()
	}
	for i, high := range w.now {
		if high < rest-2 || high > rest+2 {
			t.Fatalf("cell %d is %d high after 2000 steps", i, high)
		}
	}
}

// ramp is a picture that becomes brighter to the right, and by 64 from row to row.
func ramp(width, height int) Layer {
	pix := make(Still, width*height)
	for i := range pix {
		pix[i] = byte(i%width + i/width*64)
	}
	return Layer{width, height, pix}
}

// TestBent: what is seen through water at rest and through clear glass is as it is; glass moves it by its own height.
func TestBent(t *testing.T) {
	source := ramp(64, 32)
	wet, err := NewWet(&Wet{Water{Width: 64, Height: 32, Amplitude: 255}, source})
	if got := after(t, wet, err, 9); !bytes.Equal(got, source.Step()) {
		t.Error("water at rest bends the picture")
	}
	for _, c := range []struct {
		name         string
		glass        byte
		across, down uint8
		move         bool
		steps, want  int // the pixel at 0, 0
	}{
		{"clear glass", 0, 128, 128, true, 5, 0}, {"a pane", 7, 128, 128, true, 5, 7}, {"a pane that moves", 7, 200, 128, true, 60, 7},
		{"the picture moves against the slider", 0, 128 - 6, 128, false, 10, 1}, {"and with a pane", 7, 128 - 60, 128, false, 10, 17}, {"around", 63, 128 - 60, 128, false, 2, 1},
	} {
		glass := Layer{16, 16, Still(bytes.Repeat([]byte{c.glass}, 256))}
		ice, err := NewIce(&Ice{Width: 64, Height: 32, Glass: glass, Source: source, Across: c.across, Down: c.down, MoveGlass: c.move})
		if got := after(t, ice, err, c.steps)[0]; int(got) != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	circle, err := NewIce(&Ice{Width: 64, Height: 32, Glass: Layer{1, 1, Still{0}}, Source: source, Across: 128, Down: 128, Panning: unreal.PanCircular, Frequency: 64, Amplitude: 10})
	var seen []byte
	for range 16 {
		seen = append(seen, after(t, circle, err, 1)[0]%64) // its column
	}
	if want := []byte{9, 7, 3, 0, 61, 57, 55, 54, 55, 57, 61, 0, 3, 7, 9, 10}; !bytes.Equal(seen, want) {
		t.Errorf("a circle of radius 10: %v, want %v", seen, want)
	}
}

// TestLight: light from the side makes slopes seen; the highlight takes its share of the palette.
func TestLight(t *testing.T) {
	for _, c := range []struct {
		name              string
		light, view, part uint8
		flat              uint8
	}{
		{"from above", 128, 128, 100, 255}, {"from above, without a highlight", 128, 128, 0, 255}, {"from the side", 0, 0, 0, 0}, {"looked at from elsewhere", 128, 255, 255, 0},
	} {
		got := shades(&Wave{Water: Water{Amplitude: 128}, Light: c.light, View: c.view, Range: c.part, Size: 0})
		if got[255] != c.flat {
			t.Errorf("%s: flat water has shade %d, want %d", c.name, got[255], c.flat)
		}
	}
	side := shades(&Wave{Water: Water{Amplitude: 128}, Light: 60, View: 128})
	if side[0] <= side[255] || side[255] <= side[510] {
		t.Errorf("light from the left: %d, %d, %d", side[0], side[255], side[510])
	}
}

// TestSizes: sizes without pixels and such that nobody can wait for are refused, and odd ones are not.
func TestSizes(t *testing.T) {
	makers := map[string]func(w, h int) (Simulation, error){
		"fire": func(w, h int) (Simulation, error) {
			return NewFire(&Fire{Width: w, Height: h, Limit: 9, Sparks: []unreal.Spark{{uint8(unreal.SparkSphereLightning), 255, 255, 255, 0, 0, 255, 0}}})
		},
		"water": func(w, h int) (Simulation, error) {
			return NewWater(&Water{Width: w, Height: h, Drops: []unreal.Drop{{uint8(unreal.DropAreaClamp), 9, 255, 255, 0, 0, 0, 255}}})
		},
		"wave": func(w, h int) (Simulation, error) { return NewWave(&Wave{Water: Water{Width: w, Height: h}}) },
		"wet":  func(w, h int) (Simulation, error) { return NewWet(&Wet{Water{Width: w, Height: h}, ramp(3, 5)}) },
		"below": func(w, h int) (Simulation, error) {
			return NewWet(&Wet{Water{Width: 3, Height: 5}, Layer{w, h, Still(make([]byte, max(w*h, 0)%(maxPixels+1)))}})
		},
		"ice": func(w, h int) (Simulation, error) {
			return NewIce(&Ice{Width: w, Height: h, Glass: ramp(3, 5), Source: ramp(5, 3), Across: 255})
		},
		"glass": func(w, h int) (Simulation, error) {
			return NewIce(&Ice{Width: 4, Height: 4, Glass: Layer{Width: w, Height: h, Simulation: Still(make([]byte, max(w*h, 0)%(maxPixels+1)))}, Source: ramp(5, 3)})
		},
	}
	for name, make := range makers {
		for _, size := range [][2]int{{0, 1}, {1, 0}, {-1, -1}, {1 << 20, 2}, {1 << 31, 1 << 33}, {-1 << 63, 1}, {1 << 62, 4}} {
			if _, err := make(size[0], size[1]); schema.Class(err) != schema.ErrLimit {
				t.Errorf("%s of %v: %v", name, size, err)
			}
		}
		for _, size := range [][2]int{{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {33, 5}, {300, 2}} {
			s, err := make(size[0], size[1])
			if err != nil {
				t.Errorf("%s of %v: %v", name, size, err)
				continue
			}
			for range 5 {
				s.Step()
			}
		}
	}
}

// FuzzFire and FuzzWater: no parameters stop a simulation.
func FuzzFire(f *testing.F) {
	for kind := range unreal.SparkTypes {
		f.Add([]byte{8, 8, 200, byte(kind), byte(kind), 255, 3, 4, 5, 200, 77, 128})
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 4 || len(b) > 400 {
			return
		}
		p := &Fire{Width: int(b[0]) + 1, Height: int(b[1]) + 1, Heat: b[2], Rising: b[3]&1 > 0, Limit: int(b[3]) * 8}
		for b = b[4:]; len(b) >= 8; b = b[8:] {
			p.Sparks = append(p.Sparks, unreal.Spark(b))
		}
		s, err := NewFire(p)
		if pix := after(t, s, err, 8); len(pix) != p.Width*p.Height {
			t.Fatalf("%d pixels", len(pix))
		}
	})
}

func FuzzWater(f *testing.F) {
	for kind := range unreal.DropTypes {
		f.Add([]byte{8, 8, 200, byte(kind), byte(kind), 255, 3, 4, 5, 200, 77, 128})
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 4 || len(b) > 400 {
			return
		}
		p := Water{Width: int(b[0]) + 1, Height: int(b[1]) + 1, Amplitude: b[2]}
		seed := binary.LittleEndian.Uint32(b)
		for b = b[4:]; len(b) >= 8; b = b[8:] {
			p.Drops = append(p.Drops, unreal.Drop(b))
		}
		wave, err := NewWave(&Wave{Water: p, Light: byte(seed), View: byte(seed >> 8), Range: byte(seed >> 16), Size: byte(seed >> 24)})
		after(t, wave, err, 8)
		wet, err := NewWet(&Wet{p, ramp(3, 5)})
		below := Layer{p.Width, p.Height, wet}
		ice, err2 := NewIce(&Ice{Width: 9, Height: 3, Glass: below, Source: below, Panning: unreal.Panning(seed % 7), Across: byte(seed), Down: byte(seed >> 8), Frequency: 255, Amplitude: 255})
		if err == nil {
			err = err2
		}
		after(t, ice, err, 8)
	})
}

// Benchmarks of a step of a picture as large as those of the games; bytes are its pixels.
func BenchmarkStep(b *testing.B) {
	var sparks []unreal.Spark
	for i := range 60 {
		sparks = append(sparks, unreal.Spark{uint8(unreal.SparkEels), 255, uint8(4 * i), uint8(7 * i), 0, 0, 96})
	}
	drops := []unreal.Drop{{uint8(unreal.DropPhaseSpot), 0, 20, 30, 0, 0, 0, 8}, {uint8(unreal.DropHorizontalLine), 90, 20, 30, 0, 0, 0, 80}}
	water := Water{Width: 256, Height: 256, Amplitude: 128, Drops: drops}
	for _, c := range []struct {
		name string
		make func() (Simulation, error)
	}{
		{"fire", func() (Simulation, error) {
			return NewFire(&Fire{Width: 256, Height: 256, Heat: 230, Limit: 1024, Sparks: sparks})
		}},
		{"wave", func() (Simulation, error) {
			return NewWave(&Wave{Water: water, Light: 50, View: 170, Range: 180, Size: 32})
		}},
		{"wet", func() (Simulation, error) { return NewWet(&Wet{water, ramp(256, 256)}) }},
		{"ice", func() (Simulation, error) {
			return NewIce(&Ice{Width: 256, Height: 256, Glass: ramp(256, 256), Source: ramp(256, 256), Across: 200, MoveGlass: true})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := c.make()
			after(b, s, err, 100)
			b.SetBytes(256 * 256)
			b.ReportAllocs()
			for b.Loop() {
				s.Step()
			}
		})
	}
}

func ExampleNewFire() {
	fire, err := NewFire(&Fire{Width: 64, Height: 64, Heat: 230, Rising: true, Sparks: []unreal.Spark{{uint8(unreal.SparkBurn), 255, 32, 63}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 50 {
		fire.Step()
	}
	fmt.Println(len(fire.Step()), "palette indices")
	// Output: 4096 palette indices
}
