package gltf

import (
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// littleEndian reports whether this machine keeps numbers in memory as glTF keeps them in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memory returns the bytes of numbers as glTF has them; nil on machines that have others.
func memory[T float32 | uint32](v []T) []byte {
	if !littleEndian || len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*len(v))
}

// inMemory returns n elements, made of 32-bit numbers, whose bytes b begins with, where they lie. It is nil on machines that
// keep numbers otherwise, and where the bytes do not lie as numbers have to.
func inMemory[V any](b []byte, n int) []V {
	var v V
	size := int(unsafe.Sizeof(v))
	if !littleEndian || n <= 0 || len(b)/size < n || uintptr(unsafe.Pointer(&b[0]))%4 != 0 {
		return nil
	}
	return unsafe.Slice((*V)(unsafe.Pointer(&b[0])), n)
}

// fromMemory is a copy of what inMemory returns, made in one go, into memory that need not be cleared first.
func fromMemory[V any](b []byte, n int) []V { return slices.Clone(inMemory[V](b, n)) }

// copyLooking is fromMemory for elements that have to be looked at: where they are many, another core does so meanwhile.
func copyLooking[V any](b []byte, n int, look func(v []V)) []V {
	stored := inMemory[V](b, n)
	if len(stored) < foldSize || runtime.GOMAXPROCS(0) < 2 {
		return slices.Clone(stored)
	}
	var wait sync.WaitGroup
	wait.Go(func() { look(stored) })
	v := slices.Clone(stored)
	wait.Wait()
	return v
}

// greatest returns the greatest of numbers, 0 of none.
func greatest(v []uint32) uint32 {
	return fold(len(v), func(from, to int) uint32 { return greatestOf(v[from:to]) }, func(a, b uint32) uint32 { return max(a, b) })
}

// greatestOf looks at four numbers at a time, which do not wait for each other.
func greatestOf(v []uint32) uint32 {
	var a, b, c, d uint32
	for ; len(v) >= 4; v = v[4:] {
		a, b, c, d = max(a, v[0]), max(b, v[1]), max(c, v[2]), max(d, v[3])
	}
	for _, x := range v {
		a = max(a, x)
	}
	return max(a, b, c, d)
}
