package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// The picture of the creature, 256 × 128.
const grazerWidth, grazerHeight = 256, 128

var (
	grazerBody  = rect{0, 0, 256, 72}
	grazerLeg   = rect{0, 72, 128, 128}
	grazerCrest = rect{128, 72, 192, 104}
	grazerEye   = rect{192, 72, 224, 104}
	grazerHorn  = rect{128, 104, 192, 128}
)

func onGrazer(r rect) region {
	return pixels(grazerWidth, grazerHeight, float64(r.x0), float64(r.y0), float64(r.x1), float64(r.y1))
}

var (
	moss  = rgb(0x4C7A5B)
	fern  = rgb(0x2C5148)
	cream = rgb(0xE8D9A8)
	coral = rgb(0xE0693F)
	night = rgb(0x15181C)
)

// grazerPaint is a hide: dark above with spots and bands, pale below.
func grazerPaint() *canvas {
	m := newCanvas(grazerWidth, grazerHeight, moss)
	m.each(grazerBody, func(x, y int, u, v float64, _ colour) colour {
		c := mix(fern, moss, clamp(2.5*v, 0, 1))
		if wave := math.Sin(u*2*math.Pi*13 + 1.5*math.Sin(6*v)); wave > 0.55 && v < 0.34 && u < 0.86 {
			c = mix(c, cream, 0.55)
		}
		if spot := cloud(float64(x)/7, float64(y)/7); spot > 0.68 && v > 0.2 && v < 0.6 {
			c = mix(c, fern, 0.8)
		}
		return mix(c, cream, clamp(5*(v-0.62+0.06*cloud(float64(x)/9, 3)), 0, 1))
	})
	m.tint(rect{236, 44, 256, 46}, night, 0.8) // the mouth
	m.tint(rect{250, 26, 252, 29}, night, 0.8) // nostrils
	m.each(grazerLeg, func(x, y int, u, v float64, _ colour) colour {
		c := mix(moss, fern, clamp(1.4*u, 0, 1))
		if math.Sin(u*2*math.Pi*5+0.8*math.Sin(9*v)) > 0.7 && u < 0.8 {
			c = mix(c, cream, 0.35)
		}
		if u > 0.93 && math.Mod(v*7, 1) > 0.3 { // toes
			c = cream
		}
		return c
	})
	m.each(grazerCrest, func(_, _ int, _, v float64, _ colour) colour { return mix(rgb(0xF2B950), coral, clamp(1.2*v, 0, 1)) })
	m.fill(grazerHorn, cream)
	m.grain(rect{0, 0, grazerWidth, grazerHeight}, 0.22, 0.02)
	m.each(grazerEye, func(_, _ int, u, v float64, _ colour) colour {
		if math.Hypot(u-0.42, v-0.25) < 0.1 {
			return rgb(0xFFFFFF)
		}
		return mix(night, rgb(0xB06A1E), clamp(3*math.Abs(v-0.5)-0.4, 0, 1))
	})
	return m
}

// tube adds a skin along a path in the plane x = at: rings of y, z, half width, half height, each square to the path.
func (s *shape) tube(at float64, sides int, r region, path ...[4]float64) [][]vec {
	var rings [][]vec
	for i, p := range path {
		a, b := path[max(i-1, 0)], path[min(i+1, len(path)-1)]
		along := vec{0, b[0] - a[0], b[1] - a[1]}.unit()
		up := vec{0, along[2], -along[1]}
		var ring []vec
		for _, q := range ellipse(vec{}, p[2], p[3], sides) {
			ring = append(ring, vec{at + q[0], p[0], p[1]}.plus(up.times(q[1])))
		}
		rings = append(rings, ring)
	}
	s.loft(rings, true, r)
	return rings
}

// grazerSkeleton has the back from the tail to the head, and four legs.
func grazerSkeleton() (bones *skeleton, back *chain, legs [4]*chain) {
	bones = &skeleton{}
	hips := bones.bone("hips", -1, vec{0, 2.1, -1.1})
	tail := bones.row(hips, []string{"tail_1", "tail_2", "tail_3"}, vec{0, 1.85, -2.1}, vec{0, 1.5, -3.2}, vec{0, 1.4, -4.2}, vec{0, 1.55, -5.3})
	front := bones.row(hips, []string{"chest", "neck_1", "neck_2", "head"}, vec{0, 2.2, 0.6}, vec{0, 2.5, 1.9}, vec{0, 3.65, 2.95}, vec{0, 4.95, 3.62}, vec{0, 4.9, 5})
	back = &chain{ // from the tip of the tail to the muzzle
		bones:  []uint16{tail.bones[2], tail.bones[1], tail.bones[0], uint16(hips), front.bones[0], front.bones[1], front.bones[2], front.bones[3]},
		places: []vec{tail.places[3], tail.places[2], tail.places[1], tail.places[0], front.places[0], front.places[1], front.places[2], front.places[3], front.places[4]},
	}
	for i := range legs {
		x, z, body := 0.62, -1.25, hips
		if i%2 == 1 {
			x = -x
		}
		name := [4]string{"hind_left", "hind_right", "fore_left", "fore_right"}[i]
		if i > 1 {
			z, body = 1.05, int(front.bones[0])
		}
		c := bones.row(body, []string{name + "_thigh", name + "_shin", name + "_foot"}, vec{x, 1.95, z}, vec{x, 1.05, z + 0.12}, vec{x, 0.3, z - 0.06}, vec{x, 0, z + 0.12})
		c.bones, c.places = append([]uint16{uint16(body)}, c.bones...), append([]vec{{x * 0.5, 2.4, z}}, c.places...)
		legs[i] = c
	}
	return bones, back, legs
}

// grazer is a long-necked creature that walks.
func grazer() *asset.Scene {
	bones, back, legs := grazerSkeleton()
	hide := grazerPaint().plain(42).texture("grazer.png")
	s := &shape{material: painted("hide", hide), chain: back}
	s.grazerBack()
	for _, c := range legs {
		s.chain = c
		p := c.places[1]
		rings := s.tube(p[0], 8, onGrazer(grazerLeg), [4]float64{2.3, p[2], 0.32, 0.44}, [4]float64{1.75, p[2] + 0.03, 0.38, 0.46},
			[4]float64{1.05, p[2] + 0.12, 0.25, 0.27}, [4]float64{0.65, p[2] + 0.03, 0.2, 0.22}, [4]float64{0.25, p[2] - 0.03, 0.22, 0.24}, [4]float64{0, p[2] + 0.02, 0.29, 0.32})
		s.lid(rings[len(rings)-1], onGrazer(rect{100, 80, 110, 90}))
	}
	n := asset.NewNode("grazer")
	n.Mesh, n.Skin = s.mesh("grazer", 70), bones.skin("grazer")
	return &asset.Scene{
		Name: "grazer", Roots: []*asset.Node{n, bones.nodes[0]}, Meshes: []*asset.Mesh{n.Mesh}, Skins: []*asset.Skin{n.Skin},
		Materials: []*asset.Material{s.material}, Textures: []*asset.Texture{hide}, Animations: []*asset.Animation{grazerWalk(bones).Animation},
	}
}

// grazerBack adds the body, the crest on it, horns and eyes.
func (s *shape) grazerBack() {
	path := [][4]float64{
		{1.56, -5.3, 0.03, 0.03}, {1.42, -4.3, 0.13, 0.14}, {1.5, -3.2, 0.28, 0.3}, {1.85, -2.15, 0.56, 0.58}, {2.1, -1.25, 0.86, 0.86},
		{2.18, -0.1, 1.02, 0.98}, {2.22, 0.9, 0.92, 0.9}, {2.45, 1.7, 0.62, 0.68}, {2.98, 2.35, 0.39, 0.46}, {3.7, 2.85, 0.28, 0.32}, {4.4, 3.2, 0.23, 0.26},
		{4.88, 3.55, 0.27, 0.28}, {5.02, 3.95, 0.32, 0.29}, {4.95, 4.4, 0.25, 0.2}, {4.86, 4.85, 0.2, 0.15}, {4.84, 5.02, 0.1, 0.08},
	}
	rings := s.tube(0, 12, onGrazer(grazerBody), path...)
	s.lid(rings[len(rings)-1], onGrazer(rect{240, 50, 250, 60}))
	for i := 1; i < 11; i++ { // the crest
		top, next := rings[i][0], rings[i+1][0]
		size := 0.16 + 0.34*math.Sin(math.Pi*float64(i)/11)
		up := next.minus(top).cross(vec{1, 0, 0}).unit()
		tip := mix(top, next, 0.3).plus(up.times(size))
		a, b := mix(top, next, 0.85).minus(up.times(0.06)), top.minus(up.times(0.06))
		side := vec{0.07, 0, 0}
		mid := mix(a, b, 0.5)
		r := onGrazer(grazerCrest)
		tri := func(p, q vec) { s.add(corner{p, r.at(0, 1)}, corner{q, r.at(1, 1)}, corner{tip, r.at(0.5, 0)}) }
		tri(a, mid.minus(side))
		tri(mid.minus(side), b)
		tri(b, mid.plus(side))
		tri(mid.plus(side), a)
	}
	for _, side := range []float64{1, -1} {
		s.tube(side*0.29, 6, onGrazer(grazerEye), [4]float64{5.09, 3.9, 0.01, 0.01}, [4]float64{5.09, 3.95, 0.07, 0.09}, [4]float64{5.09, 4.05, 0.09, 0.1}, [4]float64{5.09, 4.15, 0.07, 0.09}, [4]float64{5.09, 4.2, 0.01, 0.01})
		s.tube(side*0.17, 5, onGrazer(grazerHorn), [4]float64{5.18, 3.72, 0.09, 0.09}, [4]float64{5.42, 3.6, 0.06, 0.06}, [4]float64{5.6, 3.38, 0.01, 0.01})
	}
}

// grazerWalk is one stride: each leg swings a quarter of it behind another, and the body follows.
func grazerWalk(bones *skeleton) clip {
	c := newClip("walk", 16, 1.6)
	x, y, z := vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}
	find := map[string]*asset.Node{}
	for _, n := range bones.nodes {
		find[n.Name] = n
	}
	for i, leg := range []string{"hind_left", "fore_left", "hind_right", "fore_right"} {
		at := func(phase float64) float64 { return phase + math.Pi/2*float64(i) }
		c.turn(find[leg+"_thigh"], x, func(p float64) float64 { return -24 * math.Sin(at(p)) })
		c.turn(find[leg+"_shin"], x, func(p float64) float64 { return 4 + 38*max(0, math.Cos(at(p))) })
		c.turn(find[leg+"_foot"], x, func(p float64) float64 { return 18*math.Sin(at(p)) - 26*max(0, math.Cos(at(p))) })
	}
	hips := find["hips"]
	c.each(hips, asset.Translation, func(p float64) []float64 {
		at := hips.Transform.Translation
		return []float64{float64(at[0]), float64(at[1]) + math.Round(48*math.Cos(2*p))/1024, float64(at[2])}
	})
	c.turn(hips, z, func(p float64) float64 { return 2.5 * math.Sin(p) })
	c.turn(find["chest"], z, func(p float64) float64 { return -4 * math.Sin(p) })
	for i, name := range []string{"tail_1", "tail_2", "tail_3"} {
		c.turn(find[name], y, func(p float64) float64 { return (8 + 5*float64(i)) * math.Sin(p-0.8*float64(i)) })
	}
	c.turn(find["neck_1"], x, func(p float64) float64 { return 4 * math.Cos(2*p) })
	c.turn(find["neck_2"], x, func(p float64) float64 { return 3 * math.Cos(2*p-0.7) })
	c.turn(find["head"], x, func(p float64) float64 { return -5 * math.Cos(2*p-0.5) })
	return c
}
