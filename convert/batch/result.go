package batch

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/usher-assets/usher/convert"
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
	Skipped  Status = "skipped"   // one of many that cannot become what was asked for
	Opened   Status = "opened"    // an archive whose directory is odd: the diagnostics say how, its entries follow
	Failed   Status = "failed"
)

// Result is the outcome of one job, and the event that a session emits for it.
type Result struct {
	Source      string // the input as the user would name it
	Format      string // name of the format it was read as; empty when it was not recognised
	Status      Status
	Entries     int // verify: how many entries of an archive were checked as well
	Outputs     []convert.Output
	Err         error
	Diagnostics []schema.Diagnostic
}

// Guard turns a panic into the failure of one job: a defect in one format must not take the batch with it.
func Guard(r *Result) {
	if p := recover(); p != nil {
		r.Status = Failed
		r.Err = fmt.Errorf("internal error, please report it: %v\n%s", p, debug.Stack())
	}
}

// FailedJob is the job of a source that cannot even be begun.
func FailedJob(src convert.Source, err error) Job {
	return Job{Do: func(context.Context) Result { return Result{Source: src.String(), Status: Failed, Err: err} }}
}
