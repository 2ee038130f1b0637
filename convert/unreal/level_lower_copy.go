package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// own are the properties of an actor that say where it is in what the editor built: a copy has none of them until the
// level is built again (reference section 23).
var own = []string{"region", "oldlocation", "collocation", "paths", "upstreampaths", "prunedpaths", "visnoreachpaths", "nextnavigationpoint",
	"nextordered", "prevordered", "previouspath", "startpath", "markeditem", "mymarker", "touching"}

// copy makes a new actor of a node that is a copy of another one's.
func (e *levelEdit) copy(x standing) error {
	now := e.frame.place(e.worlds[x.node])
	if isLamp(x.node) {
		now = now.Mul4(backward.Transpose())
	}
	if of, ok := e.twins[x.node]; ok { // a mesh below the actor
		at, _, _ := e.partPlace(of)
		now = now.Mul4(at.Inv())
	}
	pose, _ := scene.Decompose(now)
	if isLamp(x.node) { // a lamp tells nothing of its actor's size
		like, _ := scene.PoseOf(&e.was[x.actor].Transform)
		pose.Scale = like.Scale
	}
	return e.newActor(x, pose)
}

// newActor copies the record of an actor to where a node is. One that an earlier run made of the same node takes what was edited since.
func (e *levelEdit) newActor(x standing, pose scene.Pose) error {
	name, again := e.newName(x)
	o, err := e.a.Object(int(x.actor - 1))
	if err != nil {
		return err
	}
	if again != 0 {
		if o, err = e.a.Object(int(again - 1)); err != nil {
			return err
		}
		was, as := e.shownNow(again, x), shownProperties(e.a, o.Base())
		changed := e.place(again, name, o.Base(), was.Matrix(), pose.Matrix())
		lit := e.relightAgain(o.Base(), again, x)
		set, err := e.takeProperties(o.Base(), as, x)
		if err != nil || !changed && !lit && !set {
			return err
		}
		return e.store(again, o)
	}
	base := o.Base()
	from := e.a.Exports[x.actor-1]
	r := e.a.AddExport(from.Class, from.Outer, name, from.Flags)
	e.made[r] = true
	if e.a.guides(base, x.actor) {
		e.paths.Add(name)
	}
	as := shownProperties(e.a, base)
	base.Properties = slices.DeleteFunc(slices.Clone(base.Properties), func(p unreal.Property) bool {
		return slices.Contains(own, strings.ToLower(e.a.Name(p.Name)))
	})
	if base.Frame != nil {
		base.Frame.Latent = 0
	}
	e.place(x.actor, name, base, scene.Matrix(&e.was[x.actor].Transform), pose.Matrix())
	if x.node.Native != nil || x.node.Light != nil {
		e.relight(base, x)
	}
	if _, err := e.takeProperties(base, as, x); err != nil {
		return err
	}
	if err := e.a.copyBrush(base, r); err != nil {
		return err
	}
	if e.a.ClassName(x.actor) == "Brush" {
		e.built.Add(name)
	}
	return e.enter(r, o)
}

// shownNow returns the pose that a record shows, with the scale of the actor that it was copied from.
func (e *levelEdit) shownNow(r unreal.Ref, x standing) scene.Pose {
	p, _ := scene.PoseOf(&e.was[x.actor].Transform)
	if n := e.a.nodeOf(r); n != nil {
		p, _ = scene.PoseOf(&n.Transform)
	}
	return p
}

// nodeOf shows one actor alone.
func (a *archive) nodeOf(r unreal.Ref) *asset.Node {
	s, err := a.levelScene(&unreal.Level{Object: unreal.Object{Context: &unreal.Context{Package: a.Package}}, Actors: []unreal.Ref{r}}, nil)
	if err != nil || len(s.Roots[0].Children) == 0 {
		return nil
	}
	return s.Roots[0].Children[0]
}

// enter puts a new actor into the package and the level.
func (e *levelEdit) enter(r unreal.Ref, o unreal.AnyObject) error {
	if err := e.a.Put(r, o); err != nil {
		return err
	}
	e.level.Actors = append(e.level.Actors, r)
	e.level.Capacity = max(e.level.Capacity, int32(len(e.level.Actors)))
	if o.Base().Property("LightBrightness", 0) != nil || strings.Contains(e.a.ClassName(r), "Light") {
		e.moved = append(e.moved, e.a.ObjectName(r))
	}
	return nil
}

// newName returns the name of the actor that a node makes: the node's, so that the same node makes the same actor when
// the scene is laid in again. again is that actor.
func (e *levelEdit) newName(x standing) (name string, again unreal.Ref) {
	name = nodeName(x.node.Name, e.a.ObjectName(x.actor))
	outer := e.a.Exports[x.actor-1].Outer
	for i := range e.a.Exports {
		exp := &e.a.Exports[i]
		r := unreal.Ref(i + 1)
		if e.a.gone[i] || exp.Outer != outer || !strings.EqualFold(e.a.Name(exp.Name), name) {
			continue
		}
		if exp.Class == e.a.Exports[x.actor-1].Class && e.was[r] == nil && slices.Contains(e.level.Actors, r) && !e.made[r] {
			e.made[r] = true
			return name, r
		}
		return e.a.FreeName(outer, strings.TrimRight(name, "_"), 0), 0
	}
	return name, 0
}

// copyBrush gives a copied brush or mover a shape of its own: its Model and Polys are copied with it.
func (a *archive) copyBrush(o *unreal.Object, actor unreal.Ref) error {
	p := o.Property("Brush", 0)
	if p == nil || p.Number <= 0 {
		return nil
	}
	m, err := pack.As[unreal.Model](a.File, int(p.Number-1))
	if m == nil {
		return err
	}
	model, err := a.double(unreal.Ref(p.Number), nil)
	if err != nil {
		return err
	}
	for i := range m.Surfs {
		m.Surfs[i].Actor = actor
	}
	polys := func(o unreal.AnyObject) {
		if q, ok := o.(*unreal.Polys); ok {
			for i := range q.Polys {
				if q.Polys[i].Actor != 0 {
					q.Polys[i].Actor = actor
				}
			}
		}
	}
	surfs := func(o unreal.AnyObject) {
		if q, ok := o.(*unreal.BspSurfs); ok {
			for i := range q.Surfs {
				q.Surfs[i].Actor = actor
			}
		}
	}
	parts := []*unreal.Ref{&m.Polys}
	if m.Old != nil {
		parts = append(parts, &m.Old.Vectors, &m.Old.Points, &m.Old.Nodes, &m.Old.Surfs, &m.Old.Verts)
	}
	for _, r := range parts {
		if *r <= 0 {
			continue
		}
		if *r, err = a.double(*r, func(o unreal.AnyObject) { polys(o); surfs(o) }); err != nil {
			return err
		}
	}
	m.Context = a.Context(int(model - 1))
	m.Context.Offset = -1
	p.Number, p.Value = int32(model), nil
	return a.Store(int(model-1), m)
}

// double copies an object under a name of its own.
func (a *archive) double(r unreal.Ref, edit func(o unreal.AnyObject)) (unreal.Ref, error) {
	o, err := a.Object(int(r - 1))
	if err != nil {
		return 0, err
	}
	if edit != nil {
		edit(o)
	}
	from := a.Exports[r-1]
	stem := strings.TrimRight(a.ObjectName(r), "0123456789")
	n := a.AddExport(from.Class, from.Outer, a.FreeName(from.Outer, stem, 0), from.Flags)
	return n, a.Put(n, o)
}

// fresh looks at a node that was no actor's: a light, or one whose name begins with that of a class of which there is an
// actor to copy.
func (e *levelEdit) fresh(n *asset.Node) error {
	world := e.frame.place(e.worlds[n])
	if n.Light != nil {
		if n.Light.Kind != asset.PointLight {
			world = world.Mul4(backward.Transpose())
		}
		pose, _ := scene.Decompose(world)
		return e.newLight(n, pose)
	}
	base, _ := scene.Uncopied(n.Name)
	stem := strings.TrimRight(base, "0123456789_ ")
	for i, r := range e.shownAs.Actors {
		if i < 2 || e.was[r] == nil || stem == "" || !strings.EqualFold(e.a.ClassName(r), stem) && !strings.EqualFold(e.a.ObjectName(r), base) {
			continue
		}
		pose, _ := scene.Decompose(world)
		like, _ := scene.PoseOf(&e.was[r].Transform)
		pose.Scale = like.Scale // a node that somebody made knows nothing of the level's units
		return e.newActor(standing{n, r}, pose)
	}
	switch {
	case n.Mesh != nil && !isGeometry(n):
		e.shapes.Add(n.Name)
	case n.Mesh == nil && len(n.Children) == 0:
		e.added.Add(n.Name)
	}
	return nil
}

// newLight makes an actor of class Engine.Light.
func (e *levelEdit) newLight(n *asset.Node, pose scene.Pose) error {
	outer := unreal.Ref(0)
	class := e.a.AddClass("Engine", "Light")
	name := pack.CleanName(strings.ReplaceAll(n.Name, ".", "_"), "Light")
	path := name
	if len(e.level.Actors) > 0 && e.level.Actors[0] > 0 {
		if outer = e.a.Exports[e.level.Actors[0]-1].Outer; outer != 0 {
			group, err := e.a.Path(outer)
			if err != nil {
				return err
			}
			path = group + "." + name
		}
	}
	if r := e.a.FindExport(path, "Light"); r != 0 {
		if e.was[r] == nil && slices.Contains(e.level.Actors, r) && !e.made[r] { // made by an earlier run
			o, err := e.a.Object(int(r - 1))
			if err != nil {
				return err
			}
			e.made[r] = true
			l, cut := newLamp(n.Light, e.a.Licensee == unreal.Licensee227)
			e.cutOff(cut, n.Name)
			l.store(o.Base(), lampIn(o.Base()))
			like, _ := scene.PoseOf(&asset.Transform{Rotation: asset.Identity.Rotation, Scale: asset.Identity.Scale})
			if x := e.a.nodeOf(r); x != nil {
				like, _ = scene.PoseOf(&x.Transform)
			}
			pose.Scale = like.Scale
			e.place(r, name, o.Base(), like.Matrix(), pose.Matrix())
			return e.store(r, o)
		}
		name = e.a.FreeName(outer, name, 0)
	}
	r := e.a.AddExport(class, outer, name, unreal.ActorFlags)
	e.made[r] = true
	o := &unreal.Object{Context: e.a.Context(int(r - 1)), Frame: newFrame(class), End: e.a.AddName("None")}
	if info := e.level.Actors; len(info) > 0 && info[0] > 0 {
		o.Set("Level", unreal.ObjectProperty, int32(info[0]))
	}
	o.Set("Tag", unreal.NameProperty, int32(e.a.AddName("Light")))
	like := scene.Pose{Turn: pose.Turn.Normalize(), Scale: pose.Scale}
	like.Turn.W, like.Turn.V = 1, [3]float64{}
	e.place(r, name, o, like.Matrix(), pose.Matrix())
	l, cut := newLamp(n.Light, e.a.Licensee == unreal.Licensee227)
	e.cutOff(cut, n.Name)
	l.store(o, lampIn(o))
	return e.enter(r, o)
}
