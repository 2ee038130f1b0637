package interchange

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// tellUnkept names what a document says and the bytes that it was written to do not, such as a field that a record of
// its kind has no place for.
func tellUnkept(f *format.Format, said, written any, d *schema.Diagnostics) {
	if f.Open != nil && f.Document != nil { // a tree holds the bytes of its entries, which its document has told
		return
	}
	list := unkept(nil, "", reflect.ValueOf(said), reflect.ValueOf(written))
	const most = 3
	for _, where := range list[:min(len(list), most)] {
		d.Warnf("field-ignored", where, "what the JSON says has no place in this %s, and is left out", f.Name)
	}
	if more := len(list) - most; more > 0 {
		d.Warnf("field-ignored", "", "%d more fields have no place in this %s, and are left out", more, f.Name)
	}
}

// unkept appends the paths of what is there in one value, and empty or missing in the other.
func unkept(list []string, where string, said, written reflect.Value) []string {
	if said.IsZero() {
		return list
	}
	switch said.Kind() {
	case reflect.Interface, reflect.Map:
		return list
	case reflect.Pointer:
		if written.IsNil() {
			return append(list, where)
		}
		return unkept(list, where, said.Elem(), written.Elem())
	case reflect.Struct:
		for i := range said.NumField() {
			field := said.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || !field.IsExported() {
				continue
			}
			if name == "" {
				name = field.Name
			}
			list = unkept(list, strings.TrimPrefix(where+"."+name, "."), said.Field(i), written.Field(i))
		}
		return list
	case reflect.Slice, reflect.Array:
		return unkeptElements(list, where, said, written)
	}
	if written.IsZero() {
		return append(list, where)
	}
	return list
}

// unkeptElements is unkept for lists. Of bytes, some count: where a text is edited, what a tool left behind it gives way.
// Trees may come back in another order.
func unkeptElements(list []string, where string, said, written reflect.Value) []string {
	if said.Kind() == reflect.Slice && (said.Type().Elem().Kind() == reflect.Uint8 || isTree(said.Type())) {
		if said.Len() > 0 && written.Len() == 0 {
			return append(list, where)
		}
		return list
	}
	for i := range said.Len() {
		at := fmt.Sprintf("%s[%d]", where, i)
		if i >= written.Len() {
			return append(list, at)
		}
		list = unkept(list, at, said.Index(i), written.Index(i))
	}
	return list
}

// isTree reports whether a list is of elements that hold such lists.
func isTree(list reflect.Type) bool {
	e := list.Elem()
	if e.Kind() != reflect.Pointer || e.Elem().Kind() != reflect.Struct {
		return false
	}
	for i := range e.Elem().NumField() {
		if e.Elem().Field(i).Type == list {
			return true
		}
	}
	return false
}
