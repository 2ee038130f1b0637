package unreal

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// atlas is one grey picture of all light maps of a model. A texel says what part of the lights that were cast on the
// surface reaches it; the game computes colours from the lights themselves.
type atlas struct {
	model   *unreal.Model
	texture *asset.Texture
	places  []place // one a light map
}

// place is where a light map lies in the atlas; width 0 where it has no shadows.
type place struct{ x, y, width, height int }

// atlasWidth is wide enough for any light map that editors make.
const (
	atlasWidth = 1024
	maxAtlas   = 1 << 26
)

// newAtlas draws the light maps of a model; nil when it has none, or they make no sense.
func newAtlas(m *unreal.Model, d *schema.Diagnostics) *atlas {
	if len(m.LightMaps) == 0 {
		return nil
	}
	a := &atlas{model: m, places: make([]place, len(m.LightMaps))}
	order := indices(len(m.LightMaps))
	slices.SortStableFunc(order, func(i, j int) int { return int(m.LightMaps[j].VClamp) - int(m.LightMaps[i].VClamp) })
	x, y, shelf := 1, 0, 1 // the first texel is white, for surfaces without a light map
	for _, i := range order {
		l := &m.LightMaps[i]
		if len(lightsOf(m, l)) == 0 {
			continue
		}
		if !stored(m, l) {
			d.Warnf("light-map", m.Path, "light map %d leads outside the light bits; light maps are left out", i)
			return nil
		}
		w, h := int(l.UClamp), int(l.VClamp)
		if x+w > atlasWidth {
			x, y, shelf = 0, y+shelf, 0
		}
		a.places[i] = place{x, y, w, h}
		x, shelf = x+w, max(shelf, h)
		if (y+shelf)*atlasWidth > maxAtlas {
			d.Warnf("light-map", m.Path, "the light maps are larger than %d texels; they are left out", maxAtlas)
			return nil
		}
	}
	img := asset.NewImage(atlasWidth, y+shelf, asset.Gray8)
	img.Pix[0] = 255
	for i := range m.LightMaps {
		a.draw(&img, i)
	}
	a.texture = &asset.Texture{Name: "light maps", Frames: []asset.Frame{{Mips: []asset.Image{img}}}}
	return a
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

// draw adds up the shadow bits of a light map: rows of whole bytes, the lowest bit first, 1 is lit.
func (a *atlas) draw(img *asset.Image, i int) {
	p, l := a.places[i], &a.model.LightMaps[i]
	if p.width == 0 {
		return
	}
	lights := len(lightsOf(a.model, l))
	row := (p.width + 7) / 8
	bits := a.model.LightBits[l.Offset:]
	for y := range p.height {
		for x := range p.width {
			lit := 0
			for n := range lights {
				lit += int(bits[(n*p.height+y)*row+x/8] >> (x % 8) & 1)
			}
			img.Pix[(p.y+y)*img.Width+p.x+x] = uint8(255 * lit / lights)
		}
	}
}

// coordinates returns the place of a polygon's corners in the atlas (reference section 12.1).
func (a *atlas) coordinates(q *polygon) [][2]float32 {
	img := a.texture.Base()
	width, height := float32(img.Width), float32(img.Height)
	out := make([][2]float32, len(q.points))
	p := place{}
	if q.light >= 0 && int(q.light) < len(a.places) {
		p = a.places[q.light]
	}
	if p.width == 0 {
		for i := range out {
			out[i] = [2]float32{0.5 / width, 0.5 / height}
		}
		return out
	}
	l := &a.model.LightMaps[q.light]
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
