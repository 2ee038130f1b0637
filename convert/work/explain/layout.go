package explain

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/usher-assets/usher/schema"
)

// Element is one field of an array's element.
type Element struct {
	Name   string // may be empty
	Type   string // word of the layout: "f32"
	Count  int    // number of values
	Offset int64  // within the element
	Size   int64  // bytes of all values
}

// sizes are those of the words that are numbers.
var sizes = map[string]int64{
	schema.LayoutU8: 1, schema.LayoutI8: 1, schema.LayoutU16: 2, schema.LayoutI16: 2, schema.LayoutU32: 4, schema.LayoutI32: 4,
	schema.LayoutU64: 8, schema.LayoutF32: 4,
}

// Stride returns the size of one element in bytes.
func (s *Span) Stride() int64 { return s.Size / int64(max(s.Count, 1)) }

// Elements parses the layout of an element. It is nil for spans that are not arrays or records of numbers: text, data, kept
// bytes. It fails if the layout does not have the size of the element.
func (s *Span) Elements() ([]Element, error) {
	if s.Kind == Gap {
		return nil, nil
	}
	var list []Element
	at := int64(0)
	for word := range strings.FieldsSeq(s.Layout) {
		name, repeated, named := strings.Cut(word, ":")
		if !named {
			name, repeated = "", word
		}
		digits := len(repeated) - len(strings.TrimLeft(repeated, "0123456789"))
		n := 1
		if digits > 0 {
			n, _ = strconv.Atoi(repeated[:digits])
		}
		size := int64(n) * sizes[repeated[digits:]]
		if size == 0 {
			return nil, nil
		}
		list = append(list, Element{name, repeated[digits:], n, at, size})
		at += size
	}
	if at != s.Stride() || s.Size%int64(max(s.Count, 1)) != 0 {
		return nil, fmt.Errorf("layout %q has %d bytes, %d elements have %d", s.Layout, at, s.Count, s.Size)
	}
	return list, nil
}

// Value returns the value of a span as text: a number, a text in quotes, or the beginning of a list, with bytes in
// hexadecimal.
func (m *Map) Value(s *Span) string {
	b := m.content.from(s.Offset, s.Size) // perhaps only how it begins
	if len(b) == 0 || s.Kind == Gap {
		return s.Note
	}
	switch s.Layout {
	case schema.LayoutText:
		return quote(m.page.Decode(b))
	case schema.LayoutWide:
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		return quote(string(utf16.Decode(units)))
	case "utf-8":
		return quote(string(b))
	case schema.LayoutIndex:
		return strconv.Itoa(index(b))
	}
	list, err := s.Elements()
	if err != nil || list == nil {
		return bytesText(b)
	}
	shown, stride, between := 2, int(s.Stride()), "; "
	if len(list) == 1 && list[0].Count == 1 {
		shown, between = 8, " "
	}
	if len(b) < stride {
		return bytesText(b)
	}
	var parts []string
	for i := range min(s.Count, shown, len(b)/stride) {
		parts = append(parts, s.elementText(b[i*stride:(i+1)*stride], list))
	}
	text := strings.Join(parts, between)
	if s.Count > shown {
		text += fmt.Sprintf(" … %d in all", s.Count)
	}
	return text
}

// Text returns the value of a span, and what it means in parentheses.
func (m *Map) Text(s *Span) string {
	text := m.Value(s)
	if s.Means != "" && s.Means != text {
		text += " (" + s.Means + ")"
	}
	return text
}

// ValueAt returns which element of a span, and which field of it, covers an offset, with its value.
func (m *Map) ValueAt(s *Span, offset int64) (name, value string) {
	list, err := s.Elements()
	if err != nil || list == nil || s.Count == 1 && len(list) == 1 {
		return "", m.Value(s)
	}
	i := (offset - s.Offset) / s.Stride()
	start := s.Offset + i*s.Stride()
	within := offset - start
	if s.Count > 1 {
		name = fmt.Sprintf("%d", i)
	}
	for _, e := range list {
		if within >= e.Offset && within < e.Offset+e.Size {
			name = strings.Trim(name+"/"+e.Name, "/")
			return name, s.numbers(m.content.from(start+e.Offset, e.Size), e)
		}
	}
	return name, ""
}

// elementText returns the fields of one element, with their names.
func (s *Span) elementText(b []byte, list []Element) string {
	const shown = 6
	var parts []string
	for i, e := range list {
		if s.Count > 1 && i == shown {
			parts = append(parts, "…")
			break
		}
		text := s.numbers(b[e.Offset:e.Offset+e.Size], e)
		if e.Name != "" {
			text = e.Name + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// numbers returns the values of one field, with their names in parentheses.
func (s *Span) numbers(b []byte, e Element) string {
	const shown = 16
	size := sizes[e.Type]
	var parts []string
	for i := range e.Count {
		if i == shown || int64(i+1)*size > int64(len(b)) {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, number(b[int64(i)*size:], e.Type)+s.called(e.Name, b[:int64(i+1)*size]))
	}
	return strings.Join(parts, " ")
}

// called returns the name of the number at the end of b; nothing if that has none.
func (s *Span) called(field string, b []byte) string {
	n := s.names
	if n == nil || !slices.Contains(n.Fields, field) || len(b)%n.Size != 0 {
		return ""
	}
	var word [8]byte
	copy(word[:], b[len(b)-n.Size:])
	v := binary.LittleEndian.Uint64(word[:])
	if text := n.Text(v); text != strconv.FormatUint(v, 10) {
		return " (" + text + ")"
	}
	return ""
}

func number(b []byte, word string) string {
	le := binary.LittleEndian
	switch word {
	case schema.LayoutU8:
		return strconv.Itoa(int(b[0]))
	case schema.LayoutI8:
		return strconv.Itoa(int(int8(b[0])))
	case schema.LayoutU16:
		return strconv.Itoa(int(le.Uint16(b)))
	case schema.LayoutI16:
		return strconv.Itoa(int(int16(le.Uint16(b))))
	case schema.LayoutU32:
		return strconv.FormatUint(uint64(le.Uint32(b)), 10)
	case schema.LayoutI32:
		return strconv.Itoa(int(int32(le.Uint32(b))))
	case schema.LayoutU64:
		return strconv.FormatUint(le.Uint64(b), 10)
	}
	return strconv.FormatFloat(float64(math.Float32frombits(le.Uint32(b))), 'g', -1, 32)
}

// index decodes a compact index (Unreal reference section 2).
func index(b []byte) int {
	v, shift := int(b[0]&0x3F), 6
	for _, x := range b[1:] {
		v |= int(x&0x7F) << shift
		if shift == 27 {
			v |= int(x&0x80) << shift
		}
		shift += 7
	}
	if b[0]&0x80 != 0 {
		return -v
	}
	return v
}

// quote returns text up to its zero in quotes, cut where it is long. What stands behind the zero is told of.
func quote(s string) string {
	const shown = 120
	s, rest, _ := strings.Cut(s, "\x00")
	end := ""
	if strings.Trim(rest, "\x00") != "" {
		end = " and more behind its end"
	}
	if r := []rune(s); len(r) > shown {
		return strconv.Quote(string(r[:shown])) + "…" + end
	}
	return strconv.Quote(s) + end
}

func bytesText(b []byte) string {
	const shown = 16
	if len(b) > shown {
		return hex.EncodeToString(b[:shown]) + "…"
	}
	return hex.EncodeToString(b)
}
