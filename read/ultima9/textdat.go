package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// TextTable reads text.dat (reference section 10.5).
func TextTable(b []byte, d *schema.Diagnostics) (*ultima9.TextTable, error) {
	c := read.NewCursor("u9-textdat", b, d)
	t := &ultima9.TextTable{}
	t.Buckets = make([][]ultima9.TextItem, c.Count(uint64(c.U32("bucket count")), 4, "bucket count"))
	for i := range t.Buckets {
		c.Enter("bucket", i)
		n := c.Count(uint64(c.U32("item count")), 12, "item count")
		items := make([]ultima9.TextItem, n)
		for j := range items {
			c.Enter("item", j)
			items[j] = ultima9.TextItem{Bucket: c.U32("bucket"), CRC: c.U32("crc"), Slot: c.U32("text slot")}
			c.Leave()
			if items[j].Bucket != uint32(i) {
				d.WarnAtf("bucket-number", c.Path(), c.Offset()-12, "the item says bucket %d", items[j].Bucket)
			}
		}
		t.Buckets[i] = items
		c.Leave()
		if c.Err() != nil {
			return nil, c.Err()
		}
	}
	t.Trailing = trailing(c, d)
	return done(t, c)
}
