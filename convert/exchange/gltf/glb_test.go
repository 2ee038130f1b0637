package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestChunks has containers of chunks with what is read of them, or where they are wrong.
func TestChunks(t *testing.T) {
	const text = "{}  "
	container := func(total int, chunks ...any) []byte { // type and content in turns
		b := binary.LittleEndian.AppendUint32(nil, glbMagic)
		b = binary.LittleEndian.AppendUint32(b, 2)
		b = binary.LittleEndian.AppendUint32(b, 0)
		for i := 0; i < len(chunks); i += 2 {
			content := chunks[i+1].(string)
			b = binary.LittleEndian.AppendUint32(b, uint32(len(content)))
			b = binary.LittleEndian.AppendUint32(b, uint32(chunks[i].(int)))
			b = append(b, content...)
		}
		binary.LittleEndian.PutUint32(b[8:], uint32(len(b)+total))
		return b
	}
	for _, c := range []struct {
		name      string
		b         []byte
		json, bin string
		said      string // or the error
	}{
		{"text alone", container(0, chunkJSON, text), text, "", "[]"},
		{"text and data", container(0, chunkJSON, text, chunkBIN, "data"), text, "data", "[]"},
		{"no data", container(0, chunkJSON, text, chunkBIN, ""), text, "", "[]"},
		{"a mark before the text", container(0, chunkJSON, "\xef\xbb\xbf{}   "), "{}   ", "", "[]"},
		{"twice data", container(0, chunkJSON, text, chunkBIN, "data", chunkBIN, "more"), text, "data", "[+0x24: warning: chunk of type 004e4942 is left out (unknown-chunk)]"},
		{"another", container(0, chunkJSON, text, 7, "what", chunkBIN, "data"), text, "data", "[+0x18: warning: chunk of type 00000007 is left out (unknown-chunk)]"},
		{"twice text", container(0, chunkJSON, text, chunkJSON, "{1} "), text, "", "[+0x18: warning: chunk of type 4e4f534a is left out (unknown-chunk)]"},
		{"more behind", append(container(0, chunkJSON, text), 1, 2, 3), text, "", "[+0x18: warning: 3 bytes after the end of the GLB (trailing-bytes)]"},
		{"nothing in it", container(0), "", "", "gltf+0x0: header: 12 bytes, at least 20 expected"},
		{"data first", container(0, chunkBIN, "data"), "", "", "gltf+0x10: chunk type: 004e4942, the first chunk must be JSON"},
		{"seven bytes more", append(container(7, chunkJSON, text), 1, 2, 3, 4, 5, 6, 7), "", "", "gltf+0x18: chunk: 7 bytes left for a chunk header"},
		{"a length of the headers", change32(container(0, chunkJSON, text), 8, 20), "", "", "gltf+0xc: chunk length: 4 bytes declared, 0 left"},
		{"a length of less", change32(container(0, chunkJSON, text), 8, 19), "", "", "gltf+0x8: length: 19 bytes are less than the headers"},
		{"a length of more", container(1, chunkJSON, text), "", "", "gltf+0x8: length: 25 bytes declared, 24 present"},
		{"a chunk of more", change32(container(0, chunkJSON, text), 12, 5), "", "", "gltf+0xc: chunk length: 5 bytes declared, 4 left"},
		{"version", change32(container(0, chunkJSON, text), 4, 3), "", "", "gltf+0x4: version: 3, only 2 is known"},
	} {
		var d schema.Diagnostics
		json, bin, err := splitGLB(c.b, &d)
		said := fmt.Sprint(d.All())
		if err != nil {
			said = err.Error()
		}
		if string(json) != c.json || string(bin) != c.bin || said != c.said {
			t.Errorf("%s: %q, %q, %s, want %q, %q, %s", c.name, json, bin, said, c.json, c.bin, c.said)
		}
	}
}

func change32(b []byte, at int, x uint32) []byte {
	binary.LittleEndian.PutUint32(b[at:], x)
	return b
}

// TestLengthsOfGLB: text and data are filled up to four bytes, and a file of 4 GiB is as long as one may be.
func TestLengthsOfGLB(t *testing.T) {
	for n := range 6 {
		for size := range 6 {
			text := append([]byte("{}"), bytes.Repeat([]byte(" "), n)...)
			bin := new(buffer)
			content := bytes.Repeat([]byte{7}, size)
			if size > 0 {
				bin.add(int64(size), func(s *sink) { s.bytes(content) })
			}
			var w bytes.Buffer
			if err := writeGLB(&w, [][]byte{text[:1], text[1:]}, bin); err != nil {
				t.Fatal(err)
			}
			var d schema.Diagnostics
			gotText, got, err := splitGLB(w.Bytes(), &d)
			want := append(content, 0, 0, 0)[:(size+3)&^3]
			if err != nil || len(d.All()) > 0 || w.Len()%4 != 0 || len(gotText) != (n+2+3)&^3 || !bytes.Equal(bytes.TrimSpace(gotText), []byte("{}")) || !bytes.Equal(got, want) {
				t.Errorf("%d bytes of text and %d of data: %q and %v, want %v; %v, %v", n+2, size, gotText, got, want, err, d.All())
			}
		}
	}
	const head = 12 + 8 + 4 + 8
	for size, class := range map[int64]error{math.MaxUint32 - 3 - head: nil, math.MaxUint32 - head + 1: schema.ErrLimit} {
		w := &limited{1 << 10}
		if err := writeGLB(w, [][]byte{[]byte("{}")}, &buffer{size: size}); schema.Class(err) != class {
			t.Errorf("%d bytes: %v, want %v", size, err, class)
		}
	}
}
