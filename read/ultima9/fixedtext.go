package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
)

// fixedText reads a text field of n bytes.
func fixedText(c *read.Cursor, n int, field string) schema.FixedText {
	return schema.SplitFixedText(c.Data(n, schema.LayoutText, field))
}
