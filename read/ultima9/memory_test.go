package ultima9_test

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// words returns little-endian 32-bit words.
func words(v ...uint32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// Small records that claim much, or claim the same bytes again and again, do not multiply the memory they take.
func TestMemory(t *testing.T) {
	const size = 1 << 20
	frames := func() []byte { // every directory entry is the same frame of 256 levels
		const n = size / 8
		b := words(1<<16-1, 1, n, 0)
		b[0], b[1], b[2], b[4] = 1, 0, 255, 1
		b[6] = 0
		at := uint32(16 + 8*n)
		for range n {
			b = append(b, words(at, 20+4+256)...)
		}
		b = append(b, words(uint32(ultima9.P8.Flags()), 1, 1, 0, 0, 24)...)
		return append(b, make([]byte, 256)...)
	}
	limbs := func(lods, n uint32) []byte { // every limb has the same header and no geometry
		b := make([]byte, 0x90)
		binary.LittleEndian.PutUint32(b, n)
		binary.LittleEndian.PutUint32(b[4:], lods)
		at := 0x90 + 4*n*(lods+1)
		for range n {
			b = append(b, words(at)...)
			for range lods {
				b = append(b, words(at+0x30)...)
			}
		}
		return append(b, make([]byte, 0x30*(n+1)+4)...)
	}
	overlapping := func(n uint32) []byte { // each limb's level is the rest of the record, all of it vertices
		b := make([]byte, 0x90)
		binary.LittleEndian.PutUint32(b, n)
		b[4] = 1
		at := 0x90 + 8*n
		end := at + n*(0x30+0x80)
		for i := range n {
			b = append(b, words(at+0x30*i, at+0x30*n+0x80*i)...)
		}
		b = append(b, make([]byte, 0x30*n)...)
		for i := range n {
			size := end - (at + 0x30*n + 0x80*i) - 4
			lod := make([]byte, 0x80)
			for offset, v := range map[int]uint32{0: size, 0x44: (size - 0x7C) / 12, 0x5C: 0x7C, 0x68: 1 << 31, 0x6C: 1 << 31, 0x70: 1 << 31, 0x74: 1 << 31} {
				binary.LittleEndian.PutUint32(lod[offset:], v)
			}
			b = append(b, lod...)
		}
		return b
	}
	for name, c := range map[string]struct {
		codec string
		b     []byte
	}{
		"frames":             {"texture", frames()},
		"limbs":              {"mesh", limbs(4, size/80)},
		"limbs of one":       {"mesh", limbs(1, size/64)},
		"overlapping levels": {"mesh", overlapping(size / 200)},
		"parts":              {"anim", append(words(0, 0, 0, 1, 30, 33, 0, 0, size/12), make([]byte, size)...)},
		"blank lines":        {"registry", bytes.Repeat([]byte{'\n'}, size)},
		"types":              {"types", make([]byte, size)},
		"trailing bytes":     {"palette", make([]byte, size)},
	} {
		got := allocated(func() { _, _ = codecs[c.codec](c.b) })
		if limit := uint64(64*len(c.b) + 16<<20); got > limit {
			t.Errorf("%s: %d bytes allocated for %d", name, got, len(c.b))
		}
		t.Logf("%s: %.1f times the size", name, float64(got)/float64(len(c.b)))
	}
	directory := append(bytes.Repeat([]byte{' '}, 76), words(0, size/8, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)...)
	directory = append(directory, make([]byte, size)...)
	if got := allocated(func() { _, _ = read.FLX(bytes.NewReader(directory), int64(len(directory)), nil) }); got > 4*size {
		t.Errorf("archive: %d bytes allocated for %d", got, len(directory))
	}
}
