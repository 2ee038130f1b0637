// Package words opens the texts of a game in a language (*.int) and its settings (*.ini) as archives of lines, so that
// translators get tables and PO files of them, and an edit changes the bytes of its line alone (reference section 31).
package words

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/usher-assets/usher/schema"
)

// coding is how letters are stored.
type coding int

const (
	single  coding = iota // a byte each, in a code page
	marked8               // UTF-8, with a mark at the beginning
	little                // UTF-16, the low byte first
	big                   // UTF-16, the high byte first
)

// marks begin files that are in no code page.
var marks = map[coding]string{marked8: "\ufeff", little: "\xff\xfe", big: "\xfe\xff"}

// codingOf returns the coding of a file and the length of its mark.
func codingOf(b []byte) (coding, int) {
	for c, mark := range marks {
		if bytes.HasPrefix(b, []byte(mark)) {
			return c, len(mark)
		}
	}
	return single, 0
}

// wide reports whether a letter has two bytes.
func (c coding) wide() bool { return c == little || c == big }

// show returns bytes of a file as text: those of a code page as they are, all others in UTF-8.
func (c coding) show(b []byte) string {
	if !c.wide() {
		return string(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		lo, hi := b[2*i], b[2*i+1]
		if c == big {
			lo, hi = hi, lo
		}
		units[i] = uint16(lo) | uint16(hi)<<8
	}
	return string(utf16.Decode(units))
}

// store is the reverse of show.
func (c coding) store(text string) []byte {
	if !c.wide() {
		return []byte(text)
	}
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if c == big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// file is a file as its lines.
type file struct {
	coding coding
	mark   []byte
	lines  []line
	tail   []byte // half a letter
}

// line is a line with its end. Of one with a key the value stands behind the "=".
type line struct {
	head, value, end []byte
	section, key     string // as text; key is empty for lines that are none of a section
	heads            bool   // it begins a section
}

// readFile parts a file into lines. Any bytes are a file; what is no line of a section stays as it is.
func readFile(b []byte) *file {
	f := &file{}
	var n int
	f.coding, n = codingOf(b)
	f.mark, b = b[:n:n], b[n:]
	unit := 1
	if f.coding.wide() {
		unit = 2
		f.tail, b = b[len(b)&^1:], b[:len(b)&^1]
	}
	section := ""
	for len(b) > 0 {
		n := f.lineLength(b, unit)
		l := f.parse(b[:n:n], unit, section)
		section, b = l.section, b[n:]
		f.lines = append(f.lines, l)
	}
	return f
}

// at returns the letter at a place, as far as it is one of ASCII; 0x80 otherwise.
func (f *file) at(b []byte, i int) byte {
	switch f.coding {
	case little:
		if b[i+1] != 0 {
			return utf8.RuneSelf
		}
	case big:
		if b[i] != 0 {
			return utf8.RuneSelf
		}
		i++
	}
	return min(b[i], utf8.RuneSelf)
}

// lineLength returns the length of the first line, with its end.
func (f *file) lineLength(b []byte, unit int) int {
	for i := 0; i < len(b); i += unit {
		switch c := f.at(b, i); {
		case c == '\n':
			return i + unit
		case c == '\r' && (i+unit >= len(b) || f.at(b, i+unit) != '\n'):
			return i + unit
		}
	}
	return len(b)
}

// parse parts a line.
func (f *file) parse(b []byte, unit int, section string) line {
	end := len(b)
	for end > 0 && (f.at(b, end-unit) == '\n' || f.at(b, end-unit) == '\r') {
		end -= unit
	}
	l := line{head: b[:end:end], end: b[end:], section: section}
	text := strings.TrimSpace(f.coding.show(l.head))
	if inside, ok := strings.CutPrefix(text, "["); ok {
		if name, _, closed := strings.Cut(inside, "]"); closed {
			l.section, l.heads = name, true
		}
		return l
	}
	if strings.HasPrefix(text, ";") || strings.HasPrefix(text, "//") {
		return l
	}
	for i := 0; i < end; i += unit {
		if f.at(b, i) == '=' {
			l.key = strings.TrimSpace(f.coding.show(b[:i]))
			l.head, l.value = b[:i+unit:i+unit], b[i+unit:end:end]
			break
		}
	}
	return l
}

// bytes returns the file.
func (f *file) bytes() []byte {
	b := bytes.Clone(f.mark)
	for _, l := range f.lines {
		b = append(append(append(b, l.head...), l.value...), l.end...)
	}
	return append(b, f.tail...)
}

// lineEnd returns what ends lines of the file.
func (f *file) lineEnd() []byte {
	for _, l := range f.lines {
		if len(l.end) > 0 {
			return l.end
		}
	}
	return f.coding.store("\r\n")
}

// insert puts a new line behind the last one of its section, which it begins if there is none.
func (f *file) insert(section, key string, value []byte) {
	at := -1
	for i, l := range f.lines {
		if strings.EqualFold(l.section, section) && (l.key != "" || l.heads || section == "") {
			at = i + 1
		}
	}
	l := line{head: f.coding.store(key + "="), value: value, end: f.lineEnd(), section: section, key: key}
	list := []line{l}
	if at < 0 {
		at = len(f.lines)
		if section == "" {
			at = 0
		} else {
			list = []line{{head: f.coding.store("[" + section + "]"), end: l.end, section: section, heads: true}, l}
		}
	}
	if at > 0 && len(f.lines[at-1].end) == 0 { // the last line of the file has no end
		f.lines[at-1].end, list[len(list)-1].end = l.end, nil
	}
	f.lines = append(f.lines[:at:at], append(list, f.lines[at:]...)...)
}

// checkValue refuses what no line can hold.
func checkValue(text string) error {
	if i := strings.IndexAny(text, "\r\n\x00"); i >= 0 {
		return schema.Errorf(Name, schema.ErrValue, "value", "a line ends within it, at character %d", utf8.RuneCountInString(text[:i])+1)
	}
	return nil
}
