package schema

import (
	"fmt"
	"strings"
	"sync"
)

// Severity grades a diagnostic.
type Severity uint8

// The severities. A note tells which choice usher made, a warning that the input is unusual, a loss that data could not be
// carried over.
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

// KeptAsStored is the code of the message that an object cannot be decoded and keeps its bytes.
const KeptAsStored = "opaque-object"

// SharedLibrary is the code of the note that an edited thing lies in a file that other models use as well, About, and LeftShared that
// of the message that its edit is left to that file.
const (
	SharedLibrary = "shared-library"
	LeftShared    = "shared-left"
)

// NoContent is the code of the message that there is nothing in an entry: see [ErrBare].
const NoContent = "no-content"

// Diagnostic is one message about something that does not stop the work.
type Diagnostic struct {
	Severity Severity
	Code     string // short, stable, kebab-case: "trailing-bytes"
	Path     string // structure inside the file
	Offset   int64  // absolute offset; negative if unknown
	Msg      string
	About    string // path of another file that it is about; mostly empty
	Hint     string // how Msg goes on for somebody who types flags, such as "; --prune removes them"; mostly empty
}

// Text returns the message for the command line, with its hint.
func (d *Diagnostic) Text() string { return d.Msg + d.Hint }

// String returns the diagnostic as one line.
func (d Diagnostic) String() string {
	where := d.Path
	if d.Offset >= 0 {
		where += fmt.Sprintf("+0x%x", d.Offset)
	}
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s%s: %s (%s)", where, d.Severity, d.Text(), d.Code)
}

// maxDiagnostics bounds the list, since a damaged file can have an oddity in every record.
const maxDiagnostics = 1000

// Diagnostics collects messages. A nil *Diagnostics discards them. Several goroutines may use the same Diagnostics.
type Diagnostics struct {
	mu      sync.Mutex
	list    []Diagnostic
	dropped int
	counts  map[string]int // messages by their code, those that were dropped as well

	parent *Diagnostics // takes everything, with prefix before its path, and the hint
	prefix string
	hint   string

	trace *Trace
}

// In returns Diagnostics that pass everything on to d with prefix before the path, such as the path of an archive's entry.
// It is nil if d is nil.
func (d *Diagnostics) In(prefix string) *Diagnostics {
	if d == nil {
		return nil
	}
	return &Diagnostics{parent: d, prefix: prefix}
}

// Hint returns Diagnostics that pass everything on to d with a hint: which flag of the command line helps. It is nil if d is nil.
func (d *Diagnostics) Hint(format string, args ...any) *Diagnostics {
	if d == nil {
		return nil
	}
	return &Diagnostics{parent: d, hint: fmt.Sprintf(format, args...)}
}

// Add appends one diagnostic.
func (d *Diagnostics) Add(x Diagnostic) {
	if d == nil {
		return
	}
	x.Msg = x.withoutPath()
	if d.parent != nil {
		if x.Hint += d.hint; d.prefix != "" {
			x.Path = strings.TrimSuffix(d.prefix+"/"+x.Path, "/")
		}
		d.parent.Add(x)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.counts == nil {
		d.counts = map[string]int{}
	}
	d.counts[x.Code]++
	if len(d.list) >= maxDiagnostics {
		d.dropped++
		return
	}
	d.list = append(d.list, x)
}

// withoutPath returns the message without the path that it begins with: an error that became a message says where it is, as the
// message itself does.
func (d *Diagnostic) withoutPath() string {
	rest, ok := strings.CutPrefix(d.Msg, d.Path)
	switch {
	case !ok || d.Path == "":
	case strings.HasPrefix(rest, ": "):
		return rest[2:]
	case strings.HasPrefix(rest, "+0x"):
		return "at " + rest[1:]
	}
	return d.Msg
}

// Warnf adds a warning without offset.
func (d *Diagnostics) Warnf(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Severity: Warning, Code: code, Path: path, Offset: -1, Msg: fmt.Sprintf(format, args...)})
	}
}

// WarnAtf adds a warning at an absolute offset.
func (d *Diagnostics) WarnAtf(code, path string, offset int64, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Severity: Warning, Code: code, Path: path, Offset: offset, Msg: fmt.Sprintf(format, args...)})
	}
}

// Lossf adds a loss: something that could not be carried over.
func (d *Diagnostics) Lossf(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Severity: Loss, Code: code, Path: path, Offset: -1, Msg: fmt.Sprintf(format, args...)})
	}
}

// Notef adds a note: a choice that the user may want to know of.
func (d *Diagnostics) Notef(code, path, format string, args ...any) {
	if d != nil {
		d.Add(Diagnostic{Severity: Note, Code: code, Path: path, Offset: -1, Msg: fmt.Sprintf(format, args...)})
	}
}

// All returns all messages in order. A message repeated for the same offset, because a file was read twice, appears once.
// If the list overflowed, the last element says how many are missing.
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
		all = append(all, Diagnostic{Severity: Note, Code: "more", Path: "", Offset: -1, Msg: fmt.Sprintf("%d more not shown", d.dropped)})
	}
	return all
}

// Count returns how many messages with this code were added.
func (d *Diagnostics) Count(code string) int {
	if d == nil {
		return 0
	}
	if d.parent != nil {
		return d.parent.Count(code)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts[code]
}

// Has reports whether there is a message with this code.
func (d *Diagnostics) Has(code string) bool {
	for _, x := range d.All() {
		if x.Code == code {
			return true
		}
	}
	return false
}
