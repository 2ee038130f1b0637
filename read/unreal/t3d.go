package unreal

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// T3D reads the text form of brushes and actors in the editor (reference section 12.4). It fails with ErrBadMagic for text
// without any "Begin" line, and with ErrMismatch for an "End" without its "Begin".
func T3D(b []byte, d *schema.Diagnostics) (*unreal.T3D, error) {
	p := t3dParser{text: schema.DecodeWindows1252(b)}
	t := &unreal.T3D{Items: p.items(0)}
	if trace := d.Trace(); trace != nil {
		for line := range bytes.Lines(b) {
			trace.NoteBytes(line, 1, schema.LayoutText, "", "line")
		}
	}
	if p.err == nil && p.blocks == 0 {
		p.fail(schema.ErrBadMagic, "no \"Begin\" line")
	}
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}

type t3dParser struct {
	text   string
	line   int
	blocks int
	err    error
}

func (p *t3dParser) fail(class error, msg string) {
	if p.err == nil {
		p.err = &schema.FormatError{Format: "unreal-t3d", Offset: -1, Field: fmt.Sprintf("line %d", p.line+1), Class: class, Msg: msg}
	}
}

// next takes a line with its end.
func (p *t3dParser) next() string {
	n := strings.IndexByte(p.text, '\n') + 1
	if n == 0 {
		n = len(p.text)
	}
	line := p.text[:n]
	p.text = p.text[n:]
	p.line++
	return line
}

// items reads lines up to the "End" of the block, which is left to the caller.
func (p *t3dParser) items(depth int) (items []unreal.T3DItem) {
	if depth > schema.DefaultLimits.Depth {
		p.fail(schema.ErrLimit, "blocks are nested too deep")
		return nil
	}
	for p.text != "" && p.err == nil {
		if firstWord(p.text) == "end" {
			if depth == 0 {
				p.fail(schema.ErrMismatch, "\"End\" without its \"Begin\"")
			}
			return items
		}
		begin := firstWord(p.text) == "begin"
		item := unreal.T3DItem{Line: p.next()}
		if begin {
			p.blocks++
			item.Items = p.items(depth + 1)
			item.End = p.next()
		}
		items = append(items, item)
	}
	return items
}

// firstWord returns the first word of a line, in lower case.
func firstWord(line string) string {
	line = strings.TrimLeft(line, " \t")
	if end := strings.IndexAny(line, " \t\r\n"); end >= 0 {
		line = line[:end]
	}
	if len(line) > 32 {
		return ""
	}
	return strings.ToLower(line)
}
