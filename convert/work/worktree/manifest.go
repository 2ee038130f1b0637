package worktree

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
)

// ManifestName is the file in an unpacked folder that records where everything came from.
const ManifestName = "usher.json"

// Manifest describes an unpacked archive. "usher pack" needs it to put edits back and to leave everything else unchanged.
type Manifest struct {
	Usher   string          `json:"usher"` // "unpacked archive", or "patch"
	Archive ManifestArchive `json:"archive"`
	Time    int64           `json:"time"`            // when the stamps were true, by the file system's clock: nanoseconds since 1970
	Terms   []string        `json:"terms,omitempty"` // of a patch: those of the new archive that the old one lacks, see [format.Abilities]
	Entries []ManifestEntry `json:"entries"`
}

const manifestMark = "unpacked archive"

// ManifestArchive is the archive that was unpacked.
type ManifestArchive struct {
	Path   string `json:"path"` // relative to the folder if possible
	Format string `json:"format"`
	disk.Stamp
	CodePage string `json:"codepage,omitempty"` // of the files: [format.Options.CodePage]
}

// compare reports whether a manifest or a journal speaks of the archive a, which was just read, wherever it is. A journal
// may have been written before all of the archive was read: there, its time decides.
func (a ManifestArchive) compare(stored ManifestArchive) disk.Verdict {
	switch {
	case a.Size != stored.Size:
		return disk.Different
	case stored.Hash == "" && a.Time == stored.Time:
		return disk.Same
	}
	return disk.CompareHashes(stored.Hash, a.Hash)
}

// otherPage returns the error for files that are to be taken for those of another code page than they are in.
func (a ManifestArchive) otherPage(dir string) error {
	return fmt.Errorf("the files of %s were made with --codepage %s, and need the same now", dir, cmp.Or(a.CodePage, codepage.Default))
}

// ManifestEntry is one entry with the files made from it.
type ManifestEntry struct {
	Path   string         `json:"path"`
	Title  string         `json:"title,omitempty"`
	Kind   string         `json:"kind"`
	Format string         `json:"format,omitempty"` // format that the payload was read in; empty for raw bytes
	Size   int64          `json:"size"`             // size of the payload
	Files  []ManifestFile `json:"files"`

	// Of a patch.
	Action string `json:"action,omitempty"` // "change", "add", "remove" or "rename"
	From   string `json:"from,omitempty"`   // path before the renaming
	Before string `json:"before,omitempty"` // hash of the payload in the original
	After  string `json:"after,omitempty"`  // hash of the payload after the patch
}

// ManifestFile is a file of the folder. Its name has slashes. In a patch it has no stamp.
type ManifestFile struct {
	Name string `json:"name"`
	disk.Stamp
}

// readManifest reads the manifest of an unpacked folder.
func readManifest(dir string) (*Manifest, error) {
	b, err := disk.ReadControl(dir, ManifestName)
	if err != nil {
		return nil, err
	}
	return decodeManifest(b)
}

// ArchiveOf returns the path of the archive that the folder dir was unpacked from, as stated in its manifest.
func ArchiveOf(dir string) (string, error) {
	m, err := readManifest(dir)
	if err != nil {
		return "", err
	}
	if m.Usher == patchMark {
		return "", fmt.Errorf("%s is of a patch: \"usher pack FOLDER --base ARCHIVE -o NEW\" puts it onto an archive", ManifestName)
	}
	return m.Archive.Path, nil
}

// manifestHead returns what a manifest says of its archive, without reading the entries that come after it; false where
// an editor has changed the order.
func manifestHead(b []byte) (archive ManifestArchive, found bool) {
	r := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff"))))
	for {
		token, err := r.Token()
		switch {
		case err != nil || token == "entries":
			return archive, false
		case token == "archive":
			return archive, r.Decode(&archive) == nil
		}
	}
}

func decodeManifest(b []byte) (*Manifest, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff")) // as some editors write it
	m, ours := decodeLines(b)
	if !ours { // somebody has edited it
		m = new(Manifest)
		if err := json.Unmarshal(b, m); err != nil {
			return nil, fmt.Errorf("%s: %w", ManifestName, err)
		}
	}
	if m.Usher != manifestMark && m.Usher != patchMark {
		return nil, fmt.Errorf("%s: not the manifest of an unpacked archive", ManifestName)
	}
	return m, nil
}

// save writes the manifest into its folder, or one below that, over an earlier one of the same archive.
func (m *Manifest) save(out *disk.Folder, below string) error {
	b, err := m.encode()
	if err != nil {
		return err
	}
	return out.Forced().Write(below+ManifestName, b)
}

// encode writes the manifest as JSON, one entry a line: people can search it, and tens of thousands of entries are read
// and written quickly.
func (m *Manifest) encode() ([]byte, error) {
	archive, err := json.Marshal(m.Archive)
	if err != nil {
		return nil, err
	}
	mark, err := json.Marshal(m.Usher)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 256*(len(m.Entries)+2))
	b = fmt.Appendf(b, "{\"usher\": %s,\n \"archive\": %s,\n \"time\": %d,\n", mark, archive, m.Time)
	if len(m.Terms) > 0 {
		terms, err := json.Marshal(m.Terms)
		if err != nil {
			return nil, err
		}
		b = fmt.Appendf(b, " \"terms\": %s,\n", terms)
	}
	b = append(b, " \"entries\": ["...)
	for i := range m.Entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n  "...)
		if b, err = m.Entries[i].append(b); err != nil {
			return nil, err
		}
	}
	return append(b, "\n ]}\n"...), nil
}

// newManifest begins the manifest of an open archive that is unpacked into dir. It has no stamp of it yet.
func newManifest(a *store.Archive, dir, codePage string) *Manifest {
	return &Manifest{Usher: manifestMark, Archive: ManifestArchive{Path: relativePath(dir, a.Path), Format: a.Format.Name, CodePage: codePage}}
}

// relativePath returns target as seen from dir, with slashes; the absolute path where there is no relative one.
func relativePath(dir, target string) string {
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(target)
	if err1 != nil || err2 != nil {
		return filepath.ToSlash(target)
	}
	if rel, err := filepath.Rel(from, to); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(to)
}

// newManifestEntry describes an entry without its files.
func newManifestEntry(e format.Entry, f *format.Format) ManifestEntry {
	m := ManifestEntry{Path: e.Path, Title: e.Title, Kind: e.Kind.String(), Size: e.Size}
	if f != nil {
		m.Format = f.Name
	}
	return m
}
