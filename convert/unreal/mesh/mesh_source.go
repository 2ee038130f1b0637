package mesh

import (
	"fmt"
	"math"
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

// liftMeshData turns a pair of source files into a scene, as lift of a Mesh does.
func liftMeshData(m *unreal.MeshData, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	stem := sourceStem(env.Name)
	b, _, err := env.Find(stem+"_a.3d", stem+"_A.3D")
	if err != nil {
		return nil, schema.Errorf(dataName, schema.ErrUnsupported, "", "the frames are missing: %s_a.3d is not beside it (%v)", stem, err)
	}
	aniv, err := read.MeshAniv(b, int(m.Vertices), env.Diagnostics)
	if err != nil {
		return nil, schema.In(stem+"_a.3d", err)
	}
	s, err := sourceScene(stem, m, aniv, env)
	if err != nil {
		return nil, err
	}
	data, err := write.MeshData(m)
	if err != nil {
		return nil, err
	}
	s.Native = &asset.Native{Format: dataName, Values: scene.ForReading(map[string]any{"dataBytes": float64(len(data))}), Payload: append(data, b...)}
	return s, nil
}

// emptyMesh returns a mesh of a package of its own.
func emptyMesh(name string) (*pack.File, *unreal.Mesh) {
	pkg := pack.Scratch()
	o := &unreal.Mesh{Scale: [3]float32{1, 1, 1}, VertexBytes: 4}
	o.Context = &unreal.Context{Package: pkg.Package, Path: name, Class: "Mesh"}
	return pkg, o
}

// sourceScene builds the mesh that the editor would make of the pair, and lifts that.
func sourceScene(stem string, m *unreal.MeshData, aniv *unreal.MeshAniv, env *format.Env) (*asset.Scene, error) {
	pkg, o := emptyMesh(stem)
	o.VertexBytes, o.FrameVerts, o.AnimFrames = aniv.VertexBytes, int32(m.Vertices), int32(len(aniv.Frames))
	o.Sequences = []unreal.Sequence{{Name: pkg.AddName("All"), Group: pkg.AddName("None"), Frames: o.AnimFrames, Rate: 30}}
	for n, f := range aniv.Frames {
		if len(f) < int(m.Vertices) {
			return nil, schema.Errorf(dataName, schema.ErrMismatch, "bytes a frame", "frame %d has %d vertices, the data file names %d", n, len(f), m.Vertices)
		}
		o.Vertices = append(o.Vertices, f[:m.Vertices]...)
	}
	for i := range m.Polys {
		p := &m.Polys[i]
		for _, v := range p.Vertices {
			if v >= m.Vertices {
				return nil, schema.Errorf(dataName, schema.ErrRange, "vertex", "polygon %d names vertex %d of %d", i, v, m.Vertices)
			}
		}
		o.Triangles = append(o.Triangles, unreal.Triangle{Vertices: p.Vertices, UV: p.UV, Flags: unreal.SourceFlags(p.Type), Texture: int32(p.Texture)})
	}
	s, err := meshScene(pkg, o, env)
	if err == nil {
		s.Native = nil
	}
	return s, err
}

// lowerMeshData makes the data file and hands the animation file to env.Emit. Scenes that did not change give the
// stored files.
func lowerMeshData(s *asset.Scene, env *format.Env) (*unreal.MeshData, error) {
	if err := look.Audit(s, &meshRoom, env); err != nil {
		return nil, err
	}
	stored, aniv := storedSources(s)
	if m := stored; m != nil {
		lifted, err := sourceScene(s.Name, m, aniv, nil)
		if err == nil {
			look.AdoptMaterials(s, lifted)
		}
		if err == nil && sameSources(s, lifted) {
			look.TellEdits(s, lifted, &meshRoom, s.Name, env.Told())
			Shown(s).TellShading(Shown(lifted), s.Name, env.Told())
			return m, emitAniv(env, pack.CleanName(s.Name, "mesh"), aniv)
		}
	}
	pkg, o := emptyMesh(s.Name)
	stripped, placement := unplaced(s)
	g, err := gather(pkg, stripped, o, env, false)
	if err != nil {
		return nil, err
	}
	switch {
	case !g.whole():
		if g, err = gather(pkg, s, o, env, false); err != nil {
			return nil, err
		}
		g.rescale(o)
		env.Diagnostics.Warnf("mesh-rescaled", s.Name, "the vertices of %q are no whole numbers in the packed range: import with SCALE X=%g Y=%g Z=%g and ORIGIN X=%g Y=%g Z=%g",
			space.Shown(s)[0].Node.Name, o.Scale[0], o.Scale[1], o.Scale[2], o.Origin[0], o.Origin[1], o.Origin[2])
	case placement != nil:
		env.Diagnostics.Warnf("mesh-placed", s.Name, "the files hold the mesh's own numbers: import with %s", importText(*placement))
	}
	x := &shape{mesh: o}
	if err := x.lowerNew(g, env.Diagnostics); err != nil {
		return nil, err
	}
	out, err := sourcesOf(o, env, s.Name)
	if err != nil || stored == nil {
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

// unplaced returns a scene whose one mesh is not placed, and the placement that it had: the numbers in it are those of
// a mesh of a package. Any other scene is returned as it is.
func unplaced(s *asset.Scene) (*asset.Scene, *asset.Transform) {
	nodes := space.Shown(s)
	stripped := *s
	stripped.Native = nil
	if s.Native == nil || s.Native.Format != Name || len(nodes) != 1 || nodes[0].Node.Transform == asset.Identity || nodes[0].Node.Transform.Matrix != nil {
		return &stripped, nil
	}
	was := nodes[0].Node.Transform
	n, root := *nodes[0].Node, space.RootNode(s.Name)
	n.Transform, n.Children = asset.Identity, nil
	root.Children = []*asset.Node{&n}
	stripped.Roots = []*asset.Node{root}
	return &stripped, &was
}

// importText says how the editor's import commands place a mesh as a transform does: the inverse of axes.placement,
// with angles of 256 a turn (reference section 11.7).
func importText(t asset.Transform) string {
	m := space.Matrix(asset.Transform{Rotation: t.Rotation, Scale: [3]float32{1, 1, 1}}).Mat3()
	at := m.Transpose().Mul3x1(mgl64.Vec3{float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])})
	var origin [3]float32
	for k := range origin {
		if t.Scale[k] != 0 {
			origin[k] = float32(-at[k] / float64(t.Scale[k]))
		}
	}
	origin = space.Vertex.Back(origin)
	engine := space.Vertex.Basis.Transpose().Mul3(m).Mul3(space.Vertex.Basis)
	x, y, z := engine.Col(0), engine.Col(1), engine.Col(2)
	turn := func(angle float64) float64 { return math.Round(angle/(2*math.Pi)*256*100) / 100 }
	pitch, yaw, roll := turn(math.Asin(max(-1, min(1, x[2])))), turn(math.Atan2(x[1], x[0])), turn(math.Atan2(-y[2], z[2]))
	return fmt.Sprintf("SCALE X=%g Y=%g Z=%g and ORIGIN X=%g Y=%g Z=%g YAW=%g ROLL=%g PITCH=%g",
		t.Scale[2], t.Scale[0], t.Scale[1], origin[0]+0, origin[1]+0, origin[2]+0, yaw+0, roll+0, pitch+0)
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
func sourcesOf(o *unreal.Mesh, env *format.Env, name string) (*unreal.MeshData, error) {
	m := &unreal.MeshData{Vertices: uint16(o.FrameVerts)}
	for i := range o.Triangles {
		t := &o.Triangles[i]
		kind, exact := unreal.SourceType(t.Flags)
		if !exact {
			env.Diagnostics.Lossf("poly-flags", name, "triangle %d: flags %v have no place in a data file", i, unreal.FlagNames(t.Flags, unreal.PolyFlags))
		}
		if t.Texture < 0 || t.Texture > math.MaxUint8 {
			return nil, schema.Errorf(dataName, schema.ErrLimit, "texture", "triangle %d: texture %d is not among the 256 that a data file can name", i, t.Texture)
		}
		m.Polys = append(m.Polys, unreal.SourcePoly{Vertices: t.Vertices, Type: kind, UV: t.UV, Texture: uint8(t.Texture)})
	}
	aniv := &unreal.MeshAniv{VertexBytes: o.VertexBytes, FrameBytes: uint16(int(o.FrameVerts) * o.VertexBytes)}
	if int(o.FrameVerts)*o.VertexBytes > 0xFFFF || o.AnimFrames > 0xFFFF {
		return nil, schema.Errorf(dataName, schema.ErrLimit, "vertices", "%d vertices in %d frames do not fit", o.FrameVerts, o.AnimFrames)
	}
	for f := range int(o.AnimFrames) {
		aniv.Frames = append(aniv.Frames, o.Vertices[f*int(o.FrameVerts):(f+1)*int(o.FrameVerts)])
	}
	return m, emitAniv(env, pack.CleanName(name, "mesh"), aniv)
}

func emitAniv(env *format.Env, name string, aniv *unreal.MeshAniv) error {
	b, err := write.MeshAniv(aniv)
	if err != nil || env == nil || env.Emit == nil {
		return err
	}
	if env.Output != "" {
		name = sourceStem(env.Output + ".3d")
		if name+"_a" == env.Output { // the mesh would be where its frames go
			return schema.Errorf(dataName, schema.ErrUnsupported, "", "%s_a.3d is the file of the frames, which are written with the mesh: ask for %s_d.3d", name, name)
		}
	}
	return env.Emit(name+"_a.3d", b)
}

// storedSources returns the pair that a scene was made from.
func storedSources(s *asset.Scene) (*unreal.MeshData, *unreal.MeshAniv) {
	if s.Native == nil || s.Native.Format != dataName {
		return nil, nil
	}
	n := scene.ShownWhole(s.Native, "dataBytes", -1)
	if n < 0 || n > len(s.Native.Payload) {
		return nil, nil
	}
	m, err := read.MeshData(s.Native.Payload[:n], nil)
	if err != nil {
		return nil, nil
	}
	aniv, err := read.MeshAniv(s.Native.Payload[n:], int(m.Vertices), nil)
	if err != nil {
		return nil, nil
	}
	return m, aniv
}

// sameSources compares two scenes as meshes.
func sameSources(x, y *asset.Scene) bool {
	pkg, o := emptyMesh("")
	g, err := gather(pkg, x, o, nil, false)
	if err != nil {
		return false
	}
	h, err := gather(pkg, y, o, nil, false)
	return err == nil && sameGeometry(g, h)
}
