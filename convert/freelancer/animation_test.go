package freelancer_test

import (
	"errors"
	"io/fs"
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// beside is the files that a conversion may look at, by name.
type beside map[string][]byte

func (f beside) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if b, ok := f[n]; ok {
			return b, n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// on is an environment in which an animation file belongs to a model.
func on(model []byte, d *schema.Diagnostics) *format.Env {
	env := &format.Env{Name: "walk.anm", Files: beside{"figure": model}, Diagnostics: d}
	if model != nil {
		env.Options.Model = "figure"
	}
	return env
}

// moving asks for a character that has its motions in its own file.
func moving(name string) *format.Env {
	return &format.Env{Name: name, Options: format.Options{Animation: "*"}}
}

func liftWith(t testing.TB, fm *format.Format, b []byte, env *format.Env) *asset.Scene {
	t.Helper()
	v, err := fm.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := fm.Lift(v, env)
	if err != nil {
		t.Fatal(err)
	}
	return a.(*asset.Scene)
}

func lowerWith(t testing.TB, fm *format.Format, s *asset.Scene, env *format.Env) []byte {
	t.Helper()
	v, err := fm.Lower(s, env)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fm.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scripts returns the scripts of an animation file by their names.
func scripts(t testing.TB, b []byte) map[string]*freelancer.Script {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := read.Scripts(tree.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*freelancer.Script{}
	for _, s := range list {
		out[s.Name] = s
	}
	return out
}

// encodings returns an animation file that moves the lower arm in every encoding of a rotation, one a script, at even
// times and at times of their own.
func encodings(t *testing.T) []byte {
	t.Helper()
	tree := freelancer.NewTree()
	for _, x := range []struct {
		name string
		kind freelancer.ChannelType
	}{
		{"Sc_quaternion", freelancer.ChannelQuaternion}, {"Sc_vector", freelancer.ChannelVector}, {"Sc_half", freelancer.ChannelHalfAngle},
		{"Sc_still", freelancer.ChannelHalfAngle | freelancer.ChannelZeroPosition},
	} {
		name, kind := x.name, x.kind
		c := &freelancer.Channel{Count: 31, Interval: 1.0 / 30, Type: kind}
		if name == "Sc_vector" {
			c.Interval = -1
		}
		for i := range 31 {
			angle := 0.8 * math.Sin(float64(i)/5)
			q := [4]float32{float32(math.Sin(angle / 2)), 0, 0, float32(math.Cos(angle / 2))}
			if c.Timed() {
				c.Times = append(c.Times, float32(i)/20)
			}
			switch {
			case kind&freelancer.ChannelQuaternion != 0:
				c.Quaternions = append(c.Quaternions, [4]float32{q[3], q[0], q[1], q[2]})
			case kind&freelancer.ChannelVector != 0:
				c.Vectors = append(c.Vectors, freelancer.EncodeVector(q))
			default:
				c.HalfAngles = append(c.HalfAngles, freelancer.EncodeHalfAngle(q))
			}
		}
		s := &freelancer.Script{Name: name, RootHeight: 1.5, Maps: []*freelancer.AnimationMap{{Parent: "upper", Child: "lower", Channel: c}}}
		if err := write.Script(tree.Root, s); err != nil {
			t.Fatal(err)
		}
	}
	return treeBytes(t, tree)
}

// TestAnimationOnModel puts an animation file on a figure, by way of GLB, and takes it off again: the same bytes.
func TestAnimationOnModel(t *testing.T) {
	anm, dfm := byName(t, "anm"), byName(t, "dfm")
	figure, file := lowerWith(t, dfm, arm(), moving("arm.dfm")), encodings(t)
	for _, c := range []struct {
		name         string
		model        []byte
		skins, clips int
	}{{"a figure", figure, 1, 4}, {"no model", nil, 0, 4}} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGLB(t, glb(t, liftWith(t, anm, file, on(c.model, nil)), nil))
			if len(s.Skins) != c.skins || len(s.Animations) != c.clips {
				t.Fatalf("%d skins, %d animations; want %d and %d", len(s.Skins), len(s.Animations), c.skins, c.clips)
			}
			corpus.SameBytes(t, "the animation file", lowerWith(t, anm, s, on(nil, nil)), file)
			corpus.SameBytes(t, "the animation file, its model named again", lowerWith(t, anm, s, on(c.model, nil)), file)
			if c.model == nil {
				return
			}
			with := scripts(t, lowerWith(t, dfm, s, on(nil, nil)))
			if len(with) != 5 || with["Sc_bend"] == nil || with["Sc_half"] == nil {
				t.Errorf("the figure has the scripts %v: want its own and those of the file", with)
			}
		})
	}
}

// TestAnimationEdited changes one key of each encoding: that frame has a new value, all others have the old ones.
func TestAnimationEdited(t *testing.T) {
	anm := byName(t, "anm")
	figure, file := lower(t, byName(t, "dfm"), "arm.dfm", arm(), nil), encodings(t)
	s := fromGLB(t, glb(t, liftWith(t, anm, file, on(figure, nil)), nil))
	want := [4]float32{0, float32(math.Sin(0.5)), 0, float32(math.Cos(0.5))}
	const key = 12
	for _, a := range s.Animations {
		a.Native.Values["rootHeight"] = 2.0
		for _, c := range a.Channels {
			if c.Path == asset.Rotation && c.Node.Name == "lower" {
				copy(c.Values[4*key:], want[:])
			}
		}
	}
	before, after := scripts(t, file), scripts(t, lowerWith(t, anm, fromGLB(t, glb(t, s, nil)), on(nil, nil)))
	for name, was := range before {
		now := after[name]
		if now.RootHeight != 2 {
			t.Errorf("%s: root height %v", name, now.RootHeight)
		}
		a, b := was.Maps[0].Channel, now.Maps[0].Channel
		if a.Type != b.Type || a.Interval != b.Interval || a.Frames() != b.Frames() {
			t.Fatalf("%s: %d frames of type %x became %d of type %x", name, a.Frames(), a.Type, b.Frames(), b.Type)
		}
		for i := range a.Frames() {
			x, y := a.Rotation(i), b.Rotation(i)
			if i != key && x != y {
				t.Errorf("%s: frame %d is %v, was %v", name, i, y, x)
			}
			for k := range y {
				if i == key && math.Abs(float64(y[k]-want[k])) > 1e-4 {
					t.Errorf("%s: frame %d is %v, want %v", name, i, y, want)
					break
				}
			}
		}
	}
}

// TestAnimationModelRefused: what cannot be the model of an animation is refused, by name.
func TestAnimationModelRefused(t *testing.T) {
	anm, file := byName(t, "anm"), encodings(t)
	v, err := anm.Read(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := on(tiles(t), nil)
	if _, err := anm.Lift(v, env); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("a texture library: %v", err)
	}
	env.Files = beside{}
	if _, err := anm.Lift(v, env); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestCurvesAndJumps stores a curve and a jump, which frames with straight lines between them have to stand for.
func TestCurvesAndJumps(t *testing.T) {
	s := sliding()
	lowerArm := s.Roots[1]
	s.Animations[0].Channels = []*asset.Channel{
		{Node: lowerArm, Path: asset.Translation, Interpolation: asset.CubicKeys, Times: []float32{0, 2}, Values: []float32{
			0, 0, 0, 0, 1, 0, 0, 4, 0,
			0, -4, 0, 0, 1, 0, 0, 0, 0,
		}},
		{Node: s.Roots[0], Path: asset.Rotation, Interpolation: asset.StepKeys, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}},
	}
	got := lift(t, byName(t, "dfm"), "arm.dfm", lowerWith(t, byName(t, "dfm"), fromGLB(t, glb(t, s, nil)), moving("arm.dfm")), nil)
	for _, at := range []struct {
		time, height, turn float64
	}{{0, 1, 0}, {0.5, 1 + 1.5, 0}, {0.9, 1 + 1.98, 0}, {0.99, 1 + 1.9998, 0}, {1.0, 1 + 2, 0.6}, {1.5, 1 + 1.5, 0.6}, {2, 1, 0.6}} {
		local := locals(got, got.Animations[0], at.time)
		for n, m := range local {
			switch n.Name {
			case "lower":
				if h := m[13]; math.Abs(h-at.height) > 1e-3 {
					t.Errorf("at %v s it is %v up, want %v", at.time, h, at.height)
				}
			case "upper":
				if y := math.Sqrt(max(0, 1-m[0]) / 2); math.Abs(y-at.turn) > 1e-3 { // m[0] = 1 − 2·y²
					t.Errorf("at %v s it is turned by %v, want %v", at.time, y, at.turn)
				}
			}
		}
	}
}

// body is the figure of arm with joints that are not where the bones were bound, as those of bodies are: the lower arm's
// is turned and moved.
func body(t *testing.T) []byte {
	tree, c := compoundOf(t, lower(t, byName(t, "dfm"), "arm.dfm", arm(), nil))
	for i := range c.Joints {
		if j := &c.Joints[i]; j.Child.Name == "lower" {
			j.Origin, j.Rotation = [3]float32{0.9, 0, 0}, [9]float32{0, 1, 0, -1, 0, 0, 0, 0, 1}
		}
	}
	if err := write.Compound(tree.Root, c); err != nil {
		t.Fatal(err)
	}
	return treeBytes(t, tree)
}

// TestBodies: a body stands as it was bound; while a script plays, bones that it does not move are where their joints
// have them.
func TestBodies(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	c := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}}
	s := &freelancer.Script{Name: "Sc_lean", Maps: []*freelancer.AnimationMap{{Object: true, Parent: "upper", Channel: c}}}
	if err := write.Script(file.Root, s); err != nil {
		t.Fatal(err)
	}
	lean, figure := treeBytes(t, file), body(t)
	files := map[string][]byte{"figure.dfm": figure, "walk.anm": encodings(t), "lean.anm": lean}
	still := lift(t, byName(t, "dfm"), "figure.dfm", figure, nil)
	_, nodes := where(still)
	if at := nodes["lower"].Transform.Translation; math.Abs(float64(at[1])-0.9) > 1e-5 {
		t.Errorf("at rest the lower arm is at %v, bound at 0 0.9 0", at)
	}
	moving := fromGLB(t, glb(t, liftWith(t, anm, lean, on(figure, nil)), nil))
	for n, m := range locals(moving, moving.Animations[0], 0.25) {
		if n.Name == "lower" && (math.Abs(m[12]-0.9) > 1e-5 || math.Abs(m[0]) > 1e-5) {
			t.Errorf("while the script plays the lower arm is at\n%v, its joint at 0.9 0 0, turned by a quarter", m)
		}
	}
	corpus.SameBytes(t, "the animation", lowerWith(t, anm, moving, on(nil, nil)), lean)
	corpus.SameBytes(t, "the figure", lower(t, byName(t, "dfm"), "figure.dfm", fromGLB(t, glb(t, still, nil)), nil), figure)
	out := corpus.InBlender(t, blenderSource(t, files), resave)
	for name, b := range files {
		corpus.SameBytes(t, name+" by way of Blender", fromBlender(t, out, name, b), b)
	}
}

// TestCharacterMotions: the game takes the motions of characters from .anm files, so that a new character has none of its
// own unless somebody asks; what is left out is told of. One that has some keeps them.
func TestCharacterMotions(t *testing.T) {
	dfm := byName(t, "dfm")
	for asked, want := range map[string]int{"": 0, "*": 1, "Sc_bend": 1, "Sc_other": 0} {
		var d schema.Diagnostics
		env := &format.Env{Name: "arm.dfm", Options: format.Options{Animation: asked}, Diagnostics: &d}
		b := lowerWith(t, dfm, arm(), env)
		if got := len(scripts(t, b)); got != want || d.Has("animation-elsewhere") != (want == 0) {
			t.Errorf("asked for %q: %d scripts, want %d; said: %v", asked, got, want, d.All())
		}
		tree, err := read.UTF(b, nil)
		if err != nil || (tree.Root.Child("Animation") != nil) != (want > 0) {
			t.Errorf("asked for %q: a folder of motions: %v, %v", asked, tree.Root.Child("Animation") != nil, err)
		}
		s := lift(t, dfm, "arm.dfm", b, nil)
		if got := len(scripts(t, lower(t, dfm, "arm.dfm", s, nil))); got != want {
			t.Errorf("asked for %q, there and back: %d scripts, want %d", asked, got, want)
		}
	}
}
