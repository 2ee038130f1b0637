package unreal

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	encode "github.com/usher-assets/usher/write/media"
)

// The textures of moving.utx that the engine computes, in the order in which they are made.
var computedClasses = []struct{ name, class string }{
	{"Flame", "FireTexture"}, {"Pool", "WaveTexture"}, {"Rings", "WaveTexture"}, {"Pond", "WetTexture"}, {"Pane", "IceTexture"},
}

const movingSide = 64

// moving is a package with a texture of each class that the engine computes, the pictures that they show, and an animation of
// three textures.
func moving(t testing.TB) *archive {
	x, _ := Create(nil)
	a := x.(*archive)
	add(t, a, "Bricks", drawn(movingSide, func(x, y int) byte {
		if y%16 == 0 || (x+y/16*8)%16 == 0 {
			return 0
		}
		return byte(96 + (x*y)%32)
	}, [3]int{1, 2, 4}), format.Texture)
	add(t, a, "Glass", drawn(movingSide, func(x, y int) byte { return byte((x - 32) * (y - 32) / 64) }, [3]int{1, 1, 1}), format.Texture)
	add(t, a, "Embers", drawn(16, func(x, y int) byte { return byte(16*y + x) }, [3]int{1, 3, 9}), format.Texture)
	add(t, a, "Deep", drawn(16, func(x, y int) byte { return byte(16*y + x) }, [3]int{6, 2, 1}), format.Texture)
	for i := range 3 {
		add(t, a, fmt.Sprintf("Blink%d", i), drawn(8, func(x, _ int) byte { return byte(x/4*200 + i*25) }, [3]int{1, 1, 2}), format.Texture)
	}
	for i := range 3 {
		edit(t, a, fmt.Sprintf("Blink%d", i), func(o *unreal.Texture) {
			o.Set("AnimNext", unreal.ObjectProperty, int32(1+exportOf(t, a, fmt.Sprintf("Blink%d", (i+1)%3))))
			o.Set("MaxFrameRate", unreal.FloatProperty, 0x41200000) // 10
		})
	}
	for _, c := range computedClasses {
		r := a.AddExport(a.AddClass("Fire", c.class), 0, c.name, unreal.PrivateFlags)
		o := &unreal.Texture{Mips: []unreal.Mip{{USize: movingSide, VSize: movingSide, UBits: 6, VBits: 6}}}
		o.Context, o.End = a.Context(int(r-1)), a.AddName("None")
		colours := map[string]string{"FireTexture": "Embers", "WetTexture": "Bricks", "IceTexture": "Bricks"}[c.class]
		if colours == "" {
			colours = "Deep"
		}
		of, err := pack.As[unreal.Texture](a.File, exportOf(t, a, colours))
		if err != nil {
			t.Fatal(err)
		}
		o.Set("Palette", unreal.ObjectProperty, int32(of.Ref("Palette")))
		for _, side := range []string{"USize", "VSize", "UClamp", "VClamp"} {
			o.Set(side, unreal.IntProperty, movingSide)
		}
		o.Set("UBits", unreal.ByteProperty, 6)
		o.Set("VBits", unreal.ByteProperty, 6)
		parameters(t, a, o, c.name)
		if err := a.Put(r, o); err != nil {
			t.Fatal(err)
		}
	}
	return openBytes(t, "moving.utx", written(t, a))
}

// parameters sets those of a texture.
func parameters(t testing.TB, a *archive, o *unreal.Texture, name string) {
	octets := func(values map[string]int32) {
		for _, name := range slices.Sorted(func(yield func(string) bool) {
			for name := range values {
				if !yield(name) {
					return
				}
			}
		}) {
			o.Set(name, unreal.ByteProperty, values[name])
		}
	}
	drops := func(list ...unreal.Drop) {
		o.Set("NumDrops", unreal.IntProperty, int32(len(list)))
		for i, d := range list {
			o.Properties = append(o.Properties, unreal.Property{Name: a.AddName("Drops"), Type: unreal.StructProperty, SizeCode: 3, Struct: a.AddName("ADrop"),
				Array: i > 0, Index: int32(i), Value: slices.Clone(d[:])})
		}
	}
	rain := []unreal.Drop{
		{uint8(unreal.DropPhaseSpot), 0, 10, 10, 0, 0, 0, 12}, {uint8(unreal.DropPhaseSpot), 128, 24, 20, 0, 0, 0, 9}, {uint8(unreal.DropRainDrops), 255, 0, 0, 0, 0, 0, 60},
	}
	switch name {
	case "Flame":
		octets(map[string]int32{"RenderHeat": 225})
		o.Set("bRising", unreal.BoolProperty, 1)
		o.Set("SparksLimit", unreal.IntProperty, 512)
		for x := 16; x < 48; x++ {
			o.Sparks = append(o.Sparks, unreal.Spark{uint8(unreal.SparkBurn), 255, uint8(x), 62})
		}
		o.Sparks = append(o.Sparks, unreal.Spark{uint8(unreal.SparkFountain), 255, 32, 40, 0, 160, 0, 4})
	case "Pool":
		octets(map[string]int32{"WaveAmp": 200, "BumpMapLight": 100, "BumpMapAngle": 40, "PhongRange": 140, "PhongSize": 64})
		drops(rain...)
	case "Rings":
		octets(map[string]int32{"WaveAmp": 128, "BumpMapLight": 60, "BumpMapAngle": 170, "PhongRange": 100, "PhongSize": 32})
		drops(rain...)
	case "Pond":
		octets(map[string]int32{"WaveAmp": 96})
		o.Set("SourceTexture", unreal.ObjectProperty, int32(1+exportOf(t, a, "Bricks")))
		drops(rain...)
	case "Pane":
		octets(map[string]int32{"HorizPanSpeed": 188, "VertPanSpeed": 98})
		o.Set("MoveIce", unreal.BoolProperty, 1)
		o.Set("GlassTexture", unreal.ObjectProperty, int32(1+exportOf(t, a, "Glass")))
		o.Set("SourceTexture", unreal.ObjectProperty, int32(1+exportOf(t, a, "Bricks")))
	}
}

// drawn is a square picture in the shades of a colour, which come up one after the other.
func drawn(side int, at func(x, y int) byte, colour [3]int) *asset.Texture {
	m := asset.NewImage(side, side, asset.Indexed8)
	for i := range m.Pix {
		m.Pix[i] = at(i%side, i/side)
	}
	t := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	for i := range 256 {
		t.Palette = append(t.Palette, asset.RGBA{uint8(min(3*i/colour[0], 255)), uint8(min(3*i/colour[1], 255)), uint8(min(3*i/colour[2], 255)), 255})
	}
	return t
}

func exportOf(t testing.TB, a *archive, name string) int {
	for i := range a.Exports {
		if a.Name(a.Exports[i].Name) == name && a.ClassName(unreal.Ref(i+1)) != "Palette" {
			return i
		}
	}
	t.Fatalf("no %s", name)
	return 0
}

// edit changes a texture of a package.
func edit(t testing.TB, a *archive, name string, change func(*unreal.Texture)) {
	t.Helper()
	i := exportOf(t, a, name)
	o, err := pack.As[unreal.Texture](a.File, i)
	if err == nil {
		change(o)
		err = a.Store(i, o)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// seen returns the picture of an entry that the engine computes.
func seen(t testing.TB, a *archive, name string, env *format.Env) (*asset.Texture, error) {
	t.Helper()
	i := entry(t, a, name)
	f := formatOf(a, i)
	if f.Lift != nil || f.Kind != format.Table || f.Seen() == f || f.Seen().Kind != format.Texture {
		t.Fatalf("%s: it is a %s, and seen as a %s", name, f.Kind, f.Seen().Kind)
	}
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Seen().Lift(v, env)
	if err != nil {
		return nil, err
	}
	return x.(*asset.Texture), nil
}

// TestWater: the engine refuses objects of the class that the others are made of; usher shows them.
func TestWater(t *testing.T) {
	a := moving(t)
	a.Exports[exportOf(t, a, "Pool")].Class = a.AddClass("Fire", "WaterTexture")
	still, err := seen(t, a, "Pool", &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	if sum := crc32.ChecksumIEEE(still.Base().Pix); sum != 0x9dc4191e {
		t.Errorf("the picture has the sum %#x", sum)
	}
}

// TestMoving: what the engine computes has one picture, and several where it is to move; the same ones on every machine.
func TestMoving(t *testing.T) {
	a := moving(t)
	sums := map[string]uint32{"Flame": 0x5e16858a, "Pool": 0x70a15008, "Rings": 0xc47e703f, "Pond": 0x7a0a85fc, "Pane": 0xd77e4002}
	for _, c := range computedClasses {
		d := new(schema.Diagnostics)
		still, err := seen(t, a, c.name, &format.Env{Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		if !d.Has("computed") || still.Native == nil || still.Native.Format != objectName {
			t.Errorf("%s: it is not told that the picture is computed", c.name)
		}
		m := still.Base()
		if len(still.Frames) != 1 || m.Width != movingSide || m.Height != movingSide || len(still.Palette) != 256 || still.FPS != 0 {
			t.Errorf("%s: %d frames of %d x %d", c.name, len(still.Frames), m.Width, m.Height)
		}
		if sum := crc32.ChecksumIEEE(m.Pix); sum != sums[c.name] {
			t.Errorf("%s: the picture has the sum %#x, not %#x", c.name, sum, sums[c.name])
		}
		moves, err := seen(t, a, c.name, &format.Env{Moving: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(moves.Frames) != pack.Frames || moves.FPS != 30 || !bytes.Equal(moves.Base().Pix, m.Pix) || bytes.Equal(moves.Frames[pack.Frames-1].Mips[0].Pix, m.Pix) {
			t.Errorf("%s: %d frames at %v a second", c.name, len(moves.Frames), moves.FPS)
		}
	}
}

// TestMovingRefused: why a texture that the engine computes has no picture.
func TestMovingRefused(t *testing.T) {
	for _, c := range []struct {
		name, texture string
		change        func(a *archive, o *unreal.Texture)
		want          string
		class         error
	}{
		{"no source", "Pond", func(_ *archive, o *unreal.Texture) { o.Unset("SourceTexture") }, "SourceTexture: None is not at hand", schema.ErrUnsupported},
		{"a source elsewhere", "Pane", func(a *archive, o *unreal.Texture) {
			pkg := a.AddImport("Core", "Package", 0, "Elsewhere")
			o.Set("GlassTexture", unreal.ObjectProperty, int32(a.AddImport("Engine", "Texture", pkg, "Glass")))
		}, "GlassTexture: Texture'Elsewhere.Glass' is not at hand", schema.ErrUnsupported},
		{"a source that is a palette", "Pond", func(_ *archive, o *unreal.Texture) {
			o.Set("SourceTexture", unreal.ObjectProperty, int32(o.Ref("Palette")))
		}, "is no texture", schema.ErrMismatch},
		{"itself", "Pond", func(a *archive, o *unreal.Texture) {
			o.Set("SourceTexture", unreal.ObjectProperty, int32(1+exportOf(t, a, "Pond")))
		}, "more than 4 textures that move", schema.ErrCycle},
		{"a stripped source", "Pond", func(a *archive, _ *unreal.Texture) {
			edit(t, a, "Bricks", func(o *unreal.Texture) { o.Mips[0].Pixels = nil })
		},
			"Texture'Bricks' has no pixels", schema.ErrUnsupported},
		{"no mip", "Flame", func(_ *archive, o *unreal.Texture) { o.Mips = nil }, "has no size", schema.ErrUnsupported},
		{"huge", "Rings", func(_ *archive, o *unreal.Texture) { o.Mips[0].USize = 1 << 31 }, "computed pictures have 1 to", schema.ErrLimit},
		{"huge both ways", "Flame", func(_ *archive, o *unreal.Texture) { o.Mips[0].USize, o.Mips[0].VSize = 1<<20, 1<<20 }, "computed pictures have 1 to", schema.ErrLimit},
		{"of no pixels", "Pool", func(_ *archive, o *unreal.Texture) { o.Mips[0].VSize = 0 }, "computed pictures have 1 to", schema.ErrLimit},
	} {
		a := moving(t)
		edit(t, a, c.texture, func(o *unreal.Texture) { c.change(a, o) })
		if _, err := seen(t, a, c.texture, nil); err == nil || !strings.Contains(err.Error(), c.want) || schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestMovingThroughMoving: water that shows fire moves with it.
func TestMovingThroughMoving(t *testing.T) {
	a := moving(t)
	edit(t, a, "Pond", func(o *unreal.Texture) {
		o.Set("SourceTexture", unreal.ObjectProperty, int32(1+exportOf(t, a, "Flame")))
		o.Set("NumDrops", unreal.IntProperty, 0)
		o.Set("PrimeCount", unreal.IntProperty, 1)
		o.Set("MaxFrameRate", unreal.FloatProperty, 0x41a00000) // 20
	})
	pond, err := seen(t, a, "Pond", &format.Env{Moving: true})
	if err != nil {
		t.Fatal(err)
	}
	flame, err := seen(t, a, "Flame", &format.Env{Moving: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range pond.Frames {
		if !bytes.Equal(pond.Frames[i].Mips[0].Pix, flame.Frames[i].Mips[0].Pix) {
			t.Fatalf("frame %d of water that does not move is not the fire below it", i)
		}
	}
	if pond.FPS != 20 {
		t.Errorf("%v frames a second", pond.FPS)
	}
}

// animation returns the chain of moving.utx that begins with an entry.
func animation(t testing.TB, a *archive, path string) *asset.Texture {
	t.Helper()
	i := entry(t, a, path)
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	f := formatOf(a, i)
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Lift(v, &format.Env{Moving: true})
	if err != nil {
		t.Fatal(err)
	}
	return x.(*asset.Texture)
}

// TestChain: textures that follow each other are frames of one animation, whichever comes first; an edited frame goes to its own
// texture, and nothing else changes.
func TestChain(t *testing.T) {
	before := payloads(t, moving(t))
	for first := range 3 {
		for edited := -1; edited < 3; edited++ {
			a := moving(t)
			x := animation(t, a, fmt.Sprintf("Blink%d", first))
			var names []string
			for _, f := range x.Frames {
				names = append(names, f.Name)
			}
			want := []string{"Blink0", "Blink1", "Blink2", "Blink0", "Blink1"}[first : first+3]
			if !slices.Equal(names, want) || x.FPS != 10 {
				t.Fatalf("frames %v at %v a second, want %v", names, x.FPS, want)
			}
			if edited >= 0 {
				m := &x.Frames[edited].Mips[0]
				m.Pix = bytes.Clone(m.Pix)
				m.Pix[5] = 77
			}
			n := replaced(t, a, fmt.Sprintf("Blink%d", first), x)
			var changed []string
			for path, b := range payloads(t, n) {
				if !bytes.Equal(b, before[path]) {
					changed = append(changed, path)
				}
			}
			if edited < 0 && len(changed) > 0 || edited >= 0 && !slices.Equal(changed, want[edited:edited+1]) {
				t.Errorf("from %s on, frame %d edited: %v changed", want[0], edited, changed)
			}
			if edited >= 0 && lifted(t, n, want[edited]).(*asset.Texture).Base().Pix[5] != 77 {
				t.Errorf("from %s on: the edit of frame %d did not arrive", want[0], edited)
			}
		}
	}
}

// TestChainOfTwoLists: where textures of an animation have a larger second list, its frames are all of the list that the first one
// shows, and an edited one goes there: the lists keep their sizes.
func TestChainOfTwoLists(t *testing.T) {
	for _, c := range []struct {
		mips  string
		width int
	}{{"", 16}, {"comp", 16}, {"base", 8}} {
		a := moving(t)
		for k := range 3 {
			edit(t, a, fmt.Sprintf("Blink%d", k), func(o *unreal.Texture) {
				b, err := encode.BC1(bytes.Repeat([]byte{byte(k * 100), 0, 0, 255}, 16*16), 16, 16, 0)
				if err != nil {
					t.Fatal(err)
				}
				o.HasComp, o.Compressed = true, []unreal.Mip{{Pixels: b, USize: 16, VSize: 16, UBits: 4, VBits: 4}}
				o.Set("bHasComp", unreal.BoolProperty, 1)
				o.Set("CompFormat", unreal.ByteProperty, int32(unreal.BC1))
			})
		}
		a = openBytes(t, "moving.utx", written(t, a))
		i := entry(t, a, "Blink0")
		v, err := formatOf(a, i).Lift(textureOf(t, a, "Blink0"), &format.Env{Archive: a, Moving: true, Options: format.Options{Unreal: format.UnrealOptions{Mips: c.mips}}})
		if err != nil {
			t.Fatal(err)
		}
		x, before := v.(*asset.Texture), payloads(t, a)
		for k, f := range x.Frames {
			if f.Mips[0].Width != c.width {
				t.Errorf("%q: frame %d is %d pixels wide", c.mips, k, f.Mips[0].Width)
			}
		}
		m := x.Frames[1].Mips[0]
		x.Frames[1].Mips = []asset.Image{{Width: m.Width, Height: m.Height, Format: m.Format, Pix: make([]byte, len(m.Pix))}}
		if m.Format == asset.RGBA8 {
			for i := 3; i < len(m.Pix); i += 4 {
				x.Frames[1].Mips[0].Pix[i] = 255
			}
		}
		a = replaced(t, a, "Blink0", x)
		for path, b := range payloads(t, a) {
			if changed := !bytes.Equal(b, before[path]); changed != (path == "Blink1") {
				t.Errorf("%q: %s, changed %v", c.mips, path, changed)
			}
		}
		o := textureOf(t, a, "Blink1")
		if o.Mips[0].USize != 8 || c.mips != "base" && o.Compressed[0].USize != 16 {
			t.Errorf("%q: the lists are %d and %d pixels wide", c.mips, o.Mips[0].USize, o.Compressed[0].USize)
		}
	}
}

// TestChainEnds: a chain of two is an animation, a texture that none follows is what it is without motion, and one that a palette
// follows is refused.
func TestChainEnds(t *testing.T) {
	for _, c := range []struct {
		texture, last string // after which nothing comes
		want          string // the names of the frames, how many a second, and how many colours
		class         error
	}{
		{"Blink0", "Blink2", "Blink0 Blink1 Blink2 10 256", nil}, {"Blink0", "Blink1", "Blink0 Blink1 10 256", nil},
		{"Blink1", "Blink1", "Blink1 0 256", nil}, {"Bricks", "Blink0", "Bricks 0 256", nil},
		{"Blink0", "Palette", "", schema.ErrMismatch},
	} {
		a := moving(t)
		next := int32(0)
		if c.last == "Palette" {
			o, err := pack.As[unreal.Texture](a.File, exportOf(t, a, "Blink0"))
			if err != nil {
				t.Fatal(err)
			}
			c.last, next = "Blink1", int32(o.Ref("Palette"))
		}
		edit(t, a, c.last, func(o *unreal.Texture) { o.Set("AnimNext", unreal.ObjectProperty, next) })
		i := entry(t, a, c.texture)
		o, err := a.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		v, err := formatOf(a, i).Lift(o, &format.Env{Moving: true})
		got := ""
		if x, ok := v.(*asset.Texture); ok && err == nil {
			for _, f := range x.Frames {
				got += f.Name + " "
			}
			got += fmt.Sprint(x.FPS, len(x.Palette))
		}
		if got != c.want || schema.Class(err) != c.class {
			t.Errorf("%s, with %s the last: %q, want %q: %v", c.texture, c.last, got, c.want, err)
		}
	}
}

// TestLongChain: as many textures follow each other as an animation may have, and not one more.
func TestLongChain(t *testing.T) {
	for _, count := range []int{2, maxChain, maxChain + 1} {
		x, _ := Create(nil)
		a := x.(*archive)
		class := a.AddClass("Engine", "Texture")
		first := unreal.Ref(len(a.Exports) + 1)
		for i := range count {
			r := a.AddExport(class, 0, fmt.Sprintf("T%d", i), unreal.ResourceFlags)
			o := &unreal.Texture{}
			o.Context, o.End = a.Context(int(r-1)), a.AddName("None")
			if i+1 < count {
				o.Set("AnimNext", unreal.ObjectProperty, int32(r+1))
			}
			if err := a.Put(r, o); err != nil {
				t.Fatal(err)
			}
		}
		o, err := pack.As[unreal.Texture](a.File, int(first-1))
		if err != nil {
			t.Fatal(err)
		}
		links, err := chain(a.File, o)
		if long := count > maxChain; (schema.Class(err) == schema.ErrLimit) != long || !long && (err != nil || len(links) != count-1) {
			t.Errorf("%d textures: %d follow, %v", count, len(links), err)
		}
	}
}

// TestChainTwice: of a frame that is edited in two animations the first edit counts, and one in its own texture before all; that is
// told. No old picture comes back with an animation that still shows it.
func TestChainTwice(t *testing.T) {
	type lowered struct {
		path  string
		frame int
		value byte
	}
	for _, c := range []struct {
		name  string
		edits []lowered
		want  byte // of Blink1
		told  bool
	}{
		{"one edit", []lowered{{"Blink0", 1, 77}}, 77, false},
		{"the own one later", []lowered{{"Blink0", 1, 77}, {"Blink1", 0, 99}}, 99, true},
		{"the own one first", []lowered{{"Blink1", 0, 99}, {"Blink0", 1, 77}}, 99, true},
		{"two animations", []lowered{{"Blink0", 1, 77}, {"Blink2", 2, 99}}, 77, true},
		{"another that shows the old one", []lowered{{"Blink1", 0, 99}, {"Blink2", 0, 50}}, 99, true},
		{"the same edit twice", []lowered{{"Blink1", 0, 99}, {"Blink2", 2, 99}}, 99, false},
	} {
		a := moving(t)
		d := new(schema.Diagnostics)
		a.Env.Diagnostics = d
		var shown []*asset.Texture // by files that were made before anything was edited
		for _, e := range c.edits {
			x := animation(t, a, e.path)
			m := &x.Frames[e.frame].Mips[0]
			m.Pix = bytes.Clone(m.Pix)
			m.Pix[5] = e.value
			shown = append(shown, x)
		}
		for k, e := range c.edits {
			i := entry(t, a, e.path)
			f := formatOf(a, i)
			v, err := f.Lower(shown[k], &format.Env{Archive: a, Diagnostics: d})
			if err != nil {
				t.Fatal(err)
			}
			b, err := f.Write(v)
			if err == nil {
				err = a.Replace(i, b)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := lifted(t, a, "Blink1").(*asset.Texture).Base().Pix[5]; got != c.want || d.Has("edited-twice") != c.told {
			t.Errorf("%s: pixel %d, want %d, told %v", c.name, got, c.want, d.Has("edited-twice"))
		}
	}
}

// TestChainRefused: animations that do not fit the textures of a chain.
func TestChainRefused(t *testing.T) {
	for _, c := range []struct {
		name, texture string
		change        func(a *archive, x *asset.Texture)
		want          string // of the error, or of what is told
	}{
		{"a frame less", "Blink0", func(_ *archive, x *asset.Texture) { x.Frames = x.Frames[:2] }, "there are 2, and Blink0 is an animation of 3 textures: Blink0, Blink1, Blink2"},
		{"a frame more", "Blink1", func(_ *archive, x *asset.Texture) { x.Frames = append(x.Frames, x.Frames[0]) }, "there are 4, and Blink1 is an animation of 3 textures: Blink1, Blink2, Blink0"},
		{"no animation", "Bricks", func(_ *archive, x *asset.Texture) { x.Frames = append(x.Frames, x.Frames[0]) }, "loss: the first of 2 frames is taken"},
		{"a frame that is computed", "Blink0", func(a *archive, x *asset.Texture) {
			edit(t, a, "Blink1", func(o *unreal.Texture) { o.Set("AnimNext", unreal.ObjectProperty, int32(1+exportOf(t, a, "Flame"))) })
		}, "frame 2 is Flame, which the engine computes"},
		{"a next one that is no texture", "Blink0", func(a *archive, x *asset.Texture) {
			edit(t, a, "Blink1", func(o *unreal.Texture) { o.Set("AnimNext", unreal.ObjectProperty, int32(o.Ref("Palette"))) })
		}, "which is no texture"},
	} {
		a := moving(t)
		x := animation(t, a, c.texture)
		c.change(a, x)
		i := entry(t, a, c.texture)
		d := new(schema.Diagnostics)
		_, err := formatOf(a, i).Lower(x, &format.Env{Archive: a, Diagnostics: d})
		said := fmt.Sprint(err)
		for _, x := range d.All() {
			said += x.Severity.String() + ": " + x.Msg
		}
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want %q", c.name, said, c.want)
		}
	}
}

// BenchmarkMoving computes the picture of each class; bytes are those of its pixels, in all steps until it is taken.
func BenchmarkMoving(b *testing.B) {
	a := moving(b)
	for _, c := range computedClasses {
		o, err := pack.As[unreal.Texture](a.File, exportOf(b, a, c.name))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.class, func(b *testing.B) {
			b.SetBytes(100 * movingSide * movingSide)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := a.Compute(o, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
