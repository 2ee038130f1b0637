package main

import (
	"runtime"
	"testing"
	"time"
)

func TestRoomyPercent(t *testing.T) {
	for _, x := range []struct {
		live uint64
		want int
	}{{0, 300}, {4 << 20, 300}, {8 << 20, 100}, {12 << 20, 40}, {1 << 30, 40}, {1 << 50, 40}} {
		if got := roomyPercent(40, x.live); got != x.want {
			t.Errorf("a heap of %d bytes may grow by %d %%, want %d", x.live, got, x.want)
		}
	}
	if got := roomyPercent(600, 0); got != 600 {
		t.Errorf("600 %% became %d", got)
	}
}

func TestAfterCollection(t *testing.T) {
	told := make(chan bool, 1)
	afterCollection(func() {
		select {
		case told <- true:
		default:
		}
	})
	for range 3 { // not only the first
		for end := time.Now().Add(30 * time.Second); ; runtime.GC() {
			if len(told) > 0 {
				<-told
				break
			}
			if time.Now().After(end) {
				t.Fatal("nobody told of a collection")
			}
		}
	}
	if live := liveHeap(); live == 0 || live > 1<<40 {
		t.Errorf("%d bytes are alive", live)
	}
}
