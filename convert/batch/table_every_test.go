package batch_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
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
	for i := range convert.Formats {
		if f := &convert.Formats[i]; f.Kind == format.Table && f.Lift != nil && f.Lower != nil && !covered[f.Name] {
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
	for name, b := range map[string][]byte{"types.dat": typesBytes, "dimension.dat": sizesBytes} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// openTable copies a file into a folder of its own and makes its table there; nil where it has none, or one of no rows.
func openTable(t *testing.T, path string, covered map[string]bool) *everyTable {
	f, err := convert.SniffFile(path)
	if f == nil || err != nil {
		return nil
	}
	x := &everyTable{t: t, dir: corpus.Scratch(t), file: filepath.Base(path), stored: corpus.Bytes(t, path), format: f, counts: map[string]int{}}
	if f.Kind == format.Archive && filepath.Ext(x.file) == "" {
		x.file += ".flx" // by which a file is known to become an archive
	}
	if err := os.WriteFile(filepath.Join(x.dir, x.file), x.stored, 0o644); err != nil {
		t.Fatal(err)
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
	env := new(convert.Loader).Env(filepath.Join(x.dir, x.file), nil)
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
	a, err := convert.OpenArchive(filepath.Join(x.dir, x.file), x.format, env)
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
		}
		x.doubledColumn(k)
	}
	for _, i := range places {
		x.removed(i)
		x.doubledRow(i)
	}
	x.before()
}

// other returns another value of the kind of a cell.
func other(cell string, step int64) string {
	if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
		return strconv.FormatInt(n+step, 10)
	}
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return strconv.FormatFloat(v+float64(step)/2, 'g', -1, 32)
	}
	switch cell {
	case "":
		return "5"
	case "true":
		return "false"
	case "false":
		return "true"
	case "fix":
		return "rev"
	case "rev":
		return "fix"
	}
	signs := []rune(cell)
	return string(signs[:len(signs)-1]) + "q"
}

// changed edits one cell, upwards or, where its field ends there, downwards.
func (x *everyTable) changed(i, k int) {
	for _, step := range []int64{1, -1} {
		rows := x.cloned()
		rows[i][k] = other(rows[i][k], step)
		made, said, err := x.back(x.header, rows, false)
		what := fmt.Sprintf("%s of line %d, %.60q instead of %.60q", x.header[k], i+2, rows[i][k], x.rows[i][k])
		switch {
		case err != nil && step > 0:
			continue
		case err != nil:
			x.refused(what, err, "")
		case bytes.Equal(made, x.stored):
			x.named(what, said, x.header[k])
		case slices.Contains(x.keys, x.header[k]): // the row is another one, and the one that was there stays
			x.named(what, said, "row", x.header[k])
		default:
			x.arrived(what, rows, i, k)
		}
		return
	}
}

// arrived holds that a table has the edited cell, and no other change but in the rows that share its value.
func (x *everyTable) arrived(what string, want [][]string, i, k int) {
	got := x.again()
	if len(got) != len(want) {
		x.failf("%s: %d rows became %d", what, len(want), len(got))
		return
	}
	for r := range got {
		for c := range got[r] {
			shared := c == k && got[r][c] == want[i][k] && x.rows[r][c] == x.rows[i][k]
			if got[r][c] != want[r][c] && !shared && !sameFloat(got[r][c], want[r][c]) && !(x.rows[r][c] == "" && c != k) && !slices.Contains(x.keys, x.header[c]) {
				x.failf("%s: %s of line %d is %q, want %q", what, x.header[c], r+2, got[r][c], want[r][c])
				return
			}
		}
	}
	x.counts["arrived"]++
}

func sameFloat(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && float32(x) == float32(y)
}

// named holds that something was said with one of the words.
func (x *everyTable) named(what string, said []schema.Diagnostic, words ...string) {
	for _, d := range said {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(d.Code+" "+d.Msg, w) }) {
			x.counts["named"]++
			return
		}
	}
	x.failf("%s: nothing of it arrived, and nothing was said of %s: %.200v", what, words, said)
}

// refused holds that an error says where and why in a line.
func (x *everyTable) refused(what string, err error, want string) {
	if !strings.Contains(err.Error(), want) || schema.Class(err) == nil && !strings.Contains(err.Error(), "line ") {
		x.failf("%s: refused without saying where: %v", what, err)
		return
	}
	x.counts["refused"]++
}

// nonsense puts into a cell what no record has.
func (x *everyTable) nonsense(i, k int) {
	rows := x.cloned()
	_, failure := strconv.ParseFloat(rows[i][k], 64)
	if rows[i][k] = "x!"; failure != nil {
		rows[i][k] = strings.Repeat("long ", 20_000)
	}
	made, said, err := x.back(x.header, rows, false)
	what := fmt.Sprintf("%s of line %d is nonsense", x.header[k], i+2)
	switch {
	case err != nil:
		x.refused(what, err, "")
	case bytes.Equal(made, x.stored):
		x.named(what, said, x.header[k])
	case slices.Contains(x.keys, x.header[k]):
		x.named(what, said, "row", x.header[k])
	default:
		x.arrived(what, rows, i, k)
	}
}

// sorted brings the rows into another order, which says nothing.
func (x *everyTable) sorted(k int) {
	rows := x.cloned()
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(b[k], a[k]) })
	slices.Reverse(rows[:len(rows)/2])
	made, said, err := x.back(x.header, rows, false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("sorted by %s: it is another file; said %v, %v", x.header[k], said, err)
		return
	}
	x.counts["arrived"]++
}

func (x *everyTable) doubledColumn(k int) {
	rows := x.cloned()
	for i := range rows {
		rows[i] = append(rows[i], rows[i][k])
	}
	_, _, err := x.back(append(slices.Clone(x.header), strings.ToUpper(x.header[k])), rows, false)
	if err == nil {
		x.failf("%s is there twice, and nobody minds", x.header[k])
		return
	}
	x.refused(x.header[k]+" twice", err, "line 1: "+x.header[k])
}

// removed takes out a row: its record stays, unless that is asked for.
func (x *everyTable) removed(i int) {
	rows := slices.Delete(x.cloned(), i, i+1)
	what := fmt.Sprintf("without line %d", i+2)
	made, said, err := x.back(x.header, rows, false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("%s: it is another file; said %v, %v", what, said, err)
		return
	}
	x.named(what, said, "row-missing")
	made, said, err = x.back(x.header, rows, true)
	switch {
	case err != nil:
		x.refused(what+", pruned", err, "")
	case bytes.Equal(made, x.stored):
		x.failf("%s, pruned: nothing is gone; said %v", what, said)
	default:
		x.counts["arrived"]++
	}
}

func (x *everyTable) doubledRow(i int) {
	rows := append(x.cloned(), x.rows[i])
	_, said, err := x.back(x.header, rows, false)
	if err == nil {
		x.failf("line %d twice, and nobody minds: %v", i+2, said)
		return
	}
	x.refused("a row twice", err, fmt.Sprintf("line %d", len(rows)+1))
}

// before leaves out the columns of keys that tables had not before, and reads the rows by their order.
func (x *everyTable) before() {
	if len(x.keys) == 0 || x.format.Kind == format.Archive && len(x.keys) == 1 || x.format.Family == "freelancer" {
		return
	}
	k := slices.Index(x.header, x.keys[len(x.keys)-1])
	without := func(rows [][]string) (cut [][]string) {
		for _, row := range rows {
			cut = append(cut, slices.Delete(slices.Clone(row), k, k+1))
		}
		return cut
	}
	header := without([][]string{x.header})[0]
	made, said, err := x.back(header, without(x.rows), false)
	if err != nil || !bytes.Equal(made, x.stored) {
		x.failf("without %s: it is another file; said %v, %v", x.header[k], said, err)
		return
	}
	x.counts["arrived"]++
	if _, _, err = x.back(header, without(x.rows[1:]), false); err == nil {
		x.failf("without %s and a row: nobody minds", x.header[k])
		return
	}
	x.refused("without a key and a row", err, x.header[k])
}
