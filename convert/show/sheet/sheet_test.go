package sheet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// write makes a PNG of one colour.
func write(t testing.TB, path string, width, height int, c asset.RGBA) {
	t.Helper()
	m := asset.Image{Width: width, Height: height, Format: asset.RGBA8, Pix: bytes.Repeat(c[:], width*height)}
	var b bytes.Buffer
	if err := png.Image(&b, &m, nil, png.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, d *sheet.Drawing, operands ...string) (cells []sheet.Cell, pages []store.Output, err error) {
	t.Helper()
	pages, err = d.Run(context.Background(), operands, func(c sheet.Cell) { cells = append(cells, c) })
	return cells, pages, err
}

// TestRun: every asset has a cell, in order; what cannot be read has one with the reason; the picture lies where the
// cell says.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	write(t, filepath.Join(in, "a.png"), 2, 2, asset.RGBA{255, 0, 0, 255})
	write(t, filepath.Join(in, "c.png"), 4, 4, asset.RGBA{0, 255, 0, 255})
	for name, content := range map[string]string{"b.png": "\x89PNG\r\n\x1a\nnot really", "notes.txt": "words", "usher.json": "{}"} {
		if err := os.WriteFile(filepath.Join(in, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	models := corpus.Testdata(t, "ultima9", "models.flx")
	d := &sheet.Drawing{Cell: 32, Columns: 2, Out: filepath.Join(dir, "sheet.png")}
	cells, pages, err := run(t, d, in, models)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cells {
		got = append(got, fmt.Sprintf("%s %s %s %d,%d", strings.TrimPrefix(strings.TrimPrefix(c.Source, in+"/"), filepath.Dir(models)+"/"), c.Status, c.Kind, c.Column, c.Row))
	}
	want := []string{
		"a.png done texture 0,0", "b.png failed raw 1,0", "c.png done texture 0,1", "models.flx:0 done model 1,1", "models.flx:2 done model 0,2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(pages) != 1 || pages[0].Path != d.Out {
		t.Fatalf("pages %v", pages)
	}
	info, err := os.Stat(d.Out)
	if err != nil || info.Size() != pages[0].Size {
		t.Errorf("the page has %d bytes, %v", pages[0].Size, err)
	}
	page := picture(t, d.Out)
	for i, want := range map[int]color.NRGBA{0: {255, 0, 0, 255}, 2: {0, 255, 0, 255}} {
		at := cells[i].Place.Min.Add(cells[i].Place.Size().Div(2))
		if c := pixel(page, at.X, at.Y); c != want {
			t.Errorf("%s: %v in the middle of its place, want %v", cells[i].Source, c, want)
		}
	}
	if _, _, err := run(t, d, in); !errors.Is(err, disk.ErrExists) {
		t.Errorf("an existing sheet: %v", err)
	}
	d.Force = true
	if _, _, err := run(t, d, in); err != nil {
		t.Error(err)
	}
}

func picture(t testing.TB, path string) *asset.Image {
	t.Helper()
	p, err := png.Decode(bytes.NewReader(corpus.Bytes(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	return p.Base()
}

func pixel(m *asset.Image, x, y int) color.NRGBA {
	p := m.Pix[4*(y*m.Width+x):]
	return color.NRGBA{p[0], p[1], p[2], p[3]}
}

// TestPages: what a page cannot hold is on the next one, and the pages are the same for any number of workers.
func TestPages(t *testing.T) {
	dir := t.TempDir()
	const n = 150
	for i := range n {
		write(t, filepath.Join(dir, "in", fmt.Sprintf("%03d.png", i)), 1, 1, asset.RGBA{byte(i), byte(255 - i), 0, 255})
	}
	var first [][]byte
	for _, workers := range []int{1, 2, 7} {
		d := &sheet.Drawing{Cell: 16, Columns: 1, Out: filepath.Join(dir, fmt.Sprint(workers), "s.png"), Session: batch.Session{Workers: workers}}
		cells, pages, err := run(t, d, filepath.Join(dir, "in"))
		if err != nil {
			t.Fatal(err)
		}
		if len(cells) != n || len(pages) != 3 || filepath.Base(pages[2].Path) != "s-3.png" {
			t.Fatalf("%d cells on %v", len(cells), pages)
		}
		var all [][]byte
		for _, p := range pages {
			all = append(all, corpus.Bytes(t, p.Path))
		}
		if first == nil {
			first = all
		}
		if !slices.EqualFunc(all, first, bytes.Equal) {
			t.Errorf("with %d workers the pages are others", workers)
		}
		for i, c := range cells {
			m := picture(t, c.Page)
			if got := pixel(m, c.Place.Min.X+3, c.Place.Min.Y+3); got.R != byte(i) {
				t.Fatalf("cell %d is on %s at %v, where red is %d", i, c.Page, c.Place, got.R)
			}
		}
	}
}

// TestChoice: kinds and patterns say what is drawn; nothing at all is an error.
func TestChoice(t *testing.T) {
	dir := t.TempDir()
	file := corpus.Testdata(t, "unreal", "made69.u")
	for i, c := range []struct {
		name string
		d    sheet.Drawing
		want []string
	}{
		{"all", sheet.Drawing{}, []string{"Beep", "Brick", "Pyramid", "Song", "Walls.Board", "Walls.Holes"}},
		{"textures", sheet.Drawing{Kinds: []format.Kind{format.Texture}}, []string{"Brick", "Walls.Board", "Walls.Holes"}},
		{"models and sounds", sheet.Drawing{Kinds: []format.Kind{format.Model, format.Sound}}, []string{"Beep", "Pyramid", "Song"}},
		{"included", sheet.Drawing{Selection: batch.Selection{Include: []string{"Walls.*"}}}, []string{"Walls.Board", "Walls.Holes"}},
		{"excluded", sheet.Drawing{Selection: batch.Selection{Exclude: []string{"*e*", "*o*"}}}, []string{"Brick", "Pyramid"}},
		{"nothing", sheet.Drawing{Selection: batch.Selection{Include: []string{"x"}}}, nil},
	} {
		c.d.Out = filepath.Join(dir, fmt.Sprint(i)+".png")
		cells, _, err := run(t, &c.d, file)
		var got []string
		for _, cell := range cells {
			got = append(got, strings.TrimPrefix(cell.Source, file+":"))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if c.want == nil != errors.Is(err, formats.ErrNothing) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestNamed: a file that was named and has no picture is told of, and is a cell; below a folder it is passed over.
func TestNamed(t *testing.T) {
	dir := t.TempDir()
	table := corpus.Testdata(t, "ultima9", "start.dat")
	cells, _, err := run(t, &sheet.Drawing{Out: filepath.Join(dir, "1.png")}, table, filepath.Join(dir, "absent.utx"))
	if !errors.Is(err, sheet.ErrBare) || len(cells) != 2 || cells[0].Err == nil || cells[1].Err == nil {
		t.Errorf("%v, %v", cells, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "1.png")); err == nil {
		t.Error("a sheet without a picture is written")
	}
	d := &sheet.Drawing{Out: filepath.Join(dir, "2.png"), DryRun: true}
	if _, pages, err := run(t, d, corpus.Testdata(t, "ultima9", "small.picture")); err != nil || len(pages) != 1 || pages[0].Size == 0 {
		t.Errorf("a dry run: %v, %v", pages, err)
	}
	if _, err := os.Stat(d.Out); err == nil {
		t.Error("a dry run wrote the sheet")
	}
	for _, bad := range []sheet.Drawing{{Cell: 8}, {Columns: -1}, {Cell: 1 << 20}, {Cell: 256, Columns: 100}} {
		bad.Out = filepath.Join(dir, "3.png")
		if _, _, err := run(t, &bad, table); !errors.Is(err, sheet.ErrSize) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if _, _, err := run(t, &sheet.Drawing{Out: filepath.Join(dir, "4.jpg")}, table); err == nil {
		t.Error("a sheet that is no PNG is written")
	}
}

// TestPanic: a defect in one format is one cell.
func TestPanic(t *testing.T) {
	broken := &format.Format{Name: "broken", Kind: format.Texture, Read: func([]byte, *schema.Diagnostics) (any, error) { panic("broken") }}
	d := &sheet.Drawing{Loader: engine.Loader{From: broken}, Out: filepath.Join(t.TempDir(), "sheet.png")}
	cells, _, err := run(t, d, corpus.Testdata(t, "ultima9", "small.picture"))
	if !errors.Is(err, sheet.ErrBare) || len(cells) != 1 || cells[0].Status != batch.Failed || !strings.Contains(fmt.Sprint(cells[0].Err), "internal error") {
		t.Errorf("%+v, %v", cells, err)
	}
}

// BenchmarkTextures draws 64 textures of 256² as thumbnails; bytes are those of their pixels.
func BenchmarkTextures(b *testing.B) {
	dir := b.TempDir()
	for i := range 64 {
		write(b, filepath.Join(dir, "in", fmt.Sprintf("%d.png", i)), 256, 256, asset.RGBA{byte(4 * i), 99, 0, 255})
	}
	d := &sheet.Drawing{Out: filepath.Join(dir, "sheet.png"), Force: true, Session: batch.Session{Workers: 1}}
	b.SetBytes(64 * 256 * 256 * 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Run(context.Background(), []string{filepath.Join(dir, "in")}, func(sheet.Cell) {}); err != nil {
			b.Fatal(err)
		}
	}
}
