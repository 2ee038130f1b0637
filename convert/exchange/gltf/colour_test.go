package gltf

import (
	"testing"

	"github.com/qmuntal/gltf"

	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestVertexColours: colours that bytes of display values make take 16 bits, and all come back exactly.
func TestVertexColours(t *testing.T) {
	display := func(b int) [4]float32 {
		x := verbs.Linear(float32(b) / 255)
		return [4]float32{x, verbs.Linear(float32(255-b) / 255), x, float32(b) / 255}
	}
	whole := func(steps int) func(int) [4]float32 {
		return func(b int) [4]float32 {
			x := float32(b) / float32(steps)
			return [4]float32{x, x, 1, x}
		}
	}
	for _, c := range []struct {
		name string
		of   func(b int) [4]float32
		want gltf.ComponentType
	}{
		{"bytes of display values", display, gltf.ComponentUshort},
		{"bytes", whole(255), gltf.ComponentUbyte},
		{"numbers of 16 bits that stand for bytes, among others", whole(65535), gltf.ComponentFloat},
		{"alpha as dark bytes have it", func(b int) [4]float32 { return [4]float32{0, 0, 0, verbs.Linear(float32(b) / 255)} }, gltf.ComponentFloat},
		{"anything", func(b int) [4]float32 { return [4]float32{float32(b) / 1000, 0, 0, 1} }, gltf.ComponentFloat},
	} {
		p := &asset.Primitive{Mode: asset.Points}
		for b := range 256 {
			p.Positions, p.Colors = append(p.Positions, [3]float32{float32(b)}), append(p.Colors, c.of(b))
		}
		n := asset.NewNode("n")
		n.Mesh = &asset.Mesh{Name: "m", Primitives: []*asset.Primitive{p}}
		b := encode(t, &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}, nil)
		d := newDecoder(nil, new(schema.Diagnostics))
		s, err := decodeWith(b, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := d.doc.Meshes[0].Primitives[0].Attributes[gltf.COLOR_0]
		if got := d.doc.Accessors[at].ComponentType; got != c.want {
			t.Errorf("%s: component type %v, want %v", c.name, got, c.want)
		}
		for i, got := range s.Meshes[0].Primitives[0].Colors {
			if got != p.Colors[i] {
				t.Errorf("%s: %v comes back as %v", c.name, p.Colors[i], got)
			}
		}
	}
}
