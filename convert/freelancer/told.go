package freelancer

import (
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/rig"
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

// rooms says what each format can hold of a scene. The colours of hulls only distinguish them; the steps that read hulls
// report edits.
var rooms = map[string]scene.Capabilities{
	"3db":         room("a .3db file", scene.Capabilities{Lines: scene.AllLines, Colors: true, TexCoords: 8, Hulls: true}),
	"cmp":         room("a .cmp file", scene.Capabilities{Lines: scene.AllLines, Colors: true, TexCoords: 8, Hulls: true, Cameras: true}),
	"dfm":         room("a .dfm file", scene.Capabilities{TexCoords: 2, Skins: true, Cameras: true}),
	"vms":         {Target: "a .vms file", Lines: scene.AllLines, Colors: true, TexCoords: 8, Hulls: true, Levels: maxLevel, Looks: library.Looks},
	"sph":         {Target: "a planet's file", Hulls: true, Looks: library.Looks},
	"sur":         {Target: "a .sur file", Hulls: true, Looks: ^scene.Looks(0)},
	animationName: {Target: "an animation file", Bare: true, Animations: true, Paths: moves},
}

// moves are the channels of animations that the game knows.
var moves = [4]bool{asset.Translation: true, asset.Rotation: true}

// room returns what a model of parts or bones holds, beside what is its own.
func room(target string, c scene.Capabilities) scene.Capabilities {
	c.Target, c.Looks = target, library.Looks
	c.Levels, c.Coverage, c.Animations, c.Paths = maxLevel, true, true, moves
	return c
}

// shows reports whether a scene has anything that a model is made of: shapes, hardpoints or cameras.
func shows(s *asset.Scene) (yes bool) {
	s.Walk(func(n, _ *asset.Node) { yes = yes || n.Mesh != nil || n.Camera != nil || rig.IsHardpoint(n) })
	return yes
}

// tellLost reports what a format cannot hold of a scene.
func tellLost(name string, s *asset.Scene, d *schema.Diagnostics) error {
	room := rooms[name]
	room.Format, room.Empty, room.Properties = name, shows(s), properties
	room.Points = room.Lines != scene.NoLines && s.Native != nil && s.Native.Format == name // the meshes tell of those themselves
	return scene.Lost(s, &room, d)
}
