package model

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestAnimRest: a limb that stands elsewhere at rest is named, also where nothing moves it and where a model does.
func TestAnimRest(t *testing.T) {
	walk := u9.Records(t, corpus.Testdata(t, "ultima9", "anim.flx"))["2"]
	clip := func(frames int) []byte {
		a := u9.Do(read.Anim(walk, nil))(t)
		for i := range a.Parts {
			a.Parts[i].Frames = a.Parts[i].Frames[:frames]
		}
		a.FrameCount, a.End = int32(max(frames, 1)), a.Start+int32(max(frames, 1))-1
		return u9.Do(write.Anim(a))(t)
	}
	model := &format.Env{Files: u9.Folders{corpus.Testdata(t, "ultima9")}, Options: format.Options{Model: "sappear.flx:5"}}
	for name, c := range map[string]struct {
		frames int
		env    *format.Env
	}{
		"in motion":        {5, nil},
		"one frame":        {1, nil},
		"no frames":        {0, nil},
		"model":            {5, model},
		"model, one frame": {1, model},
		"model, no frames": {0, model},
	} {
		for _, moved := range []bool{false, true} {
			s := u9.ThroughGLB(t, "", u9.Lift(t, Anim, clip(c.frames), c.env))
			n := limbNodes(s)[1]
			if moved {
				n.Transform.Translation[0] += 50
			}
			d := new(schema.Diagnostics)
			u9.Do(lowerAnim(s, &format.Env{Diagnostics: d}))(t)
			if d.Has("rest-pose") != moved {
				t.Errorf("%s: moved %v: %v", name, moved, d.All())
			}
		}
	}
}

// TestAnimRestOfLimbs: limbs of the model that the clip has no part for are looked at as well.
func TestAnimRestOfLimbs(t *testing.T) {
	l := &animLowerer{scene: new(asset.Scene)}
	head := u9.Do(write.SappearLimb(&ultima9.Limb{ID: 3, Scale: [3]float32{1, 1, 1}, Rotation: [4]float32{1, 0, 0, 0}}))(t)
	n := asset.NewNode("limb_3")
	n.Native = &asset.Native{Format: limbName, Payload: head}
	l.scene.Roots = []*asset.Node{n}
	nodes := map[int]*asset.Node{3: n}
	if got := l.moved(new(ultima9.Anim), nodes); len(got) > 0 {
		t.Error(got)
	}
	n.Transform.Scale = [3]float32{2, 2, 2}
	if got := l.moved(new(ultima9.Anim), nodes); !got[3] {
		t.Error(got)
	}
}
