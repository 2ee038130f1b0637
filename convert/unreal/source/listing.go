package source

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
)

// Listing returns byte code as lines: the offset that jumps count, the name of a token, and its operands by their names. An
// expression stands below the token that it belongs to, further in. What cannot be read is listed as bytes.
func Listing(f *pack.File, code []byte) []string {
	tokens, rest := read.Code(code, &unreal.Context{Package: f.Package})
	lines := make([]string, 0, len(tokens)+1)
	for i := range tokens {
		t := &tokens[i]
		indent := strings.Repeat("  ", min(t.Depth, deepest))
		lines = append(lines, fmt.Sprintf("%04X  %s%s", t.Offset, indent, tokenText(f, t)))
	}
	if len(rest) > 0 {
		lines = append(lines, "bytes "+hex.EncodeToString(rest))
	}
	return lines
}

// deepest is how deep lines are set in at most.
const deepest = 40

func tokenText(f *pack.File, t *unreal.Token) string {
	words := []string{unreal.Ops[t.Code].Name}
	operands := t.Operands
	if n, native := t.Native(); native {
		operands = nil
		words = append(words, strconv.Itoa(n))
		if name := f.NativeName(n); name != "" {
			words = append(words, name)
		}
	}
	for i := range operands {
		words = append(words, operandText(f, t, &operands[i]))
	}
	return strings.Join(words, " ")
}

func operandText(f *pack.File, t *unreal.Token, o *unreal.Operand) string {
	n := o.Numbers[0]
	switch o.Kind {
	case 'r':
		return refText(f, unreal.Ref(n), t.Code)
	case 'n':
		return "'" + f.Name(unreal.NameIndex(n)) + "'"
	case 'w':
		if t.Code == caseToken && n == unreal.NoCase {
			return "default"
		}
		return fmt.Sprintf("%04X", n)
	case 'l':
		return fmt.Sprintf("%s:%04X", o.Text, n)
	case 's', 'u':
		return strconv.Quote(o.Text)
	case 'f', 'v':
		return numbersText(o, func(n uint32) string { return strconv.FormatFloat(float64(math.Float32frombits(n)), 'g', -1, 32) })
	case 'b':
		return strconv.Itoa(int(n))
	}
	return numbersText(o, func(n uint32) string { return strconv.Itoa(int(int32(n))) })
}

func numbersText(o *unreal.Operand, text func(n uint32) string) string {
	if o.Kind == 'f' || o.Kind == 'i' {
		return text(o.Numbers[0])
	}
	return "(" + text(o.Numbers[0]) + "," + text(o.Numbers[1]) + "," + text(o.Numbers[2]) + ")"
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
