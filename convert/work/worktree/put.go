package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// put packs one edited file, which belongs to no unpacked folder, into the archive in Base. Base may end in :ENTRY.
// Otherwise the file's name says which entry is meant, or the archive has an entry that stands for the whole.
func (p *Packing) put(ctx context.Context, file, out string, to *store.ArchiveOutput, d *schema.Diagnostics) (*Packed, error) {
	if p.Base == "" {
		return nil, schema.Hinted(fmt.Errorf("%s is a file: pack wants a folder", file), ", or with --base the archive whose entry the file replaces")
	}
	if p.Reverse {
		return nil, fmt.Errorf("%s is a file: --reverse takes a patch back, which is a folder", file)
	}
	operand, entry, err := engine.ParseOperand(p.Base)
	if err != nil {
		return nil, fmt.Errorf("--base: %s: %w", p.Base, disk.PlainError(err))
	}
	dir := filepath.Dir(file)
	x := &packing{Packing: p, dir: dir, out: to, folder: disk.Dry(dir, true), diagnostics: d, done: new(Packed), encoded: map[string]bool{}}
	if err := x.openPut(operand, out); err != nil {
		return nil, err
	}
	defer x.base.Close()
	n, err := entryOf(x.base, entry, file)
	if err != nil {
		return nil, err
	}
	if err := x.planPut(n, filepath.Base(file)); err != nil {
		return nil, err
	}
	return x.done, x.putPlanned(ctx, out)
}

// putAll packs the files of a folder that nothing remembers into the archive that Base names, each as a single file is.
func (x *packing) putAll(ctx context.Context, out string) error {
	operand, entry, err := engine.ParseOperand(x.Base)
	switch {
	case err != nil:
		return fmt.Errorf("--base: %s: %w", x.Base, disk.PlainError(err))
	case entry != "":
		return fmt.Errorf("--base %s: %s is a folder, and its files say themselves which entries they are", x.Base, x.dir)
	case x.Reverse:
		return fmt.Errorf("%s is no patch: --reverse takes one back", x.dir)
	case x.Prune:
		return schema.Hinted(fmt.Errorf("%s has no %s: nobody knows which of its files were deleted", x.dir, ManifestName), ", for --prune")
	}
	if err := x.openPut(operand, out); err != nil {
		return err
	}
	defer x.base.Close()
	files, err := x.unknownFiles(nil)
	if err != nil {
		return err
	}
	files = x.withCompanions(slices.DeleteFunc(files, interchange.IsSidecar), nil)
	names := newEntryNames(x.base)
	var order []int
	of := map[int][]string{}
	for _, name := range files {
		n, ok := names.find(name)
		if !ok {
			x.fail("", fmt.Errorf("no entry of %s is called so; new entries come from a folder that \"usher unpack\" made", operand), name)
			continue
		}
		if of[n] = append(of[n], name); len(of[n]) == 1 {
			order = append(order, n)
		}
	}
	for _, n := range order {
		if err := x.planPut(n, of[n]...); err != nil {
			x.fail(x.base.Entries()[n].Path, err, of[n]...)
		}
	}
	if err := x.refused(); err != nil {
		return err
	}
	if len(x.manifest.Entries) == 0 {
		return formats.ErrNothing
	}
	return x.putPlanned(ctx, out)
}

// openPut opens the archive that files are put into.
func (x *packing) openPut(base, out string) (err error) {
	x.base, err = store.OpenAny(base, x.Loader.From, x.Loader.Env(base, x.diagnostics))
	if err != nil {
		return fmt.Errorf("--base: %s: %w", base, err)
	}
	x.manifest = &Manifest{Archive: ManifestArchive{Path: base, Format: x.base.Format.Name}}
	if err := checkExtension(out, x.base); err != nil {
		x.base.Close()
		return err
	}
	return nil
}

// planPut notes which files an entry is made of: one, or the pictures of a texture.
func (x *packing) planPut(n int, files ...string) error {
	slices.SortStableFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(interchange.PictureFrame(a), interchange.PictureFrame(b)), cmp.Compare(interchange.PictureFace(a), interchange.PictureFace(b)))
	})
	stem := interchange.PictureStem(files[0])
	for _, name := range files[1:] {
		if interchange.PictureStem(name) != stem || path.Ext(name) != path.Ext(files[0]) {
			return errors.New("they are all called like this entry: leave one of them")
		}
	}
	e := x.base.Entries()[n]
	payload, err := x.base.Payload(n)
	if err != nil {
		return schema.In(e.Path, err)
	}
	m := newManifestEntry(e, e.Format.Of(n, payload))
	for _, name := range files {
		m.Files = append(m.Files, ManifestFile{Name: name})
	}
	if path.Ext(files[0]) == rawExtension || x.base.Abilities().Files { // as "unpack" names what it leaves as it is stored
		m.Format = ""
	} else if err := x.checkPictures(m, n, payload); err != nil {
		return err
	}
	x.manifest.Entries = append(x.manifest.Entries, m)
	return nil
}

// putPlanned encodes what was planned and writes the archive.
func (x *packing) putPlanned(ctx context.Context, out string) error {
	before := slices.Clone(x.base.Entries())
	x.done.Unchanged = len(before) - len(x.manifest.Entries)
	if err := x.replaceAll(ctx, x.manifest.Entries); err != nil {
		return err
	}
	x.noteOthers(before)
	if err := x.refused(); err != nil {
		return err
	}
	return x.write(ctx, out)
}

// checkPictures returns an error when the file holds fewer pictures than the entry: the others would be gone.
func (x *packing) checkPictures(m ManifestEntry, n int, payload []byte) error {
	f := x.base.Entries()[n].Format.Of(n, payload)
	if f == nil || f.Kind != format.Texture || f.Lift == nil {
		return nil
	}
	original := interchange.OriginalOf(f, payload, x.Loader.Env(x.base.Path, nil))
	was, err := original.Lift()
	if err != nil {
		return nil // it is replaced because it is broken
	}
	it, err := x.load(m, original, nil)
	if err != nil {
		return nil // which encoding says in its own words
	}
	is, err := it.Lift()
	if err != nil {
		return nil
	}
	if a, b := pictures(was), pictures(is); b < a {
		return fmt.Errorf("%s holds %d pictures, and entry %s %d: edit it in a folder that \"usher unpack\" made", m.Files[0].Name, b, m.Path, a)
	}
	return nil
}

// pictures returns the number of frames and faces of a texture.
func pictures(a asset.Asset) (n int) {
	t, ok := a.(*asset.Texture)
	if !ok {
		return 0
	}
	for _, f := range t.Frames {
		n += 1 + len(f.Faces)
	}
	return n
}

// entryOf returns the number of the entry that a file is to replace.
func entryOf(a *store.Archive, entry, file string) (int, error) {
	if entry != "" {
		return a.Find(entry)
	}
	if n, ok := newEntryNames(a).find(filepath.Base(file)); ok {
		return n, nil
	}
	if lead := a.Abilities().Lead; lead != nil && lead() >= 0 {
		return lead(), nil
	}
	name := filepath.Base(file)
	hint := ": name it, with --base " + a.Path + ":ENTRY"
	rows := func(e format.Entry) bool {
		f := e.Format.Seen()
		return f != nil && (f.Kind == format.Table || f.Kind == format.Text)
	}
	if slices.ContainsFunc(a.Entries(), rows) {
		hint += fmt.Sprintf("; a table of all entries goes back with \"convert %s --base %s -o NEW%s\"", name, a.Path, filepath.Ext(a.Path))
	}
	return 0, schema.Hinted(fmt.Errorf("%s does not say which entry of %s it is", name, a.Path), "%s", hint)
}

// entryNames finds entries by what their files are called.
type entryNames struct{ byPath, byStem map[string]int }

func newEntryNames(a *store.Archive) *entryNames {
	list := a.Entries()
	x := &entryNames{make(map[string]int, len(list)), make(map[string]int, len(list))}
	for i := len(list) - 1; i >= 0; i-- { // of several alike the first counts
		x.byPath[disk.SafePath(list[i].Path)] = i
		x.byStem[store.EntryStem(list[i])] = i
		if e := &list[i]; e.File != "" && e.Format != nil { // with the extension, since the class has the same name
			x.byPath[path.Base(e.File)+e.Format.Shown] = i
		}
	}
	return x
}

// find returns the entry that a file name says: its path, with the title that it has or another one.
func (x *entryNames) find(name string) (int, bool) {
	stem := interchange.PictureStem(name)
	for _, known := range [...]map[string]int{x.byPath, x.byStem} {
		for _, text := range [...]string{name, stem} { // an archive of files has them under their whole names
			if n, ok := known[text]; ok {
				return n, true
			}
		}
	}
	for end := strings.LastIndexByte(stem, '_'); end > 0; end = strings.LastIndexByte(stem[:end], '_') { // the longest path says most
		if n, ok := x.byPath[stem[:end]]; ok {
			return n, true
		}
	}
	return 0, false
}

// checkExtension returns an error when a name for the archive says that it is something else.
func checkExtension(out string, a *store.Archive) error {
	ext := strings.ToLower(filepath.Ext(out))
	if ext == "" || ext == strings.ToLower(filepath.Ext(a.Path)) {
		return nil
	}
	candidates, x := formats.ByExtension(ext), interchange.ByExtension(ext)
	if slices.ContainsFunc(candidates, func(f *format.Format) bool { return f.Name == a.Format.Name }) {
		return nil
	}
	switch {
	case x != nil:
		return fmt.Errorf("%s: %s is the extension of %s files, and this is a %s", out, ext, x.Name, a.Format.Title)
	case len(candidates) > 0 && !formats.VagueExtension(ext):
		return fmt.Errorf("%s: %s is the extension of a %s, and this is a %s", out, ext, candidates[0].Title, a.Format.Title)
	}
	return nil
}
