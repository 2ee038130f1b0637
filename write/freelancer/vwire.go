package freelancer

import (
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// VWire writes a VWireData payload. It fails with ErrRange for more than 65,535 indices.
func VWire(v *freelancer.VWire) ([]byte, error) {
	w := write.NewBuffer("vwire", 16+2*len(v.Indices)+len(v.Tail))
	w.U32(v.Size)
	w.U32(v.Mesh)
	w.U16(v.VertexStart)
	w.U16(v.VertexCount)
	w.Count16(len(v.Indices), "indexCount")
	w.U16(v.VertexRange)
	w.U16s(v.Indices)
	w.Bytes(v.Tail)
	return w.Finish()
}
