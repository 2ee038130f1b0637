package mesh

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// The pair of files that mod authors exchange skinned meshes and their motions in (reference section 24): the mesh is the
// model, the motions stand beside it.
var (
	// PSK has the functions of one format, typed: skinned mesh source of ActorX (.psk).
	PSK = format.Functions[unreal.PSK, *asset.Scene]{
		Read:  read.PSK,
		Write: write.PSK,
		Check: checkPSK,
		Lift:  liftPSK,
		Lower: lowerPSK,
	}

	// PSKFormat is the format of PSK files.
	PSKFormat = format.Of(format.Format{
		Name: unreal.PSKFormat, Family: "unreal", Title: "skinned mesh source of ActorX (.psk)", Kind: format.Model, Extensions: []string{".psk"},
		Probe: probeActorX(unreal.PSKFormat),
	}, PSK)

	// PSA has the functions of one format, typed: motions of ActorX (.psa).
	PSA = format.Functions[unreal.PSA, asset.Asset]{
		Read:  read.PSA,
		Write: write.PSA,
	}

	// PSAFormat is the format of PSA files.
	PSAFormat = format.Of(format.Format{
		Name: unreal.PSAFormat, Family: "unreal", Title: "motions of ActorX (.psa)", Kind: format.Animation, Extensions: []string{".psa"}, Beside: unreal.PSKFormat,
		Probe: probeActorX(unreal.PSAFormat),
	}, PSA)
)

func probeActorX(name string) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		if read.IsActorX(in.Head) == name {
			return format.Certain
		}
		return format.No
	}
}

// checkPSK makes sure that every number of a mesh leads somewhere.
func checkPSK(x *unreal.PSK) error {
	bad := func(field, msg string, args ...any) error {
		return schema.Errorf(unreal.PSKFormat, schema.ErrRange, field, msg, args...)
	}
	for i := range x.Wedges {
		if p := pointOf(x, i); p >= len(x.Points) {
			return bad("wedges", "wedge %d names point %d of %d", i, p, len(x.Points))
		}
	}
	for i, f := range x.Faces {
		if int64(max(f.Wedges[0], f.Wedges[1], f.Wedges[2])) >= int64(len(x.Wedges)) {
			return bad("faces", "face %d names wedges %v of %d", i, f.Wedges, len(x.Wedges))
		}
	}
	for i, b := range x.Bones {
		if i > 0 && (b.Parent < 0 || int(b.Parent) >= i) {
			return bad("bones", "bone %d has the parent %d", i, b.Parent)
		}
	}
	for i, w := range x.Weights {
		if w.Point < 0 || int(w.Point) >= len(x.Points) || w.Bone < 0 || int(w.Bone) >= max(len(x.Bones), 1) {
			return bad("weights", "weight %d names point %d of %d and bone %d of %d", i, w.Point, len(x.Points), w.Bone, len(x.Bones))
		}
	}
	return nil
}

// pointOf returns the point of a wedge. Its upper 16 bits count only where there are more points than 16 bits tell apart.
func pointOf(x *unreal.PSK, wedge int) int {
	if len(x.Points) <= 1<<16 {
		return int(x.Wedges[wedge].Point & 0xFFFF)
	}
	return int(x.Wedges[wedge].Point)
}

// skeletalOf returns the mesh that the engine's compiler would make of a PSK file, in the file's own order, and the
// texture coordinates of its wedges, of which the mesh itself keeps 8 bits.
func skeletalOf(pkg *pack.File, x *unreal.PSK, name string) (*unreal.SkeletalMesh, [][2]float32, error) {
	if err := checkPSK(x); err != nil {
		return nil, nil, err
	}
	if len(x.Wedges) > math.MaxUint16 || len(x.Points) > math.MaxUint16 || len(x.Faces) > math.MaxUint16 {
		return nil, nil, schema.Errorf(unreal.PSKFormat, schema.ErrLimit, "wedges", "%d points, %d wedges, %d faces: the engine has at most 65535 each", len(x.Points), len(x.Wedges), len(x.Faces))
	}
	m := emptySkeletal(pkg, name)
	for i := range x.Bones {
		b := &x.Bones[i]
		m.Bones = append(m.Bones, unreal.Bone{Name: pkg.AddName(b.Name.Text), Flags: b.Flags, Orientation: b.Orientation, Position: b.Position, Length: b.Length,
			Size: b.Size, Parent: b.Parent})
	}
	if len(m.Bones) == 0 {
		m.Bones = []unreal.Bone{{Name: pkg.AddName("root"), Orientation: [4]float32{0, 0, 0, 1}}}
	}
	countBones(m)
	m.Points = slices.Clone(x.Points)
	m.FrameVerts = int32(len(m.Points))
	uv := make([][2]float32, len(x.Wedges))
	for i := range x.Wedges {
		w := &x.Wedges[i]
		uv[i] = w.UV
		m.Wedges = append(m.Wedges, unreal.Wedge{Vertex: uint16(pointOf(x, i)), UV: [2]uint8{uvByte(w.UV[0]), uvByte(w.UV[1])}})
	}
	highest := int32(-1)
	for i := range x.Materials {
		k := &x.Materials[i]
		m.Materials = append(m.Materials, unreal.MeshMaterial{Flags: k.Flags, Texture: k.Texture})
		highest = max(highest, min(k.Texture, 255))
	}
	m.Textures = make([]unreal.Ref, highest+2)
	for _, f := range x.Faces {
		for len(m.Materials) <= int(f.Material) {
			m.Materials = append(m.Materials, unreal.MeshMaterial{Texture: int32(len(m.Materials))})
		}
		m.Faces = append(m.Faces, unreal.Face{Wedges: [3]uint16{uint16(f.Wedges[0]), uint16(f.Wedges[1]), uint16(f.Wedges[2])}, Material: uint16(f.Material)})
	}
	points := make([]*skinnedVertex, len(m.Points))
	for i := range points {
		points[i] = new(skinnedVertex)
	}
	for _, w := range x.Weights {
		if v := points[w.Point]; w.Weight > 0 {
			v.pulls = append(v.pulls, skeleton.Influence{Bone: int(w.Bone), Weight: uint16(min(math.Round(float64(w.Weight)*math.MaxUint16), math.MaxUint16))})
		}
	}
	for _, v := range points {
		v.pulls = normal(v.pulls)
	}
	return m, uv, setWeights(m, points, len(m.Bones))
}

// uvByte returns the byte that the compiler makes of a texture coordinate (reference section 11.5).
func uvByte(v float32) uint8 {
	if !(math.Abs(float64(v)) < 1<<20) {
		return 0
	}
	v *= 256
	if v >= 0 && v <= 256 {
		return uint8(min(v, 255))
	}
	return uint8(int32(math.Floor(float64(v))))
}

// emptySkeletal returns a mesh with what the compiler sets whatever it makes it of.
func emptySkeletal(pkg *pack.File, name string) *unreal.SkeletalMesh {
	m := &unreal.SkeletalMesh{WeaponBone: -1, WeaponAdjust: [4][3]float32{1: {1, 0, 0}, 2: {0, 1, 0}, 3: {0, 0, 1}}}
	m.Context, m.End = &unreal.Context{Package: pkg.Package, Class: "SkeletalMesh", Path: name}, pkg.AddName("None")
	m.Scale, m.VertexBytes = [3]float32{1, 1, 1}, 4
	m.Sequences = []unreal.Sequence{{Name: pkg.AddName("All"), Group: pkg.AddName("None"), Rate: 30}}
	if pkg.Version == 65 { // it stores one value, other versions a list
		m.TextureLOD = []float32{1}
	}
	m.Boxes, m.Spheres = make([]unreal.Box, 1), make([]unreal.Sphere, 1)
	return m
}

// countBones sets the numbers that follow from the parents.
func countBones(m *unreal.SkeletalMesh) {
	depths := make([]int32, len(m.Bones))
	m.Depth = 0
	for i := range m.Bones {
		m.Bones[i].Children, depths[i] = 0, 1
		if i > 0 {
			m.Bones[m.Bones[i].Parent].Children++
			depths[i] = depths[m.Bones[i].Parent] + 1
		}
		m.Depth = max(m.Depth, depths[i])
	}
}

// compile puts wedges and faces into the order of the compiler, and adds what follows from them.
func compile(m *unreal.SkeletalMesh) {
	x := &shape{mesh: &m.Mesh, lod: &m.LodMesh, corners: wedgeCorners(m), faces: skinSurface(m).faces, materials: m.Materials}
	x.storeFaces()
	m.OldFrameVerts = 0
	complete(m)
}

// complete adds what follows from points, bones and materials.
func complete(m *unreal.SkeletalMesh) {
	m.AndFlags = math.MaxUint32
	for _, k := range m.Materials {
		m.AndFlags &= k.Flags
		m.OrFlags |= k.Flags
	}
	computeLocalPoints(m)
	setBounds(m, skeletalBounds(m))
}

// OfActorX returns the payload of the object that an ActorX file becomes in a package: an Animation, or a SkeletalMesh that
// uses the Animation with its name.
func OfActorX(pkg *pack.File, f *format.Format, b []byte, path string) ([]byte, error) {
	if f.Name == unreal.PSAFormat {
		x, err := read.PSA(b, nil)
		if err != nil {
			return nil, err
		}
		o, err := animationOf(pkg, x)
		if err != nil {
			return nil, err
		}
		return write.Object(o)
	}
	x, err := read.PSK(b, nil)
	if err != nil {
		return nil, err
	}
	m, _, err := skeletalOf(pkg, x, path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{path, path + "Anim"} {
		if r := pkg.FindExport(name, "Animation"); r != 0 && m.Animation == 0 {
			m.Animation = r
		}
	}
	compile(m)
	return write.SkeletalMesh(m)
}

// liftPSK turns a mesh into a scene, with the motions of the PSA file of its name where that is beside it.
func liftPSK(x *unreal.PSK, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	stem := strings.TrimSuffix(strings.TrimSuffix(env.Name, ".psk"), ".PSK")
	motions := motionsBeside(env, stem)
	s, err := pskScene(x, motions, stem, env)
	if err != nil {
		return nil, err
	}
	b, err := write.PSK(x)
	if err != nil {
		return nil, err
	}
	s.Native = &asset.Native{Format: unreal.PSKFormat, Values: scene.ForReading(map[string]any{"meshBytes": float64(len(b))}), Payload: b}
	if motions != nil {
		b, err := write.PSA(motions)
		if err != nil {
			return nil, err
		}
		s.Native.Payload = append(s.Native.Payload, b...)
	}
	return s, nil
}

// storedActorX returns the files that lift left in Native; nil where there are none.
func storedActorX(s *asset.Scene) (mesh *unreal.PSK, motions *unreal.PSA, err error) {
	if s.Native == nil || s.Native.Format != unreal.PSKFormat {
		return nil, nil, nil
	}
	n, ok := pack.Whole32(scene.Shown(s.Native, "meshBytes"))
	if !ok || n < 0 || int(n) > len(s.Native.Payload) {
		return nil, nil, schema.Errorf(unreal.PSKFormat, schema.ErrValue, "meshBytes", "%v of %d bytes", scene.Shown(s.Native, "meshBytes"), len(s.Native.Payload))
	}
	if mesh, err = read.PSK(s.Native.Payload[:n], nil); err != nil || int(n) == len(s.Native.Payload) {
		return mesh, nil, err
	}
	motions, err = read.PSA(s.Native.Payload[n:], nil)
	return mesh, motions, err
}

// motionsBeside returns the PSA file of a mesh; nil where there is none that can be read.
func motionsBeside(env *format.Env, stem string) *unreal.PSA {
	b, _, err := env.Find(stem+".psa", stem+".PSA")
	if err != nil {
		return nil
	}
	x, err := read.PSA(b, env.Diagnostics)
	if err != nil {
		env.Told().Warnf("motions-unread", stem+".psa", "%v", err)
		return nil
	}
	return x
}

func pskScene(x *unreal.PSK, motions *unreal.PSA, name string, env *format.Env) (*asset.Scene, error) {
	pkg := pack.Scratch()
	m, uv, err := skeletalOf(pkg, x, pack.CleanName(name, "mesh"))
	if err != nil {
		return nil, err
	}
	for i := range m.Materials { // so that none are put together
		m.Materials[i].Texture = int32(i)
	}
	if motions != nil {
		o, err := animationOf(pkg, motions)
		if err != nil {
			return nil, err
		}
		if err := addAnimation(pkg, m, "Motions", o); err != nil {
			return nil, err
		}
	}
	s, err := skeletalScene(pkg, m, env)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Meshes[0].Primitives {
		if len(p.TexCoords) > 0 {
			p.TexCoords[0] = uv
		}
		n := scene.ShownWhole(p.Material.Native, "textureIndex", 0)
		index := n
		if n < len(x.Materials) {
			k := &x.Materials[n]
			p.Material.Name, index = k.Name.Text, int(k.Texture)
			p.Material.Absent = p.Material.BaseColorTexture == nil // a .psk file holds the names of pictures alone
		}
		scene.SetShown(p.Material.Native, "textureIndex", float64(index))
		scene.SetShown(p.Material.Native, "material", float64(n))
	}
	return s, nil
}

// animationOf returns the Animation that the compiler makes of motions: tracks whose keys are all alike keep one.
func animationOf(pkg *pack.File, x *unreal.PSA) (*unreal.Animation, error) {
	o := &unreal.Animation{}
	o.Context, o.End = &unreal.Context{Package: pkg.Package, Class: "Animation"}, pkg.AddName("None")
	for i := range x.Bones {
		b := &x.Bones[i]
		o.Bones = append(o.Bones, unreal.AnimationBone{Name: pkg.AddName(b.Name.Text), Flags: b.Flags, Parent: b.Parent})
	}
	bones := len(x.Bones)
	for i := range x.Sequences {
		s := &x.Sequences[i]
		first, n := int64(s.First)*int64(bones), int64(s.Frames)*int64(bones)
		if s.First < 0 || s.Frames < 0 || first+n > int64(len(x.Keys)) {
			return nil, schema.Errorf(unreal.PSAFormat, schema.ErrRange, "sequences", "%q takes %d frames from %d on; there are %d keys of %d bones", s.Name.Text, s.Frames, s.First, len(x.Keys), bones)
		}
		rate := s.Rate
		if !(rate > 0) || rate > 1e6 {
			rate = 30
		}
		group := s.Group.Text
		if group == "" {
			group = "None"
		}
		o.Sequences = append(o.Sequences, unreal.Sequence{Name: pkg.AddName(s.Name.Text), Group: pkg.AddName(group), Frames: s.Frames, Rate: rate})
		o.Moves = append(o.Moves, moveOf(x.Keys[first:first+n], bones, rate))
	}
	return o, nil
}

func moveOf(keys []unreal.PSAKey, bones int, rate float32) unreal.Move {
	frames := 0
	if bones > 0 {
		frames = len(keys) / bones
	}
	m := unreal.Move{TrackTime: float32(frames) / rate, Tracks: make([]unreal.Track, bones)}
	for b := range m.Tracks {
		t := &m.Tracks[b]
		m.Bones = append(m.Bones, int32(b))
		turns, moves := false, false
		for f := range frames {
			k := &keys[f*bones+b]
			turns, moves = turns || k.Rotation != keys[b].Rotation, moves || k.Position != keys[b].Position
			t.Rotations, t.Positions = append(t.Rotations, k.Rotation), append(t.Positions, k.Position)
			t.Times = append(t.Times, float32(f)/rate)
		}
		if !turns {
			t.Rotations = t.Rotations[:min(frames, 1)]
		}
		if !moves {
			t.Positions = t.Positions[:min(frames, 1)]
		}
		if !turns && !moves {
			t.Times = t.Times[:min(frames, 1)]
		}
	}
	return m
}
