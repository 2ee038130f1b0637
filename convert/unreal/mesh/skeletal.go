package mesh

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// LiftSkeletal turns a skeletal mesh into a skinned scene, with the motions of its default Animation (reference sections
// 11.8, 11.9, 11.11, 11.12).
func LiftSkeletal(pkg *pack.File, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	m, ok := o.(*unreal.SkeletalMesh)
	if !ok {
		return nil, schema.Errorf(skeleton.Name, schema.ErrUnsupported, "", "a %T is no skeletal mesh", o)
	}
	s, err := skeletalScene(pkg, m, env)
	if err != nil {
		return nil, err
	}
	s.Native, err = nativeOf(skeleton.Name, o)
	return s, err
}

func skeletalScene(pkg *pack.File, m *unreal.SkeletalMesh, env *format.Env) (*asset.Scene, error) {
	if err := checkSkeletal(m); err != nil {
		return nil, err
	}
	s := &asset.Scene{Name: pack.LastName(m.Path)}
	root, place := space.RootNode(s.Name), asset.NewNode(s.Name+" placement")
	place.Transform = space.Skeletal.Placement(&m.Mesh)
	root.Children = []*asset.Node{place}
	bones := bonesOf(pkg, m, place)
	node := asset.NewNode(s.Name + " mesh") // glTF ignores where a skinned mesh hangs; validators want it at the top
	skins := look.NewSkins(pkg, s, env)
	node.Mesh = skinnedMesh(s.Name, m, skins, look.Open(pkg.Outfit(&m.Mesh)))
	skins.Tell()
	s.Meshes = []*asset.Mesh{node.Mesh}
	s.Roots = []*asset.Node{root, node}
	if len(bones) > 0 {
		node.Skin = &asset.Skin{Name: s.Name, Joints: bones, Root: bones[0]}
		s.Skins = []*asset.Skin{node.Skin}
		for _, b := range globals(m) {
			node.Skin.InverseBind = append(node.Skin.InverseBind, inverseBind(b))
		}
	}
	s.Animations = motions(pkg, m, bones, env)
	return s, nil
}

// checkSkeletal makes sure that every index of the mesh leads somewhere.
func checkSkeletal(m *unreal.SkeletalMesh) error {
	bad := func(field, msg string, args ...any) error {
		return schema.Errorf(skeleton.Name, schema.ErrRange, field, "%s: "+msg, append([]any{m.Path}, args...)...)
	}
	for i, w := range m.Wedges {
		if int(w.Vertex) >= len(m.Points) {
			return bad("wedges", "wedge %d names point %d of %d", i, w.Vertex, len(m.Points))
		}
	}
	for i, f := range m.Faces {
		if int(max(f.Wedges[0], f.Wedges[1], f.Wedges[2])) >= len(m.Wedges) || int(f.Material) >= len(m.Materials) {
			return bad("faces", "face %d names wedges %v of %d and material %d of %d", i, f.Wedges, len(m.Wedges), f.Material, len(m.Materials))
		}
	}
	if len(m.Bones) > math.MaxInt16 {
		return schema.Errorf(skeleton.Name, schema.ErrLimit, "RefSkeleton", "%s: %d bones", m.Path, len(m.Bones))
	}
	for i, b := range m.Bones {
		if i > 0 && (b.Parent < 0 || int(b.Parent) >= i) {
			return bad("RefSkeleton", "bone %d has the parent %d", i, b.Parent)
		}
	}
	for i, w := range m.BoneWeights {
		if i >= len(m.Bones) || int(w.First)+int(w.Count) > len(m.Weights) {
			return bad("bone weight index", "bone %d names weights %d to %d of %d", i, w.First, int(w.First)+int(w.Count), len(m.Weights))
		}
	}
	for i, w := range m.Weights {
		if int(w.Point) >= len(m.Points) {
			return bad("weights", "weight %d names point %d of %d", i, w.Point, len(m.Points))
		}
	}
	return nil
}

// rotationOf returns a bone's rotation: the root's as stored, that of all others conjugated.
func rotationOf(q [4]float32, root bool) [4]float32 {
	if !root {
		q[0], q[1], q[2] = -q[0], -q[1], -q[2]
	}
	return space.Skeletal.Quat(q)
}

// bonesOf makes the nodes of the bones below a parent.
func bonesOf(pkg *pack.File, m *unreal.SkeletalMesh, parent *asset.Node) []*asset.Node {
	nodes := make([]*asset.Node, len(m.Bones))
	for i := range m.Bones {
		b := &m.Bones[i]
		n := asset.NewNode(pkg.Name(b.Name))
		n.Kind = asset.Bone
		n.Transform.Translation = space.Skeletal.Point(b.Position)
		n.Transform.Rotation = unit(rotationOf(b.Orientation, i == 0))
		nodes[i] = n
		up := parent
		if i > 0 {
			up = nodes[b.Parent]
		}
		up.Children = append(up.Children, n)
	}
	return nodes
}

// unit returns a quaternion of length 1; one without a length is no rotation.
func unit(q [4]float32) [4]float32 {
	x := mgl64.Quat{W: float64(q[3]), V: mgl64.Vec3{float64(q[0]), float64(q[1]), float64(q[2])}}
	l := x.Len()
	if !(l > 1e-6) || l > 1e6 {
		return [4]float32{0, 0, 0, 1}
	}
	if l > 1-1e-6 && l < 1+1e-6 {
		return q
	}
	x = x.Scale(1 / l)
	return [4]float32{float32(x.V[0]), float32(x.V[1]), float32(x.V[2]), float32(x.W)}
}

// globals returns the matrices of the bones in the space of the points.
func globals(m *unreal.SkeletalMesh) []mgl64.Mat4 {
	all := make([]mgl64.Mat4, len(m.Bones))
	for i := range m.Bones {
		b := &m.Bones[i]
		all[i] = space.Matrix(asset.Transform{Translation: space.Skeletal.Point(b.Position), Rotation: unit(rotationOf(b.Orientation, i == 0)), Scale: [3]float32{1, 1, 1}})
		if i > 0 {
			all[i] = all[b.Parent].Mul4(all[i])
		}
	}
	return all
}

func inverseBind(m mgl64.Mat4) (out [16]float32) {
	out = scene.NarrowMatrix(m.Inv())
	out[3], out[7], out[11], out[15] = 0, 0, 0, 1
	return out
}

// influences returns those of each point, the strongest first.
func influences(m *unreal.SkeletalMesh) [][]skeleton.Influence {
	all := make([][]skeleton.Influence, len(m.Points))
	for bone, r := range m.BoneWeights {
		for _, w := range m.Weights[int(r.First) : int(r.First)+int(r.Count)] {
			all[w.Point] = append(all[w.Point], skeleton.Influence{Bone: bone, Weight: w.Weight})
		}
	}
	for _, list := range all {
		slices.SortStableFunc(list, func(a, b skeleton.Influence) int { return int(b.Weight) - int(a.Weight) })
	}
	return all
}

// maxInfluences is what glTF viewers support in two sets; no known point has more.
const maxInfluences = 8

// skinnedMesh makes a primitive of each material; all share their vertices, one a wedge.
func skinnedMesh(name string, m *unreal.SkeletalMesh, k *look.Skins, dress look.Dresser) *asset.Mesh {
	mesh := &asset.Mesh{Name: name}
	shown := skinSurface(m)
	joints, weights := bindings(m)
	normals := skeletalNormals(m, shown)
	for n, indices := range indicesOf(shown.faces, len(m.Materials)) {
		if len(indices) > 0 {
			mesh.Primitives = append(mesh.Primitives, &asset.Primitive{Positions: shown.positions, Normals: normals, TexCoords: [][][2]float32{shown.uv}, Joints: joints, Weights: weights,
				Indices: indices, Material: k.Material(dress(&m.Mesh, m.Materials[n]))})
		}
	}
	return mesh
}

func skeletalNormals(m *unreal.SkeletalMesh, shown *surface) [][3]float32 {
	s := &shape{corners: wedgeCorners(m), faces: shown.faces}
	return s.normals(shown.positions, [3]float32{1, 1, 1})
}

func wedgeCorners(m *unreal.SkeletalMesh) []corner {
	list := make([]corner, len(m.Wedges))
	for i, w := range m.Wedges {
		list[i] = corner{int(w.Vertex), w.UV}
	}
	return list
}

// bindings returns joints and weights of the wedges, in sets of four.
func bindings(m *unreal.SkeletalMesh) (joints [][][4]uint16, weights [][][4]float32) {
	if len(m.Bones) == 0 {
		return nil, nil
	}
	points := influences(m)
	sets := 1
	for _, list := range points {
		if len(list) > 4 {
			sets = 2
		}
	}
	for range sets {
		joints, weights = append(joints, make([][4]uint16, len(m.Wedges))), append(weights, make([][4]float32, len(m.Wedges)))
	}
	for i, w := range m.Wedges {
		list := points[w.Vertex]
		list = list[:min(len(list), 4*sets, maxInfluences)]
		total := float32(0)
		for _, x := range list {
			total += float32(x.Weight)
		}
		if total == 0 { // bound to nothing: it follows the root
			weights[0][i][0] = 1
			continue
		}
		for n, x := range list {
			if x.Weight == 0 {
				continue
			}
			joints[n/4][i][n%4] = uint16(x.Bone)
			weights[n/4][i][n%4] = float32(x.Weight) / total
		}
	}
	return joints, weights
}

// motions returns an animation for each move of the mesh's Animation, found here or in another package at hand.
func motions(pkg *pack.File, m *unreal.SkeletalMesh, bones []*asset.Node, env *format.Env) []*asset.Animation {
	owner, i := pkg.Resolve(m.Animation)
	if owner == nil {
		return nil
	}
	x, err := pack.As[unreal.Animation](owner, i)
	if x == nil {
		env.Told().Warnf("animation-unread", m.Path, "%s: %v", pkg.RefText(m.Animation), err)
		return nil
	}
	all, _ := motionsOf(owner, x, pkg.Package, m, bones)
	return all
}

// motionsOf returns the animations of an Animation on the bones of a mesh of package p, and the moves that they are.
func motionsOf(pkg *pack.File, x *unreal.Animation, p *unreal.Package, m *unreal.SkeletalMesh, bones []*asset.Node) (all []*asset.Animation, moves []int) {
	byName := map[string]int{}
	for i, b := range m.Bones {
		byName[strings.ToLower(p.Name(b.Name))] = i
	}
	for n := range x.Moves {
		name := fmt.Sprintf("move %d", n)
		if n < len(x.Sequences) {
			name = pkg.Name(x.Sequences[n].Name)
		}
		animation := &asset.Animation{Name: name}
		for k := range x.Moves[n].Tracks {
			bone := k
			if len(x.Moves[n].Bones) == len(x.Moves[n].Tracks) {
				bone = int(x.Moves[n].Bones[k])
			}
			if bone < 0 || bone >= len(x.Bones) {
				continue
			}
			if target, ok := byName[strings.ToLower(pkg.Name(x.Bones[bone].Name))]; ok {
				animation.Channels = append(animation.Channels, channels(&x.Moves[n].Tracks[k], bones[target], target == 0)...)
			}
		}
		if len(animation.Channels) > 0 {
			all, moves = append(all, animation), append(moves, n)
		}
	}
	return all, moves
}

// channels returns rotation and translation of a track.
func channels(t *unreal.Track, node *asset.Node, root bool) (list []*asset.Channel) {
	add := func(path asset.Path, n int, value func(key int) []float32) {
		if n == 0 {
			return
		}
		c := &asset.Channel{Node: node, Path: path}
		for i := range n {
			if addTime(c, t, i, n) {
				c.Values = append(c.Values, value(i)...)
			}
		}
		list = append(list, c)
	}
	add(asset.Rotation, len(t.Rotations), func(key int) []float32 {
		u := unit(rotationOf(t.Rotations[key], root))
		return u[:]
	})
	add(asset.Translation, len(t.Positions), func(key int) []float32 {
		p := space.Skeletal.Point(t.Positions[key])
		return p[:]
	})
	return list
}

// addTime appends the time of key i of n; false for a key that is not after the one before it.
func addTime(c *asset.Channel, t *unreal.Track, i, n int) bool {
	time := float32(i)
	switch {
	case n == 1:
		time = 0
	case i < len(t.Times):
		time = t.Times[i]
	}
	if k := len(c.Times); k > 0 && !(time > c.Times[k-1]) || !(time >= 0) || time > 1e9 {
		return false
	}
	c.Times = append(c.Times, time)
	return true
}
