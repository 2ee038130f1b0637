package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// quoted returns text for w: where that is a terminal, names from inside files must not move its cursor, change its
// title or turn the order of letters. Pipes get the bytes as they are.
func quoted(w io.Writer, s string) string {
	if !isTerminal(w) {
		return s
	}
	return escaped(s)
}

// escaped spells out what a terminal would obey instead of showing: control characters, what is not UTF-8, and marks that
// change the direction of writing.
func escaped(s string) string {
	if strings.IndexFunc(s, obeyed) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !obeyed(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func obeyed(r rune) bool {
	switch {
	case r == '\t':
		return false
	case r < ' ', r >= 0x7F && r < 0xA0, r == 0x061C, r >= 0x200E && r <= 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// escapedJSON spells the same characters in JSON, where they stand in strings only.
func escapedJSON(b []byte) []byte {
	text := strings.TrimSuffix(string(b), "\n")
	if strings.IndexFunc(text, obeyed) < 0 {
		return b
	}
	var out strings.Builder
	for _, r := range text {
		if obeyed(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return []byte(out.String() + "\n")
}
