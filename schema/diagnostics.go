package schema

import (
	"fmt"
	"strings"
	"sync"
)

// Severity grades a diagnostic.
type Severity uint8

// The severities. A note tells what was chosen, a warning that something was odd in the input, a loss that something
// could not be carried over.
const (
	Note Severity = iota
	Warning
	Loss
)

// String returns the severity's name.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Loss:
		return "loss"
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// Diagnostic is one recoverable oddity.
type Diagnostic struct {
	Severity Severity
	Code     string // short, stable, kebab-case: "trailing-bytes"
	Path     string // structure inside the file
	Offset   int64  // absolute offset, negative when there is none
	Msg      string
}

// String returns the diagnostic as one line.
func (d Diagnostic) String() string {
	where := d.Path
	if d.Offset >= 0 {
		where += fmt.Sprintf("+0x%x", d.Offset)
	}
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s%s: %s (%s)", where, d.Severity, d.Msg, d.Code)
}

// maxDiagnostics bounds the list, since a damaged file can have an oddity in every record.
const maxDiagnostics = 1000

// Diagnostics collects oddities. A nil *Diagnostics accepts and drops them; a value may be used by several goroutines.
type Diagnostics struct {
	mu      sync.Mutex
	list    []Diagnostic
	dropped int

	parent *Diagnostics // takes everything, with prefix before its path
	prefix string

	trace *Trace
}

// In returns a list that adds to d what it is given, with prefix before its path: an archive's entry, for one. It is
// nil when d is.
func (d *Diagnostics) In(prefix string) *Diagnostics {
	if d == nil {
		return nil
	}
	return &Diagnostics{parent: d, prefix: prefix}
}

// Add appends one diagnostic.
func (d *Diagnostics) Add(x Diagnostic) {
	if d == nil {
		return
	}
	if d.parent != nil {
		x.Path = strings.TrimSuffix(d.prefix+"/"+x.Path, "/")
		d.parent.Add(x)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.list) >= maxDiagnostics {
		d.dropped++
		return
	}
	d.list = append(d.list, x)
}

// Warnf adds a warning without an offset.
func (d *Diagnostics) Warnf(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Warning, code, path, -1, fmt.Sprintf(format, args...)})
	}
}

// WarnAtf adds a warning at an absolute offset.
func (d *Diagnostics) WarnAtf(code, path string, offset int64, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Warning, code, path, offset, fmt.Sprintf(format, args...)})
	}
}

// Lossf reports something that could not be carried over.
func (d *Diagnostics) Lossf(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Loss, code, path, -1, fmt.Sprintf(format, args...)})
	}
}

// Notef reports a choice that the user may want to know of.
func (d *Diagnostics) Notef(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Note, code, path, -1, fmt.Sprintf(format, args...)})
	}
}

// All returns what was collected, in order. What was said of the same offset twice, by a file that was read twice, comes
// once. When the list overflowed, its last element says by how many.
func (d *Diagnostics) All() []Diagnostic {
	if d == nil {
		return nil
	}
	if d.parent != nil {
		return d.parent.All()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.list) == 0 {
		return nil
	}
	all := make([]Diagnostic, 0, len(d.list)+1)
	told := map[Diagnostic]bool{}
	for _, x := range d.list {
		if x.Offset < 0 || !told[x] {
			all = append(all, x)
		}
		if x.Offset >= 0 {
			told[x] = true
		}
	}
	if d.dropped > 0 {
		all = append(all, Diagnostic{Note, "more", "", -1, fmt.Sprintf("%d more not shown", d.dropped)})
	}
	return all
}

// Has reports whether a diagnostic with this code was added.
func (d *Diagnostics) Has(code string) bool {
	for _, x := range d.All() {
		if x.Code == code {
			return true
		}
	}
	return false
}
