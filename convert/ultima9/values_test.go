package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// A value that its field cannot hold is refused; cut to size it would be another.
func TestValuesOutOfRange(t *testing.T) {
	texture := func(values map[string]any) error {
		a := u9.Do(Texture.Lift(u9.Do(read.Texture(corpus.Bytes(t, u9.Synthetic(t, "texture", "anim.tex")), nil))(t), u9.Env(t, "")))(t)
		for k, v := range values {
			a.Native.Values[k] = v
		}
		_, err := Texture.Lower(a, u9.Env(t, ""))
		return err
	}
	model := func(edit func(s *asset.Scene)) error {
		s := u9.Lift(t, Sappear, corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh")), nil)
		edit(s)
		_, err := Sappear.Lower(s, nil)
		return err
	}
	clip := func(key string, value any) error {
		s := u9.Lift(t, Anim, corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim")), nil)
		s.Animations[0].Native.Values[key] = value
		_, err := Anim.Lower(s, nil)
		return err
	}
	for name, err := range map[string]error{
		"mips below 0":      texture(map[string]any{"mips": -1.0}),
		"mips above 255":    texture(map[string]any{"mips": 256.0}),
		"half a mip":        texture(map[string]any{"mips": 2.5}),
		"mips of null":      texture(map[string]any{"mips": nil}),
		"mips in words":     texture(map[string]any{"mips": "three"}),
		"fps above 255":     texture(map[string]any{"playback": map[string]any{"fps": 300.0}}),
		"mode above 7":      texture(map[string]any{"playback": map[string]any{"mode": 8.0}}),
		"last frame":        texture(map[string]any{"playback": map[string]any{"last": -1.0}}),
		"anchor":            texture(map[string]any{"frames": []any{map[string]any{"anchor": []any{0.0, 1e10}}}}),
		"texture of a face": model(func(s *asset.Scene) { s.Materials[0].Native.Values["texture"] = 70000.0 }),
		"alpha of a face":   model(func(s *asset.Scene) { s.Materials[0].Native.Values["alpha"] = 256.0 }),
		"shape":             model(func(s *asset.Scene) { s.Roots[0].Native.Values["shape"] = "box" }),
		"thresholds":        model(func(s *asset.Scene) { s.Roots[0].Native.Values["thresholds"] = []any{1e12} }),
		"interval":          clip("interval", 33.3),
		"event":             clip("events", []any{map[string]any{"time": 1e12, "type": 1.0}}),
	} {
		if schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"nothing changed":       texture(nil),
		"an anchor to the left": texture(map[string]any{"frames": []any{map[string]any{"anchor": []any{-5.0, 0.0}}}}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
