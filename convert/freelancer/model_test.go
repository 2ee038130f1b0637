package freelancer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	convert "github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// byName returns a format of the family.
func byName(t testing.TB, name string) *format.Format {
	t.Helper()
	for i := range convert.Formats {
		if convert.Formats[i].Name == name {
			return &convert.Formats[i]
		}
	}
	t.Fatalf("no format %q", name)
	return nil
}

// sniff returns the format with the most confidence among those of the family that are no archives.
func sniff(t testing.TB, name string, b []byte) *format.Format {
	t.Helper()
	var best *format.Format
	most := format.No
	for i := range convert.Formats {
		f := &convert.Formats[i]
		if c := f.Probe(&format.Input{Name: name, Head: b[:min(len(b), 1<<16)], Size: int64(len(b)), At: bytes.NewReader(b)}); c > most {
			best, most = f, c
		}
	}
	return best
}

// models calls f for every model of the corpus.
func models(t *testing.T, f func(t *testing.T, e corpus.Entry, b []byte, fm *format.Format)) {
	for _, e := range corpus.Manifest(t, "freelancer") {
		b := corpus.Bytes(t, e.Path)
		if fm := sniff(t, e.File, b); fm != nil && fm.Kind == format.Model {
			t.Run(e.File, func(t *testing.T) { f(t, e, b, fm) })
		}
	}
}

func lift(t testing.TB, fm *format.Format, name string, b []byte, d *schema.Diagnostics) *asset.Scene {
	t.Helper()
	v, err := fm.Read(b, d)
	if err != nil {
		t.Fatal(err)
	}
	a, err := fm.Lift(v, &format.Env{Name: name, Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	return a.(*asset.Scene)
}

// compoundOf reads a file of parts.
func compoundOf(t testing.TB, b []byte) (*freelancer.Tree, *freelancer.Compound) {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := read.Compound(tree.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree, c
}

func lower(t testing.TB, fm *format.Format, name string, s *asset.Scene, d *schema.Diagnostics) []byte {
	t.Helper()
	return lowerIn(t, fm, s, &format.Env{Name: name, Diagnostics: d})
}

func lowerIn(t testing.TB, fm *format.Format, s *asset.Scene, env *format.Env) []byte {
	t.Helper()
	v, err := fm.Lower(s, env)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fm.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func glb(t testing.TB, s *asset.Scene, d *schema.Diagnostics) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gltf.Encode(&b, s, gltf.Options{Diagnostics: d}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fromGLB(t testing.TB, b []byte) *asset.Scene {
	t.Helper()
	s, err := gltf.Decode(b, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestModelRoundTrip takes every model to GLB and back: the same bytes.
func TestModelRoundTrip(t *testing.T) {
	models(t, func(t *testing.T, e corpus.Entry, b []byte, fm *format.Format) {
		var d schema.Diagnostics
		s := lift(t, fm, e.File, b, &d)
		file := glb(t, s, &d)
		for _, x := range d.All() {
			if x.Code != "material-missing" {
				t.Log(x)
			}
		}
		if dir := os.Getenv("USHER_KEEP"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(e.File, ".", "_")+".glb"), file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		corpus.SameBytes(t, e.File+" by way of GLB", lower(t, fm, e.File, fromGLB(t, file), nil), b)
		corpus.SameBytes(t, e.File, lower(t, fm, e.File, lift(t, fm, e.File, b, nil), nil), b)
	})
}
