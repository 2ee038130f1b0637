package convert

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/goccy/go-json" // five times as fast as the standard library: packing begins with tens of thousands of entries

	"github.com/usher-assets/usher/convert/format"
)

// ManifestName is the file of an unpacked folder that remembers where everything came from.
const ManifestName = "usher.json"

// Manifest describes an unpacked archive: what "pack" needs to put an edit back and to leave everything else alone.
type Manifest struct {
	Usher   string          `json:"usher"` // "unpacked archive"
	Archive ManifestArchive `json:"archive"`
	Entries []ManifestEntry `json:"entries"`
}

const manifestMark = "unpacked archive"

// ManifestArchive is the archive that was unpacked.
type ManifestArchive struct {
	Path   string `json:"path"` // relative to the folder where that is possible
	Format string `json:"format"`
	Stamp
}

// Stamp tells whether a file is still the same. The time spares reading it; the hash decides when the time differs.
type Stamp struct {
	Size int64  `json:"size"`
	Time int64  `json:"time"` // of the last change, nanoseconds since 1970
	Hash string `json:"hash"` // "xxh64:" and 16 hexadecimal digits
}

// ManifestEntry is one entry and the files that it became.
type ManifestEntry struct {
	Path   string         `json:"path"`
	Title  string         `json:"title,omitempty"`
	Kind   string         `json:"kind"`
	Format string         `json:"format,omitempty"` // how the payload was read; empty for raw bytes
	Size   int64          `json:"size"`             // of the payload
	Files  []ManifestFile `json:"files"`
}

// ManifestFile is a file of the folder; its name has slashes.
type ManifestFile struct {
	Name string `json:"name"`
	Stamp
}

func hashText(sum uint64) string { return fmt.Sprintf("xxh64:%016x", sum) }

// hashFile returns the hash of an open file's content.
func hashFile(r io.ReaderAt, size int64) (string, error) {
	h := xxhash.New()
	if _, err := io.CopyBuffer(h, io.NewSectionReader(r, 0, size), make([]byte, 256<<10)); err != nil {
		return "", err
	}
	return hashText(h.Sum64()), nil
}

// readManifest reads the manifest of an unpacked folder.
func readManifest(dir string) (*Manifest, error) {
	b, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		return nil, err
	}
	return decodeManifest(b)
}

// manifestHead returns what a manifest says of its archive, without reading the entries that come after it; false where
// an editor has changed the order.
func manifestHead(b []byte) (archive ManifestArchive, found bool) {
	r := json.NewDecoder(bytes.NewReader(b))
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
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestName, err)
	}
	if m.Usher != manifestMark {
		return nil, fmt.Errorf("%s: not the manifest of an unpacked archive", ManifestName)
	}
	return m, nil
}

// save writes the manifest into its folder, over an earlier one of the same archive.
func (m *Manifest) save(out *Folder) error {
	b, err := m.encode()
	if err != nil {
		return err
	}
	own := *out
	own.force = true
	return own.Write(ManifestName, b)
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
	b = fmt.Appendf(b, "{\"usher\": %s,\n \"archive\": %s,\n \"entries\": [", mark, archive)
	for i := range m.Entries {
		entry, err := json.Marshal(&m.Entries[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, "\n  "...), entry...)
	}
	return append(b, "\n ]}\n"...), nil
}

// newManifest begins the manifest of an open archive that is unpacked into dir.
func newManifest(a *Archive, dir string) (*Manifest, error) {
	stamp, err := stampOf(a.file)
	if err != nil {
		return nil, err
	}
	return &Manifest{Usher: manifestMark, Archive: ManifestArchive{relativePath(dir, a.Path), a.Format.Name, stamp}}, nil
}

// newStamp returns the stamp of the file at path.
func newStamp(path string) (Stamp, error) {
	file, err := os.Open(path)
	if err != nil {
		return Stamp{}, err
	}
	defer file.Close()
	return stampOf(file)
}

func stampOf(file *os.File) (Stamp, error) {
	info, err := file.Stat()
	if err != nil {
		return Stamp{}, err
	}
	hash, err := hashFile(file, info.Size())
	return Stamp{info.Size(), info.ModTime().UnixNano(), hash}, err
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

// same tells whether the file at path is still the one of the stamp.
func (s Stamp) same(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if info.Size() != s.Size {
		return false, nil
	}
	if info.ModTime().UnixNano() == s.Time {
		return true, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	hash, err := hashFile(file, info.Size())
	return hash == s.Hash, err
}

// newManifestEntry describes an entry without its files.
func newManifestEntry(e format.Entry, f *format.Format) ManifestEntry {
	m := ManifestEntry{Path: e.Path, Title: e.Title, Kind: e.Kind.String(), Size: e.Size}
	if f != nil {
		m.Format = f.Name
	}
	return m
}
