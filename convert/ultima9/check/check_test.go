package check

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/ultima9"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// flx makes an archive of records.
func flx(t testing.TB, records map[int][]byte) *fstest.MapFile {
	t.Helper()
	a := ultima9.NewArchive(4)
	for slot, b := range records {
		if err := a.Replace(slot, b); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := write.FLX(&b, a); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// objects makes a map with objects.
func objects(t testing.TB, kind ultima9.ObjectKind, list ...*ultima9.Object) *fstest.MapFile {
	t.Helper()
	x := &ultima9.ObjectFile{Kind: kind, Leading: make([]uint32, kind.Leading()), Unknown0C: ultima9.HeapUnknown, Width: 1, Height: 1, First: make([]ultima9.PageRef, 1)}
	e := write.EditHeap(x)
	for _, o := range list {
		must(e.Add(o, nil))(t)
	}
	return &fstest.MapFile{Data: must(write.Heap(x))(t)}
}

// game is a small game without a fault, which cases change.
type game struct {
	fixed, nonfixed *ultima9.Object
	types           *ultima9.Types
	material        ultima9.Material
	texture         *ultima9.TextureSet
	info            *ultima9.SDInfo
	models          map[int][]byte
}

func newGame() *game {
	g := &game{
		fixed:    &ultima9.Object{Type: 1, Flags: ultima9.ObjectPresent, Rotation: [4]int16{3: 32767}},
		nonfixed: &ultima9.Object{Type: 1, Model: 1, Flags: ultima9.EntityFlags, Rotation: [4]int16{3: 32767}},
		types:    &ultima9.Types{Active: 3, Records: make([]ultima9.Type, ultima9.TypeCount)},
		material: ultima9.Material{Texture: 2, FaceCount: 1},
		texture:  &ultima9.TextureSet{Frames: []ultima9.TextureFrame{{Flags: ultima9.RGB565.Flags(), Width: 2, Height: 1, Rows: make([]uint32, 1), Levels: [][]byte{make([]byte, 4)}}}},
		info:     new(ultima9.SDInfo),
		models:   map[int][]byte{},
	}
	g.types.Records[1].Model = 1
	g.texture.Describe()
	g.info.Describe(g.texture)
	return g
}

func (g *game) files(t testing.TB) fstest.MapFS {
	t.Helper()
	m := &ultima9.Mesh{LODs: 1, Limbs: []ultima9.Limb{{LODs: []ultima9.LOD{{
		Vertices: make([][3]float32, 1), Faces: make([]ultima9.Face, 1), Materials: []ultima9.Material{g.material},
		Sorted: [4][]int16{{-1, 0, -1}, {-1, 0, -1}, {-1, 0, -1}, {-1, 0, -1}},
	}}}}}
	m.Limbs[0].LODs[0].Layout()
	m.Layout()
	g.models[1] = must(write.Sappear(m))(t)
	return fstest.MapFS{
		"static/sappear.flx":  flx(t, g.models),
		"static/types.dat":    {Data: must(write.Types(g.types))(t)},
		"static/bitmap16.flx": flx(t, map[int][]byte{2: must(write.Texture(g.texture))(t)}),
		"static/sdInfo16.flx": flx(t, map[int][]byte{2: must(write.SDInfo(g.info))(t)}),
		"static/fixed.9":      objects(t, ultima9.Fixed, g.fixed),
		"runtime/nonfixed.9":  objects(t, ultima9.Nonfixed, g.nonfixed),
	}
}

// TestFaults: each fault of a small game is found, and nothing else.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(*game)
		want  []string
	}{
		{"nothing", func(*game) {}, nil},
		{"flags", func(g *game) { g.fixed.Flags = 2 }, []string{"object-required static/fixed.9 1"}},
		{"flags of a movable object", func(g *game) { g.nonfixed.Flags = 0 }, nil},
		{"type", func(g *game) { g.fixed.Type = 8192 }, []string{"type-missing static/fixed.9 8192"}},
		{"model of a type", func(g *game) { g.types.Records[1].Model = 3 }, []string{"model-missing static/fixed.9 3"}},
		{"model beyond all slots", func(g *game) { g.nonfixed.Model = 4 }, []string{"model-missing runtime/nonfixed.9 4"}},
		{"no model", func(g *game) { g.nonfixed.Model = 0 }, nil},
		{"texture", func(g *game) { g.material.Texture = 3 }, []string{"texture-missing static/sappear.flx 3"}},
		{"invisible", func(g *game) { g.material.Texture = ultima9.NoTexture }, nil},
		{"width", func(g *game) { g.info.Width++ }, []string{"sdinfo-stale static/sdInfo16.flx "}},
		{"levels", func(g *game) { g.info.Mips++ }, []string{"sdinfo-stale static/sdInfo16.flx "}},
		{"anchor, which nobody is sure of", func(g *game) { g.info.AnchorX++ }, nil},
		{"damaged model", func(g *game) { g.models[2] = []byte{1, 2, 3} }, []string{"file-damaged static/sappear.flx "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame()
			c.fault(g)
			files, err := format.NewGame(nil, format.Layer{FS: g.files(t)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range Game(files) {
				got = append(got, fmt.Sprintf("%s %s %s", f.Kind.Name, f.File.Path, f.Name))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}
