package look

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// tellPicture tells when the picture of a texture that has its slot is another than those of the archives beside the
// model: a model refers to textures and does not hold them. known reports whether such an archive has the texture.
func (r *Lowerer) tellPicture(p Picture, t *asset.Texture) (known bool) {
	if r.env == nil || t.Base() == nil {
		return false
	}
	if known, told := r.told[p]; told {
		return known
	}
	defer func() { r.told[p] = known }()
	now, err := texture.ToRGBA(t.Base(), t.Palette)
	if err != nil {
		return false
	}
	found := ""
	for _, b := range r.look() {
		was, err := picturesAt(b, int(p.Slot), r.env, nil)
		if err != nil || int(p.Frame) >= len(was.Frames) {
			continue
		}
		m := was.Frames[p.Frame].Mips[0]
		pix, err := texture.ToRGBA(&m, was.Palette)
		if err == nil && m.Width == t.Base().Width && m.Height == t.Base().Height && texture.SamePixels(now, pix) {
			return true
		}
		found = fmt.Sprintf("%s:%d", b.Path, p.Slot)
	}
	if found != "" {
		r.env.Told().Lossf("picture", t.Name, "the picture is not the one of %s: a model does not hold it, so put it in there", found)
	}
	return found != ""
}

// pictureKey is where a material keeps the digest of its picture, so that a painted one is known far from its archive.
const pictureKey = "picture"

// Digest returns a hash of a picture's pixels, or −1 if it has none. Colour under zero alpha is ignored.
func Digest(t *asset.Texture) int {
	b := t.Base()
	if b == nil || len(b.Pix) == 0 {
		return -1
	}
	pix, err := texture.ToRGBA(b, t.Palette)
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
	return int(crc32.Update(sum, crc32.IEEETable, binary.LittleEndian.AppendUint32(nil, uint32(b.Width))))
}

// samePicture reports whether a texture, whatever it is called, shows what the material showed: programs keep one of several
// pictures that are alike. A person may have chosen it too, hence the note.
func samePicture(a *asset.Material, t *asset.Texture, d *schema.Diagnostics) bool {
	was := scene.ShownWhole(a.Native, pictureKey, -1)
	if was < 0 || Digest(t) != was {
		return false
	}
	d.Notef("picture-alike", a.Name, "the material shows picture %q, which looks like its own: it keeps its own", t.Name)
	return true
}

// tellPainted tells when the picture of a material is not the one that it had, or when nobody knows.
func (r *Lowerer) tellPainted(a *asset.Material, p Picture, t *asset.Texture) {
	was, now := scene.ShownWhole(a.Native, pictureKey, -1), Digest(t)
	switch {
	case now < 0 || r.told[p]:
	case was < 0:
		r.told[p] = true
		r.env.Told().Lossf("picture", t.Name, "the picture of material %q is left out: a model does not hold it, and no archive of textures is at hand to say whether it is another one: if it is, put it into slot %d", a.Name, p.Slot)
	case now != was:
		r.told[p] = true
		r.env.Told().Lossf("picture", t.Name, "the picture of material %q was changed: a model does not hold it, so put it into slot %d of the archive of textures", a.Name, p.Slot)
	}
}

// tellTaken tells when a material has lost its picture.
func (r *Lowerer) tellTaken(a *asset.Material, m *ultima9.Material) {
	if t := a.BaseColorTexture; m.Texture != ultima9.NoTexture && (t == nil || t.Texture == nil) && scene.ShownWhole(a.Native, pictureKey, -1) >= 0 {
		r.env.Told().Lossf("texture-gone", a.Name, "the material has no picture any more: a model needs one, texture %d stays", m.Texture)
	}
}

// tellColor tells when a material has a colour.
func (r *Lowerer) tellColor(a *asset.Material) {
	if !scene.SameColor([]float32{1, 1, 1}, a.BaseColor[:3]) {
		r.env.Told().Lossf("material-colour", a.Name, "the colour of the material is left out: a model has pictures, and colours of faces")
	}
}

// picturesAt decodes the texture of a slot of an archive.
func picturesAt(b beside.Archive, slot int, env *format.Env, d *schema.Diagnostics) (*asset.Texture, error) {
	content, err := b.Payload(slot)
	if err != nil {
		return nil, schema.In(b.Path, err)
	}
	t, err := read.Texture(content, d)
	if err != nil {
		return nil, schema.In(fmt.Sprintf("%s:%d", b.Path, slot), err)
	}
	own := &format.Env{Name: format.BaseName(b.Path), Entry: strconv.Itoa(slot), Files: env.Files, Options: env.Options, Diagnostics: d}
	return texture.Pictures(t, own, false)
}

// groundLookName is Native.Format of a material of the ground.
const groundLookName = "u9-ground-material"

// pictureOf returns the picture that a material of ours was given.
func pictureOf(m *asset.Material) (p Picture, ok bool) {
	if m.Native == nil {
		return p, false
	}
	switch m.Native.Format {
	case materialName:
		stored, ok := parseMaterial(m.Native.Payload)
		return Picture{stored.Texture, stored.Current}, ok && stored.Texture != ultima9.NoTexture
	case groundLookName:
		return Picture{uint16(scene.ShownWhole(m.Native, "texture", 0)), uint8(scene.ShownWhole(m.Native, "frame", 0))}, true
	}
	return p, false
}

// TellMap reports materials of a map that look different from before.
func TellMap(s *asset.Scene, c *scene.Capabilities, d *schema.Diagnostics) {
	var names scene.Renames
	var unheld scene.Unheld
	picturesAlone := onlyPictures(s)
	for _, m := range s.Materials {
		p, ok := pictureOf(m)
		if !ok {
			continue
		}
		unheld.Compare(m, inMap(m), c, true)
		if _, slot := parseTitle(m.Name); !slot {
			names.Check(p.Title(), m.Name)
		}
		if alphaEdited(m) {
			d.Lossf("material-transparent", m.Name, "how transparent the material is now is left out: a map has pictures only")
		}
		if !scene.SameColor([]float32{1, 1, 1}, m.BaseColor[:3]) {
			d.Lossf("material-colour", m.Name, "the colour of the material is left out: a map has pictures only")
		}
		was := scene.ShownWhole(m.Native, pictureKey, -1)
		switch t := m.BaseColorTexture; {
		case was < 0: // it was not at hand
			if !hasPicture(m) {
				if picturesAlone {
					d.Lossf("texture-gone", m.Name, "the material has no picture, others of the map have theirs: it has texture %d there, which stays", p.Slot)
				}
				break
			}
			if Digest(t.Texture) >= 0 {
				d.Lossf("picture", m.Name, "the picture %q of the material is left out: a map does not hold it, so put it into slot %d of the archive of textures", t.Texture.Name, p.Slot)
			}
		case t == nil || t.Texture == nil:
			d.Lossf("texture-gone", m.Name, "the material has no picture any more: the map has texture %d there, which stays", p.Slot)
		default:
			if now := Digest(t.Texture); now >= 0 && now != was {
				d.Lossf("picture", m.Name, "the picture of texture %q was changed: a map does not hold it, so put it into slot %d of the archive of textures", t.Texture.Name, p.Slot)
			}
		}
	}
	names.Tell(d, "a map holds no names of materials, only the numbers of textures")
	unheld.Tell(d, "", c)
}

// onlyPictures reports whether materials have pictures of which none was at hand when the map was lifted: what they looked like
// nobody knows, but that they had one.
func onlyPictures(s *asset.Scene) (some bool) {
	for _, m := range s.Materials {
		if _, ok := pictureOf(m); !ok {
			continue
		}
		if scene.ShownWhole(m.Native, pictureKey, -1) >= 0 {
			return false
		}
		some = some || hasPicture(m)
	}
	return some
}

func hasPicture(m *asset.Material) bool {
	t := m.BaseColorTexture
	return t != nil && t.Texture != nil && t.Texture.Base() != nil
}

// inMap returns what a map shows in place of a material of ours.
func inMap(m *asset.Material) *asset.Material {
	if stored, ok := parseMaterial(m.Native.Payload); ok {
		return shownAs(stored, m)
	}
	is := asset.NewMaterial(m.Name)
	if t := m.BaseColorTexture; t != nil {
		is.BaseColorTexture = &asset.TextureRef{Texture: t.Texture, WrapS: asset.Clamp, WrapT: asset.Clamp}
	}
	return is
}

// groundFields are those of a picture on the ground that a person may choose.
func groundFields(p *Picture) scene.Fields {
	return scene.Fields{"texture": &p.Slot, "frame": &p.Frame, scene.ReadOnly: map[string]any{"texture": int(p.Slot), "frame": int(p.Frame)}}
}

// Chosen returns the picture that a ground material names: by its native values if these were edited, otherwise by its own
// name, or by the name of its texture if another texture was chosen or its own name says nothing.
func Chosen(m *asset.Material, d *schema.Diagnostics) (p Picture, ok bool, err error) {
	if was, ours := pictureOf(m); ours {
		now := was
		if err := groundFields(&now).Take(groundLookName, m.Name, m.Native); err != nil || now != was {
			return now, true, err
		}
	}
	p, ok = named(m, d)
	return p, ok, nil
}

func named(m *asset.Material, d *schema.Diagnostics) (p Picture, ok bool) {
	p, ok = parseTitle(m.Name)
	if m.BaseColorTexture == nil || m.BaseColorTexture.Texture == nil {
		return p, ok
	}
	t := m.BaseColorTexture.Texture
	if was, ours := pictureOf(m); ours && ok && p == was {
		if now, slot := parseTitle(t.Name); slot && now != was && !samePicture(m, t, d) {
			return now, true
		}
	}
	if !ok {
		return parseTitle(t.Name)
	}
	return p, ok
}
