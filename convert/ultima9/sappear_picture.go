package ultima9

import (
	"strconv"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"

	read "github.com/usher-assets/usher/read/ultima9"
)

// tellPicture tells when the picture of a texture that has its slot is another than those of the archives beside the
// model: a model refers to textures and does not hold them.
func (r *lookReader) tellPicture(p picture, t *asset.Texture) {
	if r.env == nil || r.told[p] || t.Base() == nil {
		return
	}
	r.told[p] = true
	now, err := toRGBA(t.Base(), t.Palette)
	if err != nil {
		return
	}
	found := ""
	for _, name := range textureNames(r.env) {
		path, was := r.stored(name, p)
		if was == nil {
			continue
		}
		m := was.Frames[p.frame].Mips[0]
		pix, err := toRGBA(&m, was.Palette)
		if err == nil && m.Width == t.Base().Width && m.Height == t.Base().Height && samePixels(now, pix) {
			return
		}
		found = path
	}
	if found != "" {
		diagnostics(r.env).Lossf("picture", t.Name, "the picture is not the one of %s: a model does not hold it, so put it in there", found)
	}
}

// stored returns the texture of a slot in the archive of that name; nil when it is not there.
func (r *lookReader) stored(name string, p picture) (path string, t *asset.Texture) {
	f, size, path, err := r.env.FindAt(name)
	if err != nil {
		return "", nil
	}
	a, err := read.FLX(f, size, nil)
	if err != nil {
		return "", nil
	}
	b, err := a.Payload(int(p.slot))
	if err != nil {
		return "", nil
	}
	s, err := read.Texture(b, nil)
	if err != nil {
		return "", nil
	}
	env := &format.Env{Name: baseName(path), Entry: strconv.Itoa(int(p.slot)), Files: r.env.Files, Options: r.env.Options}
	t, err = pictures(s, env, false)
	if err != nil || int(p.frame) >= len(t.Frames) {
		return "", nil
	}
	return path + ":" + env.Entry, t
}
