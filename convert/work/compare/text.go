package compare

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

const (
	longRun     = 16 // numbers, bytes or vectors that have lines of their own; of more there is a hash
	longList    = 48 // structures of a list with lines for their fields; of more each has one line
	shortFields = 24 // lines of an entry that are shown; an entry of more has its hash alone
)

// Text writes the content of a file as lines, for version control to compare with those of another version: the format, the
// entries with their hashes, and short fields. There are no paths of files and no offsets, so a change of one thing changes
// only its own lines, and the first line, which has the hash of the file. If something cannot be read, a line says so.
func Text(ctx context.Context, w io.Writer, l *engine.Loader, path string) error {
	b, err := l.ReadFile(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	t := newTextLines(out)
	in := formats.NewInput(path, b)
	f, x := interchange.Recognise(in)
	if l.From != nil {
		f, x = l.From, nil
	}
	switch {
	case f != nil && f.Open != nil:
		t.archive(ctx, l, path, f, b)
	case f != nil:
		t.leaf(f, b)
	case utf8.Valid(b) && !bytes.ContainsRune(b, 0): // a text is its lines
		_, _ = out.Write(b) // that it failed is told at the end
	case x != nil:
		t.line("%s, %s", x.Title, sum(b))
	default:
		t.line("unknown to usher, %s", sum(b))
	}
	return out.Flush()
}

// sum says how long bytes are, and their hash.
func sum(b []byte) string { return fmt.Sprintf("%d bytes, %016x", len(b), xxhash.Sum64(b)) }

// textLines writes a value field by field, each with the path that it has within the file.
type textLines struct {
	out   io.Writer
	path  []string
	n     int
	most  int              // lines, if more are of no use
	whole []byte           // has its hash already
	seen  map[uintptr]bool // pointers that have their lines
}

func newTextLines(out io.Writer, path ...string) *textLines {
	return &textLines{out: out, path: path, seen: map[uintptr]bool{}}
}

func (t *textLines) line(format string, args ...any) {
	t.n++
	fmt.Fprintf(t.out, format+"\n", args...)
}

func (t *textLines) facts(list []format.Fact) {
	for _, f := range list {
		t.line("%s: %s", f.Name, strings.Join(strings.Fields(fmt.Sprint(f.Value)), " "))
	}
}

// leaf writes a file that is one value.
func (t *textLines) leaf(f *format.Format, b []byte) {
	t.line("%s, %s", f.Title, sum(b))
	v, err := read(f, b)
	if err != nil {
		t.line("cannot be read: %v", err)
		return
	}
	if f.Facts != nil {
		t.facts(f.Facts(v))
	}
	t.value(reflect.ValueOf(v), 0)
}

// read reads a value; a reader that panics has an error.
func read(f *format.Format, b []byte) (v any, err error) {
	if f.Read == nil {
		return nil, formats.ErrUnknown
	}
	err = batch.Guarded(func() (err error) { v, err = f.Read(b, nil); return err })
	return v, err
}

// archive writes the entries of an archive by their paths, those that are short with their fields.
func (t *textLines) archive(ctx context.Context, l *engine.Loader, path string, f *format.Format, b []byte) {
	t.line("%s, %s", f.Title, sum(b))
	a, err := store.OpenArchiveAt(bytes.NewReader(b), int64(len(b)), f, l.Env(path, new(schema.Diagnostics)))
	if err != nil {
		t.line("cannot be read: %v", err)
		return
	}
	defer a.Close()
	t.facts(a.Facts())
	entries := a.Entries()
	for _, i := range byPath(entries) {
		if ctx.Err() != nil {
			return
		}
		e := &entries[i]
		payload, err := a.Portable(i)
		if err != nil {
			t.line("%s: cannot be read: %v", e.Path, err)
			continue
		}
		hash := sum(payload)
		if b, err := a.Meaning(i); err == nil && b != nil {
			hash = fmt.Sprintf("%016x", xxhash.Sum64(b))
		}
		t.entry(e, i, payload, hash)
	}
}

// byPath returns the numbers of entries in the order of their paths, by number where these are numbers: in the archive they may
// have another order each time that it is made.
func byPath(entries []format.Entry) []int {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		return slices.CompareFunc(strings.Split(entries[i].Path, "/"), strings.Split(entries[k].Path, "/"), func(a, b string) int {
			x, err1 := strconv.Atoi(a)
			y, err2 := strconv.Atoi(b)
			if err1 == nil && err2 == nil && x != y {
				return cmp.Compare(x, y)
			}
			return strings.Compare(a, b)
		})
	})
	return order
}

// entry writes an entry with its hash, which is that of its meaning where it refers to others by number.
func (t *textLines) entry(e *format.Entry, i int, payload []byte, hash string) {
	name := "raw"
	f := e.Format
	if f != nil {
		name, f = f.Name, f.Of(i, payload)
	}
	title := ""
	if e.Title != "" {
		title = " " + strconv.Quote(e.Title)
	}
	t.line("%s%s: %s, %s", e.Path, title, name, hash)
	if f == nil {
		return
	}
	v, err := read(f, payload)
	if err != nil {
		return // its hash says what changed
	}
	var fields strings.Builder
	own := newTextLines(&fields, e.Path)
	own.most, own.whole = shortFields, payload
	if own.value(reflect.ValueOf(v), 0); own.n <= shortFields {
		io.WriteString(t.out, fields.String())
	}
}

// in writes below a step of the path.
func (t *textLines) in(step string, do func()) {
	t.path = append(t.path, step)
	do()
	t.path = t.path[:len(t.path)-1]
}

func (t *textLines) field(text string) {
	where := strings.Join(t.path, " › ")
	if where != "" {
		where += ": "
	}
	t.line("  %s%s", where, text)
}

// enough reports whether no more lines are of use.
func (t *textLines) enough() bool { return t.most > 0 && t.n > t.most }

func (t *textLines) value(v reflect.Value, depth int) {
	if t.enough() || !v.IsValid() || depth > maxDepth || v.IsZero() && v.Kind() != reflect.Struct {
		return // what is nothing has no line
	}
	switch v.Kind() {
	case reflect.Pointer:
		if p := v.Pointer(); !t.seen[p] { // values may refer to each other
			t.seen[p] = true
			t.value(v.Elem(), depth+1)
		}
	case reflect.Interface:
		t.value(v.Elem(), depth+1)
	case reflect.Struct:
		t.structure(v, depth)
	case reflect.Slice, reflect.Array:
		t.list(v, depth)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
	case reflect.Map:
		t.field(hashed(v, "keys"))
	default:
		t.field(text(v))
	}
}

func (t *textLines) structure(v reflect.Value, depth int) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported(), f.Name == "Offset": // where something stands says nothing of it
		case f.Anonymous:
			t.value(v.Field(i), depth+1)
		default:
			t.in(schema.Words(f.Name), func() { t.value(v.Field(i), depth+1) })
		}
	}
}

func (t *textLines) list(v reflect.Value, depth int) {
	element := v.Type().Elem()
	numbers := plain(element.Kind())
	switch {
	case v.Len() == 0:
	case element.Kind() == reflect.Uint8 && bytes.Equal(bytesOf(v), t.whole):
	case element.Kind() == reflect.Uint8 && v.Len() > longRun:
		t.field(sum(bytesOf(v)))
	case element.Kind() == reflect.Uint8, numbers && v.Len() <= longRun:
		t.field(text(v))
	case numbers || v.Len() > longRun && plainVector(element):
		t.field(hashed(v, "elements"))
	default:
		t.elements(v, depth)
	}
}

// plainVector reports whether a type is an array of numbers.
func plainVector(t reflect.Type) bool { return t.Kind() == reflect.Array && plain(t.Elem().Kind()) }

// elements writes the elements of a list: one by one with their fields or, where there are many, with a hash each.
func (t *textLines) elements(v reflect.Value, depth int) {
	owner := ""
	if len(t.path) > 0 {
		owner = t.path[len(t.path)-1]
		t.path = t.path[:len(t.path)-1]
		defer func() { t.path = append(t.path, owner) }()
	}
	one := schema.Singular(owner)
	for i := 0; i < v.Len() && !t.enough(); i++ {
		x := v.Index(i)
		t.in(step(one, i, x, x), func() {
			switch {
			case plainList(x):
				t.field(text(x))
			case v.Len() > longList:
				t.field(hashed(x, "fields"))
			default:
				t.value(x, depth+1)
			}
		})
	}
}

// hashed says how much a value holds, and the hash of it.
func hashed(v reflect.Value, what string) string {
	b, err := json.Append(nil, v.Interface())
	if err != nil {
		return brief(v)
	}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array || v.Kind() == reflect.Map {
		return fmt.Sprintf("%d %s, %016x", v.Len(), what, xxhash.Sum64(b))
	}
	return fmt.Sprintf("%s, %016x", brief(v), xxhash.Sum64(b))
}
