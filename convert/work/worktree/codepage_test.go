package worktree_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/exchange/po"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// foreignWords are words in some code pages; the second bytes of Japanese ones are signs that mean something in a book.
var foreignWords = map[string]string{
	"windows-1250": "Żółw ťuhýk", "windows-1251": "Съешь ещё", "windows-1253": "Ξεσκεπάζω", "windows-932": "表示ソ―ァｱ", "windows-949": "한글",
}

// translated is an archive of texts in one language: books, names of types, or spoken lines with their table.
type translated struct {
	archive, table []byte
}

// tale makes the archive of a name with every text in a language: word is "Line" or another, and title one of them too.
func tale(t *testing.T, name, title, word string, p *codepage.Page) (x translated) {
	t.Helper()
	const books, lines, buckets = 20, 300, 512
	shown := func(word string, i int) string { return fmt.Sprintf("%s %d.", word, i) }
	stored := func(word string, i int) string {
		text, err := p.Take(shown(word, i))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	a, table, count := ultima9.NewArchive(lines), ultima9.NewTextTable(buckets), lines
	if name == "books-en.flx" {
		count = books
	}
	for i := range count {
		var b []byte
		var err error
		switch name {
		case "books-en.flx":
			b, err = write.Book(&ultima9.Book{Title: ultima9.CountedText{Text: stored(title, i)}, Body: "`f2" + stored(word, i) + "\r\n`p" + stored(word, i+1)})
		case "typename.flx":
			b, err = write.TypeName(ultima9.NewTypeName(-1, 7041, stored(word, i)))
		default:
			b, err = write.Text(&ultima9.Text{Text: shown(word, i)})
			key := "" // one character a byte
			for _, c := range must(t)(p.Encode(ultima9.TextKey("UI", shown(word, i)))) {
				key += string(rune(c))
			}
			if err := table.Add(key, uint32(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Replace(i, b); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := write.FLX(&out, a); err != nil {
		t.Fatal(err)
	}
	x.archive = out.Bytes()
	if name == "text.flx" {
		x.table = must(t)(write.TextTable(table))
	}
	return x
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// write puts the files into a folder, and returns the path of the archive.
func (x translated) write(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, name), x.archive)
	if x.table != nil {
		writeFile(t, filepath.Join(dir, "text.dat"), x.table)
	}
	return filepath.Join(dir, name)
}

// translate does what a translator does with a file: one word becomes another.
func translate(t *testing.T, file, from, to string) {
	t.Helper()
	b := corpus.Bytes(t, file)
	if filepath.Ext(file) == ".po" {
		x, err := po.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Messages {
			x.Messages[i].Translation = strings.ReplaceAll(x.Messages[i].Text, from, to)
		}
		b = po.Encode(x)
	} else {
		b = bytes.ReplaceAll(b, []byte(from), []byte(to))
	}
	writeFile(t, file, b)
}

// archiveWays are the ways in which a whole archive is translated. Each gets the archive and the code page, has the files that it
// makes translated, and returns the new archive. Nobody names the page a second time.
var archiveWays = map[string]func(t *testing.T, archive, page string, each func(file string)) string{
	"csv": throughFile(".csv"), "po": throughFile(".po"), "txt": throughFile(".txt"),
	"folder": throughFolder(""), "folder of md": throughFolder("md"), "folder with csv": throughFolder("csv"), "folder with po": throughFolder("po"),
}

func throughFile(ext string) func(t *testing.T, archive, page string, each func(file string)) string {
	return func(t *testing.T, archive, page string, each func(file string)) string {
		file, out := filepath.Join(filepath.Dir(archive), "all"+ext), filepath.Join(t.TempDir(), filepath.Base(archive))
		for i, job := range [][2]string{{archive, file}, {file, out}} {
			c := batch.Conversion{Out: job[1]}
			if i == 0 {
				c.Loader.Options.CodePage = page
			} else {
				each(file)
			}
			err := c.Run(context.Background(), job[:1], func(r batch.Result) {
				if r.Err != nil {
					t.Fatal(r.Err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
}

func throughFolder(to string) func(t *testing.T, archive, page string, each func(file string)) string {
	return func(t *testing.T, archive, page string, each func(file string)) string {
		dir := unpack(t, archive, worktree.Unpacking{Loader: inPage(page), To: to})
		files, err := filepath.Glob(filepath.Join(dir, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if filepath.Base(file) != worktree.ManifestName {
				each(file)
			}
		}
		out := filepath.Join(t.TempDir(), filepath.Base(archive))
		job := worktree.Packing{}
		if _, err := job.Run(context.Background(), dir, out, new(schema.Diagnostics)); err != nil {
			t.Fatal(err)
		}
		return out
	}
}

func inPage(page string) engine.Loader {
	return engine.Loader{Options: format.Options{CodePage: page}}
}

// TestTranslations: texts, books and names are translated into another alphabet, and into other words of that, and have the
// bytes of its code page; so have the keys of spoken lines. Untouched files make the same archive.
func TestTranslations(t *testing.T) {
	faults.Careless(t)
	cases := 0
	for page, word := range foreignWords {
		p, err := codepage.Find(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"books-en.flx", "typename.flx", "text.flx"} {
			for way, through := range archiveWays {
				if name != "books-en.flx" && way == "folder of md" {
					continue
				}
				make := func(word string) translated {
					title := word
					if way == "folder" {
						title = "Line" // which a .txt does not show
					}
					return tale(t, name, title, word, p)
				}
				english, foreign, other := make("Line"), make(word), make(word+word)
				for _, step := range []struct {
					is, want translated
					from, to string
				}{{english, english, "Line", "Line"}, {english, foreign, "Line", word}, {foreign, other, word, word + word}, {foreign, foreign, word, word}} {
					what := fmt.Sprintf("%s in %s through %s from %s to %s", name, page, way, step.from, step.to)
					archive := step.is.write(t, name)
					got := through(t, archive, page, func(file string) { translate(t, file, step.from, step.to) })
					sameRecords(t, what, got, step.want.archive)
					if step.want.table != nil && step.from != step.to {
						sameItems(t, what, corpus.Bytes(t, filepath.Join(filepath.Dir(got), "text.dat")), step.want.table)
					}
					cases++
				}
			}
		}
	}
	t.Logf("%d archives", cases)
}

// sameRecords compares archives slot by slot: where the records lie is another matter.
func sameRecords(t *testing.T, what, got string, want []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "want.flx")
	writeFile(t, path, want)
	is, ought := corpus.Slots(t, got), corpus.Slots(t, path)
	if len(is) != len(ought) {
		t.Fatalf("%s: %d records, want %d", what, len(is), len(ought))
	}
	for i := range is {
		corpus.SameBytes(t, fmt.Sprintf("%s: slot %d", what, is[i].Number), is[i].Payload, ought[i].Payload)
	}
}

// sameItems compares tables of spoken lines, whose items may have another order in a bucket.
func sameItems(t *testing.T, what string, got, want []byte) {
	t.Helper()
	items := func(b []byte) (list []ultima9.TextItem) {
		x, err := read.TextTable(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, bucket := range x.Buckets {
			list = append(list, slices.SortedFunc(slices.Values(bucket), func(a, b ultima9.TextItem) int { return cmp.Compare(a.Slot, b.Slot) })...)
		}
		return list
	}
	if d := gocmp.Diff(items(want), items(got)); d != "" {
		t.Errorf("%s: the table of spoken lines: %s", what, d)
	}
}

// TestOtherPage: what was made in one code page is not taken for that of another.
func TestOtherPage(t *testing.T) {
	faults.Careless(t)
	p, err := codepage.Find("1251")
	if err != nil {
		t.Fatal(err)
	}
	archive := tale(t, "books-en.flx", "Line", "Строка", p).write(t, "books-en.flx")
	dir := unpack(t, archive, worktree.Unpacking{Loader: inPage("windows-1251")})
	for _, c := range []struct {
		page string
		want string // of the error
	}{{"", ""}, {"windows-1251", ""}, {"windows-1250", "--codepage windows-1251"}, {"windows-1252", "--codepage windows-1251"}} {
		_, _, err := pack(t, dir, worktree.Packing{Loader: inPage(c.page)})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("packed as %q: %v", c.page, err)
		}
	}
	again := worktree.Unpacking{Loader: inPage("windows-1250")}
	if err := again.Run(context.Background(), archive, dir, func(batch.Result) {}); err == nil || !strings.Contains(err.Error(), "windows-1251") {
		t.Errorf("unpacked again in another page: %v", err)
	}
	again.Force = true
	if err := again.Run(context.Background(), archive, dir, func(batch.Result) {}); err != nil {
		t.Errorf("unpacked over it: %v", err)
	}
	if _, out, err := pack(t, dir, worktree.Packing{}); err != nil {
		t.Error(err)
	} else {
		corpus.SameBytes(t, "packed", corpus.Bytes(t, out), corpus.Bytes(t, archive))
	}
}

// TestPatchInPage: a patch has its texts in the page that it was made in, wherever it is put.
func TestPatchInPage(t *testing.T) {
	faults.Careless(t)
	p, err := codepage.Find("932")
	if err != nil {
		t.Fatal(err)
	}
	a := tale(t, "books-en.flx", "Line", "Line", p).write(t, "books-en.flx")
	b := tale(t, "books-en.flx", "Line", foreignWords["windows-932"], p).write(t, "books-en.flx")
	dir := filepath.Join(t.TempDir(), "patch")
	job := worktree.Patching{Loader: inPage("windows-932")}
	if _, err := job.Run(context.Background(), a, b, dir, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 20 || !strings.Contains(string(corpus.Bytes(t, files[0])), "表示") {
		t.Fatalf("the patch has %v (%v)", files, err)
	}
	packing := worktree.Packing{Base: a}
	out := filepath.Join(t.TempDir(), "out.flx")
	if _, err := packing.Run(context.Background(), dir, out, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	sameRecords(t, "patched", out, corpus.Bytes(t, b))
}
