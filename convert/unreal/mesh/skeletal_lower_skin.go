package mesh

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// newSkeletal makes a SkeletalMesh, and an Animation of what moves it, from any scene with a skin (reference sections
// 11.11, 11.12 and 14).
func newSkeletal(pkg *pack.File, s *asset.Scene, env *format.Env) (unreal.AnyObject, error) {
	m := emptySkeletal(pkg, s.Name)
	env = env.Given()
	bindNew(s, s.Name, env.Told())
	r, err := skeleton.RigOf(s, &m.Mesh, env.Told())
	if err != nil {
		return nil, err
	}
	if len(r.Bones) == 0 {
		return nil, schema.Errorf(skeleton.Name, schema.ErrUnsupported, "bones", "a scene without a skin cannot become a skeletal mesh")
	}
	g, err := gatherSkinned(pkg, s, r, m, env, true)
	if err != nil {
		return nil, err
	}
	if len(g.faces) == 0 {
		return nil, schema.Errorf(skeleton.Name, schema.ErrUnsupported, "", "a scene without triangles cannot become a mesh")
	}
	tellColours(s, env.Told())
	e := &skeletalEdit{File: pkg, mesh: m, rig: r}
	if err := e.setBones(); err != nil {
		return nil, err
	}
	if err := setSkin(m, g, len(m.Bones), env.Told()); err != nil {
		return nil, err
	}
	complete(m)
	return m, lowerMotions(pkg, m, s, r, env)
}

// setBones gives a mesh the bones of a scene. Of those that it has by name already, what the scene does not show is
// kept.
func (e *skeletalEdit) setBones() error {
	m, r := e.mesh, e.rig
	if len(r.Bones) > math.MaxInt16 {
		return schema.Errorf(skeleton.Name, schema.ErrLimit, "bones", "%d bones", len(r.Bones))
	}
	old := map[string]*unreal.Bone{}
	weapon := ""
	for i := range m.Bones {
		b := &m.Bones[i]
		old[strings.ToLower(e.Name(b.Name))] = b
		if int32(i) == m.WeaponBone {
			weapon = e.Name(b.Name)
		}
	}
	bones := make([]unreal.Bone, len(r.Bones))
	m.WeaponBone = -1
	for i := range bones {
		from, b := &r.Bones[i], &bones[i]
		if was := old[strings.ToLower(from.Name)]; was != nil {
			*b = *was
		}
		b.Name, b.Parent = e.AddName(from.Name), int32(max(from.Parent, 0))
		setPlace(b, from.Local, i == 0)
		if weapon != "" && strings.EqualFold(from.Name, weapon) {
			m.WeaponBone = int32(i)
		}
	}
	if weapon != "" && m.WeaponBone < 0 {
		e.env.Told().Lossf("weapon-bone", m.Path, "the bone %q that holds the weapon is gone", weapon)
	}
	m.Bones = bones
	countBones(m)
	return nil
}

// moveBones stores the places of the bones that the scene shows elsewhere.
func (e *skeletalEdit) moveBones() {
	for _, i := range e.moved {
		k := e.number[i]
		setPlace(&e.mesh.Bones[k], e.rig.Bones[i].Local, k == 0)
		// A child that stayed where it was lies elsewhere in its parent.
		for c := range e.rig.Bones {
			if e.rig.Bones[c].Parent == i {
				setPlace(&e.mesh.Bones[e.number[c]], e.rig.Bones[c].Local, false)
			}
		}
	}
}

// setPlace stores rotation and position of a bone in its parent.
func setPlace(b *unreal.Bone, local mgl64.Mat4, root bool) {
	b.Orientation = storedRotation(space.Rotation(local.Mat3()), root)
	b.Position = space.Skeletal.Back(scene.Narrow3(local.Col(3).Vec3()))
}

// storedRotation is the inverse of rotationOf.
func storedRotation(q [4]float32, root bool) [4]float32 {
	q = [4]float32{-q[2], -q[0], q[1], q[3]}
	if !root {
		q[0], q[1], q[2] = -q[0], -q[1], -q[2]
	}
	return q
}

// setSkin gives a mesh new points, faces and weights. The faces get lists of detail that reduce nothing.
func setSkin(m *unreal.SkeletalMesh, g *Triangles, bones int, d *schema.Diagnostics) error {
	x := &shape{mesh: &m.Mesh, lod: &m.LodMesh, materials: g.materials}
	points := &welder{at: map[string][]int{}}
	var list []*skinnedVertex
	x.take(g.faces, func(c int) (int, [2]float32) {
		v := &g.vertices[c]
		p, fresh := points.vertex(v.key(), v.shade)
		if fresh {
			list = append(list, v)
		}
		return p, v.uv
	}, d)
	if len(list) > math.MaxUint16 || len(x.corners) > math.MaxUint16 || len(x.faces) > math.MaxUint16 {
		return schema.Errorf(skeleton.Name, schema.ErrLimit, "faces", "%d points, %d corners, %d faces: at most 65535 each", len(list), len(x.corners), len(x.faces))
	}
	m.Textures = g.textures
	m.FrameVerts, m.AnimFrames = int32(len(list)), 0
	x.storeFaces()
	m.OldFrameVerts, m.ExtWedges = 0, nil
	m.Points = make([][3]float32, len(list))
	for p, v := range list {
		m.Points[p] = space.Skeletal.Back(v.position)
	}
	return setWeights(m, list, bones)
}

// setWeights binds points to bones.
func setWeights(m *unreal.SkeletalMesh, points []*skinnedVertex, bones int) error {
	perBone := make([][]unreal.PointWeight, bones)
	total := 0
	for p, v := range points {
		for _, x := range v.pulls {
			if x.Bone < bones {
				perBone[x.Bone] = append(perBone[x.Bone], unreal.PointWeight{Point: uint16(p), Weight: x.Weight})
				total++
			}
		}
	}
	if total > math.MaxUint16 {
		return schema.Errorf(skeleton.Name, schema.ErrLimit, "weights", "%d weights: at most 65535", total)
	}
	m.BoneWeights, m.Weights = make([]unreal.BoneWeights, bones), nil
	for b, list := range perBone {
		if len(list) > 0 {
			m.BoneWeights[b] = unreal.BoneWeights{First: uint16(len(m.Weights)), Count: uint16(len(list))}
			m.Weights = append(m.Weights, list...)
		}
	}
	return nil
}

// key identifies what a mesh stores once for all corners at a point.
func (v *skinnedVertex) key() string {
	b := make([]byte, 0, 12+6*len(v.pulls))
	for _, x := range v.position {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x+0)) // no −0
	}
	for _, x := range v.pulls {
		b = binary.LittleEndian.AppendUint32(b, uint32(x.Bone))
		b = binary.LittleEndian.AppendUint16(b, x.Weight)
	}
	return string(b)
}

// updateSkin stores moved points and changed texture coordinates of a scene whose faces and bindings are those of the
// mesh. It returns false where they are not.
func updateSkin(m *unreal.SkeletalMesh, g, lifted *Triangles) bool {
	if !slices.Equal(g.textures, m.Textures) {
		return false
	}
	shown, ok := g.stored()
	if !ok {
		return false
	}
	was, bound := skinSurface(m), influences(m)
	now := g.surface()
	source := lifted.surface().numbered(now, len(m.Wedges))
	if source == nil {
		source = was.counterparts(now)
	}
	if source == nil {
		return false
	}
	moved := map[uint16]int{}
	for i, k := range source {
		if k < 0 {
			continue
		}
		point := m.Wedges[i].Vertex
		v := &g.vertices[k]
		if other, seen := moved[point]; seen && g.vertices[other].position != v.position || !v.samePulls(&skinnedVertex{pulls: normal(bound[point])}) {
			return false
		}
		moved[point] = k
	}
	size := extent(g.vertices)
	for i, k := range source {
		if k < 0 {
			continue
		}
		v := &g.vertices[k]
		if t := (movingCorner{uv: v.uv}); !space.Close(v.uv[0], was.uv[i][0], 1e-4) || !space.Close(v.uv[1], was.uv[i][1], 1e-4) {
			m.Wedges[i].UV = t.bytes()
		}
		p := &m.Points[m.Wedges[i].Vertex]
		if q := (&skinnedVertex{position: space.Skeletal.Point(*p), uv: v.uv, pulls: v.pulls}); !q.same(v, size) {
			*p = space.Skeletal.Back(v.position)
		}
	}
	// Of corners that were one before, an edit may have changed some only.
	return shown.Same(skinGeometry(m))
}

// stored returns the geometry with texture coordinates as wedges hold them. It returns false where faces need another
// whole number of textures taken off a vertex.
func (g *Triangles) stored() (*Triangles, bool) {
	out := *g
	out.vertices = slices.Clone(g.vertices)
	bytes := make([][2]uint8, len(g.vertices))
	for i := range g.vertices {
		t := movingCorner{uv: g.vertices[i].uv}
		bytes[i] = t.bytes()
		out.vertices[i].uv = [2]float32{float32(bytes[i][0]) / 256, float32(bytes[i][1]) / 256}
	}
	for _, f := range g.faces {
		uv, exact := faceUV(g.vertices[f.corners[0]].uv, g.vertices[f.corners[1]].uv, g.vertices[f.corners[2]].uv)
		if !exact || uv != [3][2]uint8{bytes[f.corners[0]], bytes[f.corners[1]], bytes[f.corners[2]]} {
			return nil, false
		}
	}
	return &out, true
}

// skinGeometry returns the triangles of a mesh as its scene has them.
func skinGeometry(m *unreal.SkeletalMesh) *Triangles {
	s, bound := skinSurface(m), influences(m)
	g := &Triangles{geometry: geometry{faces: s.faces, materials: s.materials, textures: m.Textures}}
	for i, w := range m.Wedges {
		g.vertices = append(g.vertices, skinnedVertex{position: s.positions[i], uv: s.uv[i], pulls: normal(bound[w.Vertex])})
	}
	return g
}

// normal returns pulls as the rig has them: sorted by bone, 65,535 in all; a point that nothing pulls follows the root.
func normal(list []skeleton.Influence) []skeleton.Influence {
	list = list[:min(len(list), maxInfluences)]
	var pulls []skeleton.Influence
	var weights []float64
	total := 0.0
	for _, x := range list {
		if x.Weight > 0 {
			pulls, weights, total = append(pulls, x), append(weights, float64(x.Weight)), total+float64(x.Weight)
		}
	}
	if total == 0 {
		return []skeleton.Influence{{Weight: math.MaxUint16}}
	}
	return skeleton.WholeWeights(pulls, weights, total)
}

// skinSurface returns the triangles of a mesh in its reference pose.
func skinSurface(m *unreal.SkeletalMesh) *surface {
	s := &surface{materials: m.Materials}
	for _, w := range m.Wedges {
		s.positions = append(s.positions, space.Skeletal.Point(m.Points[w.Vertex]))
		s.uv = append(s.uv, [2]float32{float32(w.UV[0]) / 256, float32(w.UV[1]) / 256})
	}
	for _, f := range m.Faces {
		s.faces = append(s.faces, face{[3]int{int(f.Wedges[0]), int(f.Wedges[1]), int(f.Wedges[2])}, int(f.Material)})
	}
	return s
}

func (g *Triangles) surface() *surface {
	s := &surface{faces: g.faces, materials: g.materials}
	for i := range g.vertices {
		s.positions = append(s.positions, g.vertices[i].position)
		s.uv = append(s.uv, g.vertices[i].uv)
	}
	return s
}
