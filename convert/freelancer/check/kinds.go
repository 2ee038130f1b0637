package check

import "github.com/usher-assets/usher/convert/format"

// Kinds are the kinds of findings.
var Kinds format.FindingKinds

var (
	modelMissing     = Kinds.Add("model-missing", "a model that an INI file names is not there")
	libraryMissing   = Kinds.Add("library-missing", "a library of materials, textures or meshes that an INI file names is not there")
	effectMissing    = Kinds.Add("effect-missing", "an effect that an INI file names is not there")
	animationMissing = Kinds.Add("animation-missing", "a file of animations that an INI file names is not there")
	soundMissing     = Kinds.Add("sound-missing", "a sound or a voice bank that an INI file names is not there")
	scriptMissing    = Kinds.Add("script-missing", "a script that an INI file names is not there")
	iniMissing       = Kinds.Add("ini-missing", "an INI file that another one names is not there")
	recordMissing    = Kinds.Add("record-missing", "no record has the nickname that another one wants")
	meshMissing      = Kinds.Add("mesh-missing", "a model draws a mesh that no library has")
	materialMissing  = Kinds.Add("material-missing", "a model wears a material that no library has")
	textureMissing   = Kinds.Add("texture-missing", "a material shows a texture that no library has")
	hardpointMissing = Kinds.Add("hardpoint-missing", "a record wants a hardpoint that the model lacks")
	partMissing      = Kinds.Add("part-missing", "a record wants a part that the model lacks")
	nicknameTwice    = Kinds.Add("nickname-twice", "two records have one nickname, and the game takes one of them")
	unreadable       = Kinds.Add("unreadable", "a file that the game reads is damaged")
	classUnknown     = Kinds.Add("material-class", "a material is of a class that the game does not have, and is left out")
	jointLoose       = Kinds.Add("joint-part-missing", "a joint joins a part that the model lacks, and is left out")
	hullUnread       = Kinds.Add("hull-layout", "a collision file has an older layout, of which the game loads nothing")
	hullGone         = Kinds.Add("hull-part-missing", "a collision file has hulls for a part that the model lacks")
	hullOld          = Kinds.AddDoubt("hull-old", "the hulls of a part lie elsewhere than its mesh: the collision file is older than the model")
	levelsUnreached  = Kinds.AddDoubt("levels-unreached", "LODranges has fewer distances than the model has levels of detail")
	libraryUnnamed   = Kinds.AddDoubt("library-unnamed", "a model wears a material of a library that its record does not name")
	configMissing    = Kinds.AddDoubt("config-missing", "without EXE/freelancer.ini all INI files count as ones that the game reads")
	lineUnread       = Kinds.AddDoubt("ini-line", "a line of an INI file means nothing")
)
