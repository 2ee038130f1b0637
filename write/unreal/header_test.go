package unreal

import (
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestHeaderOffsets: an offset that 31 bits do not hold is refused by its name, and is not written as another one.
func TestHeaderOffsets(t *testing.T) {
	for _, version := range []uint16{unreal.GUIDVersion - 1, unreal.GUIDVersion} {
		p := &unreal.Package{Version: version}
		if _, err := encodeHeader(p, identity{}, func(partKind) int64 { return math.MaxInt32 }); err != nil {
			t.Errorf("version %d: %v", version, err)
		}
		for kind, name := range map[partKind]string{namePart: "name offset", exportPart: "export offset", importPart: "import offset", heritagePart: "heritage offset"} {
			if kind == heritagePart && version >= unreal.GUIDVersion {
				continue // the header has no such table
			}
			_, err := encodeHeader(p, identity{}, func(k partKind) int64 {
				if k == kind {
					return math.MaxInt32 + 1
				}
				return 64
			})
			if schema.Class(err) != schema.ErrLimit || !strings.Contains(err.Error(), name) {
				t.Errorf("version %d: %s: %v", version, name, err)
			}
		}
	}
}
