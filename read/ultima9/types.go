package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Types reads types.dat (reference section 10.1). It fails with ErrTruncated if b is shorter than the header and 8,192
// records, and with ErrCount if more types are active than there are records.
func Types(b []byte, d *schema.Diagnostics) (*ultima9.Types, error) {
	c := read.NewCursor("u9-types", b, d)
	t := &ultima9.Types{Active: c.U32("active type count"), NPCs: c.U32("NPC type count")}
	c.Extent(ultima9.TypeCount, ultima9.TypeSize, "records")
	if t.Active > ultima9.TypeCount {
		c.FailAtf(0, schema.ErrCount, "active type count", "%d of %d types", t.Active, ultima9.TypeCount)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	c.Records(&t.Records, ultima9.TypeCount, "type")
	t.Trailing = trailing(c, d)
	return t, c.Err()
}
