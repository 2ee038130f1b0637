package convert_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestBefore brings files back that usher wrote when lower levels of detail and the like were nodes outside the scene.
func TestBefore(t *testing.T) {
	folder := corpus.Testdata(t, "gltf", "before")
	for name, c := range map[string]struct {
		native, entry string // that the file was made from
		levels        int    // nodes that are lower levels of detail
	}{
		"tower.glb":  {native: filepath.Join(folder, "tower.3db"), levels: 2},
		"ship.glb":   {native: corpus.Testdata(t, "freelancer", "ship.cmp")},
		"figure.glb": {native: filepath.Join(folder, "figure.dfm")},
		"ball.glb":   {native: corpus.Testdata(t, "ultimate3d", "ball.u3d"), levels: 2},
		"limbs.glb":  {native: corpus.Testdata(t, "ultima9", "models.flx"), entry: "0", levels: 2},
		"strip.glb":  {native: corpus.Testdata(t, "unreal", "strip.psk")},
		"worm.glb":   {native: corpus.Testdata(t, "unreal", "worm.u"), entry: "Beasts.Worm"},
	} {
		t.Run(name, func(t *testing.T) {
			glb := corpus.Bytes(t, filepath.Join(folder, name))
			d := new(schema.Diagnostics)
			s, err := gltf.Decode(glb, nil, d)
			if err != nil {
				t.Fatal(err)
			}
			levels := 0
			s.Walk(func(n, _ *asset.Node) { levels += len(n.LODs) })
			if levels != c.levels || len(s.Sides) > 0 {
				t.Errorf("%d levels, %d other scenes", levels, len(s.Sides))
			}
			same(t, s, c.native, c.entry)
			var again bytes.Buffer
			if err := gltf.Encode(&again, s, gltf.Options{}); err != nil {
				t.Fatal(err)
			}
			if s, err = gltf.Decode(again.Bytes(), nil, d); err != nil {
				t.Fatal(err)
			}
			same(t, s, c.native, c.entry)
			for _, x := range d.All() {
				if x.Severity != schema.Note {
					t.Error(x)
				}
			}
		})
	}
}

// same holds what a scene becomes against the file that it was made from, or an entry of that.
func same(t *testing.T, s *asset.Scene, path, entry string) {
	t.Helper()
	for _, m := range modelsOf(t, path, nil, true) {
		if m.entry != entry {
			continue
		}
		env := m.env(nil, false, nil)
		if m.archive != nil {
			a, _, err := m.open(m.archive, env)
			if err != nil {
				t.Fatal(err)
			}
			env.Archive, env.Entry = a, m.entry
		}
		b, err := engine.LowerOnto(m.f, nil, &interchange.Item{Asset: s, Env: env}, env)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b, m.stored) {
			t.Errorf("%s: %d bytes come back, not the %d that it was made from", path, len(b), len(m.stored))
		}
		return
	}
	t.Fatalf("no %s in %s", entry, path)
}
