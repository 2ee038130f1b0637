package freelancer

// Leaves that hold a single value or a plain list (reference section 3). A payload may be longer than its value; the
// bytes beyond are kept.

// Text is a string leaf.
type Text struct {
	Value        string
	Unterminated bool   `json:",omitempty"` // the zero at the end is missing
	Tail         []byte `json:",omitempty"` // bytes after the zero
}

// Floats is a leaf of singles: a scalar, a vector, a matrix, any list.
type Floats struct {
	Values []float32
	Tail   []byte `json:",omitempty"`
}

// Ints is a leaf of 32-bit integers.
type Ints struct {
	Values []uint32
	Tail   []byte `json:",omitempty"`
}

// Shorts is a leaf of unsigned 16-bit integers.
type Shorts struct {
	Values []uint16
	Tail   []byte `json:",omitempty"`
}
