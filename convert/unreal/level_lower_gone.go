package unreal

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// remove removes the actors whose nodes were deleted. LevelInfo and the builder brush, which come first, stay, as does an
// actor that another object needs.
func (e *levelEdit) remove(originals []standing) error {
	have := map[unreal.Ref]bool{}
	for _, x := range originals {
		have[x.actor] = true
	}
	going := map[int]bool{}
	for n, r := range e.shownAs.Actors {
		switch {
		case e.was[r] == nil || have[r] || !slices.Contains(e.level.Actors, r):
		case n < 2 || e.a.ClassName(r) == "LevelInfo":
			e.kept.Add(e.a.ObjectName(r))
		default:
			going[int(r-1)] = true
		}
	}
	if len(going) == 0 {
		return nil
	}
	refs, err := e.a.findReferences()
	if err != nil {
		return err
	}
	x := &release{a: e.a, refs: refs, going: going}
	for again := true; again; {
		again = false
		for _, i := range indices(len(e.a.Exports)) {
			if !going[i] {
				continue
			}
			if k := x.keeper(unreal.Ref(i + 1)); k != 0 {
				e.needed.Add(e.a.ObjectName(unreal.Ref(i + 1)))
				delete(going, i)
				again = true
			}
		}
	}
	var list []int
	gone := x.targets()
	for _, i := range indices(len(e.a.Exports)) {
		if going[i] {
			list = append(list, i)
			e.gone.Add(e.a.ObjectName(unreal.Ref(i + 1)))
		}
	}
	if len(list) == 0 {
		return nil
	}
	list = append(list, e.shapesOf(list, x)...)
	if _, err := leaveLevel(e.level, gone); err != nil {
		return err
	}
	if e.a.leaving == nil {
		e.a.leaving = map[int][]int{}
	}
	e.a.leaving[e.index] = list
	return nil
}

// leave takes out what the scene of a level has no more, once the level without it is there: other entries may be at work
// until then, and know each other by number.
func (a *archive) leave(level int) error {
	list := a.leaving[level]
	if list == nil {
		return nil
	}
	delete(a.leaving, level)
	a.refs = nil
	refs, err := a.findReferences()
	if err != nil {
		return err
	}
	going, left := map[int]bool{}, map[int]bool{}
	for _, i := range list {
		going[i] = true
		left[i] = unreal.Classes[a.Layout(i)] == unreal.UnknownKind
	}
	return a.takeOut(list, &release{a: a, refs: refs, going: going, left: left})
}

// shapesOf returns the Models and Polys that only actors which go have, and lets them go.
func (e *levelEdit) shapesOf(list []int, x *release) (more []int) {
	for _, i := range list {
		o, err := e.a.Object(i)
		if err != nil {
			continue
		}
		m := o.Base().Ref("Brush")
		if m <= 0 {
			continue
		}
		parts := []unreal.Ref{m}
		if y, _ := pack.As[unreal.Model](e.a.File, int(m-1)); y != nil {
			parts = append(parts, y.Polys)
			if y.Old != nil {
				parts = append(parts, y.Old.Vectors, y.Old.Points, y.Old.Nodes, y.Old.Surfs, y.Old.Verts)
			}
		}
		with := map[int]bool{}
		for _, r := range parts {
			if r > 0 {
				with[int(r-1)] = true
			}
		}
		alone := func(k int) bool { return x.going[k] || with[k] || e.a.gone[k] }
		for _, r := range parts {
			if r > 0 && slices.ContainsFunc(x.refs.users[r], func(k int) bool { return !alone(k) }) {
				with = nil
				break
			}
		}
		for _, r := range parts {
			if k := int(r - 1); r > 0 && with[k] && !x.going[k] {
				x.going[k] = true
				more = append(more, k)
			}
		}
	}
	return more
}

// isGeometry reports whether a node shows the built world.
func isGeometry(n *asset.Node) bool { return look.Uncopied(n.Name) == geometryName }

// geometryName is the node of the built world.
const geometryName = "geometry"

// world returns the node of the built world, or nil.
func world(s *asset.Scene) (at *asset.Node) {
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && isGeometry(n) && (n.Native == nil || n.Native.Format != levelName) {
			at = n
		}
	})
	return at
}

// compareShapes looks for shapes that were edited. world is the node of the built world; known says that its triangles have been
// looked at.
func (e *levelEdit) compareShapes(world *asset.Node, known bool, standings []standing) {
	done := map[[2]*asset.Mesh]*scene.Tally{}
	check := func(name string, now, was *asset.Mesh) {
		if was == nil || now == was {
			return
		}
		k := [2]*asset.Mesh{now, was}
		same, known := done[k]
		if !known {
			same = &e.reshaped
			if now != nil {
				same = e.sameShape(now, was)
			}
			done[k] = same
		}
		if same != nil {
			same.Add(name)
		}
	}
	if root := e.lifted.Roots[0]; len(root.Children) > 0 && isGeometry(root.Children[0]) && root.Children[0].Mesh != nil { // not an actor of that name
		switch {
		case world == nil:
			check(geometryName, nil, root.Children[0].Mesh)
		case !scene.SamePlace(mgl64.Ident4(), e.frame.place(e.worlds[world]), e.size):
			e.reshaped.Add(geometryName)
		case known:
			a, b := e.shownMeshes(world.Mesh, root.Children[0].Mesh)
			a.TellShading(b, geometryName, e.d)
		default:
			check(geometryName, world.Mesh, root.Children[0].Mesh)
		}
	}
	for _, x := range standings {
		was := e.was[x.actor]
		check(x.node.Name, x.node.Mesh, was.Mesh)
		if x.node.Mesh != nil && was.Mesh == nil {
			e.shapes.Add(x.node.Name)
		}
		e.compareParts(x, check)
	}
}

// shownMeshes returns the triangles of a mesh and of the one that was lifted, in one frame.
func (e *levelEdit) shownMeshes(now, was *asset.Mesh) (a, b *mesh.Triangles) {
	at := mgl64.Scale3D(1/space.UnitsPerMetre, 1/space.UnitsPerMetre, 1/space.UnitsPerMetre)
	turned := at
	if e.frame.flat {
		turned = at.Mul4(upright)
	}
	return mesh.ShownMesh(now, turned), mesh.ShownMesh(was, at)
}

// sameShape compares two meshes, and returns the tally of what differs; nil for nothing. Texture coordinates count where
// the same textures are at hand: without its size those of a texture are others.
func (e *levelEdit) sameShape(now, was *asset.Mesh) *scene.Tally {
	a, b := e.shownMeshes(now, was)
	if a.Same(b) {
		a.TellShading(b, was.Name, e.d)
		return nil
	}
	textures := func(m *asset.Mesh) (n int) {
		for _, p := range m.Primitives {
			if p.Material != nil && p.Material.BaseColorTexture != nil {
				n++
			}
		}
		return n
	}
	dressed := a.SameFaces(b)
	switch {
	case !a.SamePlaces(b):
		return &e.reshaped
	case !dressed || textures(now) == textures(was):
		return &e.remapped
	}
	return nil
}

// tell says what could not be taken over.
func (e *levelEdit) tell() {
	path := e.level.Path
	e.kept.Tell(e.d, "actor-kept", path, "actor", "actors", "has no node any more, but a level cannot be without it: it stays")
	e.needed.Tell(e.d, "actor-needed", path, "actor", "actors", "has no node any more, but the built level needs it: take it out in the editor; it stays")
	e.skewed.Tell(e.d, "skewed-actor", path, "actor", "actors", "is skewed, which cannot be stored")
	e.uneven.Tell(e.d, "uneven-scale", path, "actor", "actors", "is scaled unevenly or mirrored: DrawScale is one number, and takes the mean")
	e.cut.Tell(e.d, "light-cut", path, "light", "lights", "shines farther, brighter or otherwise than the game's lights can: the nearest values are taken")
	e.added.Tell(e.d, "node", path, "node", "nodes", "is new and left out: a new actor is a light, or a copy of a node of its class")
	e.shapes.Tell(e.d, "shape", path, "shape", "shapes", "is new and left out: geometry of levels needs the editor's BSP build")
	e.reshaped.Tell(e.d, "reshaped", path, "shape", "shapes", "was edited, which is left out: brushes and levels need the editor's BSP build; brushes can be edited as T3D text")
	e.tellAlong()
	e.remapped.Tell(e.d, "remapped", path, "shape", "shapes", "has other texture coordinates or materials, which are left out: a level keeps those of the editor, and a mesh those of its own entry")
	e.unpainted.Tell(e.d, "surface", path, "a surface of "+geometryName+" with the material", "surfaces of "+geometryName, "cannot take the material or the texture coordinates that it shows, which are left out: it takes another texture, flags, and shifts by whole texels; a texture that is turned, scaled, on a part of a surface or unknown to the package needs the editor")
	e.bared.Tell(e.d, "part-kept", path, "shape", "shapes", "is no longer below its actor, which keeps it: take out the actor's node to remove both")
	e.renamed.Tell(e.d, "actor-name", path, "the name of node", "names of nodes", "is left out: it follows from that of the actor above it")
	e.named.Tell(e.d, "actor-name-taken", path, "the name of node", "names of nodes", "is left out: another object of the package has it")
	e.below.Tell(e.d, "parent", path, "node", "nodes", "is below another one now, which is left out: a level holds its actors side by side, and they keep their places")
	e.tellProperties(path)
	tellPaths(e.paths, path, e.d)
	if e.gone.Count > 0 {
		e.d.Notef("actors-removed", path, "%d actors have no node any more and are removed; the first is %q", e.gone.Count, e.gone.First)
	}
	switch {
	case e.built.Count == 1:
		e.d.Warnf("built-world", path, "the brush %q is placed, and the world that is built of it stays as it is until the editor rebuilds geometry", e.built.First)
	case e.built.Count > 1:
		e.d.Warnf("built-world", path, "%d brushes, the first is %q, are placed, and the world that is built of them stays as it is until the editor rebuilds geometry", e.built.Count, e.built.First)
	}
	if len(e.moved) > 0 {
		e.d.Warnf("baked-light", path, "lights changed or moved, %d of them (the first is %s): the light maps stay as they are until the editor rebuilds lighting", len(e.moved), e.moved[0])
	}
}
