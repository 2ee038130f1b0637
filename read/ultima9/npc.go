package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// NPCs reads slot 0 of npc.flx (reference section 11.1). It fails with ErrMismatch if the length is not a multiple of a
// record.
func NPCs(b []byte, d *schema.Diagnostics) (*ultima9.NPCs, error) {
	c := read.NewCursor("u9-npc", b, d)
	if len(b)%ultima9.NPCSize != 0 {
		c.Failf(schema.ErrMismatch, "records", "%d bytes are no whole number of %d-byte records", len(b), ultima9.NPCSize)
	}
	x := &ultima9.NPCs{}
	c.Records(&x.Records, len(b)/ultima9.NPCSize, "npc")
	return done(x, c)
}

// done returns x, or nil when the cursor has failed.
func done[T any](x *T, c *read.Cursor) (*T, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	return x, nil
}
