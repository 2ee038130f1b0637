package compare

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

func (c *assets) scene(a, b *asset.Scene) {
	c.sizes = sizesOf(b)
	listed(c, "node", nodesOf(a), nodesOf(b), func(n *asset.Node) string { return n.Name }, c.node, sameKind, idOf)
	listed(c, "mesh", a.Meshes, b.Meshes, meshName, c.mesh, anyway, hullShape)
	listed(c, "material", a.Materials, b.Materials, func(m *asset.Material) string { return m.Name }, c.material, anyway)
	listed(c, "texture", a.Textures, b.Textures, func(t *asset.Texture) string { return t.Name }, c.texture, anyway)
	listed(c, "animation", a.Animations, b.Animations, func(x *asset.Animation) string { return x.Name }, c.animation, anyway)
	listed(c, "skin", a.Skins, b.Skins, func(s *asset.Skin) string { return s.Name }, c.skin, anyway)
}

// sameKind reports whether two nodes may be one: none becomes another kind by being called otherwise.
func sameKind(a, b *asset.Node) bool { return a.Kind == b.Kind }

// meshName returns the name of a mesh; hulls have none of their own, but the number of their place.
func meshName(m *asset.Mesh) string {
	name := m.Name
	if of, _, hull := strings.Cut(name, scene.HullMark); hull {
		name = strings.TrimRight(of, ".0123456789") + scene.HullMark
	}
	return name
}

// hullShape is a key for hulls that are the same, whatever their numbers; empty for other meshes.
func hullShape(m *asset.Mesh) string {
	if !strings.HasSuffix(m.Name, scene.HullMark) {
		return ""
	}
	h := xxhash.New()
	for _, p := range m.Primitives {
		_ = binary.Write(h, binary.LittleEndian, p.Positions) // cannot fail
		_ = binary.Write(h, binary.LittleEndian, p.Indices)
	}
	return fmt.Sprint(meshName(m), h.Sum64())
}

// idOf returns what a family identifies a node by, whatever its name: for a hull, the part and the number.
func idOf(n *asset.Node) string {
	if n.Native == nil {
		return ""
	}
	id := scene.ShownText(n.Native, "id")
	return id
}

// listed compares what belongs together of two lists, by further keys and by name, and notes what is new or gone.
func listed[T any](c *assets, what string, a, b []T, name func(T) string, each func(where string, a, b T), like func(a, b T) bool, keys ...func(T) string) {
	both, gone, added := pairs(a, b, like, append(keys, name)...)
	for i, p := range both {
		where := fmt.Sprintf("%s %d", what, i)
		if n := name(p[1]); n != "" {
			where = fmt.Sprintf("%s %q", what, n)
		}
		if old := name(p[0]); old != name(p[1]) {
			c.note(Detail{What: "field", Where: where + " › name", Old: fmt.Sprintf("%q", old), New: fmt.Sprintf("%q", name(p[1]))})
		}
		each(where, p[0], p[1])
	}
	for _, x := range gone {
		c.note(Detail{What: what, Old: fmt.Sprintf("%q", name(x))})
	}
	for _, x := range added {
		c.note(Detail{What: what, New: fmt.Sprintf("%q", name(x))})
	}
}

func nodesOf(s *asset.Scene) (list []*asset.Node) {
	s.Walk(func(n, _ *asset.Node) { list = append(list, n) })
	return list
}

func (c *assets) node(where string, a, b *asset.Node) {
	type settings struct {
		Kind     asset.NodeKind
		Weights  []float32
		Coverage []float32
	}
	c.fields(where, settings{a.Kind, a.Weights, a.Coverage}, settings{b.Kind, b.Weights, b.Coverage})
	c.fields(where, a.Transform, b.Transform)
}

// sizesOf returns how many metres a unit of each mesh is: most formats count in units of their own, and a node above
// the mesh says what they are. A mesh in several places has the size of the first.
func sizesOf(s *asset.Scene) map[*asset.Mesh]float64 {
	places, sizes := map[*asset.Node]mgl64.Mat4{nil: mgl64.Ident4()}, map[*asset.Mesh]float64{}
	s.Walk(func(n, parent *asset.Node) { places[n] = places[parent].Mul4(scene.Matrix(&n.Transform)) })
	s.Walk(func(n, _ *asset.Node) {
		if _, known := sizes[n.Mesh]; known || n.Mesh == nil {
			return
		}
		place := places[n]
		if n.Skin != nil && len(n.Skin.Joints) > 0 && len(n.Skin.InverseBind) > 0 { // its joints place it
			place = places[n.Skin.Joints[0]].Mul4(scene.WideMatrix(n.Skin.InverseBind[0]))
		}
		for k := range 3 {
			sizes[n.Mesh] = max(sizes[n.Mesh], place.Col(k).Vec3().Len())
		}
	})
	return sizes
}

func (c *assets) mesh(where string, a, b *asset.Mesh) {
	c.unit = 1
	if size, placed := c.sizes[b]; placed {
		c.unit = size
	}
	c.fields(join(where, "weights"), a.Weights, b.Weights)
	if len(a.Primitives) != len(b.Primitives) {
		c.note(Detail{What: "primitives", Where: where, Old: fmt.Sprint(len(a.Primitives)), New: fmt.Sprint(len(b.Primitives))})
	}
	for i := range min(len(a.Primitives), len(b.Primitives)) {
		in := where
		if len(b.Primitives) > 1 {
			in = join(where, fmt.Sprintf("primitive %d", i))
		}
		p, err1 := a.Primitives[i].Whole()
		q, err2 := b.Primitives[i].Whole()
		if err1 != nil || err2 != nil {
			c.note(Detail{What: "field", Where: in, Old: fmt.Sprint(err1), New: fmt.Sprint(err2)})
			continue
		}
		c.primitive(in, p, q)
	}
}

// primitive compares vertices: one by one where the triangles are the same, else those that are found again.
func (c *assets) primitive(where string, a, b *asset.Primitive) {
	if a.Mode != b.Mode {
		c.note(Detail{What: "field", Where: join(where, "mode"), Old: fmt.Sprint(a.Mode), New: fmt.Sprint(b.Mode)})
		return
	}
	source := func(i int) int { return i }
	if len(a.Positions) != len(b.Positions) || !slices.Equal(a.Indices, b.Indices) {
		if n, m := corners(a)/3, corners(b)/3; n != m {
			c.note(Detail{What: "triangles", Where: where, Old: fmt.Sprint(n), New: fmt.Sprint(m)})
		}
		if b.Mode != asset.Triangles || damaged(a) || damaged(b) {
			return
		}
		m := scene.Match(a, b, scene.EditorTolerance)
		source = func(i int) int { return m.Vertices[i] }
		added, gone := count(m.Vertices, -1), count(m.Sources, -1)
		if added > 0 {
			c.note(Detail{What: "vertices", Where: where, New: fmt.Sprint(added)})
		}
		if gone > 0 {
			c.note(Detail{What: "vertices", Where: where, Old: fmt.Sprint(gone)})
		}
		if again := count(m.Triangles, -1); again > 0 && len(m.Triangles) > 0 {
			c.note(Detail{What: "triangles", Where: where, Count: again, Of: len(m.Triangles)})
		}
	}
	c.vectors("vertices", where, a.Positions, b.Positions, source)
	c.vectors("normals", where, a.Normals, b.Normals, source)
	for k := range min(len(a.TexCoords), len(b.TexCoords)) {
		differ(c, "texture coordinates", where, a.TexCoords[k], b.TexCoords[k], source)
	}
	differ(c, "colours", where, a.Colors, b.Colors, source)
	for k := range min(len(a.Joints), len(b.Joints), len(a.Weights), len(b.Weights)) {
		differ(c, "joints", where, a.Joints[k], b.Joints[k], source)
		differ(c, "weights", where, a.Weights[k], b.Weights[k], source)
	}
	if len(a.Targets) != len(b.Targets) {
		c.note(Detail{What: "morph targets", Where: where, Old: fmt.Sprint(len(a.Targets)), New: fmt.Sprint(len(b.Targets))})
	}
	for k := range min(len(a.Targets), len(b.Targets)) {
		c.vectors("vertices", join(where, fmt.Sprintf("target %d", k)), a.Targets[k].Positions, b.Targets[k].Positions, source)
	}
	if x, y := materialName(a), materialName(b); x != y {
		c.note(Detail{What: "field", Where: join(where, "material"), Old: fmt.Sprintf("%q", x), New: fmt.Sprintf("%q", y)})
	}
}

func materialName(p *asset.Primitive) string {
	if p.Material == nil {
		return ""
	}
	return p.Material.Name
}

func corners(p *asset.Primitive) int {
	if p.Indices != nil {
		return len(p.Indices)
	}
	return len(p.Positions)
}

// damaged reports whether an index of a primitive leads nowhere.
func damaged(p *asset.Primitive) bool {
	return slices.ContainsFunc(p.Indices, func(i uint32) bool { return int64(i) >= int64(len(p.Positions)) })
}

func count(list []int, v int) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

// vectors notes how many vectors differ, and by how much at most.
func (c *assets) vectors(what, where string, a, b [][3]float32, source func(int) int) {
	n, largest := 0, 0.0
	for i := range b {
		k := source(i)
		if k < 0 || k >= len(a) || same(a[k][:], b[i][:]) {
			continue
		}
		n++
		d := 0.0
		for j := range 3 {
			d = math.Hypot(d, float64(a[k][j])-float64(b[i][j]))
		}
		largest = max(largest, d)
	}
	if n > 0 {
		c.note(Detail{What: what, Where: where, Count: n, Of: len(b), Largest: largest * c.unit})
	} else if (len(a) == 0) != (len(b) == 0) {
		c.note(Detail{What: what, Where: where, Old: fmt.Sprint(len(a)), New: fmt.Sprint(len(b))})
	}
}

func same(a, b []float32) bool {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) && a[i] != b[i] {
			return false
		}
	}
	return true
}

// differ notes how many elements differ.
func differ[T comparable](c *assets, what, where string, a, b []T, source func(int) int) {
	n := 0
	for i := range b {
		if k := source(i); k >= 0 && k < len(a) && a[k] != b[i] {
			n++
		}
	}
	if n > 0 {
		c.note(Detail{What: what, Where: where, Count: n, Of: len(b)})
	} else if (len(a) == 0) != (len(b) == 0) {
		c.note(Detail{What: what, Where: where, Old: fmt.Sprint(len(a)), New: fmt.Sprint(len(b))})
	}
}

// material compares all but what a texture holds, which is compared by itself.
func (c *assets) material(where string, a, b *asset.Material) {
	x, y := *a, *b
	for _, m := range [...]*asset.Material{&x, &y} {
		m.Name, m.Native, m.Extras = "", nil, nil
		for _, r := range [...]**asset.TextureRef{&m.BaseColorTexture, &m.MetalRoughTexture, &m.NormalTexture, &m.OcclusionTexture, &m.LightTexture, &m.EmissiveTexture} {
			*r = named(*r)
		}
		if m.Specular != nil {
			s := *m.Specular
			s.Texture, s.ColorTexture = named(s.Texture), named(s.ColorTexture)
			m.Specular = &s
		}
	}
	c.fields(where, x, y)
}

// named returns the use of a texture of which only the name is left.
func named(r *asset.TextureRef) *asset.TextureRef {
	if r == nil {
		return nil
	}
	use := *r
	use.Extras = nil
	if r.Texture != nil {
		use.Texture = &asset.Texture{Name: r.Texture.Name}
	}
	return &use
}

func (c *assets) animation(where string, a, b *asset.Animation) {
	if len(a.Channels) != len(b.Channels) {
		c.note(Detail{What: "channels", Where: where, Old: fmt.Sprint(len(a.Channels)), New: fmt.Sprint(len(b.Channels))})
	}
	for i := range min(len(a.Channels), len(b.Channels)) {
		c.channel(where, i, a.Channels[i], b.Channels[i])
	}
}

var pathNames = [...]string{"translation", "rotation", "scale", "morph weights"}

func (c *assets) channel(where string, i int, a, b *asset.Channel) {
	in := join(where, fmt.Sprintf("channel %d", i))
	if b.Node != nil && int(b.Path) < len(pathNames) {
		in = join(where, fmt.Sprintf("%s of %q", pathNames[b.Path], b.Node.Name))
	}
	if len(a.Times) != len(b.Times) {
		c.note(Detail{What: "keys", Where: in, Old: fmt.Sprint(len(a.Times)), New: fmt.Sprint(len(b.Times))})
		return
	}
	if len(a.Values) != len(b.Values) || a.Interpolation != b.Interpolation {
		c.note(Detail{What: "field", Where: join(in, "interpolation"), Old: fmt.Sprint(a.Interpolation), New: fmt.Sprint(b.Interpolation)})
		return
	}
	n, first, width := 0, -1, len(b.Values)/max(len(b.Times), 1)
	for k := range b.Times {
		if a.Times[k] != b.Times[k] || !same(a.Values[k*width:(k+1)*width], b.Values[k*width:(k+1)*width]) {
			if n++; first < 0 {
				first = k
			}
		}
	}
	if n > 0 {
		c.note(Detail{What: "keys", Where: in, Count: n, Of: len(b.Times), At: float64(b.Times[first])})
	}
}

func (c *assets) skin(where string, a, b *asset.Skin) {
	if len(a.Joints) != len(b.Joints) {
		c.note(Detail{What: "joints", Where: where, Old: fmt.Sprint(len(a.Joints)), New: fmt.Sprint(len(b.Joints))})
	}
	for i := range min(len(a.Joints), len(b.Joints)) {
		if x, y := a.Joints[i].Name, b.Joints[i].Name; x != y {
			c.note(Detail{What: "field", Where: join(where, fmt.Sprintf("joint %d", i)), Old: x, New: y})
		}
	}
	c.fields(join(where, "inverse bind"), a.InverseBind, b.InverseBind)
}
