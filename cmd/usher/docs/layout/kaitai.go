package layout

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Kaitai returns the layout as a description for the compiler of Kaitai Struct.
func (l *Layout) Kaitai(a *About) string {
	k := &kaitai{newDescription(a), nil, false}
	k.taken[identifier(a.Name)] = true
	k.line(0, "meta:")
	k.line(1, "id: %s", identifier(a.Name))
	k.line(1, "title: %s", strconv.Quote(a.Title))
	if len(a.Extensions) > 0 {
		k.line(1, "file-extension: [%s]", strings.ReplaceAll(`"`+strings.Join(a.Extensions, `", "`)+`"`, ".", ""))
	}
	k.line(1, "endian: le")
	k.line(0, "doc: |")
	for _, s := range l.head(a) {
		k.line(1, "%s", s)
	}
	if len(l.Items) > 0 {
		k.line(0, "seq:")
		k.record(1, l.Items)
	}
	for _, x := range l.Records {
		k.typeOf(x, x.ID)
		k.later = append(k.later, x)
	}
	if len(k.later) > 0 || k.index {
		k.line(0, "types:")
	}
	for len(k.later) > 0 {
		x := k.later[0]
		k.later = k.later[1:]
		k.line(1, "%s:", k.types[x])
		k.line(2, "seq:")
		k.record(3, x.Record)
		k.words(x)
	}
	if k.index {
		k.WriteString(compactIndex)
	}
	return k.String()
}

// kaitai writes such a description.
type kaitai struct {
	*description
	later []*Item // records whose types are still to be written
	index bool    // there are compact indices
}

var kaitaiWords = map[string]string{
	schema.LayoutU8: "u1", schema.LayoutI8: "s1", schema.LayoutU16: "u2", schema.LayoutI16: "s2", schema.LayoutU32: "u4", schema.LayoutI32: "s4",
	schema.LayoutU64: "u8", schema.LayoutF32: "f4", schema.LayoutIndex: "compact_index",
}

const compactIndex = `  compact_index:
    doc: A number of one to five bytes; the first one has the sign and six bits.
    seq:
      - id: first
        type: u1
      - id: second
        type: u1
        if: (first & 0x40) != 0
      - id: third
        type: u1
        if: (first & 0x40) != 0 and (second & 0x80) != 0
      - id: fourth
        type: u1
        if: (first & 0x40) != 0 and (second & 0x80) != 0 and (third & 0x80) != 0
      - id: fifth
        type: u1
        if: (first & 0x40) != 0 and (second & 0x80) != 0 and (third & 0x80) != 0 and (fourth & 0x80) != 0
`

func (k *kaitai) record(depth int, items []*Item) {
	for _, x := range items {
		k.line(depth, "- id: %s", x.ID)
		k.doc(depth+1, x)
		if x.If != nil {
			k.line(depth+1, "if: %s", x.If.text(0, "and", "_parent", kaitaiName))
		}
		switch {
		case x.Record != nil, len(x.Words) > 1:
			k.line(depth+1, "type: %s", k.typeOf(x, x.ID))
			k.later = append(k.later, x)
			k.repeat(depth+1, x, 1)
		case x.Words[0].numeric():
			k.numbers(depth+1, x)
		default:
			k.bytes(depth+1, x)
		}
	}
}

func kaitaiName(x *Item) string { return x.ID }

// doc says what usher calls an item, and where more is said of it.
func (k *kaitai) doc(depth int, x *Item) {
	if x.Name != x.ID {
		k.line(depth, "doc: %s", strconv.Quote(x.Name))
	}
	if at := k.about.Anchor(x.Name); at != "" && x.Record == nil {
		k.line(depth, "doc-ref: %s", strconv.Quote(at))
	}
}

// numbers writes an item of one kind of numbers. Rows of numbers are written as numbers: so many times as many.
func (k *kaitai) numbers(depth int, x *Item) {
	w := x.Words[0]
	k.index = k.index || w.Kind == schema.LayoutIndex
	k.line(depth, "type: %s", kaitaiWords[w.Kind])
	if x.Count.Kind == Once && w.Count > 1 {
		k.line(depth, "repeat: expr")
		k.line(depth, "repeat-expr: %d", w.Count)
		return
	}
	k.repeat(depth, x, w.Count)
}

// repeat writes how often something is there; each time it is so many numbers.
func (k *kaitai) repeat(depth int, x *Item, each int) {
	expression := x.Count.text("_parent", kaitaiName)
	switch x.Count.Kind {
	case Once:
		return
	case Rest:
		k.line(depth, "repeat: eos")
		return
	case Until:
		k.line(depth, "repeat: until")
		k.line(depth, "repeat-until: _.%s == %d", x.Count.Places[0].Item.ID, x.Count.Number)
		return
	case Bytes:
		expression = fmt.Sprintf("(%s) / %d", expression, x.Size()/each)
	default:
		expression = times(expression, each)
	}
	k.line(depth, "repeat: expr")
	k.line(depth, "repeat-expr: %s", expression)
}

// bytes writes text or data.
func (k *kaitai) bytes(depth int, x *Item) {
	expression := x.Count.text("_parent", kaitaiName)
	switch kind := x.Words[0].Kind; {
	case kind == schema.LayoutWide:
		k.line(depth, "type: str")
		k.line(depth, "encoding: UTF-16LE")
		if x.Count.Kind != Bytes {
			expression = times(expression, 2)
		}
	case kind == schema.LayoutText && x.Count.Kind == Zero:
		k.line(depth, "type: strz")
		k.line(depth, "encoding: windows-1252")
		k.line(depth, "eos-error: false")
		return
	case kind == schema.LayoutText:
		k.line(depth, "type: str")
		k.line(depth, "encoding: windows-1252")
	}
	if x.Count.Kind == Rest {
		k.line(depth, "size-eos: true")
		return
	}
	k.line(depth, "size: %s", expression)
}

// words writes the fields of an item that has several in each value.
func (k *kaitai) words(x *Item) {
	taken := map[string]bool{}
	for _, w := range x.Words {
		k.line(3, "- id: %s", wordID(w, taken))
		k.line(4, "type: %s", kaitaiWords[w.Kind])
		if w.Count > 1 {
			k.line(4, "repeat: expr")
			k.line(4, "repeat-expr: %d", w.Count)
		}
	}
}

// wordID is the name of a part of a value, which no other part has.
func wordID(w Word, taken map[string]bool) string {
	name := identifier(w.Name)
	if w.Name == "" {
		name = "value"
	}
	id := name
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s_%d", name, n)
	}
	taken[id] = true
	return id
}
