package batch

import (
	"path"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// IsSheet reports whether a file of this name can hold a whole archive of texts or flat tables, which nothing else does:
// .csv, .po.
func IsSheet(name string) bool { return sheetOf(name) != nil && path.Ext(name) != ".txt" }

// EncodeSheet makes the file of this name out of an open archive. The file says nothing of where it came from; an error
// means that the archive has entries which are no texts or flat tables, or are of several kinds.
func EncodeSheet(a *store.Archive, l *engine.Loader, name string, env *format.Env) ([]format.File, error) {
	all, err := readArchiveTable(a, env)
	if err != nil {
		return nil, err
	}
	files, err := sheetOf(name).encode(&Conversion{Loader: *l, Out: name}, all, env)
	if err != nil {
		return nil, err
	}
	return files[:1], nil // without the sidecar
}

// DecodeSheet brings an open archive in line with the file p that EncodeSheet made and somebody has edited. Entries
// without a row are removed where the options ask for that.
func DecodeSheet(a *store.Archive, l *engine.Loader, p string, env *format.Env) error {
	stored, err := readArchiveTable(a, env)
	if err != nil {
		return err
	}
	base := func(string) (*archiveTable, error) { return stored, nil }
	edited, err := sheetOf(p).decode(&Conversion{Loader: *l}, p, base, env.Diagnostics)
	if err != nil {
		return err
	}
	return stored.replace(edited, l.Options.Prune)
}
