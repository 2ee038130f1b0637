package freelancer

import (
	"encoding"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BINIType is the type of a value in a compiled INI file.
type BINIType uint8

// The types of values.
const (
	BINIInt   BINIType = 1
	BINIFloat BINIType = 2
	BINIText  BINIType = 3
)

// String returns the name of the type.
func (t BINIType) String() string {
	switch t {
	case BINIInt:
		return "integer"
	case BINIFloat:
		return "float"
	case BINIText:
		return "text"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// BINIValue is a value in a compiled INI file. [BINIValue.String] shows it as an INI file does; [ParseBINIValue] reads
// that.
type BINIValue struct {
	Type BINIType
	Bits uint32 // of a number
	Text string // of a text
}

var (
	_ encoding.TextMarshaler   = BINIValue{}
	_ encoding.TextUnmarshaler = (*BINIValue)(nil)
)

// Float returns a number as a float, or 0 for a text.
func (v BINIValue) Float() float32 {
	switch v.Type {
	case BINIInt:
		return float32(int32(v.Bits))
	case BINIFloat:
		return math.Float32frombits(v.Bits)
	}
	return 0
}

// floatMark begins a float that has no decimal form.
const floatMark = "float`"

// String returns the value as an INI file shows it: an integer without a point, a float with a point or an exponent in the
// fewest digits that return the same bits. A text that could be mistaken for something else stands between backquotes.
func (v BINIValue) String() string {
	switch v.Type {
	case BINIInt:
		return strconv.Itoa(int(int32(v.Bits)))
	case BINIFloat:
		return floatText(math.Float32frombits(v.Bits))
	}
	if _, number, _ := parseNumber(v.Text); number || v.Text != "" && !plainText(v.Text, ",;") {
		return quoteText(v.Text)
	}
	return v.Text
}

func floatText(f float32) string {
	x := math.Abs(float64(f))
	switch {
	case x != x || math.IsInf(x, 0):
		return fmt.Sprintf("%s%08X`", floatMark, math.Float32bits(f))
	case x != 0 && (x < 1e-5 || x >= 1e9):
		return strconv.FormatFloat(float64(f), 'e', -1, 32)
	}
	s := strconv.FormatFloat(float64(f), 'f', -1, 32)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Whole returns an error if the value is a number and a text at once.
func (v BINIValue) Whole() error {
	switch text := v.Type == BINIText; {
	case text && v.Bits != 0:
		return fmt.Errorf("a text with the bits %#x of a number", v.Bits)
	case !text && v.Text != "":
		return fmt.Errorf("a number with the text %q", v.Text)
	}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (v BINIValue) MarshalText() ([]byte, error) { return []byte(v.String()), v.Whole() }

// UnmarshalText implements encoding.TextUnmarshaler.
func (v *BINIValue) UnmarshalText(text []byte) (err error) {
	*v, err = ParseBINIValue(string(text))
	return err
}

// ParseBINIValue parses a value of an INI file; s has no blanks around it. A number is an integer without a point, or a
// float with a point or an exponent. Integers above 2,147,483,647 are taken as 32 unsigned bits. Everything else is a text.
// Quotes belong to the text, as in the game; between backquotes a text may hold any characters.
func ParseBINIValue(s string) (BINIValue, error) {
	if strings.HasPrefix(s, floatMark) {
		bits, err := strconv.ParseUint(strings.TrimSuffix(s[len(floatMark):], "`"), 16, 32)
		if err != nil || len(s) != len(floatMark)+9 {
			return BINIValue{}, fmt.Errorf("%q is no float: %sXXXXXXXX` with eight hexadecimal digits is", s, floatMark)
		}
		return BINIValue{Type: BINIFloat, Bits: uint32(bits)}, nil
	}
	if strings.Contains(s, "`") {
		text, rest, err := UnquoteBINI(s)
		if err == nil && rest != "" {
			err = fmt.Errorf("%q stands behind a closing backquote", rest)
		}
		return BINIValue{Type: BINIText, Text: text}, err
	}
	if v, number, err := parseNumber(s); number {
		return v, err
	}
	return BINIValue{Type: BINIText, Text: s}, nil
}

// parseNumber returns the number that a text looks like; number is false when it looks like none.
func parseNumber(s string) (v BINIValue, number bool, err error) {
	digits, float := 0, false
	rest := strings.TrimLeft(s, "+-")
	if len(s)-len(rest) > 1 {
		return v, false, nil
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(rest), "e")
	for _, c := range mantissa {
		switch {
		case c == '.' && !float:
			float = true
		case c >= '0' && c <= '9':
			digits++
		default:
			return v, false, nil
		}
	}
	if digits == 0 || hasExponent && !isExponent(exponent) {
		return v, false, nil
	}
	if float || hasExponent {
		f, err := strconv.ParseFloat(s, 32)
		if err != nil {
			err = fmt.Errorf("%s is more than a float holds", s)
		}
		return BINIValue{Type: BINIFloat, Bits: math.Float32bits(float32(f))}, true, err
	}
	i, err := strconv.ParseInt(s, 10, 64)
	if err != nil || i < math.MinInt32 || i > math.MaxUint32 {
		return v, true, fmt.Errorf("%s does not fit into 32 bits: with a point it is a float", s)
	}
	return BINIValue{Type: BINIInt, Bits: uint32(i)}, true, nil
}

func isExponent(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	return len(s)-len(digits) <= 1 && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// BININame returns the name of a section or key as an INI file shows it. It stands between backquotes if it begins or ends
// with a blank, or has a backquote, a control character or one of the special characters.
func BININame(name, special string) string {
	if plainText(name, special) && name != "" && name[0] != '@' {
		return name
	}
	return quoteText(name)
}

// plainText reports whether a text means itself where the special characters mean something.
func plainText(s, special string) bool {
	if strings.Trim(s, " \t") != s || strings.ContainsAny(s, special+"`") {
		return false
	}
	return strings.IndexFunc(s, isControl) < 0
}

func isControl(r rune) bool { return r < 0x20 }

// quoteText puts a text between backquotes. In it stand \` and \\ for these two characters, and \x0A for a control character.
func quoteText(s string) string {
	b := []byte{'`'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '`' || c == '\\':
			b = append(b, '\\', c)
		case c < 0x20:
			b = fmt.Appendf(b, `\x%02X`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '`'))
}

// UnquoteBINI parses a text between backquotes at the beginning of s. It returns the text and the rest of s.
func UnquoteBINI(s string) (text, rest string, err error) {
	if !strings.HasPrefix(s, "`") {
		return "", "", fmt.Errorf("%q has a backquote within: a text that holds one stands between backquotes, as `a\\`b`", s)
	}
	var b []byte
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '`':
			return string(b), s[i+1:], nil
		case s[i] != '\\':
			b = append(b, s[i])
		case i+1 < len(s) && (s[i+1] == '`' || s[i+1] == '\\'):
			b = append(b, s[i+1])
			i++
		default:
			c, err := strconv.ParseUint(s[min(i+2, len(s)):min(i+4, len(s))], 16, 8)
			if err != nil || s[i+1] != 'x' || c >= 0x20 {
				return "", "", fmt.Errorf("%q: a backslash between backquotes is followed by a backslash, a backquote, or x and the two hexadecimal digits of a control character", s[i:])
			}
			b = append(b, byte(c))
			i += 3
		}
	}
	return "", "", fmt.Errorf("%q has no closing backquote", s)
}
