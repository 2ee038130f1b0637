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
	x.Position = areaPosition(c, "position")
	x.Flags = c.U32("flags")
	x.Chance = c.I32("chance")
	if x.Flags&ultima9.AreaEncounter != 0 {
		x.Encounter = encounter(c)
	}
	x.WeightSum = c.I32("weight sum")
	x.Map = c.I32("map")
	boxes := c.I32("box count")
	x.Boxes = make([]ultima9.AreaBox, c.Count(uint64(uint32(boxes)), ultima9.AreaBoxSize, "box count"))
	for i := range x.Boxes {
		c.Enter("box", i)
		x.Boxes[i] = ultima9.AreaBox{Min: areaPosition(c, "box"), Max: areaPosition(c, "box")}
		c.Leave()
	}
	if boxes < 1 || boxes > ultima9.AreaMax {
		d.WarnAtf("area-boxes", "", -1, "%d boxes, 1 to %d expected", boxes, ultima9.AreaMax)
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func areaPosition(c *read.Cursor, field string) ultima9.AreaPosition {
	p := ultima9.AreaPosition{X: c.I32(field), Y: c.I32(field), Z: c.I16(field)}
	copy(p.Pad0A[:], c.Bytes(2, field))
	return p
}

func encounter(c *read.Cursor) *ultima9.Encounter {
	e := &ultima9.Encounter{Unknown00: c.I32("encounter"), Count: c.I32("encounter count")}
	for i := range e.Entries {
		e.Entries[i] = ultima9.EncounterEntry{Type: c.U16("type"), Weight: c.U16("weight")}
	}
	e.Unknown38 = c.I32("encounter")
	e.Unknown3C = c.U16("encounter")
	return e
}
