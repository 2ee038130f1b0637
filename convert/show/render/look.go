package render

import (
	"github.com/usher-assets/usher/schema/asset"
)

// look is a material, ready to draw with.
type look struct {
	material    *asset.Material
	color       [4]float32 // linear
	base, glow  *sampler   // nil without a texture
	emissive    [3]float32 // linear
	unlit       bool
	alpha       asset.AlphaMode
	cutoff      float32
	doubleSided bool
	plain       bool // in neutral grey, since there is nothing else to show
}

// neutral is the linear grey of what should have a texture and has none: a mid grey on the screen.
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
	k := &look{material: m, color: m.BaseColor, unlit: m.Unlit, alpha: m.Alpha, cutoff: m.AlphaCutoff, doubleSided: m.DoubleSided}
	k.base = l.sampler(m.BaseColorTexture)
	k.glow = l.sampler(m.EmissiveTexture)
	if k.base == nil && m.BaseColorTexture != nil { // it has one that is not at hand
		k.color[0], k.color[1], k.color[2] = neutral, neutral, neutral
	}
	if k.glow != nil || m.EmissiveTexture == nil {
		for i, e := range m.Emissive {
			k.emissive[i] = e * m.EmissiveStrength
		}
	}
	return k
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

// coords returns the texture coordinates of a primitive for the two textures of a look.
func (k *look) coords(p *asset.Primitive) (uv [2][][2]float32) {
	for i, s := range [...]*sampler{k.base, k.glow} {
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
