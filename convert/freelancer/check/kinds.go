package check

import "github.com/usher-assets/usher/convert/format"

// The kinds of findings.
var (
	modelMissing     = kind("model-missing", "a model that an INI file names is not there")
	libraryMissing   = kind("library-missing", "a library of materials, textures or meshes that an INI file names is not there")
	effectMissing    = kind("effect-missing", "an effect that an INI file names is not there")
	animationMissing = kind("animation-missing", "a file of animations that an INI file names is not there")
	soundMissing     = kind("sound-missing", "a sound or a voice bank that an INI file names is not there")
	scriptMissing    = kind("script-missing", "a script that an INI file names is not there")
	iniMissing       = kind("ini-missing", "an INI file that another one names is not there")
	recordMissing    = kind("record-missing", "no record has the nickname that another one wants")
	meshMissing      = kind("mesh-missing", "a model draws a mesh that no library has")
	materialMissing  = kind("material-missing", "a model wears a material that no library has")
	textureMissing   = kind("texture-missing", "a material shows a texture that no library has")
	hardpointMissing = kind("hardpoint-missing", "a record wants a hardpoint that the model lacks")
	partMissing      = kind("part-missing", "a record wants a part that the model lacks")
	nicknameTwice    = kind("nickname-twice", "two records have one nickname, and the game takes one of them")
	unreadable       = kind("unreadable", "a file that the game reads is damaged")
	hullGone         = kind("hull-part-missing", "a collision file has hulls for a part that the model lacks")
	hullOld          = doubt("hull-old", "the hulls of a part lie elsewhere than its mesh: the collision file is older than the model")
	levelsUnreached  = doubt("levels-unreached", "LODranges has fewer distances than the model has levels of detail")
	libraryUnnamed   = doubt("library-unnamed", "a model wears a material of a library that its record does not name")
	configMissing    = doubt("config-missing", "without EXE/freelancer.ini all INI files count as ones that the game reads")
	lineUnread       = doubt("ini-line", "a line of an INI file means nothing")
)

// Kinds are all of them.
var Kinds []*format.FindingKind

func kind(name, title string) *format.FindingKind {
	k := &format.FindingKind{Name: name, Title: title}
	Kinds = append(Kinds, k)
	return k
}

func doubt(name, title string) *format.FindingKind {
	k := kind(name, title)
	k.Doubt = true
	return k
}
