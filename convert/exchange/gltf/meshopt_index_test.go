package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestTrianglesOfTables: codes of a table name the corners of a new triangle by what came before, the last one first.
func TestTrianglesOfTables(t *testing.T) {
	x := triangles{data: varints{src: []byte{0x03, 0x02}}}
	for i, c := range []struct {
		made func() [3]uint32
		want [3]uint32
	}{
		{func() [3]uint32 { return x.fresh(0x00) }, [3]uint32{0, 1, 2}},
		{func() [3]uint32 { return x.fresh(0x12) }, [3]uint32{3, 2, 1}},
		{func() [3]uint32 { return x.fresh(0x40) }, [3]uint32{4, 0, 5}},
		{func() [3]uint32 { return x.fresh(0x03) }, [3]uint32{6, 7, 3}},
	} {
		if got := c.made(); got != c.want || x.bad {
			t.Errorf("triangle %d: %v, want %v", i, got, c.want)
		}
	}
	if x.fresh(0xE0); !x.bad {
		t.Error("eight came before, and the fourteenth of them is there")
	}
	if y := (triangles{}); y.fresh(0x10) != [3]uint32{0, 0, 1} || !y.bad {
		t.Error("before the first vertex there is one")
	}
}

// TestPackedTriangles has codes of triangles with their table and what is behind them, and the corners that they stand for.
func TestPackedTriangles(t *testing.T) {
	const usual = "\x00\x76\x87\x56\x67\x78\xa9\x86\x65\x89\x68\x98\x01\x69\x00\x00"
	for _, c := range []struct {
		name, codes, more, table string
		want                     []uint32 // nil for an error
		said                     string
	}{
		{"all new", "\xf0", "", usual, []uint32{0, 1, 2}, ""},
		{"beside the last edge", "\xf0\x00", "", usual, []uint32{0, 1, 2, 0, 2, 3}, ""},
		{"beside the one before", "\xf0\x10", "", usual, []uint32{0, 1, 2, 2, 1, 3}, ""},
		{"beside the third", "\xf0\x20", "", usual, []uint32{0, 1, 2, 1, 0, 3}, ""},
		{"beside none", "\xf0\x30", "", usual, nil, "a triangle refers to edges or vertices that did not yet come"},
		{"beside edges of a triangle beside", "\xf0\x00\x00\x20", "", usual, []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 3, 5}, ""},
		{"a vertex of before", "\xf0\x02", "", usual, []uint32{0, 1, 2, 0, 2, 0}, ""},
		{"it is not one more", "\xf0\x02\x01", "", usual, []uint32{0, 1, 2, 0, 2, 0, 0, 0, 1}, ""},
		{"a vertex of none", "\xf0\x03", "", usual, nil, "did not yet come"},
		{"written out", "\xf0\x0f", "\x14", usual, []uint32{0, 1, 2, 0, 2, 10}, ""},
		{"after the one that was written out", "\xf0\x0f\x0e\x0d\x0d", "\x14", usual, []uint32{0, 1, 2, 0, 2, 10, 0, 10, 11, 0, 11, 10, 0, 10, 9}, ""},
		{"these are vertices of before", "\xf0\x0f\x0e\x02", "\x14", usual, []uint32{0, 1, 2, 0, 2, 10, 0, 10, 11, 0, 11, 2}, ""},
		{"of the table", "\xf0\x00\xfc", "", usual, []uint32{0, 1, 2, 0, 2, 3, 4, 5, 3}, ""},
		{"beyond what came", "\xf0\xf1", "", usual, nil, "did not yet come"},
		{"free, from the beginning", "\xf0\xfe", "\x00", usual, []uint32{0, 1, 2, 0, 1, 2}, ""},
		{"free, of before", "\xf0\xfe", "\x12", usual, []uint32{0, 1, 2, 3, 2, 1}, ""},
		{"free, written out", "\xf0\xff\x01", "\xff\x14\x01\x02", usual, []uint32{0, 1, 2, 10, 9, 10, 10, 10, 9}, ""},
		{"free, written out and of before", "\xf0\xff", "\x3f\x14\x01", usual, []uint32{0, 1, 2, 10, 0, 9}, ""},
		{"free, and one more of before", "\xf0\xff\x02", "\xf0\x14\x01", usual, []uint32{0, 1, 2, 10, 9, 3, 10, 3, 10}, ""},
		{"new ones are vertices of before", "\xf0\xfe\x02", "\x00", usual, []uint32{0, 1, 2, 0, 1, 2, 0, 2, 0}, ""},
		{"those of before are not once more", "\xf0\xfe\x02", "\x12", usual, []uint32{0, 1, 2, 3, 2, 1, 3, 1, 1}, ""},
		{"nor are those of the table", "\xf0\x00\xfc\x02", "", usual, []uint32{0, 1, 2, 0, 2, 3, 4, 5, 3, 4, 3, 3}, ""},
		{"nothing behind them", "\xf0\x0f", "", usual, nil, "the triangles end early"},
		{"too much behind them", "\xf0\x0f", "\x14\x00", usual, nil, "1 bytes after the triangles"},
		{"another table", "\xf1", "", "\x00\x02" + usual[2:], nil, "did not yet come"},
		{"its last code", "\xf0\xfd", "", usual[:13] + "\x10\x00\x00", []uint32{0, 1, 2, 3, 2, 4}, ""},
		{"15 in the table", "\xf0", "", "\xf0" + usual[1:], nil, "0xf0 in the table of triangles"},
		{"15 in the second half", "\xf0", "", "\x0f" + usual[1:], nil, "0x0f in the table of triangles"},
		{"14 in the table", "\xf0", "", usual[:1] + "\xee" + usual[2:], []uint32{0, 1, 2}, ""},
		{"a code that there is not", "\xf0", "", usual[:14] + "\x01\x00", nil, "0x01 in the table"},
		{"the last that there is not", "\xf0", "", usual[:15] + "\x10", nil, "0x10 in the table"},
	} {
		for _, size := range []int{2, 4} {
			src := []byte(string(rune(0)) + c.codes + c.more + c.table)
			src[0] = headTriangles
			dst := make([]byte, 3*size*len(c.codes))
			err := unpackTriangles(indexSink{dst, size}, src)
			var want []byte
			for _, x := range c.want {
				want = binary.LittleEndian.AppendUint32(want, x)[:len(want)+size]
			}
			if (err == nil) != (c.want != nil) || err == nil && !bytes.Equal(dst, want) || !strings.Contains(fmt.Sprint(err), c.said) {
				t.Errorf("%s, %d bytes each: %v, want %v; %v", c.name, size, dst, want, err)
			}
		}
	}
}

// TestPackedIndices has deltas from one of two indices, and numbers that are too long.
func TestPackedIndices(t *testing.T) {
	for packed, want := range map[string][]uint32{
		"\x00\x04\x04": {0, 1, 2}, "\x14\x05\x02": {5, 1, 4}, "\xac\x02\x01\x03": {75, 0, 0xFFFFFFFF}, "\xfe\xff\xff\xff\x0f": {0xC0000000}, "\x80\x80\x80\x80\x00": {0}, "\x80\x80\x80\x80\x80\x00": nil, "\x00": {0}, "\x80": nil,
	} {
		n := max(1, len(want))
		dst := make([]byte, 4*n)
		err := unpackIndices(indexSink{dst, 4}, []byte("\xd1"+packed+"\x00\x00\x00\x00"))
		for i, x := range want {
			if got := binary.LittleEndian.Uint32(dst[4*i:]); got != x {
				t.Errorf("%x: number %d is %#x, want %#x", packed, i, got, x)
			}
		}
		if (err == nil) != (want != nil) || err != nil && schema.Class(err) != schema.ErrTruncated {
			t.Errorf("%x: %v", packed, err)
		}
	}
	if err := unpackIndices(indexSink{make([]byte, 4), 4}, []byte("\xd1\x00\x00\x00\x00\x00\x00")); schema.Class(err) != schema.ErrMismatch || !strings.Contains(err.Error(), "1 bytes after the indices") {
		t.Errorf("a byte more: %v", err)
	}
}

// TestRecent: sixteen of what came before are known, the last one first.
func TestRecent(t *testing.T) {
	var r recent[int]
	for n := range 40 {
		for back := range byte(20) {
			x, ok := r.get(back)
			if known := int(back) < n && back < 16; ok != known || known && x != n-1-int(back) {
				t.Errorf("after %d, %d back: %d, %t", n, back, x, ok)
			}
		}
		r.push(n)
	}
}
