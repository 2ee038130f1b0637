package worktree_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	read "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// palettedFrames returns a texture of 8-bit frames of 4 x 4 pixels, one-coloured in the indices given.
func palettedFrames(t *testing.T, indices ...byte) []byte {
	t.Helper()
	set := new(ultima9.TextureSet)
	for _, index := range indices {
		set.Frames = append(set.Frames, ultima9.TextureFrame{
			Width: 4, Height: 4, Flags: ultima9.P8.Flags(), Rows: make([]uint32, 4), Levels: [][]byte{bytes.Repeat([]byte{index}, 16)},
		})
	}
	set.Describe()
	b, err := write.Texture(set)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// paintPaletted writes a picture of 4 x 4 pixels that has one colour, the second of its palette.
func paintPaletted(t *testing.T, path string, c color.Color) {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Black, c})
	copy(img.Pix, bytes.Repeat([]byte{1}, len(img.Pix)))
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// An editor gives every picture that it saves a palette of its own: the other frames keep their colours.
func TestFramesWithTheirOwnPalettes(t *testing.T) {
	grey := color.NRGBA{77, 77, 77, 255} // without ankh.pal index 77 is this grey
	for edited, want := range [][]byte{{77, 12, 13}, {11, 77, 13}, {11, 12, 77}} {
		archive := newFLX(t, map[int][]byte{0: palettedFrames(t, 11, 12, 13)})
		dir := unpack(t, archive, worktree.Unpacking{})
		names, _ := filepath.Glob(filepath.Join(dir, "0.f*.png"))
		paintPaletted(t, names[edited], grey)
		_, out, err := pack(t, dir, worktree.Packing{})
		if err != nil {
			t.Fatal(err)
		}
		a := openFLX(t, out)
		payload, err := a.Payload(0)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		if diff := cmp.Diff(want, firstPixels(t, payload)); diff != "" {
			t.Errorf("packed, frame %d edited: %s", edited, diff)
		}

		in := filepath.Join(t.TempDir(), "set.tex")
		if err := os.WriteFile(in, palettedFrames(t, 11, 12, 13), 0o666); err != nil {
			t.Fatal(err)
		}
		pictures := runOne(t, &batch.Conversion{Out: t.TempDir()}, in).Outputs
		paintPaletted(t, pictures[edited].Path, grey)
		back := runOne(t, &batch.Conversion{Out: t.TempDir()}, pictures[0].Path).Outputs
		b, err := os.ReadFile(back[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, firstPixels(t, b)); diff != "" {
			t.Errorf("converted, frame %d edited: %s", edited, diff)
		}
	}
}

// firstPixels returns the first index of every frame of an 8-bit texture.
func firstPixels(t *testing.T, record []byte) (list []byte) {
	t.Helper()
	set, err := read.Texture(record, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Frames {
		list = append(list, set.Frames[i].Levels[0][0])
	}
	return list
}

// runOne converts one file and returns the result.
func runOne(t *testing.T, c *batch.Conversion, operand string) batch.Result {
	t.Helper()
	var result batch.Result
	if err := c.Run(context.Background(), []string{operand}, func(r batch.Result) { result = r }); err != nil {
		t.Fatal(err)
	}
	if result.Err != nil {
		t.Fatalf("%s: %v", operand, result.Err)
	}
	return result
}

// resave stores a picture as an editor does: in the form that it was read as, or in true colour, without chunks of ours.
// It may give the first pixel the colour of the last.
func resave(t *testing.T, path string, trueColour, edit bool) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(corpus.Bytes(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	if _, deep := img.(*image.Gray16); deep {
		return
	}
	set := img.(draw.Image)
	if trueColour {
		set = image.NewNRGBA(img.Bounds())
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				set.Set(x, y, img.At(x, y))
			}
		}
	}
	if edit {
		end := set.Bounds().Max
		set.Set(0, 0, set.At(end.X-1, end.Y-1))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, set); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A picture is what its pixels are: the shorter forms that we write, and those that editors make of them, are no edits,
// and an edit is the same in all of them.
func TestFormsOfPicturesAreNoEdits(t *testing.T) {
	for _, archive := range []string{"ultima9/bitmap16.flx", "freelancer/tiles.txm", "unreal/pictures.utx"} {
		archive = filepath.Join("..", "..", "..", "testdata", archive)
		repack := func(save func(path string)) []byte {
			dir := unpack(t, archive, worktree.Unpacking{})
			pictures := 0
			err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
				if filepath.Ext(path) == ".png" {
					save(path)
					pictures++
				}
				return err
			})
			if err != nil || pictures == 0 {
				t.Fatalf("%s: %d pictures, %v", archive, pictures, err)
			}
			_, out, err := pack(t, dir, worktree.Packing{})
			if err != nil {
				t.Fatalf("%s: %v", archive, err)
			}
			return corpus.Bytes(t, out)
		}
		stored := corpus.Bytes(t, archive)
		var edited [2][]byte
		for i, trueColour := range []bool{false, true} {
			corpus.SameBytes(t, archive, repack(func(path string) { resave(t, path, trueColour, false) }), stored)
			edited[i] = repack(func(path string) { resave(t, path, trueColour, true) })
		}
		corpus.SameBytes(t, archive+", edited", edited[0], edited[1])
		if bytes.Equal(edited[0], stored) {
			t.Errorf("%s: the edit is lost", archive)
		}
	}
}

// TestPicturesBecomeTargas has a texture of a Freelancer library stored as Targas that was a DDS file, and back, packed over
// the library itself: an edited one, and one that nobody edited.
func TestPicturesBecomeTargas(t *testing.T) {
	dir := t.TempDir()
	source, library := filepath.Join(dir, "paint.png"), filepath.Join(dir, "paint.txm")
	paintPNG(t, source, color.NRGBA{200, 100, 50, 255})
	runOne(t, &batch.Conversion{Out: library, Loader: engine.Loader{Options: format.Options{Encoding: "rgba"}}}, source)
	folder := unpack(t, library, worktree.Unpacking{})
	file, err := filepath.Glob(filepath.Join(folder, "*", "*", "MIPS*.png"))
	if err != nil || len(file) != 1 {
		t.Fatalf("%v %v", file, err)
	}
	want := color.NRGBA{200, 100, 50, 255}
	for _, c := range []struct {
		asked   string
		edit    color.NRGBA
		include []string
		entries []string
	}{
		{"tga", color.NRGBA{248, 0, 0, 255}, nil, []string{"MIP0", "MIP1", "MIP2"}},
		{"dxt5", color.NRGBA{0, 252, 0, 255}, nil, []string{"MIPS"}},
		{"tga", color.NRGBA{}, []string{"**"}, []string{"MIP0", "MIP1", "MIP2"}},
		{"rgba", color.NRGBA{}, []string{"**"}, []string{"MIPS"}},
		{"tga", color.NRGBA{}, []string{"**"}, []string{"MIP0", "MIP1", "MIP2"}},
	} {
		if c.edit.A > 0 {
			want = c.edit
			paintPNG(t, file[0], want)
		}
		p := worktree.Packing{
			Force: true, Selection: batch.Selection{Include: c.include},
			Loader: engine.Loader{Options: format.Options{Encoding: c.asked}},
		}
		done, err := p.Run(context.Background(), folder, library, new(schema.Diagnostics))
		if err != nil {
			t.Fatal(err)
		}
		a := openFLX(t, library)
		var entries []string
		for _, e := range a.Entries() {
			entries = append(entries, path.Base(e.Path))
		}
		a.Close()
		if diff := cmp.Diff(c.entries, entries); diff != "" {
			t.Errorf("%s: %s", c.asked, diff)
		}
		for _, change := range done.Changes {
			if change.Action == "removed" && path.Base(change.Entry) == "MIPS" {
				t.Errorf("%s: the entry that became another is told to be gone", c.asked)
			}
		}
		pictures, err := filepath.Glob(filepath.Join(unpack(t, library, worktree.Unpacking{}), "*", "*", "MIP[S0]*.png"))
		if err != nil || len(pictures) != 1 {
			t.Fatalf("%v %v", pictures, err)
		}
		img, err := png.Decode(bytes.NewReader(corpus.Bytes(t, pictures[0])))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.NRGBAModel.Convert(img.At(0, 0)); got != want {
			t.Errorf("%s: %v, want %v", c.asked, got, want)
		}
	}
}

// TestSmallerTargas: the smaller levels of a texture are no files of the folder. They are counted, stay as they are with the
// picture, and are made anew or taken out with it; a folder of stored payloads has them all.
func TestSmallerTargas(t *testing.T) {
	library := corpus.Testdata(t, "freelancer", "tiles.txm")
	red := func(dir string) string {
		return filepath.Join(dir, "Texture library", "red.tga", "MIP0_red.tga.png")
	}
	for _, c := range []struct {
		name               string
		raw                bool
		edit               func(dir string)
		pack               worktree.Packing
		files              int
		changed, unchanged int
		gone               int
	}{
		{"nothing", false, func(string) {}, worktree.Packing{}, 2, 0, 6, 0},
		{"stored payloads", true, func(string) {}, worktree.Packing{}, 6, 0, 6, 0},
		{"a picture is painted", false, func(dir string) { paintPNG(t, red(dir), color.NRGBA{9, 9, 9, 255}) }, worktree.Packing{}, 2, 3, 3, 0},
		{"a picture is gone", false, func(dir string) { _ = os.Remove(red(dir)) }, worktree.Packing{Prune: true}, 2, 3, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := unpack(t, library, worktree.Unpacking{Raw: c.raw})
			files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
			if err != nil || len(files) != c.files {
				t.Fatalf("%d files, want %d: %q %v", len(files), c.files, files, err)
			}
			c.edit(dir)
			done, out, err := pack(t, dir, c.pack)
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, x := range done.Changes {
				told = append(told, x.Entry)
			}
			slices.Sort(told)
			if told = slices.Compact(told); len(told) != c.changed || done.Unchanged != c.unchanged {
				t.Errorf("%d changed, %d unchanged, want %d and %d: %v", len(told), done.Unchanged, c.changed, c.unchanged, done.Changes)
			}
			a := openFLX(t, out)
			defer a.Close()
			if got := len(a.Entries()); got != 6-c.gone {
				t.Errorf("%d entries, want %d", got, 6-c.gone)
			}
			if same := bytes.Equal(corpus.Bytes(t, out), corpus.Bytes(t, library)); same != (c.changed == 0) {
				t.Errorf("the same bytes: %v", same)
			}
		})
	}
}
