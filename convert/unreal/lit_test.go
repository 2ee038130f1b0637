package unreal

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestShine: what part of a light falls on a point, for every way in which lights fall.
func TestShine(t *testing.T) {
	const reach = 100
	up, aside, down := mgl32.Vec3{0, 0, 1}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 0, -1}
	falloff := func(v float64) float64 { return (1 + 2*v*v*v - 3*v*v) / v }
	for _, c := range []struct {
		name   string
		effect uint8
		at     mgl32.Vec3 // from the point
		normal mgl32.Vec3
		axis   mgl32.Vec3
		outer  float32
		want   float64
	}{
		{name: "near", at: mgl32.Vec3{0, 0, 20}, normal: up, want: 1},
		{name: "at the point", at: mgl32.Vec3{0, 0, 0}, normal: up, want: 1},
		{name: "far", at: mgl32.Vec3{0, 0, 80}, normal: up, want: falloff(0.8)},
		{name: "from behind as well", at: mgl32.Vec3{0, 0, 80}, normal: down, want: falloff(0.8)},
		{name: "under an angle", at: mgl32.Vec3{48, 0, 64}, normal: up, want: falloff(0.8) * 0.8},
		{name: "along the surface", at: mgl32.Vec3{50, 0, 0}, normal: up, want: 0},
		{name: "too far", at: mgl32.Vec3{0, 0, 100}, normal: up, want: 0},
		{name: "non-incidence", effect: effectNonIncidence, at: mgl32.Vec3{25, 0, 0}, normal: up, want: 0.75},
		{name: "non-incidence too far", effect: effectNonIncidence, at: mgl32.Vec3{125, 0, 0}, normal: up, want: 0},
		{name: "shell", effect: effectShell, at: mgl32.Vec3{0, 90, 0}, normal: up, want: 1},
		{name: "inside of the shell", effect: effectShell, at: mgl32.Vec3{0, 70, 0}, normal: up, want: 0},
		{name: "on its inner side", effect: effectShell, at: mgl32.Vec3{0, 85, 0}, normal: up, want: 0.5},
		{name: "cylinder, however high", effect: effectCylinder, at: mgl32.Vec3{50, 0, 4000}, normal: aside, want: 0.75},
		{name: "beside the cylinder", effect: effectCylinder, at: mgl32.Vec3{90, 90, 0}, normal: up, want: 0},
		{name: "bump map", effect: effectOmniBump, at: mgl32.Vec3{0, 0, 20}, normal: up, want: 0},
		{name: "spot ahead", effect: effectSpot, at: mgl32.Vec3{0, 0, 20}, normal: up, axis: down, outer: 0.5, want: 1},
		{name: "spot aside", effect: effectStaticSpot, at: mgl32.Vec3{0, 0, 20}, normal: up, axis: mgl32.Vec3{0.6, 0, -0.8}, outer: 0.5, want: 0.36},
		{name: "spot that looks away", effect: effectSpot, at: mgl32.Vec3{0, 0, 20}, normal: up, axis: up, outer: 0.5, want: 0},
		{name: "spot without a cone", effect: effectSpot, at: mgl32.Vec3{0, 0, 20}, normal: up, axis: down, outer: 1, want: 0},
	} {
		s := shine{at: c.at.Add(mgl32.Vec3{7, 8, 9}), axis: c.axis, reach: reach, effect: c.effect, outer: c.outer}
		if got := s.on(mgl32.Vec3{7, 8, 9}, c.normal); !(math.Abs(float64(got)-c.want) <= 1e-5) { // nor is it no number
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPaint: colours of lights, shadows, ambient light and surfaces that nothing reaches, in a picture of light.
func TestPaint(t *testing.T) {
	m := &unreal.Model{
		// A red light on all texels, a green one on the first column alone.
		LightBits: []byte{0b11111, 0b11111, 0b11111, 0b00001, 0b00001, 0b00001},
		LightMaps: []unreal.LightMap{{UClamp: 5, VClamp: 3, UScale: 2, VScale: 2, Light: 0}, {UClamp: 3, VClamp: 3, Light: -1}},
		Lights:    []unreal.Ref{5, 6, 0},
	}
	m.Context = &unreal.Context{}
	a := newAtlas([]*unreal.Model{m}, nil)
	x := a.models[m.Path]
	wall := polygon{light: 0, normal: [3]float32{0, 0, 1}, axisU: [3]float32{1, 0, 0}, axisV: [3]float32{0, 1, 0}, base: [3]float32{100, 200, 300}}
	dark, bare := wall, wall
	dark.light, bare.light = 1, -1
	world := func() *scenery {
		w := newArchive(pack.Scratch()).lamps()
		w.shines[5] = &shine{at: mgl32.Vec3{104, 202, 310}, colour: mgl32.Vec3{0.5, 0, 0}, reach: 1000}
		w.shines[6] = &shine{at: mgl32.Vec3{100, 202, 310}, colour: mgl32.Vec3{0, 8, 0}, reach: 1000}
		return &scenery{lamps: w, place: mgl64.Ident4()}
	}
	a.paint(x, []polygon{wall, dark, bare}, world())
	img := a.colours.Base()
	texel := func(x, y int) [4]byte { return [4]byte(img.Pix[4*(y*img.Width+x):]) }
	p := x.places[0]
	at := func(dx, dy int) float64 { // cosine of the red light: the falloff is 1 so near
		v := mgl64.Vec3{104 - 100 - 2*float64(dx), 202 - 200 - 2*float64(dy), 10}
		return 10 / v.Len()
	}
	for _, c := range []struct {
		name string
		x, y int
		want [4]byte
	}{
		{"no light map", 0, 0, [4]byte{128, 128, 128, 255}},
		{"no light", 0, 1, [4]byte{0, 0, 0, 255}},
		{"below the red one", p.x + 2, p.y + 1, [4]byte{128, 0, 0, 255}},
		{"at the edge", p.x + 4, p.y, [4]byte{byte(255*0.5*at(4, 0) + 0.5), 0, 0, 255}},
		{"both, and no more than white", p.x, p.y + 1, [4]byte{byte(255*0.5*at(0, 1) + 0.5), 255, 0, 255}},
		{"the soft edge of a shadow", p.x + 1, p.y + 1, [4]byte{byte(255*0.5*at(1, 1) + 0.5), 255, 0, 255}},
	} {
		if got := texel(c.x, c.y); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// The model of a mover, turned and far away, is lit by what is beside it there.
	b := newAtlas([]*unreal.Model{m}, nil)
	moved := world()
	moved.place = mgl64.Translate3D(1000, -20, 30).Mul4(mgl64.HomogRotate3DY(1))
	for _, s := range moved.lamps.shines {
		*s = *s.within(moved.place.Inv().Inv())
	}
	b.paint(b.models[m.Path], []polygon{wall, dark, bare}, moved)
	for i, c := range b.colours.Base().Pix {
		if d := int(c) - int(img.Pix[i]); d > 1 || d < -1 {
			t.Fatalf("byte %d of a model in another place is %d, want %d", i, c, img.Pix[i])
		}
	}
}

// TestLitColour: the channels of a light, and how they grow with its brightness.
func TestLitColour(t *testing.T) {
	for _, c := range []struct {
		hue, saturation, brightness uint8
		want                        mgl32.Vec3
	}{
		{0, 255, 255, mgl32.Vec3{0.816, 0.816, 0.816}},
		{90, 255, 64, mgl32.Vec3{0.4088, 0.4088, 0.4088}},
		{0, 0, 255, mgl32.Vec3{0.816, 0, 0}},
		{85, 0, 255, mgl32.Vec3{0, 0.816, 0}},
		{170, 0, 255, mgl32.Vec3{0, 0, 0.816}},
		{0, 130, 255, mgl32.Vec3{0.816, 0.4237, 0.4237}},
		{0, 255, 0, mgl32.Vec3{}},
	} {
		if got := litColour(c.hue, c.saturation, c.brightness); !got.ApproxEqualThreshold(c.want, 1e-3) {
			t.Errorf("%d, %d, %d: %v, want %v", c.hue, c.saturation, c.brightness, got, c.want)
		}
	}
}

// TestTellLight: an edited picture of light is named once; one as it was, one of a file that kept no digest, and none are not.
func TestTellLight(t *testing.T) {
	level := func(pixel byte) *asset.Scene {
		img := asset.NewImage(1, 1, asset.Gray8)
		img.Pix[0] = pixel
		m := asset.NewMaterial("wall")
		m.LightTexture = &asset.TextureRef{Texture: &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{img}}}}}
		return &asset.Scene{Native: &asset.Native{Format: levelName}, Materials: []*asset.Material{m, m}}
	}
	for _, c := range []struct {
		name   string
		change func(s *asset.Scene)
		want   int
	}{
		{"as it was", func(s *asset.Scene) {}, 0},
		{"painted", func(s *asset.Scene) { s.Materials[0].LightTexture = level(9).Materials[0].LightTexture }, 1},
		{"no picture", func(s *asset.Scene) { s.Materials[0].LightTexture = nil }, 0},
		{"unreadable", func(s *asset.Scene) { s.Materials[0].LightTexture.Texture.Frames = nil }, 1},
		{"no digest", func(s *asset.Scene) { *s = *level(9) }, 0},
	} {
		s := level(7)
		keepLight(s)
		c.change(s)
		d := &schema.Diagnostics{}
		tellLight(s, "MyLevel", d)
		if n := len(d.All()); n != c.want {
			t.Errorf("%s: %d lines, want %d: %v", c.name, n, c.want, d.All())
		}
	}
}

// TestSoften: what of a light reaches a texel is that of its neighbours as well; beyond the edge are none but itself.
func TestSoften(t *testing.T) {
	m := &mapped{Model: &unreal.Model{LightMaps: []unreal.LightMap{{Offset: 2, UClamp: 3, VClamp: 2}}, LightBits: []byte{255, 255, 255, 255, 0b001, 0b100}}}
	reached, rows := make([]uint8, 6), make([]uint8, 6)
	for n, want := range [][]uint8{{16, 16, 16, 16, 16, 16}, {9, 4, 3, 3, 4, 9}} {
		mapOf{m, 0}.soften(n, reached, rows)
		if !slices.Equal(reached, want) {
			t.Errorf("light %d reaches %v, want %v", n, reached, want)
		}
	}
	wide := &mapped{Model: &unreal.Model{LightMaps: []unreal.LightMap{{UClamp: 10, VClamp: 1}}, LightBits: []byte{0b10000001, 0b10}}}
	reached, rows = make([]uint8, 10), make([]uint8, 10)
	mapOf{wide, 0}.soften(0, reached, rows)
	if !slices.Equal(reached, []uint8{12, 4, 0, 0, 0, 0, 4, 8, 8, 12}) {
		t.Errorf("ten texels: %v", reached)
	}
}

// BenchmarkLight: a light map of 128 × 128 texels that four lights reach.
func BenchmarkLight(b *testing.B) {
	const size, lights = 128, 4
	m := &mapped{Model: &unreal.Model{
		Lights:    []unreal.Ref{1, 2, 3, 4, 0},
		LightMaps: []unreal.LightMap{{UClamp: size, VClamp: size, UScale: 1, VScale: 1}},
		LightBits: bytes.Repeat([]byte{0b10110111}, lights*size*size/8),
	}, places: []place{{0, 0, size, size}}}
	w := &lamps{shines: map[unreal.Ref]*shine{}}
	for r := range unreal.Ref(lights) {
		w.shines[r+1] = &shine{at: mgl32.Vec3{float32(r) * 32, 64, 40}, colour: mgl32.Vec3{0.5, 0.4, 0.3}, reach: 200}
	}
	img := asset.NewImage(size, size, asset.RGBA8)
	a := &atlas{colours: &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{img}}}}}
	q := &polygon{axisU: [3]float32{1, 0, 0}, axisV: [3]float32{0, 1, 0}, normal: [3]float32{0, 0, 1}}
	b.SetBytes(int64(len(img.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		a.light(mapOf{m, 0}, q, mgl32.Vec3{}, w, mgl64.Ident4())
	}
	if img.Pix[4*(64*size+32)] == 0 {
		b.Fatal("no light")
	}
}

// TestShineOfActors: how a light falls follows from its actor, however often somebody asks; what is no light, or not there, shines
// not at all.
func TestShineOfActors(t *testing.T) {
	a := hall(t, 69)
	w := a.lamps()
	round := func(v mgl32.Vec3) mgl32.Vec3 {
		for k := range v {
			v[k] = float32(math.Round(float64(v[k])*1000) / 1000)
		}
		return v
	}
	for range 2 {
		for _, c := range []struct {
			r        unreal.Ref
			at, axis mgl32.Vec3
			effect   uint8
		}{
			{a.FindExport("Light0", "Light"), mgl32.Vec3{64, 32, 16}, mgl32.Vec3{1, 0, 0}, 0},
			{a.FindExport("Light1", "Light"), mgl32.Vec3{10, 20, 30}, mgl32.Vec3{0.653, 0.271, -0.707}, effectSpot},
		} {
			s := w.shine(c.r)
			if s == nil || s.at != c.at || !round(s.axis).ApproxEqualThreshold(c.axis, 1e-3) || s.effect != c.effect || s.reach != 25*65 || math.Abs(float64(s.outer)-127./255) > 1e-6 {
				t.Errorf("%s: %+v, want %+v", a.ObjectName(c.r), s, c)
			}
		}
		for _, r := range []unreal.Ref{0, -1, 9999, a.FindExport("PlayerStart0", "PlayerStart"), a.FindExport("Wall", "Texture")} {
			if s := w.shine(r); s != nil {
				t.Errorf("%d shines: %+v", r, s)
			}
		}
	}
}
