package interchange

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	readcsv "github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// decodeJSON reads a document: a schema value with the name of its format.
func decodeJSON(b []byte, env *format.Env) (*Item, error) {
	f, v, err := decodeDocument(b, true, env.Diagnostics)
	if err != nil && f != nil && f.Document != nil { // earlier versions have written the value itself
		if _, plain, bad := decodeDocument(b, false, nil); bad == nil {
			v, err = plain, nil
		}
	}
	if err == nil {
		v, err = settled(f, v, env.Diagnostics)
	}
	if err != nil {
		return nil, err
	}
	return &Item{Format: f, Value: v, Env: env, Document: true}, nil
}

// decodeDocument reads a document: in the form that its format gives it, or else as the value itself.
func decodeDocument(b []byte, formed bool, d *schema.Diagnostics) (f *format.Format, v any, err error) {
	find := func(name, page string) (json.CodePage, error) {
		p, err := codePage(f, page)
		if err == nil && p == nil {
			err = fmt.Errorf("JSON of format %q has no texts in a code page such as %q", name, page)
		}
		return p, err
	}
	_, v, err = json.DecodeDocumentIn(bytes.NewReader(b), find, func(name string) (any, error) {
		if f = formats.ByName(name); f == nil || f.New == nil {
			return nil, fmt.Errorf("JSON of format %q, which usher cannot write%s", name, meant(name))
		}
		if formed && f.Document != nil {
			return f.Document.New(), nil
		}
		return f.New(), nil
	}, d)
	if err == nil && formed && f.Document != nil {
		v, err = f.Document.Value(v)
	}
	return f, v, err
}

// codePage returns the code page that JSON shows the texts of a format in, nil for none.
func codePage(f *format.Format, name string) (json.CodePage, error) {
	if !f.SingleByte || name == "" {
		return nil, nil
	}
	p, err := codepage.Find(name)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// settled returns a value as it is read when it was written: what people edit may contradict itself, and whoever shows a
// value believes what its reader checks. A format that works on the entries of its archive only leaves that to them.
func settled(f *format.Format, v any, d *schema.Diagnostics) (any, error) {
	if f.Read == nil || f.Write == nil {
		return v, nil
	}
	b, err := f.Write(v)
	if err != nil {
		return nil, err
	}
	again, err := f.Read(b, nil)
	if err == nil {
		tellUnkept(f, v, again, d)
		if f.Doubt != nil {
			f.Doubt(v, d)
		}
	}
	return again, err
}

// encodeCSV writes a flat table; the first line names the columns.
func encodeCSV(it *Item, name string) ([]format.File, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	t, ok := a.(*asset.Table)
	if !ok {
		return nil, wrongKind("CSV", it)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	row := make([]string, len(t.Columns))
	if err := w.Write(t.Columns); err != nil {
		return nil, err
	}
	for _, cells := range t.Rows {
		for i, c := range cells {
			row[i] = rows.Text(c)
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, err
	}
	return it.withSidecar([]format.File{{Name: name, Content: out.Bytes()}}, name, &sidecar{Native: t.Native})
}

// decodeCSV reads a table whose cells are all text; the format that it is lowered to knows their types.
func decodeCSV(b []byte, env *format.Env) (*Item, error) {
	x, err := readcsv.Decode(b)
	if err != nil {
		return nil, err
	}
	if x.Encoding == "windows-1252" {
		env.Diagnostics.Warnf("csv-encoding", env.Name, "is no UTF-8: it is read as Windows-1252, which lacks most letters of the world")
	}
	t := &asset.Table{Name: formats.Stem(env.Name), Columns: x.Columns, Rows: make([][]any, len(x.Rows)), Lines: x.Lines}
	for i, cells := range x.Rows {
		t.Rows[i] = make([]any, len(cells))
		for k, c := range cells {
			t.Rows[i][k] = c
		}
	}
	if err := readSidecar(env, func(sc *sidecar) { t.Native = sc.Native }); err != nil {
		return nil, err
	}
	return &Item{Asset: t, Env: env}, nil
}

// withMarkdown asks for Markdown where a file's extension does.
func withMarkdown(env *format.Env, ext string) *format.Env {
	if !strings.EqualFold(ext, ".md") {
		return env
	}
	own := *env
	own.Options.Markdown = true
	return &own
}

// encodeText writes prose as UTF-8, line ends as they are.
func encodeText(it *Item, name string) ([]format.File, error) {
	it.Env = withMarkdown(it.Env, path.Ext(name))
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	t, ok := a.(*asset.Text)
	if !ok {
		return nil, wrongKind("a text file", it)
	}
	return it.withSidecar([]format.File{{Name: name, Content: []byte(t.Body)}}, name, &sidecar{Native: t.Native})
}

func decodeText(b []byte, env *format.Env) (*Item, error) {
	t := &asset.Text{Name: formats.Stem(env.Name), Body: string(b), Extension: strings.ToLower(path.Ext(env.Name))}
	if err := readSidecar(env, func(sc *sidecar) { t.Native = sc.Native }); err != nil {
		return nil, err
	}
	return &Item{Asset: t, Env: env}, nil
}
