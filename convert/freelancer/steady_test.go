package freelancer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestTriangleRemoved takes a triangle from a surface whose vertices an editor split, with normals a little off: what
// is left has the vertices that it had.
func TestTriangleRemoved(t *testing.T) {
	var before *asset.Primitive
	_, after := edited(t, func(_ *asset.Scene, n map[string]*asset.Node) {
		p := n["turret"].Mesh.Primitives[0]
		before = p
		q := &asset.Primitive{Mode: p.Mode, Material: p.Material, TexCoords: make([][][2]float32, len(p.TexCoords))}
		for k, i := range p.Indices[3:] {
			normal := p.Normals[i]
			normal[k%3] += 1e-3 * float32(k%5)
			q.Positions, q.Normals = append(q.Positions, p.Positions[i]), append(q.Normals, normal)
			for set := range p.TexCoords {
				q.TexCoords[set] = append(q.TexCoords[set], p.TexCoords[set][i])
			}
			q.Indices = append(q.Indices, uint32(k))
		}
		n["turret"].Mesh.Primitives[0] = q
	})
	for path, data := range leavesOf(t, after) {
		if !strings.HasSuffix(path, ".vms/VMeshData") || !strings.Contains(path, "turret.lod0") {
			continue
		}
		v, err := read.VMesh([]byte(strings.TrimSuffix(data, "|")), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Indices) != len(before.Indices)-3 || len(v.Positions) > len(before.Positions) {
			t.Errorf("%d indices of %d vertices; there were %d of %d", len(v.Indices), len(v.Positions), len(before.Indices), len(before.Positions))
		}
		for i, n := range v.Normals {
			if !slices.Contains(before.Normals, n) {
				t.Errorf("vertex %d has the normal %v", i, n)
			}
		}
		return
	}
	t.Error("there is no new mesh")
}
