package sheet_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/schema/asset"
)

// TestFullPages: pages that are just full are all that there are.
func TestFullPages(t *testing.T) {
	dir := t.TempDir()
	for i := range 150 {
		write(t, filepath.Join(dir, "in", fmt.Sprintf("%03d.png", i)), 1, 1, asset.RGBA{byte(i), 0, 0, 255})
	}
	cells, pages, err := run(t, &sheet.Drawing{Cell: 16, Columns: 1, Out: filepath.Join(dir, "all.png")}, filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	full := 0
	for _, c := range cells {
		if c.Page == pages[0].Path {
			full++
		}
	}
	for n, want := range map[int]int{full - 1: 1, full: 1, full + 1: 2, 2 * full: 2} {
		in := filepath.Join(dir, fmt.Sprint("in", n))
		for i := range n {
			write(t, filepath.Join(in, fmt.Sprintf("%03d.png", i)), 1, 1, asset.RGBA{byte(i), 0, 0, 255})
		}
		out := filepath.Join(dir, fmt.Sprint("out", n), "s.png")
		cells, pages, err := run(t, &sheet.Drawing{Cell: 16, Columns: 1, Out: out}, in)
		list, _ := os.ReadDir(filepath.Dir(out))
		if err != nil || len(cells) != n || len(pages) != want || len(list) != want {
			t.Errorf("%d cells, %d a page: %d pages, %d files: %v", n, full, len(pages), len(list), err)
		}
	}
}

// TestUsualColumns: as many cells stand beside each other as a page of the usual width has room for, and one at the least.
func TestUsualColumns(t *testing.T) {
	dir := t.TempDir()
	for _, size := range []int{64, 500, 900} {
		want := max(1, sheet.DefaultWidth/(&render.Sheet{Cell: size}).Width(1))
		in := filepath.Join(dir, fmt.Sprint(size))
		for i := range want + 1 {
			write(t, filepath.Join(in, fmt.Sprintf("%03d.png", i)), 1, 1, asset.RGBA{byte(i), 0, 0, 255})
		}
		cells, _, err := run(t, &sheet.Drawing{Cell: size, Out: filepath.Join(dir, fmt.Sprint(size, ".png")), DryRun: true}, in)
		most := 0
		for _, c := range cells {
			most = max(most, c.Column+1)
		}
		if err != nil || most != want {
			t.Errorf("%d columns of %d pixels, want %d: %v", most, size, want, err)
		}
	}
}

// TestDryRun: what would be drawn is told with its pages and their sizes, and nothing is written, not even the folder.
func TestDryRun(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "new", "s.png")
	write(t, filepath.Join(in, "a.png"), 2, 2, asset.RGBA{255, 0, 0, 255})
	dry, would, err := run(t, &sheet.Drawing{Cell: 32, Out: out, DryRun: true}, in)
	if err != nil || len(dry) != 1 || len(would) != 1 || would[0].Path != out || would[0].Size == 0 {
		t.Fatalf("%v on %v: %v", dry, would, err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("there are %v", list)
	}
	_, pages, err := run(t, &sheet.Drawing{Cell: 32, Out: out}, in)
	if err != nil || len(pages) != 1 || pages[0] != would[0] {
		t.Errorf("then there is %v, and %v was told: %v", pages, would, err)
	}
}

// TestRefused: a page that is there is not written over, and is refused before anything is drawn; so is what is no PNG.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "s.png")
	write(t, filepath.Join(in, "a.png"), 2, 2, asset.RGBA{255, 0, 0, 255})
	if err := os.WriteFile(out, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		drawing sheet.Drawing
		cells   int
		refused error
		page    bool // there is one afterwards
	}{
		{sheet.Drawing{Out: out}, 0, disk.ErrExists, false},
		{sheet.Drawing{Out: filepath.Join(dir, "s.jpg")}, 0, nil, false},
		{sheet.Drawing{Out: filepath.Join(out, "s.png")}, 0, nil, false}, // a file is no folder
		{sheet.Drawing{Out: out, Force: true}, 1, nil, true},
	} {
		c.drawing.Cell = 32
		cells, _, err := run(t, &c.drawing, in)
		b, _ := os.ReadFile(out)
		if len(cells) != c.cells || (err == nil) != c.page || c.refused != nil && !errors.Is(err, c.refused) || (string(b) != "mine") != c.page {
			t.Errorf("%s: %d cells, %v, and the page is now %.8q", c.drawing.Out, len(cells), err, b)
		}
	}
}

// TestReasonDrawn: an asset that cannot be drawn has its reason on the sheet; a sheet of such alone is none.
func TestReasonDrawn(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	write(t, filepath.Join(in, "a.png"), 2, 2, asset.RGBA{255, 0, 0, 255})
	if err := os.WriteFile(filepath.Join(in, "b.png"), []byte("\x89PNG\r\n\x1a\nnot really"), 0o666); err != nil {
		t.Fatal(err)
	}
	cells, pages, err := run(t, &sheet.Drawing{Cell: 64, Out: filepath.Join(dir, "s.png")}, in)
	if err != nil || len(cells) != 2 || cells[1].Err == nil {
		t.Fatalf("%v: %v", cells, err)
	}
	m := picture(t, pages[0].Path)
	inks := func(c sheet.Cell) int {
		seen := map[[3]byte]bool{}
		for y := c.Place.Min.Y; y < c.Place.Max.Y; y++ {
			for x := c.Place.Min.X; x < c.Place.Max.X; x++ {
				p := pixel(m, x, y)
				seen[[3]byte{p.R, p.G, p.B}] = true
			}
		}
		return len(seen)
	}
	if n := inks(cells[1]); n < 2 {
		t.Errorf("its place has %d colours", n)
	}
	if err := os.Remove(filepath.Join(in, "a.png")); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "none.png")
	if _, _, err := run(t, &sheet.Drawing{Cell: 64, Out: out}, in); err == nil {
		t.Error("a sheet of reasons alone is written")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("it is there")
	}
	if _, _, err := run(t, &sheet.Drawing{Cell: 64, Out: out}, t.TempDir()); err == nil || err.Error() != formats.ErrNothing.Error() {
		t.Errorf("nothing at all: %v", err)
	}
}
