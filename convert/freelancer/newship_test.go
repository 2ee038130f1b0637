package freelancer_test

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/flread"
)

// newShip builds a ship in Blender: two materials, one of them with alpha, a turret that turns, three levels of detail,
// hulls, hardpoints, and the cap of a wing that breaks off, which is a model of its own.
const newShip = `
bpy.ops.wm.read_factory_settings(use_empty=True)
def material(name, alpha):
    m = bpy.data.materials.new(name); m.use_nodes = m.use_backface_culling = True
    image = bpy.data.images.new(name + "_map", 64, 64, alpha=alpha)
    image.pixels = [v for y in range(64) for x in range(64) for v in (x/63, y/63, 0.5, x/63 if alpha else 1.0)]
    image.filepath_raw = os.path.join(target, name + ".png"); image.file_format = "PNG"; image.save()
    shader, picture = m.node_tree.nodes["Principled BSDF"], m.node_tree.nodes.new("ShaderNodeTexImage")
    picture.image = image
    m.node_tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    if alpha:
        m.node_tree.links.new(picture.outputs["Alpha"], shader.inputs["Alpha"]); m.blend_method = "BLEND"
    shader.inputs["Metallic"].default_value = 0; shader.inputs["Roughness"].default_value = 1
    return m
body, glass = material("body", False), material("glass", True)
def thing(name, parent, materials, size, segments=0, at=(0, 0, 0)):
    if segments:
        bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=segments // 2, radius=size, location=at)
    else:
        bpy.ops.mesh.primitive_cube_add(size=2 * size, location=at)
    o = bpy.context.object; o.name = o.data.name = name; o.parent = parent
    for m in materials: o.data.materials.append(m)
    if len(materials) > 1:
        for p in o.data.polygons: p.material_index = 1 if p.center.y < -0.3 * size else 0
    return o
def empty(name, parent, at):
    bpy.ops.object.empty_add(location=at); o = bpy.context.object; o.name = name; o.parent = parent
ship = thing("raider", None, (body, glass), 10, 32)
thing("raider$lod1", ship, (body, glass), 10, 16)
thing("raider$lod2", ship, (body, glass), 10, 8)
thing("raider.0$hull", ship, (), 10.2, 8)
turret = thing("turret", ship, (body,), 1.5, at=(0, 0, 11))
turret["construct"] = "rev"; turret["axis_rotation"] = [0.0, 1.0, 0.0]; turret["min"] = -60.0; turret["max"] = 60.0
thing("turret.0$hull", turret, (), 1.6)
empty("HpEngine01", ship, (0, 9, 0)); empty("HpWeapon01", ship, (5, 0, 0)); empty("DpWing", ship, (9, 0, 0)); empty("HpTurret01", turret, (0, 0, 2))
cap = thing("$dmg_wing", None, (body,), 2, at=(30, 0, 0))
empty("DpConnect", cap, (0, 0, 0)); thing("wing.0$hull", cap, (), 2)
save("raider.glb")
`

// TestNewShip makes model, materials and hulls of a new ship at once, and looks at them with a reader of its own.
func TestNewShip(t *testing.T) {
	dir := corpus.InBlender(t, t.TempDir(), newShip)
	s := fromGLB(t, corpus.Bytes(t, filepath.Join(dir, "raider.glb")))
	files := map[string][]byte{}
	d := new(schema.Diagnostics)
	env := &format.Env{Name: "raider.glb", Output: "raider", Options: format.Options{Freelancer: format.FreelancerOptions{MaterialsApart: true, Records: true}}, Diagnostics: d}
	env.Emit = func(name string, b []byte) error { files[name] = b; return nil }
	files["raider.cmp"] = lowerIn(t, byName(t, "cmp"), s, env)
	if names, want := slices.Sorted(maps.Keys(files)), "dmg_wing.3db dmg_wing.sur raider.cmp raider.ini raider.mat raider.sur"; strings.Join(names, " ") != want {
		t.Fatalf("files %v, want %s; said: %v", names, want, d.All())
	}
	checkRecords(t, files)
	tree := func(name string) *flread.Entry {
		root, err := flread.UTF(files[name])
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	parts, err := flread.Parts(tree("raider.cmp"))
	if err != nil || len(parts) != 2 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	hull, turret := parts[0], parts[1]
	if hull.Name != "Root" || turret.Name != "turret" || turret.Parent != "Root" || turret.Joint != "Rev" || turret.Axis != [3]float64{0, 1, 0} ||
		math.Abs(turret.Min+math.Pi/3) > 1e-6 || math.Abs(turret.Max-math.Pi/3) > 1e-6 {
		t.Errorf("parts %+v, %+v", *hull, *turret)
	}
	if !slices.Equal(hull.Switch, []float64{0, 100, 1000, 1e6}) {
		t.Errorf("distances %v", hull.Switch)
	}
	for i, want := range []int{960, 224, 48} {
		if l := hull.Levels[i]; len(hull.Levels) != 3 || l.Triangles != want || !slices.Contains(l.Materials, flread.CRC("body")) || !slices.Contains(l.Materials, flread.CRC("glass")) ||
			math.Abs(l.Box.Max[1]-10) > 0.01 {
			t.Errorf("level %d: %+v, want %d triangles", i, l, want)
		}
	}
	if want := map[string]string{"HpEngine01": "Fixed", "HpWeapon01": "Revolute", "DpWing": "Fixed"}; !maps.Equal(hull.Hardpoints, want) {
		t.Errorf("hardpoints %v, want %v", hull.Hardpoints, want)
	}
	if !maps.Equal(turret.Hardpoints, map[string]string{"HpTurret01": "Revolute"}) {
		t.Errorf("hardpoints of the turret: %v", turret.Hardpoints)
	}
	mat := tree("raider.mat")
	for name, want := range map[string][2]string{"body": {"DcDt", "DXT1"}, "glass": {"DcDtOcOt", "DXT5"}} {
		m := mat.At("Material library/" + name)
		texture := mat.At("Texture library/" + m.At("Dt_name").Text() + "/MIPS")
		if m.At("Type").Text() != want[0] || texture == nil || string(texture.Data[84:88]) != want[1] {
			t.Errorf("material %s: type %q, texture %q", name, m.At("Type").Text(), m.At("Dt_name").Text())
		}
	}
	if c := tree("raider.cmp"); c.At("Material library") != nil || c.At("Texture library") != nil {
		t.Error("the model has materials of its own as well")
	}
	sur, err := flread.Sur(files["raider.sur"])
	if err != nil || len(sur) != 2 {
		t.Fatalf("%d parts with hulls, %v", len(sur), err)
	}
	for i, want := range []struct {
		name string
		size float64
	}{{"Root", 10.2}, {"turret", 1.6}} {
		id := flread.CRC(want.name)
		box, ok := sur[i].Hulls[id]
		if sur[i].ID != id || !sur[i].Moves || !ok || len(sur[i].Hulls) != 1 || math.Abs(box.Max[1]-want.size) > 1e-3 || math.Abs(box.Min[1]+want.size) > 1e-3 {
			t.Errorf("hulls of %s: %+v", want.name, sur[i])
		}
	}
	cap, err := flread.Parts(tree("dmg_wing.3db"))
	if err != nil || len(cap) != 1 || !maps.Equal(cap[0].Hardpoints, map[string]string{"DpConnect": "Fixed"}) || cap[0].Levels[0].Box.Max != [3]float64{2, 2, 2} {
		t.Errorf("the cap: %+v, %v", cap, err)
	}
	if sur, err = flread.Sur(files["dmg_wing.sur"]); err != nil || len(sur) != 1 || sur[0].ID != 0 || sur[0].Hulls[0].Max != [3]float64{2, 2, 2} {
		t.Errorf("its hulls: %+v, %v", sur, err)
	}
}

// checkRecords holds the records of the ship, and that a game with its files misses nothing.
func checkRecords(t *testing.T, files map[string][]byte) {
	t.Helper()
	for _, line := range []string{
		`DA_archetype = ships\raider\raider.cmp`, "LODranges = 0, 100, 1000, 999999 ; choose: the last one is where it vanishes", "num_exhaust_nozzles = 1",
		"hp_type = hp_gun_special_1, HpWeapon01", "hp_type = hp_turret_special_1, HpTurret01", `DA_archetype = ships\raider\dmg_wing.3db`,
		"; Hardpoints that no line names: DpWing.",
	} {
		if !strings.Contains(string(files["raider.ini"]), line+"\r\n") {
			t.Errorf("no line %q in\n%s", line, files["raider.ini"])
		}
	}
	if found := foundIn(t, gameWith(files, "raider")); len(found) > 0 {
		t.Errorf("the check finds %q", found)
	}
}

// TestModelsOfAScene: nodes that ask for it become models of their own, with what is below them and their own motions.
func TestModelsOfAScene(t *testing.T) {
	scene := func(cap *asset.Node) *asset.Scene {
		s := gunship()
		walk(cap, func(n *asset.Node) {
			if n.Mesh != nil {
				n.Mesh.Primitives[0].Material = s.Roots[0].Mesh.Primitives[0].Material
			}
		})
		cap.Transform.Translation = [3]float32{40, 0, 0}
		connect := asset.NewNode("DpConnect")
		cap.Children = append(cap.Children, connect)
		s.Roots = append(s.Roots, cap)
		listMeshes(s)
		return s
	}
	plain := func(name string) *asset.Node {
		return meshNode(name, box(nil, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	}
	asked := plain("lid")
	asked.Extras = map[string]any{"export_as": "lid_of_it.3db"}
	two := plain("pod")
	two.Extras, two.Children = map[string]any{"export_as": "pod"}, []*asset.Node{plain("door")}
	collection := asset.NewNode("$dmg_tail")
	collection.Children = []*asset.Node{plain("cap")}
	for name, c := range map[string]struct {
		node *asset.Node
		want string
	}{
		"a collection": {collection, "dmg_tail.3db"},
		"a cap":        {plain("$dmg_wing"), "dmg_wing.3db"}, "a property": {asked, "lid_of_it.3db"}, "a model of two parts": {two, "pod.cmp"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string][]byte{}
			env := &format.Env{Name: "ship.glb", Output: "ship", Emit: func(name string, b []byte) error { files[name] = b; return nil }}
			b := lowerIn(t, byName(t, "cmp"), fromGLB(t, glb(t, scene(c.node), nil)), env)
			got := files[c.want]
			if got == nil || files["ship.sur"] == nil || len(files) != 2 {
				t.Fatalf("files %v, want %s and ship.sur", slices.Sorted(maps.Keys(files)), c.want)
			}
			root, err := flread.UTF(got)
			if err != nil {
				t.Fatal(err)
			}
			parts, err := flread.Parts(root)
			if err != nil || parts[0].Levels[0].Box.Max[0] != 1 || parts[0].Hardpoints["DpConnect"] != "Fixed" {
				t.Errorf("%+v, %v", parts[0], err)
			}
			if root.At("Material library/paint/Type").Text() == "" || root.At("Texture library") == nil || len(root.At("Texture library").Children) == 0 {
				t.Error("it has no materials")
			}
			main, _ := flread.UTF(b)
			whole, err := flread.Parts(main)
			if alone, _ := flread.UTF(lower(t, byName(t, "cmp"), "ship.glb", gunship(), nil)); err != nil || len(alone.At("Cmpnd").Children) != len(main.At("Cmpnd").Children) {
				t.Errorf("the ship has %d parts, %v", len(whole), err)
			}
		})
	}
	files := map[string][]byte{}
	lowerIn(t, byName(t, "cmp"), fromGLB(t, glb(t, scene(plain("$dmg_wing")), nil)), &format.Env{Name: "ship.glb", Output: "ship",
		Options: format.Options{Freelancer: format.FreelancerOptions{MaterialsApart: true}}, Emit: func(name string, b []byte) error { files[name] = b; return nil }})
	if root, err := flread.UTF(files["dmg_wing.3db"]); err != nil || root.At("Material library") != nil || files["ship.mat"] == nil {
		t.Errorf("the cap has materials of its own beside those of the library, %v", err)
	}
	d := new(schema.Diagnostics)
	lower(t, byName(t, "cmp"), "ship.glb", fromGLB(t, glb(t, scene(plain("$dmg_wing")), nil)), d)
	if !d.Has("model-left-out") {
		t.Errorf("nobody takes the cap, and nothing is said: %v", d.All())
	}
}

func walk(n *asset.Node, f func(*asset.Node)) {
	f(n)
	for _, c := range n.Children {
		walk(c, f)
	}
}
