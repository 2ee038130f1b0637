package freelancer

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/check"
)

// Install is an installation of the game, or a mod for one.
var Install = format.Install{Family: family, Title: "Freelancer", Folders: []string{"DATA", "EXE"}, Check: check.Game, Kinds: check.Kinds}
