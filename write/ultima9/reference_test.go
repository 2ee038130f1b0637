package ultima9_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

var reference = filepath.Join("..", "..", "schema", "ultima9")

// TestReference holds the tables of records in the reference to the structs: offsets, types and names, and what the
// comments say. With -update it writes them.
func TestReference(t *testing.T) {
	path := filepath.Join(reference, "README.md")
	text, err := os.ReadFile(path)
	must(t, err)
	meanings := fieldComments(t)
	fresh := string(text)
	for _, r := range declared[1:] {
		name := reflect.TypeOf(r.value).Elem().Name()
		place := regexp.MustCompile(`<!-- record ` + name + ` -->\n(\|.*\n)*`)
		if !place.MatchString(fresh) {
			t.Errorf("the reference has no table of %s: a line <!-- record %s --> says where it belongs", name, name)
		}
		table := recordTable(reflect.TypeOf(r.value).Elem(), schema.RecordOf(r.value), meanings)
		fresh = place.ReplaceAllStringFunc(fresh, func(old string) string {
			head, _, _ := strings.Cut(old, "\n")
			return head + "\n" + table
		})
	}
	if fresh == string(text) {
		return
	}
	if *update {
		must(t, os.WriteFile(path, []byte(fresh), 0o644))
		return
	}
	was, is := strings.Split(string(text), "\n"), strings.Split(fresh, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("%s:%d: %q, the struct says %q; -update writes it", path, i+1, was[i], is[i])
		}
	}
}

// recordTable returns a record as a table.
func recordTable(t reflect.Type, r *schema.Record, meanings map[string]string) string {
	b := new(strings.Builder)
	fmt.Fprintln(b, "| off | type | field | meaning |\n|---|---|---|---|")
	start, fixed := 0, true
	row := func(at int, kind, name, path string) {
		place := "…" // behind a list of any length
		if fixed {
			place = fmt.Sprintf("%0*Xh", max(2, len(fmt.Sprintf("%X", r.Size-1))), start+at)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", place, kind, name, meanings[holder(t, path)])
	}
	for _, p := range r.Parts {
		for i := range p.Fields {
			f := &p.Fields[i]
			row(f.Offset, fieldType(f), fieldName(f), f.Go)
		}
		start += p.Size
		if l := p.List; l != nil {
			row(0, listType(l), l.Name, l.Go)
			start += l.Len * l.Size
			fixed = fixed && l.Back == 0
		}
	}
	return b.String()
}

func fieldType(f *schema.RecordField) string {
	switch {
	case f.Layout == schema.LayoutText || f.Layout == schema.LayoutBytes:
		return fmt.Sprintf("%d %s", f.Width, f.Layout)
	case f.Count > 1:
		return fmt.Sprintf("%s x %d", f.Layout, f.Count)
	}
	return f.Layout
}

func fieldName(f *schema.RecordField) string {
	if f.Kind == schema.FieldLength {
		return "number of " + f.Name
	}
	return f.Name
}

func listType(l *schema.RecordList) string {
	kind, n := l.Numbers.Layout, "n"
	if l.Elem != nil {
		kind = schema.Words(l.Type.Elem().Name())
	}
	if l.Back == 0 {
		n = fmt.Sprint(l.Len)
	}
	return kind + " x " + n
}

// holder returns the type and the field that a path of fields ends at.
func holder(t reflect.Type, path string) string {
	for {
		first, rest, more := strings.Cut(path, ".")
		if !more {
			return t.Name() + "." + first
		}
		f, _ := t.FieldByName(first)
		t, path = f.Type, rest
	}
}

// fieldComments returns what stands behind or above the fields of the structs of the schema, by type and field.
func fieldComments(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(reference, "*.go"))
	must(t, err)
	comments := map[string]string{}
	for _, path := range files {
		source, err := os.ReadFile(path)
		must(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), path, bytes.NewReader(source), parser.ParseComments)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						comments[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
					}
				}
			}
			return false
		})
	}
	return comments
}
