package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/explain"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say which field covers each byte",
		ArgsUsage: "FILE[:ENTRY][@OFFSET]...",
		Description: "Prints what a file consists of, in the order of its bytes: offset, size, field and value, and how much of it is\n" +
			"read as fields, kept as bytes, or a gap that nothing asks for. Of many like structures the first is shown; -v shows\n" +
			"all. A file that cannot be read is explained up to where reading stopped.\n\n" +
			"FILE@0x1a4 is what lies at that offset: structure, field, element of an array. Offsets are those of the file, in\n" +
			"entries of an archive as well.\n\n" +
			"--json prints an object a line for each span: offset, size, kind (field, kept, gap), entry, path, field, layout of an\n" +
			"element (\"position:3f32 uv:2f32\"), count of elements, value, note, and shared where the file uses bytes twice; then\n" +
			"one with the format, the sizes and shares, and where reading stopped.",
		Flags: []cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "gaps", Usage: "only what no field covers: gaps, and bytes that are kept as they are"},
			&cli.BoolFlag{DisableDefaultText: true, Name: "coverage", Usage: "only how much of each entry is fields, kept bytes and gaps"},
			fromFlag(), codePageFlag(), quietFlag(),
			&cli.BoolFlag{DisableDefaultText: true, Name: "verbose", Aliases: []string{"v"}, Usage: "show every structure, not only the first of many alike"},
			jsonFlag(),
		},
		Action: runExplain,
	}
}

func runExplain(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("explain needs a file: usher explain FILE[:ENTRY][@OFFSET]")
	}
	files, err := operands(c)
	if err != nil {
		return err
	}
	from, err := fromFormat(c)
	if err != nil {
		return err
	}
	p := newPrinter(c)
	quote := func(s string) string { return s }
	if isTerminal(p.out) {
		quote = escaped
	}
	out := bufio.NewWriterSize(p.out, 64<<10)
	p.out = out
	page, err := codePage(c)
	if err != nil {
		return err
	}
	e := explainer{printer: p, loader: &engine.Loader{From: from, Options: format.Options{CodePage: page}}, out: out, quote: quote, gaps: c.Bool("gaps"), coverage: c.Bool("coverage")}
	for _, operand := range files {
		err := checkPattern(operand)
		if err == nil {
			err = e.operand(c.App, operand)
		}
		if err != nil {
			e.failure(operand, cause(disk.PlainError(err), operand))
			e.countFailure(err)
		} else {
			e.counts[batch.Done]++
		}
		if c.Context.Err() != nil {
			break
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if e.stopped {
		return errSomeFailed
	}
	return e.finish(nil)
}

// explainer prints what files consist of.
type explainer struct {
	*printer
	loader         *engine.Loader
	out            io.Writer
	quote          func(string) string // for what comes from inside a file
	gaps, coverage bool
	stopped        bool // a file could not be read to its end
}

// explain explains an operand; piped is the path of the file that holds standard input.
func (e *explainer) explain(operand, piped string) error {
	src, at, err := offsetOperand(operand)
	if err != nil {
		return disk.PlainError(err)
	}
	within := explain.Range{}
	if at >= 0 {
		within = explain.Range{From: at, To: at + 1}
	}
	m, err := explain.Source(e.loader, src, within)
	if err != nil {
		return err
	}
	name := src.String()
	if piped != "" {
		name = strings.Replace(name, piped, stream, 1)
	}
	for _, stop := range m.Stops {
		e.stopped = true
		if !e.json {
			e.line("usher: %s: stopped at 0x%x: %v", name, stop.Offset, stop.Err)
		}
	}
	switch {
	case at >= 0:
		return e.place(m, at)
	case e.json:
		e.spans(m)
	case e.coverage:
		e.entries(m)
	case e.gaps:
		e.unread(m)
	default:
		e.tree(m, m.Tree(!e.verbose), "")
	}
	e.end(name, m)
	return nil
}

// operand explains a file, or standard input.
func (e *explainer) operand(app *cli.App, operand string) error {
	rest, piped := strings.CutPrefix(operand, stream)
	if !piped || rest != "" && rest[0] != ':' && rest[0] != '@' {
		return e.explain(operand, "")
	}
	dir, path, err := spool(app)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return e.explain(path+rest, path)
}

// offsetOperand takes FILE[:ENTRY][@OFFSET] apart; the offset is −1 where there is none. A file or entry that is called
// like an operand with an offset is that file or entry.
func offsetOperand(operand string) (src engine.Source, at int64, err error) {
	p, entry, err := engine.ParseOperand(operand)
	src = engine.Source{Path: p, Entry: entry}
	cut := strings.LastIndexByte(operand, '@')
	if cut < 0 || err == nil && entry == "" {
		return src, -1, err
	}
	offset, bad := strconv.ParseInt(operand[cut+1:], 0, 64)
	if bad != nil || offset < 0 {
		return src, -1, err
	}
	if err == nil && hasEntry(p, entry) {
		return src, -1, nil
	}
	p, entry, err = engine.ParseOperand(operand[:cut])
	return engine.Source{Path: p, Entry: entry}, offset, err
}

func hasEntry(archive, entry string) bool {
	a, err := store.OpenArchive(archive, nil, new(engine.Loader).Env(archive, nil))
	if err != nil {
		return false
	}
	defer a.Close()
	_, err = a.Find(entry)
	return err == nil
}

// jsonSpan is a span as --json prints it.
type jsonSpan struct {
	*explain.Span
	Element string `json:"element,omitempty"` // of an array, and its field: "12/uv"; with @OFFSET
	Value   string `json:"value,omitempty"`
}

func (e *explainer) spans(m *explain.Map) {
	for i := range m.Spans {
		s := &m.Spans[i]
		if e.gaps && s.Kind == explain.Field {
			continue
		}
		j := jsonSpan{Span: s}
		if s.Kind != explain.Gap {
			j.Value = m.Value(s)
		}
		e.object(j)
	}
}

// place prints what lies at an offset.
func (e *explainer) place(m *explain.Map, at int64) error {
	found := m.At(at)
	if len(found) == 0 {
		return fmt.Errorf("0x%x is outside: the bytes are 0x%x to 0x%x", at, m.Offset, m.Offset+m.Size)
	}
	for _, s := range found {
		element, value := m.ValueAt(s, at)
		if e.json {
			e.object(jsonSpan{s, element, value})
			continue
		}
		if s.Entry != "" {
			e.say("entry   %s", s.Entry)
		}
		if s.Path != "" {
			e.say("in      %s", s.Path)
		}
		field := s.Field
		if s.Kind != explain.Field {
			field = strings.TrimSpace(s.Kind.String() + " " + field)
		}
		e.say("field   %s", field)
		if element != "" {
			e.say("element %s", element)
		}
		e.say("bytes   0x%x to 0x%x (%d)", s.Offset, s.End(), s.Size)
		if s.Layout != "" {
			e.say("layout  %s", layoutText(s))
		}
		if value != "" {
			e.say("value   %s", value)
		}
		if s.Means != "" {
			e.say("means   %s", s.Means)
		}
	}
	return nil
}

func layoutText(s *explain.Span) string {
	if s.Count > 1 {
		return fmt.Sprintf("%d x (%s)", s.Count, s.Layout)
	}
	return s.Layout
}

// tree prints structures and fields, indented.
func (e *explainer) tree(m *explain.Map, list []*explain.Node, indent string) {
	for _, n := range list {
		switch {
		case n.Span == nil:
			e.row(n.Offset, n.Size, indent+n.Label)
			e.tree(m, n.Children, indent+"  ")
		case n.Repeats > 1:
			e.row(n.Offset, n.Size, fmt.Sprintf("%s%s x %d: %s …", indent, n.Label, n.Repeats, spanText(m, n.Span)))
		default:
			e.row(n.Offset, n.Size, fmt.Sprintf("%s%s: %s", indent, n.Label, spanText(m, n.Span)))
		}
		if n.Alike > 0 {
			e.row(n.Offset+n.Size, n.Until-n.Offset-n.Size, fmt.Sprintf("%s… %d more like it", indent, n.Alike))
		}
	}
}

func spanText(m *explain.Map, s *explain.Span) string {
	text := m.Text(s)
	if s.Kind == explain.Kept {
		text = "kept " + text
	}
	if s.Shared {
		text += " (shared)"
	}
	return text
}

func (e *explainer) say(format string, args ...any) {
	fmt.Fprintln(e.out, e.quote(fmt.Sprintf(format, args...)))
}

func (e *explainer) row(offset, size int64, text string) {
	fmt.Fprintf(e.out, "0x%06x %9d  %s\n", offset, size, e.quote(text))
}

// unread prints gaps and kept bytes.
func (e *explainer) unread(m *explain.Map) {
	for i := range m.Spans {
		if s := &m.Spans[i]; s.Kind != explain.Field {
			e.row(s.Offset, s.Size, strings.TrimSuffix(fmt.Sprintf("%-4s %s: %s", s.Kind, s.Name(), m.Value(s)), ": "))
		}
	}
}

// entries prints the shares of each entry, in the order of the file; what belongs to the directory has none.
func (e *explainer) entries(m *explain.Map) {
	shares := map[string]*explain.Coverage{}
	var order []string
	for i := range m.Spans {
		s := &m.Spans[i]
		if shares[s.Entry] == nil {
			shares[s.Entry] = new(explain.Coverage)
			order = append(order, s.Entry)
		}
		shares[s.Entry][s.Kind] += s.Size
	}
	slices.SortStableFunc(order, func(a, b string) int { // what is the file's own comes first
		if a != "" && b != "" {
			return 0
		}
		return len(a) - len(b)
	})
	for _, entry := range order {
		fmt.Fprintf(e.out, "%s  %s\n", sharesText(*shares[entry]), e.quote(entry))
	}
}

func sharesText(c explain.Coverage) string {
	return fmt.Sprintf("%5.1f %% fields, %5.1f %% kept, %5.1f %% gaps", 100*c.Share(explain.Field), 100*c.Share(explain.Kept), 100*c.Share(explain.Gap))
}

// jsonExplained is the last object of --json.
type jsonExplained struct {
	Source   string         `json:"source"`
	Format   string         `json:"format"`
	Offset   int64          `json:"offset"`
	Size     int64          `json:"size"`
	Unpacked bool           `json:"unpacked,omitempty"`
	Field    int64          `json:"field"`
	Kept     int64          `json:"kept"`
	Gap      int64          `json:"gap"`
	Stops    []explain.Stop `json:"stops,omitempty"`
}

func (e *explainer) end(name string, m *explain.Map) {
	c := m.Coverage()
	switch {
	case e.json:
		e.object(jsonExplained{name, m.Format, m.Offset, m.Size, m.Unpacked, c[explain.Field], c[explain.Kept], c[explain.Gap], m.Stops})
	default:
		e.say("%s: %s, %d bytes: %s", name, m.Format, m.Size, strings.Join(strings.Fields(sharesText(c)), " "))
	}
}
