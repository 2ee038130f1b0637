package ultima9

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// ObjectKind distinguishes the two object files of a map.
type ObjectKind uint32

// The kinds.
const (
	Fixed    ObjectKind = iota // fixed.N: objects that never move
	Nonfixed                   // nonfixed.N: objects that may move
)

var objectKindNames = schema.EnumNames[ObjectKind]{Fixed: "fixed", Nonfixed: "nonfixed"}

// String returns the kind's name.
func (k ObjectKind) String() string { return objectKindNames.Text(k) }

// MarshalText implements encoding.TextMarshaler.
func (k ObjectKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *ObjectKind) UnmarshalText(b []byte) error { return objectKindNames.Parse(b, k) }

// PageRef refers to a page of a heap: its offset plus one, or 0 for none.
type PageRef uint32

// Offset returns where in the heap the page lies. There has to be one.
func (r PageRef) Offset() uint32 { return uint32(r - 1) }

// String returns "none", or "page" and the number of the page.
func (r PageRef) String() string {
	switch {
	case r == 0:
		return "none"
	case r.Offset()%PageSize == 0:
		return fmt.Sprint("page ", r.Offset()/PageSize)
	}
	return strconv.FormatUint(uint64(r), 10)
}

// MarshalText implements encoding.TextMarshaler.
func (r PageRef) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It takes the plain number too.
func (r *PageRef) UnmarshalText(b []byte) error {
	number, isPage := strings.CutPrefix(string(b), "page ")
	n, err := strconv.ParseUint(number, 0, 32)
	switch {
	case string(b) == "none":
		n, err = 0, nil
	case isPage:
		n = n*PageSize + 1
	}
	if err != nil || n > math.MaxUint32 {
		return fmt.Errorf("%q is neither a page, such as \"page 2\", nor \"none\" nor a number in range: %w", b, schema.ErrValue)
	}
	*r = PageRef(n)
	return nil
}

// Geometry of the paged heap (reference section 9). Offsets are within a page.
const (
	SquareSize         = 4096 // raw units a side of a square, which owns a chain of pages
	ListSize           = 1024 // raw units a side of the cell that one object list covers
	ListCount          = 16   // lists of a square
	PageSize           = 0x1000
	PageHeaderSize     = 0x60
	PageNext           = 0x00 // next page of the square, plus one
	PageFreeObjects    = 0x04
	PageFreeProperties = 0x08
	PageBaseX          = 0x0C
	PageBaseY          = 0x10
	PageObjects        = 0x14 // live objects in this page
	PageProperties     = 0x18 // live property records in this page
	PageLists          = 0x20 // heads of the object lists; only those of a square's first page count
	PropertySize       = 0x10
	PropertyNext       = 0x04 // of a free property record
	HeapUnknown        = 0x00C00000
)

// CellSize returns the size of an object in bytes.
func (k ObjectKind) CellSize() int {
	if k == Nonfixed {
		return 0x20
	}
	return 0x18
}

// Cells returns how many objects fit into a page.
func (k ObjectKind) Cells() int {
	if k == Nonfixed {
		return 125
	}
	return 166
}

// Leading returns the number of zero words at the beginning of a file.
func (k ObjectKind) Leading() int {
	if k == Nonfixed {
		return 3
	}
	return 2
}

// ObjectFile is fixed.N or nonfixed.N: a heap of pages, and the objects in it. References but those to pages are
// heap offsets.
type ObjectFile struct {
	Kind      ObjectKind
	Leading   []uint32  // 0; two of them in fixed, three in nonfixed
	Unknown0C uint32    // HeapUnknown
	Width     uint32    // squares
	Height    uint32    // squares
	First     []PageRef // first page of square x + y·Width
	FreePage  PageRef   // first free page

	// Objects are the objects of the heap, ordered by offset, with contained objects in their containers. Changing them does
	// not change the heap, which is what the writer writes; it refuses objects that differ from the heap.
	Objects []*Object `unwritten:"what is written is the heap: none say nothing, and others than those in it are refused"`

	Heap     []byte
	Trailing []byte `json:",omitempty"`
}

// ObjectFlags is a set of properties of an object.
type ObjectFlags uint32

// Object flags.
const (
	ObjectPresent   ObjectFlags = 1 << 0 // set on every fixed object: the game crashes without it
	ObjectCollides  ObjectFlags = 1 << 1
	ObjectContained ObjectFlags = 1 << 9 // lies in another object
	ObjectHalfClear ObjectFlags = 1 << 12
	// EntityFlags are set on every nonfixed object whose bit 4 is clear (reference section 9.3), and on new ones.
	EntityFlags ObjectFlags = 0xFFC00000
)

var objectBits = schema.Bits[ObjectFlags]{
	schema.Flag(0, "required"),
	schema.Flag(1, "collide"),
	schema.Flag(9, "contained"),
	schema.Flag(12, "semitransparent"),
	schema.Choice(22, 10, "high", map[uint32]string{0x3FF: "entity"}),
}

// String returns the flags in words.
func (f ObjectFlags) String() string { return objectBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f ObjectFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *ObjectFlags) UnmarshalText(b []byte) error { return objectBits.Parse(b, f) }

// Object is a thing in the world.
type Object struct {
	Offset     uint32    `json:",omitzero"` // heap offset; 0 for an object that is not in the heap yet
	Square     [2]uint32 // column, row
	X, Y       int32     // 0 … 4095 within the square
	Z          int16
	Type       uint16
	Rotation   [4]int16 // x, y, z, w; 32767 is 1
	Flags      ObjectFlags
	Model      uint16     `json:",omitzero"`  // sappear slot; nonfixed only
	Link       uint16     `json:",omitzero"`  // trigger, or point of a highway; nonfixed only
	Properties []Property `json:",omitempty"` // in the order of the chain
	Contents   []*Object  `json:",omitempty"` // what lies inside; its position is stale
	// Unlinked is set if the object is in none of its square's lists.
	Unlinked bool `json:",omitzero"`
}

// PropertyType is the type of a property. Some fifty occur.
type PropertyType uint8

// Property types with a known meaning.
const (
	PropertyContents PropertyType = 0x05 // heap offset of the first object inside
	PropertyScale    PropertyType = 0x42 // percent
	PropertyScaleX   PropertyType = 0x49 // percent
	PropertyScaleY   PropertyType = 0x4A
	PropertyScaleZ   PropertyType = 0x4B
	PropertyLink     PropertyType = 0xFF // heap offset of the next record
)

var propertyTypeNames = schema.EnumNames[PropertyType]{
	PropertyContents: "contents", PropertyScale: "scale", PropertyScaleX: "scale-x", PropertyScaleY: "scale-y", PropertyScaleZ: "scale-z", PropertyLink: "link",
}

// String returns the type's name, or its number.
func (t PropertyType) String() string { return propertyTypeNames.Text(t) }

// MarshalText implements encoding.TextMarshaler.
func (t PropertyType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *PropertyType) UnmarshalText(b []byte) error { return propertyTypeNames.Parse(b, t) }

// Property is a number that belongs to an object. The writer derives the value of PropertyContents from Object.Contents.
type Property struct {
	Type  PropertyType
	Value uint32
}

// World returns the position of the object in raw units.
func (o *Object) World() (x, y, z int32) {
	return int32(o.Square[0])*SquareSize + o.X, int32(o.Square[1])*SquareSize + o.Y, int32(o.Z)
}

// List returns the number of the list for the object's position.
func (o *Object) List() int {
	cell := func(v int32) int { return int(min(max(v/ListSize, 0), 3)) }
	return cell(o.Y)*4 + cell(o.X)
}

// Scale returns the object's size on each axis: the axis's own property if there is one, else the uniform scale. 0 means 1.
func (o *Object) Scale() [3]float64 {
	s := [3]float64{1, 1, 1}
	for _, p := range o.Properties {
		if p.Type == PropertyScale {
			v := float64(int32(p.Value)) / 100
			s = [3]float64{v, v, v}
		}
	}
	for _, p := range o.Properties {
		if p.Type >= PropertyScaleX && p.Type <= PropertyScaleZ {
			s[p.Type-PropertyScaleX] = float64(int32(p.Value)) / 100
		}
	}
	for i, v := range s {
		if v == 0 {
			s[i] = 1
		}
	}
	return s
}

// Walk calls f for every object, containers before their contents. container is nil for an object that stands in the world.
func (x *ObjectFile) Walk(f func(o, container *Object)) {
	var walk func(list []*Object, container *Object)
	walk = func(list []*Object, container *Object) {
		for _, o := range list {
			f(o, container)
			walk(o.Contents, o)
		}
	}
	walk(x.Objects, nil)
}

// CheckCell reports whether offset is that of a cell of size bytes in a page of the heap.
func (x *ObjectFile) CheckCell(offset uint32, size int) error {
	in := int(offset%PageSize) - PageHeaderSize
	if int64(offset) >= int64(len(x.Heap)) || in < 0 || in%size != 0 || in >= x.Kind.Cells()*x.Kind.CellSize() {
		return schema.Errorf("u9-"+x.Kind.String(), schema.ErrRange, "heap offset", "0x%x is no cell of %d bytes in the heap of 0x%x", offset, size, len(x.Heap))
	}
	return nil
}
