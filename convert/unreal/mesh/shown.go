package mesh

import (
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Shown returns the triangles of a scene in their visible places. Each combination of poly flags and texture index gives
// one material.
func Shown(s *asset.Scene) *Triangles { return shown(s, look.TextureIndex) }

// ShownSurfaces is Shown for brushes and levels, whose materials have no list of textures: each texture that they name gives a
// material of its own.
func ShownSurfaces(s *asset.Scene) *Triangles { return shown(s, look.TextureNumber) }

func shown(s *asset.Scene, texture func(*asset.Material) int32) *Triangles {
	g := &Triangles{geometry: geometry{loses: losesNormals(s)}}
	known := map[unreal.MeshMaterial]int{}
	for _, n := range space.Shown(s) {
		g.addMesh(n.Node.Mesh, n.World, known, texture)
	}
	return g
}

// ShownMesh is ShownSurfaces for one mesh with a transform.
func ShownMesh(m *asset.Mesh, at mgl64.Mat4) *Triangles {
	g := &Triangles{}
	g.addMesh(m, at, map[unreal.MeshMaterial]int{}, look.TextureNumber)
	return g
}

func (g *Triangles) addMesh(m *asset.Mesh, at mgl64.Mat4, known map[unreal.MeshMaterial]int, texture func(*asset.Material) int32) {
	place := skeleton.Fixed(at)
	for _, p := range m.Primitives {
		k := unreal.MeshMaterial{Flags: look.FlagsOf(p.Material), Texture: texture(p.Material)}
		if p.Mode == asset.Triangles {
			_ = g.add(p, &place, indexOf(known, k, k, &g.materials)) // a triangle without its vertices is no polygon
		}
	}
}

// SameFaces reports whether the triangles of two scenes have the same places and materials. It ignores texture coordinates,
// and removes them from both.
func (g *Triangles) SameFaces(other *Triangles) bool {
	for _, x := range []*Triangles{g, other} {
		for i := range x.vertices {
			x.vertices[i].uv = [2]float32{}
		}
	}
	return g.Same(other)
}

// SamePlaces reports whether the triangles of two scenes have the same places. It ignores materials and texture
// coordinates, and removes them from both.
func (g *Triangles) SamePlaces(other *Triangles) bool {
	for _, x := range []*Triangles{g, other} {
		clear(x.materials)
		for i := range x.vertices {
			x.vertices[i].uv = [2]float32{}
		}
	}
	return g.Same(other)
}

// TellShading reports triangles whose normals are not those of the scene that was lifted.
func (g *Triangles) TellShading(was *Triangles, path string, d *schema.Diagnostics) {
	w := newVertexGrid(was.places())
	before := was.shaded(w)
	tellNormals(g.shaded(w), before, before, false, path, d)
}

// Corner is a corner of a triangle: its position and texture coordinate.
type Corner struct {
	Position [3]float32
	UV       [2]float32
}

// Corners returns the corners of all triangles in the engine's order.
func (g *Triangles) Corners() [][3]Corner {
	list := make([][3]Corner, len(g.faces))
	for i, f := range g.faces {
		for k, c := range f.corners {
			list[i][k] = Corner{g.vertices[c].position, g.vertices[c].uv}
		}
	}
	return list
}
