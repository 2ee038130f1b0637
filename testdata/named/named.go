// Package named tests tables of names: that every value comes back from its text, and that the reference has the same tables.
package named

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

type word interface{ ~uint8 | ~uint16 | ~uint32 }

type integer interface{ word | ~int16 }

// Table is a table of names, of a type.
type Table struct {
	mark string     // of the table in the reference
	rows [][]string // what the reference repeats, without the meanings
	back func(t *testing.T) (values int)
}

// Bits returns the table of a word.
func Bits[T word](b schema.Bits[T]) Table {
	x := Table{mark: "bits"}
	for _, f := range b {
		place := fmt.Sprint(f.Low)
		if f.Width > 1 {
			place = fmt.Sprintf("%d–%d", f.Low, f.Low+f.Width-1)
		}
		x.rows = append(x.rows, []string{place, f.Name, values(f.Values)})
	}
	x.back = func(t *testing.T) (n int) {
		for _, v := range wordsOf[T](b) {
			text := b.Text(v)
			for _, text := range []string{text, strings.ToUpper(text[:1]) + text[1:], strings.ReplaceAll(text, "|", " | "), reversed(text), fmt.Sprint(uint32(v)), fmt.Sprintf("0x%x", uint32(v))} {
				var back T
				if err := b.Parse([]byte(text), &back); err != nil || back != v {
					t.Fatalf("%q: %#x, want %#x, %v", text, uint32(back), uint32(v), err)
				}
			}
			n++
		}
		for _, f := range b {
			var v T
			if err := b.Parse(fmt.Appendf(nil, "%s=%d", f.Name, uint64(f.Max())+1), &v); !errors.Is(err, schema.ErrValue) {
				t.Errorf("%s beyond %d: %v", f.Name, f.Max(), err)
			}
		}
		refused(t, func(text string) error { var v T; return b.Parse([]byte(text), &v) }, b.Words())
		return n
	}
	return x
}

// Values returns the table of an enumeration.
func Values[T integer](names schema.EnumNames[T]) Table {
	x := Table{mark: "values"}
	for _, v := range slices.Sorted(maps.Keys(names)) {
		x.rows = append(x.rows, []string{fmt.Sprint(int64(v)), names[v]})
	}
	x.back = func(t *testing.T) (n int) {
		for i := -1; i < 300; i++ {
			var v, back T = T(i), 0
			for _, text := range []string{names.Text(v), fmt.Sprint(int64(v))} {
				if err := names.Parse([]byte(text), &back); err != nil || back != v {
					t.Fatalf("%q: %d, want %d, %v", text, int64(back), int64(v), err)
				}
			}
			n++
		}
		refused(t, func(text string) error { var v T; return names.Parse([]byte(text), &v) }, names.Words())
		return n
	}
	return x
}

// refused holds a parser to refuse a strange word, and to say which ones it knows.
func refused(t *testing.T, parse func(string) error, known []string) {
	err := parse("strange")
	if !errors.Is(err, schema.ErrValue) || !strings.Contains(err.Error(), strings.Join(known, ", ")) {
		t.Errorf("a strange word: %v", err)
	}
}

// wordsOf returns words with every bit, and every value of every field, alone and among others.
func wordsOf[T word](b schema.Bits[T]) (list []T) {
	all := ^T(0)
	list = append(list, 0, all)
	for bit := range 32 {
		list = append(list, T(1)<<bit, all&^(T(1)<<bit))
	}
	for _, f := range b {
		step := max(1, f.Max()>>10) // of numbers of many bits a thousand are enough
		for v := uint32(0); v <= f.Max(); v += step {
			set := T(v) << f.Low
			list = append(list, set, all&^(T(f.Max())<<f.Low)|set)
		}
	}
	return list
}

func reversed(text string) string {
	words := strings.Split(text, "|")
	slices.Reverse(words)
	return strings.Join(words, "|")
}

func values(names map[uint32]string) string {
	var list []string
	for _, v := range slices.Sorted(maps.Keys(names)) {
		list = append(list, fmt.Sprintf("%d %s", v, names[v]))
	}
	return strings.Join(list, ", ")
}

var declared = regexp.MustCompile(`schema\.(?:Bits|EnumNames)\[(\w+)\]`)

// Check tests the tables of the package in the current folder, by the names of their types. There have to be all, here and in
// the reference: its tables have the same rows, and a last column of what they mean.
func Check(t *testing.T, tables map[string]Table) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range declared.FindAllSubmatch(source, -1) {
			if _, ok := tables[string(found[1])]; !ok && !strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s: the table of %s is not tested", path, found[1])
			}
		}
	}
	reference, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		t.Run(name, func(t *testing.T) {
			count += tables[name].back(t)
			tables[name].compare(t, name, string(reference))
		})
	}
	t.Logf("%d tables, %d values there and back", len(tables), count)
}

// compare holds the table of the reference to the one of the program. A word none of whose bits has a name needs none.
func (x Table) compare(t *testing.T, name, reference string) {
	if len(x.rows) == 0 {
		return
	}
	_, rest, found := strings.Cut(reference, fmt.Sprintf("<!-- %s %s -->\n", x.mark, name))
	if !found {
		t.Fatalf("the reference has no table <!-- %s %s -->:\n%s", x.mark, name, x.text())
	}
	lines := strings.Split(rest, "\n")[2:]
	for i, row := range x.rows {
		want := "| " + strings.Join(row, " | ") + " |"
		if !strings.HasPrefix(lines[i], want) {
			t.Fatalf("the reference says %q, and the program %q:\n%s", lines[i], want, x.text())
		}
	}
	if line := lines[len(x.rows)]; strings.HasPrefix(line, "|") {
		t.Errorf("the reference has a row more: %q", line)
	}
}

// text returns the table as the reference has it.
func (x Table) text() string {
	head := map[string]string{"bits": "| bits | name | values | meaning |\n|---|---|---|---|\n", "values": "| value | name | meaning |\n|---|---|---|\n"}[x.mark]
	for _, row := range x.rows {
		head += "| " + strings.Join(row, " | ") + " |  |\n"
	}
	return cmp.Or(head, "no rows")
}
