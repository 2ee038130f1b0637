package freelancer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// sharingGame is a game of two ships, whose materials lie in libraries of both: paint in one, what glows in another.
type sharingGame struct{ ship, paint, glow string }

func newSharingGame(t *testing.T) (g sharingGame) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "DATA")
	g = sharingGame{filepath.Join(data, "SHIPS", "A", "heron.cmp"), filepath.Join(data, "SHIPS", "ships.mat"), filepath.Join(data, "FX", "glow.mat")}
	model := corpus.Bytes(t, corpus.Testdata(t, "show", "heron.cmp"))
	for path, b := range map[string][]byte{
		g.ship:  model,
		g.paint: alone(t, "heron_paint"),
		g.glow:  alone(t, "heron_glow"),
		filepath.Join(data, "SHIPS", "B", "other.cmp"): model,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// alone returns a library with one of the ship's materials, and all textures.
func alone(t *testing.T, material string) []byte {
	t.Helper()
	x, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "show", "heron.mat")), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := x.Root.Child(freelancer.MaterialLibrary)
	for _, n := range slices.Clone(dir.Children) {
		if n.IsDir() && n.Name != material {
			dir.Remove(n)
		}
	}
	dir.Child("Material count").Data = []byte{1, 0, 0, 0}
	return treeBytes(t, x)
}

func (g *sharingGame) env(d *schema.Diagnostics, o format.Options) *format.Env {
	l := engine.Loader{Options: o}
	return l.Env(g.ship, d)
}

// scene returns the ship as an editor has it.
func (g *sharingGame) scene(t *testing.T) *asset.Scene {
	t.Helper()
	return fromGLB(t, glb(t, liftWith(t, byName(t, "cmp"), corpus.Bytes(t, g.ship), g.env(nil, format.Options{})), nil))
}

// looksOf returns what the ship wears: each material by its name, with its colour and the first pixel of its picture.
func (g *sharingGame) looksOf(t *testing.T, model []byte) map[string][7]float32 {
	t.Helper()
	looks := map[string][7]float32{}
	for _, m := range liftWith(t, byName(t, "cmp"), model, g.env(nil, format.Options{})).Materials {
		x := [7]float32{m.BaseColor[0], m.BaseColor[1], m.BaseColor[2]}
		if m.BaseColorTexture != nil {
			for i, p := range m.BaseColorTexture.Texture.Base().Pix[:4] {
				x[3+i] = float32(p)
			}
		}
		looks[m.Name] = x
	}
	return looks
}

func materialOf(t *testing.T, s *asset.Scene, name string) *asset.Material {
	t.Helper()
	i := slices.IndexFunc(s.Materials, func(m *asset.Material) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("there is no material %s", name)
	}
	return s.Materials[i]
}

// paint makes a picture of another colour.
func paint(m *asset.Material) {
	tx := m.BaseColorTexture.Texture
	tx.File = nil
	image := tx.Base()
	for i := 0; i < len(image.Pix); i += 4 {
		copy(image.Pix[i:], []byte{255, 0, 0, 255})
	}
}

// sharedEdits are edits of what both ships wear, and the entries of each library that they change.
var sharedEdits = []struct {
	name        string
	edit        func(t *testing.T, s *asset.Scene)
	paint, glow []string
}{
	{"picture", func(t *testing.T, s *asset.Scene) { paint(materialOf(t, s, "heron_paint")) }, []string{"Texture library/heron_paint.dds/MIPS"}, nil},
	{"colour", func(t *testing.T, s *asset.Scene) {
		materialOf(t, s, "heron_glow").BaseColor = [4]float32{0.5, 0.25, 0.125, 1}
	}, nil, []string{"Material library/heron_glow/Dc"}},
	{"another picture", func(t *testing.T, s *asset.Scene) {
		m := materialOf(t, s, "heron_glow")
		tx := asset.Texture{Name: "stripes", Frames: []asset.Frame{{Mips: []asset.Image{{Width: 4, Height: 4, Pix: bytes.Repeat([]byte{0, 0, 255, 255}, 16)}}}}}
		s.Textures = append(s.Textures, &tx)
		m.BaseColorTexture = &asset.TextureRef{Texture: &tx}
	}, nil, []string{"Material library/heron_glow/Dt_name", "Texture library/stripes.tga/MIP0", "Texture library/stripes.tga/MIP1", "Texture library/stripes.tga/MIP2"}},
	{"both", func(t *testing.T, s *asset.Scene) {
		paint(materialOf(t, s, "heron_paint"))
		materialOf(t, s, "heron_glow").BaseColor = [4]float32{0.5, 0.25, 0.125, 1}
	}, []string{"Texture library/heron_paint.dds/MIPS"}, []string{"Material library/heron_glow/Dc"}},
}

// TestShared: an edit of what lies in a library of several models goes there, or into a copy for this ship alone, as it is asked;
// nobody else sees it, and it is told where it lies and who wears it.
func TestShared(t *testing.T) {
	for _, c := range sharedEdits {
		t.Run(c.name, func(t *testing.T) {
			g := newSharingGame(t)
			model, before := corpus.Bytes(t, g.ship), g.looksOf(t, corpus.Bytes(t, g.ship))
			lowered := func(target, shared, base string) ([]byte, *schema.Diagnostics) {
				s, d := g.scene(t), new(schema.Diagnostics)
				c.edit(t, s)
				o := format.Options{Base: base, Freelancer: format.FreelancerOptions{Shared: shared}}
				return lowerIn(t, byName(t, target), fromGLB(t, glb(t, s, nil)), g.env(d, o)), d
			}
			var libraries []string
			for path, entries := range map[string][]string{g.paint: c.paint, g.glow: c.glow} {
				if len(entries) > 0 {
					libraries = append(libraries, path)
				}
				b, d := lowered("mat", format.SharedThere, path)
				if got := changedEntries(t, corpus.Bytes(t, path), b); !slices.Equal(got, entries) {
					t.Errorf("%s: changed %q, want %q", filepath.Base(path), got, entries)
				}
				if d.Has(schema.SharedLibrary) {
					t.Errorf("asked where it goes, though that was said: %v", d.All())
				}
			}
			slices.Sort(libraries)
			_, d := lowered("cmp", "", "")
			if got := toldOf(d, schema.SharedLibrary, ", and 2 models wear it"); !slices.Equal(got, libraries) {
				t.Errorf("told of %q, want %q: %v", got, libraries, d.All())
			}
			b, d := lowered("cmp", format.SharedThere, "")
			corpus.SameBytes(t, "the model whose edits go elsewhere", b, model)
			if got := toldOf(d, schema.LeftShared, "--base"); !slices.Equal(got, libraries) {
				t.Errorf("left to %q, want %q: %v", got, libraries, d.All())
			}
			b, d = lowered("cmp", format.SharedCopy, "")
			if d.Has(schema.SharedLibrary) || d.Has("texture-copied") {
				t.Errorf("a copy of its own: %v", d.All())
			}
			after := g.looksOf(t, b)
			for name, look := range before {
				edited := name == "heron_paint" && len(c.paint) > 0 || name == "heron_glow" && len(c.glow) > 0
				own, copied := after["heron_"+name]
				if same, worn := after[name]; worn == edited || copied != edited || worn && same != look || copied && own == look {
					t.Errorf("%s: wears it %v %v, a copy %v %v; it was %v", name, worn, same, copied, own, look)
				}
			}
			for _, entry := range changedEntries(t, model, b) {
				if entry == "Texture library/heron_paint.dds/MIPS" || entry == "Material library/heron_glow/Dc" {
					t.Errorf("a copy of its own has the name of the other: %s", entry)
				}
			}
		})
	}
}

// TestSharedPixel: where one pixel of a picture in a library is painted, one block of each level differs, whoever gets the picture.
func TestSharedPixel(t *testing.T) {
	g := newSharingGame(t)
	was := pictureIn(t, corpus.Bytes(t, g.paint), "heron_paint.dds")
	for _, c := range []struct{ name, target, shared, base, texture string }{
		{"there", "mat", format.SharedThere, g.paint, "heron_paint.dds"},
		{"a copy of its own", "cmp", format.SharedCopy, "", "heron_heron_paint.dds"},
		{"a copy of the same name", "cmp", "", "", "heron_paint.dds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := g.scene(t)
			tx := materialOf(t, s, "heron_paint").BaseColorTexture.Texture
			tx.File = nil
			copy(tx.Base().Pix, []byte{255, 0, 255, 255})
			o := format.Options{Base: c.base, Freelancer: format.FreelancerOptions{Shared: c.shared}}
			now := pictureIn(t, lowerIn(t, byName(t, c.target), fromGLB(t, glb(t, s, nil)), g.env(new(schema.Diagnostics), o)), c.texture)
			if len(now) != len(was) {
				t.Fatalf("%d bytes, want %d", len(now), len(was))
			}
			blocks := 0
			for at := 128; at < len(was); at += 8 {
				if !bytes.Equal(was[at:at+8], now[at:at+8]) {
					blocks++
				}
			}
			if !bytes.Equal(was[:128], now[:128]) || blocks == 0 || blocks > 8 {
				t.Errorf("%d of %d blocks differ, or the header does", blocks, (len(was)-128)/8)
			}
		})
	}
}

// TestSharedTarga: the same where the library has it as Targas, one a level.
func TestSharedTarga(t *testing.T) {
	g := newSharingGame(t)
	x, err := read.UTF(corpus.Bytes(t, g.paint), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := x.Root.Child(freelancer.TextureLibrary).Child("heron_paint.dds")
	dir.Remove(dir.Child("MIPS"))
	leaves, err := texture.Targas(&asset.Image{Width: 128, Height: 128, Pix: bytes.Repeat([]byte{10, 20, 30, 255}, 128*128)})
	if err != nil {
		t.Fatal(err)
	}
	dir.Children = append(dir.Children, leaves...)
	if err := os.WriteFile(g.paint, treeBytes(t, x), 0o666); err != nil {
		t.Fatal(err)
	}
	s := g.scene(t)
	tx := materialOf(t, s, "heron_paint").BaseColorTexture.Texture
	tx.File = nil
	copy(tx.Base().Pix, []byte{250, 20, 30, 255})
	b := lowerIn(t, byName(t, "mat"), fromGLB(t, glb(t, s, nil)), g.env(new(schema.Diagnostics), format.Options{Base: g.paint, Freelancer: format.FreelancerOptions{Shared: format.SharedThere}}))
	if x, err = read.UTF(b, nil); err != nil {
		t.Fatal(err)
	}
	now := x.Root.Child(freelancer.TextureLibrary).Child("heron_paint.dds")
	if len(now.Children) != len(leaves) {
		t.Fatalf("%d levels, want %d", len(now.Children), len(leaves))
	}
	for i, was := range leaves {
		is, differ := now.Child(was.Name), 0
		if is == nil || len(is.Data) != len(was.Data) {
			t.Fatalf("%s is another one", was.Name)
		}
		for k := range was.Data {
			if was.Data[k] != is.Data[k] {
				differ++
			}
		}
		if differ > 1 || differ == 0 && i < 4 { // red of one pixel, which fades from level to level
			t.Errorf("level %d: %d bytes differ, want at most 1", i, differ)
		}
	}
}

// pictureIn returns the DDS file of a texture in a tree.
func pictureIn(t *testing.T, b []byte, texture string) []byte {
	t.Helper()
	x, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x.Root.Child(freelancer.TextureLibrary).Child(texture).Child("MIPS").Data
}

// toldOf returns the files that messages of a code are about, in order and each once. All of them say some words.
func toldOf(d *schema.Diagnostics, code, words string) (list []string) {
	for _, x := range d.All() {
		if x.Code == code && strings.Contains(x.Text(), words) {
			list = append(list, x.About)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// changedEntries returns the leaves of a tree that are not in another one, or have other bytes there, in lexical order. Both have the
// same leaves but for new ones.
func changedEntries(t *testing.T, before, after []byte) (list []string) {
	t.Helper()
	leaves := func(b []byte) map[string]string {
		x, err := read.UTF(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		x.Root.Walk(func(path string, n *freelancer.Node) bool {
			if !n.IsDir() {
				all[strings.TrimPrefix(strings.ReplaceAll(path, `\\`, "/"), "/")] = string(n.Data)
			}
			return true
		})
		return all
	}
	was, now := leaves(before), leaves(after)
	for name, data := range now {
		if old, ok := was[name]; !ok || old != data {
			list = append(list, name)
		}
	}
	for name := range was {
		if _, ok := now[name]; !ok {
			t.Errorf("%s is gone", name)
		}
	}
	slices.Sort(list)
	return list
}
