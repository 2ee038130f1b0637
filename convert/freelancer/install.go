package freelancer

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/check"
)

// playedFrom are the folders of an installation.
var playedFrom = []string{"DATA", "EXE"}

// Install is an installation of the game, or a mod for one.
var Install = format.Install{
	Family: family, Title: "Freelancer", Folders: playedFrom, Check: check.Game, Kinds: check.Kinds, About: aboutFile,
}
