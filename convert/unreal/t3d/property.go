package t3d

import (
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema/unreal"
)

// CutProperty splits "Name(3)=value" into its parts.
func CutProperty(line string) (name string, index int, value string, ok bool) {
	name, value, ok = strings.Cut(strings.TrimSpace(line), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if base, rest, array := strings.Cut(name, "("); array {
		n, err := strconv.Atoi(strings.TrimSuffix(rest, ")"))
		if err != nil || n < 0 || n >= 1<<30 {
			return "", 0, "", false
		}
		name, index = base, n
	}
	return name, index, value, ok && name != "" && unreal.CheckName(name) == nil
}

// CutStruct returns the members of a struct value by their names in lower case.
func CutStruct(text string) (map[string]string, bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return nil, false
	}
	members := map[string]string{}
	depth, from := 0, 1
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')' && i < len(text)-1:
			if depth--; depth < 0 {
				return nil, false
			}
		case c == ',' && depth == 0 || i == len(text)-1:
			if part := text[from:i]; part != "" {
				key, value, ok := strings.Cut(part, "=")
				if !ok {
					return nil, false
				}
				members[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
			}
			from = i + 1
		}
	}
	if depth != 0 {
		return nil, false
	}
	return members, true
}

// Decimal returns a number with six decimals, ties away from zero, as the editor's compiler printed them.
func Decimal(x float32) string {
	exact := strconv.FormatFloat(float64(x), 'f', -1, 64)
	_, decimals, _ := strings.Cut(exact, ".")
	if len(decimals) == 7 && decimals[6] == '5' {
		return strconv.FormatFloat(float64(x)+math.Copysign(1e-8, float64(x)), 'f', 6, 64)
	}
	return strconv.FormatFloat(float64(x), 'f', 6, 64)
}
