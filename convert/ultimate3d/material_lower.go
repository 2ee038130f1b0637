package ultimate3d

import (
	"bytes"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// material returns the stored form of an asset material: the one that it was lifted from with what was edited, or a
// new one.
func (l *lowerer) material(a *asset.Material) (*ultimate3d.Material, error) {
	if a == nil {
		a = asset.NewMaterial("default")
	}
	where := fmt.Sprintf("material %q", a.Name)
	if m := l.materialOf(a.Native, where); m != nil {
		return m, l.editedMaterial(m, a, where)
	}
	m := &ultimate3d.Material{Name: a.Name, ColorOp: [8]ultimate3d.ColorOp{1, 1, 1, 1, 1, 1, 1, 1}}
	m.ColorOp[0] = ultimate3d.OpSelectArg2
	c := displayRGB([3]float32(a.BaseColor[:3]))
	m.Diffuse = [4]float32{c[0], c[1], c[2], a.BaseColor[3]}
	m.Ambient = m.Diffuse
	setRGB(&m.Emissive, displayRGB(emissiveOf(a)))
	m.Emissive[3], m.Specular[3] = 1, 1
	if a.Specular != nil {
		setRGB(&m.Specular, displayRGB(specularOf(a)))
		m.SpecularPower = power(a.Roughness)
	}
	if a.BaseColorTexture == nil {
		return m, nil
	}
	m.ColorOp[0] = ultimate3d.OpModulate2X
	m.TexCoordSet[0] = ultimate3d.TexCoordIndex(min(a.BaseColorTexture.TexCoord, 7))
	m.ExportResources = ultimate3d.BoolOf(l.env.Options.Ultimate3D.Embed)
	return m, l.setTexture(m, a.BaseColorTexture.Texture, where)
}

func setRGB(c *[4]float32, rgb [3]float32) { copy(c[:3], rgb[:]) }

func emissiveOf(a *asset.Material) (c [3]float32) {
	for k := range c {
		c[k] = a.Emissive[k] * a.EmissiveStrength
	}
	return c
}

func specularOf(a *asset.Material) (c [3]float32) {
	for k := range c {
		c[k] = a.Specular.Color[k] * a.Specular.Factor
	}
	return c
}

// colorTolerance is how far a linear colour may be off and still be the same.
const colorTolerance = 2e-5

// editedMaterial takes over what differs between a material and what its original looks like.
func (l *lowerer) editedMaterial(m *ultimate3d.Material, a *asset.Material, where string) error {
	ambientFirst := number(a.Native, keyAmbientFirst) > 0
	was := look(m, ambientFirst)
	if err := materialFields(m).Take(ultimate3d.FormatName, where, a.Native); err != nil {
		return err
	}
	if scene.Renamed(m.Name, a.Name) {
		m.Name = a.Name
	}
	diffuse := &m.Diffuse
	if ambientFirst {
		diffuse = &m.Ambient
	}
	editColor(diffuse[:3], [3]float32(a.BaseColor[:3]), [3]float32(was.BaseColor[:3]))
	if math.Abs(float64(a.BaseColor[3]-was.BaseColor[3])) > colorTolerance {
		diffuse[3] = a.BaseColor[3]
	}
	editColor(m.Emissive[:3], emissiveOf(a), was.Emissive)
	if a.Specular != nil {
		editColor(m.Specular[:3], specularOf(a), specularOf(was))
	}
	if math.Abs(float64(a.Roughness-was.Roughness)) > 1e-4 {
		m.SpecularPower = power(a.Roughness)
	}
	return l.editedTexture(m, a, where)
}

// editColor takes over the components of a colour that changed.
func editColor(stored []float32, now, was [3]float32) {
	for k := range now {
		if !(math.Abs(float64(now[k])-float64(was[k])) <= colorTolerance) {
			stored[k] = scene.Display(now[k])
		}
	}
}

// editedTexture takes over another picture in the first stage, or none.
func (l *lowerer) editedTexture(m *ultimate3d.Material, a *asset.Material, where string) error {
	mark, shown := scene.Shown(a.Native, keyPicture).(string)
	switch {
	case a.BaseColorTexture == nil && shown:
		m.Textures[0], m.ColorOp[0] = nil, ultimate3d.OpSelectArg2
	case a.BaseColorTexture == nil || m.Opaque:
	case !shown:
		if m.Textures[0] == nil {
			m.ColorOp[0] = ultimate3d.OpModulate2X
		}
		m.TexCoordSet[0] = ultimate3d.TexCoordIndex(min(a.BaseColorTexture.TexCoord, 7))
		return l.setTexture(m, a.BaseColorTexture.Texture, where)
	case !samePicture(a.BaseColorTexture.Texture, mark):
		return l.setTexture(m, a.BaseColorTexture.Texture, where)
	case l.env.Options.Ultimate3D.Embed && !m.ExportResources.True():
		return l.embed(m, a.BaseColorTexture.Texture, where)
	}
	return nil
}

// embed puts the textures of a stored material into the file, which can be done when the only one is at hand.
func (l *lowerer) embed(m *ultimate3d.Material, t *asset.Texture, where string) error {
	for k, other := range m.Textures {
		if k > 0 && other != nil || m.EffectUsed.True() {
			l.d.Warnf("not-embedded", where, "the material has textures or shaders that are not at hand; it keeps its references")
			return nil
		}
	}
	m.ExportResources = ultimate3d.True
	return l.setTexture(m, t, where)
}

// setTexture gives a material its picture, inside the file or beside it.
func (l *lowerer) setTexture(m *ultimate3d.Material, t *asset.Texture, where string) error {
	content, ext, err := pictureFile(t)
	if err != nil {
		return schema.In(where, err)
	}
	if content == nil {
		l.d.Warnf("texture-missing", where, "texture %q has no picture; only its name is kept", t.Name)
	}
	x := &ultimate3d.Texture{Used: ultimate3d.True}
	if old := m.Textures[0]; old != nil && old.Type == ultimate3d.ImageTexture {
		*x = *old
	} else {
		x.Identifier = textureIdentifier(t)
	}
	if content != nil && !strings.EqualFold(path.Ext(x.Identifier), ext) && !(ext == ".jpg" && strings.EqualFold(path.Ext(x.Identifier), ".jpeg")) {
		x.Identifier = strings.TrimSuffix(x.Identifier, path.Ext(x.Identifier)) + ext
	}
	if b := t.Base(); b != nil {
		x.Width, x.Height = uint16(min(b.Width, 65535)), uint16(min(b.Height, 65535))
	}
	m.Textures[0] = x
	if m.ExportResources.True() {
		x.Content, x.File = content, ""
		return nil
	}
	if x.Identifier, err = l.emit(x.Identifier, content); err != nil {
		return err
	}
	x.File, x.Content = x.Identifier, nil
	return nil
}

// pictureFile returns the file of a texture: its own where the engine can load that, else as PNG in true
// colour: what the engine makes of a palette is not known.
func pictureFile(t *asset.Texture) (content []byte, ext string, err error) {
	if t.File != nil {
		switch t.File.Encoding {
		case "png", "bmp", "tga", "dds":
			return t.File.Data, "." + t.File.Encoding, nil
		case "jpeg":
			return t.File.Data, ".jpg", nil
		}
	}
	if t.Base() == nil {
		return nil, ".png", nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, t, png.Options{TrueColour: true}); err != nil {
		return nil, "", err
	}
	return b.Bytes(), ".png", nil
}

// textureIdentifier names a new texture as its file will be called.
func textureIdentifier(t *asset.Texture) string {
	name := path.Base(slashes(t.URI))
	if t.URI == "" {
		name = t.Name
	}
	name = plainText(strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, name))
	if name == "" || name == "." {
		return "texture.png"
	}
	return name
}

// emit writes a texture beside the model, under another name when one of that name is there with another picture.
func (l *lowerer) emit(name string, content []byte) (string, error) {
	if content == nil {
		return name, nil
	}
	if l.written == nil {
		l.written = map[string][]byte{}
	}
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	for i := 2; ; i++ {
		known, taken := l.written[strings.ToLower(name)]
		if taken && bytes.Equal(known, content) {
			return name, nil
		}
		if !taken && (l.env.Taken == nil || !l.env.Taken(path.Base(slashes(name)), content)) {
			break
		}
		name = fmt.Sprintf("%s_%d%s", stem, i, ext)
	}
	l.written[strings.ToLower(name)] = content
	if l.env.Emit == nil {
		l.d.Lossf("texture-not-written", name, "nobody takes the texture's file")
		return name, nil
	}
	return name, l.env.Emit(path.Base(slashes(name)), content)
}

// plainText returns text as the format can hold it: Windows-1252 without zeros.
func plainText(s string) string {
	b, _ := schema.EncodeWindows1252(strings.ReplaceAll(s, "\x00", "_"))
	return schema.DecodeWindows1252(b)
}
