// Package look converts the look of meshes, brushes and levels: materials with poly flags and textures, and the outfits
// that actors put on them. It also reports what an edited look loses.
package look

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Name is the name of the format of vertex meshes. The Native of every material has it, whatever object uses the material.
const Name = "unreal-mesh"

// Skins makes the materials and textures of a scene. Equal ones are made once.
type Skins struct {
	Env   *format.Env
	Scene *asset.Scene // the scene that gets them

	pkg       *pack.File
	textures  map[pack.Link]*asset.Texture // nil for textures that are not at hand
	materials map[Skin]*asset.Material
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

// Tell reports in one line what is missing.
func (s *Skins) Tell() {
	m := s.missing
	if m.textures == 0 {
		return
	}
	slices.Sort(m.packages)
	plural := "s are"
	if m.textures == 1 {
		plural = " is"
	}
	s.Env.Told().Hint(": name the game's folder with --install").Warnf("texture-missing", s.Scene.Name, "%d texture%s not at hand, of the packages %s", m.textures, plural, strings.Join(m.packages, ", "))
}

// Skin is what determines a material.
type Skin struct {
	Texture unreal.Ref
	Index   int32 // in the mesh's texture list; −1 if not from there
	Flags   uint32
	Lit     bool      // it has light maps
	Worn    pack.Link // texture of an outfit, shown in place of Texture
}

// slot returns the texture that an outfit has for a material, or none where that keeps its own.
func slot(w *pack.Outfit, s Skin) pack.Link {
	switch {
	case s.Flags&unreal.PolyEnvironment != 0 && w.Texture.Ref != 0:
		return w.Texture
	case s.Index >= 0 && int(s.Index) < len(w.Multi) && w.Multi[s.Index].Ref != 0:
		return w.Multi[s.Index]
	case s.Index == 0 || s.Index > 0 && s.Texture == 0:
		return w.Skin
	}
	return pack.Link{}
}

// Dresser returns the skin for a material of a mesh. Different dressers apply different outfits.
type Dresser func(m *unreal.Mesh, x unreal.MeshMaterial) Skin

// Bare is the Dresser without an outfit.
func Bare(m *unreal.Mesh, x unreal.MeshMaterial) Skin {
	s := Skin{Index: x.Texture, Flags: x.Flags}
	if x.Texture >= 0 && int(x.Texture) < len(m.Textures) {
		s.Texture = m.Textures[x.Texture]
	}
	return s
}

// Dressed returns the Dresser for an outfit.
func Dressed(w *pack.Outfit) Dresser {
	return func(m *unreal.Mesh, x unreal.MeshMaterial) Skin {
		s := Bare(m, x)
		if w != nil {
			s.Worn = slot(w, s)
		}
		return s
	}
}

// Open returns the Dresser that applies an outfit only to materials for which the mesh has no texture.
func Open(w *pack.Outfit) Dresser {
	dressed := Dressed(w)
	return func(m *unreal.Mesh, x unreal.MeshMaterial) Skin {
		if s := Bare(m, x); s.Texture != 0 {
			return s
		}
		return dressed(m, x)
	}
}

// NewSkins returns an empty Skins for a scene of objects from a package.
func NewSkins(pkg *pack.File, s *asset.Scene, env *format.Env) *Skins {
	return &Skins{env, s, pkg, map[pack.Link]*asset.Texture{}, map[Skin]*asset.Material{}, new(missing)}
}

// Of returns the Skins for objects of another package in the same scene.
func (s *Skins) Of(pkg *pack.File) *Skins {
	other := NewSkins(pkg, s.Scene, s.Env)
	other.missing = s.missing
	return other
}

// Texture returns a texture of this package or another one at hand, or nil.
func (s *Skins) Texture(r unreal.Ref) *asset.Texture {
	return s.textureAt(pack.Link{Owner: s.pkg, Ref: r})
}

// textureAt returns a texture that any package names.
func (s *Skins) textureAt(k pack.Link) *asset.Texture {
	if t, known := s.textures[k]; known || k.Ref == 0 {
		return t
	}
	s.textures[k] = nil
	name := k.Owner.RefText(k.Ref)
	owner, i := k.Owner.Resolve(k.Ref)
	if owner == nil {
		s.Env.Told().Notef("texture-missing", name, "its package is not at hand")
		path, _ := k.Owner.Path(k.Ref)
		pkg, _, _ := strings.Cut(path, ".")
		s.missing.add(pkg)
		return nil
	}
	x, _ := pack.As[unreal.Texture](owner, i)
	if x == nil {
		return nil
	}
	t, err := owner.Picture(x)
	if err != nil {
		s.Env.Told().Notef("texture-without-pixels", name, "%v", err)
		return nil
	}
	s.textures[k] = t
	s.Scene.Textures = append(s.Scene.Textures, t)
	return t
}

// Material returns the material for a texture with poly flags (reference section 11.6).
func (s *Skins) Material(k Skin) *asset.Material {
	if m := s.materials[k]; m != nil {
		return m
	}
	shown := pack.Link{Owner: s.pkg, Ref: k.Texture}
	if k.Worn.Ref != 0 {
		shown = k.Worn
	}
	name := shown.Owner.ObjectName(shown.Ref)
	if name == "" {
		name = fmt.Sprintf("texture %d", k.Index)
	}
	m := asset.NewMaterial(name)
	s.materials[k] = m
	s.Scene.Materials = append(s.Scene.Materials, m)
	applyFlags(m, k.Flags)
	if t := s.textureAt(shown); t != nil {
		m.BaseColorTexture = &asset.TextureRef{Texture: t}
		if k.Flags&unreal.PolyNoSmooth != 0 {
			m.BaseColorTexture.Filter = asset.Nearest
		}
		if t.Alpha == asset.Mask && m.Alpha == asset.Opaque {
			m.Alpha = asset.Mask
		}
	}
	m.Absent = shown.Ref != 0 && m.BaseColorTexture == nil
	flags := []any{}
	for _, f := range unreal.FlagNames(k.Flags, unreal.PolyFlags) {
		flags = append(flags, f)
	}
	values := fields(&k.Flags).Values()
	values[scene.ReadOnly] = map[string]any{"flags": flags, textureKey: s.pkg.RefText(k.Texture), "textureIndex": float64(k.Index)}
	m.Native = &asset.Native{Format: Name, Values: values}
	scene.SetMix(m, mixOf(k.Flags))
	if k.Worn.Ref != 0 {
		scene.SetShown(m.Native, "skin", shown.Owner.RefText(shown.Ref)) // of the class or actor: not the mesh's own
	}
	return m
}

// fields are those of a material that a person may edit.
func fields(polyFlags *uint32) scene.Fields { return scene.Fields{"polyFlags": polyFlags} }

// Check returns an error if the native values of a scene's materials do not fit their fields.
func Check(s *asset.Scene) error {
	for _, m := range s.Materials {
		var flags uint32
		if err := fields(&flags).Take(Name, m.Name, m.Native); err != nil {
			return err
		}
	}
	return nil
}

// SeenFlags are the poly flags that materials show.
const SeenFlags = unreal.PolyTwoSided | unreal.PolyUnlit | unreal.PolyInvisible | unreal.PolyTranslucent | unreal.PolyMasked | unreal.PolyNoSmooth

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

// mixOf returns what poly flags say of the mix. Masked surfaces have holes, and hide what is behind the rest.
func mixOf(flags uint32) scene.Mix {
	switch {
	case flags&unreal.PolyInvisible != 0:
		return scene.Over
	case flags&unreal.PolyTranslucent != 0:
		return scene.Screen
	case flags&unreal.PolyMasked == 0 && flags&unreal.PolyModulated != 0:
		return scene.Modulate
	}
	return scene.Over
}

// FlagsOf returns the poly flags of a material: those from its Native, changed where the visible look was edited. A number that
// was edited counts where the look was not.
func FlagsOf(m *asset.Material) uint32 {
	if m == nil {
		return 0
	}
	flags := shownFlags(m, 0) // where the number is gone
	if m.Native != nil {
		if x, ok := scene.Number(m.Native.Values["polyFlags"]); ok && x >= 0 && x < 1<<32 {
			flags = uint32(x)
		}
	}
	was := asset.NewMaterial("")
	applyFlags(was, shownFlags(m, flags))
	masked := m.BaseColorTexture != nil && m.BaseColorTexture.Texture != nil && m.BaseColorTexture.Texture.Alpha == asset.Mask
	if was.Alpha == asset.Opaque && masked {
		was.Alpha = asset.Mask // the texture itself is masked
	}
	if m.Alpha != was.Alpha {
		flags &^= unreal.PolyTranslucent | unreal.PolyMasked
		switch {
		case m.Alpha == asset.Blend && flags&unreal.PolyInvisible == 0: // what is invisible is shown as blended with nothing
			flags |= unreal.PolyTranslucent
		case m.Alpha == asset.Mask:
			flags |= unreal.PolyMasked
		}
	}
	flags = edited(flags, unreal.PolyTwoSided, was.DoubleSided, m.DoubleSided)
	if t := m.BaseColorTexture; t != nil && t.Texture != nil {
		flags = edited(flags, unreal.PolyNoSmooth, shownFlags(m, flags)&unreal.PolyNoSmooth != 0, t.Filter == asset.Nearest)
	}
	return edited(flags, unreal.PolyUnlit, was.Unlit, m.Unlit)
}

// showFlags lets materials whose number of poly flags was edited look as it says.
func showFlags(s *asset.Scene) {
	for _, m := range s.Materials {
		if m.Native == nil {
			continue
		}
		flags := FlagsOf(m)
		x, ok := scene.Number(m.Native.Values["polyFlags"])
		if was := shownFlags(m, flags); !ok || was == uint32(x) || was == flags {
			continue
		} else if was&unreal.PolyInvisible != 0 {
			m.BaseColor[3] = 1
		}
		m.Alpha = asset.Opaque
		if t := m.BaseColorTexture; scene.Used(t) {
			if t.Texture.Alpha == asset.Mask {
				m.Alpha = asset.Mask
			}
			if (t.Filter == asset.Nearest) != (flags&unreal.PolyNoSmooth != 0) {
				t.Filter = asset.Unset
				if flags&unreal.PolyNoSmooth != 0 {
					t.Filter = asset.Nearest
				}
			}
		}
		applyFlags(m, flags)
	}
}

// shownFlags returns the poly flags that a material was shown with, by their names; flags where those are not at hand.
func shownFlags(m *asset.Material, flags uint32) uint32 {
	if m.Native == nil {
		return flags
	}
	list, ok := scene.Shown(m.Native, "flags").([]any)
	if !ok {
		return flags
	}
	var names []string
	for _, x := range list {
		name, _ := x.(string)
		names = append(names, name)
	}
	if bits, _, ok := unreal.FlagBits(names, unreal.PolyFlags); ok {
		return bits
	}
	return flags
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

// TextureIndex returns the index of a material's texture in the texture list of its mesh, or −1.
func TextureIndex(m *asset.Material) int32 {
	if m != nil && m.Native != nil {
		if n, ok := pack.Whole32(scene.Shown(m.Native, "textureIndex")); ok {
			return n
		}
	}
	return -1
}

// TextureText returns how a material names its texture, as [pack.File.RefText] has it; empty if it does not.
func TextureText(m *asset.Material) string {
	if m == nil {
		return ""
	}
	return scene.ShownText(m.Native, textureKey)
}

// TextureNumber tells materials apart that name other textures: it returns [TextureIndex] or, where there is none, a number below
// −1 made of the name.
func TextureNumber(m *asset.Material) int32 {
	n, text := TextureIndex(m), TextureText(m)
	if n >= 0 || text == "" {
		return n
	}
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(text)))
	return -2 - int32(h.Sum32()&0x3FFFFFFF)
}

const textureKey = "texture"
