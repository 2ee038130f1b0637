package schema

import (
	"strconv"
	"strings"
	"unicode"
)

// Words returns a Go field name as people write it: "TextureSlot" becomes "texture slot". Abbreviations and offsets stay.
func Words(name string) string {
	var out []string
	r := []rune(name)
	start := 0
	for i := 1; i <= len(r); i++ {
		if i < len(r) && !beginsWord(r, i) {
			continue
		}
		word := string(r[start:i])
		if strings.ToUpper(strings.TrimSuffix(word, "s")) != strings.TrimSuffix(word, "s") {
			word = strings.ToLower(word[:1]) + word[1:]
		}
		out = append(out, word)
		start = i
	}
	return strings.Join(out, " ")
}

// beginsWord reports whether a new word begins at rune i of a name.
func beginsWord(r []rune, i int) bool {
	if !unicode.IsUpper(r[i]) {
		return false
	}
	if unicode.IsLower(r[i-1]) {
		return true
	}
	plural := i+1 < len(r) && r[i+1] == 's' && (i+2 == len(r) || unicode.IsUpper(r[i+2]))
	return unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1]) && !plural
}

// Singular returns the name of one element of a list, given the list's name.
func Singular(name string) string {
	switch {
	case strings.HasSuffix(name, "tices"), strings.HasSuffix(name, "dices"): // vertices and indices, not choices
		return strings.TrimSuffix(name, "ices") + "ex"
	case strings.HasSuffix(name, "ies"):
		return strings.TrimSuffix(name, "ies") + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "shes"), strings.HasSuffix(name, "xes"):
		return strings.TrimSuffix(name, "es")
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return strings.TrimSuffix(name, "s")
	}
	return name
}

// Counted returns a number with the singular or the plural, as it requires: "1 file", "2 files".
func Counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return strconv.Itoa(n) + " " + many
}
