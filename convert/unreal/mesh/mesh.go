// Package mesh converts between scenes and vertex meshes ([Lift], [Lower]), skeletal meshes ([LiftSkeletal],
// [LowerSkeletal]), and the files in which mod authors exchange both ([MeshData], [PSK], [PSA]).
package mesh

import (
	"fmt"
	"maps"
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Name is the name of the format of vertex meshes.
const Name = look.Name

// Lift turns a vertex mesh into a scene (reference section 11.9): one mesh with a primitive for each material, morph
// targets for the frames after the first, and an animation for each sequence. Positions are the stored integers. The node
// has the transform of Scale, Origin and RotOrigin; its parent scales by the engine's unit.
func Lift(pkg *pack.File, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	s, err := meshScene(pkg, o, env)
	if err != nil {
		return nil, err
	}
	n, err := nativeOf(Name, o)
	if err != nil {
		return nil, err
	}
	maps.Copy(n.Values, s.Native.Values)
	if x, ok := o.(*unreal.LodMesh); ok && len(x.SpecialFaces) > 0 {
		scene.SetShown(n, weaponKey, float64(len(x.SpecialFaces)))
	}
	s.Native = n
	return s, nil
}

// weaponKey says in scenes how many triangles a mesh has to hold weapons by. They are not shown.
const weaponKey = "weaponTriangles"

// meshScene returns the scene with readable values, but without the payload.
func meshScene(pkg *pack.File, o unreal.AnyObject, env *format.Env) (*asset.Scene, error) {
	x, err := shapeOf(o, env.Told())
	if err != nil {
		return nil, err
	}
	m := x.mesh
	s := &asset.Scene{Name: pack.LastName(m.Path)}
	root, node := space.RootNode(s.Name), asset.NewNode(s.Name+" mesh")
	node.Transform = space.Vertex.Placement(m)
	root.Children = []*asset.Node{node}
	s.Roots = []*asset.Node{root}
	s.Native = &asset.Native{Values: map[string]any{"sequences": sequenceList(pkg.Package, m.Sequences)}}
	if len(x.faces) == 0 || m.AnimFrames == 0 {
		return s, nil
	}
	skins := look.NewSkins(pkg, s, env)
	node.Mesh = meshOf(s.Name, x, skins, look.Open(pkg.Outfit(m)))
	skins.Tell()
	s.Meshes = []*asset.Mesh{node.Mesh}
	s.Animations = sequences(pkg.Package, m, node)
	return s, nil
}

// meshOf makes the primitives: all share their vertices. The function dress says what textures they have.
func meshOf(name string, x *shape, k *look.Skins, dress look.Dresser) *asset.Mesh {
	mesh := &asset.Mesh{Name: name}
	positions := x.positions(0)
	uv := [][][2]float32{x.texCoords()}
	normals := x.normals(positions, space.Vertex.Placement(x.mesh).Scale)
	var targets []asset.Target
	for f := 1; f < int(x.mesh.AnimFrames); f++ {
		t := x.positions(f)
		for i := range t {
			for c := range t[i] {
				t[i][c] -= positions[i][c]
			}
		}
		targets = append(targets, asset.Target{Positions: t})
		mesh.TargetNames = append(mesh.TargetNames, fmt.Sprintf("frame %d", f))
	}
	if len(targets) > 0 {
		mesh.Weights = make([]float32, len(targets))
	}
	for n, indices := range indicesOf(x.faces, len(x.materials)) {
		if len(indices) == 0 {
			continue
		}
		mesh.Primitives = append(mesh.Primitives, &asset.Primitive{
			Positions: positions, Normals: normals, TexCoords: uv, Targets: targets, Indices: indices,
			Material: k.Material(dress(x.mesh, x.materials[n])),
		})
	}
	return mesh
}

// indicesOf returns the corners of the faces of each material, turned for the axes of scenes.
func indicesOf(faces []face, materials int) [][]uint32 {
	all := make([][]uint32, materials)
	for _, f := range faces {
		all[f.material] = append(all[f.material], uint32(f.corners[0]), uint32(f.corners[2]), uint32(f.corners[1]))
	}
	return all
}

// sequences makes an animation of each sequence: its frames one after the other, blended linearly as the game does.
func sequences(p *unreal.Package, m *unreal.Mesh, node *asset.Node) []*asset.Animation {
	width := int(m.AnimFrames) - 1
	if width == 0 {
		return nil
	}
	var all []*asset.Animation
	total := 0
	for i := range m.Sequences {
		s := &m.Sequences[i]
		first, count := frameRange(s, m.AnimFrames)
		if total += count * width; count == 0 || total > maxAnimated {
			continue
		}
		c := &asset.Channel{Node: node, Path: asset.MorphWeights, Times: make([]float32, count), Values: make([]float32, count*width)}
		for k := range count {
			c.Times[k] = float32(k) / rate(s)
			if f := first + k; f > 0 {
				c.Values[k*width+f-1] = 1
			}
		}
		all = append(all, &asset.Animation{Name: p.Name(s.Name), Channels: []*asset.Channel{c},
			Native: &asset.Native{Format: Name, Values: scene.ForReading(map[string]any{"sequence": float64(i)})}})
	}
	return all
}

// rate returns the frames a second of a sequence; 30 where it makes no sense.
func rate(s *unreal.Sequence) float32 {
	if s.Rate > 0.001 && s.Rate < 100000 {
		return s.Rate
	}
	return 30
}

// frameRange returns the frames of a sequence that exist.
func frameRange(s *unreal.Sequence, frames int32) (first, count int) {
	if s.Start < 0 || s.Frames <= 0 || s.Start >= frames {
		return 0, 0
	}
	return int(s.Start), int(min(s.Frames, frames-s.Start))
}

func sequenceList(p *unreal.Package, all []unreal.Sequence) []any {
	list := []any{}
	for i := range all {
		list = append(list, SequenceValues(p, &all[i]))
	}
	return list
}

// SequenceValues returns a sequence as native values.
func SequenceValues(p *unreal.Package, s *unreal.Sequence) map[string]any {
	notifies := []any{}
	for _, n := range s.Notifies {
		notifies = append(notifies, map[string]any{"time": finite(n.Time), "function": p.Name(n.Function)})
	}
	return map[string]any{"name": p.Name(s.Name), "group": p.Name(s.Group), "start": float64(s.Start), "frames": float64(s.Frames),
		"rate": finite(s.Rate), "notifies": notifies}
}

// finite returns a float that JSON can hold.
func finite(f float32) any { return pack.FloatValue(math.Float32bits(f)) }

// Check returns an error if an index in a mesh is out of range.
func Check(o unreal.AnyObject) error {
	if m, ok := o.(*unreal.SkeletalMesh); ok {
		return checkSkeletal(m)
	}
	_, err := shapeOf(o, nil)
	return err
}

// Still returns an object's mesh as it stands in a level: a vertex mesh in its first frame, a skeletal mesh in its rest
// pose; nil for an object without a mesh. s makes the materials for the object's package.
func Still(o unreal.AnyObject, s *look.Skins, dress look.Dresser) (*asset.Mesh, asset.Transform) {
	name := pack.LastName(o.Base().Path)
	if m, ok := o.(*unreal.SkeletalMesh); ok {
		if checkSkeletal(m) != nil || len(m.Faces) == 0 {
			return nil, asset.Identity
		}
		mesh := skinnedMesh(name, m, s, dress)
		for _, p := range mesh.Primitives {
			p.Joints, p.Weights = nil, nil
		}
		return mesh, space.Skeletal.Placement(&m.Mesh)
	}
	x, err := shapeOf(o, nil)
	if err != nil || len(x.faces) == 0 || x.mesh.AnimFrames == 0 {
		return nil, asset.Identity
	}
	x.mesh.AnimFrames = 1
	return meshOf(name, x, s, dress), space.Vertex.Placement(x.mesh)
}
