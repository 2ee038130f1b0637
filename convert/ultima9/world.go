package ultima9

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// worldFormats lists the formats of maps and of the world's logic.
var worldFormats = []format.Format{
	terrainFormat, heightsFormat, fixedFormat, nonfixedFormat, npcFormat, activityFormat, triggerFormat, highwayFormat, areaFormat,
	spaceFormat, treeDataFormat, dimensionFormat, shadeFormat, greyFormat, colourCubeFormat,
}

// NPCs has the functions of one format, typed: characters.
var NPCs = format.Functions[ultima9.NPCs, *asset.Table]{
	Read:  read.NPCs,
	Write: write.NPCs,
	Facts: func(x *ultima9.NPCs) []format.Fact {
		return []format.Fact{{Name: "characters", Value: used(x.Records)}, {Name: "records", Value: len(x.Records)}}
	},
	Lift:  rowLifter("u9-npc", write.NPCs, npcRows),
	Lower: rowLowerer("u9-npc", read.NPCs, npcRows),
}

var npcFormat = format.Of(format.Format{
	Name: "u9-npc", Family: family, Title: "Ultima IX characters", Kind: format.Table, Extensions: []string{".npc"},
	Probe: probeNPCs,
}, NPCs)

// used counts the records that hold a character.
func used(records []ultima9.NPC) (n int) {
	for i := range records {
		if records[i].Handle != 0 {
			n++
		}
	}
	return n
}

func npcRows(x *ultima9.NPCs) *[]ultima9.NPC { return &x.Records }

// ActivityList has the functions of one format, typed: activities of a character.
var ActivityList = format.Functions[ultima9.ActivityList, *asset.Table]{
	Read:  read.ActivityList,
	Write: write.ActivityList,
	Facts: func(x *ultima9.ActivityList) []format.Fact {
		names := make([]string, len(x.Activities))
		for i := range names {
			names[i] = x.Activities[i].Name.Text
		}
		return []format.Fact{{Name: "activities", Value: names}}
	},
	Lift:  flatLifter("u9-activity", write.ActivityList, activityRows),
	Lower: flatLowerer("u9-activity", read.ActivityList, activityRows, putActivityRows),
}

var activityFormat = format.Of(format.Format{
	Name: "u9-activity", Family: family, Title: "Ultima IX activities of a character", Kind: format.Table, Extensions: []string{".activity"},
	Probe: probeActivity,
}, ActivityList)

// Trigger has the functions of one format, typed: trigger.
var Trigger = format.Functions[ultima9.Trigger, *asset.Table]{
	Read:  read.Trigger,
	Write: write.Trigger,
	Facts: func(x *ultima9.Trigger) []format.Fact {
		return []format.Fact{{Name: "steps", Value: len(x.Steps)}, {Name: "stale steps", Value: len(x.Stale)}}
	},
	Lift:  rowLifter("u9-trigger", write.Trigger, triggerRows),
	Lower: rowLowerer("u9-trigger", read.Trigger, triggerRows),
}

var triggerFormat = format.Of(format.Format{
	Name: "u9-trigger", Family: family, Title: "Ultima IX trigger", Kind: format.Table, Extensions: []string{".trigger"},
	Probe: probeTrigger,
}, Trigger)

func triggerRows(x *ultima9.Trigger) *[]ultima9.TriggerStep { return &x.Steps }

// Highway has the functions of one format, typed: roads.
var Highway = format.Functions[ultima9.Highway, *asset.Table]{
	Read:  read.Highway,
	Write: write.Highway,
	Facts: func(x *ultima9.Highway) []format.Fact {
		return []format.Fact{{Name: "points", Value: len(x.Points)}, {Name: "routes", Value: len(x.Routes)}}
	},
	Lift:  rowLifter("u9-highway", write.Highway, highwayPoints),
	Lower: rowLowerer("u9-highway", read.Highway, highwayPoints),
}

var highwayFormat = format.Of(format.Format{
	Name: "u9-highway", Family: family, Title: "Ultima IX roads", Kind: format.Table, Extensions: []string{".dat", ".highway"},
	Probe: named(probeHighway, "highway"),
}, Highway)

// highwayPoints are the rows of the table; the routes stay as they are stored.
func highwayPoints(x *ultima9.Highway) *[]ultima9.HighwayPoint { return &x.Points }

// Area has the functions of one format, typed: area.
var Area = format.Functions[ultima9.Area, *asset.Table]{
	Read:  read.Area,
	Write: write.Area,
	Facts: func(x *ultima9.Area) []format.Fact {
		return []format.Fact{{Name: "kind", Value: int(x.Kind)}, {Name: "map", Value: int(x.Map)}, {Name: "boxes", Value: len(x.Boxes)}, {Name: "encounter", Value: x.Encounter != nil}}
	},
	Lift:  flatLifter("u9-area", write.Area, areaRows),
	Lower: flatLowerer("u9-area", read.Area, areaRows, putAreaRows),
}

var areaFormat = format.Of(format.Format{
	Name: "u9-area", Family: family, Title: "Ultima IX area", Kind: format.Table, Extensions: []string{".area"},
	Probe: probeArea,
}, Area)

// Space has the functions of one format, typed: space.
var Space = format.Functions[ultima9.Space, *asset.Table]{
	Read:  read.Space,
	Write: write.Space,
	Facts: func(x *ultima9.Space) []format.Fact {
		portals := 0
		for i := range x.Planes {
			portals += len(x.Planes[i].Portals)
		}
		return []format.Fact{{Name: "name", Value: x.Name.Text}, {Name: "map", Value: int(x.Map)}, {Name: "planes", Value: len(x.Planes)}, {Name: "portals", Value: portals}}
	},
	Lift:  flatLifter("u9-space", write.Space, spaceRows),
	Lower: flatLowerer("u9-space", read.Space, spaceRows, putSpaceRows),
}

var spaceFormat = format.Of(format.Format{
	Name: "u9-space", Family: family, Title: "Ultima IX space", Kind: format.Table, Extensions: []string{".space"},
	Probe: probeSpace,
}, Space)

// TreeData has the functions of one format, typed: tree of spaces.
var TreeData = format.Functions[ultima9.TreeData, *asset.Table]{
	Read:  read.TreeData,
	Write: write.TreeData,
	Facts: func(x *ultima9.TreeData) []format.Fact {
		return []format.Fact{{Name: "volumes", Value: len(x.Volumes)}, {Name: "nodes", Value: len(x.Nodes)}}
	},
	Lift:  flatLifter("u9-treedat", write.TreeData, treeRows),
	Lower: flatLowerer("u9-treedat", read.TreeData, treeRows, putTreeRows),
}

var treeDataFormat = format.Of(format.Format{
	Name: "u9-treedat", Family: family, Title: "Ultima IX tree of spaces", Kind: format.Table, Extensions: []string{".treedat"},
	Probe: probeTreeData,
}, TreeData)

// Dimensions has the functions of one format, typed: sizes of models.
var Dimensions = format.Functions[ultima9.Dimensions, *asset.Table]{
	Read:  read.Dimensions,
	Write: write.Dimensions,
	Facts: func(x *ultima9.Dimensions) []format.Fact {
		known := 0
		for _, s := range x.Spheres {
			if s.Radius >= 0 {
				known++
			}
		}
		return []format.Fact{{Name: "models", Value: known}}
	},
	Lift:  rowLifter("u9-dimension", write.Dimensions, dimensionRows),
	Lower: rowLowerer("u9-dimension", read.Dimensions, dimensionRows),
}

var dimensionFormat = format.Of(format.Format{
	Name: "u9-dimension", Family: family, Title: "Ultima IX sizes of models", Kind: format.Table, Extensions: []string{".dat", ".dimension"},
	Probe: named(sized(ultima9.DimensionSize, ultima9.DimensionSize), "dimension"),
}, Dimensions)

func dimensionRows(x *ultima9.Dimensions) *[]ultima9.DimensionSphere { return &x.Spheres }

const (
	shadeSize = 32 * 256
	greySize  = 4*16 + 256
)

// ShadeTable has the functions of one format, typed: shade table.
var ShadeTable = format.Functions[ultima9.ShadeTable, asset.Asset]{
	Read:  read.ShadeTable,
	Write: write.ShadeTable,
	Facts: func(x *ultima9.ShadeTable) []format.Fact {
		return []format.Fact{{Name: "shades", Value: len(x.Shades)}, {Name: "palette", Value: len(x.Palette) > 0}}
	},
}

var shadeFormat = format.Of(format.Format{
	Name: "u9-shade", Family: family, Title: "Ultima IX shade table", Kind: format.Table, Extensions: []string{".tbl"},
	Probe: named(sized(shadeSize, shadeSize+ultima9.PaletteSize), "shade"),
}, ShadeTable)

// GreyTable has the functions of one format, typed: grey table.
var GreyTable = format.Functions[ultima9.GreyTable, asset.Asset]{
	Read:  read.GreyTable,
	Write: write.GreyTable,
	Facts: func(x *ultima9.GreyTable) []format.Fact { return []format.Fact{{Name: "ramps", Value: len(x.Ramps)}} },
}

var greyFormat = format.Of(format.Format{
	Name: "u9-shadegry", Family: family, Title: "Ultima IX grey table", Kind: format.Table, Extensions: []string{".tbl"},
	Probe: named(sized(greySize, greySize), "shadegry"),
}, GreyTable)

// ColourCube has the functions of one format, typed: colour cube.
var ColourCube = format.Functions[ultima9.ColourCube, asset.Asset]{
	Read:  read.ColourCube,
	Write: write.ColourCube,
	Facts: func(x *ultima9.ColourCube) []format.Fact {
		return []format.Fact{{Name: "leaf", Value: len(x.Root.Indices) > 0}}
	},
}

var colourCubeFormat = format.Of(format.Format{
	Name: "u9-colourcube", Family: family, Title: "Ultima IX colour cube", Kind: format.Table, Extensions: []string{".dat"},
	Probe: named(func(in *format.Input) format.Confidence {
		b := in.Head
		if len(b) < ultima9.PaletteSize+36 {
			return format.No
		}
		for i := 3; i < ultima9.PaletteSize; i += 4 {
			if b[i] != 0 {
				return format.No
			}
		}
		if le.Uint32(b[ultima9.PaletteSize:]) != 0 {
			return format.No
		}
		return format.Plausible
	}, "rgbccube", "yiqccube"),
}, ColourCube)

// worldRecords lists the formats of this file's neighbours that records of archives have, and worldRecordNames the
// beginnings of the archives' names.
var (
	worldRecords = []*format.Format{
		&soundFormat, &soundLinkFormat, &soundCategoryFormat, &soundEnvironmentFormat, &soundTemplateFormat, &bookFormat, &textRecordFormat,
		&npcFormat, &activityFormat, &triggerFormat, &areaFormat, &spaceFormat, &treeDataFormat,
	}
	worldRecordNames = []recordName{
		{"music", &soundFormat}, {"sfxassoc", &soundLinkFormat}, {"sfxcat", &soundCategoryFormat}, {"sfxenv", &soundEnvironmentFormat},
		{"sfxtmpl", &soundTemplateFormat}, {"sfx", &soundFormat}, {"speech", &soundFormat},
		{"book", &bookFormat}, {"text.", &textRecordFormat}, {"misctext", &textRecordFormat}, {"mbrk", &textRecordFormat},
		{"tbrk", &textRecordFormat}, {"tnbrk", &textRecordFormat},
		{"npc", &npcFormat}, {"activity", &activityFormat}, {"triggers", &triggerFormat}, {"areas", &areaFormat}, {"spaces", &spaceFormat},
		{"treedat", &treeDataFormat},
	}
)
