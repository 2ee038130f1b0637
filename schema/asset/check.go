package asset

import (
	"fmt"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// Check returns an error when parts of an asset do not fit each other, so that nobody can walk through it: lists of vertices
// that differ in length, indices behind the last vertex, rows that are not as wide as their table. What a caller makes by
// hand is checked before it is converted.
func Check(a Asset) error {
	switch a := Given(a).(type) {
	case *Scene:
		return a.check()
	case *Texture:
		return a.check()
	case *Sound:
		return a.check()
	case *Table:
		return a.check()
	}
	return nil
}

// misfit is the error about an asset.
func misfit(kind, field, msg string, args ...any) error {
	return schema.Errorf(kind, schema.ErrMismatch, field, msg, args...)
}

func (s *Scene) check() error {
	var err error
	known := map[*Mesh]bool{}
	mesh := func(m *Mesh) {
		if err == nil && m != nil && !known[m] {
			known[m], err = true, m.check()
		}
	}
	for _, m := range s.Meshes {
		mesh(m)
	}
	s.Walk(func(n, _ *Node) { mesh(n.Mesh) })
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			if err == nil {
				err = c.check(a.Name)
			}
		}
	}
	for _, t := range s.Textures {
		if err == nil {
			err = t.check()
		}
	}
	for _, m := range s.Materials {
		if err == nil {
			err = m.check()
		}
	}
	return err
}

func (m *Mesh) check() error {
	for i, p := range m.Primitives {
		if p.Load != nil {
			continue
		}
		if err := p.check(); err != nil {
			return schema.In(fmt.Sprintf("mesh %q, primitive %d", m.Name, i), err)
		}
		if err := p.Material.check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Primitive) check() error {
	n := len(p.Positions)
	sizes := []int{len(p.Normals), len(p.Tangents), len(p.Colors)}
	for _, set := range p.TexCoords {
		sizes = append(sizes, len(set))
	}
	for _, t := range p.Targets {
		sizes = append(sizes, len(t.Positions), len(t.Normals), len(t.Tangents))
	}
	for _, size := range sizes {
		if size != n && size != 0 {
			return misfit("scene", "Positions", "%d of them, and %d values of another attribute", n, size)
		}
	}
	if len(p.Joints) != len(p.Weights) {
		return misfit("scene", "Weights", "%d sets of them, and %d of joints", len(p.Weights), len(p.Joints))
	}
	for i := range p.Joints {
		if len(p.Joints[i]) != n || len(p.Weights[i]) != n {
			return misfit("scene", "Weights", "%d positions, %d joints and %d weights", n, len(p.Joints[i]), len(p.Weights[i]))
		}
	}
	if p.Mode > Points {
		return misfit("scene", "Mode", "there is no mode %d", p.Mode)
	}
	for _, i := range p.Indices {
		if int64(i) >= int64(n) {
			return misfit("scene", "Indices", "there is no vertex %d of %d", i, n)
		}
	}
	return nil
}

func (c *Channel) check(animation string) error {
	width := c.Width()
	keys := len(c.Times)
	if c.Interpolation == CubicKeys {
		keys *= 3
	}
	if want := [...]int{Translation: 3, Rotation: 4, Scale: 3, MorphWeights: width}; int(c.Path) >= len(want) || keys > 0 && width != want[c.Path] || len(c.Values) != keys*width {
		return schema.In(fmt.Sprintf("animation %q", animation), misfit("scene", "Values", "%d of them, and %d times", len(c.Values), len(c.Times)))
	}
	return nil
}

func (m *Material) check() error {
	if m == nil {
		return nil
	}
	for _, r := range m.Textures() {
		if r == nil {
			continue
		}
		if r.Texture == nil || r.TexCoord < 0 {
			return misfit("scene", "TextureRef", "the material %q has a reference to no texture, or to no set of coordinates", m.Name)
		}
		if err := r.Texture.check(); err != nil {
			return err
		}
	}
	return nil
}

func (t *Texture) check() error {
	for i, f := range t.Frames {
		if len(f.Mips) == 0 {
			return misfit("texture", "Mips", "frame %d has no picture", i)
		}
		for _, m := range slices.Concat(f.Mips, f.Faces) {
			const most = 1 << 24                  // so that no product is too large for a number
			if len(m.Pix) == 0 && t.File != nil { // not decoded yet
				continue
			}
			if uint(m.Width) > most || uint(m.Height) > most || m.Format > Gray16 || int64(len(m.Pix)) != int64(m.Width)*int64(m.Height)*int64(m.Format.Bytes()) {
				return schema.In(fmt.Sprintf("texture %q, frame %d", t.Name, i), misfit("texture", "Pix", "%d bytes for %d × %d pixels", len(m.Pix), m.Width, m.Height))
			}
		}
	}
	return nil
}

func (s *Sound) check() error {
	if s.Channels < 0 || s.Bits < 0 || s.Rate < 0 {
		return misfit("sound", "Channels", "%d channels of %d bits at %d a second", s.Channels, s.Bits, s.Rate)
	}
	return nil
}

func (t *Table) check() error {
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return misfit("table", "Rows", "row %d has %d cells, and there are %d columns", i, len(row), len(t.Columns))
		}
	}
	for _, key := range t.Keys {
		if !slices.Contains(t.Columns, key) {
			return misfit("table", "Keys", "there is no column %q", key)
		}
	}
	for i, held := range t.Held {
		if held < 0 || held > len(t.Keys) || i >= len(t.Columns) {
			return misfit("table", "Held", "column %d depends on %d of %d keys", i, held, len(t.Keys))
		}
	}
	return nil
}
