package gltf

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// keep writes a file into the folder $USHER_OUT, where the Khronos validator looks at everything that tests make.
func keep(t testing.TB, name string, content []byte) {
	t.Helper()
	dir := os.Getenv("USHER_OUT")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, "gltf")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func encode(t testing.TB, s *asset.Scene, d *schema.Diagnostics) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, s, Options{Diagnostics: d}); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b.Bytes()
}

func decode(t testing.TB, b []byte) *asset.Scene {
	t.Helper()
	var d schema.Diagnostics
	s, err := Decode(b, nil, &d)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	for _, x := range d.All() {
		t.Errorf("decode: %v", x)
	}
	return s
}

// diff compares scenes. The file that a picture was written as is new, and so are the pixels of one that had none.
func diff(want, got *asset.Scene) string {
	for i, w := range want.Textures {
		if i >= len(got.Textures) {
			break
		}
		if w.File == nil {
			got.Textures[i].File = nil
		}
		if w.Frames == nil {
			got.Textures[i].Frames, got.Textures[i].Palette = nil, nil
		}
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.FilterValues(
		func(a, b [][3]float32) bool { return len(a) > 1000 }, // too long for cmp's patience
		cmp.Comparer(slices.Equal[[][3]float32])))
}

// roundTrip writes a scene as GLB and as files, and compares what comes back; no diagnostics are expected.
func roundTrip(t *testing.T, s *asset.Scene) {
	t.Helper()
	var d schema.Diagnostics
	b := encode(t, s, &d)
	stem := strings.NewReplacer("/", "-", "#", "").Replace(t.Name())
	keep(t, stem+".glb", b)
	for _, x := range d.All() {
		t.Errorf("encode: %v", x)
	}
	if x := diff(s, decode(t, b)); x != "" {
		t.Errorf("GLB (-want +got):\n%s", x)
	}
	if again := encode(t, s, nil); !bytes.Equal(b, again) {
		t.Error("two runs give different bytes")
	}
	files, err := EncodeFiles(s, stem, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		keep(t, f.Name, f.Content)
	}
	got, err := Decode(files[0].Content, finder(files), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := diff(s, got); x != "" {
		t.Errorf("files (-want +got):\n%s", x)
	}
}

func finder(files []File) func(string) ([]byte, error) {
	return func(uri string) ([]byte, error) {
		for _, f := range files {
			if f.Name == uri {
				return f.Content, nil
			}
		}
		return nil, fmt.Errorf("%s: %w", uri, os.ErrNotExist)
	}
}

// scene puts meshes on nodes at the root.
func scene(meshes ...*asset.Mesh) *asset.Scene {
	s := &asset.Scene{Name: "scene", Meshes: meshes}
	for _, m := range meshes {
		n := asset.NewNode("node of " + m.Name)
		n.Mesh = m
		s.Roots = append(s.Roots, n)
		for _, p := range m.Primitives {
			if p.Material != nil {
				s.Materials = append(s.Materials, p.Material)
			}
		}
	}
	return s
}

func quad() *asset.Primitive {
	return &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1.25, 0, 0}, {1.25, 2, 0.1}, {0, 2, -0.3}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		TexCoords: [][][2]float32{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
}

func mesh(name string, p ...*asset.Primitive) *asset.Mesh {
	return &asset.Mesh{Name: name, Primitives: p}
}

func native(format string) *asset.Native {
	return &asset.Native{Format: format, Payload: []byte("bytes of " + format + "\x00\xff"), Values: map[string]any{
		"flags": float64(17), "scale": 0.1, "label": "ü \" <x>", "axis": []any{1.0, 2.5, -3.0}, "sub": map[string]any{"a": "b", "n": 2.0},
		"on": true, "nothing": nil, "big": float64(1 << 40), "mixed": []any{1.0, "x"}, "texts": []any{"a", "b"}, "empty": map[string]any{},
		"format": "a value may have the name of a key", "payload": 3.0, "asset": "x", "json": false,
		strings.Repeat("k", 70): "long name",
	}}
}

func extras(what string) map[string]any {
	return map[string]any{"tool": what, "n": 3.5, "list": []any{1.0, "two", nil, true}}
}

func skinned(joints ...*asset.Node) (*asset.Mesh, *asset.Skin) {
	p := quad()
	p.Joints = [][][4]uint16{{{0, 1}, {1, 0}, {1}, {0}}}
	p.Weights = [][][4]float32{{{0.5, 0.5}, {0.25, 0.75}, {1}, {1}}}
	skin := &asset.Skin{Name: "skin", Joints: joints}
	for range joints {
		skin.InverseBind = append(skin.InverseBind, [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 2, 3, 1})
	}
	return mesh("body", p), skin
}

func bone(name string, children ...*asset.Node) *asset.Node {
	n := asset.NewNode(name)
	n.Kind = asset.Bone
	n.Children = children
	return n
}

func picture8(name string) *asset.Texture {
	m := asset.NewImage(4, 2, asset.Indexed8)
	copy(m.Pix, []byte{0, 1, 2, 0, 1, 2, 0, 1})
	return &asset.Texture{Name: name, Palette: []asset.RGBA{{1, 2, 3, 255}, {200, 100, 50, 255}, {0, 255, 0, 255}}, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

func picture32(name string) *asset.Texture {
	m := asset.NewImage(2, 2, asset.RGBA8)
	copy(m.Pix, []byte{1, 2, 3, 255, 4, 5, 6, 128, 7, 8, 9, 0, 10, 11, 12, 255})
	return &asset.Texture{Name: name, Alpha: asset.Blend, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}
