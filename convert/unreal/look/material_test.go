package look

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// The rule by which the game takes textures: MultiSkins by index, Skin for the first and for open ones, Texture for
// what mirrors its surroundings.
func TestSlot(t *testing.T) {
	w := pack.Outfit{Skin: pack.Link{Ref: 7}, Texture: pack.Link{Ref: 8}}
	w.Multi[1] = pack.Link{Ref: 5}
	for _, c := range []struct {
		skin Skin
		want unreal.Ref
	}{
		{Skin{Index: 0, Texture: 3}, 7}, {Skin{Index: 1, Texture: 3}, 5}, {Skin{Index: 2, Texture: 3}, 0}, {Skin{Index: 2}, 7},
		{Skin{Index: 9}, 7}, {Skin{Index: -1}, 0}, {Skin{Index: 1, Flags: unreal.PolyEnvironment}, 8},
	} {
		if got := slot(&w, c.skin).Ref; got != c.want {
			t.Errorf("%+v: %d, want %d", c.skin, got, c.want)
		}
	}
}

// TestMix: every choice of the flags that say how a surface is drawn. What cannot be seen mixes with nothing, and holes
// are stronger than modulation.
func TestMix(t *testing.T) {
	const i, m, l, d = unreal.PolyInvisible, unreal.PolyMasked, unreal.PolyTranslucent, unreal.PolyModulated
	for flags, want := range map[uint32]scene.Mix{
		0: "", m: "", l: "screen", d: "modulate", m | l: "screen", m | d: "", l | d: "screen", m | l | d: "screen",
		i: "", i | m: "", i | l: "", i | d: "", i | m | l: "", i | m | d: "", i | l | d: "", i | m | l | d: "",
	} {
		if got := mixOf(flags | unreal.PolyTwoSided); got != want {
			t.Errorf("%v: %q, want %q", unreal.FlagNames(flags, unreal.PolyFlags), got, want)
		}
	}
}

// TestNameOfSkin: of a picture that is not at hand the name counts, in whatever case.
func TestNameOfSkin(t *testing.T) {
	shows := func(name string) *asset.Material {
		m := asset.NewMaterial("wall")
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(1, 1, asset.RGBA8)}}}}}
		return m
	}
	stored := asset.NewMaterial("wall")
	stored.Native = &asset.Native{Format: "unreal-mesh"}
	scene.SetShown(stored.Native, "texture", "Texture'UT.Woodf3'")
	for name, want := range map[string]bool{"Woodf3": true, "WOODf3": true, "Woodf3.001": true, "Woodf4": false, "Robe": false} {
		if got := sameSkin(stored, shows(name)); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	scene.SetShown(stored.Native, "skin", "Texture'Skins.Robe'") // what a class wears is shown in its place
	for name, want := range map[string]bool{"Robe": true, "robe": true, "Woodf3": false} {
		if got := sameSkin(stored, shows(name)); got != want {
			t.Errorf("%q for what is worn: %v", name, got)
		}
	}
}

// TestFlagsOf: each look that somebody gives a material sets its flag or takes it away, and no other.
func TestFlagsOf(t *testing.T) {
	const two, unlit, rough, masked, clear, hidden, other = unreal.PolyTwoSided, unreal.PolyUnlit, unreal.PolyNoSmooth,
		unreal.PolyMasked, unreal.PolyTranslucent, unreal.PolyInvisible, unreal.PolyEnvironment
	for name, c := range map[string]struct {
		flags any
		holes bool // its picture has some
		edit  func(m *asset.Material)
		want  uint32
	}{
		"nothing":              {uint32(two | unlit | rough | masked | other), false, func(*asset.Material) {}, two | unlit | rough | masked | other},
		"nothing, see-through": {uint32(clear | other), false, func(*asset.Material) {}, clear | other},
		"nothing, hidden":      {uint32(hidden | masked), false, func(*asset.Material) {}, hidden | masked},
		"one side":             {uint32(two | unlit), false, func(m *asset.Material) { m.DoubleSided = false }, unlit},
		"two sides":            {uint32(other), false, func(m *asset.Material) { m.DoubleSided = true }, two | other},
		"lit":                  {uint32(two | unlit), false, func(m *asset.Material) { m.Unlit = false }, two},
		"unlit":                {uint32(other), false, func(m *asset.Material) { m.Unlit = true }, unlit | other},
		"smooth":               {uint32(rough | other), false, func(m *asset.Material) { m.BaseColorTexture.Filter = 0 }, other},
		"rough":                {uint32(other), false, func(m *asset.Material) { m.BaseColorTexture.Filter = asset.Nearest }, rough | other},
		"without its picture":  {uint32(rough | other), false, func(m *asset.Material) { m.BaseColorTexture = nil }, rough | other},
		"without its pixels":   {uint32(rough | other), false, func(m *asset.Material) { m.BaseColorTexture = &asset.TextureRef{} }, rough | other},
		"opaque":               {uint32(masked | other), false, func(m *asset.Material) { m.Alpha = asset.Opaque }, other},
		"with holes":           {uint32(other), false, func(m *asset.Material) { m.Alpha = asset.Mask }, masked | other},
		"see-through":          {uint32(masked | other), false, func(m *asset.Material) { m.Alpha = asset.Blend }, clear | other},
		"holes instead":        {uint32(clear | other), false, func(m *asset.Material) { m.Alpha = asset.Mask }, masked | other},
		"holes of its picture": {uint32(other), true, func(m *asset.Material) { m.Alpha = asset.Mask }, other},
		"a picture with holes": {uint32(clear), true, func(m *asset.Material) { m.Alpha = asset.Mask }, masked},
		"new":                  {nil, false, func(m *asset.Material) { m.Native = nil; m.DoubleSided = true }, two},
		"another number": {int64(two), false, func(m *asset.Material) {
			m.Native.Values["polyFlags"] = two | rough | unlit
			m.DoubleSided, m.Unlit, m.BaseColorTexture = true, true, nil
		}, two | rough | unlit},
		"hidden by its number": {int64(other), false, func(m *asset.Material) {
			m.Native.Values["polyFlags"] = hidden | other
			m.Alpha = asset.Blend // as what is hidden is shown
		}, hidden | other},
		"the largest number":         {float64(1<<32 - 1), false, func(*asset.Material) {}, 1<<32 - 1},
		"a number that is too large": {float64(1 << 32), false, func(m *asset.Material) { m.Unlit = true }, unlit},
		"a number below zero":        {float64(-1), false, func(m *asset.Material) { m.Unlit = true }, unlit},
	} {
		m := asset.NewMaterial("wall")
		x := &asset.Texture{Name: "wall"}
		if c.holes {
			x.Alpha = asset.Mask
		}
		m.BaseColorTexture = &asset.TextureRef{Texture: x}
		m.Native = &asset.Native{Values: map[string]any{"polyFlags": c.flags}}
		if flags, ok := scene.Number(c.flags); ok && flags >= 0 && flags < 1<<32 {
			applyFlags(m, uint32(flags))
			if uint32(flags)&rough != 0 {
				m.BaseColorTexture.Filter = asset.Nearest
			}
		}
		c.edit(m)
		if got := FlagsOf(m); got != c.want {
			t.Errorf("%s: %v, want %v", name, unreal.FlagNames(got, unreal.PolyFlags), unreal.FlagNames(c.want, unreal.PolyFlags))
		}
	}
	if FlagsOf(nil) != 0 {
		t.Error("flags of no material")
	}
}

// TestMissing: of textures that are not at hand the packages are told, each once and in the order of their names.
func TestMissing(t *testing.T) {
	for _, c := range []struct{ textures, want string }{
		{"", ""},
		{"Walls.Brick", "1 texture is not at hand, of the packages Walls: name the game's folder with --install"},
		{"Walls.Brick Doors.Oak WALLS.Stone Doors.Oak", "3 textures are not at hand, of the packages Doors, Walls: name the game's folder with --install"},
	} {
		f, env := pack.Scratch(), &format.Env{Diagnostics: new(schema.Diagnostics)}
		skins := NewSkins(f, &asset.Scene{Name: "room"}, env)
		refs := map[string]unreal.Ref{}
		for _, path := range strings.Fields(c.textures) {
			pkg, name, _ := strings.Cut(path, ".")
			if refs[path] == 0 {
				refs[path] = f.AddImport("Engine", "Texture", f.AddImport("Core", "Package", 0, pkg), name)
			}
			if skins.Of(f).Texture(0) != nil || skins.Texture(refs[path]) != nil {
				t.Errorf("%s: it is there", path)
			}
		}
		skins.Tell()
		var told string
		for _, d := range env.Diagnostics.All() {
			if d.Severity == schema.Warning {
				told += d.Text()
			}
		}
		if told != c.want {
			t.Errorf("%q: told %q", c.textures, told)
		}
	}
}

// wardrobe is a package with a texture, one that has holes, and one whose pixels somebody took out.
func wardrobe(t *testing.T) (f *pack.File, plain, holes, bare unreal.Ref) {
	t.Helper()
	f = pack.Scratch()
	var refs []unreal.Ref
	for _, name := range []string{"Plain", "Holes", "Bare"} {
		m := asset.NewImage(2, 2, asset.Indexed8)
		x := &asset.Texture{Name: name, Palette: []asset.RGBA{{1, 2, 3, 255}}, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
		if name == "Holes" {
			x.Palette[0][3] = 0
		}
		o, err := f.Painter(&format.Env{}).New(x)
		if err != nil {
			t.Fatal(err)
		}
		if name == "Bare" {
			o.Mips[0].Pixels = nil
		}
		r, err := f.AddObject("Texture", name, o)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, r)
	}
	return f, refs[0], refs[1], refs[2]
}

// TestMaterial: a material shows its texture, as the flags of the polygon and the texture's own holes say; of one that cannot be
// shown the reason is told, once.
func TestMaterial(t *testing.T) {
	f, plain, holes, bare := wardrobe(t)
	for _, c := range []struct {
		texture unreal.Ref
		flags   uint32
		alpha   asset.AlphaMode
		filter  asset.Filter
		shown   bool
		told    int
	}{
		{plain, 0, asset.Opaque, asset.Unset, true, 0},
		{plain, unreal.PolyMasked, asset.Mask, asset.Unset, true, 0},
		{plain, unreal.PolyNoSmooth, asset.Opaque, asset.Nearest, true, 0},
		{holes, 0, asset.Mask, asset.Unset, true, 0},
		{holes, unreal.PolyTranslucent, asset.Blend, asset.Unset, true, 0},
		{bare, 0, asset.Opaque, asset.Unset, false, 1},
		{0, 0, asset.Opaque, asset.Unset, false, 0},
	} {
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		skins := NewSkins(f, &asset.Scene{Name: "room"}, env)
		k := Skin{Texture: c.texture, Index: 3, Flags: c.flags}
		m := skins.Material(k)
		skins.Material(Skin{Texture: c.texture, Index: 4, Flags: c.flags}) // of the same texture
		if skins.Material(k) != m || len(skins.Scene.Materials) != 2 || len(skins.Scene.Textures) > 1 {
			t.Errorf("%d materials, %d textures", len(skins.Scene.Materials), len(skins.Scene.Textures))
		}
		filter := asset.Unset
		if m.BaseColorTexture != nil {
			filter = m.BaseColorTexture.Filter
		}
		if m.Alpha != c.alpha || filter != c.filter || (m.BaseColorTexture != nil) != c.shown || m.Absent != (c.texture == bare) || len(env.Diagnostics.All()) != c.told {
			t.Errorf("texture %d, %v: %+v, %v", c.texture, unreal.FlagNames(c.flags, unreal.PolyFlags), m, env.Diagnostics.All())
		}
	}
}

// TestShowFlags: where the number of the flags was edited a material looks as that says; a look that was edited stays as it is, so
// that what is lost of it can be told.
func TestShowFlags(t *testing.T) {
	const two, rough, masked, clear, hidden = unreal.PolyTwoSided, unreal.PolyNoSmooth, unreal.PolyMasked, unreal.PolyTranslucent, unreal.PolyInvisible
	f, plain, holes, _ := wardrobe(t)
	for _, c := range []struct {
		name    string
		was, is uint32
		holes   bool
		edit    func(m *asset.Material)
		alpha   asset.AlphaMode
		seen    float32
		filter  asset.Filter
		two     bool
	}{
		{"as it was", two | rough, two | rough, false, nil, asset.Opaque, 1, asset.Nearest, true},
		{"see-through", two, two | clear, false, nil, asset.Blend, 1, asset.Unset, true},
		{"no more", two | clear, two, false, nil, asset.Opaque, 1, asset.Unset, true},
		{"no more, with holes of its own", clear, 0, true, nil, asset.Mask, 1, asset.Unset, false},
		{"with holes", 0, masked, false, nil, asset.Mask, 1, asset.Unset, false},
		{"rough", 0, rough, false, nil, asset.Opaque, 1, asset.Nearest, false},
		{"smooth", rough, two, false, nil, asset.Opaque, 1, asset.Unset, true},
		{"smooth by hand, of two sides by its number", 0, two, false, func(m *asset.Material) { m.BaseColorTexture.Filter = asset.Linear }, asset.Opaque, 1, asset.Linear, true},
		{"rough by hand, of two sides by its number", 0, two, false, func(m *asset.Material) { m.BaseColorTexture.Filter = asset.Nearest }, asset.Opaque, 1, asset.Nearest, true},
		{"hidden", two, two | hidden, false, nil, asset.Blend, 0, asset.Unset, true},
		{"hidden no more", hidden, two, false, nil, asset.Opaque, 1, asset.Unset, true},
		{"hidden no more, with holes of its own", hidden, two, true, nil, asset.Mask, 1, asset.Unset, true},
		{"hidden, shown by hand", hidden, hidden, false, func(m *asset.Material) { m.Alpha, m.BaseColor[3] = asset.Opaque, 1 }, asset.Opaque, 1, asset.Unset, false},
		{"hidden, shown by hand from two sides", hidden, hidden, false, func(m *asset.Material) { m.Alpha, m.BaseColor[3], m.DoubleSided = asset.Opaque, 1, true }, asset.Opaque, 1, asset.Unset, true},
		{"without a picture", 0, clear, false, func(m *asset.Material) { m.BaseColorTexture = nil }, asset.Blend, 1, asset.Unset, false},
		{"without what was kept", hidden, hidden, false, func(m *asset.Material) { m.Native, m.Alpha = nil, asset.Mask }, asset.Mask, 0, asset.Unset, false},
	} {
		texture := plain
		if c.holes {
			texture = holes
		}
		s := &asset.Scene{}
		m := NewSkins(f, s, &format.Env{}).Material(Skin{Texture: texture, Flags: c.was})
		m.Native.Values["polyFlags"] = float64(c.is)
		if c.edit != nil {
			c.edit(m)
		}
		showFlags(s)
		filter := asset.Unset
		if m.BaseColorTexture != nil {
			filter = m.BaseColorTexture.Filter
		}
		if m.Alpha != c.alpha || m.BaseColor[3] != c.seen || filter != c.filter || m.DoubleSided != c.two {
			t.Errorf("%s: %v, %v, filter %v, two sides %v", c.name, m.Alpha, m.BaseColor, filter, m.DoubleSided)
		}
	}
}

// TestPictureOfSkin: pictures are alike when each pixel that somebody sees is, but for rounding.
func TestPictureOfSkin(t *testing.T) {
	shows := func(w, h int, format asset.PixelFormat, pix ...byte) *asset.Material {
		m := asset.NewMaterial("wall")
		x := asset.NewImage(w, h, format)
		copy(x.Pix, pix)
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "wall", Frames: []asset.Frame{{Mips: []asset.Image{x}}}}}
		return m
	}
	two := func(pix ...byte) *asset.Material {
		return shows(2, 1, asset.RGBA8, append([]byte{9, 9, 9, 255}, pix...)...)
	}
	none, empty := asset.NewMaterial("wall"), asset.NewMaterial("wall")
	empty.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "wall"}}
	const off = pictureTolerance
	for _, c := range []struct {
		name string
		a, b *asset.Material
		want bool
	}{
		{"alike", two(50, 60, 70, 80), two(50, 60, 70, 80), true},
		{"rounded", two(50, 60, 70, 80), two(50+off, 60-off, 70+off, 80-off), true},
		{"red", two(50, 60, 70, 80), two(51+off, 60, 70, 80), false},
		{"green", two(50, 60, 70, 80), two(50, 59-off, 70, 80), false},
		{"blue", two(50, 60, 70, 80), two(50, 60, 71+off, 80), false},
		{"alpha", two(50, 60, 70, 80), two(50, 60, 70, 79-off), false},
		{"unseen", two(50, 60, 70, 0), two(250, 160, 7, 0), true},
		{"seen now", two(50, 60, 70, 0), two(250, 60, 70, 1), false},
		{"seen before", two(250, 60, 70, 1), two(50, 60, 70, 0), false},
		{"lower", shows(2, 2, asset.RGBA8), shows(2, 1, asset.RGBA8), false},
		{"wider", shows(1, 2, asset.RGBA8), shows(2, 2, asset.RGBA8), false},
		{"heights", shows(1, 1, asset.Gray16), shows(1, 1, asset.Gray16), true},
		{"heights now", shows(1, 1, asset.RGBA8), shows(1, 1, asset.Gray16), false},
		{"heights before", shows(1, 1, asset.Gray16), shows(1, 1, asset.RGBA8), false},
		{"none", none, none, true},
		{"a new one", none, two(), false},
		{"one that is gone", two(), none, false},
		{"now without pixels to compare", two(), empty, true},
		{"without pixels to compare", empty, two(), true},
	} {
		if got := sameSkin(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
