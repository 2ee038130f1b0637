package model

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/u9"
)

// TestBends: what is edited at the frames of a clip arrives, and nothing is said; what is edited between them is told of.
func TestBends(t *testing.T) {
	turned := func(v []float32, angle float64) { // about the upright axis, after what is there
		s, c := float32(math.Sin(angle/2)), float32(math.Cos(angle/2))
		x, y, z, w := v[0], v[1], v[2], v[3]
		v[0], v[1], v[2], v[3] = c*x+s*z, c*y+s*w, c*z-s*x, c*w-s*y
	}
	each := func(f func(c *asset.Channel, key []float32)) func(c *asset.Channel) {
		return func(c *asset.Channel) {
			for i := range c.Times {
				f(c, c.Values[i*c.Width():][:c.Width()])
			}
		}
	}
	sampled := func(c *asset.Channel) { // as Blender does between two keys: straight in each number
		const pieces = 3
		w := c.Width()
		times, values := c.Times[:1:1], c.Values[:w:w]
		for i := 1; i < len(c.Times); i++ {
			a, b := c.Values[(i-1)*w:i*w], slices.Clone(c.Values[i*w:(i+1)*w])
			if w == 4 && a[0]*b[0]+a[1]*b[1]+a[2]*b[2]+a[3]*b[3] < 0 {
				for k := range b {
					b[k] = -b[k]
				}
			}
			for p := 1; p <= pieces; p++ {
				at, length := float32(p)/pieces, float32(0)
				for k := range b {
					v := a[k] + (b[k]-a[k])*at
					values, length = append(values, v), length+v*v
				}
				for k := len(values) - w; w == 4 && k < len(values); k++ {
					values[k] /= float32(math.Sqrt(float64(length)))
				}
				times = append(times, c.Times[i-1]+(c.Times[i]-c.Times[i-1])*at)
			}
		}
		c.Times, c.Values = times, values
	}
	for name, x := range map[string]struct {
		path asset.Path
		edit func(c *asset.Channel)
		told bool
	}{
		"all keys moved":      {asset.Translation, each(func(_ *asset.Channel, key []float32) { key[0] += 0.7 }), false},
		"all keys scaled":     {asset.Translation, each(func(_ *asset.Channel, key []float32) { key[1] *= 1.5 }), false},
		"all keys turned":     {asset.Rotation, each(func(_ *asset.Channel, key []float32) { turned(key, 0.9) }), false},
		"all keys turned far": {asset.Rotation, each(func(_ *asset.Channel, key []float32) { turned(key, 3) }), false},
		"all keys turned and sampled": {asset.Rotation, func(c *asset.Channel) {
			each(func(_ *asset.Channel, key []float32) { turned(key, 0.9) })(c)
			sampled(c)
		}, false},
		"one key turned and sampled": {asset.Rotation, func(c *asset.Channel) { turned(c.Values[4:8], 0.6); sampled(c) }, false},
		"all keys moved and sampled": {asset.Translation, func(c *asset.Channel) {
			each(func(_ *asset.Channel, key []float32) { key[0] += 0.7 })(c)
			sampled(c)
		}, false},
		"one key turned": {asset.Rotation, func(c *asset.Channel) { turned(c.Values[4:8], 0.6) }, false},
		"still": {asset.Rotation, func(c *asset.Channel) {
			c.Times, c.Values = c.Times[:1], c.Values[:4]
		}, false},
		"a key between two": {asset.Translation, func(c *asset.Channel) {
			c.Times = slices.Insert(slices.Clone(c.Times), 1, (c.Times[0]+c.Times[1])/2)
			c.Values = slices.Insert(c.Values, 3, c.Values[0]+5, c.Values[1], c.Values[2])
		}, true},
	} {
		tried := 0
		files := u9.AnimFiles(t)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			b := files[file]
			s := u9.Lift(t, Anim, b, nil)
			for i, c := range s.Animations[0].Channels {
				if c.Path != x.path || len(c.Times) < 3 {
					continue
				}
				s := u9.Lift(t, Anim, b, nil)
				x.edit(s.Animations[0].Channels[i])
				env := &format.Env{Diagnostics: new(schema.Diagnostics)}
				got := u9.Lower(t, Anim, s, env)
				if told := env.Diagnostics.Has("track-bends"); told != x.told || !told && name != "still" && bytes.Equal(got, b) {
					t.Errorf("%s: channel %d of %s: told %v, changed %v: %v", name, i, file, told, !bytes.Equal(got, b), env.Diagnostics.All())
				}
				tried++
			}
		}
		t.Logf("%s: %d channels", name, tried)
	}
}
