package unreal

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// actorKinds are what a mapper sees as different things. Each reports whether an actor is one.
var actorKinds = map[string]func(a *archive, r unreal.Ref, n *asset.Node) bool{
	"mesh": func(a *archive, r unreal.Ref, n *asset.Node) bool {
		return len(n.Children) > 0 && isPart(n.Children[0])
	},
	"light": func(a *archive, r unreal.Ref, n *asset.Node) bool { return a.ClassName(r) == "Light" },
	"brush": func(a *archive, r unreal.Ref, n *asset.Node) bool { return a.ClassName(r) == "Brush" },
	"zone":  func(a *archive, r unreal.Ref, n *asset.Node) bool { return strings.Contains(a.ClassName(r), "Zone") },
	"path":  func(a *archive, r unreal.Ref, n *asset.Node) bool { return a.ClassName(r) == "PathNode" },
	"mover": func(a *archive, r unreal.Ref, n *asset.Node) bool { return strings.Contains(a.ClassName(r), "Mover") },
}

// ofEachKind returns an actor of each kind that a level has: neither its LevelInfo nor the builder brush.
func ofEachKind(t *testing.T, a *archive) map[string]string {
	t.Helper()
	o, err := a.Object(a.level())
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]*asset.Node{}
	for _, n := range lifted(t, a, "MyLevel").(*asset.Scene).Roots[0].Children {
		nodes[n.Name] = n
	}
	found := map[string]string{}
	for _, r := range o.(*unreal.Level).Actors[2:] {
		if r <= 0 || a.entries[r-1].Path != a.ObjectName(r) {
			continue
		}
		n := nodes[a.ObjectName(r)]
		for kind, is := range actorKinds {
			if n != nil && found[kind] == "" && !slices.Contains(slices.Collect(maps.Values(found)), n.Name) && is(a, r, n) {
				found[kind] = n.Name
			}
		}
	}
	return found
}

// sceneEdits are what is done to the node of an actor. arrived tells of the scene that is read again.
var sceneEdits = []struct {
	name string
	do   func(t *testing.T, s *asset.Scene, name string)
	gone bool   // the actor
	as   string // the name that it, or its copy, bears then, behind its own
}{
	{"move", func(t *testing.T, s *asset.Scene, name string) {
		n, _ := nodeNamed(t, s, name)
		n.Transform.Translation[0] += 40
		n.Transform.Translation[1] -= 8
	}, false, ""},
	{"turn", func(t *testing.T, s *asset.Scene, name string) {
		n, _ := nodeNamed(t, s, name)
		n.Transform.Rotation = [4]float32{0, 0.6, 0, 0.8}
	}, false, ""},
	{"scale", func(t *testing.T, s *asset.Scene, name string) {
		n, _ := nodeNamed(t, s, name)
		for k := range n.Transform.Scale {
			n.Transform.Scale[k] *= 2
		}
	}, false, ""},
	{"copy", func(t *testing.T, s *asset.Scene, name string) {
		n := copyNode(t, s, name, name+"_New")
		n.Transform.Translation[2] += 16
		for k, c := range n.Children {
			child := *c
			child.Name += ".001"
			n.Children[k] = &child
		}
	}, false, "_New"},
	{"rename", func(t *testing.T, s *asset.Scene, name string) {
		n, _ := nodeNamed(t, s, name)
		n.Name += "_New"
	}, true, "_New"},
	{"delete", func(t *testing.T, s *asset.Scene, name string) { takeNode(t, s, name) }, true, ""},
}

// TestLevelMatrix does every edit to actors of every kind at once, in the scene of the level: each arrives exactly, or is
// told. All levels of the corpus with USHER_ALL, otherwise a few of them.
func TestLevelMatrix(t *testing.T) { eachLevel(t, testLevelMatrix) }

// eachLevel tests made levels and those of the corpus: three of them, or all with USHER_ALL.
func eachLevel(t *testing.T, test func(t *testing.T, levels map[string][]byte)) {
	t.Run("made", func(t *testing.T) {
		test(t, map[string][]byte{"hall61": written(t, hall(t, 61)), "furnished": written(t, furnished(t))})
	})
	t.Run("corpus", func(t *testing.T) {
		dir := corpus.Folder(t, "unreal")
		names := []string{"1HH-TestBox.unr", "CTF-BT-PortalGun_Beta5.unr", "MA-Revenge.unr"}
		if os.Getenv("USHER_ALL") != "" {
			names = nil
			for _, e := range valid(t) {
				if strings.HasSuffix(e.File, ".unr") && !strings.Contains(e.File, "/") {
					names = append(names, e.File)
				}
			}
		}
		levels := map[string][]byte{}
		for _, name := range names {
			levels[name] = corpus.Bytes(t, dir+"/"+name)
		}
		test(t, levels)
	})
}

func testLevelMatrix(t *testing.T, levels map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		was := openBytes(t, name, levels[name])
		actors := ofEachKind(t, was)
		t.Logf("%s: %v", name, actors)
		for _, edit := range sceneEdits {
			t.Run(name+"/"+edit.name, func(t *testing.T) {
				a := openBytes(t, name, levels[name])
				d := new(schema.Diagnostics)
				a.Env.Diagnostics = d
				s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
				wanted := map[string]*asset.Node{}
				for _, actor := range actors {
					edit.do(t, s, actor)
					if !edit.gone || edit.as != "" {
						n, _ := nodeNamed(t, s, actor+edit.as)
						wanted[actor] = n
					}
				}
				now := checked(t, scenedWith(t, a, through(t, s).(*asset.Scene)))
				told := func(name string) bool {
					return slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Severity >= schema.Warning && strings.Contains(x.Msg, name) })
				}
				if placed := !edit.gone && actors["brush"] != ""; placed != d.Has("built-world") {
					t.Errorf("told that the world is built of brushes that are elsewhere: %v", !placed)
				}
				shown := map[string]*asset.Node{}
				for _, n := range lifted(t, now, "MyLevel").(*asset.Scene).Roots[0].Children {
					shown[n.Name] = n
				}
				may := map[string]bool{"MyLevel": true}
				for kind, actor := range actors {
					n := shown[actor+edit.as]
					switch {
					case edit.gone && edit.as == "":
						if shown[actor] != nil && !d.Has("actor-needed") {
							t.Errorf("%s %s is still there", kind, actor)
						}
						for _, x := range namers(t, was, actor) {
							may[x] = true
						}
					case n == nil:
						t.Errorf("%s %s: there is no %s%s", kind, actor, actor, edit.as)
					case !scene.SamePlace(scene.Matrix(&wanted[actor].Transform), scene.Matrix(&n.Transform), 1000) && !told(actor):
						t.Errorf("%s %s is at %v, and was put to %v", kind, actor, n.Transform, wanted[actor].Transform)
					}
					if edit.gone && edit.as != "" && shown[actor] != nil {
						t.Errorf("%s %s has its old name as well", kind, actor)
					}
					if edit.as == "" {
						may[actor], may["-"+actor] = true, true
					}
				}
				for _, x := range strings.Fields(deeds(t, was, now)) {
					stem := strings.TrimRight(strings.TrimLeft(x, "+-"), "0123456789")
					shape := edit.name == "copy" && x[0] == '+' || edit.name == "delete" && x[0] == '-' // a brush's own
					switch {
					case may[x], shape && slices.Contains([]string{"Model", "Polys", "Brush", "Vectors", "BspNodes", "BspSurfs", "Verts"}, stem):
					case edit.as != "" && (strings.HasSuffix(x, edit.as) && x[0] == '+' || edit.gone && x[0] == '-' && isOne(actors, x[1:])):
					default:
						t.Errorf("%s changed as well", x)
					}
				}
			})
		}
	}
}

func isOne(actors map[string]string, name string) bool {
	return slices.Contains(slices.Collect(maps.Values(actors)), name)
}

// TestRecordMatrix does the same in records: JSON says exactly what the object is to be.
func TestRecordMatrix(t *testing.T) { eachLevel(t, testRecordMatrix) }

func testRecordMatrix(t *testing.T, levels map[string][]byte) {
	values := map[string]RecordProperty{
		"move":  {Name: "Location", Type: "Struct", Struct: "Vector", Value: map[string]any{"X": 1.5, "Y": -2.25, "Z": 640.0}},
		"turn":  {Name: "Rotation", Type: "Struct", Struct: "Rotator", Value: map[string]any{"Pitch": 100.0, "Yaw": 16384.0, "Roll": -4.0}},
		"scale": {Name: "DrawScale", Type: "Float", Value: 2.5},
	}
	set := func(r *Record, p RecordProperty) {
		r.Properties = slices.DeleteFunc(slices.Clone(r.Properties), func(q RecordProperty) bool { return q.Name == p.Name })
		r.Properties = append(r.Properties, p)
	}
	for _, name := range slices.Sorted(maps.Keys(levels)) {
		was := openBytes(t, name, levels[name])
		for kind, actor := range ofEachKind(t, was) {
			for _, edit := range []string{"move", "turn", "scale", "add", "rename", "delete"} {
				t.Run(fmt.Sprintf("%s/%s %s", name, edit, kind), func(t *testing.T) {
					a := openBytes(t, name, levels[name])
					i := entry(t, a, actor)
					r := recordOf(t, a, actor)
					want := []string{actor}
					switch edit {
					case "add":
						set(r, values["move"])
						if err := layIn(t, a, actor+"_New", r); err != nil {
							t.Fatal(err)
						}
						want = append(ownParts(t, a, actor+"_New"), "+"+actor+"_New", "MyLevel")
					case "rename":
						if err := a.rename(i, actor+"_New"); err != nil {
							t.Fatal(err)
						}
						want = []string{"+" + actor + "_New", "-" + actor}
					case "delete":
						if err := a.removeAll([]int{i}); err != nil {
							if !strings.Contains(err.Error(), "needs it") {
								t.Errorf("refused: %v", err)
							}
							return
						}
						want = append(namers(t, was, actor), "-"+actor)
					default:
						set(r, values[edit])
						b, err := formatOf(a, i).Write(r)
						if err == nil {
							err = a.Replace(i, b)
						}
						if err != nil {
							t.Fatal(err)
						}
					}
					now := checked(t, a)
					slices.Sort(want)
					if got := deeds(t, was, now); got != strings.Join(slices.Compact(want), " ") {
						t.Errorf("changed: %s\nwant: %s", got, strings.Join(want, " "))
					}
					if p, ok := values[edit]; ok && !slices.ContainsFunc(recordOf(t, now, actor).Properties, func(q RecordProperty) bool { return sameProperty(p, q) }) {
						t.Errorf("%v is not there: %v", p, recordOf(t, now, actor).Properties)
					}
				})
			}
		}
	}
}

// ownParts are the objects that a copied brush or mover brings along: its Model, and what that is made of.
func ownParts(t *testing.T, a *archive, actor string) (list []string) {
	t.Helper()
	o, err := a.Object(entry(t, a, actor))
	if err != nil {
		t.Fatal(err)
	}
	model := o.Base().Ref("Brush")
	if model <= 0 {
		return nil
	}
	x, err := a.Object(int(model - 1))
	if err != nil {
		t.Fatal(err)
	}
	m := x.(*unreal.Model)
	parts := []unreal.Ref{model, m.Polys}
	if m.Old != nil {
		parts = append(parts, m.Old.Vectors, m.Old.Points, m.Old.Nodes, m.Old.Surfs, m.Old.Verts)
	}
	for _, r := range parts {
		if r > 0 {
			list = append(list, "+"+a.ObjectName(r))
		}
	}
	return list
}

// A brush is scaled by its MainScale: the game does not look at the DrawScale of one.
func TestBrushScaled(t *testing.T) {
	now := checked(t, scened(t, gallery(t, 69), func(s *asset.Scene) {
		n, _ := nodeNamed(t, s, "Brush0")
		for k := range n.Transform.Scale {
			n.Transform.Scale[k] *= float32(k + 2)
		}
	}))
	scaled := false
	for _, p := range recordOf(t, now, "Brush0").Properties {
		if p.Name == "DrawScale" {
			t.Errorf("it has a DrawScale: %v", p.Value)
		}
		if p.Name == "MainScale" {
			scaled = true
			if v := p.Value.(map[string]any); !pack.SameValue(v["X"], 4.0) || !pack.SameValue(v["Y"], 2.0) || !pack.SameValue(v["Z"], 3.0) {
				t.Errorf("MainScale is %v", v)
			}
		}
	}
	if !scaled {
		t.Error("it has no MainScale")
	}
}
