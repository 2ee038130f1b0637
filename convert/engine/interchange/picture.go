package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/picture/foreign"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// decodePNG reads a picture and, where a sidecar beside it lists them, the other frames and faces of its texture.
func decodePNG(b []byte, env *format.Env) (*Item, error) {
	t, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	png.Report(b, "", env.Diagnostics)
	return withSidecarOf(t, env)
}

// headerPNG reads what info tells of a picture.
func headerPNG(b []byte, env *format.Env) (asset.Asset, error) {
	t, err := png.Header(b)
	if err == nil {
		err = readSidecar(env, func(sc *sidecar) { t.Native = sc.Native })
	}
	return t, err
}

// gatherPictures reads all pictures of a texture that the sidecar lists.
func gatherPictures(t *asset.Texture, sc *sidecar, env *format.Env) (*asset.Texture, error) {
	pictures, err := sc.flipped(func(file string) bool {
		_, _, err := env.Find(file)
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	sc.tellFlipped(pictures, env)
	t.Frames = nil
	for n, p := range pictures {
		names := []string{p.File}
		if n == 0 { // the main file may have been called otherwise
			names = append(names, PictureStem(env.Name)+path.Ext(env.Name))
		}
		b, _, err := env.Find(names...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
		x, err := foreign.DecodeImage("", b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.File, err)
		}
		if n == 0 {
			t.Palette = x.Palette
		}
		m := pictureOf(t, x)
		if p.Face == 0 {
			t.Frames = append(t.Frames, asset.Frame{Mips: []asset.Image{m}})
		} else if n := len(t.Frames); n > 0 {
			t.Frames[n-1].Faces = append(t.Frames[n-1].Faces, m)
		}
	}
	return t, nil
}

// pictureOf returns the picture of x as one of the texture t, which has one palette for all: the first one's. A picture
// with other colours, as an editor saves it, gets them for each pixel.
func pictureOf(t, x *asset.Texture) asset.Image {
	m := *x.Base()
	switch {
	case m.Format != asset.Indexed8 || slices.Equal(t.Palette, x.Palette):
	case t.Palette == nil:
		t.Palette = x.Palette
	default:
		indices := m.Pix
		m = asset.NewImage(m.Width, m.Height, asset.RGBA8)
		for i, v := range indices {
			copy(m.Pix[4*i:], x.Palette[v][:])
		}
	}
	return m
}

// encodePNG writes every frame and face of a texture as a picture of its own.
func encodePNG(it *Item, name string) ([]format.File, error) {
	if it.Env != nil && it.Env.Options.Sheet {
		it = it.Moves()
	}
	t, err := liftTexture(it, "PNG")
	if err != nil {
		return nil, err
	}
	if it.Env.Options.Sheet && len(t.Frames) > 1 {
		return encodeSheet(it, t, name)
	}
	var files []format.File
	var pictures []sidecarPicture
	for frame := range t.Frames {
		for face := range 1 + len(t.Frames[frame].Faces) {
			o := png.Options{Frame: frame, Face: face}
			if err := png.Check(t, o); err != nil {
				return nil, err
			}
			file := pictureName(name, t, frame, face)
			files = append(files, format.File{Name: file, Stream: func(w io.Writer) error { return png.Encode(w, t, o) }})
			pictures = append(pictures, sidecarPicture{path.Base(file), face})
		}
	}
	sc := &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS}
	if len(pictures) > 1 {
		sc.Pictures = pictures
	}
	return it.withSidecar(files, name, sc)
}

// faceNames are the faces of a cube map in their order.
var faceNames = [...]string{"+x", "-x", "+y", "-y", "+z", "-z"}

// pictureName returns name for a texture of one picture, otherwise name with the frame and face before its extension.
func pictureName(name string, t *asset.Texture, frame, face int) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	if len(t.Frames) > 1 {
		stem += fmt.Sprintf(".f%03d", frame)
	}
	if len(t.Frames[frame].Faces) > 0 {
		stem += "." + faceNames[face%len(faceNames)]
	}
	return stem + ext
}

// PicturesOf returns the files of a texture that consists of several picture files. p is one of them, env its environment.
func PicturesOf(p string, env *format.Env) (files []string, err error) {
	dir, name := filepath.Split(p)
	var has *sidecar
	err = readSidecar(env, func(sc *sidecar) { has = sc })
	if err != nil || has == nil || len(has.Pictures) < 2 {
		return nil, err
	}
	pictures, err := has.flipped(func(file string) bool {
		_, err := os.Stat(filepath.Join(dir, file))
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	for _, picture := range pictures {
		files = append(files, filepath.Join(dir, picture.File))
	}
	if _, err := os.Stat(files[0]); errors.Is(err, fs.ErrNotExist) { // the user has named it
		files[0] = filepath.Join(dir, PictureStem(name)+filepath.Ext(name))
	}
	if !slices.Contains(files, p) {
		return nil, nil
	}
	return files, nil
}

// texture returns the texture that an item is.
func (it *Item) texture() (t *asset.Texture, ok bool) {
	if it != nil {
		t, ok = it.Asset.(*asset.Texture)
	}
	return t, ok && t != nil
}

// AddPicture adds the picture of another file to a texture: as a face of a cube map if the file's name says so, else as a
// frame.
func AddPicture(t *asset.Texture, next *Item, name string) error {
	more, ok := next.texture()
	if !ok || t == nil {
		return fmt.Errorf("%s is no picture", name)
	}
	m := pictureOf(t, more)
	if face := PictureFace(name); face > 0 {
		last := &t.Frames[len(t.Frames)-1]
		last.Faces = append(last.Faces, m)
		return nil
	}
	t.Frames = append(t.Frames, asset.Frame{Mips: []asset.Image{m}})
	return nil
}

// PictureFace returns the cube map face in a picture's name; 0 for the first face or none.
func PictureFace(name string) int {
	stem := formats.Stem(name)
	return max(0, slices.IndexFunc(faceNames[:], func(f string) bool { return strings.HasSuffix(stem, "."+f) }))
}

// Numbered reports whether files of this type have names that number the pictures of a texture.
func Numbered(name string) bool {
	return slices.Contains([]string{".png", ".bmp", ".pcx"}, strings.ToLower(path.Ext(name)))
}

// PictureFrame returns the frame number in the name of a picture, or −1.
func PictureFrame(name string) int {
	number, ok := strings.CutPrefix(path.Ext(formats.Stem(name)), ".f")
	if !ok || !Numbered(name) || pictureSuffix().FindString(formats.Stem(name)) == "" {
		return -1
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return -1
	}
	return n
}
