package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// rename gives an object another name, and another group where the path has one. A spelling that cannot be had is told.
func (a *archive) rename(i int, path string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, err := a.export(i)
	if err != nil {
		return err
	}
	names := objectNames(path)
	if len(names) == 0 {
		return schema.Errorf(unreal.Format, schema.ErrValue, "path", "%q names no object", path)
	}
	name, _, _ := strings.Cut(names[len(names)-1], "@") // class and number, which tell files apart
	if err := unreal.CheckName(name); err != nil {
		return err
	}
	outer, err := a.outer(names[:len(names)-1])
	if err != nil {
		return err
	}
	r := unreal.Ref(i + 1)
	if other := a.sibling(r, outer, name); other != 0 {
		return schema.Errorf(unreal.Format, schema.ErrMismatch, "path", "there is a %s already", a.RefText(other))
	}
	was := a.RefText(r)
	a.File.Rename(r, outer, name)
	wanted := strings.Join(append(names[:len(names)-1], name), ".")
	if now, err := a.Path(r); err == nil && now != wanted {
		a.Env.Told().Warnf("spelling-kept", was, "it is called %s, not %s: names that differ in case alone are one name, and other parts of the package have it in that spelling", now, wanted)
	}
	return nil
}

// sibling returns another object of a name in a group; 0 when there is none.
func (a *archive) sibling(r, outer unreal.Ref, name string) unreal.Ref {
	return unreal.Ref(1 + slices.IndexFunc(indices(len(a.Exports)), func(i int) bool {
		x := &a.Exports[i]
		return unreal.Ref(i+1) != r && !a.gone[i] && x.Outer == outer && strings.EqualFold(a.Name(x.Name), name)
	}))
}

// renamed returns the new paths of objects by their old ones.
func (a *archive) renamed() map[string]string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if !slices.ContainsFunc(a.Exports, func(x unreal.Export) bool { return x.Renamed }) {
		return nil
	}
	renamed := map[string]string{}
	for i := range a.entries {
		now, err := a.Path(unreal.Ref(i + 1))
		if err != nil || a.gone[i] {
			continue
		}
		if was, _, _ := strings.Cut(a.entries[i].Path, "@"); was != now {
			renamed[a.entries[i].Path] = now
		}
	}
	return renamed
}
