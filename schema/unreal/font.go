package unreal

// Font is a set of characters on textures (reference section 10). Before version 64 it is itself its only texture.
type Font struct {
	Object
	Mips             []Mip  // before CountedVersion
	Compressed       []Mip  // before CountedVersion, where bHasComp is set
	HasComp          bool   // before CountedVersion
	Characters       []Char // before CountedVersion
	Pages            []FontPage
	CharactersOnPage int32
	Remap            *FontRemap // from RemapVersion on; nil where a package lacks it
}

// FontPage is a texture with characters on it; character code c is entry c mod CharactersOnPage of page
// c / CharactersOnPage.
type FontPage struct {
	Texture    Ref
	Characters []Char
}

// Char is the rectangle of a character, in texels.
type Char struct{ StartU, StartV, USize, VSize int32 }

// FontRemap maps character codes to others.
type FontRemap struct {
	Pairs    [][2]uint16
	Remapped int32
}
