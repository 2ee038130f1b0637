package batch_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	write "github.com/usher-assets/usher/write/ultima9"
)

// archiveOf returns an archive of records; slots of nil and the three last are empty.
func archiveOf(t *testing.T, records ...[]byte) []byte {
	t.Helper()
	a := ultima9.NewArchive(len(records) + 3)
	for i, b := range records {
		if b == nil {
			continue
		}
		if err := a.Replace(i, b); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := write.FLX(&out, a); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// textArchives are archives of each kind that holds texts, by their names in the game.
func textArchives(t *testing.T) map[string][]byte {
	t.Helper()
	must := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	text := func(s string, rest ...uint16) []byte {
		return must(write.Text(&ultima9.Text{Text: s, Rest: rest}))
	}
	book := func(title, body string) []byte {
		return must(write.Book(&ultima9.Book{Title: ultima9.CountedText{Text: title}, Body: body}))
	}
	name := func(s string) []byte { return must(write.TypeName(ultima9.NewTypeName(-1, 7041, s))) }
	lines := [][]byte{text(`\u9\Bren.cpp : BEGIN FILE`), text("Begone.  ", ' ', ' ', 0), nil, text("Who, me?\r\nYes; \"you\"."), text(""), text("=1+1"), text("Grüße\t…"), text("Begone.")}
	return map[string][]byte{
		"text.flx": archiveOf(t, lines...), "misctext.flx": archiveOf(t, lines...),
		"books-en.flx": archiveOf(t, nil, book("2: Of Lamps", "`f2Lamps\r\n\r\n`f1Trim \"them\";\tdaily."), book("", ""), book("4: X", "no end")),
		"typename.flx": archiveOf(t, name("crate"), name(""), nil, name("Lord, British")),
	}
}

// run converts one file and returns what was said.
func run(t *testing.T, from, to string, force bool) []schema.Diagnostic {
	t.Helper()
	return runConversion(t, from, &batch.Conversion{Out: to, Force: force})
}

// pruned is run where what a table has no row for goes.
func pruned(t *testing.T, from, to string) []schema.Diagnostic {
	t.Helper()
	c := batch.Conversion{Out: to}
	c.Loader.Options.Prune = true
	return runConversion(t, from, &c)
}

func runConversion(t *testing.T, from string, c *batch.Conversion) []schema.Diagnostic {
	t.Helper()
	var said []schema.Diagnostic
	err := c.Run(context.Background(), []string{from}, func(r batch.Result) {
		said = r.Diagnostics
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Source, r.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// payloads returns the records of an archive by slot.
func payloads(t *testing.T, p string) map[string]string {
	t.Helper()
	a, err := store.OpenArchive(p, nil, new(engine.Loader).Env(p, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	m := map[string]string{}
	for i, e := range a.Entries() {
		b, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		m[e.Path] = string(b)
	}
	return m
}

// changes returns the slots that differ.
func changes(a, b map[string]string) (list []string) {
	for k, v := range a {
		if w, ok := b[k]; !ok || w != v {
			list = append(list, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return list
}

// TestArchivesOfTexts: every archive of texts through every file that it can become: unchanged, and with one text edited,
// which changes one record.
func TestArchivesOfTexts(t *testing.T) {
	for name, stored := range textArchives(t) {
		for _, ext := range []string{"csv", "po", "pot", "txt"} {
			t.Run(name+" "+ext, func(t *testing.T) {
				dir := t.TempDir()
				at := func(name string) string { return filepath.Join(dir, name) }
				if err := os.WriteFile(at(name), stored, 0o644); err != nil {
					t.Fatal(err)
				}
				run(t, at(name), at("all."+ext), false)
				run(t, at("all."+ext), at("same.flx"), false)
				corpus.SameBytes(t, "unchanged", corpus.Bytes(t, at("same.flx")), stored)

				was, is := map[string][2]string{"text.flx": {"Who, me?", "Wer, ich?"}, "misctext.flx": {"Grüße", "Hallo"},
					"books-en.flx": {"daily", "täglich"}, "typename.flx": {"crate", "Kiste"}}[name], ""
				slot := map[string]string{"text.flx": "3", "misctext.flx": "6", "books-en.flx": "1", "typename.flx": "0"}[name]
				if text := string(corpus.Bytes(t, at("all."+ext))); strings.HasPrefix(ext, "po") {
					is = translate(text, was[0], was[1])
				} else {
					is = strings.Replace(text, was[0], was[1], 1)
				}
				if err := os.WriteFile(at("all."+ext), []byte(is), 0o644); err != nil {
					t.Fatal(err)
				}
				run(t, at("all."+ext), at("edited.flx"), false)
				if got := changes(payloads(t, at(name)), payloads(t, at("edited.flx"))); !slices.Equal(got, []string{slot}) {
					t.Errorf("slots %v changed, want %s", got, slot)
				}
				run(t, at("edited.flx"), at("again.csv"), false)
				if text := string(corpus.Bytes(t, at("again.csv"))); strings.Contains(text, was[0]) || !strings.Contains(text, was[1]) {
					t.Errorf("%q is not %q now: %q", was[0], was[1], text)
				}
			})
		}
	}
}

// translate puts the translation of the message that holds a text into a PO file.
func translate(file, was, is string) string {
	entries := strings.Split(file, "\n\n")
	for i, e := range entries {
		head, _, found := strings.Cut(e, "msgstr")
		if _, id, _ := strings.Cut(head, "msgid "); found && strings.Contains(id, was) {
			entries[i] = head + "msgstr " + strings.ReplaceAll(id, was, is)
		}
	}
	return strings.Join(entries, "\n\n")
}

// Entries come and go with the lines of a text and the rows of a table, not with the messages of a PO file.
func TestTextsComeAndGo(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	archives := textArchives(t)
	for _, name := range []string{"text.flx", "books-en.flx"} {
		if err := os.WriteFile(at(name), archives[name], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(name string, f func([]string) []string) {
		t.Helper()
		lines := f(strings.SplitAfter(string(corpus.Bytes(t, at(name))), "\n"))
		if err := os.WriteFile(at(name), []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, at("text.flx"), at("text.txt"), false)
	edit("text.txt", func(lines []string) []string { return append(lines[1:], "9\tNew\\n\\\\ \\t\\s\n\n") })
	said := pruned(t, at("text.txt"), at("new.flx"))
	if got := changes(payloads(t, at("text.flx")), payloads(t, at("new.flx"))); !slices.Equal(got, []string{"0", "9"}) {
		t.Errorf("slots %v changed: %v", got, said)
	}
	run(t, at("new.flx"), at("new.txt"), false)
	if text := string(corpus.Bytes(t, at("new.txt"))); !strings.HasSuffix(text, "9\tNew\\n\\\\ \\t\\s\n") {
		t.Errorf("%q", text)
	}
	run(t, at("books-en.flx"), at("books.csv"), false)
	edit("books.csv", func(lines []string) []string { return append(lines, "5,6: New,body\n") })
	run(t, at("books.csv"), at("more.flx"), false)
	run(t, at("more.flx"), at("more.csv"), false)
	if text := string(corpus.Bytes(t, at("more.csv"))); !strings.HasSuffix(text, "\n5,6: New,body\n") {
		t.Errorf("%q", text)
	}
	run(t, at("text.flx"), at("some.po"), false)
	edit("some.po", func(lines []string) []string { return lines[:20] })
	run(t, at("some.po"), at("same.flx"), false)
	corpus.SameBytes(t, "with few messages", corpus.Bytes(t, at("same.flx")), archives["text.flx"])
}

// What a PO file says beside translations is told, and does no harm.
func TestTranslationsThatAreNot(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("text.flx"), textArchives(t)["text.flx"], 0o644); err != nil {
		t.Fatal(err)
	}
	const file = "msgid \"\"\nmsgstr \"X-Usher-Source: text.flx\\n\"\n\n#, fuzzy\nmsgctxt \"3\"\nmsgid \"x\"\nmsgstr \"y\"\n\n" +
		"msgctxt \"77\"\nmsgid \"x\"\nmsgstr \"y\"\n\nmsgctxt \"7\"\nmsgid \"Go away.\"\nmsgstr \"Geh.\"\n"
	if err := os.WriteFile(at("de.po"), []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, x := range run(t, at("de.po"), at("de.flx"), false) {
		codes = append(codes, x.Code)
	}
	if !slices.Equal(codes, []string{"po-fuzzy", "po-unknown", "po-source", "no-partner"}) {
		t.Errorf("said %v", codes)
	}
	if got := changes(payloads(t, at("text.flx")), payloads(t, at("de.flx"))); !slices.Equal(got, []string{"7"}) {
		t.Errorf("slots %v changed", got)
	}
}

// The table of spoken lines follows: through every file, for a speaker whose name is known and for one whose is not.
func TestHashesFollow(t *testing.T) {
	archive := textArchives(t)["text.flx"]
	lines := map[uint32][2]string{0: {"", `\u9\Bren.cpp : BEGIN FILE`}, 1: {"UI", "Begone.  "}, 3: {"Bren", "Who, me?\r\nYes; \"you\"."}, 7: {"Bren", "Begone."}, 5: {"Nobody", "=1+1"}}
	table := func(lines map[uint32][2]string, order ...uint32) []byte {
		x := ultima9.NewTextTable(64)
		for _, slot := range order {
			key := ultima9.TextKey(lines[slot][0], lines[slot][1])
			if lines[slot][0] == "" {
				key = ultima9.FileKey(lines[slot][1])
			}
			if err := x.Add(key, slot); err != nil {
				t.Fatal(err)
			}
		}
		b, err := write.TextTable(x)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	stored := table(lines, 0, 1, 3, 5, 7)
	for _, c := range []struct {
		slot  uint32
		is    string // empty: the line goes
		codes []string
	}{
		{1, "Weg da.", nil}, {0, `\u9\Brenna.cpp : BEGIN FILE`, nil}, {7, "Weg da, Bösewicht!", nil}, {5, "zwei", []string{"text-hash"}}, {7, "", nil}, {5, "", nil},
		{7, "Łukasz", []string{"text-hash"}}, {6, "not spoken", nil}, {8, "new", []string{"text-hash"}},
	} {
		t.Run(fmt.Sprint(c.slot, c.is), func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			for name, b := range map[string][]byte{"text.flx": archive, "text.dat": stored} {
				if err := os.WriteFile(at(name), b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			run(t, at("text.flx"), at("all.txt"), false)
			var text []string
			for _, line := range strings.SplitAfter(string(corpus.Bytes(t, at("all.txt"))), "\n") {
				if !strings.HasPrefix(line, strconv.Itoa(int(c.slot))+"\t") {
					text = append(text, line)
				}
			}
			want, order := lines, []uint32{0, 1, 3, 5, 7}
			if c.is != "" {
				text = append(text, fmt.Sprintf("%d\t%s\n", c.slot, strings.ReplaceAll(c.is, `\`, `\\`)))
			}
			if _, spoken := lines[c.slot]; spoken && c.is != "Łukasz" {
				want, order = map[uint32][2]string{}, nil
				for _, slot := range []uint32{0, 1, 3, 5, 7} {
					if want[slot] = lines[slot]; slot != c.slot {
						order = append(order, slot)
					}
				}
				if c.is != "" {
					want[c.slot] = [2]string{lines[c.slot][0], c.is}
					order = append(order, c.slot)
				}
			}
			if err := os.WriteFile(at("all.txt"), []byte(strings.Join(text, "")), 0o644); err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, x := range pruned(t, at("all.txt"), at("mod/text.flx")) {
				codes = append(codes, x.Code)
			}
			if !slices.Equal(codes, c.codes) {
				t.Errorf("said %v, want %v", codes, c.codes)
			}
			got, err := os.ReadFile(at("mod/text.dat"))
			if os.IsNotExist(err) {
				got, err = stored, nil
			}
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "text.dat", got, table(want, order...))
		})
	}
}

// Numbers that a spreadsheet of another country has written anew are no edits.
func TestArchiveOfNumbersThroughSpreadsheets(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	stored := textArchives(t)["typename.flx"]
	if err := os.WriteFile(at("typename.flx"), stored, 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, at("typename.flx"), at("types.csv"), false)
	text := "\ufeff" + strings.NewReplacer("\n", "\r\n", ",7041,", ";7041,0;", "slot,name,icon,text", "slot;name;icon;text", "0,crate", "0;crate", "1,", "1;", "3,\"", "3;\"").
		Replace(string(corpus.Bytes(t, at("types.csv")))) + ";;;\r\n;;;\r\n"
	if err := os.WriteFile(at("types.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, at("types.csv"), at("same.flx"), false)
	corpus.SameBytes(t, text, corpus.Bytes(t, at("same.flx")), stored)
}
