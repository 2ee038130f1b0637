package unreal

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/check"
)

// Install is an installation of a game with the engine, or a mod for one.
var Install = format.Install{Family: family, Title: "Unreal", Folders: []string{"System", "Maps", "Textures", "Sounds", "Music"}, Check: check.Game, Kinds: check.Kinds}
