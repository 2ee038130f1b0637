package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// EqualStreams reports whether two readers give the same bytes.
func EqualStreams(a, b io.Reader) (bool, error) {
	const step = 64 << 10
	x, y := make([]byte, step), make([]byte, step)
	for {
		n, err1 := io.ReadFull(a, x)
		m, err2 := io.ReadFull(b, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		for _, err := range [...]error{err1, err2} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if err1 != nil || err2 != nil {
			return (err1 != nil) == (err2 != nil), nil
		}
	}
}

// Pairs says which entries of two archives correspond: those with the same path, then those with the same bytes.
type Pairs struct {
	forward  []int // from the old side to the new one; −1 for what is gone
	backward []int
	renamed  map[int]bool // by number on the old side
}

func pairUp(n, m int, old, now func(int) string) *Pairs {
	p := &Pairs{make([]int, n), make([]int, m), map[int]bool{}}
	at := make(map[string]int, m)
	for k := range m {
		p.backward[k] = -1
		at[now(k)] = k
	}
	for i := range n {
		p.forward[i] = -1
		if k, ok := at[old(i)]; ok {
			p.forward[i], p.backward[k] = k, i
		}
	}
	return p
}

// rename pairs what is gone with what is new and has the same bytes. What cannot be read is not paired.
func (p *Pairs) rename(oldSize, newSize func(int) int64, oldBytes, newBytes func(int) ([]byte, error)) {
	gone := map[int64][]int{}
	for i, k := range p.forward {
		if k < 0 && oldSize(i) > 0 {
			gone[oldSize(i)] = append(gone[oldSize(i)], i)
		}
	}
	hashes := map[int]uint64{}
	hash := func(i int) uint64 {
		if _, ok := hashes[i]; !ok {
			b, err := oldBytes(i)
			if err == nil {
				hashes[i] = xxhash.Sum64(b)
			}
		}
		return hashes[i]
	}
	for k, i := range p.backward {
		candidates := gone[newSize(k)]
		if i >= 0 || len(candidates) == 0 {
			continue
		}
		b, err := newBytes(k)
		if err != nil {
			continue
		}
		sum := xxhash.Sum64(b)
		for n, c := range candidates {
			if hash(c) != sum {
				continue
			}
			if was, err := oldBytes(c); err != nil || !bytes.Equal(was, b) {
				continue
			}
			p.forward[c], p.backward[k], p.renamed[c] = k, c, true
			gone[newSize(k)] = append(candidates[:n:n], candidates[n+1:]...)
			break
		}
	}
}

// To returns the new entry that corresponds to entry i of the old archive, or −1, and whether it has another path.
func (p *Pairs) To(i int) (k int, renamed bool) { return p.forward[i], p.renamed[i] }

// Added reports whether entry k of the new archive has no counterpart in the old one.
func (p *Pairs) Added(k int) bool { return p.backward[k] < 0 }

// archives compares the entries of two archives, and then what they have beside them.
func (c *Comparison) archives(ctx context.Context, path, prefix string, a, b engine.Source, f, g *format.Format, yield func(task) bool) bool {
	before, after := c.Loader.Against(b.Path), c.Loader.Against(a.Path)
	was, err := openShared(&before, a.Path, f)
	if err != nil {
		return yield(failed(path, err))
	}
	defer was.Release()
	is, err := openShared(&after, b.Path, g)
	if err != nil {
		return yield(failed(path, err))
	}
	defer is.Release()
	old, now := was.Archive, is.Archive
	held := func(do func() Entry) task {
		was.Retain()
		is.Retain()
		return task{Do: func(context.Context) Entry {
			defer was.Release()
			defer is.Release()
			return do()
		}}
	}
	send := func(t task) bool {
		if yield(t) {
			return true
		}
		was.Release() // the task is not done
		is.Release()
		return false
	}
	all := len(c.Selection.Include)+len(c.Selection.Exclude) == 0
	if all && !send(held(func() Entry { return c.whole(path, a, b, old, now) })) {
		return false
	}
	alone := func(e Entry, l *engine.Loader, in *store.Archive, i int) bool {
		if c.Draw == nil {
			return yield(known(e))
		}
		t := held(func() Entry { return c.alone(e, entryLeaf(l, in, i)) })
		t.Size = e.OldSize + e.NewSize
		return send(t)
	}
	p, sameTerms := PairEntries(old, now), store.SameTerms(old, now)
	x, y := old.Entries(), now.Entries()
	for i, e := range x {
		k, renamed := p.To(i)
		if !c.Selection.Match(e.Path) || ctx.Err() != nil {
			continue
		}
		switch {
		case k < 0:
			if !alone(Entry{Path: prefix + e.Path, Status: Removed, Kind: e.Kind, Format: nameOfFormat(e.Format), OldSize: e.Size}, &before, old, i) {
				return false
			}
		case renamed:
			n := y[k]
			if !yield(known(Entry{Path: prefix + n.Path, From: prefix + e.Path, Status: Renamed, Kind: n.Kind, Format: nameOfFormat(n.Format), OldSize: e.Size, NewSize: n.Size})) {
				return false
			}
		default:
			t := held(func() Entry {
				was, is := entryLeaf(&before, old, i), entryLeaf(&after, now, k)
				if !sameTerms {
					was.means, is.means = func() ([]byte, error) { return old.Meaning(i) }, func() ([]byte, error) { return now.Meaning(k) }
				}
				r := c.leaves(prefix+e.Path, was, is)
				if r.Format == "" && r.Kind == format.Raw {
					r.Kind, r.Format = y[k].Kind, nameOfFormat(y[k].Format)
				}
				return r
			})
			t.Size = e.Size + y[k].Size
			if !send(t) {
				return false
			}
		}
	}
	for k, e := range y {
		if p.Added(k) && c.Selection.Match(e.Path) && !alone(Entry{Path: prefix + e.Path, Status: Added, Kind: e.Kind, Format: nameOfFormat(e.Format), NewSize: e.Size}, &after, now, k) {
			return false
		}
	}
	return true
}

// openShared opens an archive for several tasks.
func openShared(l *engine.Loader, path string, f *format.Format) (*batch.Shared, error) {
	a, err := store.OpenArchive(path, f, l.Env(path, new(schema.Diagnostics)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return batch.Share(a), nil
}

// PairEntries pairs the entries of two archives.
func PairEntries(old, now *store.Archive) *Pairs {
	x, y := old.Entries(), now.Entries()
	p := pairUp(len(x), len(y), func(i int) string { return x[i].Path }, func(i int) string { return y[i].Path })
	content := func(a *store.Archive) func(i int) ([]byte, error) {
		return func(i int) ([]byte, error) {
			if b, err := a.Meaning(i); err != nil || b != nil {
				return b, err
			}
			return a.Portable(i)
		}
	}
	if store.SameTerms(old, now) {
		content = func(a *store.Archive) func(i int) ([]byte, error) { return a.Portable }
	}
	p.rename(func(i int) int64 { return x[i].Size }, func(i int) int64 { return y[i].Size }, content(old), content(now))
	return p
}

func nameOfFormat(f *format.Format) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// entryLeaf is entry i of an open archive.
func entryLeaf(l *engine.Loader, a *store.Archive, i int) leaf {
	e := a.Entries()[i]
	return leaf{engine.Source{Path: a.Path, Entry: e.Path}.String(),
		func() ([]byte, error) { return a.Payload(i) }, func() ([]byte, error) { return a.Portable(i) }, nil,
		func(payload []byte, d *schema.Diagnostics) (*interchange.Item, error) {
			return l.ReadEntry(a, i, payload, l.Env(a.Path, d))
		}}
}

// whole compares what two archives have beside their entries: what is said of them as a whole, and what they show when
// they are models.
func (c *Comparison) whole(path string, a, b engine.Source, old, now *store.Archive) (e Entry) {
	e = Entry{Path: path, Status: Changed, Kind: now.Format.Kind, Format: now.Format.Name, Whole: true, OldSize: a.Size, NewSize: b.Size}
	if old.Format.Name != now.Format.Name {
		e.Details = append(e.Details, Detail{What: "field", Where: "format", Old: old.Format.Name, New: now.Format.Name})
	}
	e.facts(old.Facts(), now.Facts())
	e.Total = len(e.Details)
	if now.Format.Kind == format.Archive || now.Format.Lift == nil {
		return e
	}
	var guard batch.Result
	defer func() {
		if guard.Err != nil {
			e.Status, e.Err = Failed, guard.Err
		}
	}()
	defer batch.Guard(&guard)
	before, after := c.Loader.Against(b.Path), c.Loader.Against(a.Path)
	p, err1 := before.Load(a, new(schema.Diagnostics))
	q, err2 := after.Load(b, new(schema.Diagnostics))
	if err1 != nil || err2 != nil {
		return e // its entries are told of
	}
	defer p.Close()
	defer q.Close()
	if x, err := p.Lift(); err == nil {
		if y, err := q.Lift(); err == nil {
			e.Details = append(e.Details, Assets(x, y)...)
		}
	}
	e.Total = len(e.Details)
	if c.Draw != nil {
		e.Pictures = c.Draw(p, q)
	}
	return e
}

// facts notes what is said otherwise of two archives.
func (e *Entry) facts(a, b []format.Fact) {
	was := map[string]string{}
	for _, f := range a {
		was[f.Name] = fmt.Sprint(f.Value)
	}
	for _, f := range b {
		v := fmt.Sprint(f.Value)
		if old, ok := was[f.Name]; !ok || old != v {
			e.Details = append(e.Details, Detail{What: "field", Where: f.Name, Old: was[f.Name], New: v})
		}
		delete(was, f.Name)
	}
	for _, f := range a {
		if v, ok := was[f.Name]; ok {
			e.Details = append(e.Details, Detail{What: "field", Where: f.Name, Old: v})
		}
	}
}
