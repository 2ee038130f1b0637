package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Book reads a record of the books archives (reference section 10.3). It fails with ErrMismatch if bytes follow the body.
func Book(b []byte, d *schema.Diagnostics) (*ultima9.Book, error) {
	c := read.NewCursor("u9-book", b, d)
	x := &ultima9.Book{Title: countedText(c, "title")}
	if x.Title.Absent || x.Title.Unterminated || len(x.Title.Rest) > 0 {
		d.WarnAtf("title-terminator", "", 0, "the title does not end with its one zero byte")
	}
	size := c.Extent(uint64(c.U32("body length")), 1, "body length")
	x.Body = c.Text(size, "body")
	if n := c.Left(); n > 0 {
		c.Failf(schema.ErrMismatch, "body length", "%d bytes follow the body", n)
	}
	return done(x, c)
}
