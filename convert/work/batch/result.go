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

// Status says how a job ended.
type Status string

// The statuses.
const (
	Done     Status = "done"      // the outputs were written
	Planned  Status = "planned"   // dry run: the outputs would have been written
	UpToDate Status = "current"   // nothing to do: the outputs were made from this input
	Same     Status = "identical" // verify: writing gives the same bytes
	Reads    Status = "reads"     // verify: it is not a native file, and was read without an error
	Skipped  Status = "skipped"   // one of many inputs that cannot be converted as requested
	Bare     Status = "bare"      // one of many inputs whose content was taken out: there was nothing to write
	Opened   Status = "opened"    // an archive with diagnostics about its directory; results for its entries follow
	Failed   Status = "failed"
)

// Result is the outcome of one job. A session emits it.
type Result struct {
	Source      string // the input in the form that a user would type
	Format      string // name of the format that it was read as; empty if not recognised
	Size        int64  // size of the input in bytes, as stated in the job
	Status      Status
	Entries     int // verify: number of entries of an archive that were also verified
	Outputs     []store.Output
	Err         error
	Diagnostics []schema.Diagnostic
	Archive     string // that the input is an entry of; empty for entries that were named
	Bare        bool   // the content was taken out, as it is of packages for servers
	Kept        int    // objects that could not be decoded, and keep their bytes
}

// Tell takes over what was noticed on the way.
func (r *Result) Tell(d *schema.Diagnostics) {
	r.Diagnostics, r.Kept, r.Bare = d.All(), d.Count(schema.KeptAsStored), d.Has(schema.NoContent)
}

// Guard turns a panic into a failed job, so that a defect in one format does not stop the batch.
func Guard(r *Result) {
	if p := recover(); p != nil {
		r.Status = Failed
		r.Err = internalError(p)
	}
}

// InternalError is a panic, which means a defect of usher. Its text is one line.
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

// Guarded calls do and returns its error. A panic becomes an [InternalError].
func Guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
		}
	}()
	return do()
}

// FailedJob returns a job that fails with an error, for a source that cannot be processed.
func FailedJob(src engine.Source, err error) Job {
	return Job{Do: func(context.Context) Result { return Result{Source: src.String(), Status: Failed, Err: err} }}
}
