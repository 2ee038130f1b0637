package sculpt

import (
	"math"

	"github.com/usher-assets/usher/schema/asset"
)

// palette is the materials of a model: pictures that repeat, each as wide as so many metres.
type palette struct {
	textures []*asset.Texture
	coats    map[string]*asset.Material
	metres   map[*asset.Material]float64
}

func newPalette() palette {
	return palette{coats: map[string]*asset.Material{}, metres: map[*asset.Material]float64{}}
}

// coat makes a material. What glows is not lit.
func (p *palette) coat(name string, metres float64, glows bool, picture *canvas) {
	t := picture.texture(name)
	x := painted(name, t)
	x.Unlit = glows
	p.textures, p.coats[name], p.metres[x] = append(p.textures, t), x, metres
}

func (p *palette) with(coat string) *shape { return &shape{material: p.coats[coat]} }

// whole is all of a picture.
var whole = region{0, 0, 1, 1}

// tiled lays the picture of each face by its place in the world: across, and down.
func (p *palette) tiled(s *shape) *shape {
	for i := range s.faces {
		f := &s.faces[i]
		n, size := f.normal().unit(), p.metres[f.material]
		picture := f.material.BaseColorTexture.Texture.Base()
		tall := float64(picture.Height) / float64(picture.Width)
		across, down := vec{1, 0, 0}, vec{0, 0, 1}
		if math.Abs(n[1]) < 0.95 {
			across = vec{n[2], 0, -n[0]}.unit()
			down = across.cross(n).unit()
		}
		for k := range f.corners {
			c := &f.corners[k]
			c.uv = [2]float64{c.p.dot(across) / size, c.p.dot(down) / size / tall}
		}
	}
	return s
}

// worn returns all materials, in the order in which they were made.
func (p *palette) worn() (list []*asset.Material) {
	for _, t := range p.textures {
		list = append(list, p.coats[t.Name])
	}
	return list
}
