package freelancer_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestNormalTurned: a normal that is turned by more than an editor rounds it is an edit, which arrives; by less it is none.
func TestNormalTurned(t *testing.T) {
	const rounding = 0.01434 // what an editor may do to a unit vector
	for _, c := range []struct {
		by   float64
		want bool
	}{{0.5, false}, {0.99, false}, {1.01, true}, {2, true}} {
		turn := mgl64.QuatRotate(2*math.Asin(c.by*rounding/2), mgl64.Vec3{0, 1, 0})
		var want [3]float32
		before, after := edited(t, func(_ *asset.Scene, n map[string]*asset.Node) {
			p := n["turret"].Mesh.Primitives[0]
			i := slices.IndexFunc(p.Normals, func(v [3]float32) bool { return v[1] == 0 })
			want = scene.Narrow3(turn.Rotate(scene.Wide3(p.Normals[i])))
			p.Normals[i] = want
		})
		_, nodes := where(lift(t, byName(t, "cmp"), "ship.cmp", after, nil))
		arrived := slices.ContainsFunc(nodes["turret"].Mesh.Primitives[0].Normals, func(v [3]float32) bool {
			return scene.Wide3(v).Sub(scene.Wide3(want)).Len() < 1e-6
		})
		if arrived != c.want || bytes.Equal(before, after) == c.want {
			t.Errorf("turned by %g of what editors round: arrived %v, want %v", c.by, arrived, c.want)
		}
	}
}

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
