package store

import (
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// EntryStem is the file name of an entry, without an extension: its path, and its title where there is one.
func EntryStem(e format.Entry) string {
	stem := disk.SafePath(e.Path)
	if e.Title != "" {
		stem += "_" + disk.SafeName(e.Title)
	}
	return stem
}
