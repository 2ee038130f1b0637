package gltf

import "testing"

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
