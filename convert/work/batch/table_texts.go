package batch

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	readcsv "github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/exchange/po"
	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// baseName returns the file name of a path.
func baseName(p string) string { return filepath.Base(p) }

// cell is a text of an archive with what distinguishes it from the others.
type cell struct {
	context string
	entry   *entryTable
	at      *any // in the row
}

// texts returns the texts of an archive's table that are not empty: the entry's number tells them apart, with the
// column's name where there are several columns of text, and the number of the row where there are several.
func (x *archiveTable) texts(t *asset.Table) []cell {
	var columns []int
	for k := 1; k < len(t.Columns); k++ {
		if slices.ContainsFunc(t.Rows, func(row []any) bool { _, ok := row[k].(string); return ok }) {
			columns = append(columns, k)
		}
	}
	var list []cell
	at := 0
	for i := range x.entries {
		e := &x.entries[i]
		for n := range e.stored.Rows {
			row := t.Rows[at]
			at++
			for _, k := range columns {
				if s, ok := row[k].(string); !ok || s == "" {
					continue
				}
				context := e.path
				if len(columns) > 1 {
					context += "/" + t.Columns[k]
				}
				if len(e.stored.Rows) > 1 {
					context += "#" + strconv.Itoa(n+1)
				}
				list = append(list, cell{context, e, &row[k]})
			}
		}
	}
	return list
}

// encodePO makes a PO file: a message for each text, not yet translated.
func encodePO(c *Conversion, all *archiveTable, _ *format.Env) ([]format.File, error) {
	f := &po.File{Source: baseName(all.archive.Path), CodePage: all.env.Options.CodePage}
	for _, x := range all.texts(all.table()) {
		number, _ := strconv.Atoi(x.entry.path) // entries with names have none
		note := x.entry.title
		if note == *x.at {
			note = ""
		}
		f.Messages = append(f.Messages, po.Message{Context: x.context, Text: plainEnds((*x.at).(string)), Place: number, Note: note})
	}
	return []format.File{{Name: baseName(c.Out), Content: po.Encode(f)}}, nil
}

// plainEnds converts line ends to line feeds; each format restores its own.
func plainEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// decodePO reads a PO file: the table of the archive that it was made from, with the translations that there are.
func decodePO(c *Conversion, p string, base func(name, codePage string) (*archiveTable, error), d *schema.Diagnostics) (*asset.Table, error) {
	b, err := c.Loader.ReadFile(p)
	if err != nil {
		return nil, err
	}
	f, err := po.Decode(b)
	if err != nil {
		return nil, err
	}
	if err := checkMessages(f); err != nil {
		return nil, err
	}
	all, err := base(f.Source, f.CodePage)
	if err != nil {
		return nil, err
	}
	t := all.table()
	byContext := map[string]*any{}
	for _, x := range all.texts(t) {
		byContext[x.context] = x.at
	}
	var fuzzy, unknown, others []string
	for _, m := range f.Messages {
		at := byContext[m.Context]
		switch {
		case m.Translation == "":
			continue
		case m.Fuzzy:
			fuzzy = append(fuzzy, m.Context)
			continue
		case at == nil:
			unknown = append(unknown, m.Context)
			continue
		}
		if was := plainEnds((*at).(string)); was != m.Text && was != m.Translation {
			others = append(others, m.Context)
		}
		*at = m.Translation
	}
	if len(unknown) > 0 && len(unknown) == len(f.Messages) {
		return nil, fmt.Errorf("none of its messages has the number of an entry of %s for its context (msgctxt), as in %q", all.archive.Path, unknown[0])
	}
	tell(d, "po-fuzzy", fuzzy, "fuzzy translations are left out, as they wait for somebody to look at them")
	tell(d, "po-unknown", unknown, "messages are passed over: the archive has no such texts")
	tell(d, "po-source", others, "translations are taken, though the archive has other texts than they were made from")
	return t, nil
}

// checkMessages refuses messages that nobody can tell apart: those without a context, and two of one.
func checkMessages(f *po.File) error {
	var faults schema.Faults
	first := map[string]int{}
	for _, m := range f.Messages {
		at := &schema.FormatError{Path: fmt.Sprintf("line %d", m.Line), Offset: -1, Class: schema.ErrValue}
		was, twice := first[m.Context]
		first[m.Context] = m.Line
		switch {
		case m.Context == "":
			at.Msg = fmt.Sprintf("the message %.40q has no msgctxt, by which usher finds its entry: translate the file that usher writes", m.Text)
		case twice:
			at.Field, at.Msg = "msgctxt", fmt.Sprintf("%q stands in line %d already", m.Context, was)
		default:
			continue
		}
		faults.Add(at)
	}
	return faults.Err()
}

// tell warns of messages, the first few by their contexts.
func tell(d *schema.Diagnostics, code string, contexts []string, text string) {
	const few = 5
	if len(contexts) == 0 {
		return
	}
	list := strings.Join(contexts[:min(len(contexts), few)], ", ")
	if len(contexts) > few {
		list += " …"
	}
	d.Warnf(code, "", "%d %s (%s)", len(contexts), text, list)
}

// encodeLines makes a text of one line an entry: its path, a tab and its cells with tabs between them.
func encodeLines(c *Conversion, all *archiveTable, env *format.Env) ([]format.File, error) {
	t := all.table()
	var out strings.Builder
	for _, row := range t.Rows {
		for k, x := range row {
			if k > 0 {
				out.WriteByte('\t')
			}
			out.WriteString(escapeLine(plainEnds(rows.Text(x))))
		}
		out.WriteByte('\n')
	}
	text, err := engine.ParseTarget("txt", nil)
	if err != nil {
		return nil, err
	}
	base := baseName(c.Out)
	text.Extension = filepath.Ext(base) // as the user writes it
	it := &interchange.Item{Asset: &asset.Text{Body: out.String(), Extension: ".txt", Native: t.Native}, Env: env}
	return engine.Export(it, text, strings.TrimSuffix(base, text.Extension))
}

// decodeLines is the reverse of encodeLines. Blank lines are passed over.
func decodeLines(c *Conversion, p string, base func(name, codePage string) (*archiveTable, error), d *schema.Diagnostics) (*asset.Table, error) {
	it, err := c.Loader.LoadEdited(p, d)
	if err != nil {
		return nil, err
	}
	text, ok := it.Asset.(*asset.Text)
	if !ok {
		return nil, errors.New("it is no text of one line an entry")
	}
	all, err := base(baseOf(it), codePageOf(it))
	if err != nil {
		return nil, err
	}
	t := &asset.Table{Columns: append([]string{slotColumn}, all.columns...)}
	body, _ := readcsv.Text([]byte(text.Body))
	for i, line := range strings.Split(plainEnds(body), "\n") {
		if line == "" {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != len(t.Columns) {
			return nil, fmt.Errorf("line %d: %d parts with tabs between them; an entry has %d: %s", i+1, len(cells), len(t.Columns), strings.Join(t.Columns, ", "))
		}
		row := make([]any, len(cells))
		for k, x := range cells {
			if row[k], err = unescapeLine(x); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

var lineEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// escapeLine makes one line of a text. Editors like to drop a blank at the end.
func escapeLine(s string) string {
	s = lineEscapes.Replace(s)
	if rest, ok := strings.CutSuffix(s, " "); ok {
		return rest + `\s`
	}
	return s
}

func unescapeLine(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out.WriteByte(s[i])
			continue
		}
		i++
		if i == len(s) {
			return "", errors.New(`a \ at the end stands for nothing: \\ is the sign itself`)
		}
		switch s[i] {
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case 't':
			out.WriteByte('\t')
		case 's':
			out.WriteByte(' ')
		case '\\':
			out.WriteByte('\\')
		default:
			return "", fmt.Errorf(`\%c stands for nothing: \\ is the sign itself, \n a line end, \t a tab, \s a blank at the end`, s[i])
		}
	}
	return out.String(), nil
}
