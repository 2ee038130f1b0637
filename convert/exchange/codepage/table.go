package codepage

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// unknown is the character for the byte 0; each byte from 80h on that means nothing has its own.
const unknown = 0xF700

// table is a page both ways. It has only codes of which library and page agree in both directions, so that no two
// codes are one character.
type table struct {
	single [0x80]rune      // of the bytes from 80h on; 0 for none
	pairs  map[uint16]rune // of two bytes, the first of which is no character itself
	codes  map[rune]string
}

func newTable(e encoding.Encoding) *table {
	t := &table{pairs: map[uint16]rune{}, codes: map[rune]string{}}
	in, out := e.NewDecoder(), e.NewEncoder()
	character := func(code ...byte) rune {
		b, err := in.Bytes(code)
		if back, lacks := out.Bytes(b); err != nil || lacks != nil || string(back) != string(code) {
			return 0 // what means nothing became U+FFFD, which no page has
		}
		r, _ := utf8.DecodeRune(b)
		t.codes[r] = string(code)
		return r
	}
	for i := range t.single {
		lead := byte(0x80 + i)
		if t.single[i] = character(lead); t.single[i] != 0 {
			continue
		}
		for trail := range 0x100 {
			if r := character(lead, byte(trail)); r != 0 {
				t.pairs[uint16(lead)<<8|uint16(trail)] = r
			}
		}
	}
	return t
}

func isUnknown(r rune) bool { return r >= unknown+utf8.RuneSelf && r <= unknown+0xFF }

func (t *table) decode(b []byte) string {
	s := make([]byte, 0, 2*len(b))
	for i := 0; i < len(b); i++ {
		r := rune(b[i])
		if r >= utf8.RuneSelf {
			r = t.single[r-utf8.RuneSelf]
			if r == 0 && i+1 < len(b) {
				if r = t.pairs[uint16(b[i])<<8|uint16(b[i+1])]; r != 0 {
					i++
				}
			}
			if r == 0 {
				r = unknown + rune(b[i])
			}
		}
		s = utf8.AppendRune(s, r)
	}
	return string(s)
}

func (t *table) encode(r rune) (code string, ok bool) {
	switch {
	case r < utf8.RuneSelf:
		return string(r), true
	case isUnknown(r):
		return string([]byte{byte(r - unknown)}), true
	}
	code, ok = t.codes[r]
	return code, ok
}
