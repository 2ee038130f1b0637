package batch_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestRowsOfEntries edits the table of an archive whose entries have four rows each: what changes, and what is said.
func TestRowsOfEntries(t *testing.T) {
	plan := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "ada.activity"))
	stored := archiveOf(t, plan, nil, plan, plan)
	for what, x := range map[string]struct {
		edit    func(rows []string) []string // without the header
		prune   bool
		changes string // slots
		said    string
		refused string
	}{
		"untouched":            {edit: func(rows []string) []string { return rows }},
		"sorted otherwise":     {edit: func(rows []string) []string { slices.Reverse(rows); return rows }},
		"a cell":               {edit: func(rows []string) []string { return replaced(rows, 5, "Sleep,2,9,", "Sleep,2,8,") }, changes: "2"},
		"a row gone":           {edit: func(rows []string) []string { return slices.Delete(rows, 4, 5) }, said: "1 row is not in the table and stays of 1 entry: --prune removes what is missing"},
		"rows of two gone":     {edit: func(rows []string) []string { return slices.Delete(rows, 2, 6) }, said: "4 rows are not in the table and stay of 2 entries: --prune removes what is missing"},
		"an entry gone":        {edit: func(rows []string) []string { return slices.Delete(rows, 4, 8) }, said: "1 entry has no row and stays: --prune removes what is missing"},
		"an entry and a row":   {edit: func(rows []string) []string { return slices.Delete(rows, 4, 9) }, said: "1 entry has no row and stays: --prune removes what is missing; 1 row is not in the table and stays of 1 entry: --prune removes what is missing"},
		"a row pruned":         {edit: func(rows []string) []string { return slices.Delete(rows, 7, 8) }, prune: true, changes: "2"},
		"an entry pruned":      {edit: func(rows []string) []string { return slices.Delete(rows, 0, 4) }, prune: true, changes: "0"},
		"two pruned":           {edit: func(rows []string) []string { return slices.Delete(rows, 4, 12) }, prune: true, changes: "2 3"},
		"an entry added":       {edit: func(rows []string) []string { return append(rows, "5,1,0,Rest,1,255,1,2,3,0,0,0,0,0") }, changes: "5"},
		"an odd number":        {edit: func(rows []string) []string { return append(rows, "5,2,0,Rest,1,255,1,2,3,0,0,0,0,0") }, refused: `5/line 14: Activity: "2" would become "1"`},
		"a row without a slot": {edit: func(rows []string) []string { return replaced(rows, 0, "0,", ",") }, refused: "line 2: slot: there is no number of an entry"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			if err := os.WriteFile(at("activity.flx"), stored, 0o666); err != nil {
				t.Fatal(err)
			}
			run(t, at("activity.flx"), at("plans.csv"), false)
			lines := strings.Split(strings.TrimSuffix(string(corpus.Bytes(t, at("plans.csv"))), "\n"), "\n")
			if len(lines) != 13 || !strings.HasPrefix(lines[0], "slot,Activity,Ordinal,Name,Step,Opcode,") {
				t.Fatalf("%d lines: %s", len(lines), lines[0])
			}
			text := strings.Join(append(lines[:1:1], x.edit(lines[1:])...), "\n") + "\n"
			if err := os.WriteFile(at("plans.csv"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			c := batch.Conversion{Out: at("made.flx")}
			c.Loader.Options.Prune = x.prune
			var said []string
			var failure error
			err := c.Run(context.Background(), []string{at("plans.csv")}, func(r batch.Result) {
				failure = r.Err
				for _, m := range r.Diagnostics {
					if m.Severity != schema.Note {
						said = append(said, m.Text())
					}
				}
			})
			if err != nil || (failure != nil) != (x.refused != "") || failure != nil && !strings.Contains(failure.Error(), x.refused) {
				t.Fatalf("%v, %v, want %q", err, failure, x.refused)
			}
			if x.refused != "" {
				return
			}
			if got := strings.Join(said, "; "); got != x.said {
				t.Errorf("said %q, want %q", got, x.said)
			}
			if got := strings.Join(changes(payloads(t, at("activity.flx")), payloads(t, at("made.flx"))), " "); got != x.changes {
				t.Errorf("changed %q, want %q", got, x.changes)
			}
			if x.changes == "" {
				corpus.SameBytes(t, what, corpus.Bytes(t, at("made.flx")), stored)
			}
		})
	}
}

// TestRowsOfNoEntry: rows cannot be added to an archive that has no entry to be like.
func TestRowsOfNoEntry(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, content := range map[string][]byte{"activity.flx": archiveOf(t), "plans.csv": []byte("slot\n0\n")} {
		if err := os.WriteFile(at(name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := batch.Conversion{Out: at("made.flx")}
	c.Loader.Options.Base = at("activity.flx")
	var failure error
	err := c.Run(context.Background(), []string{at("plans.csv")}, func(r batch.Result) { failure = r.Err })
	if want := "an archive without entries does not tell what its tables are"; err != nil || failure == nil || failure.Error() != want {
		t.Errorf("%v, %v, want %q", err, failure, want)
	}
}

// replaced returns rows of which one has another text.
func replaced(rows []string, i int, was, is string) []string {
	rows[i] = strings.Replace(rows[i], was, is, 1)
	return rows
}
