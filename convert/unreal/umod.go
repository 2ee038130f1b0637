package unreal

import (
	"io"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// umodFormat is an installer of Unreal Tournament (reference section 25).
var umodFormat = format.Format{
	Name: unreal.UMODFormat, Family: family, Title: "installer of Unreal Tournament", Kind: format.Archive, Extensions: []string{".umod"},
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
	x       *unreal.UMOD
	edits   map[int][]byte
	entries []format.Entry
	edited  bool
}

func openUMOD(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	b := make([]byte, size)
	if n, err := r.ReadAt(b, 0); int64(n) < size {
		return nil, schema.Errorf(unreal.UMODFormat, schema.ErrTruncated, "", "%d of %d bytes: %v", n, size, err)
	}
	x, err := read.UMOD(b, env.Told())
	if err != nil {
		return nil, err
	}
	a := &umodArchive{x: x, edits: map[int][]byte{}}
	a.describe()
	return a, nil
}

func createUMOD(*format.Env) (format.ArchiveFile, error) {
	return &umodArchive{x: &unreal.UMOD{Version: unreal.UMODVersion}, edits: map[int][]byte{}}, nil
}

func (a *umodArchive) describe() {
	a.entries = make([]format.Entry, len(a.x.Files))
	paths := newPathSet(len(a.x.Files))
	for i, f := range a.x.Files {
		path := strings.ReplaceAll(f.Path.Text, `\`, "/")
		for !paths.add(foldedHash(path)) {
			path += "@"
		}
		e := format.Entry{Path: path, Kind: format.Raw, Size: int64(f.Size), Offset: int64(f.Offset)}
		if b, ok := a.edits[i]; ok {
			e.Size, e.Offset = int64(len(b)), -1
		}
		a.entries[i] = e
	}
}

func (a *umodArchive) HoldsFiles() bool { return true }

func (a *umodArchive) Entries() []format.Entry { return a.entries }

// Payload returns a file. One that would be put outside the game's folder is ErrValue.
func (a *umodArchive) Payload(i int) ([]byte, error) {
	if i < 0 || i >= len(a.x.Files) {
		return nil, schema.Errorf(unreal.UMODFormat, schema.ErrRange, "entry", "%d of %d", i, len(a.x.Files))
	}
	if err := inside(a.entries[i].Path); err != nil {
		return nil, err
	}
	if b, ok := a.edits[i]; ok {
		return b, nil
	}
	f := &a.x.Files[i]
	return a.x.Content[f.Offset:][:f.Size:f.Size], nil
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
	a.edits[i], a.edited = payload, true
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
	f := unreal.UMODFile{Path: unreal.Str{Text: strings.ReplaceAll(path, "/", `\`)}}
	if name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]); name == "manifest.ini" || name == "manifest.int" {
		f.Flags = unreal.UMODManifest
	}
	a.edits[len(a.x.Files)] = payload
	a.x.Files, a.edited = append(a.x.Files, f), true
	a.describe()
	return nil
}

func (a *umodArchive) Remove(i int) error {
	if i < 0 || i >= len(a.x.Files) {
		return schema.Errorf(unreal.UMODFormat, schema.ErrRange, "entry", "%d of %d", i, len(a.x.Files))
	}
	edits := map[int][]byte{}
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

// WriteTo writes the installer; an edited one anew: the files one after another, the directory, the check sum.
func (a *umodArchive) WriteTo(w io.Writer) (int64, error) {
	x := a.x
	if a.edited {
		fresh := &unreal.UMOD{Version: x.Version, Files: slices.Clone(x.Files), Fresh: true}
		for i := range fresh.Files {
			b, err := a.Payload(i)
			if err != nil {
				return 0, err
			}
			f := &fresh.Files[i]
			f.Offset, f.Size = uint32(len(fresh.Content)), uint32(len(b))
			fresh.Content = append(fresh.Content, b...)
		}
		x = fresh
	}
	b, err := write.UMOD(x)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

func (a *umodArchive) Facts() []format.Fact {
	return []format.Fact{{Name: "version", Value: int(a.x.Version)}, {Name: "files", Value: len(a.x.Files)}}
}
