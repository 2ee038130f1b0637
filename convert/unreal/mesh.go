package unreal

import (
	"fmt"
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftMesh turns a vertex mesh into a scene (reference section 11.9): one mesh whose morph targets are the frames
// behind the first one, an animation for each sequence, and a primitive for each material. Positions are the stored
// integers; the node holds Scale, Origin and RotOrigin, its parent the size of the engine's unit.
func liftMesh(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	s, err := a.meshScene(o, env)
	if err != nil {
		return nil, err
	}
	n, err := native(meshName, o)
	if err != nil {
		return nil, err
	}
	for k, v := range s.Native.Values {
		n.Values[k] = v
	}
	s.Native = n
	return s, nil
}

// meshScene returns the scene with readable values, but without the payload.
func (a *archive) meshScene(o unreal.AnyObject, env *format.Env) (*asset.Scene, error) {
	x, err := shapeOf(o, env.Told())
	if err != nil {
		return nil, err
	}
	m := x.mesh
	s := &asset.Scene{Name: lastName(m.Path)}
	root, node := space.RootNode(s.Name), asset.NewNode(s.Name+" mesh")
	node.Transform = space.Vertex.Placement(m)
	root.Children = []*asset.Node{node}
	s.Roots = []*asset.Node{root}
	s.Native = &asset.Native{Values: map[string]any{"sequences": sequenceList(a.p, m.Sequences)}}
	if len(x.faces) == 0 || m.AnimFrames == 0 {
		return s, nil
	}
	skins := newSkins(a, s, env)
	node.Mesh = a.meshOf(s, x, skins, a.outfit(m).open)
	skins.tell()
	s.Meshes = []*asset.Mesh{node.Mesh}
	s.Animations = sequences(a.p, m, node)
	return s, nil
}

// meshOf makes the primitives: all share their vertices. The function dress says what textures they have.
func (a *archive) meshOf(s *asset.Scene, x *shape, k *skins, dress dresser) *asset.Mesh {
	mesh := &asset.Mesh{Name: s.Name}
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
			Material: k.material(dress(x.mesh, x.materials[n])),
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

// dresser returns the skin of a material of a mesh.
type dresser func(m *unreal.Mesh, x unreal.MeshMaterial) skin

func skinOf(m *unreal.Mesh, x unreal.MeshMaterial) skin {
	s := skin{index: x.Texture, flags: x.Flags}
	if x.Texture >= 0 && int(x.Texture) < len(m.Textures) {
		s.texture = m.Textures[x.Texture]
	}
	return s
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
			Native: &asset.Native{Format: meshName, Values: map[string]any{"sequence": float64(i)}}})
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
		list = append(list, sequenceValues(p, &all[i]))
	}
	return list
}

func sequenceValues(p *unreal.Package, s *unreal.Sequence) map[string]any {
	notifies := []any{}
	for _, n := range s.Notifies {
		notifies = append(notifies, map[string]any{"time": finite(n.Time), "function": p.Name(n.Function)})
	}
	return map[string]any{"name": p.Name(s.Name), "group": p.Name(s.Group), "start": float64(s.Start), "frames": float64(s.Frames),
		"rate": finite(s.Rate), "notifies": notifies}
}

// finite returns a float that JSON can hold.
func finite(f float32) any { return floatValue(math.Float32bits(f)) }
