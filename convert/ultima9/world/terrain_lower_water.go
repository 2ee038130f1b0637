package world

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// water takes the level of the water from its mesh.
func (g *groundSampler) water(n *asset.Node, toRaw mgl64.Mat4) {
	var sum mgl64.Vec3
	count := 0
	low, high := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range n.Mesh.Primitives {
		p, err := p.Whole()
		if err != nil {
			g.err = err
			return
		}
		for _, v := range p.Positions {
			at := scene.Point(&toRaw, v)
			for k := range at {
				low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
			}
			sum = sum.Add(at)
			count++
		}
	}
	if count == 0 {
		return
	}
	mean := sum.Mul(1 / float64(count))
	const slack = 0.5 // raw units
	square := high[2]-low[2] <= slack
	x0, y0, x1, y1 := g.box.cells(int(g.terrain.Width), int(g.terrain.Height))
	for k, side := range [2][2]int{{x0, x1}, {y0, y1}} {
		from, to := float64(side[0])*ultima9.PointStep, float64(side[1])*ultima9.PointStep
		square = square && math.Abs(low[k]-from)+math.Abs(high[k]-to)+math.Abs(mean[k]-(from+to)/2) <= slack
	}
	if g.ours && !square {
		g.env.Told().Lossf("water-shape", n.Name, "the triangles of the water are not the square over the whole map: a terrain has one level of water, their mean height")
	}
	if level := math.Round(mean[2]); math.Abs(level) < 1<<31 && int32(level) != g.level {
		g.terrain.WaterLevel = int32(level)
	}
}

// tellWater reports water that looks otherwise than all water does.
func tellWater(s *asset.Scene, d *schema.Diagnostics) {
	is := waterLook()
	for _, m := range s.Materials {
		if m.Native != nil || m.Name != waterNode {
			continue
		}
		var unheld scene.Unheld
		unheld.Compare(m, is, &terrainRoom, true)
		unheld.Tell(d, "", &terrainRoom)
		if !scene.SameColor(is.BaseColor[:], m.BaseColor[:]) || m.BaseColorTexture != nil {
			d.Lossf("material-colour", m.Name, "the colour or picture of the water is left out: a terrain has its level alone")
		}
	}
}
