package interchange

import (
	"encoding/binary"
	"fmt"
	"path"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/exchange/picture/foreign"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// pictureKinds are the picture files beside PNG.
var pictureKinds = []Interchange{
	{
		Name: "dds", Title: "DirectDraw surface", Extensions: []string{".dds"}, Kinds: []format.Kind{format.Texture},
		probe: isPicture("dds"), Decode: decodePicture, Encode: encodeDDS,
	},
	{
		Name: "tga", Title: "Truevision picture", Extensions: []string{".tga"}, Kinds: []format.Kind{format.Texture},
		weak: true, probe: isTGA, Decode: decodePicture, Encode: encodeTGA,
	},
	{
		Name: "jpeg", Title: "JPEG picture", Extensions: []string{".jpg", ".jpeg"}, Kinds: []format.Kind{format.Texture},
		probe: isPicture("jpeg"), Decode: decodePicture,
	},
	{
		Name: "webp", Title: "WebP picture", Extensions: []string{".webp"}, Kinds: []format.Kind{format.Texture},
		probe: isPicture("webp"), Decode: decodePicture,
	},
	{
		Name: "bmp", Title: "Windows bitmap, of 256 colours when made", Extensions: []string{".bmp"}, Kinds: []format.Kind{format.Texture},
		probe: isBMP, Decode: decodePicture, Encode: encodeIndexed("BMP", picture.EncodeBMP),
	},
	{
		Name: "pcx", Title: "PC Paintbrush picture, of 256 colours when made", Extensions: []string{".pcx"}, Kinds: []format.Kind{format.Texture},
		weak: true, probe: isPCX, Decode: decodePicture, Encode: encodeIndexed("PCX", picture.EncodePCX),
	},
	{
		Name: "gif", Title: "GIF picture", Extensions: []string{".gif"}, Kinds: []format.Kind{format.Texture},
		probe: isPicture("gif"), Decode: decodePicture,
	},
	{
		Name: "tiff", Title: "TIFF picture", Extensions: []string{".tif", ".tiff"}, Kinds: []format.Kind{format.Texture},
		probe: isPicture("tiff"), Decode: decodePicture,
	},
}

// Writes reports whether usher can write the format, and not only read it.
func (x *Interchange) Writes() bool { return x.Encode != nil }

func isPicture(name string) func(*format.Input) bool {
	return func(in *format.Input) bool { return foreign.Is(name, in.Head) }
}

// isTGA goes by the extension, and by whether the header makes sense: there is no signature.
func isTGA(in *format.Input) bool { return byExtension(".tga")(in) && foreign.Is("tga", in.Head) }

// isPCX goes by the extension too: the signature is one byte.
func isPCX(in *format.Input) bool { return byExtension(".pcx")(in) && foreign.Is("pcx", in.Head) }

// isBMP wants more than the two letters at the beginning: where the pixels begin, and a known size of the second header.
func isBMP(in *format.Input) bool {
	if !foreign.Is("bmp", in.Head) || len(in.Head) < 18 {
		return false
	}
	pixels, header := binary.LittleEndian.Uint32(in.Head[10:]), binary.LittleEndian.Uint32(in.Head[14:])
	return int64(pixels) <= in.Size && header >= 12 && header <= 124
}

// decodePicture reads a picture of any kind, and what a sidecar beside it knows, as of a PNG file.
func decodePicture(b []byte, env *format.Env) (*Item, error) {
	t, err := foreign.DecodeImage("", b)
	if err != nil {
		return nil, err
	}
	foreign.Report(b, "", env.Diagnostics)
	return withSidecarOf(t, env)
}

// withSidecarOf makes an item of a picture and what the sidecar beside it knows: its native residue, and the other
// pictures of its texture.
func withSidecarOf(t *asset.Texture, env *format.Env) (*Item, error) {
	t.Name = formats.Stem(env.Name)
	var pictures *sidecar
	var sheet *sheetPlaces
	err := readSidecar(env, func(sc *sidecar) {
		t.Native, t.Alpha, t.FPS, sheet = sc.Native, sc.Alpha, sc.FPS, sc.Sheet
		if len(sc.Pictures) > 1 {
			pictures = sc
		}
	})
	if err == nil && pictures != nil {
		t.Name = PictureStem(env.Name)
		t, err = gatherPictures(t, pictures, env)
	}
	if err == nil && sheet != nil {
		err = sheet.cut(t)
	}
	if err != nil {
		return nil, err
	}
	return &Item{Asset: t, Env: env}, nil
}

// liftTexture returns an item as a texture that has pixels.
func liftTexture(it *Item, name string) (*asset.Texture, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	t, ok := a.(*asset.Texture)
	if !ok {
		return nil, wrongKind(name, it)
	}
	if t.Base() == nil {
		return nil, schema.Errorf(name, schema.ErrValue, "", "the texture has no pixels of its own")
	}
	return t, nil
}

// encodeDDS writes every frame of a texture as a surface of its own, with its levels or faces.
func encodeDDS(it *Item, name string) ([]format.File, error) {
	t, err := liftTexture(it, "DDS")
	if err != nil {
		return nil, err
	}
	tellGrey16(t, it.Env.Diagnostics)
	var files []format.File
	sc := &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS}
	for frame := range t.Frames {
		b, err := picture.EncodeDDS(t, frame)
		if err != nil {
			return nil, err
		}
		file := name
		if len(t.Frames) > 1 {
			file = fmt.Sprintf("%s.f%03d.dds", formats.Stem(name), frame)
			sc.Pictures = append(sc.Pictures, sidecarPicture{File: path.Base(file)})
		}
		files = append(files, format.File{Name: file, Content: b})
	}
	return it.withSidecar(files, name, sc)
}

// encodeTGA writes Targas.
var encodeTGA = encodePictures("TGA", func(_ *Item, t *asset.Texture, m *asset.Image) ([]byte, error) {
	return picture.EncodeTGA(m, t.Palette)
})

// encodePictures returns the encoder that writes every frame and face of a texture as a picture of its own.
func encodePictures(title string, encode func(it *Item, t *asset.Texture, m *asset.Image) ([]byte, error)) func(it *Item, name string) ([]format.File, error) {
	return func(it *Item, name string) ([]format.File, error) {
		t, err := liftTexture(it, title)
		if err != nil {
			return nil, err
		}
		tellGrey16(t, it.Env.Diagnostics)
		var files []format.File
		sc := &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS}
		for frame := range t.Frames {
			f := &t.Frames[frame]
			for face := range 1 + len(f.Faces) {
				m := &f.Mips[0]
				if face > 0 {
					m = &f.Faces[face-1]
				}
				b, err := encode(it, t, m)
				if err != nil {
					return nil, err
				}
				file := pictureName(name, t, frame, face)
				files = append(files, format.File{Name: file, Content: b})
				sc.Pictures = append(sc.Pictures, sidecarPicture{path.Base(file), face})
			}
		}
		if len(files) == 1 {
			sc.Pictures = nil
		}
		return it.withSidecar(files, name, sc)
	}
}

// tellGrey16 names what a picture of 8 bits cannot hold of heights.
func tellGrey16(t *asset.Texture, d *schema.Diagnostics) {
	if t.Base().Format == asset.Gray16 {
		d.Lossf("grey-depth", "", "16 bits of grey become 8")
	}
}
