package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// TreeData reads a record of treedat.flx (reference section 11.7). It fails with ErrRange for a child that is not a node.
func TreeData(b []byte, d *schema.Diagnostics) (*ultima9.TreeData, error) {
	c := read.NewCursor("u9-treedat", b, d)
	x := &ultima9.TreeData{Version: c.I32("version"), Volumes: countedI32s(c, "volumes")}
	const smallest = 32
	x.Nodes = make([]ultima9.TreeNode, c.Count(uint64(c.U32("node count")), smallest, "node count"))
	for i := range x.Nodes {
		c.Enter("node", i)
		n := &x.Nodes[i]
		at := c.Offset()
		c.Record(n)
		for _, child := range [2]int32{n.Front, n.Back} {
			if child < -1 || int64(child) >= int64(len(x.Nodes)) {
				c.FailAtf(at, schema.ErrRange, "child", "node %d of %d", child, len(x.Nodes))
			}
		}
		c.Leave()
		if c.Err() != nil {
			return nil, c.Err()
		}
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func countedI32s(c *read.Cursor, field string) []int32 {
	v := make([]int32, c.Count(uint64(c.U32(field)), 4, field))
	for i := range v {
		v[i] = c.I32(field)
	}
	return v
}
