package ultimate3d

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// MeshChunks decodes mesh chunks that are not in a model file, as many as b holds. If literalShadows is set, shadow volumes
// have vertices even if they have no triangles.
func MeshChunks(b []byte, literalShadows bool) ([]*ultimate3d.Mesh, error) {
	c := read.NewCursor(ultimate3d.FormatName, b, nil)
	p := &parser{b: b, literalShadows: literalShadows}
	var list []*ultimate3d.Mesh
	for c.Left() > 0 {
		m := p.mesh(c)
		if c.Err() != nil {
			return nil, c.Err()
		}
		for _, t := range m.Triangles {
			if int(max(t[0], t[1], t[2])) >= len(m.Positions) {
				c.Failf(schema.ErrRange, "pTriangle", "vertex %d of %d", max(t[0], t[1], t[2]), len(m.Positions))
				return nil, c.Err()
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// MaterialChunk decodes a material chunk that is not in a model file. If it is opaque, it keeps what follows its decoded
// part.
func MaterialChunk(b []byte, opaque bool) (*ultimate3d.Material, error) {
	c := read.NewCursor(ultimate3d.FormatName, b, nil)
	m, from, shaky := material(c)
	if opaque && shaky {
		m.Opaque, m.Effect, m.Undecoded = true, nil, b[from.pos:]
		if from.records {
			m.Textures, m.EffectUsed = [8]*ultimate3d.Texture{}, ultimate3d.False
		}
		return m, nil
	}
	if c.Err() == nil && c.Left() > 0 {
		c.Failf(schema.ErrMismatch, "material", "%d bytes too many", c.Left())
	}
	return m, c.Err()
}

// BoneChunk decodes a bone chunk that is not in a model file.
func BoneChunk(b []byte, layout ultimate3d.KeyLayout) (*ultimate3d.Bone, error) {
	c := read.NewCursor(ultimate3d.FormatName, b, nil)
	bone := bone(c, layout)
	if c.Err() == nil && c.Left() > 0 {
		c.Failf(schema.ErrMismatch, "bone", "%d bytes too many", c.Left())
	}
	return bone, c.Err()
}
