package download

import (
	"bytes"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// UMOD is the format of Unreal Tournament's installers (reference section 25).
var UMOD = format.Format{
	Name: unreal.UMODFormat, Family: unreal.Format, Title: "installer of Unreal Tournament", Kind: format.Archive, Extensions: []string{".umod"},
	Probe: probeUMOD, Open: openUMOD, Create: createUMOD,
}

// probeUMOD knows an installer by the magic in its last bytes.
func probeUMOD(in *format.Input) format.Confidence {
	var tail [unreal.UMODTrailer]byte
	switch {
	case in.Size < int64(len(tail)):
		return format.No
	case in.At != nil:
		if _, err := in.At.ReadAt(tail[:], in.Size-int64(len(tail))); err != nil && err != io.EOF {
			return format.No
		}
	case int64(len(in.Head)) == in.Size:
		copy(tail[:], in.Head[in.Size-int64(len(tail)):])
	}
	if read.IsUMOD(tail[:]) {
		return format.Certain
	}
	return format.No
}

// umodArchive shows the files of an installer by their paths, with slashes.
type umodArchive struct {
	x       *unreal.UMOD      // without its content
	source  *io.SectionReader // that; nil for a new installer
	edits   map[int]*io.SectionReader
	spool   format.Spool
	entries []format.Entry
	edited  bool

	unsettled        bool            // the manifest may not list what there is
	stored, unlisted map[string]bool // files of the stored archive; those that its manifest does not list
	product          string          // name of a new one
	told             *schema.Diagnostics
}

func openUMOD(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	x, content, err := read.UMODAt(r, size, env.Told())
	if err != nil {
		return nil, err
	}
	a := &umodArchive{x: x, source: io.NewSectionReader(r, 0, content), edits: map[int]*io.SectionReader{}, told: env.Told()}
	a.describe()
	return a, nil
}

func createUMOD(env *format.Env) (format.ArchiveFile, error) {
	product := "Mod"
	if env != nil && env.Name != "" {
		product = strings.TrimSuffix(env.Name, path.Ext(env.Name))
	}
	return &umodArchive{x: &unreal.UMOD{Version: unreal.UMODVersion}, edits: map[int]*io.SectionReader{}, product: product, told: env.Told()}, nil
}

func (a *umodArchive) describe() {
	a.entries = make([]format.Entry, len(a.x.Files))
	taken := make(map[string]bool, len(a.x.Files)) // in lower case
	for i, f := range a.x.Files {
		p := strings.ReplaceAll(f.Path.Text, `\`, "/")
		for taken[strings.ToLower(p)] {
			p += "@"
		}
		taken[strings.ToLower(p)] = true
		e := format.Entry{Path: p, Kind: format.Raw, Size: int64(f.Size), Offset: int64(f.Offset)}
		if edit, ok := a.edits[i]; ok {
			e.Size, e.Offset = edit.Size(), -1
		}
		a.entries[i] = e
	}
}

// Abilities implements format.ArchiveFile.
func (a *umodArchive) Abilities() format.Abilities {
	return format.Abilities{Files: true, Section: a.section, PayloadInto: a.payloadInto, SpoolTo: a.spoolTo}
}

// Entries lists the files. The manifest among them follows the others.
func (a *umodArchive) Entries() []format.Entry {
	if err := a.settle(); err != nil {
		a.told.Warnf("manifest-kept", manifestPath, "it could not be brought in line with the files: %v", err)
	}
	return a.entries
}

// Payload returns a file. It fails with ErrValue if the file would be installed outside the game's folder.
func (a *umodArchive) Payload(i int) ([]byte, error) { return a.payloadInto(nil, i) }

func (a *umodArchive) section(i int) (*io.SectionReader, error) {
	if err := a.settle(); err != nil {
		return nil, err
	}
	return a.rawSection(i)
}

func (a *umodArchive) rawSection(i int) (*io.SectionReader, error) {
	if i < 0 || i >= len(a.x.Files) {
		return nil, schema.Errorf(unreal.UMODFormat, schema.ErrRange, "entry", "%d of %d", i, len(a.x.Files))
	}
	if err := inside(a.entries[i].Path); err != nil {
		return nil, err
	}
	if r, ok := a.edits[i]; ok {
		return r, nil
	}
	f := &a.x.Files[i]
	return io.NewSectionReader(a.source, int64(f.Offset), int64(f.Size)), nil
}

func (a *umodArchive) payloadInto(buffer []byte, i int) ([]byte, error) {
	if err := a.settle(); err != nil {
		return nil, err
	}
	return a.rawPayload(buffer, i)
}

// rawPayload is payloadInto for a manifest as it stands.
func (a *umodArchive) rawPayload(buffer []byte, i int) ([]byte, error) {
	r, err := a.rawSection(i)
	if err != nil {
		return nil, err
	}
	size := int(r.Size())
	b := slices.Grow(buffer[:0], size)[:size]
	if n, err := r.ReadAt(b, 0); n < size {
		return nil, schema.Errorf(unreal.UMODFormat, schema.ErrTruncated, a.entries[i].Path, "%d of %d bytes: %v", n, size, err)
	}
	return b, nil
}

// inside refuses paths that lead out of the folder in which the game is.
func inside(path string) error {
	if path == "" || path[0] == '/' || strings.Contains(path, ":") || slices.Contains(strings.Split(path, "/"), "..") {
		return schema.Errorf(unreal.UMODFormat, schema.ErrValue, "path", "%q leads out of the game's folder", path)
	}
	return nil
}

func (a *umodArchive) Replace(i int, payload []byte) error {
	old, err := a.Payload(i)
	if err != nil || string(old) == string(payload) {
		return err
	}
	a.touch()
	return a.edit(i, payload)
}

// touch notes that the manifest is to be brought in line with the files before anybody sees it.
func (a *umodArchive) touch() {
	if a.stored == nil {
		a.recall()
	}
	a.unsettled = true
}

func (a *umodArchive) spoolTo(file func() (*os.File, error)) { a.spool.Open = file }

// edit sets the content of file i.
func (a *umodArchive) edit(i int, payload []byte) error {
	stored, err := a.spool.Keep(payload)
	if err != nil {
		return err
	}
	if stored == nil {
		stored = io.NewSectionReader(bytes.NewReader(payload), 0, int64(len(payload)))
	}
	a.edits[i], a.edited = stored, true
	a.describe()
	return nil
}

func (a *umodArchive) Add(path string, payload []byte, hint *format.Format) error {
	if err := inside(path); err != nil {
		return err
	}
	if slices.ContainsFunc(a.entries, func(e format.Entry) bool { return strings.EqualFold(e.Path, path) }) {
		return schema.Errorf(unreal.UMODFormat, schema.ErrMismatch, "path", "there is a %s already", path)
	}
	a.touch()
	f := unreal.UMODFile{Path: unreal.Str{Text: strings.ReplaceAll(path, "/", `\`)}}
	if isManifest(&f) {
		f.Flags = unreal.UMODManifest
	}
	a.x.Files = append(a.x.Files, f)
	if err := a.edit(len(a.x.Files)-1, payload); err != nil {
		a.x.Files = a.x.Files[:len(a.x.Files)-1]
		return err
	}
	return nil
}

func (a *umodArchive) Remove(i int) error {
	if i < 0 || i >= len(a.x.Files) {
		return schema.Errorf(unreal.UMODFormat, schema.ErrRange, "entry", "%d of %d", i, len(a.x.Files))
	}
	a.touch()
	edits := map[int]*io.SectionReader{}
	for k, b := range a.edits {
		switch {
		case k < i:
			edits[k] = b
		case k > i:
			edits[k-1] = b
		}
	}
	a.x.Files, a.edits, a.edited = slices.Delete(slices.Clone(a.x.Files), i, i+1), edits, true
	a.describe()
	return nil
}

// WriteTo writes the installer. An edited one is written anew: the files one after another, the directory, the check sum.
func (a *umodArchive) WriteTo(w io.Writer) (int64, error) {
	if err := a.settle(); err != nil {
		return 0, err
	}
	a = a.withManifest()
	x, sum, size := a.x, unreal.NewCRC(), int64(0)
	var err error
	if a.edited {
		x = &unreal.UMOD{Version: x.Version, Files: slices.Clone(x.Files), Fresh: true}
		size, sum, err = a.writeFiles(w, x.Files)
	} else if a.source != nil {
		size, err = io.Copy(w, io.NewSectionReader(a.source, 0, a.source.Size()))
	}
	if err != nil {
		return size, err
	}
	tail, err := write.UMODTail(x, uint32(size), sum)
	if err != nil {
		return size, err
	}
	n, err := w.Write(tail)
	return size + int64(n), err
}

// writeFiles writes the content, and where each file is into the directory.
func (a *umodArchive) writeFiles(w io.Writer, files []unreal.UMODFile) (size int64, sum unreal.CRC, err error) {
	sum = unreal.NewCRC()
	b := []byte{} // never an edit's own
	for i := range files {
		if b, err = a.payloadInto(b[:0:cap(b)], i); err != nil {
			return size, sum, err
		}
		if size+int64(len(b)) > math.MaxUint32 {
			return size, sum, schema.Errorf(unreal.UMODFormat, schema.ErrLimit, "size", "more than %d bytes", uint32(math.MaxUint32))
		}
		files[i].Offset, files[i].Size = uint32(size), uint32(len(b))
		n, err := w.Write(b)
		size += int64(n)
		if err != nil {
			return size, sum, err
		}
		sum = sum.Add(b)
	}
	return size, sum, nil
}

func (a *umodArchive) Facts() []format.Fact {
	return []format.Fact{{Name: "version", Value: int(a.x.Version)}, {Name: "files", Value: len(a.x.Files)}}
}
