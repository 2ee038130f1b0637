// Package download opens the files that packages were downloaded in: compressed files ([UZ]) and installers ([UMOD]).
package download

import (
	"encoding/binary"
	"io"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// UZ is the format of files in the games' download compression. It opens as an archive with one file (reference section
// 25).
var UZ = format.Format{
	Name: unreal.UZFormat, Family: unreal.Format, Title: "Unreal file compressed for download", Kind: format.Archive, Extensions: []string{".uz"},
	Probe: probeUZ, Open: openUZ, Create: createUZ,
}

// probeUZ knows a compressed file by signature and name, and those of Unreal Engine 2 by the head of their first chunk.
func probeUZ(in *format.Input) format.Confidence {
	if x, err := read.UZHeader(in.Head[:min(len(in.Head), 512)]); err == nil && x.Name.Text != "" && len(x.Coded) > 0 {
		return format.Certain
	}
	if strings.HasSuffix(strings.ToLower(in.Name), ".uz2") && isUZ2(in.Head) {
		return format.Magic
	}
	return format.No
}

// isUZ2 reports whether a file begins with a chunk of at most 32 kB that zlib made.
func isUZ2(b []byte) bool {
	if len(b) < 10 {
		return false
	}
	packed, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	return size > 0 && size <= 32768 && packed > 2 && packed <= 32768+64 && b[8]&0x0F == 8 && (uint(b[8])<<8|uint(b[9]))%31 == 0
}

// uzArchive is the archive of one.
type uzArchive struct {
	x       unreal.UZ
	empty   bool // new, and nothing was added yet
	entries []format.Entry
}

func openUZ(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	b := make([]byte, size)
	if n, err := r.ReadAt(b, 0); int64(n) < size {
		return nil, schema.Errorf(unreal.UZFormat, schema.ErrTruncated, "", "%d of %d bytes: %v", n, size, err)
	}
	if x, err := read.UZHeader(b); err != nil || x.Name.Text == "" {
		if isUZ2(b) {
			return nil, schema.Errorf(unreal.UZFormat, schema.ErrUnsupported, "signature", "a .uz2 file belongs to Unreal Engine 2")
		}
		if err == nil {
			err = schema.Errorf(unreal.UZFormat, schema.ErrValue, "name", "it is empty")
		}
		return nil, err
	}
	x, err := read.UZ(b, env.Told())
	if err != nil {
		return nil, err
	}
	a := &uzArchive{x: *x}
	a.describe()
	return a, nil
}

func createUZ(*format.Env) (format.ArchiveFile, error) {
	return &uzArchive{x: unreal.UZ{Signature: unreal.UZ1234}, empty: true}, nil
}

func (a *uzArchive) describe() {
	a.entries = []format.Entry{{Path: a.x.Name.Text, Kind: format.Raw, Size: int64(len(a.x.Data)), Offset: -1}}
}

// Abilities implements format.ArchiveFile.
func (a *uzArchive) Abilities() format.Abilities { return format.Abilities{Files: true, One: true} }

func (a *uzArchive) Entries() []format.Entry { return a.entries }

func (a *uzArchive) check(i int) error {
	if i != 0 || a.empty {
		return schema.Errorf(unreal.UZFormat, schema.ErrRange, "entry", "%d of %d", i, len(a.entries))
	}
	return nil
}

func (a *uzArchive) Payload(i int) ([]byte, error) { return a.x.Data, a.check(i) }

func (a *uzArchive) Replace(i int, payload []byte) error {
	if err := a.check(i); err != nil {
		return err
	}
	if string(payload) != string(a.x.Data) {
		a.x.Data, a.x.Coded = payload, nil
		a.describe()
	}
	return nil
}

// Add sets the file in the archive.
func (a *uzArchive) Add(path string, payload []byte, hint *format.Format) error {
	if !a.empty {
		return schema.Errorf(unreal.UZFormat, schema.ErrUnsupported, path, "it holds one file, and has that")
	}
	a.x.Name, a.x.Data, a.empty = unreal.Str{Text: path[strings.LastIndexByte(path, '/')+1:]}, payload, false
	a.describe()
	return nil
}

func (a *uzArchive) Remove(i int) error {
	return schema.Errorf(unreal.UZFormat, schema.ErrUnsupported, "", "it holds one file, which cannot be taken out")
}

func (a *uzArchive) WriteTo(w io.Writer) (int64, error) {
	if a.empty {
		return 0, schema.Errorf(unreal.UZFormat, schema.ErrUnsupported, "", "there is no file to compress")
	}
	b, err := write.UZ(&a.x)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

func (a *uzArchive) Facts() []format.Fact {
	return []format.Fact{{Name: "signature", Value: int(a.x.Signature)}, {Name: "file", Value: a.x.Name.Text}, {Name: "bytes", Value: len(a.x.Data)}}
}
