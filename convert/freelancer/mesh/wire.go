package mesh

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Lines returns the lines of a wireframe, with the mesh vertices that they join.
func Lines(w *freelancer.VWire, v *freelancer.VMesh) (*asset.Primitive, error) {
	lines := &asset.Primitive{Mode: asset.Lines, Indices: []uint32{}}
	of := map[uint16]uint32{}
	for _, i := range w.Indices[:len(w.Indices)/2*2] {
		at := int(w.VertexStart) + int(i)
		if at >= len(v.Positions) {
			return nil, schema.Errorf("vwire", schema.ErrRange, "indices", "vertex %d of %d", at, len(v.Positions))
		}
		k, known := of[i]
		if !known {
			k = uint32(len(lines.Positions))
			of[i] = k
			lines.Positions = append(lines.Positions, v.Positions[at])
		}
		lines.Indices = append(lines.Indices, k)
	}
	return lines, nil
}
