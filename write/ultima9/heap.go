package ultima9

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// HeapEditor changes objects in the heap of an object file by the rules of the game (reference section 9.7). Unedited
// objects do not move, a freed cell keeps its bytes except for the link word, and new cells come from the free lists. The
// file must be as a reader returned it. Its Objects become nil, because they would no longer be correct; read the file
// again to get them.
type HeapEditor struct {
	x    *ultima9.ObjectFile
	heap []byte
	live map[uint32]bool // cells in use, each half of a nonfixed cell by itself: a bad free list may name them
}

// EditHeap returns an editor for x. It copies the heap once.
func EditHeap(x *ultima9.ObjectFile) *HeapEditor {
	x.Heap = bytes.Clone(x.Heap)
	x.First = slices.Clone(x.First)
	e := &HeapEditor{x: x, heap: x.Heap, live: map[uint32]bool{}}
	x.Walk(func(o, _ *ultima9.Object) {
		e.use(o.Offset, x.Kind.CellSize(), true)
		for _, r := range e.records(o.Offset) {
			e.use(r, ultima9.PropertySize, true)
		}
	})
	x.Objects = nil
	return e
}

// use marks a cell or a property record as used or free.
func (e *HeapEditor) use(at uint32, size int, used bool) {
	e.live[at] = used
	if e.x.Kind == ultima9.Nonfixed && size > ultima9.PropertySize {
		e.live[at+ultima9.PropertySize] = used
	}
}

func (e *HeapEditor) u32(at uint32) uint32       { return binary.LittleEndian.Uint32(e.heap[at:]) }
func (e *HeapEditor) put32(at uint32, v uint32)  { binary.LittleEndian.PutUint32(e.heap[at:], v) }
func (e *HeapEditor) put16(at uint32, v uint16)  { binary.LittleEndian.PutUint16(e.heap[at:], v) }
func (e *HeapEditor) add32(at uint32, delta int) { e.put32(at, uint32(int(e.u32(at))+delta)) }

// next returns the page behind one, in its chain.
func (e *HeapEditor) next(page ultima9.PageRef) ultima9.PageRef {
	return ultima9.PageRef(e.u32(page.Offset() + ultima9.PageNext))
}

func (e *HeapEditor) errorf(class error, field, msg string, args ...any) error {
	return schema.Errorf("u9-"+e.x.Kind.String(), class, field, msg, args...)
}

// pageOf returns the offset of the page that a cell lies in.
func pageOf(offset uint32) uint32 { return offset &^ (ultima9.PageSize - 1) }

// square returns the number of the square of an object.
func (e *HeapEditor) square(o *ultima9.Object) (int, error) {
	if o.Square[0] >= e.x.Width || o.Square[1] >= e.x.Height {
		return 0, e.errorf(schema.ErrRange, "square", "%d, %d of %d x %d", o.Square[0], o.Square[1], e.x.Width, e.x.Height)
	}
	return int(o.Square[1]*e.x.Width + o.Square[0]), nil
}

// check refuses values that the file cannot hold.
func (e *HeapEditor) check(o *ultima9.Object) error {
	lowest, highest := int32(math.MinInt16), int32(math.MaxInt16)
	if e.x.Kind == ultima9.Nonfixed {
		lowest, highest = 0, math.MaxUint16
	} else if o.Model != 0 || o.Link != 0 || len(o.Properties) > 0 || len(o.Contents) > 0 {
		return e.errorf(schema.ErrUnsupported, "object", "a fixed object has no model, link, properties or contents of its own")
	}
	if o.X < lowest || o.X > highest || o.Y < lowest || o.Y > highest {
		return e.errorf(schema.ErrRange, "place", "%d, %d; %d to %d can be stored", o.X, o.Y, lowest, highest)
	}
	for _, p := range o.Properties {
		if p.Type == ultima9.PropertyLink {
			return e.errorf(schema.ErrValue, "property", "type %d is the link between records", p.Type)
		}
	}
	return nil
}

// fields writes all of an object but its links.
func (e *HeapEditor) fields(at uint32, o *ultima9.Object) {
	e.put16(at+4, uint16(o.X))
	e.put16(at+6, uint16(o.Y))
	e.put16(at+8, uint16(o.Z))
	e.put16(at+10, o.Type)
	for i, r := range o.Rotation {
		e.put16(at+12+2*uint32(i), uint16(r))
	}
	e.put32(at+20, uint32(o.Flags))
	if e.x.Kind == ultima9.Nonfixed {
		e.put16(at+24, o.Model)
		e.put16(at+26, o.Link)
	}
}

// Set overwrites the fields of the object at o.Offset. If its position has changed, it becomes the first in the list of the
// new position, within the same square. Properties and contents do not change.
func (e *HeapEditor) Set(was, o *ultima9.Object, contained bool) error {
	if err := e.check(o); err != nil {
		return err
	}
	e.fields(o.Offset, o)
	if contained || was.Unlinked || was.List() == o.List() {
		return nil
	}
	square, err := e.square(was)
	if err != nil {
		return err
	}
	if err := e.unlink(square, was); err != nil {
		return err
	}
	e.link(square, o.List(), o.Offset)
	return nil
}

// link puts a cell at the head of a list of a square.
func (e *HeapEditor) link(square, list int, at uint32) {
	head := e.x.First[square].Offset() + ultima9.PageLists + 4*uint32(list)
	e.put32(at, e.u32(head))
	e.put32(head, at)
}

// unlink takes an object off the lists of its square. It looks at the list of its place first: files edited by hand
// hold objects on other lists as well.
func (e *HeapEditor) unlink(square int, o *ultima9.Object) error {
	for i := range ultima9.ListCount {
		list := (o.List() + i) % ultima9.ListCount
		if e.cut(e.x.First[square].Offset()+ultima9.PageLists+4*uint32(list), o.Offset) {
			return nil
		}
	}
	return e.errorf(schema.ErrRange, "object", "no list of its square holds the object at 0x%x", o.Offset)
}

// cut takes a cell out of the list whose head stands at from.
func (e *HeapEditor) cut(from, at uint32) bool {
	for next := e.u32(from); next != 0; from, next = next, e.u32(next) {
		if next == at {
			e.put32(from, e.u32(at))
			return true
		}
	}
	return false
}

// Remove frees the cell and the property records of an object and of everything that it contains. container is the object
// that contains it, or nil if it stands in the world.
func (e *HeapEditor) Remove(o, container *ultima9.Object) error {
	square, err := e.square(o)
	if err != nil {
		return err
	}
	switch {
	case container != nil:
		head, ok := e.contents(container.Offset)
		if !ok || !e.cut(head, o.Offset) {
			return e.errorf(schema.ErrRange, "object", "the container at 0x%x does not hold the object at 0x%x", container.Offset, o.Offset)
		}
	case !o.Unlinked:
		if err := e.unlink(square, o); err != nil {
			return err
		}
	}
	e.free(o)
	return nil
}

// free gives back the cells of an object and of its contents.
func (e *HeapEditor) free(o *ultima9.Object) {
	for _, c := range o.Contents {
		e.free(c)
	}
	e.freeRecords(o.Offset)
	e.use(o.Offset, e.x.Kind.CellSize(), false)
	page := pageOf(o.Offset)
	e.put32(o.Offset, e.u32(page+ultima9.PageFreeObjects))
	e.put32(page+ultima9.PageFreeObjects, o.Offset)
	e.add32(page+ultima9.PageObjects, -1)
}

// records returns the property records of an entity in order. A fixed object has none.
func (e *HeapEditor) records(entity uint32) (list []uint32) {
	if e.x.Kind == ultima9.Fixed {
		return nil
	}
	for at := e.u32(entity + 0x1C); at != 0; {
		list = append(list, at)
		record := e.heap[at:][:ultima9.PropertySize]
		at = 0
		for i := range int(record[0]) {
			if ultima9.PropertyType(record[1+i]) == ultima9.PropertyLink {
				at = binary.LittleEndian.Uint32(record[4+4*i:])
			}
		}
	}
	return list
}

func (e *HeapEditor) freeRecords(entity uint32) {
	for _, at := range e.records(entity) {
		e.freeRecord(at)
		e.add32(pageOf(at)+ultima9.PageProperties, -1)
	}
}

func (e *HeapEditor) freeRecord(at uint32) {
	e.use(at, ultima9.PropertySize, false)
	head := pageOf(at) + ultima9.PageFreeProperties
	e.put32(at+ultima9.PropertyNext, e.u32(head))
	e.put32(head, at)
}

// contents returns where the head of an entity's contents stands: in the value of the first property of that type.
func (e *HeapEditor) contents(entity uint32) (at uint32, ok bool) {
	for _, r := range e.records(entity) {
		for i := range uint32(e.heap[r]) {
			if ultima9.PropertyType(e.heap[r+1+i]) == ultima9.PropertyContents {
				return r + 4 + 4*i, true
			}
		}
	}
	return 0, false
}

// Add puts an object with its properties and contents into the heap and returns its offset. If container is nil, the object
// stands in the world, as the first in the list of its position; otherwise it becomes the last of the container's contents.
func (e *HeapEditor) Add(o, container *ultima9.Object) (uint32, error) {
	if err := e.check(o); err != nil {
		return 0, err
	}
	square, err := e.square(o)
	if err != nil {
		return 0, err
	}
	at, err := e.object(square)
	if err != nil {
		return 0, err
	}
	clear(e.heap[at:][:e.x.Kind.CellSize()])
	e.fields(at, o)
	if container == nil {
		e.link(square, o.List(), at)
	} else {
		e.put32(at+20, uint32(o.Flags|ultima9.ObjectContained))
		if err := e.append(container, at); err != nil {
			return 0, err
		}
	}
	if e.x.Kind == ultima9.Fixed {
		return at, nil
	}
	if err := e.writeRecords(square, at, o.Properties, 0); err != nil {
		return 0, err
	}
	placed := *o
	placed.Offset = at
	for _, c := range o.Contents {
		inside := *c
		inside.Square, inside.X, inside.Y, inside.Z = o.Square, o.X, o.Y, o.Z
		if _, err := e.Add(&inside, &placed); err != nil {
			return 0, err
		}
	}
	return at, nil
}

// append puts an entity at the end of a container's contents; a container that never held anything gets the property.
func (e *HeapEditor) append(container *ultima9.Object, at uint32) error {
	from, ok := e.contents(container.Offset)
	if !ok {
		properties := append(append([]ultima9.Property(nil), container.Properties...), ultima9.Property{Type: ultima9.PropertyContents})
		if err := e.SetProperties(container, properties); err != nil {
			return err
		}
		from, _ = e.contents(container.Offset)
	}
	for next := e.u32(from); next != 0; next = e.u32(next) {
		from = next
	}
	e.put32(at, 0)
	e.put32(from, at)
	return nil
}

// SetProperties replaces the properties of object o. If the types do not change, values are replaced in place; otherwise
// the chain is freed and a new one is written. The reference to the contents is kept.
func (e *HeapEditor) SetProperties(o *ultima9.Object, properties []ultima9.Property) error {
	if err := e.check(&ultima9.Object{Properties: properties}); err != nil || e.x.Kind == ultima9.Fixed {
		return err
	}
	square, err := e.square(o)
	if err != nil {
		return err
	}
	var places []uint32
	same := true
	for _, r := range e.records(o.Offset) {
		for i := range uint32(e.heap[r]) {
			kind := ultima9.PropertyType(e.heap[r+1+i])
			if kind == ultima9.PropertyLink {
				continue
			}
			same = same && len(places) < len(properties) && properties[len(places)].Type == kind
			places = append(places, r+4+4*i)
		}
	}
	if same && len(places) == len(properties) {
		for i, p := range properties {
			if p.Type != ultima9.PropertyContents {
				e.put32(places[i], p.Value)
			}
		}
		return nil
	}
	first := uint32(0)
	if at, ok := e.contents(o.Offset); ok {
		first = e.u32(at)
	}
	e.freeRecords(o.Offset)
	return e.writeRecords(square, o.Offset, properties, first)
}

// writeRecords makes the chain of an entity: up to three properties in a record, and one with a link to the next record
// while more are left.
func (e *HeapEditor) writeRecords(square int, entity uint32, properties []ultima9.Property, contents uint32) error {
	from := entity + 0x1C
	e.put32(from, 0)
	for len(properties) > 0 {
		at, err := e.property(square)
		if err != nil {
			return err
		}
		e.put32(from, at)
		n := len(properties)
		if n > 3 {
			n = 1
		}
		record := e.heap[at:][:ultima9.PropertySize]
		clear(record)
		record[0] = byte(n)
		for i, p := range properties[:n] {
			if p.Type == ultima9.PropertyContents {
				p.Value = contents
			}
			record[1+i] = uint8(p.Type)
			binary.LittleEndian.PutUint32(record[4+4*i:], p.Value)
		}
		properties = properties[n:]
		if len(properties) > 0 {
			record[0], record[2] = 2, uint8(ultima9.PropertyLink)
			from = at + 8
		}
	}
	return nil
}

// pop takes the first cell of the free list whose head stands at from; 0 when it is empty. The word at link leads on. A
// list that leads out of its page or to a cell in use is left alone.
func (e *HeapEditor) pop(from, link uint32, size int) uint32 {
	at := e.u32(from)
	if at == 0 || pageOf(at) != pageOf(from) || e.x.CheckCell(at, size) != nil || e.live[at] {
		return 0
	}
	if e.x.Kind == ultima9.Nonfixed && size > ultima9.PropertySize && e.live[at+ultima9.PropertySize] {
		return 0
	}
	e.use(at, size, true)
	e.put32(from, e.u32(at+link))
	return at
}

// object allocates a cell in a square.
func (e *HeapEditor) object(square int) (uint32, error) {
	for ref := e.x.First[square]; ref != 0; ref = e.next(ref) {
		if at := e.pop(ref.Offset()+ultima9.PageFreeObjects, 0, e.x.Kind.CellSize()); at != 0 {
			e.add32(ref.Offset()+ultima9.PageObjects, 1)
			return at, nil
		}
	}
	if err := e.newPage(square); err != nil {
		return 0, err
	}
	return e.object(square)
}

// property allocates a property record in a square: a free one, or the first half of a free entity cell.
func (e *HeapEditor) property(square int) (uint32, error) {
	for ref := e.x.First[square]; ref != 0; ref = e.next(ref) {
		page := ref.Offset()
		at := e.pop(page+ultima9.PageFreeProperties, ultima9.PropertyNext, ultima9.PropertySize)
		if at == 0 {
			if at = e.pop(page+ultima9.PageFreeObjects, 0, e.x.Kind.CellSize()); at != 0 {
				e.freeRecord(at + ultima9.PropertySize)
			}
		}
		if at != 0 {
			e.add32(page+ultima9.PageProperties, 1)
			return at, nil
		}
	}
	if err := e.newPage(square); err != nil {
		return 0, err
	}
	return e.property(square)
}

// newPage gives a square another page: the first free one, or a new one at the end of the heap.
func (e *HeapEditor) newPage(square int) error {
	var page uint32
	if e.x.FreePage != 0 {
		page = e.x.FreePage.Offset()
		e.x.FreePage = e.next(e.x.FreePage)
	} else {
		if len(e.heap) > math.MaxUint32-2*ultima9.PageSize {
			return e.errorf(schema.ErrLimit, "heap size", "the heap cannot grow beyond 0x%x bytes", len(e.heap))
		}
		page = uint32(len(e.heap))
		e.heap = append(e.heap, make([]byte, ultima9.PageSize)...)
		e.x.Heap = e.heap
	}
	clear(e.heap[page:][:ultima9.PageSize])
	e.put32(page+ultima9.PageBaseX, uint32(square)%e.x.Width*ultima9.SquareSize)
	e.put32(page+ultima9.PageBaseY, uint32(square)/e.x.Width*ultima9.SquareSize)
	from := page + ultima9.PageFreeObjects
	for i := range uint32(e.x.Kind.Cells()) {
		at := page + ultima9.PageHeaderSize + i*uint32(e.x.Kind.CellSize())
		e.put32(from, at)
		from = at
	}
	if e.x.First[square] == 0 {
		e.x.First[square] = ultima9.PageRef(page + 1)
		return nil
	}
	last := e.x.First[square].Offset()
	for e.u32(last) != 0 {
		last = e.u32(last) - 1
	}
	e.put32(last, page+1)
	return nil
}
