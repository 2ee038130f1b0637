package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Comparison compares two files, two archives or two folders, entry by entry.
type Comparison struct {
	Loader    engine.Loader
	Selection batch.Selection // of files below folders and of entries
	Session   batch.Session
	Draw      func(before, after *interchange.Item) *Pictures // makes pictures; one side may be nil; a nil Draw makes none
}

// Status says what happened to an entry.
type Status string

// The statuses.
const (
	Same       Status = "same"
	Renumbered Status = "renumbered" // the same, but what it refers to has other numbers in its archive
	Changed    Status = "changed"
	Added      Status = "added"
	Removed    Status = "removed"
	Renamed    Status = "renamed" // the same bytes with another path
	Failed     Status = "failed"  // it could not be compared
)

// Alike reports whether an entry says the same on both sides.
func (s Status) Alike() bool { return s == Same || s == Renumbered }

// Entry is the result for one file, one entry of an archive, or the parts of an archive outside of its entries.
type Entry struct {
	Path     string // new path, or the old one if it was deleted; "a.utx:Name" below folders
	From     string // old path of a renamed entry
	Status   Status
	Kind     format.Kind
	Format   string // as both were read; empty for raw bytes
	Whole    bool   // it stands for an archive: for what is outside of its entries, or for all of it if nothing differs
	OldSize  int64
	NewSize  int64
	Details  []Detail // of a changed one
	Total    int      // number of details, which may exceed the list
	Note     string   // a remark on the comparison, such as why only bytes were compared
	Err      error    // of a failed one
	Pictures *Pictures
}

// ErrKinds is the error for operands that cannot be compared with each other.
var ErrKinds = errors.New("cannot be compared")

// task compares one pair.
type task = batch.Task[Entry]

// Run compares two operands and calls emit with the entries, in the order of the old side, followed by the new ones. An
// operand is a file, a folder, an archive, or an entry of one (ARCHIVE:ENTRY). A file and a folder are compared by
// comparing the file with the one of the same name in the folder. It fails if an operand does not exist, and with ErrKinds.
func (c *Comparison) Run(ctx context.Context, old, now string, emit func(Entry)) error {
	if err := c.Selection.Validate(); err != nil {
		return err
	}
	a, err := newPlace(old)
	if err != nil {
		return err
	}
	b, err := newPlace(now)
	if err != nil {
		return err
	}
	switch {
	case a.none && b.none || (a.none || b.none) && (a.dir || b.dir):
		return fmt.Errorf("%s and %s: nothing is compared with a file: %w", old, now, ErrKinds)
	case a.dir != b.dir:
		if err := a.meet(&b); err != nil {
			return err
		}
	}
	c.Loader = c.Loader.Sharing()
	results := 0
	err = batch.Run(ctx, c.Session, c.tasks(ctx, a, b), func(e Entry) bool {
		results++
		emit(e)
		return true
	})
	if err == nil && results == 0 && (len(c.Selection.Include)+len(c.Selection.Exclude) > 0) {
		err = formats.ErrNothing
	}
	return err
}

// place is an operand.
type place struct {
	engine.Source
	dir  bool
	none bool // nothing: the other side came, or went
}

// nothing is how tools of version control name a file that is not there, on all systems.
const nothing = "/dev/null"

func newPlace(operand string) (p place, err error) {
	if operand == nothing || operand == os.DevNull {
		return place{none: true}, nil
	}
	path, entry, err := engine.ParseOperand(operand)
	if err != nil {
		return p, fmt.Errorf("%s: %w", operand, disk.PlainError(err))
	}
	info, err := os.Stat(path)
	if err != nil {
		return p, fmt.Errorf("%s: %w", operand, disk.PlainError(err))
	}
	return place{engine.Source{Path: path, Entry: entry, Rel: filepath.Base(path), Size: info.Size(), Named: true}, info.IsDir(), false}, nil
}

// meet replaces the folder of two operands by the file in it that is called like the other one.
func (a *place) meet(b *place) error {
	dir, file := a, b
	if b.dir {
		dir, file = b, a
	}
	inside, err := newPlace(filepath.Join(dir.Path, filepath.Base(file.Path)))
	if err != nil || inside.dir {
		return fmt.Errorf("%s is a folder, and %s is none: %w", dir.Path, file.Path, ErrKinds)
	}
	inside.Entry = file.Entry
	*dir = inside
	return nil
}

func (c *Comparison) tasks(ctx context.Context, a, b place) iter.Seq[task] {
	return func(yield func(task) bool) {
		switch {
		case a.none:
			c.oneSide(b.Source, Added, yield)
		case b.none:
			c.oneSide(a.Source, Removed, yield)
		case a.dir:
			c.folders(ctx, a.Path, b.Path, yield)
		case a.Entry != "" || b.Entry != "":
			path := b.Entry
			if path == "" {
				path = b.Rel
			}
			yield(task{Size: a.Size, Do: func(context.Context) Entry {
				return c.leaves(path, c.file(a.Source, b.Source), c.file(b.Source, a.Source))
			}})
		default:
			c.named(ctx, b.Rel, a.Source, b.Source, yield)
		}
	}
}

// oneSide reports a file that is on one side alone, and of its entries when it is an archive.
func (c *Comparison) oneSide(src engine.Source, status Status, yield func(task) bool) {
	one := func(path string, kind format.Kind, f *format.Format, size int64) bool {
		e := Entry{Path: path, Status: status, Kind: kind, Format: nameOfFormat(f), NewSize: size}
		if status == Removed {
			e.OldSize, e.NewSize = size, 0
		}
		return yield(known(e))
	}
	f, _ := interchange.SniffFile(src.Path)
	if !one(src.Rel, kindOfFile(src.Path), f, src.Size) || f == nil || f.Open == nil {
		return
	}
	a, err := openShared(&c.Loader, src.Path, f)
	if err != nil {
		yield(failed(src.Rel, err))
		return
	}
	defer a.Release()
	for _, e := range a.Entries() {
		if c.Selection.Match(e.Path) && !one(e.Path, e.Kind, e.Format, e.Size) {
			return
		}
	}
}

// folders compares the files below two folders.
func (c *Comparison) folders(ctx context.Context, a, b string, yield func(task) bool) bool {
	old, err := c.below(ctx, a)
	if err != nil {
		return yield(failed(a, err))
	}
	now, err := c.below(ctx, b)
	if err != nil {
		return yield(failed(b, err))
	}
	p := pairUp(len(old), len(now), func(i int) string { return old[i].Rel }, func(i int) string { return now[i].Rel })
	p.rename(func(i int) int64 { return old[i].Size }, func(i int) int64 { return now[i].Size },
		func(i int) ([]byte, error) { return readFile(old[i].Path) }, func(i int) ([]byte, error) { return readFile(now[i].Path) })
	for i, src := range old {
		k, renamed := p.To(i)
		switch {
		case k < 0:
			if !yield(c.aloneFile(Entry{Path: src.Rel, Status: Removed, Kind: kindOfFile(src.Path), OldSize: src.Size}, src)) {
				return false
			}
		case renamed:
			e := Entry{Path: now[k].Rel, From: src.Rel, Status: Renamed, Kind: kindOfFile(src.Path), OldSize: src.Size, NewSize: src.Size}
			if !yield(known(e)) {
				return false
			}
		case !c.files(ctx, src.Rel, src.Rel+":", src, now[k], yield):
			return false
		}
	}
	for k, src := range now {
		if p.Added(k) && !yield(c.aloneFile(Entry{Path: src.Rel, Status: Added, Kind: kindOfFile(src.Path), NewSize: src.Size}, src)) {
			return false
		}
	}
	return true
}

func (c *Comparison) below(ctx context.Context, dir string) (list []engine.Source, err error) {
	for src, err := range batch.Walk(ctx, dir, batch.Selection{FollowLinks: true}) {
		if err != nil {
			return nil, err
		}
		list = append(list, src)
	}
	return list, ctx.Err()
}

func kindOfFile(path string) format.Kind {
	f, x := interchange.SniffFile(path)
	switch {
	case f != nil:
		return f.Kind
	case x != nil && len(x.Kinds) > 0:
		return x.Kinds[0]
	}
	return format.Raw
}

// known is the task of an entry of which all is known.
func known(e Entry) task { return task{Do: func(context.Context) Entry { return e }} }

// aloneFile is the task of a file that is on one side only.
func (c *Comparison) aloneFile(e Entry, src engine.Source) task {
	if c.Draw == nil {
		return known(e)
	}
	return task{Size: src.Size, Do: func(context.Context) Entry { return c.alone(e, c.file(src, src)) }}
}

func failed(path string, err error) task { return known(Entry{Path: path, Status: Failed, Err: err}) }

// files compares two files: as archives when both are, else as what they hold.
func (c *Comparison) files(ctx context.Context, path, prefix string, a, b engine.Source, yield func(task) bool) bool {
	if prefix != "" && !c.Selection.Match(path) { // a file below a folder
		return true
	}
	same, err := sameBytes(a, b)
	if err != nil {
		return yield(failed(path, err))
	}
	f, _ := interchange.SniffFile(a.Path)
	g, _ := interchange.SniffFile(b.Path)
	archives := f != nil && g != nil && f.Open != nil && g.Open != nil
	if same {
		e := Entry{Path: path, Status: Same, Kind: kindOfFile(a.Path), OldSize: a.Size, NewSize: b.Size, Whole: archives}
		if f != nil {
			e.Format = f.Name
		}
		return yield(known(e))
	}
	if archives {
		return c.archives(ctx, path, prefix, a, b, f, g, yield)
	}
	return yield(task{Size: a.Size + b.Size, Do: func(context.Context) Entry { return c.leaves(path, c.file(a, b), c.file(b, a)) }})
}

// sameBytes reports whether two files are equal.
func sameBytes(a, b engine.Source) (bool, error) {
	if a.Size != b.Size {
		return false, nil
	}
	x, err := os.Open(a.Path)
	if err != nil {
		return false, disk.PlainError(err)
	}
	defer x.Close()
	y, err := os.Open(b.Path)
	if err != nil {
		return false, disk.PlainError(err)
	}
	defer y.Close()
	return EqualStreams(x, y)
}

// leaf is one side of a pair: its stored bytes, and what they are.
type leaf struct {
	source string // for messages
	read   func() ([]byte, error)
	still  func() ([]byte, error) // read without what depends on its place in the archive; nil when nothing does
	means  func() ([]byte, error) // still, with what it refers to in place of numbers; nil where these are the same on both sides
	load   func(payload []byte, d *schema.Diagnostics) (*interchange.Item, error)
}

// file is a leaf on disk, or an entry of an archive there, and is held against another one.
func (c *Comparison) file(src, against engine.Source) leaf {
	l := c.Loader.Against(against.Path)
	if src.Entry == "" {
		return leaf{src.String(), func() ([]byte, error) { return readFile(src.Path) }, nil, nil, func(b []byte, d *schema.Diagnostics) (*interchange.Item, error) {
			return l.Decode(b, l.Env(src.Path, d))
		}}
	}
	var a *store.Archive
	read := func() (b []byte, err error) {
		if a, err = store.OpenArchive(src.Path, nil, l.Env(src.Path, new(schema.Diagnostics))); err != nil {
			return nil, err
		}
		defer a.Close()
		i, err := a.Find(src.Entry)
		if err != nil {
			return nil, err
		}
		return a.Payload(i)
	}
	return leaf{src.String(), read, nil, nil, func(_ []byte, d *schema.Diagnostics) (*interchange.Item, error) { return l.Load(src, d) }}
}

// leaves compares two leaves.
func (c *Comparison) leaves(path string, a, b leaf) (e Entry) {
	e = Entry{Path: path, Status: Failed, Kind: format.Raw}
	var guard batch.Result
	defer func() {
		if guard.Err != nil {
			e.Status, e.Err = Failed, guard.Err
		}
	}()
	defer batch.Guard(&guard)
	x, err := a.read()
	if err != nil {
		e.Err = fmt.Errorf("%s: %w", a.source, err)
		return e
	}
	y, err := b.read()
	if err != nil {
		e.Err = fmt.Errorf("%s: %w", b.source, err)
		return e
	}
	e.OldSize, e.NewSize = int64(len(x)), int64(len(y))
	if e.Status = standing(x, y, a, b); e.Status.Alike() {
		return e
	}
	d := new(schema.Diagnostics) // oddities are for "info"
	p, err1 := a.load(x, d)
	q, err2 := b.load(y, d)
	if p != nil {
		defer p.Close()
	}
	if q != nil {
		defer q.Close()
	}
	e.take(contrast(side{x, p, err1}, side{y, q, err2}))
	if err1 == nil && err2 == nil {
		e.Kind, e.Format = kindOfItem(q), formatOf(q)
		if c.Draw != nil {
			e.Pictures = c.Draw(p, q)
		}
	}
	return e
}

// take notes a difference. What has none in its own terms differs in its bytes, and then these are told of.
func (e *Entry) take(d *DifferenceError) {
	e.Details, e.Total, e.Note = d.Details, d.Total, d.Note
	if d.Total > 0 {
		return
	}
	where := fmt.Sprintf("at 0x%x", d.Offset)
	if d.Path != "" {
		where = d.Path + " " + where
	}
	e.Details = []Detail{{What: "field", Where: where, Old: fmt.Sprintf("%x", d.Want), New: fmt.Sprintf("%x", d.Got)}}
	e.Total = 1
}

// standing reports whether two leaves are the same, in their bytes and in what these refer to.
func standing(x, y []byte, a, b leaf) Status {
	equal := bytes.Equal(x, y) || alike(a.still, b.still)
	if a.means == nil || b.means == nil {
		if equal {
			return Same
		}
		return Changed
	}
	was, err1 := a.means()
	is, err2 := b.means()
	switch refers := err1 == nil && err2 == nil && (was != nil || is != nil); {
	case equal && (!refers || bytes.Equal(was, is)):
		return Same
	case refers && bytes.Equal(was, is):
		return Renumbered
	}
	return Changed
}

// alike reports whether two entries are the same as both functions give them.
func alike(a, b func() ([]byte, error)) bool {
	if a == nil || b == nil {
		return false
	}
	x, err := a()
	if err != nil || x == nil {
		return false
	}
	y, err := b()
	return err == nil && bytes.Equal(x, y)
}

// readFile returns the content of a file on disk.
func readFile(path string) ([]byte, error) {
	b, _, err := disk.ReadFile(path)
	if err != nil {
		return nil, disk.PlainError(err)
	}
	return b, nil
}
