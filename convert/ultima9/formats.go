package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema/asset"
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

// Texture holds the typed functions for one format: texture set.
var Texture = texture.Set

var textureFormat = format.Of(format.Format{
	Name: texture.Name, Family: family, Title: "Ultima IX texture set", Kind: format.Texture, Extensions: []string{".tex"},
	Probe: probeTexture,
}, Texture)

// Sappear holds the typed functions for one format: model.
var Sappear = model.Sappear

var sappearFormat = format.Of(format.Format{
	Name: model.SappearName, Family: family, Title: "Ultima IX model", Kind: format.Model, Extensions: []string{".mesh"},
	Probe: probeSappear, Variant: indexedVariant, Empties: model.IsLimb,
}, Sappear)

// Anim holds the typed functions for one format: animation.
var Anim = model.Anim

var animFormat = format.Of(format.Format{
	Name: model.AnimName, Family: family, Title: "Ultima IX animation", Kind: format.Animation, Extensions: []string{".anim"},
	Probe: probeAnim, Empties: model.IsLimb,
}, Anim)

// SDInfo holds the typed functions for one format: texture description.
var SDInfo = recordTable("u9-sdinfo", read.SDInfo, write.SDInfo, sdInfoFacts)

var sdInfoFormat = format.Of(tableFormat("u9-sdinfo", "Ultima IX texture description", probeSDInfo, ".sdinfo"), SDInfo)

// Palette holds the typed functions for one format: palette.
var Palette = texture.Palette

var paletteFormat = format.Of(format.Format{
	Name: texture.PaletteName, Family: family, Title: "Ultima IX palette", Kind: format.Texture, Extensions: []string{".pal"},
	Probe: probePalette,
}, Palette)

// Types holds the typed functions for one format: object types.
var Types = format.Functions[ultima9.Types, *asset.Table]{
	Read:  read.Types,
	Write: write.Types,
	Facts: typesFacts,
	Lift:  liftTypes,
	Lower: lowerTypes,
}

var typesFormat = format.Of(tableFormat(typesName, "Ultima IX object types", probeTypes, ".dat", ".types"), Types)

// TypeName holds the typed functions for one format: type name.
var TypeName = format.Functions[ultima9.TypeName, *asset.Table]{
	Read:  read.TypeName,
	Write: write.TypeName,
	Facts: typeNameFacts,
	Lift:  liftTypeName,
	Lower: lowerTypeName,
}

var typeNameFormat = format.Of(tableFormat(typeNameName, "Ultima IX type name", probeTypeName, ".typename"), TypeName)

// Registry holds the typed functions for one format: limb names.
var Registry = format.Functions[ultima9.Registry, *asset.Table]{
	Read:  read.Registry,
	Write: write.Registry,
	Facts: registryFacts,
	Lift:  liftRegistry,
	Lower: lowerRegistry,
}

var registryFormat = format.Of(tableFormat(registryName, "Ultima IX limb names", probeRegistry, ".txt"), Registry)

// Indexed holds the typed functions for one format: model of the older layout.
var Indexed = model.Indexed

var indexedFormat = format.Of(format.Format{
	Name: model.IndexedName, Family: family, Title: "Ultima IX model of the older layout; edited, it becomes one of the newer", Kind: format.Model, Extensions: []string{".mesh"},
	Probe: probeIndexed,
}, Indexed)

// indexedVariant returns the format of the records of the older layout that archives of models hold here and there.
func indexedVariant(payload []byte) *format.Format {
	if read.IsIndexed(payload) {
		return &indexedFormat
	}
	return nil
}
