package mesh

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// lowerEdited puts moved vertices and changed texture coordinates into a mesh whose faces are still the same, in whatever
// order. It returns false where they are not, or where the vertices would not fit.
func (x *shape) lowerEdited(g, was *geometry) bool {
	if g.frames != was.frames || !slices.Equal(g.textures, was.textures) || x.lod != nil && len(x.lod.Remap) > 0 {
		return false
	}
	now := g.surface()
	source := was.surface().numbered(now, len(x.corners))
	if source == nil {
		source = x.surface().counterparts(now)
	}
	if source == nil {
		return false
	}
	moved := map[int]string{}
	for i, c := range x.corners {
		if source[i] < 0 {
			continue
		}
		t := &g.corners[source[i]]
		key := t.key()
		if old, seen := moved[c.vertex]; seen && old != key || !fits(t.at, x.mesh.VertexBytes) {
			return false
		}
		moved[c.vertex] = key
	}
	uv := map[corner][2]uint8{}
	for i, c := range x.corners {
		if source[i] < 0 {
			continue
		}
		for f, v := range g.corners[source[i]].at {
			x.mesh.Vertices[x.at(c.vertex, f)] = [3]int16{round16(v[0]), round16(v[1]), round16(v[2])}
		}
		if x.lod != nil {
			x.lod.Wedges[i].UV = g.corners[source[i]].bytes()
		} else {
			uv[c] = g.corners[source[i]].bytes()
		}
	}
	for i := range x.mesh.Triangles {
		t := &x.mesh.Triangles[i]
		for k, v := range t.Vertices {
			if moved, ok := uv[corner{int(v), t.UV[k]}]; ok {
				t.UV[k] = moved
			}
		}
	}
	return true
}

// surface returns the triangles of the first frame.
func (x *shape) surface() *surface {
	s := &surface{uv: x.texCoords(), faces: x.faces, materials: x.materials}
	for _, c := range x.corners {
		v := x.mesh.Vertices[x.at(c.vertex, 0)]
		s.positions = append(s.positions, [3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
	}
	return s
}

func (g *geometry) surface() *surface {
	s := &surface{faces: g.faces, materials: g.materials}
	for i := range g.corners {
		s.positions = append(s.positions, g.corners[i].at[0])
		s.uv = append(s.uv, g.corners[i].uv)
	}
	return s
}

// fits reports whether positions can be stored.
func fits(at [][3]float32, vertexBytes int) bool {
	for _, v := range at {
		if math.Abs(float64(v[0])) > 32767 || math.Abs(float64(v[1])) > 32767 || math.Abs(float64(v[2])) > 32767 {
			return false
		}
		if _, ok := write.PackVertex([3]int16{round16(v[0]), round16(v[1]), round16(v[2])}); !ok && vertexBytes != 8 {
			return false
		}
	}
	return true
}

// lowerNew gives the mesh the geometry g: vertices by their tracks, corners, faces, and lists of detail that reduce
// nothing.
func (x *shape) lowerNew(g *geometry, d *schema.Diagnostics) error {
	m := x.mesh
	if m.VertexBytes == 0 {
		m.VertexBytes = 4
	}
	for i := range g.corners {
		if !fits(g.corners[i].at, m.VertexBytes) {
			g.rescale(m)
			d.Warnf("mesh-rescaled", m.Path, "its vertices pass the range of the old scale; scale and origin were changed")
			break
		}
	}
	x.materials = g.materials
	w := &welder{at: map[string][]int{}}
	var tracks [][][3]float32
	x.take(g.faces, func(c int) (int, [2]float32) {
		t := &g.corners[c]
		v, fresh := w.vertex(t.key(), t.shade)
		if fresh {
			tracks = append(tracks, t.at)
		}
		return v, t.uv
	}, d)
	if len(tracks) > math.MaxUint16 || len(x.corners) > math.MaxUint16 || len(x.faces) > math.MaxUint16 {
		return schema.Errorf(Name, schema.ErrLimit, "faces", "%d vertices, %d corners, %d faces: at most 65535 each", len(tracks), len(x.corners), len(x.faces))
	}
	if x.lod != nil && (len(x.lod.SpecialFaces) > 0 || x.lod.SpecialVerts > 0) {
		d.Lossf("special-faces", m.Path, "the weapon triangle of a mesh with new faces is lost")
	}
	x.store(g, tracks)
	return nil
}

// welder makes one vertex of corners that go the same way and are shaded alike. Others stay apart: the engine smooths
// around each vertex, so that they are hard edges, or shells that lie on each other.
type welder struct {
	at     map[string][]int // vertices, by their way
	shades []shade          // of vertices
}

// vertex returns the vertex of a corner, and whether it is new.
func (w *welder) vertex(way string, s shade) (v int, fresh bool) {
	for _, v := range w.at[way] {
		if distance(w.shades[v].normal, s.normal) <= sameNormal {
			return v, false
		}
	}
	v = len(w.shades)
	w.at[way] = append(w.at[way], v)
	w.shades = append(w.shades, s)
	return v, true
}

// take gives the shape faces whose corners are vertices of the mesh with texture coordinates, as of says. Coordinates that
// a mesh cannot hold are told of.
func (x *shape) take(faces []face, of func(corner int) (vertex int, uv [2]float32), d *schema.Diagnostics) {
	x.corners, x.faces = nil, make([]face, len(faces))
	known := map[corner]int{}
	stretched := 0
	for i, f := range faces {
		var vertices [3]int
		var uv [3][2]float32
		for k, c := range f.corners {
			vertices[k], uv[k] = of(c)
		}
		stored, exact := faceUV(uv[0], uv[1], uv[2])
		if !exact {
			stretched++
		}
		x.faces[i].material = f.material
		for k, v := range vertices {
			c := corner{v, stored[k]}
			x.faces[i].corners[k] = indexOf(known, c, c, &x.corners)
		}
	}
	if stretched > 0 {
		d.Lossf("texture-repeats", x.mesh.Path, "%d faces repeat their texture, which a mesh cannot: its coordinates end at 1", stretched)
	}
}

// store writes corners, faces and frames into the object.
func (x *shape) store(g *geometry, tracks [][][3]float32) {
	m := x.mesh
	m.FrameVerts, m.AnimFrames = int32(len(tracks)), int32(g.frames)
	m.Vertices, m.Pad = make([][3]int16, len(tracks)*g.frames), nil
	for v, t := range tracks {
		for f, p := range t {
			m.Vertices[f*len(tracks)+v] = [3]int16{round16(p[0]), round16(p[1]), round16(p[2])}
		}
	}
	m.Textures = g.textures
	m.AndFlags, m.OrFlags = math.MaxUint32, 0
	for _, f := range x.faces {
		m.AndFlags &= x.materials[f.material].Flags
		m.OrFlags |= x.materials[f.material].Flags
	}
	if m.Package.Version > 65 {
		for len(m.TextureLOD) < len(m.Textures) {
			m.TextureLOD = append(m.TextureLOD, 1)
		}
	} else if m.Package.Version == 65 && len(m.TextureLOD) != 1 {
		m.TextureLOD = []float32{1}
	}
	if x.lod != nil {
		x.storeFaces()
	} else {
		x.storeTriangles()
	}
}

// storeTriangles fills the lists of a Mesh: triangles, and for each vertex those that use it.
func (x *shape) storeTriangles() {
	m := x.mesh
	m.Triangles = make([]unreal.Triangle, len(x.faces))
	users := make([][]int32, m.FrameVerts)
	for i, f := range x.faces {
		t := &m.Triangles[i]
		t.Flags, t.Texture = x.materials[f.material].Flags, x.materials[f.material].Texture
		for k, c := range f.corners {
			t.Vertices[k], t.UV[k] = uint16(x.corners[c].vertex), x.corners[c].uv
			users[x.corners[c].vertex] = append(users[x.corners[c].vertex], int32(i))
		}
	}
	m.Connects, m.Links = make([]unreal.Connect, len(users)), nil
	for v, list := range users {
		list = slices.Compact(list)
		m.Connects[v] = unreal.Connect{Count: int32(len(list)), Offset: int32(len(m.Links))}
		m.Links = append(m.Links, list...)
	}
}

// storeFaces fills the lists of a LodMesh (reference section 11.3): wedges sorted by vertex, faces by material, and
// collapse lists that reduce nothing.
func (x *shape) storeFaces() {
	m := x.lod
	order := make([]int, len(x.corners))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return x.corners[a].vertex - x.corners[b].vertex })
	place := make([]uint16, len(order))
	m.Wedges = make([]unreal.Wedge, len(order))
	for n, c := range order {
		place[c] = uint16(n)
		m.Wedges[n] = unreal.Wedge{Vertex: uint16(x.corners[c].vertex), UV: x.corners[c].uv}
	}
	slices.SortStableFunc(x.faces, func(a, b face) int { return a.material - b.material })
	m.Faces, m.FaceLevels = make([]unreal.Face, len(x.faces)), make([]uint16, len(x.faces))
	for i, f := range x.faces {
		m.Faces[i].Material = uint16(f.material)
		for k, c := range f.corners {
			m.Faces[i].Wedges[k] = place[c]
			m.FaceLevels[i] = max(m.FaceLevels[i], uint16(x.corners[c].vertex+1))
		}
	}
	m.Materials = x.materials
	m.CollapsePoints, m.CollapseWedges = make([]uint16, m.FrameVerts), make([]uint16, len(order))
	for k := range m.CollapsePoints {
		m.CollapsePoints[k] = uint16(max(k-1, 0))
	}
	for k := range m.CollapseWedges {
		m.CollapseWedges[k] = uint16(k)
	}
	m.ModelVerts, m.SpecialVerts, m.SpecialFaces = uint32(m.FrameVerts), 0, nil
	m.ScaleMax, m.Strength, m.MinVerts, m.Morph = 0, 0, 10, 0.3
	m.Remap, m.OldFrameVerts = nil, uint32(m.FrameVerts)
}

// rescale fits the positions into the packed range and changes Scale and Origin so that they mean the same places.
func (g *geometry) rescale(m *unreal.Mesh) {
	limits := [3]float64{1023, 1023, 511}
	if m.VertexBytes == 8 {
		limits = [3]float64{32767, 32767, 32767}
	}
	for k := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range g.corners {
			for _, v := range g.corners[i].at {
				lo, hi = min(lo, float64(v[k])), max(hi, float64(v[k]))
			}
		}
		centre, step := (lo+hi)/2, (hi-lo)/2/limits[k]
		if !(step > 0) { // flat, or no corner at all
			centre, step = lo, 1
		}
		if math.IsInf(centre, 0) {
			continue
		}
		for i := range g.corners {
			for f := range g.corners[i].at {
				v := &g.corners[i].at[f][k]
				*v = float32((float64(*v) - centre) / step)
			}
		}
		m.Origin[k] = float32((float64(m.Origin[k]) - centre) / step)
		m.Scale[k] = float32(float64(m.Scale[k]) * step)
	}
}

// rescaleFor is rescale with room for the frames that animations blend.
func (g *geometry) rescaleFor(m *unreal.Mesh, animations []*asset.Animation) error {
	for _, x := range animations {
		c := look.MorphChannel(x, g.frames)
		if c == nil {
			continue
		}
		count := int(framesOf(c.Times[len(c.Times)-1], skeleton.SampleRate))
		if count*len(g.corners) > maxAnimated {
			return schema.Errorf(Name, schema.ErrLimit, "frames", "%d frames of %d corners", count, len(g.corners))
		}
		for k := range count {
			w := skeleton.ValueAt(c, float32(k)/skeleton.SampleRate)
			for i := range g.corners {
				g.corners[i].at = append(g.corners[i].at, g.corners[i].blended(w))
			}
		}
	}
	g.rescale(m)
	for i := range g.corners {
		g.corners[i].at = g.corners[i].at[:g.frames]
	}
	return nil
}

// blended returns where weights of the frames behind the first one put a corner.
func (c *movingCorner) blended(weights []float32) [3]float32 {
	at := c.at[0]
	for f, w := range weights {
		for k := range at {
			at[k] += w * (c.at[f+1][k] - c.at[0][k])
		}
	}
	return at
}

// tellColours reports the colours of new materials without a picture.
func tellColours(s *asset.Scene, d *schema.Diagnostics) {
	var lost scene.Tally
	for _, m := range s.Materials {
		if t := m.BaseColorTexture; (t == nil || t.Texture == nil) && m.Native == nil && !scene.SameColor([]float32{1, 1, 1}, m.BaseColor[:3]) {
			lost.Add(m.Name)
		}
	}
	lost.Tell(d, "material-look", s.Name, "the colour of material", "colours of materials", "is left out: the engine stores textures and flags alone; give the material a picture")
}

// bounds computes the boxes and spheres: of each frame in raw integers, and of all together.
func (x *shape) bounds() {
	m := x.mesh
	m.Boxes, m.Spheres = make([]unreal.Box, m.AnimFrames), make([]unreal.Sphere, m.AnimFrames)
	all := unreal.Box{Valid: 1}
	for f := range m.Boxes {
		frame := m.Vertices[min(f*int(m.FrameVerts), len(m.Vertices)):min((f+1)*int(m.FrameVerts), len(m.Vertices))]
		m.Boxes[f], m.Spheres[f] = bound(frame)
		if f == 0 {
			all = m.Boxes[0]
		}
		for k := range 3 {
			all.Min[k], all.Max[k] = min(all.Min[k], m.Boxes[f].Min[k]), max(all.Max[k], m.Boxes[f].Max[k])
		}
	}
	m.Primitive = unreal.Primitive{Box: all, Sphere: around(all, m.Vertices)}
	m.Primitive2 = m.Primitive
}

func bound(vertices [][3]int16) (unreal.Box, unreal.Sphere) {
	if len(vertices) == 0 {
		return unreal.Box{}, unreal.Sphere{}
	}
	b := unreal.Box{Valid: 1}
	for k := range 3 {
		lo, hi := vertices[0][k], vertices[0][k]
		for _, v := range vertices {
			lo, hi = min(lo, v[k]), max(hi, v[k])
		}
		b.Min[k], b.Max[k] = float32(lo), float32(hi)
	}
	return b, around(b, vertices)
}

// around returns the sphere about a box's centre that holds all vertices.
func around(b unreal.Box, vertices [][3]int16) (s unreal.Sphere) {
	for k := range 3 {
		s.Center[k] = (b.Min[k] + b.Max[k]) / 2
	}
	most := 0.0
	for _, v := range vertices {
		sum := 0.0
		for k := range 3 {
			d := float64(v[k]) - float64(s.Center[k])
			sum += d * d
		}
		most = max(most, sum)
	}
	s.Radius = float32(math.Sqrt(most))
	return s
}

// newMesh makes a LodMesh from any scene with triangles.
func newMesh(pkg *pack.File, s *asset.Scene, env *format.Env) (unreal.AnyObject, error) {
	o := &unreal.LodMesh{}
	o.Context, o.End = &unreal.Context{Package: pkg.Package, Class: "LodMesh", Path: s.Name}, pkg.AddName("None")
	o.Scale, o.VertexBytes = [3]float32{1, 1, 1}, 4
	env = env.Given()
	g, err := gather(pkg, s, &o.Mesh, env, true)
	if err != nil {
		return nil, err
	}
	if len(g.faces) == 0 {
		return nil, schema.Errorf(Name, schema.ErrUnsupported, "", "a scene without triangles cannot become a mesh")
	}
	if err := g.rescaleFor(&o.Mesh, s.Animations); err != nil {
		return nil, err
	}
	tellColours(s, env.Told())
	x := &shape{mesh: &o.Mesh, lod: o}
	if err := x.lowerNew(g, env.Told()); err != nil {
		return nil, err
	}
	x.bounds()
	if err := newSequences(pkg, &o.Mesh, s); err != nil {
		return nil, err
	}
	shown, err := meshScene(pkg, o, &format.Env{})
	if err != nil {
		return nil, err
	}
	look.TellFrames(s, shown, o.Path, env.Told())
	return o, nil
}
