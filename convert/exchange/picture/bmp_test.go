package picture

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// runsBMP returns a BMP file of 4 x 2 pixels and 16 colours in runs of so many bits.
func runsBMP(bits uint16, runs string) []byte {
	le := binary.LittleEndian
	compression := map[uint16]uint32{8: bmpRuns8, 4: bmpRuns4}[bits]
	b := le.AppendUint32([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00"), bmpHead+bmpHeader+16*4)
	for _, v := range []uint32{bmpHeader, 4, 2, 1 | uint32(bits)<<16, compression, uint32(len(runs)), 0, 0, 16, 0} {
		b = le.AppendUint32(b, v)
	}
	for i := range 16 {
		b = append(b, byte(i), 0, 0, 0)
	}
	return append(b, runs...)
}

// What programs write into runs, and what they may leave out, comes out as pixels; what is cut off is refused.
func TestBMPRuns(t *testing.T) {
	for _, c := range []struct {
		what  string
		bits  uint16
		runs  string
		want  []byte // upper row first
		class error
	}{
		{"runs", 8, "\x04\x01\x00\x00\x03\x02\x01\x03\x00\x01", []byte{2, 2, 2, 3, 1, 1, 1, 1}, nil},
		{"as they are, with a filling byte", 8, "\x00\x03\x01\x02\x03\x00\x01\x04\x00\x00\x04\x05\x00\x01", []byte{5, 5, 5, 5, 1, 2, 3, 4}, nil},
		{"a move", 8, "\x01\x07\x00\x02\x01\x01\x02\x08\x00\x01", []byte{0, 0, 8, 8, 7, 0, 0, 0}, nil},
		{"an early end", 8, "\x02\x09\x00\x01", []byte{0, 0, 0, 0, 9, 9, 0, 0}, nil},
		{"no end", 8, "\x04\x01\x00\x00\x04\x02", []byte{2, 2, 2, 2, 1, 1, 1, 1}, nil},
		{"a run beyond its row", 8, "\x09\x01\x00\x00\x04\x02\x00\x01", []byte{2, 2, 2, 2, 1, 1, 1, 1}, nil},
		{"rows beyond the picture", 8, "\x04\x01\x00\x00\x04\x02\x00\x00\x04\x03\x00\x00\x00\x01", []byte{2, 2, 2, 2, 1, 1, 1, 1}, nil},
		{"moved out of it", 8, "\x00\x02\xff\xff\x04\x03\x00\x01", make([]byte, 8), nil},
		{"two colours in turn", 4, "\x04\x12\x00\x00\x03\x34\x01\x50\x00\x01", []byte{3, 4, 3, 5, 1, 2, 1, 2}, nil},
		{"as they are, of four bits", 4, "\x00\x03\x12\x30\x01\x40\x00\x00\x04\x55\x00\x01", []byte{5, 5, 5, 5, 1, 2, 3, 4}, nil},
		{"cut off", 8, "\x04\x01\x00\x00\x03", nil, schema.ErrTruncated},
		{"cut off as they are", 8, "\x00\x04\x01\x02", nil, schema.ErrTruncated},
		{"cut off in a move", 8, "\x00\x02\x01", nil, schema.ErrTruncated},
		{"nothing", 8, "", nil, schema.ErrTruncated},
		{"a colour that is not there", 8, "\x04\x11\x00\x01", nil, schema.ErrValue},
	} {
		got, err := DecodeImage("x.bmp", runsBMP(c.bits, c.runs))
		if schema.Class(err) != c.class {
			t.Errorf("%s: %v", c.what, err)
		}
		if err == nil && !slices.Equal(got.Base().Pix, c.want) {
			t.Errorf("%s: %v, want %v", c.what, got.Base().Pix, c.want)
		}
	}
}

// A header that does not fit its runs, or a size that they cannot have, is refused before anything is made of it.
func TestBMPRunsHeader(t *testing.T) {
	for _, c := range []struct {
		what  string
		at    int
		value uint32
		class error
	}{
		{"24 bits", bmpBits, 24, schema.ErrUnsupported},
		{"257 colours", bmpColours, 257, schema.ErrUnsupported},
		{"colours beyond the pixels", bmpColours, 17, schema.ErrTruncated},
		{"pixels beyond the file", 10, 9999, schema.ErrTruncated},
		{"a small header", bmpHead, 12, schema.ErrUnsupported},
		{"a large header", bmpHead, 0xFFFFFFFF, schema.ErrTruncated},
		{"no width", bmpHead + 4, 0, schema.ErrUnsupported},
		{"upside down", bmpHead + 8, 0xFFFFFFFE, schema.ErrUnsupported},
		{"huge", bmpHead + 4, 1 << 30, schema.ErrLimit},
	} {
		b := runsBMP(8, "\x04\x01\x00\x01")
		binary.LittleEndian.PutUint32(b[c.at:], c.value)
		if _, err := DecodeImage("x.bmp", b); schema.Class(err) != c.class {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	whole := runsBMP(8, "\x04\x01\x00\x00\x04\x02\x00\x01")
	for n := range len(whole) - 2 {
		if _, err := DecodeImage("x.bmp", bytes.Clone(whole[:n])); err == nil {
			t.Errorf("%d bytes of %d are read", n, len(whole))
		}
	}
}
