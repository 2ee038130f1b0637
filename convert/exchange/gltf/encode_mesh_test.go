package gltf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema/asset"
)

// TestLayouts: integers lie at every four bytes, which a view says where they are closer; each kind of data has its type.
func TestLayouts(t *testing.T) {
	custom := func(comps int, kind asset.AttributeType) func(p *asset.Primitive) {
		return func(p *asset.Primitive) {
			p.Custom = []asset.Attribute{{Name: "X", Components: comps, Type: kind, Values: make([]float32, 4*comps)}}
		}
	}
	for _, c := range []struct {
		name   string
		set    func(p *asset.Primitive)
		want   string // type of component, of element, bytes of the view, between its elements, what it is for
		second string // attribute
	}{
		{"_X", custom(1, asset.Uint8), "UNSIGNED_BYTE SCALAR 16 4 34962", ""}, {"_X", custom(2, asset.Uint8), "UNSIGNED_BYTE VEC2 16 4 34962", ""}, {"_X", custom(3, asset.Uint8), "UNSIGNED_BYTE VEC3 16 4 34962", ""}, {"_X", custom(4, asset.Uint8), "UNSIGNED_BYTE VEC4 16 0 34962", ""},
		{"_X", custom(1, asset.Uint16), "UNSIGNED_SHORT SCALAR 16 4 34962", ""}, {"_X", custom(2, asset.Uint16), "UNSIGNED_SHORT VEC2 16 0 34962", ""}, {"_X", custom(3, asset.Uint16), "UNSIGNED_SHORT VEC3 32 8 34962", ""}, {"_X", custom(4, asset.Uint16), "UNSIGNED_SHORT VEC4 32 0 34962", ""},
		{"_X", custom(3, asset.Float32), "FLOAT VEC3 48 0 34962", ""},
		{"POSITION", func(*asset.Primitive) {}, "FLOAT VEC3 48 0 34962", ""}, {"NORMAL", func(*asset.Primitive) {}, "FLOAT VEC3 48 0 34962", ""}, {"TEXCOORD_0", func(*asset.Primitive) {}, "FLOAT VEC2 32 0 34962", ""},
		{"COLOR_0", func(p *asset.Primitive) { p.Colors = make([][4]float32, 4) }, "UNSIGNED_BYTE VEC4 16 0 34962", ""}, {"COLOR_0", func(p *asset.Primitive) { p.Colors = [][4]float32{{1.0 / 65535}, {}, {}, {}} }, "UNSIGNED_SHORT VEC4 32 0 34962", ""},
		{"COLOR_0", func(p *asset.Primitive) { p.Colors = [][4]float32{{0.1}, {}, {}, {}} }, "FLOAT VEC4 64 0 34962", ""},
		{"TANGENT", func(p *asset.Primitive) {
			p.Tangents = [][4]float32{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}
		}, "FLOAT VEC4 64 0 34962", ""},
		{"JOINTS_0", func(p *asset.Primitive) {
			m, _ := skinned()
			p.Joints, p.Weights = m.Primitives[0].Joints, m.Primitives[0].Weights
		}, "UNSIGNED_BYTE VEC4 16 0 34962", "WEIGHTS_0"},
		{"JOINTS_0", func(p *asset.Primitive) {
			m, _ := skinned()
			p.Joints, p.Weights = m.Primitives[0].Joints, m.Primitives[0].Weights
			p.Joints[0][2][0] = 256
		}, "UNSIGNED_SHORT VEC4 32 0 34962", "WEIGHTS_0"},
		{"", func(*asset.Primitive) {}, "UNSIGNED_SHORT SCALAR 12 0 34963", ""},
		{"", func(p *asset.Primitive) { p.Positions, p.Normals, p.TexCoords = make([][3]float32, 65534), nil, nil }, "UNSIGNED_SHORT SCALAR 12 0 34963", ""},
		{"", func(p *asset.Primitive) { p.Positions, p.Normals, p.TexCoords = make([][3]float32, 65535), nil, nil }, "UNSIGNED_INT SCALAR 24 0 34963", ""},
	} {
		p := quad()
		c.set(p)
		e, err := build(scene(mesh("m", p)), Options{}, "")
		if err != nil {
			t.Fatal(err)
		}
		doc := e.doc
		g := doc.Meshes[0].Primitives[0]
		at, ok := g.Attributes[c.name]
		if c.name == "" {
			at, ok = *g.Indices, true
		}
		if _, second := g.Attributes[c.second]; !ok || !second && c.second != "" {
			t.Errorf("%s: there are %v", c.name, g.Attributes)
			continue
		}
		a := doc.Accessors[at]
		v := doc.BufferViews[*a.BufferView]
		if got := fmt.Sprint(a.ComponentType, " ", a.Type, " ", v.ByteLength, " ", v.ByteStride, " ", int(v.Target)); got != c.want || v.ByteOffset%4 != 0 || a.Normalized != (c.name == "COLOR_0" && a.ComponentType != gltf.ComponentFloat) || (a.Min != nil) != (c.name == "POSITION") {
			t.Errorf("%s: %s at %d, want %s", c.name, got, v.ByteOffset, c.want)
		}
	}
}

// TestSetsOfMaterials: where a material asks for texture coordinates that a primitive has not, there are some that stand for none, and
// they are none again.
func TestSetsOfMaterials(t *testing.T) {
	for _, c := range []struct {
		set   int
		unlit bool // and the texture is that of its reflections
		sets  int
		drawn bool // the texture has a picture
		want  int
	}{{0, false, 1, true, 1}, {1, false, 1, true, 2}, {3, false, 1, true, 4}, {0, false, 0, true, 1}, {2, false, 3, true, 3}, {3, true, 1, true, 1}, {3, false, 1, false, 1}} {
		m := asset.NewMaterial("m")
		x := picture8("x")
		if !c.drawn {
			x = &asset.Texture{Name: "x"}
		}
		ref := &asset.TextureRef{Texture: x, TexCoord: c.set}
		if m.BaseColorTexture = ref; c.unlit {
			m.BaseColorTexture, m.Unlit, m.Specular = nil, true, &asset.Specular{Factor: 1, Texture: ref}
		}
		p := quad()
		p.Material = m
		p.TexCoords = make([][][2]float32, c.sets)
		for i := range p.TexCoords {
			p.TexCoords[i] = [][2]float32{{1, 2}, {3, 4}, {5, 6}, {7, float32(i)}}
		}
		s := scene(mesh("m", p))
		s.Textures = []*asset.Texture{x}
		d := newDecoder(nil, nil)
		back, err := decodeWith(encode(t, s, nil), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for name := range d.doc.Meshes[0].Primitives[0].Attributes {
			if strings.HasPrefix(name, "TEXCOORD_") {
				got++
			}
		}
		if got != c.want || len(back.Meshes[0].Primitives[0].TexCoords) != c.sets {
			t.Errorf("%+v: %d sets, %d come back", c, got, len(back.Meshes[0].Primitives[0].TexCoords))
		}
	}
}

// TestFiles: a scene as files, whatever its name has in it.
func TestFiles(t *testing.T) {
	s := scene(mesh("m", quad()))
	for _, name := range []string{"x", "X", "a b"} {
		m := asset.NewMaterial(name)
		m.BaseColorTexture = &asset.TextureRef{Texture: picture8(name)}
		s.Materials, s.Textures = append(s.Materials, m), append(s.Textures, m.BaseColorTexture.Texture)
	}
	files, err := EncodeFiles(s, "my 100%", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	equal(t, "files", list, []string{"my 100%.gltf", "my 100%.bin", "my 100%_x.png", "my 100%_X_2.png", "my 100%_a b.png"})
	equal(t, "beside", Beside(files[0].Content), list[1:])
	if text := string(files[0].Content); !strings.HasSuffix(text, "}\n") || !strings.Contains(text, "\n  \"asset\"") {
		t.Errorf("%s", text)
	}
	back, err := Decode(files[0].Content, finder(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := diff(s, back); x != "" {
		t.Errorf("(-want +got):\n%s", x)
	}
	if files, err = EncodeFiles(&asset.Scene{}, "x", Options{}); err != nil || len(files) != 1 || strings.Contains(string(files[0].Content), "buffers") {
		t.Errorf("of nothing: %d files, %v", len(files), err)
	}
}
