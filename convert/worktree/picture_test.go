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
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/worktree"
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
		archive = filepath.Join("..", "..", "testdata", archive)
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
