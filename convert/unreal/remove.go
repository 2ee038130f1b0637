package unreal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// slot is the name of an export that was removed. Rows of the tables are numbered, and code refers to them by number:
// none may move (reference section 3). Those at the end of the table go; any other one becomes an empty group of that
// name without load flags, which the engine never makes an object of.
const slot = "None"

// isSlot reports whether export i is what a removed one left.
func (a *archive) isSlot(i int) bool {
	e := &a.Exports[i]
	return e.Flags == 0 && e.Size == 1 && e.Data == nil && a.IsNone(e.Name) && a.ClassName(unreal.Ref(i+1)) == "Package"
}

// references are the users of each object: exports that name it in the table or in their payload.
type references struct {
	users   map[unreal.Ref][]int
	unknown map[int][][]byte // bytes of unknown meaning by export
}

// findReferences collects the references of all exports.
func (a *archive) findReferences() (*references, error) {
	if a.refs != nil {
		return a.refs, nil
	}
	refs := &references{map[unreal.Ref][]int{}, map[int][][]byte{}}
	for i := range a.Exports {
		e := &a.Exports[i]
		if a.gone[i] {
			continue
		}
		b, err := a.File.Payload(i)
		if err != nil {
			return nil, err
		}
		x := a.Context(i)
		if e.Data != nil {
			x.Offset = -1
		}
		found, unknown := read.References(b, x)
		for _, r := range append(found, e.Class, e.Super, e.Outer) {
			if list := refs.users[r]; r > 0 && (len(list) == 0 || list[len(list)-1] != i) {
				refs.users[r] = append(list, i)
			}
		}
		if len(unknown) > 0 {
			refs.unknown[i] = unknown
		}
	}
	a.refs = refs
	return refs, nil
}

// Remove removes an object. It fails if another object refers to it.
func (a *archive) Remove(i int) error { return a.removeAll([]int{i}) }

// RemoveAll takes objects out that may refer to each other, or none of them while one that stays refers to them.
func (a *archive) removeAll(entries []int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	refs, err := a.findReferences()
	if err != nil {
		return err
	}
	going := map[int]bool{}
	var list []int
	for _, i := range entries {
		if i, err = a.export(i); err != nil {
			return err
		}
		going[i] = true
		list = append(list, i)
	}
	return a.takeOut(list, &release{a: a, refs: refs, going: going})
}

// takeOut removes exports from the package.
func (a *archive) takeOut(list []int, x *release) error {
	stays := func(i int) bool { return !x.going[i] && !a.gone[i] }
	for _, i := range list {
		r := unreal.Ref(i + 1)
		if x.actor(i) {
			if k := x.keeper(r); k != 0 {
				return schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "%s cannot be removed: %s needs it%s", a.RefText(r), a.RefText(k), a.whereBuilt(k))
			}
			continue
		}
		if err := a.checkUnused(r, x.refs, stays); err != nil {
			return err
		}
	}
	if err := x.apply(); err != nil {
		return err
	}
	refs := x.refs
	for _, i := range list {
		a.warnUnknown(unreal.Ref(i+1), refs, stays)
		a.hide(i)
	}
	a.removed = true
	a.refresh()
	return nil
}

// checkUnused refuses when an object that stays refers to one that is to go.
func (a *archive) checkUnused(ref unreal.Ref, refs *references, stays func(int) bool) error {
	var users []string
	for _, i := range refs.users[ref] {
		if stays(i) {
			users = append(users, a.RefText(unreal.Ref(i+1)))
		}
	}
	if len(users) == 0 {
		return nil
	}
	verb := "needs"
	if len(users) > 1 {
		verb = "need"
	}
	more := ""
	if n := len(users) - 3; n > 0 {
		users, more = users[:3], fmt.Sprintf(" and %d more", n)
	}
	return schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "%s cannot be removed: %s%s %s it", a.RefText(ref), strings.Join(users, ", "), more, verb)
}

// warnUnknown reports bytes without a known meaning that could name an object which goes.
func (a *archive) warnUnknown(ref unreal.Ref, refs *references, stays func(int) bool) {
	for _, i := range slices.Sorted(maps.Keys(refs.unknown)) {
		if stays(i) && slices.ContainsFunc(refs.unknown[i], func(b []byte) bool { return read.MayRefer(b, ref) }) {
			a.Env.Told().Warnf("may-refer", a.RefText(unreal.Ref(i+1)), "it holds bytes that usher does not know; if they name %s, which is removed, the game may fail", a.RefText(ref))
		}
	}
}

// hide leaves an export out of the entries.
func (a *archive) hide(i int) {
	if a.gone == nil {
		a.gone = map[int]bool{}
	}
	a.gone[i] = true
}

// hideSlots hides what earlier removals left, and the holes of the editor's "conform" (reference section 20). A group
// that holds something is none of them.
func (a *archive) hideSlots() {
	var slots []int
	for i := range a.Exports {
		switch {
		case a.File.Empty(i):
			a.empty++
			a.hide(i)
		case a.Exports[i].Flags == 0 && a.isSlot(i):
			slots = append(slots, i)
		}
	}
	if slots == nil {
		return
	}
	outers := map[unreal.Ref]bool{}
	for i := range a.Exports {
		outers[a.Exports[i].Outer] = true
	}
	for _, i := range slots {
		if !outers[unreal.Ref(i+1)] {
			a.hide(i)
		}
	}
}

// refresh follows a change of the entries, where they are not simply those of all exports.
func (a *archive) refresh() {
	if len(a.gone) == 0 {
		return
	}
	a.visible, a.exports = nil, nil
	for i := range a.entries {
		if !a.gone[i] {
			a.visible, a.exports = append(a.visible, a.entries[i]), append(a.exports, i)
		}
	}
}

// export returns the export that entry i shows.
func (a *archive) export(i int) (int, error) {
	if n := len(a.shown()); i < 0 || i >= n {
		return 0, schema.Errorf(unreal.Format, schema.ErrRange, "entry", "%d of %d", i, n)
	}
	if len(a.gone) > 0 {
		return a.exports[i], nil
	}
	return i, nil
}

// dropRemoved puts what was removed into the tables.
func (a *archive) dropRemoved() error {
	if !a.removed {
		return nil
	}
	if err := a.checkGone(); err != nil {
		return err
	}
	n := len(a.Exports)
	for ; n > 0 && a.gone[n-1] && !a.File.Empty(n-1); n-- {
		if e := &a.Exports[n-1]; n <= a.StoredExports && e.Size > 0 {
			a.Removed = append(a.Removed, unreal.Span{Offset: int64(e.Offset), Size: int64(e.Size)})
		}
		delete(a.gone, n-1)
	}
	a.Exports, a.entries = a.Exports[:n], a.entries[:n]
	for i := range a.gone {
		if a.isSlot(i) || a.File.Empty(i) {
			continue
		}
		e := &a.Exports[i]
		e.Class, e.Super, e.Outer, e.Name, e.Flags = a.AddClass("Core", "Package"), 0, 0, a.AddName(slot), 0
		b, err := noProperties(a.Package)
		if err == nil {
			err = read.Replace(a.Package, i, b, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkGone refuses to write a package in which something names an object that was removed: an edit of another entry may
// have put it there.
func (a *archive) checkGone() error {
	refs, err := a.findReferences()
	if err != nil {
		return err
	}
	stays := func(i int) bool { return !a.gone[i] }
	for _, i := range slices.Sorted(maps.Keys(a.gone)) {
		if a.isSlot(i) || a.File.Empty(i) {
			continue
		}
		if err := a.checkUnused(unreal.Ref(i+1), refs, stays); err != nil {
			return err
		}
	}
	return nil
}

// noProperties returns the payload of a group: an empty list of properties.
func noProperties(p *unreal.Package) ([]byte, error) {
	return write.Base(&unreal.Object{Context: &unreal.Context{Package: p}, End: p.AddName("None")})
}

// whereBuilt says where something can be removed that keeper names: what the editor built of a level is for the editor
// to build again.
func (a *archive) whereBuilt(keeper unreal.Ref) string {
	switch a.ClassName(keeper) {
	case "Model", "Level", "BspSurfs", "BspNodes":
		return ", as the editor built it: take it out there, and rebuild"
	}
	return ""
}
