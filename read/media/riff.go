package media

import (
	"encoding/binary"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// RIFF reads a container of chunks. The slices alias b. It tolerates wrong sizes: a chunk that claims more bytes than there
// are gets the rest, and a container with a wrong size ends with the file. It fails with ErrBadMagic, or with ErrTruncated
// if the header of 12 bytes is incomplete.
func RIFF(b []byte, d *schema.Diagnostics) (*media.RIFF, error) {
	c := read.NewCursor("riff", b, d)
	c.Magic("RIFF", "signature")
	size := c.U32("size")
	form := c.Data(4, schema.LayoutText, "form")
	if err := c.Err(); err != nil {
		return nil, err
	}
	end := len(b)
	if stored := int64(size) + 8; size >= 4 && stored <= int64(len(b)) {
		end = int(stored)
	} else {
		d.WarnAtf("riff-size", "", 4, "the container claims %d bytes, the file has %d", size, len(b)-8)
	}
	r := &media.RIFF{Form: media.FourCC(form)}
	at := 12
	for at+8 <= end {
		x := chunk(b[at:], end-at, int64(at), d)
		r.Chunks = append(r.Chunks, x)
		at += x.Len()
	}
	if at < len(b) {
		r.Trailing = b[at:len(b):len(b)]
		d.Trace().NoteBytes(r.Trailing, 1, schema.LayoutBytes, "", "rest")
		d.WarnAtf("trailing-bytes", "", int64(at), "%d bytes after the last chunk", len(b)-at)
	}
	if int64(size) != int64(r.ContentSize()) {
		r.Size = &size
	}
	return r, nil
}

// Chunks reads the chunks inside a LIST, after its form. rest holds bytes that do not make up a chunk.
func Chunks(b []byte) (list []media.Chunk, rest []byte) {
	for len(b) >= 8 {
		x := chunk(b, len(b), 0, nil)
		list = append(list, x)
		b = b[x.Len():]
	}
	return list, b
}

// chunk reads the chunk at the start of b, of which the container has the first limit bytes.
func chunk(b []byte, limit int, offset int64, d *schema.Diagnostics) media.Chunk {
	size := binary.LittleEndian.Uint32(b[4:])
	x := media.Chunk{ID: media.FourCC(b[:4])}
	n := len(b) - 8
	if uint64(size) > uint64(n) {
		x.Size = &size
		d.WarnAtf("chunk-size", x.ID.String(), offset+4, "the chunk claims %d bytes, %d are left", size, n)
	} else {
		n = int(size)
	}
	x.Data = b[8 : 8+n : 8+n]
	if t := d.Trace(); t != nil {
		noteChunk(t, b[:8+n], x.ID.String())
	}
	if n%2 == 0 {
		return x
	}
	if rest := b[8+n:]; len(rest) == 0 || 8+n >= limit || unpadded(rest) {
		x.NoPad = true
	} else {
		x.Pad = rest[0]
		d.Trace().NoteBytes(rest[:1], 1, schema.LayoutBytes, x.ID.String(), "pad")
	}
	return x
}

// noteChunk tells a trace of a chunk, its header before it.
func noteChunk(t *schema.Trace, b []byte, id string) {
	t.NoteBytes(b[:4], 1, schema.LayoutText, id, "id")
	t.NoteBytes(b[4:8], 1, schema.LayoutU32, id, "size")
	data := b[8:]
	switch {
	case id == "fmt " && len(data) >= 16:
		t.NoteBytes(data[:16], 1, "tag:u16 channels:u16 rate:u32 bytes-per-second:u32 block-align:u16 bits:u16", id, "format")
		t.NoteBytes(data[16:], 1, schema.LayoutBytes, id, "extension")
	case id == "data":
		t.NoteBytes(data, 1, "samples", id, "samples")
	default:
		t.NoteBytes(data, 1, schema.LayoutBytes, id, "data")
	}
}

// unpadded reports whether a chunk follows at once where a byte of padding should be.
func unpadded(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	for _, c := range b[:4] {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return uint64(binary.LittleEndian.Uint32(b[4:])) <= uint64(len(b)-8)
}

// WaveFormat reads the data of a chunk "fmt ". It fails with ErrTruncated for less than 14 bytes, the size of the oldest
// form.
func WaveFormat(b []byte) (*media.WaveFormat, error) {
	c := read.NewCursorAt("wav", "fmt", b, 0, nil)
	f := &media.WaveFormat{
		Tag:            c.U16("format tag"),
		Channels:       c.U16("channels"),
		Rate:           c.U32("samples per second"),
		BytesPerSecond: c.U32("bytes per second"),
		BlockAlign:     c.U16("block align"),
	}
	if c.Left() > 0 {
		f.Bits = c.U16("bits per sample")
	}
	if c.Left() > 0 {
		f.Extension = c.Rest()
	}
	return f, c.Err()
}
