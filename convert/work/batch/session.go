package batch

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Session runs many jobs on all cores. Results come in the order of the jobs, whatever the number of workers. The total
// size of running jobs is bounded, so memory does not grow with the batch.
type Session struct {
	Workers  int   // number of jobs at the same time; 0 means one per core
	InFlight int64 // limit for the inputs of running jobs, in bytes; 0 means 256 MiB. A larger job runs alone.
	FailFast bool  // stop after the first failed job
}

// Job is one unit of work: one asset.
type Job = Task[Result]

// Task is a unit of work with a result of type T.
type Task[T any] struct {
	Size int64                       // estimated memory that it needs while it runs, in bytes
	Do   func(ctx context.Context) T // does the work; called at most once
}

const defaultInFlight = 256 << 20

// Run runs the jobs and calls emit with their results, in the order of the jobs and one at a time. When ctx ends, it starts
// no new job, waits for running ones, and returns the error of ctx.
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

// Run runs tasks as a session runs jobs. It ignores FailFast, and ends when emit returns false.
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
	next, done := iter.Pull(tasks)
	defer done()
	r := &run[T]{
		next: next, emit: emit, stop: stop,
		inFlight: inFlight, bytes: semaphore.NewWeighted(inFlight),
		ahead: make(chan struct{}, 4*workers), outcomes: make([]*T, 4*workers),
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for r.one(ctx) {
			}
		})
	}
	all.Wait()
	if r.ended {
		return nil
	}
	return context.Cause(ctx)
}

// run is one call of Run. Its workers take the tasks and emit the outcomes themselves: tasks may be done in microseconds,
// and to wake another goroutine for each takes as long.
type run[T any] struct {
	inFlight int64
	bytes    *semaphore.Weighted
	ahead    chan struct{} // holds one element for each task that is begun and not emitted: bounds how far workers run ahead

	feed  sync.Mutex
	next  func() (Task[T], bool)
	begun int

	mu       sync.Mutex
	outcomes []*T // of the tasks that are done, by number modulo the length; nil for one that is not
	emitted  int
	emitting bool // by one of the workers
	ended    bool // emit wants no more
	emit     func(T) (goOn bool)
	stop     context.CancelCauseFunc
}

// one does the next task. It reports false when there is none.
func (r *run[T]) one(ctx context.Context) bool {
	task, size, number, ok := r.take(ctx)
	if !ok {
		return false
	}
	outcome := task.Do(ctx)
	r.bytes.Release(size)
	r.deliver(number, &outcome)
	return true
}

// take returns the next task and its number, when there is room for it.
func (r *run[T]) take(ctx context.Context) (task Task[T], size int64, number int, ok bool) {
	r.feed.Lock()
	defer r.feed.Unlock()
	select {
	case r.ahead <- struct{}{}:
	case <-ctx.Done():
		return task, 0, 0, false
	}
	if ctx.Err() != nil {
		return task, 0, 0, false
	}
	if task, ok = r.next(); !ok {
		return task, 0, 0, false
	}
	size = min(max(task.Size, 1), r.inFlight)
	if r.bytes.Acquire(ctx, size) != nil {
		return task, 0, 0, false
	}
	r.begun++
	return task, size, r.begun - 1, true
}

// deliver emits an outcome and those that waited for it, unless another worker is at that: it emits this one as well.
func (r *run[T]) deliver(number int, outcome *T) {
	r.mu.Lock()
	r.outcomes[number%len(r.outcomes)] = outcome
	if r.emitting {
		r.mu.Unlock()
		return
	}
	r.emitting = true
	for {
		slot := &r.outcomes[r.emitted%len(r.outcomes)]
		if outcome = *slot; outcome == nil {
			break
		}
		*slot = nil
		r.emitted++
		<-r.ahead
		if r.ended {
			continue // only drained: what had begun before the end
		}
		r.mu.Unlock()
		goOn := r.emit(*outcome)
		r.mu.Lock()
		if !goOn {
			r.ended = true
			r.stop(nil)
		}
	}
	r.emitting = false
	r.mu.Unlock()
}
