package freelancer

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// VWire reads a VWireData payload (reference section 5.5).
func VWire(b []byte, d *schema.Diagnostics) (*freelancer.VWire, error) {
	c := read.NewCursor("vwire", b, d)
	w := &freelancer.VWire{Size: c.U32("size"), Mesh: c.U32("mesh"), VertexStart: c.U16("vertexStart"), VertexCount: c.U16("vertexCount")}
	n := c.U16("indexCount")
	w.VertexRange = c.U16("vertexRange")
	w.Indices = c.U16s(c.Count(uint64(n), 2, "indices"), "indices")
	if c.Err() != nil {
		return nil, c.Err()
	}
	w.Tail = rest(c)
	if w.Size != freelancer.WireHeader {
		d.WarnAtf("wire-size", "", 0, "size %d, expected %d", w.Size, freelancer.WireHeader)
	}
	return w, nil
}
