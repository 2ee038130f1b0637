package ultimate3d

import (
	"fmt"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// TestProbe: what a file is by its first bytes, and by its name.
func TestProbe(t *testing.T) {
	whole := mustWrite(t, smallModel())
	for _, c := range []struct {
		name string
		head []byte
		want format.Confidence
	}{
		{"a.u3d", whole, format.Certain}, {"a.bin", whole, format.Certain}, {"a.bin", []byte("U3D\x00rest"), format.Plausible}, {"a.U3D", []byte("what else"), 1}, {"a.bin", []byte("what else"), format.No},
	} {
		if got := probe(&format.Input{Name: c.name, Head: c.head}); got != c.want {
			t.Errorf("%s %.4q: %v, want %v", c.name, c.head, got, c.want)
		}
	}
}

// TestFactsOfModels: what is told of a model.
func TestFactsOfModels(t *testing.T) {
	literal, pictured := arm(), smallModel()
	literal.Layout = ultimate3d.LiteralKeys
	pictured.Materials[0].Textures[1] = &ultimate3d.Texture{Identifier: "b.png"}
	pictured.Materials[0].Textures[4] = &ultimate3d.Texture{Identifier: "c.png"}
	const one = "version 1, meshes 1, frames 1, levels of detail 1, vertices 3, triangles 1, materials 1, "
	for _, c := range []struct {
		m    *ultimate3d.Model
		want string
	}{
		{smallModel(), one + "textures [], bones 0"},
		{pictured, one + "textures [b.png c.png], bones 0"},
		{arm(), "version 1, meshes 2, frames 21, levels of detail 1, vertices 6, triangles 2, materials 1, textures [], bones 3, keys 6, skinned false"},
		{literal, "version 1, meshes 2, frames 21, levels of detail 1, vertices 6, triangles 2, materials 1, textures [], bones 3, keys 6, skinned false, key layout literal"},
		{limb(), one + "textures [], bones 2, keys 1, skinned true"},
		{sheet(), "version 1, meshes 1, frames 3, levels of detail 1, vertices 12, triangles 6, materials 2, textures [], bones 0, tweening true"},
	} {
		text := ""
		for i, f := range facts(c.m) {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprint(f.Name, " ", f.Value)
		}
		if text != c.want {
			t.Errorf("%s\nwant %s", text, c.want)
		}
	}
}
