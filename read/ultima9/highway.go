package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Highway reads highway.dat (reference section 11.4). It fails with ErrMismatch if the size of a route block is not the
// stored one, and warns of a route to a point that is not in the table.
func Highway(b []byte, d *schema.Diagnostics) (*ultima9.Highway, error) {
	c := read.NewCursor("u9-highway", b, d)
	points, routes := uint64(c.U32("points")), uint64(c.U32("routes"))
	x := &ultima9.Highway{}
	c.Records(&x.Points, c.Count(points, ultima9.HighwayPointSize, "points"), "point")
	known := make(map[uint32]bool, len(x.Points))
	for _, p := range x.Points {
		known[p.ID] = true
	}
	at := c.Offset()
	size := c.U32("route block size")
	if c.Err() == nil && int64(size) > int64(c.Left()) {
		c.FailAtf(at, schema.ErrMismatch, "route block size", "%d bytes, %d left", size, c.Left())
	}
	block := c.Sub(min(int(size), c.Left()), "routes")
	x.Routes = make([]ultima9.HighwayRoute, block.Count(routes, ultima9.HighwayRouteSize, "routes"))
	for i := range x.Routes {
		block.Enter("route", i)
		route(block, &x.Routes[i], known, d)
		block.Leave()
	}
	if n := block.Left(); n > 0 {
		block.FailAtf(at, schema.ErrMismatch, "route block size", "%d bytes follow the last route", n)
	}
	c.Adopt(block)
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func route(c *read.Cursor, r *ultima9.HighwayRoute, known map[uint32]bool, d *schema.Diagnostics) {
	r.Start = c.U16("start")
	r.End = c.U16("end")
	n := int(c.U16("path length"))
	r.Distance = c.U16("distance")
	r.Unknown08 = c.U16("zero")
	at := c.Offset()
	r.Path = c.U16s(n, "path")
	for i, id := range r.Path {
		if !known[uint32(id)] {
			d.WarnAtf("highway-point", c.Path(), at+int64(2*i), "the path leads to point %d, which does not exist", id)
		}
	}
}
