package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Area reads a record of areas.flx (reference section 11.5). A record of another kind than 1 is kept as bytes.
func Area(b []byte, d *schema.Diagnostics) (*ultima9.Area, error) {
	c := read.NewCursor("u9-area", b, d)
	x := &ultima9.Area{Kind: c.I32("kind")}
	if c.Err() == nil && x.Kind != ultima9.AreaKind {
		x.Opaque = c.Rest()
		return x, nil
	}
	x.ID = c.I32("id")
	c.Record(&x.Position)
	x.Flags = read.Named(c, ultima9.AreaFlags(c.U32("flags")))
	x.Chance = c.I32("chance")
	if x.Flags&ultima9.AreaEncounter != 0 {
		x.Encounter = new(ultima9.Encounter)
		c.Record(x.Encounter)
	}
	x.WeightSum = c.I32("weight sum")
	x.Map = c.I32("map")
	boxes := c.I32("box count")
	c.Records(&x.Boxes, c.Count(uint64(uint32(boxes)), ultima9.AreaBoxSize, "box count"), "box")
	if boxes < 1 || boxes > ultima9.AreaMax {
		d.WarnAtf("area-boxes", "", -1, "%d boxes, 1 to %d expected", boxes, ultima9.AreaMax)
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}
