package freelancer_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/edits"
)

// What an editor does to what is shown happens to what is hidden: the edits here are made in the GLB, which hides levels of
// detail and hulls, and all of the model is looked at, part by part, at rest and in motion.

// cruiser is the gunship with lower levels of detail in other materials than the parts show, and a dish on the wing.
func cruiser() *asset.Scene {
	s := gunship()
	_, n := where(s)
	rust := gradient("rust", 90)
	s.Materials, s.Textures = append(s.Materials, rust), append(s.Textures, rust.BaseColorTexture.Texture)
	paint, steel := s.Materials[0], s.Materials[1]
	low := func(part string, k int, m *asset.Material, size float32) {
		l := meshNode(fmt.Sprintf("%s$lod%d", part, k), box(m, [3]float32{-size, 0, -size}, [3]float32{size, size, 2 * size}))
		n[part].Children = append(n[part].Children, l)
	}
	low("hull", 1, steel, 3)
	low("turret", 1, paint, 0.4)
	low("turret", 2, rust, 0.3)
	low("wing", 1, paint, 2)
	dish := asset.NewNode("HpDish")
	dish.Transform.Translation = [3]float32{3, 0.2, 0}
	dish.Extras = map[string]any{"hardpoint": true, "hptype": "fix"}
	dish.Children = []*asset.Node{hullNode("HpDish.0$hull", [3]float32{-0.2, 0, -0.2}, [3]float32{0.2, 0.4, 0.2})}
	light := asset.NewNode("HpLight")
	light.Extras = map[string]any{"hardpoint": true, "hptype": "fix"}
	light.Transform.Translation = [3]float32{4, 0, 0}
	n["wing"].Children = append(n["wing"].Children, dish, light)
	rustBox := meshNode("fin", box(rust, [3]float32{-0.1, 0, -1}, [3]float32{0.1, 1, 1}))
	rustBox.Transform.Translation = [3]float32{1, 0.1, 0}
	n["wing"].Children = append(n["wing"].Children, rustBox)
	listMeshes(s)
	return s
}

// made is a model and the hulls beside it.
type made struct{ cmp, sur []byte }

func (m made) scene(t testing.TB) *asset.Scene {
	t.Helper()
	return liftWith(t, byName(t, "cmp"), m.cmp, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": m.sur}})
}

func makeBoth(t testing.TB, s *asset.Scene, d *schema.Diagnostics) made {
	t.Helper()
	b, _, sur := lowerBoth(t, byName(t, "cmp"), "ship.cmp", s, format.Options{}, d)
	return made{b, sur}
}

// thing is a level of detail, a hardpoint or a hull: whose it is, what it wears, and where its corners are in the world.
type thing struct {
	of, look string
	at       []mgl64.Vec3 // the extent, or the place and axes; then the same in motion
}

func (x thing) String() string {
	s := x.of + " " + x.look
	for _, v := range x.at {
		s += fmt.Sprintf(" (%.3f %.3f %.3f)", v[0]+0, v[1]+0, v[2]+0)
	}
	return strings.ReplaceAll(s, "-0.000", "0.000")
}

// things lists all that a model has, by name.
func things(s *asset.Scene) map[string]thing {
	out := map[string]thing{}
	moments := []map[*asset.Node]mgl64.Mat4{worlds(s, &asset.Animation{}, 0)}
	motion := &asset.Animation{}
	if len(s.Animations) > 0 {
		motion = s.Animations[0]
	}
	moments = append(moments, worlds(s, motion, 0.5))
	var below func(n, parent, part *asset.Node)
	below = func(n, parent, part *asset.Node) {
		if strings.HasPrefix(rig.ID(n), "part:") {
			part = n
			owner := ""
			if parent != nil {
				owner = parent.Name
			}
			out["part "+n.Name] = thing{of: owner}
			for k, l := range append([]*asset.Node{n}, n.LODs...) {
				out[fmt.Sprintf("level %s %d", n.Name, k)] = thing{n.Name, looks(l.Mesh), extents(l, n, moments)}
			}
		} else if n.Extras["hull"] == true {
			of, ok := n.Extras[hull.Owner].(string)
			if !ok {
				of = part.Name
			}
			out["hull "+n.Name] = thing{of: of + " in " + part.Name, at: extents(n, n, moments)}
		} else {
			x := thing{of: part.Name, look: fmt.Sprint(n.Extras["hptype"])}
			for _, m := range moments {
				x.at = append(x.at, m[n].Col(3).Vec3(), m[n].Col(0).Vec3())
			}
			out["point "+n.Name] = x
		}
		for _, c := range n.Children {
			below(c, n, part)
		}
	}
	for _, n := range s.Roots {
		below(n, nil, nil)
	}
	return out
}

func looks(m *asset.Mesh) string {
	var names []string
	for _, p := range m.Primitives {
		name := p.Material.Name
		if p.Material.BaseColorTexture != nil {
			name += "/" + p.Material.BaseColorTexture.Texture.Name
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, "+")
}

// extents returns the extent of a node that moves with its owner, at each moment.
func extents(n, owner *asset.Node, moments []map[*asset.Node]mgl64.Mat4) (out []mgl64.Vec3) {
	for _, m := range moments {
		at := m[owner]
		if n != owner { // it stands beside its owner at rest
			at = at.Mul4(local(owner).Inv()).Mul4(local(n))
		}
		low, high := corners(n, at)
		out = append(out, low, high)
	}
	return out
}

func local(n *asset.Node) mgl64.Mat4 {
	t := n.Transform
	q := mgl64.Quat{W: float64(t.Rotation[3]), V: mgl64.Vec3{float64(t.Rotation[0]), float64(t.Rotation[1]), float64(t.Rotation[2])}}
	return mgl64.Translate3D(float64(t.Translation[0]), float64(t.Translation[1]), float64(t.Translation[2])).Mul4(q.Mat4())
}

// document is a GLB that is edited as JSON.
type document struct {
	*edits.Doc
	t testing.TB
}

func (d document) list(name string) []any { l, _ := d.JSON[name].([]any); return l }

func (d document) node(name string) (int, edits.Object) {
	for i, n := range d.list("nodes") {
		if o := n.(edits.Object); o["name"] == name {
			return i, o
		}
	}
	d.t.Fatalf("no node %q", name)
	return -1, nil
}

func (d document) children(n edits.Object) (list []int) {
	c, _ := n["children"].([]any)
	for _, x := range c {
		list = append(list, int(x.(float64)))
	}
	return list
}

// parent returns what a node hangs on; nil for a root.
func (d document) parent(i int) edits.Object {
	for _, n := range d.list("nodes") {
		if slices.Contains(d.children(n.(edits.Object)), i) {
			return n.(edits.Object)
		}
	}
	return nil
}

func (d document) unhang(i int) {
	drop := func(o edits.Object, key string) {
		l, _ := o[key].([]any)
		if l = slices.DeleteFunc(slices.Clone(l), func(x any) bool { return int(x.(float64)) == i }); len(l) == 0 {
			delete(o, key)
		} else {
			o[key] = l
		}
	}
	for _, n := range d.list("nodes") {
		drop(n.(edits.Object), "children")
	}
	drop(d.list("scenes")[0].(edits.Object), "nodes")
}

func (d document) hang(i int, on edits.Object) {
	l, _ := on["children"].([]any)
	on["children"] = append(l, float64(i))
}

func (d document) world(i int) mgl64.Mat4 {
	m := mgl64.Ident4()
	for n := d.list("nodes")[i].(edits.Object); n != nil; n = d.parent(i) {
		m = nodeMatrix(n).Mul4(m)
		i = slices.IndexFunc(d.list("nodes"), func(x any) bool { return fmt.Sprintf("%p", x) == fmt.Sprintf("%p", n) })
	}
	return m
}

func nodeMatrix(n edits.Object) mgl64.Mat4 {
	read := func(key string, usual ...float64) []float64 {
		if l, ok := n[key].([]any); ok {
			for k, x := range l {
				usual[k] = x.(float64)
			}
		}
		return usual
	}
	t, r := read("translation", 0, 0, 0), read("rotation", 0, 0, 0, 1)
	return mgl64.Translate3D(t[0], t[1], t[2]).Mul4(mgl64.Quat{W: r[3], V: mgl64.Vec3(r[:3])}.Mat4())
}

// rehang puts a node below another one, and leaves it where it is in the world.
func (d document) rehang(name, below string) {
	i, n := d.node(name)
	k, on := d.node(below)
	m := d.world(k).Inv().Mul4(d.world(i))
	d.unhang(i)
	d.hang(i, on)
	q := mgl64.Mat4ToQuat(m)
	n["translation"], n["rotation"] = []any{m[12], m[13], m[14]}, []any{q.V[0], q.V[1], q.V[2], q.W}
}

// remove takes a node out, and what is below it unless that is kept: then it hangs on the parent, where it was.
func (d document) remove(name string, keep bool) {
	i, n := d.node(name)
	for _, c := range d.children(n) {
		child := d.list("nodes")[c].(edits.Object)["name"].(string)
		if keep {
			d.rehang(child, d.parent(i)["name"].(string))
		} else {
			d.remove(child, false)
		}
	}
	d.unhang(i)
	n["name"], n["extras"] = "gone", nil // outside the scene: files hold such nodes too
	delete(n, "mesh")
	delete(n, "extras")
	for _, a := range d.list("animations") {
		o := a.(edits.Object)
		o["channels"] = slices.DeleteFunc(o["channels"].([]any), func(c any) bool {
			return c.(edits.Object)["target"].(edits.Object)["node"] == float64(i)
		})
	}
}

// duplicate copies a node without what is below it, as Blender names it, two metres above.
func (d document) duplicate(name string) {
	i, n := d.node(name)
	c := maps.Clone(n)
	delete(c, "children")
	c["name"] = name + ".001"
	m := nodeMatrix(n)
	c["translation"] = []any{m[12], m[13] + 2, m[14]}
	d.JSON["nodes"] = append(d.list("nodes"), c)
	on := d.parent(i)
	on["children"] = slices.Insert(on["children"].([]any), 0, any(float64(len(d.list("nodes"))-1))) // editors have an order of their own
}

// asBlender does to a GLB what Blender does to one that nobody edits: it is named, writes materials in another order, and saves
// animated nodes as they are at some moment.
func (d document) asBlender() {
	d.JSON["asset"].(edits.Object)["generator"] = "Khronos glTF Blender I/O v3.4.50"
	n := len(d.list("materials"))
	slices.Reverse(d.list("materials"))
	for _, m := range d.list("meshes") {
		for _, p := range m.(edits.Object)["primitives"].([]any) {
			if k, ok := p.(edits.Object)["material"].(float64); ok {
				p.(edits.Object)["material"] = float64(n-1) - k
			}
		}
	}
	_, turret := d.node("turret")
	half := math.Sqrt2 / 2
	turret["rotation"] = []any{0.0, half, 0.0, half} // after a second
}

// TestHiddenFollows makes every edit of every part, hardpoint and material of a model, in a GLB as it is written and in one as
// Blender saves it.
func TestHiddenFollows(t *testing.T) {
	base := makeBoth(t, fromGLB(t, glb(t, cruiser(), nil)), nil)
	shown := glb(t, base.scene(t), nil)
	was := things(base.scene(t))
	try := func(what string, blender bool, edit func(d document), want func(now map[string]thing)) {
		t.Run(fmt.Sprintf("%s blender=%v", what, blender), func(t *testing.T) {
			doc, err := edits.Parse(shown)
			if err != nil {
				t.Fatal(err)
			}
			d := document{doc, t}
			if blender {
				d.asBlender()
			}
			edit(d)
			var told schema.Diagnostics
			got := makeBoth(t, fromGLB(t, d.Bytes()), &told)
			expected := maps.Clone(was)
			if want(expected); what == "nothing" && !bytes.Equal(got.cmp, base.cmp) || what == "nothing" && !bytes.Equal(got.sur, base.sur) {
				t.Error("other bytes came back")
			}
			compareThings(t, things(got.scene(t)), expected)
			if t.Failed() {
				t.Log(told.All())
			}
		})
	}
	points := []string{"HpDish", "HpLight", "HpWeapon01", "HpMount"}
	for _, blender := range []bool{false, true} {
		try("nothing", blender, func(document) {}, func(map[string]thing) {})
		for _, part := range []string{"turret", "wing", "fin"} {
			if blender && part == "turret" {
				continue // a copy of what moves rests where it is shown
			}
			try("copy of "+part, blender, func(d document) { d.duplicate(part) }, func(now map[string]thing) { copyOf(now, was, part) })
			try("renamed "+part, blender, func(d document) { _, n := d.node(part); n["name"] = "Renamed" }, func(now map[string]thing) { rename(now, part) })
		}
		for _, part := range []string{"turret", "wing", "fin"} {
			try(part+" removed with all below", blender, func(d document) { d.remove(part, false) }, func(now map[string]thing) { gone(now, part) })
			if blender && part == "turret" {
				continue // what was on it is where it is shown
			}
			try(part+" removed alone", blender, func(d document) { d.remove(part, true) }, func(now map[string]thing) { dissolve(now, part) })
		}
		for _, point := range points {
			for _, to := range []string{"Root", "turret", "wing", "fin"} {
				if was["point "+point].of == to || blender && (to == "turret" || was["point "+point].of == "turret") {
					continue // what is put on a part that moves is where that is shown
				}
				try(point+" to "+to, blender, func(d document) { d.rehang(point, to) }, func(now map[string]thing) { moved(now, was, point, to) })
			}
		}
		for _, material := range []string{"paint", "steel", "rust"} {
			try("renamed "+material, blender, func(d document) { renameMaterial(d, material) }, func(now map[string]thing) {
				for name, x := range now {
					x.look = strings.ReplaceAll(x.look, material+"/", "other/")
					now[name] = x
				}
			})
		}
	}
}

func renameMaterial(d document, name string) {
	for _, m := range d.list("materials") {
		if o := m.(edits.Object); o["name"] == name {
			o["name"] = "other"
			return
		}
	}
	d.t.Fatalf("nothing that is shown wears %s", name)
}

// compareThings compares what two models have. Numbers of hulls that share a name may change.
func compareThings(t *testing.T, got, want map[string]thing) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if x, ok := got[name]; !ok {
			t.Errorf("%s is gone: %v", name, want[name])
		} else if x.String() != want[name].String() {
			t.Errorf("%s: %v\n\twant %v", name, x, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too many: %v", name, got[name])
		}
	}
}

// copyOf adds what a copy of a part two metres above has: its levels and its hull, which becomes its own.
func copyOf(now, was map[string]thing, part string) {
	copied := part + ".001"
	for name, x := range was {
		y := x
		y.of = strings.ReplaceAll(x.of, part, copied)
		y.at = nil
		switch {
		case strings.HasPrefix(name, "level "+part+" "), name == "hull "+part+".0$hull":
			up := mgl64.Vec3{0, 2, 0}
			for i := range x.at {
				y.at = append(y.at, x.at[i%2].Add(up)) // nothing moves a copy
			}
		case name == "part "+part:
			y.of = x.of
		default:
			continue
		}
		now[strings.Replace(name, part, copied, 1)] = y
	}
}

func rename(now map[string]thing, part string) {
	for name, x := range maps.Clone(now) {
		delete(now, name)
		x.of = strings.ReplaceAll(x.of, part, "Renamed")
		if strings.Contains(name, " "+part) {
			name = strings.Replace(name, " "+part, " Renamed", 1)
		}
		now[name] = x
	}
}

// gone takes a part out with all that belongs to it.
func gone(now map[string]thing, part string) {
	for name, x := range maps.Clone(now) {
		if strings.HasPrefix(name, "part ") && x.of == part {
			gone(now, strings.TrimPrefix(name, "part "))
		}
	}
	for name, x := range now {
		if name == "part "+part || strings.Fields(x.of + " -")[0] == part {
			delete(now, name)
		}
	}
}

// dissolve takes a part out and leaves its hardpoints and their hulls, and the parts on it, to what it hung on.
func dissolve(now map[string]thing, part string) {
	parent := now["part "+part].of
	for name, x := range now {
		switch {
		case name == "part "+part, strings.HasPrefix(name, "level "+part+" "), strings.HasPrefix(name, "hull "+part+"."):
			delete(now, name)
		case strings.HasPrefix(name, "part ") && x.of == part, strings.HasPrefix(name, "point ") && x.of == part, strings.HasPrefix(name, "hull Hp") && strings.HasPrefix(x.of, part):
			x.of = strings.ReplaceAll(x.of, part, parent)
			if part == "turret" && len(x.at) > 2 {
				x.at = append(x.at[:2:2], x.at[:2]...) // it moves no more
			}
			now[name] = x
		}
	}
}

// moved puts a hardpoint and its hull on another part.
func moved(now, was map[string]thing, point, to string) {
	from := was["point "+point].of
	for _, name := range []string{"point " + point, "hull " + point + ".0$hull"} {
		x, ok := now[name]
		if !ok {
			continue
		}
		x.of = strings.ReplaceAll(x.of, from, to)
		if from == "turret" {
			x.at = append(x.at[:2:2], x.at[:2]...)
		}
		if to == "turret" {
			x.at = turned(x.at, strings.HasPrefix(name, "point "))
		}
		now[name] = x
	}
}

// turned returns where what stands on the turret is at rest and in motion: that turns by 45 degrees then.
func turned(at []mgl64.Vec3, point bool) []mgl64.Vec3 {
	m := mgl64.Translate3D(0, 1, -2).Mul4(mgl64.HomogRotate3DY(math.Pi / 4)).Mul4(mgl64.Translate3D(0, -1, 2))
	if point {
		return []mgl64.Vec3{at[0], at[1], mgl64.TransformCoordinate(at[0], m), mgl64.TransformNormal(at[1], m)}
	}
	low, high := mgl64.Vec3{1e9, 1e9, 1e9}, mgl64.Vec3{-1e9, -1e9, -1e9}
	for i := range 8 {
		v := at[0]
		for k := range 3 {
			if i>>k&1 == 1 {
				v[k] = at[1][k]
			}
		}
		v = mgl64.TransformCoordinate(v, m)
		for k := range 3 {
			low[k], high[k] = min(low[k], v[k]), max(high[k], v[k])
		}
	}
	return []mgl64.Vec3{at[0], at[1], low, high}
}
