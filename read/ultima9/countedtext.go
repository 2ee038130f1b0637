package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// countedText reads a text with its length before it.
func countedText(c *read.Cursor, field string) ultima9.CountedText {
	n := c.Count(uint64(c.U32(field+" length")), 1, field+" length")
	return ultima9.SplitCountedText(c.Data(n, schema.LayoutText, field))
}
