package ultimate3d

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// mark says in what a shown vertex differs from an original one, and how: nothing when it is the same.
func (e *meshEdit) mark(a, b int) string {
	var m []byte
	put := func(kind byte, v ...float32) {
		m = append(m, kind)
		for _, x := range v {
			m = binary.LittleEndian.AppendUint32(m, math.Float32bits(x))
		}
	}
	for f := range e.chunks {
		if p := e.position(f, b); a < 0 || !e.near(e.stored(f, a), p) {
			put('p', p[:]...)
		}
		if n, ok := e.normal(f, b); ok && (a < 0 || !e.sameNormal(f, a, b, n)) {
			put('n', n[:]...)
		}
	}
	for k := range e.now.TexCoords {
		if uv := e.now.TexCoords[k][b]; a < 0 || k >= len(e.was.TexCoords) || !sameUV(e.was.TexCoords[k][a], uv) {
			put('t', uv[:]...)
		}
	}
	for _, c := range e.now.Custom {
		i := slices.IndexFunc(e.was.Custom, func(x asset.Attribute) bool { return x.Name == c.Name && x.Components == c.Components })
		if i < 0 {
			continue
		}
		v := c.Values[b*c.Components : (b+1)*c.Components]
		if a < 0 || !sameAttribute(e.was.Custom[i].Values[a*c.Components:(a+1)*c.Components], v) {
			put('c', v...)
		}
	}
	if list, ok := e.influences(b); ok && (a < 0 || !e.sameInfluences(e.shapes[0].influences[a], list)) {
		for _, x := range list {
			put('w', float32(x.bone), x.weight)
		}
	}
	if a < 0 {
		m = append(m, '!')
	}
	return string(m)
}

func sameAttribute(a, b []float32) bool {
	for k := range a {
		if a[k] != b[k] && !(math.Abs(float64(a[k])-float64(b[k])) <= 1e-6*max(1, math.Abs(float64(a[k])))) && !(notFinite(a[k]) && (b[k] == 0 || notFinite(b[k]))) {
			return false
		}
	}
	return true
}

func sameUV(a, b [2]float32) bool {
	for k := range a {
		if a[k] == b[k] || notFinite(a[k]) && (b[k] == 0 || notFinite(b[k])) {
			continue
		}
		if !(math.Abs(float64(a[k])-float64(b[k])) <= scene.EditorTolerance.TexCoord*max(1, math.Abs(float64(a[k])))) {
			return false
		}
	}
	return true
}

// sameNormal reports whether a shown normal is the stored one of vertex a in a frame. Blender makes those of morph targets
// of the shape that they have, whatever they were, and gives all corners around triangles without area, such as those at
// the poles of a ball, their mean: where the vertex is in its place, that is no edit.
func (e *meshEdit) sameNormal(f, a, b int, n [3]float32) bool {
	if e.poles != nil && (f > 0 || e.poles[a]) && e.near(e.stored(f, a), e.position(f, b)) {
		return true
	}
	d := minus(mirror3(e.shapes[f].normals[a]), n)
	return dot(d, d) <= scene.EditorTolerance.Normal*scene.EditorTolerance.Normal
}

// sameInfluences reports whether stored influences are the shown ones. gltfpack rounds weights to eight bits.
func (e *meshEdit) sameInfluences(a, b []influence) bool {
	limit := 1e-4
	if restore.Does(e.r.s, restore.RoundsToBytes) {
		limit = 1.5 / 255
	}
	if a = settled(a); len(a) == 0 {
		return true // glTF has something in the place of nothing
	}
	total := func(list []influence, bone int) (w float32) {
		for _, x := range list {
			if x.bone == bone {
				w += x.weight
			}
		}
		return w
	}
	for _, list := range [][]influence{a, b} {
		for _, x := range list {
			if math.Abs(float64(total(a, x.bone)-total(b, x.bone))) > limit {
				return false
			}
		}
	}
	return true
}

// stored returns an original position as lifted.
func (e *meshEdit) stored(f, a int) [3]float32 {
	if f == 0 {
		return e.was.Positions[a]
	}
	return plus(e.was.Positions[a], e.was.Targets[f-1].Positions[a])
}

// position returns where a shown vertex is in a frame.
func (e *meshEdit) position(f, b int) [3]float32 {
	if f == 0 || f > len(e.now.Targets) {
		return e.now.Positions[b]
	}
	return plus(e.now.Positions[b], e.now.Targets[f-1].Positions[b])
}

// normal returns the normal of a shown vertex in a frame; ok is false when the scene does not say.
func (e *meshEdit) normal(f, b int) (n [3]float32, ok bool) {
	if f == 0 {
		return e.now.Normals[b], true
	}
	if f > len(e.now.Targets) || e.now.Targets[f-1].Normals == nil {
		return n, false
	}
	return unit(plus(e.now.Normals[b], e.now.Targets[f-1].Normals[b])), true
}

// near reports whether a stored position p is the shown one q. What is no number cannot be compared: glTF has zeros there.
func (e *meshEdit) near(p, q [3]float32) bool {
	for k := range p {
		if p[k] == q[k] || notFinite(p[k]) {
			continue
		}
		if !(math.Abs(float64(p[k])-float64(q[k])) <= e.reach) {
			return false
		}
	}
	return true
}

func notFinite(v float32) bool { return v-v != 0 }

// influences returns the bones that a shown vertex follows; ok is false for rigid meshes.
func (e *meshEdit) influences(b int) ([]influence, bool) {
	if e.shapes[0].influences == nil || len(e.now.Joints) == 0 {
		return nil, false
	}
	list := e.now.influences(b, func(joint int) int {
		if joint >= len(e.r.joints) || e.r.joints[joint] > 255 {
			return -1
		}
		return e.r.joints[joint]
	})
	return list, len(list) > 0
}
