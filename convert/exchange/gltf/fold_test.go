package gltf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestFold: what is looked for is found in every part of a long list, at both ends of it, and where there is none.
func TestFold(t *testing.T) {
	const n = 4*foldSize + 3
	for _, at := range []int{0, 1, n / 4, n/2 - 1, n / 2, n/2 + 1, n - 2, n - 1} {
		numbers, floats := make([]uint32, n), slices.Repeat([]float32{1, 0, 0}, n)
		numbers[at] = 7
		if got := greatest(numbers); got != 7 {
			t.Errorf("greatest of numbers with 7 at %d: %d", at, got)
		}
		if !allFinite(floats) {
			t.Error("ones and noughts are not finite")
		}
		if first := notUnit(floats, 3); first != -1 {
			t.Errorf("vector %d is not of unit length", first/3)
		}
		floats[3*at] = -2
		floats[3*at+2] = 3
		lo, hi := extent(floats, 3)
		if !slices.Equal(lo, []float64{-2, 0, 0}) || !slices.Equal(hi, []float64{1, 0, 3}) {
			t.Errorf("extent with a corner at %d: %v to %v", at, lo, hi)
		}
		if first := notUnit(floats, 3); first != 3*at {
			t.Errorf("vector %d is not of unit length, want %d", first/3, at)
		}
		floats[3*at+1] = float32(math.Inf(1))
		if allFinite(floats) {
			t.Errorf("an infinite value at %d is not seen", 3*at+1)
		}
	}
}

// TestLargeMesh: what a large mesh holds is checked as that of a small one is, to its last element.
func TestLargeMesh(t *testing.T) {
	s := millionTriangles()
	p := s.Roots[0].Mesh.Primitives[0]
	last := p.Positions[len(p.Positions)-1]
	whole := encode(t, s, nil)
	place := bytes.LastIndex(whole, memory(last[:]))
	index := bytes.LastIndex(whole, memory(p.Indices[len(p.Indices)-3:]))
	for _, c := range []struct {
		name string
		at   int
		bits uint32
		want error
	}{
		{"infinite", place + 8, math.Float32bits(float32(math.Inf(-1))), schema.ErrValue},
		{"out of range", index + 8, uint32(len(p.Positions)), schema.ErrRange},
		{"in range", index + 8, uint32(len(p.Positions)) - 1, nil},
	} {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(b[c.at:], c.bits)
		if _, err := Decode(b, nil, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
