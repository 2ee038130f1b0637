package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collectGarbage makes the runtime collect garbage when the heap has grown by per cent, unless GOGC says otherwise.
func collectGarbage(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// roomyHeap is the size up to which a heap grows before it is collected: below, collections would come every few assets,
// and take a third of the time, to save a few megabytes.
const roomyHeap = 16 << 20

// collectGarbageAbove is collectGarbage for heaps that are larger than roomyHeap; smaller ones may grow up to that.
func collectGarbageAbove(percent int) {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(roomyPercent(percent, 0))
	afterCollection(func() { debug.SetGCPercent(roomyPercent(percent, liveHeap())) })
}

// roomyPercent returns by how much a heap of which so many bytes are alive may grow.
func roomyPercent(percent int, live uint64) int {
	const least = 4 << 20 // what the runtime takes a smaller heap for
	return max(percent, int(roomyHeap*100/max(live, least))-100)
}

// afterCollection calls f after each collection of garbage: it is told by the finalizer of a piece of garbage.
func afterCollection(f func()) {
	type sentinel struct{ _ *int } // with a pointer, so that it is not allocated together with something else
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		f()
		afterCollection(f)
	})
}

func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
