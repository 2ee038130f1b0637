// Package u9 has what the tests of the rooms of convert/ultima9 share.
package u9

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// Folders finds files in folders, without regard to case, as the program does.
type Folders []string

// Find implements format.Files.
func (f Folders) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		for _, dir := range f {
			list, _ := os.ReadDir(dir)
			for _, e := range list {
				if strings.EqualFold(e.Name(), filepath.Base(name)) {
					path := filepath.Join(dir, e.Name())
					b, err := os.ReadFile(path)
					return b, path, err
				}
			}
		}
	}
	return nil, "", fs.ErrNotExist
}

// Held are files in memory, which lie in a folder "game".
type Held map[string][]byte

// Find implements format.Files.
func (h Held) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if b, ok := h[name]; ok {
			return b, "game/" + name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// FLX returns an archive of eight slots with some records.
func FLX(t testing.TB, records map[int][]byte) []byte {
	t.Helper()
	a := ultima9.NewArchive(8)
	for slot, b := range records {
		Must(t, a.Replace(slot, b))
	}
	var out bytes.Buffer
	Must(t, write.FLX(&out, a))
	return out.Bytes()
}

// Synthetic returns the path of a synthetic file of the corpus.
func Synthetic(t testing.TB, elem ...string) string {
	return filepath.Join(append([]string{corpus.Folder(t, "ultima9"), "synthetic"}, elem...)...)
}

// Env looks into the corpus's folder of palettes and those named.
func Env(t testing.TB, name string, dirs ...string) *format.Env {
	f := Folders{Synthetic(t, "palette")}
	for _, d := range dirs {
		f = append(f, Synthetic(t, d))
	}
	return &format.Env{Name: name, Files: f, Diagnostics: new(schema.Diagnostics)}
}

// Must ends a test that failed.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Do returns the value of a call, and ends the test where it failed.
func Do[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Keep writes a file into the folder $USHER_OUT, where the Khronos validator or a person looks at what tests make.
func Keep(t testing.TB, name string, content []byte) {
	t.Helper()
	if dir := os.Getenv("USHER_OUT"); dir != "" {
		Must(t, os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, ":", "_")), content, 0o644))
	}
}

// ThroughGLB writes a scene as a GLB and reads it.
func ThroughGLB(t testing.TB, name string, s *asset.Scene) *asset.Scene {
	t.Helper()
	var w bytes.Buffer
	Must(t, gltf.Encode(&w, s, gltf.Options{}))
	if name != "" {
		Keep(t, name+".glb", w.Bytes())
	}
	return Do(gltf.Decode(w.Bytes(), nil, nil))(t)
}

// GLB writes a scene as a GLB and reads it.
func GLB(t testing.TB, s *asset.Scene) (*asset.Scene, []byte) {
	t.Helper()
	var b bytes.Buffer
	Must(t, gltf.Encode(&b, s, gltf.Options{}))
	return Do(gltf.Decode(b.Bytes(), nil, nil))(t), b.Bytes()
}

// NodeNamed returns the node of a name.
func NodeNamed(t testing.TB, s *asset.Scene, name string) (found *asset.Node) {
	t.Helper()
	s.Walk(func(n, _ *asset.Node) {
		if n.Name == name {
			found = n
		}
	})
	if found == nil {
		t.Fatalf("no node %s", name)
	}
	return found
}

// RGBA returns the pixels of a frame.
func RGBA(t testing.TB, a *asset.Texture, frame int) []byte {
	t.Helper()
	return Do(picture.RGBA(&a.Frames[frame].Mips[0], a.Palette))(t).Pix
}

// ThroughPNG returns the texture with its pictures written as PNG files and read again, and its values through JSON.
func ThroughPNG(t testing.TB, a *asset.Texture) *asset.Texture {
	t.Helper()
	out := &asset.Texture{Name: a.Name, Native: ThroughJSON(t, a.Native)}
	for i := range a.Frames {
		var w bytes.Buffer
		Must(t, png.Encode(&w, a, png.Options{Frame: i}))
		Keep(t, fmt.Sprintf("%s.f%03d.png", a.Name, i), w.Bytes())
		p := Do(png.Decode(&w))(t)
		m := p.Frames[0].Mips[0]
		if m.Format == asset.Indexed8 {
			if out.Palette == nil {
				out.Palette = p.Palette
			} else if fmt.Sprint(out.Palette) != fmt.Sprint(p.Palette) { // a frame with a palette of its own
				m = asset.Image{Width: m.Width, Height: m.Height, Pix: Do(picture.RGBA(&m, p.Palette))(t).Pix}
			}
		}
		out.Frames = append(out.Frames, asset.Frame{Mips: []asset.Image{m}})
	}
	return out
}

// ThroughJSON writes the values of a Native as JSON and reads them.
func ThroughJSON(t testing.TB, n *asset.Native) *asset.Native {
	t.Helper()
	if n == nil {
		return nil
	}
	b := Do(json.Marshal(n.Values))(t)
	out := &asset.Native{Format: n.Format, Payload: bytes.Clone(n.Payload)}
	Must(t, json.Unmarshal(b, &out.Values))
	return out
}

// TextureFiles lists the texture sets of the corpus.
func TextureFiles(t testing.TB) []string {
	files, _ := filepath.Glob(Synthetic(t, "texture", "*.tex"))
	if len(files) < 20 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// MeshFiles returns the models of the corpus by their names.
func MeshFiles(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	files, _ := filepath.Glob(Synthetic(t, "mesh", "*.mesh"))
	for _, path := range files {
		if filepath.Base(path) != "indexed.mesh" {
			out[filepath.Base(path)] = corpus.Bytes(t, path)
		}
	}
	for slot, b := range Records(t, Synthetic(t, "install", "static", "sappear.flx")) {
		if _, err := read.Sappear(b, nil); err == nil {
			out["install:"+slot] = b
		}
	}
	if len(out) < 20 {
		t.Fatalf("%d meshes", len(out))
	}
	return out
}

// AnimFiles returns the clips of the corpus by their names.
func AnimFiles(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	files, _ := filepath.Glob(Synthetic(t, "anim", "*.anim"))
	for _, path := range files {
		out[filepath.Base(path)] = corpus.Bytes(t, path)
	}
	for slot, b := range Records(t, Synthetic(t, "install", "static", "anim.flx")) {
		out["install:"+slot] = b
	}
	if len(out) < 6 {
		t.Fatalf("%d clips", len(out))
	}
	return out
}

// Records returns the records of an archive of the corpus by their slots.
func Records(t testing.TB, path string) map[string][]byte {
	t.Helper()
	b := corpus.Bytes(t, path)
	a := Do(read.FLX(bytes.NewReader(b), int64(len(b)), nil))(t)
	out := map[string][]byte{}
	for i := range a.Len() {
		if a.Used(i) {
			out[strconv.Itoa(i)] = Do(a.Payload(i))(t)
		}
	}
	return out
}

// Lift reads a record and lifts it.
func Lift[T any, A asset.Asset](t testing.TB, f format.Functions[T, A], b []byte, env *format.Env) A {
	t.Helper()
	return Do(f.Lift(Do(f.Read(b, nil))(t), env))(t)
}

// Lower lowers an asset and writes the record.
func Lower[T any, A asset.Asset](t testing.TB, f format.Functions[T, A], a A, env *format.Env) []byte {
	t.Helper()
	return Do(f.Write(Do(f.Lower(a, env))(t)))(t)
}
