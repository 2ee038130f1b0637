package ultima9

// The leftovers of the authoring tools (reference section 11.9). The game does not load them.

// ShadeTable is shade.tbl: for each of 32 brightnesses, the palette index that each index becomes. Some copies begin
// with the palette.
type ShadeTable struct {
	Palette  []byte `json:",omitempty"` // 1024 bytes as in ankh.pal, or none
	Shades   [32][256]uint8
	Trailing []byte `json:",omitempty"`
}

// GreyTable is shadegry.tbl.
type GreyTable struct {
	Ramps    [4][16]uint8 // palette indices
	Map      [256]uint8   // palette index to grey
	Trailing []byte       `json:",omitempty"`
}

// ColourCube is rgbccube.dat or yiqccube.dat: an octree over colour space that leads to palette indices.
type ColourCube struct {
	Palette  []byte // 1024 bytes as in ankh.pal
	Root     ColourNode
	Trailing []byte `json:",omitempty"`
}

// ColourNode is a cube of colours: a leaf with indices, or eight children. Bit 0 of a child's number is the upper half
// of red, bit 1 of green, bit 2 of blue.
type ColourNode struct {
	Indices  []uint8      `json:",omitempty"`
	Children []ColourNode `json:",omitempty"` // 8 or none
}

// ColourDepth is the largest depth of the octree.
const ColourDepth = 8
