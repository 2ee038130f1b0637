package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// batch is one run of a Conversion over several inputs.
type batch struct {
	*Conversion
	out         *disk.Folder
	names       disk.Names
	claims      *claims
	record      *record
	hashes      hashes
	results     int
	passed      []string          // files made of others that were passed over because no target is named
	used        map[string]bool   // entries of archives that others use, and that have their job
	usedFolders map[string]string // where they go, by the archive's path

	back bool // interchange files become what they were made from
}

// jobs plans the work in order: it names the outputs, so that they do not depend on which worker is faster.
func (b *batch) jobs(ctx context.Context, operands []string) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for _, operand := range operands {
			if path, pattern, ok := ParsePattern(operand); ok {
				if !b.planPattern(ctx, path, pattern, len(operands) > 1, yield) {
					return
				}
				continue
			}
			for src, err := range Walk(ctx, operand, b.Selection) {
				if err != nil {
					if !yield(FailedJob(src, err)) {
						return
					}
					continue
				}
				if !b.plan(ctx, src, len(operands) > 1, yield) {
					return
				}
			}
		}
	}
}

// madeOfOthers reports whether an interchange file was made of a native one that is not in this folder: a model, or what
// has a companion. A folder of a game has sounds and pictures of its own.
func (b *batch) madeOfOthers(src engine.Source, x *interchange.Interchange) bool {
	if filepath.Clean(b.out.Path(src.Rel)) == filepath.Clean(src.Path) && b.record.knows(formats.Stem(src.Rel)) {
		return false // it was made by an earlier run, whose output lies where its input does
	}
	if slices.Contains(x.Kinds, format.Model) {
		return true
	}
	_, err := os.Lstat(formats.Stem(src.Path) + interchange.SidecarExtension)
	return err == nil
}

// passedOver reports the interchange files of a folder that also contains native files: only the native ones were
// converted.
func (b *batch) passedOver(operands []string) Result {
	d := new(schema.Diagnostics)
	d.Warnf("passed-over", "", "%d files that were made of others, %s the first, are left out beside files of a game: --include '*%s' converts them",
		len(b.passed), b.passed[0], path.Ext(b.passed[0]))
	return Result{Source: operands[0], Status: Opened, Diagnostics: d.All()}
}

// Companion reports whether a file is one that usher writes beside another file.
func Companion(name string) bool {
	return path.Base(name) == RecordName || strings.HasSuffix(name, interchange.SidecarExtension)
}

// plan yields the jobs of one source: itself, or every entry of an archive. Files below a folder that nothing
// recognises are passed over; a file that was named is not.
func (b *batch) plan(ctx context.Context, src engine.Source, several bool, yield func(Job) bool) bool {
	if several && Companion(src.Rel) {
		return true
	}
	f, recognised := b.Loader.From, true
	var x *interchange.Interchange
	if f == nil && src.Entry == "" {
		f, x = interchange.SniffFile(src.Path)
		recognised = f != nil || x != nil && (b.To != "" || b.back)
		if x != nil && !recognised && !Companion(src.Rel) && b.madeOfOthers(src, x) {
			b.passed = append(b.passed, src.Rel)
		}
	}
	if t := b.wrapper(); t != nil && src.Entry == "" && f != t {
		return yield(b.wrap(src, t))
	}
	if src.Entry == "" && f != nil && f.Kind == format.Archive && !b.whole(f) {
		if b.To == "" && ShownWhole(f, b.Selection) {
			return yield(b.sheet(src, f))
		}
		dir := ""
		if !src.Named || several {
			dir = b.reserve(src.Rel) + "/"
		}
		return b.planArchive(ctx, src, f, dir, "", yield)
	}
	if src.Entry == "" && !b.Selection.MatchFile(f, x) {
		return true
	}
	if !src.Named && !recognised {
		return true
	}
	rel := src.Rel
	if src.Entry != "" {
		rel = formats.Stem(rel) + "_" + disk.SafeName(src.Entry)
	} else if first := FirstPicture(&b.Loader, b.Selection, src); first != "" && !src.Named {
		if first != rel {
			return true // it comes in with the first one
		}
		rel = interchange.PictureStem(rel) + path.Ext(rel)
	}
	one := work{number: b.claims.begin(), source: src.String(), stem: b.reserve(rel), quiet: !src.Named}
	return yield(Job{src.Size, func(ctx context.Context) Result {
		return b.convert(ctx, one, func(d *schema.Diagnostics) (*interchange.Item, []byte, error) {
			return b.load(src, d)
		})
	}})
}

// FirstPicture returns the relative path of the first picture of the texture that a picture is part of. It is empty for
// other files, and if the first picture is not selected.
func FirstPicture(l *engine.Loader, sel Selection, src engine.Source) string {
	pictures, err := l.Pictures(src.Path)
	if len(pictures) == 0 || err != nil { // the job itself reports the error
		return ""
	}
	first := path.Join(path.Dir(src.Rel), filepath.Base(pictures[0]))
	if _, err := os.Stat(pictures[0]); err != nil || !sel.Match(first) {
		return ""
	}
	return first
}

// load reads a file and also returns its bytes, by which the record knows it.
func (b *batch) load(src engine.Source, d *schema.Diagnostics) (*interchange.Item, []byte, error) {
	env := b.Loader.Env(src.Path, d)
	b.hashes.track(env)
	if src.Entry != "" {
		it, err := b.Loader.LoadEntry(src, env)
		return it, nil, err
	}
	content, err := b.Loader.ReadFile(src.Path)
	if err != nil {
		return nil, nil, err
	}
	it, err := b.Loader.Decode(content, env)
	return it, content, err
}

// reserve returns the output stem of a source: its path without the extension, with it where another source was
// first, so that ship.cmp and ship.3db stay apart.
func (b *batch) reserve(rel string) string {
	rel = disk.SafePath(rel)
	stem := formats.Stem(rel)
	if u := b.names.Unique(stem); u == stem {
		return stem
	}
	return b.names.Unique(rel)
}

// planPattern yields a job for every entry that ARCHIVE:PATTERN stands for.
func (b *batch) planPattern(ctx context.Context, p, pattern string, several bool, yield func(Job) bool) bool {
	src := engine.Source{Path: p, Rel: filepath.Base(p), Named: true}
	dir := ""
	if several {
		dir = b.reserve(src.Rel) + "/"
	}
	return b.planArchive(ctx, src, nil, dir, pattern, yield)
}

// planArchive yields a job for every entry that can become what was asked for, or for those that match a pattern. The
// format is found out when it is nil.
func (b *batch) planArchive(ctx context.Context, src engine.Source, f *format.Format, dir, pattern string, yield func(Job) bool) bool {
	return b.planEntries(ctx, src, f, dir, chosen{pattern: pattern}, yield) && (!b.Used || b.planUsed(ctx, src, f, yield))
}

func (b *batch) planEntries(ctx context.Context, src engine.Source, f *format.Format, dir string, which chosen, yield func(Job) bool) bool {
	noticed := new(schema.Diagnostics)
	env := b.Loader.Env(src.Path, noticed)
	a, err := store.OpenInside(src.Path, f, env)
	if err != nil {
		return yield(FailedJob(src, err))
	}
	shared := Share(a)
	defer shared.Release()
	if list := noticed.All(); len(list) > 0 {
		opened := Result{Source: src.String(), Format: a.Format.Name, Status: Opened, Diagnostics: list}
		if !yield(Job{Do: func(context.Context) Result { return opened }}) {
			return false
		}
	}
	entries := slices.All(a.Entries())
	if which.pattern != "" {
		entries = matching(a, which.pattern)
	}
	found := which.pattern == ""
	piece := a.Abilities().Piece
	asked := piece == nil || !which.all() || b.Selection.TakesPiece()
	var left []format.Entry
	for i, e := range entries {
		if ctx.Err() != nil {
			return false
		}
		found = true
		if e.Format == nil || e.Format.Read == nil || !b.Selection.MatchEntry(&e) || !b.wants(e.Format) || !which.takes(src.Path, &e) {
			continue
		}
		if !asked && piece(&e) {
			left = append(left, e)
			continue
		}
		stem := b.names.Unique(dir + store.EntryStem(e))
		shared.Retain()
		one := work{number: b.claims.begin(), source: engine.Source{Path: src.Path, Entry: e.Path}.String(), stem: stem, quiet: true}
		job := b.entryJob(shared, i, one, env)
		if !yield(job) {
			shared.Release()
			return false
		}
	}
	if len(left) > 0 {
		return yield(b.leftOut(src, a, left))
	}
	if !found {
		src.Entry = which.pattern
		return yield(FailedJob(src, NoMatch(a, which.pattern)))
	}
	return true
}

// entryJob returns the job that converts entry i of an archive, of which it holds a reference.
func (b *batch) entryJob(a *Shared, i int, one work, env *format.Env) Job {
	return Job{a.Entries()[i].Size, func(ctx context.Context) (r Result) {
		defer a.Release()
		r = Result{Source: one.source, Status: Failed}
		defer func() { r.Archive = a.Path }()
		defer Guard(&r)
		l, err := a.Borrow(i)
		defer l.Release()
		return b.convert(ctx, one, func(d *schema.Diagnostics) (*interchange.Item, []byte, error) {
			if err != nil {
				return nil, nil, err
			}
			own := *env
			own.Diagnostics, own.Scratch = d, &l.Scratch
			b.hashes.track(&own)
			it, err := b.Loader.ReadEntry(a.Archive, i, l.Payload, &own)
			return it, l.Payload, err
		})
	}}
}

// leftOut returns the job that tells of entries that are pieces of others, which are converted.
func (b *batch) leftOut(src engine.Source, a *store.Archive, left []format.Entry) Job {
	what := "models left out, pieces of its level: --format %s takes them too"
	if len(left) == 1 {
		what = "model left out, a piece of its level: --format %s takes it too"
	}
	d := new(schema.Diagnostics)
	d.Warnf("pieces", "", "%d "+what, len(left), left[0].Format.Name)
	r := Result{Source: src.String(), Format: a.Format.Name, Status: Opened, Diagnostics: d.All()}
	return Job{Do: func(context.Context) Result { return r }}
}

func matching(a *store.Archive, pattern string) iter.Seq2[int, format.Entry] {
	return func(yield func(int, format.Entry) bool) {
		for i := range Matching(a, pattern) {
			if !yield(i, a.Entries()[i]) {
				return
			}
		}
	}
}

// wants reports whether a leaf of that format can become what was asked for.
func (b *batch) wants(f *format.Format) bool {
	if b.To == "" {
		return true
	}
	t, err := engine.ParseTarget(b.To, &interchange.Item{Format: f})
	if err != nil {
		return false
	}
	return t.Format != nil && mayBecome(f, t.Format) || t.Carries(f) || slices.ContainsFunc(f.Views, t.Carries)
}

// mayBecome reports whether what a format holds is of a kind that another one holds too: a mesh is no sound.
func mayBecome(f, other *format.Format) bool {
	moves := func(k format.Kind) bool { return k == format.Model || k == format.Animation }
	same := func(x *format.Format) bool {
		return x.Lift != nil && (x.Kind == other.Kind || moves(x.Kind) && moves(other.Kind))
	}
	return f.Name == other.Name || other.Kind == format.Archive || same(f) || slices.ContainsFunc(f.Views, same)
}

// work is what a job is about.
type work struct {
	number int // in the order of the batch
	source string
	stem   string // of its outputs
	quiet  bool   // one among many: when it cannot become what was asked for, it is passed over
}

// convert does one job.
func (b *batch) convert(ctx context.Context, one work, load func(*schema.Diagnostics) (*interchange.Item, []byte, error)) (r Result) {
	d := new(schema.Diagnostics)
	r = Result{Source: one.source, Status: Failed}
	defer b.claims.end(one.number)
	defer Guard(&r)
	defer r.Tell(d)
	it, content, err := load(d)
	if err != nil {
		r.Err = err
		return r
	}
	defer it.Close()
	if it.Format != nil {
		r.Format = it.Format.Name
	}
	if one.quiet && it.Format != nil && !b.wants(it.Format) {
		r.Status = Skipped
		return r
	}
	target, err := b.target(it, b.To)
	if one.quiet && b.back && err != nil { // it comes from elsewhere
		r.Status = Skipped
		return r
	}
	if err != nil {
		r.Err = err
		return r
	}
	key := b.key(content, target)
	if current, outputs := b.record.current(b.out, one.stem, key, it.Env); current != nil && !b.Force {
		r.Status, r.Outputs, r.Err = UpToDate, outputs, b.claims.claim(one.number, one.source, current)
		return r
	}
	it.Env.Taken = func(name string, content []byte) bool {
		return b.claims.taken(one.number, beside(one.stem, name), content)
	}
	files, err := engine.Export(it, target, one.stem)
	if one.quiet && errors.Is(err, schema.ErrBare) {
		d.Notef(schema.NoContent, "", "%v", err)
		r.Status = Bare
		return r
	}
	if one.quiet && err != nil && it.Format.Seen() != it.Format { // nothing is lost: it is a table, and shown is what a game makes of it
		d.Warnf("no-picture", "", "%v", err)
		r.Status = Opened
		return r
	}
	if err != nil {
		r.Err = err
		return r
	}
	entry := recordEntry{Key: key, Needs: needsOf(it.Env)}
	r.Outputs, r.Err = b.write(ctx, one, files, entry)
	if errors.Is(r.Err, disk.ErrExists) { // two inputs may hold the same: a ship its hulls, which have a file of their own
		if rest := b.differing(files); len(rest) < len(files) {
			r.Outputs, r.Err = b.write(ctx, one, rest, entry)
		}
	}
	if errors.Is(r.Err, disk.ErrExists) && b.record.knows(one.stem) {
		r.Err = schema.Hinted(fmt.Errorf("%w, and was made of something else", r.Err), "; --force makes it anew")
	}
	if r.Err == nil {
		r.Status = b.doneStatus()
	}
	return r
}

// differing returns the files for which there is no equal one yet.
func (b *batch) differing(files []format.File) []format.File {
	return slices.DeleteFunc(slices.Clone(files), func(f format.File) bool {
		was, err := os.ReadFile(b.out.Path(f.Name))
		return err == nil && len(f.Content) > 0 && bytes.Equal(was, f.Content)
	})
}

// write writes the files of one asset: first under temporary names, then into the journal, then under their own.
func (b *batch) write(ctx context.Context, one work, files []format.File, e recordEntry) ([]store.Output, error) {
	out := b.out
	if b.record.unfinished(out, one.stem, e) {
		out = out.Forced()
	}
	if b.DryRun {
		return store.Plan(out, files)
	}
	w, err := store.PrepareFiles(ctx, out, files)
	if err != nil {
		return nil, err
	}
	defer w.Discard()
	for n, f := range files {
		e.Files = append(e.Files, recordFile{f.Name, w.Stamps[n]})
	}
	if err := b.claims.claim(one.number, one.source, e.Files); err != nil {
		return nil, err
	}
	b.claims.end(one.number)
	if err := b.record.begin(one.stem, e); err != nil {
		return nil, err
	}
	return w.Outputs, w.Commit()
}

// key stands for an input and all that decides what becomes of it.
func (b *batch) key(content []byte, t engine.Target) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %+v\n", t.Extension, b.Loader.Options)
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// Shared is an archive that several jobs read. The last one to release it closes it.
type Shared struct {
	*store.Archive
	refs atomic.Int64
}

// Share returns a Shared for an archive, with one reference, which belongs to the caller.
func Share(a *store.Archive) *Shared {
	s := &Shared{Archive: a}
	s.refs.Store(1)
	return s
}

// Retain adds a reference.
func (s *Shared) Retain() { s.refs.Add(1) }

// Release removes a reference. The last one closes the archive.
func (s *Shared) Release() {
	if s.refs.Add(-1) == 0 {
		s.Close() // was only read from
	}
}
