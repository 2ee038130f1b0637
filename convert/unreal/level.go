package unreal

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftLevel turns a level into a scene: its geometry, and a node for each actor with its class and properties; movers
// and actors with a mesh of this package have their shape (reference sections 11.7 and 12.3).
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
	root := rootNode(s.Name)
	s.Roots = []*asset.Node{root}
	b := levelBuilder{a, s, newSkins(a, s, env), env, map[unreal.Ref]*asset.Mesh{}}
	if l.Model > 0 {
		o, err := a.object(int(l.Model - 1))
		if err != nil {
			return nil, err
		}
		n := asset.NewNode("geometry")
		if n.Mesh, err = a.modelMesh(o, "geometry", b.skins); err != nil {
			return nil, err
		}
		if n.Mesh != nil {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
		root.Children = append(root.Children, n)
	}
	for _, r := range l.Actors {
		if r > 0 {
			if err := b.actor(r, root); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

type levelBuilder struct {
	a      *archive
	scene  *asset.Scene
	skins  *skins
	env    *format.Env
	meshes map[unreal.Ref]*asset.Mesh // brushes by their Model
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
	values := map[string]any{"class": class}
	for i := range base.Properties {
		p := describeProperty(b.a.p, &base.Properties[i])
		if p.Index == 0 {
			values[p.Name] = p.Value
		}
	}
	n.Native = &asset.Native{Format: levelName, Values: values}
	pivot := property3(base, "PrePivot", [3]float32{})
	location := property3(base, "Location", [3]float32{})
	rotation := vertexAxes.rotation(rotator(base, "Rotation"))
	n.Transform.Rotation = quat32(rotation)
	if model := base.Ref("Brush"); model > 0 && class != "Brush" {
		if err := b.brush(n, model); err != nil {
			return err
		}
		scale := property3(base, "MainScale", [3]float32{1, 1, 1})
		n.Transform.Scale = [3]float32{scale[1], scale[2], scale[0]}
		p := vertexAxes.point(pivot)
		moved := rotation.Mul3x1(mgl64.Vec3{float64(p[0] * scale[1]), float64(p[1] * scale[2]), float64(p[2] * scale[0])})
		at := vertexAxes.point(location)
		n.Transform.Translation = [3]float32{at[0] - float32(moved[0]), at[1] - float32(moved[1]), at[2] - float32(moved[2])}
	} else {
		if p := base.Property("DrawScale", 0); p != nil {
			if d := math.Float32frombits(uint32(p.Number)); d > 0 && d < 1e6 {
				n.Transform.Scale = [3]float32{d, d, d}
			}
		}
		n.Transform.Translation = vertexAxes.point([3]float32{location[0] + pivot[0], location[1] + pivot[1], location[2] + pivot[2]})
	}
	root.Children = append(root.Children, n)
	return nil
}

// brush gives a node the shape of a Model.
func (b *levelBuilder) brush(n *asset.Node, model unreal.Ref) error {
	mesh, known := b.meshes[model]
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
		b.meshes[model] = mesh
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
