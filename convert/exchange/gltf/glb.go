package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/usher-assets/usher/schema"
)

// The GLB container: a header of magic, version and total length, then chunks of length, type and data.
const (
	glbMagic   = 0x46546C67 // "glTF"
	chunkJSON  = 0x4E4F534A // "JSON"
	chunkBIN   = 0x004E4942 // "BIN\0"
	glbHeader  = 12
	chunkHead  = 8
	formatName = "gltf"
)

// writeGLB writes the container from the pieces of its JSON. The buffer is streamed, since it can be as large as all
// else together.
func writeGLB(w io.Writer, json [][]byte, bin *buffer) error {
	var text int64
	for _, piece := range json {
		text += int64(len(piece))
	}
	if pad := -text & 3; pad > 0 {
		json = append(json, []byte("   ")[:pad])
		text += pad
	}
	total := glbHeader + chunkHead + text
	padded := (bin.size + 3) &^ 3
	if bin.size > 0 {
		total += chunkHead + padded
	}
	if total > math.MaxUint32 {
		return schema.Errorf(formatName, schema.ErrLimit, "length", "%d bytes, a GLB holds at most 4 GiB", total)
	}
	if b, ok := w.(*bytes.Buffer); ok {
		b.Grow(int(total)) // doubling would take three times the memory
	}
	head := make([]byte, 0, glbHeader+chunkHead)
	head = binary.LittleEndian.AppendUint32(head, glbMagic)
	head = binary.LittleEndian.AppendUint32(head, 2)
	head = binary.LittleEndian.AppendUint32(head, uint32(total))
	head = binary.LittleEndian.AppendUint32(head, uint32(text))
	head = binary.LittleEndian.AppendUint32(head, chunkJSON)
	s := newSink(w, bin.size)
	s.bytes(head)
	for _, piece := range json {
		s.bytes(piece)
	}
	if bin.size > 0 {
		head = binary.LittleEndian.AppendUint32(head[:0], uint32(padded))
		head = binary.LittleEndian.AppendUint32(head, chunkBIN)
		s.bytes(head)
		bin.writeTo(s)
		s.bytes(make([]byte, padded-bin.size))
	}
	return s.err
}

// isGLB tells a GLB from glTF JSON.
func isGLB(b []byte) bool { return len(b) >= 4 && binary.LittleEndian.Uint32(b) == glbMagic }

// splitGLB returns the JSON and the BIN chunk, which is nil when there is none.
func splitGLB(b []byte, d *schema.Diagnostics) (json, bin []byte, err error) {
	if len(b) < glbHeader+chunkHead {
		return nil, nil, glbError(schema.ErrTruncated, 0, "header", "%d bytes, at least %d expected", len(b), glbHeader+chunkHead)
	}
	if v := binary.LittleEndian.Uint32(b[4:]); v != 2 {
		return nil, nil, glbError(schema.ErrUnsupported, 4, "version", "%d, only 2 is known", v)
	}
	length := int64(binary.LittleEndian.Uint32(b[8:]))
	if length > int64(len(b)) {
		return nil, nil, glbError(schema.ErrTruncated, 8, "length", "%d bytes declared, %d present", length, len(b))
	}
	if length < glbHeader+chunkHead {
		return nil, nil, glbError(schema.ErrMismatch, 8, "length", "%d bytes are less than the headers", length)
	}
	if length < int64(len(b)) {
		d.WarnAtf("trailing-bytes", "", length, "%d bytes after the end of the GLB", int64(len(b))-length)
	}
	b = b[:length]
	for at := glbHeader; at < len(b); {
		if len(b)-at < chunkHead {
			return nil, nil, glbError(schema.ErrTruncated, at, "chunk", "%d bytes left for a chunk header", len(b)-at)
		}
		size := int64(binary.LittleEndian.Uint32(b[at:]))
		kind := binary.LittleEndian.Uint32(b[at+4:])
		if size > int64(len(b)-at-chunkHead) {
			return nil, nil, glbError(schema.ErrTruncated, at, "chunk length", "%d bytes declared, %d left", size, len(b)-at-chunkHead)
		}
		data := b[at+chunkHead : at+chunkHead+int(size)]
		switch {
		case at == glbHeader && kind != chunkJSON:
			return nil, nil, glbError(schema.ErrBadMagic, at+4, "chunk type", "%08x, the first chunk must be JSON", kind)
		case at == glbHeader:
			json = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		case kind == chunkBIN && bin == nil:
			bin = data
		default:
			d.WarnAtf("unknown-chunk", "", int64(at), "chunk of type %08x is left out", kind)
		}
		at += chunkHead + int(size)
	}
	return json, bin, nil
}

func glbError(class error, offset int, field, msg string, args ...any) error {
	return &schema.FormatError{Format: formatName, Offset: int64(offset), Field: field, Class: class, Msg: fmt.Sprintf(msg, args...)}
}
