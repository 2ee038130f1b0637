package ultima9

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestOrphanPages: a page that nothing leads to is worth a note where it is empty, as in the game's own files, and a warning
// where it holds objects.
func TestOrphanPages(t *testing.T) {
	const sizeAt, heapAt = 0x0C, 0x28
	for live, severity := range map[uint32]schema.Severity{0: schema.Note, 3: schema.Warning} {
		b := slices.Concat(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "nonfixed.9")), make([]byte, ultima9.PageSize))
		size := binary.LittleEndian.Uint32(b[sizeAt:])
		binary.LittleEndian.PutUint32(b[sizeAt:], size+ultima9.PageSize)
		binary.LittleEndian.PutUint32(b[heapAt+size+ultima9.PageObjects:], live)
		d := new(schema.Diagnostics)
		if _, err := Nonfixed(b, d); err != nil {
			t.Fatal(err)
		}
		told := slices.DeleteFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code != "orphan-page" })
		if len(told) != 1 || told[0].Severity != severity {
			t.Errorf("%d objects: %v, want one %v", live, told, severity)
		}
	}
}
