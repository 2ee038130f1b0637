package check

import (
	"cmp"
	"math"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// checkHulls holds the collision file beside a model against it.
func (c *checker) checkHulls(m *worn) {
	at, ok := c.Game.Find(strings.TrimSuffix(m.at.Path, path.Ext(m.at.Path)) + ".sur")
	if !ok {
		return
	}
	sur, err := c.sur(at)
	if err != nil {
		c.tellFile(unreadable, at, "", "", "%v", err).About = []string{m.at.Path}
		return
	}
	if sur.Old != nil {
		c.tellFile(hullUnread, at, "", "", "it has an older layout, of which the game loads nothing: %s has no hulls there", inData(m.at)).About = []string{m.at.Path}
	}
	for _, p := range sur.Parts {
		c.checkHull(m, at, p)
	}
}

// sur reads a collision file.
func (c *checker) sur(at format.GameFile) (*freelancer.Sur, error) {
	type result struct {
		sur *freelancer.Sur
		err error
	}
	r := format.Made(c.Game, at, "sur", func() result {
		b, err := c.Game.Read(at)
		if err != nil {
			return result{nil, err}
		}
		x, err := read.Sur(b, nil)
		return result{x, err}
	})
	return r.sur, r.err
}

// checkHull looks for the part of a model that hulls belong to, and for its mesh where they are. The file of a .3db has one part,
// which any hash may stand for.
func (c *checker) checkHull(m *worn, at format.GameFile, p *freelancer.SurPart) {
	for i := range m.parts {
		have := &m.parts[i]
		if have.name != "" && freelancer.Hash(freelancer.FLCRC(have.name)) != p.ID {
			continue
		}
		if have.min != have.max && elsewhere(have, p) {
			name := cmp.Or(have.name, "the model")
			c.tellFile(hullOld, at, name, "", "the hulls of %s lie elsewhere than what %s shows", name, inData(m.at)).About = []string{m.at.Path}
		}
		return
	}
	if len(m.parts) > 0 {
		name := p.ID.String()
		c.tellFile(hullGone, at, name, name, "it has hulls for a part with the hash %s, and %s has no such part", name, inData(m.at)).About = []string{m.at.Path}
	}
}

// Hulls that stand out of their mesh by a quarter of its size, and leave as much of it bare, belong to another shape; so do
// those that leave most of it bare. Of 1,177 parts of the game it is so with 10, whose hulls are indeed displaced.
const (
	displaced = 0.25
	bare      = 0.7
)

// elsewhere compares the box of the hulls that are a part's own with that of its mesh.
func elsewhere(have *part, p *freelancer.SurPart) bool {
	if p.Surface == nil {
		return false
	}
	low, high, any := [3]float32{}, [3]float32{}, false
	for _, point := range p.Surface.Points {
		if point.ID != p.ID {
			continue
		}
		if !any {
			low, high, any = point.At, point.At, true
		}
		for i, v := range point.At {
			low[i], high[i] = min(low[i], v), max(high[i], v)
		}
	}
	var out, in, size float64
	for i := range low {
		edge := float64(have.max[i]) - float64(have.min[i])
		size += edge * edge
		out = max(out, float64(have.min[i]-low[i]), float64(high[i]-have.max[i]))
		in = max(in, float64(low[i]-have.min[i]), float64(have.max[i]-high[i]))
	}
	size = math.Sqrt(size)
	return any && (min(out, in) > displaced*size || in > bare*size)
}
