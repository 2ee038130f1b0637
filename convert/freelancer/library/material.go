package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// Material returns the material with a hash. If no file at hand has it, the material is called by the hash and marked as
// [asset.Material.Absent].
func (l *Library) Material(crc uint32) *asset.Material {
	e := l.findMaterial(crc)
	if e == nil {
		e = &material{asset: asset.NewMaterial(fmt.Sprintf("0x%08X", crc))}
		e.asset.Absent = true
		e.asset.Native = rig.Native(scene.ForReading(map[string]any{"crc": fmt.Sprintf("0x%08X", crc), "look": lookOf(e.asset), "drawn": drawnOf(e.asset)}))
		l.materials[crc] = e
		l.scene.Materials = append(l.scene.Materials, e.asset)
		l.missing = append(l.missing, e.asset.Name)
	}
	if e.asset == nil {
		e.asset = l.liftMaterial(e.m)
		if scene.SetShown(e.asset.Native, "own", flag(e.own)); !e.own {
			scene.SetShown(e.asset.Native, "look", lookOf(e.asset))
			scene.SetShown(e.asset.Native, "drawn", drawnOf(e.asset))
			if numbers := numbersOf(e.asset); numbers != "" {
				scene.SetShown(e.asset.Native, numbersKey, numbers)
			}
		}
		l.scene.Materials = append(l.scene.Materials, e.asset)
	}
	return e.asset
}

// textureNative is what a texture remembers: its name in the library, the look of its picture, and whether it is the model's
// own.
func textureNative(name, picture string, own float64) *asset.Native {
	n := rig.Native(map[string]any{"name": name})
	scene.SetShown(n, "picture", picture)
	scene.SetShown(n, "own", own)
	return n
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// liftMaterial turns the inputs that glTF knows into its terms; the type and what else there is stay in the file.
func (l *Library) liftMaterial(s *freelancer.Material) *asset.Material {
	a := asset.NewMaterial(s.Name)
	values := numberFields(s).Values()
	values["type"], values["name"] = s.Type, s.Name
	a.Native = rig.Native(values)
	if c, ok := s.Color("Dc"); ok {
		for i := range c {
			a.BaseColor[i] = scene.Linear(min(max(c[i], 0), 1))
		}
	}
	a.BaseColor[3] = opacityOf(s)
	if a.Air = isAir(s.Type); !a.Air {
		l.liftPictures(a, s)
	}
	if c, ok := s.Color("Ec"); ok {
		for i := range c {
			a.Emissive[i] = scene.Linear(min(max(c[i], 0), 1))
		}
	} else if a.EmissiveTexture != nil {
		a.Emissive = [3]float32{1, 1, 1}
	}
	if transparent(s.Type) {
		a.Alpha = asset.Blend
	}
	a.DoubleSided = slices.Contains(freelancer.Tokens(s.Type), "Two") || strings.HasSuffix(s.Type, "Two")
	return a
}

// liftPictures gives a material the textures that it shows.
func (l *Library) liftPictures(a *asset.Material, s *freelancer.Material) {
	a.BaseColorTexture = l.textureRef(s, "Dt")
	a.EmissiveTexture = l.textureRef(s, "Et")
	if a.BaseColorTexture == nil && a.EmissiveTexture == nil {
		for _, slot := range otherSlots {
			if a.BaseColorTexture = l.textureRef(s, slot); a.BaseColorTexture != nil {
				break
			}
		}
	}
	if name, _, ok := s.Slot("Dt"); ok && name != "" && a.BaseColorTexture == nil {
		a.Absent = true
	}
}

// otherSlots are the textures that a material shows which has none of its own colour.
var otherSlots = [...]string{"Nt", "Dm", "Dm0", "Bt"}

// transparent reports whether a shader blends.
func transparent(typ string) bool {
	tokens := freelancer.Tokens(typ)
	if slices.Contains(tokens, "Ot") || slices.Contains(tokens, "Oc") {
		return true
	}
	for _, part := range [...]string{"Glass", "Nebula", "HUD", "Atmosphere", "ExclusionZone", "Nomad"} {
		if strings.Contains(typ, part) {
			return true
		}
	}
	return false
}

// textureRef returns the use of a texture in a slot; nil when the slot is empty or the texture not at hand.
func (l *Library) textureRef(s *freelancer.Material, slot string) *asset.TextureRef {
	name, flags, ok := s.Slot(slot)
	if !ok || name == "" {
		return nil
	}
	t := l.picture(name)
	if t == nil {
		l.d.Warnf("texture-missing", s.Name, "the texture %q is in none of the files at hand", name)
		return nil
	}
	r := &asset.TextureRef{Texture: t, WrapS: wrap(flags.U()), WrapT: wrap(flags.V())}
	if flags&freelancer.SecondUV != 0 && (slot == "Et" || slot == "Bt") {
		r.TexCoord = 1
	}
	return r
}

func wrap(f freelancer.TextureFlags) asset.Wrap {
	switch f {
	case freelancer.AddressMirror:
		return asset.Mirror
	case freelancer.AddressClamp, freelancer.AddressOnce:
		return asset.Clamp
	}
	return asset.Repeat
}

// picture returns a texture by name; of an animated one the texture of its first frame.
func (l *Library) picture(name string) *asset.Texture {
	e := l.texture(freelancer.FLCRC(name))
	if e == nil {
		return nil
	}
	if frames := framesOf(e.t); len(frames) > 0 {
		frame := l.texture(freelancer.FLCRC(frames[0]))
		if frame == nil || frame.t.Animation != nil {
			return nil
		}
		e = frame
	}
	if e.asset != nil || e.bad {
		return e.asset
	}
	a, err := texture.Lift(e.t, e.d)
	if err != nil {
		e.bad = true
		l.d.Warnf("texture-unreadable", name, "%v", err)
		return nil
	}
	a.Native = textureNative(a.Name, texture.Fingerprint(a), flag(e.own))
	e.asset = a
	l.scene.Textures = append(l.scene.Textures, a)
	return a
}

// Named returns the material with a name.
func (l *Library) Named(name string) *asset.Material {
	crc := freelancer.FLCRC(name)
	if l.findMaterial(crc) == nil {
		l.materials[crc] = &material{m: &freelancer.Material{Name: name}, nameOnly: true}
		l.missing = append(l.missing, name)
	}
	return l.Material(crc)
}

// lookAlpha is where lookOf has how a material uses alpha, after its colours.
const lookAlpha = 7

// lookOf returns what a material of another file looks like, so that an edit is noticed where that file is not at hand:
// colour and opacity, light, then how it blends and whether it has two sides.
func lookOf(a *asset.Material) []any {
	look := scene.List(a.BaseColor[:])
	look = append(look, scene.List(a.Emissive[:])...)
	return append(look, float64(a.Alpha), flag(a.DoubleSided))
}

// drawnOf returns the shader of a material, and what it says of its textures.
func drawnOf(a *asset.Material) string {
	s, _ := rig.Values(a.Native)["type"].(string)
	for _, r := range texturesOf(a) {
		s += "|"
		if r != nil && r.Texture != nil {
			s += fmt.Sprintf("%s %d %d %d", textureName(r.Texture), r.WrapS, r.WrapT, r.TexCoord)
		}
	}
	return s
}

// texturesOf returns the two textures that a material shows here, which may be nil.
func texturesOf(a *asset.Material) [2]*asset.TextureRef {
	return [...]*asset.TextureRef{a.BaseColorTexture, a.EmissiveTexture}
}

// animationKey is where a material keeps how its texture coordinates move: nine numbers a step.
const animationKey = "textureAnimation"

// LiftAnimations adds the animation of texture coordinates to materials. It rides in extras, since glTF has no place for
// it.
func (l *Library) LiftAnimations(root *freelancer.Node) error {
	anims, err := read.MaterialAnims(root, l.d)
	if err != nil {
		return err
	}
	for _, a := range anims {
		e := l.materials[freelancer.FLCRC(a.Material)]
		if e == nil || e.asset == nil {
			continue
		}
		var rows []any
		for _, s := range a.Segments {
			rows = append(rows, rig.Finite(append(append([]float32{s.Duration}, s.Speed[:]...), s.Key[:]...))...)
		}
		if len(rows) > 0 && len(rows) == 9*len(a.Segments) {
			e.asset.Native.Values[animationKey] = rows
		}
	}
	return nil
}

// Report reports which files were used, and which materials are missing: by hash, and by name if the user's list has it.
func (l *Library) Report() {
	l.around.report()
	n := len(l.missing)
	if n == 0 {
		return
	}
	names := voice.Hashes(l.env)
	list := slices.Clone(l.missing[:min(n, 3)])
	for i, x := range list {
		if crc, ok := freelancer.ParseHash(x); ok && names[uint32(crc)] != "" {
			list[i] = fmt.Sprintf("%s %q", x, names[uint32(crc)])
		}
	}
	text := strings.Join(list, ", ")
	if n > 3 {
		text += ", …"
	}
	where := l.around.places()
	if where != "" {
		where = " in " + where + ","
	}
	l.d.Hint("; --with FILE or FOLDER, or --install FOLDER says where to look").Warnf("material-missing", l.env.Name, "%s not found%s nor in files of the model's name: %s", schema.Counted(n, "material", "materials"), where, text)
}
