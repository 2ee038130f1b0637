package write_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestEveryFieldIsWritten changes one exported field after the other of what readers make of the files of testdata, and of
// the collection where it is there: a writer writes other bytes, or refuses it. A field that says nothing by itself has the
// tag "unwritten", which says why.
func TestEveryFieldIsWritten(t *testing.T) {
	r := newResults()
	t.Run("testdata", func(t *testing.T) {
		r.families(t, func(family string) [][]byte { return payloads(t, corpus.Testdata(t, family)) })
		for _, s := range slices.Concat(slices.Collect(maps.Values(subjects))...) {
			if r.tried[s.writer] == 0 {
				t.Errorf("no value for %s", s.writer)
			}
		}
	})
	t.Run("collection", func(t *testing.T) {
		r.families(t, func(family string) [][]byte { return payloads(t, corpus.Folder(t, family)) })
		for field, why := range r.tagged {
			if !r.ignored[field] {
				t.Errorf("%s is written or refused, and its tag says %q", field, why)
			}
		}
	})
}

// results are what became of changes.
type results struct {
	counts  map[string]int
	tried   map[string]int    // by writer
	silent  map[string]string // by field, an example
	tagged  map[string]string // fields, and what their tags say
	ignored map[string]bool   // those that were ignored once at least
}

func newResults() *results {
	return &results{map[string]int{}, map[string]int{}, map[string]string{}, map[string]string{}, map[string]bool{}}
}

// families tries all writers with what a folder of each family has.
func (r *results) families(t *testing.T, from func(family string) [][]byte) {
	var everything [][]byte
	for _, family := range slices.Sorted(maps.Keys(subjects)) {
		if family == media {
			continue
		}
		list := append(madePayloads(t, family), from(family)...)
		everything = append(everything, list...)
		r.family(t, subjects[family], list)
	}
	r.family(t, subjects[media], append(everything, madePayloads(t, media)...))
	for _, field := range slices.Sorted(maps.Keys(r.silent)) {
		t.Errorf("%s may change, and nothing is written or said: %s", field, r.silent[field])
	}
	t.Logf("%d changes of %d writers: %d written, %d refused, %d of fields that say why not, %d silent",
		r.counts["changes"], len(r.tried), r.counts[written], r.counts[refused], r.counts[unwritten], r.counts[silent])
}

func (r *results) family(t *testing.T, list []subject, from [][]byte) {
	for _, s := range list {
		done := map[string]int{}
		if s.made != nil {
			r.values(t, s.writer, s.made, done)
			continue
		}
		for _, b := range from {
			r.values(t, s.writer, func() []opened { return s.open(b) }, done)
		}
	}
}

// The outcomes.
const (
	written   = "written"
	refused   = "refused"
	silent    = "silent"
	unwritten = "unwritten"
)

var indices = regexp.MustCompile(`\[\d+\]`)

// values tries the changes of some values that were not tried often enough.
func (r *results) values(t *testing.T, writer string, open func() []opened, done map[string]int) {
	const enough = 16
	for n, one := range open() {
		list := slices.DeleteFunc(changes(one.value), func(c change) bool {
			key := indices.ReplaceAllString(c.at, "[]") + " " + c.what
			done[key]++
			return done[key] > enough
		})
		if len(list) == 0 {
			continue
		}
		base, err := one.write()
		if errors.Is(err, schema.ErrUnsupported) { // an object that must not move
			continue
		}
		if err != nil {
			t.Errorf("%s: what was read is refused: %v", writer, err)
			continue
		}
		for _, c := range list {
			again := open()[n]
			c.apply(again.value)
			r.count(writer, c, outcome(t, writer+c.at+" "+c.what, again, base))
		}
	}
}

func (r *results) count(writer string, c change, outcome string) {
	r.counts["changes"]++
	r.tried[writer]++
	if c.why != "" && c.what != "nil" && c.what != "made" { // where a value is may always be unknown
		r.tagged[c.field] = c.why
	}
	if outcome == silent {
		r.ignored[c.field] = true
		if c.why != "" {
			outcome = unwritten
		} else {
			r.silent[c.field] = writer + c.at + " " + c.what
		}
	}
	r.counts[outcome]++
}

// outcome tells what became of a change.
func outcome(t *testing.T, what string, x opened, base []byte) string {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", what, p)
		}
	}()
	b, err := x.write()
	switch {
	case err != nil:
		return refused
	case bytes.Equal(b, base):
		return silent
	}
	return written
}

// TestEveryWriterIsTried holds the list of subjects against the source: whatever writes a value of a schema is one.
func TestEveryWriterIsTried(t *testing.T) {
	known := maps.Clone(otherWriters)
	for _, list := range subjects {
		for _, s := range list {
			known[s.writer] = "is a subject"
		}
	}
	for _, family := range []string{"freelancer", "media", "ultima9", "ultimate3d", "unreal"} {
		files, err := filepath.Glob(filepath.Join(family, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", family, len(files), err)
		}
		for _, file := range files {
			for _, name := range writersIn(t, file) {
				if known[family+"."+name] == "" {
					t.Errorf("%s: %s.%s is no subject", file, family, name)
				}
				delete(known, family+"."+name)
			}
		}
	}
	for name := range known {
		t.Errorf("there is no writer %s", name)
	}
}

// writersIn returns the exported functions of a file that take values of a schema.
func writersIn(t *testing.T, file string) (names []string) {
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !f.Name.IsExported() {
			continue
		}
		takes := false
		ast.Inspect(f.Type.Params, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				from := x.X.(*ast.Ident).Name
				takes = takes || from != "io" && x.Sel.Name != "Effort"
			}
			return true
		})
		if takes {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
