package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"testing"
	"time"
)

// numbered yields n jobs whose results carry their number; job i does work(i) first.
func numbered(n int, size int64, work func(i int) error) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for i := range n {
			if !yield(Job{size, func(context.Context) Result { return Result{Source: fmt.Sprint(i), Err: work(i)} }}) {
				return
			}
		}
	}
}

func TestSessionKeepsOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		next := 0
		err := Session{Workers: workers}.Run(context.Background(), numbered(100, 1, func(i int) error {
			time.Sleep(time.Duration(i*7%5) * 100 * time.Microsecond)
			return nil
		}), func(r Result) {
			if r.Source != fmt.Sprint(next) {
				t.Errorf("%d workers: got %s, want %d", workers, r.Source, next)
			}
			next++
		})
		if err != nil || next != 100 {
			t.Errorf("%d workers: %d results, %v", workers, next, err)
		}
	}
}

func TestSessionBoundsBytes(t *testing.T) {
	var running, most atomic.Int64
	err := Session{Workers: 8, InFlight: 30}.Run(context.Background(), numbered(50, 10, func(int) error {
		now := running.Add(10)
		for {
			m := most.Load()
			if now <= m || most.CompareAndSwap(m, now) {
				break
			}
		}
		time.Sleep(100 * time.Microsecond)
		running.Add(-10)
		return nil
	}), func(Result) {})
	if err != nil || most.Load() > 30 {
		t.Errorf("%d bytes in flight, at most 30 allowed; %v", most.Load(), err)
	}
}

func TestSessionRunsHugeJobsAlone(t *testing.T) {
	done := 0
	err := Session{Workers: 2, InFlight: 10}.Run(context.Background(), numbered(3, 1000, func(int) error { return nil }), func(Result) { done++ })
	if err != nil || done != 3 {
		t.Errorf("%d done, %v", done, err)
	}
}

func TestSessionGoesOnAfterFailure(t *testing.T) {
	var done, failed int
	fails := func(i int) error {
		if i%3 == 0 {
			return errors.New("bad file")
		}
		return nil
	}
	count := func(r Result) {
		done++
		if r.Err != nil {
			failed++
		}
	}
	if err := (Session{Workers: 2}).Run(context.Background(), numbered(9, 1, fails), count); err != nil || done != 9 || failed != 3 {
		t.Errorf("%d done, %d failed, %v", done, failed, err)
	}
	done, failed = 0, 0
	if err := (Session{Workers: 2, FailFast: true}).Run(context.Background(), numbered(9, 1, fails), count); err != nil || done != 1 || failed != 1 {
		t.Errorf("fail fast: %d done, %d failed, %v", done, failed, err)
	}
}

func TestSessionStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	err := Session{Workers: 2}.Run(ctx, numbered(1_000_000, 1, func(i int) error {
		if i == 10 {
			cancel()
		}
		return nil
	}), func(Result) { done++ })
	if !errors.Is(err, context.Canceled) || done < 10 || done > 100 {
		t.Errorf("%d done, %v", done, err)
	}
}

func TestGuardTurnsPanicIntoFailure(t *testing.T) {
	r := func() (r Result) {
		defer Guard(&r)
		var list []int
		_ = list[len(list)]
		return r
	}()
	if r.Status != Failed || r.Err == nil {
		t.Errorf("got %+v", r)
	}
}
