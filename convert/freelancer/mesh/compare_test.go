package mesh_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema/asset"
)

// TestMergedPieces edits a surface that comes back in several primitives, as programs leave them that join parts: it wears its
// material, with all colours and texture coordinates that any of them has.
func TestMergedPieces(t *testing.T) {
	red := asset.NewMaterial("red")
	piece := func(x float32, sets int, color [][4]float32) *asset.Primitive {
		p := &asset.Primitive{Mode: asset.Triangles, Material: red, Positions: [][3]float32{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}}, Indices: []uint32{0, 1, 2}, Colors: color}
		for range sets {
			p.TexCoords = append(p.TexCoords, [][2]float32{{x, 0}, {1, x}, {x, 1}})
		}
		return p
	}
	dark := [][4]float32{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}
	white := [4]float32{1, 1, 1, 1}
	for _, c := range []struct {
		name   string
		pieces []*asset.Primitive
		sets   int
		colors [][4]float32
	}{
		{"one", []*asset.Primitive{piece(0, 1, nil)}, 1, nil},
		{"two alike", []*asset.Primitive{piece(0, 1, nil), piece(5, 1, nil)}, 1, nil},
		{"more sets in the second", []*asset.Primitive{piece(0, 1, nil), piece(5, 2, nil)}, 2, nil},
		{"more sets in the first", []*asset.Primitive{piece(0, 2, nil), piece(5, 1, nil)}, 2, nil},
		{"colours in the second", []*asset.Primitive{piece(0, 1, nil), piece(5, 1, dark)}, 1, slices.Concat([][4]float32{white, white, white}, dark)},
		{"colours in the first", []*asset.Primitive{piece(0, 1, dark), piece(5, 1, nil)}, 1, slices.Concat(dark, [][4]float32{white, white, white})},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := &asset.Mesh{Primitives: []*asset.Primitive{piece(9, 1, nil)}}
			got := mesh.Merged(base, &asset.Mesh{Primitives: c.pieces})
			if len(got.Primitives) != 1 {
				t.Fatalf("%d primitives", len(got.Primitives))
			}
			p := got.Primitives[0]
			if p.Material != red {
				t.Errorf("it wears %v", p.Material)
			}
			if len(p.TexCoords) != c.sets || !slices.Equal(p.Colors, c.colors) || len(p.Positions) != 3*len(c.pieces) {
				t.Errorf("%d sets, %d points, colours %v", len(p.TexCoords), len(p.Positions), p.Colors)
			}
		})
	}
}
