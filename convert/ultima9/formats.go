package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

const family = "ultima9"

// Formats lists the formats of Ultima IX.
var Formats = slices.Concat([]format.Format{
	flxFormat, sappearFormat, indexedFormat, animFormat, textureFormat, sdInfoFormat, paletteFormat, typesFormat, typeNameFormat, registryFormat,
}, soundFormats, textFormats, worldFormats, saveFormats)

// records lists the formats that the records of archives can have, and recordNames the beginnings of the names that
// archives of them have in the game.
var (
	records     = append([]*format.Format{&textureFormat, &sappearFormat, &animFormat, &sdInfoFormat, &typeNameFormat}, worldRecords...)
	recordNames = append([]recordName{
		{"bitmap", &textureFormat},
		{"texture", &textureFormat},
		{"sappear", &sappearFormat},
		{"anim", &animFormat},
		{"sdinfo", &sdInfoFormat},
		{"typename", &typeNameFormat},
	}, worldRecordNames...)
)

// recordName is the beginning of an archive's name and what its records are.
type recordName struct {
	prefix string
	format *format.Format
}

var flxFormat = format.Format{
	Name: "flx", Family: family, Title: "Ultima IX archive", Kind: format.Archive, Extensions: []string{".flx", ".*"},
	Probe: probeFLX, Open: openFLX, Create: createFLX,
}

var textureFormat = format.Format{
	Name: textureName, Family: family, Title: "Ultima IX texture set", Kind: format.Texture, Extensions: []string{".tex"},
	Probe: probeTexture, Read: format.Reader(read.Texture), Write: format.Writer(write.Texture), New: format.Maker[ultima9.TextureSet](),
	Facts: format.Describer(textureFacts), Lift: format.Lifter(liftTexture), Lower: format.Lowerer(textureName, lowerTexture),
}

var sappearFormat = format.Format{
	Name: sappearName, Family: family, Title: "Ultima IX model", Kind: format.Model, Extensions: []string{".mesh"},
	Probe: probeSappear, Read: format.Reader(read.Sappear), Write: format.Writer(write.Sappear), New: format.Maker[ultima9.Mesh](),
	Facts: format.Describer(sappearFacts), Lift: format.Lifter(liftSappear), Lower: format.Lowerer(sappearName, lowerSappear),
	Variant: indexedVariant,
}

var animFormat = format.Format{
	Name: animName, Family: family, Title: "Ultima IX animation", Kind: format.Animation, Extensions: []string{".anim"},
	Probe: probeAnim, Read: format.Reader(read.Anim), Write: format.Writer(write.Anim), New: format.Maker[ultima9.Anim](),
	Facts: format.Describer(animFacts), Lift: format.Lifter(liftAnim), Lower: format.Lowerer(animName, lowerAnim),
}

var sdInfoFormat = format.Format{
	Name: "u9-sdinfo", Family: family, Title: "Ultima IX texture description", Kind: format.Table, Extensions: []string{".sdinfo"},
	Probe: probeSDInfo, Read: format.Reader(read.SDInfo), Write: format.Writer(write.SDInfo), New: format.Maker[ultima9.SDInfo](),
	Facts: format.Describer(sdInfoFacts),
	Lift:  rowLifter("u9-sdinfo", write.SDInfo, one[ultima9.SDInfo]),
	Lower: rowLowerer("u9-sdinfo", read.SDInfo, one[ultima9.SDInfo]),
}

var paletteFormat = format.Format{
	Name: paletteName, Family: family, Title: "Ultima IX palette", Kind: format.Texture, Extensions: []string{".pal"},
	Probe: probePalette, Read: format.Reader(read.Palette), Write: format.Writer(write.Palette), New: format.Maker[ultima9.Palette](),
	Facts: format.Describer(paletteFacts), Lift: format.Lifter(liftPalette), Lower: format.Lowerer(paletteName, lowerPalette),
}

var typesFormat = format.Format{
	Name: typesName, Family: family, Title: "Ultima IX object types", Kind: format.Table, Extensions: []string{".dat", ".types"},
	Probe: probeTypes, Read: format.Reader(read.Types), Write: format.Writer(write.Types), New: format.Maker[ultima9.Types](),
	Facts: format.Describer(typesFacts), Lift: format.Lifter(liftTypes), Lower: format.Lowerer(typesName, lowerTypes),
}

var typeNameFormat = format.Format{
	Name: typeNameName, Family: family, Title: "Ultima IX type name", Kind: format.Table, Extensions: []string{".typename"},
	Probe: probeTypeName, Read: format.Reader(read.TypeName), Write: format.Writer(write.TypeName), New: format.Maker[ultima9.TypeName](),
	Facts: format.Describer(typeNameFacts), Lift: format.Lifter(liftTypeName), Lower: format.Lowerer(typeNameName, lowerTypeName),
}

var registryFormat = format.Format{
	Name: registryName, Family: family, Title: "Ultima IX limb names", Kind: format.Table, Extensions: []string{".txt"},
	Probe: probeRegistry, Read: format.Reader(read.Registry), Write: format.Writer(write.Registry), New: format.Maker[ultima9.Registry](),
	Facts: format.Describer(registryFacts), Lift: format.Lifter(liftRegistry), Lower: format.Lowerer(registryName, lowerRegistry),
}
