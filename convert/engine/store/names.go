package store

import (
	"cmp"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// EntryStem returns a file name without extension for an entry: its path, or the name that its files have, followed by
// its title if there is one.
func EntryStem(e format.Entry) string {
	stem := disk.SafePath(cmp.Or(e.File, e.Path))
	if e.Title != "" {
		stem += "_" + disk.SafeName(e.Title)
	}
	return stem
}
