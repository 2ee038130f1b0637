package worktree

import (
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
)

// openPartners updates the files beside the base according to the edits, and reports what changed.
func (x *packing) openPartners(out string) ([]*store.Partner, error) {
	if len(x.done.Changes) == 0 {
		return nil, nil
	}
	partners, err := engine.OpenPartners(x.base, out, &x.Loader, x.diagnostics)
	for _, p := range partners {
		for _, c := range p.Changes {
			x.note(Change{Entry: c.Entry, Action: "updated", Before: c.Before, After: c.After})
		}
	}
	return partners, err
}
