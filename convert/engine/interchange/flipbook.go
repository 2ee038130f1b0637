package interchange

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// The frames of a texture are a picture each, or all in one file: an animated PNG, or a sheet of cells, whose places the
// sidecar knows.

// encodeAPNG writes the frames of a texture as an animated PNG. Those that cannot be one are PNG files among the files of an
// unpacked archive.
func encodeAPNG(it *Item, name string) ([]format.File, error) {
	t, err := liftTexture(it.Moves(), "an animated PNG")
	if err != nil {
		return nil, err
	}
	if it.Plain && !alike(t) {
		return encodePNG(it, formats.Stem(name)+".png")
	}
	var out bytes.Buffer
	if err := png.EncodeAnimated(&out, t, picture.RGBA); err != nil {
		return nil, err
	}
	return it.withSidecar([]format.File{{Name: name, Content: out.Bytes()}}, name, &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS})
}

// alike reports whether all frames of a texture are pictures of one size.
func alike(t *asset.Texture) bool {
	first := t.Base()
	return !slices.ContainsFunc(t.Frames, func(f asset.Frame) bool {
		return len(f.Mips) == 0 || len(f.Faces) > 0 || f.Mips[0].Width != first.Width || f.Mips[0].Height != first.Height
	})
}

// decodeAPNG reads an animated PNG. The other pictures that its sidecar may name are of another file.
func decodeAPNG(b []byte, env *format.Env) (*Item, error) {
	t, err := png.DecodeAnimated(b, picture.RGBA)
	if err != nil {
		return nil, err
	}
	t.Name = formats.Stem(env.Name)
	err = readSidecar(env, func(sc *sidecar) { t.Native, t.Alpha, t.FPS = sc.Native, sc.Alpha, sc.FPS })
	return &Item{Asset: t, Env: env}, err
}

// flipped returns the pictures of a flip-book that are there: people put frames to its end, and take the last ones away.
func (sc *sidecar) flipped(there func(file string) bool) ([]sidecarPicture, error) {
	list := slices.Clone(sc.Pictures)
	if slices.ContainsFunc(list, func(p sidecarPicture) bool { return p.Face > 0 }) || PictureFrame(list[0].File) != 0 {
		return list, nil
	}
	stem, ext := PictureStem(list[0].File), path.Ext(list[0].File)
	const most = 1 << 16
	for len(list) < most {
		next := fmt.Sprintf("%s.f%03d%s", stem, len(list), ext)
		if !there(next) {
			break
		}
		list = append(list, sidecarPicture{File: next})
	}
	for len(list) > 1 && !there(list[len(list)-1].File) {
		list = list[:len(list)-1]
	}
	for _, p := range list[1:] {
		if !there(p.File) {
			return nil, fmt.Errorf("%s is gone, but not the frames after it: number them without gaps", p.File)
		}
	}
	return list, nil
}

// tellFlipped reports frames that were added or taken away.
func (sc *sidecar) tellFlipped(now []sidecarPicture, env *format.Env) {
	switch was := len(sc.Pictures); {
	case len(now) > was:
		env.Told().Notef("frames-added", now[was].File, "the texture has %d frames now, and had %d", len(now), was)
	case len(now) < was:
		env.Told().Notef("frames-removed", sc.Pictures[len(now)].File, "the texture has %d frames now, and had %d", len(now), was)
	}
}

// sheetPlaces tells where the frames of a texture are on a sheet: all in cells of one size, from the left and then from
// the top.
type sheetPlaces struct {
	Columns       int
	Width, Height int      // of a cell
	Sizes         [][2]int // of each frame, at the left and top of its cell
}

// sheetOf makes one picture of all frames of a texture.
func sheetOf(t *asset.Texture) (*asset.Texture, *sheetPlaces, error) {
	s := &sheetPlaces{Columns: 1}
	for s.Columns*s.Columns < len(t.Frames) {
		s.Columns++
	}
	for i := range t.Frames {
		if len(t.Frames[i].Mips) == 0 || len(t.Frames[i].Faces) > 0 {
			return nil, nil, schema.Errorf("sheet", schema.ErrUnsupported, "frames", "frame %d is no single picture", i)
		}
		m := &t.Frames[i].Mips[0]
		s.Width, s.Height = max(s.Width, m.Width), max(s.Height, m.Height)
		s.Sizes = append(s.Sizes, [2]int{m.Width, m.Height})
	}
	rows := (len(t.Frames) + s.Columns - 1) / s.Columns
	if err := schema.DefaultLimits.Picture("sheet", s.Columns*s.Width, rows*s.Height, 4); err != nil {
		return nil, nil, err
	}
	all := asset.NewImage(s.Columns*s.Width, rows*s.Height, asset.RGBA8)
	for i := range t.Frames {
		m, err := picture.RGBA(&t.Frames[i].Mips[0], t.Palette)
		if err != nil {
			return nil, nil, err
		}
		for y := range m.Height {
			copy(all.Pix[4*s.at(i, y, all.Width):], m.Pix[4*y*m.Width:][:4*m.Width])
		}
	}
	return &asset.Texture{Name: t.Name, Alpha: t.Alpha, Frames: []asset.Frame{{Mips: []asset.Image{all}}}}, s, nil
}

// at returns the place of row y of a frame in a sheet.
func (s *sheetPlaces) at(frame, y, width int) int {
	return (frame/s.Columns*s.Height+y)*width + frame%s.Columns*s.Width
}

// cut takes the frames out of a sheet.
func (s *sheetPlaces) cut(t *asset.Texture) error {
	base := t.Base()
	if s.Columns < 1 || s.Width < 1 || s.Height < 1 || len(s.Sizes) < 1 || len(s.Sizes) > 1<<16 {
		return schema.Errorf("sheet", schema.ErrValue, "sidecar", "%d columns of %d x %d pixels, %d frames", s.Columns, s.Width, s.Height, len(s.Sizes))
	}
	rows := (len(s.Sizes) + s.Columns - 1) / s.Columns
	if base.Width != s.Columns*s.Width || base.Height != rows*s.Height {
		return schema.Errorf("sheet", schema.ErrMismatch, "size", "%d x %d pixels, and %d x %d cells of %d x %d make %d x %d", base.Width, base.Height,
			s.Columns, rows, s.Width, s.Height, s.Columns*s.Width, rows*s.Height)
	}
	m, err := picture.RGBA(base, t.Palette)
	if err != nil {
		return err
	}
	t.Frames, t.Palette = nil, nil
	for i, size := range s.Sizes {
		if size[0] < 1 || size[1] < 1 || size[0] > s.Width || size[1] > s.Height {
			return schema.Errorf("sheet", schema.ErrValue, "sidecar", "frame %d of %d x %d pixels in cells of %d x %d", i, size[0], size[1], s.Width, s.Height)
		}
		f := asset.NewImage(size[0], size[1], asset.RGBA8)
		for y := range f.Height {
			copy(f.Pix[4*y*f.Width:][:4*f.Width], m.Pix[4*s.at(i, y, m.Width):])
		}
		t.Frames = append(t.Frames, asset.Frame{Mips: []asset.Image{f}})
	}
	return nil
}

// encodeSheet writes the frames of a texture as one picture.
func encodeSheet(it *Item, t *asset.Texture, name string) ([]format.File, error) {
	all, places, err := sheetOf(t)
	if err != nil {
		return nil, err
	}
	file := format.File{Name: name, Stream: func(w io.Writer) error { return png.Encode(w, all, png.Options{}) }}
	sc, kept := &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS, Sheet: places}, *it
	if it.Plain { // its archive has the rest, but where to cut nobody else knows
		sc, kept.Plain = &sidecar{Alpha: t.Alpha, FPS: t.FPS, Sheet: places}, false
	}
	return kept.withSidecar([]format.File{file}, name, sc)
}
