package look

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"
)

// TestMaterialBytes: a record rides along byte for byte, but for its faces, and of another length it is none.
func TestMaterialBytes(t *testing.T) {
	b := make([]byte, ultima9.MaterialSize)
	for i := range b {
		b[i] = byte(i + 1)
	}
	for i := 8; i < 12; i++ {
		b[i] = 0 // the faces
	}
	m, ok := parseMaterial(b)
	if got := materialBytes(m); !ok || !slices.Equal(got, b) {
		t.Errorf("% x, want % x", got, b)
	}
	if m.Texture != 0x0201 || m.Flags != 0x0605 || m.DefaultAlpha != 13 || m.ActiveAlpha != 14 || m.Current != 17 || m.FPS != 18 || m.Type != 19 || m.Timer != 0x18171615 {
		t.Errorf("%+v", m)
	}
	for _, length := range []int{0, len(b) - 1, len(b) + 1} {
		if _, ok := parseMaterial(make([]byte, length)); ok {
			t.Errorf("%d bytes are a material", length)
		}
	}
}

// TestAdditive: light is what shows its own picture as light.
func TestAdditive(t *testing.T) {
	flame, smoke := &asset.Texture{Name: "flame"}, &asset.Texture{Name: "smoke"}
	for _, c := range []struct {
		name string
		edit func(m *asset.Material)
		want bool
	}{
		{"as it is shown", func(*asset.Material) {}, true},
		{"a copy of its picture", func(m *asset.Material) { m.EmissiveTexture.Texture = &asset.Texture{Name: "flame"} }, true},
		{"another picture", func(m *asset.Material) { m.EmissiveTexture.Texture = smoke }, false},
		{"no picture of light", func(m *asset.Material) { m.EmissiveTexture.Texture = nil }, false},
		{"no texture of light", func(m *asset.Material) { m.EmissiveTexture = nil }, false},
		{"no picture", func(m *asset.Material) { m.BaseColorTexture.Texture = nil }, false},
		{"no texture", func(m *asset.Material) { m.BaseColorTexture = nil }, false},
		{"neither", func(m *asset.Material) { m.BaseColorTexture, m.EmissiveTexture = nil, nil }, false},
		{"dark", func(m *asset.Material) { m.Emissive = [3]float32{} }, false},
		{"with holes", func(m *asset.Material) { m.Alpha = asset.Mask }, false},
	} {
		m := asset.NewMaterial("m")
		m.Alpha, m.Emissive = asset.Blend, [3]float32{1, 1, 1}
		m.BaseColorTexture, m.EmissiveTexture = &asset.TextureRef{Texture: flame}, &asset.TextureRef{Texture: flame}
		if c.edit(m); additive(m) != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
	}
}

// stored is a material of ours that wears a texture.
func stored(slot uint16, edit func(m *ultima9.Material)) *asset.Material {
	m := ultima9.Material{Texture: slot, DefaultAlpha: 0xFF, ActiveAlpha: 0xFF}
	if edit != nil {
		edit(&m)
	}
	a := asset.NewMaterial(Picture{m.Texture, m.Current}.Title())
	a.Native = &asset.Native{Format: materialName, Payload: materialBytes(m), Values: fields(&m).Values()}
	return a
}

// TestFreeSlots: new textures get slots that neither names nor records nor archives have, one each.
func TestFreeSlots(t *testing.T) {
	edited := stored(5, nil)
	edited.Name, edited.Native.Values["texture"] = "door", 2
	s := &asset.Scene{
		Textures:  []*asset.Texture{{Name: "texture_1"}, {Name: "wood"}},
		Materials: []*asset.Material{asset.NewMaterial("texture_0"), edited, asset.NewMaterial("stone"), stored(ultima9.NoTexture, nil)},
	}
	files := u9.Held{"bitmap16.flx": archive(t, map[int]*asset.Texture{4: striped(1, 2)})}
	var out []string
	d := new(schema.Diagnostics)
	env := &format.Env{Files: files, Diagnostics: d, Emit: func(name string, content []byte) error {
		out = append(out, fmt.Sprint(name, " ", len(content) > 0))
		return nil
	}}
	r := NewLowerer(s, env)
	if got := slices.Sorted(maps.Keys(r.taken)); !slices.Equal(got, []int{0, 1, 2, ultima9.NoTexture}) {
		t.Errorf("taken %v", got)
	}
	wood, brick := striped(10, 20), striped(30, 40)
	wood.Name, brick.Name = "wood", "brick"
	stored := &asset.Texture{Name: "file", File: &asset.Stored{Encoding: "png", Data: []byte("PNG")}}
	for _, c := range []struct {
		texture *asset.Texture
		want    uint16
	}{{wood, 3}, {brick, 5}, {wood, 3}, {stored, 6}, {&asset.Texture{Name: "nothing"}, 7}} {
		if got, err := r.slot(asset.NewMaterial("m"), c.texture); err != nil || got != c.want {
			t.Errorf("%s: slot %d, %v; want %d", c.texture.Name, got, err, c.want)
		}
	}
	if want := []string{"3.tex true", "5.tex true", "6.png true"}; !slices.Equal(out, want) {
		t.Errorf("handed out %q, want %q", out, want)
	}
	lost := 0
	for _, x := range d.All() {
		if x.Code == "texture-new" && x.Severity == schema.Loss {
			lost++
		}
	}
	if lost != 1 {
		t.Errorf("%d pictures have no place: %v", lost, d.All())
	}
	for i := range ultima9.NoTexture {
		r.taken[i] = true
	}
	if _, err := r.slot(asset.NewMaterial("m"), striped(5, 5)); schema.Class(err) != schema.ErrLimit {
		t.Errorf("no slot is free: %v", err)
	}
}

// TestFresh: what a material that somebody made becomes.
func TestFresh(t *testing.T) {
	picture := func(name string, wrapS, wrapT asset.Wrap) *asset.TextureRef {
		x := striped(1, 2)
		x.Name = name
		return &asset.TextureRef{Texture: x, WrapS: wrapS, WrapT: wrapT}
	}
	for _, c := range []struct {
		name string
		edit func(m *asset.Material)
		want ultima9.Material
		told string
	}{
		{"invisible", func(m *asset.Material) { m.Name, m.BaseColor[3] = "invisible", 0 }, ultima9.Material{Texture: ultima9.NoTexture}, ""},
		{"invisible by name alone", func(m *asset.Material) { m.Name = "invisible" }, ultima9.Material{Texture: 0}, "no-textures texture-new no-texture"},
		{"a slot by its name", func(m *asset.Material) { m.Name = "texture_9_f2" }, ultima9.Material{Texture: 9, Current: 2}, ""},
		{"a slot by its picture", func(m *asset.Material) { m.BaseColorTexture = picture("texture_8_f1", asset.Repeat, asset.Repeat) }, ultima9.Material{Texture: 8, Current: 1}, ""},
		{"clamped across", func(m *asset.Material) { m.BaseColorTexture = picture("texture_8", asset.Clamp, asset.Repeat) }, ultima9.Material{Texture: 8, Flags: ultima9.RenderClampS}, ""},
		{"clamped down", func(m *asset.Material) { m.BaseColorTexture = picture("texture_8", asset.Mirror, asset.Clamp) }, ultima9.Material{Texture: 8, Flags: ultima9.RenderClampT}, ""},
		{"a picture", func(m *asset.Material) { m.BaseColorTexture = picture("wood", asset.Repeat, asset.Repeat) }, ultima9.Material{Texture: 0}, "no-textures texture-new"},
		{"a colour", func(m *asset.Material) { m.BaseColor = [4]float32{1, 0, 0, 1} }, ultima9.Material{Texture: 0}, "no-textures texture-new no-texture"},
		{"a colour on a picture", func(m *asset.Material) {
			m.BaseColor, m.BaseColorTexture = [4]float32{1, 0, 0, 1}, picture("texture_8", asset.Repeat, asset.Repeat)
		}, ultima9.Material{Texture: 8}, "material-colour"},
	} {
		d := new(schema.Diagnostics)
		r := NewLowerer(new(asset.Scene), &format.Env{Files: u9.Held{}, Diagnostics: d})
		m := asset.NewMaterial("m")
		c.edit(m)
		got, err := r.Material(m)
		c.want.DefaultAlpha, c.want.ActiveAlpha = 0xFF, 0xFF
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
		if again, err := r.Material(m); err != nil || again != got {
			t.Errorf("%s: the second time it is %+v, %v", c.name, again, err)
		}
		var codes []string
		for _, x := range d.All() {
			codes = append(codes, x.Code)
		}
		if told := strings.Join(codes, " "); told != c.told {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}

// TestStoredMaterials: what an edit of a material of ours changes of its record.
func TestStoredMaterials(t *testing.T) {
	named := func(name string) *asset.TextureRef { return &asset.TextureRef{Texture: &asset.Texture{Name: name}} }
	was := ultima9.Material{Texture: 5, Current: 1, DefaultAlpha: 0xFF, ActiveAlpha: 0x80, Flags: ultima9.RenderClampS, FPS: 7}
	for _, c := range []struct {
		name string
		edit func(a *asset.Material)
		want func(m *ultima9.Material)
		told string
	}{
		{"nothing", func(*asset.Material) {}, func(*ultima9.Material) {}, ""},
		{"another picture", func(a *asset.Material) { a.BaseColorTexture.Texture = &asset.Texture{Name: "texture_9_f3"} }, func(m *ultima9.Material) { m.Texture, m.Current = 9, 3 }, ""},
		{"a new picture", func(a *asset.Material) { a.BaseColorTexture.Texture = &asset.Texture{Name: "wood"} }, func(m *ultima9.Material) { m.Texture, m.Current = 0, 0 }, "no-textures texture-new"},
		{"another value", func(a *asset.Material) { a.Native.Values["texture"] = 9 }, func(m *ultima9.Material) { m.Texture = 9 }, ""},
		{"another value and picture", func(a *asset.Material) {
			a.Native.Values["texture"] = 9
			a.BaseColorTexture.Texture = &asset.Texture{Name: "texture_10"}
		}, func(m *ultima9.Material) { m.Texture = 9 }, ""},
		{"another name", func(a *asset.Material) { a.Name = "texture_12" }, func(m *ultima9.Material) { m.Texture, m.Current = 12, 0 }, "texture-number"},
		{"repeated", func(a *asset.Material) { a.BaseColorTexture.WrapS = asset.Repeat }, func(m *ultima9.Material) { m.Flags = 0 }, ""},
		{"clamped", func(a *asset.Material) { a.BaseColorTexture.WrapT = asset.Clamp }, func(m *ultima9.Material) { m.Flags |= ultima9.RenderClampT }, ""},
		{"less to see", func(a *asset.Material) { a.BaseColor[3] = 0.25 }, func(m *ultima9.Material) { m.ActiveAlpha = 64 }, ""},
		{"all to see", func(a *asset.Material) { a.BaseColor[3] = 1 }, func(m *ultima9.Material) { m.ActiveAlpha = 255 }, ""},
		{"as good as before", func(a *asset.Material) { a.BaseColor[3] += 1.0 / 600 }, func(*ultima9.Material) {}, ""},
		{"a colour", func(a *asset.Material) { a.BaseColor[0] = 0 }, func(*ultima9.Material) {}, "material-colour"},
		{"no picture, which it had", func(a *asset.Material) { a.BaseColorTexture = nil; scene.SetShown(a.Native, pictureKey, 0) }, func(*ultima9.Material) {}, "texture-gone"},
		{"no picture, which it had not", func(a *asset.Material) { a.BaseColorTexture = nil }, func(*ultima9.Material) {}, ""},
		{"a record that is damaged", func(a *asset.Material) {
			a.Native.Payload, a.Native.Values = nil, map[string]any{"texture": 5}
			a.BaseColorTexture, a.BaseColor[3] = named("texture_5"), 1
			a.Alpha = asset.Opaque
		}, func(m *ultima9.Material) {
			*m = ultima9.Material{Texture: 5, DefaultAlpha: 0xFF, ActiveAlpha: 0xFF}
		}, ""},
	} {
		a := stored(5, func(m *ultima9.Material) { *m = was })
		show(a, was, &asset.Texture{Name: "texture_5_f1"}, asset.Opaque)
		c.edit(a)
		d := new(schema.Diagnostics)
		r := NewLowerer(new(asset.Scene), &format.Env{Files: u9.Held{}, Diagnostics: d})
		r.taken = map[int]bool{}
		want := was
		c.want(&want)
		if got, err := r.Material(a); err != nil || got != want {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", c.name, got, err, want)
		}
		var codes []string
		for _, x := range d.All() {
			codes = append(codes, x.Code)
		}
		if told := strings.Join(codes, " "); told != c.told {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}
