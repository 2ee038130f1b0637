package unreal

import (
	"slices"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// level returns the export of the level; −1 in a package without one.
func (a *archive) level() int {
	return slices.IndexFunc(indices(len(a.Exports)), func(i int) bool {
		return !a.gone[i] && unreal.Classes[a.Layout(i)] == unreal.LevelKind
	})
}

// isActor reports whether export i is one: it is on the list of the level. In a map all objects with a state are, but for
// the shapes of brushes; old maps have actors without a state.
func (a *archive) isActor(i int) bool {
	if unreal.Classes[a.Layout(i)] != unreal.UnknownKind {
		return false
	}
	return a.Exports[i].Flags&unreal.HasStack != 0 || a.actors()[unreal.Ref(i+1)]
}

// actors returns those on the list of the level.
func (a *archive) actors() map[unreal.Ref]bool {
	if a.listed != nil {
		return a.listed
	}
	a.listed = map[unreal.Ref]bool{}
	i := a.level()
	if i < 0 {
		return a.listed
	}
	if l, _ := pack.As[unreal.Level](a.File, i); l != nil {
		for _, r := range l.Actors {
			a.listed[r] = true
		}
	}
	return a.listed
}

// like returns an actor of a class; 0 when the level has none.
func (a *archive) like(class unreal.Ref) unreal.Ref {
	for i := range a.Exports {
		if r := unreal.Ref(i + 1); a.Exports[i].Class == class && !a.gone[i] && a.actors()[r] {
			return r
		}
	}
	return 0
}

// join appends an actor to the list of the package's level, where it has one.
func (a *archive) join(r unreal.Ref) error {
	return a.editLevel(func(l *unreal.Level) error {
		l.Actors = append(l.Actors, r)
		return nil
	})
}

// ownShape gives an actor that was copied with its record a shape of its own where it names that of another brush or
// mover: each of them has one, and an edit of the one would reach the other (reference section 19).
func (a *archive) ownShape(r unreal.Ref) error {
	o, err := a.Object(int(r - 1))
	if err != nil {
		return err
	}
	p := o.Base().Property("Brush", 0)
	if p == nil || p.Number <= 0 {
		return nil
	}
	if a.ClassName(r) == "Brush" {
		a.Env.Told().Warnf("built-world", a.ObjectName(r), "the brush is placed, and the world that is built of it stays as it is until the editor rebuilds geometry")
	}
	if !a.hasShape(p.Number) {
		return nil
	}
	if err := a.copyBrush(o.Base(), r); err != nil {
		return err
	}
	return a.Store(int(r-1), o)
}

// hasShape reports whether an actor of the level has this Model.
func (a *archive) hasShape(model int32) bool {
	for r := range a.actors() {
		if r <= 0 || a.gone[int(r-1)] {
			continue
		}
		if o, err := a.Object(int(r - 1)); err == nil {
			if p := o.Base().Property("Brush", 0); p != nil && p.Number == model {
				return true
			}
		}
	}
	return false
}

// addText lays the actors of T3D text into the level.
func (a *archive) addText(text []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := a.level()
	if i < 0 {
		return schema.Errorf(t3dName, schema.ErrUnsupported, "", "the package has no level to lay actors into")
	}
	return a.editLevel(func(l *unreal.Level) error { return a.layIn(l, text, a.Env) })
}

// editLevel changes the list of actors. A package without a level has none.
func (a *archive) editLevel(edit func(l *unreal.Level) error) error {
	i := a.level()
	if i < 0 {
		return nil
	}
	o, err := a.Object(i)
	if err != nil {
		return err
	}
	l, ok := o.(*unreal.Level)
	if !ok {
		return schema.Errorf(levelName, schema.ErrUnsupported, "", "%s has a layout that usher does not know", o.Base().Path)
	}
	if err := edit(l); err != nil {
		return err
	}
	l.Capacity = max(l.Capacity, int32(len(l.Actors)))
	return a.Store(i, l)
}
