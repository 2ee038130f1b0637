package layout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// ImHex returns the layout as a pattern for the hex editor ImHex.
func (l *Layout) ImHex(a *About) string {
	h := &imhex{newDescription(a)}
	h.line(0, "#pragma description %s", a.Title)
	h.line(0, "#pragma endian little")
	for _, s := range l.head(a) {
		h.line(0, "// %s", s)
	}
	h.line(0, "import std.mem;")
	if hasIndex(l.Items) || hasIndex(l.Records) {
		h.WriteString(imhexIndex)
	}
	for _, x := range l.Records {
		h.structure(x, x.Record, x.ID)
	}
	top := &Item{Name: a.Name}
	h.structure(top, l.Items, identifier(a.Name))
	if len(l.Items) > 0 {
		h.line(0, "\n%s file @ 0x00;", h.types[top])
	}
	return h.String()
}

// imhex writes such a pattern.
type imhex struct{ *description }

var imhexWords = map[string]string{
	schema.LayoutU8: "u8", schema.LayoutI8: "s8", schema.LayoutU16: "u16", schema.LayoutI16: "s16", schema.LayoutU32: "u32", schema.LayoutI32: "s32",
	schema.LayoutU64: "u64", schema.LayoutF32: "float", schema.LayoutIndex: "CompactIndex",
	schema.LayoutText: "char", schema.LayoutWide: "char16",
}

const imhexIndex = `
// A number of one to five bytes; the first one has the sign and six bits.
struct CompactIndex {
  u8 first;
  if ((first & 0x40) != 0) {
    u8 second;
    if ((second & 0x80) != 0) {
      u8 third;
      if ((third & 0x80) != 0) {
        u8 fourth;
        if ((fourth & 0x80) != 0)
          u8 fifth;
      }
    }
  }
};
`

// imhexKeywords are no names.
var imhexKeywords = strings.Fields("addressof as auto be bitfield bool break case catch char char16 const continue default double else enum false float fn for from if import in le match namespace null out padding parent ref reference return section signed sizeof str struct this true try typenameof union unsigned using while")

func imhexName(x *Item) string { return imhexID(x.ID) }

func imhexID(id string) string {
	if slices.Contains(imhexKeywords, id) {
		return id + "_"
	}
	return id
}

// typeName is an identifier in the form of types.
func typeName(id string) string {
	var b strings.Builder
	for _, part := range strings.Split(id, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// structure writes a record, those within it first.
func (h *imhex) structure(x *Item, items []*Item, id string) {
	for _, y := range items {
		if y.Record != nil {
			h.structure(y, y.Record, y.ID)
		} else if len(y.Words) > 1 {
			h.words(y)
		}
	}
	h.line(0, "\nstruct %s {", h.typeOf(x, typeName(id)))
	open := "" // the condition of the block that we are in
	for _, y := range items {
		open = h.block(open, y.If)
		h.member(y, open != "")
	}
	h.block(open, nil)
	if x.Count.Kind == Until {
		h.line(1, "if (%s == %d)", imhexName(x.Count.Places[0].Item), x.Count.Number)
		h.line(2, "break;")
	}
	h.line(0, "};")
}

// words writes the type of an item that has several fields in each value.
func (h *imhex) words(x *Item) {
	h.line(0, "\nstruct %s {", h.typeOf(x, typeName(x.ID)))
	taken := map[string]bool{}
	for _, w := range x.Words {
		h.line(1, "%s;", array(imhexWords[w.Kind], imhexID(wordID(w, taken)), w.Count))
	}
	h.line(0, "};")
}

func array(kind, name string, n int) string {
	if n > 1 {
		return fmt.Sprintf("%s %s[%d]", kind, name, n)
	}
	return kind + " " + name
}

// block ends the block of a condition and begins that of the next one, unless it is the same; it returns the one that is open.
func (h *imhex) block(open string, c *Condition) string {
	now := ""
	if c != nil {
		now = c.text(0, "&&", "parent", imhexName)
	}
	if now == open {
		return open
	}
	if open != "" {
		h.line(1, "}")
	}
	if now != "" {
		h.line(1, "if (%s) {", now)
	}
	return now
}

// member writes an item.
func (h *imhex) member(x *Item, within bool) {
	depth := 1
	if within {
		depth = 2
	}
	note := ""
	if at := h.about.Anchor(x.Name); at != "" && x.Record == nil {
		note = " // " + at
	}
	if x.Count.Kind == Zero {
		h.line(depth, "char %s[while(!std::mem::eof() && std::mem::read_unsigned($, 1) != 0)];%s", imhexName(x), note)
		h.line(depth, "if (!std::mem::eof())")
		h.line(depth+1, "padding[1];")
		return
	}
	h.line(depth, "%s;%s", h.declared(x), note)
}

// declared is an item with its type and its count.
func (h *imhex) declared(x *Item) string {
	kind, each := h.types[x], 1
	if kind == "" {
		if kind = imhexWords[x.Words[0].Kind]; kind == "" {
			kind = "u8"
		}
		each = x.Words[0].Count
	}
	expression := x.Count.text("parent", imhexName)
	switch x.Count.Kind {
	case Once:
		return array(kind, imhexName(x), each)
	case Rest:
		expression = "while(!std::mem::eof())"
	case Until:
		expression = "while(true)"
	case Bytes:
		expression = fmt.Sprintf("(%s) / %d", expression, x.Size()/each)
	default:
		expression = times(expression, each)
	}
	return fmt.Sprintf("%s %s[%s]", kind, imhexName(x), expression)
}
