package schema

import "strings"

// cp1252 holds the characters of bytes 80h–9Fh. The five bytes that Windows-1252 leaves undefined map to the control
// characters of the same number, as Windows itself does, so that every byte string survives the way there and back.
var cp1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8D, 'Ž', 0x8F,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9D, 'ž', 'Ÿ',
}

// DecodeWindows1252 returns the text of b. The mapping is one to one: [EncodeWindows1252] returns the same bytes.
func DecodeWindows1252(b []byte) string {
	ascii := true
	for _, c := range b {
		if c >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b) + len(b)/4)
	for _, c := range b {
		if c >= 0x80 && c < 0xA0 {
			s.WriteRune(cp1252[c-0x80])
		} else {
			s.WriteRune(rune(c))
		}
	}
	return s.String()
}

// EncodeWindows1252 returns the bytes of s. ok is false if s has a character outside the code page; it is then written as
// '_'.
func EncodeWindows1252(s string) (b []byte, ok bool) {
	b = make([]byte, 0, len(s))
	ok = true
	for _, r := range s {
		c, found := encodeRune1252(r)
		b = append(b, c)
		ok = ok && found
	}
	return b, ok
}

func encodeRune1252(r rune) (byte, bool) {
	if r < 0x80 || r >= 0xA0 && r < 0x100 {
		return byte(r), true
	}
	for i, x := range cp1252 {
		if x == r {
			return byte(0x80 + i), true
		}
	}
	return '_', false
}
