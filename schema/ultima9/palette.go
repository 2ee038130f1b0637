package ultima9

// PaletteSize is the size of the colours in ankh.pal (reference section 3).
const PaletteSize = 256 * 4

// KeyIndex is the palette index that is transparent in 8-bit frames with colour keying.
const KeyIndex = 254

// FirstFree and LastFree bound the indices that the game's own tools chose colours from.
const (
	FirstFree = 10
	LastFree  = 245
)

// Palette is ankh.pal: 256 entries of red, green, blue and a fourth byte that is 0 and not alpha.
type Palette struct {
	Colors   [256][4]uint8
	Trailing []byte // bytes after the colours; the game ignores them
}
