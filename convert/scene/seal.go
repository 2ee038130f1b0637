package scene

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strconv"
)

// A file that people edit cannot hold back what is for reading only. A seal beside it tells that somebody edited it
// nevertheless: three letters for the names of all values, and three for each value that is for reading only.

const (
	sealLetters = 3
	sealDigits  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
)

// Unsealed are the names in a record of usher's that say nothing by themselves: bytes that their own readers check, and
// what belongs to other programs.
var unsealed = map[string]bool{"payload": true, "file": true, "extras": true, "check": true}

// Seal returns a checksum over the read-only values of a Native and over what else an interchange file keeps of an object.
func Seal(values, more map[string]any) string {
	fixed := fixedOf(values, more)
	text := namesOf(values, fixed)
	b := appendSeal(make([]byte, 0, sealLetters*(1+len(fixed))), text)
	for _, key := range keysOf(fixed) {
		text = appendText(text[:0], fixed[key])
		b = appendSeal(b, text)
	}
	return string(b)
}

// Broken returns the names of the read-only values that differ from what the seal says. The name is "" if a value was
// added, removed or set to null.
func Broken(seal string, values, more map[string]any) (names []string) {
	now := Seal(values, more)
	if len(seal) != len(now) || seal[:sealLetters] != now[:sealLetters] {
		return []string{""}
	}
	for i, key := range keysOf(fixedOf(values, more)) {
		at := (i + 1) * sealLetters
		if seal[at:at+sealLetters] != now[at:at+sealLetters] {
			names = append(names, key)
		}
	}
	return names
}

// fixedOf returns the values that are for reading only.
func fixedOf(values, more map[string]any) map[string]any {
	fixed := map[string]any{}
	if list, ok := values[ReadOnly].(map[string]any); ok {
		for key, v := range list {
			fixed[ReadOnly+"."+key] = v
		}
	}
	maps.Copy(fixed, more)
	return fixed
}

// namesOf returns the names of all values.
func namesOf(values, fixed map[string]any) []byte {
	return appendNames(appendNames(nil, values), fixed)
}

// appendNames appends the names in an object, and in objects within it; a list may be longer or shorter.
func appendNames(b []byte, object map[string]any) []byte {
	for _, key := range keysOf(object) {
		if object[key] == nil { // null is as if it were gone
			continue
		}
		b = append(append(b, key...), 0)
		if inner, ok := object[key].(map[string]any); ok && key != ReadOnly && key != "asset" {
			b = append(appendNames(b, inner), 1)
		}
	}
	return b
}

// keysOf returns the sorted keys of an object.
func keysOf(object map[string]any) []string {
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func appendSeal(b, text []byte) []byte {
	sum := crc32.ChecksumIEEE(text)
	for range sealLetters {
		b = append(b, sealDigits[sum%64])
		sum /= 64
	}
	return b
}

// appendText appends a value in a form that stays what it is when editors write numbers in another way.
func appendText(b []byte, v any) []byte {
	if x, ok := v.(float32); ok { // as it is written: with the digits that it needs
		v, _ = strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	}
	if x, ok := Number(v); ok {
		return appendNumber(b, x)
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return strconv.AppendQuote(b, v)
	case map[string]any:
		b = append(b, '{')
		if v["check"] != nil { // it has a seal of its own
			return append(b, '}')
		}
		for _, key := range keysOf(v) {
			if !unsealed[key] {
				b = append(appendText(strconv.AppendQuote(b, key), v[key]), ',')
			}
		}
		return append(b, '}')
	case []any:
		return appendList(b, v)
	case []float32:
		return appendList(b, v)
	case []float64:
		return appendList(b, v)
	case []int:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	}
	return appendText(b, throughJSON(v))
}

func appendList[T any](b []byte, list []T) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for _, x := range list {
		b = append(appendText(b, x), ',')
	}
	return append(b, ']')
}

// appendNumber appends a whole number as it is, and six digits of any other.
func appendNumber(b []byte, x float64) []byte {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', 6, 64)
}

// throughJSON returns a value in the types that JSON has; nil for one that it cannot say.
func throughJSON(v any) (plain any) {
	if b, err := json.Marshal(v); err == nil {
		_ = json.NewDecoder(bytes.NewReader(b)).Decode(&plain)
	}
	return plain
}
