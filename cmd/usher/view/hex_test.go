package view

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// fieldsOf asks for the fields of a part of node 0.
func fieldsOf(t *testing.T, v *Viewer, from, count int64) (s Spans) {
	t.Helper()
	getJSON(t, v, fmt.Sprintf("/api/spans/0?from=%d&count=%d", from, count), &s)
	return s
}

// TestLargeArchive: an archive that is too large to be explained whole has a field map all the same, from its directory
// to its last entry, and each byte that is asked for has a field.
func TestLargeArchive(t *testing.T) {
	path := textures(t, 40, 256)
	info, err := os.Stat(path)
	if err != nil || info.Size() <= mostWhole {
		t.Fatal(info.Size(), err)
	}
	v := newViewer(t, path)
	seen := map[string]bool{}
	const step = 4096
	for from := int64(0); from < info.Size(); from += 7 * step {
		s := fieldsOf(t, v, from, step)
		at := from
		for _, x := range s.Spans {
			if x.Offset > at || x.Kind == "gap" {
				t.Fatalf("0x%x: %+v behind 0x%x", from, x, at)
			}
			at = max(at, x.Offset+x.Size)
			seen[x.Path] = true
		}
		if want := min(from+step, info.Size()); !s.Known || at < want || len(s.Stops) > 0 {
			t.Fatalf("0x%x: covered up to 0x%x, %d stops", from, at, len(s.Stops))
		}
	}
	for _, name := range []string{"comment", "slots [40]", "0: frame 0/pixels", "39: frame 0/pixels"} {
		if !seen[name] {
			t.Errorf("no field %q of %v", name, slices.Sorted(maps.Keys(seen)))
		}
	}
}

// TestLargeFile: a file that is no archive is explained by windows when it is large.
func TestLargeFile(t *testing.T) {
	const size = mostWholeLeaf + 3<<20
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x22\x56\x00\x00\x44\xac\x00\x00\x02\x00\x10\x00data")
	binary.LittleEndian.PutUint32(b[4:], size-8)
	b = binary.LittleEndian.AppendUint32(b, size-uint32(len(b))-4)
	path := filepath.Join(t.TempDir(), "long.wav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	f.Close()
	v := newViewer(t, path)
	if s := fieldsOf(t, v, 0, 64); !s.Known || len(s.Spans) != 9 || s.Spans[0].Path != "signature" || s.Spans[0].Value != `"RIFF"` {
		t.Errorf("the first bytes: %+v", s)
	}
	if s := fieldsOf(t, v, size-1000, 4096); len(s.Spans) != 1 || s.Spans[0].Path != "data/samples" || s.Spans[0].Offset != int64(len(b)) {
		t.Errorf("the last bytes: %+v", s)
	}
}

// TestStops: the page is told where reading stopped, within what was read last.
func TestStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.u3d")
	b := corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "windmill.u3d"))
	if err := os.WriteFile(path, b[:len(b)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	s := fieldsOf(t, newViewer(t, path), 0, mostBytes)
	if len(s.Stops) != 1 || s.Stops[0].Error == "" {
		t.Fatalf("stops %+v", s.Stops)
	}
	for _, x := range s.Spans {
		if at := s.Stops[0].Offset; x.Kind == "gap" && x.Offset != at {
			t.Errorf("reading stopped at 0x%x, the rest begins at 0x%x", at, x.Offset)
		}
	}
}
