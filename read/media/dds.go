package media

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// DDS reads a DirectDraw surface: DXT1 to DXT5, and uncompressed pixels of 8, 16, 24 or 32 bits. The slices alias b. It
// fails with ErrBadMagic, ErrTruncated if levels are missing, ErrUnsupported for volumes and other codecs, ErrValue if
// there are no pixels, and ErrLimit.
func DDS(b []byte, d *schema.Diagnostics) (*media.DDS, error) {
	c := read.NewCursor("dds", b, d)
	c.Magic("DDS ", "magic")
	x := &media.DDS{
		HeaderSize: c.U32("size"),
		Flags:      c.U32("flags"),
		Height:     c.U32("height"),
		Width:      c.U32("width"),
		Pitch:      c.U32("pitch"),
		Depth:      c.U32("depth"),
		MipCount:   c.U32("mip count"),
	}
	for i := range x.Reserved1 {
		x.Reserved1[i] = c.U32("reserved")
	}
	x.Format = media.DDSFormat{Size: c.U32("format size"), Flags: c.U32("format flags")}
	copy(x.Format.FourCC[:], c.Data(4, schema.LayoutText, "four CC"))
	x.Format.Bits = c.U32("bit count")
	x.Format.Red, x.Format.Green, x.Format.Blue = c.U32("red mask"), c.U32("green mask"), c.U32("blue mask")
	x.Format.Alpha = c.U32("alpha mask")
	x.Caps, x.Caps2, x.Caps3, x.Caps4 = c.U32("caps"), c.U32("caps2"), c.U32("caps3"), c.U32("caps4")
	x.Reserved2 = c.U32("reserved")
	if c.Err() == nil {
		checkDDS(c, x)
	}
	if c.Err() == nil {
		ddsLevels(c, x, d)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return x, nil
}

func checkDDS(c *read.Cursor, x *media.DDS) {
	if x.Width > 1<<30 || x.Height > 1<<30 {
		c.FailAtf(12, schema.ErrLimit, "height", "%d x %d pixels", x.Width, x.Height)
	} else if err := schema.DefaultLimits.Picture("dds", int(x.Width), int(x.Height), 4); err != nil {
		c.FailAtf(12, schema.Class(err), "height", "%d x %d pixels", x.Width, x.Height)
	}
	f := &x.Format
	if f.Flags&media.DDSFourCC != 0 && f.Block() == 0 {
		c.FailAtf(84, schema.ErrUnsupported, "four CC", "codec %s, expected DXT1 to DXT5", f.FourCC)
	}
	if f.Flags&media.DDSFourCC == 0 && f.Bits != 8 && f.Bits != 16 && f.Bits != 24 && f.Bits != 32 {
		c.FailAtf(88, schema.ErrUnsupported, "bit count", "%d bits, expected 8, 16, 24 or 32", f.Bits)
	}
	if x.Caps2&media.DDSVolume != 0 {
		c.FailAtf(112, schema.ErrUnsupported, "caps2", "a volume")
	}
}

func ddsLevels(c *read.Cursor, x *media.DDS, d *schema.Diagnostics) {
	const header, format = 124, 32
	if x.HeaderSize != header || x.Format.Size != format {
		d.WarnAtf("header-size", "", 4, "sizes %d and %d in the header, expected %d and %d", x.HeaderSize, x.Format.Size, header, format)
	}
	for range x.Faces() {
		for mip := range x.Mips() {
			x.Levels = append(x.Levels, c.Data(x.LevelBytes(mip), "pixels", "pixels"))
		}
	}
	if left := c.Left(); left > 0 {
		x.Trailing = c.Rest()
		d.WarnAtf("trailing-bytes", "", c.Offset()-int64(left), "%d bytes after the pixels", left)
	}
}
