package unreal

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftLevel turns a level into a scene: its geometry, and a node for each actor with its class and properties. Movers
// have their shape, and so have actors whose mesh is at hand, here or in another package (reference sections 11.7 and
// 12.3).
func liftLevel(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	s, err := a.levelScene(o.(*unreal.Level), env)
	if err != nil {
		return nil, err
	}
	s.Native, err = native(levelName, o)
	return s, err
}

func (a *archive) levelScene(l *unreal.Level, env *format.Env) (*asset.Scene, error) {
	s := &asset.Scene{Name: lastName(l.Path)}
	root := space.RootNode(s.Name)
	s.Roots = []*asset.Node{root}
	b := levelBuilder{a: a, scene: s, env: env, skins: newSkins(a, s, env), brushes: map[unreal.Ref]*asset.Mesh{}, shapes: map[costume]*shown{}, others: map[*archive]*skins{}, classes: map[setting]found{}, lights: map[unreal.Ref]bool{}}
	if l.Model > 0 {
		o, err := a.object(int(l.Model - 1))
		if err != nil {
			return nil, err
		}
		n := asset.NewNode(geometryName)
		if n.Mesh, err = a.modelMesh(o, geometryName, b.skins); err != nil {
			return nil, err
		}
		if n.Mesh != nil {
			s.Meshes = append(s.Meshes, n.Mesh)
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
	b.skins.tell()
	return s, nil
}

type levelBuilder struct {
	a       *archive
	scene   *asset.Scene
	env     *format.Env
	skins   *skins
	brushes map[unreal.Ref]*asset.Mesh // by their Model
	shapes  map[costume]*shown         // meshes of actors; nil for those that cannot be shown
	others  map[*archive]*skins
	classes map[setting]found
	lights  map[unreal.Ref]bool // classes that are Engine.Light or below it
}

// setting is a default property of a class.
type setting struct {
	class unreal.Ref
	name  string
	index int
}

// found is a property with the package that it stands in; nil where no class at hand has it.
type found struct {
	owner    *archive
	property *unreal.Property
}

// object is an export of any package.
type object struct {
	owner *archive
	index int
}

// costume is a mesh with what an actor puts on it.
type costume struct {
	object
	wear outfit
}

// shown is a mesh as it stands in a level.
type shown struct {
	mesh      *asset.Mesh
	placement asset.Transform
}

// actor adds the node of an actor.
func (b *levelBuilder) actor(r unreal.Ref, root *asset.Node) error {
	o, err := b.a.object(int(r - 1))
	if err != nil {
		return err
	}
	base := o.Base()
	class := b.a.p.ClassName(r)
	n := asset.NewNode(b.a.p.ObjectName(r))
	n.Kind = asset.Marker
	values := map[string]any{"class": class, "object": refText(b.a.p, r)}
	for i := range base.Properties {
		p := describeProperty(b.a.p, &base.Properties[i])
		if p.Index == 0 {
			values[p.Name] = p.Value
		}
	}
	n.Native = &asset.Native{Format: levelName, Values: values}
	defer func() { values["shown"] = shownAt(&n.Transform) }()
	pivot := property3(base, "PrePivot", [3]float32{})
	location := property3(base, "Location", [3]float32{})
	rotation := space.Vertex.Rotation(rotator(base, "Rotation"))
	n.Transform.Rotation = space.Rotation(rotation)
	if model := base.Ref("Brush"); model > 0 && class != "Brush" {
		if err := b.brush(n, model); err != nil {
			return err
		}
		scale := mainScale(base)
		n.Transform.Scale = [3]float32{scale[1], scale[2], scale[0]}
		p := space.Vertex.Point(pivot)
		moved := rotation.Mul3x1(mgl64.Vec3{float64(p[0] * scale[1]), float64(p[1] * scale[2]), float64(p[2] * scale[0])})
		at := space.Vertex.Point(location)
		n.Transform.Translation = [3]float32{at[0] - float32(moved[0]), at[1] - float32(moved[1]), at[2] - float32(moved[2])}
	} else {
		if p := b.setting(base, b.a.p.Exports[r-1].Class, "DrawScale", 0).property; p != nil {
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

// isBrush tells whether an actor is one of those that the world is built of. DrawScale does nothing to them.
func isBrush(base *unreal.Object, class string) bool {
	return class == "Brush" && base.Ref("Brush") > 0
}

// drawMesh is the value of DrawType of actors that are shown as a mesh.
const drawMesh = 2

// mesh gives the node of an actor the mesh that it, or its class, names.
func (b *levelBuilder) mesh(n *asset.Node, base *unreal.Object, actor unreal.Ref) {
	class := b.a.p.Exports[actor-1].Class
	if f := b.setting(base, class, "DrawType", 0); f.property != nil && f.property.Number != drawMesh {
		return
	}
	f := b.setting(base, class, "Mesh", 0)
	if f.property == nil {
		return
	}
	holder, i := f.owner.resolve(unreal.Ref(f.property.Number))
	if holder == nil {
		return
	}
	wear := outfitOf(func(name string, index int) found { return b.setting(base, class, name, index) })
	s := b.shape(costume{object{holder, i}, wear})
	if s == nil {
		return
	}
	child := asset.NewNode(s.mesh.Name)
	child.Mesh, child.Transform = s.mesh, s.placement
	n.Native.Values[partKey] = shownAt(&child.Transform)
	n.Children = append(n.Children, child)
}

// setting returns a property of an actor, or the default of its class or of a class above it.
func (b *levelBuilder) setting(base *unreal.Object, class unreal.Ref, name string, index int) found {
	if p := base.Property(name, index); p != nil {
		return found{b.a, p}
	}
	k := setting{class, name, index}
	f, known := b.classes[k]
	if !known {
		f = b.a.classDefault(class, name, index)
		b.classes[k] = f
	}
	return f
}

// classDefault looks for a default property, up the line of classes as far as their packages are at hand.
func (a *archive) classDefault(class unreal.Ref, name string, index int) found {
	for range schema.DefaultLimits.Depth {
		next, i := a.resolve(class)
		if next == nil {
			break
		}
		o, err := next.object(i)
		c, ok := o.(*unreal.Class)
		if err != nil || !ok {
			break
		}
		if p := c.Property(name, index); p != nil {
			return found{next, p}
		}
		a, class = next, c.Super
	}
	return found{}
}

// shape returns a vertex mesh in its first frame, or a skeletal mesh as its bones rest.
func (b *levelBuilder) shape(k costume) *shown {
	s, known := b.shapes[k]
	if known {
		return s
	}
	b.shapes[k] = nil
	o, err := k.owner.object(k.index)
	if err != nil {
		return nil
	}
	if b.others[k.owner] == nil {
		b.others[k.owner] = newSkins(k.owner, b.scene, b.env)
		b.others[k.owner].missing = b.skins.missing
	}
	if s = b.draw(k, o); s != nil {
		b.scene.Meshes = append(b.scene.Meshes, s.mesh)
	}
	b.shapes[k] = s
	return s
}

// draw makes the mesh of an object; nil for one without a shape.
func (b *levelBuilder) draw(k costume, o unreal.AnyObject) *shown {
	s, skins := &asset.Scene{Name: lastName(o.Base().Path)}, b.others[k.owner]
	if m, ok := o.(*unreal.SkeletalMesh); ok {
		if checkSkeletal(m) != nil || len(m.Faces) == 0 {
			return nil
		}
		mesh := k.owner.skinnedMesh(s, m, skins, k.wear.dressed)
		for _, p := range mesh.Primitives {
			p.Joints, p.Weights = nil, nil
		}
		return &shown{mesh, space.Skeletal.Placement(&m.Mesh)}
	}
	x, err := shapeOf(o, nil)
	if err != nil || len(x.faces) == 0 || x.mesh.AnimFrames == 0 {
		return nil
	}
	x.mesh.AnimFrames = 1
	return &shown{k.owner.meshOf(s, x, skins, k.wear.dressed), space.Vertex.Placement(x.mesh)}
}

// brush gives a node the shape of a Model.
func (b *levelBuilder) brush(n *asset.Node, model unreal.Ref) error {
	mesh, known := b.brushes[model]
	if !known {
		o, err := b.a.object(int(model - 1))
		if err != nil {
			return err
		}
		if mesh, err = b.a.modelMesh(o, b.a.p.ObjectName(model), b.skins); err != nil {
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
	if p == nil || len(p.Value) < 12 {
		return missing
	}
	v := missing
	for k := range v {
		if f := math.Float32frombits(binary.LittleEndian.Uint32(p.Value[4*k:])); f == f && math.Abs(float64(f)) < 1e9 {
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
