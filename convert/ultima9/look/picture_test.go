package look

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestTitles: the texture and frame that a name tells.
func TestTitles(t *testing.T) {
	for name, want := range map[string]Picture{
		"texture_5": {5, 0}, "5": {5, 0}, "u9_texture_5": {5, 0}, "texture_5_f3": {5, 3}, "texture_5-2": {5, 0}, "texture_5.001": {5, 0},
		"texture_5_f255-12.003.PNG": {5, 255}, "texture_0": {}, "texture_65534": {65534, 0}, "texture_5.jpeg": {5, 0},
	} {
		if got, ok := parseTitle(name); !ok || got != want {
			t.Errorf("%q: %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "texture_", "texture_65535", "texture_65536", "texture_99999", "texture_123456", "texture_5_f256", "texture_5_f", "wall_5", "texture_5.gif", "-5"} {
		if got, ok := parseTitle(name); ok {
			t.Errorf("%q is taken for %v", name, got)
		}
	}
	for _, p := range []Picture{{}, {5, 0}, {5, 3}, {65534, 255}} {
		if got, ok := parseTitle(p.Title()); !ok || got != p {
			t.Errorf("%q is %v", p.Title(), got)
		}
	}
}

// TestTellMap: each edit of a material of the ground that a map cannot hold is told, and no other.
func TestTellMap(t *testing.T) {
	painted := func(shade byte) *asset.Texture {
		m := asset.NewImage(2, 2, asset.RGBA8)
		for i := range m.Pix {
			m.Pix[i] = shade
		}
		return &asset.Texture{Name: "texture_5", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	}
	for name, c := range map[string]struct {
		bare bool // its picture was not at hand
		edit func(m *asset.Material)
		told string
	}{
		"nothing":                     {false, func(*asset.Material) {}, ""},
		"nothing, bare":               {true, func(*asset.Material) {}, ""},
		"another slot":                {false, func(m *asset.Material) { m.Name = "texture_6" }, ""},
		"another name":                {false, func(m *asset.Material) { m.Name = "grass" }, "name"},
		"half transparent":            {false, func(m *asset.Material) { m.BaseColor[3] = 0.5 }, "material-transparent"},
		"red":                         {false, func(m *asset.Material) { m.BaseColor[1] = 0 }, "material-colour"},
		"painted":                     {false, func(m *asset.Material) { m.BaseColorTexture.Texture = painted(9) }, "picture"},
		"no texture":                  {false, func(m *asset.Material) { m.BaseColorTexture = nil }, "texture-gone"},
		"no picture":                  {false, func(m *asset.Material) { m.BaseColorTexture.Texture = nil }, "texture-gone"},
		"without pixels":              {false, func(m *asset.Material) { m.BaseColorTexture.Texture = &asset.Texture{} }, ""},
		"brought":                     {true, func(m *asset.Material) { m.BaseColorTexture.Texture = painted(9) }, "picture"},
		"brought without pixels":      {true, func(m *asset.Material) { m.BaseColorTexture.Texture = &asset.Texture{} }, ""},
		"bare, without a texture":     {true, func(m *asset.Material) { m.BaseColorTexture = nil }, ""},
		"somebody else's, all edited": {false, func(m *asset.Material) { m.Native, m.BaseColor[1], m.BaseColorTexture = nil, 0, nil }, ""},
	} {
		m := asset.NewMaterial("texture_5")
		p := Picture{Slot: 5}
		m.Native = &asset.Native{Format: groundLookName, Values: groundFields(&p).Values()}
		m.BaseColorTexture = &asset.TextureRef{WrapS: asset.Clamp, WrapT: asset.Clamp}
		if !c.bare {
			m.BaseColorTexture.Texture = painted(1)
			scene.SetShown(m.Native, pictureKey, Digest(painted(1)))
		}
		c.edit(m)
		var d schema.Diagnostics
		TellMap(&asset.Scene{Materials: []*asset.Material{m}}, &scene.Capabilities{Target: "a map", Looks: Room}, &d)
		var codes []string
		for _, x := range d.All() {
			codes = append(codes, fmt.Sprint(x.Code))
		}
		if got := strings.Join(codes, " "); got != c.told {
			t.Errorf("%s: told %q, want %q: %v", name, got, c.told, d.All())
		}
	}
}

// TestTellMapWithoutArchives: of materials whose pictures were not at hand, those without one have lost it where others have
// theirs; where the pictures of others were at hand, they had none.
func TestTellMapWithoutArchives(t *testing.T) {
	picture := &asset.Texture{Name: "texture_5", Frames: []asset.Frame{{Mips: []asset.Image{{Format: asset.RGBA8, Width: 1, Height: 1, Pix: []uint8{1, 2, 3, 255}}}}}}
	material := func(slot uint16, atHand bool, t *asset.Texture) *asset.Material {
		m := asset.NewMaterial(fmt.Sprint("texture_", slot))
		m.Native = &asset.Native{Format: groundLookName, Values: groundFields(&Picture{Slot: slot}).Values()}
		if t != nil {
			m.BaseColorTexture = &asset.TextureRef{Texture: t, WrapS: asset.Clamp, WrapT: asset.Clamp}
		}
		if atHand {
			scene.SetShown(m.Native, pictureKey, Digest(t))
		}
		return m
	}
	for _, c := range []struct {
		name      string
		materials []*asset.Material
		told      string
	}{
		{"none has a picture", []*asset.Material{material(5, false, nil), material(6, false, nil)}, ""},
		{"one has", []*asset.Material{material(5, false, picture), material(6, false, nil)}, "picture texture_5, texture-gone texture_6"},
		{"one had", []*asset.Material{material(5, true, picture), material(6, false, nil)}, ""},
		{"one had, one was given one", []*asset.Material{material(5, true, picture), material(7, false, picture), material(6, false, nil)}, "picture texture_7"},
		{"somebody else's has", []*asset.Material{{Name: "wood", BaseColorTexture: &asset.TextureRef{Texture: picture}}, material(6, false, nil)}, ""},
	} {
		var d schema.Diagnostics
		TellMap(&asset.Scene{Materials: c.materials}, &scene.Capabilities{Target: "a map", Looks: Room}, &d)
		var told []string
		for _, x := range d.All() {
			told = append(told, x.Code+" "+x.Path)
		}
		if got := strings.Join(told, ", "); got != c.told {
			t.Errorf("%s: told %q, want %q", c.name, got, c.told)
		}
	}
}
