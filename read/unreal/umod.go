package unreal

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// UMOD reads an installer (reference section 25). It fails with ErrBadMagic without the trailer's magic, ErrTruncated if
// the file is not as long as the trailer says, ErrUnsupported for another version, and ErrRange for a directory or a file
// outside of the content. A wrong check sum is a warning.
func UMOD(b []byte, d *schema.Diagnostics) (*unreal.UMOD, error) {
	part := func(at, n int64) ([]byte, error) { return b[at:][:n:n], nil }
	x, n, err := umod(bytes.NewReader(b), part, int64(len(b)), d)
	if err != nil {
		return nil, err
	}
	x.Content = b[:n:n]
	return x, nil
}

// UMODAt is UMOD for an installer whose content stays in r. It also returns the size of the content, which is at the
// beginning of r.
func UMODAt(r io.ReaderAt, size int64, d *schema.Diagnostics) (x *unreal.UMOD, content int64, err error) {
	if err := schema.CheckSource(unreal.UMODFormat, r, size); err != nil {
		return nil, 0, err
	}
	return umod(r, file{r, size, d}.bytes, size, d)
}

// umod reads an installer, of which part gives some bytes; of the content it takes the check sum alone.
func umod(r io.ReaderAt, part func(at, n int64) ([]byte, error), size int64, d *schema.Diagnostics) (x *unreal.UMOD, content int64, err error) {
	end := max(size-unreal.UMODTrailer, 0)
	trailer, err := part(end, size-end)
	if err != nil {
		return nil, 0, schema.Errorf(unreal.UMODFormat, schema.ErrTruncated, "trailer", "cannot be read: %v", err)
	}
	fail := func(at int64, class error, field, msg string, args ...any) (*unreal.UMOD, int64, error) {
		c := read.NewCursorAt(unreal.UMODFormat, "", trailer, end, d)
		c.FailAtf(at, class, field, msg, args...)
		return nil, 0, c.Err()
	}
	if size < unreal.UMODTrailer {
		return fail(0, schema.ErrTruncated, "trailer", "%d bytes, it has %d", size, unreal.UMODTrailer)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(trailer[4*i:]) }
	if word(0) != unreal.UMODMagic {
		return fail(end, schema.ErrBadMagic, "magic", "found %08x, expected %08x", word(0), uint32(unreal.UMODMagic))
	}
	at := int64(word(1))
	switch {
	case word(3) != unreal.UMODVersion:
		return fail(end+12, schema.ErrUnsupported, "version", "%d; %d is supported", word(3), unreal.UMODVersion)
	case int64(word(2)) != size:
		return fail(end+8, schema.ErrTruncated, "size", "%d bytes, the trailer says %d", size, word(2))
	case at > end:
		return fail(end+4, schema.ErrRange, "directory", "0x%x is behind the content of 0x%x bytes", at, end)
	}
	d.Trace().NoteBytes(trailer, 1, "magic:u32 directory:u32 size:u32 version:u32 check-sum:u32", "", "trailer")
	x = &unreal.UMOD{Version: word(3), CRC: word(4)}
	directory, err := part(at, end-at)
	if err != nil {
		return nil, 0, schema.Errorf(unreal.UMODFormat, schema.ErrTruncated, "directory", "cannot be read: %v", err)
	}
	if err := umodDirectory(x, directory, at, d); err != nil {
		return nil, 0, err
	}
	sum, err := umodCRC(io.NewSectionReader(r, 0, end))
	if err == nil && sum != x.CRC {
		d.WarnAtf("check-sum", "trailer", end+16, "the check sum is %08X, that of the content %08X", x.CRC, sum)
	}
	return x, at, err
}

// umodDirectory reads the directory, which begins at the end of the content.
func umodDirectory(x *unreal.UMOD, b []byte, at int64, d *schema.Diagnostics) error {
	r := newReader(read.NewCursorAt(unreal.UMODFormat, "directory", b, at, d), &unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}})
	x.Files = list(r, 13, "file", func(f *unreal.UMODFile) {
		f.Path = r.Str("path")
		start := r.Cursor.Offset()
		f.Offset, f.Size, f.Flags = r.U32("offset"), r.U32("size"), r.U32("flags")
		if r.Err() == nil && int64(f.Offset)+int64(f.Size) > at {
			r.FailAtf(start, schema.ErrRange, "offset", "0x%x bytes from 0x%x on are outside the content of 0x%x", f.Size, f.Offset, at)
		}
	})
	if r.Left() > 0 {
		x.Gap = r.Rest()
	}
	x.Odd = r.odd
	return r.Err()
}

// umodCRC returns the check sum of what stands before the trailer.
func umodCRC(r io.Reader) (uint32, error) {
	sum := unreal.NewCRC()
	b := make([]byte, 256<<10)
	for {
		n, err := r.Read(b)
		sum = sum.Add(b[:n])
		if err == io.EOF {
			return sum.Sum(), nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// IsUMOD reports whether a file with these last bytes is an installer.
func IsUMOD(tail []byte) bool {
	return len(tail) >= unreal.UMODTrailer && binary.LittleEndian.Uint32(tail[len(tail)-unreal.UMODTrailer:]) == unreal.UMODMagic
}
