package batch_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// converted converts one file to another and returns what was written.
func converted(t *testing.T, from, to string, prune ...bool) []byte {
	t.Helper()
	c := batch.Conversion{Out: to}
	c.Loader.Options.Prune = len(prune) > 0
	err := c.Run(context.Background(), []string{from}, func(r batch.Result) {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Source, r.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return corpus.Bytes(t, to)
}

// An archive of type names goes through one CSV file: unchanged, and with a name edited, a slot taken out and one added.
func TestArchiveOfTablesAsCSV(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	stored := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "typename.flx"))
	if err := os.WriteFile(at("typename.flx"), stored, 0o644); err != nil {
		t.Fatal(err)
	}
	text := string(converted(t, at("typename.flx"), at("types.csv")))
	if want := "slot,name,icon,text\n0,,7041,0\n1,wooden box,7041,0\n2,,7041,0\n"; !strings.HasPrefix(text, want) {
		t.Fatalf("%q, want it to begin with %q", text, want)
	}
	corpus.SameBytes(t, "unchanged", converted(t, at("types.csv"), at("same.flx")), stored)

	edited := strings.Replace(strings.Replace(text, "wooden box", "crate", 1), "0,,7041,0\n", "", 1) + "5,lantern,12,3\n"
	if err := os.WriteFile(at("types.csv"), []byte("\ufeff"+edited), 0o644); err != nil { // as spreadsheets write it
		t.Fatal(err)
	}
	converted(t, at("types.csv"), at("kept.flx"))
	if got := string(converted(t, at("kept.flx"), at("kept.csv"))); !strings.Contains(got, "\n0,,7041,0\n") || !strings.Contains(got, "\n1,crate,") {
		t.Errorf("%q: the entry without a row is gone", got)
	}
	again := converted(t, at("types.csv"), at("edited.flx"), true)
	if bytes.Equal(again, stored) {
		t.Error("the edit did not arrive")
	}
	if got := string(converted(t, at("edited.flx"), at("again.csv"))); got != edited {
		t.Errorf("%q, want %q", got, edited)
	}
	fewer := strings.NewReplacer("0,,7041,0\n", "", "2,,7041,0\n", "").Replace(edited)
	if err := os.WriteFile(at("types.csv"), []byte(fewer), 0o644); err != nil {
		t.Fatal(err)
	}
	converted(t, at("types.csv"), at("fewer.flx"), true)
	if got := string(converted(t, at("fewer.flx"), at("fewer.csv"))); got != fewer || fewer == edited {
		t.Errorf("%q, want %q", got, fewer)
	}
}

// TestSeveralDry: a dry run of what becomes several files tells of each, and makes neither them nor their folder.
func TestSeveralDry(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "typename.flx")
	if err := os.WriteFile(from, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "typename.flx")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dry := range []bool{true, false} {
		done := 0
		c := batch.Conversion{Out: filepath.Join(dir, "out") + "/", DryRun: dry}
		if err := c.Run(context.Background(), []string{from}, func(r batch.Result) { done++ }); err != nil || done != 4 {
			t.Errorf("dry %v: %d results, %v", dry, done, err)
		}
		list, _ := os.ReadDir(filepath.Join(dir, "out"))
		if _, err := os.Stat(filepath.Join(dir, "out")); (err != nil) != dry || (len(list) == 0) != dry {
			t.Errorf("dry %v: %d files, the folder %v", dry, len(list), err)
		}
	}
}

// A table that nobody made from an archive says so; it is no internal error.
func TestTableWithoutArchive(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "types.csv")
	if err := os.WriteFile(from, []byte("slot,name\n1,lamp\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := batch.Conversion{Out: filepath.Join(dir, "types.flx")}
	var failure error
	err := c.Run(context.Background(), []string{from}, func(r batch.Result) { failure = r.Err })
	if err != nil || failure == nil || !strings.HasPrefix(failure.Error(), "the archive that the table was made from") {
		t.Errorf("%v, %v", err, failure)
	}
}

func TestArchiveOfPicturesIsNoCSV(t *testing.T) {
	c := batch.Conversion{Out: filepath.Join(t.TempDir(), "pictures.csv")}
	failed := false
	err := c.Run(context.Background(), []string{corpus.Testdata(t, "ultima9", "bitmap16.flx")}, func(r batch.Result) { failed = r.Err != nil })
	if err == nil && !failed {
		t.Error("an archive of textures became a table")
	}
}
