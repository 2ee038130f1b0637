package batch_test

import (
	"bytes"
	"context"
	"encoding"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	write "github.com/usher-assets/usher/write/ultima9"
)

// everyTable is a file that can become a table, and its table as a spreadsheet has it.
type everyTable struct {
	t      *testing.T
	dir    string
	file   string // in dir
	stored []byte
	format *format.Format
	keys   []string
	header []string
	rows   [][]string
	names  map[string]rows.Named // a cell of each column whose numbers have names
	counts map[string]int
}

// TestEveryCell edits every column of every table that there is, in its first, middle and last row: what somebody did
// arrives, is named, or is refused. Silence is the only failure, and so is a cell that changes along with another.
// Of large tables, one of a kind, each column is edited in one of the rows; USHER_TABLES=all does all of them, and USHER_TABLES=folder
// those of a game.
func TestEveryCell(t *testing.T) {
	covered, large, sum := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, path := range everyFile(t) {
		x := openTable(t, path, covered)
		if x == nil || x.large() && large[strings.Join(x.header, ",")] {
			continue
		}
		large[strings.Join(x.header, ",")] = x.large()
		t.Run(filepath.Base(path), func(t *testing.T) {
			x.t = t
			x.everything()
			for k, n := range x.counts {
				sum[k] += n
			}
			t.Log(x.format.Name, len(x.rows), "rows,", len(x.header), "columns:", x.counts)
		})
	}
	t.Log("all:", sum)
	if ownTables() != "" {
		return
	}
	for i := range formats.All {
		if f := &formats.All[i]; f.Kind == format.Table && f.Lift != nil && f.Lower != nil && !covered[f.Name] {
			t.Errorf("no file of format %s", f.Name)
		}
	}
}

// ownTables returns the folder of a game that is to be used.
func ownTables() string {
	if folder := os.Getenv("USHER_TABLES"); folder != "all" {
		return folder
	}
	return ""
}

// everyFile returns the files of testdata, of the corpus where it is, and of formats that testdata has none of.
func everyFile(t *testing.T) (list []string) {
	folders := []string{corpus.Testdata(t, "ultima9"), corpus.Testdata(t, "freelancer"), madeTables(t)}
	if own := ownTables(); own != "" {
		folders = []string{own}
	} else if root := corpusRoot(t); root != "" {
		for _, sub := range []string{"real", "synthetic/logic", "synthetic/types", "synthetic/objects", "synthetic/sound"} {
			folders = append(folders, filepath.Join(root, "ultima9", sub))
		}
	}
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && filepath.Ext(p) != ".json" {
				list = append(list, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// corpusRoot returns the folder of the corpus, empty where it is not.
func corpusRoot(t *testing.T) string {
	root := os.Getenv("USHER_CORPUS")
	if root == "" {
		root = filepath.Join(filepath.Dir(corpus.Root(t)), "shared", "corpus")
	}
	if _, err := os.Stat(root); err != nil {
		t.Log("without the corpus, which is not at", root)
		return ""
	}
	return root
}

// wordFiles are texts of an Unreal game in every way that they are stored: comments, blanks, keys that stand there twice, no end of the
// last line.
var wordFiles = map[string]string{
	"hall.int":   "; words of a hall\r\n[Public]\r\nObject=(Name=Hall.Lamp,Class=Class)\r\nObject=(Name=Hall.Door,Class=Class)\r\n\r\n[Lamp]\r\nTitle = \"A lamp\" \r\nHint=Caf\xe9\r\nEmpty=\r\n// end\r\n[public]\r\nTags=1",
	"wide.int":   "\xff\xfe" + wide("[Hall]\nTitle=Zażółć\n;Title=x\nTitle=second\n[Other]\nA=1\nB=2\n"),
	"marked.int": "\ufeff[Hall]\nTitle=Зал\nHint=2",
	"game.ini":   "[Engine.Engine]\nRender=Soft\nPaths=../System/*.u\nPaths=../Maps/*.unr\n\n[URL]\nPort=7777\n",
}

// wide returns a text in UTF-16, the low byte first.
func wide(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// madeTables makes files of the formats that testdata has none of.
func madeTables(t *testing.T) string {
	dir := t.TempDir()
	types := &ultima9.Types{Records: make([]ultima9.Type, ultima9.TypeCount), Active: 3}
	sizes := &ultima9.Dimensions{Spheres: make([]ultima9.DimensionSphere, ultima9.DimensionModels), Minima: make([]float32, ultima9.DimensionModels), Maxima: make([]float32, ultima9.DimensionModels)}
	typesBytes, err := write.Types(types)
	if err != nil {
		t.Fatal(err)
	}
	sizesBytes, err := write.Dimensions(sizes)
	if err != nil {
		t.Fatal(err)
	}
	names := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "typename.flx")) // which the table of types shows
	for name, text := range wordFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string][]byte{"types.dat": typesBytes, "dimension.dat": sizesBytes, "typename.flx": names} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// openTable copies a file into a folder of its own and makes its table there; nil where it has none, or one of no rows.
func openTable(t *testing.T, path string, covered map[string]bool) *everyTable {
	f, err := interchange.SniffFile(path)
	if f == nil || err != nil {
		return nil
	}
	x := &everyTable{t: t, dir: corpus.Scratch(t), file: filepath.Base(path), stored: corpus.Bytes(t, path), format: f, names: map[string]rows.Named{}, counts: map[string]int{}}
	if f.Kind == format.Archive && filepath.Ext(x.file) == "" {
		x.file += ".flx" // by which a file is known to become an archive
	}
	if err := os.WriteFile(filepath.Join(x.dir, x.file), x.stored, 0o644); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadFile(filepath.Join(filepath.Dir(path), "typename.flx")); err == nil && f.Kind == format.Table {
		for _, sub := range []string{"", "made"} {
			if err := os.MkdirAll(filepath.Join(x.dir, sub), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(x.dir, sub, "typename.flx"), names, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	x.keys = x.listKeys(covered)
	if x.keys == nil {
		return nil
	}
	if err := x.convert(x.file, "table.csv", batch.Conversion{}); err != nil {
		t.Errorf("%s: %v", path, err)
		return nil
	}
	x.header, x.rows = x.read("table.csv")
	return x
}

// listKeys returns the columns of the keys, not nil, of what has a table that can be made a file again.
func (x *everyTable) listKeys(covered map[string]bool) []string {
	env := new(engine.Loader).Env(filepath.Join(x.dir, x.file), nil)
	show := func(f *format.Format, payload []byte) []string {
		v, err := f.Read(payload, nil)
		if err != nil {
			return nil
		}
		for _, view := range append([]*format.Format{f}, f.Views...) {
			if view.Lift == nil || view.Kind != format.Table && view.Kind != format.Text {
				continue
			}
			a, err := view.Lift(v, env)
			if err != nil {
				return nil
			}
			if table, ok := a.(*asset.Table); ok && len(table.Rows) > 0 {
				covered[f.Name] = true
				x.learn(table)
				return append([]string{}, table.Keys...)
			} else if _, ok := a.(*asset.Text); ok {
				return []string{}
			}
		}
		return nil
	}
	if x.format.Kind != format.Archive {
		if x.format.Read == nil || x.format.Lower == nil || x.format.Kind == format.Text {
			return nil
		}
		return show(x.format, x.stored)
	}
	a, err := store.OpenArchive(filepath.Join(x.dir, x.file), x.format, env)
	if err != nil {
		return nil
	}
	defer a.Close()
	var keys []string
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		f := e.Format.Of(i, payload)
		if err != nil || f == nil || f.Read == nil || f.Lower == nil || f.Kind != format.Table && f.Kind != format.Text {
			return nil
		}
		own := show(f, payload)
		if own == nil {
			return nil
		}
		keys = append([]string{"slot"}, own...)
	}
	return keys
}

// learn notes which columns have numbers with names.
func (x *everyTable) learn(table *asset.Table) {
	for _, row := range table.Rows {
		for k, c := range row {
			if named, ok := c.(rows.Named); ok {
				x.names[table.Columns[k]] = named
			}
		}
	}
}

// sameName reports whether two cells of a column are one number, by its names or not.
func (x *everyTable) sameName(column, a, b string) bool {
	named, ok := x.names[column]
	if !ok {
		return false
	}
	read := func(text string) (any, error) {
		v := reflect.New(reflect.TypeOf(named))
		err := v.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
		return v.Elem().Interface(), err
	}
	m, err1 := read(a)
	n, err2 := read(b)
	return err1 == nil && err2 == nil && m == n
}

// convert converts a file of the folder to another.
func (x *everyTable) convert(from, to string, c batch.Conversion) (err error) {
	c.Out, c.Force = filepath.Join(x.dir, to), true
	failure := c.Run(context.Background(), []string{filepath.Join(x.dir, from)}, func(r batch.Result) { err = r.Err })
	if err == nil {
		err = failure
	}
	return err
}

// read returns the table of a file, as another program reads it.
func (x *everyTable) read(name string) (header []string, rows [][]string) {
	x.t.Helper()
	all, err := csv.NewReader(bytes.NewReader(corpus.Bytes(x.t, filepath.Join(x.dir, name)))).ReadAll()
	if err != nil {
		x.t.Fatal(err)
	}
	return all[0], all[1:]
}

// back makes the file again of an edited table, and returns what was said.
func (x *everyTable) back(header []string, rows [][]string, prune bool) (made []byte, said []schema.Diagnostic, err error) {
	x.t.Helper()
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(x.dir, "table.csv"), text.Bytes(), 0o644); err != nil {
		x.t.Fatal(err)
	}
	c := batch.Conversion{Out: filepath.Join(x.dir, "made", x.file), Force: true}
	c.Loader.Options.Prune = prune
	from := "table.csv"
	if x.format.Family == "freelancer" {
		from = x.file
		c.Loader.Options.Freelancer.HardpointsFrom = filepath.Join(x.dir, "table.csv")
	} else if x.format.Kind != format.Archive {
		c.To = x.format.Name
	}
	failure := c.Run(context.Background(), []string{filepath.Join(x.dir, from)}, func(r batch.Result) {
		err, said = r.Err, r.Diagnostics
	})
	if err == nil {
		err = failure
	}
	if err != nil {
		return nil, said, err
	}
	return corpus.Bytes(x.t, filepath.Join(x.dir, "made", x.file)), said, nil
}

// again returns the table of what was made last.
func (x *everyTable) again() [][]string {
	x.t.Helper()
	c := batch.Conversion{}
	c.Loader.From = x.format
	if err := os.MkdirAll(filepath.Join(x.dir, "again"), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := x.convert(filepath.Join("made", x.file), filepath.Join("again", "table.csv"), c); err != nil {
		x.t.Fatal(err)
	}
	_, rows := x.read(filepath.Join("again", "table.csv"))
	return rows
}

func (x *everyTable) failf(format string, args ...any) {
	x.t.Helper()
	x.counts["silent"]++
	x.t.Errorf(format, args...)
}

// cloned returns the rows to edit.
func (x *everyTable) cloned() [][]string {
	rows := make([][]string, len(x.rows))
	for i := range rows {
		rows[i] = slices.Clone(x.rows[i])
	}
	return rows
}

// large reports whether not everything is tried with a table, which takes too long.
func (x *everyTable) large() bool {
	return len(x.rows)*len(x.header) > 10_000 && os.Getenv("USHER_TABLES") == ""
}

// everything does all edits.
func (x *everyTable) everything() {
	if made, _, err := x.back(x.header, x.rows, false); err != nil || !bytes.Equal(made, x.stored) {
		x.t.Fatalf("unchanged: %v", err)
	}
	places := slices.Compact([]int{0, len(x.rows) / 2, len(x.rows) - 1})
	for k := range x.header {
		for n, i := range places {
			if !x.large() || n == k%len(places) {
				x.changed(i, k)
				x.nonsense(i, k)
			}
		}
		if !x.large() || k%len(places) == 0 {
			x.sorted(k)
			x.withoutColumn(k)
		}
		x.doubledColumn(k)
	}
	for _, i := range places {
		x.removed(i)
		x.doubledRow(i)
	}
	x.before()
}
