package freelancer

import (
	"slices"
	"strings"
)

// materialClasses are those that the game's engine has code for, as far as that is known (reference section 19.9). It has none for
// DcDtEtTwo, and DcDtBt and its kin are names for people: names of materials decide what becomes of them.
var materialClasses = []string{
	"DcDt", "DcDtTwo", "DcDtEc", "DcDtEcTwo", "DcDtEt", "DcDtOcOt", "DcDtOcOtTwo", "DcDtEcOcOt", "DcDtEcOcOtTwo", "EcEt",
	"EcEtTwo", "Nebula", "NebulaTwo", "AtmosphereMaterial", "DetailMapMaterial", "IllumDetailMapMaterial",
	"Masked2DetailMapMaterial", "DetailMap2Dm1Msk2PassMaterial", "BtDetailMapMaterial", "BtDetailMapTwoMaterial",
	"NomadMaterial", "NomadMaterialNoBendy", "GlassMaterial", "HighGlassMaterial", "GFGlassMaterial", "HUDIconMaterial",
	"HUDAnimMaterial", "PlanetWaterMaterial", "ExclusionZoneMaterial", "NullMaterial",
}

// IsMaterialClass reports whether the game's engine has code for a class of materials.
func IsMaterialClass(name string) bool {
	return slices.ContainsFunc(materialClasses, func(class string) bool { return strings.EqualFold(class, name) })
}
