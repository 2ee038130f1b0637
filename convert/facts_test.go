package convert_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// elsewhere are the capabilities that no fact is about, since the edits of TestEdits are.
var elsewhere = []string{"Target", "Format", "Bare", "Empty", "Skins", "Influences", "Hulls", "Levels", "Name"}

// TestFactsAreComplete: there is an edit about everything that a target can say that it holds.
func TestFactsAreComplete(t *testing.T) {
	about := map[string]bool{}
	for _, f := range editor.Facts() {
		about[f.Of] = true
	}
	fields := reflect.TypeFor[scene.Capabilities]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if !about[name] && !slices.Contains(elsewhere, name) {
			t.Errorf("no fact is about %s", name)
		}
		delete(about, name)
	}
	if delete(about, ""); len(about) > 0 {
		t.Errorf("facts about what there is not: %v", about)
	}
}

// state says what became of a fact that was changed in the GLB of a model: it is there in what comes back, or a message
// tells that it is lost. Where neither is so, the target claims to hold it and does not use it. The verdict is empty
// where there is nothing to change.
func state(m *model, f *editor.Fact, target int) (what verdict, said []string) {
	doc := parse(m.glb)
	before := f.See(parse(m.glb))
	if !f.Apply(doc, target) || slices.Equal(before, f.See(doc)) {
		return "", nil
	}
	d := new(schema.Diagnostics)
	native, made, err := m.native(doc.Bytes(), false, false, d)
	if err != nil {
		if strings.HasPrefix(err.Error(), "PANIC") {
			return silent, []string{err.Error()}
		}
		return denied, []string{err.Error()}
	}
	topic, named := regexp.MustCompile("(?i)"+f.Topic), false
	for _, x := range d.All() {
		if x.Severity != schema.Note && !m.usual[x.Code+x.Path+x.Text()] {
			said = append(said, x.String())
			named = named || topic.MatchString(x.Code+" "+x.Text())
		}
	}
	if !bytes.Equal(native, m.original()) || !maps.EqualFunc(made, m.made[false], bytes.Equal) {
		glb, _, err := m.shown(native, made, nil)
		if err != nil {
			return silent, append(said, err.Error())
		}
		if f.Arrived(doc, parse(glb)) || f.Other != nil && !bytes.Equal(native, otherwise(m, f, target)) {
			return arrived, said
		}
	}
	if named {
		return told, said
	}
	return silent, said
}

// otherwise returns what a model becomes with another value of a fact.
func otherwise(m *model, f *editor.Fact, target int) []byte {
	doc := parse(m.glb)
	f.Other(doc, target)
	b, _, err := m.native(doc.Bytes(), false, false, nil)
	if err != nil {
		return nil
	}
	return b
}

// TestFacts: what a target claims to hold of a scene it holds, and what it does not hold is told.
func TestFacts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	models := prepared(t, chosen(slices.Concat(ownModels(t), corpusModels(t, os.Getenv("USHER_ALL") != ""))))
	facts := slices.DeleteFunc(editor.Facts(), func(f editor.Fact) bool { return !asked(f.Name) })
	count, lost := map[verdict]int{}, map[cell][]string{}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, m := range models {
		g.Go(func() error {
			base := parse(m.glb)
			for i := range facts {
				f := &facts[i]
				for _, target := range spread(f.Targets(base), 2) {
					what, said := state(m, f, target)
					if what == "" {
						continue
					}
					mu.Lock()
					if os.Getenv("USHER_MODEL") != "" {
						t.Logf("%-8s %s: %s at %d, said %q", what, m.name, f.Name, target, said)
					}
					if count[what]++; what == silent {
						k := cell{m.f.Name, f.Name}
						lost[k] = append(lost[k], fmt.Sprintf("%s at %d, said %q", m.name, target, said))
					}
					mu.Unlock()
				}
			}
			return nil
		})
	}
	_ = g.Wait()
	t.Logf("%d models, %d facts, changed: %v", len(models), len(facts), count)
	keys := slices.SortedFunc(maps.Keys(lost), func(a, b cell) int {
		return cmp.Or(strings.Compare(a.format, b.format), strings.Compare(a.edit, b.edit))
	})
	for _, k := range keys {
		list := lost[k]
		slices.Sort(list)
		t.Errorf("%s: %s is neither held nor told of in %d: %s", k.format, k.edit, len(list), list[0])
	}
}
