package worktree

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
)

// Undoing brings back what an archive was before the last run over it.
type Undoing struct {
	DryRun bool // only look whether it can be done
}

// Undone is the outcome of an Undoing.
type Undone struct {
	disk.Kept
	Left int // how many runs further back it goes
}

// Run brings back the bytes that the archive had before it was packed over, which is what the last run kept of it, and those
// of the files beside it that were written with it. Run again, it goes back further. Where somebody else has changed one of
// them since, all are left alone.
func (u *Undoing) Run(_ context.Context, archive string) (Undone, error) {
	archive, err := disk.Resolve(archive)
	if err != nil {
		return Undone{}, err
	}
	if info, err := disk.Stat(archive); err != nil {
		return Undone{}, fmt.Errorf("%s: %w", archive, disk.PlainError(err))
	} else if !info.Mode().IsRegular() {
		return Undone{}, fmt.Errorf("%s: %w", archive, disk.ErrSpecial)
	}
	folder, err := disk.Open(filepath.Dir(archive), true)
	if err != nil {
		return Undone{}, fmt.Errorf("%s: %w", archive, disk.PlainError(err))
	}
	defer folder.Close()
	kept, left, err := folder.Undo(filepath.Base(archive), u.DryRun)
	if err != nil {
		return Undone{}, fmt.Errorf("%s: %w", archive, disk.PlainError(err))
	}
	return Undone{kept, left}, nil
}

// History returns what is kept of an archive, the first first.
func History(archive string) ([]disk.Kept, error) {
	archive, err := disk.Resolve(archive)
	if err != nil {
		return nil, err
	}
	folder, err := disk.Open(filepath.Dir(archive), true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, disk.PlainError(err))
	}
	defer folder.Close()
	return folder.Kept(filepath.Base(archive))
}
