package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/png"
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
				return err
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
			d.decodePicture(at, t, content)
			if g.BufferView != nil {
				d.pictures[*g.BufferView] = &asset.Texture{File: t.File, Frames: t.Frames, Palette: t.Palette, Alpha: t.Alpha}
			}
		}
		if u != nil {
			d.restoreTexture(at, t, u)
		}
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
func (d *decoder) decodePicture(at string, t *asset.Texture, content []byte) {
	t.File = &asset.Stored{Encoding: "png", Data: content}
	var p *asset.Texture
	var err error
	switch imageType(content) {
	case mimePNG:
		p, err = png.Decode(bytes.NewReader(content))
	case mimeJPEG:
		t.File.Encoding = "jpeg"
		p, err = decodeJPEG(content)
	default:
		t.File.Encoding = "unknown"
		if bytes.HasPrefix(content, []byte("RIFF")) {
			t.File.Encoding = "webp"
		}
		err = schema.Errorf(formatName, schema.ErrUnsupported, "", "neither PNG nor JPEG")
	}
	if err != nil {
		d.diag.Warnf("picture-unreadable", at, "%v", err)
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
	return nil
}

func (d *decoder) material(at string, g *gltf.Material) (*asset.Material, error) {
	m := asset.NewMaterial(g.Name)
	foreign, u := split(g.Extras)
	m.Extras, m.Native = foreign, d.unpack(at, u)
	own := d.child(u, keyAsset)
	slots := d.child(own, "textures")
	var failed error
	slot := func(name string, info *gltf.TextureInfo) *asset.TextureRef {
		r, err := d.slot(at, name, info, d.child(slots, name))
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
	m.Metallic = mended(own, "metallic", pbr.MetallicFactorOrDefault(), 1)
	m.Roughness = mended(own, "roughness", pbr.RoughnessFactorOrDefault(), 1)
	m.BaseColorTexture = slot("baseColor", pbr.BaseColorTexture)
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
	m.AlphaCutoff = mended(own, "alphaCutoff", g.AlphaCutoffOrDefault(), 0.5)
	m.DoubleSided = g.DoubleSided
	if err := d.materialExtensions(at, g.Extensions, m, own, slot); err != nil {
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

func (d *decoder) materialExtensions(at string, ext gltf.Extensions, m *asset.Material, own record, slot func(string, *gltf.TextureInfo) *asset.TextureRef) error {
	if x, ok := number(own, "emissiveStrength"); ok {
		m.EmissiveStrength = float32(x)
	}
	if x := d.child(own, "specular"); x != nil {
		f, _ := number(x, "factor")
		m.Specular = &asset.Specular{Factor: float32(f), Color: [3]float32{1, 1, 1}}
		copy(m.Specular.Color[:], numbers(x, "color"))
	}
	for _, name := range slices.Sorted(maps.Keys(ext)) {
		raw, _ := ext[name].(json.RawMessage)
		var err error
		switch name {
		case extUnlit:
			m.Unlit = true
		case extEmissive:
			x := emissiveStrength{1}
			err = json.Unmarshal(raw, &x)
			m.EmissiveStrength = float32(x.Strength)
		case extSpecular:
			var x specular
			if err = json.Unmarshal(raw, &x); err != nil {
				break
			}
			s := &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}}
			if x.Factor != nil {
				s.Factor = float32(*x.Factor)
			}
			if x.ColorFactor != nil {
				for k := range 3 {
					s.Color[k] = float32(x.ColorFactor[k])
				}
			}
			s.Factor = mended(own, "specular", float64(s.Factor), 1)
			s.Texture, s.ColorTexture = slot("specular", x.Texture), slot("specularColor", x.ColorTexture)
			m.Specular = s
		default:
			d.diag.Lossf("unknown-extension", at, "%s is left out", name)
		}
		if err != nil {
			return pathError(at+"/extensions/"+name, schema.ErrValue, "%v", err)
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
	if g.Source == nil {
		d.diag.Lossf("texture-without-image", at, "a texture without an image that glTF knows is left out")
		return nil, nil
	}
	if err := refer(fmt.Sprintf("textures/%d/source", info.Index), *g.Source, len(d.images)); err != nil {
		return nil, err
	}
	t := d.images[*g.Source]
	if t.Name == "" {
		t.Name = g.Name
	}
	if u != nil {
		d.restoreTexture(at, t, u)
	}
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

func (d *decoder) refExtensions(at string, ext gltf.Extensions, r *asset.TextureRef) error {
	for _, name := range slices.Sorted(maps.Keys(ext)) {
		if name != extTransform {
			d.diag.Lossf("unknown-extension", at, "%s is left out", name)
			continue
		}
		raw, _ := ext[name].(json.RawMessage)
		var x textureTransform
		if err := json.Unmarshal(raw, &x); err != nil {
			return pathError(at+"/extensions/"+name, schema.ErrValue, "%v", err)
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
