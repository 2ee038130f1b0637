package render_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// families are those of the corpus, and the small models of testdata.
var families = []string{"freelancer", "ultimate3d", "unreal", "ultima9", "testdata"}

// mostOfOne is how many models of one format and archive have a golden picture: those of a level are boxes by the hundred.
const mostOfOne = 12

// model is a scene by the name that its golden picture has.
type model struct {
	name  string
	scene func(t testing.TB) *asset.Scene
}

// models returns the models of a family. The test is skipped when the corpus is absent.
func models(t testing.TB, family string) (list []model) {
	if family == "testdata" {
		for _, f := range append(families[:4:4], "show", "show/village") {
			found, err := filepath.Glob(corpus.Testdata(t, filepath.FromSlash(f), "*.*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range found {
				list = append(list, modelsOf(t, f+"/"+filepath.Base(p), p)...)
			}
		}
		return list
	}
	for _, e := range corpus.Manifest(t, family) {
		if strings.Contains(e.File, "malformed") || e.Expected != "" && e.Expected != "ok" {
			continue
		}
		list = append(list, modelsOf(t, e.File, e.Path)...)
	}
	return list
}

// modelsOf returns the models of one file.
func modelsOf(t testing.TB, name, path string) (list []model) {
	f, _ := interchange.SniffFile(path)
	if f == nil {
		return nil
	}
	if f.Kind != format.Archive {
		if f.Kind != format.Model {
			return nil
		}
		return []model{{name, load(engine.Source{Path: path})}}
	}
	a, err := store.OpenArchive(path, f, new(engine.Loader).Env(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	entries := slices.DeleteFunc(slices.Clone(a.Entries()), func(e format.Entry) bool {
		return e.Format == nil || e.Format.Kind != format.Model || e.Format.Lift == nil
	})
	of, taken := map[string]int{}, map[string]int{} // by format
	for _, e := range entries {
		of[e.Format.Name]++
	}
	for _, e := range entries {
		n := taken[e.Format.Name]
		taken[e.Format.Name]++
		if all := of[e.Format.Name]; n == 0 || n*mostOfOne/all != (n-1)*mostOfOne/all || all <= mostOfOne { // evenly
			list = append(list, model{name + ":" + e.Path, load(engine.Source{Path: path, Entry: e.Path})})
		}
	}
	return list
}

// load returns a function that reads a model anew each time: tests change scenes.
func load(src engine.Source) func(testing.TB) *asset.Scene {
	return func(t testing.TB) *asset.Scene {
		t.Helper()
		l := engine.Loader{}
		it, err := l.Load(src, new(schema.Diagnostics))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		defer it.Close()
		a, err := it.Lift()
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		s := a.(*asset.Scene)
		if err := s.LoadAll(); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		return s
	}
}

// fingerprint is what is kept of a picture: enough to see that it is another one, too little to show it.
type fingerprint struct {
	shape [gridSize * gridSize]byte       // how much of each cell is covered, 0 … 15
	color [colorSize * colorSize * 3]byte // mean colour of larger cells, nothing being black
}

const (
	gridSize  = 16
	colorSize = 4
	pixels    = 128
)

func newFingerprint(t testing.TB, s *asset.Scene) (f fingerprint) {
	t.Helper()
	p, err := render.Model(s, render.Options{Width: pixels, Height: pixels})
	if err != nil {
		t.Fatal(err)
	}
	var shape [gridSize * gridSize]int
	var color [colorSize * colorSize * 3]int
	for y := range pixels {
		for x := range pixels {
			c := p.NRGBAAt(x, y)
			shape[y*gridSize/pixels*gridSize+x*gridSize/pixels] += int(c.A)
			at := 3 * (y*colorSize/pixels*colorSize + x*colorSize/pixels)
			for k, v := range [...]uint8{c.R, c.G, c.B} {
				color[at+k] += int(v) * int(c.A) / 255
			}
		}
	}
	for i, n := range shape {
		f.shape[i] = byte((n*15 + 255*32) / (255 * pixels * pixels / gridSize / gridSize))
	}
	for i, n := range color {
		f.color[i] = byte(n / (pixels * pixels / colorSize / colorSize))
	}
	return f
}

// differs tells how two pictures differ, by more than rounding on another machine; it is empty when they do not.
func (f fingerprint) differs(g fingerprint) string {
	cells, most := 0, 0
	for i := range f.shape {
		if d := max(f.shape[i], g.shape[i]) - min(f.shape[i], g.shape[i]); d > 1 {
			cells++
		}
	}
	for i := range f.color {
		most = max(most, int(max(f.color[i], g.color[i])-min(f.color[i], g.color[i])))
	}
	switch {
	case cells > 0:
		return fmt.Sprintf("the outline differs in %d of %d cells", cells, len(f.shape))
	case most > 2:
		return fmt.Sprintf("colours differ by up to %d", most)
	}
	return ""
}

func (f fingerprint) String() string {
	var b strings.Builder
	for _, v := range f.shape {
		fmt.Fprintf(&b, "%x", v)
	}
	return b.String() + "\t" + hex.EncodeToString(f.color[:])
}

func parseFingerprint(t testing.TB, shape, color string) (f fingerprint) {
	t.Helper()
	for i := range shape {
		f.shape[i] = byte(strings.IndexByte("0123456789abcdef", shape[i]))
	}
	if n, err := hex.Decode(f.color[:], []byte(color)); err != nil || n != len(f.color) || len(shape) != len(f.shape) {
		t.Fatalf("%q %q is no fingerprint: %v", shape, color, err)
	}
	return f
}

func goldenPath(t testing.TB, family string) string {
	return corpus.Testdata(t, "render", family+".tsv")
}

// golden returns the fingerprints of a family's models.
func golden(t testing.TB, family string) map[string]fingerprint {
	t.Helper()
	all := map[string]fingerprint{}
	lines := bufio.NewScanner(bytes.NewReader(corpus.Bytes(t, goldenPath(t, family))))
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 3 {
			t.Fatalf("%q has %d cells", lines.Text(), len(cells))
		}
		all[cells[0]] = parseFingerprint(t, cells[1], cells[2])
	}
	return all
}

// TestGolden: every model looks as it did when somebody looked at it. With USHER_GOLDEN=write the pictures of now are
// taken down: look at all of them first, on sheets.
func TestGolden(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			if os.Getenv("USHER_GOLDEN") == "write" {
				var b bytes.Buffer
				for _, m := range models(t, family) {
					fmt.Fprintf(&b, "%s\t%s\n", m.name, newFingerprint(t, m.scene(t)))
				}
				if err := os.WriteFile(goldenPath(t, family), b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			list := models(t, family)
			want := golden(t, family)
			for _, m := range list {
				w, ok := want[m.name]
				delete(want, m.name)
				if !ok {
					t.Errorf("%s has no golden picture", m.name)
				} else if d := newFingerprint(t, m.scene(t)).differs(w); d != "" {
					t.Errorf("%s: %s", m.name, d)
				}
			}
			for name := range want {
				t.Errorf("%s has a golden picture and is not there", name)
			}
		})
	}
}

// mistakes are what a conversion may get wrong, and the share of a family's models in which it must show, in per cent.
// A box mirrored is the same box, one whose material has two sides looks the same inside out.
var mistakes = []struct {
	name  string
	make  func(*asset.Scene) (applies bool)
	shows int
}{
	{"mirrored", mirrored, 30},
	{"mirrored, inside out", func(s *asset.Scene) bool { return mirrored(s) && insideOut(s) }, 90},
	{"lying", lying, 80},
	{"inside out", insideOut, 90},
	{"normals inside out", normalsInsideOut, 90},
	{"untextured", untextured, 85},
	{"textures upside down", upsideDown, 75},
	{"half as high", func(s *asset.Scene) bool {
		return eachPrimitive(s, func(p *asset.Primitive) bool {
			return moved(p, func(v [3]float32) [3]float32 { return [3]float32{v[0], v[1] / 2, v[2]} })
		})
	}, 90},
}

func eachPrimitive(s *asset.Scene, f func(*asset.Primitive) bool) (changed bool) {
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			if p.Mode == asset.Triangles && len(p.Positions) > 0 {
				changed = f(p) || changed
			}
		}
	}
	return changed
}

// moved replaces the slices, which primitives may share.
func moved(p *asset.Primitive, f func([3]float32) [3]float32) bool {
	p.Positions, p.Normals = slices.Clone(p.Positions), slices.Clone(p.Normals)
	for i, v := range p.Positions {
		p.Positions[i] = f(v)
	}
	for i, v := range p.Normals {
		p.Normals[i] = f(v)
	}
	return true
}

func place(s *asset.Scene, m [16]float32) bool {
	top := asset.NewNode("placed")
	top.Transform.Matrix = &m
	top.Children = s.Roots
	s.Roots = []*asset.Node{top}
	return len(s.Meshes) > 0
}

func mirrored(s *asset.Scene) bool {
	return place(s, [16]float32{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})
}

func lying(s *asset.Scene) bool {
	return place(s, [16]float32{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1})
}

func insideOut(s *asset.Scene) bool {
	return eachPrimitive(s, func(p *asset.Primitive) bool {
		if p.Indices == nil {
			for i := range p.Positions {
				p.Indices = append(p.Indices, uint32(i))
			}
		}
		p.Indices = slices.Clone(p.Indices)
		for i := 0; i+3 <= len(p.Indices); i += 3 {
			p.Indices[i], p.Indices[i+1] = p.Indices[i+1], p.Indices[i]
		}
		return true
	})
}

func normalsInsideOut(s *asset.Scene) bool {
	return eachPrimitive(s, func(p *asset.Primitive) bool {
		p.Normals = slices.Clone(p.Normals)
		for i, n := range p.Normals {
			p.Normals[i] = [3]float32{-n[0], -n[1], -n[2]}
		}
		return p.Normals != nil && (p.Material == nil || !p.Material.Unlit && p.Material.LightTexture == nil) // else no light falls on it
	})
}

func untextured(s *asset.Scene) (changed bool) {
	for _, m := range s.Materials {
		for _, r := range [...]**asset.TextureRef{&m.BaseColorTexture, &m.EmissiveTexture} {
			if *r != nil && (*r).Texture.Base() != nil {
				*r, changed = nil, true
			}
		}
	}
	return changed
}

func upsideDown(s *asset.Scene) bool {
	return eachPrimitive(s, func(p *asset.Primitive) bool {
		m := p.Material
		if m == nil || m.BaseColorTexture == nil || m.BaseColorTexture.Texture.Base() == nil {
			return false
		}
		p.TexCoords = slices.Clone(p.TexCoords)
		for k, uv := range p.TexCoords {
			uv = slices.Clone(uv)
			for i := range uv {
				uv[i][1] = 1 - uv[i][1]
			}
			p.TexCoords[k] = uv
		}
		return len(p.TexCoords) > 0
	})
}

// TestMistakes: a model that is mirrored, lies on its back, is turned inside out or has lost its textures does not look
// like its golden picture.
func TestMistakes(t *testing.T) {
	for _, family := range families {
		t.Run(family, func(t *testing.T) {
			want := golden(t, family)
			list := models(t, family)
			for _, mistake := range mistakes {
				applies, seen := 0, 0
				for _, m := range list {
					if want[m.name] == (fingerprint{}) {
						continue // there is nothing to be seen
					}
					s := m.scene(t)
					if !mistake.make(s) {
						continue
					}
					applies++
					if newFingerprint(t, s).differs(want[m.name]) != "" {
						seen++
					}
				}
				t.Logf("%s: shows in %d of %d models", mistake.name, seen, applies)
				if applies > 4 && seen*100 < mistake.shows*applies {
					t.Errorf("%s: shows in %d of %d models", mistake.name, seen, applies)
				}
			}
		})
	}
}
