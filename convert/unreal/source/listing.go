package source

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
)

// Listing returns byte code as lines: the offset that jumps count, the name of a token, and its operands by their names. An
// expression stands below the token that it belongs to, further in. What cannot be read is listed as bytes.
func Listing(f *pack.File, code []byte) []string {
	text := string(AppendListing(nil, f, code))
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// AppendListing appends the lines of a [Listing] to b.
func AppendListing(b []byte, f *pack.File, code []byte) []byte {
	room := rooms.Get().(*[]unreal.Token)
	tokens, rest := read.Code(code, &unreal.Context{Package: f.Package}, *room)
	defer func() { *room = tokens; rooms.Put(room) }()
	b = slices.Grow(b, len(tokens)*usualLine)
	for i := range tokens {
		t := &tokens[i]
		b = append(appendHex(b, t.Offset), "  "...)
		for range min(t.Depth, deepest) {
			b = append(b, "  "...)
		}
		b = append(appendToken(b, f, t), '\n')
	}
	if len(rest) > 0 {
		b = append(hex.AppendEncode(append(b, "bytes "...), rest), '\n')
	}
	return b
}

// rooms are lists of tokens that were used before: functions are many, and all of a package are listed.
var rooms = sync.Pool{New: func() any { return new([]unreal.Token) }}

// usualLine is how many bytes of text a token becomes, mostly.
const usualLine = 32

// deepest is how deep lines are set in at most.
const deepest = 40

// appendHex appends an offset in hexadecimal, four digits at least.
func appendHex(b []byte, n uint32) []byte {
	const digits = "0123456789ABCDEF"
	if n > 0xFFFF {
		return fmt.Appendf(b, "%X", n)
	}
	return append(b, digits[n>>12], digits[n>>8&15], digits[n>>4&15], digits[n&15])
}

func appendToken(b []byte, f *pack.File, t *unreal.Token) []byte {
	b = append(b, unreal.Ops[t.Code].Name...)
	if n, native := t.Native(); native {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
		if name := f.NativeName(n); name != "" {
			b = append(append(b, ' '), name...)
		}
		return b
	}
	for i := range t.Operands {
		b = appendOperand(append(b, ' '), f, t, &t.Operands[i])
	}
	return b
}

func appendOperand(b []byte, f *pack.File, t *unreal.Token, o *unreal.Operand) []byte {
	n := o.Numbers[0]
	switch o.Kind {
	case 'r':
		return append(b, refText(f, unreal.Ref(n), t.Code)...)
	case 'n':
		return append(append(append(b, '\''), f.Name(unreal.NameIndex(n))...), '\'')
	case 'w':
		if t.Code == caseToken && n == unreal.NoCase {
			return append(b, "default"...)
		}
		return appendHex(b, n)
	case 'l':
		return appendHex(append(append(b, o.Text...), ':'), n)
	case 's', 'u':
		return strconv.AppendQuote(b, o.Text)
	case 'v', 't':
		b = append(b, '(')
		for i, n := range o.Numbers {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendNumber(b, o.Kind, n)
		}
		return append(b, ')')
	}
	return appendNumber(b, o.Kind, n)
}

func appendNumber(b []byte, kind byte, n uint32) []byte {
	if kind == 'f' || kind == 'v' {
		return strconv.AppendFloat(b, float64(math.Float32frombits(n)), 'g', -1, 32)
	}
	return strconv.AppendInt(b, int64(int32(n)), 10)
}

const (
	caseToken   = 0x0A
	metaCast    = 0x13
	objectConst = 0x20
	dynamicCast = 0x2E
)

// refText names an object: variables and functions by their own names, objects with their class and path.
func refText(f *pack.File, r unreal.Ref, token uint8) string {
	switch {
	case !f.Valid(r):
		return "object " + strconv.Itoa(int(r))
	case token == objectConst, token == metaCast, token == dynamicCast:
		if r == 0 {
			return "None"
		}
		return f.ClassName(r) + "'" + f.FullPath(r) + "'"
	}
	return f.ObjectName(r)
}

// CodeOf returns the byte code of a function, a state or a class; nil for other objects.
func CodeOf(o unreal.AnyObject) []byte {
	switch o := o.(type) {
	case *unreal.Function:
		return o.Code
	case *unreal.State:
		return o.Code
	case *unreal.Class:
		return o.Code
	}
	return nil
}
