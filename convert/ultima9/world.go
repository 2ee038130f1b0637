package ultima9

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/world"
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

// NPCs holds the typed functions for one format: characters.
var NPCs = recordTable("u9-npc", read.NPCs, write.NPCs, func(x *ultima9.NPCs) []format.Fact {
	return []format.Fact{{Name: "characters", Value: used(x.Records)}, {Name: "records", Value: len(x.Records)}}
}, level{list: "Records", key: "npc"})

var npcFormat = format.Of(tableFormat("u9-npc", "Ultima IX characters", probeNPCs, ".npc"), NPCs)

// used counts the records that hold a character.
func used(records []ultima9.NPC) (n int) {
	for i := range records {
		if records[i].Handle != 0 {
			n++
		}
	}
	return n
}

// ActivityList holds the typed functions for one format: activities of a character.
var ActivityList = recordTable("u9-activity", read.ActivityList, write.ActivityList, func(x *ultima9.ActivityList) []format.Fact {
	names := make([]string, len(x.Activities))
	for i := range names {
		names[i] = x.Activities[i].Name.Text
	}
	return []format.Fact{{Name: "activities", Value: names}}
}, activityLevels...)

var activityFormat = format.Of(tableFormat("u9-activity", "Ultima IX activities of a character", probeActivity, ".activity"), ActivityList)

// Trigger holds the typed functions for one format: trigger.
var Trigger = recordTable("u9-trigger", read.Trigger, write.Trigger, func(x *ultima9.Trigger) []format.Fact {
	return []format.Fact{{Name: "steps", Value: len(x.Steps)}, {Name: "stale steps", Value: len(x.Stale)}}
}, level{list: "Steps", key: "Step", first: 1})

var triggerFormat = format.Of(tableFormat("u9-trigger", "Ultima IX trigger", probeTrigger, ".trigger"), Trigger)

// Highway holds the typed functions for one format: roads. The points are the rows of the table; the routes stay as they are
// stored.
var Highway = recordTable("u9-highway", read.Highway, write.Highway, func(x *ultima9.Highway) []format.Fact {
	return []format.Fact{{Name: "points", Value: len(x.Points)}, {Name: "routes", Value: len(x.Routes)}}
}, level{list: "Points", key: "ID"})

var highwayFormat = format.Of(tableFormat("u9-highway", "Ultima IX roads", named(probeHighway, "highway"), ".dat", ".highway"), Highway)

// Area holds the typed functions for one format: area.
var Area = areaTable()

func areaTable() format.Functions[ultima9.Area, *asset.Table] {
	f := recordTable(areaName, read.Area, write.Area, func(x *ultima9.Area) []format.Fact {
		return []format.Fact{{Name: "kind", Value: int(x.Kind)}, {Name: "map", Value: int(x.Map)}, {Name: "boxes", Value: len(x.Boxes)}, {Name: "encounter", Value: x.Encounter != nil}}
	}, areaLevels...)
	f.Lower = lowerArea(f.Lower)
	return f
}

var areaFormat = format.Of(tableFormat(areaName, "Ultima IX area", probeArea, ".area"), Area)

// Space holds the typed functions for one format: space.
var Space = recordTable("u9-space", read.Space, write.Space, func(x *ultima9.Space) []format.Fact {
	portals := 0
	for i := range x.Planes {
		portals += len(x.Planes[i].Portals)
	}
	return []format.Fact{{Name: "name", Value: x.Name.Text}, {Name: "map", Value: int(x.Map)}, {Name: "planes", Value: len(x.Planes)}, {Name: "portals", Value: portals}}
}, spaceLevels...)

var spaceFormat = format.Of(tableFormat("u9-space", "Ultima IX space", probeSpace, ".space"), Space)

// TreeData holds the typed functions for one format: tree of spaces.
var TreeData = listTable("u9-treedat", "Node", read.TreeData, write.TreeData, treeRows, putTreeRows, func(x *ultima9.TreeData) []format.Fact {
	return []format.Fact{{Name: "volumes", Value: len(x.Volumes)}, {Name: "nodes", Value: len(x.Nodes)}}
})

var treeDataFormat = format.Of(tableFormat("u9-treedat", "Ultima IX tree of spaces", probeTreeData, ".treedat"), TreeData)

// Dimensions holds the typed functions for one format: sizes of models.
var Dimensions = recordTable("u9-dimension", read.Dimensions, write.Dimensions, func(x *ultima9.Dimensions) []format.Fact {
	known := 0
	for _, s := range x.Spheres {
		if s.Radius >= 0 {
			known++
		}
	}
	return []format.Fact{{Name: "models", Value: known}}
}, level{list: "Spheres", key: "Model"})

var dimensionFormat = format.Of(tableFormat("u9-dimension", "Ultima IX sizes of models", named(sized(ultima9.DimensionSize, ultima9.DimensionSize), "dimension"), ".dat", ".dimension"), Dimensions)

const (
	shadeSize = 32 * 256
	greySize  = 4*16 + 256
)

// ShadeTable holds the typed functions for one format: shade table.
var ShadeTable = format.Functions[ultima9.ShadeTable, asset.Asset]{
	Read:  read.ShadeTable,
	Write: write.ShadeTable,
	Facts: func(x *ultima9.ShadeTable) []format.Fact {
		return []format.Fact{{Name: "shades", Value: len(x.Shades)}, {Name: "palette", Value: len(x.Palette) > 0}}
	},
}

var shadeFormat = format.Of(tableFormat("u9-shade", "Ultima IX shade table", named(sized(shadeSize, shadeSize+ultima9.PaletteSize), "shade"), ".tbl"), ShadeTable)

// GreyTable holds the typed functions for one format: grey table.
var GreyTable = format.Functions[ultima9.GreyTable, asset.Asset]{
	Read:  read.GreyTable,
	Write: write.GreyTable,
	Facts: func(x *ultima9.GreyTable) []format.Fact { return []format.Fact{{Name: "ramps", Value: len(x.Ramps)}} },
}

var greyFormat = format.Of(tableFormat("u9-shadegry", "Ultima IX grey table", named(sized(greySize, greySize), "shadegry"), ".tbl"), GreyTable)

// ColourCube holds the typed functions for one format: colour cube.
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

// Terrain holds the typed functions for one format: terrain.
var Terrain = world.Terrain

var terrainFormat = format.Of(format.Format{
	Name: world.TerrainName, Family: family, Title: "Ultima IX terrain", Kind: format.Model, Extensions: []string{".terrain", ".*"},
	Probe: probeTerrain, Piecewise: true, Place: true, Views: []*format.Format{&heightsFormat},
}, Terrain)

// Heights holds the typed functions for one format: terrain as a height map.
var Heights = world.Heights

// heightsFormat is the terrain as a picture of its heights, 0 to 4095 in 16-bit grey, the southern row first as it is
// stored. It is never guessed: it is a view of the terrain, or whoever wants it names it.
var heightsFormat = format.Of(format.Format{
	Name: world.HeightsName, Family: family, Title: "Ultima IX terrain as a height map", Kind: format.Texture, Extensions: []string{".heights", ".*"},
	Probe: format.Never,
}, Heights)
