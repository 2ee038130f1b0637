package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// UMOD reads an installer (reference section 25). A file without the trailer's magic is ErrBadMagic, one that is not as
// long as the trailer says ErrTruncated, another version ErrUnsupported, a directory or a file outside of the content
// ErrRange. A check sum that is not that of the content is a warning.
func UMOD(b []byte, d *schema.Diagnostics) (*unreal.UMOD, error) {
	fail := func(at int, class error, field, msg string, args ...any) error {
		c := read.NewCursor(unreal.UMODFormat, b, d)
		c.FailAtf(int64(at), class, field, msg, args...)
		return c.Err()
	}
	end := len(b) - unreal.UMODTrailer
	if end < 0 {
		return nil, fail(0, schema.ErrTruncated, "trailer", "%d bytes, it has %d", len(b), unreal.UMODTrailer)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[end+4*i:]) }
	if word(0) != unreal.UMODMagic {
		return nil, fail(end, schema.ErrBadMagic, "magic", "found %08x, expected %08x", word(0), uint32(unreal.UMODMagic))
	}
	at, size := word(1), word(2)
	switch {
	case word(3) != unreal.UMODVersion:
		return nil, fail(end+12, schema.ErrUnsupported, "version", "%d; %d is supported", word(3), unreal.UMODVersion)
	case int64(size) != int64(len(b)):
		return nil, fail(end+8, schema.ErrTruncated, "size", "%d bytes, the trailer says %d", len(b), size)
	case int64(at) > int64(end):
		return nil, fail(end+4, schema.ErrRange, "directory", "0x%x is behind the content of 0x%x bytes", at, end)
	}
	d.Trace().NoteBytes(b[end:], 1, "magic:u32 directory:u32 size:u32 version:u32 check-sum:u32", "", "trailer")
	x := &unreal.UMOD{Version: word(3), CRC: word(4), Content: b[:at:at]}
	r := newReader(read.NewCursorAt(unreal.UMODFormat, "directory", b[at:end], int64(at), d), &unreal.Context{Package: &unreal.Package{Version: unreal.MaxVersion}})
	x.Files = list(r, 13, "file", func(f *unreal.UMODFile) {
		f.Path = r.Str("path")
		start := r.Cursor.Offset()
		f.Offset, f.Size, f.Flags = r.U32("offset"), r.U32("size"), r.U32("flags")
		if r.Err() == nil && int64(f.Offset)+int64(f.Size) > int64(at) {
			r.FailAtf(start, schema.ErrRange, "offset", "0x%x bytes from 0x%x on are outside the content of 0x%x", f.Size, f.Offset, at)
		}
	})
	if r.Left() > 0 {
		x.Gap = r.Rest()
	}
	if x.Odd = r.odd; r.Err() != nil {
		return nil, r.Err()
	}
	if sum := unreal.UMODCRC(b[:end]); sum != x.CRC {
		d.WarnAtf("check-sum", "trailer", int64(end+16), "the check sum is %08X, that of the content %08X", x.CRC, sum)
	}
	return x, nil
}

// IsUMOD tells from the last bytes of a file whether it is an installer.
func IsUMOD(tail []byte) bool {
	return len(tail) >= unreal.UMODTrailer && binary.LittleEndian.Uint32(tail[len(tail)-unreal.UMODTrailer:]) == unreal.UMODMagic
}
