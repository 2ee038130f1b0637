package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
	"github.com/usher-assets/usher/testdata/made"
)

// TestChanged holds what becomes of the assets that are lifted of testdata when one thing in them is other than it was: each
// field of each type is changed at the first and the last thing that has it. Of trees of nodes it holds what is lifted of
// them, and lowered again, when nodes are gone, renamed, out of order or other inside.
func TestChanged(t *testing.T) {
	t.Parallel()
	table := damage.Open(t, "changed.tsv")
	t.Run("files", func(t *testing.T) {
		for family := range families {
			met := map[string]int{}
			err := filepath.WalkDir(corpus.Testdata(t, family), func(p string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				rel, _ := filepath.Rel(corpus.Testdata(t), filepath.Dir(p))
				for _, m := range leavesOf(t, p, met) {
					table.Run(t, filepath.ToSlash(rel)+"/"+m.name, m.changed)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// leavesOf returns what can be lifted of a file: itself, or entries of the archive that it is; of each format a few in all.
func leavesOf(t *testing.T, p string, met map[string]int) (list []*model) {
	b := corpus.Bytes(t, p)
	f := sniff(p, b)
	if f == nil {
		return nil
	}
	enough := func(f *format.Format) bool {
		const models, others = 12, 3
		met[f.Name]++
		return met[f.Name] > others && (f.Kind != format.Model || met[f.Name] > models)
	}
	if f.Read != nil && f.Lift != nil {
		if !enough(f) {
			list = append(list, &model{f: f, name: filepath.Base(p), path: p, stored: b})
		}
		return list
	}
	if f.Open == nil {
		return nil
	}
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), new(engine.Loader).Env(p, nil))
	if err != nil {
		return nil
	}
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		if err != nil {
			continue
		}
		if of := e.Format.Of(i, payload); of != nil && of.Read != nil && of.Lift != nil && !enough(of) {
			list = append(list, &model{f: of, name: filepath.Base(p) + ":" + e.Path, path: p, stored: payload, archive: b, holder: f, entry: e.Path})
		}
	}
	return list
}

// changed adds what becomes of the leaf's asset, and of its value, with one change after the other.
func (m *model) changed(t *testing.T, add func(what, outcome string)) {
	f, env, _, err := m.room(nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Read(m.stored, nil)
	if err != nil {
		add("whole", damage.Refusal(err))
		return
	}
	x, err := lifted(f, made.Copy(v), env)
	if err != nil {
		add("whole", damage.Refusal(err))
	} else if f.Lower != nil {
		each(made.Changes(x, false), func(i int, what string) { add(what, m.lowered(made.Copy(x), i%3 == 0)) })
	}
	if tree, ok := v.(*freelancer.Tree); ok {
		each(made.Changes(tree, true), func(i int, what string) { add(what, m.valued(made.Copy(v), env)) })
	}
}

// each makes changes one after the other, of many some that are spread over them.
func each(all []made.Change, try func(i int, what string)) {
	const enough = 400
	for i := 0; i < len(all); i += 1 + len(all)/enough {
		all[i].Do()
		try(i, all[i].What)
		all[i].Undo()
	}
}

func lifted(f *format.Format, v any, env *format.Env) (asset.Asset, error) {
	x, err := f.Lift(v, env)
	if err != nil {
		return nil, err
	}
	if s, ok := x.(*asset.Scene); ok {
		err = s.LoadAll()
	}
	return x, err
}

// room is the leaf's format, in an archive of its own, what a conversion may look at, and what it leaves beside its result.
func (m *model) room(d *schema.Diagnostics) (f *format.Format, env *format.Env, beside map[string][]byte, err error) {
	f, beside = m.f, map[string][]byte{}
	env = m.env(beside, false, d)
	env.Stored, env.Output = m.stored, strings.TrimSuffix(filepath.Base(m.path), filepath.Ext(m.path))
	env.Emit = func(name string, content []byte) error {
		beside[name] = content
		return nil
	}
	if m.archive != nil {
		a, i, err := m.open(m.archive, env)
		if err != nil {
			return nil, nil, nil, err
		}
		f = a.Entries()[i].Format.Of(i, m.stored)
		env.Archive, env.Entry, env.Emit = a, m.entry, nil
	}
	return f, env, beside, nil
}

// lowered tells what an asset becomes, with the original at hand or without.
func (m *model) lowered(x asset.Asset, base bool) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic ", r)
		}
	}()
	d := new(schema.Diagnostics)
	f, env, beside, err := m.room(d)
	if err != nil {
		return "refused " + err.Error()
	}
	var original *interchange.Original
	if base {
		original = interchange.OriginalOf(f, m.stored, env)
	}
	b, err := engine.LowerOnto(f, original, &interchange.Item{Asset: x, Env: env}, env)
	if err != nil {
		return "refused " + err.Error()
	}
	s = fmt.Sprintf("written %016x", damage.Fingerprint(b))
	for _, name := range slices.Sorted(maps.Keys(beside)) {
		s += fmt.Sprintf(", %s %016x", name, damage.Fingerprint(beside[name]))
	}
	for _, said := range d.All() {
		s += ", told " + said.String()
	}
	return s
}

// valued tells what a value shows, and what comes of its asset.
func (m *model) valued(v any, env *format.Env) (s string) {
	defer func() {
		if r := recover(); r != nil {
			s = fmt.Sprint("panic ", r)
		}
	}()
	x, err := lifted(m.f, v, env)
	if err != nil {
		return damage.Refusal(err)
	}
	s = fmt.Sprintf("shown %016x", damage.Fingerprint(x))
	return s + ", " + m.lowered(x, false)
}
