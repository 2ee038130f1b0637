package ultima9

import (
	"fmt"
	"hash/crc32"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// tellPicture tells when the picture of a texture that has its slot is another than those of the archives beside the
// model: a model refers to textures and does not hold them. known tells whether such an archive has the texture.
func (r *lookReader) tellPicture(p picture, t *asset.Texture) (known bool) {
	if r.env == nil || t.Base() == nil {
		return false
	}
	if known, told := r.told[p]; told {
		return known
	}
	defer func() { r.told[p] = known }()
	now, err := toRGBA(t.Base(), t.Palette)
	if err != nil {
		return false
	}
	found := ""
	for _, b := range r.look() {
		was, err := b.picturesAt(int(p.slot), r.env, nil)
		if err != nil || int(p.frame) >= len(was.Frames) {
			continue
		}
		m := was.Frames[p.frame].Mips[0]
		pix, err := toRGBA(&m, was.Palette)
		if err == nil && m.Width == t.Base().Width && m.Height == t.Base().Height && samePixels(now, pix) {
			return true
		}
		found = fmt.Sprintf("%s:%d", b.path, p.slot)
	}
	if found != "" {
		r.env.Told().Lossf("picture", t.Name, "the picture is not the one of %s: a model does not hold it, so put it in there", found)
	}
	return found != ""
}

// pictureKey is where a material keeps the digest of its picture, so that a painted one is known far from its archive.
const pictureKey = "picture"

// digest returns a number that pictures of the same pixels share; −1 for none. The colour of what is fully transparent
// does not count.
func digest(t *asset.Texture) int {
	b := t.Base()
	if b == nil || len(b.Pix) == 0 {
		return -1
	}
	pix, err := toRGBA(b, t.Palette)
	if err != nil {
		return -1
	}
	var sum uint32
	var row [1 << 12]byte
	for len(pix) > 0 {
		n := copy(row[:], pix)
		for i := 3; i < n; i += 4 {
			if row[i] == 0 {
				clear(row[i-3 : i])
			}
		}
		sum, pix = crc32.Update(sum, crc32.IEEETable, row[:n]), pix[n:]
	}
	return int(crc32.Update(sum, crc32.IEEETable, le.AppendUint32(nil, uint32(b.Width))))
}

// samePicture tells whether a texture, whatever it is called, shows what the material showed: programs keep one of several
// pictures that are alike. A person may have chosen it too, hence the note.
func samePicture(a *asset.Material, t *asset.Texture, d *schema.Diagnostics) bool {
	was := field(a.Native.Values, pictureKey, -1)
	if was < 0 || digest(t) != was {
		return false
	}
	d.Notef("picture-alike", a.Name, "the material shows picture %q, which looks like its own: it keeps its own", t.Name)
	return true
}

// tellPainted tells when the picture of a material is not the one that it had.
func (r *lookReader) tellPainted(a *asset.Material, p picture, t *asset.Texture) {
	was := field(a.Native.Values, pictureKey, -1)
	if was < 0 || r.told[p] {
		return
	}
	if now := digest(t); now >= 0 && now != was {
		r.told[p] = true
		r.env.Told().Lossf("picture", t.Name, "the picture of material %q was changed: a model does not hold it, so put it into slot %d of the archive of textures", a.Name, p.slot)
	}
}

// tellTaken tells when a material has lost its picture.
func (r *lookReader) tellTaken(a *asset.Material, m *ultima9.Material) {
	if t := a.BaseColorTexture; m.Texture != ultima9.NoTexture && (t == nil || t.Texture == nil) && field(a.Native.Values, pictureKey, -1) >= 0 {
		r.env.Told().Lossf("texture-gone", a.Name, "the material has no picture any more: a model needs one, texture %d stays", m.Texture)
	}
}

// tellColor tells when a material has a colour.
func (r *lookReader) tellColor(a *asset.Material) {
	if !scene.SameColor([]float32{1, 1, 1}, a.BaseColor[:3]) {
		r.env.Told().Lossf("material-colour", a.Name, "the colour of the material is left out: a model has pictures, and colours of faces")
	}
}
