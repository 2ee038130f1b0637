package ultima9

// DefaultIcon is the icon of types that have none of their own.
const DefaultIcon = 7041

// TypeName is a record of typename.flx: how the game names a type of object (reference section 10.2).
type TypeName struct {
	Text  int32   // readable text: 0, −1, or a slot of the books
	Icon  uint16  // slot of the bitmap archives
	Name  *string // nil for a record without name
	After []byte  // what follows the name: its zero byte. A name without one has none.
}

// NewTypeName returns a record with the given name; an empty string means no name.
func NewTypeName(text int32, icon uint16, name string) *TypeName {
	t := &TypeName{Text: text, Icon: icon}
	if name != "" {
		t.Name, t.After = &name, []byte{0}
	}
	return t
}
