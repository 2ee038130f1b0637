package worktree

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
)

// Undoing restores an archive as it was before the last run that wrote it.
type Undoing struct {
	DryRun bool // only check whether it is possible
}

// Undone is the result of an Undoing.
type Undone struct {
	disk.Kept
	Left int // how many earlier runs can still be undone
}

// Run restores the bytes that the archive had before the last pack, and those of the files written with it. Run again, it
// goes one further back. If one of the files was changed by somebody else since, none is restored.
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

// History returns what is kept of an archive for undo, the oldest first.
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
