package convert

import (
	"path"

	"github.com/usher-assets/usher/schema/asset"
)

// encodeIndexed writes every frame and face of a texture as a picture of 256 colours, as the editors of the time want
// them.
func encodeIndexed(title string, encode func(m *asset.Image, palette []asset.RGBA, dither bool) (b []byte, exact bool, err error)) func(it *Item, name string) ([]File, error) {
	return func(it *Item, name string) ([]File, error) {
		t, err := liftTexture(it, title)
		if err != nil {
			return nil, err
		}
		tellGrey16(t, it.Env.Diagnostics)
		var files []File
		sc := &sidecar{Native: t.Native, Alpha: t.Alpha, FPS: t.FPS}
		for frame := range t.Frames {
			f := &t.Frames[frame]
			for face := range 1 + len(f.Faces) {
				m := &f.Mips[0]
				if face > 0 {
					m = &f.Faces[face-1]
				}
				b, exact, err := encode(m, t.Palette, it.Env.Options.Dither)
				if err != nil {
					return nil, err
				}
				if !exact {
					it.Env.Diagnostics.Lossf("quantized", t.Name, "the picture has more than 256 colours; the nearest are taken")
				}
				file := pictureName(name, t, frame, face)
				files = append(files, File{Name: file, Content: b})
				sc.Pictures = append(sc.Pictures, sidecarPicture{path.Base(file), face})
			}
		}
		if len(files) == 1 {
			sc.Pictures = nil
		}
		return it.withSidecar(files, name, sc)
	}
}
