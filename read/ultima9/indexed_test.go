package ultima9_test

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"pgregory.net/rapid"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func TestIndexedSidecar(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "mesh", "indexed.mesh")
	var want struct {
		Faces     int `json:"face_count"`
		Corners   int `json:"corner_count"`
		Texture   uint32
		Vertices  [][3]float32
		Triangles [][3]uint32
	}
	corpus.JSON(t, path+".json", &want)
	b := corpus.Bytes(t, path)
	m, err := read.Indexed(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Faces) != want.Faces || len(m.Corners) != want.Corners || !slices.Equal(m.Vertices, want.Vertices) {
		t.Errorf("%d faces, %d corners, vertices %v, want %+v", len(m.Faces), len(m.Corners), m.Vertices, want)
	}
	for i := range m.Faces {
		f := &m.Faces[i]
		var got [3]uint32
		for k := range got {
			got[k] = m.Corners[f.Corners[k]].Vertex
		}
		if got != want.Triangles[i] || !f.Triangle() || f.Texture != want.Texture {
			t.Errorf("face %d is %v of texture %d, want %v of %d", i, got, f.Texture, want.Triangles[i], want.Texture)
		}
	}
	if len(m.Gaps) != 1 || m.Gaps[0].Offset != m.TrailingAt || string(m.Gaps[0].Data) != "TRAILING" {
		t.Errorf("gaps %v, trailing data at 0x%x", m.Gaps, m.TrailingAt)
	}
	again, err := write.Indexed(m)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "indexed.mesh", again, b)
}

// tinyIndexed has a triangle and a quadrilateral that share two corners.
func tinyIndexed() []byte {
	m := &ultima9.IndexedMesh{
		CornersAt: 0xA9 + 2*0x34, VerticesAt: 0xA9 + 2*0x34 + 5*0x18, TrailingAt: 0xA9 + 2*0x34 + 5*0x18 + 5*12,
		Faces: []ultima9.IndexedFace{
			{Corners: [4]uint32{0, 1, 2, ultima9.NoCorner}, Flags: 3, Normal: [3]float32{0, 0, 1}, Texture: 7, SizeCode: 9},
			{Corners: [4]uint32{2, 1, 3, 4}, Normal: [3]float32{0, 0, 1}, Texture: 8, Extremes: [6]uint8{0, 1, 2, 0, 1, 2}},
		},
		Corners:  make([]ultima9.IndexedCorner, 5),
		Vertices: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}},
	}
	for i := range m.Corners {
		m.Corners[i] = ultima9.IndexedCorner{Vertex: uint32(i), Normal: [3]float32{0, 0, 1}, UV: [2]float32{float32(i), 0.5}}
	}
	m.Gaps = []ultima9.Gap{{Offset: m.TrailingAt, Data: []byte{1, 2, 3}}}
	return must(write.Indexed(m))
}

func TestIndexedPointers(t *testing.T) {
	b := tinyIndexed()
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	// Reference section 6.8: corner pointers count from the face, vertex pointers from the corner.
	const face1, corner3, vertex3 = 0xA9 + 0x34, 0xA9 + 2*0x34 + 3*0x18, 0xA9 + 2*0x34 + 5*0x18 + 3*12
	if word(0xA9+12) != 0 || word(face1+8) != corner3-face1 || word(corner3) != vertex3-corner3 {
		t.Errorf("pointers 0x%x, 0x%x, 0x%x", word(0xA9+12), word(face1+8), word(corner3))
	}
	m, err := read.Indexed(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Faces[1]; f.Triangle() || f.Corners != [4]uint32{2, 1, 3, 4} || f.Texture != 8 || m.Corners[3].Vertex != 3 {
		t.Errorf("face %+v, corner %+v", f, m.Corners[3])
	}
}

func TestIndexedMalformed(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    int
		value uint32
		class error
	}{
		{"magic", 0, 0xA8, schema.ErrBadMagic},
		{"corners in the header", 4, 0x1C, schema.ErrRange},
		{"vertices past the end", 8, 0x10000, schema.ErrRange},
		{"too many faces", 0x10, 1000, schema.ErrCount},
		{"too many corners", 0x14, 0xFFFFFFFF, schema.ErrCount},
		{"too many vertices", 0x18, 7, schema.ErrCount},
		{"pointer between corners", 0xA9, 0x69, schema.ErrRange},
		{"no first corner", 0xA9, 0, schema.ErrRange},
		{"pointer before the corners", 0xA9 + 12, 0xFFFFFFF0, schema.ErrRange},
		{"pointer past the vertices", 0xA9 + 2*0x34, 5*0x18 + 5*12, schema.ErrRange},
	} {
		b := tinyIndexed()
		binary.LittleEndian.PutUint32(b[c.at:], c.value)
		if _, err := read.Indexed(b, nil); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %v", c.name, err, c.class)
		}
	}
	whole := tinyIndexed()
	for n := range len(whole) - 3 { // without the trailing bytes it is still whole
		if _, err := read.Indexed(whole[:n:n], nil); schema.Class(err) == nil {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

func TestIndexedUnwritable(t *testing.T) {
	for name, change := range map[string]func(*ultima9.IndexedMesh){
		"corner": func(m *ultima9.IndexedMesh) { m.Faces[0].Corners[1] = 5 },
		"hole":   func(m *ultima9.IndexedMesh) { m.Faces[0].Corners[0] = ultima9.NoCorner },
		"vertex": func(m *ultima9.IndexedMesh) { m.Corners[4].Vertex = 5 },
		"header": func(m *ultima9.IndexedMesh) { m.VerticesAt = 0 },
	} {
		m, err := read.Indexed(tinyIndexed(), nil)
		if err != nil {
			t.Fatal(err)
		}
		change(m)
		if _, err := write.Indexed(m); !errors.Is(err, schema.ErrRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestIndexedDamage changes words: whatever can still be read comes back.
func TestIndexedDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := tinyIndexed()
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			at := rapid.IntRange(1, len(b)/4-1).Draw(t, "at")
			binary.LittleEndian.PutUint32(b[4*at:], rapid.OneOf(rapid.Uint32Range(0, 0x200), rapid.Uint32()).Draw(t, "word"))
		}
		got, err := pair(read.Indexed, write.Indexed)(b)
		if err == nil && !slices.Equal(got, b) {
			t.Fatalf("written otherwise than read")
		}
	})
}

func FuzzIndexed(f *testing.F) { fuzz(f, "mesh-indexed", tinyIndexed()) }
