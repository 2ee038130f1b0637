package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// fixedText reads a text field of n bytes.
func fixedText(c *read.Cursor, n int, field string) ultima9.FixedText {
	return ultima9.SplitFixedText(c.Data(n, schema.LayoutText, field))
}
