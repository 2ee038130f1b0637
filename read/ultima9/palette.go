package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Palette reads ankh.pal (reference section 3). It fails with ErrTruncated for less than 1024 bytes; further bytes are
// kept.
func Palette(b []byte, d *schema.Diagnostics) (*ultima9.Palette, error) {
	c := read.NewCursor("u9-palette", b, d)
	colors := c.Elements(ultima9.PaletteSize/4, 4, "4u8", "colours")
	p := &ultima9.Palette{Trailing: trailing(c, d)}
	if c.Err() != nil {
		return nil, c.Err()
	}
	for i := range p.Colors {
		copy(p.Colors[i][:], colors[4*i:])
	}
	return p, nil
}

// trailing returns what lies behind the structure, nil when nothing does.
func trailing(c *read.Cursor, d *schema.Diagnostics) []byte {
	if c.Left() == 0 {
		return nil
	}
	d.WarnAtf("trailing-bytes", c.Path(), c.Offset(), "%d bytes behind the end", c.Left())
	return c.Rest()
}
