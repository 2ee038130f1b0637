package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
)

// A value that its field cannot hold is refused; cut to size it would be another.
func TestValuesOutOfRange(t *testing.T) {
	texture := func(values map[string]any) error {
		a := do(liftTexture(do(read.Texture(corpus.Bytes(t, synthetic(t, "texture", "anim.tex")), nil))(t), testEnv(t, "")))(t)
		for k, v := range values {
			a.Native.Values[k] = v
		}
		_, err := lowerTexture(a, testEnv(t, ""))
		return err
	}
	model := func(edit func(s *asset.Scene)) error {
		s := liftMesh(t, corpus.Bytes(t, synthetic(t, "mesh", "body.mesh")), nil)
		edit(s)
		_, err := lowerSappear(s, nil)
		return err
	}
	clip := func(key string, value any) error {
		s := liftClip(t, corpus.Bytes(t, synthetic(t, "anim", "walk.anim")), nil)
		s.Animations[0].Native.Values[key] = value
		_, err := lowerAnim(s, nil)
		return err
	}
	for name, err := range map[string]error{
		"mips below 0":      texture(map[string]any{"mips": -1.0}),
		"mips above 255":    texture(map[string]any{"mips": 256.0}),
		"half a mip":        texture(map[string]any{"mips": 2.5}),
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
		"nothing there":         texture(map[string]any{"mips": nil}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
