package png

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	stdpng "image/png"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
)

// standard returns the same picture for the standard library's encoder.
func standard(x *asset.Texture) image.Image {
	m := x.Base()
	rect := image.Rect(0, 0, m.Width, m.Height)
	if m.Format == asset.RGBA8 {
		return &image.NRGBA{Pix: m.Pix, Stride: 4 * m.Width, Rect: rect}
	}
	p := make(color.Palette, len(x.Palette))
	for i, c := range x.Palette {
		p[i] = color.NRGBA{c[0], c[1], c[2], c[3]}
	}
	return &image.Paletted{Pix: m.Pix, Stride: m.Width, Rect: rect, Palette: p}
}

func benchTextures(size int) map[string][]*asset.Texture {
	out := map[string][]*asset.Texture{}
	for _, k := range pictures.Kinds {
		pix := k.RGBA(size)
		out["rgba"] = append(out["rgba"], picture(size, size, asset.RGBA8, pix, nil))
		for kind, sorted := range map[string]bool{"paletted": false, "sorted": true} {
			indices, colours := pictures.Indexed(pix, sorted)
			palette := make([]asset.RGBA, len(colours))
			for i, c := range colours {
				palette[i] = c
			}
			out[kind] = append(out[kind], picture(size, size, asset.Indexed8, indices, palette))
		}
	}
	return out
}

// BenchmarkEncode compares with the standard library in one run: bytes per second of raw pixels, and the size of the
// files in per cent of them.
func BenchmarkEncode(b *testing.B) {
	encoders := []struct {
		name string
		f    func(w *bytes.Buffer, x *asset.Texture) error
	}{
		{"fast", func(w *bytes.Buffer, x *asset.Texture) error { return Encode(w, x, Options{}) }},
		{"small", func(w *bytes.Buffer, x *asset.Texture) error { return Encode(w, x, Options{Small: true}) }},
		{"standard", func(w *bytes.Buffer, x *asset.Texture) error { return stdpng.Encode(w, standard(x)) }},
	}
	for _, size := range []int{64, 512, 1024} {
		for kind, textures := range benchTextures(size) {
			for _, e := range encoders {
				b.Run(fmt.Sprintf("%s/%d/%s", kind, size, e.name), func(b *testing.B) {
					raw, packed := 0, 0
					for _, x := range textures {
						raw += len(x.Base().Pix)
					}
					b.SetBytes(int64(raw))
					b.ReportAllocs()
					var w bytes.Buffer
					for b.Loop() {
						packed = 0
						for _, x := range textures {
							w.Reset()
							if err := e.f(&w, x); err != nil {
								b.Fatal(err)
							}
							packed += w.Len()
						}
					}
					b.ReportMetric(100*float64(packed)/float64(raw), "%size")
				})
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	for kind, textures := range benchTextures(512) {
		b.Run(kind, func(b *testing.B) {
			file := encode(b, textures[0], Options{})
			b.SetBytes(int64(len(textures[0].Base().Pix)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(bytes.NewReader(file)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
