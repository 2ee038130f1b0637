package unreal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// skins collects the materials and textures of a scene.
type skins struct {
	a         *archive
	env       *format.Env
	scene     *asset.Scene
	textures  map[link]*asset.Texture // nil for those that are not at hand
	materials map[skin]*asset.Material
	missing   *missing
}

// missing are the textures that a scene should show and that are not at hand, counted by their packages.
type missing struct {
	packages []string
	textures int
}

func (m *missing) add(pkg string) {
	m.textures++
	if !slices.ContainsFunc(m.packages, func(s string) bool { return strings.EqualFold(s, pkg) }) {
		m.packages = append(m.packages, pkg)
	}
}

// tell says in one line what is missing.
func (s *skins) tell() {
	m := s.missing
	if m.textures == 0 {
		return
	}
	slices.Sort(m.packages)
	plural := "s are"
	if m.textures == 1 {
		plural = " is"
	}
	s.env.Told().Warnf("texture-missing", s.scene.Name, "%d texture%s not at hand, of the packages %s: name the game's folder with --install", m.textures, plural, strings.Join(m.packages, ", "))
}

// skin is a material by what it is made of.
type skin struct {
	texture unreal.Ref
	index   int32 // in the mesh's texture list; −1 where there is none
	flags   uint32
	lit     bool // with light maps
	worn    link // shown in place of the texture
}

func newSkins(a *archive, s *asset.Scene, env *format.Env) *skins {
	return &skins{a, env, s, map[link]*asset.Texture{}, map[skin]*asset.Material{}, new(missing)}
}

// texture returns a texture of this package, or of another one that is at hand.
func (s *skins) texture(r unreal.Ref) *asset.Texture { return s.textureAt(link{s.a, r}) }

// textureAt returns a texture that any package names.
func (s *skins) textureAt(k link) *asset.Texture {
	if t, known := s.textures[k]; known || k.ref == 0 {
		return t
	}
	s.textures[k] = nil
	name := refText(k.owner.p, k.ref)
	owner, i := k.owner.resolve(k.ref)
	if owner == nil {
		s.env.Told().Notef("texture-missing", name, "its package is not at hand")
		path, _ := k.owner.p.Path(k.ref)
		pkg, _, _ := strings.Cut(path, ".")
		s.missing.add(pkg)
		return nil
	}
	o, err := owner.object(i)
	if err != nil {
		return nil
	}
	x, ok := o.(*unreal.Texture)
	if !ok {
		return nil
	}
	t, err := texture.Picture(owner, x)
	if err != nil {
		s.env.Told().Notef("texture-without-pixels", name, "%v", err)
		return nil
	}
	s.textures[k] = t
	s.scene.Textures = append(s.scene.Textures, t)
	return t
}

// material returns the material for a texture with poly flags (reference section 11.6).
func (s *skins) material(k skin) *asset.Material {
	if m := s.materials[k]; m != nil {
		return m
	}
	shown := link{s.a, k.texture}
	if k.worn.ref != 0 {
		shown = k.worn
	}
	name := shown.owner.p.ObjectName(shown.ref)
	if name == "" {
		name = fmt.Sprintf("texture %d", k.index)
	}
	m := asset.NewMaterial(name)
	s.materials[k] = m
	s.scene.Materials = append(s.scene.Materials, m)
	applyFlags(m, k.flags)
	if t := s.textureAt(shown); t != nil {
		m.BaseColorTexture = &asset.TextureRef{Texture: t}
		if k.flags&unreal.PolyNoSmooth != 0 {
			m.BaseColorTexture.Filter = asset.Nearest
		}
		if t.Alpha == asset.Mask && m.Alpha == asset.Opaque {
			m.Alpha = asset.Mask
		}
	}
	flags := []any{}
	for _, f := range unreal.FlagNames(k.flags, unreal.PolyFlags) {
		flags = append(flags, f)
	}
	m.Native = &asset.Native{Format: meshName, Values: map[string]any{
		"polyFlags": float64(k.flags), "flags": flags, "texture": refText(s.a.p, k.texture), "textureIndex": float64(k.index),
	}}
	if k.worn.ref != 0 {
		m.Native.Values["skin"] = refText(shown.owner.p, shown.ref) // of the class or actor: not the mesh's own
	}
	return m
}

// applyFlags shows poly flags as far as materials can.
func applyFlags(m *asset.Material, flags uint32) {
	m.DoubleSided = flags&unreal.PolyTwoSided != 0
	m.Unlit = flags&unreal.PolyUnlit != 0
	switch {
	case flags&unreal.PolyInvisible != 0:
		m.Alpha, m.BaseColor[3] = asset.Blend, 0
	case flags&unreal.PolyTranslucent != 0:
		m.Alpha = asset.Blend
	case flags&unreal.PolyMasked != 0:
		m.Alpha = asset.Mask
	}
}

// flagsOf returns the poly flags of a material: those that lift left, changed where what is seen of them was edited.
func flagsOf(m *asset.Material) uint32 {
	if m == nil {
		return 0
	}
	flags := uint32(0)
	if m.Native != nil {
		if x, ok := number(m.Native.Values["polyFlags"]); ok && x >= 0 && x < 1<<32 {
			flags = uint32(x)
		}
	}
	was := asset.NewMaterial("")
	applyFlags(was, flags)
	masked := m.BaseColorTexture != nil && m.BaseColorTexture.Texture != nil && m.BaseColorTexture.Texture.Alpha == asset.Mask
	if was.Alpha == asset.Opaque && masked {
		was.Alpha = asset.Mask // the texture itself is masked
	}
	if m.Alpha != was.Alpha {
		flags &^= unreal.PolyTranslucent | unreal.PolyMasked
		switch m.Alpha {
		case asset.Blend:
			flags |= unreal.PolyTranslucent
		case asset.Mask:
			flags |= unreal.PolyMasked
		}
	}
	flags = edited(flags, unreal.PolyTwoSided, was.DoubleSided, m.DoubleSided)
	return edited(flags, unreal.PolyUnlit, was.Unlit, m.Unlit)
}

// edited sets a flag to what a material shows now, if that was changed.
func edited(flags, bit uint32, was, is bool) uint32 {
	switch {
	case was == is:
		return flags
	case is:
		return flags | bit
	}
	return flags &^ bit
}
