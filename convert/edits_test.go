package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// limits are how far a format may be off by rounding.
func limits(name string, d *editor.Doc) editor.Limits {
	l := editor.Limits{Position: 1e-4, Angle: 0.2, UV: 1e-3, Color: 0.01, Picture: 0.08}
	switch name {
	case "unreal-mesh", "unreal-mesh-data", "unreal-mesh-aniv": // whole numbers, and texture coordinates of a byte
		l.Quantum, l.UV = d.Unit(false), 1.5/255
	case "unreal-skeletal":
		l.UV = 1.5 / 255
	case "u9-fixed", "u9-nonfixed", "u9-terrain": // whole numbers
		l.Quantum = d.Unit(true)
	}
	return l
}

// verdict is what became of an edit.
type verdict string

const (
	arrived verdict = "same"    // it arrived
	told    verdict = "named"   // it did not, and a message names it
	denied  verdict = "refused" // an error says why
	silent  verdict = "SILENT"  // it did not, and nothing was said
	vague   verdict = "VAGUE"   // it did not, and what was said names nothing of it, or not all
	rebuilt verdict = "UNASKED" // nothing was edited, yet other bytes came back, and nothing was said
)

// outcome is the verdict of one edit of one model.
type outcome struct {
	model   *model
	edit    string
	target  int
	verdict verdict
	kept    bool // the bytes of the original came back
	wrong   []editor.Difference
	said    []string
}

// try edits a model at a target and looks at what comes back. It is nil where there is nothing to edit.
func try(m *model, e *editor.Edit, target int) *outcome {
	doc, err := editor.Parse(m.glb)
	if err != nil {
		panic(err) // the program wrote it
	}
	done, ok := e.Apply(doc, target)
	if !ok {
		return nil
	}
	o := &outcome{model: m, edit: e.Name, target: target}
	samples := doc.Samples()
	base, _ := editor.Parse(m.glb)
	l := limits(m.f.Name, base)
	before, want := base.Draw(samples), doc.Draw(samples)
	effect := editor.Compare(before, want, l, e.Motion)
	if done.Want != nil {
		want, effect = done.Want.Draw(samples), nil
	}
	if len(effect) == 0 && !e.Exact && !e.Still && len(done.Appears)+len(done.Under) == 0 {
		return nil
	}
	d := new(schema.Diagnostics)
	native, made, err := m.native(doc.Bytes(), e.Away, d)
	if err != nil {
		o.verdict, o.said = denied, []string{err.Error()}
		if strings.HasPrefix(err.Error(), "PANIC") {
			o.verdict = silent
		}
		return o
	}
	o.kept = bytes.Equal(native, m.original())
	if o.kept && len(made) == 0 && (e.Exact || len(effect) == 0 && len(done.Appears)+len(done.Under) == 0) {
		o.verdict = arrived
		return o
	}
	glb, _, err := m.shown(native, made, nil)
	if err != nil {
		o.verdict, o.said = silent, []string{"the result cannot be shown: " + err.Error()}
		return o
	}
	result, err := editor.Parse(glb)
	if err != nil {
		panic(err)
	}
	got := result.Draw(samples)
	if dir := os.Getenv("USHER_KEEP"); dir != "" { // to look at
		stem := filepath.Join(dir, fmt.Sprintf("%s %s %d", strings.NewReplacer("/", "_", ":", "_").Replace(m.name), e.Name, target))
		_ = os.WriteFile(stem+" edited.glb", doc.Bytes(), 0o666)
		_ = os.WriteFile(stem+" result.glb", glb, 0o666)
	}
	o.wrong = append(editor.Compare(want, got, l, e.Motion), done.Absent(got)...)
	o.wrong = e.Excused(o.wrong)
	if e.Keeps && len(o.wrong) > 0 && len(editor.Compare(before, got, l, e.Motion)) == 0 {
		o.wrong = nil
	}
	usual := m.usual
	if e.Away {
		usual = m.usually
	}
	var messages []string
	for _, x := range d.All() {
		if x.Severity == schema.Note || usual[x.Code+x.Path+x.Msg] {
			continue
		}
		o.said = append(o.said, x.String())
		if x.Code != "several-scenes" {
			messages = append(messages, x.Path+": "+x.Msg)
		}
	}
	o.verdict = o.judge(e, done, messages, len(effect) == 0)
	return o
}

// judge says what became of an edit from what is wrong and what was said: every kind of thing that is wrong must be
// named, by the thing that was edited or one that is not as it should be.
func (o *outcome) judge(e *editor.Edit, done editor.Done, messages []string, unedited bool) verdict {
	explained := func(x editor.Difference) bool {
		return slices.ContainsFunc(messages, func(m string) bool {
			return x.IsTopicOf(m) && (editor.Names(m, x.Names) || editor.Names(m, done.Subjects))
		})
	}
	exact := e.Exact && unedited
	switch {
	case len(o.wrong) == 0 && (!exact || o.kept):
		return arrived
	case len(o.wrong) == 0 && explained(editor.Difference{}):
		return told
	case len(o.wrong) == 0:
		return rebuilt
	case e.Strict || len(messages) == 0:
		return silent
	}
	for _, x := range o.wrong {
		if !explained(x) {
			return vague
		}
	}
	return told
}

// tryAll makes all edits of a model, each at some of its targets.
func tryAll(m *model, list []editor.Edit, most int) (all []*outcome) {
	base, err := editor.Parse(m.glb)
	if err != nil {
		panic(err)
	}
	for i := range list {
		e := &list[i]
		targets := []int{-1}
		if e.Targets != nil {
			targets = spread(e.Targets(base), most)
		}
		for _, target := range targets {
			if o := try(m, e, target); o != nil {
				all = append(all, o)
			}
		}
	}
	return all
}

// spread returns at most n elements of a list, the first and the last among them.
func spread(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	var out []int
	for i := range n {
		out = append(out, list[i*(len(list)-1)/(n-1)])
	}
	return out
}

// ownModels are the models of testdata.
func ownModels(t *testing.T) (list []*model) {
	for _, family := range slices.Sorted(maps.Keys(families)) {
		root := corpus.Testdata(t, family)
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.Contains(p, "foreign") {
				list = append(list, modelsOf(t, p, nil, true, 1<<30)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// corpusModels are those of the collection, none where it is absent.
func corpusModels(t *testing.T, largest int) (list []*model) {
	for _, family := range slices.Sorted(maps.Keys(families)) {
		t.Run("corpus of "+family, func(t *testing.T) {
			for _, s := range families[family](t) {
				if len(s.class) == 0 {
					list = append(list, modelsOf(t, s.path, s.from, false, largest)...)
				}
			}
		})
	}
	return list
}

// prepared drops what is no model.
func prepared(list []*model) []*model {
	ok := make([]bool, len(list))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range list {
		g.Go(func() error {
			ok[i] = m.prepare()
			return nil
		})
	}
	_ = g.Wait()
	var out []*model
	for i, m := range list {
		if ok[i] {
			out = append(out, m)
		}
	}
	return out
}

// chosen returns a few models of each format: small ones that together show every arrangement which the format has.
func chosen(list []*model, most int) (few []*model) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *model) int { return len(a.glb) - len(b.glb) })
	seen, count := map[string]bool{}, map[string]int{}
	for _, m := range list {
		if m.own {
			continue
		}
		d, err := editor.Parse(m.glb)
		if err != nil || len(m.glb) > 400<<10 || len(m.archive) > 2<<20 {
			continue
		}
		fresh := false
		for _, a := range d.Arrangements() {
			key := m.f.Name + " " + a
			fresh = fresh || !seen[key]
		}
		if !fresh || count[m.f.Name] == most {
			continue
		}
		for _, a := range d.Arrangements() {
			seen[m.f.Name+" "+a] = true
		}
		count[m.f.Name]++
		few = append(few, m)
	}
	return few
}

// TestEdits makes every edit of every model: it arrives, a message names it, or it is refused.
func TestEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	everything := os.Getenv("USHER_ALL") != ""
	largest, most := 150<<10, 2
	if everything {
		largest, most = 1<<30, 5
	}
	own := prepared(ownModels(t))
	rest := prepared(corpusModels(t, largest))
	models := slices.Concat(own, chosen(rest, 4))
	if everything {
		models = slices.Concat(own, rest)
	}
	list := editor.All()
	if only := os.Getenv("USHER_EDIT"); only != "" {
		list = slices.DeleteFunc(list, func(e editor.Edit) bool { return !strings.Contains(e.Name, only) })
	}
	if only := os.Getenv("USHER_MODEL"); only != "" {
		models = slices.DeleteFunc(models, func(m *model) bool { return !strings.Contains(m.f.Name+" "+m.name, only) })
	}
	var mu sync.Mutex
	var all []*outcome
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	slices.SortStableFunc(models, func(a, b *model) int { return len(b.glb) - len(a.glb) })
	for _, m := range models {
		g.Go(func() error {
			o := tryAll(m, list, most)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, o...)
			return nil
		})
	}
	_ = g.Wait()
	if path := os.Getenv("USHER_REPORT"); path != "" {
		if err := os.WriteFile(path, []byte(report(list, models, all)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	count := map[verdict]int{}
	for _, o := range all {
		count[o.verdict]++
		if testing.Verbose() && os.Getenv("USHER_MODEL") != "" {
			t.Logf("%-8s %s: %s at %d: kept %v, %v; said %q", o.verdict, o.model.name, o.edit, o.target, o.kept, o.wrong, o.said)
		}
	}
	t.Logf("%d models, %d edits made: %v", len(models), len(all), count)
}

// cell is an edit of a format.
type cell struct{ format, edit string }

// report writes all that failed, for those who mend it.
func report(list []editor.Edit, models []*model, all []*outcome) string {
	cells := map[cell][]*outcome{}
	formats := map[string]int{}
	for _, m := range models {
		formats[m.f.Name]++
	}
	for _, o := range all {
		k := cell{o.model.f.Name, o.edit}
		cells[k] = append(cells[k], o)
	}
	names := slices.Sorted(maps.Keys(formats))
	var b strings.Builder
	fmt.Fprintf(&b, "## Summary: models with a failing case / models that the edit applies to\n\n| edit |")
	for _, f := range names {
		fmt.Fprintf(&b, " %s (%d) |", f, formats[f])
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(names)) + "\n")
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
	for _, f := range names {
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
