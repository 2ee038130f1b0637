package ultima9

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// heap walks the pages and lists of an object file. Every reference is checked before it is followed, and every cell is
// visited once.
type heap struct {
	x     *ultima9.ObjectFile
	start int64 // absolute offset of the heap
	d     *schema.Diagnostics
	pages []page
	state []use // of each cell; in nonfixed files of each half cell
	unit  int   // bytes that a state covers
	count int   // states of a page

	objects []ultima9.Object   // room for the next objects, allocated in slabs
	spare   []ultima9.Property // room for the next properties
}

// page is what is known of a page.
type page struct {
	square   int // plus one; 0 for a page that no square owns
	free     bool
	unsound  bool // its free lists cannot be trusted
	objects  int  // found
	records  int  // property records found
	freeObj  int
	freeProp int
}

// use is what a cell holds.
type use uint8

const (
	unknown use = iota
	isFree
	isObject
	isProperty
)

func (h *heap) read() error {
	h.unit, h.count = h.x.Kind.CellSize(), h.x.Kind.Cells()
	if h.x.Kind == ultima9.Nonfixed {
		h.unit, h.count = ultima9.PropertySize, 2*h.count
	}
	h.state = make([]use, len(h.pages)*h.count)
	for square := range h.x.First {
		if err := h.chain(square); err != nil {
			return err
		}
	}
	if err := h.freePages(); err != nil {
		return err
	}
	for i := range h.pages {
		if h.pages[i].square == 0 {
			continue
		}
		if err := h.freeList(i, ultima9.PageFreeObjects, 0, h.x.Kind.CellSize(), &h.pages[i].freeObj); err != nil {
			return err
		}
		if h.x.Kind == ultima9.Fixed {
			continue
		}
		if err := h.freeList(i, ultima9.PageFreeProperties, ultima9.PropertyNext, ultima9.PropertySize, &h.pages[i].freeProp); err != nil {
			return err
		}
	}
	if err := h.orphans(); err != nil {
		return err
	}
	for square := range h.x.First {
		if err := h.lists(square); err != nil {
			return err
		}
	}
	if err := h.strays(); err != nil {
		return err
	}
	slices.SortFunc(h.x.Objects, func(a, b *ultima9.Object) int { return cmp.Compare(a.Offset, b.Offset) })
	return h.checkCounts()
}

func (h *heap) u32(offset uint32) uint32 { return binary.LittleEndian.Uint32(h.x.Heap[offset:]) }

// failf makes an error at a heap offset.
func (h *heap) failf(offset uint32, class error, path, field, msg string, args ...any) error {
	return &schema.FormatError{Format: "u9-" + h.x.Kind.String(), Path: path, Offset: h.start + int64(offset), Field: field,
		Class: class, Msg: fmt.Sprintf(msg, args...)}
}

// pageOf turns a page reference into the page's number.
func (h *heap) pageOf(ref ultima9.PageRef, from uint32, path string) (int, error) {
	if ref.Offset()%ultima9.PageSize != 0 || int64(ref.Offset()) >= int64(len(h.x.Heap)) {
		return 0, h.failf(from, schema.ErrRange, path, "page", "0x%x is no page of a heap of 0x%x bytes, plus one", uint32(ref), len(h.x.Heap))
	}
	return int(ref.Offset() / ultima9.PageSize), nil
}

func (h *heap) squarePath(square int) string {
	return fmt.Sprintf("square %d, %d", square%int(h.x.Width), square/int(h.x.Width))
}

// chain takes the pages of a square.
func (h *heap) chain(square int) error {
	path := h.squarePath(square)
	from := uint32(0)
	for ref := h.x.First[square]; ref != 0; {
		i, err := h.pageOf(ref, from, path)
		if err != nil {
			return err
		}
		from = uint32(i * ultima9.PageSize)
		p := &h.pages[i]
		if p.square == square+1 {
			return h.failf(from, schema.ErrCycle, path, "next page", "the chain comes back to page 0x%x", from)
		}
		x, y := h.u32(from+ultima9.PageBaseX), h.u32(from+ultima9.PageBaseY)
		if uint64(x) != uint64(square)%uint64(h.x.Width)*ultima9.SquareSize || uint64(y) != uint64(square)/uint64(h.x.Width)*ultima9.SquareSize {
			return h.failf(from+ultima9.PageBaseX, schema.ErrMismatch, path, "base", "page 0x%x says %d, %d", from, x, y)
		}
		p.square = square + 1
		ref = ultima9.PageRef(h.u32(from + ultima9.PageNext))
	}
	return nil
}

func (h *heap) freePages() error {
	from := uint32(0)
	for ref := h.x.FreePage; ref != 0; {
		i, err := h.pageOf(ref, from, "free pages")
		if err != nil {
			return err
		}
		from = uint32(i * ultima9.PageSize)
		p := &h.pages[i]
		if p.square != 0 {
			return h.failf(from, schema.ErrMismatch, "free pages", "next page", "page 0x%x is in use", from)
		}
		if p.free {
			return h.failf(from, schema.ErrCycle, "free pages", "next page", "the chain comes back to page 0x%x", from)
		}
		p.free = true
		ref = ultima9.PageRef(h.u32(from + ultima9.PageNext))
	}
	return nil
}

// orphans looks at the pages that nothing leads to. When their square has no page at all, its reference is wrong.
func (h *heap) orphans() error {
	for i, p := range h.pages {
		if p.square != 0 || p.free {
			continue
		}
		base := uint32(i * ultima9.PageSize)
		x, y := uint64(h.u32(base+ultima9.PageBaseX)), uint64(h.u32(base+ultima9.PageBaseY))
		column, row := x/ultima9.SquareSize, y/ultima9.SquareSize
		live := h.u32(base + ultima9.PageObjects)
		if column < uint64(h.x.Width) && row < uint64(h.x.Height) && h.x.First[row*uint64(h.x.Width)+column] == 0 && live > 0 {
			return h.failf(base, schema.ErrRange, "", "first page", "square %d, %d has none, yet page 0x%x holds %d of its objects", column, row, base, live)
		}
		if live == 0 { // what is left of a square that was emptied: the game's own files have some
			h.d.Notef("orphan-page", "", "page 0x%x is neither in use nor free, and holds nothing", base)
			continue
		}
		h.d.WarnAtf("orphan-page", "", h.start+int64(base), "page 0x%x is neither in use nor free, and holds %d objects", base, live)
	}
	return nil
}

// freeList marks the free cells of a page. A list that leads out of its page is a warning: the object lists say what
// lives.
func (h *heap) freeList(i, head, link, size int, count *int) error {
	base := uint32(i * ultima9.PageSize)
	path := fmt.Sprintf("page 0x%x", base)
	for at := h.u32(base + uint32(head)); at != 0; at = h.u32(at + uint32(link)) {
		if h.x.CheckCell(at, size) != nil || at/ultima9.PageSize != uint32(i) {
			h.d.WarnAtf("free-list", path, h.start+int64(base)+int64(head), "a free list leads to 0x%x, which is no cell of the page", at)
			h.pages[i].unsound = true
			return nil
		}
		s := h.states(at, size)
		if s[0] == isFree {
			return h.failf(at, schema.ErrCycle, path, "free list", "the list comes back to 0x%x", at)
		}
		for k := range s {
			s[k] = isFree
		}
		*count++
	}
	return nil
}

// states returns the states of a cell.
func (h *heap) states(offset uint32, size int) []use {
	first := int(offset/ultima9.PageSize)*h.count + (int(offset%ultima9.PageSize)-ultima9.PageHeaderSize)/h.unit
	return h.state[first : first+max(size/h.unit, 1)]
}

// take claims a cell for an object or a property record of a square.
func (h *heap) take(offset uint32, size, square int, what use, from uint32, path string) error {
	if err := h.x.CheckCell(offset, size); err != nil {
		return h.failf(from, schema.ErrRange, path, "heap offset", "0x%x is no cell of %d bytes in a heap of 0x%x", offset, size, len(h.x.Heap))
	}
	p := &h.pages[offset/ultima9.PageSize]
	if p.square != square+1 {
		return h.failf(from, schema.ErrMismatch, path, "heap offset", "0x%x lies in a page of another square", offset)
	}
	for k, s := range h.states(offset, size) {
		switch s {
		case what:
			return h.failf(from, schema.ErrCycle, path, "heap offset", "0x%x has been reached before", offset)
		case unknown:
		case isFree:
			h.d.WarnAtf("free-in-use", path, h.start+int64(offset), "cell 0x%x is in use and on a free list", offset)
			p.unsound = true
		default:
			return h.failf(from, schema.ErrMismatch, path, "heap offset", "0x%x is an object and a property record", offset)
		}
		h.states(offset, size)[k] = what
	}
	if what == isObject {
		p.objects++
	} else {
		p.records++
	}
	return nil
}

// lists walks the sixteen object lists of a square.
func (h *heap) lists(square int) error {
	if h.x.First[square] == 0 {
		return nil
	}
	base := h.x.First[square].Offset()
	path := h.squarePath(square)
	for i := range uint32(ultima9.ListCount) {
		from := base + ultima9.PageLists + 4*i
		objects, err := h.list(h.u32(from), from, square, 0, path)
		if err != nil {
			return err
		}
		h.x.Objects = append(h.x.Objects, objects...)
	}
	return nil
}

// list reads a list of objects and all that belongs to them.
func (h *heap) list(offset, from uint32, square, depth int, path string) ([]*ultima9.Object, error) {
	var objects []*ultima9.Object
	for ; offset != 0; from, offset = offset, h.u32(offset) {
		if err := h.take(offset, h.x.Kind.CellSize(), square, isObject, from, path); err != nil {
			return nil, err
		}
		o := h.object(offset, square)
		objects = append(objects, o)
		if h.x.Kind == ultima9.Nonfixed {
			if err := h.properties(o, square, depth, path); err != nil {
				return nil, err
			}
		}
	}
	return objects, nil
}

// slab is how many objects or properties are allocated at once.
const slab = 128

// object decodes a cell.
func (h *heap) object(offset uint32, square int) *ultima9.Object {
	le := binary.LittleEndian
	b := h.x.Heap[offset:][:h.x.Kind.CellSize()]
	if len(h.objects) == 0 {
		h.objects = make([]ultima9.Object, slab)
	}
	o := &h.objects[0]
	h.objects = h.objects[1:]
	*o = ultima9.Object{
		Offset: offset,
		Square: [2]uint32{uint32(square) % h.x.Width, uint32(square) / h.x.Width},
		X:      int32(int16(le.Uint16(b[4:]))),
		Y:      int32(int16(le.Uint16(b[6:]))),
		Z:      int16(le.Uint16(b[8:])),
		Type:   le.Uint16(b[10:]),
		Flags:  ultima9.ObjectFlags(le.Uint32(b[20:])),
	}
	for i := range o.Rotation {
		o.Rotation[i] = int16(le.Uint16(b[12+2*i:]))
	}
	if h.x.Kind == ultima9.Nonfixed {
		o.X, o.Y = int32(le.Uint16(b[4:])), int32(le.Uint16(b[6:]))
		o.Model, o.Link = le.Uint16(b[24:]), le.Uint16(b[26:])
	}
	return o
}

// properties follows the chain of property records of an object, and its contents.
func (h *heap) properties(o *ultima9.Object, square, depth int, path string) error {
	from := o.Offset + 0x1C
	var contents, contentsFrom uint32
	if cap(h.spare)-len(h.spare) < 16 {
		h.spare = make([]ultima9.Property, 0, slab)
	}
	list := h.spare[len(h.spare):]
	for at := h.u32(from); at != 0; {
		if err := h.take(at, ultima9.PropertySize, square, isProperty, from, path); err != nil {
			return err
		}
		record := h.x.Heap[at:][:ultima9.PropertySize]
		n := int(record[0])
		if n < 1 || n > 3 {
			return h.failf(at, schema.ErrValue, path, "property count", "%d, 1 to 3 expected", n)
		}
		next := uint32(0)
		for i := range n {
			p := ultima9.Property{Type: ultima9.PropertyType(record[1+i]), Value: binary.LittleEndian.Uint32(record[4+4*i:])}
			switch p.Type {
			case ultima9.PropertyLink:
				next, from = p.Value, at+4+4*uint32(i)
				continue
			case ultima9.PropertyContents:
				contents, contentsFrom = p.Value, at+4+4*uint32(i)
			}
			list = append(list, p)
		}
		at = next
	}
	if len(list) > 0 {
		o.Properties = list[:len(list):len(list)]
		if n := len(h.spare) + len(list); n <= cap(h.spare) {
			h.spare = h.spare[:n]
		}
	}
	if contents == 0 {
		return nil
	}
	if depth == schema.DefaultLimits.Depth {
		return h.failf(contentsFrom, schema.ErrLimit, path, "contents", "containers are nested more than %d deep", depth)
	}
	var err error
	o.Contents, err = h.list(contents, contentsFrom, square, depth+1, path)
	return err
}

// strays finds objects that no list leads to: whole cells left over, when the page counts as many more live objects as
// there are such cells. In nonfixed files contained ones come last, since another stray may hold them.
func (h *heap) strays() error {
	var list []uint32
	for i := range h.pages {
		if h.pages[i].square != 0 && !h.pages[i].unsound {
			list = append(list, h.straysOf(i)...)
		}
	}
	contained := func(at uint32) int {
		if h.x.Kind == ultima9.Nonfixed && ultima9.ObjectFlags(h.u32(at+0x14))&ultima9.ObjectContained != 0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b uint32) int { return contained(a) - contained(b) })
	for _, at := range list {
		if h.states(at, h.x.Kind.CellSize())[0] != unknown {
			continue
		}
		square := h.pages[at/ultima9.PageSize].square - 1
		path := h.squarePath(square)
		if err := h.take(at, h.x.Kind.CellSize(), square, isObject, at, path); err != nil {
			return err
		}
		o := h.object(at, square)
		o.Unlinked = true
		if h.x.Kind == ultima9.Nonfixed {
			h.d.WarnAtf("unlinked-object", path, h.start+int64(at), "no list leads to the object")
			if err := h.properties(o, square, 0, path); err != nil {
				return err
			}
		}
		h.x.Objects = append(h.x.Objects, o)
	}
	return nil
}

// straysOf returns the cells of a page that must be objects although nothing leads to them.
func (h *heap) straysOf(i int) (list []uint32) {
	base, size := uint32(i*ultima9.PageSize), h.x.Kind.CellSize()
	for cell := range h.x.Kind.Cells() {
		at := base + uint32(ultima9.PageHeaderSize+cell*size)
		if s := h.states(at, size); s[0] == unknown && s[len(s)-1] == unknown {
			list = append(list, at)
		}
	}
	if h.x.Kind == ultima9.Nonfixed && int64(h.u32(base+ultima9.PageObjects)) != int64(h.pages[i].objects+len(list)) {
		return nil
	}
	return list
}

// checkCounts compares the counts of each page with what was found. A page whose cells do not add up is reported, and
// its counts are not believed.
func (h *heap) checkCounts() error {
	for i := range h.pages {
		p := &h.pages[i]
		if p.square == 0 {
			continue
		}
		base := uint32(i * ultima9.PageSize)
		path := fmt.Sprintf("page 0x%x", base)
		cells := p.objects + p.freeObj
		if h.x.Kind == ultima9.Nonfixed {
			cells = 2*cells + p.records + p.freeProp
		}
		if p.unsound || cells != h.count {
			h.d.WarnAtf("page-cells", path, h.start+int64(base), "live and free cells do not make up the page")
			continue
		}
		if live := h.u32(base + ultima9.PageObjects); live != uint32(p.objects) {
			return h.failf(base+ultima9.PageObjects, schema.ErrMismatch, path, "live objects", "%d, %d found", live, p.objects)
		}
		if live := h.u32(base + ultima9.PageProperties); h.x.Kind == ultima9.Nonfixed && live != uint32(p.records) {
			return h.failf(base+ultima9.PageProperties, schema.ErrMismatch, path, "live properties", "%d, %d found", live, p.records)
		}
	}
	return nil
}

// The layouts of what a heap holds, for a trace.
const (
	pageLayout     = "next:u32 free-objects:u32 free-properties:u32 base-x:u32 base-y:u32 live-objects:u32 live-properties:u32 unknown:u32 lists:16u32"
	fixedLayout    = "next:u32 x:u16 y:u16 z:i16 type:u16 rotation:4i16 flags:u32"
	nonfixedLayout = fixedLayout + " model:u16 link:u16 properties:u32"
	propertyLayout = "count:u8 types:3u8 values:3u32"
)

var (
	pageNames     = schema.NamesOf[ultima9.PageRef]("next")
	objectNames   = schema.NamesOf[ultima9.ObjectFlags]("flags")
	propertyNames = schema.NamesOf[ultima9.PropertyType]("types")
)

// note tells a trace what the cells of each page hold, runs of the same kind as one span. What is on no list and not
// free is kept as it is.
func (h *heap) note(t *schema.Trace) {
	for i := range h.pages {
		page := h.x.Heap[i*ultima9.PageSize:][:ultima9.PageSize]
		path := fmt.Sprintf("page %d", i)
		t.NoteNamed(page[:ultima9.PageHeaderSize], 1, pageLayout, path, "header", pageNames)
		states := h.state[i*h.count:][:h.count]
		for from := 0; from < len(states); {
			to := from + 1
			for to < len(states) && states[to] == states[from] {
				to++
			}
			h.noteCells(t, page[ultima9.PageHeaderSize+from*h.unit:ultima9.PageHeaderSize+to*h.unit], states[from], path)
			from = to
		}
		if end := ultima9.PageHeaderSize + h.count*h.unit; end < len(page) {
			t.NoteBytes(page[end:], 1, schema.LayoutBytes, path, "end of the page")
		}
	}
}

func (h *heap) noteCells(t *schema.Trace, b []byte, what use, path string) {
	switch what {
	case isObject:
		layout := fixedLayout
		if h.x.Kind == ultima9.Nonfixed {
			layout = nonfixedLayout
		}
		t.NoteNamed(b, len(b)/h.x.Kind.CellSize(), layout, path, "objects", objectNames)
	case isProperty:
		t.NoteNamed(b, len(b)/ultima9.PropertySize, propertyLayout, path, "properties", propertyNames)
	case isFree:
		t.NoteBytes(b, 1, schema.LayoutBytes, path, "free cells")
	default:
		t.NoteBytes(b, 1, schema.LayoutBytes, path, "unused cells")
	}
}
