package batch

import (
	"path"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// IsSheet reports whether a file with this name (.csv, .po) can hold a whole archive of texts or flat tables.
func IsSheet(name string) bool { return sheetOf(name) != nil && path.Ext(name) != ".txt" }

// EncodeSheet makes a file of this name from an open archive. The file does not say where it came from. It fails if the
// archive has entries that are not texts or flat tables, or entries of several kinds.
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

// DecodeSheet applies the edited sheet p, made by EncodeSheet, to an open archive. Entries whose row was deleted are
// removed if the options ask for it.
func DecodeSheet(a *store.Archive, l *engine.Loader, p string, env *format.Env) error {
	stored, err := readArchiveTable(a, env)
	if err != nil {
		return err
	}
	base := func(_, _ string) (*archiveTable, error) { return stored, nil }
	edited, err := sheetOf(p).decode(&Conversion{Loader: *l}, p, base, env.Diagnostics)
	if err != nil {
		return err
	}
	return stored.replace(edited, l.Options.Prune)
}
