package convert_test

import (
	"bytes"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// documentSchemas are the schemas that "usher formats --schema NAME" prints.
var documentSchemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	schemas := map[string]*jsonschema.Schema{}
	for i := range formats.All {
		f := &formats.All[i]
		if f.New == nil {
			continue
		}
		var text bytes.Buffer
		if err := json.Schema(&text, f.Name, f.Title, f.EmptyDocument()); err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(&text)
		if err != nil {
			return nil, err
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(f.Name, doc); err != nil {
			return nil, err
		}
		if schemas[f.Name], err = compiler.Compile(f.Name); err != nil {
			return nil, err
		}
	}
	return schemas, nil
})

// documentCheck holds what "--to json" makes of files against the schema of its format, and counts them by format.
type documentCheck struct {
	t       *testing.T
	schemas map[string]*jsonschema.Schema
	target  engine.Target
	checked map[string]int
}

func newDocumentCheck(t *testing.T) *documentCheck {
	t.Helper()
	schemas, err := documentSchemas()
	if err != nil {
		t.Fatal(err)
	}
	target, err := engine.ParseTarget("json", nil)
	if err != nil {
		t.Fatal(err)
	}
	return &documentCheck{t, schemas, target, map[string]int{}}
}

func (c *documentCheck) item(name string, it *interchange.Item) {
	if it.Format == nil || c.schemas[it.Format.Name] == nil {
		return
	}
	format := it.Format.Name
	files, err := engine.Export(it, c.target, "document")
	if err != nil {
		return // such as text that is not UTF-8
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(files[0].Content))
	if err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
	if err := c.schemas[format].Validate(doc); err != nil {
		c.t.Errorf("%s (%s): %v", name, format, err)
		return
	}
	if c.checked[format]++; c.checked[format] == 1 {
		doc.(map[string]any)["value"].(map[string]any)["NoSuchField"] = 1
		if c.schemas[format].Validate(doc) == nil {
			c.t.Errorf("%s (%s): a field that is not there is accepted", name, format)
		}
	}
}

// file checks a file, and of an archive with many entries at least sixty that lie evenly.
func (c *documentCheck) file(path string) {
	l := &engine.Loader{}
	d := new(schema.Diagnostics)
	if it, err := l.Load(engine.Source{Path: path}, d); err == nil {
		c.item(path, it)
		it.Close()
	}
	a, err := store.OpenArchive(path, nil, l.Env(path, d))
	if err != nil {
		return
	}
	defer a.Close()
	entries := a.Entries()
	for i := 0; i < len(entries); i += 1 + len(entries)/60 {
		name := entries[i].Path
		if it, err := l.LoadEntry(engine.Source{Path: path, Entry: name}, l.Env(path, d)); err == nil {
			c.item(path+":"+name, it)
			it.Close()
		}
	}
}

// TestDocumentSchemas holds every document that usher makes of testdata against the schema of its format, and that the
// schemas refuse what is no such document.
func TestDocumentSchemas(t *testing.T) {
	c := newDocumentCheck(t)
	for _, family := range corpus.Families(t) {
		files, err := filepath.Glob(corpus.Testdata(t, family, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			c.file(path)
		}
	}
	if len(c.checked) < 30 {
		t.Errorf("%d formats were checked: %v", len(c.checked), c.checked)
	}
}

// TestDocumentSchemasCorpus does so with every file of the corpus.
func TestDocumentSchemasCorpus(t *testing.T) {
	for _, family := range corpus.Families(t) {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			c := newDocumentCheck(t)
			for _, e := range corpus.Manifest(t, family) {
				c.file(e.Path)
			}
			documents := 0
			for _, n := range c.checked {
				documents += n
			}
			if documents < 30 {
				t.Errorf("%d documents were checked: %v", documents, c.checked)
			}
			t.Log(documents, "documents")
		})
	}
}
