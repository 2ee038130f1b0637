package mesh

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

const (
	dataName = "unreal-mesh-data"
	anivName = "unreal-mesh-aniv"
)

// The pair of files that mod authors exchange vertex meshes in (reference section 11.10): the data file is the model,
// its *_a.3d beside it has the frames.
var (
	// MeshData has the functions of one format, typed: vertex mesh source, data file (*_d.3d).
	MeshData = format.Functions[unreal.MeshData, *asset.Scene]{
		Read:  read.MeshData,
		Write: write.MeshData,
		Lift:  liftMeshData,
		Lower: lowerMeshData,
	}

	// DataFormat is the format of the data file.
	DataFormat = format.Of(format.Format{
		Name: dataName, Family: "unreal", Title: "vertex mesh source, data file (*_d.3d)", Kind: format.Model, Extensions: []string{"_d.3d", ".3d"},
		Probe: probeMeshData,
	}, MeshData)
	// AnivFormat is the format of the animation file.
	AnivFormat = format.Of(format.Format{
		Name: anivName, Family: "unreal", Title: "vertex mesh source, animation file (*_a.3d)", Kind: format.Animation, Extensions: []string{"_a.3d", ".3d"}, Beside: dataName,
		Probe: probeMeshAniv,
	}, format.Functions[unreal.MeshAniv, asset.Asset]{
		Read: func(b []byte, d *schema.Diagnostics) (*unreal.MeshAniv, error) {
			m, err := read.MeshAniv(b, 0, d)
			if err != nil {
				return nil, err
			}
			return m, nil
		},
		Write: write.MeshAniv,
	})
)

// probeMeshData knows a data file by its size, which the number of polygons gives.
func probeMeshData(in *format.Input) format.Confidence {
	name := strings.ToLower(in.Name)
	if len(in.Head) < 4 || !strings.HasSuffix(name, ".3d") || strings.HasSuffix(name, "_a.3d") {
		return format.No
	}
	if polys := int64(in.Head[0]) | int64(in.Head[1])<<8; 48+16*polys == in.Size {
		return format.Structural
	}
	if strings.HasSuffix(name, "_d.3d") {
		return format.Plausible
	}
	return format.No
}

func probeMeshAniv(in *format.Input) format.Confidence {
	if len(in.Head) < 4 || !strings.HasSuffix(strings.ToLower(in.Name), "_a.3d") {
		return format.No
	}
	frames, size := int64(in.Head[0])|int64(in.Head[1])<<8, int64(in.Head[2])|int64(in.Head[3])<<8
	if 4+frames*size == in.Size {
		return format.Structural
	}
	return format.Plausible
}

// sourceStem returns the name without "_d.3d".
func sourceStem(name string) string {
	if lower := strings.ToLower(name); strings.HasSuffix(lower, "_d.3d") || strings.HasSuffix(lower, "_a.3d") {
		return name[:len(name)-len("_d.3d")]
	}
	return strings.TrimSuffix(name, ".3d")
}

// sources are the files that a vertex mesh is exchanged in.
type sources struct {
	data   *unreal.MeshData
	aniv   *unreal.MeshAniv
	script []byte // nil where there is none
}

// liftMeshData turns a pair of source files into a scene, as lift of a Mesh does. A script beside them says what sequences
// they have, and how they are placed.
func liftMeshData(m *unreal.MeshData, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	stem := sourceStem(env.Name)
	b, _, err := env.Find(stem+"_a.3d", stem+"_A.3D")
	if err != nil {
		return nil, schema.Errorf(dataName, schema.ErrUnsupported, "", "the frames are missing: %s_a.3d is not beside it (%v)", stem, err)
	}
	x := sources{data: m}
	if x.aniv, err = read.MeshAniv(b, int(m.Vertices), env.Diagnostics); err != nil {
		return nil, schema.In(stem+"_a.3d", err)
	}
	x.script, _, _ = env.Find(stem+scriptExtension, stem+strings.ToUpper(scriptExtension)) // a pair without one is whole
	s, err := sourceScene(stem, &x, env)
	if err != nil {
		return nil, err
	}
	data, err := write.MeshData(m)
	if err != nil {
		return nil, err
	}
	values := map[string]any{"dataBytes": float64(len(data))}
	if x.script != nil {
		values["framesBytes"] = float64(len(b))
	}
	s.Native = &asset.Native{Format: dataName, Values: scene.ForReading(values), Payload: slices.Concat(data, b, x.script)}
	return s, nil
}

// scriptExtension is that of the source of a class.
const scriptExtension = ".uc"

// emptyMesh returns a mesh of a package of its own.
func emptyMesh(name string) (*pack.File, *unreal.Mesh) {
	pkg := pack.Scratch()
	o := &unreal.Mesh{Scale: [3]float32{1, 1, 1}, VertexBytes: 4}
	o.Context = &unreal.Context{Package: pkg.Package, Path: name, Class: "Mesh"}
	return pkg, o
}

// sourceMesh builds the mesh that the editor would make of source files.
func sourceMesh(stem string, x *sources, d *schema.Diagnostics) (*pack.File, *unreal.Mesh, error) {
	pkg, o := emptyMesh(stem)
	m, aniv := x.data, x.aniv
	o.VertexBytes, o.FrameVerts, o.AnimFrames = aniv.VertexBytes, int32(m.Vertices), int32(len(aniv.Frames))
	if x.script != nil {
		readScript(x.script, stem).take(pkg, o, d)
	}
	if len(o.Sequences) == 0 {
		o.Sequences = wholeSequence(pkg, o.AnimFrames)
	}
	for n, f := range aniv.Frames {
		if len(f) < int(m.Vertices) {
			return nil, nil, schema.Errorf(dataName, schema.ErrMismatch, "bytes a frame", "frame %d has %d vertices, the data file names %d", n, len(f), m.Vertices)
		}
		o.Vertices = append(o.Vertices, f[:m.Vertices]...)
	}
	for i := range m.Polys {
		p := &m.Polys[i]
		for _, v := range p.Vertices {
			if v >= m.Vertices {
				return nil, nil, schema.Errorf(dataName, schema.ErrRange, "vertex", "polygon %d names vertex %d of %d", i, v, m.Vertices)
			}
		}
		o.Triangles = append(o.Triangles, unreal.Triangle{Vertices: p.Vertices, UV: p.UV, Flags: unreal.SourceFlags(p.Type), Texture: int32(p.Texture)})
	}
	return pkg, o, nil
}

// wholeSequence returns the sequence of all frames, which stands for those of a mesh that has none.
func wholeSequence(pkg *pack.File, frames int32) []unreal.Sequence {
	return []unreal.Sequence{{Name: pkg.AddName("All"), Group: pkg.AddName("None"), Frames: frames, Rate: usualRate}}
}

// sourceScene lifts the mesh that the editor would make of source files.
func sourceScene(stem string, x *sources, env *format.Env) (*asset.Scene, error) {
	pkg, o, err := sourceMesh(stem, x, env.Told())
	if err != nil {
		return nil, err
	}
	return meshScene(pkg, o, env)
}

// lowerMeshData makes the data file and hands the animation file and the script to env.Emit. Scenes that did not change
// give the stored files.
func lowerMeshData(s *asset.Scene, env *format.Env) (*unreal.MeshData, error) {
	if err := look.Audit(s, &meshRoom, env); err != nil {
		return nil, err
	}
	if n := scene.ShownWhole(s.Native, weaponKey, 0); n > 0 {
		env.Told().Lossf("special-faces", s.Name, "the triangle by which %q holds a weapon is not shown in scenes, and left out of its .3d files", s.Name)
	}
	name := pack.CleanName(s.Name, "mesh")
	stored := storedSources(s)
	if stored != nil {
		lifted, err := sourceScene(s.Name, stored, nil)
		if err == nil {
			look.AdoptMaterials(s, lifted)
		}
		if err == nil && sameSources(s, lifted, stored) {
			look.TellEdits(s, lifted, &meshRoom, s.Name, env.Told())
			Shown(s).TellShading(Shown(lifted), s.Name, env.Told())
			return stored.data, emitMotion(s, lifted, stored, name, env)
		}
	}
	pkg, o := emptyMesh(s.Name)
	if stored != nil && stored.script != nil {
		readScript(stored.script, s.Name).take(pkg, o, nil)
	}
	unplacedScene, placement := unplaced(s)
	g, err := gather(pkg, unplacedScene, o, env, false)
	if err != nil {
		return nil, err
	}
	if !g.whole() {
		if g, err = gather(pkg, s, o, env, false); err != nil {
			return nil, err
		}
		if err := g.rescaleFor(o, s.Animations); err != nil {
			return nil, err
		}
		placement = nil
		env.Diagnostics.Warnf("mesh-rescaled", s.Name, "the vertices of %q are no whole numbers in the packed range: SCALE X=%g Y=%g Z=%g and ORIGIN X=%g Y=%g Z=%g of the script place them",
			space.Shown(s)[0].Node.Name, o.Scale[0], o.Scale[1], o.Scale[2], o.Origin[0], o.Origin[1], o.Origin[2])
	}
	x := &shape{mesh: o}
	if err := x.lowerNew(g, env.Diagnostics); err != nil {
		return nil, err
	}
	if err := sequencesFor(pkg, o, s); err != nil {
		return nil, err
	}
	out, aniv, err := sourcesOf(o, env, s.Name)
	if err != nil {
		return nil, err
	}
	if placement != nil {
		place(o, *placement)
	}
	if err := emitSources(env, name, aniv, scriptFor(pkg, o, s, stored, name, env)); err != nil || stored == nil {
		return out, err
	}
	for i := range o.Triangles { // as the file has them
		o.Triangles[i].Flags = unreal.SourceFlags(out.Polys[i].Type)
	}
	is, err := meshScene(pkg, o, nil)
	if err != nil {
		return nil, err
	}
	look.TellMaterials(s, is, &meshRoom, s.Name, env.Diagnostics)
	return out, nil
}

// sequencesFor gives a mesh the sequences of a scene: those that it was made with, and what was edited of them.
func sequencesFor(pkg *pack.File, o *unreal.Mesh, s *asset.Scene) error {
	if s.Native != nil && s.Native.Values["sequences"] != nil {
		list, err := ReadSequences(pkg, s.Native.Values["sequences"])
		if err != nil {
			return err
		}
		o.Sequences = list
	}
	if len(o.Sequences) == 0 {
		o.Sequences = wholeSequence(pkg, o.AnimFrames)
	}
	is, err := meshScene(pkg, o, nil)
	if err != nil {
		return err
	}
	return lowerSequences(pkg, o, s, is)
}

// emitMotion emits the frames and the script of a scene whose shape is that of its sources. Its motion may be another.
func emitMotion(s, lifted *asset.Scene, stored *sources, name string, env *format.Env) error {
	pkg, o, err := sourceMesh(s.Name, stored, nil)
	if err != nil {
		return err
	}
	was := slices.Clone(o.Sequences)
	if err := lowerSequences(pkg, o, s, lifted); err != nil {
		return err
	}
	if slices.EqualFunc(was, o.Sequences, func(a, b unreal.Sequence) bool { return sameSequence(pkg, &a, &b) && a.Name == b.Name }) {
		return emitSources(env, name, stored.aniv, stored.script)
	}
	return emitSources(env, name, grown(stored.aniv, o), scriptFor(pkg, o, s, stored, name, env))
}

// grown returns an animation file with the frames that a mesh has more than it. What stands behind the vertices of a frame
// is in the new ones as in the last.
func grown(a *unreal.MeshAniv, o *unreal.Mesh) *unreal.MeshAniv {
	x := *a
	for len(x.Frames) > 0 && len(x.Frames) < int(o.AnimFrames) {
		last, at := x.Frames[len(x.Frames)-1], len(x.Frames)*int(o.FrameVerts)
		x.Frames = append(slices.Clip(x.Frames), slices.Concat(o.Vertices[at:at+int(o.FrameVerts)], last[o.FrameVerts:]))
		if len(x.Padding) > 0 {
			x.Padding = append(slices.Clip(x.Padding), x.Padding[len(x.Padding)-1])
		}
		if len(x.Pad) > 0 {
			x.Pad = append(slices.Clip(x.Pad), make([]uint16, len(last))...)
		}
	}
	return &x
}

// scriptFor returns the script of a mesh: the one that it came with, with what was edited, or a new one. A pair that came
// without one gets none while it says nothing.
func scriptFor(pkg *pack.File, o *unreal.Mesh, s *asset.Scene, stored *sources, name string, env *format.Env) []byte {
	if stored != nil && stored.script != nil {
		x := readScript(stored.script, s.Name)
		x.edit(pkg, o)
		return x.text()
	}
	if _, plain := emptyMesh(name); stored != nil && o.Scale == plain.Scale && o.Origin == plain.Origin && o.RotOrigin == plain.RotOrigin &&
		len(o.Sequences) == 1 && sameSequence(pkg, &o.Sequences[0], &wholeSequence(pkg, o.AnimFrames)[0]) {
		return nil
	}
	if env != nil && env.Output != "" {
		name = sourceStem(env.Output + ".3d")
	}
	return newScript(pkg, o, name, skinsOf(pkg, o, s))
}

// skinsOf returns the names of the textures of a mesh by their numbers.
func skinsOf(pkg *pack.File, o *unreal.Mesh, s *asset.Scene) map[int32]string {
	skins := map[int32]string{}
	for i, r := range o.Textures {
		if r != 0 {
			skins[int32(i)] = pkg.ObjectName(r)
		}
	}
	for _, m := range s.Materials {
		if m.BaseColorTexture == nil || m.BaseColorTexture.Texture == nil || m.Native == nil {
			continue
		}
		if n, ok := pack.Whole32(scene.Shown(m.Native, "textureIndex")); ok && m.BaseColorTexture.Texture.Name != "" {
			skins[n] = m.BaseColorTexture.Texture.Name
		}
	}
	return skins
}

// unplaced returns a scene whose one mesh is not placed, and the placement that it had: the numbers in it are those of
// a mesh of a package. Any other scene is returned as it is, and so is one in which something above the mesh was moved.
func unplaced(s *asset.Scene) (*asset.Scene, *asset.Transform) {
	nodes := space.Shown(s)
	stripped := *s
	stripped.Native = nil
	if s.Native == nil || s.Native.Format != Name || len(nodes) != 1 || nodes[0].Node.Transform == asset.Identity || nodes[0].Node.Transform.Matrix != nil {
		return &stripped, nil
	}
	was := nodes[0].Node.Transform
	n, root := *nodes[0].Node, space.RootNode(s.Name)
	if !scene.SamePlace(space.Matrix(root.Transform).Mul4(space.Matrix(was)), nodes[0].World, scene.Size(s)) {
		return &stripped, nil
	}
	n.Transform, n.Children = asset.Identity, nil
	root.Children = []*asset.Node{&n}
	stripped.Roots = []*asset.Node{root}
	return &stripped, &was
}

// place gives a mesh scale, origin and rotation that place it as a transform does: the inverse of [space.Axes.Placement]
// (reference section 11.7).
func place(o *unreal.Mesh, t asset.Transform) {
	m := space.Matrix(asset.Transform{Rotation: t.Rotation, Scale: [3]float32{1, 1, 1}}).Mat3()
	at := m.Transpose().Mul3x1(mgl64.Vec3{float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])})
	var origin [3]float32
	for k := range origin {
		if t.Scale[k] != 0 {
			origin[k] = float32(-at[k] / float64(t.Scale[k]))
		}
	}
	for k, v := range space.Vertex.Back(origin) {
		o.Origin[k] = v + 0 // no negative zero
	}
	o.Scale = [3]float32{t.Scale[2], t.Scale[0], t.Scale[1]}
	engine := space.Vertex.Basis.Transpose().Mul3(m).Mul3(space.Vertex.Basis)
	x, y, z := engine.Col(0), engine.Col(1), engine.Col(2)
	turn := func(angle float64) int32 { return int32(math.Round(angle / (2 * math.Pi) * (1 << 16))) }
	o.RotOrigin = [3]int32{turn(math.Asin(max(-1, min(1, x[2])))), turn(math.Atan2(x[1], x[0])), turn(math.Atan2(-y[2], z[2]))}
}

// whole reports whether all positions are whole numbers in the packed range, but for rounding.
func (g *geometry) whole() bool {
	for i := range g.corners {
		if !fits(g.corners[i].at, 4) {
			return false
		}
		for _, v := range g.corners[i].at {
			for _, x := range v {
				if !space.Close(x, float32(round16(x)), 0.01) {
					return false
				}
			}
		}
	}
	return true
}

// sourcesOf splits a mesh into the two files.
func sourcesOf(o *unreal.Mesh, env *format.Env, name string) (*unreal.MeshData, *unreal.MeshAniv, error) {
	m := &unreal.MeshData{Vertices: uint16(o.FrameVerts)}
	for i := range o.Triangles {
		t := &o.Triangles[i]
		kind, exact := unreal.SourceType(t.Flags)
		if !exact {
			env.Diagnostics.Lossf("poly-flags", name, "triangle %d: flags %v have no place in a data file", i, unreal.FlagNames(t.Flags, unreal.PolyFlags))
		}
		if t.Texture < 0 || t.Texture > math.MaxUint8 {
			return nil, nil, schema.Errorf(dataName, schema.ErrLimit, "texture", "triangle %d: texture %d is not among the 256 that a data file can name", i, t.Texture)
		}
		m.Polys = append(m.Polys, unreal.SourcePoly{Vertices: t.Vertices, Type: kind, UV: t.UV, Texture: uint8(t.Texture)})
	}
	aniv := &unreal.MeshAniv{VertexBytes: o.VertexBytes, FrameBytes: uint16(int(o.FrameVerts) * o.VertexBytes)}
	if int(o.FrameVerts)*o.VertexBytes > 0xFFFF || o.AnimFrames > 0xFFFF {
		return nil, nil, schema.Errorf(dataName, schema.ErrLimit, "vertices", "%d vertices in %d frames do not fit", o.FrameVerts, o.AnimFrames)
	}
	for f := range int(o.AnimFrames) {
		aniv.Frames = append(aniv.Frames, o.Vertices[f*int(o.FrameVerts):(f+1)*int(o.FrameVerts)])
	}
	return m, aniv, nil
}

// emitSources emits what lies beside the data file: the frames, and the script if there is one.
func emitSources(env *format.Env, name string, aniv *unreal.MeshAniv, text []byte) error {
	b, err := write.MeshAniv(aniv)
	if err != nil {
		return err
	}
	if env == nil || env.Emit == nil {
		env.Told().Lossf("frames", name, "there is no place for the frames beside the mesh, without which nobody can show it")
		return nil
	}
	if env.Output != "" {
		name = sourceStem(env.Output + ".3d")
		if name+"_a" == env.Output { // the mesh would be where its frames go
			return schema.Errorf(dataName, schema.ErrUnsupported, "", "%s_a.3d is the file of the frames, which are written with the mesh: ask for %s_d.3d", name, name)
		}
	}
	if err := env.Emit(name+"_a.3d", b); err != nil || text == nil {
		return err
	}
	return env.Emit(name+scriptExtension, text)
}

// storedSources returns the files that a scene was made from; nil where it was made of something else.
func storedSources(s *asset.Scene) *sources {
	if s.Native == nil || s.Native.Format != dataName {
		return nil
	}
	b := s.Native.Payload
	n := scene.ShownWhole(s.Native, "dataBytes", -1)
	if n < 0 || n > len(b) {
		return nil
	}
	m, err := read.MeshData(b[:n], nil)
	if err != nil {
		return nil
	}
	x := &sources{data: m}
	frames := b[n:]
	if k := scene.ShownWhole(s.Native, "framesBytes", -1); k >= 0 && k <= len(frames) {
		frames, x.script = frames[:k:k], frames[k:]
	}
	if x.aniv, err = read.MeshAniv(frames, int(m.Vertices), nil); err != nil {
		return nil
	}
	return x
}

// sameSources compares two scenes as meshes that are placed as their script says.
func sameSources(x, y *asset.Scene, of *sources) bool {
	pkg, o := emptyMesh("")
	if of.script != nil {
		readScript(of.script, x.Name).take(pkg, o, nil)
	}
	g, err := gather(pkg, x, o, nil, false)
	if err != nil {
		return false
	}
	h, err := gather(pkg, y, o, nil, false)
	return err == nil && sameGeometry(g, h)
}
