package gltf

import (
	"bytes"
	"encoding/base64"
	"slices"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Games put masks into the alpha of pictures that solid materials wear. glTF ignores alpha there, and editors do not: what
// is transparent gets dark in Blender. So such a picture is written without its alpha, which rides in its record.

// keyMask is where the alpha of a picture rides: a grey PNG file in base64.
const keyMask = "mask"

// findMasks finds the pictures whose alpha shows nothing.
func (e *encoder) findMasks() {
	if e.o.whole || !e.made {
		return
	}
	worn, shows := map[*asset.Texture]bool{}, map[*asset.Texture]bool{}
	for _, m := range e.s.Materials {
		for _, r := range texturesOf(m) {
			worn[r.Texture] = true
			shows[r.Texture] = shows[r.Texture] || m.Alpha != asset.Opaque
		}
	}
	e.masked = map[*asset.Texture]bool{}
	for t := range worn {
		b := t.Base()
		if !shows[t] && t.File == nil && b != nil && b.Format == asset.RGBA8 && b.AlphaMode(nil) != asset.Opaque {
			e.masked[t] = true
		}
	}
	e.keepApart()
}

// keepApart leaves the alpha in pictures that would be the same as others without it: programs make one of the same pictures.
func (e *encoder) keepApart() {
	type size struct{ width, height int }
	of := map[size][]*asset.Texture{}
	for t := range e.masked {
		of[size{t.Base().Width, t.Base().Height}] = nil
	}
	for _, t := range e.s.Textures {
		if t.Base() == nil || t.Base().Format != asset.RGBA8 {
			continue
		}
		k := size{t.Base().Width, t.Base().Height}
		if _, wanted := of[k]; wanted {
			of[k] = append(of[k], t)
		}
	}
	var apart []*asset.Texture
	for t := range e.masked {
		b := t.Base()
		if slices.ContainsFunc(of[size{b.Width, b.Height}], func(o *asset.Texture) bool { return o != t && sameButAlpha(b.Pix, o.Base().Pix) }) {
			apart = append(apart, t)
		}
	}
	for _, t := range apart {
		delete(e.masked, t)
	}
}

// sameButAlpha reports whether pixels differ, and only in their alpha.
func sameButAlpha(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	differ := false
	for i := range a {
		if a[i] != b[i] {
			if i%4 != 3 {
				return false
			}
			differ = true
		}
	}
	return differ
}

// solid returns a texture of one picture without alpha.
func solid(t *asset.Texture) *asset.Texture {
	b := t.Base()
	m := asset.NewImage(b.Width, b.Height, asset.RGBA8)
	copy(m.Pix, b.Pix)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 0xFF
	}
	return &asset.Texture{Name: t.Name, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// maskOf returns the alpha of a picture as text.
func (e *encoder) maskOf(t *asset.Texture) string {
	b := t.Base()
	m := asset.NewImage(b.Width, b.Height, asset.Gray8)
	for i := range m.Pix {
		m.Pix[i] = b.Pix[4*i+3]
	}
	var out bytes.Buffer
	e.fail(png.Encode(&out, &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, png.Options{}))
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// unmask gives a picture the alpha that rides with it. One that got alpha of its own keeps that.
func (d *decoder) unmask(at string, t *asset.Texture, text string) {
	b := t.Base()
	if b == nil || len(b.Pix) == 0 || b.AlphaMode(t.Palette) != asset.Opaque {
		return
	}
	file, err := base64.StdEncoding.DecodeString(text)
	var mask *asset.Texture
	if err == nil {
		mask, err = png.Decode(bytes.NewReader(file))
	}
	if err == nil && (mask.Base().Width != b.Width || mask.Base().Height != b.Height) {
		err = schema.Errorf(formatName, schema.ErrMismatch, keyMask, "it is for %d x %d pixels, and the picture has %d x %d now", mask.Base().Width, mask.Base().Height, b.Width, b.Height)
	}
	if err != nil {
		d.diag.Warnf("mask-lost", at, "the alpha of %q, which nothing shows, is left out: %v", t.Name, err)
		return
	}
	m, grey := asset.FromImage(b.Image(t.Palette)), asset.FromImage(mask.Base().Image(mask.Palette))
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = grey.Pix[i-1]
	}
	t.Frames, t.Palette, t.File = []asset.Frame{{Mips: []asset.Image{m}}}, nil, nil
	t.Alpha = m.AlphaMode(nil)
}
