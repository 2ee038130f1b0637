package look

import (
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// Lowerer converts visible materials to stored ones.
type Lowerer struct {
	Kept bool // the drawing mode of stored materials is not changed

	env      *format.Env
	known    map[*asset.Material]ultima9.Material
	slots    map[*asset.Texture]uint16
	taken    map[int]bool // texture slots that are in use
	found    bool         // the archives of textures were looked for
	archives []beside.Archive
	told     map[Picture]bool
	unheld   scene.Unheld
}

// NewLowerer returns a Lowerer for the materials of a scene.
func NewLowerer(s *asset.Scene, env *format.Env) *Lowerer {
	r := &Lowerer{env: env, known: map[*asset.Material]ultima9.Material{}, slots: map[*asset.Texture]uint16{}, taken: map[int]bool{}, told: map[Picture]bool{}}
	for _, t := range s.Textures {
		if p, ok := parseTitle(t.Name); ok {
			r.taken[int(p.Slot)] = true
		}
	}
	for _, m := range s.Materials {
		if p, ok := parseTitle(m.Name); ok {
			r.taken[int(p.Slot)] = true
		}
		if n := m.Native; n != nil && n.Format == materialName {
			stored, _ := parseMaterial(n.Payload)
			_ = fields(&stored).Take(materialName, "", n) // read tells what is wrong
			r.taken[int(stored.Texture)] = true
		}
	}
	return r
}

// Material returns the stored material for a visible one; for nil, one without a picture. The caller sets its range of
// faces.
func (r *Lowerer) Material(a *asset.Material) (ultima9.Material, error) {
	if a == nil {
		a = defaultMaterial
	}
	if m, ok := r.known[a]; ok {
		return m, nil
	}
	m, err := r.read(a)
	if err == nil {
		r.compare(a, m)
	}
	r.known[a] = m
	return m, err
}

var defaultMaterial = asset.NewMaterial("")

func (r *Lowerer) read(a *asset.Material) (ultima9.Material, error) {
	n := a.Native
	if n == nil || n.Format != materialName {
		return r.fresh(a)
	}
	m, ok := parseMaterial(n.Payload)
	if !ok {
		m = ultima9.Material{DefaultAlpha: 0xFF, ActiveAlpha: 0xFF}
	}
	if err := fields(&m).Take(materialName, "", n); err != nil {
		return m, err
	}
	return m, r.edits(a, &m)
}

// edits takes over what was changed in the visible material: another picture, transparency, clamping.
func (r *Lowerer) edits(a *asset.Material, m *ultima9.Material) error {
	r.tellColor(a)
	r.tellTaken(a, m)
	if t := a.BaseColorTexture; t != nil && t.Texture != nil {
		p, ok := parseTitle(t.Texture.Name)
		switch {
		case !ok:
			slot, err := r.slot(a, t.Texture)
			if err != nil {
				return err
			}
			m.Texture, m.Current = slot, 0
		case p != (Picture{m.Texture, m.Current}) && !r.valuesSay(a, m) && !samePicture(a, t.Texture, r.env.Told()):
			m.Texture, m.Current = p.Slot, p.Frame
		}
		if ok && !r.tellPicture(p, t.Texture) && p == (Picture{m.Texture, m.Current}) {
			r.tellPainted(a, p, t.Texture)
		}
		m.Flags = setFlag(m.Flags, ultima9.RenderClampS, t.WrapS == asset.Clamp)
		m.Flags = setFlag(m.Flags, ultima9.RenderClampT, t.WrapT == asset.Clamp)
	}
	r.renumber(a, m)
	if m.Texture == ultima9.NoTexture {
		return nil
	}
	if alphaEdited(a) {
		m.ActiveAlpha = AlphaByte(a.BaseColor[3])
	}
	r.drawing(a, m)
	return nil
}

// renumber gives a material that still has its picture the texture that its new name tells.
func (r *Lowerer) renumber(a *asset.Material, m *ultima9.Material) {
	stored, ok := parseMaterial(a.Native.Payload)
	p, is := renumbered(a, stored)
	if !ok || !is || m.Texture != stored.Texture || m.Current != stored.Current {
		return
	}
	m.Texture, m.Current = p.Slot, p.Frame
	r.env.Told().Notef("texture-number", a.Name, "it wears texture %d now, by its name; the scene shows the picture of texture %d", p.Slot, stored.Texture)
}

// alphaEdited reports whether a material of ours is more or less transparent than its record has it.
func alphaEdited(m *asset.Material) bool {
	was := float32(1)
	if stored, ok := parseMaterial(m.Native.Payload); ok && stored.Texture != ultima9.NoTexture {
		was = float32(stored.ActiveAlpha) / 255
	}
	return math.Abs(float64(m.BaseColor[3]-was)) > 1.0/512
}

// valuesSay reports whether the values of a material ask for another texture than the stored material has: they win over
// the picture, which is still that of the stored one.
func (r *Lowerer) valuesSay(a *asset.Material, m *ultima9.Material) bool {
	stored, ok := parseMaterial(a.Native.Payload)
	return ok && (stored.Texture != m.Texture || stored.Current != m.Current)
}

func setFlag(flags, bit ultima9.RenderFlags, on bool) ultima9.RenderFlags {
	if on {
		return flags | bit
	}
	return flags &^ bit
}

// AlphaByte returns an opacity from 0 to 1 as a stored byte.
func AlphaByte(a float32) uint8 { return uint8(math.Round(float64(min(max(a, 0), 1)) * 255)) }

// fresh makes a material of one that usher did not write.
func (r *Lowerer) fresh(a *asset.Material) (ultima9.Material, error) {
	m := ultima9.Material{DefaultAlpha: 0xFF, ActiveAlpha: 0xFF}
	if a.Name == "invisible" && a.BaseColor[3] == 0 {
		m.Texture = ultima9.NoTexture
		return m, nil
	}
	if !Plain(a) {
		r.tellColor(a)
	}
	r.draw(a, &m)
	t := a.BaseColorTexture
	if t == nil || t.Texture == nil {
		if p, ok := parseTitle(a.Name); ok {
			m.Texture, m.Current = p.Slot, p.Frame
			return m, nil
		}
		slot, err := r.slot(a, white)
		if err != nil {
			return m, err
		}
		m.Texture = slot
		r.env.Told().Warnf("no-texture", a.Name, "a material needs a texture: it gets a white one, slot %d, and its colour goes into the faces", slot)
		return m, nil
	}
	m.Flags = setFlag(m.Flags, ultima9.RenderClampS, t.WrapS == asset.Clamp)
	m.Flags = setFlag(m.Flags, ultima9.RenderClampT, t.WrapT == asset.Clamp)
	if p, ok := parseTitle(t.Texture.Name); ok {
		m.Texture, m.Current = p.Slot, p.Frame
		r.tellPicture(p, t.Texture)
		return m, nil
	}
	slot, err := r.slot(a, t.Texture)
	m.Texture = slot
	return m, err
}

// white is the picture of materials that have none, since a record needs one: it lets the colours of the faces be seen.
var white = func() *asset.Texture {
	const side = 8
	m := asset.NewImage(side, side, asset.RGBA8)
	for i := range m.Pix {
		m.Pix[i] = 0xFF
	}
	return &asset.Texture{Name: "white", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}()

// Plain reports whether a new material has only a colour and no picture. The colour is then stored in its faces.
func Plain(a *asset.Material) bool {
	return a != nil && a.Native == nil && (a.BaseColorTexture == nil || a.BaseColorTexture.Texture == nil) && !scene.SameColor([]float32{1, 1, 1}, a.BaseColor[:3])
}

// slot gives a new texture a free slot and hands its picture out.
func (r *Lowerer) slot(a *asset.Material, t *asset.Texture) (uint16, error) {
	if slot, ok := r.slots[t]; ok {
		return slot, nil
	}
	archives := r.look()
	if len(archives) == 0 && r.env != nil {
		r.env.Told().Hint("; --textures names the archive").Warnf("no-textures", "", "no archive of textures was found: a slot counts as free when the model does not use it")
	}
	if f := r.packed(); f != nil && len(archives) > 0 && t.Base() != nil {
		slot, err := r.bring(f, t)
		r.slots[t] = slot
		return slot, err
	}
	given := r.given()
	slot := r.free(archives, given)
	if slot >= ultima9.NoTexture {
		return 0, noSlot(a.Name)
	}
	given[slot] = true
	r.slots[t] = uint16(slot)
	name, err := r.emit(slot, t)
	if err != nil {
		return 0, err
	}
	if name == "" {
		r.env.Told().Lossf("texture-new", a.Name, "texture %q becomes slot %d, but its picture has no place here: put it into the archive of textures (a picture called texture_21 is the one of slot 21)", t.Name, slot)
	} else {
		r.env.Told().Notef("texture-new", a.Name, "texture %q becomes slot %d, picture %s (a picture called texture_21 is the one of slot 21)", t.Name, slot, name)
	}
	return uint16(slot), nil
}

func noSlot(name string) error {
	return schema.Errorf("sappear", schema.ErrLimit, "texture", "no slot is free for the texture of material %q", name)
}

// free returns the first slot that neither the model nor an archive nor a new texture has.
func (r *Lowerer) free(archives []beside.Archive, given map[int]bool) (slot int) {
	used := func(b beside.Archive) bool { return b.Used(slot) }
	for r.taken[slot] || given[slot] || slices.ContainsFunc(archives, used) {
		slot++
	}
	return slot
}

// look returns the archives of textures at hand.
func (r *Lowerer) look() []beside.Archive {
	if !r.found && r.env != nil {
		r.found, r.archives = true, beside.TextureArchives(r.env)
	}
	return r.archives
}

// emit hands a picture out under its slot number: the file as found, or a texture record. The name is empty when nobody
// takes it.
func (r *Lowerer) emit(slot int, t *asset.Texture) (string, error) {
	if r.env == nil || r.env.Emit == nil {
		return "", nil
	}
	name, content := fmt.Sprintf("%d.png", slot), []byte(nil)
	switch {
	case t.File != nil && t.File.Encoding == "png":
		content = t.File.Data
	case len(t.Frames) > 0:
		s, err := texture.Set.Lower(&asset.Texture{Frames: t.Frames, Palette: t.Palette}, r.env)
		if err != nil {
			return "", err
		}
		if content, err = write.Texture(s); err != nil {
			return "", err
		}
		name = fmt.Sprintf("%d.tex", slot)
	default:
		return "", nil
	}
	return name, r.env.Emit(name, content)
}

// Titled reports whether all visible materials name their pictures. It is asked before new pictures are handed out, which
// must not happen for a model that is then refused.
func Titled(s *asset.Scene) bool {
	titles := true
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		for _, p := range n.Mesh.Primitives {
			titles = titles && p.Material != nil && titled(p.Material)
		}
	})
	return titles
}

// titled reports whether a material or its picture names a slot of the archive of textures.
func titled(m *asset.Material) bool {
	if t := m.BaseColorTexture; t != nil && t.Texture != nil {
		_, ok := parseTitle(t.Texture.Name)
		return ok
	}
	_, ok := parseTitle(m.Name)
	return ok || m.Native != nil && m.Native.Format == materialName
}
