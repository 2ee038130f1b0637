package worktree

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// Conflict is an entry that a patch cannot be applied to, because the base differs from the original there.
type Conflict struct {
	Entry  string
	Reason string
}

// apply puts a patch onto the base, entry by entry: each whose stored bytes are those of the original, or are already
// what they are to become. The others are conflicts. It returns the entries that it put there.
func (x *packing) apply(ctx context.Context) (put []ManifestEntry, err error) {
	var changed []ManifestEntry
	var added, moved []ManifestEntry
	var removed []string
	for i := range x.manifest.Entries {
		e := x.manifest.Entries[i]
		if x.base.Single() {
			e.Path = x.base.Entries()[0].Path // whatever the file is called here
			x.manifest.Entries[i] = e
		}
		ready, reason, err := x.ready(&e)
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			x.done.Conflicts = append(x.done.Conflicts, Conflict{e.Path, reason})
			continue
		case !ready:
			continue
		}
		if put == nil {
			if err := x.addTerms(); err != nil {
				return nil, err
			}
		}
		put = append(put, e)
		switch e.Action {
		case actionChange:
			changed = append(changed, e)
		case actionAdd:
			added = append(added, e)
		case actionRemove:
			removed = append(removed, e.Path)
		case actionRename:
			if done, err := x.rename(e.From, e.Path); err != nil {
				return nil, err
			} else if done {
				continue
			}
			moved = append(moved, e)
			removed = append(removed, e.From)
		default:
			return nil, fmt.Errorf("%s: unknown action %q of entry %s", ManifestName, e.Action, e.Path)
		}
	}
	x.done.Unchanged = len(x.base.Entries()) - len(changed) - len(removed)
	before := append([]format.Entry(nil), x.base.Entries()...)
	payloads := make([][]byte, len(moved))
	hints := make([]*format.Format, len(moved))
	for i, e := range moved {
		n, err := x.base.Find(e.From)
		if err != nil {
			return nil, err
		}
		hints[i] = x.base.Entries()[n].Format
		if payloads[i], err = x.base.Portable(n); err != nil {
			return nil, err
		}
	}
	if err := x.applyChanges(ctx, changed); err != nil {
		return nil, err
	}
	x.removeAll(removed)
	for i, e := range moved {
		if err := x.insert(e, payloads[i], hints[i]); err != nil {
			return nil, err
		}
	}
	for _, e := range added {
		if err := x.applyNew(ctx, e); err != nil {
			return nil, err
		}
	}
	x.noteOthers(before)
	return put, nil
}

// addTerms gives the base the terms of the patch, so that what is put into it has the numbers that it had.
func (x *packing) addTerms() error {
	add := x.base.Abilities().AddTerms
	if add == nil || len(x.manifest.Terms) == 0 {
		return nil
	}
	if err := add(x.manifest.Terms); err != nil {
		return fmt.Errorf("%s: %w", ManifestName, err)
	}
	return nil
}

// applyChanges encodes what changed. Where the patch is only tried, an entry whose files do not fit is noted.
func (x *packing) applyChanges(ctx context.Context, changed []ManifestEntry) error {
	if !x.lenient {
		return x.replaceAll(ctx, changed)
	}
	var fit []ManifestEntry
	for _, e := range changed { // those that cannot be encoded at all are left out
		if _, err := x.encode(e, func() {}); err != nil {
			x.misfits = append(x.misfits, e.Path)
			continue
		}
		fit = append(fit, e)
	}
	if len(fit) < len(changed) {
		return nil // another form is tried, and then all of them again
	}
	if err := x.replaceAll(ctx, fit); err != nil {
		return err
	}
	for _, f := range x.done.Failures {
		x.misfits = append(x.misfits, f.Entry)
	}
	return nil
}

// ready reports whether an entry of a patch is to be put onto the base: not when the base has it already or, with a
// reason, something else. Patches of earlier versions have hashes that do not always tell; where theirs do not speak
// against it, the entry is changed, and that is said.
func (x *packing) ready(e *ManifestEntry) (ready bool, reason string, err error) {
	path := e.Path
	if e.Action == actionRename {
		path = e.From
	}
	there, before, err := x.compareEntry(path, e.Before)
	if err != nil {
		return false, "", err
	}
	_, after, err := x.compareEntry(path, e.After)
	if err != nil {
		return false, "", err
	}
	switch {
	case e.Action == actionLost && before == disk.Same:
		return false, "", nil
	case e.Action == actionLost && (after == disk.Same || !there):
		return false, reasonLost, nil
	case e.Action == actionLost:
		return false, "it is not what the patch made of it", nil
	case e.Action == actionAdd && !there:
		return true, "", nil
	case e.Action == actionAdd && after == disk.Same:
		return false, "", nil
	case e.Action == actionAdd:
		return false, anotherEntry, nil
	case e.Action == actionRemove && !there:
		return false, "", nil
	case e.Action == actionRename:
		taken, to, err := x.compareEntry(e.Path, e.Before)
		if err != nil {
			return false, "", err
		}
		if !there && to == disk.Same {
			return false, "", nil
		}
		if taken {
			return false, anotherEntry, nil
		}
	}
	if !there {
		return false, "it is not there", nil
	}
	switch before {
	case disk.Same:
		return true, "", nil
	case disk.Unknown:
		x.diagnostics.Warnf("original-unproven", e.Path, "an earlier version of usher made the patch, and its hash does not tell whether the entry is the one that the patch is for: it is taken for that")
		return true, "", nil
	}
	if after == disk.Same {
		return false, "", nil
	}
	return false, "it differs from the original", nil
}

const anotherEntry = "there is another entry of that name"

// compareEntry compares the hash that a patch has of an entry with that entry of the base, if there is one.
func (x *packing) compareEntry(path, hash string) (there bool, is disk.Verdict, err error) {
	n, err := x.base.Find(path)
	if err != nil {
		return false, disk.Different, nil
	}
	if hash == "" {
		return true, disk.Different, nil
	}
	is, err = compareState(hash, x.base, n)
	return true, is, err
}

// applyNew adds an entry.
func (x *packing) applyNew(ctx context.Context, e ManifestEntry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(e.Files) == 0 {
		return fmt.Errorf("%s: entry %s has no files", ManifestName, e.Path)
	}
	local, err := localName(e.Files[0].Name)
	if err != nil {
		return err
	}
	env := x.Loader.Env(x.base.Path, x.diagnostics.In(inEntry(e.Files[0].Name, e.Path)))
	payload, f, err := newPayload(x.base.ArchiveFile, filepath.Join(x.dir, local), e.Path, &x.Loader, env)
	if err == nil {
		err = x.insert(e, payload, f)
	}
	if err != nil && x.lenient {
		x.misfits = append(x.misfits, e.Path)
		return nil
	}
	if err != nil {
		x.fail(e.Path, err, e.Files[0].Name)
	}
	return nil
}

// insert puts a new entry into the base, and tells of it.
func (x *packing) insert(e ManifestEntry, payload []byte, f *format.Format) error {
	if f == nil && e.Format != "" {
		f = formats.ByName(e.Format)
	}
	if err := x.base.Add(e.Path, payload, f); err != nil {
		return fmt.Errorf("%s: %w", e.Path, err)
	}
	x.base.Reindex()
	x.note(newChange(e.Path, "added", fileNames(e), 0, payload))
	return nil
}
