package look

import (
	"bytes"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// Brought collects the new textures of the models that are packed into one archive.
type Brought struct {
	Env      *format.Env // the environment of the archive
	Textures []broughtTexture
	given    map[int]bool // slots that new pictures got since the archive was opened
}

// broughtTexture is a new texture of a model.
type broughtTexture struct {
	Slot    int
	Name    string
	Texture *asset.Texture
	pix     []byte // of its first picture
}

// bringer is an archive of models.
type bringer interface{ Brought() *Brought }

// bring gives a new texture of a model that is packed a free slot of the archives of textures, or the slot that has it
// already. The archives themselves are written with that of the models.
func (r *Lowerer) bring(p *Brought, t *asset.Texture) (uint16, error) {
	given := r.given()
	home := r.look()[0]
	env := *p.Env
	env.Name, env.Archive = format.BaseName(home.Path), nil
	set, err := texture.Set.Lower(&asset.Texture{Frames: t.Frames, Palette: t.Palette}, &env)
	if err != nil {
		return 0, err
	}
	record, err := write.Texture(set)
	if err != nil {
		return 0, err
	}
	pix, err := texture.ToRGBA(t.Base(), t.Palette)
	if err != nil {
		return 0, err
	}
	for _, x := range p.Textures {
		if was := x.Texture.Base(); was.Width == t.Base().Width && bytes.Equal(x.pix, pix) {
			return uint16(x.Slot), nil
		}
	}
	if slot, ok := home.Find(record); ok {
		r.env.Told().Notef("texture-known", t.Name, "is texture %d", slot)
		return uint16(slot), nil
	}
	slot := r.free(r.look(), given)
	if slot >= ultima9.NoTexture {
		return 0, noSlot(t.Name)
	}
	given[slot] = true
	p.Textures = append(p.Textures, broughtTexture{slot, t.Name, t, pix})
	return uint16(slot), nil
}

// packed returns the Brought of the archive that the model is packed into, or nil if the model becomes a file.
func (r *Lowerer) packed() *Brought {
	if r.env == nil || r.env.Turn == nil {
		return nil
	}
	if a, ok := r.env.Archive.(bringer); ok {
		return a.Brought()
	}
	return nil
}

// given returns the slots assigned to new textures of this model, and of earlier models packed in the same run.
func (r *Lowerer) given() map[int]bool {
	p := r.packed()
	if p == nil {
		return r.taken
	}
	r.env.Turn()
	if p.given == nil {
		p.given = map[int]bool{}
	}
	return p.given
}
