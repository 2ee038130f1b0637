package gltf

import (
	"runtime"
	"sync"
)

// foldSize is how many elements one core looks at before another pays.
const foldSize = 1 << 17

// fold returns what f says of n elements: it is called for parts of them, on all cores where they are many, and join puts
// together what two neighbours gave.
func fold[T any](n int, f func(from, to int) T, join func(a, b T) T) T {
	cores := min(runtime.GOMAXPROCS(0), n/foldSize)
	if cores < 2 {
		return f(0, n)
	}
	said := make([]T, cores)
	var wait sync.WaitGroup
	for i := range cores {
		wait.Go(func() { said[i] = f(i*n/cores, (i+1)*n/cores) })
	}
	wait.Wait()
	for _, s := range said[1:] {
		said[0] = join(said[0], s)
	}
	return said[0]
}
