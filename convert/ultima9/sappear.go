package ultima9

import (
	"fmt"
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// The names of the Native objects of a model: the record's header on the root node, a limb's header on its node, a level
// of detail on its mesh, and a material.
const (
	sappearName  = "sappear"
	limbName     = "sappear-limb"
	lodName      = "sappear-lod"
	materialName = "sappear-material"
)

// rootTransform turns raw units, Z up, into metres, Y up. It stands on one node, so that no stored number is rescaled
// (reference section 2).
var rootTransform = asset.Transform{
	Rotation: [4]float32{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2},
	Scale:    [3]float32{1.0 / ultima9.RawPerMetre, 1.0 / ultima9.RawPerMetre, 1.0 / ultima9.RawPerMetre},
}

// liftSappear makes a scene of a mesh record: a root node, a node for each limb, and meshes with the stored numbers.
// Levels of detail hang on the node of level 0; geometry where other things attach is an invisible mesh of its own.
func liftSappear(m *ultima9.Mesh, env *format.Env) (*asset.Scene, error) {
	l := &modelLifter{mesh: m, scene: &asset.Scene{Name: entryName(env, "model")}}
	l.looks = newLooks(l.scene, env)
	if err := l.lift(); err != nil {
		return nil, err
	}
	return l.scene, nil
}

type modelLifter struct {
	mesh  *ultima9.Mesh
	scene *asset.Scene
	looks *looks
	nodes []*asset.Node // of the limbs
}

func (l *modelLifter) lift() error {
	parents, err := l.mesh.Parents()
	if err != nil {
		return err
	}
	root := asset.NewNode("u9_" + l.scene.Name)
	root.Transform = rootTransform
	if root.Native, err = headerNative(l.mesh); err != nil {
		return err
	}
	l.scene.Roots = []*asset.Node{root}
	l.nodes = make([]*asset.Node, len(l.mesh.Limbs))
	for i := range l.nodes {
		if l.nodes[i], err = l.limb(i); err != nil {
			return err
		}
	}
	for i, p := range parents {
		parent := root
		if p >= 0 {
			parent = l.nodes[p]
		}
		parent.Children = append(parent.Children, l.nodes[i])
	}
	return nil
}

// headerNative carries the record's header and, where limbs and levels do not lie in the usual order, where they lie.
func headerNative(m *ultima9.Mesh) (*asset.Native, error) {
	head := *m
	head.Limbs, head.Gaps = nil, nil
	b, err := write.Sappear(&head)
	if err != nil {
		return nil, err
	}
	thresholds := make([]any, len(m.Thresholds))
	for i, t := range m.Thresholds {
		thresholds[i] = int(t)
	}
	values := map[string]any{"shape": int(m.Shape), "thresholds": thresholds, "limbs": len(m.Limbs), "lods": int(m.LODs)}
	return &asset.Native{Format: sappearName, Values: values, Payload: append(b, unusualLayout(m)...)}, nil
}

// limb makes the node of limb i with its meshes.
func (l *modelLifter) limb(i int) (*asset.Node, error) {
	limb := &l.mesh.Limbs[i]
	n := asset.NewNode(fmt.Sprintf("limb_%d", limb.ID))
	n.Kind = asset.Bone
	n.Transform = limbTransform(limb)
	head, err := write.SappearLimb(limb)
	if err != nil {
		return nil, err
	}
	filled := 0
	levels := make([]any, len(limb.LODs))
	for k := range limb.LODs {
		levels[k] = 0
		if !limb.LODs[k].Empty() {
			levels[k] = 1
			filled = k
		}
	}
	n.Native = &asset.Native{Format: limbName, Payload: head,
		Values: map[string]any{"index": i, "id": int(limb.ID), "parent": int(limb.Parent), "levels": levels}}
	top := n
	if filled > 0 {
		// A level of detail replaces its whole node: only a node without limbs below it may be replaced.
		top = asset.NewNode(n.Name + "_lod0")
		n.Children = append(n.Children, top)
	}
	for k := range limb.LODs {
		if limb.LODs[k].Empty() {
			continue
		}
		at := top
		if k > 0 {
			at = asset.NewNode(fmt.Sprintf("%s_lod%d", n.Name, k))
			top.LODs = append(top.LODs, at)
		}
		if at.Mesh, err = l.level(at.Name, i, k); err != nil {
			return nil, err
		}
	}
	l.mount(n, i)
	return n, nil
}

// limbTransform returns the place of a limb as glTF allows it.
func limbTransform(l *ultima9.Limb) asset.Transform {
	q := l.Rotation
	t := asset.Transform{Translation: l.Position, Rotation: [4]float32{q[1], q[2], q[3], q[0]}, Scale: l.Scale}
	t.Rotation = unitQuaternion(t.Rotation)
	return t
}

// unitQuaternion returns q itself when its length is near enough to 1 for glTF, q of length 1 otherwise, and no rotation
// for one without length.
func unitQuaternion(q [4]float32) [4]float32 {
	sum := 0.0
	for _, x := range q {
		sum += float64(x) * float64(x)
	}
	if math.Abs(sum-1) <= 1e-3 {
		for k := range q {
			q[k] = min(max(q[k], -1), 1) // -32768 / 32767 is a little too much for glTF
		}
		return q
	}
	if !(sum > 1e-30) || math.IsInf(sum, 0) {
		return [4]float32{0, 0, 0, 1}
	}
	for k := range q {
		q[k] = float32(float64(q[k]) / math.Sqrt(sum))
	}
	return q
}

// level makes the mesh of a limb's level k.
func (l *modelLifter) level(name string, limb, k int) (*asset.Mesh, error) {
	lod := &l.mesh.Limbs[limb].LODs[k]
	payload, err := write.SappearLOD(lod)
	if err != nil {
		return nil, err
	}
	m := &asset.Mesh{Name: name, Primitives: primitives(lod), Native: &asset.Native{Format: lodName, Payload: payload,
		Values: map[string]any{"limb": limb, "lod": k, "flags": int(lod.Flags)}}}
	i := 0
	for _, mat := range lod.Materials {
		if mat.FaceCount > 0 {
			m.Primitives[i].Material = l.looks.material(mat)
			i++
		}
	}
	l.scene.Meshes = append(l.scene.Meshes, m)
	return m, nil
}

// mount shows the geometry of level 0 where other limbs and held things attach.
func (l *modelLifter) mount(n *asset.Node, limb int) {
	lods := l.mesh.Limbs[limb].LODs
	if len(lods) == 0 || len(lods[0].MountFaces) == 0 {
		return
	}
	at := asset.NewNode(n.Name + "_mount")
	at.Kind = asset.Mount
	at.Mesh = &asset.Mesh{Name: at.Name, Primitives: []*asset.Primitive{mountPrimitive(&lods[0])},
		Native: &asset.Native{Format: lodName, Values: map[string]any{"limb": limb, "lod": 0, "mount": 1}}}
	at.Mesh.Primitives[0].Material = l.looks.mount()
	l.scene.Meshes = append(l.scene.Meshes, at.Mesh)
	n.Children = append(n.Children, at)
}

// primitives makes one primitive for each material that has faces.
func primitives(l *ultima9.LOD) []*asset.Primitive {
	var list []*asset.Primitive
	for _, m := range l.Materials {
		if m.FaceCount > 0 {
			list = append(list, primitive(l.Faces[m.FirstFace:int(m.FirstFace)+int(m.FaceCount)], l.Vertices))
		}
	}
	return list
}

func mountPrimitive(l *ultima9.LOD) *asset.Primitive { return primitive(l.MountFaces, l.MountVertices) }

// cornerKey tells which corners are one vertex in glTF.
type cornerKey struct {
	vertex uint32
	normal [3]uint32
	uv     [2]uint32
}

// primitive makes triangles of faces. Corners that agree in everything share a vertex. The winding changes: stored
// corners are clockwise seen from outside.
func primitive(faces []ultima9.Face, vertices [][3]float32) *asset.Primitive {
	p := &asset.Primitive{Mode: asset.Triangles, Indices: make([]uint32, 0, 3*len(faces)), TexCoords: make([][][2]float32, 1)}
	known := make(map[cornerKey]uint32, len(vertices)+len(faces))
	for i := range faces {
		f := &faces[i]
		for _, k := range [3]int{0, 2, 1} {
			c := &f.Corners[k]
			normal, uv := cleanNormal(c.Normal, f.Normal), cleanUV(c.UV)
			key := cornerKey{c.Vertex, [3]uint32{bits(normal[0]), bits(normal[1]), bits(normal[2])}, [2]uint32{bits(uv[0]), bits(uv[1])}}
			at, ok := known[key]
			if !ok {
				at = uint32(len(p.Positions))
				known[key] = at
				p.Positions = append(p.Positions, cleanPosition(vertices[c.Vertex]))
				p.Normals = append(p.Normals, normal)
				p.TexCoords[0] = append(p.TexCoords[0], uv)
			}
			p.Indices = append(p.Indices, at)
		}
	}
	return p
}

func bits(x float32) uint32 { return math.Float32bits(x) }

func isFinite(x float32) bool { return bits(x)&0x7F800000 != 0x7F800000 }

// cleanUV replaces what is no number by 0.
func cleanUV(uv [2]float32) [2]float32 {
	for k, x := range uv {
		if !isFinite(x) {
			uv[k] = 0
		}
	}
	return uv
}

func cleanPosition(p [3]float32) [3]float32 {
	for k, x := range p {
		if !isFinite(x) {
			p[k] = 0
		}
	}
	return p
}

// cleanNormal returns a normal as it is when its length is near enough to 1 for glTF. Others are brought to that length;
// one without length gives way to the face's, and that to straight up.
func cleanNormal(n, face [3]float32) [3]float32 {
	for _, v := range [2][3]float32{n, face} {
		sum := float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2])
		if math.Abs(sum-1) <= 5e-3 {
			return v
		}
		if sum > 1e-12 && !math.IsInf(sum, 0) {
			length := math.Sqrt(sum)
			return [3]float32{float32(float64(v[0]) / length), float32(float64(v[1]) / length), float32(float64(v[2]) / length)}
		}
	}
	return [3]float32{0, 0, 1}
}
