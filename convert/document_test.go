package convert_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// JSON is edited by hand: whatever a document says, and whatever it no longer says, it is written or refused.
func TestEditedDocuments(t *testing.T) {
	t.Parallel()
	for _, family := range corpus.Families(t) {
		files, err := filepath.Glob(filepath.Join(corpus.Testdata(t, family), "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range files {
			if info, err := os.Stat(p); err != nil || info.IsDir() || info.Size() > 16<<10 {
				continue
			}
			t.Run(family+"/"+filepath.Base(p), func(t *testing.T) { editDocuments(t, p, corpus.Bytes(t, p)) })
		}
	}
}

// editDocuments tries a file of the path p, or the entries of the archive that it is.
func editDocuments(t *testing.T, p string, content []byte) {
	env := &format.Env{Name: filepath.Base(p)}
	f := formats.Sniff(&format.Input{Name: env.Name, Head: content, Size: int64(len(content)), At: bytes.NewReader(content)})
	if f == nil {
		return
	}
	if f.Read != nil {
		editDocument(t, f, content, env)
	}
	if f.Open == nil {
		return
	}
	a, err := f.Open(bytes.NewReader(content), int64(len(content)), env)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		if leaf := e.Format.Of(i, payload); leaf != nil && leaf.Read != nil {
			editDocument(t, leaf, payload, &format.Env{Name: env.Name, Archive: a, Entry: e.Path})
		}
	}
}

// editDocument makes one change after the other to the JSON of a value.
func editDocument(t *testing.T, f *format.Format, payload []byte, env *format.Env) {
	v, err := f.Read(payload, nil)
	if err != nil || f.New == nil || f.Write == nil {
		return
	}
	if f.Document != nil {
		if v, err = f.Document.Show(v, env); err != nil {
			t.Fatal(err)
		}
	}
	editValue(t, f, v, env)
}

// editValue changes what JSON shows, a value or the document that stands for it.
func editValue(t *testing.T, f *format.Format, v any, env *format.Env) {
	var doc bytes.Buffer
	if err := json.EncodeDocument(&doc, f.Name, v); err != nil {
		t.Fatal(err)
	}
	var root any
	d := stdjson.NewDecoder(bytes.NewReader(doc.Bytes()))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	if it, err := new(engine.Loader).Decode(doc.Bytes(), env); err != nil {
		t.Fatalf("%s: as it is: %v", f.Name, err)
	} else if _, err := f.Write(it.Value); err != nil {
		t.Fatalf("%s: as it is: %v", f.Name, err)
	}
	whole := root.(map[string]any)
	seen := map[string]bool{}
	edits(whole["value"], "", seen, func(v any) { whole["value"] = v }, func(where string, old, now any) {
		text, err := stdjson.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: %s %v instead of %v: %v\n%s", f.Name, where, now, old, p, debug.Stack())
			}
		}()
		tryDocument(t, f, text, env, where)
	})
}

// tryDocument reads a document, and writes and shows what it says. An error is an answer, if it is a line that names the
// place of what cannot be read.
func tryDocument(t *testing.T, f *format.Format, text []byte, env *format.Env, where string) {
	it, err := new(engine.Loader).Decode(text, env)
	if err != nil {
		checkRefusal(t, f, err, where)
		return
	}
	if _, err = f.Write(it.Value); err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %s: %q is more than a line", f.Name, where, err)
	}
	if it.Format.Facts != nil {
		it.Format.Facts(it.Value)
	}
	if it.Format.Lift != nil {
		_, _ = it.Format.Lift(it.Value, env)
	}
}

// checkRefusal sees that an error is a line that names a place: what the parser refuses, where it was changed.
func checkRefusal(t *testing.T, f *format.Format, err error, where string) {
	t.Helper()
	var fe *schema.FormatError
	if !errors.As(err, &fe) || strings.Contains(err.Error(), "\n") || where != "" && fe.Path == "" && fe.Field == "" {
		t.Errorf("%s: %s: %q is no line that names a place", f.Name, where, err)
		return
	}
	where = strings.TrimPrefix(where, ".")
	at := indices.ReplaceAllString(fe.Path, "[]")
	if near := at == where || at == where+"[]" || strings.HasPrefix(at, strings.TrimPrefix(where+".", ".")); strings.HasPrefix(fe.Msg, "line ") && !near {
		t.Errorf("%s: %s: %v is about another place", f.Name, where, err)
	}
}

// edits calls try for every kind of change to the value x and to what is in it, of elements that are alike to the first;
// set puts another value in its place.
func edits(x any, where string, seen map[string]bool, set func(any), try func(where string, old, now any)) {
	if seen[where] || strings.HasSuffix(where, ".Layout.Size") { // the file is as long as that says
		return
	}
	seen[where] = true
	change := func(now any) {
		set(now)
		try(where, x, now)
		set(x)
	}
	change(nil)
	switch x := x.(type) {
	case stdjson.Number:
		for _, n := range []string{"0", "1", "-1", "255", "65535", "4294967295", "2147483647", "-9223372036854775808", "1e300"} {
			change(stdjson.Number(n))
		}
		change("text")
		change([]any{})
	case bool:
		change(!x)
		change(stdjson.Number("7"))
	case string:
		change("")
		change("AAAA")
		change(stdjson.Number("-7"))
		change(map[string]any{})
	case []any:
		change([]any{})
		change([]any{nil})
		change(map[string]any{})
		if n := len(x); n > 0 {
			change(x[:n-1])
			change(append(slices.Clip(x), x[0]))
		}
		for i, e := range x {
			edits(e, where+"[]", seen, func(v any) { x[i] = v }, try)
		}
	case map[string]any:
		change(map[string]any{})
		change([]any{})
		for k, e := range x {
			delete(x, k)
			try(where+"."+k, e, "nothing")
			x[k] = e
			edits(e, where+"."+k, seen, func(v any) { x[k] = v }, try)
		}
	}
}
