package render

import (
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// look is a material, ready to draw with.
type look struct {
	material    *asset.Material
	color       [4]float32 // linear
	base, glow  *sampler   // nil without a texture
	baked       *sampler   // light that falls on it; nil where the light of the picture does
	emissive    [3]float32 // linear
	unlit       bool
	alpha       asset.AlphaMode
	onto        func(below uint64, r, g, b, a float32) uint64 // how it is drawn over others, where it is blended
	cutoff      float32
	doubleSided bool
	air         bool // its alpha is the mean over a ball
	unseen      bool
	plain       bool // in a colour of ours, since there is nothing else to show
}

// neutral is the linear grey of what has neither a texture nor a colour: a mid grey on the screen.
const neutral = 0.5

// looks are the materials of a scene, made when they are used first.
type looks struct {
	made     map[*asset.Material]*look
	textures map[*asset.Texture]*texels
	missing  map[*asset.Texture]bool // used, but without pixels
}

func newLooks() *looks {
	return &looks{made: map[*asset.Material]*look{}, textures: map[*asset.Texture]*texels{}, missing: map[*asset.Texture]bool{}}
}

// of returns the look of a primitive.
func (l *looks) of(p *asset.Primitive) *look {
	m := p.Material
	k := l.made[m]
	if k == nil {
		if m == nil {
			m = asset.NewMaterial("")
		}
		k = l.make(m)
		l.made[p.Material] = k
	}
	if k.base == nil && k.glow == nil && p.Colors == nil && k.color[0] == 1 && k.color[1] == 1 && k.color[2] == 1 {
		grey := *k
		grey.plain = true
		grey.color[0], grey.color[1], grey.color[2] = neutral, neutral, neutral
		return &grey
	}
	return k
}

func (l *looks) make(m *asset.Material) *look {
	k := &look{material: m, color: m.BaseColor, alpha: m.Alpha, cutoff: m.AlphaCutoff, doubleSided: m.DoubleSided, air: m.Air}
	k.base = l.sampler(m.BaseColorTexture)
	k.glow = l.sampler(m.EmissiveTexture)
	k.baked = l.sampler(m.LightTexture)
	k.unlit = m.Unlit || k.baked != nil
	if c := &k.color; k.base == nil && (m.Absent || m.BaseColorTexture != nil) && c[0] == c[1] && c[1] == c[2] { // its picture is not at hand
		quiet := scene.QuietColour(m.Name)
		copy(c[:], quiet[:])
		k.plain = true
	}
	if k.glow != nil || m.EmissiveTexture == nil {
		for i, e := range m.Emissive {
			k.emissive[i] = e * m.EmissiveStrength
		}
	}
	k.mix(scene.MixOf(m))
	return k
}

// mix says how a look meets what is behind it. Light is not lit itself, and neither is what changes the light of others.
// What has no picture hides what is behind it: nobody knows where it would not.
func (k *look) mix(x scene.Mix) {
	k.onto, k.unseen = over, x == scene.Backdrop
	if x == scene.Over || k.unseen || k.base == nil && k.glow == nil {
		return
	}
	switch x {
	case scene.Add:
		k.onto = brighten
	case scene.Screen:
		k.onto = screen
	case scene.Modulate:
		k.onto, k.unlit = modulate, true
	}
	k.alpha = asset.Blend
	if k.glow != nil {
		k.color[0], k.color[1], k.color[2] = 0, 0, 0
	}
}

func (l *looks) sampler(r *asset.TextureRef) *sampler {
	if r == nil || r.Texture == nil {
		return nil
	}
	t, ok := l.textures[r.Texture]
	if !ok {
		t = newTexels(r.Texture)
		l.textures[r.Texture] = t
	}
	if t == nil {
		l.missing[r.Texture] = true
		return nil
	}
	return &sampler{texels: t, wrap: [2]asset.Wrap{r.WrapS, r.WrapT}, nearest: r.Filter == asset.Nearest, ref: r}
}

// coords returns the texture coordinates of a primitive for the textures of a look.
func (k *look) coords(p *asset.Primitive) (uv [3][][2]float32) {
	for i, s := range [...]*sampler{k.base, k.glow, k.baked} {
		if s == nil {
			continue
		}
		set := s.ref.TexCoord
		if set < 0 || set >= len(p.TexCoords) || len(p.TexCoords[set]) != len(p.Positions) {
			uv[i] = make([][2]float32, len(p.Positions)) // its corner shows everywhere
			continue
		}
		uv[i] = p.TexCoords[set]
		if s.ref.Transform != nil {
			uv[i] = s.ref.Transform.Apply(uv[i])
		}
	}
	return uv
}

// The light falls from above, over the left shoulder of whoever looks; what it does not reach is lit a little, more
// from above than from below. A surface that faces the light shows its colours as they are.
var lightFrom = vec{-0.45, 0.62, 0.64}.unit()

const (
	lightKey     = 0.62
	lightAmbient = 0.33
	lightSky     = 0.08
)

// light returns how bright a surface with a normal is.
func light(n vec) float32 {
	return lightAmbient + lightSky*n[1] + lightKey*max(0, n.dot(lightFrom))
}

// airThrough returns how dense air around a planet looks where one looks at its surface under an angle with this cosine: not at
// the very rim, most beside it, and not at all where one looks straight down. Its mean over a ball is asset.AirShare.
func airThrough(cosine float32) float32 {
	const most = 0.38
	if cosine < most {
		return cosine * cosine / (most * most)
	}
	return (1 - cosine) / (1 - most)
}
