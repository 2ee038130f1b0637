package worktree_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/worktree"
	read "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
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
