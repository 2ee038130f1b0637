package explain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// Range limits how much of an archive is taken apart: entries that do not reach into the bytes From to To (exclusive)
// are kept spans. A Range of zeros is everything.
type Range struct{ From, To int64 }

func (r Range) meets(offset, size int64) bool {
	return r == Range{} || offset < r.To && offset+size > r.From
}

// Source explains a file, or an entry of an archive. Its offsets are those of the file. A file that cannot be read to its
// end is explained as far as it was read, see [Map].Stops; an error means that there is nothing to explain: no file, no
// format, no such entry.
func Source(l *convert.Loader, src convert.Source, within Range) (*Map, error) {
	var m *Map
	err := batch.Guarded(func() (err error) {
		m, err = explain(l, src, within)
		return err
	})
	return m, err
}

func explain(l *convert.Loader, src convert.Source, within Range) (*Map, error) {
	file, err := os.Open(src.Path)
	if err != nil {
		return nil, convert.PlainError(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, convert.PlainError(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file", src.Path)
	}
	in, err := convert.ProbeInput(filepath.Base(src.Path), file, info.Size())
	if err != nil {
		return nil, convert.PlainError(err)
	}
	f, leaf := convert.FormatAndLeaf(in, l.From)
	if src.Entry != "" {
		f, leaf = convert.Sniff(in), l.From
	}
	if f == nil {
		return nil, convert.ErrUnknown
	}
	t := &tracer{env: *l.Env(src.Path, nil), leafFormat: leaf, within: within, file: file, size: info.Size(), m: &Map{Format: f.Name}}
	if src.Entry != "" {
		return t.m, t.one(f, src.Entry)
	}
	return t.m, t.all(f)
}

// tracer reads a file with a trace.
type tracer struct {
	env    format.Env
	within Range
	file   io.ReaderAt
	size   int64
	m      *Map
	trace  schema.Trace

	leafFormat *format.Format // of all entries, instead of their own; nil for their own
}

// ReadAt reads from the file and tells the trace where in memory it lies.
func (t *tracer) ReadAt(b []byte, offset int64) (int, error) {
	n, err := t.file.ReadAt(b, offset)
	t.trace.Place(b[:n], offset)
	return n, err
}

// traced returns what formats may look at, with diagnostics that carry the trace.
func (t *tracer) traced() *format.Env {
	env := t.env
	env.Diagnostics = new(schema.Diagnostics)
	env.Diagnostics.Record(&t.trace)
	return &env
}

// Name names what covers an offset of an open file of a format: entry, structure and field. It is empty where nothing
// does.
func Name(r io.ReaderAt, size int64, f *format.Format, env *format.Env, offset int64) (name string) {
	t := &tracer{env: *env, within: Range{offset, offset + 1}, file: r, size: size, m: &Map{Format: f.Name}}
	err := batch.Guarded(func() error {
		if f.Open == nil {
			return t.all(f)
		}
		t.m.Size = size // of an archive no more is read than the directory and the entry
		t.archive(f)
		t.m.arrange()
		return nil
	})
	if found := t.m.At(offset); err == nil && len(found) > 0 && found[0].Kind != Gap {
		return found[0].Name()
	}
	return ""
}

// all explains the whole file.
func (t *tracer) all(f *format.Format) error {
	content := make([]byte, t.size)
	if n, err := t.file.ReadAt(content, 0); int64(n) < t.size {
		return convert.PlainError(err)
	}
	t.m.Size, t.m.content = t.size, content
	if f.Open == nil {
		t.trace.Place(content, 0)
		t.leaf(f, content, "")
	} else {
		t.archive(f)
	}
	t.m.arrange()
	return nil
}

// leaf reads the bytes of a file or an entry.
func (t *tracer) leaf(f *format.Format, b []byte, entry string) {
	env := t.traced()
	v, err := f.Read(b, env.Diagnostics)
	if err == nil && f.Check != nil {
		err = f.Check(v)
	}
	at, _ := t.trace.Offset(b)
	t.collect(entry, at, err)
}

// collect takes over what the trace noted. Reading that began at an offset ended with err.
func (t *tracer) collect(entry string, start int64, err error) {
	t.m.take(t.trace.Spans, entry)
	if err != nil {
		t.m.Stops = append(t.m.Stops, t.stop(entry, start, err))
	}
	t.trace.Rewind(0)
}

// stop finds where reading failed: where the cursor did, else where the error says, else behind all that was read.
func (t *tracer) stop(entry string, start int64, err error) Stop {
	s := Stop{Offset: start, Entry: entry, Err: err}
	var fe *schema.FormatError
	switch {
	case t.trace.Stop != nil:
		s.Offset, s.Path, s.Field = t.trace.Stop.Offset, t.trace.Stop.Path, t.trace.Stop.Field
	case errors.As(err, &fe):
		s.Path, s.Field = fe.Path, fe.Field
		if s.Offset = start + fe.Offset; fe.Offset < 0 {
			s.Offset = -1
		}
	}
	s.last = start
	if n := len(t.trace.Spans); n > 0 {
		s.last = t.trace.Spans[n-1].Offset
	}
	return s
}

// archive explains a directory and the entries.
func (t *tracer) archive(f *format.Format) {
	a, err := f.Open(t, t.size, t.traced())
	t.collect("", 0, err)
	if err != nil {
		return
	}
	placed := t.trace.Pieces()
	for i := range a.Entries() {
		t.entry(a, i)
		t.trace.Forget(placed)
	}
}

func (t *tracer) entry(a format.ArchiveFile, i int) {
	e := &a.Entries()[i]
	if e.Offset >= 0 && !t.within.meets(e.Offset, e.Size) {
		t.keep(e, e.Offset, e.Size)
		return
	}
	payload, err := a.Payload(i)
	if err != nil {
		t.collect(e.Path, 0, err) // it is the directory that is wrong
		return
	}
	at, ok := t.place(e, payload)
	if !ok {
		return // it is not stored as it is
	}
	f := t.formatOf(e, i, payload)
	if f == nil || f.Read == nil || !t.within.meets(at, e.Size) {
		t.keep(e, at, int64(len(payload)))
		return
	}
	t.leaf(f, payload, e.Path)
}

// formatOf returns how the payload of entry i is read.
func (t *tracer) formatOf(e *format.Entry, i int, payload []byte) *format.Format {
	if t.leafFormat != nil {
		return t.leafFormat.Of(i, payload)
	}
	return e.Format.Of(i, payload)
}

// keep notes an entry that is not taken apart.
func (t *tracer) keep(e *format.Entry, at, size int64) {
	if size > 0 && at+size <= t.size {
		t.m.take([]schema.Span{{Offset: at, Size: size, Layout: schema.LayoutBytes, Field: "payload", Count: 1}}, e.Path)
	}
}

// place tells where in the file a payload lies.
func (t *tracer) place(e *format.Entry, payload []byte) (at int64, ok bool) {
	if at, ok = t.trace.Offset(payload); ok {
		return at, true
	}
	if e.Offset < 0 || len(payload) == 0 {
		return 0, false
	}
	stored := make([]byte, len(payload)) // it is a copy, perhaps
	if n, _ := t.file.ReadAt(stored, e.Offset); n < len(payload) || !bytes.Equal(stored, payload) {
		return 0, false
	}
	t.trace.Place(payload, e.Offset)
	return e.Offset, true
}

// one explains an entry.
func (t *tracer) one(f *format.Format, path string) error {
	if f.Open == nil {
		return fmt.Errorf("%s is not an archive", f.Name)
	}
	a, err := f.Open(t, t.size, t.traced())
	if err != nil {
		return err
	}
	t.trace.Rewind(0)
	i, err := (&convert.Archive{ArchiveFile: a, Path: t.env.Name}).Find(path)
	if err != nil {
		return err
	}
	e := &a.Entries()[i]
	payload, err := a.Payload(i)
	if err != nil {
		return schema.In(e.Path, err)
	}
	at, ok := t.place(e, payload)
	if !ok {
		t.m.Unpacked = true
		t.trace.Place(payload, 0)
	}
	t.m.Offset, t.m.Size, t.m.content = at, int64(len(payload)), payload
	leaf := t.formatOf(e, i, payload)
	if leaf != nil && leaf.Read != nil {
		t.m.Format = leaf.Name
		t.leaf(leaf, payload, e.Path)
	} else {
		t.m.Format = e.Kind.String()
		t.m.take([]schema.Span{{Offset: at, Size: t.m.Size, Layout: schema.LayoutBytes, Field: "payload", Count: 1}}, e.Path)
	}
	t.m.arrange()
	return nil
}
