package batch

import (
	"context"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// Count estimates the number of assets in some operands, and their size in bytes, for the display of progress. With each,
// it counts the entries of archives, otherwise files. It does not check which of them can be converted.
func Count(ctx context.Context, operands []string, sel Selection, each bool) (assets int, bytes int64) {
	for _, operand := range operands {
		for src, err := range Walk(ctx, operand, sel) {
			if ctx.Err() != nil {
				return assets, bytes
			}
			if err != nil {
				assets++
				continue
			}
			n, size := countSource(src, sel, each)
			assets, bytes = assets+n, bytes+size
		}
	}
	return assets, bytes
}

func countSource(src engine.Source, sel Selection, each bool) (assets int, bytes int64) {
	if src.Entry != "" {
		return 1, src.Size
	}
	f, x := interchange.SniffFile(src.Path)
	switch {
	case f == nil && x == nil && !src.Named:
		return 0, 0
	case f == nil || f.Kind != format.Archive || !each:
		if sel.MatchFile(f, x) {
			return 1, src.Size
		}
		return 0, 0
	}
	a, err := store.OpenInside(src.Path, f, new(engine.Loader).Env(src.Path, nil))
	if err != nil {
		return 1, src.Size
	}
	defer a.Close()
	for _, e := range a.Entries() {
		if sel.MatchEntry(&e) {
			assets, bytes = assets+1, bytes+e.Size
		}
	}
	return assets, bytes
}
