package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

type word interface{ ~uint8 | ~uint16 | ~uint32 }

// Bits says what the bits of a word mean: flags, and fields of several bits. With three methods like those of [EnumNames], a
// word appears by its names in JSON, in tables and in messages: "required|collide", "height=660|hole|texture=29". Bits
// without a name appear in hexadecimal. The number itself is read too.
type Bits[T word] []Field

// Field is a flag, or a field of several bits.
type Field struct {
	Low, Width int // lowest bit, and how many there are
	Name       string
	Values     map[uint32]string // names of values; the others are shown as numbers
}

// Flag returns a field of one bit.
func Flag(bit int, name string) Field { return Field{Low: bit, Width: 1, Name: name} }

// Number returns a field that is a number.
func Number(low, width int, name string) Field { return Field{Low: low, Width: width, Name: name} }

// Choice returns a field some of whose values have names. If 0 has one, it always appears.
func Choice(low, width int, name string, values map[uint32]string) Field {
	return Field{low, width, name, values}
}

// Max returns the largest value of the field.
func (f *Field) Max() uint32 { return 1<<f.Width - 1 }

// word returns what stands for a value of the field; nothing for zero, unless that has a name.
func (f *Field) word(v uint32) string {
	switch name, named := f.Values[v]; {
	case named:
		return name
	case v == 0:
		return ""
	case f.Width == 1:
		return f.Name
	}
	return f.Name + "=" + strconv.FormatUint(uint64(v), 10)
}

// Text returns the names of what is set in v, in the table's order with | between them, or "0" if nothing is.
func (b Bits[T]) Text(v T) string {
	var text []byte
	add := func(word string) {
		if len(text) > 0 {
			text = append(text, '|')
		}
		text = append(text, word...)
	}
	rest := uint32(v)
	for i := range b {
		f := &b[i]
		if word := f.word(rest >> f.Low & f.Max()); word != "" {
			add(word)
		}
		rest &^= f.Max() << f.Low
	}
	switch {
	case rest != 0:
		add("0x" + strconv.FormatUint(uint64(rest), 16))
	case len(text) == 0:
		return "0"
	}
	return string(text)
}

// Parse sets v to the word with the given names, in any order, or with the given number. Capitals and blanks do not count.
// It fails with ErrValue, and names the words that it knows.
func (b Bits[T]) Parse(text []byte, v *T) error {
	if parseNumber(strings.TrimSpace(string(text)), v) == nil {
		return nil
	}
	var sum, said uint32
	for part := range strings.SplitSeq(string(text), "|") {
		bits, mask, err := b.part(strings.ToLower(strings.TrimSpace(part)))
		if err != nil {
			return err
		}
		if said&mask&(sum^bits) != 0 {
			return fmt.Errorf("%q contradicts a word before it: %w", strings.TrimSpace(part), ErrValue)
		}
		sum, said = sum|bits, said|mask
	}
	*v = T(sum)
	return nil
}

// part returns the bits of one word, and of the field that it sets.
func (b Bits[T]) part(word string) (bits, mask uint32, err error) {
	if hex, ok := strings.CutPrefix(word, "0x"); ok {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil && uint64(T(n)) == n {
			return uint32(n), uint32(n), nil
		}
	}
	name, number, numbered := strings.Cut(word, "=")
	for i := range b {
		f := &b[i]
		mask = f.Max() << f.Low
		for v, named := range f.Values {
			if named == word {
				return v << f.Low, mask, nil
			}
		}
		switch {
		case name != f.Name:
		case !numbered && f.Width == 1:
			return mask, mask, nil
		case numbered:
			n, err := strconv.ParseUint(strings.TrimSpace(number), 0, 32)
			if err != nil || n > uint64(f.Max()) {
				return 0, 0, fmt.Errorf("%q: %s is a number from 0 to %d: %w", word, name, f.Max(), ErrValue)
			}
			return uint32(n) << f.Low, mask, nil
		}
	}
	return 0, 0, noneOf(word, b.Words())
}

// Words returns the words that [Bits.Parse] knows.
func (b Bits[T]) Words() (list []string) {
	for i := range b {
		f := &b[i]
		for _, v := range slices.Sorted(maps.Keys(f.Values)) {
			list = append(list, f.Values[v])
		}
		switch {
		case f.Width > 1:
			list = append(list, fmt.Sprintf("%s=0…%d", f.Name, f.Max()))
		case f.Values == nil:
			list = append(list, f.Name)
		}
	}
	return list
}
