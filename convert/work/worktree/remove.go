package worktree

import "slices"

// removeAll removes entries, together where they may need each other.
func (x *packing) removeAll(paths []string) {
	paths = slices.DeleteFunc(paths, func(path string) bool { // went with another one
		_, err := x.base.Find(path)
		return err != nil && x.forget(path)
	})
	together := x.base.Abilities().RemoveAll
	if together == nil {
		for _, path := range paths {
			x.remove([]string{path}, func(i []int) error { return x.base.Remove(i[0]) })
		}
		return
	}
	if len(paths) > 0 {
		x.remove(paths, together)
	}
}

func (x *packing) remove(paths []string, do func([]int) error) {
	numbers, changes := make([]int, len(paths)), make([]Change, len(paths))
	for n, path := range paths {
		i, err := x.base.Find(path)
		if err != nil {
			x.fail("", err, path)
			return
		}
		numbers[n], changes[n] = i, Change{Entry: path, Action: "removed", Before: x.base.Entries()[i].Size}
	}
	if err := do(numbers); err != nil {
		x.fail("", err, paths...)
		return
	}
	x.base.Reindex()
	x.done.Changes = append(x.done.Changes, changes...)
	for _, path := range paths {
		x.forget(path)
	}
}

// forget takes an entry out of the manifest, and tells that it is.
func (x *packing) forget(path string) bool {
	x.manifest.Entries = slices.DeleteFunc(x.manifest.Entries, func(e ManifestEntry) bool { return e.Path == path })
	return true
}
