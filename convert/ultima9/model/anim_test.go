package model

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

func clipEnv(t testing.TB) *format.Env {
	env := u9.Env(t, "anim.flx", "mesh", "texture", "anim")
	env.Options.Model = "sappear.flx:4" // the body
	return env
}

func TestAnimUnedited(t *testing.T) {
	for name, b := range u9.AnimFiles(t) {
		for _, env := range []*format.Env{{}, clipEnv(t)} {
			s := u9.Lift(t, Anim, b, env)
			corpus.SameBytes(t, name, u9.Lower(t, Anim, s, nil), b)
			corpus.SameBytes(t, name+" through GLB", u9.Lower(t, Anim, u9.ThroughGLB(t, name, s), env), b)
		}
	}
}

func TestAnimSamples(t *testing.T) {
	files, _ := filepath.Glob(u9.Synthetic(t, "anim", "*.anim"))
	n := 0
	for _, path := range files {
		var side struct {
			Samples []struct {
				Part, Time int
				Rotation   [4]float64 `json:"rotation_wxyz"`
				Position   [3]float64
			}
		}
		corpus.JSON(t, path+".json", &side)
		s := u9.Lift(t, Anim, corpus.Bytes(t, path), nil)
		for _, x := range side.Samples {
			for _, c := range s.Animations[0].Channels {
				if id, _ := limbID(c.Node); id != x.Part {
					continue
				}
				got := scene.At(c, float64(seconds(int32(x.Time))), nil)
				want := []float64{x.Rotation[1], x.Rotation[2], x.Rotation[3], x.Rotation[0]}
				if c.Path == asset.Translation {
					want = x.Position[:]
				}
				n++
				for k := range want {
					if math.Abs(float64(got[k])-want[k]) > 1e-5 {
						t.Errorf("%s: part %d at %d ms: %v, want %v", path, x.Part, x.Time, got, want)
						break
					}
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("%d samples", n)
	}
}

func TestAnimScene(t *testing.T) {
	s := u9.Lift(t, Anim, corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim")), clipEnv(t))
	paths := map[string][]asset.Path{}
	for _, c := range s.Animations[0].Channels {
		paths[c.Node.Name] = append(paths[c.Node.Name], c.Path)
	}
	if got := fmt.Sprint(paths["limb_1"]); got != fmt.Sprint([]asset.Path{asset.Rotation, asset.Translation}) {
		t.Errorf("the pelvis moves %v", got)
	}
	for _, n := range []string{"limb_2", "limb_5", "limb_6"} {
		if got := fmt.Sprint(paths[n]); got != fmt.Sprint([]asset.Path{asset.Rotation}) {
			t.Errorf("%s moves %v", n, got)
		}
	}
	if len(s.Meshes) == 0 {
		t.Error("the model has no meshes")
	}
	env := clipEnv(t)
	env.Options.Model = "sappear.flx:1"
	if _, err := liftAnim(&ultima9.Anim{FrameCount: 1}, env); schema.Class(err) != schema.ErrRange {
		t.Errorf("a model that is not there: %v", err)
	}
	env.Options.Model = "sappear.flx:17"
	if _, err := liftAnim(&ultima9.Anim{FrameCount: 1}, env); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a model of the dead layout: %v", err)
	}
	env.Options.Model = "cube.mesh"
	if s := u9.Lift(t, Anim, corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim")), env); len(s.Meshes) != 1 {
		t.Errorf("%d meshes", len(s.Meshes))
	}
}

// A changed key of one track changes that frame and nothing else.
func TestAnimEdit(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim"))
	before := u9.Do(read.Anim(b, nil))(t)
	s := u9.ThroughGLB(t, "", u9.Lift(t, Anim, b, clipEnv(t)))
	half := float32(math.Sqrt2 / 2)
	for _, c := range s.Animations[0].Channels {
		if c.Node.Name == "limb_5" {
			copy(c.Values[4:], []float32{half, 0, 0, half})
		}
	}
	after := u9.Do(read.Anim(u9.Lower(t, Anim, s, nil), nil))(t)
	for i := range before.Parts {
		for k := range before.Parts[i].Frames {
			want := before.Parts[i].Frames[k]
			if before.Parts[i].ID == 5 && k == 1 {
				want.Rotation = [4]float32{half, half, 0, 0}
			}
			if got := after.Parts[i].Frames[k]; got != want {
				t.Errorf("part %d frame %d is %+v, want %+v", i, k, got, want)
			}
		}
	}
	if fmt.Sprint(before.Events, before.Registry, before.Source) != fmt.Sprint(after.Events, after.Registry, after.Source) {
		t.Error("events, registry or source changed")
	}
}

func TestAnimEditLengthAndValues(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim"))
	before := u9.Do(read.Anim(b, nil))(t)
	s := u9.Lift(t, Anim, b, nil)
	for _, c := range s.Animations[0].Channels {
		c.Times = slices.Clone(c.Times) // the channels of a part share them
		for i := range c.Times {
			c.Times[i] *= 2
		}
	}
	a := u9.Do(lowerAnim(s, nil))(t)
	n := 2*(int(before.FrameCount)-1) + 1
	if int(a.FrameCount) != n || int(a.End-a.Start) != n-1 || len(a.Parts[0].Frames) != n || a.Parts[0].Frames[2*3].Rotation != before.Parts[0].Frames[3].Rotation {
		t.Errorf("twice as long: %d frames, want %d", a.FrameCount, n)
	}
	for i, e := range before.Events {
		if e.Type == ultima9.EventEnd {
			e.Time += a.Parts[0].Frames[n-1].Time - before.Parts[0].Frames[before.FrameCount-1].Time
		}
		if a.Events[i] != e {
			t.Errorf("twice as long: event %+v, want %+v", a.Events[i], e)
		}
	}
	s = u9.Lift(t, Anim, b, nil)
	for _, c := range s.Animations[0].Channels {
		c.Times, c.Values = c.Times[:3], c.Values[:3*c.Width()]
	}
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	if a = u9.Do(lowerAnim(s, env))(t); a.FrameCount != 3 || !env.Diagnostics.Has("event-late") || a.Events[len(a.Events)-1].Time >= 3*ultima9.AnimInterval {
		t.Errorf("cut: %d frames, events %v, %v", a.FrameCount, a.Events, env.Diagnostics.All())
	}
	s = u9.Lift(t, Anim, b, nil)
	v := s.Animations[0].Native.Values
	v["id"], v["source"], v["events"] = 12.0, "run.lws", []any{map[string]any{"time": 5.0, "type": 4.0, "parameter": 0.0}}
	a = u9.Do(lowerAnim(s, nil))(t)
	if a.ID != 12 || a.Source != "run.lws" || len(a.Events) != 1 || a.Events[0] != (ultima9.AnimEvent{Time: 5, Type: ultima9.EventFootstep}) {
		t.Errorf("%+v", a)
	}
}

func TestAnimForeign(t *testing.T) {
	limb := asset.NewNode("limb_1")
	limb.Transform.Translation = [3]float32{0, 1, 0}
	arm := asset.NewNode("L_Arm") // a name of registry.txt, in another case
	other := asset.NewNode("camera")
	half := float32(math.Sqrt2 / 2)
	turn := []float32{0, 0, 0, 1, 0, half, 0, half}
	s := &asset.Scene{Roots: []*asset.Node{limb, arm, other}, Animations: []*asset.Animation{{Name: "wave", Channels: []*asset.Channel{
		{Node: limb, Path: asset.Translation, Times: []float32{0, 0.099}, Values: []float32{0, 1, 0, 0, 1, 3}},
		{Node: arm, Path: asset.Rotation, Times: []float32{0, 0.099}, Values: turn},
		{Node: other, Path: asset.Rotation, Times: []float32{0, 9}, Values: turn},
	}}}}
	env := clipEnv(t)
	env.Entry = "6"
	a := u9.Do(read.Anim(u9.Lower(t, Anim, s, env), nil))(t)
	if a.ID != 6 || a.FrameCount != 4 || a.End != 3 || a.FPS != 30 || a.Interval != 33 || a.Source != "wave" || fmt.Sprint(a.Registry) != "[1 5]" {
		t.Errorf("%+v", a)
	}
	if len(a.Parts) != 2 || a.Parts[0].Name != "PELVIS" || a.Parts[1].Name != "L_ARM" {
		t.Fatalf("parts %+v", a.Parts)
	}
	last := a.Parts[0].Frames[3]
	if last.Time != 99 || distance(last.Position, [3]float32{0, -120, 40}) > 1e-4 || last.Rotation != [4]float32{1, 0, 0, 0} || last.Scale != [3]float32{1, 1, 1} {
		t.Errorf("pelvis at the end: %+v", last)
	}
	// A turn about the glTF Y axis is one about the raw Z axis; a third of the way it is 30 degrees.
	q := a.Parts[1].Frames[1].Rotation
	if math.Abs(float64(q[0])-math.Cos(math.Pi/12)) > 1e-6 || math.Abs(float64(q[3])-math.Sin(math.Pi/12)) > 1e-6 {
		t.Errorf("arm after 33 ms: %v", q)
	}
	if fmt.Sprint(a.Events) != "[{99 end 0}]" {
		t.Errorf("events %v", a.Events)
	}
	s.Animations[0].Channels = s.Animations[0].Channels[2:]
	if _, err := lowerAnim(s, env); schema.Class(err) != schema.ErrValue {
		t.Errorf("nothing that moves a limb: %v", err)
	}
	if _, err := lowerAnim(&asset.Scene{}, env); schema.Class(err) != schema.ErrValue {
		t.Errorf("no animation: %v", err)
	}
	limbOnly := &asset.Scene{Roots: []*asset.Node{limb}, Animations: []*asset.Animation{{Channels: []*asset.Channel{
		{Node: limb, Path: asset.Rotation, Times: []float32{0, 1e9}, Values: turn}}}}}
	if _, err := lowerAnim(limbOnly, env); schema.Class(err) != schema.ErrLimit {
		t.Errorf("thirty years: %v", err)
	}
}
