package scene

import (
	"cmp"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// Unwrap takes the node off that some editors put above a whole scene, and gives the scene its data back: three.js makes a
// node of the scene. It is the only root, stands where nothing is moved, and shows nothing itself.
func Unwrap(s *asset.Scene) {
	rejoin(s)
	if len(s.Roots) != 1 || s.Native != nil {
		return
	}
	n := s.Roots[0]
	if n.Transform != asset.Identity || n.Mesh != nil || n.Camera != nil || len(n.LODs) > 0 || n.Native == nil || len(n.Native.Payload) == 0 {
		return
	}
	below := false // what the children have of their own tells that n is none of them
	for _, c := range n.Children {
		below = below || c.Native != nil
	}
	for _, a := range s.Animations {
		below = below && !slices.ContainsFunc(a.Channels, func(c *asset.Channel) bool { return c.Node == n })
	}
	for _, x := range s.Skins {
		below = below && !slices.Contains(x.Joints, n)
	}
	const aux = "AuxScene" // what three.js calls the scene around that node
	three := EditorOf(s).Program == ThreeJS && s.Name == aux
	if !below && !three {
		return
	}
	s.Roots, s.Native = n.Children, n.Native
	if s.Name == "" || three {
		s.Name = n.Name
	}
}

// JoinCopies undoes copies of materials: Blender makes one for each way of using it, such as with vertex colours. A copy
// has what usher keeps of the material itself, and a name that ends in a number; one that looks different was made by a
// person, and stays. stored returns the name that the target knows a material by, empty when it knows none: one that an
// editor alone changed is given back where no other material has it. It may be nil.
func JoinCopies(s *asset.Scene, stored func(m *asset.Material) string) {
	var first []*asset.Material // of each material that has copies
	to := map[*asset.Material]*asset.Material{}
	for _, m := range s.Materials {
		if m.Native == nil {
			continue
		}
		i := slices.IndexFunc(first, func(f *asset.Material) bool { return reflect.DeepEqual(f.Native, m.Native) })
		if i < 0 {
			first = append(first, m)
			continue
		}
		original, fresh := first[i], m
		if _, copied := Uncopied(original.Name); copied && len(original.Name) > len(fresh.Name) {
			original, fresh = fresh, original
			first[i] = original
		}
		base, copied := Uncopied(fresh.Name)
		if other, _ := Uncopied(original.Name); copied && base == other && SameLook(original, fresh) {
			to[fresh] = original
		}
	}
	defer giveNamesBack(s, stored)
	for m, original := range to { // a copy of what turned out to be a copy
		for to[original] != nil {
			original = to[original]
		}
		to[m] = original
	}
	for _, mesh := range s.Meshes {
		for _, p := range mesh.Primitives {
			if original := to[p.Material]; original != nil {
				p.Material = original
			}
		}
	}
	s.Materials = slices.DeleteFunc(s.Materials, func(m *asset.Material) bool { return to[m] != nil })
}

func giveNamesBack(s *asset.Scene, stored func(m *asset.Material) string) {
	if stored == nil {
		return
	}
	taken := map[string]bool{}
	for _, m := range s.Materials {
		taken[m.Name] = true
	}
	for _, m := range s.Materials {
		if name := stored(m); name != "" && !taken[name] && !Renamed(name, m.Name) {
			m.Name, taken[name] = name, true
		}
	}
}

// colorTolerance is how far a displayed component of a colour may be off and still be the same: half of what 8 bits tell
// apart.
const colorTolerance = 0.5 / 255

// SameColor compares linear colours by what is displayed. What is no colour in the first, stored one is another.
func SameColor(stored, now []float32) bool {
	if len(stored) != len(now) {
		return false
	}
	for i, x := range stored {
		if x < 0 || !(math.Abs(float64(Display(x))-float64(Display(now[i]))) <= colorTolerance) {
			return false
		}
	}
	return true
}

// SameLook reports whether two materials of one scene look alike.
func SameLook(a, b *asset.Material) bool {
	return SameColor(a.BaseColor[:], b.BaseColor[:]) && SameColor(a.Emissive[:], b.Emissive[:]) && a.Alpha == b.Alpha && a.DoubleSided == b.DoubleSided &&
		a.Unlit == b.Unlit && samePicture(a.BaseColorTexture, b.BaseColorTexture) && samePicture(a.EmissiveTexture, b.EmissiveTexture) &&
		a.EmissiveStrength == b.EmissiveStrength && sameLevels(a, b) && sameReflections(a, b) &&
		samePicture(a.MetalRoughTexture, b.MetalRoughTexture) && samePicture(a.NormalTexture, b.NormalTexture) && samePicture(a.OcclusionTexture, b.OcclusionTexture)
}

// sameReflections reports whether two materials reflect alike.
func sameReflections(a, b *asset.Material) bool {
	var none asset.Specular
	x, y := cmp.Or(a.Specular, &none), cmp.Or(b.Specular, &none)
	return reflection(a) == reflection(b) && samePicture(x.Texture, y.Texture) && samePicture(x.ColorTexture, y.ColorTexture)
}

// sameLevels reports whether two materials are alike metallic and rough, to what eight bits tell apart.
func sameLevels(a, b *asset.Material) bool {
	return math.Abs(float64(a.Metallic-b.Metallic)) < lookTolerance && math.Abs(float64(a.Roughness-b.Roughness)) < lookTolerance
}

func samePicture(a, b *asset.TextureRef) bool {
	if a == nil || b == nil || a.Texture == nil || b.Texture == nil {
		return (a == nil || a.Texture == nil) == (b == nil || b.Texture == nil)
	}
	if a.WrapS != b.WrapS || a.WrapT != b.WrapT || a.TexCoord != b.TexCoord {
		return false
	}
	x, y := a.Texture, b.Texture
	if x == y {
		return true
	}
	if x.File != nil && y.File != nil {
		return slices.Equal(x.File.Data, y.File.Data)
	}
	m, n := x.Base(), y.Base()
	return m != nil && n != nil && m.Width == n.Width && m.Height == n.Height && m.Format == n.Format && slices.Equal(m.Pix, n.Pix) && slices.Equal(x.Palette, y.Palette)
}

// TurnBonesBack undoes what Blender does to bones: it turns each so that it points along Y, in its rest and in all of its
// keys. The inverse bind matrices tell by how much. now returns the node of the edited scene that a joint of the base is,
// nil for none. Channels get values of their own, since they may share them.
func TurnBonesBack(base, edited *asset.Scene, now func(joint *asset.Node) *asset.Node) {
	turns := map[*asset.Node]mgl64.Quat{}
	for _, was := range base.Skins {
		for i, joint := range was.Joints {
			n := now(joint)
			if n == nil {
				continue
			}
			for _, s := range edited.Skins {
				k := slices.Index(s.Joints, n)
				if k < 0 || k >= len(s.InverseBind) {
					continue
				}
				bind := WideMatrix(s.InverseBind[k])
				c := rigid(InverseBind(was, i).Mul4(bind.Inv()))
				if q := unit(mgl64.Mat4ToQuat(c)); q.V.Len() > 1e-6 {
					turns[n] = q
					s.InverseBind[k] = NarrowMatrix(q.Mat4().Mul4(bind))
				}
			}
		}
	}
	if len(turns) == 0 {
		return
	}
	turn := func(n *asset.Node) mgl64.Quat {
		if q, ok := turns[n]; ok {
			return q
		}
		return mgl64.QuatIdent()
	}
	channels := map[*asset.Node][]*asset.Channel{}
	for _, a := range edited.Animations {
		for _, c := range a.Channels {
			channels[c.Node] = append(channels[c.Node], c)
		}
	}
	edited.Walk(func(n, parent *asset.Node) {
		before, after := turn(parent), turn(n).Inverse()
		if before == mgl64.QuatIdent() && after == before {
			return
		}
		t := &n.Transform
		if t.Matrix != nil {
			*t = TransformOf(Matrix(t))
		}
		if t.Matrix != nil { // it has a shear
			m := NarrowMatrix(before.Mat4().Mul4(Matrix(t)).Mul4(after.Mat4()))
			t.Matrix = &m
			return
		}
		t.Translation = Narrow3(before.Rotate(Wide3(t.Translation)))
		t.Rotation = NarrowTurn(before.Mul(Turn(t.Rotation)).Mul(after))
		for _, c := range channels[n] {
			turnKeys(c, before, after)
		}
	})
}

// turnKeys turns the places and rotations of a channel. Tangents turn alike.
func turnKeys(c *asset.Channel, before, after mgl64.Quat) {
	values := slices.Clone(c.Values)
	switch c.Path {
	case asset.Translation:
		for i := 0; i+3 <= len(values); i += 3 {
			v := Narrow3(before.Rotate(Wide3([3]float32(values[i:]))))
			copy(values[i:], v[:])
		}
	case asset.Rotation:
		for i := 0; i+4 <= len(values); i += 4 {
			q := mgl64.Quat{W: float64(values[i+3]), V: mgl64.Vec3{float64(values[i]), float64(values[i+1]), float64(values[i+2])}}
			v := NarrowTurn(before.Mul(q).Mul(after))
			copy(values[i:], v[:])
		}
	}
	c.Values = values
}

// InverseBind returns the inverse bind matrix of a joint; identity when the skin has none.
func InverseBind(s *asset.Skin, joint int) mgl64.Mat4 {
	if joint >= len(s.InverseBind) {
		return mgl64.Ident4()
	}
	return WideMatrix(s.InverseBind[joint])
}

// TakeRest gives animated nodes the place at rest that they had, when theirs is one that an animation of the base puts
// them in, and an editor saved them that saves what it shows ([Editor.SavesPose]). now returns the node of the edited
// scene that one of the base is, nil for none; size is that of the model.
func TakeRest(base, edited *asset.Scene, now func(n *asset.Node) *asset.Node, size float64) {
	if !EditorOf(edited).SavesPose() {
		return
	}
	motions := make([]*Motion, len(base.Animations))
	for i, a := range base.Animations {
		motions[i] = MotionOf(a)
	}
	keys := map[*asset.Node][]*asset.Channel{} // editors show the frames that they write
	for _, a := range edited.Animations {
		for _, c := range a.Channels {
			if Valid(c) {
				keys[c.Node] = append(keys[c.Node], c)
			}
		}
	}
	base.Walk(func(was, _ *asset.Node) {
		n := now(was)
		if n == nil || SameTransform(&was.Transform, &n.Transform, size) {
			return
		}
		for _, m := range motions {
			if !m.Moves(was) {
				continue
			}
			list := m.Channels[was]
			for _, t := range Times(append(keys[n], list[:asset.MorphWeights]...)...) {
				if shown := poseAt(was, list, t); SamePlace(shown.Matrix(), Matrix(&n.Transform), size) {
					n.Transform = was.Transform
					return
				}
			}
		}
	})
}

// poseAt returns what channels make of a node at a time.
func poseAt(n *asset.Node, list *[asset.MorphWeights + 1]*asset.Channel, t float64) (p Pose) {
	value := func(path asset.Path) []float64 { return CurveOf(n, path, list[path]).At(t, nil) }
	x, q, s := value(asset.Translation), value(asset.Rotation), value(asset.Scale)
	return Pose{Place: mgl64.Vec3(x), Turn: turnOf(q), Scale: mgl64.Vec3(s)}
}

// RestoreColors returns a surface with the colours that its corners had in the original, where an editor mixed them up
// ([Editor.SpoilsColors]): Blender 3.4 writes for a corner the colour of the corner whose number is that of its vertex. It
// keeps the order of triangles and corners, so that the k-th is the k-th where their places say so; every corner gets a
// vertex of its own then. Where the triangles are others, the colours of the nearest corner are taken.
func RestoreColors(original, surface *asset.Primitive, tol Tolerance) *asset.Primitive {
	if surface.Colors == nil {
		return surface
	}
	out := *surface
	if original.Colors == nil {
		out.Colors = nil
		return &out
	}
	if a, b := Indices(original), Indices(surface); sameCorners(original, surface, a, b, tol) {
		out = *unshared(surface)
		for i, v := range a {
			out.Colors[i] = original.Colors[v]
		}
		return &out
	}
	blind := out
	blind.Colors = nil
	m := Match(original, &blind, tol)
	out.Colors = slices.Clone(surface.Colors)
	for i, v := range m.Vertices {
		if v >= 0 {
			out.Colors[i] = original.Colors[v]
		}
	}
	return &out
}

// NoNormal is what Blender writes for a corner whose normal it could not keep.
var NoNormal = [3]float32{0, 1, 0}

// RestoreNormals returns a surface with the normals of the original at corners where an editor wrote none, and how many vertices
// have got theirs back. Somebody who turns normals up does so with faces: where all corners of a triangle have come to point up,
// they stay.
func RestoreNormals(original, surface *asset.Primitive, tol Tolerance) (*asset.Primitive, int) {
	if original.Normals == nil || !slices.Contains(surface.Normals, NoNormal) {
		return surface, 0
	}
	out, of := cornersOf(original, surface, tol)
	now := Indices(out)
	lost := func(k int) bool {
		return of[k] >= 0 && out.Normals[now[k]] == NoNormal && original.Normals[of[k]] != NoNormal
	}
	restored, turned := map[uint32]int{}, map[uint32]bool{}
	for k := 0; k+3 <= len(now); k += 3 {
		whole := lost(k) && lost(k+1) && lost(k+2)
		for c := k; c < k+3; c++ {
			if turned[now[c]] = turned[now[c]] || whole; lost(c) {
				restored[now[c]] = of[c]
			}
		}
	}
	maps.DeleteFunc(restored, func(v uint32, _ int) bool { return turned[v] })
	if len(restored) == 0 {
		return surface, 0
	}
	out.Normals = slices.Clone(out.Normals)
	for v, from := range restored {
		out.Normals[v] = original.Normals[from]
	}
	return out, len(restored)
}

// cornersOf returns a copy of a surface, and for each of its corners the vertex of the original that it is, whatever its normal:
// −1 for none.
func cornersOf(original, surface *asset.Primitive, tol Tolerance) (*asset.Primitive, []int) {
	was, now := Indices(original), Indices(surface)
	of := make([]int, len(now))
	if sameCorners(original, surface, was, now, tol) {
		for k, v := range was {
			of[k] = int(v)
		}
		return unshared(surface), of
	}
	out := *surface
	blind := out
	blind.Normals = nil
	m := Match(original, &blind, tol)
	for k, v := range now {
		of[k] = m.Vertices[v]
	}
	return &out, of
}

// sameCorners reports whether the corners of two surfaces are in the same places, one after the other.
func sameCorners(a, b *asset.Primitive, ai, bi []uint32, tol Tolerance) bool {
	if len(ai) != len(bi) {
		return false
	}
	x := Index{reach: tol.Position * max(Extent(a.Positions), 1e-30)}
	for i := range ai {
		if !x.Near(a.Positions[ai[i]], b.Positions[bi[i]]) {
			return false
		}
	}
	return true
}

// unshared returns a primitive with a vertex for each corner.
func unshared(p *asset.Primitive) *asset.Primitive {
	idx := Indices(p)
	q := *p
	q.Indices = make([]uint32, len(idx))
	for i := range q.Indices {
		q.Indices[i] = uint32(i)
	}
	q.Positions, q.Normals, q.Tangents, q.Colors = pick(p.Positions, idx), pick(p.Normals, idx), pick(p.Tangents, idx), pick(p.Colors, idx)
	q.TexCoords, q.Joints, q.Weights = pickAll(p.TexCoords, idx), pickAll(p.Joints, idx), pickAll(p.Weights, idx)
	q.Custom, q.Targets = slices.Clone(p.Custom), slices.Clone(p.Targets)
	for i, c := range p.Custom {
		values := make([]float32, 0, c.Components*len(idx))
		for _, v := range idx {
			values = append(values, c.Values[int(v)*c.Components:(int(v)+1)*c.Components]...)
		}
		q.Custom[i].Values = values
	}
	for i, t := range p.Targets {
		q.Targets[i] = asset.Target{Positions: pick(t.Positions, idx), Normals: pick(t.Normals, idx), Tangents: pick(t.Tangents, idx)}
	}
	return &q
}

func pick[T any](v []T, idx []uint32) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(idx))
	for i, k := range idx {
		out[i] = v[k]
	}
	return out
}

func pickAll[T any](sets [][]T, idx []uint32) [][]T {
	if sets == nil {
		return nil
	}
	out := make([][]T, len(sets))
	for i, v := range sets {
		out[i] = pick(v, idx)
	}
	return out
}
