package freelancer

import (
	"slices"
	"sort"
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// BINI reads a compiled INI file (reference freelancer-bini).
func BINI(b []byte, d *schema.Diagnostics) (*freelancer.BINI, error) {
	c := read.NewCursor("bini", b, d)
	c.Magic(freelancer.BINIMagic, "magic")
	if v := c.U32("version"); c.Err() == nil && v != freelancer.BINIVersion {
		c.FailAtf(4, schema.ErrUnsupported, "version", "%d, known is %d", v, freelancer.BINIVersion)
	}
	at := c.U32("strings")
	if c.Err() == nil && (at < freelancer.BINIHeader || int64(at) > int64(len(b))) {
		c.FailAtf(8, schema.ErrRange, "strings", "they begin at 0x%x in a file of 0x%x bytes, behind a header of 0x%x", at, len(b), freelancer.BINIHeader)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	r := biniReader{c: c.Sub(int(at)-freelancer.BINIHeader, "sections"), strings: newBINIStrings(b[at:]), budget: max(64<<20, 64*len(b))}
	x := new(freelancer.BINI)
	for i := 0; r.c.Left() > 0; i++ {
		r.c.Enter("section", i)
		x.Sections = append(x.Sections, r.section())
		r.c.Leave()
	}
	c.Adopt(r.c)
	noteStrings(c)
	if c.Err() != nil {
		return nil, c.Err()
	}
	if table, offsets, err := x.Layout(); err != nil || string(table) != string(b[at:]) || !slices.Equal(offsets, r.offsets) {
		x.Strings = &freelancer.BINIStrings{Bytes: b[at:], Offsets: r.offsets}
	}
	return x, nil
}

// noteStrings steps over the table for the trace.
func noteStrings(c *read.Cursor) {
	for c.Noting() && c.Left() > 0 {
		n := slices.Index(c.Peek(c.Left()), 0) + 1
		if n == 0 {
			c.Rest()
			return
		}
		c.Data(n, schema.LayoutText, "string")
	}
}

// biniReader reads the sections of a compiled INI.
type biniReader struct {
	c       *read.Cursor
	strings biniStrings
	offsets []uint32
	budget  int // of bytes of text: many places may share one long string
}

func (r *biniReader) section() freelancer.BINISection {
	s := freelancer.BINISection{Name: r.text(uint32(r.c.U16("name")), 2, "name")}
	const least = 3 // an entry without values
	n := r.c.Count(uint64(r.c.U16("entries")), least, "entries")
	if n == 0 {
		return s
	}
	s.Entries = make([]freelancer.BINIEntry, n)
	for i := range s.Entries {
		if r.c.Err() != nil {
			break
		}
		r.c.Enter("entry", i)
		s.Entries[i] = r.entry()
		r.c.Leave()
	}
	return s
}

func (r *biniReader) entry() freelancer.BINIEntry {
	e := freelancer.BINIEntry{Name: r.text(uint32(r.c.U16("key")), 2, "key")}
	const size = 5 // of a value
	n := r.c.Count(uint64(r.c.U8("values")), size, "values")
	if n == 0 {
		return e
	}
	e.Values = make([]freelancer.BINIValue, n)
	for i := range e.Values {
		e.Values[i] = r.value()
	}
	return e
}

func (r *biniReader) value() freelancer.BINIValue {
	v := freelancer.BINIValue{Type: freelancer.BINIType(r.c.U8("type"))}
	if r.c.Noting() {
		r.c.Explain(v.Type.String())
	}
	switch v.Type {
	case freelancer.BINIInt:
		v.Bits = uint32(r.c.I32("integer"))
	case freelancer.BINIFloat:
		v.Bits = floatBits(r.c)
	case freelancer.BINIText:
		v.Text = r.text(r.c.U32("text"), 4, "text")
	default:
		r.c.FailAtf(r.c.Offset()-1, schema.ErrUnsupported, "type", "%d, known are 1 (integer), 2 (float) and 3 (text)", uint8(v.Type))
	}
	return v
}

// floatBits reads a float with all its bits.
func floatBits(c *read.Cursor) uint32 {
	var bits uint32
	for i, x := range c.Elements(1, 4, schema.LayoutF32, "float") {
		bits |= uint32(x) << (8 * i)
	}
	return bits
}

// text returns the string at an offset, which was just read from so many bytes.
func (r *biniReader) text(offset uint32, size int, field string) string {
	if r.c.Err() != nil {
		return ""
	}
	text, msg, class := r.strings.at(offset)
	if class == nil {
		r.budget -= len(text)
		if r.budget < 0 {
			class, msg = schema.ErrLimit, "the texts are far longer than the file: many places share one string"
		}
	}
	if class != nil {
		r.c.FailAtf(r.c.Offset()-int64(size), class, field, "string at 0x%x: %s", offset, msg)
		return ""
	}
	r.c.Explain(text)
	r.offsets = append(r.offsets, offset)
	return text
}

// biniStrings finds the strings of a table. What it returns shares one decoded text.
type biniStrings struct {
	text   string // of the whole table
	places []int  // of bytes of the table in the text; nil where they are the same
	zeros  []int  // in the text
	size   int    // of the table
}

func newBINIStrings(table []byte) biniStrings {
	s := biniStrings{text: schema.DecodeWindows1252(table), size: len(table)}
	for i := 0; ; i++ {
		n := strings.IndexByte(s.text[i:], 0)
		if n < 0 {
			break
		}
		i += n
		s.zeros = append(s.zeros, i)
	}
	if len(s.text) != len(table) {
		for i := range s.text {
			s.places = append(s.places, i)
		}
	}
	return s
}

// at returns the string at an offset, or what is wrong with it.
func (s *biniStrings) at(offset uint32) (text, wrong string, class error) {
	if int64(offset) >= int64(s.size) {
		return "", "behind the table's end", schema.ErrRange
	}
	from := int(offset)
	if s.places != nil {
		from = s.places[from]
	}
	i := sort.SearchInts(s.zeros, from)
	if i == len(s.zeros) {
		return "", "no terminating zero", schema.ErrTruncated
	}
	return s.text[from:s.zeros[i]], "", nil
}
