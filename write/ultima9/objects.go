package ultima9

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Fixed writes fixed.N (reference section 9) from its heap. It fails with ErrMismatch if Objects differ from the heap: use
// a [HeapEditor] to change objects.
func Fixed(x *ultima9.ObjectFile) ([]byte, error) { return checkedFile(x, ultima9.Fixed) }

// Nonfixed writes nonfixed.N from its heap, with the errors of Fixed.
func Nonfixed(x *ultima9.ObjectFile) ([]byte, error) { return checkedFile(x, ultima9.Nonfixed) }

// Heap writes a file of either kind from its heap and ignores Objects.
func Heap(x *ultima9.ObjectFile) ([]byte, error) { return objectFile(x, x.Kind) }

func checkedFile(x *ultima9.ObjectFile, kind ultima9.ObjectKind) ([]byte, error) {
	b, err := objectFile(x, kind)
	if err != nil {
		return nil, err
	}
	return b, checkView(x)
}

func objectFile(x *ultima9.ObjectFile, kind ultima9.ObjectKind) ([]byte, error) {
	w := write.NewBuffer("u9-"+kind.String(), 40+4*len(x.First)+len(x.Heap)+len(x.Trailing))
	if x.Kind != kind || len(x.Leading) != kind.Leading() {
		w.Failf(schema.ErrMismatch, "kind", "a %s file with %d leading words cannot be written as %s", x.Kind, len(x.Leading), kind)
	}
	if uint64(len(x.First)) != uint64(x.Width)*uint64(x.Height) {
		w.Failf(schema.ErrMismatch, "squares", "%d squares for %d x %d", len(x.First), x.Width, x.Height)
	}
	w.U32s(x.Leading)
	w.Count32(len(x.Heap), "heap size")
	w.U32(x.Unknown0C)
	w.U32(x.Width)
	w.U32(x.Height)
	w.U32(uint32(kind))
	for _, ref := range x.First {
		w.U32(uint32(ref))
	}
	w.U32(uint32(x.FreePage))
	w.Bytes(x.Heap)
	w.Bytes(x.Trailing)
	return w.Finish()
}

// view holds the list of objects of a file against its heap, which is what is written.
type view struct {
	HeapEditor
	linked map[uint32]bool // objects that the lists of squares lead to
	listed map[uint32]bool
}

// checkView refuses a list of objects that is not what the heap holds: somebody changed it, and the heap does not know.
func checkView(x *ultima9.ObjectFile) error {
	if x.Objects == nil {
		return nil
	}
	v := view{HeapEditor: HeapEditor{x: x, heap: x.Heap}, linked: map[uint32]bool{}, listed: map[uint32]bool{}}
	for square := range x.First {
		v.follow(square)
	}
	if err := v.objects(x.Objects, nil); err != nil {
		return err
	}
	for at := range v.linked {
		if !v.listed[at] {
			return v.differs(at, "Objects lacks it")
		}
	}
	return nil
}

func (v *view) differs(at uint32, what string) error {
	return v.errorf(schema.ErrMismatch, "Objects", "the object at 0x%x is not what the heap holds: %s; EditHeap changes the heap", at, what)
}

// follow notes what the lists of a square lead to, as far as they lead to cells.
func (v *view) follow(square int) {
	base := int64(v.x.First[square]) - 1
	if base < 0 || base+ultima9.PageSize > int64(len(v.heap)) {
		return
	}
	for i := range uint32(ultima9.ListCount) {
		at := v.u32(uint32(base) + ultima9.PageLists + 4*i)
		for at != 0 && !v.linked[at] && v.x.CheckCell(at, v.x.Kind.CellSize()) == nil {
			v.linked[at] = true
			at = v.u32(at)
		}
	}
}

func (v *view) objects(list []*ultima9.Object, container *ultima9.Object) error {
	for _, o := range list {
		if o == nil {
			return v.errorf(schema.ErrValue, "Objects", "an object that is nil")
		}
		if err := v.object(o, container); err != nil {
			return err
		}
		if err := v.objects(o.Contents, o); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) object(o, container *ultima9.Object) error {
	size := v.x.Kind.CellSize()
	if err := v.x.CheckCell(o.Offset, size); err != nil {
		return err
	}
	if err := v.check(o); err != nil {
		return err
	}
	stored := v.heap[o.Offset:][:size]
	cell := HeapEditor{x: v.x, heap: bytes.Clone(stored)}
	cell.fields(0, o)
	page := pageOf(o.Offset)
	square := [2]uint32{v.u32(page+ultima9.PageBaseX) / ultima9.SquareSize, v.u32(page+ultima9.PageBaseY) / ultima9.SquareSize}
	switch {
	case v.listed[o.Offset]:
		return v.differs(o.Offset, "it is listed twice")
	case !bytes.Equal(cell.heap, stored):
		return v.differs(o.Offset, "its fields are others")
	case o.Square != square || container != nil && o.Square != container.Square:
		return v.differs(o.Offset, "its square is another")
	case o.Unlinked != (container == nil && !v.linked[o.Offset]):
		return v.differs(o.Offset, "it is on the lists of its square, or not")
	}
	v.listed[o.Offset] = true
	return v.chains(o)
}

// chains holds the properties and contents of an object against the chains that the heap has of them.
func (v *view) chains(o *ultima9.Object) error {
	if v.x.Kind == ultima9.Fixed {
		return nil
	}
	var properties []ultima9.Property
	first := uint32(0)
	for at, records := v.u32(o.Offset+0x1C), 0; at != 0; records++ {
		if v.x.CheckCell(at, ultima9.PropertySize) != nil || records > len(v.heap)/ultima9.PropertySize || v.heap[at] > 3 {
			return v.differs(o.Offset, "its properties lead nowhere")
		}
		record := v.heap[at:][:ultima9.PropertySize]
		at = 0
		for i := range int(record[0]) {
			p := ultima9.Property{Type: ultima9.PropertyType(record[1+i]), Value: binary.LittleEndian.Uint32(record[4+4*i:])}
			switch p.Type {
			case ultima9.PropertyLink:
				at = p.Value
				continue
			case ultima9.PropertyContents:
				first = p.Value
			}
			properties = append(properties, p)
		}
	}
	if !slices.Equal(properties, o.Properties) {
		return v.differs(o.Offset, "its properties are others")
	}
	for _, inside := range o.Contents {
		if inside == nil || inside.Offset != first || v.x.CheckCell(first, v.x.Kind.CellSize()) != nil {
			return v.differs(o.Offset, "its contents are others")
		}
		first = v.u32(first)
	}
	if first != 0 {
		return v.differs(o.Offset, "its contents are fewer")
	}
	return nil
}
