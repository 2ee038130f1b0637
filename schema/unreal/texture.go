package unreal

// Palette is a list of colours, 256 in all known files. Alpha is garbage before version 68 and 255 after it.
type Palette struct {
	Object
	Colors [][4]uint8 // red, green, blue, alpha
}

// Texture is a picture of palette indices with mips (reference section 9). Procedural kinds have mips without pixels:
// the game makes the picture.
type Texture struct {
	Object
	Mips       []Mip
	Compressed []Mip   // in CompFormat; stored where bHasComp is set
	HasComp    bool    // the compressed list is stored, be it empty
	Sparks     []Spark // of FireTexture
}

// Mip is one size of a picture, rows from the top.
type Mip struct {
	Pixels       []byte
	USize, VSize uint32
	UBits, VBits uint8 // log2 of the sizes
}

// Spark is an emitter of a FireTexture: type ([SparkType]), heat, x, y and four parameters that depend on the type.
type Spark [8]uint8

// Compression is the value of CompFormat, with the numbers of the 227 and 469 patches.
type Compression uint8

// The compressed formats that usher decodes.
const (
	BC1 Compression = 3
	BC2 Compression = 6
	BC3 Compression = 7
)

// BlockSize returns the size in bytes of a 4 × 4 block, or 0 if the format has no blocks or is unknown.
func (c Compression) BlockSize() int {
	switch c {
	case BC1:
		return 8
	case BC2, BC3:
		return 16
	}
	return 0
}
