package mesh

import (
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// surface is the triangles of a mesh in one pose.
type surface struct {
	positions [][3]float32
	uv        [][2]float32
	faces     []face
	materials []unreal.MeshMaterial
}

// counterparts finds, for each corner of a mesh, the vertex of an edited one that it became; −1 for a corner that no
// face uses. It returns nil where the faces are not the same ones, in whatever order, with the same materials.
func (was *surface) counterparts(now *surface) []int {
	if len(was.faces) != len(now.faces) {
		return nil
	}
	used := now.used()
	number := make(map[int]uint32, len(used))
	b := &asset.Primitive{TexCoords: [][][2]float32{nil}}
	for n, k := range used {
		number[k] = uint32(n)
		b.Positions = append(b.Positions, now.positions[k])
		b.TexCoords[0] = append(b.TexCoords[0], now.uv[k])
	}
	for _, f := range now.faces {
		b.Indices = append(b.Indices, number[f.corners[0]], number[f.corners[1]], number[f.corners[2]])
	}
	a := &asset.Primitive{Positions: was.positions, TexCoords: [][][2]float32{was.uv}}
	for _, f := range was.faces {
		a.Indices = append(a.Indices, uint32(f.corners[0]), uint32(f.corners[1]), uint32(f.corners[2]))
	}
	match := scene.Match(a, b, scene.Tolerance{Position: pointTolerance, TexCoord: 1e-4, Normal: 1})
	if !match.Complete {
		return nil
	}
	for i, k := range match.Triangles {
		if now.materials[now.faces[i].material] != was.materials[was.faces[k].material] {
			return nil
		}
	}
	return was.sources(now, match, used)
}

// numbered finds the counterparts of n corners by their numbers. was is the lifted mesh, with a copy of all corners for
// each primitive. It returns nil if an editor has renumbered them.
func (was *surface) numbered(now *surface, n int) []int {
	if n == 0 || len(was.positions) != len(now.positions) || len(was.faces) != len(now.faces) {
		return nil
	}
	count := make(map[triangleKey]int, len(was.faces))
	for _, f := range was.faces {
		count[triangleKey{firstLeast(f.corners), was.materials[f.material]}]++
	}
	source := make([]int, n)
	for i := range source {
		source[i] = -1
	}
	for _, f := range now.faces {
		k := triangleKey{firstLeast(f.corners), now.materials[f.material]}
		if count[k]--; count[k] < 0 {
			return nil
		}
		for _, c := range f.corners { // of several copies the one that was edited counts
			if source[c%n] < 0 || now.positions[c] != was.positions[c] || now.uv[c] != was.uv[c] {
				source[c%n] = c
			}
		}
	}
	return source
}

// firstLeast turns the corners of a face so that the least comes first.
func firstLeast(c [3]int) [3]int {
	for c[0] != min(c[0], c[1], c[2]) {
		c[0], c[1], c[2] = c[1], c[2], c[0]
	}
	return c
}

// sources returns the counterpart of each corner. One that several vertices became must be the same in all of them.
func (was *surface) sources(now *surface, match *scene.Matching, used []int) []int {
	source := make([]int, len(was.positions))
	for i := range source {
		source[i] = -1
	}
	for n, i := range match.Vertices {
		if i < 0 {
			return nil
		}
		k := source[i]
		if k < 0 {
			source[i] = used[n]
		} else if now.positions[k] != now.positions[used[n]] || now.uv[k] != now.uv[used[n]] {
			return nil
		}
	}
	type place struct {
		position [3]float32
		uv       [2]float32
	}
	twins := map[place]int{} // an editor may have merged corners that are alike
	for i, k := range source {
		if k >= 0 {
			twins[place{was.positions[i], was.uv[i]}] = k
		}
	}
	for _, f := range was.faces {
		for _, c := range f.corners {
			if source[c] >= 0 {
				continue
			}
			k, ok := twins[place{was.positions[c], was.uv[c]}]
			if !ok {
				return nil
			}
			source[c] = k
		}
	}
	return source
}

// used returns the vertices that faces name, in their order.
func (was *surface) used() (list []int) {
	marks := make([]bool, len(was.positions))
	for _, f := range was.faces {
		for _, c := range f.corners {
			marks[c] = true
		}
	}
	for i, marked := range marks {
		if marked {
			list = append(list, i)
		}
	}
	return list
}
