package find

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// onBoth returns the files of a list that lie on the other side as well, below the folder that corresponds.
func (f *Files) onBoth(folder string, deep bool, list []format.Listed) (both []format.Listed) {
	if f.other == nil {
		return list
	}
	counterpart, ok := f.counterpart(folder)
	if !ok {
		return list // it belongs to neither: the user named it
	}
	if deep && !strings.EqualFold(filepath.Base(folder), filepath.Base(counterpart)) {
		return nil // another tree, if it is one at all
	}
	there := map[string]bool{}
	for _, x := range f.listings.trees.list(counterpart, deep) {
		there[disk.Fold(filepath.Base(x.Path))] = true
	}
	for _, x := range list {
		if there[disk.Fold(f.otherName(filepath.Base(x.Path)))] {
			both = append(both, x)
		}
	}
	return both
}

// counterpart returns the folder that is as far above the other input as one is above this one; false for those that are
// not above it.
func (f *Files) counterpart(folder string) (string, bool) {
	rel, err := filepath.Rel(folder, f.Home())
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	at := f.other.Home()
	if rel != "." {
		for range strings.Split(rel, string(filepath.Separator)) {
			at = filepath.Dir(at)
		}
	}
	return at, true
}

// otherName returns what a file is called on the other side: one that is called like this input, such as its hulls, is called
// like the other input there.
func (f *Files) otherName(name string) string {
	folder, base := path.Split(name)
	if ext := path.Ext(base); f.stem != "" && disk.Fold(strings.TrimSuffix(base, ext)) == disk.Fold(f.stem) {
		return folder + f.other.stem + ext
	}
	return name
}
