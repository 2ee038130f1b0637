package ultima9

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Anim reads a record of anim.flx (reference section 7). It fails with ErrTruncated, with ErrCount for counts and lengths
// that the remaining bytes cannot hold, and with ErrMismatch if the frame count is not that of the frame range or bytes
// follow the events.
func Anim(b []byte, d *schema.Diagnostics) (*ultima9.Anim, error) {
	c := read.NewCursor("u9-anim", b, d)
	a := &ultima9.Anim{
		ID: c.I32("clip id"), Start: c.I32("start frame"), End: c.I32("end frame"),
		FrameCount: c.I32("frame count"), FPS: c.I32("fps"), Interval: c.I32("frame interval"),
	}
	if c.Err() == nil && int64(a.FrameCount) != int64(a.End)-int64(a.Start)+1 {
		c.FailAtf(12, schema.ErrMismatch, "frame count", "%d frames, but the clip runs from %d to %d", a.FrameCount, a.Start, a.End)
	}
	a.Source = lengthText(c, "source")
	n := c.Count(uint64(c.U32("registry count")), 4, "registry count")
	a.Registry = make([]int32, n)
	for i := range a.Registry {
		a.Registry[i] = c.I32("registry")
	}
	a.Parts = make([]ultima9.AnimPart, c.Count(uint64(c.U32("part count")), 12, "part count"))
	for i := range a.Parts {
		c.Enter("part", i)
		animPart(c, &a.Parts[i])
		if c.Err() != nil {
			return nil, c.Err()
		}
		if int64(len(a.Parts[i].Frames)) != int64(a.FrameCount) {
			d.WarnAtf("part-frames", c.Path(), c.Offset(), "%d frames in a clip of %d", len(a.Parts[i].Frames), a.FrameCount)
		}
		c.Leave()
	}
	a.Events = make([]ultima9.AnimEvent, c.Count(uint64(c.U32("event count")), 12, "event count"))
	for i := range a.Events {
		c.Enter("event", i)
		a.Events[i] = ultima9.AnimEvent{Time: c.I32("time"), Type: read.Named(c, ultima9.EventType(c.U32("type"))), Parameter: c.U32("parameter")}
		c.Leave()
	}
	if c.Left() > 0 {
		c.Failf(schema.ErrMismatch, "end", "%d bytes behind the events", c.Left())
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	return a, nil
}

// lengthText reads a length and that many bytes of text.
func lengthText(c *read.Cursor, field string) string {
	return c.Text(c.Count(uint64(c.U32(field+" length")), 1, field+" length"), field)
}

func animPart(c *read.Cursor, p *ultima9.AnimPart) {
	p.ID = c.I32("part id")
	p.Name = lengthText(c, "name")
	n := c.Count(uint64(c.U32("frame count")), ultima9.AnimFrameSize, "frame count")
	b := c.Elements(n, ultima9.AnimFrameSize, "time:i32 rotation:4f32 position:3f32 scale:3f32", "frames")
	p.Frames = make([]ultima9.AnimFrame, n)
	for i := range p.Frames {
		p.Frames[i] = animFrame([ultima9.AnimFrameSize]byte(b[i*ultima9.AnimFrameSize:]))
	}
}

func animFrame(b [ultima9.AnimFrameSize]byte) ultima9.AnimFrame {
	f := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	return ultima9.AnimFrame{
		Time:     int32(binary.LittleEndian.Uint32(b[:])),
		Rotation: [4]float32{f(1), f(2), f(3), f(4)},
		Position: [3]float32{f(5), f(6), f(7)},
		Scale:    [3]float32{f(8), f(9), f(10)},
	}
}

// Registry reads registry.txt (reference section 7.4). It fails with ErrValue for a line that is neither an entry nor a
// comment, and with ErrMismatch for an id that occurs twice.
func Registry(b []byte, d *schema.Diagnostics) (*ultima9.Registry, error) {
	r := &ultima9.Registry{Lines: make([]ultima9.RegistryLine, 0, bytes.Count(b, []byte{'\n'})+1)}
	seen := map[int32]bool{}
	at := 0
	trace := d.Trace()
	for text := range strings.Lines(schema.DecodeWindows1252(b)) {
		id, name, ok := ultima9.ParseRegistryLine(text)
		fail := func(class error, msg string) error {
			return &schema.FormatError{Format: "u9-registry", Offset: int64(at), Field: "line", Class: class, Msg: msg}
		}
		if !ok {
			return nil, fail(schema.ErrValue, "a line is a positive number and a name, blank, or a comment")
		}
		if id != 0 && seen[id] {
			return nil, fail(schema.ErrMismatch, "this id has a name already")
		}
		if id != 0 {
			seen[id] = true
		}
		r.Lines = append(r.Lines, ultima9.RegistryLine{Text: text, ID: id, Name: name})
		encoded, _ := schema.EncodeWindows1252(text)
		trace.NoteBytes(b[at:at+len(encoded)], 1, schema.LayoutText, "", "line")
		at += len(encoded)
	}
	return r, nil
}
