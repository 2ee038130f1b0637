package world

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/seams"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestTerrainDoubts: what half a cell or one corner of it shows, and a terrain cannot, is told.
func TestTerrainDoubts(t *testing.T) {
	stored := u9.Do(read.Terrain(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "terrain.9")), nil))(t)
	first := func(p *asset.Primitive) [3]float32 { return p.Positions[p.Indices[0]] }
	for _, c := range []struct {
		name string
		edit func(p *asset.Primitive)
		told string
	}{
		{"nothing", func(p *asset.Primitive) {}, ""},
		{"one corner raised", func(p *asset.Primitive) { p.Positions[p.Indices[0]][2] += 8 * ultima9.HeightStep }, "ground-torn"},
		{"all corners of a point raised", func(p *asset.Primitive) {
			at := first(p)
			for i, v := range p.Positions {
				if v == at {
					p.Positions[i][2] += 8 * ultima9.HeightStep
				}
			}
		}, ""},
		{"a coordinate moved", func(p *asset.Primitive) { p.TexCoords[0][p.Indices[0]][0] += 0.25 }, "ground-coordinates"},
		{"half a cell gone", func(p *asset.Primitive) { p.Indices = p.Indices[3:] }, "half-hole"},
		{"a cell gone", func(p *asset.Primitive) { p.Indices = p.Indices[6:] }, ""},
		{"the far edge raised", func(p *asset.Primitive) {
			for i, v := range p.Positions {
				if v[0] == float32(stored.Width*ultima9.PointStep) {
					p.Positions[i][2] += 8 * ultima9.HeightStep
				}
			}
		}, "ground-edge"},
	} {
		s := u9.ThroughGLB(t, "", u9.Do(liftTerrain(stored, nil))(t))
		m := u9.NodeNamed(t, s, "ground").Mesh
		for _, form := range seams.Forms[:2] {
			seams.Reform(m, form)
		}
		middle := 0
		for i, p := range m.Primitives {
			if len(p.Indices) > len(m.Primitives[middle].Indices) {
				middle = i
			}
		}
		if c.told == "ground-edge" || c.name == "all corners of a point raised" {
			at := first(m.Primitives[middle])
			for i, p := range m.Primitives {
				if i != middle && c.told == "" {
					for k, v := range p.Positions {
						if v == at {
							p.Positions[k][2] += 8 * ultima9.HeightStep
						}
					}
				} else if i != middle {
					c.edit(p)
				}
			}
		}
		c.edit(m.Primitives[middle])
		d := new(schema.Diagnostics)
		u9.Do(lowerTerrain(u9.ThroughGLB(t, "", s), &format.Env{Diagnostics: d}))(t)
		for _, code := range []string{"ground-torn", "half-cell", "ground-coordinates", "half-hole", "ground-edge"} {
			if d.Has(code) != (code == c.told) {
				t.Errorf("%s: told %v, want %q", c.name, d.All(), c.told)
			}
		}
	}
}

// TestTerrainHalves: of a cell whose halves have different pictures the changed one is taken, and that is told.
func TestTerrainHalves(t *testing.T) {
	s := u9.ThroughGLB(t, "", u9.Do(liftTerrain(u9.Do(read.Terrain(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "terrain.9")), nil))(t), nil))(t))
	m := u9.NodeNamed(t, s, "ground").Mesh
	p := m.Primitives[0]
	half := *p
	half.Indices, half.Material = p.Indices[:3], asset.NewMaterial(look.Picture{Slot: 77}.Title())
	p.Indices = p.Indices[3:]
	m.Primitives = append(m.Primitives, &half)
	s.Materials = append(s.Materials, half.Material)
	d := new(schema.Diagnostics)
	x := u9.Do(lowerTerrain(u9.ThroughGLB(t, "", s), &format.Env{Diagnostics: d}))(t)
	count := 0
	for _, point := range x.Grid() {
		if point.Texture() == 77 {
			count++
		}
	}
	if !d.Has("half-cell") || count != 1 {
		t.Errorf("%d cells, told %v", count, d.All())
	}
}
