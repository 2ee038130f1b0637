package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// fileState is what became of an entry's files since they were written.
type fileState struct {
	edited bool
	gone   []string // files that were deleted
}

// states asks for the files of all entries, on all cores.
func (x *packing) states(ctx context.Context) ([]fileState, error) {
	entries := x.manifest.Entries
	states := make([]fileState, len(entries))
	err := inShares(ctx, len(entries), func(i int) (err error) {
		states[i], err = x.state(entries[i])
		return err
	})
	return states, err
}

// inShares calls do for the numbers below n, on all cores, some hundred in a row each, until one call fails.
func inShares(ctx context.Context, n int, do func(int) error) error {
	const share = 256
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, runtime.GOMAXPROCS(0)-1))
	for start := 0; start < n; start += share {
		group.Go(func() error {
			for i := start; i < min(start+share, n); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func (x *packing) state(e ManifestEntry) (s fileState, err error) {
	for _, f := range e.Files {
		local, err := localName(f.Name)
		if err != nil {
			return s, err
		}
		same, err := f.Same(filepath.Join(x.dir, local))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			s.gone = append(s.gone, f.Name)
		case err != nil:
			return s, err
		case !same:
			s.edited = true
		}
	}
	return s, nil
}

// localName returns a manifest's file name for this system; one that leaves the folder is refused.
func localName(name string) (string, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return "", fmt.Errorf("%s: file name %q leaves the folder", ManifestName, name)
	}
	return local, nil
}

func fileNames(e ManifestEntry) []string {
	names := make([]string, len(e.Files))
	for i, f := range e.Files {
		names[i] = f.Name
	}
	return names
}
