package compare

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/explain"
	"github.com/usher-assets/usher/schema"
)

// Verification reads files, writes them to memory and compares the bytes.
type Verification struct {
	From      *format.Format // format of the files; nil recognises it
	Selection batch.Selection
	Session   batch.Session
}

// Run verifies files, and all recognised files below folders. Each file gives one result.
func (v *Verification) Run(ctx context.Context, operands []string, emit func(batch.Result)) error {
	if err := v.Selection.Validate(); err != nil {
		return err
	}
	results := 0
	err := v.Session.Run(ctx, v.jobs(ctx, operands), func(r batch.Result) {
		results++
		emit(r)
	})
	if err == nil && results == 0 {
		err = formats.ErrNothing
	}
	return err
}

func (v *Verification) jobs(ctx context.Context, operands []string) iter.Seq[batch.Job] {
	return func(yield func(batch.Job) bool) {
		for _, operand := range operands {
			if path, pattern, ok := batch.ParsePattern(operand); ok {
				if !v.planEntries(ctx, engine.Source{Path: path, Named: true}, pattern, yield) {
					return
				}
				continue
			}
			for src, err := range batch.Walk(ctx, operand, v.Selection) {
				if err != nil {
					if !yield(batch.FailedJob(src, err)) {
						return
					}
					continue
				}
				if !v.plan(ctx, src, yield) {
					return
				}
			}
		}
	}
}

// plan yields the job of a file or an entry. Where kinds or formats are selected and an archive is none of them, it
// yields one for each of its entries that is.
func (v *Verification) plan(ctx context.Context, src engine.Source, yield func(batch.Job) bool) bool {
	whole := batch.Job{Size: src.Size, Do: func(context.Context) batch.Result { return v.verify(src) }}
	if src.Entry != "" || src.Named && !v.Selection.Filters() {
		return yield(whole)
	}
	f := v.From
	if f == nil {
		f, _ = interchange.SniffFile(src.Path)
	}
	switch {
	case f == nil && (v.Selection.Filters() || !src.Named):
		return true
	case f != nil && !v.Selection.MatchFile(f, nil):
		return f.Open == nil || v.planEntries(ctx, src, "", yield)
	}
	return yield(whole)
}

// planEntries yields a job for each entry of an archive that is selected, and that a pattern stands for unless it is empty.
func (v *Verification) planEntries(ctx context.Context, src engine.Source, pattern string, yield func(batch.Job) bool) bool {
	loader := &engine.Loader{From: v.From}
	from, leaf := v.From, (*format.Format)(nil)
	if from != nil && from.Open == nil {
		from, leaf = nil, from
	}
	a, err := store.OpenArchive(src.Path, from, loader.Env(src.Path, nil))
	if err != nil {
		return yield(batch.FailedJob(src, err))
	}
	shared := batch.Share(a)
	defer shared.Release()
	entries := func(yield func(int) bool) {
		for i := range a.Entries() {
			if !yield(i) {
				return
			}
		}
	}
	if pattern != "" {
		entries = batch.Matching(a, pattern)
	}
	found := pattern == ""
	for i := range entries {
		e := &a.Entries()[i]
		if found = true; ctx.Err() != nil {
			return false
		}
		if !v.Selection.MatchEntry(e) {
			continue
		}
		own := src
		own.Entry = e.Path
		shared.Retain()
		job := batch.Job{Size: e.Size, Do: func(context.Context) (r batch.Result) {
			defer shared.Release()
			d := new(schema.Diagnostics)
			r = batch.Result{Source: own.String(), Status: batch.Failed}
			defer batch.Guard(&r)
			defer r.Tell(d)
			if r.Format, r.Err = verifyEntry(a, i, leaf, d); r.Err == nil {
				r.Status = batch.Same
			}
			return r
		}}
		if !yield(job) {
			shared.Release()
			return false
		}
	}
	if !found {
		src.Entry = pattern
		return yield(batch.FailedJob(src, batch.NoMatch(a, pattern)))
	}
	return true
}

func (v *Verification) verify(src engine.Source) (r batch.Result) {
	d := new(schema.Diagnostics)
	r = batch.Result{Source: src.String(), Status: batch.Failed}
	defer batch.Guard(&r)
	defer r.Tell(d)
	loader := &engine.Loader{From: v.From}
	env := loader.Env(src.Path, d)
	if src.Entry != "" {
		r.Format, r.Err = verifyEntryOf(src, loader, env)
	} else if f := pureArchive(src.Path); f != nil && v.From == nil {
		r.Format = f.Name
		r.Entries, r.Err = verifyOnDisk(src.Path, f, env)
	} else if x := interchangeName(src.Path); x != "" && v.From == nil {
		r.Format = x
		if r.Err = readInterchange(src, loader, d); r.Err == nil {
			r.Status = batch.Reads
		}
		return r
	} else {
		r.Format, r.Entries, r.Err = verifyFile(src.Path, v.From, env)
	}
	if r.Err == nil {
		r.Status = batch.Same
	}
	return r
}

// interchangeName returns the name of what a file is that is no native one, as a GLB or a PNG; "" for all others.
func interchangeName(path string) string {
	f, x := interchange.SniffFile(path)
	if f != nil || x == nil {
		return ""
	}
	return x.Name
}

// readInterchange reads an interchange file. Such a file is always encoded anew, so there are no bytes to compare it with.
func readInterchange(src engine.Source, loader *engine.Loader, d *schema.Diagnostics) error {
	it, err := loader.Load(src, d)
	if err != nil {
		return err
	}
	it.Close()
	return nil
}

// pureArchive returns the format of a file that is only opened, never read as a whole; nil for others.
func pureArchive(p string) *format.Format {
	if f, _ := interchange.SniffFile(p); f != nil && f.Open != nil && f.Read == nil {
		return f
	}
	return nil
}

// verifyOnDisk verifies an archive of which no more is in memory than it asks for itself.
func verifyOnDisk(p string, f *format.Format, env *format.Env) (entries int, err error) {
	a, err := store.OpenArchive(p, f, env)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	file, err := os.Open(p)
	if err != nil {
		return 0, disk.PlainError(err)
	}
	defer file.Close()
	entries, err = verifyArchive(a, io.NewSectionReader(file, 0, a.Size), nil, env.Diagnostics)
	return entries, withField(err, file, a.Size, f, env)
}

// withField adds to the difference of an archive as a whole what lies there.
func withField(err error, r io.ReaderAt, size int64, f *format.Format, env *format.Env) error {
	var d *DifferenceError
	if errors.As(err, &d) && d.Path == "" && d.Offset < size {
		d.Path = explain.Name(r, size, f, env, d.Offset)
	}
	return err
}

func verifyEntryOf(src engine.Source, loader *engine.Loader, env *format.Env) (name string, err error) {
	a, err := store.OpenArchive(src.Path, nil, env)
	if err != nil {
		return "", err
	}
	defer a.Close()
	i, err := a.Find(src.Entry)
	if err != nil {
		return "", err
	}
	return verifyEntry(a, i, loader.From, env.Diagnostics)
}

// verifyFile is Verify for a file on disk.
func verifyFile(path string, from *format.Format, env *format.Env) (name string, entries int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, disk.PlainError(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", 0, disk.PlainError(err)
	}
	if !info.Mode().IsRegular() { // it can be read once only
		content, err := io.ReadAll(file)
		if err != nil {
			return "", 0, disk.PlainError(err)
		}
		return Verify(content, from, env)
	}
	return VerifyAt(file, info.Size(), from, env)
}

// Verify reads a file, writes it again and compares the bytes. It does the same with every entry of an archive. If from is
// a format of entries and the file is an archive, every entry is read in this format. Verify returns the name of the format
// and the number of verified entries.
func Verify(content []byte, from *format.Format, env *format.Env) (name string, entries int, err error) {
	return VerifyAt(bytes.NewReader(content), int64(len(content)), from, env)
}

// VerifyAt is Verify for a file that is read in pieces. Of an archive, only one entry at a time is in memory.
func VerifyAt(r io.ReaderAt, size int64, from *format.Format, env *format.Env) (name string, entries int, err error) {
	env = env.Given()
	in, err := formats.ProbeInput(env.Name, r, size)
	if err != nil {
		return "", 0, disk.PlainError(err)
	}
	f, leaf := formats.FormatAndLeaf(in, from)
	if _, x := interchange.Recognise(in); f == nil && x != nil {
		return x.Name, 0, fmt.Errorf("%w as a native file: it is a %s file, which is made anew and not kept as it is", formats.ErrUnknown, x.Name)
	}
	if f == nil {
		return "", 0, interchange.Unknown(env.Name)
	}
	if readsWhole(f, size) {
		content := make([]byte, size)
		if _, err := r.ReadAt(content, 0); err != nil && err != io.EOF {
			return f.Name, 0, disk.PlainError(err)
		}
		if err := verifyLeaf(f, content, env.Diagnostics); err != nil {
			return f.Name, 0, err
		}
	}
	if f.Open == nil {
		return f.Name, 0, nil
	}
	view, err := f.Open(r, size, env)
	if err != nil {
		return f.Name, 0, err
	}
	entries, err = verifyArchive(view, io.NewSectionReader(r, 0, size), leaf, env.Diagnostics)
	return f.Name, entries, withField(err, r, size, f, env)
}

// readsWhole reports whether a file is to be read and written in memory; of a large archive the entries alone are.
func readsWhole(f *format.Format, size int64) bool {
	return f.Read != nil && (f.Open == nil || f.Whole == 0 || size <= f.Whole)
}

// verifyArchive writes an archive, compares that with the file that it was opened from, and verifies its entries.
func verifyArchive(a format.ArchiveFile, file io.Reader, leaf *format.Format, d *schema.Diagnostics) (entries int, err error) {
	w := &against{want: bufio.NewReaderSize(file, 64<<10)}
	if _, err := a.WriteTo(w); err != nil {
		return 0, err
	}
	if err := w.end(); err != nil {
		return 0, err
	}
	for i := range a.Entries() {
		if _, err := verifyEntry(a, i, leaf, d); err != nil {
			return entries, err
		}
		entries++
	}
	return entries, nil
}

// against holds what is written to it against a file, and keeps the first difference.
type against struct {
	want *bufio.Reader
	at   int64
	diff *DifferenceError // whose Got grows to eight bytes
}

// Write implements io.Writer. Its errors are those of reading the file.
func (w *against) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 && w.diff == nil {
		want, err := w.want.Peek(min(len(b), w.want.Size()))
		if err != nil && err != io.EOF {
			return 0, err
		}
		same := 0
		if bytes.HasPrefix(b, want) {
			same = len(want)
		} else {
			for b[same] == want[same] {
				same++
			}
		}
		if _, err := w.want.Discard(same); err != nil {
			return 0, err
		}
		w.at += int64(same)
		b = b[same:]
		if same < len(want) || len(want) == 0 {
			w.differ()
		}
	}
	if w.diff != nil {
		w.diff.Got = append(w.diff.Got, b[:min(len(b), 8-len(w.diff.Got))]...)
	}
	return n, nil
}

// differ notes that what comes next is not what the file has.
func (w *against) differ() {
	want, _ := w.want.Peek(8)
	w.diff = &DifferenceError{Offset: w.at, Want: bytes.Clone(want)}
}

// end returns a DifferenceError if there was a difference, or if the file has more.
func (w *against) end() error {
	if w.diff == nil {
		if _, err := w.want.Peek(1); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		w.differ()
	}
	return w.diff
}

// verifyEntry verifies entry i of an archive, read as leaf, or as its own format when leaf is nil. Of raw bytes it is
// only asked that they can be had.
func verifyEntry(a format.ArchiveFile, i int, leaf *format.Format, d *schema.Diagnostics) (name string, err error) {
	e := a.Entries()[i]
	if leaf == nil {
		leaf = e.Format
	}
	payload, err := a.Payload(i)
	if err != nil {
		return "", schema.In(e.Path, err)
	}
	leaf = leaf.Of(i, payload)
	if leaf == nil || leaf.Read == nil {
		return format.Raw.String(), nil
	}
	if err := verifyLeaf(leaf, payload, d.In(e.Path)); err != nil {
		var de *DifferenceError
		if errors.As(err, &de) {
			de.Path = e.Path + "/" + de.Path
			return leaf.Name, de
		}
		return leaf.Name, schema.In(e.Path, err)
	}
	return leaf.Name, nil
}

func verifyLeaf(f *format.Format, content []byte, d *schema.Diagnostics) error {
	value, err := f.Read(content, d)
	if err != nil {
		return err
	}
	if f.Check != nil {
		if err := f.Check(value); err != nil {
			return err
		}
	}
	if f.Write == nil {
		return nil // can only be looked at; the archive keeps its bytes
	}
	again, err := f.Write(value)
	if err != nil {
		return err
	}
	if bytes.Equal(again, content) {
		return nil
	}
	env := &format.Env{Diagnostics: new(schema.Diagnostics)} // what lifting it says is no concern here
	read, err := f.Read(again, env.Diagnostics)
	return contrast(side{content, &interchange.Item{Format: f, Value: value, Env: env}, nil}, side{again, &interchange.Item{Format: f, Value: read, Env: env}, err})
}
