package unreal

import (
	"encoding/hex"
	"hash/fnv"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// brushRoom is what brushes and levels hold of a scene.
var brushRoom = scene.Capabilities{Target: "a brush or level", Format: modelName, TexCoords: 2, Empty: true, Looks: look.Looks | scene.LookOcclusionTexture | scene.LookLightTexture}

// litRoom returns what a target holds of a scene: a second set of texture coordinates and pictures of occlusion and of light
// where it has light maps.
func litRoom(room *scene.Capabilities, lifted *asset.Scene) *scene.Capabilities {
	for _, m := range lifted.Materials {
		if m.OcclusionTexture != nil {
			return room
		}
	}
	dark := *room
	dark.TexCoords, dark.Looks = 1, room.Looks&^(scene.LookOcclusionTexture|scene.LookLightTexture)
	return &dark
}

// lightKey is where a scene keeps a digest of its picture of light.
const lightKey = "lightPicture"

func keepLight(s *asset.Scene) {
	for _, m := range s.Materials {
		if scene.Used(m.LightTexture) {
			scene.SetShown(s.Native, lightKey, pictureDigest(m.LightTexture.Texture))
			return
		}
	}
}

func pictureDigest(t *asset.Texture) string {
	h := fnv.New64a()
	if t.Base() != nil {
		for _, c := range texture.Pixels(t) {
			h.Write(c[:3])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// tellLight reports an edited picture of light.
func tellLight(s *asset.Scene, path string, d *schema.Diagnostics) {
	want, known := scene.ShownText(s.Native, lightKey), map[*asset.Texture]bool{}
	for _, m := range s.Materials {
		if want == "" || !scene.Used(m.LightTexture) || known[m.LightTexture.Texture] {
			continue
		}
		known[m.LightTexture.Texture] = true
		if pictureDigest(m.LightTexture.Texture) != want {
			d.Lossf("light-map", path, "the picture of light of %q was edited, and is left out: the game computes it of the lights and their shadows", m.Name)
		}
	}
}

// tellLightMaps reports second texture coordinates that are no longer those of the light maps, and an edited picture of light.
func tellLightMaps(now, is *asset.Scene, path string, d *schema.Diagnostics) {
	tellLight(now, path, d)
	a, b := lightMapBox(now), lightMapBox(is)
	for k := range a {
		if a != [4]float32{} && math.Abs(float64(a[k]-b[k])) > 1e-3 {
			d.Lossf("light-map", path, "the second set of texture coordinates is not the one of the light maps any more, and is left out: they need the editor's lighting")
			return
		}
	}
}

// lightMapBox returns the least and the greatest of the second texture coordinates of all shapes that have light maps.
func lightMapBox(s *asset.Scene) (box [4]float32) {
	for _, n := range space.Shown(s) {
		for _, p := range n.Node.Mesh.Primitives {
			if len(p.TexCoords) < 2 || p.Material == nil || p.Material.OcclusionTexture == nil {
				continue
			}
			for _, v := range p.TexCoords[1] {
				box[0], box[1], box[2], box[3] = min(box[0], v[0]), min(box[1], v[1]), max(box[2], v[0]), max(box[3], v[1])
			}
		}
	}
	return box
}

// liftModel turns a BSP tree or the polygons of a brush into a scene: a primitive for each texture with its poly flags,
// polygons as fans (reference section 12.1). Light maps are the occlusion texture, on a second set of coordinates.
func liftModel(a *archive, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	s, err := a.modelScene(o, env)
	if err != nil {
		return nil, err
	}
	n, err := pack.Native(modelName, o)
	if err != nil {
		return nil, err
	}
	if p, ok := o.(*unreal.Polys); ok {
		scene.SetShown(n, brushKey, t3d.BrushText(p))
	}
	s.Native = n
	keepLight(s)
	return s, nil
}

// brushKey is where a scene keeps its polygons as text, for a brush that is made of them.
const brushKey = "brush"

func (a *archive) modelScene(o unreal.AnyObject, env *format.Env) (*asset.Scene, error) {
	s := &asset.Scene{Name: pack.LastName(o.Base().Path)}
	node := space.RootNode(s.Name)
	s.Roots = []*asset.Node{node}
	var maps *atlas
	if m, ok := o.(*unreal.Model); ok {
		m, err := a.joined(m)
		if err != nil {
			return s, err
		}
		maps = newAtlas([]*unreal.Model{m}, env.Told())
	}
	mesh, err := a.modelMesh(o, s.Name, look.NewSkins(a.File, s, env), maps, &scenery{lamps: a.lamps(), place: mgl64.Ident4()})
	if err != nil || mesh == nil {
		return s, err
	}
	node.Mesh = mesh
	s.Meshes = []*asset.Mesh{mesh}
	return s, nil
}

// polygon is a convex polygon with its texture mapping, in the engine's space.
type polygon struct {
	skin                       look.Skin
	points                     [][3]float32
	base, normal, axisU, axisV [3]float32
	panU, panV                 float32
	light                      int32 // light map; −1 for none
	zone                       int32 // before it; 0 for none
	surf                       int32 // of a tree
}

// modelMesh returns the mesh of a Model or Polys; nil when it has no polygons. maps are the light maps of the whole scene, by
// is what lights the model; both may be nil.
func (a *archive) modelMesh(o unreal.AnyObject, name string, k *look.Skins, maps *atlas, by *scenery) (*asset.Mesh, error) {
	var polygons []polygon
	var light *mapped
	var err error
	world := false // the tree that the game draws, and no brush
	switch o := o.(type) {
	case *unreal.Polys:
		polygons = brushPolygons(o)
	case *unreal.Model:
		if o, err = a.joined(o); err != nil {
			return nil, err
		}
		if polygons, err = bspPolygons(o); err != nil {
			return nil, err
		}
		world = len(polygons) > 0
		if maps != nil && world {
			light = maps.models[o.Path]
		}
		if len(o.Nodes) == 0 && o.Polys > 0 { // a brush
			x, err := a.Object(int(o.Polys - 1))
			if err != nil {
				return nil, err
			}
			if p, ok := x.(*unreal.Polys); ok {
				polygons = brushPolygons(p)
			}
		}
	}
	if light != nil {
		maps.paint(light, polygons, by)
	}
	mesh := &asset.Mesh{Name: name}
	builders := map[look.Skin]*asset.Primitive{}
	for i := range polygons {
		q := &polygons[i]
		if len(q.points) < 3 {
			continue
		}
		q.skin.Lit = light != nil
		p := builders[q.skin]
		if p == nil {
			p = &asset.Primitive{Material: k.Material(q.skin), TexCoords: make([][][2]float32, 1)}
			if light != nil {
				maps.dress(p.Material, k.Scene)
				p.TexCoords = append(p.TexCoords, nil)
			}
			if world && q.skin.Flags&unreal.PolyFakeBackdrop != 0 {
				scene.SetMix(p.Material, scene.Backdrop)
			}
			builders[q.skin] = p
			mesh.Primitives = append(mesh.Primitives, p)
		}
		addPolygon(p, q, k)
		if light != nil {
			p.TexCoords[1] = append(p.TexCoords[1], maps.coordinates(light, q)...)
		}
	}
	if len(mesh.Primitives) == 0 {
		return nil, nil
	}
	return mesh, nil
}

// addPolygon appends a polygon as a fan. Texture coordinates are texels over the texture's size; where that is not at
// hand, 256 is taken.
func addPolygon(p *asset.Primitive, q *polygon, k *look.Skins) {
	width, height := float32(256), float32(256)
	if t := k.Texture(q.skin.Texture); t != nil {
		width, height = float32(t.Base().Width), float32(t.Base().Height)
	}
	first := uint32(len(p.Positions))
	base, u, v := mgl32.Vec3(q.base), mgl32.Vec3(q.axisU), mgl32.Vec3(q.axisV)
	normal := mgl32.Vec3(space.Vertex.Point(q.normal))
	if l := normal.Len(); l > 1e-6 {
		normal = normal.Mul(1 / l)
	} else {
		normal = mgl32.Vec3{0, 1, 0}
	}
	for _, x := range q.points {
		d := mgl32.Vec3(x).Sub(base)
		p.Positions = append(p.Positions, space.Vertex.Point(x))
		p.Normals = append(p.Normals, normal)
		p.TexCoords[0] = append(p.TexCoords[0], [2]float32{(d.Dot(u) + q.panU) / width, (d.Dot(v) + q.panV) / height})
	}
	for i := uint32(2); i < uint32(len(q.points)); i++ {
		p.Indices = append(p.Indices, first, first+i, first+i-1)
	}
}

func brushPolygons(o *unreal.Polys) []polygon {
	all := make([]polygon, len(o.Polys))
	for i := range o.Polys {
		p := &o.Polys[i]
		all[i] = polygon{skin: look.Skin{Texture: p.Texture, Index: -1, Flags: p.Flags}, points: p.Vertices, base: p.Base, normal: p.Normal,
			axisU: p.TextureU, axisV: p.TextureV, panU: float32(p.PanU), panV: float32(p.PanV), light: -1}
	}
	return all
}

// maxCorners bounds the corners of the polygons of a tree, which may name one vertex again and again.
const maxCorners = 1 << 24

// bspPolygons returns the polygon of every node that has one.
func bspPolygons(m *unreal.Model) ([]polygon, error) {
	bad := func(field string, node int, index int32, count int) error {
		return schema.Errorf(modelName, schema.ErrRange, field, "%s: node %d leads to %d of %d", m.Path, node, index, count)
	}
	outside := func(i int32, n int) bool { return i < 0 || int(i) >= n }
	var all []polygon
	total := 0
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Count < 3 {
			continue
		}
		switch {
		case outside(n.Surf, len(m.Surfs)):
			return nil, bad("surf", i, n.Surf, len(m.Surfs))
		case n.VertPool < 0 || int(n.VertPool)+int(n.Count) > len(m.Verts):
			return nil, bad("vertex pool", i, n.VertPool, len(m.Verts))
		}
		s := &m.Surfs[n.Surf]
		switch {
		case outside(s.Base, len(m.Points)):
			return nil, bad("base point", i, s.Base, len(m.Points))
		case outside(s.TextureU, len(m.Vectors)) || outside(s.TextureV, len(m.Vectors)):
			return nil, bad("texture axis", i, max(s.TextureU, s.TextureV), len(m.Vectors))
		}
		if total += int(n.Count); total > maxCorners {
			return nil, schema.Errorf(modelName, schema.ErrLimit, "nodes", "%s: more than %d corners", m.Path, maxCorners)
		}
		q := polygon{skin: look.Skin{Texture: s.Texture, Index: -1, Flags: s.Flags}, light: s.LightMap, zone: n.Zones[1], surf: n.Surf, base: m.Points[s.Base], normal: [3]float32{n.Plane[0], n.Plane[1], n.Plane[2]},
			axisU: m.Vectors[s.TextureU], axisV: m.Vectors[s.TextureV], panU: float32(s.PanU), panV: float32(s.PanV)}
		for _, v := range m.Verts[n.VertPool : n.VertPool+int32(n.Count)] {
			if outside(v.Point, len(m.Points)) {
				return nil, bad("point", i, v.Point, len(m.Points))
			}
			q.points = append(q.points, m.Points[v.Point])
		}
		all = append(all, q)
	}
	return all, nil
}

// lowerStored returns the stored object while the scene is the same, and takes the polygons of a brush from T3D text.
// Level geometry cannot be changed: that needs a BSP build, which is the editor's.
func lowerStored(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Scene)
	if !ok || s.Native == nil {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "only a scene that came from a package can go back into one: geometry of levels needs the editor")
	}
	if s.Native.Format == t3dName {
		return a.polysFromText(i, s)
	}
	stored, err := a.Original(i, s.Native.Format, s.Native)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "it does not say which object it was made from")
	}
	lifted, err := a.modelScene(stored, nil)
	if err != nil {
		return nil, err
	}
	if err := look.Audit(s, litRoom(&brushRoom, lifted), env); err != nil {
		return nil, err
	}
	look.AdoptMaterials(s, lifted)
	if restore.Does(s, restore.DropsUnused) {
		restore.RefillShapes(lifted, s)
	}
	if !samePlaces(s, lifted, env.Told()) {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "%s: nodes were moved, added or removed: a brush is where its actor is; move that in the level", stored.Base().Path)
	}
	now, was := mesh.Shown(s), mesh.Shown(lifted)
	if !now.Same(was) {
		return nil, schema.Errorf(modelName, schema.ErrUnsupported, "", "%s: edited geometry of brushes and levels needs the editor's BSP build; brushes can be edited as T3D text", stored.Base().Path)
	}
	told := len(env.Told().All())
	look.TellEdits(s, lifted, &brushRoom, stored.Base().Path, env.Told())
	if len(env.Told().All()) == told && !mesh.ShownSurfaces(s).Same(mesh.ShownSurfaces(lifted)) {
		env.Told().Lossf("remapped", stored.Base().Path, "polygons show the textures of others, which is left out: surfaces of the world take them in the scene of the level, and those of a brush in its text (T3D)")
	}
	tellLightMaps(s, lifted, stored.Base().Path, env.Told())
	now.TellShading(was, stored.Base().Path, env.Told())
	return stored, nil
}

// samePlaces reports whether the nodes of a scene are where they were, by name. Nodes that an editor adds and that show
// nothing do not count.
func samePlaces(now, was *asset.Scene, d *schema.Diagnostics) bool {
	left := map[string][]stand{}
	for _, p := range nodePlaces(now) {
		left[p.name] = append(left[p.name], p)
	}
	size := scene.Size(was)
	before := nodePlaces(was)
	known := map[string]bool{}
	for _, p := range before {
		known[p.name] = true
	}
	var parted, added scene.Tally
	for _, p := range before {
		list := left[p.name]
		i := slices.IndexFunc(list, func(q stand) bool { return scene.SamePlace(p.world, q.world, size) })
		if i < 0 {
			return false
		}
		if known[list[i].above] && list[i].above != p.above {
			parted.Add(list[i].name)
		}
		left[p.name] = slices.Delete(list, i, i+1)
	}
	for _, list := range left {
		if slices.ContainsFunc(list, func(p stand) bool { return p.shows }) {
			return false
		}
	}
	for _, list := range left {
		for _, p := range list {
			if p.leaf {
				added.Add(p.name)
			}
		}
	}
	added.Tell(d, "node", "", "node", "nodes", "is new and left out: a level is made of actors, which are added in the editor")
	parted.Tell(d, "hierarchy", "", "node", "nodes", "is below another one now, which a level cannot hold: it stays where it was")
	return true
}

// stand is where a node is.
type stand struct {
	name, above string
	world       mgl64.Mat4
	shows, leaf bool
}

func nodePlaces(s *asset.Scene) (list []stand) {
	globals := scene.Worlds(s)
	s.Walk(func(n, parent *asset.Node) {
		p := stand{name: look.Uncopied(n.Name), world: globals[n], shows: n.Mesh != nil, leaf: len(n.Children) == 0}
		if parent != nil {
			p.above = look.Uncopied(parent.Name)
		}
		list = append(list, p)
	})
	return list
}
