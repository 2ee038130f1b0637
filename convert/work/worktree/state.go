package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert/disk"
)

// fileState is what became of an entry's files since they were written.
type fileState struct {
	edited []bool   // by number of the file; nil when none was
	more   bool     // there are new files that belong to the entry
	gone   []string // files that were deleted
	err    error    // nothing can be said of them
}

func (s fileState) touched() bool { return s.more || s.edited != nil }

// states asks for the files of all entries, on all cores.
func (x *packing) states(ctx context.Context) ([]fileState, error) {
	entries := x.manifest.Entries
	states := make([]fileState, len(entries))
	err := inShares(ctx, len(entries), func(i int) error {
		states[i] = x.state(entries[i])
		return nil
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

func (x *packing) state(e ManifestEntry) (s fileState) {
	for n, f := range e.Files {
		same, err := x.same(f)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			s.gone = append(s.gone, f.Name)
		case err != nil:
			s.err = fmt.Errorf("%s: %w", f.Name, err)
			return s
		case !same:
			if s.edited == nil {
				s.edited = make([]bool, len(e.Files))
			}
			s.edited[n] = true
		}
	}
	return s
}

// same reports whether a file is the one of the manifest.
func (x *packing) same(f ManifestFile) (bool, error) {
	local, err := localName(f.Name)
	if err != nil {
		return false, err
	}
	info, err := x.regular(local)
	if err != nil {
		return false, err
	}
	checked := x.manifest.Time
	if x.Rehash {
		checked = 0
	}
	return f.Same(filepath.Join(x.dir, local), info, checked)
}

// errLink is the error of a link in a folder that is packed.
var errLink = fmt.Errorf("%w; --follow-links packs what it leads to", disk.ErrLink)

// regular describes a file of the folder that may be read: one that is there, and has an end.
func (x *packing) regular(local string) (fs.FileInfo, error) {
	p := filepath.Join(x.dir, local)
	if x.FollowLinks {
		info, err := disk.Stat(p)
		if err == nil && !info.Mode().IsRegular() {
			return nil, disk.ErrSpecial
		}
		return info, err
	}
	if link := x.linked(filepath.Dir(local)); link != "" {
		return nil, fmt.Errorf("%s: %w", link, errLink)
	}
	info, err := disk.Lstat(p)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !info.Mode().IsRegular():
		return nil, disk.ErrSpecial
	}
	return info, nil
}

// linked returns the first folder on the way to one in the folder that is a link; "" when none is.
func (x *packing) linked(local string) (link string) {
	if local == "." {
		return ""
	}
	if known, ok := x.links.Load(local); ok {
		return known.(string)
	}
	if link = x.linked(filepath.Dir(local)); link == "" {
		if info, err := os.Lstat(filepath.Join(x.dir, local)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			link = local
		}
	}
	x.links.Store(local, link)
	return link
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
