package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// The picture of the villager, 64 × 64: where its parts lie.
var (
	tunicCloth = rect{0, 0, 32, 32}
	legCloth   = rect{32, 0, 64, 16}
	leather    = rect{32, 16, 64, 32}
	skinOf     = rect{0, 32, 24, 48}
	faceOf     = rect{24, 32, 64, 64}
	strawOf    = rect{0, 48, 24, 64}
)

func onVillager(r rect) region {
	return pixels(64, 64, float64(r.x0), float64(r.y0), float64(r.x1), float64(r.y1))
}

// clothes has one side of everything; its other side is a mirror of it.
func clothes() *canvas {
	m := newCanvas(64, 64, rgb(0x3F6E8C))
	m.each(tunicCloth, func(x, y int, u, v float64, was colour) colour { // u goes up the body, v from its back to its front
		switch {
		case u < 0.1:
			return rgb(0xD9C27A) // a hem
		case u > 0.36 && u < 0.46:
			if v > 0.88 {
				return rgb(0xD8B24A) // a buckle
			}
			return rgb(0x4A2F1B)
		case v > 0.9 && u > 0.46:
			return rgb(0xE9E0C4) // a shirt below
		}
		return was
	})
	m.fill(legCloth, rgb(0x6E5B45))
	m.fill(leather, rgb(0x4F3321))
	m.fill(skinOf, rgb(0xD9A47C))
	m.fill(strawOf, rgb(0xD9B45C))
	m.fill(rect{8, 48, 13, 64}, rgb(0x4F3321))
	m.shade(strawOf, func(x, y int, u, v float64) float64 { return 0.8 + 0.3*float64((x+y)%3)/2 })
	m.each(faceOf, func(x, y int, u, v float64, _ colour) colour { // u goes from the chin to the crown
		skin, hair := rgb(0xDDA981), rgb(0x7A4A22)
		switch {
		case v < 0.5 && u > 0.2, u > 0.78, u < 0.34 && v > 0.45 && !(u > 0.24 && v > 0.93):
			return hair.times(0.85 + 0.3*noise(x, y/2)) // with a beard
		case u > 0.53 && u < 0.6 && v > 0.78 && v < 0.9:
			if v > 0.81 && v < 0.87 {
				return rgb(0x20343F) // an eye
			}
			return rgb(0xF4EEE2)
		case u > 0.64 && u < 0.68 && v > 0.75 && v < 0.92:
			return hair // a brow
		case u > 0.24 && u < 0.34 && v > 0.93:
			return rgb(0xA8604C) // the mouth
		}
		return mix(skin, rgb(0xC98566), clamp(1.5-12*math.Hypot(u-0.44, v-0.8), 0, 0.5))
	})
	m.shade(rect{0, 0, 64, 48}, func(x, y int, _, _ float64) float64 { return 0.92 + 0.12*noise(x, y) })
	return m
}

// limb is a part of the villager: its number, name, parent, the place of its joint, and its shape around that.
type limb struct {
	id     int
	name   string
	parent int
	at     vec
	shape  *shape
}

// tailor makes the limbs of the villager.
type tailor struct{ palette }

// part is a body of revolution, more or less, open where others hide its ends: rings of height, half width, half depth, and how far in front.
func (t *tailor) part(r rect, sides int, rings ...[4]float64) *shape {
	s := t.with(clothed)
	var list [][]vec
	for _, p := range rings {
		list = append(list, ellipse(vec{0, -p[3], p[0]}, p[1], p[2], sides))
	}
	s.loft(list, true, onVillager(r))
	return s.move(standing)
}

func (t *tailor) head() *shape {
	s := t.part(faceOf, 8, [4]float64{-0.02, 0.05, 0.05, 0}, [4]float64{0.04, 0.085, 0.1, 0.015}, [4]float64{0.12, 0.105, 0.125, 0.015}, [4]float64{0.2, 0.105, 0.12, 0.005}, [4]float64{0.27, 0.07, 0.085, -0.005})
	nose := t.part(skinOf, 5, [4]float64{0.09, 0.018, 0.024, 0.145}, [4]float64{0.16, 0.008, 0.01, 0.125})
	hat := t.part(strawOf, 9, [4]float64{0.205, 0.1, 0.11, 0}, [4]float64{0.2, 0.27, 0.28, 0}, [4]float64{0.215, 0.13, 0.145, 0}, [4]float64{0.3, 0.105, 0.115, 0}, [4]float64{0.33, 0.07, 0.075, 0}, [4]float64{0.35, 0.004, 0.004, 0})
	return s.join(nose, hat)
}

func (t *tailor) limbs() []limb {
	list := []limb{
		{1, "PELVIS", 0, vec{0, 0.93, 0}, t.part(rect{0, 0, 12, 32}, 8, [4]float64{-0.3, 0.235, 0.215, 0}, [4]float64{-0.1, 0.19, 0.15, 0}, [4]float64{0.1, 0.165, 0.12, 0})},
		{2, "TORSO", 1, vec{0, 1.0, 0}, t.part(rect{11, 0, 32, 32}, 8, [4]float64{0, 0.165, 0.12, 0}, [4]float64{0.08, 0.168, 0.122, 0}, [4]float64{0.22, 0.19, 0.135, 0.01}, [4]float64{0.4, 0.2, 0.12, 0}, [4]float64{0.46, 0.12, 0.08, 0}, [4]float64{0.52, 0.06, 0.06, 0})},
		{3, "HEAD", 2, vec{0, 1.52, 0}, t.head()},
	}
	for k, side := range []float64{1, -1} {
		names := [2][4]string{{"LARM", "LHAND", "LLEG", "LFOOT"}, {"RARM", "RHAND", "RLEG", "RFOOT"}}[k]
		arm := t.part(rect{4, 0, 11, 28}, 6, [4]float64{-0.28, 0.052, 0.056, 0}, [4]float64{-0.02, 0.078, 0.084, 0}, [4]float64{0.07, 0.012, 0.012, 0})
		hand := t.part(rect{0, 0, 11, 28}, 6, [4]float64{-0.24, 0.05, 0.054, 0}, [4]float64{0.02, 0.052, 0.056, 0}).
			join(t.part(skinOf, 5, [4]float64{-0.35, 0.012, 0.018, 0.01}, [4]float64{-0.3, 0.032, 0.05, 0.01}, [4]float64{-0.22, 0.03, 0.036, 0}))
		leg := t.part(legCloth, 6, [4]float64{-0.44, 0.068, 0.075, 0}, [4]float64{-0.04, 0.075, 0.085, 0})
		foot := t.part(leather, 6, [4]float64{-0.42, 0.06, 0.07, 0}, [4]float64{0.02, 0.082, 0.09, 0}).
			join(t.part(leather, 6, [4]float64{-0.46, 0.062, 0.14, 0.06}, [4]float64{-0.41, 0.062, 0.13, 0.055}, [4]float64{-0.36, 0.05, 0.07, 0.01}))
		list = append(list,
			limb{4 + k, names[0], 2, vec{side * 0.215, 1.39, 0}, arm}, limb{6 + k, names[1], 4 + k, vec{side * 0.235, 1.13, 0}, hand},
			limb{8 + k, names[2], 1, vec{side * 0.1, 0.9, 0}, leg}, limb{10 + k, names[3], 8 + k, vec{side * 0.1, 0.47, 0}, foot})
	}
	return list
}

// scene is the villager, with a walk.
func (t *tailor) scene() *asset.Scene {
	s := &asset.Scene{Name: "villager", Materials: t.worn(), Textures: t.textures}
	nodes, places := map[int]*asset.Node{}, map[int]vec{}
	walk := newClip("walk", 12, 0.858)
	for _, l := range t.limbs() {
		n := asset.NewNode("limb_" + itoa(l.id))
		n.Mesh = l.shape.mesh(l.name, 60)
		n.Transform.Translation = onGrid(l.at.minus(places[l.parent])).narrow()
		nodes[l.id], places[l.id] = n, l.at
		s.Meshes = append(s.Meshes, n.Mesh)
		if up := nodes[l.parent]; up != nil {
			up.Children = append(up.Children, n)
		} else {
			s.Roots = append(s.Roots, n)
		}
	}
	x := vec{1, 0, 0}
	for k, lag := range []float64{0, math.Pi} {
		walk.turn(nodes[8+k], x, func(p float64) float64 { return -21 * math.Sin(p+lag) })
		walk.turn(nodes[10+k], x, func(p float64) float64 { return 6 + 42*max(0, math.Cos(p+lag)) })
		walk.turn(nodes[4+k], x, func(p float64) float64 { return 24 * math.Sin(p+lag) })
		walk.turn(nodes[6+k], x, func(p float64) float64 { return -18 - 10*math.Sin(p+lag) })
	}
	walk.turn(nodes[2], vec{0, 1, 0}, func(p float64) float64 { return 7 * math.Sin(p) })
	walk.turn(nodes[3], vec{0, 1, 0}, func(p float64) float64 { return -6 * math.Sin(p) })
	s.Animations = []*asset.Animation{walk.Animation}
	return s
}
