package gltf

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func (d *decoder) readImages() error {
	for i, g := range d.doc.Images {
		at := fmt.Sprintf("images/%d", i)
		t := &asset.Texture{Name: g.Name}
		foreign, u := split(g.Extras)
		t.Extras = foreign
		var content []byte
		var err error
		switch {
		case g.BufferView != nil:
			if content, err = d.viewBytes(at, *g.BufferView); err != nil {
				return err
			}
		case strings.HasPrefix(g.URI, "data:"):
			if content, err = d.load(at, g.URI); err != nil {
				d.diag.Warnf("picture-missing", at, "%v", err)
			}
		case g.URI != "":
			if t.URI, err = relative(g.URI); err != nil {
				t.URI = g.URI
			}
			if t.Name == "" {
				base := path.Base(t.URI)
				t.Name = strings.TrimSuffix(base, path.Ext(base))
			}
			if content, err = d.load(at, g.URI); err != nil {
				d.diag.Warnf("picture-missing", at, "%v", err)
			}
		}
		switch known := d.knownPicture(g.BufferView); {
		case known != nil: // the same bytes once more
			t.File, t.Frames, t.Palette, t.Alpha = known.File, known.Frames, known.Palette, known.Alpha
		case len(content) > 0:
			d.decodePicture(i, t, content)
			if g.BufferView != nil {
				d.pictures[*g.BufferView] = &asset.Texture{File: t.File, Frames: t.Frames, Palette: t.Palette, Alpha: t.Alpha}
			}
		}
		d.restoreTexture(at, t, u)
		d.images = append(d.images, t)
	}
	return nil
}

func (d *decoder) knownPicture(view *int) *asset.Texture {
	if view == nil {
		return nil
	}
	return d.pictures[*view]
}

// decodePicture gives a texture its file and, where that is readable, its pixels.
func (d *decoder) decodePicture(image int, t *asset.Texture, content []byte) {
	at := fmt.Sprintf("images/%d", image)
	t.File = &asset.Stored{Encoding: "png", Data: content}
	var p *asset.Texture
	var err error
	switch imageType(content) {
	case mimePNG:
		p, err = png.Decode(bytes.NewReader(content))
		png.Report(content, at, d.diag)
	case mimeJPEG:
		t.File.Encoding = "jpeg"
		p, err = decodeJPEG(content)
	case mimeWebP:
		t.File.Encoding = "webp"
		p, err = decodeWebP(content)
	case mimeKTX2:
		t.File.Encoding = "ktx2"
		err = schema.Errorf(formatName, schema.ErrUnsupported, "", "KTX2 pictures are not decoded here: npx @gltf-transform/cli ktxdecompress in.glb out.glb does that")
	case mimeAVIF:
		t.File.Encoding = "avif"
		err = schema.Errorf(formatName, schema.ErrUnsupported, "", "AVIF pictures are not decoded here: npx @gltf-transform/cli png in.glb out.glb --formats '*' does that")
	default:
		t.File.Encoding = "unknown"
		err = schema.Errorf(formatName, schema.ErrUnsupported, "", "neither PNG, JPEG nor WebP")
	}
	if err != nil {
		d.unreadable[image] = err
		return
	}
	t.Frames, t.Palette, t.Alpha = p.Frames, p.Palette, p.Alpha
}

// restoreTexture gives a texture what rode along.
func (d *decoder) restoreTexture(at string, t *asset.Texture, u record) {
	own := d.child(u, keyAsset)
	if n := d.unpack(at, u); n != nil {
		t.Native = n
	}
	if mask := text(own, keyMask); mask != "" {
		d.unmask(at, t, mask)
	}
	if k := slices.Index(alphaNames[:], text(own, "alpha")); k >= 0 {
		t.Alpha = asset.AlphaMode(k)
	}
	if fps, ok := number(own, "fps"); ok {
		t.FPS = float32(fps)
	}
	if uri, ok := own["uri"].(string); ok {
		t.URI = uri
	}
}

// virtualTexture makes a texture without an image from its record.
func (d *decoder) virtualTexture(at string, u record) *asset.Texture {
	own := d.child(u, keyAsset)
	i := index(own, "index")
	if i < 0 {
		return nil
	}
	t := d.virtual[i]
	if t == nil {
		t = &asset.Texture{}
		d.virtual[i] = t
	}
	name, full := own["name"].(string)
	if !full {
		return t // the record in full is elsewhere
	}
	t.Name = name
	d.restoreTexture(at, t, u)
	t.Extras = d.keptExtras(own)
	if encoding, ok := own["encoding"].(string); ok {
		data, err := base64.StdEncoding.DecodeString(text(own, "file"))
		if err != nil {
			d.diag.Warnf("bad-extras", at, "file of texture %q: %v", name, err)
		}
		t.File = &asset.Stored{Encoding: encoding, Data: data}
	}
	return t
}

// useOf is the reverse of encoder.use.
func (d *decoder) useOf(t *asset.Texture, u record) *asset.TextureRef {
	r := &asset.TextureRef{Texture: t}
	use := d.child(d.child(u, keyAsset), "use")
	r.TexCoord = max(0, index(use, "texCoord"))
	r.WrapS = asset.Wrap(min(max(0, index(use, "wrapS")), int(asset.Mirror)))
	r.WrapT = asset.Wrap(min(max(0, index(use, "wrapT")), int(asset.Mirror)))
	r.Filter = asset.Filter(min(max(0, index(use, "filter")), int(asset.Linear)))
	if v := numbers(use, "transform"); len(v) == 5 {
		r.Transform = &asset.TextureTransform{Offset: [2]float32{v[0], v[1]}, Scale: [2]float32{v[2], v[3]}, Rotation: v[4]}
	}
	r.Extras = d.keptExtras(use)
	return r
}

func (d *decoder) readMaterials() error {
	for i, g := range d.doc.Materials {
		m, err := d.material(fmt.Sprintf("materials/%d", i), g)
		if err != nil {
			return err
		}
		d.materials = append(d.materials, m)
		if d.named[m.Name] == nil {
			d.named[m.Name] = m
		}
	}
	d.s.Materials = d.materials
	for _, i := range slices.Sorted(maps.Keys(d.unreadable)) {
		if !d.spare[i] {
			d.diag.Warnf("picture-unreadable", fmt.Sprintf("images/%d", i), "%v", d.unreadable[i])
		}
	}
	return nil
}

func (d *decoder) material(at string, g *gltf.Material) (*asset.Material, error) {
	m := asset.NewMaterial(g.Name)
	foreign, u := split(g.Extras)
	m.Extras, m.Native = foreign, d.unpack(at, u)
	own := d.child(u, keyAsset)
	if k := index(own, keyNumber); k >= 0 {
		d.numbered[k] = append(d.numbered[k], m)
	}
	slots := d.child(own, "textures")
	var failed error
	read := func(name string, info *gltf.TextureInfo) (*asset.TextureRef, error) {
		return d.slot(at, name, info, d.child(slots, name))
	}
	slot := func(name string, info *gltf.TextureInfo) *asset.TextureRef {
		r, err := read(name, info)
		if failed == nil {
			failed = err
		}
		return r
	}
	pbr := g.PBRMetallicRoughness
	if pbr == nil {
		pbr = &gltf.PBRMetallicRoughness{}
	}
	base := pbr.BaseColorFactorOrDefault()
	for k := range 4 {
		m.BaseColor[k] = mended(own, fmt.Sprintf("baseColor%d", k), base[k], 1)
	}
	for k := range 3 {
		m.Emissive[k] = mended(own, fmt.Sprintf("emissive%d", k), g.EmissiveFactor[k], 1)
	}
	m.Metallic = d.readMetal(mended(own, "metallic", pbr.MetallicFactorOrDefault(), 1))
	m.Roughness = d.readRoughness(mended(own, "roughness", pbr.RoughnessFactorOrDefault(), 1), own)
	m.BaseColorTexture = slot("baseColor", pbr.BaseColorTexture)
	m.BaseColor = ownColour(m, u == nil && pbr.MetallicFactorOrDefault() == mark, own)
	m.MetalRoughTexture = slot("metalRough", pbr.MetallicRoughnessTexture)
	m.EmissiveTexture = slot("emissive", g.EmissiveTexture)
	var normal, occlusion *gltf.TextureInfo
	if t := g.NormalTexture; t != nil {
		normal = &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions, Extras: t.Extras}
		m.NormalScale = float32(t.ScaleOrDefault())
	} else if x, ok := number(own, "normalScale"); ok {
		m.NormalScale = float32(x)
	}
	if t := g.OcclusionTexture; t != nil {
		occlusion = &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions, Extras: t.Extras}
		if s := t.StrengthOrDefault(); s != 1 {
			d.diag.Lossf("occlusion-strength", at, "an occlusion strength of %v is taken for 1", s)
		}
	}
	m.NormalTexture = slot("normal", normal)
	m.OcclusionTexture = slot("occlusion", occlusion)
	m.Alpha = asset.AlphaMode(g.AlphaMode)
	plain := 0.5 // what is no mask has it in the record alone
	if m.Alpha == asset.Mask {
		plain = 0
	}
	m.AlphaCutoff = mended(own, "alphaCutoff", g.AlphaCutoffOrDefault(), plain)
	m.DoubleSided, m.Air = g.DoubleSided, own[keyAir] != nil
	if err := d.materialExtensions(at, g.Extensions, m, own, read); err != nil {
		return nil, err
	}
	return m, failed
}

// mended returns a factor. Where glTF could not hold the value, it holds the nearest possible one, 0 or most, and
// the record the value itself, which is believed while the factor is what was written.
func mended(own record, field string, now, most float64) float32 {
	was, ok := number(own, field)
	if ok && (now == 0 || now == most) {
		return float32(was)
	}
	return float32(now)
}

func (d *decoder) materialExtensions(at string, ext gltf.Extensions, m *asset.Material, own record, slot slotReader) error {
	if x, ok := number(own, "emissiveStrength"); ok {
		m.EmissiveStrength = float32(x)
	}
	if x := d.child(own, "specular"); x != nil {
		f, _ := number(x, "factor")
		m.Specular = &asset.Specular{Factor: float32(f), Color: [3]float32{1, 1, 1}}
		copy(m.Specular.Color[:], numbers(x, "color"))
	}
	d.leaveOthers(at, ext, extUnlit, extEmissive, extSpecular, extGlossiness, extLight)
	if err := d.lightMap(at, ext, m, slot); err != nil {
		return err
	}
	m.Unlit = ext[extUnlit] != nil
	strength := emissiveStrength{1}
	if ok, err := d.extension(at, ext, extEmissive, &strength); err != nil {
		return err
	} else if ok {
		m.EmissiveStrength = float32(strength.Strength)
	}
	if err := d.specular(at, ext, m, own, slot); err != nil {
		return err
	}
	d.restoreSpecular(at, m, own)
	return d.glossiness(at, ext, m, slot)
}

// lightMap reads MOZ_lightmap.
func (d *decoder) lightMap(at string, ext gltf.Extensions, m *asset.Material, slot slotReader) (err error) {
	x := lightMap{Index: -1}
	ok, err := d.extension(at, ext, extLight, &x)
	if err != nil {
		return err
	}
	if !ok {
		m.LightTexture, err = slot("light", nil) // what is not at hand is in the record
		return err
	}
	if m.LightTexture, err = slot("light", &gltf.TextureInfo{Index: x.Index, TexCoord: x.TexCoord, Extensions: x.Extensions}); err != nil {
		return d.excuse(at, extLight, err)
	}
	if x.Intensity == nil || math.Abs(*x.Intensity-lightIntensity) > 1e-3 {
		d.diag.Lossf("light-intensity", at, "the light of a picture is taken for %v times what it shows", lightIntensity)
	}
	return nil
}

type slotReader = func(string, *gltf.TextureInfo) (*asset.TextureRef, error)

func (d *decoder) specular(at string, ext gltf.Extensions, m *asset.Material, own record, slot slotReader) error {
	var x specular
	if ok, err := d.extension(at, ext, extSpecular, &x); !ok {
		return err
	}
	s := &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}}
	if x.Factor != nil {
		s.Factor = float32(*x.Factor)
	}
	if x.ColorFactor != nil {
		for k := range 3 {
			s.Color[k] = mended(own, fmt.Sprintf("specularColor%d", k), x.ColorFactor[k], 0)
		}
	}
	s.Factor = mended(own, "specular", float64(s.Factor), 1)
	var err error
	if s.Texture, err = slot("specular", x.Texture); err == nil {
		s.ColorTexture, err = slot("specularColor", x.ColorTexture)
	}
	if err != nil {
		return d.excuse(at, extSpecular, err)
	}
	m.Specular = s
	return nil
}

// glossiness is KHR_materials_pbrSpecularGlossiness: the look of a surface told by what it reflects in all directions
// and what it mirrors.
type glossiness struct {
	Diffuse         *[4]float64       `json:"diffuseFactor"`
	DiffuseTexture  *gltf.TextureInfo `json:"diffuseTexture"`
	Specular        *[3]float64       `json:"specularFactor"`
	Glossiness      *float64          `json:"glossinessFactor"`
	SpecularTexture *gltf.TextureInfo `json:"specularGlossinessTexture"`
}

// glossiness makes of that look one that glTF now has: nothing is metal, and what is mirrored is KHR_materials_specular,
// whose colour multiplies the 4 % that anything mirrors.
func (d *decoder) glossiness(at string, ext gltf.Extensions, m *asset.Material, slot slotReader) error {
	const usual = 0.04
	x := glossiness{}
	if ok, err := d.extension(at, ext, extGlossiness, &x); !ok {
		return err
	}
	diffuse, err := slot("diffuse", x.DiffuseTexture)
	mirrored, err2 := slot("specularGlossiness", x.SpecularTexture)
	if err = cmp.Or(err, err2); err != nil {
		return d.excuse(at, extGlossiness, err)
	}
	m.BaseColor, m.BaseColorTexture, m.MetalRoughTexture = [4]float32{1, 1, 1, 1}, diffuse, nil
	if x.Diffuse != nil {
		for k, f := range x.Diffuse {
			m.BaseColor[k] = float32(f)
		}
	}
	m.Metallic, m.Roughness = 0, 0
	if x.Glossiness != nil {
		m.Roughness = float32(1 - *x.Glossiness)
	}
	s := &asset.Specular{Factor: 1, Color: [3]float32{1 / usual, 1 / usual, 1 / usual}, ColorTexture: mirrored}
	if x.Specular != nil {
		for k, f := range x.Specular {
			s.Color[k] = float32(f / usual)
		}
	}
	m.Specular = s
	if mirrored != nil {
		if b := mirrored.Texture.Base(); b == nil || b.AlphaMode(mirrored.Texture.Palette) != asset.Opaque {
			d.diag.Lossf("glossiness", at, "the glossiness in the alpha of %q is left out", mirrored.Texture.Name)
		}
	}
	return nil
}

// slot reads the use of a texture; u is its record.
func (d *decoder) slot(at, name string, info *gltf.TextureInfo, u record) (*asset.TextureRef, error) {
	at += "/" + name
	if info == nil {
		if t := d.virtualTexture(at, u); t != nil {
			return d.useOf(t, u), nil
		}
		return nil, nil
	}
	if err := refer(at, info.Index, len(d.doc.Textures)); err != nil {
		return nil, err
	}
	g := d.doc.Textures[info.Index]
	image, err := d.imageOf(info.Index, g)
	if err != nil {
		return nil, err
	}
	if image < 0 {
		d.diag.Lossf("texture-without-image", at, "a texture without an image that glTF knows is left out")
		return nil, nil
	}
	t := d.images[image]
	if t.Name == "" {
		t.Name = g.Name
	}
	d.restoreTexture(at, t, u)
	r := &asset.TextureRef{Texture: t, TexCoord: info.TexCoord}
	r.Extras, _ = split(info.Extras)
	if r.TexCoord < 0 || r.TexCoord >= maxSets {
		return nil, pathError(at+"/texCoord", schema.ErrRange, "%d", r.TexCoord)
	}
	if g.Sampler != nil {
		if err := refer(fmt.Sprintf("textures/%d/sampler", info.Index), *g.Sampler, len(d.doc.Samplers)); err != nil {
			return nil, err
		}
		s := d.doc.Samplers[*g.Sampler]
		r.WrapS, r.WrapT = wrapOf(s.WrapS), wrapOf(s.WrapT)
		r.Filter = filterOf(s)
	}
	return r, d.refExtensions(at, info.Extensions, r)
}

// imageOf returns the number of the image of a texture, −1 when there is none: the first that can be read of its own and
// those of extensions, for which it may stand.
func (d *decoder) imageOf(i int, g *gltf.Texture) (int, error) {
	path := fmt.Sprintf("textures/%d", i)
	var all []int
	for _, name := range imageExtensions {
		var x struct {
			Source *int `json:"source"`
		}
		ok, err := d.extension(path, g.Extensions, name, &x)
		if ok && x.Source != nil {
			if err = refer(path+"/extensions/"+name, *x.Source, len(d.images)); err == nil {
				all = append(all, *x.Source)
			}
			err = d.excuse(path, name, err)
		}
		if err != nil {
			return -1, err
		}
	}
	d.leaveOthers(path, g.Extensions, imageExtensions[:]...)
	if g.Source != nil {
		if err := refer(path+"/source", *g.Source, len(d.images)); err != nil {
			return -1, err
		}
		all = append(all, *g.Source)
	}
	for _, k := range all {
		if d.images[k].Base() != nil {
			for _, other := range all {
				d.spare[other] = d.spare[other] || other != k
			}
			return k, nil
		}
	}
	if len(all) == 0 {
		return -1, nil
	}
	return all[len(all)-1], nil
}

func (d *decoder) refExtensions(at string, ext gltf.Extensions, r *asset.TextureRef) error {
	d.leaveOthers(at, ext, extTransform)
	var x textureTransform
	if ok, err := d.extension(at, ext, extTransform, &x); !ok {
		return err
	}
	t := &asset.TextureTransform{Scale: [2]float32{1, 1}, Rotation: float32(x.Rotation)}
	if x.Offset != nil {
		t.Offset = [2]float32{float32(x.Offset[0]), float32(x.Offset[1])}
	}
	if x.Scale != nil {
		t.Scale = [2]float32{float32(x.Scale[0]), float32(x.Scale[1])}
	}
	if x.TexCoord != nil && *x.TexCoord >= 0 && *x.TexCoord < maxSets {
		r.TexCoord = *x.TexCoord
	}
	if *t != (asset.TextureTransform{Scale: [2]float32{1, 1}}) {
		r.Transform = t
	}
	return nil
}

func wrapOf(w gltf.WrappingMode) asset.Wrap {
	return asset.Wrap(max(0, slices.Index(wraps[:], w)))
}

func filterOf(s *gltf.Sampler) asset.Filter {
	switch {
	case s.MagFilter == gltf.MagNearest:
		return asset.Nearest
	case s.MagFilter == gltf.MagLinear:
		return asset.Linear
	}
	switch s.MinFilter {
	case gltf.MinUndefined:
		return asset.Unset
	case gltf.MinNearest, gltf.MinNearestMipMapLinear, gltf.MinNearestMipMapNearest:
		return asset.Nearest
	}
	return asset.Linear
}
