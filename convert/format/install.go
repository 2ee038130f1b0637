package format

// Install is a whole installed game: the files of one know what those of another are for.
type Install struct {
	Family string
	Title  string
	// Describe tells what is in the folder that env looks into: first the whole, then each thing with what belongs to
	// it. There is nothing when the folder holds no such game.
	Describe func(env *Env) []Part
}

// Part is a thing of an installation and what belongs to it.
type Part struct {
	Name  string // "model 3"; empty for the whole
	Facts []Fact
}
