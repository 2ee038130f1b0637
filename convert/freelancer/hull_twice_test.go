package freelancer_test

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// finned is the gunship with a fin behind the wing, which hangs on it or on the hull.
func finned(on string) *asset.Scene {
	s := gunship()
	_, n := where(s)
	fin := meshNode("fin", box(nil, [3]float32{0, 0, -1}, [3]float32{0.1, 1, 0}))
	fin.Children = []*asset.Node{hullNode("fin.0$hull", [3]float32{0, 0, -1}, [3]float32{0.1, 1, 0})}
	fin.Transform.Translation = [3]float32{0, 0, -1}
	if on == "hull" {
		fin.Transform.Translation = [3]float32{2, 0.25, -1}
	}
	n[on].Children = append(n[on].Children, fin)
	listMeshes(s)
	return s
}

// lowest returns the smallest coordinates of a part's points that have an id.
func lowest(p *freelancer.SurPart, id string) (low [3]float32) {
	first := true
	for _, v := range p.Surface.Points {
		for k := range low {
			if v.ID == hash(id) && (first || v.At[k] < low[k]) {
				low[k] = v.At[k]
			}
		}
		first = first && v.ID != hash(id)
	}
	return low
}

// TestHullsOfAnotherPart: the collision file says that the fin hangs on the wing, and has its hull there too; the model says that it
// hangs on the root. The root has one copy of the fin's hull after every edit, where the fin is.
func TestHullsOfAnotherPart(t *testing.T) {
	fm := byName(t, "cmp")
	_, _, file := lowerBoth(t, fm, "ship.cmp", finned("wing"), format.Options{}, nil)
	model, _, _ := lowerBoth(t, fm, "ship.cmp", finned("hull"), format.Options{}, nil)
	usual := []string{"!Root: HpMount 1, Root 2, fin 1, wing 1", "!turret: turret 1", "wing: fin 1, wing 1", "fin: fin 1"}
	for _, c := range []struct {
		name      string
		edit      func(n map[string]*asset.Node)
		want      []string
		fin, wing [3]float32 // where the root's copies begin
	}{
		{"nothing", func(map[string]*asset.Node) {}, usual, [3]float32{2, 0.25, -2}, [3]float32{2, 0.15, -1}},
		{"the root is moved", func(n map[string]*asset.Node) { n["Root"].Transform.Translation[1] = 2 }, usual, [3]float32{2, 2.25, -2}, [3]float32{2, 2.15, -1}},
		{"the wing is moved", func(n map[string]*asset.Node) { n["wing"].Transform.Translation[1] = 2 }, usual, [3]float32{2, 0.25, -2}, [3]float32{2, 1.9, -1}},
		{"the wing's hull is moved", func(n map[string]*asset.Node) { n["wing.0$hull"].Transform.Translation[1] = 2 }, usual, [3]float32{2, 0.25, -2}, [3]float32{2, 2.15, -1}},
		{"the fin is moved", func(n map[string]*asset.Node) { n["fin"].Transform.Translation[1] = 2 }, usual, [3]float32{2, 2, -2}, [3]float32{2, 0.15, -1}},
		{"the fin is renamed", func(n map[string]*asset.Node) { n["fin"].Name = "tail" },
			[]string{"!Root: HpMount 1, Root 2, tail 1, wing 1", "!turret: turret 1", "wing: tail 1, wing 1", "tail: tail 1"}, [3]float32{2, 0.25, -2}, [3]float32{2, 0.15, -1}},
		{"the fin turns", func(n map[string]*asset.Node) { n["fin"].Extras["construct"] = "rev" },
			[]string{"!Root: HpMount 1, Root 2, wing 1", usual[1], usual[2], "!fin: fin 1"}, [3]float32{}, [3]float32{2, 0.15, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
			_, n := where(s)
			c.edit(n)
			_, sur, _ := lowerBoth(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), format.Options{}, nil)
			if got := hullsOf(sur, append(shipNames, "tail")...); !slices.Equal(got, c.want) {
				t.Fatalf("hulls %q, want %q", got, c.want)
			}
			fin := lowest(sur.Parts[0], n["fin"].Name)
			if wing := lowest(sur.Parts[0], "wing"); fin != c.fin || wing != c.wing {
				t.Errorf("the fin's hull begins at %v, the wing's at %v, want %v and %v", fin, wing, c.fin, c.wing)
			}
			checkSurface(t, sur)
		})
	}
}

// armed is the gunship with a gun on its turret, which turns or is fixed.
func armed(construct string) *asset.Scene {
	s := gunship()
	_, n := where(s)
	gun := asset.NewNode("HpGun")
	gun.Extras = map[string]any{"hardpoint": true, "hptype": "fix"}
	gun.Children = []*asset.Node{hullNode("HpGun.0$hull", [3]float32{0, 0, 0}, [3]float32{1, 1, 1})}
	gun.Transform.Translation = [3]float32{0, 1, 0}
	n["turret"].Children = append(n["turret"].Children, gun)
	n["turret"].Extras = map[string]any{"construct": construct, "axis_rotation": []any{0.0, 1.0, 0.0}, "min": -90.0, "max": 90.0}
	s.Animations = nil
	listMeshes(s)
	return s
}

// TestHullsOfMovingParts: files have copies of hulls of parts that turn in the part that they hang on. They stay, the list of
// hardpoints with them, and follow what is edited of their part alone.
func TestHullsOfMovingParts(t *testing.T) {
	fm := byName(t, "cmp")
	_, _, file := lowerBoth(t, fm, "ship.cmp", armed("fix"), format.Options{}, nil)
	model, _, _ := lowerBoth(t, fm, "ship.cmp", armed("rev"), format.Options{}, nil)
	names := append(slices.Clone(shipNames), "HpGun", "HpCannon")
	usual := []string{"!Root: HpGun 1, HpMount 1, Root 2, turret 1, wing 1", "turret: HpGun 1, turret 1", "wing: wing 1"}
	renamed := []string{"!Root: HpCannon 1, HpMount 1, Root 2, turret 1, wing 1", "turret: HpCannon 1, turret 1", "wing: wing 1"}
	for _, c := range []struct {
		name        string
		edit        func(n map[string]*asset.Node)
		want        []string
		gun         string
		shot, place [3]float32 // by how much the copies of the gun's hull and of the turret's are moved
	}{
		{"nothing", func(map[string]*asset.Node) {}, usual, "HpGun", [3]float32{}, [3]float32{}},
		{"the root's hull is moved", func(n map[string]*asset.Node) { n["Root.0$hull"].Transform.Translation[1] = 1 }, usual, "HpGun", [3]float32{}, [3]float32{}},
		{"the turret is moved", func(n map[string]*asset.Node) { n["turret"].Transform.Translation[1] += 2 }, usual, "HpGun", [3]float32{0, 2, 0}, [3]float32{0, 2, 0}},
		{"the turret's hull is moved", func(n map[string]*asset.Node) { n["turret.0$hull"].Transform.Translation[1] = 2 }, usual, "HpGun", [3]float32{}, [3]float32{0, 2, 0}},
		{"the gun's hull is moved", func(n map[string]*asset.Node) { n["HpGun.0$hull"].Transform.Translation[0] = 3 }, usual, "HpGun", [3]float32{3, 0, 0}, [3]float32{}},
		{"the gun is renamed", func(n map[string]*asset.Node) { n["HpGun"].Name = "HpCannon" }, renamed, "HpCannon", [3]float32{}, [3]float32{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
			_, n := where(s)
			was, err := read.Sur(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.edit(n)
			_, sur, _ := lowerBoth(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), format.Options{}, nil)
			if got := hullsOf(sur, names...); !slices.Equal(got, c.want) {
				t.Fatalf("hulls %q, want %q", got, c.want)
			}
			if !slices.Contains(sur.Parts[0].Hardpoints, hash(c.gun)) {
				t.Errorf("the root does not list %s", c.gun)
			}
			for id, by := range map[[2]string][3]float32{{"HpGun", c.gun}: c.shot, {"turret", "turret"}: c.place} {
				from, to := lowest(was.Parts[0], id[0]), lowest(sur.Parts[0], id[1])
				if want := [3]float32{from[0] + by[0], from[1] + by[1], from[2] + by[2]}; to != want {
					t.Errorf("the root's copy of %s begins at %v, want %v", id[1], to, want)
				}
			}
			checkSurface(t, sur)
		})
	}
}

// TestHullsFollowTheirPart: a part that is put below another one leaves no copy of its hull where it hung.
func TestHullsFollowTheirPart(t *testing.T) {
	fm := byName(t, "cmp")
	model, _, file := lowerBoth(t, fm, "ship.cmp", finned("wing"), format.Options{}, nil)
	for _, c := range []struct {
		name string
		edit func(n map[string]*asset.Node)
		want []string
	}{
		{"nothing", func(map[string]*asset.Node) {}, []string{"!Root: HpMount 1, Root 2, fin 1, wing 1", "!turret: turret 1", "wing: fin 1, wing 1", "fin: fin 1"}},
		{"the fin on the root", func(n map[string]*asset.Node) { adopt(n, "fin", "wing", "Root") }, []string{"!Root: HpMount 1, Root 2, fin 1, wing 1", "!turret: turret 1", "wing: wing 1", "fin: fin 1"}},
		{"the fin on the turret", func(n map[string]*asset.Node) { adopt(n, "fin", "wing", "turret") }, []string{"!Root: HpMount 1, Root 2, wing 1", "!turret: fin 1, turret 1", "wing: wing 1", "fin: fin 1"}},
		{"the wing on the turret", func(n map[string]*asset.Node) { adopt(n, "wing", "Root", "turret") }, []string{"!Root: HpMount 1, Root 2", "!turret: fin 1, turret 1, wing 1", "wing: fin 1, wing 1", "fin: fin 1"}},
		{"the wing is gone, the fin on the root", func(n map[string]*asset.Node) {
			adopt(n, "fin", "wing", "Root")
			adopt(n, "wing", "Root", "")
		}, []string{"!Root: HpMount 1, Root 2, fin 1", "!turret: turret 1", "fin: fin 1"}},
		{"the wing is gone, the fin on the turret", func(n map[string]*asset.Node) {
			adopt(n, "fin", "wing", "turret")
			adopt(n, "wing", "Root", "")
		}, []string{"!Root: HpMount 1, Root 2", "!turret: fin 1, turret 1", "fin: fin 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
			_, n := where(s)
			c.edit(n)
			_, sur, _ := lowerBoth(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), format.Options{}, nil)
			if got := hullsOf(sur, shipNames...); !slices.Equal(got, c.want) {
				t.Errorf("hulls %q, want %q", got, c.want)
			}
		})
	}
}

// adopt puts a node below another one, or nowhere.
func adopt(n map[string]*asset.Node, child, from, to string) {
	n[from].Children = slices.DeleteFunc(n[from].Children, func(c *asset.Node) bool { return c == n[child] })
	if to != "" {
		n[to].Children = append(n[to].Children, n[child])
	}
}

// TestHullsWithoutAnEntry: a hull of a part that the collision file has no entry for lies in that of a part above it, where it is
// shown, and is called after its own part.
func TestHullsWithoutAnEntry(t *testing.T) {
	fm := byName(t, "cmp")
	model, _, file := lowerBoth(t, fm, "ship.cmp", finned("wing"), format.Options{}, nil)
	for _, c := range []struct {
		gone, want []string
	}{
		{nil, []string{"HpMount.0$hull on HpMount", "Root.0$hull on Root", "Root.1$hull on Root", "fin.0$hull on fin", "turret.0$hull on turret", "wing.0$hull on wing"}},
		{[]string{"fin", "wing"}, []string{"HpMount.0$hull on HpMount", "Root.0$hull on Root", "Root.1$hull on Root", "fin.0$hull on Root", "turret.0$hull on turret", "wing.0$hull on Root"}},
	} {
		x, err := read.Sur(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		x.Parts = slices.DeleteFunc(x.Parts, func(p *freelancer.SurPart) bool {
			return slices.ContainsFunc(c.gone, func(name string) bool { return p.ID == hash(name) })
		})
		b, err := write.Sur(x)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": b}}).Walk(func(n, above *asset.Node) {
			if n.Kind == asset.Hull {
				got = append(got, n.Name+" on "+above.Name)
			}
		})
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("without %q: %q, want %q", c.gone, got, c.want)
		}
	}
}

// TestHullsOfGoneParts: a hull that lies in that of a part above its own goes with its own part, and that is told.
func TestHullsOfGoneParts(t *testing.T) {
	fm := byName(t, "cmp")
	model, x, _ := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	x.Parts = x.Parts[:2] // without the entry of the wing
	b, err := write.Sur(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []bool{false, true} {
		s := liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": b}})
		_, n := where(s)
		want := "!Root: HpMount 1, Root 2, wing 1"
		if gone {
			adopt(n, "wing", "Root", "")
			want = "!Root: HpMount 1, Root 2"
		}
		d := new(schema.Diagnostics)
		_, got, _ := lowerBoth(t, fm, "ship.cmp", s, format.Options{}, d)
		if list := hullsOf(got, shipNames...); list[0] != want || d.Has("hulls-gone") != gone {
			t.Errorf("gone %v: %q, told %v", gone, list, d.All())
		}
	}
}

// TestHullsOfNoPart: what a collision file has of a part that the model does not stays, whatever is done to others.
func TestHullsOfNoPart(t *testing.T) {
	fm := byName(t, "cmp")
	model, x, _ := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	ghost := *x.Parts[1]
	ghost.ID = hash("ghost")
	x.Parts = append(x.Parts, &ghost)
	b, err := write.Sur(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, moved := range []float32{0, 1} {
		s := liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": b}})
		_, n := where(s)
		n["turret.0$hull"].Transform.Translation[1] = moved
		_, got, file := lowerBoth(t, fm, "ship.cmp", s, format.Options{}, nil)
		if list := hullsOf(got, append(shipNames, "ghost")...); len(list) != 4 || list[1] != "!turret: turret 1" || list[3] != "!ghost: turret 1" || partBytes(t, got.Parts[3]) != partBytes(t, &ghost) {
			t.Errorf("moved by %v: %q", moved, list)
		}
		if moved == 0 {
			corpus.SameBytes(t, "ship.sur", file, b)
		}
	}
}

// TestShieldOfStored: that a shield has no bubble is told of hulls that are made, and of none that were stored so.
func TestShieldOfStored(t *testing.T) {
	cmp := byName(t, "cmp")
	bare := gunship()
	_, n := where(bare)
	n["HpMount"].Children = nil
	listMeshes(bare)
	model, _, file := lowerBoth(t, cmp, "ship.cmp", bare, format.Options{}, nil)
	for stored, told := range map[bool]bool{false: true, true: false} {
		files := memory{}
		if stored {
			files["ship.sur"] = file
		}
		d := new(schema.Diagnostics)
		s := liftWith(t, cmp, model, &format.Env{Name: "ship.cmp", Files: files})
		lowerBoth(t, cmp, "ship.cmp", s, format.Options{Freelancer: format.FreelancerOptions{Hulls: true}}, d)
		if d.Has("shield-bubble") != told {
			t.Errorf("stored %v: told %v", stored, d.All())
		}
	}
}
