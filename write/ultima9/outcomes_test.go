package ultima9_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// pictured are the layouts that package read/ultima9 tests, and the files of testdata that have them, with the slot in
// which a record lies, or -1.
var pictured = map[string]struct {
	layout
	file string
	slot int
}{
	"palette":  {layoutOf(read.Palette, write.Palette), "ankh.pal", -1},
	"texture":  {layoutOf(read.Texture, write.Texture), "bitmap16.flx", 0},
	"sdinfo":   {layoutOf(read.SDInfo, write.SDInfo), "sdInfo16.flx", 0},
	"mesh":     {layoutOf(read.Sappear, write.Sappear), "sappear.flx", 0},
	"indexed":  {layoutOf(read.Indexed, write.Indexed), "indexed.mesh", -1},
	"anim":     {layoutOf(read.Anim, write.Anim), "anim.flx", 0},
	"typename": {layoutOf(read.TypeName, write.TypeName), "typename.flx", 0},
	"registry": {layoutOf(read.Registry, write.Registry), "registry.txt", -1},
}

// TestOutcomes holds what becomes of damaged records and archives, of values that nobody should write, and of edits of
// archives and heaps.
func TestOutcomes(t *testing.T) {
	table := damage.Open(t, "outcomes", "ultima9.tsv")
	for name, l := range layouts {
		recordOutcomes(t, table, name, l, sample(t, name))
	}
	for name, l := range pictured {
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", l.file))
		if l.slot >= 0 {
			a := openFLX(t, b)
			for l.slot < a.Len() && !a.Used(l.slot) {
				l.slot++
			}
			b = []byte(payload(t, a, l.slot))
		}
		recordOutcomes(t, table, name, l.layout, b)
	}
	table.Run(t, "archive", func(t *testing.T, add func(what, outcome string)) {
		damage.Bytes(smallArchive(t), archiveOutcome, add)
		damage.Near(smallArchive(t), archiveOutcome, add)
	})
	table.Run(t, "edits of an archive", archiveEdits)
	for _, kind := range []ultima9.ObjectKind{ultima9.Fixed, ultima9.Nonfixed} {
		table.Run(t, fmt.Sprint("edits of ", kind), func(t *testing.T, add func(what, outcome string)) { heapEdits(t, kind, add) })
		table.Run(t, fmt.Sprint("damaged heap of ", kind), func(t *testing.T, add func(what, outcome string)) { heapDamage(t, kind, add) })
	}
}

// maxRecord leaves out large tables that have one layout throughout, which TestDamage of package convert has.
const maxRecord = 16 << 10

func recordOutcomes(t *testing.T, table *damage.Table, name string, l layout, b []byte) {
	if len(b) > maxRecord {
		return
	}
	table.Run(t, name, func(t *testing.T, add func(what, outcome string)) {
		damage.Bytes(b, l.outcome, add)
		damage.Near(b, l.outcome, add)
		damage.Words(b, l.outcome, add, [2]int{0, min(len(b), 1200)})
	})
	table.Run(t, name+" written", func(t *testing.T, add func(what, outcome string)) {
		if err := l.values(bytes.Clone(b), add); err != nil {
			t.Fatal(err)
		}
	})
}

// archiveOutcome reads an archive and all of its slots.
func archiveOutcome(b []byte) string {
	d := new(schema.Diagnostics)
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), d)
	if err != nil {
		return damage.Refusal(err) + " " + err.Error()
	}
	s := fmt.Sprintf("read told %016x", damage.Fingerprint(d.All()))
	for i := range min(a.Len(), 20) {
		p, err := a.Payload(i)
		s += fmt.Sprintf("; %q %v", p, err)
	}
	var w bytes.Buffer
	err = write.FLX(&w, a)
	return s + ", " + damage.Written(w.Bytes(), err)
}

// archiveEdits replaces, removes and adds every slot by payloads of several lengths, patching and compacting.
func archiveEdits(t *testing.T, add func(what, outcome string)) {
	try := func(what string, compact bool, edit func(a *ultima9.Archive) error) {
		b := smallArchive(t)
		a := openFLX(t, append(b[:len(b):len(b)], "behind"...))
		a.Compact = compact
		if err := edit(a); err != nil {
			add(what, damage.Refusal(err))
			return
		}
		var w bytes.Buffer
		err := write.FLX(&w, a)
		dead, size, deadErr := write.FLXDead(a)
		add(what, fmt.Sprintf("%s dead %d of %d %v", damage.Written(w.Bytes(), err), dead, size, deadErr))
	}
	for _, compact := range []bool{false, true} {
		for slot := range 8 {
			for _, length := range []int{0, 1, 3, 5, 40} {
				try(fmt.Sprint("slot ", slot, " with ", length, " bytes, compact ", compact), compact, func(a *ultima9.Archive) error {
					if slot >= a.Len() {
						if err := a.Grow(slot + 1); err != nil {
							return err
						}
					}
					if length == 0 {
						return a.Remove(slot)
					}
					return a.Replace(slot, bytes.Repeat([]byte{'x'}, length))
				})
			}
		}
		for first := range 5 {
			for second := range 5 {
				try(fmt.Sprint("slots ", first, " and ", second, ", compact ", compact), compact, func(a *ultima9.Archive) error {
					if err := a.Remove(first); err != nil {
						return err
					}
					return a.Replace(second, []byte("a longer one"))
				})
			}
		}
	}
}

// heapEdits makes every edit of every object, and fills pages until there must be others.
func heapEdits(t *testing.T, kind ultima9.ObjectKind, add func(what, outcome string)) {
	open := func() *ultima9.ObjectFile {
		t.Helper()
		name := map[ultima9.ObjectKind]string{ultima9.Fixed: "fixed", ultima9.Nonfixed: "nonfixed"}[kind]
		x, err := map[ultima9.ObjectKind]func([]byte, *schema.Diagnostics) (*ultima9.ObjectFile, error){ultima9.Fixed: read.Fixed, ultima9.Nonfixed: read.Nonfixed}[kind](sample(t, name), nil)
		must(t, err)
		return x
	}
	outcome := func(x *ultima9.ObjectFile, err error) string {
		if err != nil {
			return damage.Refusal(err) + " " + err.Error()
		}
		if kind == ultima9.Fixed {
			return damage.Written(write.Fixed(x))
		}
		return damage.Written(write.Nonfixed(x))
	}
	type step func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error
	set := func(edit func(o *ultima9.Object)) step {
		return func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			changed := *o
			edit(&changed)
			return e.Set(o, &changed, in != nil)
		}
	}
	properties := func(n int) step {
		return func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			var list []ultima9.Property
			for i := range n {
				list = append(list, ultima9.Property{Type: ultima9.PropertyType(0x20 + i), Value: uint32(100 + i)})
			}
			return e.SetProperties(o, append(list, o.Properties...))
		}
	}
	steps := []step{
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error { return e.Remove(o, in) },
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error { return e.Remove(o, nil) },
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			return e.Remove(o, x.Objects[0])
		},
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error { // its cell is used again
			if err := e.Remove(o, in); err != nil {
				return err
			}
			_, err := e.Add(o, nil)
			return err
		},
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			changed := *o
			changed.Properties = nil
			_, err := e.Add(&changed, x.Objects[0])
			return err
		},
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			for range 200 {
				if _, err := e.Add(o, nil); err != nil {
					return err
				}
			}
			return nil
		},
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			list := o.Properties
			for i := range list {
				list[i].Value += 7
			}
			return e.SetProperties(o, list)
		},
		set(func(o *ultima9.Object) { o.X, o.Z, o.Type, o.Rotation[3], o.Model, o.Link = 4000, -3, 77, 5, 6, 7 }),
		set(func(o *ultima9.Object) { o.Y = 2500 }),
		set(func(o *ultima9.Object) { o.X = -1 }),
		set(func(o *ultima9.Object) { o.X = math.MinInt16 }),
		set(func(o *ultima9.Object) { o.Y = math.MinInt16 - 1 }),
		set(func(o *ultima9.Object) { o.X = math.MaxInt16 }),
		set(func(o *ultima9.Object) { o.Y = math.MaxInt16 + 1 }),
		set(func(o *ultima9.Object) { o.Y = math.MaxUint16 }),
		set(func(o *ultima9.Object) { o.X = math.MaxUint16 + 1 }),
		set(func(o *ultima9.Object) { o.Model = 1 }),
		set(func(o *ultima9.Object) { o.Link = 1 }),
		set(func(o *ultima9.Object) { o.Contents = []*ultima9.Object{{}} }),
		set(func(o *ultima9.Object) { o.Properties = []ultima9.Property{{Type: ultima9.PropertyLink}} }),
		set(func(o *ultima9.Object) { o.Square[0] = 2 }),
		func(e *write.HeapEditor, x *ultima9.ObjectFile, o, in *ultima9.Object) error {
			for _, square := range [][2]uint32{{0, 0}, {x.Width - 1, 0}, {0, x.Height - 1}, {x.Width, 0}, {0, x.Height}} {
				elsewhere := *o
				elsewhere.Square = square
				if _, err := e.Add(&elsewhere, nil); err != nil {
					return err
				}
			}
			return nil
		},
	}
	for n := range 6 {
		steps = append(steps, properties(n))
	}
	count := 0
	open().Walk(func(_, _ *ultima9.Object) { count++ })
	for i := range count {
		for k, do := range steps {
			x := open()
			stored := *x // the editor takes the objects from x
			e := write.EditHeap(x)
			n := 0
			var o, in *ultima9.Object
			stored.Walk(func(at, container *ultima9.Object) {
				if n == i {
					o, in = at, container
				}
				n++
			})
			err := do(e, &stored, o, in)
			add(fmt.Sprint("object ", i, ", step ", k), outcome(x, err))
		}
	}
}

// heapDamage changes the numbers of a heap with squares of two pages, of one, and of none, and with two free pages.
func heapDamage(t *testing.T, kind ultima9.ObjectKind, add func(what, outcome string)) {
	x := &ultima9.ObjectFile{Kind: kind, Leading: make([]uint32, 3), Unknown0C: ultima9.HeapUnknown, Width: 3, Height: 2, First: make([]ultima9.PageRef, 6)}
	open, save := read.Nonfixed, write.Nonfixed
	if kind == ultima9.Fixed {
		x.Leading, open, save = x.Leading[:2], read.Fixed, write.Fixed
	}
	e := write.EditHeap(x)
	for i, square := range [][2]uint32{{0, 0}, {2, 1}, {0, 1}} {
		for k := range int32([]int{kind.Cells() + 1, 2, 3}[i]) {
			o := &ultima9.Object{Square: square, X: 30 * k, Y: 5, Type: uint16(k), Flags: ultima9.EntityFlags}
			if kind == ultima9.Nonfixed && k == 1 {
				o.Properties = []ultima9.Property{{Type: 0x42, Value: 50}}
			}
			_, err := e.Add(o, nil)
			must(t, err)
		}
	}
	free := len(x.Heap)
	x.Heap = append(x.Heap, make([]byte, 2*ultima9.PageSize)...)
	x.FreePage = ultima9.PageRef(free + 1)
	binary.LittleEndian.PutUint32(x.Heap[free:], uint32(free+ultima9.PageSize+1))
	for i, at := range []int{free, free + ultima9.PageSize} { // they were of a square that has none any more
		binary.LittleEndian.PutUint32(x.Heap[at+ultima9.PageBaseX:], ultima9.SquareSize)
		binary.LittleEndian.PutUint32(x.Heap[at+ultima9.PageBaseY:], ultima9.SquareSize)
		binary.LittleEndian.PutUint32(x.Heap[at+ultima9.PageObjects:], uint32(i))
	}
	w, err := save(x)
	must(t, err)
	edited := func(b []byte) string { // the lists of free cells are used by who adds something
		x, err := open(b, nil)
		if err != nil || len(x.Objects) == 0 {
			return "not edited"
		}
		first := x.Objects[0]
		e := write.EditHeap(x)
		for _, do := range []func() error{
			func() error {
				_, err := e.Add(&ultima9.Object{Square: [2]uint32{0, 0}, Flags: ultima9.EntityFlags}, nil)
				return err
			},
			func() error { return e.Remove(first, nil) },
			func() error {
				_, err := e.Add(&ultima9.Object{Square: [2]uint32{1, 1}, Flags: ultima9.EntityFlags}, nil)
				return err
			},
		} {
			if err := do(); err != nil {
				return damage.Refusal(err) + " " + err.Error()
			}
		}
		return damage.Written(save(x))
	}
	outcome := damage.Payload(open, save)
	start := len(w) - len(x.Heap)
	parts := [][2]int{{0, start}}
	for page := start; page < len(w); page += ultima9.PageSize {
		cells := page + ultima9.PageHeaderSize
		parts = append(parts, [2]int{page, cells + 2*kind.CellSize()}, [2]int{page + ultima9.PageSize - 3*kind.CellSize(), page + ultima9.PageSize})
	}
	damage.Words(w, func(b []byte) string { return outcome(b) + ", " + edited(b) }, add, parts...)
}
