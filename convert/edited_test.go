package convert_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// TestEdited holds what becomes of every edit of every model of testdata: the bytes that come back, the files beside them
// and the messages, or the refusal. Whether that is right is for TestEdits to say, which takes longer and looks at it.
func TestEdited(t *testing.T) {
	t.Parallel()
	table := damage.Open(t, "edited.tsv")
	t.Run("models", func(t *testing.T) {
		for _, m := range slices.Concat(ownModels(t), shownModels(t)) {
			table.Run(t, m.f.Family+"/"+m.name, m.edited)
		}
	})
}

// shownModels are those of testdata/show, which are larger.
func shownModels(t *testing.T) (list []*model) {
	err := filepath.WalkDir(corpus.Testdata(t, "show"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, modelsOf(t, p, nil, true)...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// edited adds the outcome of every edit at the first and the last of its targets, and of some edits on top of others.
func (m *model) edited(t *testing.T, add func(what, outcome string)) {
	all := gltf.ShowAll
	m.show = &all
	if err := m.prepare(); err != nil {
		t.Fatal(err)
	}
	base, list := parse(m.glb), editor.All()
	for _, e := range list {
		for _, target := range targetsOf(e, base) {
			doc := parse(m.glb)
			if _, ok := e.Apply(doc, target); ok {
				add(fmt.Sprintf("%s at %d", e.Name, target), m.back(doc.Bytes(), e.Away, e.Base))
			}
		}
	}
	for i, first := range list {
		second := list[(7*i+3)%len(list)]
		if doc := parse(m.glb); applyLast(first, doc) && applyLast(second, doc) {
			add(first.Name+", then "+second.Name, m.back(doc.Bytes(), false, i%2 == 0))
		}
	}
}

// targetsOf are the first and the last target that an edit has in a document.
func targetsOf(e editor.Edit, doc *editor.Doc) []int {
	if e.Targets == nil {
		return []int{-1}
	}
	return spread(e.Targets(doc), 2)
}

// applyLast makes an edit at the last of its targets, if it has one.
func applyLast(e editor.Edit, doc *editor.Doc) bool {
	targets := targetsOf(e, doc)
	if len(targets) == 0 {
		return false
	}
	_, ok := e.Apply(doc, targets[len(targets)-1])
	return ok
}

// back tells in a line what an edited GLB becomes: its first word is that of the line's counts.
func (m *model) back(glb []byte, away, base bool) string {
	d := new(schema.Diagnostics)
	native, made, err := m.native(glb, away, base, d)
	var said []string
	for _, x := range d.All() {
		said = append(said, x.String())
	}
	told := strings.Join(said, "; ")
	if err != nil {
		return "refused " + err.Error() + ", told " + told
	}
	s := fmt.Sprintf("written %016x", damage.Fingerprint(native))
	for _, name := range slices.Sorted(maps.Keys(made)) {
		s += fmt.Sprintf(", %s %016x", name, damage.Fingerprint(made[name]))
	}
	return s + ", told " + told
}
