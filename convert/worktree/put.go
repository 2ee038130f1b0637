package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// put packs one edited file, which no folder remembers, into the archive that Base names. Base may end in :ENTRY;
// without it the file's name says which entry is meant, or the archive has one that speaks for it.
func (p *Packing) put(ctx context.Context, file, out string, to *convert.ArchiveOutput, d *schema.Diagnostics) (*Packed, error) {
	if p.Base == "" {
		return nil, fmt.Errorf("%s is a file: pack wants a folder, or with --base the archive whose entry the file replaces", file)
	}
	operand, entry, err := convert.ParseOperand(p.Base)
	if err != nil {
		return nil, fmt.Errorf("--base: %s: %w", p.Base, convert.PlainError(err))
	}
	base, err := convert.OpenAny(operand, p.Loader.From, p.Loader.Env(operand, d))
	if err != nil {
		return nil, fmt.Errorf("--base: %s: %w", operand, err)
	}
	defer base.Close()
	n, err := entryOf(base, entry, file)
	if err != nil {
		return nil, err
	}
	payload, err := base.Payload(n)
	if err != nil {
		return nil, schema.In(entry, err)
	}
	e := base.Entries()[n]
	m := newManifestEntry(e, e.Format.Of(n, payload))
	m.Files = []ManifestFile{{Name: filepath.Base(file)}}
	if filepath.Ext(file) == rawExtension { // as "unpack" names payloads that it leaves as they are stored
		m.Format = ""
	}
	dir := filepath.Dir(file)
	x := &packing{
		Packing: p, dir: dir, out: to, folder: disk.Dry(dir, true), base: base, diagnostics: d, done: new(Packed), encoded: map[string]bool{},
		manifest: &Manifest{Archive: ManifestArchive{Path: operand, Format: base.Format.Name}, Entries: []ManifestEntry{m}},
	}
	if err := x.checkPictures(m, n, payload); err != nil {
		return nil, err
	}
	before := append([]format.Entry(nil), base.Entries()...)
	x.done.Unchanged = len(before) - 1
	if err := x.replaceAll(ctx, x.manifest.Entries); err != nil {
		return x.done, err
	}
	x.noteOthers(before)
	if err := x.refused(); err != nil {
		return x.done, err
	}
	return x.done, x.write(ctx, out)
}

// checkPictures returns an error when the file holds fewer pictures than the entry: the others would be gone.
func (x *packing) checkPictures(m ManifestEntry, n int, payload []byte) error {
	f := x.base.Entries()[n].Format.Of(n, payload)
	if f == nil || f.Kind != format.Texture || f.Lift == nil {
		return nil
	}
	original := convert.OriginalOf(f, payload, x.Loader.Env(x.base.Path, nil))
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
		n += max(len(f.Faces), 1)
	}
	return n
}

// entryOf returns the number of the entry that a file is to replace.
func entryOf(a *convert.Archive, entry, file string) (int, error) {
	if entry != "" {
		return a.Find(entry)
	}
	stem, found := convert.PictureStem(filepath.Base(file)), -1
	for i, e := range a.Entries() {
		own := convert.SafePath(e.Path)
		if stem != own && !strings.HasPrefix(stem, own+"_") && stem != convert.EntryStem(e) {
			continue
		}
		if found < 0 || len(own) > len(convert.SafePath(a.Entries()[found].Path)) { // the longest says most
			found = i
		}
	}
	if found >= 0 {
		return found, nil
	}
	if l, ok := a.ArchiveFile.(format.Leading); ok && l.Lead() >= 0 {
		return l.Lead(), nil
	}
	return 0, fmt.Errorf("%s does not say which entry of %s it is: name it, with --base %s:ENTRY", filepath.Base(file), a.Path, a.Path)
}
