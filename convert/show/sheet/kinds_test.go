package sheet_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestSizes: a page is as large as may be, and no larger.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "a.png")
	write(t, in, 1, 1, [4]byte{1, 2, 3, 255})
	for _, c := range []struct {
		cell, columns int
		ok            bool
	}{{0, 0, true}, {16, 1, true}, {15, 1, false}, {16, -1, false}, {16, sheet.MaxWidth, false}, {16, sheet.MaxWidth + 1, false}, {sheet.MaxWidth, 1, false}} {
		_, pages, err := run(t, &sheet.Drawing{Cell: c.cell, Columns: c.columns, Out: filepath.Join(dir, "sheet.png"), DryRun: true}, in)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, sheet.ErrSize) || c.ok != (len(pages) == 1) {
			t.Errorf("%d columns of %d: %v", c.columns, c.cell, err)
		}
	}
}

// TestFailures: what cannot be drawn is told of where it was named, and passed over among others; with FailFast nothing
// comes behind it.
func TestFailures(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("good.png"), 1, 1, [4]byte{1, 2, 3, 255})
	for name, b := range map[string][]byte{"bad.flx": bytes.Repeat([]byte{1}, 200), "bad.png": []byte("\x89PNG\r\n\x1a\n"), "table.dat": corpus.Bytes(t, corpus.Testdata(t, "ultima9", "start.dat")), "bell.snd": corpus.Bytes(t, corpus.Testdata(t, "ultima9", "bell.snd"))} {
		if err := os.WriteFile(at(name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	flx := engine.Loader{From: formats.ByName("flx")}
	textures := []format.Kind{format.Texture}
	for _, c := range []struct {
		name     string
		d        sheet.Drawing
		operands string
		want     string // of the cells
		fails    error
	}{
		{"all", sheet.Drawing{}, "bad.png good.png", "bad.png failed, good.png done", nil},
		{"fail fast", sheet.Drawing{Session: batch.Session{FailFast: true, Workers: 1}}, "bad.png good.png", "bad.png failed", sheet.ErrBare},
		{"a good one, then a bad one", sheet.Drawing{Session: batch.Session{FailFast: true, Workers: 1}}, "good.png bad.png", "good.png done, bad.png failed", nil},
		{"named, and not drawn", sheet.Drawing{Kinds: textures}, "bell.snd good.png", "bell.snd failed: it is of kind sound, which is not drawn, good.png done", nil},
		{"not drawn, of a folder", sheet.Drawing{Kinds: textures}, ".", "bad.png failed, good.png done", nil},
		{"an archive that is none", sheet.Drawing{Loader: flx}, "bad.flx", "bad.flx failed", sheet.ErrBare},
	} {
		c.d.Out, c.d.DryRun = at("sheet.png"), true
		var operands []string
		for _, name := range strings.Fields(c.operands) {
			operands = append(operands, at(name))
		}
		cells, _, err := run(t, &c.d, operands...)
		var got []string
		for _, cell := range cells {
			text := filepath.Base(cell.Source) + " " + string(cell.Status)
			if cell.Err != nil && strings.Contains(cell.Err.Error(), "drawn") {
				text += ": " + cell.Err.Error()
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want || !errors.Is(err, c.fails) {
			t.Errorf("%s: %s, %v", c.name, strings.Join(got, ", "), err)
		}
	}
}
