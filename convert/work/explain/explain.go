package explain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Range limits the part of a file that is explained, to the bytes from From to To (exclusive). Entries outside of it are
// reported as kept spans; so is other content before and after it. Of an archive, only the directory and the entries in the
// range are read. The zero Range is everything.
type Range struct{ From, To int64 }

func (r Range) meets(offset, size int64) bool {
	return r == Range{} || offset < r.To && offset+size > r.From
}

// Source explains a file, or an entry of an archive. Offsets are those of the file. A file that cannot be read to its end
// is explained as far as it was read, see [Map].Stops. It fails only if there is nothing to explain: no file, no format, no
// such entry.
func Source(l *engine.Loader, src engine.Source, within Range) (*Map, error) {
	file, err := os.Open(src.Path)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, disk.PlainError(err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file", src.Path)
	}
	return Reader(file, info.Size(), l.From, l.Env(src.Path, nil), src.Entry, within)
}

// Reader is [Source] for an open file, or an entry of it if entry is not empty. from is the format of the file or the
// entry; if it is nil, the format is recognised.
func Reader(r io.ReaderAt, size int64, from *format.Format, env *format.Env, entry string, within Range) (m *Map, err error) {
	page, err := codepage.Find(env.Given().Options.CodePage)
	if err != nil {
		return nil, err
	}
	err = batch.Guarded(func() (err error) {
		m, err = explain(r, size, from, env, entry, within)
		return err
	})
	if m != nil {
		m.page = page
	}
	return m, err
}

func explain(r io.ReaderAt, size int64, from *format.Format, env *format.Env, entry string, within Range) (*Map, error) {
	in, err := formats.ProbeInput(env.Name, r, size)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	f, leaf := formats.FormatAndLeaf(in, from)
	if entry != "" {
		f, leaf = formats.Sniff(in), from
	} else if from == nil {
		var x *interchange.Interchange
		if f, x = interchange.Recognise(in); x != nil {
			f = outside(x)
		}
	}
	if f == nil {
		return nil, interchange.Unknown(env.Name)
	}
	t := &tracer{env: *env, leafFormat: leaf, within: within, file: r, size: size, m: &Map{Format: f.Name}, trace: new(schema.Trace)}
	if entry != "" {
		return t.m, t.one(f, entry)
	}
	return t.m, t.all(f)
}

// Name returns the name of what covers an offset of an open file: entry, structure and field. It is empty if nothing does.
func Name(r io.ReaderAt, size int64, f *format.Format, env *format.Env, offset int64) string {
	t := &tracer{env: *env, within: Range{offset, offset + 1}, file: r, size: size, m: &Map{Format: f.Name}, trace: new(schema.Trace)}
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

// tracer reads a file, or an archive inside another one, with a trace.
type tracer struct {
	env    format.Env
	within Range
	file   io.ReaderAt
	size   int64
	m      *Map
	trace  *schema.Trace

	leafFormat *format.Format // of all entries, instead of their own; nil for their own

	base   int64  // where in the outer file this one begins
	prefix string // before the paths of entries: that of the entry that this archive is
	depth  int
}

// ReadAt reads from the file and tells the trace where in memory it lies.
func (t *tracer) ReadAt(b []byte, offset int64) (int, error) {
	n, err := io.NewSectionReader(t.file, t.base, t.size).ReadAt(b, offset)
	t.trace.Place(b[:n], t.base+offset)
	return n, err
}

// traced returns what formats may look at, with diagnostics that carry the trace.
func (t *tracer) traced() *format.Env {
	env := t.env
	env.Diagnostics = new(schema.Diagnostics)
	env.Diagnostics.Record(t.trace)
	return &env
}

// all explains the whole file.
func (t *tracer) all(f *format.Format) error {
	t.m.Size = t.size
	if f.Open != nil && t.within != (Range{}) {
		t.archive(f)
		t.m.arrange()
		return t.m.load(t.file, t.within)
	}
	whole := make([]byte, t.size)
	if n, err := t.file.ReadAt(whole, 0); int64(n) < t.size {
		return disk.PlainError(err)
	}
	t.m.content = content{{whole, 0}}
	if f.Open == nil {
		t.trace.Place(whole, 0)
		t.trace.From, t.trace.To = t.within.From, t.within.To
		t.leaf(f, whole, "")
		t.m.around(t.within)
	} else {
		t.archive(f)
	}
	t.m.arrange()
	return nil
}

// leaf reads the bytes of a file or an entry.
func (t *tracer) leaf(f *format.Format, b []byte, entry string) {
	v, err := f.Read(b, t.traced().Diagnostics)
	if err == nil && f.Check != nil {
		err = f.Check(v)
	}
	at, _ := t.trace.Offset(b)
	t.collect(entry, at, err)
}

// collect takes over what the trace noted. Reading that began at an offset ended with err.
func (t *tracer) collect(entry string, start int64, err error) {
	t.m.take(t.trace.Spans, t.prefix, entry)
	if err != nil {
		t.m.Stops = append(t.m.Stops, t.stop(t.prefix+entry, start, err))
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
	t.collect("", t.base, err)
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
	if e.Offset >= 0 && !t.within.meets(t.base+e.Offset, e.Size) {
		t.keep(e, t.base+e.Offset, e.Size)
		return
	}
	payload, err := a.Payload(i)
	if err != nil {
		t.collect(e.Path, t.base, err) // it is the directory that is wrong
		return
	}
	at, ok := t.place(e, payload)
	if !ok {
		return // it is not stored as it is
	}
	f := t.formatOf(e, i, payload)
	switch {
	case !t.within.meets(at, e.Size):
		t.keep(e, at, int64(len(payload)))
	case f != nil && f.Read != nil:
		t.leaf(f, payload, e.Path)
	case !t.together(a, i, at) && !t.nested(e, at, payload):
		t.keep(e, at, int64(len(payload)))
	}
}

// together explains an entry that means something with another one only; false when it is none.
func (t *tracer) together(a format.ArchiveFile, i int, at int64) bool {
	explain := a.Abilities().Explain
	if explain == nil {
		return false
	}
	ok, err := explain(i, t.traced().Diagnostics)
	if ok {
		t.collect(a.Entries()[i].Path, at, err)
	}
	return ok
}

// nested explains an entry that is an archive itself, such as a package in an installer; false when it is none.
func (t *tracer) nested(e *format.Entry, at int64, payload []byte) bool {
	name := path.Base(e.Path)
	in := formats.NewInput(name, payload)
	f := formats.Sniff(in)
	if f == nil || f.Open == nil || f.Probe(in) < format.Certain || t.depth >= schema.DefaultLimits.Depth {
		return false
	}
	inner := *t
	inner.env.Name, inner.base, inner.size, inner.prefix, inner.depth = name, at, int64(len(payload)), t.prefix+e.Path+"/", t.depth+1
	inner.leafFormat = nil
	inner.archive(f)
	return true
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
	if size > 0 && at+size <= t.base+t.size {
		t.m.take([]schema.Span{{Offset: at, Size: size, Layout: schema.LayoutBytes, Field: "payload", Count: 1}}, t.prefix, e.Path)
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
	at = t.base + e.Offset
	stored := make([]byte, len(payload)) // it is a copy, perhaps
	if n, _ := t.file.ReadAt(stored, at); n < len(payload) || !bytes.Equal(stored, payload) {
		return 0, false
	}
	t.trace.Place(payload, at)
	return at, true
}

// one explains an entry.
func (t *tracer) one(f *format.Format, name string) error {
	if f.Open == nil {
		return fmt.Errorf("%s is not an archive", f.Name)
	}
	a, err := f.Open(t, t.size, t.traced())
	if err != nil {
		return err
	}
	t.trace.Rewind(0)
	i, err := (&store.Archive{ArchiveFile: a, Path: t.env.Name}).Find(name)
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
	t.m.Offset, t.m.Size, t.m.content = at, int64(len(payload)), content{{payload, at}}
	t.m.Format = e.Kind.String()
	switch leaf := t.formatOf(e, i, payload); {
	case leaf != nil && leaf.Read != nil:
		t.m.Format = leaf.Name
		t.leaf(leaf, payload, e.Path)
	case ok && t.together(a, i, at):
	case !ok || !t.nested(e, at, payload):
		t.m.take([]schema.Span{{Offset: at, Size: t.m.Size, Layout: schema.LayoutBytes, Field: "payload", Count: 1}}, "", e.Path)
	}
	t.m.arrange()
	return nil
}
