package worktree_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// newTexts writes an archive of n lines of text, whose third slot is empty.
func newTexts(t *testing.T, n int) (path string) {
	t.Helper()
	records := map[int][]byte{}
	for i := range n {
		b, err := write.Text(&ultima9.Text{Text: fmt.Sprintf("Line %d; \"quoted\"", i), Rest: []uint16{' ', 0}})
		if err != nil {
			t.Fatal(err)
		}
		records[i] = b
	}
	records[2] = nil
	return newFLX(t, records)
}

// unpackSheet unpacks an archive into a folder that holds it as one file.
func unpackSheet(t *testing.T, archive, to string) (dir, sheet string) {
	t.Helper()
	dir = unpack(t, archive, worktree.Unpacking{To: to})
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	want := formats.Stem(filepath.Base(archive)) + "." + to
	if err != nil || len(files) != 2 || filepath.Base(files[0]) != want {
		t.Fatalf("%v, want %s and the manifest: %v", files, want, err)
	}
	return dir, files[0]
}

func rewrite(t *testing.T, path string, edit func(string) string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	after := edit(string(b))
	if after == string(b) {
		t.Fatalf("%s: the edit changes nothing", path)
	}
	if err := os.WriteFile(path, []byte(after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestSheetEdits edits the one file that an archive of texts is in its folder.
func TestSheetEdits(t *testing.T) {
	replaced := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	for _, c := range []struct {
		name, to string
		edit     func(string) string
		prune    bool
		actions  []string
	}{
		{"changed", "csv", replaced("Line 4", "Zeile 4"), false, []string{"replaced 4"}},
		{"added", "csv", func(s string) string { return s + "9,nine\n" }, false, []string{"added 9"}},
		{"into an empty slot", "csv", func(s string) string { return s + "2,two\n" }, false, []string{"added 2"}},
		{"moved", "csv", replaced("\n5,", "\n8,"), true, []string{"removed 5", "added 8"}},
		{"deleted", "csv", func(s string) string { return regexp.MustCompile(`(?m)^5,.*\n`).ReplaceAllString(s, "") }, false, nil},
		{"saved by a spreadsheet", "csv", func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }, false, nil},
		{"translated", "po", func(s string) string {
			return regexp.MustCompile(`(msgid "Line 3.*"\nmsgstr )""`).ReplaceAllString(s, `$1"Zeile 3"`)
		}, false, []string{"replaced 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			archive := newTexts(t, 7)
			dir, sheet := unpackSheet(t, archive, c.to)
			rewrite(t, sheet, c.edit)
			done, out, err := pack(t, dir, worktree.Packing{Prune: c.prune})
			if err != nil {
				t.Fatal(err)
			}
			got := actions(done)
			slices.Sort(got)
			slices.Sort(c.actions)
			if d := cmp.Diff(c.actions, got); d != "" {
				t.Error(d)
			}
			changed := 0
			for _, a := range c.actions {
				if !strings.HasPrefix(a, "added") {
					changed++
				}
			}
			if done.Unchanged != 6-changed {
				t.Errorf("%d as they were, want %d", done.Unchanged, 6-changed)
			}
			if len(c.actions) == 0 {
				corpus.SameBytes(t, out, corpus.Bytes(t, out), corpus.Bytes(t, archive))
			}
		})
	}
}

// TestTranslation translates 300 lines of 1,000, twice over the archive itself: those records change, and no other byte of
// a record.
func TestTranslation(t *testing.T) {
	archive := newTexts(t, 1000)
	before := corpus.Slots(t, archive)
	dir, sheet := unpackSheet(t, archive, "po")
	translate := func(word string) {
		n := 0
		line := regexp.MustCompile(`(msgid "Line (\d+).*"\nmsgstr )".*"`)
		rewrite(t, sheet, func(s string) string {
			return line.ReplaceAllStringFunc(s, func(m string) string {
				if n++; n%3 != 0 || n > 900 {
					return m
				}
				return line.ReplaceAllString(m, `$1"`+word+` $2"`)
			})
		})
	}
	for _, word := range []string{"Zeile", "Ligne"} {
		translate(word)
		p := worktree.Packing{Force: true}
		done, err := p.Run(t.Context(), dir, archive, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(done.Changes) != 300 || done.Unchanged != 699 {
			t.Errorf("%s: %d changed, %d as they were; want 300 and 699", word, len(done.Changes), done.Unchanged)
		}
		changed := 0
		for i, s := range corpus.Slots(t, archive) {
			if s.Number != before[i].Number {
				t.Fatalf("slot %d is where %d was", s.Number, before[i].Number)
			}
			if string(s.Payload) != string(before[i].Payload) {
				changed++
			}
		}
		if changed != 300 {
			t.Errorf("%s: %d records differ from the original, want 300", word, changed)
		}
	}
}

// TestSheetRefused holds the ways of losing an archive's one file.
func TestSheetRefused(t *testing.T) {
	archive := newTexts(t, 4)
	again := func(dir string, u worktree.Unpacking) error {
		return u.Run(t.Context(), archive, dir, func(batch.Result) {})
	}
	dir, sheet := unpackSheet(t, archive, "csv")
	if err := again(dir, worktree.Unpacking{To: "csv"}); err != nil {
		t.Error("the same again:", err)
	}
	refused(t, again(dir, worktree.Unpacking{}), "holds the whole archive as bitmap16.csv")
	refused(t, again(dir, worktree.Unpacking{To: "po"}), "holds the whole archive as bitmap16.csv")
	refused(t, again(unpack(t, archive, worktree.Unpacking{}), worktree.Unpacking{To: "po"}), "holds a file for each entry")
	refused(t, again(t.TempDir(), worktree.Unpacking{To: "po", Selection: batch.Selection{Include: []string{"1"}}}), "leave the selection out")
	pictures := worktree.Unpacking{To: "po"}
	above := filepath.Join(t.TempDir(), "new")
	refused(t, pictures.Run(t.Context(), newTextures(t), filepath.Join(above, "folder"), func(batch.Result) {}), "it is no flat table")
	if _, err := os.Stat(above); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a refused archive leaves a folder:", err)
	}

	rewrite(t, sheet, func(s string) string { return strings.Replace(s, "slot", "number", 1) })
	_, _, err := pack(t, dir, worktree.Packing{})
	refused(t, err, `a table that becomes an archive has a column "slot"`)
	if err := os.Remove(sheet); err != nil {
		t.Fatal(err)
	}
	_, out, err := pack(t, dir, worktree.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, out, corpus.Bytes(t, out), corpus.Bytes(t, archive))
	_, _, err = pack(t, dir, worktree.Packing{Prune: true})
	refused(t, err, "it holds all entries of the archive: put it back")
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
