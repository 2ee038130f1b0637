package json

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/hex"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/schema"
)

// Decode reads one JSON value into the variable that v points to. It fails with ErrTruncated if the text ends too early,
// ErrRange for a number that its field cannot hold, ErrLimit if values nest too deep, and ErrValue for any other fault,
// including unknown, repeated and missing keys. The message names the line.
func Decode(r io.Reader, v any) error {
	p, target, err := start(r, v)
	if err != nil {
		return err
	}
	p.value(target)
	p.end()
	return p.err
}

// DecodeDocument reads a document written by [EncodeDocument] and returns its value. "usher" must be its first key. empty
// returns a pointer to an empty value of the named format, or an error if it does not know the name. d receives a warning
// for each missing list; it may be nil.
func DecodeDocument(r io.Reader, empty func(format string) (any, error), d *schema.Diagnostics) (format string, v any, err error) {
	return DecodeDocumentIn(r, nil, empty, d)
}

// DecodeDocumentIn is DecodeDocument for documents whose strings may be in a code page: find returns the one of a name.
func DecodeDocumentIn(r io.Reader, find func(format, name string) (CodePage, error), empty func(format string) (any, error), d *schema.Diagnostics) (format string, v any, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return "", nil, err
	}
	p := newParser(b)
	p.d = d
	p.expect('{')
	p.key("usher")
	format = p.str()
	p.expect(',')
	page := p.optional("codepage")
	p.key("value")
	if p.err != nil {
		return "", nil, p.err
	}
	if v, err = empty(format); err != nil {
		return "", nil, err
	}
	target, err := pointer(v)
	if err != nil {
		return "", nil, err
	}
	if page != "" && find == nil {
		return "", nil, schema.Errorf(name, schema.ErrUnsupported, "codepage", "%q", page)
	}
	if page != "" {
		if p.page, err = find(format, page); err != nil {
			return "", nil, err
		}
	}
	p.value(target)
	p.expect('}')
	p.end()
	return format, v, p.err
}

// Sniff returns the format name that stands at the beginning of a document; ok is false if b is not such a document.
func Sniff(head []byte) (format string, ok bool) {
	p := newParser(head)
	p.expect('{')
	p.key("usher")
	format = p.str()
	return format, p.err == nil && format != ""
}

func start(r io.Reader, v any) (*parser, reflect.Value, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, reflect.Value{}, err
	}
	target, err := pointer(v)
	return newParser(b), target, err
}

// pointer returns what v points to.
func pointer(v any) (reflect.Value, error) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return reflect.Value{}, schema.Errorf(name, schema.ErrUnsupported, "", "a %T cannot be filled, only what a pointer leads to", v)
	}
	return p.Elem(), nil
}

// value reads a value into v, which can be set.
func (p *parser) value(v reflect.Value) {
	if p.err != nil {
		return
	}
	if p.depth++; p.depth > schema.DefaultLimits.Depth {
		p.fail(schema.ErrLimit, "nested deeper than %d", schema.DefaultLimits.Depth)
		return
	}
	p.form(v, infoOf(v.Type()))
	p.depth--
}

func (p *parser) form(v reflect.Value, s *typeInfo) {
	if s.text {
		p.unmarshal(v)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(p.boolean())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.integer(v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.natural(v)
	case reflect.Float32:
		*(*float32)(v.Addr().UnsafePointer()) = p.float32()
	case reflect.Float64:
		v.SetFloat(p.float64())
	case reflect.String:
		v.SetString(p.text())
	case reflect.Struct:
		p.structure(v, s)
	case reflect.Slice:
		p.slice(v, s)
	case reflect.Array:
		p.array(v, s)
	case reflect.Map:
		p.dictionary(v)
	case reflect.Pointer:
		if p.null() {
			v.SetZero()
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		p.value(v.Elem())
	case reflect.Interface:
		p.dynamic(v)
	default:
		p.fail(schema.ErrUnsupported, "a %s has no form in JSON", v.Type())
	}
}

// unmarshal reads text, or the number that it stands for.
func (p *parser) unmarshal(v reflect.Value) {
	if c := p.peek(); c == '-' || c >= '0' && c <= '9' {
		switch {
		case v.CanInt():
			p.integer(v)
			return
		case v.CanUint():
			p.natural(v)
			return
		}
	}
	text := p.bytes()
	if p.err != nil {
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text); err != nil {
		p.fail(schema.ErrValue, "%v", err)
	}
}

func (p *parser) integer(v reflect.Value) {
	text := p.number()
	if p.err != nil {
		return
	}
	i, err := strconv.ParseInt(string(text), 10, v.Type().Bits())
	if err != nil {
		p.badNumber(text, v.Type())
		return
	}
	v.SetInt(i)
}

func (p *parser) natural(v reflect.Value) {
	text := p.number()
	if p.err != nil {
		return
	}
	u, err := strconv.ParseUint(string(text), 10, v.Type().Bits())
	if err != nil {
		p.badNumber(text, v.Type())
		return
	}
	v.SetUint(u)
}

func (p *parser) badNumber(text []byte, t reflect.Type) {
	if bytes.ContainsAny(text, ".eE") {
		p.fail(schema.ErrValue, "%s is not a whole number", text)
		return
	}
	p.fail(schema.ErrRange, "%s does not fit into %d bits (%s)", text, t.Bits(), t.Kind())
}

func (p *parser) structure(v reflect.Value, s *typeInfo) {
	v.SetZero()
	seen := make([]bool, len(s.fields))
	p.members(func(key string) {
		i, ok := s.index[key]
		if !ok {
			if near := schema.Nearest(key, slices.Values(slices.Sorted(maps.Keys(s.index)))); near != "" {
				p.fail(schema.ErrValue, "unknown key %q; did you mean %q?", key, near)
				return
			}
			p.fail(schema.ErrValue, "unknown key %q", key)
			return
		}
		if seen[i] {
			p.fail(schema.ErrValue, "key %q stands twice", key)
			return
		}
		seen[i] = true
		x := v.Field(s.fields[i].index)
		if s.fields[i].none && x.Kind() != reflect.Interface && p.peek() == 'n' {
			p.fail(schema.ErrValue, "null says nothing: leave the key out for none")
			return
		}
		p.value(x)
	})
	for i, f := range s.fields {
		if !seen[i] {
			p.missing(f)
		}
	}
}

// missing judges a key that is not there. A list is empty then, and a pointer or bytes are none; but a number would be
// zero, which nobody said.
func (p *parser) missing(f field) {
	p.path = append(p.path, step{f.name, -1})
	switch {
	case !f.optional:
		p.fail(schema.ErrValue, "key %q is missing", f.name)
	case f.list && p.err == nil:
		p.d.Warnf("field-missing", pathText(p.path), "key %q is missing: it is taken for an empty list", f.name)
	}
	p.path = p.path[:len(p.path)-1]
}

func (p *parser) slice(v reflect.Value, s *typeInfo) {
	if p.null() {
		v.SetZero()
		return
	}
	if s.bytes {
		b, err := base64.StdEncoding.AppendDecode([]byte{}, p.bytes())
		if err != nil {
			p.fail(schema.ErrValue, "not base64: %v", err)
		}
		v.SetBytes(b)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	p.elements(func(i int) {
		if i == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(i + 1)
		p.value(v.Index(i))
		if e := v.Index(i); e.Kind() == reflect.Pointer && e.IsNil() { // nobody who walks a list looks for holes in it
			p.fail(schema.ErrValue, "null stands where an element should")
		}
	})
	if n := v.Len(); v.Cap() > n+n/4 {
		v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n), v))
	}
}

func (p *parser) array(v reflect.Value, s *typeInfo) {
	if s.hex {
		text := p.bytes()
		if p.err == nil && len(text) != 2*v.Len() {
			p.fail(schema.ErrValue, "%d hexadecimal digits, expected %d", len(text), 2*v.Len())
			return
		}
		if _, err := hex.Decode(v.Slice(0, v.Len()).Bytes(), text); err != nil {
			p.fail(schema.ErrValue, "not hexadecimal: %v", err)
		}
		return
	}
	n := 0
	p.elements(func(i int) {
		if i == v.Len() {
			p.fail(schema.ErrValue, "more than %d elements", v.Len())
			return
		}
		n = i + 1
		p.value(v.Index(i))
	})
	if p.err == nil && n != v.Len() {
		p.fail(schema.ErrValue, "%d elements, expected %d", n, v.Len())
	}
}

func (p *parser) dictionary(v reflect.Value) {
	if p.null() {
		v.SetZero()
		return
	}
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	p.members(func(key string) {
		k := reflect.New(t.Key()).Elem()
		if err := setKey(k, key); err != nil {
			p.fail(schema.ErrValue, "key %q: %v", key, err)
			return
		}
		if v.MapIndex(k).IsValid() {
			p.fail(schema.ErrValue, "key %q stands twice", key)
			return
		}
		x := reflect.New(t.Elem()).Elem()
		p.value(x)
		v.SetMapIndex(k, x)
	})
}

func setKey(k reflect.Value, text string) error {
	if isText(k.Type()) {
		return k.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
	}
	switch {
	case k.Kind() == reflect.String:
		k.SetString(text)
	case k.CanInt():
		i, err := strconv.ParseInt(text, 10, k.Type().Bits())
		k.SetInt(i)
		return err
	case k.CanUint():
		u, err := strconv.ParseUint(text, 10, k.Type().Bits())
		k.SetUint(u)
		return err
	default:
		return schema.ErrUnsupported
	}
	return nil
}

// dynamic reads a value of type any.
func (p *parser) dynamic(v reflect.Value) {
	if v.Type().NumMethod() > 0 {
		p.fail(schema.ErrUnsupported, "a field of type %s cannot be read", v.Type())
		return
	}
	if x := p.any(); p.err == nil && x != nil {
		v.Set(reflect.ValueOf(x))
	} else {
		v.SetZero()
	}
}

func (p *parser) any() any {
	switch c := p.peek(); {
	case c == '"':
		return p.str()
	case c == 't' || c == 'f':
		return p.boolean()
	case c == 'n':
		p.word("null")
		return nil
	case c == '[':
		list := []any{}
		p.value(reflect.ValueOf(&list).Elem())
		return list
	case c == '{':
		return p.special(p.object())
	}
	text := p.number()
	if p.err != nil {
		return nil
	}
	if !bytes.ContainsAny(text, ".eE") && string(text) != "-0" {
		if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return u
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		p.fail(schema.ErrRange, "%s does not fit into a float", text)
	}
	return f
}

// object reads an object of type map[string]any. The value of "$map" is left as it stands, to be judged by special.
func (p *parser) object() map[string]any {
	m := map[string]any{}
	if p.depth++; p.depth > schema.DefaultLimits.Depth {
		p.fail(schema.ErrLimit, "nested deeper than %d", schema.DefaultLimits.Depth)
		return m
	}
	p.members(func(key string) {
		if _, twice := m[key]; twice {
			p.fail(schema.ErrValue, "key %q stands twice", key)
			return
		}
		if key == "$map" && p.peek() == '{' {
			m[key] = p.object()
		} else {
			m[key] = p.any()
		}
	})
	p.depth--
	return m
}

// special returns what an object with one key of the dollar kind stands for.
func (p *parser) special(m map[string]any) any {
	if inner, ok := m["$map"].(map[string]any); ok && len(m) == 1 {
		return p.settle(inner)
	}
	if len(p.settle(m)) != 1 || !escapeKey(m) {
		return m
	}
	for k, x := range m {
		text, isText := x.(string)
		switch {
		case isText && k == "$float":
			return p.specialFloat(text, 64)
		case isText && k == "$base64":
			b, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				p.fail(schema.ErrValue, "not base64: %v", err)
			}
			return b
		}
	}
	p.fail(schema.ErrValue, "the value of a key of the dollar kind is not what it should be")
	return nil
}

// settle judges the value of "$map", which object left as it stands.
func (p *parser) settle(m map[string]any) map[string]any {
	if inner, ok := m["$map"].(map[string]any); ok {
		m["$map"] = p.special(inner)
	}
	return m
}
