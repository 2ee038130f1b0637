package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

type integer interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64 | ~int
}

// EnumNames holds the names of an enumeration's values. With three methods like these, a type appears as words in JSON and
// in messages:
//
//	func (k Kind) String() string                { return kindNames.Text(k) }
//	func (k Kind) MarshalText() ([]byte, error)  { return []byte(k.String()), nil }
//	func (k *Kind) UnmarshalText(b []byte) error { return kindNames.Parse(b, k) }
//
// Names must be distinct, and must not be numbers.
type EnumNames[T integer] map[T]string

// Text returns the name of v, or its decimal number if it has none.
func (n EnumNames[T]) Text(v T) string {
	if s, ok := n[v]; ok {
		return s
	}
	return fmt.Sprint(int64OrMore(v))
}

// Parse sets v to the value with the given name or number. It fails with ErrValue.
func (n EnumNames[T]) Parse(text []byte, v *T) error {
	s := string(text)
	for value, name := range n {
		if name == s {
			*v = value
			return nil
		}
	}
	if parseNumber(s, v) == nil {
		return nil
	}
	return noneOf(s, n.Words())
}

// Words returns the names that [EnumNames.Parse] knows.
func (n EnumNames[T]) Words() (list []string) {
	for _, v := range slices.Sorted(maps.Keys(n)) {
		list = append(list, n[v])
	}
	return list
}

// int64OrMore returns v as a number that fmt prints in decimal, whatever String method T has.
func int64OrMore[T integer](v T) any {
	if v > 0 {
		return uint64(v)
	}
	return int64(v)
}

// parseNumber reads a decimal, hexadecimal (0x…) or negative number that T can hold. It fails with ErrValue.
func parseNumber[T integer](s string, v *T) error {
	if i, err := strconv.ParseInt(s, 0, 64); err == nil && int64(T(i)) == i && (T(i) < 0) == (i < 0) {
		*v = T(i)
		return nil
	}
	if u, err := strconv.ParseUint(s, 0, 64); err == nil && uint64(T(u)) == u && T(u) >= 0 {
		*v = T(u)
		return nil
	}
	return ErrValue
}

// noneOf returns the error for a text that is no number in range and none of the words.
func noneOf(text string, words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("%q is no number in range: %w", text, ErrValue)
	}
	return fmt.Errorf("%q is neither a number in range nor one of %s: %w", text, strings.Join(words, ", "), ErrValue)
}
