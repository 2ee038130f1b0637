package worktree_test

import (
	"bytes"
	"image/color"
	"image/draw"
	stdpng "image/png"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestUnlikeFrames holds that frames of several sizes, which no animated PNG has, are pictures of their own.
func TestUnlikeFrames(t *testing.T) {
	set := &ultima9.TextureSet{Frames: []ultima9.TextureFrame{
		{Width: 4, Height: 4, Flags: ultima9.P8.Flags(), Rows: make([]uint32, 4), Levels: [][]byte{make([]byte, 16)}},
		{Width: 4, Height: 2, Flags: ultima9.P8.Flags(), Rows: make([]uint32, 2), Levels: [][]byte{make([]byte, 8)}},
	}}
	set.Describe()
	record, err := write.Texture(set)
	if err != nil {
		t.Fatal(err)
	}
	dir := unpack(t, newFLX(t, map[int][]byte{0: record}), worktree.Unpacking{To: "apng"})
	files, err := filepath.Glob(filepath.Join(dir, "0.f00?.png"))
	if err != nil || len(files) != 2 {
		t.Errorf("%v, want a PNG of each frame: %v", files, err)
	}
}

// TestFlipBooks unpacks the frames of a texture as one file, edits one frame, or the number of them, and packs.
func TestFlipBooks(t *testing.T) {
	grey := color.NRGBA{77, 77, 77, 255}
	onSheet := func(t *testing.T, path string) { // the second cell of 2 x 2
		img, err := stdpng.Decode(bytes.NewReader(corpus.Bytes(t, path)))
		if err != nil {
			t.Fatal(err)
		}
		size := img.Bounds().Size().Div(2)
		for y := range size.Y {
			for x := range size.X {
				img.(draw.Image).Set(size.X+x, y, grey)
			}
		}
		var b bytes.Buffer
		if err := stdpng.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, b.Bytes())
	}
	inAnimation := func(edit bool) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			book, err := png.DecodeAnimated(corpus.Bytes(t, path), picture.RGBA)
			if err != nil {
				t.Fatal(err)
			}
			if !edit {
				book.Frames = book.Frames[:2]
			} else {
				for i := range book.Frames[1].Mips[0].Pix {
					book.Frames[1].Mips[0].Pix[i] = []byte{77, 77, 77, 255}[i%4]
				}
			}
			var b bytes.Buffer
			if err := png.EncodeAnimated(&b, book, picture.RGBA); err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, b.Bytes())
		}
	}
	for _, c := range []struct {
		name    string
		options format.Options
		to      string
		files   []string
		edit    func(t *testing.T, path string)
		want    []byte
	}{
		{"sheet", format.Options{Sheet: true}, "", []string{"0.png", "0.usher.json", "1.png"}, onSheet, []byte{11, 77, 13}},
		{"animation", format.Options{}, "apng", []string{"0.apng", "1.apng"}, inAnimation(true), []byte{11, 77, 13}},
		{"animation of fewer", format.Options{}, "apng", []string{"0.apng", "1.apng"}, inAnimation(false), []byte{11, 12}},
	} {
		t.Run(c.name, func(t *testing.T) {
			archive := newFLX(t, map[int][]byte{0: palettedFrames(t, 11, 12, 13), 1: palettedFrames(t, 50)})
			dir := unpack(t, archive, worktree.Unpacking{Loader: engine.Loader{Options: c.options}, To: c.to})
			files, err := filepath.Glob(filepath.Join(dir, "[01]*"))
			if err != nil {
				t.Fatal(err)
			}
			for i := range files {
				files[i] = filepath.Base(files[i])
			}
			if d := cmp.Diff(c.files, files); d != "" {
				t.Fatal(d)
			}
			_, out, err := pack(t, dir, worktree.Packing{Rehash: true})
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, c.name, corpus.Bytes(t, out), corpus.Bytes(t, archive))
			c.edit(t, filepath.Join(dir, files[0]))
			if _, out, err = pack(t, dir, worktree.Packing{}); err != nil {
				t.Fatal(err)
			}
			a := openFLX(t, out)
			defer a.Close()
			payload, err := a.Payload(0)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, firstPixels(t, payload)); d != "" {
				t.Error(d)
			}
		})
	}
}
