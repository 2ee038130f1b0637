package freelancer_test

import (
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// tableOf returns the hardpoints of a model as CSV.
func tableOf(t *testing.T, name string, b []byte) string {
	t.Helper()
	f := sniff(t, name, b)
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Views[0].Lift(v, &format.Env{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	table := a.(*asset.Table)
	lines := []string{strings.Join(table.Columns, ",")}
	for _, row := range table.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, rows.Text(c))
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	return strings.Join(lines, "\n")
}

// withHardpoints gives a model the hardpoints of another one, or of a table, and takes away those that are missing.
func withHardpoints(t *testing.T, name string, b []byte, from string, d *schema.Diagnostics) ([]byte, error) {
	t.Helper()
	return takingHardpoints(t, name, b, from, true, d)
}

func takingHardpoints(t *testing.T, name string, b []byte, from string, prune bool, d *schema.Diagnostics) ([]byte, error) {
	t.Helper()
	f := sniff(t, name, b)
	s := lift(t, f, name, b, nil)
	env := &format.Env{Name: name, Files: memory{"from": []byte(from)}, Options: format.Options{Prune: prune, Freelancer: format.FreelancerOptions{HardpointsFrom: "from"}}, Diagnostics: d}
	v, err := f.Lower(s, env)
	if err != nil {
		return nil, err
	}
	return f.Write(v)
}

// TestMissingHardpoints: a hardpoint that a table has no row for stays, and goes where that is asked for; both are told.
func TestMissingHardpoints(t *testing.T) {
	b := lower(t, byName(t, "cmp"), "ship.cmp", gunship(), nil)
	whole := strings.Split(tableOf(t, "ship.cmp", b), "\n")
	for _, c := range []struct {
		rows  int // of three
		prune bool
		want  int
		told  string
	}{{3, false, 3, ""}, {3, true, 3, ""}, {2, false, 3, "row-missing"}, {2, true, 2, "hardpoints-removed"}, {0, false, 3, "row-missing"}, {0, true, 0, "hardpoints-removed"}} {
		if len(whole) != 4 {
			t.Fatal(whole)
		}
		d := new(schema.Diagnostics)
		now, err := takingHardpoints(t, "ship.cmp", b, strings.Join(whole[:1+c.rows], "\n"), c.prune, d)
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, x := range d.All() {
			if x.Code == "row-missing" || x.Code == "hardpoints-removed" {
				told += x.Code
			}
		}
		if got := strings.Count(tableOf(t, "ship.cmp", now), "\n"); got != c.want || told != c.told {
			t.Errorf("%d rows, pruned %v: %d hardpoints, told %s", c.rows, c.prune, got, told)
		}
	}
}

// TestHardpointTable: the hardpoints of a model go out as a table and back, with every kind of edit.
func TestHardpointTable(t *testing.T) {
	for _, x := range []struct{ family, name string }{{"testdata", "ship.cmp"}, {"corpus", "bm_ju_hf.cmp"}, {"corpus", "syn_lod_hp.3db"}} {
		t.Run(x.name, func(t *testing.T) {
			path := corpus.Testdata(t, "freelancer", x.name)
			if x.family == "corpus" {
				path = corpus.Folder(t, "freelancer") + "/" + x.name
			}
			b := corpus.Bytes(t, path)
			same, err := withHardpoints(t, x.name, b, tableOf(t, x.name, b), nil)
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "the model with its own table", same, b)
		})
	}
	b := lower(t, byName(t, "cmp"), "ship.cmp", gunship(), nil)
	d := new(schema.Diagnostics)
	edited, err := withHardpoints(t, "ship.cmp", b, strings.Join([]string{
		"name,part,kind,x,y,z,min,max,axis_x,axis_y,axis_z", // another order, and no rotation
		"HpMount,Root,fix,1,2,3,,,,,",
		"HpWeapon07,turret,rev,0,1,0.5,-30,60,1,0,0",
		"HpTurret02,nowhere,,4,5,6,,,,,",
		"HpLight,,fix,0.1,0,0,,,,,",
	}, "\n"), d)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	tree, err := read.UTF(edited, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Root.3db", "turret.3db", "wing.3db"} {
		list, err := read.Hardpoints(tree.Root.Child(part))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range list {
			found[h.Name] = part
			want := map[string]freelancer.Hardpoint{
				"HpMount": {Position: [3]float32{1, 2, 3}}, "HpLight": {Position: [3]float32{0.1, 0, 0}},
				"HpWeapon07": {Revolute: true, Position: [3]float32{0, 1, 0.5}, Axis: [3]float32{1, 0, 0}, Min: -math.Pi / 6, Max: math.Pi / 3},
				"HpTurret02": {Revolute: true, Position: [3]float32{4, 5, 6}, Axis: [3]float32{0, 1, 0}, Min: -math.Pi / 4, Max: math.Pi / 4},
			}[h.Name]
			if h.Revolute != want.Revolute || h.Position != want.Position || h.Revolute && (h.Axis != want.Axis || h.Min != want.Min || h.Max != want.Max) {
				t.Errorf("%s: %+v", h.Name, *h)
			}
		}
	}
	if len(found) != 4 || found["HpWeapon07"] != "turret.3db" || found["HpTurret02"] != "Root.3db" || found["HpLight"] != "Root.3db" || !d.Has("hardpoint-part") || !d.Has("hardpoints-removed") {
		t.Errorf("hardpoints %v; said %v", found, d.All())
	}
	for text, class := range map[string]error{
		"": schema.ErrTruncated, "a,b\n": schema.ErrMismatch, "name,x\nHpA,one\n": schema.ErrValue, "name,kind\nHpA,odd\n": schema.ErrValue, "name,x\n,1\n": schema.ErrValue,
		"name,x\nHpA,NaN\n": schema.ErrValue, "name,x\nHpA,1\nHpA,2\n": schema.ErrValue, "name,x,X\nHpA,1,2\n": schema.ErrValue, "name,kind,min\nHpA,fix,-5\n": schema.ErrValue,
	} {
		if _, err := withHardpoints(t, "ship.cmp", b, text, nil); err == nil {
			t.Errorf("%q is taken", text)
		} else if !isClass(err, class) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestHardpointsOfAnother: a model gets the hardpoints of another one beside its own; those on parts that it lacks stay
// where they are in space.
func TestHardpointsOfAnother(t *testing.T) {
	other := gunship()
	_, n := where(other)
	gun := asset.NewNode("HpWeapon03")
	gun.Extras = map[string]any{"hardpoint": true, "hptype": "rev", "min": -10.0, "max": 10.0}
	gun.Transform.Translation = [3]float32{0, 0.5, 1}
	n["turret"].Children = append(n["turret"].Children, gun)
	from := lower(t, byName(t, "cmp"), "other.cmp", other, nil)
	own := meshNode("crate", box(nil, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	mine := asset.NewNode("HpOwn")
	own.Children = []*asset.Node{mine}
	s := &asset.Scene{Roots: []*asset.Node{own}}
	listMeshes(s)
	d := new(schema.Diagnostics)
	b, err := withHardpoints(t, "crate.3db", lower(t, byName(t, "3db"), "crate.3db", s, nil), string(from), d)
	if err != nil {
		t.Fatal(err)
	}
	text := tableOf(t, "crate.3db", b)
	for _, want := range []string{"Root,HpOwn,fix,0,0,0,", "Root,HpMount,fix,", "Root,HpWeapon03,rev,0,1.5,-1,"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if !d.Has("hardpoint-part") {
		t.Errorf("said %v", d.All())
	}
}

// TestHardpointNames: empty nodes are hardpoints by their names, and turn where those of the game do.
func TestHardpointNames(t *testing.T) {
	root := meshNode("crate", box(nil, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	for _, name := range []string{"HpWeapon01", "hp_turret_s1_02", "HpTorpedo01", "HpMissile", "HpEngine01", "HPLightA01", "DpPort", "SpConnect", "Dp_x", "spine", "speed", "Hp", "empty"} {
		root.Children = append(root.Children, asset.NewNode(name))
	}
	s := &asset.Scene{Roots: []*asset.Node{root}}
	listMeshes(s)
	d := new(schema.Diagnostics)
	text := tableOf(t, "crate.3db", lower(t, byName(t, "3db"), "crate.3db", s, d))
	for name, kind := range map[string]string{
		"HpWeapon01": "rev", "hp_turret_s1_02": "rev", "HpTorpedo01": "rev", "HpMissile": "rev", "HpEngine01": "fix", "HPLightA01": "fix", "DpPort": "fix", "SpConnect": "fix", "Dp_x": "fix",
	} {
		if !strings.Contains(text, "Root,"+name+","+kind+",") {
			t.Errorf("%s is no hardpoint of kind %s", name, kind)
		}
	}
	if n := strings.Count(text, "\n"); n != 9 || !strings.Contains(text, ",-45,45") || !d.Has("hardpoint-turns") {
		t.Errorf("%d hardpoints:\n%s", n, text)
	}
}
