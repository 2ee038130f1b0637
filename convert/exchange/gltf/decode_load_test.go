package gltf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// hollow is a file of so many bytes of which only some are not 0, and which cannot be read from one of them on.
type hollow struct {
	size, broken int64
	pieces       map[int64][]byte
}

var errBroken = errors.New("broken")

func (h *hollow) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	for from, piece := range h.pieces {
		if from < at+int64(len(b)) && from+int64(len(piece)) > at {
			copy(b[max(0, from-at):], piece[max(0, at-from):])
		}
	}
	if at+int64(len(b)) > h.broken {
		return int(max(0, h.broken-at)), errBroken
	}
	if at+int64(len(b)) > h.size {
		return int(max(0, h.size-at)), io.EOF
	}
	return len(b), nil
}

// largeGLB is a file of a triangle at the end of a large binary chunk.
func largeGLB(size int64, change func(head []byte)) *hollow {
	text := "\xef\xbb\xbf" + document(fmt.Sprintf(`"buffers":[{"byteLength":%d}],"bufferViews":[{"buffer":0,"byteOffset":%d,"byteLength":36}],"accessors":[`+vec3x3+`],"materials":[{"name":"m"}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"extensions":{"XX_unknown":{}},"extras":{"usher":{"format":"f"}}}]}],"nodes":[{"mesh":0}]`, size-1028, size-1064))
	text += strings.Repeat(" ", 1000-len(text))
	b := binary.LittleEndian.AppendUint32(nil, glbMagic)
	for _, x := range []uint32{2, uint32(size), 1000, chunkJSON} {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint32(b, uint32(size-1028))
	b = binary.LittleEndian.AppendUint32(b, chunkBIN)
	if change != nil {
		change(b)
	}
	return &hollow{size, size, map[int64][]byte{0: b, size - 36: data([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9})}}
}

// TestDecodeAt: the meshes of a large file are read when they are asked for, all of a small one at once.
func TestDecodeAt(t *testing.T) {
	for size, later := range map[int64]bool{largeFile - 4: false, largeFile: true, largeFile + 400: true} {
		file := largeGLB(size, nil)
		d := new(schema.Diagnostics)
		s, err := DecodeAt(file, size, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Meshes[0].Primitives[0]
		if (p.Load != nil) != later || p.Material != s.Materials[0] || p.Native == nil || p.Native.Format != "f" || d.Count("unknown-extension") != 1 {
			t.Errorf("%d bytes: %+v; %v", size, p, d.All())
		}
		whole, err := p.Whole()
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "positions", whole.Positions, [][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
		if whole.Material != p.Material || whole.Native == nil {
			t.Errorf("%d bytes: the whole has material %v and %v", size, whole.Material, whole.Native)
		}
		file.broken = size - 10
		if _, err := p.Whole(); later != errors.Is(err, errBroken) {
			t.Errorf("%d bytes that cannot be read any more: %v", size, err)
		}
	}
	for _, broken := range []int64{10, 100, 1024, largeFile - 10} {
		file := largeGLB(largeFile, nil)
		if file.broken = broken; broken > 1028 {
			file.size -= 4 // a file that is no GLB is read whole
			file.pieces[0][0] = 'x'
		}
		if _, err := DecodeAt(file, file.size, nil, nil); !errors.Is(err, errBroken) {
			t.Errorf("broken at %d: %v", broken, err)
		}
	}
	if _, err := DecodeAt(largeGLB(100, nil), -1, nil, nil); err == nil {
		t.Error("a file of less than no bytes")
	}
	small := encode(t, nodes(), nil)
	if _, err := DecodeAt(&hollow{int64(len(small)), int64(len(small)) - 1, map[int64][]byte{0: small}}, int64(len(small)), nil, nil); !errors.Is(err, errBroken) {
		t.Errorf("a small file that cannot be read: %v", err)
	}
}

// TestSplitFile: only a large GLB of two chunks that fill it is read in parts; of anything else Decode is the judge.
func TestSplitFile(t *testing.T) {
	put := func(at int, x uint32) func(b []byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[at:], x) }
	}
	for name, change := range map[string]func(b []byte){
		"magic": put(0, 1), "version": put(4, 1), "length": put(8, largeFile-4), "first chunk beyond": put(12, largeFile-27), "first kind": put(16, chunkBIN), "second kind": put(1024, chunkJSON), "second length": put(1020, largeFile-1032),
	} {
		if _, _, ok, err := splitFile(largeGLB(largeFile, change), largeFile); ok || err != nil {
			t.Errorf("another %s: %t, %v", name, ok, err)
		}
	}
	text, bin, ok, err := splitFile(largeGLB(largeFile, nil), largeFile)
	if err != nil || !ok || text[0] != '{' || len(text) != 997 || bin.size != largeFile-1028 {
		t.Errorf("%d bytes of text, %d of data, %t, %v", len(text), bin.size, ok, err)
	}
}

// TestLaterRefused: a material that is not there is told at once, a primitive that is none when it is asked for; skins and morph
// targets are read at once.
func TestLaterRefused(t *testing.T) {
	lazily := func(primitive, more string) (*asset.Scene, error) {
		d := newDecoder(nil, nil)
		d.lazy = true
		return d.decode([]byte(document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64}],"accessors":[`+vec3x3+`],"meshes":[{"primitives":[`+primitive+`]}]`+more)), held(make([]byte, 64)))
	}
	for _, c := range []struct {
		primitive, more string
		later           bool
		want            string
	}{
		{`{` + position + `}`, "", true, ""},
		{`{` + position + `,"targets":[{"POSITION":0}]}`, "", false, ""},
		{`{` + position + `}`, `,"nodes":[{}],"skins":[{"joints":[0]}]`, false, ""},
		{`{` + position + `,"material":0}`, "", false, "material: index 0, there are 0"},
		{`{"attributes":{"POSITION":1}}`, "", true, "index 1, there are 1"},
	} {
		s, err := lazily(c.primitive, c.more)
		if err == nil {
			if later := s.Meshes[0].Primitives[0].Load != nil; later != c.later {
				t.Errorf("%s: later %t", c.primitive, later)
			}
			err = s.LoadAll()
		}
		if c.want == "" && err != nil || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", c.primitive, err, c.want)
		}
	}
}
