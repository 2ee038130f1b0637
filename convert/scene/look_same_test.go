package scene

import (
	"math"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestSameLook: what is seen of a material tells it from others.
func TestSameLook(t *testing.T) {
	picture := func(b byte) *asset.TextureRef {
		return &asset.TextureRef{Texture: &asset.Texture{File: &asset.Stored{Data: []byte{b}}}}
	}
	for name, c := range map[string]struct {
		edit func(m *asset.Material)
		want bool
	}{
		"equal":               {func(m *asset.Material) {}, true},
		"name":                {func(m *asset.Material) { m.Name = "b" }, true},
		"colour":              {func(m *asset.Material) { m.BaseColor[2] = 0.5 }, false},
		"own light":           {func(m *asset.Material) { m.Emissive[2] = 0.5 }, false},
		"alpha":               {func(m *asset.Material) { m.Alpha = asset.Blend }, false},
		"from behind":         {func(m *asset.Material) { m.DoubleSided = !m.DoubleSided }, false},
		"without light":       {func(m *asset.Material) { m.Unlit = true }, false},
		"picture":             {func(m *asset.Material) { m.BaseColorTexture = picture(2) }, false},
		"picture gone":        {func(m *asset.Material) { m.BaseColorTexture = nil }, false},
		"picture of light":    {func(m *asset.Material) { m.EmissiveTexture = picture(2) }, false},
		"metal":               {func(m *asset.Material) { m.Metallic = 0.5 }, false},
		"roughness":           {func(m *asset.Material) { m.Roughness = 0.5 }, false},
		"roughness, rounded":  {func(m *asset.Material) { m.Roughness = 0.9999 }, true},
		"strong light":        {func(m *asset.Material) { m.EmissiveStrength = 4 }, false},
		"normals":             {func(m *asset.Material) { m.NormalTexture = picture(2) }, false},
		"light":               {func(m *asset.Material) { m.LightTexture = picture(2) }, false},
		"occlusion":           {func(m *asset.Material) { m.OcclusionTexture = picture(2) }, false},
		"metal picture":       {func(m *asset.Material) { m.MetalRoughTexture = picture(2) }, false},
		"reflections":         {func(m *asset.Material) { m.Specular = &asset.Specular{Factor: 1, Color: [3]float32{1, 0.5, 0}} }, false},
		"reflection picture":  {func(m *asset.Material) { m.Specular = &asset.Specular{Texture: picture(2)} }, false},
		"the same light once": {func(m *asset.Material) { m.EmissiveTexture = picture(1) }, true},
	} {
		build := func() *asset.Material {
			m := asset.NewMaterial("a")
			m.BaseColorTexture, m.EmissiveTexture = picture(1), picture(1)
			return m
		}
		m := build()
		if c.edit(m); SameLook(build(), m) != c.want {
			t.Errorf("%s: same %v", name, !c.want)
		}
	}
}

// TestSameColor: colours are compared as they are displayed, to half of what eight bits tell apart.
func TestSameColor(t *testing.T) {
	at := func(display float64) float32 { return Linear(float32(display)) }
	nan := float32(math.NaN())
	for _, c := range []struct {
		stored, now []float32
		want        bool
	}{
		{[]float32{at(0.5), 0}, []float32{at(0.5 + 0.49/255), 0}, true}, {[]float32{at(0.5), 0}, []float32{at(0.5 + 0.51/255), 0}, false}, {[]float32{at(0.5)}, []float32{at(0.5 - 0.51/255)}, false},
		{[]float32{0, 1}, []float32{0, 1}, true}, {[]float32{0, 1}, []float32{0, 0.9}, false}, {[]float32{0, 1}, []float32{0}, false}, {nil, nil, true},
		{[]float32{-1}, []float32{-1}, false}, {[]float32{0}, []float32{0.0001}, true}, {[]float32{nan}, []float32{1}, false}, {[]float32{1}, []float32{nan}, false},
	} {
		if got := SameColor(c.stored, c.now); got != c.want {
			t.Errorf("%v and %v: %v", c.stored, c.now, got)
		}
	}
}

// TestSamePictureItself: a picture is itself, and pixels are those of one size and format.
func TestSamePictureItself(t *testing.T) {
	x := &asset.Texture{}
	if !samePicture(&asset.TextureRef{Texture: x}, &asset.TextureRef{Texture: x}) || samePicture(&asset.TextureRef{Texture: x}, &asset.TextureRef{Texture: &asset.Texture{}}) {
		t.Error("a picture without pixels is itself only")
	}
	picture := func(width, height int, format asset.PixelFormat) *asset.TextureRef {
		m := asset.NewImage(width, height, format)
		m.Pix = make([]byte, 16)
		return &asset.TextureRef{Texture: &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}}
	}
	for _, other := range []*asset.TextureRef{picture(2, 1, asset.RGBA8), picture(1, 2, asset.RGBA8), picture(2, 2, asset.Indexed8)} {
		if m := other.Texture.Base(); samePicture(picture(2, 2, asset.RGBA8), other) {
			t.Errorf("the same as one of %d × %d", m.Width, m.Height)
		}
	}
}
