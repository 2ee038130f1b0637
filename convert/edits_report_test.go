package convert_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// cell is an edit of a format.
type cell struct{ format, edit string }

// byCell sorts outcomes by format and edit.
func byCell(all []*outcome) map[cell][]*outcome {
	cells := map[cell][]*outcome{}
	for _, o := range all {
		k := cell{o.model.f.Name, o.edit}
		cells[k] = append(cells[k], o)
	}
	return cells
}

func formatsOf(models []*model) []string {
	names := map[string]bool{}
	for _, m := range models {
		names[m.f.Name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// summary is a table of edits and formats: how many models fail, how many have something said, how many there are.
func summary(list []editor.Edit, models []*model, all []*outcome) string {
	cells, names := byCell(all), formatsOf(models)
	var b strings.Builder
	b.WriteString("| edit | " + strings.Join(names, " | ") + " |\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, e := range list {
		fmt.Fprintf(&b, "| %s |", e.Name)
		for _, f := range names {
			bad, of, said := tally(cells[cell{f, e.Name}])
			switch {
			case of == 0:
				b.WriteString(" |")
			case bad > 0:
				fmt.Fprintf(&b, " **%d**/%d |", bad, of)
			case said > 0:
				fmt.Fprintf(&b, " %d said/%d |", said, of)
			default:
				fmt.Fprintf(&b, " %d |", of)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// report writes all that failed, for those who mend it.
func report(list []editor.Edit, models []*model, all []*outcome) string {
	cells := byCell(all)
	var b strings.Builder
	fmt.Fprintf(&b, "## Summary: models with a failing case / models that the edit applies to\n\n%s", summary(list, models, all))
	for _, f := range formatsOf(models) {
		fmt.Fprintf(&b, "\n## %s\n", f)
		for _, e := range list {
			o := cells[cell{f, e.Name}]
			bad, of, _ := tally(o)
			if of == 0 {
				continue
			}
			if bad > 0 {
				fmt.Fprintf(&b, "\n### %s: %d of %d models\n", e.Name, bad, of)
				details(&b, o, true)
			}
		}
		fmt.Fprintf(&b, "\n### %s: edits that did not arrive, and were named or refused\n", f)
		for _, e := range list {
			details(&b, cells[cell{f, e.Name}], false)
		}
	}
	return b.String()
}

func failing(o *outcome) bool {
	return o.verdict == silent || o.verdict == vague || o.verdict == rebuilt
}

// tally counts the models of outcomes: those that fail, all, and those where something was said.
func tally(list []*outcome) (bad, of, said int) {
	models, failed, spoken := map[*model]bool{}, map[*model]bool{}, map[*model]bool{}
	for _, o := range list {
		models[o.model] = true
		switch {
		case failing(o):
			failed[o.model] = true
		case o.verdict != arrived:
			spoken[o.model] = true
		}
	}
	return len(failed), len(models), len(spoken)
}

// details lists outcomes, those that are alike together.
func details(b *strings.Builder, list []*outcome, bad bool) {
	type group struct {
		first *outcome
		n     int
		worst map[string]float64
		names []string
	}
	groups := map[string]*group{}
	var order []string
	for _, o := range list {
		if failing(o) != bad || o.verdict == arrived {
			continue
		}
		key := string(o.verdict)
		for _, x := range o.wrong {
			key += "|" + strings.SplitN(x.What, " (", 2)[0]
		}
		for _, s := range o.said {
			key += "|" + s[max(0, strings.LastIndex(s, "(")):]
		}
		g := groups[key]
		if g == nil {
			g = &group{first: o, worst: map[string]float64{}}
			groups[key] = g
			order = append(order, key)
		}
		g.n++
		if len(g.names) < 4 && !slices.Contains(g.names, o.model.name) {
			g.names = append(g.names, o.model.name)
		}
		for _, x := range o.wrong {
			if !math.IsInf(x.Error, 0) {
				g.worst[x.What] = max(g.worst[x.What], x.Error)
			}
		}
	}
	for _, key := range order {
		g := groups[key]
		o := g.first
		fmt.Fprintf(b, "- **%s** ", o.verdict)
		if !bad {
			fmt.Fprintf(b, "%s ", o.edit)
		}
		fmt.Fprintf(b, "×%d, e.g. %s (target %d)", g.n, strings.Join(g.names, ", "), o.target)
		if o.kept {
			b.WriteString("; the original bytes came back")
		}
		for _, x := range o.wrong {
			fmt.Fprintf(b, "; %s", x)
			if w := g.worst[x.What]; w > x.Error {
				fmt.Fprintf(b, " (worst %.2g)", w)
			}
			fmt.Fprintf(b, " [%s]", short(strings.Join(x.Names, ", ")))
		}
		if len(o.said) == 0 {
			b.WriteString("; nothing said")
		} else {
			fmt.Fprintf(b, "; said: %s", short(strings.Join(o.said[:min(3, len(o.said))], " ⏎ ")))
		}
		b.WriteString("\n")
	}
}

func short(s string) string {
	if len(s) > 260 {
		return strings.ToValidUTF8(s[:260], "") + "…"
	}
	return s
}

// knownPath is the table of cells that are known to fail, until they are mended: a line for each format and edit, with
// the number of failing models of testdata, of the sample and of all of the collection.
func knownPath(t *testing.T) string { return corpus.Testdata(t, "edits", "known.tsv") }

const knownHead = "format\tedit\town\tsample\tall\n"

// knownCells reads the table.
func knownCells(t *testing.T) map[cell]map[string]int {
	known := map[cell]map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(strings.TrimPrefix(string(corpus.Bytes(t, knownPath(t))), knownHead)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			continue
		}
		row := map[string]int{}
		for i, set := range []string{"own", "sample", "all"} {
			n, err := strconv.Atoi(f[2+i])
			if err != nil {
				t.Fatalf("%s: %q: %v", knownPath(t), line, err)
			}
			row[set] = n
		}
		known[cell{f[0], f[1]}] = row
	}
	return known
}

// hold compares what fails with the table: no cell may be worse, and none better without the table saying so. With
// USHER_UPDATE set the table is written instead. It looks at the edits of a list, which were all made.
func hold(t *testing.T, list []editor.Edit, models []*model, all []*outcome) {
	sets := []string{"own", "sample"}
	switch {
	case !slices.ContainsFunc(models, func(m *model) bool { return !m.own }):
		sets = []string{"own"}
	case os.Getenv("USHER_ALL") != "":
		sets = []string{"all"} // with more targets than the others
	}
	made := map[string]bool{}
	for _, e := range list {
		made[e.Name] = true
	}
	known, found := knownCells(t), map[cell]map[string]int{}
	failed := map[cell]map[*model]bool{}
	for _, o := range all {
		k := cell{o.model.f.Name, o.edit}
		if !failing(o) || failed[k][o.model] {
			continue
		}
		if failed[k] == nil {
			failed[k], found[k] = map[*model]bool{}, map[string]int{}
		}
		failed[k][o.model] = true
		found[k][sets[len(sets)-1]]++
		if o.model.own && len(sets) > 1 {
			found[k]["own"]++
		}
	}
	cells := slices.Collect(maps.Keys(known))
	for k := range found {
		if known[k] == nil {
			cells = append(cells, k)
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return strings.Compare(a.format+"\t"+a.edit, b.format+"\t"+b.edit) })
	update := os.Getenv("USHER_UPDATE") != ""
	var table strings.Builder
	table.WriteString(knownHead)
	for _, k := range cells {
		row := map[string]int{}
		maps.Copy(row, known[k])
		for _, set := range sets {
			if !made[k.edit] {
				continue
			}
			now, was := found[k][set], known[k][set]
			switch row[set] = now; {
			case update:
			case now > was:
				t.Errorf("%s, %s: %d models of %q lose something in silence, %d are known", k.format, k.edit, now, set, was)
				for _, o := range all {
					if o.edit == k.edit && o.model.f.Name == k.format && failing(o) {
						t.Logf("    %s %s at %d: %v; said %q", o.verdict, o.model.name, o.target, o.wrong, o.said)
					}
				}
			case now < was:
				t.Errorf("%s, %s: %d models of %q fail, %d are known: it is mended, so take it from testdata/edits/known.tsv (USHER_UPDATE=1 writes it)", k.format, k.edit, now, set, was)
			}
		}
		if row["own"]+row["sample"]+row["all"] > 0 {
			fmt.Fprintf(&table, "%s\t%s\t%d\t%d\t%d\n", k.format, k.edit, row["own"], row["sample"], row["all"])
		}
	}
	if update {
		if err := os.WriteFile(knownPath(t), []byte(table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
