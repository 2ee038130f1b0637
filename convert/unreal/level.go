package unreal

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftLevel turns a level into a scene: its geometry, and a node for each actor with its class and properties. Movers
// have their shape, and so have actors whose mesh is at hand, here or in another package (reference sections 11.7 and
// 12.3).
func liftLevel(a *archive, o *unreal.Level, env *format.Env) (asset.Asset, error) {
	s, err := a.levelScene(o, env)
	if err != nil {
		return nil, err
	}
	if s.Native, err = pack.Native(levelName, o); err != nil {
		return nil, err
	}
	keepLight(s)
	return s, nil
}

func (a *archive) levelScene(l *unreal.Level, env *format.Env) (*asset.Scene, error) {
	s := &asset.Scene{Name: pack.LastName(l.Path)}
	root := space.RootNode(s.Name)
	s.Roots = []*asset.Node{root}
	b := levelBuilder{lamps: a.lamps(), scene: s, skins: look.NewSkins(a.File, s, env), brushes: map[unreal.Ref]*asset.Mesh{}, shapes: map[costume]*shown{}, others: map[*pack.File]*look.Skins{}}
	b.maps = newAtlas(b.models(l), env.Told())
	if l.Model > 0 {
		o, err := a.Object(int(l.Model - 1))
		if err != nil {
			return nil, err
		}
		n := asset.NewNode(geometryName)
		if n.Mesh, err = a.modelMesh(o, geometryName, b.skins, b.maps, &scenery{b.lamps, mgl64.Ident4(), firstActor(l)}); err != nil {
			return nil, err
		}
		if n.Mesh != nil {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
		if b.zones, err = a.zoneBoxes(o); err != nil {
			return nil, err
		}
		root.Children = append(root.Children, n)
	}
	seen := map[unreal.Ref]bool{}
	for _, r := range l.Actors {
		if r > 0 && !seen[r] {
			seen[r] = true
			if err := b.actor(r, root); err != nil {
				return nil, err
			}
		}
	}
	if b.sky != nil {
		scene.SetRole(b.sky, scene.Sky)
	}
	b.skins.Tell()
	return s, nil
}

type levelBuilder struct {
	*lamps

	scene   *asset.Scene
	skins   *look.Skins
	maps    *atlas                     // the light maps of all models
	brushes map[unreal.Ref]*asset.Mesh // by their Model
	shapes  map[costume]*shown         // meshes of actors; nil for those that cannot be shown
	others  map[*pack.File]*look.Skins

	zones map[unreal.Ref]box // the zones of actors

	sky  *asset.Node // where the sky is seen from: the last such zone, of those for high detail if there is one
	fine bool        // sky is for high detail
}

// models returns the Models of a level and its movers; those that cannot be read are left out.
func (b *levelBuilder) models(l *unreal.Level) (list []*unreal.Model) {
	add := func(r unreal.Ref) {
		if o, err := b.a.Object(int(r - 1)); err == nil {
			if m, ok := o.(*unreal.Model); ok {
				if m, err = b.a.joined(m); err == nil {
					list = append(list, m)
				}
			}
		}
	}
	add(l.Model)
	for _, r := range l.Actors {
		if r <= 0 || int(r) > len(b.a.Exports) || b.a.ClassName(r) == "Brush" {
			continue
		}
		if o, err := b.a.Object(int(r - 1)); err == nil {
			add(o.Base().Ref("Brush"))
		}
	}
	return list
}

// firstActor returns the LevelInfo of a level, or 0.
func firstActor(l *unreal.Level) unreal.Ref {
	if len(l.Actors) == 0 {
		return 0
	}
	return l.Actors[0]
}

// setting is a default property of a class.
type setting struct {
	class unreal.Ref
	name  string
	index int
}

// costume is a mesh of any package with what an actor puts on it.
type costume struct {
	owner *pack.File
	index int
	wear  pack.Outfit
}

// shown is a mesh as it stands in a level.
type shown struct {
	mesh      *asset.Mesh
	placement asset.Transform
}

// actor adds the node of an actor.
func (b *levelBuilder) actor(r unreal.Ref, root *asset.Node) error {
	o, err := b.a.Object(int(r - 1))
	if err != nil {
		return err
	}
	base := o.Base()
	class := b.a.ClassName(r)
	n := asset.NewNode(b.a.ObjectName(r))
	n.Kind = asset.Marker
	n.Native = &asset.Native{Format: levelName, Values: shownProperties(b.a, base)}
	keepDigest(n.Native)
	scene.SetShown(n.Native, "class", class)
	scene.SetShown(n.Native, "object", b.a.RefText(r))
	if box, ok := b.zones[r]; ok {
		b.tint(n, base, b.a.Exports[r-1].Class, box)
	}
	if reaches(b.a.File, b.a.Exports[r-1].Class, "PlayerStart") {
		scene.SetRole(n, scene.Start)
	}
	if reaches(b.a.File, b.a.Exports[r-1].Class, "SkyZoneInfo") {
		if detail := base.Property("bHighDetail", 0); detail != nil && detail.Number != 0 || !b.fine {
			b.sky, b.fine = n, detail != nil && detail.Number != 0
		}
	}
	defer func() { scene.SetShown(n.Native, "shown", shownAt(&n.Transform)) }()
	pivot := property3(base, "PrePivot", [3]float32{})
	location := property3(base, "Location", [3]float32{})
	rotation := space.Vertex.Rotation(rotator(base, "Rotation"))
	n.Transform.Rotation = space.Rotation(rotation)
	if model := base.Ref("Brush"); model > 0 && class != "Brush" {
		scale := mainScale(base)
		n.Transform.Scale = [3]float32{scale[1], scale[2], scale[0]}
		p := space.Vertex.Point(pivot)
		moved := rotation.Mul3x1(mgl64.Vec3{float64(p[0] * scale[1]), float64(p[1] * scale[2]), float64(p[2] * scale[0])})
		at := space.Vertex.Point(location)
		n.Transform.Translation = [3]float32{at[0] - float32(moved[0]), at[1] - float32(moved[1]), at[2] - float32(moved[2])}
		if err := b.brush(n, model, b.zoneOf(base)); err != nil {
			return err
		}
	} else {
		if p := b.setting(base, b.a.Exports[r-1].Class, "DrawScale", 0).Property; p != nil {
			if d := math.Float32frombits(uint32(p.Number)); d > 0 && d < 1e6 {
				n.Transform.Scale = [3]float32{d, d, d}
			}
		}
		if isBrush(base, class) {
			scale := mainScale(base)
			n.Transform.Scale = [3]float32{scale[1], scale[2], scale[0]}
		}
		n.Transform.Translation = space.Vertex.Point([3]float32{location[0] + pivot[0], location[1] + pivot[1], location[2] + pivot[2]})
		b.mesh(n, base, r)
		b.light(n, base, r)
	}
	root.Children = append(root.Children, n)
	return nil
}

// mainScale returns the scale of a brush or mover along the axes of the level.
func mainScale(base *unreal.Object) [3]float32 {
	return property3(base, "MainScale", [3]float32{1, 1, 1})
}

// isBrush reports whether an actor is a brush that the world is built from. DrawScale has no effect on these.
func isBrush(base *unreal.Object, class string) bool {
	return class == "Brush" && base.Ref("Brush") > 0
}

// drawMesh is the value of DrawType of actors that are shown as a mesh.
const drawMesh = 2

// mesh gives the node of an actor the mesh that it, or its class, names.
func (b *levelBuilder) mesh(n *asset.Node, base *unreal.Object, actor unreal.Ref) {
	k, ok := b.costume(base, actor)
	if !ok {
		return
	}
	s := b.shape(k)
	if s == nil {
		return
	}
	child := asset.NewNode(s.mesh.Name)
	child.Mesh, child.Transform = s.mesh, s.placement
	scene.SetShown(n.Native, partKey, shownAt(&child.Transform))
	n.Children = append(n.Children, child)
}

// costume returns the mesh that an actor, or its class, names, where it is at hand.
func (w *lamps) costume(base *unreal.Object, actor unreal.Ref) (costume, bool) {
	class := w.a.Exports[actor-1].Class
	if f := w.setting(base, class, "DrawType", 0); f.Property != nil && f.Property.Number != drawMesh {
		return costume{}, false
	}
	f := w.setting(base, class, "Mesh", 0)
	if f.Property == nil {
		return costume{}, false
	}
	holder, i := f.Owner.Resolve(unreal.Ref(f.Property.Number))
	if holder == nil {
		return costume{}, false
	}
	return costume{holder, i, pack.OutfitOf(func(name string, index int) pack.Found { return w.setting(base, class, name, index) })}, true
}

// setting returns a property of an actor, or the default of its class or of a class above it.
func (w *lamps) setting(base *unreal.Object, class unreal.Ref, name string, index int) pack.Found {
	if p := base.Property(name, index); p != nil {
		return pack.Found{Owner: w.a.File, Property: p}
	}
	k := setting{class, name, index}
	f, known := w.classes[k]
	if !known {
		f = w.a.Default(class, name, index)
		w.classes[k] = f
	}
	return f
}

// shape returns the mesh of an actor; nil for an object without one.
func (b *levelBuilder) shape(k costume) *shown {
	s, known := b.shapes[k]
	if known {
		return s
	}
	b.shapes[k] = nil
	o, err := k.owner.Object(k.index)
	if err != nil {
		return nil
	}
	if b.others[k.owner] == nil {
		b.others[k.owner] = b.skins.Of(k.owner)
	}
	m, placement := mesh.Still(o, b.others[k.owner], look.Dressed(&k.wear))
	if m == nil {
		return nil
	}
	b.scene.Meshes = append(b.scene.Meshes, m)
	b.shapes[k] = &shown{m, placement}
	return b.shapes[k]
}

// zoneOf returns the actor of the zone that an actor is in, or 0.
func (b *levelBuilder) zoneOf(base *unreal.Object) unreal.Ref {
	if p := base.Property("Region", 0); p != nil {
		if v, err := read.PointRegion(p.Value, b.a.Package); err == nil {
			return v.Zone
		}
	}
	return 0
}

// brush gives a node the shape of a Model. The node has its place.
func (b *levelBuilder) brush(n *asset.Node, model, zone unreal.Ref) error {
	mesh, known := b.brushes[model]
	if !known {
		o, err := b.a.Object(int(model - 1))
		if err != nil {
			return err
		}
		if mesh, err = b.a.modelMesh(o, b.a.ObjectName(model), b.skins, b.maps, &scenery{b.lamps, space.Matrix(n.Transform), zone}); err != nil {
			return err
		}
		if mesh != nil {
			b.scene.Meshes = append(b.scene.Meshes, mesh)
		}
		b.brushes[model] = mesh
	}
	n.Mesh = mesh
	return nil
}

// property3 returns the first three floats of a struct property.
func property3(o *unreal.Object, name string, missing [3]float32) [3]float32 {
	p := o.Property(name, 0)
	if p == nil {
		return missing
	}
	return vectorOf(p.Value, missing)
}

// vectorOf reads three floats; those that no level has are as in missing.
func vectorOf(b []byte, missing [3]float32) [3]float32 {
	if len(b) < 12 {
		return missing
	}
	v := missing
	for k := range v {
		if f := math.Float32frombits(binary.LittleEndian.Uint32(b[4*k:])); f == f && math.Abs(float64(f)) < 1e9 {
			v[k] = f
		}
	}
	return v
}

func rotator(o *unreal.Object, name string) (v [3]int32) {
	if p := o.Property(name, 0); p != nil && len(p.Value) == 12 {
		for k := range v {
			v[k] = int32(binary.LittleEndian.Uint32(p.Value[4*k:]))
		}
	}
	return v
}
