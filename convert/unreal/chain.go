package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Textures that are frames of an animation name the next one (AnimNext): a chain, or a ring.

// maxChain is how many textures an animation may have.
const maxChain = 256

// link is a texture of a chain.
type link struct {
	owner   *pack.File
	export  int
	texture *unreal.Texture
}

// picture returns what a link shows in an animation of second lists, if comp is set, or of first ones.
func (l link) picture(comp bool) (*asset.Texture, error) {
	if texture.Second(l.texture, comp) {
		return texture.ListPicture(l.owner, l.texture, true)
	}
	return l.owner.Picture(l.texture)
}

// chain returns the textures that follow a texture, up to the end or to the first one that is there already.
func chain(f *pack.File, o *unreal.Texture) ([]link, error) {
	var links []link
	for owner, at := f, o; ; {
		next, i := owner.Resolve(at.Ref("AnimNext"))
		if next == nil || next == f && next.Context(i).Path == o.Path || slices.ContainsFunc(links, func(l link) bool { return l.owner == next && l.export == i }) {
			return links, nil
		}
		x, err := pack.As[unreal.Texture](next, i)
		switch {
		case err != nil:
			return nil, err
		case x == nil:
			return nil, schema.Errorf(textureName, schema.ErrMismatch, "AnimNext", "%s names %s, which is no texture", at.Path, owner.RefText(at.Ref("AnimNext")))
		case len(links)+1 >= maxChain:
			return nil, schema.Errorf(textureName, schema.ErrLimit, "AnimNext", "more than %d textures follow each other", maxChain)
		}
		links = append(links, link{next, i, x})
		owner, at = next, x
	}
}

// animate gives a texture the frames of its chain, of second lists if comp is set. They are true-colour pictures where their palettes
// differ.
func animate(t *asset.Texture, f *pack.File, o *unreal.Texture, comp bool) error {
	links, err := chain(f, o)
	if err != nil || len(links) == 0 {
		return err
	}
	frames := []*asset.Texture{t}
	for _, l := range links {
		x, err := l.picture(comp)
		if err != nil {
			return err
		}
		frames = append(frames, x)
	}
	palette := t.Palette
	plain := slices.ContainsFunc(frames, func(x *asset.Texture) bool { return !slices.Equal(x.Palette, palette) })
	var all []asset.Frame
	for _, x := range frames {
		frame := asset.Frame{Name: x.Name, Mips: []asset.Image{*x.Base()}}
		if plain {
			m, err := picture.RGBA(x.Base(), x.Palette)
			if err != nil {
				return err
			}
			frame.Mips[0] = m
		}
		all = append(all, frame)
	}
	if plain {
		t.Palette = nil
	}
	t.Frames, t.FPS = all, pack.Rate(o)
	return nil
}

// lowerChain stores the frames of an animation in the textures of a chain, but for the first one, which it returns.
func (a *archive) lowerChain(i int, t *asset.Texture, env *format.Env) (*asset.Texture, error) {
	if len(t.Frames) < 2 {
		return t, nil
	}
	o, links, err := a.chainOf(i)
	if err != nil {
		return nil, err
	}
	if len(links) == 0 {
		env.Told().Lossf("frames", t.Name, "the first of %d frames is taken: the texture is no animation, which would be a texture for each frame that names the next one (AnimNext)", len(t.Frames))
		return single(t, 0), nil
	}
	if len(links)+1 != len(t.Frames) {
		return nil, schema.Errorf(textureName, schema.ErrMismatch, "frames", "there are %d, and %s is an animation of %d textures: %s", len(t.Frames), o.Path, len(links)+1, namesOf(o, links))
	}
	for k, l := range links {
		if err := a.lowerLink(l, t, k+1, env); err != nil {
			return nil, err
		}
	}
	return single(t, 0), nil
}

// chainOf returns the texture of an export and those that follow it; none for one that is yet to be added.
func (a *archive) chainOf(i int) (*unreal.Texture, []link, error) {
	if i < 0 {
		return nil, nil, nil
	}
	o, err := pack.As[unreal.Texture](a.File, i)
	if err != nil || o == nil {
		return nil, nil, err
	}
	links, err := chain(a.File, o)
	return o, links, err
}

// lowerLink stores a frame in its texture, if somebody edited it.
func (a *archive) lowerLink(l link, t *asset.Texture, frame int, env *format.Env) error {
	comp := t.Native != nil && t.Native.Values[listKey] == listComp
	was, err := l.picture(comp)
	now := single(t, frame)
	if err == nil && now.Base() != nil && texture.Same(now, was) {
		return nil
	}
	switch {
	case err != nil:
		return err
	case l.owner == a.File && a.Exports[l.export].Data != nil: // the frame may be the old one as well
		env.Told().Warnf("edited-twice", l.texture.Path, "it was edited before in another file, which counts, and frame %d of %s shows it otherwise", frame, t.Name)
		return nil
	case l.owner != a.File:
		return schema.Errorf(textureName, schema.ErrUnsupported, "frames", "frame %d is %s, of another package: edit it there", frame, l.texture.Path)
	case texture.IsComputed(l.texture):
		return schema.Errorf(textureName, schema.ErrUnsupported, "frames", "frame %d is %s, which the engine computes: it has parameters, and no pixels", frame, l.texture.Path)
	}
	if err := a.Painter(env).Edit(l.texture, now, texture.Second(l.texture, comp)); err != nil {
		return err
	}
	if a.placed == nil {
		a.placed = map[int]bool{}
	}
	a.placed[l.export] = true
	return a.File.Store(l.export, l.texture)
}

// single returns a texture of one frame of another one.
func single(t *asset.Texture, frame int) *asset.Texture {
	out := *t
	out.Frames = t.Frames[frame : frame+1]
	return &out
}

// namesOf lists the textures of a chain.
func namesOf(o *unreal.Texture, links []link) string {
	names := []string{pack.LastName(o.Path)}
	for _, l := range links {
		names = append(names, pack.LastName(l.texture.Path))
	}
	return strings.Join(names, ", ")
}
