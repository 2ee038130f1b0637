package worktree

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert"
)

// renew brings the manifest in line with an archive that was packed over the one that it describes. The folder is then
// as if it came from the new one, and the next edit can be packed.
func (x *packing) renew(out string) error {
	if err := x.saveRenewed(out); err != nil {
		return fmt.Errorf("%s is written, but %s does not describe it yet: %w", out, filepath.Join(x.dir, ManifestName), err)
	}
	return nil
}

func (x *packing) saveRenewed(out string) error {
	stamp, err := convert.NewStamp(out)
	if err != nil {
		return err
	}
	m := x.manifest
	m.Archive.Path, m.Archive.Stamp = relativePath(x.dir, out), stamp
	for n := range m.Entries {
		e := &m.Entries[n]
		i, err := x.base.Find(e.Path)
		if err != nil {
			return err
		}
		e.Size = x.base.Entries()[i].Size
		for k := range e.Files {
			if f := &e.Files[k]; f.Hash == "" {
				if f.Stamp, err = convert.NewStamp(filepath.Join(x.dir, filepath.FromSlash(f.Name))); err != nil {
					return err
				}
			}
		}
	}
	folder, err := convert.OpenFolder(x.dir, true)
	if err != nil {
		return err
	}
	defer folder.Close()
	return m.save(folder)
}

// unstamped returns files without their stamps.
func unstamped(files []ManifestFile) []ManifestFile {
	out := make([]ManifestFile, len(files))
	for i, f := range files {
		out[i].Name = f.Name
	}
	return out
}

// sameFile tells whether two paths name one file; a link is not what it leads to.
func sameFile(a, b string) bool {
	x, err1 := os.Lstat(a)
	y, err2 := os.Lstat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
