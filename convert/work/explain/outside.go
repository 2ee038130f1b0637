package explain

import (
	"encoding/binary"
	"strconv"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
)

// reader takes a file apart for its trace.
type reader func(b []byte, d *schema.Diagnostics) error

// outsideReaders are those of interchange files that have parts. Of the others all is one text, or data of their kind.
var outsideReaders = map[string]reader{
	"dds": func(b []byte, d *schema.Diagnostics) error { _, err := media.DDS(b, d); return err },
	"tga": func(b []byte, d *schema.Diagnostics) error { _, err := media.TGA(b, d); return err },
	"pcx": func(b []byte, d *schema.Diagnostics) error { _, err := media.PCX(b, d); return err },
	"wav": func(b []byte, d *schema.Diagnostics) error { _, err := media.RIFF(b, d); return err },
	"png": pngChunks, "glb": glbChunks,
	"gltf": text, "json": text, "csv": text, "txt": text,
}

// outside returns an interchange format as one that can be explained.
func outside(x *interchange.Interchange) *format.Format {
	read := outsideReaders[x.Name]
	if read == nil {
		read = func(b []byte, d *schema.Diagnostics) error { d.Trace().NoteBytes(b, 1, x.Name, "", x.Name); return nil }
	}
	return &format.Format{Name: x.Name, Title: x.Title, Read: func(b []byte, d *schema.Diagnostics) (any, error) { return nil, read(b, d) }}
}

func text(b []byte, d *schema.Diagnostics) error {
	d.Trace().NoteBytes(b, 1, "utf-8", "", "text")
	return nil
}

// pngChunks reads the chunks of a PNG file. Its numbers have the highest byte first.
func pngChunks(b []byte, d *schema.Diagnostics) error {
	c := read.NewCursor("png", b, d)
	c.Data(8, "signature", "signature")
	word := func(field string) (n uint64) {
		if v := c.Data(4, "big-endian", field); v != nil {
			n = uint64(binary.BigEndian.Uint32(v))
			c.Explain(strconv.FormatUint(n, 10))
		}
		return n
	}
	for i := 0; c.Left() > 0; i++ {
		c.Enter("chunk", i)
		n := c.Extent(word("length"), 1, "length")
		id := c.Text(4, "type")
		if id == "IHDR" && n == 13 {
			word("width")
			word("height")
			c.U8("bits")
			c.U8("colour type")
			c.U8("compression")
			c.U8("filter")
			c.U8("interlace")
		} else {
			c.Data(n, id, "data")
		}
		c.Data(4, "CRC", "CRC")
		c.Leave()
	}
	return c.Err()
}

// glbChunks reads the chunks of a binary glTF file.
func glbChunks(b []byte, d *schema.Diagnostics) error {
	c := read.NewCursor("glb", b, d)
	c.Magic("glTF", "magic")
	c.U32("version")
	c.U32("length")
	for i := 0; c.Left() > 0; i++ {
		c.Enter("chunk", i)
		n := c.Extent(uint64(c.U32("length")), 1, "length")
		if id := c.Text(4, "type"); id == "JSON" {
			c.Data(n, "utf-8", "JSON")
		} else {
			c.Data(n, "buffer", "data")
		}
		c.Leave()
	}
	return c.Err()
}
