package freelancer_test

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// memory is files that a conversion finds, by name.
type memory map[string][]byte

func (m memory) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if b, ok := m[name]; ok {
			return b, name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

func hash(name string) freelancer.Hash { return freelancer.Hash(freelancer.FLCRC(name)) }

// hullNode returns a box as a hull, below a part or hardpoint.
func hullNode(name string, lo, hi [3]float32) *asset.Node {
	n := meshNode(name, box(nil, lo, hi))
	n.Extras = map[string]any{"hull": true}
	return n
}

// gunship is the ship with hulls: of the hull two, of the turret one, of the wing one, and the shield's about all of it.
func gunship() *asset.Scene {
	s := ship()
	_, n := where(s)
	shield := asset.NewNode("HpMount")
	shield.Extras = map[string]any{"hardpoint": true, "hptype": "fix"}
	shield.Children = []*asset.Node{hullNode("HpMount.0$hull", [3]float32{-6, -3, -7}, [3]float32{8, 3, 7})}
	add := func(part string, c ...*asset.Node) { n[part].Children = append(n[part].Children, c...) }
	add("hull", hullNode("hull.0$hull", [3]float32{-2, -1, -5}, [3]float32{2, 1, 0}), hullNode("hull.1$hull", [3]float32{-2, -1, 0}, [3]float32{2, 1, 5}), shield)
	add("turret", hullNode("turret.0$hull", [3]float32{-0.5, 0, -0.5}, [3]float32{0.5, 0.5, 2}))
	add("wing", hullNode("wing.0$hull", [3]float32{0, -0.1, -1}, [3]float32{4, 0.1, 1}))
	n["hull"].Children = append(n["hull"].Children, n["wing"])
	s.Roots = s.Roots[:1]
	n["turret"].Extras = map[string]any{"construct": "rev", "axis_rotation": []any{0.0, 1.0, 0.0}, "min": -90.0, "max": 90.0}
	listMeshes(s)
	return s
}

// listMeshes adds the meshes of new nodes to the scene, and takes out what moved nodes that are gone.
func listMeshes(s *asset.Scene) {
	there := map[*asset.Node]bool{}
	s.Walk(func(n, _ *asset.Node) {
		there[n] = true
		if n.Mesh != nil && !slices.Contains(s.Meshes, n.Mesh) {
			s.Meshes = append(s.Meshes, n.Mesh)
		}
	})
	for _, a := range s.Animations {
		a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return !there[c.Node] })
	}
}

// lowerBoth makes a model and its collision file.
func lowerBoth(t testing.TB, fm *format.Format, name string, s *asset.Scene, o format.Options, d *schema.Diagnostics) (model []byte, sur *freelancer.Sur, file []byte) {
	t.Helper()
	env := &format.Env{Name: name, Output: strings.TrimSuffix(name, filepath.Ext(name)), Options: o, Diagnostics: d}
	env.Emit = func(beside string, b []byte) error {
		if want := env.Output + ".sur"; beside != want || file != nil {
			t.Errorf("a file %q beside the model, want %q once", beside, want)
		}
		file = b
		return nil
	}
	v, err := fm.Lower(s, env)
	if err != nil {
		t.Fatal(err)
	}
	if model, err = fm.Write(v); err != nil {
		t.Fatal(err)
	}
	if file != nil {
		if sur, err = read.Sur(file, nil); err != nil {
			t.Fatal(err)
		}
	}
	return model, sur, file
}

// hullsOf lists the terminal hulls of each part by their ids: "Root: Root 2, HpMount 1".
func hullsOf(s *freelancer.Sur, names ...string) (list []string) {
	called := func(h freelancer.Hash) string {
		for _, n := range names {
			if hash(n) == h {
				return n
			}
		}
		return h.String()
	}
	if s == nil {
		return nil
	}
	for _, p := range s.Parts {
		count := map[string]int{}
		for _, h := range p.Surface.Hulls {
			if h.Kind == freelancer.TerminalHull {
				count[called(h.ID)]++
			}
		}
		var text []string
		for id, n := range count {
			text = append(text, fmt.Sprintf("%s %d", id, n))
		}
		slices.Sort(text)
		kind := ""
		if p.NotFixed {
			kind = "!"
		}
		list = append(list, kind+called(p.ID)+": "+strings.Join(text, ", "))
	}
	return list
}

var shipNames = []string{"Root", "turret", "wing", "fin", "HpMount", "HpEngine01", "HpShield", "HpDish"}

// TestNewHulls makes a collision file of a scene from elsewhere (reference freelancer-sur 4 and 5).
func TestNewHulls(t *testing.T) {
	var d schema.Diagnostics
	_, s, _ := lowerBoth(t, byName(t, "cmp"), "ship.cmp", fromGLB(t, glb(t, gunship(), nil)), format.Options{}, &d)
	want := []string{"!Root: HpMount 1, Root 2, wing 1", "!turret: turret 1", "wing: wing 1"}
	if got := hullsOf(s, shipNames...); !slices.Equal(got, want) {
		t.Fatalf("hulls %q, want %q", got, want)
	}
	root, wing := s.Parts[0], s.Parts[2]
	if !slices.Equal(root.Hardpoints, []freelancer.Hash{hash("HpMount")}) {
		t.Errorf("hpid %v", root.Hardpoints)
	}
	if root.Min != [3]float32{-2, -1, -5} || root.Max != [3]float32{6, 1, 5} { // without the shield's
		t.Errorf("the box is %v to %v", root.Min, root.Max)
	}
	x := root.Surface
	if len(x.Hulls) != 5 || len(x.Nodes) != 7 || x.Hulls[4].Kind != freelancer.WrappingHull || x.Nodes[0].Hull != 4 {
		t.Errorf("%d hulls, %d nodes", len(x.Hulls), len(x.Nodes))
	}
	if len(wing.Surface.Hulls) != 1 || wing.Surface.Nodes[0].Hull != 0 || wing.Surface.Center != [3]float32{2, 0, 0} {
		t.Errorf("the wing's centre is %v", wing.Surface.Center)
	}
	far := float32(math.Sqrt(4 + 0.01 + 1))
	if w := wing.Surface; math.Abs(float64(w.Radius-far)) > 1e-5 || math.Abs(float64(w.Inertia[1]-0.2*far*far)) > 1e-5 {
		t.Errorf("radius %v, inertia %v", w.Radius, w.Inertia)
	}
	// The line through the centre along a face's normal is, on the large faces, as far from a corner as the centre of
	// the face is: half the diagonal of 4 by 2.
	if want := uint8(1 + math.Sqrt(5)/(float64(far)/250)); wing.Surface.Deviation != want {
		t.Errorf("deviation %d, want %d", wing.Surface.Deviation, want)
	}
	checkSurface(t, s)
}

// checkSurface holds what must be so of every surface that is made (reference freelancer-sur 2).
func checkSurface(t *testing.T, s *freelancer.Sur) {
	t.Helper()
	for i, p := range s.Parts {
		x := p.Surface
		for k, h := range x.Hulls {
			edges := map[[2]uint16]int{}
			for f, face := range h.Faces {
				for e := range 3 {
					edges[[2]uint16{face.Points[e], face.Points[(e+1)%3]}] = 4*f + e + 1
				}
				if int(face.Pierce) >= len(h.Faces) || int(face.Pierce) == f {
					t.Errorf("part %d, hull %d, face %d: pierces %d", i, k, f, face.Pierce)
				}
				if face.Virtual != (h.Kind == freelancer.WrappingHull) {
					t.Errorf("part %d, hull %d, face %d: virtual %v", i, k, f, face.Virtual)
				}
			}
			for f, face := range h.Faces {
				for e := range 3 {
					if other := edges[[2]uint16{face.Points[(e+1)%3], face.Points[e]}]; other-(4*f+e+1) != int(face.Opposite[e]) {
						t.Errorf("part %d, hull %d, face %d: edge %d leads to %d, want %d", i, k, f, e, face.Opposite[e], other-(4*f+e+1))
					}
				}
			}
			if h.Units != h.UsualUnits() {
				t.Errorf("part %d, hull %d: %d units, want %d", i, k, h.Units, h.UsualUnits())
			}
		}
		for k, n := range x.Nodes {
			if n.Hull < 0 {
				continue
			}
			for _, face := range x.Hulls[n.Hull].Faces {
				for _, v := range face.Points {
					for axis, c := range x.Points[v].At {
						off := math.Abs(float64(c - n.Center[axis]))
						if k > 0 && off > float64(n.Box[axis])*float64(n.Radius)/250+1e-5 {
							t.Errorf("part %d, node %d: point %d is outside", i, k, v)
						}
					}
				}
			}
		}
	}
}

// TestHullShapes: what kinds of meshes become which hulls.
func TestHullShapes(t *testing.T) {
	cube := func(lo, hi [3]float32) *asset.Primitive { return box(nil, lo, hi) }
	one := cube([3]float32{0, 0, 0}, [3]float32{1, 1, 1})
	inside := cube([3]float32{0, 0, 0}, [3]float32{1, 1, 1})
	for i := 0; i < len(inside.Indices); i += 3 {
		inside.Indices[i], inside.Indices[i+1] = inside.Indices[i+1], inside.Indices[i]
	}
	open := cube([3]float32{0, 0, 0}, [3]float32{1, 1, 1})
	open.Indices = open.Indices[6:]
	flat := cube([3]float32{0, 0, 0}, [3]float32{1, 1, 1})
	flat.Indices = flat.Indices[:6]
	long := cube([3]float32{3, 0, 0}, [3]float32{9, 1, 1})
	for name, c := range map[string]struct {
		mesh  []*asset.Primitive
		faces []int
		code  string
	}{
		"a cube":             {[]*asset.Primitive{one}, []int{12}, ""},
		"a cube inside out":  {[]*asset.Primitive{inside}, []int{12}, ""},
		"a cube without lid": {[]*asset.Primitive{open}, []int{12}, "hull-replaced"},
		"a square":           {[]*asset.Primitive{flat}, []int{2, 2}, ""},
		"two pieces":         {[]*asset.Primitive{one, long}, []int{12, 12}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := crateScene()
			h := asset.NewNode("Root.0$hull")
			h.Mesh = &asset.Mesh{Name: "hull", Primitives: c.mesh}
			s.Roots[0].Children = append(s.Roots[0].Children, h)
			s.Meshes = append(s.Meshes, h.Mesh)
			var d schema.Diagnostics
			_, sur, _ := lowerBoth(t, byName(t, "3db"), "crate.3db", s, format.Options{}, &d)
			var faces []int
			for _, h := range sur.Parts[0].Surface.Hulls {
				if h.Kind == freelancer.TerminalHull {
					faces = append(faces, len(h.Faces))
				}
			}
			if !slices.Equal(faces, c.faces) || d.Has("hull-replaced") != (c.code != "") {
				t.Errorf("hulls of %v faces, want %v; %v", faces, c.faces, d.All())
			}
			if sur.Parts[0].ID != 0 || sur.Parts[0].Surface.Hulls[0].ID != 0 || !sur.Parts[0].NotFixed {
				t.Errorf("part %v, hull %v", sur.Parts[0].ID, sur.Parts[0].Surface.Hulls[0].ID)
			}
			checkSurface(t, sur)
		})
	}
}

// crateScene is a model of one part.
func crateScene() *asset.Scene {
	s := ship()
	hull := s.Roots[0]
	s.Roots, s.Animations, hull.Children = []*asset.Node{hull}, nil, nil
	return s
}

// TestHullsMade: with the option, each part gets the convex hull of its shape, and few enough faces.
func TestHullsMade(t *testing.T) {
	var d schema.Diagnostics
	s := ship()
	_, n := where(s)
	n["turret"].Mesh.Primitives = []*asset.Primitive{ball(2000)}
	_, sur, _ := lowerBoth(t, byName(t, "cmp"), "ship.cmp", s, format.Options{Freelancer: format.FreelancerOptions{Hulls: true}}, &d)
	if got, want := len(sur.Parts), 4; got != want { // the scene has two roots, so that there is one above them, without a shape
		t.Errorf("%d parts, want %d: %v", got, want, hullsOf(sur, shipNames...))
	}
	for _, p := range sur.Parts {
		for _, h := range p.Surface.Hulls {
			if len(h.Faces) > 300 {
				t.Errorf("%d faces", len(h.Faces))
			}
		}
	}
	checkSurface(t, sur)
	if _, none, _ := lowerBoth(t, byName(t, "cmp"), "ship.cmp", ship(), format.Options{}, nil); none != nil {
		t.Error("a scene without hulls got some")
	}
}

// ball is a sphere of n points.
func ball(n int) *asset.Primitive {
	p := &asset.Primitive{}
	ring := int(math.Sqrt(float64(n)))
	for i := range ring + 1 {
		for k := range ring {
			a, b := math.Pi*float64(i)/float64(ring), 2*math.Pi*float64(k)/float64(ring)
			p.Positions = append(p.Positions, [3]float32{float32(math.Sin(a) * math.Cos(b)), float32(math.Cos(a)), float32(math.Sin(a) * math.Sin(b))})
		}
	}
	for i := range ring {
		for k := range ring {
			a, b := uint32(i*ring+k), uint32(i*ring+(k+1)%ring)
			p.Indices = append(p.Indices, a, b, a+uint32(ring), b, b+uint32(ring), a+uint32(ring))
		}
	}
	return p
}

// TestHullEdits takes a ship with hulls to GLB, edits it, and looks at what becomes of its collision file: only parts
// whose own hulls, or whose copies of others', changed are made anew.
func TestHullEdits(t *testing.T) {
	fm := byName(t, "cmp")
	model, _, file := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	files := memory{"ship.sur": file}
	drop := func(s *asset.Scene, gone ...*asset.Node) {
		s.Walk(func(x, _ *asset.Node) {
			x.Children = slices.DeleteFunc(x.Children, func(c *asset.Node) bool { return slices.Contains(gone, c) })
		})
	}
	all := []string{"!Root: HpMount 1, Root 2, wing 1", "!turret: turret 1", "wing: wing 1"}
	with := func(i int, text string) []string {
		list := slices.Clone(all)
		list[i] = text
		return list
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene, n map[string]*asset.Node)
		want []string
		same []int // parts that are byte for byte as before
	}{
		{"nothing", func(*asset.Scene, map[string]*asset.Node) {}, all, []int{0, 1, 2}},
		{"a hull of the root is moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["Root.0$hull"].Transform.Translation[2] = -1 }, all, []int{1, 2}},
		{"a hull of the turret is moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["turret.0$hull"].Transform.Translation[1] = 1 }, all, []int{0, 2}},
		{"a hull of the wing is moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["wing.0$hull"].Transform.Translation[1] = 1 }, all, []int{1}},
		{"a hull is deleted", func(s *asset.Scene, n map[string]*asset.Node) { drop(s, n["Root.1$hull"]) }, with(0, "!Root: HpMount 1, Root 1, wing 1"), []int{1, 2}},
		{"a hull is added", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["turret"].Children = append(n["turret"].Children, hullNode("Cube", [3]float32{0, 0, 2}, [3]float32{1, 1, 4}))
		}, with(1, "!turret: turret 2"), []int{0, 2}},
		{"a hull is added for a hardpoint", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["HpEngine01"].Children = append(n["HpEngine01"].Children, hullNode("x$hull.001", [3]float32{0, 0, 0}, [3]float32{1, 1, 1}))
		}, with(0, "!Root: HpEngine01 1, HpMount 1, Root 2, wing 1"), []int{1, 2}},
		{"a hull is added for a hardpoint, below the part", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["Root"].Children = append(n["Root"].Children, hullNode("HpEngine01$hull", [3]float32{0, 0, 0}, [3]float32{1, 1, 1}))
		}, with(0, "!Root: HpEngine01 1, HpMount 1, Root 2, wing 1"), []int{1, 2}},
		{"the wing is moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["wing"].Transform.Translation[0] = 3 }, all, []int{1, 2}},
		{"the turret is moved", func(_ *asset.Scene, n map[string]*asset.Node) { n["turret"].Transform.Translation[0] = 3 }, all, []int{0, 1, 2}},
		{"the wing turns", func(_ *asset.Scene, n map[string]*asset.Node) { n["wing"].Extras["construct"] = "rev" }, []string{"!Root: HpMount 1, Root 2", all[1], "!wing: wing 1"}, []int{1}},
		{"the turret is fixed", func(_ *asset.Scene, n map[string]*asset.Node) { n["turret"].Extras["construct"] = "fix" },
			[]string{"!Root: HpMount 1, Root 2, turret 1, wing 1", "turret: turret 1", all[2]}, []int{2}},
		{"the wing is renamed", func(_ *asset.Scene, n map[string]*asset.Node) { n["wing"].Name = "fin" },
			[]string{"!Root: HpMount 1, Root 2, fin 1", all[1], "fin: fin 1"}, []int{1}},
		{"the shield's hardpoint is renamed", func(_ *asset.Scene, n map[string]*asset.Node) { n["HpMount"].Name = "HpShield" }, with(0, "!Root: HpShield 1, Root 2, wing 1"), []int{1, 2}},
		{"the wing is deleted", func(s *asset.Scene, n map[string]*asset.Node) { drop(s, n["wing"]) }, []string{"!Root: HpMount 1, Root 2", all[1]}, []int{1}},
		{"the turret is deleted", func(s *asset.Scene, n map[string]*asset.Node) { drop(s, n["turret"]) }, []string{all[0], all[2]}, []int{0, 2}},
		{"the shield is deleted", func(s *asset.Scene, n map[string]*asset.Node) { drop(s, n["HpMount"]) }, with(0, "!Root: Root 2, wing 1"), []int{1, 2}},
		{"a hull goes to another part", func(s *asset.Scene, n map[string]*asset.Node) {
			drop(s, n["Root.1$hull"])
			n["turret"].Children = append(n["turret"].Children, n["Root.1$hull"])
		}, []string{"!Root: HpMount 1, Root 1, wing 1", "!turret: turret 2", all[2]}, []int{2}},
		{"all hulls are deleted", func(s *asset.Scene, n map[string]*asset.Node) {
			drop(s, n["Root.0$hull"], n["Root.1$hull"], n["turret.0$hull"], n["wing.0$hull"], n["HpMount.0$hull"])
		}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: files}), nil))
			_, n := where(s)
			c.edit(s, n)
			listMeshes(s)
			var d schema.Diagnostics
			_, sur, after := lowerBoth(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), format.Options{}, &d)
			if got := hullsOf(sur, shipNames...); !slices.Equal(got, c.want) {
				t.Fatalf("hulls %q, want %q", got, c.want)
			}
			if sur == nil {
				if !slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "hulls-removed" && x.Severity == schema.Warning }) {
					t.Error("no warning says that the hulls are gone")
				}
				return
			}
			checkSurface(t, sur)
			before, err := read.Sur(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range sur.Parts {
				i := slices.IndexFunc(before.Parts, func(q *freelancer.SurPart) bool { return q.ID == p.ID })
				if want := slices.Contains(c.same, i); i >= 0 && (partBytes(t, p) == partBytes(t, before.Parts[i])) != want {
					t.Errorf("%s is as it was: %v", before.Parts[i].ID, !want)
				}
			}
			if len(c.same) == len(before.Parts) {
				corpus.SameBytes(t, "ship.sur", after, file)
			}
		})
	}
}

func partBytes(t *testing.T, p *freelancer.SurPart) string {
	t.Helper()
	b, err := write.Sur(&freelancer.Sur{Version: freelancer.SurVersion, Parts: []*freelancer.SurPart{p}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestHullsMoveWithThePart: the copy that the root has of a fixed part's hull is where the part is.
func TestHullsMoveWithThePart(t *testing.T) {
	fm := byName(t, "cmp")
	model, before, file := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
	_, n := where(s)
	n["wing"].Transform.Translation = [3]float32{-10, 5, 1}
	_, after, _ := lowerBoth(t, fm, "ship.cmp", s, format.Options{}, nil)
	low := func(s *freelancer.Sur) (v [3]float32) {
		v = [3]float32{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
		for _, p := range s.Parts[0].Surface.Points {
			for k := range v {
				if p.ID == hash("wing") {
					v[k] = min(v[k], p.At[k])
				}
			}
		}
		return v
	}
	if a, b := low(before), low(after); a != [3]float32{2, 0.15, -1} || b != [3]float32{-10, 4.9, 0} {
		t.Errorf("the wing's hull begins at %v, then at %v", a, b)
	}
}

// TestHullsOfCorpus takes the models of the corpus that have hulls to GLB and back: both files are the same bytes. So is
// the collision file by way of a GLB of its own, with its model at hand and without.
func TestHullsOfCorpus(t *testing.T) {
	dir := corpus.Folder(t, "freelancer")
	pairs := 0
	for _, e := range corpus.Manifest(t, "freelancer/sur") {
		t.Run(e.File, func(t *testing.T) {
			file := corpus.Bytes(t, e.Path)
			files := find.NewFiles(filepath.Dir(e.Path), dir)
			for _, env := range []*format.Env{{Name: e.File}, {Name: e.File, Files: files}} {
				fm := byName(t, "sur")
				s := fromGLB(t, glb(t, liftWith(t, fm, file, env), nil))
				corpus.SameBytes(t, "by way of a GLB of its own", lower(t, fm, e.File, s, nil), file)
			}
			stem := strings.TrimSuffix(e.File, ".sur")
			b, path, err := files.Find(stem+".cmp", stem+".3db")
			if err != nil {
				return
			}
			pairs++
			fm := sniff(t, filepath.Base(path), b)
			s := fromGLB(t, glb(t, liftWith(t, fm, b, &format.Env{Name: filepath.Base(path), Files: files}), nil))
			hulls := 0
			s.Walk(func(n, _ *asset.Node) {
				if strings.HasSuffix(n.Name, "$hull") {
					hulls++
				}
			})
			if hulls == 0 {
				t.Error("no hulls are shown")
			}
			model, _, sur := lowerBoth(t, fm, filepath.Base(path), s, format.Options{}, nil)
			corpus.SameBytes(t, path, model, b)
			corpus.SameBytes(t, e.File, sur, file)
		})
	}
	if pairs < 10 {
		t.Errorf("only %d of the files have a model", pairs)
	}
}

// TestOldHulls shows a file of the older layout, keeps it while nobody edits it, and writes the usual one else.
func TestOldHulls(t *testing.T) {
	_, usual, _ := lowerBoth(t, byName(t, "3db"), "crate.3db", withHull(crateScene()), format.Options{}, nil)
	x := usual.Parts[0].Surface
	for i := range x.Hulls {
		x.Hulls[i].ID = 1
	}
	b, err := write.Sur(&freelancer.Sur{Old: &freelancer.OldSur{Min: usual.Parts[0].Min, Max: usual.Parts[0].Max, Parts: []freelancer.OldSurPart{{Surfaces: []*freelancer.Surface{x}}}}})
	if err != nil {
		t.Fatal(err)
	}
	fm := byName(t, "3db")
	model := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "crate.3db"))
	shown := func() *asset.Scene {
		return fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "crate.3db", Files: memory{"crate.sur": b}}), nil))
	}
	_, _, same := lowerBoth(t, fm, "crate.3db", shown(), format.Options{}, nil)
	corpus.SameBytes(t, "unedited", same, b)
	s := shown()
	_, n := where(s)
	n["Root.0$hull"].Transform.Translation[0] = 1
	_, after, _ := lowerBoth(t, fm, "crate.3db", s, format.Options{}, nil)
	if after.Old != nil || len(after.Parts) != 1 || after.Parts[0].ID != 0 || len(after.Parts[0].Surface.Hulls) != 1 {
		t.Errorf("the edited file is %+v", after)
	}
	checkSurface(t, after)
}

func withHull(s *asset.Scene) *asset.Scene {
	h := hullNode("Root.0$hull", [3]float32{-2, -1, -5}, [3]float32{2, 1, 5})
	s.Roots[0].Children = append(s.Roots[0].Children, h)
	s.Meshes = append(s.Meshes, h.Mesh)
	return s
}

// TestHullsLeftOut: where nothing takes a file beside the model, that is said.
func TestHullsLeftOut(t *testing.T) {
	var d schema.Diagnostics
	lower(t, byName(t, "cmp"), "ship.cmp", gunship(), &d)
	if !d.Has("hulls-left-out") {
		t.Errorf("nothing says so: %v", d.All())
	}
}

// TestOwnHullEdits edits the GLB of a collision file alone: without a model at hand, the copies move along nevertheless.
func TestOwnHullEdits(t *testing.T) {
	model, before, file := lowerBoth(t, byName(t, "cmp"), "ship.cmp", gunship(), format.Options{}, nil)
	fm := byName(t, "sur")
	for name, env := range map[string]*format.Env{"alone": {Name: "ship.sur"}, "with its model": {Name: "ship.sur", Files: memory{"ship.cmp": model}}} {
		t.Run(name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, fm, file, env), nil))
			moved := 0
			s.Walk(func(n, _ *asset.Node) {
				if n.Name == "turret.0$hull" || n.Name == hash("turret").String()+".0$hull" {
					n.Transform.Translation[1] = 1
					moved++
				}
			})
			s = fromGLB(t, glb(t, s, nil))
			after, err := read.Sur(lower(t, fm, "ship.sur", s, nil), nil)
			if err != nil || moved != 1 {
				t.Fatalf("%d hulls moved: %v", moved, err)
			}
			if got := hullsOf(after, shipNames...); !slices.Equal(got, hullsOf(before, shipNames...)) {
				t.Errorf("hulls %q", got)
			}
			for i, p := range after.Parts {
				if same := partBytes(t, p) == partBytes(t, before.Parts[i]); same != (p.ID != hash("turret")) {
					t.Errorf("part %v is as it was: %v", p.ID, same)
				}
			}
			if lo := after.Parts[1].Min; lo != [3]float32{-0.5, 1, -0.5} {
				t.Errorf("the turret's box begins at %v", lo)
			}
			checkSurface(t, after)
		})
	}
	if _, err := fm.Lower(ship(), &format.Env{Name: "ship.sur"}); err == nil || !strings.Contains(err.Error(), "--hulls") {
		t.Errorf("a scene without hulls: %v", err)
	}
	v, err := fm.Lower(gunship(), &format.Env{Name: "ship.sur"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := fm.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "made of a scene alone", b, file)
}

func BenchmarkNewHulls(b *testing.B) {
	fm := byName(b, "sur")
	s := gunship()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fm.Lower(s, &format.Env{Name: "ship.sur"}); err != nil {
			b.Fatal(err)
		}
	}
}
