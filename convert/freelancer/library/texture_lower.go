package library

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerSlot brings the texture of a slot in line and reports whether the slot changed.
func (e *Editor) lowerSlot(m *freelancer.Material, slot string, was, now *asset.TextureRef, to destination) (bool, error) {
	if now == nil || now.Texture == nil {
		if was == nil {
			return false, nil
		}
		m.Properties = slices.DeleteFunc(m.Properties, func(p freelancer.Property) bool {
			gone := freelancer.SameName(p.Name, slot+"_name") || freelancer.SameName(p.Name, slot+"_flags")
			if gone && m.Node != nil {
				m.Node.Remove(p.Node)
			}
			return gone
		})
		return true, nil
	}
	if to == left && rig.Values(now.Texture.Native) == nil {
		return true, nil // a new one goes where its material goes
	}
	name, err := e.lowerTexture(now.Texture, to)
	if err != nil {
		return false, err
	}
	if name == "" {
		return false, nil
	}
	if was != nil && textureName(was.Texture) == name && was.WrapS == now.WrapS && was.WrapT == now.WrapT && was.TexCoord == now.TexCoord {
		return false, nil
	}
	stored, old, there := m.Slot(slot)
	flags, fresh := old, was == nil || !there // where it is fresh, another slot shows what was, or nothing did
	if !there {
		flags = freelancer.TextureUsed
	}
	if fresh || was.WrapS != now.WrapS {
		flags = flags&^3 | address(now.WrapS)
	}
	if fresh || was.WrapT != now.WrapT {
		flags = flags&^(3<<2) | address(now.WrapT)<<2
	}
	if fresh || was.TexCoord != now.TexCoord {
		flags &^= freelancer.SecondUV
		if now.TexCoord == 1 && slot == "Et" {
			flags |= freelancer.SecondUV
		}
	}
	if fresh || textureName(was.Texture) != name {
		if x := e.texture(freelancer.FLCRC(stored)); x != nil && x.t.Animation != nil {
			e.told.Lossf("texture-still", m.Name, "it showed %q, whose pictures take turns, and shows one picture now: %q", stored, name)
		}
		m.Set(freelancer.Property{Name: slot + "_name", Kind: freelancer.TextProperty, Text: name})
	}
	if !there || flags != old {
		setLeading(m, freelancer.Property{Name: slot + "_flags", Kind: freelancer.WordProperty, Words: []uint32{uint32(flags)}})
	}
	return true, nil
}

// setLeading sets the first numbers of a property. Some files have more of them than the game reads, which stay.
func setLeading(m *freelancer.Material, p freelancer.Property) {
	if old := m.Property(p.Name); old != nil {
		p.Floats = append(p.Floats, old.Floats[min(len(p.Floats), len(old.Floats)):]...)
		p.Words = append(p.Words, old.Words[min(len(p.Words), len(old.Words)):]...)
	}
	m.Set(p)
}

func address(w asset.Wrap) freelancer.TextureFlags {
	switch w {
	case asset.Mirror:
		return freelancer.AddressMirror
	case asset.Clamp:
		return freelancer.AddressClamp
	}
	return freelancer.AddressRepeat
}

// textureName returns the name under which the texture of a file is stored.
func textureName(t *asset.Texture) string {
	if s, ok := rig.Values(t.Native)["name"].(string); ok {
		return s
	}
	return t.Name
}

// lowerTexture stores a texture whose picture changed or is new, and returns its name. Pictures that glTF cannot show
// have none.
func (e *Editor) lowerTexture(t *asset.Texture, to destination) (string, error) {
	name := textureName(t)
	if name == "" {
		name = "texture"
	}
	seen := texture.Fingerprint(t)
	if seen == "" {
		e.told.Warnf("texture-without-picture", name, "the texture has no picture that can be stored")
		return "", nil
	}
	values := rig.Values(t.Native)
	if values["picture"] == seen && (e.textures[freelancer.FLCRC(name)] != nil || values["own"] != float64(1)) {
		return name, nil
	}
	m := texture.RGBA(t)
	l := e.textures[freelancer.FLCRC(name)]
	foreign := values != nil && values["own"] != float64(1) && !(l != nil && l.own)
	if foreign && l != nil && e.destination(l.path, false) == left {
		e.tellLeft("texture", name, l.path)
		return name, nil
	}
	if l == nil || l.asset == nil || l.asset.Base() == nil {
		m = picture.PowerOfTwo(m)
	} else {
		m = texture.Fit(m, l.asset.Base().Width, l.asset.Base().Height)
	}
	if base := texture.RGBA(t); m.Width != base.Width || m.Height != base.Height {
		e.told.Lossf("texture-scaled", name, "%d x %d pixels become %d x %d: the game wants powers of two", base.Width, base.Height, m.Width, m.Height)
	}
	renamed := foreign && to == apart
	if foreign && !renamed {
		e.tellCopied(name, l)
	}
	if values != nil && l != nil && l.own {
		scene.SetShown(t.Native, "picture", seen)
		return name, texture.Update(l.t, m, e.env.Encoding(), e.env.Effort(), e.d)
	}
	kind := texture.NewKind(m, e.env.Encoding())
	switch {
	case renamed:
		name = e.freeTexture(e.stem+"_"+name, kind)
		e.told.Notef("texture-apart", textureName(t), "the texture was edited: this file gets one of its own called %q", name)
	case values == nil:
		name = e.freeTexture(name, kind)
	}
	if !foreign {
		l = nil
	}
	x, err := e.newTexture(name, m, kind, l)
	if err != nil {
		return "", err
	}
	if err := write.Texture(e.tree.Root, x); err != nil {
		return "", err
	}
	if foreign {
		e.took[name] = true
	}
	e.textures[freelancer.FLCRC(name)] = &storedTexture{t: x, own: true, asset: t}
	t.Native = textureNative(name, seen, 1)
	return name, nil
}

// newTexture makes a texture: of one that another file has, a copy in which only what was edited differs.
func (e *Editor) newTexture(name string, m *asset.Image, kind string, l *storedTexture) (*freelancer.TextureEntry, error) {
	if l == nil || l.bad || l.t.Form != freelancer.DDSTexture && l.t.Form != freelancer.TGATexture {
		return texture.New(name, m, kind, e.env.Effort(), e.d)
	}
	x := &freelancer.TextureEntry{Name: name, Form: l.t.Form}
	for _, leaf := range l.t.Leaves {
		x.Leaves = append(x.Leaves, freelancer.NewLeaf(leaf.Name, slices.Clone(leaf.Data)))
	}
	return x, texture.Update(x, m, e.env.Encoding(), e.env.Effort(), e.d)
}

// tellCopied tells where an edited picture of another file goes.
func (e *Editor) tellCopied(name string, l *storedTexture) {
	from := "a file that is not at hand"
	if l != nil && e.isBase(l.path) {
		return // it goes into a copy of that
	}
	if l != nil && l.path != "" {
		from = l.path
		e.tellShared(name, l.path, e.wearersOf(l.path).ofTexture(freelancer.FLCRC(name)))
	}
	e.told.Hint("; --shared chooses").Warnf("texture-copied", name, "the texture was edited and lies in %s, which stays as it is: the file made here gets an edited one of the same name, and which of the two the game shows depends on what it loads first", from)
}

// freeTexture returns a name for a new texture: what it is called, with the ending of its codec.
func (e *Editor) freeTexture(name, kind string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
	name = name[:min(len(name), 50)]
	full := name + texture.Ending(kind)
	for k := 2; e.textures[freelancer.FLCRC(full)] != nil; k++ {
		full = fmt.Sprintf("%s_%d%s", name, k, texture.Ending(kind))
	}
	return full
}
