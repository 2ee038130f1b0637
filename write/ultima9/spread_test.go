package ultima9

import (
	"errors"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// TestSpread holds the ends of how far the parts of a record may be spread.
func TestSpread(t *testing.T) {
	const room = 1 << 16
	for _, tt := range []struct {
		size, parts int
		ok          bool
	}{
		{0, 0, true}, {room, 0, true}, {room + 1, 0, false}, {room + 200, 100, true}, {room + 201, 100, false},
		{math.MaxUint32, 1 << 31, true}, {math.MaxUint32 + 1, 1 << 31, false},
	} {
		if err := checkSpread("test", tt.size, tt.parts); (err == nil) != tt.ok || err != nil && !errors.Is(err, schema.ErrRange) {
			t.Errorf("%d bytes of parts in %d: %v", tt.parts, tt.size, err)
		}
	}
}

// TestGapsAreParts has a mesh of nothing but bytes that no limb has: they count as its parts, wherever they lie.
func TestGapsAreParts(t *testing.T) {
	for _, n := range []int{0, 1 << 17} {
		m := &ultima9.Mesh{LODs: 1, Gaps: []ultima9.Gap{{Offset: ultima9.MeshHeaderSize, Data: make([]byte, n)}, {Offset: uint32(ultima9.MeshHeaderSize + n), Data: make([]byte, 7)}}}
		size, err := sappearSize(m)
		if want := ultima9.MeshHeaderSize + n + 7; err != nil || size != want {
			t.Errorf("%d bytes, want %d; %v", size, want, err)
		}
	}
}

// TestLevelBounds: what lies between the arrays of a level ends with it, and a level of no bytes holds nothing.
func TestLevelBounds(t *testing.T) {
	gap := func(at uint32) *ultima9.LOD {
		return &ultima9.LOD{Size: ultima9.LODHeaderSize + 4, Gaps: []ultima9.Gap{{Offset: at, Data: []byte{1, 2}}}}
	}
	for name, c := range map[string]struct {
		l     *ultima9.LOD
		class error
	}{
		"a gap at the end": {gap(ultima9.LODHeaderSize + 2), nil}, "a gap over the end": {gap(ultima9.LODHeaderSize + 3), schema.ErrRange},
		"nothing": {&ultima9.LOD{}, nil}, "a list of nothing": {&ultima9.LOD{Sorted: [4][]int16{3: {0}}}, schema.ErrMismatch},
	} {
		if _, err := SappearLOD(c.l); schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
}
