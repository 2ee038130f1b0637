package batch

import (
	"context"
	"iter"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// Session runs many jobs on all cores. Results keep the order of the jobs, whatever the number of workers, and the
// bytes in flight are bounded, so that memory does not follow the size of the batch.
type Session struct {
	Workers  int   // jobs at the same time; 0 means one a core
	InFlight int64 // bytes of all running jobs' inputs; 0 means 256 MiB. A larger job runs alone.
	FailFast bool  // stop after the first failed job
}

// Job is one unit of work: one asset.
type Job = Task[Result]

// Task is a unit of work whose outcome is a T.
type Task[T any] struct {
	Size int64                       // bytes that it holds in memory while it runs, as a measure
	Do   func(ctx context.Context) T // does the work; called at most once
}

const defaultInFlight = 256 << 20

// Run does the jobs and hands their results to emit, in the order of the jobs, from one goroutine. When ctx ends, no
// new job begins, running ones finish, and Run returns the context's error.
func (s Session) Run(ctx context.Context, jobs iter.Seq[Job], emit func(Result)) error {
	return Run(ctx, s, sized(jobs), func(r Result) (goOn bool) {
		emit(r)
		return !s.FailFast || r.Err == nil
	})
}

// sized makes jobs say in their results how large they were.
func sized(jobs iter.Seq[Job]) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for j := range jobs {
			next := Job{j.Size, func(ctx context.Context) Result {
				r := j.Do(ctx)
				r.Size = j.Size
				return r
			}}
			if !yield(next) {
				return
			}
		}
	}
}

// Run does tasks as a session does its jobs; FailFast aside, it ends the run when emit returns false.
func Run[T any](ctx context.Context, s Session, tasks iter.Seq[Task[T]], emit func(T) (goOn bool)) error {
	workers := s.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	inFlight := s.InFlight
	if inFlight <= 0 {
		inFlight = defaultInFlight
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	bytes := semaphore.NewWeighted(inFlight)
	slots := make(chan struct{}, workers)
	// The queue holds the outcomes to come, in order; its length bounds how far the workers run ahead of emit.
	queue := make(chan chan T, 4*workers)
	go func() {
		defer close(queue)
		for task := range tasks {
			size := min(max(task.Size, 1), inFlight)
			if bytes.Acquire(ctx, size) != nil {
				return
			}
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				bytes.Release(size)
				return
			}
			done := make(chan T, 1)
			queue <- done
			go func() {
				defer func() { <-slots; bytes.Release(size) }()
				done <- task.Do(ctx)
			}()
		}
	}()
	ended := false
	for done := range queue {
		r := <-done
		if ended {
			continue // only drained: what had begun before the end
		}
		if !emit(r) {
			ended = true
			stop(nil)
		}
	}
	if ended {
		return nil
	}
	return context.Cause(ctx)
}
