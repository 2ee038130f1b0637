package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
)

// partner is the archive beside an edited one that describes its entries a second time.
type partner struct {
	*convert.Archive
	out string // where it goes: beside the edited archive
}

// openPartner brings the partner of the base in line with the edits. It returns nil when there is none, or when it need
// not change.
func (x *packing) openPartner(out string) (*partner, error) {
	base, ok := x.base.ArchiveFile.(format.Partnered)
	if !ok || base.Partner() == "" || len(x.done.Changes) == 0 {
		return nil, nil
	}
	env := x.Loader.Env(x.base.Path, x.diagnostics)
	_, path, err := env.Find(base.Partner())
	if errors.Is(err, fs.ErrNotExist) {
		x.diagnostics.Warnf("no-partner", "", "%s is not beside %s: it is not brought in line", base.Partner(), x.base.Path)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a, err := convert.OpenArchive(path, x.base.Format, x.Loader.Env(path, x.diagnostics))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	before := sizes(a)
	changed, err := base.UpdatePartner(a.ArchiveFile)
	if err != nil || len(changed) == 0 {
		a.Close()
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return nil, err
	}
	p := &partner{a, filepath.Join(filepath.Dir(out), filepath.Base(path))}
	after := sizes(a)
	for _, entry := range changed {
		x.note(Change{Entry: filepath.Base(path) + ":" + entry, Action: "updated", Before: before[entry], After: after[entry]})
	}
	return p, nil
}

func sizes(a *convert.Archive) map[string]int64 {
	m := make(map[string]int64, len(a.Entries()))
	for _, e := range a.Entries() {
		m[e.Path] = e.Size
	}
	return m
}
