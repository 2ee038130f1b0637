package freelancer_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestUnmovedNodes deletes scripts from an animation file without a model: the nodes that nothing moves any more are not in it,
// which is told.
func TestUnmovedNodes(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	for _, x := range []struct{ script, bone string }{{"Sc_wave", "left"}, {"Sc_point", "right"}, {"Sc_both", "left"}} {
		c := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}}
		s := &freelancer.Script{Name: x.script, Maps: []*freelancer.AnimationMap{{Parent: "Root", Child: x.bone, Channel: c}}}
		if err := write.Script(file.Root, s); err != nil {
			t.Fatal(err)
		}
	}
	stored := treeBytes(t, file)
	for _, c := range []struct {
		name   string
		delete string
		told   bool
	}{
		{"nothing", "", false},
		{"the only script of a bone", "Sc_point", true},
		{"one of two scripts of a bone", "Sc_wave", false},
	} {
		s := fromGLB(t, glb(t, lift(t, anm, "hands.anm", stored, nil), nil))
		var left []*asset.Animation
		for _, a := range s.Animations {
			if a.Name != c.delete {
				left = append(left, a)
			}
		}
		s.Animations = left
		d := new(schema.Diagnostics)
		lowerWith(t, anm, s, &format.Env{Name: "hands.anm", Diagnostics: d})
		if d.Has("node-unmoved") != c.told {
			t.Errorf("%s: told %v, want %v: %v", c.name, !c.told, c.told, d.All())
		}
	}
}

// TestPosedBareNodes takes an animation file without a model back from an editor that saves the pose it shows, rounded by how
// far the motions reach: bare nodes rest in one place.
func TestPosedBareNodes(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	s := &freelancer.Script{Name: "Sc_nod"}
	for i, bone := range []string{"spine", "neck", "jaw"} {
		c := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelPosition, Positions: [][3]float32{{0, 0.001, 0}, {0, 0.8, 0}}}
		if bone == "jaw" {
			c.Positions = [][3]float32{{0, 0.00126477, 0}, {0, 0.0013, 0}}
		}
		s.Maps = append(s.Maps, &freelancer.AnimationMap{Parent: []string{"Root", "spine", "neck"}[i], Child: bone, Channel: c})
	}
	if err := write.Script(file.Root, s); err != nil {
		t.Fatal(err)
	}
	stored := treeBytes(t, file)
	for _, c := range []struct {
		name  string
		round float32
		told  bool
	}{
		{"as it was", 0, false},
		{"rounded", 8e-7, false},
		{"moved", 1e-3, true},
	} {
		scene := fromGLB(t, glb(t, lift(t, anm, "nod.anm", stored, nil), nil))
		scene.Generator = "Khronos glTF Blender I/O v3.4.50"
		for _, x := range scene.Animations[0].Channels {
			if x.Path == asset.Translation {
				x.Node.Transform.Translation = [3]float32(x.Values)
				x.Node.Transform.Translation[1] += c.round
			}
		}
		d := new(schema.Diagnostics)
		got := lowerWith(t, anm, scene, &format.Env{Name: "nod.anm", Diagnostics: d})
		if d.Has("rest-pose") != c.told || bytes.Equal(got, stored) == c.told {
			t.Errorf("%s: told %v, the same bytes %v: %v", c.name, d.Has("rest-pose"), bytes.Equal(got, stored), d.All())
		}
	}
}

// TestNoStage: motions are stored for the model that is named, and for none where that is not there, or no model with parts.
func TestNoStage(t *testing.T) {
	anm := byName(t, "anm")
	model := lower(t, byName(t, "cmp"), "ship.cmp", ship(), nil)
	tree, err := read.UTF(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	shape := tree.Root.Find("turret.3db/VMeshPart/VMeshRef")
	shape.Data = shape.Data[:10]
	files := memory{"ship.cmp": model, "ball.sph": planet(t), "bad.cmp": model[:40], "torn.cmp": treeBytes(t, tree)}
	for file, want := range map[string]string{"ship.cmp": "", "torn.cmp": "turret.3db", "gone.cmp": "the model gone.cmp", "ball.sph": "it is no model with parts", "bad.cmp": "bad.cmp"} {
		v, err := anm.Lower(lift(t, byName(t, "cmp"), "ship.cmp", model, nil), &format.Env{Name: "spin.anm", Files: files, Options: format.Options{Model: file}})
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) || (v == nil) != (want != "") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestBareAngles: without a model, what a script turns by an angle turns about Y, other turns are shown as they are, and both come
// back as they were.
func TestBareAngles(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	angle := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelScalar, Scalars: []float32{0, 1}}
	turn := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}}
	if err := write.Script(file.Root, &freelancer.Script{Name: "Sc_turn", Maps: []*freelancer.AnimationMap{{Parent: "Root", Child: "turret", Channel: angle}, {Parent: "Root", Child: "wing", Channel: turn}}}); err != nil {
		t.Fatal(err)
	}
	s := lift(t, anm, "turn.anm", treeBytes(t, file), nil)
	for i, want := range [][4]float64{{0, math.Sin(0.5), 0, math.Cos(0.5)}, {0.6, 0, 0, 0.8}} {
		ch := s.Animations[0].Channels[i]
		for k, x := range ch.Values[4:] {
			if ch.Path != asset.Rotation || math.Abs(float64(x)-want[k]) > 1e-6 {
				t.Errorf("%v of %s, %v", ch.Path, ch.Node.Name, ch.Values)
			}
		}
	}
	if got := lowerWith(t, anm, fromGLB(t, glb(t, s, nil)), &format.Env{Name: "turn.anm"}); !bytes.Equal(got, treeBytes(t, file)) {
		t.Error("it comes back as other bytes")
	}
}

// TestFirstScript: a file without scripts takes those that somebody adds, and keeps what else it has.
func TestFirstScript(t *testing.T) {
	anm, file := byName(t, "anm"), freelancer.NewTree()
	file.Root.Set("Note", []byte("mine"))
	env := &format.Env{Name: "spin.anm", Files: memory{"ship.cmp": lower(t, byName(t, "cmp"), "ship.cmp", ship(), nil)}, Options: format.Options{Model: "ship.cmp"}}
	s := fromGLB(t, glb(t, liftWith(t, anm, treeBytes(t, file), env), nil))
	_, n := where(s)
	s.Animations = append(s.Animations, &asset.Animation{Name: "Sc_new", Channels: []*asset.Channel{{Node: n["turret"], Path: asset.Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0.6, 0, 0.8}}}})
	got, err := read.UTF(lowerWith(t, anm, s, &format.Env{Name: "spin.anm"}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if script := got.Root.Find("Animation/Script/Sc_new"); script == nil || got.Root.Child("Note") == nil || len(got.Root.Children) != 2 {
		t.Errorf("the file holds %d things, the script %v", len(got.Root.Children), script)
	}
}

// TestScriptOfOthers: a script that moves none of the parts of a model moves nothing of it, and puts nothing where it hangs either.
func TestScriptOfOthers(t *testing.T) {
	turn := &freelancer.Channel{Count: 2, Interval: 0.5, Type: freelancer.ChannelQuaternion, Quaternions: [][4]float32{{1, 0, 0, 0}, {0.8, 0.6, 0, 0}}}
	for part, moved := range map[string]bool{"upper": true, "nobody": false} {
		file := freelancer.NewTree()
		if err := write.Script(file.Root, &freelancer.Script{Name: "Sc_lean", Maps: []*freelancer.AnimationMap{{Object: true, Parent: part, Channel: turn}}}); err != nil {
			t.Fatal(err)
		}
		d := new(schema.Diagnostics)
		s := liftWith(t, byName(t, "anm"), treeBytes(t, file), on(body(t), d))
		n := 0
		for _, a := range s.Animations {
			n += len(a.Channels)
		}
		if (n > 0) != moved || d.Has("animation-unused") == moved {
			t.Errorf("of %s: %d channels, told %v", part, n, d.All())
		}
	}
}
