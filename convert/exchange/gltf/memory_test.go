package gltf

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

func TestFromMemory(t *testing.T) {
	b := make([]byte, 0, 32)
	for i := range 6 {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i)+0.5))
	}
	if !littleEndian {
		if v := fromMemory[float32](b, 6); v != nil || memory([]float32{1}) != nil {
			t.Errorf("got %v on a machine with another order of bytes", v)
		}
		return
	}
	v := fromMemory[[3]float32](b, 2)
	if want := [][3]float32{{0.5, 1.5, 2.5}, {3.5, 4.5, 5.5}}; !slices.Equal(v, want) {
		t.Fatalf("got %v, want %v", v, want)
	}
	if got := memory(flat3(v)); !slices.Equal(got, b) {
		t.Errorf("back: % x, want % x", got, b)
	}
	b[0]++
	if v[0][0] != 0.5 {
		t.Error("the numbers are not a copy")
	}
	for name, v := range map[string][][3]float32{
		"odd address": fromMemory[[3]float32](b[1:], 1),
		"too short":   fromMemory[[3]float32](b[:23], 2),
		"none":        fromMemory[[3]float32](b, 0),
	} {
		if v != nil {
			t.Errorf("%s: got %v", name, v)
		}
	}
}

func TestGreatest(t *testing.T) {
	for n := range 10 {
		v := make([]uint32, n)
		if g := greatest(v); g != 0 {
			t.Errorf("of %d zeros: %d", n, g)
		}
		for k := range v {
			v[k] = math.MaxUint32 - uint32(n-k)
			if g := greatest(v); g != v[k] {
				t.Errorf("%v: %d", v, g)
			}
		}
	}
}
