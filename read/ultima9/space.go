package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Space reads a record of spaces.flx (reference section 11.6). A zero word ends a list. It fails with ErrTruncated if a
// list has no end.
func Space(b []byte, d *schema.Diagnostics) (*ultima9.Space, error) {
	c := read.NewCursor("u9-space", b, d)
	x := &ultima9.Space{Name: fixedText(c, ultima9.SpaceNameSize, "name"), Map: c.I32("map")}
	next := c.U32("plane sentinel")
	x.Audio = read.Named(c, ultima9.AudioCode(c.U32("audio code")))
	x.DrawOrder = c.I32("draw order")
	x.Visibility = c.I16("visibility target")
	x.Unknown32 = c.I16("unknown 32")
	x.Number = c.I16("space number")
	x.Flags = read.Named(c, ultima9.SpaceFlags(c.U16("flags")))
	for next != 0 && c.Err() == nil {
		c.Enter("plane", len(x.Planes))
		p := ultima9.SpacePlane{Pointer: next}
		next = spacePlane(c, &p)
		x.Planes = append(x.Planes, p)
		c.Leave()
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func spacePlane(c *read.Cursor, p *ultima9.SpacePlane) (next uint32) {
	next = c.U32("next plane")
	p.Point = c.Vec3("point")
	p.Normal = c.Vec3("normal")
	p.W = c.F32("w")
	portal := c.U32("portal sentinel")
	p.Tail = c.I32("tail")
	for portal != 0 && c.Err() == nil {
		c.Enter("portal", len(p.Portals))
		q := ultima9.SpacePortal{Pointer: portal}
		portal = c.U32("next portal")
		c.Record(&q)
		p.Portals = append(p.Portals, q)
		c.Leave()
	}
	return next
}
