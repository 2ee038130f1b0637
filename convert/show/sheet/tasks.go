package sheet

import (
	"context"
	"iter"
	"slices"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// tasks plans the pictures in the order of the operands.
func (r *run) tasks(ctx context.Context, operands []string) iter.Seq[task] {
	return func(yield func(task) bool) {
		for _, operand := range operands {
			for src, err := range batch.Walk(ctx, operand, r.Selection) {
				var ok bool
				if err != nil {
					ok = yield(r.failed(src, err))
				} else {
					ok = r.source(ctx, src, yield)
				}
				if !ok {
					return
				}
			}
		}
	}
}

// task draws one picture.
type task = batch.Task[*drawn]

// failed is a cell that says why there is no picture.
func (r *run) failed(src engine.Source, err error) task {
	made := &drawn{title: r.title(src), kind: format.Raw, result: batch.Result{Source: src.String(), Status: batch.Failed, Err: err}}
	return task{Do: func(context.Context) *drawn { return made }}
}

// title is what a source is called on the sheet.
func (r *run) title(src engine.Source) string {
	switch {
	case src.Entry == "":
		return src.Rel
	case r.several || !src.Named:
		return src.Rel + ":" + src.Entry
	}
	return src.Entry
}

// source yields the tasks of one source: itself, or the entries of an archive. Files below a folder that have no picture
// are passed over; a file that was named is not.
func (r *run) source(ctx context.Context, src engine.Source, yield func(task) bool) bool {
	f, known := r.Loader.From, true
	if f == nil && src.Entry == "" {
		var x *interchange.Interchange
		f, x = interchange.SniffFile(src.Path)
		known = f != nil && (f.Kind == format.Archive || r.wants(f.Kind)) || x != nil && x.Name != "json" && slices.ContainsFunc(x.Kinds, r.wants)
	}
	if src.Entry == "" && f != nil && f.Kind == format.Archive {
		return r.archive(ctx, src, f, yield)
	}
	if !src.Named && (!known || batch.Companion(src.Rel)) {
		return true
	}
	if !src.Named && f != nil && r.Loader.PartOf(src.Path, f) != "" {
		return true // it is seen with the model that it belongs to
	}
	if first := batch.FirstPicture(&r.Loader, r.Selection, src); first != "" && first != src.Rel && !src.Named {
		return true // it comes in with the first one
	}
	return yield(task{Size: src.Size, Do: func(context.Context) *drawn {
		return r.draw(r.title(src), src.String(), !src.Named, func(d *schema.Diagnostics) (*interchange.Item, error) {
			return r.Loader.Load(src, d)
		})
	}})
}

// archive yields a task for every entry of an archive that has a picture.
func (r *run) archive(ctx context.Context, src engine.Source, f *format.Format, yield func(task) bool) bool {
	env := r.Loader.Env(src.Path, new(schema.Diagnostics))
	a, err := store.OpenInside(src.Path, f, env)
	if err != nil {
		return yield(r.failed(src, err))
	}
	shared := batch.Share(a)
	defer shared.Release()
	piece, asked := a.Abilities().Piece, r.Selection
	asked.Kinds = r.Kinds
	if piece == nil || asked.TakesPiece() {
		piece = func(*format.Entry) bool { return false }
	}
	for i, e := range a.Entries() {
		if ctx.Err() != nil {
			return false
		}
		if f := e.Format.Seen(); f == nil || f.Lift == nil || e.Format.Read == nil || !r.wants(f.Kind) || !r.Selection.MatchEntry(&e) || piece(&e) {
			continue
		}
		shared.Retain()
		own := src
		own.Entry = e.Path
		title := r.title(own)
		if e.Title != "" {
			title += " " + e.Title
		}
		next := task{Size: e.Size, Do: func(context.Context) *drawn {
			defer shared.Release()
			l, err := a.Borrow(i)
			defer l.Release()
			return r.draw(title, own.String(), true, func(d *schema.Diagnostics) (*interchange.Item, error) {
				if err != nil {
					return nil, err
				}
				env := *env
				env.Diagnostics, env.Scratch = d, &l.Scratch
				return r.Loader.ReadEntry(a, i, l.Payload, &env)
			})
		}}
		if !yield(next) {
			shared.Release()
			return false
		}
	}
	return true
}
