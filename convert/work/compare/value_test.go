package compare

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

type testLimb struct {
	Name  string
	Faces []testFace
	Bones map[string]int
	next  int // not exported: does not count
}

type testFace struct {
	UV          [3][2]float32
	Normal      [3]float32
	TextureSlot uint16
	Flags       []uint32
	Raw         []byte
	Vertices    [][3]float32
	Any         any
	Self        *testFace
}

func limbs() []*testLimb {
	return []*testLimb{
		{Name: "body", Faces: []testFace{{TextureSlot: 1}, {TextureSlot: 2}, {TextureSlot: 3}}, Bones: map[string]int{"a": 1, "b": 2}},
		{Name: "arm", Faces: []testFace{{Raw: make([]byte, 40), Flags: make([]uint32, 30), Vertices: make([][3]float32, 3), Any: "x"}}},
	}
}

type testModel struct {
	Version int
	Limbs   []*testLimb
}

// TestValues: every kind of difference is named, and nothing else.
func TestValues(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		change func(m *testModel)
		want   []string
	}{
		{"nothing", func(*testModel) {}, nil},
		{"not exported", func(m *testModel) { m.Limbs[0].next = 9 }, nil},
		{"number", func(m *testModel) { m.Version = 3 }, []string{"version: 2 -> 3"}},
		{"text", func(m *testModel) { m.Limbs[0].Name = "trunk" }, []string{`limb 0 › name: "body" -> "trunk"`}},
		{"nested", func(m *testModel) { m.Limbs[0].Faces[1].TextureSlot = 7 }, []string{`limb 0 "body" › face 1 › texture slot: 2 -> 7`}},
		{"vector", func(m *testModel) { m.Limbs[1].Faces[0].Normal[2] = 1 }, []string{`limb 1 "arm" › face 0 › normal: [0 0 0] -> [0 0 1]`}},
		{"vector of vectors", func(m *testModel) { m.Limbs[0].Faces[2].UV[1][0] = 0.5 }, []string{`limb 0 "body" › face 2 › UV 1: [0 0] -> [0.5 0]`}},
		{"no number", func(m *testModel) { m.Limbs[0].Faces[2].UV[1][0] = nan }, []string{`limb 0 "body" › face 2 › UV 1: [0 0] -> [NaN 0]`}},
		{"minus nought", func(m *testModel) { m.Limbs[0].Faces[2].Normal[0] = float32(math.Copysign(0, -1)) }, []string{`limb 0 "body" › face 2 › normal: [0 0 0] -> [-0 0 0]`}},
		{"map", func(m *testModel) { m.Limbs[0].Bones = map[string]int{"b": 3, "c": 1} }, []string{
			`limb 0 "body" › bones › a: 1 -> `, `limb 0 "body" › bones › b: 2 -> 3`, `limb 0 "body" › bones › c:  -> 1`,
		}},
		{"removed in front", func(m *testModel) { m.Limbs[0].Faces = m.Limbs[0].Faces[1:] }, []string{`limb 0 "body" › face 0: test face -> `}},
		{"added in between", func(m *testModel) { m.Limbs[0].Faces = slices.Insert(m.Limbs[0].Faces, 2, testFace{TextureSlot: 9}) }, []string{`limb 0 "body" › face 2:  -> test face`}},
		{"limb gone", func(m *testModel) { m.Limbs = m.Limbs[:1] }, []string{`limb 1 "arm": "arm" -> `}},
		{"one of many numbers", func(m *testModel) { m.Limbs[1].Faces[0].Flags[17] = 4 }, []string{`limb 1 "arm" › face 0 › flags › 17: 0 -> 4`}},
		{"many numbers", func(m *testModel) {
			for i := range 9 {
				m.Limbs[1].Faces[0].Flags[20+i] = 4
			}
		}, []string{`limb 1 "arm" › face 0 › flags: 30 numbers -> 30 numbers, 9 differ, the first at 20`}},
		{"many numbers from the first", func(m *testModel) {
			for i := range 5 {
				m.Limbs[1].Faces[0].Flags[i] = 4
			}
		}, []string{`limb 1 "arm" › face 0 › flags: 30 numbers -> 30 numbers, 5 differ, the first at 0`}},
		{"bytes", func(m *testModel) { m.Limbs[1].Faces[0].Raw[5] = 1 }, []string{`limb 1 "arm" › face 0 › raw: 40 bytes -> 40 bytes, 1 differ, the first at 5`}},
		{"fewer bytes", func(m *testModel) { m.Limbs[1].Faces[0].Raw = []byte{1, 2} }, []string{`limb 1 "arm" › face 0 › raw: 40 bytes -> 2 bytes, 2 differ, the first at 0`}},
		{"vertex", func(m *testModel) { m.Limbs[1].Faces[0].Vertices[1] = [3]float32{1, 2, 3} }, []string{`limb 1 "arm" › face 0 › vertex 1: [0 0 0] -> [1 2 3]`}},
		{"another type", func(m *testModel) { m.Limbs[1].Faces[0].Any = 5 }, []string{`limb 1 "arm" › face 0 › any: "x" -> 5`}},
		{"pointer", func(m *testModel) { m.Limbs[0].Faces[0].Self = &testFace{} }, []string{`limb 0 "body" › face 0 › self: none -> test face`}},
	} {
		a, b := &testModel{2, limbs()}, &testModel{2, limbs()}
		c.change(b)
		fields, total := Values(a, b)
		var got []string
		for _, f := range fields {
			got = append(got, fmt.Sprintf("%s: %s -> %s", f.Path, f.Old, f.New))
		}
		if !slices.Equal(got, c.want) || total != len(got) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestValuesCycle: values that refer to themselves are compared once.
func TestValuesCycle(t *testing.T) {
	a, b := &testFace{}, &testFace{TextureSlot: 1}
	a.Self, b.Self = a, b
	if fields, _ := Values(a, b); len(fields) != 1 {
		t.Errorf("%v", fields)
	}
	if fields, _ := Values([]*testFace{a}, []*testFace{b, b}); len(fields) == 0 {
		t.Error("nothing differs")
	}
}

// TestValuesMany: of very many fields the first are kept, and all are counted.
func TestValuesMany(t *testing.T) {
	a, b := make([][3]float32, 2*mostFields), make([][3]float32, 2*mostFields)
	for i := range b {
		b[i][0] = 1
	}
	if fields, total := Values(a, b); len(fields) != mostFields || total != 2*mostFields {
		t.Errorf("%d fields of %d", len(fields), total)
	}
}

// TestEqual: lists are equal when they are as long and hold the same; numbers when their bits are.
func TestEqual(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{[]int{1, 2}, []int{1, 2}, true}, {[]int{1}, []int{1, 2}, false}, {[]int{1, 2}, []int{1}, false}, {[]int{1, 2}, []int{1, 3}, false},
		{[][]uint8{{1}, {2}}, [][]uint8{{1}, {2}}, true}, {[][]uint8{{1}, {2}}, [][]uint8{{1}, {2, 0}}, false}, {[2]uint8{1, 2}, [2]uint8{1, 3}, false},
		{nan, nan, true}, {0.0, math.Copysign(0, -1), false}, {float32(1), float32(2), false}, {"a", "a", true}, {"a", "b", false}, {true, false, false},
		{uint16(7), uint16(7), true}, {uint16(7), uint16(8), false},
	} {
		if got := equal(reflect.ValueOf(c.a), reflect.ValueOf(c.b), 0); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// BenchmarkValues compares values that are equal but for the last; bytes are those of the numbers.
func BenchmarkValues(b *testing.B) {
	x, y := make([][3]float32, 100_000), make([][3]float32, 100_000)
	y[len(y)-1][2] = 1
	b.SetBytes(1_200_000)
	b.ReportAllocs()
	for b.Loop() {
		if fields, _ := Values(x, y); len(fields) != 1 {
			b.Fatal(fields)
		}
	}
}
