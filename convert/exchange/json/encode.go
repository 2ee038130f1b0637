package json

import (
	"encoding"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/usher-assets/usher/schema"
)

// Encode writes v and a line end to w. It fails with ErrUnsupported for what JSON cannot express (functions, channels,
// unexported fields that are not zero), ErrValue for text that is not UTF-8, and ErrLimit for values that nest too deep,
// such as a value that contains itself.
func Encode(w io.Writer, v any) error {
	e := encoder{w: w}
	e.value(addressable(reflect.ValueOf(v)))
	return e.finish()
}

// Append appends to b what [Encode] would write, and returns the extended slice. Its errors are those of Encode.
func Append(b []byte, v any) ([]byte, error) {
	e := encoder{b: b}
	e.value(addressable(reflect.ValueOf(v)))
	err := e.finish()
	return e.b, err
}

// EncodeDocument writes v inside an object that names its format: {"usher": "u3d", "value": {…}}.
func EncodeDocument(w io.Writer, format string, v any) error {
	return EncodeDocumentIn(w, format, nil, v)
}

// CodePage is how the strings of a value are shown in a document.
type CodePage interface {
	Name() string
	Show(text string) string
	Take(shown string) (text string, err error) // the reverse of Show
}

// EncodeDocumentIn is EncodeDocument with the strings of v in a code page, whose name stands in the document as "codepage".
// Without a page it shows them as they are.
func EncodeDocumentIn(w io.Writer, format string, page CodePage, v any) error {
	room := rooms.Get().(*[]byte)
	e := encoder{w: w, b: (*room)[:0]}
	defer func() { *room = e.b; rooms.Put(room) }()
	member := func(key, text string) func() {
		return func() { e.raw(`"` + key + `": `); e.text(text) }
	}
	members := []func(){member("usher", format)}
	if page != nil {
		members = append(members, member("codepage", page.Name()))
	}
	members = append(members, func() {
		e.raw(`"value": `)
		e.page = page
		e.value(addressable(reflect.ValueOf(v)))
	})
	e.list("{", "}", len(members), false, func(i int) { members[i]() })
	return e.finish()
}

// rooms are what documents were encoded in: a package is thousands of small ones.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// encoder collects text and latches the first error.
type encoder struct {
	w     io.Writer // nil if b is the result
	b     []byte
	depth int
	lines int // depth of line indentation
	flat  int // > 0 while all stands on one line
	path  []step
	page  CodePage // of strings; nil shows them as they are
	err   error
}

func (e *encoder) finish() error {
	e.raw("\n")
	e.flush()
	return e.err
}

func (e *encoder) flush() {
	if e.w == nil {
		return
	}
	if e.err == nil {
		_, e.err = e.w.Write(e.b)
	}
	e.b = e.b[:0]
}

func (e *encoder) raw(s string) {
	e.b = append(e.b, s...)
	if len(e.b) > 1<<16 {
		e.flush()
	}
}

func (e *encoder) fail(class error, msg string, args ...any) {
	if e.err == nil {
		e.err = &schema.FormatError{Format: name, Path: pathText(e.path), Offset: -1, Class: class, Msg: fmt.Sprintf(msg, args...)}
	}
}

// addressable returns v, or a copy whose address can be taken: floats are read in place, since reflection widens them
// and so changes some NaNs.
func addressable(v reflect.Value) reflect.Value {
	if !v.IsValid() || v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

func (e *encoder) value(v reflect.Value) {
	if e.err != nil {
		return
	}
	if !v.IsValid() {
		e.raw("null")
		return
	}
	if e.depth++; e.depth > schema.DefaultLimits.Depth {
		e.fail(schema.ErrLimit, "nested deeper than %d", schema.DefaultLimits.Depth)
		return
	}
	e.form(v, infoOf(v.Type()))
	e.depth--
}

func (e *encoder) form(v reflect.Value, s *typeInfo) {
	if s.text {
		e.marshal(v)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.raw(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.b = strconv.AppendInt(e.b, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.b = strconv.AppendUint(e.b, v.Uint(), 10)
	case reflect.Float32:
		e.float32(*(*float32)(v.Addr().UnsafePointer()))
	case reflect.Float64:
		e.float64(v.Float())
	case reflect.String:
		e.string(v.String())
	case reflect.Struct:
		e.structure(v, s)
	case reflect.Slice:
		e.slice(v, s)
	case reflect.Array:
		e.array(v, s)
	case reflect.Map:
		e.dictionary(v)
	case reflect.Pointer:
		if v.IsNil() {
			e.raw("null")
			return
		}
		e.value(v.Elem())
	case reflect.Interface:
		e.dynamic(v)
	default:
		e.fail(schema.ErrUnsupported, "a %s has no form in JSON", v.Type())
	}
}

func (e *encoder) string(s string) {
	if e.page != nil {
		s = e.page.Show(s)
	}
	e.text(s)
}

func (e *encoder) marshal(v reflect.Value) {
	b, err := v.Addr().Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		e.fail(schema.ErrValue, "%v", err)
		return
	}
	e.text(string(b))
}

func (e *encoder) float32(f float32) {
	if s := special(float64(f), uint64(math.Float32bits(f)), 8); s != "" {
		e.text(s)
		return
	}
	e.b = strconv.AppendFloat(e.b, float64(f), 'g', -1, 32)
}

func (e *encoder) float64(f float64) {
	if s := special(f, math.Float64bits(f), 16); s != "" {
		e.text(s)
		return
	}
	e.b = strconv.AppendFloat(e.b, f, 'g', -1, 64)
}

// special returns the text of a float that is no number.
func special(f float64, bits uint64, digits int) string {
	switch {
	case f != f:
		return fmt.Sprintf("nan:0x%0*x", digits, bits)
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return ""
}

// text writes a string. Only what has to be escaped is.
func (e *encoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail(schema.ErrValue, "%q is not UTF-8", s)
		return
	}
	const digits = "0123456789abcdef"
	e.b = append(e.b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7F {
			continue
		}
		e.b = append(e.b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			e.b = append(e.b, '\\', c)
		case '\n':
			e.b = append(e.b, '\\', 'n')
		case '\r':
			e.b = append(e.b, '\\', 'r')
		case '\t':
			e.b = append(e.b, '\\', 't')
		default:
			e.b = append(e.b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	e.b = append(e.b, s[start:]...)
	e.raw(`"`)
}

// list writes n members between brackets, each on a line of its own unless all stands on one.
func (e *encoder) list(open, end string, n int, flat bool, member func(i int)) {
	e.raw(open)
	if flat {
		e.flat++
	}
	e.lines++
	for i := range n {
		if i > 0 {
			e.raw(",")
		}
		e.newline(i > 0)
		member(i)
		if e.err != nil {
			return
		}
	}
	e.lines--
	if n > 0 {
		e.newline(false)
	}
	if flat {
		e.flat--
	}
	e.raw(end)
}

func (e *encoder) newline(space bool) {
	if e.flat == 0 {
		e.raw("\n")
		for range e.lines {
			e.raw("  ")
		}
	} else if space {
		e.raw(" ")
	}
}

func (e *encoder) structure(v reflect.Value, s *typeInfo) {
	for _, i := range s.hidden {
		if !v.Field(i).IsZero() {
			e.fail(schema.ErrUnsupported, "field %s of %s is not exported", v.Type().Field(i).Name, v.Type())
			return
		}
	}
	present := make([]field, 0, len(s.fields))
	for _, f := range s.fields {
		if !f.none || f.list || !v.Field(f.index).IsNil() {
			present = append(present, f)
		}
	}
	// The outermost struct is a page, not a line.
	e.list("{", "}", len(present), (s.flat || s.brief && short(v, s)) && e.lines > 0, func(i int) {
		e.text(present[i].name)
		e.raw(": ")
		x := v.Field(present[i].index)
		if present[i].list && x.IsNil() {
			e.raw("[]")
			return
		}
		e.path = append(e.path, step{present[i].name, -1})
		e.value(x)
		e.path = e.path[:len(e.path)-1]
	})
}

// short reports whether a value is so short that it may stand on a line with others.
func short(v reflect.Value, s *typeInfo) bool {
	const few = 16
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || short(v.Elem(), infoOf(v.Type().Elem()))
	case reflect.Slice:
		return v.IsNil() || s.text || s.bytes || s.flat && v.Len() <= few
	case reflect.Struct:
		if s.text || s.flat {
			return true
		}
		for _, f := range s.fields {
			if x := v.Field(f.index); !s.brief || !short(x, infoOf(x.Type())) {
				return false
			}
		}
		return true
	}
	return s.flat
}

func (e *encoder) slice(v reflect.Value, s *typeInfo) {
	switch {
	case v.IsNil():
		e.raw("null")
	case s.bytes:
		e.base64(v.Bytes())
	default:
		e.elements(v, s)
	}
}

func (e *encoder) base64(b []byte) {
	e.b = append(e.b, '"')
	e.b = base64.StdEncoding.AppendEncode(e.b, b)
	e.raw(`"`)
}

func (e *encoder) array(v reflect.Value, s *typeInfo) {
	if s.hex {
		e.b = append(e.b, '"')
		e.b = hex.AppendEncode(e.b, v.Slice(0, v.Len()).Bytes())
		e.raw(`"`)
		return
	}
	e.elements(v, s)
}

func (e *encoder) elements(v reflect.Value, s *typeInfo) {
	e.path = append(e.path, step{})
	e.list("[", "]", v.Len(), s.flat, func(i int) {
		e.path[len(e.path)-1].index = i
		if x := v.Index(i); v.Kind() == reflect.Slice && x.Kind() == reflect.Pointer && x.IsNil() { // an array has its places, empty or not
			e.fail(schema.ErrUnsupported, "an element is missing")
			return
		}
		e.value(v.Index(i))
	})
	e.path = e.path[:len(e.path)-1]
}

func (e *encoder) dictionary(v reflect.Value) {
	if v.IsNil() {
		e.raw("null")
		return
	}
	keys, values := []string{}, map[string]reflect.Value{}
	for it := v.MapRange(); it.Next(); {
		k, err := keyText(it.Key())
		if err != nil {
			e.fail(schema.ErrUnsupported, "%v", err)
			return
		}
		keys = append(keys, k)
		values[k] = it.Value()
	}
	slices.Sort(keys)
	e.list("{", "}", len(keys), len(keys) == 0, func(i int) {
		e.text(keys[i])
		e.raw(": ")
		e.path = append(e.path, step{keys[i], -1})
		e.value(addressable(values[keys[i]]))
		e.path = e.path[:len(e.path)-1]
	})
}

func keyText(k reflect.Value) (string, error) {
	if isText(k.Type()) {
		b, err := addressable(k).Addr().Interface().(encoding.TextMarshaler).MarshalText()
		return string(b), err
	}
	switch {
	case k.Kind() == reflect.String:
		return k.String(), nil
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", fmt.Errorf("a key of type %s has no form in JSON", k.Type())
}

// dynamic writes a value of type any, in forms that return as the same type.
func (e *encoder) dynamic(v reflect.Value) {
	if v.IsNil() {
		e.raw("null")
		return
	}
	if v.Type().NumMethod() > 0 {
		e.fail(schema.ErrUnsupported, "a field of type %s could not be read back", v.Type())
		return
	}
	switch x := v.Interface().(type) {
	case float64:
		e.dynamicFloat(x)
	case float32:
		e.dynamicFloat(float64(x))
	case []byte:
		e.raw(`{"$base64": `)
		e.base64(x)
		e.raw("}")
	case map[string]any:
		if len(x) == 1 && escapeKey(x) {
			e.raw(`{"$map": `)
			e.dictionary(v.Elem())
			e.raw("}")
			return
		}
		e.dictionary(v.Elem())
	default:
		e.value(addressable(v.Elem()))
	}
}

// escapeKey reports whether the only key of m is one of those that stand for something else.
func escapeKey(m map[string]any) bool {
	for k := range m {
		return k == "$float" || k == "$base64" || k == "$map"
	}
	return false
}

func (e *encoder) dynamicFloat(f float64) {
	if s := special(f, math.Float64bits(f), 16); s != "" {
		e.raw(`{"$float": `)
		e.text(s)
		e.raw("}")
		return
	}
	start := len(e.b)
	e.b = strconv.AppendFloat(e.b, f, 'g', -1, 64)
	if !strings.ContainsAny(string(e.b[start:]), ".e") {
		e.raw(".0")
	}
}
