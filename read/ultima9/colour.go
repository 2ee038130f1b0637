package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// ShadeTable reads shade.tbl. Source of these three: reference section 11.9.
func ShadeTable(b []byte, d *schema.Diagnostics) (*ultima9.ShadeTable, error) {
	c := read.NewCursor("u9-shade", b, d)
	x := &ultima9.ShadeTable{}
	if len(b) >= ultima9.PaletteSize+len(x.Shades)*256 {
		x.Palette = c.Elements(ultima9.PaletteSize/4, 4, "4u8", "palette")
	}
	for i := range x.Shades {
		copy(x.Shades[i][:], c.Elements(256, 1, schema.LayoutU8, "shades"))
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// GreyTable reads shadegry.tbl.
func GreyTable(b []byte, d *schema.Diagnostics) (*ultima9.GreyTable, error) {
	c := read.NewCursor("u9-shadegry", b, d)
	x := &ultima9.GreyTable{}
	for i := range x.Ramps {
		copy(x.Ramps[i][:], c.Elements(16, 1, schema.LayoutU8, "ramps"))
	}
	copy(x.Map[:], c.Elements(256, 1, schema.LayoutU8, "map"))
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// ColourCube reads rgbccube.dat or yiqccube.dat. Children below depth 8 are ErrLimit.
func ColourCube(b []byte, d *schema.Diagnostics) (*ultima9.ColourCube, error) {
	c := read.NewCursor("u9-colourcube", b, d)
	x := &ultima9.ColourCube{Palette: c.Elements(ultima9.PaletteSize/4, 4, "4u8", "palette")}
	colourNode(c, &x.Root, 0)
	x.Trailing = trailing(c, d)
	return done(x, c)
}

func colourNode(c *read.Cursor, n *ultima9.ColourNode, depth int) {
	count := c.U32("count")
	if c.Err() != nil {
		return
	}
	if count > 0 {
		n.Indices = c.Elements(c.Count(uint64(count), 1, "count"), 1, schema.LayoutU8, "indices")
		return
	}
	if depth == ultima9.ColourDepth {
		c.Failf(schema.ErrLimit, "count", "the octree is more than %d deep", ultima9.ColourDepth)
		return
	}
	n.Children = make([]ultima9.ColourNode, 8)
	for i := range n.Children {
		colourNode(c, &n.Children[i], depth+1)
	}
}
