package unreal

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// atlas holds the light maps of models in two pictures of one layout: shadows says what part of the lights that were cast
// on a surface reaches it, and colours how it is lit by them, as [asset.Material.LightTexture] has it.
type atlas struct {
	shadows, colours *asset.Texture

	models map[string]*mapped // by their paths
	dark   int                // texels below the first one that surfaces without any light may have; one a zone
}

// mapped is a model with the places of its light maps.
type mapped struct {
	*unreal.Model
	places []place // one a light map
}

// place is where a light map lies in the atlas; width 0 where it has no shadows.
type place struct{ x, y, width, height int }

// atlasWidth is wide enough for any light map that editors make.
const (
	atlasWidth = 1024
	maxAtlas   = 1 << 26
)

// mapOf is a light map of one of several models.
type mapOf struct {
	of *mapped
	i  int
}

func (m mapOf) entry() *unreal.LightMap { return &m.of.LightMaps[m.i] }

// newAtlas draws the shadows of the light maps of models; nil when they have none. Models whose light maps make no sense are
// left out.
func newAtlas(models []*unreal.Model, d *schema.Diagnostics) *atlas {
	a := &atlas{models: map[string]*mapped{}}
	var order []mapOf
	for _, m := range models {
		if a.models[m.Path] == nil && whole(m, d) {
			x := &mapped{m, make([]place, len(m.LightMaps))}
			a.models[m.Path] = x
			for i := range m.LightMaps {
				order = append(order, mapOf{x, i})
			}
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(i, j mapOf) int { return int(j.entry().VClamp) - int(i.entry().VClamp) })
	x, y, shelf := 1, 0, 1 // the first texel is for surfaces without a light map
	for _, m := range order {
		l := m.entry()
		if len(lightsOf(m.of.Model, l)) == 0 {
			continue
		}
		w, h := int(l.UClamp), int(l.VClamp)
		if x+w > atlasWidth {
			x, y, shelf = 0, y+shelf, 0
		}
		m.of.places[m.i] = place{x, y, w, h}
		x, shelf = x+w, max(shelf, h)
		if (y+shelf)*atlasWidth > maxAtlas {
			d.Warnf("light-map", m.of.Path, "the light maps are larger than %d texels; they are left out", maxAtlas)
			return nil
		}
		if y == 0 {
			a.dark = shelf - 1
		}
	}
	a.shadows = a.picture("light maps", y+shelf, asset.Gray8)
	img := a.shadows.Base()
	for row := range a.dark + 1 {
		img.Pix[row*atlasWidth] = 255
	}
	for _, m := range order {
		m.shade(img)
	}
	return a
}

func (a *atlas) picture(name string, height int, f asset.PixelFormat) *asset.Texture {
	return &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(atlasWidth, height, f)}}}}
}

// dress gives a material of a scene the light maps.
func (a *atlas) dress(m *asset.Material, s *asset.Scene) {
	use := func(t *asset.Texture) *asset.TextureRef {
		if !slices.Contains(s.Textures, t) {
			s.Textures = append(s.Textures, t)
		}
		return &asset.TextureRef{Texture: t, TexCoord: 1, WrapS: asset.Clamp, WrapT: asset.Clamp}
	}
	m.OcclusionTexture = use(a.shadows)
	if !m.Unlit {
		m.LightTexture = use(a.colours)
	}
}

// whole reports whether a model has light maps, and all their bits.
func whole(m *unreal.Model, d *schema.Diagnostics) bool {
	for i := range m.LightMaps {
		if l := &m.LightMaps[i]; len(lightsOf(m, l)) > 0 && !stored(m, l) {
			d.Warnf("light-map", m.Path, "light map %d leads outside the light bits; light maps are left out", i)
			return false
		}
	}
	return len(m.LightMaps) > 0
}

// lightsOf returns the lights of a light map: its list ends with 0.
func lightsOf(m *unreal.Model, l *unreal.LightMap) []unreal.Ref {
	if l.Light < 0 || int(l.Light) >= len(m.Lights) {
		return nil
	}
	list := m.Lights[l.Light:]
	if end := slices.Index(list, 0); end >= 0 {
		list = list[:end]
	}
	return list
}

// stored reports whether all bits of a light map are there.
func stored(m *unreal.Model, l *unreal.LightMap) bool {
	if l.UClamp < 1 || l.UClamp > atlasWidth || l.VClamp < 1 || l.VClamp > atlasWidth || l.Offset < 0 {
		return false
	}
	size := int64(l.UClamp+7) / 8 * int64(l.VClamp) * int64(len(lightsOf(m, l)))
	return int64(l.Offset)+size <= int64(len(m.LightBits))
}

// bits returns a row of the texels that light n of a map reaches: a bit each, the lowest first.
func (m mapOf) bits(n, y int) []byte {
	l := m.entry()
	size := (int(l.UClamp) + 7) / 8
	return m.of.LightBits[int(l.Offset)+(n*int(l.VClamp)+y)*size:][:size]
}

// shade adds up the shadow bits of a light map.
func (m mapOf) shade(img *asset.Image) {
	p := m.of.places[m.i]
	if p.width == 0 {
		return
	}
	lights := len(lightsOf(m.of.Model, m.entry()))
	reached := make([]int, p.width)
	for y := range p.height {
		clear(reached)
		for n := range lights {
			bits := m.bits(n, y)
			for x := range reached {
				reached[x] += int(bits[x/8] >> (x % 8) & 1)
			}
		}
		row := img.Pix[(p.y+y)*img.Width+p.x:]
		for x, r := range reached {
			row[x] = uint8(255 * r / lights)
		}
	}
}

// unlitAt returns the texel of a surface that no light reaches: that of its zone where it has a light map, else the first one.
func (a *atlas) unlitAt(q *polygon) (x, y int) {
	if q.light < 0 || a.dark == 0 {
		return 0, 0
	}
	return 0, 1 + min(max(int(q.zone), 0), a.dark-1)
}

// coordinates returns the place of a polygon's corners in the atlas (reference section 12.1).
func (a *atlas) coordinates(m *mapped, q *polygon) [][2]float32 {
	img := a.shadows.Base()
	width, height := float32(img.Width), float32(img.Height)
	out := make([][2]float32, len(q.points))
	p := place{}
	if q.light >= 0 && int(q.light) < len(m.places) {
		p = m.places[q.light]
	}
	if p.width == 0 {
		x, y := a.unlitAt(q)
		for i := range out {
			out[i] = [2]float32{(float32(x) + 0.5) / width, (float32(y) + 0.5) / height}
		}
		return out
	}
	l := &m.LightMaps[q.light]
	base, u, v := mgl32.Vec3(q.base), mgl32.Vec3(q.axisU), mgl32.Vec3(q.axisV)
	for i, x := range q.points {
		d := mgl32.Vec3(x).Sub(base)
		s := clamp((d.Dot(u)-l.Pan[0])/l.UScale, float32(p.width-1))
		t := clamp((d.Dot(v)-l.Pan[1])/l.VScale, float32(p.height-1))
		out[i] = [2]float32{(float32(p.x) + s + 0.5) / width, (float32(p.y) + t + 0.5) / height}
	}
	return out
}

// clamp also takes care of values that are no numbers.
func clamp(x, most float32) float32 {
	if !(x > 0) {
		return 0
	}
	return min(x, most)
}
