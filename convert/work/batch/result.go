package batch

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/schema"
)

// Status is how a job ended.
type Status string

// The statuses.
const (
	Done     Status = "done"      // the outputs were written
	Planned  Status = "planned"   // a dry run: they would have been
	UpToDate Status = "current"   // nothing to do, the outputs are from this very input
	Same     Status = "identical" // verify: written back, the bytes are the same
	Reads    Status = "reads"     // verify: no native file, and read without an error
	Skipped  Status = "skipped"   // one of many that cannot become what was asked for
	Opened   Status = "opened"    // an archive whose directory is odd: the diagnostics say how, its entries follow
	Failed   Status = "failed"
)

// Result is the outcome of one job, and the event that a session emits for it.
type Result struct {
	Source      string // the input as the user would name it
	Format      string // name of the format it was read as; empty when it was not recognised
	Size        int64  // of the input, in bytes, as the job said
	Status      Status
	Entries     int // verify: how many entries of an archive were checked as well
	Outputs     []store.Output
	Err         error
	Diagnostics []schema.Diagnostic
}

// Guard turns a panic into the failure of one job: a defect in one format must not take the batch with it.
func Guard(r *Result) {
	if p := recover(); p != nil {
		r.Status = Failed
		r.Err = internalError(p)
	}
}

// InternalError is a panic: a defect of usher. Its text is one line.
type InternalError struct {
	Cause any
	Stack []byte
}

func internalError(cause any) error { return &InternalError{cause, debug.Stack()} }

// Error implements error.
func (e *InternalError) Error() string {
	cause, _, _ := strings.Cut(fmt.Sprint(e.Cause), "\n")
	return fmt.Sprintf("internal error, please report it with this file: %s (%s)", cause, e.place())
}

// place returns the line of usher in which it happened.
func (e *InternalError) place() string {
	_, after, _ := strings.Cut(string(e.Stack), "panic(")
	for line := range strings.Lines(after) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ")
		if dir, file, ok := cutLast(line, "/"); ok && strings.Contains(file, ".go:") && !strings.Contains(dir, "/runtime") && !strings.HasSuffix(dir, "runtime") {
			_, room, _ := cutLast(dir, "/")
			return room + "/" + file
		}
	}
	return "unknown place"
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, s, false
	}
	return s[:i], s[i+len(sep):], true
}

// Guarded calls do and returns its error. A panic is one too: a defect in one format must not take the others with it.
func Guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
		}
	}()
	return do()
}

// FailedJob is the job of a source that cannot even be begun.
func FailedJob(src engine.Source, err error) Job {
	return Job{Do: func(context.Context) Result { return Result{Source: src.String(), Status: Failed, Err: err} }}
}
