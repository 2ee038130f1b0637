package mesh_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema/asset"
)

// TestFollowed edits a mesh of two triangles under lines of all kinds of ends.
func TestFollowed(t *testing.T) {
	corners := [][3]float32{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}}
	square := func(at ...[3]float32) *asset.Mesh {
		return &asset.Mesh{Primitives: []*asset.Primitive{{Mode: asset.Triangles, Positions: at, Indices: []uint32{0, 1, 2, 0, 2, 3}}}}
	}
	strange := [3]float32{9, 9, 9} // a vertex of another level
	scaled := square([3]float32{0, 0, 0}, [3]float32{8, 0, 0}, [3]float32{8, 8, 0}, [3]float32{0, 8, 0})
	renamed := square(scaled.Primitives[0].Positions...)
	renamed.Primitives[0].Material = asset.NewMaterial("another")
	less := square(corners...)
	less.Primitives[0].Positions, less.Primitives[0].Indices = corners[:3], []uint32{0, 1, 2}
	for _, c := range []struct {
		name       string
		edited     *asset.Mesh
		a, b       [3]float32
		want       [][3]float32 // ends of the line; none when it is left out
		lost, torn int
		whole      bool
	}{
		{"nothing is edited", square(corners...), corners[0], corners[1], [][3]float32{corners[0], corners[1]}, 0, 0, true},
		{"nothing is edited, and an end is strange", square(corners...), strange, corners[1], [][3]float32{strange, corners[1]}, 0, 0, true},
		{"both ends move", scaled, corners[1], corners[2], [][3]float32{{8, 0, 0}, {8, 8, 0}}, 0, 0, true},
		{"one end moves", scaled, corners[0], corners[2], [][3]float32{{0, 0, 0}, {8, 8, 0}}, 0, 0, true},
		{"one end moves, and the other is strange", scaled, corners[2], strange, [][3]float32{{8, 8, 0}, strange}, 0, 1, true},
		{"the first end is the strange one", scaled, strange, corners[2], [][3]float32{strange, {8, 8, 0}}, 0, 1, true},
		{"the other end stays", scaled, corners[0], strange, [][3]float32{corners[0], strange}, 0, 0, true},
		{"both are strange", scaled, strange, strange, [][3]float32{strange}, 0, 0, true},
		{"both ends move, and wear another material", renamed, corners[1], corners[2], [][3]float32{{8, 0, 0}, {8, 8, 0}}, 0, 0, false},
		{"an end is gone", less, corners[0], corners[3], nil, 1, 0, false},
		{"an end is gone, and the other is strange", less, strange, corners[3], nil, 1, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := &asset.Primitive{Mode: asset.Lines, Positions: [][3]float32{c.a, c.b}, Indices: []uint32{0, 1}}
			got := mesh.Followed(lines, square(corners...), c.edited)
			if !slices.Equal(got.Lines.Positions, c.want) || got.Lost != c.lost || got.Torn != c.torn || got.Whole != c.whole {
				t.Errorf("%v, %d lost, %d torn, whole %v; want %v, %d, %d, %v", got.Lines.Positions, got.Lost, got.Torn, got.Whole, c.want, c.lost, c.torn, c.whole)
			}
		})
	}
}
