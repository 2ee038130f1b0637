package interchange

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TestMisnamed: a model in a file with the extension of another format remembers it; one in its own, in one of nobody's, or in an
// archive does not.
func TestMisnamed(t *testing.T) {
	cmp := formats.ByName("cmp")
	for name, want := range map[string]string{"a.3DB": ".3db", "a.cmp": "", "a.xyz": "", "a": ""} {
		f := &format.Format{Name: "cmp", Extensions: cmp.Extensions, Lift: func(any, *format.Env) (asset.Asset, error) {
			return &asset.Scene{Native: &asset.Native{Format: "cmp"}}, nil
		}}
		a, err := (&Item{Format: f, Env: &format.Env{Name: name}}).Lift()
		if err != nil {
			t.Fatal(err)
		}
		if got := scene.ShownText(NativeOf(a), keyExtension); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if got := (&Item{Asset: a}).OwnExtension(); got != want {
			t.Errorf("%s comes back as %q, want %q", name, got, want)
		}
		f.Lift = func(any, *format.Env) (asset.Asset, error) { return new(asset.Scene), nil }
		if a, err := (&Item{Format: f, Env: &format.Env{Name: name}}).Lift(); err != nil || NativeOf(a) != nil {
			t.Errorf("%s without what is native: %v", name, err)
		}
		f.Lift = func(any, *format.Env) (asset.Asset, error) { return nil, errTorn }
		if _, err := (&Item{Format: f, Env: &format.Env{Name: name}}).Lift(); !errors.Is(err, errTorn) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errTorn = errors.New("torn")

// TestViewedIn: an item is shown as the view of its format that a file can hold, as itself where that is no better.
func TestViewedIn(t *testing.T) {
	lift := func(any, *format.Env) (asset.Asset, error) { return nil, nil }
	picture := &format.Format{Name: "p", Kind: format.Texture, Lift: lift}
	f := &format.Format{Name: "f", Kind: format.Model, Lift: lift, Views: []*format.Format{{Name: "s", Kind: format.Sound}, picture}}
	for ext, want := range map[string]*format.Format{".glb": f, ".png": picture, ".wav": f, ".txt": f} {
		it := &Item{Format: f}
		if got := it.ViewedIn(ByExtension(ext)); got.Format != want || it.Format != f {
			t.Errorf("%s: %s, want %s", ext, got.Format.Name, want.Name)
		}
	}
	if it := (&Item{}); it.ViewedIn(ByExtension(".png")) != it {
		t.Error("an asset has views")
	}
	json := ByExtension(".json")
	if json.Carries(f) || !json.Carries(&format.Format{New: func() any { return nil }}) || ByExtension(".gif").Carries(picture) {
		t.Error("files carry what they cannot")
	}
}

// TestRecognised: a file is known as a native one, or as one of another program.
func TestRecognised(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]bool{"a.glb": true, "a.utf": true, "a.xyz": false, "none": false} {
		content := map[string]string{"a.glb": "glTF\x02\x00\x00\x00", "a.utf": "UTF \x01\x01\x00\x00" + string(make([]byte, 48)), "a.xyz": "text"}[name]
		p := filepath.Join(dir, name)
		if content != "" {
			if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := Recognised(p); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
