package unreal

import (
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// levelRoom is what a level holds of a scene: places of actors, and lights.
var levelRoom = scene.Capabilities{Target: "a level", Format: levelName, TexCoords: 2, Empty: true, Lights: true, Looks: brushRoom.Looks}

// lowerLevel puts the actors of a scene back into the records that they came from: a node that was moved, turned or
// scaled changes Location, Rotation and DrawScale, a light its bytes, a copy of a node makes a new actor, and an actor
// without a node is removed. Shapes stay as they are: they need the editor's BSP build.
func lowerLevel(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Scene)
	if !ok || i < 0 {
		return nil, schema.Errorf(levelName, schema.ErrUnsupported, "", "only the scene of a level can go back into it: a new level needs the editor")
	}
	o, err := a.Object(i)
	if err != nil {
		return nil, err
	}
	l, ok := o.(*unreal.Level)
	if !ok {
		return nil, schema.Errorf(levelName, schema.ErrUnsupported, "", "%s has a layout that usher does not know; it cannot be edited", o.Base().Path)
	}
	if s.Native != nil && s.Native.Format == t3dName {
		return l, a.layIn(l, s.Native.Payload, env)
	}
	e := &levelEdit{a: a, d: env.Told(), index: i, level: l, shownAs: l, made: map[unreal.Ref]bool{}, twins: map[*asset.Node]standing{}}
	if x, err := a.Original(i, levelName, s.Native); err == nil && x != nil { // the list as the scene shows it
		if e.shownAs, ok = x.(*unreal.Level); !ok {
			return nil, noneOf(levelName, x)
		}
	}
	if e.lifted, err = a.levelScene(e.shownAs, nil); err != nil {
		return nil, err
	}
	if err := look.Audit(s, litRoom(&levelRoom, e.lifted), env); err != nil {
		return nil, err
	}
	look.AdoptMaterials(s, e.lifted)
	if err := e.apply(s); err != nil {
		return nil, err
	}
	look.TellMaterials(s, e.lifted, &levelRoom, l.Path, e.d)
	tellLightMaps(s, e.lifted, l.Path, e.d)
	look.TellAnimations(s, e.lifted, l.Path, e.d)
	return l, nil
}

// levelEdit takes over what was done to the scene of a level.
type levelEdit struct {
	a       *archive
	d       *schema.Diagnostics
	index   int           // export of the level
	level   *unreal.Level // as it is to be
	shownAs *unreal.Level // as the scene was made of it
	lifted  *asset.Scene  // what it shows then
	was     map[unreal.Ref]*asset.Node
	worlds  map[*asset.Node]mgl64.Mat4
	parents map[*asset.Node]*asset.Node
	made    map[unreal.Ref]bool      // actors that this run made or found again
	twin    string                   // the first of:
	twins   map[*asset.Node]standing // copies of the meshes of actors, which make actors
	dark    []standing               // lights without their lamp: they go
	lamps   bool                     // the scene has lights: an editor did not leave them out
	frame   frame
	size    float64

	moved []string    // lights that are elsewhere or shine otherwise now
	built scene.Tally // brushes that are elsewhere, other or more than the world was built of
	// What cannot be taken over.
	skewed, uneven, kept, needed, added, shapes, reshaped, remapped, bared, renamed, named, below, cut, unpainted scene.Tally
	along, gone                                                                                                   scene.Tally // actors that went along with their meshes, or were removed
	unknown, decided, stale                                                                                       scene.Tally // edited properties that are not taken over
	paths                                                                                                         scene.Tally // actors that paths run through, moved or new
}

// standing is a node that stands for an actor.
type standing struct {
	node  *asset.Node
	actor unreal.Ref
}

// apply finds the actors of the nodes, and changes the records.
func (e *levelEdit) apply(s *asset.Scene) error {
	e.worlds, e.parents, e.size = scene.Worlds(s), scene.Parents(s), 0
	e.was = map[unreal.Ref]*asset.Node{}
	for _, n := range e.lifted.Roots[0].Children {
		if n.Native == nil {
			continue
		}
		text, _ := scene.Shown(n.Native, "object").(string)
		if r, ok := e.a.FindRef(text); ok {
			e.was[r] = n
		}
	}
	for _, n := range e.was {
		for _, x := range n.Transform.Translation {
			e.size = max(e.size, float64(max(x, -x)))
		}
	}
	standings, rest := e.standings(s)
	if len(standings) == 0 && len(e.was) > 0 {
		return schema.Errorf(levelName, schema.ErrUnsupported, "", "the scene shows none of the actors of %s: it was not made from this level", e.level.Path)
	}
	s.Walk(func(n, _ *asset.Node) { e.lamps = e.lamps || n.Light != nil })
	originals, copies := e.sort(standings)
	e.tellLights(originals)
	copies = append(copies, moreLamps(originals)...)
	e.frame = e.findFrame(originals)
	copies = append(copies, e.moreParts(originals)...)
	e.rename(originals)
	for _, x := range originals {
		if err := e.edit(x); err != nil {
			return err
		}
	}
	for _, x := range copies {
		if err := e.copy(x); err != nil {
			return err
		}
	}
	for _, n := range rest {
		if err := e.fresh(n); err != nil {
			return err
		}
	}
	if err := e.remove(originals); err != nil {
		return err
	}
	e.compareRoot()
	built := world(s)
	known, err := e.repaint(s, built)
	if err != nil {
		return err
	}
	e.compareShapes(built, known, standings)
	e.compareNodes(originals, built)
	e.tell()
	return nil
}

// standings returns the nodes that stand for actors, and those that stand for nothing known. Nodes below an actor that
// are not marked as one are its parts.
func (e *levelEdit) standings(s *asset.Scene) (list []standing, rest []*asset.Node) {
	byName := map[string]unreal.Ref{}
	for _, r := range e.shownAs.Actors {
		if e.was[r] != nil {
			byName[strings.ToLower(e.a.ObjectName(r))] = r
		}
	}
	known := map[*asset.Node]bool{}
	above := map[*asset.Node]int{} // nodes that hold actors
	s.Walk(func(n, parent *asset.Node) {
		r, marked := e.marked(n)
		if !marked && !known[parent] {
			base, _ := scene.Uncopied(n.Name)
			if r = byName[strings.ToLower(n.Name)]; r == 0 {
				r = byName[strings.ToLower(base)]
			}
		}
		if r == 0 {
			if known[n] = known[parent]; !known[n] {
				rest = append(rest, n)
			}
			return
		}
		known[n] = true
		list = append(list, standing{n, r})
		for p := parent; p != nil; p = e.parents[p] {
			above[p]++
		}
	})
	rest = slices.DeleteFunc(rest, func(n *asset.Node) bool { return above[n] > 0 })
	return list, rest
}

// marked returns the actor that a node says it is.
func (e *levelEdit) marked(n *asset.Node) (unreal.Ref, bool) {
	if n.Native == nil || n.Native.Format != levelName {
		return 0, false
	}
	r, ok := e.a.FindRef(scene.ShownText(n.Native, "object"))
	if !ok || e.was[r] == nil {
		return 0, false
	}
	return r, true
}

// sort tells originals from their copies: the node that bears the actor's name is it, or else the first.
func (e *levelEdit) sort(list []standing) (originals, copies []standing) {
	chosen := map[unreal.Ref]*asset.Node{}
	for _, x := range list {
		name := e.a.ObjectName(x.actor)
		if was := chosen[x.actor]; was == nil || x.node.Name == name && was.Name != name {
			chosen[x.actor] = x.node
		}
	}
	for _, x := range list {
		switch {
		case chosen[x.actor] == x.node && e.unlit(x):
			e.dark = append(e.dark, x)
		case chosen[x.actor] == x.node:
			originals = append(originals, x)
		default:
			copies = append(copies, x)
		}
	}
	return originals, copies
}

// tellLights warns of a scene that has no light although its level has some: editors leave lights out unless they are
// told to keep them, so that the lights stay.
func (e *levelEdit) tellLights(originals []standing) {
	if e.lamps {
		return
	}
	var kept scene.Tally
	for _, x := range originals {
		if was := e.was[x.actor]; was != nil && lampNode(was) != nil {
			kept.Add(x.node.Name)
		}
	}
	if kept.Count > 0 {
		e.d.Warnf("lights-kept", kept.First, "the scene has no light, and the level keeps its own, %d of them: to take out the last one too, delete its actor; in Blender tick Include › Punctual Lights when you export", kept.Count)
	}
}

// unlit reports whether the lamp of a light was taken away, which leaves nothing of it that shows: Blender's users pick the
// lamp, not the empty above it.
func (e *levelEdit) unlit(x standing) bool {
	_, shone := keptLamp(x.node)
	return shone && e.lamps && lampNode(x.node) == nil && len(x.node.Children) == 0 && reaches(e.a.File, e.a.Exports[x.actor-1].Class, "Light")
}

// moreLamps are copies of the lamps of actors: each makes an actor of its own.
func moreLamps(originals []standing) (list []standing) {
	for _, x := range originals {
		own := lampNode(x.node)
		for _, c := range x.node.Children {
			if isLamp(c) && c != own && own != x.node {
				list = append(list, standing{c, x.actor})
			}
		}
	}
	return list
}

// frame turns places of the world into those of the level.
type frame struct {
	back mgl64.Mat4  // from the world to below the level's root
	root *asset.Node // what stands for the level's root; nil for nothing
	flat bool        // the scene was saved Z up, against the rules
}

// upright turns what is Z up into Y up.
var upright = mgl64.Mat4FromRows(mgl64.Vec4{1, 0, 0, 0}, mgl64.Vec4{0, 0, 1, 0}, mgl64.Vec4{0, -1, 0, 0}, mgl64.Vec4{0, 0, 0, 1})

func (f *frame) place(world mgl64.Mat4) mgl64.Mat4 {
	m := f.back.Mul4(world)
	if f.flat {
		m = upright.Mul4(m).Mul4(upright.Transpose())
	}
	return m
}

// findFrame finds out what stands for the level's root: the node above most actors, or nothing where an editor took it
// away; and whether the scene was saved Z up. Most actors are where they were.
func (e *levelEdit) findFrame(originals []standing) frame {
	count := map[*asset.Node]int{}
	var parent *asset.Node
	for _, x := range originals {
		p := e.parents[x.node]
		if count[p]++; count[p] > count[parent] || parent == nil {
			parent = p
		}
	}
	nodes, roots := []*asset.Node{nil}, []mgl64.Mat4{scene.Matrix(&e.lifted.Roots[0].Transform)}
	if parent != nil && e.worlds[parent].Det() != 0 {
		nodes, roots = []*asset.Node{parent, nil}, append([]mgl64.Mat4{e.worlds[parent]}, roots...)
	}
	best, most := frame{}, -1
	for _, flat := range []bool{false, true} {
		for i, root := range roots {
			f := frame{root.Inv(), nodes[i], flat}
			n := 0
			for _, x := range originals {
				if scene.SamePlace(e.shownPlace(x), f.place(e.worlds[x.node]), e.size) {
					n++
				}
			}
			if n > most {
				best, most = f, n
			}
		}
	}
	return best
}

// shownPlace returns where a node stood when the scene was made.
func (e *levelEdit) shownPlace(x standing) mgl64.Mat4 {
	if x.node.Native != nil && x.node.Native.Format == levelName {
		if t, ok := shownOf(scene.Shown(x.node.Native, "shown")); ok {
			return scene.Matrix(&t)
		}
	}
	return scene.Matrix(&e.was[x.actor].Transform)
}

// shownAt keeps a transform among the values of a node, so that a later edit of it can be told from a later edit of the
// record.
func shownAt(t *asset.Transform) []any {
	return scene.List(append(append(append([]float32{}, t.Translation[:]...), t.Rotation[:]...), t.Scale[:]...))
}

func shownOf(v any) (t asset.Transform, ok bool) {
	x := scene.Numbers(v)
	if len(x) != 10 {
		return t, false
	}
	for k := range 3 {
		t.Translation[k], t.Scale[k] = float32(x[k]), float32(x[7+k])
	}
	for k := range 4 {
		t.Rotation[k] = float32(x[3+k])
	}
	return t, true
}

// edit takes over what was done to an actor.
func (e *levelEdit) edit(x standing) error {
	if !slices.Contains(e.level.Actors, x.actor) {
		return nil // it was removed since
	}
	o, err := e.a.Object(int(x.actor - 1))
	if err != nil {
		return err
	}
	base := o.Base()
	was, now, as := e.shownPlace(x), e.placeOf(x), shownProperties(e.a, base)
	changed := false
	if !scene.SamePlace(was, now, e.size) {
		name := e.called(x)
		changed = e.place(x.actor, name, base, was, now)
		if _, moved := e.partMoved(x); moved && changed {
			e.along.Add(name)
		}
		if changed && e.a.ClassName(x.actor) == "Brush" {
			e.built.Add(name)
		}
		if changed && e.a.guides(base, x.actor) {
			e.paths.Add(name)
		}
	}
	lit := e.relight(base, x)
	if _, shines := keptLamp(x.node); shines && changed || lit {
		e.moved = append(e.moved, base.Path)
	}
	set, err := e.takeProperties(base, as, x)
	if err != nil || !changed && !lit && !set {
		return err
	}
	return e.store(x.actor, o)
}
