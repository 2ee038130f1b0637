package restore

import (
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// furnished is a part with a shape, two hardpoints and a picture of one colour, as a file holds it.
func furnished() *asset.Scene {
	red := asset.NewImage(2, 1, asset.RGBA8)
	copy(red.Pix, []byte{255, 0, 0, 255, 255, 0, 0, 255})
	t := &asset.Texture{Name: "red", Frames: []asset.Frame{{Mips: []asset.Image{red}}}}
	m := asset.NewMaterial("paint")
	m.BaseColorTexture = &asset.TextureRef{Texture: t}
	mesh := &asset.Mesh{Name: "part", Primitives: []*asset.Primitive{{
		Material: m, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}}},
	}}}
	part := asset.NewNode("part")
	part.Mesh = mesh
	part.Children = []*asset.Node{asset.NewNode("HpA"), asset.NewNode("HpB")}
	return &asset.Scene{Roots: []*asset.Node{part}, Meshes: []*asset.Mesh{mesh}, Materials: []*asset.Material{m}, Textures: []*asset.Texture{t}}
}

// pruned is what glTF-Transform leaves of it.
func pruned() *asset.Scene {
	s := furnished()
	s.Generator = "glTF-Transform v4.5.1"
	p := s.Meshes[0].Primitives[0]
	p.Normals, p.TexCoords = nil, nil
	p.Material.BaseColor, p.Material.BaseColorTexture, s.Textures = [4]float32{1, 0, 0, 1}, nil, nil
	s.Roots[0].Children = nil
	return s
}

func TestRefill(t *testing.T) {
	s, d := pruned(), new(schema.Diagnostics)
	Refill(furnished(), s, d)
	want := furnished()
	want.Generator = s.Generator
	if !reflect.DeepEqual(s, want) {
		t.Errorf("the scene is not what it was: %d children, %v, %d textures", len(s.Roots[0].Children), s.Meshes[0].Primitives[0].TexCoords, len(s.Textures))
	}
	all := d.All()
	if len(all) != 1 || !strings.Contains(all[0].Msg, "2 nodes") || !strings.Contains(all[0].Msg, "HpA, HpB") {
		t.Errorf("said %v", all)
	}
}

// What a person did is kept: a node that was deleted while others stayed, another colour, a moved vertex.
func TestRefillEdited(t *testing.T) {
	s, d := pruned(), new(schema.Diagnostics)
	s.Roots[0].Children = []*asset.Node{asset.NewNode("HpB")}
	p := s.Meshes[0].Primitives[0]
	p.Material.BaseColor = [4]float32{0, 0, 1, 1}
	p.Positions[1] = [3]float32{3, 0, 0}
	Refill(furnished(), s, d)
	if n := len(s.Roots[0].Children); n != 1 || len(d.All()) != 0 {
		t.Errorf("%d children, said %v", n, d.All())
	}
	if p.Material.BaseColorTexture != nil || p.Material.BaseColor != [4]float32{0, 0, 1, 1} {
		t.Errorf("the new colour is gone: %v", p.Material)
	}
	if p.Positions[1] != [3]float32{3, 0, 0} || len(p.TexCoords) != 1 || p.TexCoords[0][1] != [2]float32{1, 0} {
		t.Errorf("vertex at %v, texture coordinates %v", p.Positions[1], p.TexCoords)
	}
}

func TestRefillColors(t *testing.T) {
	was, s := furnished(), furnished()
	s.Generator = "gltfpack 1.3"
	was.Meshes[0].Primitives[0].Colors = [][4]float32{{0.0194, 0, 0, 1}, {0.0194, 0, 0, 1}, {0.5, 0, 0, 1}}
	s.Meshes[0].Primitives[0].Colors = [][4]float32{{0.0196, 0, 0, 1}, {0.1, 0, 0, 1}, {0.5, 0, 0, 1}}
	Refill(was, s, new(schema.Diagnostics))
	if got, want := s.Meshes[0].Primitives[0].Colors, [][4]float32{{0.0194, 0, 0, 1}, {0.1, 0, 0, 1}, {0.5, 0, 0, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("colours %v, want %v", got, want)
	}
}

// Ends without a shape below what usher itself hides, which editors do not see, are no sign that the program leaves them in.
func TestRefillHidden(t *testing.T) {
	s := pruned()
	far := asset.NewNode("far")
	far.Children = []*asset.Node{asset.NewNode("inner")}
	s.Roots[0].LODs = []*asset.Node{far}
	if Refill(furnished(), s, nil); len(s.Roots[0].Children) != 2 {
		t.Errorf("%d children", len(s.Roots[0].Children))
	}
}

// Normals alone come back too; what neither has stays away.
func TestRefillNormals(t *testing.T) {
	for _, had := range []bool{true, false} {
		was, s := furnished(), furnished()
		s.Generator = pruned().Generator
		q, p := was.Meshes[0].Primitives[0], s.Meshes[0].Primitives[0]
		if p.Normals = nil; !had {
			q.Normals = nil
		}
		if Refill(was, s, nil); !reflect.DeepEqual(p.Normals, q.Normals) {
			t.Errorf("normals %v, want %v", p.Normals, q.Normals)
		}
	}
}
