package model

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// TestChooseAnimation: a clip is the animation that was asked for, or that it was, or the first; that others are left out is told.
func TestChooseAnimation(t *testing.T) {
	clip := func(name string, ours bool) *asset.Animation {
		a := &asset.Animation{Name: name}
		if ours {
			a.Native = &asset.Native{Format: AnimName}
		}
		return a
	}
	walk, run, other := clip("walk", true), clip("run", false), clip("idle", false)
	still := &asset.Native{Format: AnimName, Values: map[string]any{nameKey: "still"}}
	for _, c := range []struct {
		name   string
		scene  asset.Scene
		asked  string
		want   string // "": an error
		told   string
		nobody bool // to tell
	}{
		{"the only one", asset.Scene{Animations: []*asset.Animation{run}}, "", "run", "", false},
		{"the first", asset.Scene{Animations: []*asset.Animation{run, other}}, "", "run", "animations", false},
		{"its own", asset.Scene{Animations: []*asset.Animation{run, walk, other}}, "", "walk", "animations", false},
		{"asked for", asset.Scene{Animations: []*asset.Animation{run, walk, other}}, "idle", "idle", "", false},
		{"asked for, and not there", asset.Scene{Animations: []*asset.Animation{run, walk}}, "idle", "", "", false},
		{"none", asset.Scene{}, "", "", "", false},
		{"none of a scene of something else", asset.Scene{Native: &asset.Native{Format: SappearName}}, "", "", "", false},
		{"none, and the clip moves nothing", asset.Scene{Native: still}, "", "still", "animation-kept", false},
		{"the clip moves nothing, and another is there", asset.Scene{Native: still, Animations: []*asset.Animation{run}}, "", "run", "", false},
		{"nobody to tell", asset.Scene{Animations: []*asset.Animation{run, walk}}, "", "walk", "", true},
	} {
		d := new(schema.Diagnostics)
		env := &format.Env{Diagnostics: d}
		env.Options.Animation = c.asked
		if c.nobody {
			env = nil
		}
		got, err := chooseAnimation(&c.scene, env)
		if (err != nil) != (c.want == "") || err == nil && got.Name != c.want || err != nil && schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v, %v; want %q", c.name, got, err, c.want)
		}
		told := ""
		for _, x := range d.All() {
			told += x.Code
		}
		if told != c.told {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}

// TestResize: all parts of a clip get the frames that an edited animation fills, and its end moves with them; what plays later than
// that is told.
func TestResize(t *testing.T) {
	frame := func(time int32, x float32) ultima9.AnimFrame {
		return ultima9.AnimFrame{Time: time, Position: [3]float32{x}}
	}
	clip := func() *ultima9.Anim {
		return &ultima9.Anim{FrameCount: 3, Parts: []ultima9.AnimPart{{ID: 1}, {ID: 2, Frames: []ultima9.AnimFrame{frame(0, 1), frame(40, 2), frame(80, 3)}}},
			Events: []ultima9.AnimEvent{{Time: 50}, {Time: 80, Type: ultima9.EventEnd}}}
	}
	for _, c := range []struct {
		name     string
		duration float64
		frames   []ultima9.AnimFrame // of the second part
		end      int32
		told     string
	}{
		{"longer", 0.132, []ultima9.AnimFrame{frame(0, 1), frame(33, 2), frame(66, 3), frame(99, 3), frame(132, 3)}, 132, "length"},
		{"shorter", 0.033, []ultima9.AnimFrame{frame(0, 1), frame(33, 2)}, 33, "length event-late"},
		{"one frame", 0, []ultima9.AnimFrame{frame(0, 1)}, 0, "length event-late"},
	} {
		d := new(schema.Diagnostics)
		l, a := &animLowerer{env: &format.Env{Diagnostics: d}, duration: c.duration}, clip()
		if err := l.resize(a); err != nil {
			t.Fatal(err)
		}
		told := ""
		for _, x := range d.All() {
			told += " " + x.Code
		}
		if !slices.Equal(a.Parts[1].Frames, c.frames) || len(a.Parts[0].Frames) != len(c.frames) || a.Events[0].Time != 50 || a.Events[1].Time != c.end || told != " "+c.told {
			t.Errorf("%s: %v, %v, told%s", c.name, a.Parts, a.Events, told)
		}
		for k, f := range a.Parts[0].Frames {
			if f.Time != c.frames[k].Time {
				t.Errorf("%s: frame %d of the part without any is at %d ms", c.name, k, f.Time)
			}
		}
	}
	for _, c := range []struct {
		duration float64
		parts    int
		ok       bool
	}{{(maxFrames - 1) * 0.033, 1, true}, {maxFrames * 0.033, 1, false}, {(maxFrames - 1) * 0.033, 65, false}} {
		a := &ultima9.Anim{FrameCount: 1, Parts: make([]ultima9.AnimPart, c.parts)}
		l := &animLowerer{duration: c.duration}
		if err := l.resize(a); (err == nil) != c.ok || err != nil && schema.Class(err) != schema.ErrLimit {
			t.Errorf("%v s of %d parts: %v", c.duration, c.parts, err)
		}
	}
	l := &animLowerer{duration: maxFrames * 0.033, tracks: map[int]*track{1: {}}}
	if _, err := l.foreign(&asset.Animation{}); schema.Class(err) != schema.ErrLimit {
		t.Errorf("too long a clip of somebody else: %v", err)
	}
	l.tracks = nil
	if _, err := l.foreign(&asset.Animation{}); schema.Class(err) != schema.ErrValue {
		t.Errorf("a clip that moves nothing: %v", err)
	}
}
