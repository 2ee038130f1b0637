package interchange

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// encodeIndexed writes every frame and face of a texture as a picture of 256 colours, as the editors of the time want
// them.
func encodeIndexed(title string, encode func(m *asset.Image, palette []asset.RGBA, dither bool) (b []byte, exact bool, err error)) func(it *Item, name string) ([]format.File, error) {
	return encodePictures(title, func(it *Item, t *asset.Texture, m *asset.Image) ([]byte, error) {
		b, exact, err := encode(m, t.Palette, it.Env.Options.Dither)
		if err == nil && !exact {
			it.Env.Diagnostics.Lossf("quantized", t.Name, "the picture has more than 256 colours; the nearest are taken")
		}
		return b, err
	})
}
