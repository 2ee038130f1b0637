package ultimate3d

import (
	"bytes"
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/seams"
)

// TestKeys: a key that is moved by more than the threshold arrives, and nothing else changes; one that is moved by less is
// unedited, and so is an animation that an editor sampled.
func TestKeys(t *testing.T) {
	tried := 0
	seamModels(t, func(t *testing.T, m *ultimate3d.Model, _ int) {
		if len(m.Bones) == 0 {
			return
		}
		stored, lifted := mustWrite(t, m), lift(t, m, format.Options{})
		size := scene.Size(lifted)
		for i, a := range lifted.Animations {
			for _, form := range seams.Samplings {
				s := throughGLB(t, lifted)
				for _, c := range s.Animations[i].Channels {
					form.Apply(c)
				}
				d := new(schema.Diagnostics)
				if got := mustWrite(t, lower(t, throughGLB(t, s), &format.Env{Diagnostics: d})); !bytes.Equal(got, stored) {
					t.Errorf("%s %s: not as it was: %v", a.Name, form.Name, d.All())
				}
			}
			seams.Keys(a, 6, func(c, k int) {
				tried++
				testKey(t, m, lifted, i, c, k, size)
			})
		}
	})
	if tried == 0 {
		t.Error("no key was tried")
	}
}

func testKey(t *testing.T, m *ultimate3d.Model, lifted *asset.Scene, a, c, k int, size float64) {
	stored := mustWrite(t, m)
	for _, by := range []float64{seams.Below, seams.Above} {
		s := throughGLB(t, lifted)
		now := s.Animations[a].Channels[c]
		seams.Nudge(now, k, by, size)
		got := lower(t, throughGLB(t, s), nil)
		if by == seams.Below {
			if !bytes.Equal(mustWrite(t, got), stored) {
				t.Errorf("%s, key %d of %s: an edit below the threshold", now.Node.Name, k, pathNames[now.Path])
			}
			continue
		}
		back := lift(t, got, format.Options{})
		is := back.Animations[a].Channels[c]
		size := size / 10 // finer than the threshold
		if !scene.Compare(now.Path, scene.CurveOf(now.Node, now.Path, now), scene.CurveOf(is.Node, is.Path, is), size).Unedited() {
			t.Errorf("%s, key %d of %s did not arrive", now.Node.Name, k, pathNames[now.Path])
		}
		was := lifted.Animations[a].Channels[c]
		if scene.Compare(now.Path, scene.CurveOf(was.Node, was.Path, was), scene.CurveOf(is.Node, is.Path, is), size).Unedited() {
			t.Errorf("%s, key %d of %s is as it was", now.Node.Name, k, pathNames[now.Path])
		}
		if n, added := changedKeys(m, got); n != 1 && !added { // keys are added where the engine would bend the curve elsewhere
			t.Errorf("%s, key %d of %s: %d stored keys changed", now.Node.Name, k, pathNames[now.Path], n)
		}
	}
}

// changedKeys counts the keys that two models with the same bones have otherwise; added reports whether one has more.
func changedKeys(a, b *ultimate3d.Model) (n int, added bool) {
	count := func(x, y []ultimate3d.VectorKey) {
		for i := range max(len(x), len(y)) {
			if i >= len(x) || i >= len(y) || x[i] != y[i] {
				n++
			}
		}
	}
	for i := range a.Bones {
		x, y := a.Bones[i], b.Bones[i]
		added = added || len(x.Translation) != len(y.Translation) || len(x.Rotation) != len(y.Rotation) || len(x.Scaling) != len(y.Scaling)
		count(x.Translation, y.Translation)
		count(x.Scaling, y.Scaling)
		for k := range max(len(x.Rotation), len(y.Rotation)) {
			if k >= len(x.Rotation) || k >= len(y.Rotation) || x.Rotation[k] != y.Rotation[k] {
				n++
			}
		}
	}
	return n, added
}

// TestFramesOf: keys at whole frames, or within a hundredth of one, are taken as they are; of others every frame gets one. A
// step holds until the frame before the next key.
func TestFramesOf(t *testing.T) {
	line, step, cubic := asset.LinearKeys, asset.StepKeys, asset.CubicKeys
	for _, c := range []struct {
		how    asset.Interpolation
		first  int
		times  []float32 // in frames: ten a second
		values []float32 // the first component of each
		want   map[int]float32
	}{
		{line, 0, []float32{0, 5}, []float32{1, 2}, map[int]float32{0: 1, 5: 2}},
		{line, 7, []float32{0, 5}, []float32{1, 2}, map[int]float32{7: 1, 12: 2}},
		{line, 0, []float32{2, 5}, []float32{1, 2}, map[int]float32{0: 1, 2: 1, 5: 2}},
		{line, 0, []float32{0.009, 4.991}, []float32{1, 2}, map[int]float32{0: 1, 5: 2}},
		{line, 0, []float32{0, 2.5}, []float32{0, 5}, map[int]float32{0: 0, 1: 2, 2: 4, 3: 5}},
		{line, 0, []float32{1.5, 3}, []float32{0, 3}, map[int]float32{0: 0, 1: 0, 2: 1, 3: 3}},
		{line, 0, []float32{0, 1, 1.001, 2}, []float32{0, 1, 9, 2}, map[int]float32{0: 0, 1: 1, 2: 2}},
		{step, 0, []float32{0, 5, 6}, []float32{1, 2, 3}, map[int]float32{0: 1, 4: 1, 5: 2, 6: 3}},
		{cubic, 0, []float32{0, 2}, []float32{0, 1, 0, 0, 3, 0}, map[int]float32{0: 1, 1: 2, 2: 3}},
		{line, 65530, []float32{0, 5, 6}, []float32{1, 2, 3}, map[int]float32{65530: 1, 65535: 2}},
		{line, 65533, []float32{0.5, 8.5}, []float32{0, 8}, map[int]float32{65533: 0, 65534: 0.5, 65535: 1.5}},
	} {
		x := &asset.Channel{Path: asset.Translation, Interpolation: c.how}
		for _, f := range c.times {
			x.Times = append(x.Times, f/10)
		}
		for _, v := range c.values {
			x.Values = append(x.Values, v, 0, 0)
		}
		got, last := map[int]float32{}, -1
		for _, k := range framesOf(x, 10, c.first) {
			if k.frame <= last {
				t.Errorf("%v: frame %d behind %d", c.times, k.frame, last)
			}
			got[k.frame], last = k.value[0], k.frame
		}
		if len(got) != len(c.want) {
			t.Errorf("%v of %v from %d: %v, want %v", c.values, c.times, c.first, got, c.want)
		}
		for f, v := range c.want {
			if has, ok := got[f]; !ok || math.Abs(float64(has-v)) > 1e-5 {
				t.Errorf("%v of %v from %d: %v, want %v", c.values, c.times, c.first, got, c.want)
			}
		}
	}
}

// TestEngineValue: what the engine makes of stored keys, in glTF's space; a new rotation has the sign of the key that it
// replaces.
func TestEngineValue(t *testing.T) {
	b := &ultimate3d.Bone{
		Translation: []ultimate3d.VectorKey{{Frame: 2, Value: [3]float32{1, 2, 3}}, {Frame: 4, Value: [3]float32{3, 2, 1}}},
		Scaling:     []ultimate3d.VectorKey{{Value: [3]float32{1, 2, 3}}, {Frame: 2, Value: [3]float32{3, 4, 5}}},
		Rotation:    []ultimate3d.RotationKey{{Value: [4]float32{0.6, 0, 0, 0.8}}, {Frame: 2, Value: [4]float32{0, 0.6, 0, 0.8}}},
	}
	for _, c := range []struct {
		path  asset.Path
		frame int
		want  []float32
	}{
		{asset.Translation, 3, []float32{-2, 2, 2}}, {asset.Translation, 4, []float32{-3, 2, 1}}, {asset.Scale, 1, []float32{2, 3, 4}},
		{asset.Rotation, 0, []float32{0.6, 0, 0, 0.8}}, {asset.Rotation, 2, []float32{0, -0.6, 0, 0.8}},
	} {
		if got := engineValue(b, c.path, c.frame); !scene.SameValue(c.path, c.want, got, 1) || c.path == asset.Rotation && opposite(got, c.want) {
			t.Errorf("%s at %d: %v, want %v", pathNames[c.path], c.frame, got, c.want)
		}
	}
	stored := []trackKey{{frame: 1, value: []float32{0, 0, 0, 1}}, {frame: 2, value: []float32{0, 0, 0, -1}}}
	for _, c := range []struct {
		frame  int
		w      float32
		signed bool
		want   float32
	}{{1, 0.8, true, 0.8}, {2, 0.8, true, -0.8}, {2, -0.8, true, -0.8}, {3, 0.8, false, 0.8}} {
		k := trackKey{frame: c.frame, value: []float32{0.6, 0, 0, c.w}}.signedAs(stored)
		if k.value[3] != c.want || k.value[0]*k.value[3] != 0.6*c.w || k.signed != c.signed {
			t.Errorf("frame %d: %v, signed %v", c.frame, k.value, k.signed)
		}
	}
	if k := (trackKey{frame: 2, value: []float32{1, 2, 3}}).signedAs(stored); k.signed || k.value[0] != 1 {
		t.Errorf("a place: %v", k)
	}
	if got, want := transposed([16]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), [16]float32{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}; got != want {
		t.Errorf("transposed: %v", got)
	}
}
