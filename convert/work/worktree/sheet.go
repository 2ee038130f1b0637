package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// An archive of nothing but texts or flat tables can be one file in its folder: a table, or a PO file for translators. The
// manifest has it as the file of an entry without a path.

// wholePath is the path of what stands for all entries.
const wholePath = ""

func isWhole(e ManifestEntry) bool { return e.Path == wholePath }

// sheet returns the one file that the archive becomes; nil where its entries become files of their own.
func (x *unpacking) sheet() ([]format.File, error) {
	name := formats.Stem(filepath.Base(x.archive.Path)) + "." + strings.TrimPrefix(strings.ToLower(x.To), ".")
	_, was := x.earlier[wholePath]
	want := !x.Raw && x.To != "" && batch.IsSheet(name)
	only := interchange.ByExtension(filepath.Ext(name)) == nil // no single entry becomes such a file
	some := x.Selection.Filters() || len(x.Selection.Include)+len(x.Selection.Exclude) > 0
	switch {
	case was && (!want || some || x.earlier[wholePath].Files[0].Name != name):
		return nil, fmt.Errorf("%s holds the whole archive as %s: unpack into another folder", x.out.Path(""), x.earlier[wholePath].Files[0].Name)
	case want && only && some:
		return nil, fmt.Errorf("a .%s file holds all texts of an archive: leave the selection out", x.To)
	case want && only && !was && len(x.earlier) > 0:
		return nil, fmt.Errorf("%s holds a file for each entry: unpack into another folder", x.out.Path(""))
	case !want || some || !was && len(x.earlier) > 0:
		return nil, nil
	}
	env := x.Loader.Env(x.archive.Path, nil)
	files, err := batch.EncodeSheet(x.archive, &x.Loader, name, env)
	if err != nil && !only {
		return nil, nil // its entries are what can be written
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot become %s: %w", filepath.Base(x.archive.Path), name, err)
	}
	return files, nil
}

// unpackSheet writes the file of the whole archive.
func (x *unpacking) unpackSheet(ctx context.Context, files []format.File) (results []batch.Result) {
	a := x.archive
	results = []batch.Result{{Source: a.Path, Format: a.Format.Name, Size: a.Size, Status: batch.Failed}}
	r := &results[0]
	defer batch.Guard(r)
	e := format.Entry{Path: wholePath, Kind: format.Table, Size: a.Size}
	if outputs, ok := x.current(e); ok {
		x.entries[0] = x.earlier[wholePath]
		r.Status, r.Outputs = batch.UpToDate, outputs
		return results
	}
	d := new(schema.Diagnostics)
	x.tellLost(files, d)
	r.Diagnostics = d.All()
	if p, ok := x.prepare(ctx, r, 0, newManifestEntry(e, a.Format), files); ok {
		x.finish([]prepared{p})
	}
	return results
}

// applySheet takes the whole archive's file out of what was edited, and brings the entries in line with it. It returns the
// rest.
func (x *packing) applySheet(changed []ManifestEntry) []ManifestEntry {
	i := slices.IndexFunc(changed, isWhole)
	if i < 0 {
		return changed
	}
	name := changed[i].Files[0].Name
	var faults schema.Faults
	faults.Add(batch.Guarded(func() error {
		local, err := localName(name)
		if err != nil {
			return err
		}
		if !batch.IsSheet(name) {
			return fmt.Errorf("%s: no table of a whole archive is called so", ManifestName)
		}
		if err := x.rememberUnplaced(); err != nil {
			return err
		}
		env := x.Loader.Env(x.base.Path, x.diagnostics.In(name))
		err = batch.DecodeSheet(x.base, &x.Loader, filepath.Join(x.dir, local), env)
		x.base.Reindex()
		return cmp.Or(err, find.Unread(env))
	}))
	for _, err := range faults.List() {
		x.fail("", err, name)
	}
	x.encoded[wholePath] = true
	return slices.Delete(changed, i, i+1)
}

// rememberUnplaced notes what the entries hold that have no place of their own in the file, which else would tell that they
// were replaced.
func (x *packing) rememberUnplaced() error {
	x.unplaced = map[string]string{}
	for i, e := range x.base.Entries() {
		if e.Offset >= 0 {
			continue
		}
		payload, err := x.base.Payload(i)
		if err != nil {
			return err
		}
		x.unplaced[e.Path] = hashOf(payload)
	}
	return nil
}

// replaced reports whether entry i, which was there before, has other content.
func (x *packing) replaced(i int, was, e *format.Entry) bool {
	before, unplaced := x.unplaced[e.Path]
	if !unplaced {
		return was.Offset >= 0 && e.Offset < 0
	}
	payload, err := x.base.Payload(i)
	return err == nil && disk.CompareHashes(before, hashOf(payload)) == disk.Different
}

// countOthers counts the entries that the folder has no file of as unchanged, and so all of a whole archive's file: what has
// changed of them is found in the archive.
func (x *packing) countOthers() {
	if slices.ContainsFunc(x.manifest.Entries, isWhole) {
		x.done.Unchanged = len(x.base.Entries())
		return
	}
	has := map[string]bool{}
	for _, e := range x.manifest.Entries {
		has[e.Path] = true
	}
	for _, e := range x.base.Entries() {
		if !has[e.Path] {
			x.done.Unchanged++
		}
	}
}

// errSheetGone is the error of a whole archive's file that was deleted.
var errSheetGone = errors.New("it holds all entries of the archive: put it back")
