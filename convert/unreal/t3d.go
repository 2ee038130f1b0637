package unreal

import (
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

const t3dName = t3d.Name

// T3D holds the typed functions for one format: T3D: brushes and actors as text of the Unreal editor.
var T3D = format.Functions[unreal.T3D, *asset.Scene]{
	Read:  read.T3D,
	Write: write.T3D,
	Lift:  liftT3D,
	Lower: lowerT3D,
}

var t3dFormat = format.Of(format.Format{
	Name: t3dName, Family: family, Title: "T3D: brushes and actors as text of the Unreal editor", Kind: format.Model, Extensions: []string{".t3d"},
	Probe: probeT3D,
}, T3D)

func probeT3D(in *format.Input) format.Confidence {
	head := strings.ToLower(strings.TrimLeft(string(in.Head[:min(len(in.Head), 64)]), " \t\r\n"))
	for _, first := range []string{"begin map", "begin actor", "begin brush", "begin polylist"} {
		if strings.HasPrefix(head, first) {
			return format.Magic
		}
	}
	return format.No
}

// liftT3D shows the polygons of all brushes in the text: brushes, not the world that the editor builds of them. Those of
// actors are nodes at their places.
func liftT3D(t *unreal.T3D, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	placed, loose := t3d.PlacedBrushes(t.Items)
	b, err := write.T3D(t)
	if err != nil {
		return nil, err
	}
	s := &asset.Scene{Name: strings.TrimSuffix(env.Name, ".t3d"), Native: &asset.Native{Format: t3dName, Payload: b}}
	node := space.RootNode(s.Name)
	s.Roots = []*asset.Node{node}
	a := newArchive(pack.Scratch())
	k := look.NewSkins(a.File, s, env)
	mesh := func(name string, items []unreal.T3DItem) (*asset.Mesh, error) {
		polys, err := t3d.Polygons(items, nil)
		if err != nil {
			return nil, err
		}
		o := &unreal.Polys{}
		o.Context = &unreal.Context{Package: a.Package}
		for _, p := range polys {
			if p.TextureName != "" {
				p.Texture = a.AddImport("Engine", "Texture", 0, p.TextureName)
			}
			o.Polys = append(o.Polys, p.Poly)
		}
		m, err := a.modelMesh(o, name, k, nil, nil)
		if m != nil {
			s.Meshes = append(s.Meshes, m)
		}
		return m, err
	}
	if node.Mesh, err = mesh(s.Name, loose); err != nil {
		return nil, err
	}
	for _, x := range placed {
		n := asset.NewNode(x.Name)
		n.Transform = scene.TransformOf(x.At)
		n.Native = &asset.Native{Format: t3dName}
		for key, v := range x.Values {
			scene.SetShown(n.Native, key, v)
		}
		if n.Mesh, err = mesh(x.Name, x.Items); err != nil {
			return nil, err
		}
		if n.Mesh != nil {
			node.Children = append(node.Children, n)
		}
	}
	return s, nil
}

// textRoom is what the text of brushes holds of a scene.
var textRoom = scene.Capabilities{Target: "the text of a brush", Format: t3dName, Empty: true, Looks: look.Looks}

// lowerT3D gives back the text that a scene came from, the polygons of a brush, or, of any other scene, a brush with a
// polygon for each triangle.
func lowerT3D(s *asset.Scene, env *format.Env) (*unreal.T3D, error) {
	if err := look.Audit(s, &textRoom, env); err != nil {
		return nil, err
	}
	if n := s.Native; n != nil {
		if n.Format == t3dName && len(n.Payload) > 0 {
			t, err := read.T3D(n.Payload, nil)
			if err != nil {
				return nil, err
			}
			lifted, err := liftT3D(t, &format.Env{Name: s.Name})
			if err == nil && mesh.ShownSurfaces(s).Same(mesh.ShownSurfaces(lifted)) {
				look.TellEdits(s, lifted, &textRoom, s.Name, env.Told())
				look.TellParents(s, lifted, s.Name, env.Told())
				mesh.ShownSurfaces(s).TellShading(mesh.ShownSurfaces(lifted), s.Name, env.Told())
				return t, nil
			}
		}
		if text := scene.ShownText(n, brushKey); text != "" {
			t, err := read.T3D([]byte(text), nil)
			if err != nil {
				return nil, err
			}
			lifted, err := liftT3D(t, &format.Env{Name: s.Name})
			if err == nil && mesh.ShownSurfaces(s).SamePlaces(mesh.ShownSurfaces(lifted)) {
				return t, nil
			}
		}
	}
	d := env.Told()
	d.Lossf("brush-plain", s.Name, "every triangle becomes a polygon of one brush: what else the text says of brushes, actors and polygons is left out")
	t, err := read.T3D([]byte(triangleText(s)), nil)
	if err != nil {
		return nil, err
	}
	if s.Native != nil && s.Native.Format == t3dName {
		is, err := liftT3D(t, &format.Env{Name: s.Name})
		if err != nil {
			return nil, err
		}
		look.TellEdits(s, is, &textRoom, s.Name, d)
	}
	return t, nil
}

// triangleText writes the triangles of a scene as the polygons of one brush.
func triangleText(s *asset.Scene) string {
	p := &unreal.Package{Version: DefaultVersion}
	none := p.AddName("None")
	o := &unreal.Polys{}
	o.Context = &unreal.Context{Package: p, Path: pack.CleanName(s.Name, "Brush")}
	for _, n := range space.Shown(s) {
		for _, q := range n.Node.Mesh.Primitives {
			x := texturedAs(q.Material)
			x.Item = none
			if x.TextureName != "" {
				x.Texture = p.AddImport("Engine", "Texture", 0, x.TextureName)
			}
			shown := mesh.ShownMesh(&asset.Mesh{Primitives: []*asset.Primitive{q}}, n.World)
			for _, c := range shown.Corners() {
				if y, ok := x.polygon(c); ok {
					o.Polys = append(o.Polys, y)
				}
			}
		}
	}
	return t3d.BrushText(o)
}

// clothed is a polygon without corners, with the size of its texture.
type clothed struct {
	t3d.Polygon
	width, height float64
}

// texturedAs returns what polygons of a material have in common. The size of a texture that is not at hand is taken to be
// 256, as in [addPolygon].
func texturedAs(m *asset.Material) (x clothed) {
	x.width, x.height = 256, 256
	x.Flags = look.FlagsOf(m)
	if m == nil {
		return x
	}
	x.TextureName = strings.TrimSuffix(scene.ShownText(m.Native, "texture"), "'")
	x.TextureName = x.TextureName[strings.LastIndexAny(x.TextureName, ".'")+1:]
	if t := m.BaseColorTexture; t != nil && t.Texture != nil {
		if b := t.Texture.Base(); b != nil {
			x.width, x.height = float64(b.Width), float64(b.Height)
		}
		if x.TextureName == "" || t.Texture.Name != "" {
			x.TextureName = pack.CleanName(t.Texture.Name, m.Name)
		}
	}
	return x
}

// polygon returns a triangle as a polygon; false for one without area.
func (x *clothed) polygon(corners [3]mesh.Corner) (p unreal.Poly, ok bool) {
	p = x.Poly
	var uv [3][2]float64
	for k, c := range corners {
		v := space.Vertex.Back(c.Position)
		p.Vertices = append(p.Vertices, [3]float32{v[0] * space.UnitsPerMetre, v[1] * space.UnitsPerMetre, v[2] * space.UnitsPerMetre})
		uv[k] = [2]float64{float64(c.UV[0]) * x.width, float64(c.UV[1]) * x.height}
	}
	p.Base = p.Vertices[0]
	if !flatPolygon(&p) {
		return p, false
	}
	x.cover(&p, uv)
	return p, true
}

// flatPolygon gives a polygon its normal and texture axes along its first edge; false when it has no area.
func flatPolygon(p *unreal.Poly) bool {
	a, b, c := mgl32.Vec3(p.Vertices[0]), mgl32.Vec3(p.Vertices[1]), mgl32.Vec3(p.Vertices[2])
	n := b.Sub(a).Cross(c.Sub(a))
	if !(n.Len() > 1e-6) {
		return false
	}
	n = n.Normalize()
	u := b.Sub(a).Normalize()
	p.Normal, p.TextureU, p.TextureV = n, u, n.Cross(u)
	return true
}

// cover gives a triangle the axes and the origin that put its corners at texture coordinates, in texels. The texture of a
// triangle that shows a line or a point of it keeps axes along the first edge.
func (x *clothed) cover(p *unreal.Poly, uv [3][2]float64) {
	a, b, c := scene.Wide3(p.Vertices[0]), scene.Wide3(p.Vertices[1]), scene.Wide3(p.Vertices[2])
	e, f := b.Sub(a), c.Sub(a)
	ee, ef, ff := e.Dot(e), e.Dot(f), f.Dot(f)
	det := ee*ff - ef*ef
	axis := func(k int) mgl64.Vec3 { // in the plane, with the right slopes along both edges
		s, t := uv[1][k]-uv[0][k], uv[2][k]-uv[0][k]
		return e.Mul((s*ff - t*ef) / det).Add(f.Mul((t*ee - s*ef) / det))
	}
	u, v := axis(0), axis(1)
	uu, vw, vv := u.Dot(u), u.Dot(v), v.Dot(v)
	whole := uu*vv - vw*vw
	if !(det > 0) || !(whole > 1e-12*uu*vv) {
		return
	}
	s, t := uv[0][0], uv[0][1]
	at := a.Sub(u.Mul((s*vv - t*vw) / whole)).Sub(v.Mul((t*uu - s*vw) / whole))
	p.TextureU, p.TextureV, p.Base = scene.Narrow3(u), scene.Narrow3(v), scene.Narrow3(at)
}

// polysFromText gives a Polys object the polygons of T3D text.
func (a *archive) polysFromText(i int, s *asset.Scene) (unreal.AnyObject, error) {
	if i < 0 {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "a new brush needs its actor: edit one that exists")
	}
	stored, err := a.Object(i)
	if err != nil {
		return nil, err
	}
	o, ok := stored.(*unreal.Polys)
	if !ok {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "%s is a %s; T3D text goes into its Polys", stored.Base().Path, stored.Base().Class)
	}
	t, err := read.T3D(s.Native.Payload, nil)
	if err != nil {
		return nil, err
	}
	polys, err := a.polysOf(t.Items, a.textureNamed)
	if err != nil {
		return nil, err
	}
	setPolys(o, polys)
	return o, nil
}

// polysOf returns the polygons of text as the package stores them.
func (a *archive) polysOf(items []unreal.T3DItem, texture func(name string) unreal.Ref) ([]unreal.Poly, error) {
	text, err := t3d.Polygons(items, nil)
	if err != nil {
		return nil, err
	}
	list := make([]unreal.Poly, len(text))
	for i, p := range text {
		if p.ItemName == "" {
			p.ItemName = "None"
		}
		p.Item, p.BrushPoly = a.AddName(p.ItemName), -1
		p.Texture = texture(p.TextureName)
		list[i] = p.Poly
	}
	return list, nil
}

// setPolys replaces the polygons of a brush, but for what text does not say of them.
func setPolys(o *unreal.Polys, list []unreal.Poly) {
	for i := range list[:min(len(list), len(o.Polys))] {
		list[i].Actor, list[i].BrushPoly = o.Polys[i].Actor, o.Polys[i].BrushPoly
	}
	o.Polys, o.Capacity = list, max(o.Capacity, int32(len(list)))
}

// textureNamed returns a texture that the package holds or imports by its name alone; 0 for none.
func (a *archive) textureNamed(name string) unreal.Ref {
	name = pack.LastName(name)
	if name == "" {
		return 0
	}
	r := a.textureAtHand(name)
	if r == 0 {
		a.Env.Told().Warnf("texture-missing", name, "the package neither holds nor imports this texture; the polygon has none")
	}
	return r
}

// textureAtHand is textureNamed for those who tell themselves what is missing.
func (a *archive) textureAtHand(name string) unreal.Ref {
	name = pack.LastName(name)
	if r := a.ByName(name, "Texture"); r != 0 {
		return r
	}
	for i := range a.Imports {
		r := unreal.Ref(-i - 1)
		if strings.EqualFold(a.ObjectName(r), name) && strings.HasSuffix(a.ClassName(r), "Texture") {
			return r
		}
	}
	return 0
}
