package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
)

// printer tells what happens: data and JSON on stdout, everything else on stderr.
type printer struct {
	out, err       io.Writer
	json           bool
	quiet, verbose bool
	progress       *progress
	folder         string          // where files go, for the summary; empty is the current folder
	failed         []string        // the sources that failed
	picture        pictureProtocol // how pictures are shown; nil where they are not
	counts         map[batch.Status]int
	kept           int // objects that keep their bytes, since they could not be decoded
	nothing        int // of the failures, those of entries and files that are not there
	warned         map[warning]*sharedWarning
	warnings       []*sharedWarning // in the order of their first time
}

// warning is what many sources may share: its numbers may be others in each.
type warning struct{ code, msg string }

// sharedWarning counts the sources that share a warning.
type sharedWarning struct {
	warning
	times int
	alike bool // the numbers are the same in all
}

func newPrinter(c *cli.Context) *printer {
	return &printer{
		out: c.App.Writer, err: c.App.ErrWriter,
		json: c.Bool("json"), quiet: c.Bool("quiet"), verbose: c.Bool("verbose"),
		counts: map[batch.Status]int{}, warned: map[warning]*sharedWarning{},
	}
}

// count notes a result for the summary and the exit status.
func (p *printer) count(r batch.Result) {
	if r.Status == batch.Failed {
		p.countFailure(r.Err)
		p.failed = append(p.failed, r.Source)
	} else {
		p.counts[r.Status]++
	}
	p.kept += r.Kept
	p.progress.step(r)
}

// keptText counts the objects that keep their bytes, as the end of a list; "" for none.
func keptText(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + schema.Counted(n, "object", "objects") + " kept as stored"
}

// countFailure notes a failure for the exit status.
func (p *printer) countFailure(err error) {
	p.counts[batch.Failed]++
	if errors.Is(err, formats.ErrNothing) {
		p.nothing++
	}
}

// finish returns the error that the run ends with.
func (p *printer) finish(err error) error {
	p.progress.close()
	p.sumUp()
	if err != nil {
		return err
	}
	switch failed := p.counts[batch.Failed]; {
	case failed == 0:
		return nil
	case failed == p.nothing && p.counts[batch.Done]+p.counts[batch.Planned]+p.counts[batch.UpToDate]+p.counts[batch.Same] == 0:
		return errNothingTold
	}
	return errSomeFailed
}

// line prints to stderr, around the progress bar.
func (p *printer) line(format string, args ...any) {
	fmt.Fprintln(p.progress.writer(p.err), painted(p.err, quoted(p.err, fmt.Sprintf(format, args...))))
}

// data prints a line to stdout, around the progress bar.
func (p *printer) data(format string, args ...any) {
	fmt.Fprintln(p.progress.writer(p.out), painted(p.out, quoted(p.out, fmt.Sprintf(format, args...))))
}

// jsonSchema is the version of what --json prints. It grows when a field changes its meaning or goes.
const jsonSchema = 1

// object prints one JSON object as a line of stdout, which keeps its own error. Its first field is the version.
func (p *printer) object(v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	line := b.Bytes()
	head := fmt.Sprintf(`{"schema":%d,`, jsonSchema)
	if len(line) > 0 && line[0] == '{' {
		line = append([]byte(head), line[1:]...)
	}
	_, _ = p.out.Write(escapedJSON(line))
}

// jsonFailure is a failure that is no result of a verb, as --json prints it.
type jsonFailure struct {
	Status  batch.Status `json:"status"`
	Source  string       `json:"source,omitempty"`
	Class   string       `json:"class"`
	Message string       `json:"message"`
}

// refused is the word for a file that a reader refuses, in text as in JSON.
const refused batch.Status = "refused"

// failure prints what went wrong with one source; not that somebody stopped the run, or reads no further.
func (p *printer) failure(source string, err error) {
	if isClosedPipe(err) || errors.Is(err, context.Canceled) { // that a run was stopped is told once
		return
	}
	if p.json {
		p.object(jsonFailure{failedStatus(err), source, className(err), err.Error()})
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") { // one a fault
		p.line("usher: %s", located(source, orForce(err, line)))
	}
}

// orForce adds to a line of an error how a file that is there would be overwritten.
func orForce(err error, line string) string {
	if errors.Is(err, disk.ErrExists) && strings.HasSuffix(line, disk.ErrExists.Error()) {
		return line + "; --force overwrites it"
	}
	return line
}

// shownAlike is how many diagnostics of one code are printed for one source, and how many sources are named that share a
// warning, unless all are asked for.
const shownAlike = 3

// diagnostics prints warnings and losses, and notes when asked to. Many of one kind are summed up.
func (p *printer) diagnostics(source string, list []schema.Diagnostic) {
	if p.quiet {
		return
	}
	seen, told := map[string]int{}, map[schema.Diagnostic]bool{}
	var codes []string
	for _, d := range list {
		if told[d] { // the same of the next picture, or mesh, of one model
			continue
		}
		told[d] = true
		if d.Severity == schema.Note && !p.verbose || d.Severity == schema.Warning && p.shared(d) {
			continue
		}
		if seen[d.Code]++; seen[d.Code] == 1 {
			codes = append(codes, d.Code)
		}
		if p.verbose || seen[d.Code] <= shownAlike {
			p.line("%s", located(source, d.String()))
		}
	}
	for _, code := range codes {
		if more := seen[code] - shownAlike; more > 0 && !p.verbose {
			p.line("%s: %d more like the last (%s); -v shows all", source, more, code)
		}
	}
}

// located puts a source before a text that says where in it something is. The entry that a source names can be where the text
// begins as well, and is not said again.
func located(source, text string) string {
	for entry := source; entry != ""; { // a path on disk can hold colons, and so can an entry
		_, entry, _ = strings.Cut(entry, ":")
		rest, ok := strings.CutPrefix(text, entry)
		if ok && entry != "" && (strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, "+0x") || strings.HasPrefix(rest, "/")) {
			return source + rest
		}
	}
	return source + ": " + text
}

// shared counts a warning and reports whether enough sources have been named that have it.
func (p *printer) shared(d schema.Diagnostic) bool {
	key := warning{d.Code, anyNumber.ReplaceAllString(d.Text(), "#")}
	w := p.warned[key]
	if w == nil {
		w = &sharedWarning{warning: warning{d.Code, d.Text()}, alike: true}
		p.warned[key] = w
		p.warnings = append(p.warnings, w)
	}
	w.times++
	w.alike = w.alike && w.msg == d.Text()
	return !p.verbose && w.times > shownAlike
}

// anyNumber is a number in a message; 0x10EA2487 is a name.
var anyNumber = regexp.MustCompile(`\b[0-9]+\b`)

// sumUp prints how many more sources share a warning.
func (p *printer) sumUp() {
	for _, w := range p.warnings {
		more := w.times - shownAlike
		if more <= 0 || p.verbose {
			continue
		}
		if w.alike {
			p.line("%d more: %s (%s); -v shows all", more, w.msg, w.code)
		} else {
			p.line("%d more with other numbers: %s (%s); -v shows all", more, w.msg, w.code)
		}
	}
	p.warnings = nil
}

// jsonDiagnostic is a diagnostic as --json prints it.
type jsonDiagnostic struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Path     string `json:"path,omitempty"`
	Offset   *int64 `json:"offset,omitempty"`
	Message  string `json:"message"`
	About    string `json:"about,omitempty"` // another file
}

func jsonDiagnostics(list []schema.Diagnostic) []jsonDiagnostic {
	var out []jsonDiagnostic
	for _, d := range list {
		j := jsonDiagnostic{d.Severity.String(), d.Code, d.Path, nil, d.Text(), d.About}
		if d.Offset >= 0 {
			j.Offset = &d.Offset
		}
		out = append(out, j)
	}
	return out
}

// jsonResult is a result as --json prints it.
type jsonResult struct {
	Source      string           `json:"source"`
	Format      string           `json:"format,omitempty"`
	Status      batch.Status     `json:"status"`
	Entries     int              `json:"entries,omitempty"`
	Kept        int              `json:"kept,omitempty"`
	Outputs     []jsonOutput     `json:"outputs,omitempty"`
	Class       string           `json:"class,omitempty"`
	Offset      *int64           `json:"offset,omitempty"`
	Message     string           `json:"message,omitempty"`
	Diagnostics []jsonDiagnostic `json:"diagnostics,omitempty"`
}

type jsonOutput struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

func newJSONResult(r batch.Result) jsonResult {
	j := jsonResult{Source: r.Source, Format: r.Format, Status: r.Status, Entries: r.Entries, Kept: r.Kept, Diagnostics: jsonDiagnostics(r.Diagnostics)}
	for _, o := range r.Outputs {
		j.Outputs = append(j.Outputs, jsonOutput(o))
	}
	if r.Err != nil {
		j.Status = failedStatus(r.Err)
		j.Message = r.Err.Error()
		j.Class = className(r.Err)
		var fe *schema.FormatError
		if errors.As(r.Err, &fe) && fe.Offset >= 0 {
			j.Offset = &fe.Offset
		}
	}
	return j
}

// failedStatus tells a file that a reader refuses from one that differs or fails otherwise.
func failedStatus(err error) batch.Status {
	var difference *compare.DifferenceError
	switch {
	case errors.As(err, &difference):
		return "differs"
	case schema.Class(err) != nil, errors.Is(err, formats.ErrUnknown):
		return refused
	}
	return batch.Failed
}

// formatClass returns the class of a format error as one word, "" for other errors.
func formatClass(err error) string {
	if class := schema.Class(err); class != nil {
		return strings.ReplaceAll(class.Error(), " ", "-")
	}
	return ""
}

// className returns what kind of failure an error is, as one word: the class of a format error, or one of those below;
// "" for none.
func className(err error) string {
	var difference *compare.DifferenceError
	var usage usageError
	if class := formatClass(err); class != "" || err == nil {
		return class
	}
	switch {
	case errors.As(err, &difference):
		return "difference"
	case errors.Is(err, formats.ErrUnknown):
		return "not-recognised"
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.Is(err, disk.ErrExists), errors.Is(err, fs.ErrExist):
		return "exists"
	case errors.Is(err, fs.ErrPermission):
		return "permission"
	case errors.Is(err, formats.ErrNothing):
		return "nothing"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &usage), errors.Is(err, batch.ErrPattern):
		return "usage"
	}
	return "other"
}

// byteCount prints a size for people.
func byteCount(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
