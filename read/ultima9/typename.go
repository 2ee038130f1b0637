package ultima9

import (
	"bytes"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// TypeName reads a record of typename.flx (reference section 10.2). It fails with ErrTruncated for less than six bytes.
func TypeName(b []byte, d *schema.Diagnostics) (*ultima9.TypeName, error) {
	c := read.NewCursor("u9-typename", b, d)
	t := &ultima9.TypeName{Text: c.I32("text id"), Icon: c.U16("icon")}
	if c.Err() != nil {
		return nil, c.Err()
	}
	rest := c.Part(c.Left(), "name")
	if len(rest) == 0 {
		return t, nil
	}
	end := bytes.IndexByte(rest, 0)
	if end < 0 {
		d.WarnAtf("no-terminator", "", 6, "the name has no zero byte")
		end = len(rest)
	} else if end+1 < len(rest) {
		d.WarnAtf("trailing-bytes", "", int64(6+end+1), "%d bytes behind the name", len(rest)-end-1)
	}
	zero := min(end+1, len(rest))
	d.Trace().NoteBytes(rest[:zero], 1, schema.LayoutText, "", "name")
	d.Trace().NoteBytes(rest[zero:], 1, schema.LayoutBytes, "", "rest")
	name := schema.DecodeWindows1252(rest[:end])
	t.Name, t.After = &name, rest[end:]
	return t, nil
}
