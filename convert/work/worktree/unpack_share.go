package worktree

import (
	"bytes"
	"context"
	"iter"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// share is some entries that one worker takes out one after the other. To hand over each by itself, and to write each
// into the journal, takes as long as its file.
type share = batch.Task[[]batch.Result]

// A share ends with the entry that reaches one of these.
const (
	shareEntries = 64
	shareBytes   = 1 << 20
)

// selected is an entry that is to be taken out.
type selected struct {
	*format.Entry
	number int
	stem   string
}

// shares yields the entries that are selected. Those that are decoded are each a share of their own, so that all workers
// have as much to do.
func (x *unpacking) shares() iter.Seq[share] {
	entries := x.archive.Entries()
	x.entries = make([]ManifestEntry, len(entries))
	x.names.Unique(ManifestName)
	return func(yield func(share) bool) {
		var list []selected
		var size int64
		next := func() bool {
			own := list
			s := share{Size: size, Do: func(ctx context.Context) []batch.Result { return x.unpack(ctx, own) }}
			list, size = nil, 0
			return len(own) == 0 || yield(s)
		}
		for i := range entries {
			e := &entries[i]
			stem := x.names.Unique(store.EntryStem(*e)) // also of one that is not selected: a later run may select it
			if e.Made && !x.Raw || !x.Selection.MatchEntry(e) {
				x.entries[i] = x.earlier[e.Path]
				continue
			}
			raw := x.raw(*e)
			if !raw && !next() {
				return
			}
			if list == nil && raw {
				list = make([]selected, 0, shareEntries)
			}
			list, size = append(list, selected{e, i, stem}), size+e.Size
			if (!raw || len(list) == shareEntries || size >= shareBytes) && !next() {
				return
			}
		}
		next()
	}
}

// unpack writes the files of a share.
func (x *unpacking) unpack(ctx context.Context, list []selected) []batch.Result {
	results := make([]batch.Result, 0, len(list))
	whole := make([]prepared, 0, len(list))
	l, payloads := x.together(list)
	defer l.Release()
	for n, e := range list {
		if len(results) > 0 && ctx.Err() != nil {
			break
		}
		results = append(results, batch.Result{})
		r := &results[len(results)-1]
		if payloads != nil {
			l.Payload = payloads[n]
		}
		if p, ok := x.begin(ctx, r, e, l); ok {
			whole = append(whole, p)
		}
		if r.Err != nil && x.Session.FailFast {
			break
		}
	}
	x.finish(whole)
	return results
}

// together reads the payloads of a share in one step; none where it has to be asked for each whether it is wanted.
func (x *unpacking) together(list []selected) (*store.Loan, [][]byte) {
	if len(list) < 2 || len(x.earlier) > 0 {
		return nil, nil
	}
	numbers := make([]int, len(list))
	for n, e := range list {
		numbers[n] = e.number
	}
	return x.archive.BorrowAll(numbers)
}

// begin writes the files of an entry under temporary names; false when there is nothing left to do. Its payload is read
// where the loan has none.
func (x *unpacking) begin(ctx context.Context, r *batch.Result, e selected, l *store.Loan) (p prepared, whole bool) {
	d := new(schema.Diagnostics)
	*r = batch.Result{Source: engine.Source{Path: x.archive.Path, Entry: e.Path}.String(), Archive: x.archive.Path, Size: e.Size, Status: batch.Failed}
	defer batch.Guard(r)
	defer r.Tell(d)
	if outputs, ok := x.current(*e.Entry); ok && (!x.unsure || x.unchanged(e)) {
		x.entries[e.number] = x.earlier[e.Path]
		r.Status, r.Outputs = batch.UpToDate, outputs
		if x.otherForm(*e.Entry) {
			d.Warnf("other-form", e.Path, "stays %s, as an earlier run wrote it: unpack into another folder", x.entries[e.number].Files[0].Name)
		}
		return p, false
	}
	if l == nil || l.Payload == nil {
		var err error
		l, err = x.archive.Borrow(e.number)
		defer l.Release()
		if err != nil {
			r.Err = err
			return p, false
		}
	}
	files, f, err := x.files(e, l, d)
	if err != nil {
		r.Err = err
		return p, false
	}
	switch {
	case f != nil:
		r.Format = f.Name
	case d.Has(schema.NoContent):
		r.Format = e.Format.Name
	}
	x.tellLost(files, d)
	return x.prepare(ctx, r, e.number, newManifestEntry(*e.Entry, f), files)
}

// unchanged reports whether what a killed run wrote of an entry is its payload as the archive has it now.
func (x *unpacking) unchanged(e selected) bool {
	earlier := x.earlier[e.Path]
	if !x.begun[e.Path] {
		return true
	}
	l, err := x.archive.Borrow(e.number)
	defer l.Release()
	if err != nil || earlier.Format != "" || len(earlier.Files) != 1 {
		return false
	}
	b, err := x.out.ReadFile(earlier.Files[0].Name)
	return err == nil && bytes.Equal(b, l.Payload)
}

// prepared is an entry whose files are whole, and have not their names yet.
type prepared struct {
	result  *batch.Result
	number  int
	entry   ManifestEntry
	written *store.Written
}

// prepare writes the files of an entry, which has that number, under temporary names.
func (x *unpacking) prepare(ctx context.Context, r *batch.Result, number int, entry ManifestEntry, files []format.File) (p prepared, whole bool) {
	out := x.out
	if x.begun[entry.Path] && x.ours(x.earlier[entry.Path]) {
		out = out.Forced()
	}
	if x.DryRun {
		if r.Outputs, r.Err = store.Plan(out, files); r.Err == nil {
			r.Status = batch.Planned
		}
		return p, false
	}
	w, err := store.PrepareFiles(ctx, out, files)
	if err != nil {
		r.Err = err
		return p, false
	}
	entry.Files = make([]ManifestFile, len(files))
	for n, f := range files {
		entry.Files[n] = ManifestFile{f.Name, w.Stamps[n]}
	}
	return prepared{r, number, entry, w}, true
}

// finish gives the files of entries their names, as soon as the journal knows of them.
func (x *unpacking) finish(whole []prepared) {
	if len(whole) == 0 {
		return
	}
	noted := x.note(whole)
	for i := range whole {
		x.name(&whole[i], noted)
	}
}

func (x *unpacking) name(p *prepared, noted error) {
	defer batch.Guard(p.result)
	defer p.written.Discard()
	if p.result.Err = noted; noted != nil {
		return
	}
	if p.result.Err = p.written.Commit(); p.result.Err != nil {
		return
	}
	x.entries[p.number] = p.entry
	p.result.Status, p.result.Outputs = batch.Done, p.written.Outputs
}
