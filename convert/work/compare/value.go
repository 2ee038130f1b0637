package compare

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/schema"
)

// Field is a difference in one field of a structure. A value is "" on the side that does not have it.
type Field struct {
	Path     string // "limb 2 › face 17 › UV"
	Old, New string
}

// mostFields is how many fields are kept of a pair; beyond that they are counted.
const mostFields = 4096

// maxDepth is how deep values are followed: no format comes near.
const maxDepth = 200

// Values compares two values of the same type. It returns the fields that differ, in order, and their number; of very many
// it returns only the first. Floats are compared by their bits. A long list of numbers or bytes counts as one field, which
// says how many elements differ. Lists of structures are compared element by element; if one is longer, equal elements at
// the beginning and at the end are skipped.
func Values(a, b any) (fields []Field, total int) { return valuesIn(nil, a, b) }

// valuesIn is [Values] with texts as a code page shows them, which readers take for the usual one; nil for that.
func valuesIn(page *codepage.Page, a, b any) (fields []Field, total int) {
	c := &comparer{page: page, seen: map[[2]uintptr]bool{}}
	c.value(reflect.ValueOf(a), reflect.ValueOf(b), 0)
	return c.fields, c.total
}

type comparer struct {
	page   *codepage.Page
	path   []string
	fields []Field
	total  int
	seen   map[[2]uintptr]bool // pairs of pointers on the way: values may refer to each other
}

func (c *comparer) note(a, b string) {
	if c.total++; len(c.fields) < mostFields {
		c.fields = append(c.fields, Field{strings.Join(c.path, " › "), a, b})
	}
}

// in compares below a step of the path.
func (c *comparer) in(step string, do func()) {
	c.path = append(c.path, step)
	do()
	c.path = c.path[:len(c.path)-1]
}

func (c *comparer) value(a, b reflect.Value, depth int) {
	switch {
	case depth > maxDepth || !a.IsValid() && !b.IsValid():
		return
	case !a.IsValid() || !b.IsValid() || a.Type() != b.Type():
		c.note(c.text(a), c.text(b))
		return
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		c.referred(a, b, depth)
	case reflect.Struct:
		c.structure(a, b, depth)
	case reflect.Slice, reflect.Array:
		c.list(a, b, depth)
	case reflect.Map:
		c.table(a, b, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
	default:
		if !equal(a, b, depth) {
			c.note(c.text(a), c.text(b))
		}
	}
}

func (c *comparer) referred(a, b reflect.Value, depth int) {
	if a.IsNil() || b.IsNil() {
		if a.IsNil() != b.IsNil() {
			c.note(c.text(a), c.text(b))
		}
		return
	}
	if a.Kind() == reflect.Pointer {
		pair := [2]uintptr{a.Pointer(), b.Pointer()}
		if pair[0] == pair[1] || c.seen[pair] {
			return
		}
		c.seen[pair] = true
		defer delete(c.seen, pair)
	}
	c.value(a.Elem(), b.Elem(), depth+1)
}

func (c *comparer) structure(a, b reflect.Value, depth int) {
	if x, ok := written(a); ok {
		if y, _ := written(b); x != y {
			c.note(x, y)
		}
		return
	}
	for i := range a.NumField() {
		f := a.Type().Field(i)
		switch {
		case !f.IsExported():
		case f.Anonymous:
			c.value(a.Field(i), b.Field(i), depth+1)
		default:
			c.in(schema.Words(f.Name), func() { c.value(a.Field(i), b.Field(i), depth+1) })
		}
	}
}

// written returns a value whose form is one text.
func written(v reflect.Value) (string, bool) {
	if !v.CanInterface() {
		return "", false
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok {
		return "", false
	}
	b, err := m.MarshalText()
	return string(b), err == nil
}

// list compares slices and arrays. Few numbers, as those of a vector, are one value; many are counted.
func (c *comparer) list(a, b reflect.Value, depth int) {
	kind := a.Type().Elem().Kind()
	switch {
	case kind == reflect.Uint8:
		c.bytes(a, b)
	case plain(kind) && a.Len() <= 4 && b.Len() <= 4:
		if !equal(a, b, depth) {
			c.note(c.text(a), c.text(b))
		}
	case plain(kind):
		c.numbers(a, b, depth)
	default:
		c.elements(a, b, depth)
	}
}

// plain reports whether a kind is a number or a truth value.
func plain(k reflect.Kind) bool { return k >= reflect.Bool && k <= reflect.Complex128 }

func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		return v.Bytes()
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return b
}

func (c *comparer) bytes(a, b reflect.Value) {
	x, y := bytesOf(a), bytesOf(b)
	if bytes.Equal(x, y) {
		return
	}
	if len(x) <= 16 && len(y) <= 16 {
		c.note(c.text(a), c.text(b))
		return
	}
	count, first := 0, -1
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			if count++; first < 0 {
				first = i
			}
		}
	}
	c.counted(len(x), len(y), count, first, "bytes")
}

// counted notes a difference of long runs.
func (c *comparer) counted(before, after, count, first int, what string) {
	old, now := fmt.Sprintf("%d %s", before, what), fmt.Sprintf("%d %s", after, what)
	if count > 0 {
		now += fmt.Sprintf(", %d differ, the first at %d", count, first)
	}
	c.note(old, now)
}

func (c *comparer) numbers(a, b reflect.Value, depth int) {
	count, first := 0, -1
	for i := range min(a.Len(), b.Len()) {
		if !equal(a.Index(i), b.Index(i), depth) {
			if count++; first < 0 {
				first = i
			}
		}
	}
	switch {
	case a.Len() != b.Len() || count > 4:
		c.counted(a.Len(), b.Len(), count, first, "numbers")
	case count > 0:
		for i := first; i < a.Len(); i++ {
			c.in(strconv.Itoa(i), func() { c.value(a.Index(i), b.Index(i), depth) })
		}
	}
}

// elements compares runs of structures, vectors and the like.
func (c *comparer) elements(a, b reflect.Value, depth int) {
	n, m := a.Len(), b.Len()
	if pairs := identified(a, b, depth); pairs != nil {
		c.paired(a, b, pairs, depth)
		return
	}
	head, tail := 0, 0
	if n != m {
		for head < min(n, m) && equal(a.Index(head), b.Index(head), depth) {
			head++
		}
		for tail < min(n, m)-head && equal(a.Index(n-1-tail), b.Index(m-1-tail), depth) {
			tail++
		}
	}
	owner := ""
	if len(c.path) > 0 {
		owner = c.path[len(c.path)-1]
		c.path = c.path[:len(c.path)-1]
		defer func() { c.path = append(c.path, owner) }()
	}
	one := schema.Singular(owner)
	both := min(n, m) - tail
	for i := head; i < both; i++ {
		x, y := a.Index(i), b.Index(i)
		if plainList(x) && plainList(y) {
			if !equal(x, y, depth) {
				c.in(step(one, i, x, y), func() { c.note(c.text(x), c.text(y)) })
			}
			continue
		}
		c.in(step(one, i, x, y), func() { c.value(x, y, depth+1) })
	}
	for i := both; i < n-tail; i++ {
		c.in(step(one, i, a.Index(i), a.Index(i)), func() { c.note(c.brief(a.Index(i)), "") })
	}
	for i := both; i < m-tail; i++ {
		c.in(step(one, i, b.Index(i), b.Index(i)), func() { c.note("", c.brief(b.Index(i))) })
	}
}

// mostIdentified is how many elements with IDs are paired by them: each may be held against each.
const mostIdentified = 1 << 9

// identified pairs elements by their IDs, where these stand in another order than before: those with the same ID, of several
// the equal ones first. −1 stands for no partner. It returns nil for elements without IDs, and in the same order.
func identified(a, b reflect.Value, depth int) (pairs [][2]int) {
	was, now := idsOf(a), idsOf(b)
	if was == nil || now == nil || slices.Equal(was, now) {
		return nil
	}
	used := make([]bool, len(now))
	partner := slices.Repeat([]int{-1}, len(was))
	for _, same := range []func(i, k int) bool{
		func(i, k int) bool { return equal(a.Index(i), b.Index(k), depth) },
		func(i, k int) bool { return true },
	} {
		for i, id := range was {
			for k := 0; k < len(now) && partner[i] < 0; k++ {
				if !used[k] && now[k] == id && same(i, k) {
					partner[i], used[k] = k, true
				}
			}
		}
	}
	for i, k := range partner {
		pairs = append(pairs, [2]int{i, k})
	}
	for k := range now {
		if !used[k] {
			pairs = append(pairs, [2]int{-1, k})
		}
	}
	return pairs
}

// idsOf returns the fields ID of a list of structures; nil where they have none, or are very many.
func idsOf(list reflect.Value) (ids []uint64) {
	if list.Len() == 0 || list.Len() > mostIdentified {
		return nil
	}
	for i := range list.Len() {
		x := list.Index(i)
		if x.Kind() == reflect.Pointer && !x.IsNil() {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct {
			return nil
		}
		id := x.FieldByName("ID")
		if !id.IsValid() || !id.CanUint() {
			return nil
		}
		ids = append(ids, id.Uint())
	}
	return ids
}

// paired compares elements that stand in another order.
func (c *comparer) paired(a, b reflect.Value, pairs [][2]int, depth int) {
	owner := ""
	if len(c.path) > 0 {
		owner = c.path[len(c.path)-1]
		c.path = c.path[:len(c.path)-1]
		defer func() { c.path = append(c.path, owner) }()
	}
	one := schema.Singular(owner)
	for _, p := range pairs {
		switch i, k := p[0], p[1]; {
		case k < 0:
			c.in(step(one, i, a.Index(i), a.Index(i)), func() { c.note(c.brief(a.Index(i)), "") })
		case i < 0:
			c.in(step(one, k, b.Index(k), b.Index(k)), func() { c.note("", c.brief(b.Index(k))) })
		default:
			c.in(step(one, k, a.Index(i), b.Index(k)), func() { c.value(a.Index(i), b.Index(k), depth+1) })
		}
	}
}

// plainList reports whether a value is a short vector of numbers.
func plainList(v reflect.Value) bool {
	return (v.Kind() == reflect.Array || v.Kind() == reflect.Slice) && v.Len() <= 16 && plain(v.Type().Elem().Kind())
}

// step is the path of an element: what it is called, its number, and its name where both sides have the same.
func step(one string, i int, a, b reflect.Value) string {
	s := strings.TrimSpace(one + " " + strconv.Itoa(i))
	if x, y := nameOf(a), nameOf(b); x != "" && x == y {
		s += " " + strconv.Quote(x)
	}
	return s
}

// nameOf returns the name that an element has for people.
func nameOf(v reflect.Value) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String {
		name, _ := asAny(v.MapIndex(reflect.ValueOf("Name").Convert(v.Type().Key()))).(string)
		return name
	}
	if v.Kind() != reflect.Struct {
		return ""
	}
	if f := v.FieldByName("Name"); f.IsValid() && f.Kind() == reflect.String && len(f.String()) <= 64 {
		return f.String()
	}
	return ""
}

func asAny(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}

func (c *comparer) table(a, b reflect.Value, depth int) {
	keys := map[string]reflect.Value{}
	for _, m := range [...]reflect.Value{a, b} {
		for _, k := range m.MapKeys() {
			keys[strings.Trim(text(k), `"`)] = k
		}
	}
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c.in(name, func() { c.value(a.MapIndex(keys[name]), b.MapIndex(keys[name]), depth+1) })
	}
}

// equal reports whether two values of one type are the same.
func equal(a, b reflect.Value, depth int) bool {
	if depth > maxDepth {
		return true
	}
	switch a.Kind() {
	case reflect.Float32:
		return math.Float32bits(float32(a.Float())) == math.Float32bits(float32(b.Float()))
	case reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.String:
		return a.String() == b.String()
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		if a.Type().Elem().Kind() == reflect.Uint8 && a.Kind() == reflect.Slice {
			return bytes.Equal(a.Bytes(), b.Bytes())
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i), depth+1) {
				return false
			}
		}
		return true
	}
	if a.CanInt() {
		return a.Int() == b.Int()
	}
	if a.CanUint() {
		return a.Uint() == b.Uint()
	}
	if a.CanComplex() {
		return a.Complex() == b.Complex()
	}
	c := &comparer{seen: map[[2]uintptr]bool{}}
	c.value(a, b, depth+1)
	return c.total == 0
}

// longest is how much of a value is shown.
const longest = 120

// text returns a value for people.
func text(v reflect.Value) string { return new(comparer).text(v) }

func (c *comparer) text(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return "none"
	}
	s := ""
	switch {
	case v.Kind() == reflect.String:
		s = strconv.Quote(c.page.Show(v.String()))
	case (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && v.Type().Elem().Kind() == reflect.Uint8:
		if b := bytesOf(v); len(b) <= 16 {
			s = fmt.Sprintf("%x", b)
		} else {
			s = fmt.Sprintf("%d bytes", len(b))
		}
	case v.Kind() == reflect.Struct || v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice && v.Len() > 16 || v.Kind() == reflect.Map:
		return c.brief(v)
	case v.CanInterface():
		s = fmt.Sprint(v.Interface())
	}
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// brief says what a structure is, without all that is in it.
func brief(v reflect.Value) string { return new(comparer).brief(v) }

func (c *comparer) brief(v reflect.Value) string {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return "none"
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		if name := nameOf(v); name != "" {
			return strconv.Quote(c.page.Show(name))
		}
		if s, ok := v.Interface().(fmt.Stringer); ok {
			return s.String()
		}
		return strings.ToLower(schema.Words(v.Type().Name()))
	case reflect.Slice, reflect.Map:
		return fmt.Sprintf("%d elements", v.Len())
	}
	return c.text(v)
}
