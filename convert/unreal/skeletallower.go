package unreal

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lowerSkeletal returns the stored mesh while the scene is the same, in whatever order its vertices are. Moved vertices
// and changed texture coordinates are taken over where the order of vertices and faces is the same; changed faces,
// bones, bindings and motions are refused.
func lowerSkeletal(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Scene)
	if !ok {
		return nil, schema.Errorf(skeletalName, schema.ErrUnsupported, "", "a %T cannot become a skeletal mesh", v)
	}
	stored, err := a.original(i, skeletalName, s.Native)
	if err != nil {
		return nil, err
	}
	m, ok := stored.(*unreal.SkeletalMesh)
	if !ok {
		return nil, schema.Errorf(skeletalName, schema.ErrUnsupported, "", "new skeletal meshes cannot be made: edit one that exists")
	}
	lifted, err := a.skeletalScene(m, nil)
	if err != nil {
		return nil, err
	}
	if !sameBones(s, lifted) || !sameMotions(s, lifted) {
		return nil, schema.Errorf(skeletalName, schema.ErrUnsupported, "", "%s: changed bones and motions cannot be stored", m.Path)
	}
	if !sameMaterials(s, lifted) {
		return nil, schema.Errorf(skeletalName, schema.ErrUnsupported, "", "%s: changed materials cannot be stored", m.Path)
	}
	if sameSkinned(s, lifted) {
		return m, nil
	}
	if !updateSkinned(m, s, lifted) {
		return nil, schema.Errorf(skeletalName, schema.ErrUnsupported, "", "%s: changed faces and bindings cannot be stored, only moved vertices and texture coordinates", m.Path)
	}
	return m, nil
}

// close tells whether two numbers are equal but for what editors lose.
func close(a, b, tolerance float32) bool { return math.Abs(float64(a-b)) <= float64(tolerance) }

// sameBones compares the skeletons by name: place, parent.
func sameBones(a, b *asset.Scene) bool {
	x, y := bonesOf(a), bonesOf(b)
	if len(x) != len(y) {
		return false
	}
	for name, p := range y {
		q, ok := x[name]
		if !ok || q.parent != p.parent || !q.global.ApproxEqualThreshold(p.global, 1e-4) {
			return false
		}
	}
	return true
}

type placedBone struct {
	parent string
	global mgl64.Mat4
}

// bonesOf returns the joints of a scene's first skin.
func bonesOf(s *asset.Scene) map[string]placedBone {
	if len(s.Skins) == 0 {
		return nil
	}
	joints := map[*asset.Node]bool{}
	for _, j := range s.Skins[0].Joints {
		joints[j] = true
	}
	bones := map[string]placedBone{}
	globals := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, parent *asset.Node) {
		g := matrix(n.Transform)
		if up, ok := globals[parent]; ok {
			g = up.Mul4(g)
		}
		globals[n] = g
		if !joints[n] {
			return
		}
		b := placedBone{global: g}
		if joints[parent] {
			b.parent = parent.Name
		}
		bones[n.Name] = b
	})
	return bones
}

// sameMotions compares the channels of the animations at the keys of both.
func sameMotions(a, b *asset.Scene) bool {
	if len(a.Animations) != len(b.Animations) {
		return false
	}
	for i := range a.Animations {
		x, y := motionOf(a.Animations[i]), motionOf(b.Animations[i])
		if a.Animations[i].Name != b.Animations[i].Name || len(x) != len(y) {
			return false
		}
		for k, c := range y {
			d := x[k]
			if d == nil || !sameKeys(c, d) {
				return false
			}
		}
	}
	return true
}

type channelKey struct {
	node string
	path asset.Path
}

func motionOf(x *asset.Animation) map[channelKey]*asset.Channel {
	m := map[channelKey]*asset.Channel{}
	for _, c := range x.Channels {
		if c.Node != nil {
			m[channelKey{c.Node.Name, c.Path}] = c
		}
	}
	return m
}

func sameKeys(a, b *asset.Channel) bool {
	if a.Width() != b.Width() {
		return false
	}
	for _, times := range [][]float32{a.Times, b.Times} {
		for _, t := range times {
			x, y := sample(a, t), sample(b, t)
			dot, far := float32(0), float32(0)
			for i := range x {
				dot += x[i] * y[i]
				far = max(far, float32(math.Abs(float64(x[i]-y[i])))/max(1, float32(math.Abs(float64(x[i])))))
			}
			if a.Path == asset.Rotation {
				far = 1 - float32(math.Abs(float64(dot)))
			}
			if far > 1e-3 {
				return false
			}
		}
	}
	return true
}

// sameMaterials compares the materials in use by what flags and texture they mean.
func sameMaterials(a, b *asset.Scene) bool {
	x, y := materialSet(a), materialSet(b)
	if len(x) != len(y) {
		return false
	}
	for k := range y {
		if !x[k] {
			return false
		}
	}
	return true
}

func materialSet(s *asset.Scene) map[[2]any]bool {
	set := map[[2]any]bool{}
	for _, n := range shownNodes(s) {
		for _, p := range n.node.Mesh.Primitives {
			set[materialMark(p.Material)] = true
		}
	}
	return set
}

func materialMark(m *asset.Material) [2]any {
	index := -1.0
	if m != nil && m.Native != nil {
		index, _ = number(m.Native.Values["textureIndex"])
	}
	return [2]any{flagsOf(m), index}
}

// skinnedVertex is a vertex with everything that a skeletal mesh stores of it.
type skinnedVertex struct {
	position [3]float32
	uv       [2]float32
	bones    map[string]float32
}

// skinnedTriangles returns the triangles of a scene, with a number for each material.
func skinnedTriangles(s *asset.Scene) (vertices []skinnedVertex, faces []face, materials [][2]any) {
	known := map[[2]any]int{}
	for _, n := range shownNodes(s) {
		for _, p := range n.node.Mesh.Primitives {
			first := len(vertices)
			for i := range p.Positions {
				vertices = append(vertices, skinned(p, n.node.Skin, i))
			}
			material := indexOf(known, materialMark(p.Material), &materials)
			for i := 0; i+2 < len(p.Indices); i += 3 {
				faces = append(faces, face{[3]int{first + int(p.Indices[i]), first + int(p.Indices[i+1]), first + int(p.Indices[i+2])}, material})
			}
		}
	}
	return vertices, faces, materials
}

func skinned(p *asset.Primitive, skin *asset.Skin, i int) skinnedVertex {
	v := skinnedVertex{position: p.Positions[i], bones: map[string]float32{}}
	if len(p.TexCoords) > 0 {
		v.uv = p.TexCoords[0][i]
	}
	for set := range p.Joints {
		for k, w := range p.Weights[set][i] {
			if j := int(p.Joints[set][i][k]); w > 0 && skin != nil && j < len(skin.Joints) {
				v.bones[skin.Joints[j].Name] += w
			}
		}
	}
	return v
}

// same compares two vertices within what editors lose.
func (v *skinnedVertex) same(w *skinnedVertex, size float32) bool {
	for k := range 3 {
		if !close(v.position[k], w.position[k], 2e-6*size) {
			return false
		}
	}
	far := max(1, float32(math.Abs(float64(w.uv[0]))), float32(math.Abs(float64(w.uv[1]))))
	if !close(v.uv[0], w.uv[0], 1e-4*far) || !close(v.uv[1], w.uv[1], 1e-4*far) {
		return false
	}
	return v.sameBones(w)
}

func (v *skinnedVertex) sameBones(w *skinnedVertex) bool {
	for name, x := range w.bones {
		if !close(v.bones[name], x, 5e-3) {
			return false
		}
	}
	for name, x := range v.bones {
		if !close(w.bones[name], x, 5e-3) {
			return false
		}
	}
	return true
}

// sameSkinned compares the triangles of two scenes, whatever their order.
func sameSkinned(a, b *asset.Scene) bool {
	v, f, m := skinnedTriangles(a)
	w, g, n := skinnedTriangles(b)
	if len(f) != len(g) {
		return false
	}
	size := extent(w)
	order := indices(len(w))
	slices.SortFunc(order, func(x, y int) int { return compareFloat(w[x].position[0], w[y].position[0]) })
	first := make([]int, len(w)) // the first of equal vertices stands for all
	for i := range w {
		first[i] = findVertex(w, order, &w[i], size)
	}
	count := map[[4]any]int{}
	for _, x := range g {
		count[skinnedKey(x, n, func(i int) int { return first[i] })]++
	}
	match := make([]int, len(v))
	for i := range v {
		match[i] = findVertex(w, order, &v[i], size)
	}
	for _, x := range f {
		k := skinnedKey(x, m, func(i int) int { return match[i] })
		if count[k]--; count[k] < 0 {
			return false
		}
	}
	return true
}

func compareFloat(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// findVertex returns the first vertex in order that is the same as v, or −1.
func findVertex(w []skinnedVertex, order []int, v *skinnedVertex, size float32) int {
	from, _ := slices.BinarySearchFunc(order, v.position[0]-4e-6*size, func(i int, x float32) int { return compareFloat(w[i].position[0], x) })
	best := -1
	for ; from < len(order) && w[order[from]].position[0] <= v.position[0]+4e-6*size; from++ {
		if i := order[from]; (best < 0 || i < best) && v.same(&w[i], size) {
			best = i
		}
	}
	return best
}

func skinnedKey(f face, materials [][2]any, vertex func(int) int) [4]any {
	c := [3]int{vertex(f.corners[0]), vertex(f.corners[1]), vertex(f.corners[2])}
	for c[0] != min(c[0], c[1], c[2]) {
		c[0], c[1], c[2] = c[1], c[2], c[0]
	}
	return [4]any{c[0], c[1], c[2], materials[f.material]}
}

func extent(v []skinnedVertex) float32 {
	size := float32(1e-3)
	for i := range v {
		for _, x := range v[i].position {
			size = max(size, float32(math.Abs(float64(x))))
		}
	}
	return size
}

// updateSkinned stores moved points and changed texture coordinates of a scene whose vertices and faces are in the
// order that lift gave them.
func updateSkinned(m *unreal.SkeletalMesh, s, lifted *asset.Scene) bool {
	v, f, _ := skinnedTriangles(s)
	w, g, _ := skinnedTriangles(lifted)
	if len(v) != len(w) || !slices.Equal(f, g) || len(m.Wedges) == 0 {
		return false
	}
	moved := map[uint16][3]float32{}
	for i := range v {
		if !v[i].sameBones(&w[i]) {
			return false
		}
		k := i % len(m.Wedges)
		point := m.Wedges[k].Vertex
		if at, seen := moved[point]; seen && at != v[i].position {
			return false
		}
		moved[point] = v[i].position
	}
	for i := range v {
		t := track{uv: v[i].uv}
		m.Wedges[i%len(m.Wedges)].UV = t.bytes()
	}
	followed := sameBox(m.Primitive.Box, skeletalBounds(m).Box) // else it was given by hand, and stays
	for point, at := range moved {
		m.Points[point] = skeletalAxes.back(at)
	}
	localPoints(m)
	if followed {
		setBounds(m, skeletalBounds(m))
	}
	return true
}

func sameBox(a, b unreal.Box) bool {
	for k := range 3 {
		size := max(1e-3, b.Max[k]-b.Min[k])
		if !close(a.Min[k], b.Min[k], 1e-4*size) || !close(a.Max[k], b.Max[k], 1e-4*size) {
			return false
		}
	}
	return true
}

func setBounds(m *unreal.SkeletalMesh, p unreal.Primitive) {
	m.Primitive, m.Primitive2 = p, p
	if len(m.Boxes) == 1 && len(m.Spheres) == 1 {
		m.Boxes[0], m.Spheres[0] = p.Box, p.Sphere
	}
}

// skeletalBounds computes box and sphere of a skeletal mesh: the box has twice the size of the points' own, so that
// motions stay inside.
func skeletalBounds(m *unreal.SkeletalMesh) (p unreal.Primitive) {
	if len(m.Points) == 0 {
		return p
	}
	lo, hi := m.Points[0], m.Points[0]
	for _, p := range m.Points {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	p.Box.Valid = 1
	for k := range lo {
		centre, size := (lo[k]+hi[k])/2, hi[k]-lo[k]
		p.Box.Min[k], p.Box.Max[k], p.Sphere.Center[k] = centre-size, centre+size, centre
	}
	most := float32(0)
	for _, v := range m.Points {
		most = max(most, mgl32.Vec3(v).Sub(mgl32.Vec3(p.Sphere.Center)).Len())
	}
	p.Sphere.Radius = most
	return p
}

// localPoints computes the points in the space of the bones that pull them (reference section 11.11).
func localPoints(m *unreal.SkeletalMesh) {
	if len(m.LocalPoints) != len(m.Weights) {
		return
	}
	for bone, g := range globals(m) {
		if bone >= len(m.BoneWeights) {
			break
		}
		inv := g.Inv()
		r := m.BoneWeights[bone]
		for k := int(r.First); k < int(r.First)+int(r.Count); k++ {
			p := skeletalAxes.point(m.Points[m.Weights[k].Point])
			m.LocalPoints[k] = skeletalAxes.back(vec32(mgl64.TransformCoordinate(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, inv)))
		}
	}
}
