package ultimate3d

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

func (l *lifter) materials() error {
	for i, m := range l.m.Materials {
		payload, err := materialPayload(m)
		if err != nil {
			return err
		}
		where := fmt.Sprintf("material %d", i)
		ambientFirst := l.env.Options.Ultimate3D.AmbientFirst
		a := look(m, ambientFirst)
		a.Native = native(materialFields(m).Values(), payload)
		scene.SetShown(a.Native, keyMaterial, float64(i))
		if ambientFirst {
			scene.SetShown(a.Native, keyAmbientFirst, 1.0)
		}
		l.report(m, where)
		if t := l.texture(m, where); t != nil {
			coordinates, generated := texCoordSet(m.TexCoordSet[0])
			if generated {
				l.d.Lossf("generated-coordinates", where, "the texture coordinates of %q are made by the engine; the texture is not shown", t.URI)
			} else {
				scene.SetShown(a.Native, keyPicture, pictureMark(t))
				a.BaseColorTexture = &asset.TextureRef{Texture: t, TexCoord: max(0, l.setIndex(coordinates))}
			}
		} else if t := m.Textures[0]; t != nil && t.Type == ultimate3d.ImageTexture {
			a.Absent = true
		}
		a.Alpha = alphaOf(a, l.m.AlphaBlending.True())
		if a.Alpha == asset.Mask {
			a.AlphaCutoff = 1
		}
		l.scene.Materials = append(l.scene.Materials, a)
	}
	return nil
}

// report tells what of a material glTF cannot show.
func (l *lifter) report(m *ultimate3d.Material, where string) {
	if m.EffectUsed.True() {
		l.d.Lossf("effect", where, "%q has a shader, which is kept but not converted", m.Name)
	}
	for k, t := range m.Textures {
		switch {
		case t == nil || k == 0 && t.Type == ultimate3d.ImageTexture || t.Type == ultimate3d.NoFileTexture:
		default:
			l.d.Lossf("texture-stage", where, "stage %d (%s %q) is kept but not shown", k, textureKinds[min(t.Type, 3)], t.Identifier)
		}
	}
}

var textureKinds = [...]string{"texture", "height map", "cube map", "render target"}

// texCoordSet takes a coordinate index apart: the set, and whether the engine makes the coordinates itself.
func texCoordSet(index ultimate3d.TexCoordIndex) (set int, generated bool) {
	set = int(index & 0xFFFF)
	if set > 7 {
		set = 0
	}
	return set, index>>16 != 0
}

// look returns the asset material of a stored one, without its textures (reference section 8.3).
func look(m *ultimate3d.Material, ambientFirst bool) *asset.Material {
	a := asset.NewMaterial(m.Name)
	diffuse := m.Diffuse
	if ambientFirst {
		diffuse = m.Ambient
	}
	c := linearRGB(diffuse)
	a.BaseColor = [4]float32{c[0], c[1], c[2], clamp01(diffuse[3])}
	a.Emissive = linearRGB(m.Emissive)
	a.Specular = &asset.Specular{Factor: 0, Color: linearRGB(m.Specular)}
	if a.Specular.Color != [3]float32{} {
		a.Specular.Factor = 1
		a.Roughness = roughness(m.SpecularPower)
	}
	return a
}

// roughness is glTF's measure of a Blinn-Phong exponent; power is its inverse.
func roughness(power float32) float32 {
	p := float64(power)
	if !(p > 0) {
		return 1
	}
	return float32(math.Pow(2/(p+2), 0.25))
}

func power(roughness float32) float32 {
	r := max(float64(roughness), 0.02)
	return float32(max(2/(r*r*r*r)-2, 0))
}

func clamp01(v float32) float32 {
	if v != v {
		return 0
	}
	return min(max(v, 0), 1)
}

// alphaOf decides what alpha does: without blending the engine hides everything that is not fully opaque.
func alphaOf(a *asset.Material, blending bool) asset.AlphaMode {
	pixels := a.BaseColorTexture != nil && a.BaseColorTexture.Texture.Alpha != asset.Opaque
	switch {
	case blending && (pixels || a.BaseColor[3] < 1):
		return asset.Blend
	case !blending && pixels:
		return asset.Mask
	}
	return asset.Opaque
}

// texture returns the picture of a material's first stage, nil when there is none. Whether it lies in the file or
// beside it, each is decoded once.
func (l *lifter) texture(m *ultimate3d.Material, where string) *asset.Texture {
	t := m.Textures[0]
	if t == nil || t.Type != ultimate3d.ImageTexture {
		return nil
	}
	if m.ExportResources.True() {
		return l.embedded(t, where)
	}
	key := strings.ToLower(t.Identifier + "\x00" + t.File)
	if known, ok := l.textures[key]; ok {
		return known
	}
	l.textures[key] = nil
	b, found, err := l.env.Find(textureNames(t)...)
	if err != nil {
		l.d.Warnf("texture-missing", where, "texture %q was not found beside the model", t.Identifier)
		return nil
	}
	l.textures[key] = l.decode(found, t.Identifier, b, where)
	return l.textures[key]
}

func (l *lifter) embedded(t *ultimate3d.Texture, where string) *asset.Texture {
	key := "\x00" + string(t.Content)
	if known, ok := l.textures[key]; ok {
		return known
	}
	l.textures[key] = nil
	if len(t.Content) == 0 {
		l.d.Warnf("texture-missing", where, "texture %q is said to be in the file, but has no content", t.Identifier)
		return nil
	}
	l.textures[key] = l.decode(t.Identifier, t.Identifier, t.Content, where)
	return l.textures[key]
}

// decode turns a picture file into a texture that goes into the scene. PNG and JPEG files are kept as they are, others
// become PNG.
func (l *lifter) decode(name, identifier string, b []byte, where string) *asset.Texture {
	a, err := picture.DecodeImage(name, b)
	if err != nil {
		l.d.Warnf("texture-unreadable", where, "texture %q: %v", identifier, err)
		return nil
	}
	if a.File.Encoding != "png" && a.File.Encoding != "jpeg" {
		a.File = nil
	}
	a.Name, a.URI = textureStem(identifier), identifier
	l.scene.Textures = append(l.scene.Textures, a)
	return a
}

func slashes(name string) string { return strings.ReplaceAll(name, `\`, "/") }

func textureStem(identifier string) string {
	base := path.Base(slashes(identifier))
	return strings.TrimSuffix(base, path.Ext(base))
}

// textureExtensions are tried when a file is not there under its own name.
var textureExtensions = [...]string{".png", ".jpg", ".jpeg", ".bmp", ".tga", ".dds"}

// textureNames returns the names under which a texture's file may be found, likeliest first.
func textureNames(t *ultimate3d.Texture) []string {
	var names []string
	for _, n := range []string{t.Identifier, t.File} {
		if n = strings.TrimSpace(slashes(n)); n == "" {
			continue
		}
		if len(n) > 2 && n[1] == ':' {
			n = n[2:] // a drive
		}
		names = append(names, strings.TrimLeft(n, "/"))
	}
	for _, n := range names[:len(names):len(names)] {
		stem := strings.TrimSuffix(n, path.Ext(n))
		names = append(names, "textures/"+path.Base(n))
		for _, ext := range textureExtensions {
			names = append(names, stem+ext)
		}
		for _, ext := range textureExtensions {
			names = append(names, "textures/"+path.Base(stem)+ext)
		}
	}
	return names
}

// pictureMark tells pictures apart: a hash of the file, and one of what it shows, since editors write the same picture
// as another file and decoders of JPEG differ in their last bits.
func pictureMark(t *asset.Texture) string {
	var file string
	if t.File != nil {
		file = hashOf(t.File.Data)
	}
	if b := t.Base(); b != nil {
		if m, err := picture.RGBA(b, t.Palette); err == nil {
			return file + " " + hashOf(fmt.Appendf(nil, "%d %d ", m.Width, m.Height), m.Pix)
		}
	}
	return file + " "
}

func hashOf(parts ...[]byte) string {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// samePicture reports whether a texture still shows what it did when its mark was made.
func samePicture(t *asset.Texture, mark string) bool {
	file, pixels, _ := strings.Cut(mark, " ")
	nowFile, nowPixels, _ := strings.Cut(pictureMark(t), " ")
	return file != "" && file == nowFile || pixels != "" && pixels == nowPixels
}
