package unreal

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
)

// TestRuns: five equal bytes are followed by how many there are of them in all. What would give more than a file can have
// is refused before anything is allocated for it.
func TestRuns(t *testing.T) {
	most := []byte{0, 0, 0, 0, 0, 255} // 255 bytes
	for _, c := range []struct {
		name  string
		in    []byte
		want  []byte
		class error
	}{
		{"none", []byte("abcc"), []byte("abcc"), nil},
		{"a run", []byte{7, 7, 7, 7, 7, 8, 9}, []byte{7, 7, 7, 7, 7, 7, 7, 7, 9}, nil},
		{"a run of five", []byte{7, 7, 7, 7, 7, 5, 7}, []byte{7, 7, 7, 7, 7, 7}, nil},
		{"a short run", []byte{7, 7, 7, 7, 7, 1}, nil, schema.ErrValue},
		{"without its length", []byte{7, 7, 7, 7, 7}, nil, schema.ErrValue},
		{"two longest", bytes.Repeat(most, 2), make([]byte, 510), nil},
		{"one too many", append(append(bytes.Repeat(most, maxUnpacked/255), 0, 0, 0, 0, 0, maxUnpacked%255), 1), nil, schema.ErrLimit},
		{"too many", bytes.Repeat(most, maxUnpacked/255+1), nil, schema.ErrLimit},
	} {
		cursor := read.NewCursor("uz", c.in, nil)
		if got := runs(cursor, c.in); !bytes.Equal(got, c.want) || schema.Class(cursor.Err()) != c.class {
			t.Errorf("%s: %d bytes, %v; want %d, %v", c.name, len(got), cursor.Err(), len(c.want), c.class)
		}
	}
}
