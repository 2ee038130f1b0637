package freelancer

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerSphere brings a planet in line. Its shape is not stored: only radius, materials and hardpoints count.
func (e *editor) lowerSphere() error {
	if e.sphere == nil {
		return e.newSphere()
	}
	n := e.byID["sphere"]
	if n == nil {
		e.d.Lossf("planet-missing", e.stem, "the planet is not in the scene any more, and a new ball does not take its place: it stays as it was")
		return nil
	}
	x := *e.sphere.x
	radius, err := e.radius(n, x.Radius)
	if err != nil {
		return err
	}
	x.Radius = radius
	changed := math.Float32bits(x.Radius) != math.Float32bits(e.sphere.x.Radius)
	e.tellOfName(e.sphere.node, n)
	shell := e.byID["atmosphere"]
	e.tellOfMeshes(n, shell)
	e.tellOfShape(n, x.Radius)
	if len(x.Materials) > 6 {
		x.Materials = slices.Clone(x.Materials)
		changed = e.lowerAtmosphere(&x, shell) || changed
	}
	if n.Mesh != nil && len(n.Mesh.Primitives) == 6 && len(x.Materials) > 0 {
		sides := slices.Concat(sidesOf(x.Materials), x.Materials[min(len(x.Materials), len(sphereSides)):])
		for i, p := range n.Mesh.Primitives {
			if name := e.wears(n, i, p.Material, sides[i]); name != sides[i] {
				sides[i], x.Materials, changed = name, sides, true
			}
		}
	}
	if !changed {
		return nil
	}
	if len(x.Materials) != len(e.sphere.x.Materials) {
		x.Sides = int32(len(x.Materials))
	}
	return write.SphereModel(e.sphere.dir, &x)
}

// lowerSpherePoints brings the hardpoints of a planet in line: all that the scene has.
func (e *editor) lowerSpherePoints() error {
	all := asset.NewNode("Root")
	all.Children = e.edited.Roots
	if len(e.parts) == 0 {
		e.addRoot(all)
	}
	p := e.parts[0]
	e.nodeOf[p], e.frames[p] = all, mgl64.Ident4()
	return e.lowerHardpoints(p)
}

// radius returns the radius of an edited planet: what its number says when that was changed, else that of its ball.
func (e *editor) radius(n *asset.Node, was float32) (float32, error) {
	if rig.Values(n.Native)["radius"] != nil {
		r := was
		if err := (scene.Fields{"radius": &r}).Take(freelancer.Format, n.Name, n.Native); err != nil || r != was {
			return r, err
		}
	}
	return e.ballRadius(n, was), nil
}

// ballRadius returns the radius of the ball of an edited planet.
func (e *editor) ballRadius(n *asset.Node, was float32) float32 {
	if n.Mesh == nil {
		return was
	}
	const tolerance = 1e-5
	least, most := math.Inf(1), 0.0
	world := space.World(n, e.parentOf)
	for _, p := range n.Mesh.Primitives {
		for _, at := range p.Positions {
			r := mgl64.TransformCoordinate(scene.Wide3(at), world).Len()
			least, most = min(least, r), max(most, r)
		}
	}
	switch {
	case most == 0:
	case most-least > tolerance*most: // see tellOfShape
	case math.Abs(most-math.Abs(float64(was))) > tolerance*most:
		if was == 0 {
			return float32(most)
		}
		return float32(float64(was) * math.Round(1e6*most/math.Abs(float64(was))) / 1e6) // editors round
	}
	return was
}

// lowerAtmosphere brings the atmosphere of a planet in line, of which a material is stored and nothing else, and tells
// whether that changed.
func (e *editor) lowerAtmosphere(x *freelancer.SphereModel, shell *asset.Node) (changed bool) {
	if shell == nil || shell.Mesh == nil {
		e.d.Notef("atmosphere-removed", e.stem, "the planet has no atmosphere any more")
		x.Materials = x.Materials[:6]
		return true
	}
	was := e.sphere.node.Children[slices.IndexFunc(e.sphere.node.Children, func(c *asset.Node) bool { return rig.ID(c) == "atmosphere" })]
	e.tellOfName(was, shell)
	if !e.isBall(shell, x.Radius, usualAir) {
		e.d.Lossf("planet-shape", shell.Name, "the atmosphere is a ball that follows from the radius of its planet, %g, and the Scale of its material: what else was made of its triangles, normals and texture coordinates is left out", x.Radius)
	}
	for i, p := range shell.Mesh.Primitives {
		if name := e.wears(shell, i, p.Material, x.Materials[6]); name != x.Materials[6] {
			x.Materials[6] = name
			return true
		}
	}
	return false
}

// wears returns the name of the material that a side of a ball wears now, and tells what follows from that.
func (e *editor) wears(ball *asset.Node, side int, m *asset.Material, was string) string {
	switch {
	case m == nil && was != "":
		e.d.Lossf("planet-material", ball.Name, "side %d wears no material any more, and a planet has one on each: it is %q again", side, was)
		return was
	case m == nil || strings.EqualFold(m.Name, was):
		return was
	}
	name := mesh.MaterialName(m)
	if shown := mirroringOn(ball, side); shown != mirroringOf(e.lib.Stored(name)) {
		e.d.Lossf("planet-mirrored", ball.Name, "side %d wears %q now, and its picture is mirrored as that says: it is shown otherwise", side, name)
	}
	return name
}

// tellOfName reports a ball of a planet that somebody renamed.
func (e *editor) tellOfName(was, now *asset.Node) {
	called, ok := rig.Values(now.Native)["called"].(string) // the name of the file, which may be another one now
	if !ok {
		called = was.Name
	}
	if scene.Renamed(called, now.Name) && now.Name != e.edited.Name {
		e.d.Lossf("node-name", now.Name, "a planet's file holds no names of its balls: it is %q again", called)
	}
}

// isBall reports whether a node shows the ball that it was shown with, for a planet of this radius; scale is its size where it
// does not say it.
func (e *editor) isBall(n *asset.Node, radius, scale float32) bool {
	want, now := shownBall(n, radius, scale), mesh.BakedMesh(n.Mesh, space.World(n, e.parentOf))
	for i, p := range now.Primitives { // materials are looked at by themselves
		q := *p
		q.Material = nil
		now.Primitives[i] = &q
	}
	now.Primitives = slices.DeleteFunc(now.Primitives, func(p *asset.Primitive) bool { return p.Mode != asset.Triangles }) // the audit has told of these
	for _, p := range now.Primitives {
		p.Colors = nil
	}
	return mesh.Compare(want, now).Same
}

// tellOfShape reports what was made of a planet besides another ball, whose corners and texture coordinates follow from
// its radius.
func (e *editor) tellOfShape(n *asset.Node, radius float32) {
	if n.Mesh != nil && !e.isBall(n, radius, 1) {
		e.d.Lossf("planet-shape", n.Name, "a planet is a ball about the origin, and its corners, triangles, normals and texture coordinates follow from its radius, %g: what else was made of them is left out", radius)
	}
}

// tellOfMeshes reports the meshes that were added to a planet: its file holds none.
func (e *editor) tellOfMeshes(planet, shell *asset.Node) {
	e.edited.Walk(func(n, _ *asset.Node) {
		if n != planet && n != shell && n.Mesh != nil && !skip(n) {
			e.d.Lossf("mesh-left-out", n.Name, "a planet's file holds no meshes: a .cmp file can")
		}
	})
}

// newSphere makes a planet of a ball: each side gets the material that the ball has in its middle, and a second ball
// whose name speaks of an atmosphere gives its own.
func (e *editor) newSphere() error {
	x := freelancer.SphereModel{Materials: make([]string, len(sphereSides))}
	var best [len(sphereSides)]float64
	nearest, shell := math.Inf(1), ""
	e.edited.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || skip(n) || mesh.OnlyLines(n.Mesh) || e.isLevel(n) {
			return
		}
		air := strings.Contains(strings.ToLower(n.Name), "atmosphere")
		world := space.World(n, e.parentOf)
		for _, p := range n.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			material := mesh.MaterialName(p.Material)
			if air {
				shell = material
				continue
			}
			idx := scene.Indices(p)
			for i := 0; i+3 <= len(idx); i += 3 {
				var middle mgl64.Vec3
				for _, k := range idx[i : i+3] {
					at := mgl64.TransformCoordinate(scene.Wide3(p.Positions[k]), world)
					x.Radius = max(x.Radius, float32(at.Len()))
					nearest = min(nearest, at.Len())
					middle = middle.Add(at)
				}
				if middle.Len() == 0 {
					continue
				}
				middle = middle.Normalize()
				for side, axes := range sphereSides {
					if c := middle.Dot(mgl64.Vec3(axes[0])); c > best[side] {
						best[side], x.Materials[side] = c, material
					}
				}
			}
		}
	})
	if x.Radius == 0 && e.edited.Native != nil && e.edited.Native.Format == e.format {
		return nil // its file held no planet before
	}
	if x.Radius == 0 {
		return schema.Errorf(e.format, schema.ErrUnsupported, "", "the scene has no triangles that could be a planet")
	}
	if nearest < 0.95*float64(x.Radius) {
		e.d.Lossf("planet-shape", e.stem, "a planet is a ball about the origin: only its radius, %g, and its materials are kept", x.Radius)
	}
	for side, m := range x.Materials {
		if m == "" {
			x.Materials[side] = mesh.Default
		}
	}
	if shell != "" {
		x.Materials = append(x.Materials, shell)
	}
	x.Sides = int32(len(x.Materials))
	return write.SphereModel(e.tree.Root.Dir("Sphere"), &x)
}
