package convert_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/json"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestDocumentSchemas holds every document that usher makes of testdata against the schema of its format, and that the
// schemas refuse what is no such document.
func TestDocumentSchemas(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for i := range convert.Formats {
		f := &convert.Formats[i]
		if f.New == nil {
			continue
		}
		var text bytes.Buffer
		if err := json.Schema(&text, f.Name, f.Title, f.New()); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		doc, err := jsonschema.UnmarshalJSON(&text)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(f.Name, doc); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if schemas[f.Name], err = compiler.Compile(f.Name); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	checked := map[string]bool{}
	check := func(name string, format string, value any) {
		s := schemas[format]
		if s == nil {
			return
		}
		var text bytes.Buffer
		if err := json.EncodeDocument(&text, format, value); err != nil {
			return // such as text that is not UTF-8
		}
		doc, err := jsonschema.UnmarshalJSON(&text)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s (%s): %v", name, format, err)
		}
		doc.(map[string]any)["value"].(map[string]any)["NoSuchField"] = 1
		if s.Validate(doc) == nil {
			t.Errorf("%s (%s): a field that is not there is accepted", name, format)
		}
		checked[format] = true
	}
	l := &convert.Loader{}
	var paths []string
	for _, family := range []string{"freelancer", "ultimate3d", "unreal", "ultima9"} {
		files, err := filepath.Glob(corpus.Testdata(t, family, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, files...)
	}
	for _, path := range paths {
		d := new(schema.Diagnostics)
		if it, err := l.Load(convert.Source{Path: path}, d); err == nil && it.Format != nil {
			check(path, it.Format.Name, it.Value)
			it.Close()
		}
		a, err := convert.OpenArchive(path, nil, l.Env(path, d))
		if err != nil {
			continue
		}
		for _, e := range a.Entries() {
			if it, err := l.LoadEntry(convert.Source{Path: path, Entry: e.Path}, l.Env(path, d)); err == nil {
				check(path+":"+e.Path, it.Format.Name, it.Value)
				it.Close()
			}
		}
		a.Close()
	}
	if len(checked) < 30 {
		t.Errorf("%d formats were checked: %v", len(checked), checked)
	}
}
