package gltf

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// alphaNames are the values of usher.asset.alpha.
var alphaNames = [...]string{asset.Opaque: "opaque", asset.Mask: "mask", asset.Blend: "blend"}

// binding is an image with a sampler: what glTF calls a texture.
type binding struct{ image, sampler int }

// buildImages writes every texture that has a picture as an image. The others ride with the materials that use them.
func (e *encoder) buildImages() {
	taken := map[string]bool{}
	for i, t := range e.s.Textures {
		path := fmt.Sprintf("images/%d", len(e.doc.Images))
		if int(t.Alpha) >= len(alphaNames) {
			e.failf(path, schema.ErrValue, "", "no valid texture")
			return
		}
		if _, twice := e.textures[t]; twice {
			e.failf(path, schema.ErrMismatch, "", "texture %q is listed twice", t.Name)
			return
		}
		if err := asset.Check(t); err != nil {
			e.fail(schema.In(path, err))
			return
		}
		e.textures[t] = i
		shown := t
		if e.masked[t] {
			shown = solid(t)
		}
		content, mime, err := e.picture(shown)
		if err != nil {
			e.fail(schema.In(path, err))
			return
		}
		if content == nil {
			continue
		}
		if t.Native == nil && (len(t.Frames) > 1 || len(t.Frames) == 1 && len(t.Frames[0].Faces) > 0) {
			e.o.Diagnostics.Lossf("texture-frames", path, "%q has several pictures, only the first is written", t.Name)
		}
		image := &gltf.Image{Name: t.Name, MimeType: mime}
		if e.stem == "" {
			view := e.view(int64(len(content)), 0, 0, func(s *sink) { s.bytes(content) })
			image.BufferView = &view
		} else {
			name := imageFile(e.stem, t.Name, mime, taken)
			image.URI = url.PathEscape(name)
			image.MimeType = ""
			e.files = append(e.files, File{name, content})
		}
		e.images[t] = len(e.doc.Images)
		e.mimes = append(e.mimes, mime)
		e.doc.Images = append(e.doc.Images, image)
	}
}

// The types of images that glTF knows, by itself or with an extension.
const (
	mimePNG  = "image/png"
	mimeJPEG = "image/jpeg"
	mimeWebP = "image/webp"
	mimeKTX2 = "image/ktx2"
	mimeAVIF = "image/avif"
)

// imageExtensions are the extensions with which textures have images of other types, the ones that are decoded first.
var imageExtensions = [...]string{extWebP, extBasis, extAVIF}

// picture is [picture], or something of its type where nobody looks.
func (e *encoder) picture(t *asset.Texture) (content []byte, mime string, err error) {
	if b := t.Base(); e.o.blank && t.File == nil && b != nil && len(b.Pix) > 0 {
		return []byte{0}, mimePNG, nil
	}
	return picture(t)
}

// picture returns the file of a texture: its own where that is PNG or JPEG, else its first image as PNG, else its own
// file of a type that an extension knows, else nil.
func picture(t *asset.Texture) (content []byte, mime string, err error) {
	if t.File != nil {
		mime = imageType(t.File.Data)
	}
	b := t.Base()
	drawn := b != nil && len(b.Pix) > 0
	switch {
	case mime == mimePNG || mime == mimeJPEG, !drawn && (mime == mimeKTX2 || mime == mimeAVIF):
		return t.File.Data, mime, nil
	case !drawn:
		return nil, "", nil
	}
	var out bytes.Buffer
	if err := png.Encode(&out, t, png.Options{}); err != nil {
		return nil, "", err
	}
	return out.Bytes(), mimePNG, nil
}

// imageType recognises an image by its first bytes; it is empty for types that glTF does not know.
func imageType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return mimePNG
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return mimeJPEG
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return mimeWebP
	case bytes.HasPrefix(b, []byte("\xabKTX 20\xbb\r\n\x1a\n")):
		return mimeKTX2
	case len(b) >= 12 && (string(b[4:12]) == "ftypavif" || string(b[4:12]) == "ftypavis"):
		return mimeAVIF
	}
	return ""
}

// imageFile returns a file name for an image: safe on every system, and not taken.
func imageFile(stem, name, mime string, taken map[string]bool) string {
	ext := map[string]string{mimePNG: ".png", mimeJPEG: ".jpg", mimeKTX2: ".ktx2", mimeAVIF: ".avif"}[mime]
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 5 {
		name = name[:i]
	}
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFD || strings.ContainsRune(`<>:"|?*%#`, r) {
			return '_'
		}
		return r
	}, name)
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "_")
	}
	base := stem + "_" + strings.TrimRight(name, " .")
	full := base + ext
	for k := 2; taken[strings.ToLower(full)]; k++ {
		full = fmt.Sprintf("%s_%d%s", base, k, ext)
	}
	taken[strings.ToLower(full)] = true
	return full
}

func (e *encoder) buildMaterials() {
	for i, m := range e.s.Materials {
		path := fmt.Sprintf("materials/%d", i)
		if int(m.Alpha) >= len(alphaNames) {
			e.failf(path, schema.ErrValue, "", "no valid material")
			return
		}
		if _, twice := e.materials[m]; twice {
			e.failf(path, schema.ErrMismatch, "", "%q is listed twice", m.Name)
			return
		}
		e.materials[m] = i
		e.doc.Materials = append(e.doc.Materials, e.material(i, path, m))
	}
	for i, t := range e.s.Textures {
		if e.told[t] {
			continue
		}
		if k, ok := e.images[t]; ok {
			e.doc.Images[k].Extras = e.join(fmt.Sprintf("images/%d", k), t.Extras, e.textureRecord(t))
		} else {
			e.put("textures", i, e.textureRecord(t))
		}
	}
}

func (e *encoder) material(i int, path string, m *asset.Material) *gltf.Material {
	g := &gltf.Material{Name: m.Name, AlphaMode: gltf.AlphaMode(m.Alpha), DoubleSided: m.DoubleSided}
	own, slots := record{}, record{}
	factor := func(field string, x, most float32) float64 {
		if x >= 0 && x <= most {
			return float64(x)
		}
		mended := max(0, min(most, x))
		if x != x {
			mended = 0
		}
		e.o.Diagnostics.Warnf("factor-range", path+"/"+field, "%v is written as %v", x, mended)
		if !notFinite(x) {
			own[field] = x
		}
		return float64(mended)
	}
	pbr := &gltf.PBRMetallicRoughness{
		MetallicFactor:  gltf.Float(factor("metallic", e.markMetal(m.Metallic), 1)),
		RoughnessFactor: gltf.Float(factor("roughness", m.Roughness, 1)),
		BaseColorFactor: &[4]float64{},
	}
	for k, x := range e.shownColour(m, own) {
		pbr.BaseColorFactor[k] = factor(fmt.Sprintf("baseColor%d", k), x, 1)
	}
	for k := range 3 {
		g.EmissiveFactor[k] = factor(fmt.Sprintf("emissive%d", k), m.Emissive[k], 1)
	}
	g.PBRMetallicRoughness = pbr
	pbr.BaseColorTexture = e.slot(path, "baseColor", m.BaseColorTexture, slots)
	pbr.MetallicRoughnessTexture = e.slot(path, "metalRough", m.MetalRoughTexture, slots)
	g.EmissiveTexture = e.slot(path, "emissive", m.EmissiveTexture, slots)
	if t := e.slot(path, "normal", m.NormalTexture, slots); t != nil {
		g.NormalTexture = &gltf.NormalTexture{Index: &t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions, Extras: t.Extras}
		if !notFinite(m.NormalScale) {
			g.NormalTexture.Scale = gltf.Float(float64(m.NormalScale))
		}
	} else if m.NormalScale != 1 && !notFinite(m.NormalScale) {
		own["normalScale"] = m.NormalScale
	}
	if t := e.slot(path, "occlusion", m.OcclusionTexture, slots); t != nil {
		g.OcclusionTexture = &gltf.OcclusionTexture{Index: &t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions, Extras: t.Extras}
	}
	switch {
	case m.Alpha == asset.Mask:
		g.AlphaCutoff = gltf.Float(factor("alphaCutoff", m.AlphaCutoff, math.MaxFloat32))
	case m.AlphaCutoff != 0.5 && !notFinite(m.AlphaCutoff):
		own["alphaCutoff"] = m.AlphaCutoff // glTF allows it for masks only
	}
	e.materialExtensions(path, m, g, own, slots, factor)
	if len(slots) > 0 {
		own["textures"] = slots
	}
	if m.Air {
		own[keyAir] = 1
	}
	if e.hiding != nil && e.hiding.left[m] {
		own[keyNumber] = i
	}
	g.Extras = e.extras(path, m.Extras, m.Native, own)
	return g
}

// keyAir marks the material of the air around a planet: glTF has no look that changes with the angle.
const keyAir = "air"

// specular is KHR_materials_specular.
type specular struct {
	Factor       *float64          `json:"specularFactor,omitempty"`
	Texture      *gltf.TextureInfo `json:"specularTexture,omitempty"`
	ColorFactor  *[3]float64       `json:"specularColorFactor,omitempty"`
	ColorTexture *gltf.TextureInfo `json:"specularColorTexture,omitempty"`
}

// emissiveStrength is KHR_materials_emissive_strength.
type emissiveStrength struct {
	Strength float64 `json:"emissiveStrength"`
}

// lightMap is MOZ_lightmap: a picture of the light that falls on a surface, as Hubs and its add-on for Blender have it.
type lightMap struct {
	Index     int      `json:"index"`
	TexCoord  int      `json:"texCoord,omitempty"`
	Intensity *float64 `json:"intensity,omitempty"` // multiplies the light; 1 without it

	Extensions gltf.Extensions `json:"extensions,omitempty"`
}

// lightIntensity makes mid grey in a picture of light leave colours as they are.
const lightIntensity = 4.672

// textureTransform is KHR_texture_transform.
type textureTransform struct {
	Offset   *[2]float64 `json:"offset,omitempty"`
	Rotation float64     `json:"rotation,omitempty"`
	Scale    *[2]float64 `json:"scale,omitempty"`
	TexCoord *int        `json:"texCoord,omitempty"`
}

func (e *encoder) materialExtensions(path string, m *asset.Material, g *gltf.Material, own, slots record, factor func(string, float32, float32) float64) {
	ext := gltf.Extensions{}
	add := func(name string, v any) {
		ext[name] = v
		e.used[name] = true
	}
	if s := m.Specular; s != nil {
		x := &specular{Factor: gltf.Float(factor("specular", s.Factor, 1)), ColorFactor: &[3]float64{}}
		for k := range 3 {
			x.ColorFactor[k] = factor(fmt.Sprintf("specularColor%d", k), s.Color[k], math.MaxFloat32)
		}
		x.Texture = e.slot(path, "specular", s.Texture, slots)
		x.ColorTexture = e.slot(path, "specularColor", s.ColorTexture, slots)
		if m.Unlit {
			// The two exclude each other in glTF: what is unlit reflects nothing.
			own["specular"] = record{"factor": *x.Factor, "color": *x.ColorFactor}
			if x.Texture != nil || x.ColorTexture != nil {
				e.o.Diagnostics.Lossf("specular-unlit", path, "specular textures of an unlit material")
			}
		} else {
			add(extSpecular, x)
			if !notFinite(s.Color[0]) && !notFinite(s.Color[1]) && !notFinite(s.Color[2]) && !notFinite(s.Factor) {
				own[keySpecularColor], own[keySpecularFactor] = s.Color, s.Factor
			}
			if s.Texture != nil || s.ColorTexture != nil {
				own[keySpecularTextures] = 1
			}
		}
	}
	if t := e.slot(path, "light", m.LightTexture, slots); t != nil {
		add(extLight, &lightMap{t.Index, t.TexCoord, gltf.Float(lightIntensity), t.Extensions})
	}
	if m.Unlit {
		add(extUnlit, record{})
	}
	switch {
	case m.EmissiveStrength == 1 || notFinite(m.EmissiveStrength):
	case g.EmissiveFactor == [3]float64{} || m.EmissiveStrength < 0 || m.Unlit:
		own["emissiveStrength"] = m.EmissiveStrength // without effect, and warned of by the validator
	default:
		add(extEmissive, emissiveStrength{float64(m.EmissiveStrength)})
	}
	if len(ext) > 0 {
		g.Extensions = ext
	}
}

// slot writes the use of a texture. What glTF has no place for goes into slots.
func (e *encoder) slot(path, name string, r *asset.TextureRef, slots record) *gltf.TextureInfo {
	if r == nil {
		return nil
	}
	if _, listed := e.textures[r.Texture]; !listed {
		e.failf(path, schema.ErrRange, name, "the texture is not in the scene's list")
		return nil
	}
	image, ok := e.images[r.Texture]
	var u record
	if !e.told[r.Texture] {
		if u = e.textureRecord(r.Texture); e.err != nil {
			return nil
		}
		e.told[r.Texture] = true
	} else if !ok {
		u = record{keyAsset: record{"index": e.textures[r.Texture]}}
	}
	if !ok {
		u[keyAsset].(record)["use"] = e.use(path, r)
		slots[name] = u
		return nil
	}
	if len(u) > 0 {
		slots[name] = u
	}
	if r.Texture.Extras != nil {
		e.doc.Images[image].Extras = e.join(path, r.Texture.Extras, nil)
	}
	info := &gltf.TextureInfo{Index: e.binding(image, r), TexCoord: r.TexCoord, Extras: e.join(path, r.Extras, nil)}
	if r.TexCoord < 0 || r.TexCoord > 255 {
		e.failf(path, schema.ErrRange, name, "texture coordinates %d", r.TexCoord)
	}
	if t := r.Transform; t != nil {
		x := textureTransform{}
		offset, scale, turn := t.Offset, t.Scale, []float32{t.Rotation}
		e.finite(path, offset[:])
		e.finite(path, scale[:])
		e.finite(path, turn)
		x.Offset = &[2]float64{float64(offset[0]), float64(offset[1])}
		x.Scale = &[2]float64{float64(scale[0]), float64(scale[1])}
		x.Rotation = float64(turn[0])
		info.Extensions = gltf.Extensions{extTransform: x}
		e.used[extTransform] = true
	}
	return info
}

func (e *encoder) binding(image int, r *asset.TextureRef) int {
	sampler := -1
	if int(r.WrapS) >= len(wraps) || int(r.WrapT) >= len(wraps) || int(r.Filter) >= len(filters) {
		e.failf("samplers", schema.ErrValue, "", "wrap modes %d, %d, filter %d", r.WrapS, r.WrapT, r.Filter)
		return 0
	}
	if s := (sampling{r.WrapS, r.WrapT, r.Filter}); s != (sampling{}) {
		i, ok := e.samplers[s]
		if !ok {
			i = len(e.doc.Samplers)
			e.samplers[s] = i
			f := filters[s.filter]
			e.doc.Samplers = append(e.doc.Samplers, &gltf.Sampler{WrapS: wraps[s.s], WrapT: wraps[s.t], MagFilter: f.mag, MinFilter: f.min})
		}
		sampler = i
	}
	b := binding{image, sampler}
	i, ok := e.bindings[b]
	if !ok {
		i = len(e.doc.Textures)
		e.bindings[b] = i
		t := &gltf.Texture{Source: &image}
		for mime, name := range map[string]string{mimeKTX2: extBasis, mimeAVIF: extAVIF} {
			if e.mimes[image] == mime {
				t.Source, t.Extensions = nil, gltf.Extensions{name: record{"source": image}}
				e.used[name] = true
			}
		}
		if sampler >= 0 {
			t.Sampler = &sampler
		}
		e.doc.Textures = append(e.doc.Textures, t)
	}
	return i
}

// textureRecord returns what rides along of a texture; nil when there is nothing beside its image.
func (e *encoder) textureRecord(t *asset.Texture) record {
	own := record{}
	b := t.Base()
	if b != nil && len(b.Pix) == 0 {
		b = nil
	}
	if b == nil && (t.File != nil || t.Alpha != asset.Opaque) || b != nil && t.Alpha != b.AlphaMode(t.Palette) {
		own["alpha"] = alphaNames[t.Alpha] // the reader judges by the pixels otherwise
	}
	if e.masked[t] && !e.o.Slim {
		own[keyMask] = e.maskOf(t)
	}
	if t.FPS != 0 && !notFinite(t.FPS) {
		own["fps"] = t.FPS
	}
	_, inside := e.images[t]
	if t.URI != "" || inside && e.stem != "" {
		own["uri"] = t.URI
	}
	if !inside {
		own["index"], own["name"] = e.textures[t], t.Name
		if t.File != nil {
			own["encoding"], own["file"] = t.File.Encoding, base64.StdEncoding.EncodeToString(t.File.Data)
		}
	}
	if !inside {
		e.keepExtras("textures", own, t.Extras)
	}
	u, err := pack(t.Native, own)
	e.fail(err)
	return u
}

// use returns the record of a use whose texture glTF cannot hold.
func (e *encoder) use(path string, r *asset.TextureRef) record {
	u := record{}
	if r.TexCoord != 0 {
		u["texCoord"] = r.TexCoord
	}
	if r.WrapS != asset.Repeat || r.WrapT != asset.Repeat {
		u["wrapS"], u["wrapT"] = int(r.WrapS), int(r.WrapT)
	}
	if r.Filter != asset.Unset {
		u["filter"] = int(r.Filter)
	}
	if t := r.Transform; t != nil {
		u["transform"] = e.finiteList(path, []float32{t.Offset[0], t.Offset[1], t.Scale[0], t.Scale[1], t.Rotation})
	}
	e.keepExtras(path, u, r.Extras)
	if len(u) == 0 {
		return record{"texCoord": 0}
	}
	return u
}

// setsNeeded returns how many sets of texture coordinates the images of a material need.
func (e *encoder) setsNeeded(m *asset.Material) int {
	sets := 0
	for _, r := range m.Textures() {
		if r == nil || m.Unlit && m.Specular != nil && (r == m.Specular.Texture || r == m.Specular.ColorTexture) {
			continue
		}
		if _, ok := e.images[r.Texture]; ok {
			sets = max(sets, r.TexCoord+1)
		}
	}
	return sets
}

var wraps = [...]gltf.WrappingMode{asset.Repeat: gltf.WrapRepeat, asset.Clamp: gltf.WrapClampToEdge, asset.Mirror: gltf.WrapMirroredRepeat}

var filters = [...]struct {
	mag gltf.MagFilter
	min gltf.MinFilter
}{asset.Nearest: {gltf.MagNearest, gltf.MinNearestMipMapNearest}, asset.Linear: {gltf.MagLinear, gltf.MinLinearMipMapLinear}}

// sampling is what makes a sampler.
type sampling struct {
	s, t   asset.Wrap
	filter asset.Filter
}
