package freelancer

import (
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// properties are the custom properties that mean something to a model, beside those of what is stored.
var properties = []string{
	"construct", "min", "max", "offset", "axis_rotation", "axis_translation", // of joints
	"hardpoint", "hptype", "axis", hull.Property, hull.Owner, "export_ignore", exportAs,
	"glTF2ExportSettings", // how Blender was asked to export: no edit
}

// rooms tells what of a scene each format can hold. Of looks and of motions the steps that store them tell more than the audit
// could.
var rooms = map[string]scene.Capabilities{
	"3db": {Target: "a .3db file", Lines: scene.AllLines, Colors: true, Hulls: true},
	"cmp": {Target: "a .cmp file", Lines: scene.AllLines, Colors: true, Hulls: true, Cameras: true},
	"dfm": {Target: "a .dfm file", Colors: true, Cameras: true},
	"sph": {Target: "a planet's file", Colors: true, Lines: scene.AllLines, Hulls: true},
	"vms": {Target: "a .vms file", Colors: true, Lines: scene.AllLines, Hulls: true, Cameras: true},
}

// tellLost tells what of a scene a format has no room for.
func tellLost(name string, s *asset.Scene, d *schema.Diagnostics) error {
	room, ok := rooms[name]
	if !ok {
		return nil
	}
	room.Format, room.Empty, room.Properties = name, true, properties
	room.TexCoords, room.Skins, room.Levels, room.Coverage = 8, true, maxLevel, true
	room.Animations, room.Paths = true, [4]bool{true, true, true, false}
	room.Looks = ^scene.LookUnlit
	room.Points = s.Native != nil && s.Native.Format == name // its own
	if room.Points {
		room.Lines = scene.AllLines
	}
	return scene.Lost(s, &room, d)
}
