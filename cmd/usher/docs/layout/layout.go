// Package layout finds out how the bytes of a format follow each other, by watching its reader, and says so in the languages
// of other programs.
//
// A reader notes which field covers which bytes. What it notes of one file says what lies where in that file, but not why: a
// list of three may be a list of three always, or as long as a number before it says. So the reader is given the files again
// with one thing altered, and again: a list that follows a number through all of that has its length from it. Where no number
// explains what the reader does, the description ends, and says that it does.
package layout

import (
	"strings"

	"github.com/usher-assets/usher/schema"
)

// Layout is how the bytes of a format follow each other from its first one on.
type Layout struct {
	Items   []*Item
	Whole   bool    // it describes all that readers read; otherwise nobody knows what lies behind the last item
	Records []*Item // of which it is not known where they lie, or how many there are
	Files   int     // that it was learned from
	Altered int     // files that were made of these
}

// Item is a field, or a record of fields.
type Item struct {
	Name   string // as the reader calls it
	ID     string // the same for other programs; no other item of the record has it
	Words  []Word // what one value of a field is made of; empty for a record
	Record []*Item
	Count  Count
	If     *Condition // nil if it is always there
}

// Word is a part of a value of a field: numbers of one kind.
type Word struct {
	Name, Kind string
	Count      int
}

// Place is where a number stands: so many records further out, and there in records within each other, of which each is there once.
type Place struct {
	Up   int
	Item *Item
	In   []*Item
}

// Kind says what tells how many values or records there are.
type Kind int

// The kinds of counts.
const (
	Once  Kind = iota
	Fixed      // Number of them
	Read       // the numbers at Places multiplied, and Number more
	Bytes      // the same, but it is the size in bytes
	Until      // up to the record in which the item at the place, within the record, is Number
	Zero       // up to the first byte that is 0, and with it, or to the end of the file
	Rest       // up to the end of the file
)

// Count is how many there are of an item.
type Count struct {
	Kind   Kind
	Number int64
	Places []Place
}

// Condition is what a number must be so that an item is there.
type Condition struct {
	Place  Place
	Test   Test
	Number int64
}

// Test is how a number is compared.
type Test string

// The tests.
const (
	Equal    Test = "=="
	Unequal  Test = "!="
	HasBit   Test = "&"
	AtLeast  Test = ">="
	LessThan Test = "<"
)

// Holds reports whether a number passes.
func (c *Condition) Holds(v int64) bool {
	switch c.Test {
	case Equal:
		return v == c.Number
	case Unequal:
		return v != c.Number
	case HasBit:
		return v&c.Number != 0
	case AtLeast:
		return v >= c.Number
	}
	return v < c.Number
}

// sizes are those of the words that are numbers.
var sizes = map[string]int{
	schema.LayoutU8: 1, schema.LayoutI8: 1, schema.LayoutU16: 2, schema.LayoutI16: 2, schema.LayoutU32: 4, schema.LayoutI32: 4,
	schema.LayoutU64: 8, schema.LayoutF32: 4,
}

// Size returns the bytes of one value of a field, or of a record; 0 if not all have the same. Of texts and of data in other
// forms a value is a byte.
func (x *Item) Size() (n int) {
	for _, y := range x.Record {
		size := y.Size() * max(int(y.Count.Number), 1)
		if y.If != nil || y.Count.Kind != Once && y.Count.Kind != Fixed || size == 0 {
			return 0
		}
		n += size
	}
	for _, w := range x.Words {
		n += w.Size()
	}
	return n
}

// Size returns the bytes of all numbers of a word.
func (w Word) Size() int {
	if w.Kind == schema.LayoutWide {
		return 2
	}
	return max(sizes[w.Kind], 1) * w.Count
}

// scalar reports whether an item is one whole number.
func (x *Item) scalar() bool {
	return len(x.Words) == 1 && x.Count.Kind == Once && x.Words[0].Count == 1 && sizes[x.Words[0].Kind] > 0 && x.Words[0].Kind != schema.LayoutF32
}

// numeric reports whether a word is numbers, not text or data.
func (w Word) numeric() bool { return sizes[w.Kind] > 0 || w.Kind == schema.LayoutIndex }

// number reads the whole number that an item is.
func (x *Item) number(b []byte) int64 {
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	if strings.HasPrefix(x.Words[0].Kind, "i") {
		shift := 64 - 8*len(b)
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

// identifier is a name of letters, digits and bars below.
func identifier(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	id := strings.Join(words, "_")
	if id == "" || id[0] < 'a' {
		id = "x" + id
	}
	return id
}
