package main

import (
	"slices"
	"strings"
)

// What notices beside their own when a room of a family is wrong: the family's root stands on all of them.
const (
	ofFreelancer = "./convert=TestEdited$/models/freelancer|TestChanged/files/freelancer|TestProbed/files/freelancer|TestArchived/archives/freelancer,./convert/freelancer,./convert/freelancer/archive,./convert/freelancer/voice,./convert=TestConformanceTestdata|TestDamage/files/freelancer|TestEveryValueIsRead/testdata/freelancer"
	ofUltima9    = "./convert=TestEdited$/models/ultima9|TestChanged/files/ultima9|TestProbed/files/ultima9|TestArchived/archives/ultima9,./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage/files/ultima9|TestEveryValueIsRead/testdata/ultima9"
	ofUnreal     = "./convert=TestEdited$/models/unreal|TestChanged/files/unreal|TestProbed/files/unreal|TestArchived/archives/unreal,./convert/unreal,./convert/unreal/pack,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/source,./convert/unreal/t3d,./convert=TestConformanceTestdata|TestDamage/files/unreal|TestEveryValueIsRead/testdata/unreal"
)

// suites are the packages that are mutated where none is named, and the tests that are to notice beside their own; the quick
// ones come first.
var suites = []struct{ dir, tests string }{
	{"read", "./write,./write/unreal,./write/freelancer,./write/ultima9,./read/unreal"},
	{"read/freelancer", "./write/freelancer,./convert/freelancer,./convert/freelancer/archive,./convert/freelancer/voice,./convert=TestConformanceTestdata|TestDamage/files/freelancer"},
	{"read/ultimate3d", "./write/ultimate3d,./convert/ultimate3d,./convert=TestConformanceTestdata|TestDamage/files/ultimate3d"},
	{"read/unreal", "./write/unreal,./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert=TestConformanceTestdata|TestDamage/files/unreal"},
	{"read/ultima9", "./write/ultima9,./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage/files/ultima9"},
	{"read/media", "./write/media,./convert/exchange/picture,./convert/exchange/png,./convert/exchange/wav,./convert=TestConformanceTestdata"},
	{"write", "./write/unreal,./write/freelancer,./write/ultima9"},
	{"write/freelancer", "./convert/freelancer,./convert/freelancer/archive,./convert/freelancer/voice,./convert=TestConformanceTestdata|TestDamage/files/freelancer"},
	{"write/ultimate3d", "./convert/ultimate3d,./convert=TestConformanceTestdata|TestDamage/files/ultimate3d"},
	{"write/unreal", "./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert=TestConformanceTestdata|TestDamage/files/unreal"},
	{"write/ultima9", "./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage/files/ultima9"},
	{"write/media", "./convert/exchange/picture,./convert/exchange/png,./convert/exchange/wav,./convert=TestConformanceTestdata"},
	{"convert/scene", "./convert/ultimate3d,./convert/freelancer,./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert/exchange/gltf,./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage|TestEdited$|TestChanged|TestEveryValueIsRead"},
	{"convert/restore", "./convert/scene,./convert/ultimate3d,./convert/freelancer,./convert/freelancer/mesh,./convert/unreal,./convert/unreal/mesh,./convert/exchange/gltf,./convert/ultima9/model,./convert=TestConformanceTestdata|TestToy|TestEdited$|TestChanged"},
	{"convert/disk", "./cmd/usher=TestScripts,./convert/work/worktree=Fault|Undo|Staged|TwoPacks|GoesOn|SavedWhilePacking|WithoutATrace,./convert/work/batch=Faults|HashesFollow|Record|OneName|LinksOut"},
	{"convert/exchange/rows", "./convert/ultima9"},
	{"convert/engine", "./cmd/usher=TestScripts,./convert/work/batch,./convert/work/compare,./convert/work/worktree,./convert=TestConformanceTestdata|TestOpen|TestPut|TestNobodysItem|TestChanged"},
	{"convert/engine/formats", "./convert/engine,./cmd/usher=TestScripts,./convert/work/batch,./convert=TestConformanceTestdata|TestDamage|TestRecognise"},
	{"convert/engine/find", "./convert/engine,./cmd/usher=TestScripts,./convert/work/batch,./convert/work/worktree"},
	{"convert/engine/store", "./cmd/usher=TestScripts,./convert/engine,./convert/work/batch,./convert/work/worktree,./convert/work/compare"},
	{"convert/engine/interchange", "./cmd/usher=TestScripts,./convert/engine,./convert/work/batch,./convert/work/worktree,./convert=TestConformanceTestdata"},
	{"convert/freelancer", "./convert=TestEdited$/models/freelancer|TestChanged/files/freelancer|TestProbed/files/freelancer|TestArchived/archives/freelancer,./convert=TestConformanceTestdata|TestDamage/files/freelancer|TestEveryValueIsRead/testdata/freelancer"},
	{"convert/ultimate3d", "./convert=TestEdited$/models/ultimate3d|TestChanged/files/ultimate3d|TestProbed/files/ultimate3d,./convert=TestConformanceTestdata|TestDamage/files/ultimate3d|TestEveryValueIsRead/testdata/ultimate3d"},
	{"convert/unreal", "./convert=TestEdited$/models/unreal|TestChanged/files/unreal|TestProbed/files/unreal|TestArchived/archives/unreal,./convert=TestConformanceTestdata|TestDamage/files/unreal|TestEveryValueIsRead/testdata/unreal"},
	{"convert/ultima9", "./convert=TestEdited$/models/ultima9|TestChanged/files/ultima9|TestProbed/files/ultima9|TestArchived/archives/ultima9,./convert=TestConformanceTestdata|TestDamage/files/ultima9|TestEveryValueIsRead/testdata/ultima9,./convert/work/batch=Hashes|Table|Texts"},
	{"convert/freelancer/archive", ofFreelancer},
	{"convert/freelancer/hull", ofFreelancer},
	{"convert/freelancer/library", ofFreelancer},
	{"convert/freelancer/mesh", ofFreelancer},
	{"convert/freelancer/page", ofFreelancer},
	{"convert/freelancer/rig", ofFreelancer},
	{"convert/freelancer/space", ofFreelancer},
	{"convert/freelancer/texture", ofFreelancer},
	{"convert/freelancer/track", ofFreelancer},
	{"convert/freelancer/voice", ofFreelancer},
	{"convert/ultima9/beside", ofUltima9},
	{"convert/ultima9/look", ofUltima9},
	{"convert/ultima9/model", ofUltima9},
	{"convert/ultima9/texture", ofUltima9},
	{"convert/ultima9/world", ofUltima9},
	{"convert/unreal/download", ofUnreal},
	{"convert/unreal/look", ofUnreal},
	{"convert/unreal/mesh", ofUnreal},
	{"convert/unreal/pack", ofUnreal},
	{"convert/unreal/skeleton", ofUnreal},
	{"convert/unreal/space", ofUnreal},
	{"convert/unreal/t3d", ofUnreal},
	{"convert/unreal/texture", ofUnreal},
	{"convert/unreal/words", "./convert=TestConformanceTestdata|TestArchived/archives/unreal,./convert/work/batch=TestEveryCell"},
	{"convert/unreal/fractal", "./convert/unreal/pack,./convert/unreal,./convert/unreal/texture"},
	{"convert/exchange/gltf", "./convert=TestConformanceTestdata|TestEdited$/models/ultimate3d,./convert/ultimate3d,./convert/freelancer,./convert/ultima9/model,./convert/unreal/mesh,./cmd/usher=TestScripts"},
	{"convert/exchange/wav", "./convert/exchange/mp3,./convert/freelancer/voice,./convert/engine/interchange,./convert=TestConformanceTestdata,./convert/unreal=Sound|Music,./convert/ultima9=Sound|Voice|Speech"},
	{"convert/exchange/mp3", "./convert/freelancer/voice,./convert/engine,./convert/show/sheet"},
	{"convert/exchange/png", "./convert/exchange/picture,./convert/engine/interchange,./convert=TestConformanceTestdata,./convert/ultima9/texture,./convert/exchange/gltf"},
	{"convert/exchange/picture", "./convert/exchange/picture/foreign,./convert/engine/interchange,./cmd/usher=TestScripts/pictures|TestScripts/frame|TestScripts/companion,./convert/ultima9/texture,./convert/unreal/texture,./convert=TestConformanceTestdata,./convert/ultimate3d,./convert/freelancer=Textur|Picture|DDS|TGA,./convert/unreal=Textur|Picture|Palette"},
	{"convert/format", "./convert/engine/formats,./convert/engine/interchange,./convert/ultimate3d,./convert/freelancer/archive,./convert/engine,./convert=TestConformanceTestdata|TestFacts|TestToy,./cmd/usher=TestScripts,./convert/work/batch"},
	{"convert/show/render", "./convert/show/sheet,./convert=TestShow"},
	{"convert/freelancer/check", ""},
	{"convert/freelancer/game", ""},
	{"convert/freelancer/ini", ""},
	{"convert/unreal/source", ""},
	{"convert/exchange/codepage", ""},
	{"convert/ultima9/check", ""},
	{"convert/unreal/check", ""},
	{"convert/work/check", ""},
	{"convert/work/worktree", "./cmd/usher=TestScripts"},
	{"convert/work/batch", "./cmd/usher=TestScripts"},
	{"convert/work/compare", "./convert/show/sheet,./cmd/usher=TestScripts"},
	{"convert/work/explain", "./convert=TestExplain,./cmd/usher=TestScripts/explain,./convert/work/compare"},
	{"convert/show/sheet", "./cmd/usher=TestScripts/sheet"},
	{"convert/exchange/csv", "./convert/work/batch=Table|Archive"},
	{"convert/exchange/po", "./convert/work/batch=Texts|Translations"},
	{"convert/exchange/json", "./convert=TestConformanceTestdata"},
}

// testsOf are the tests for a package: its own first.
func testsOf(dir, tests string) (all []string) {
	for _, s := range suites {
		if tests == "" && s.dir == dir {
			tests = s.tests
		}
	}
	if tests != "" {
		all = strings.Split(tests, ",")
	}
	if !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "./"+dir+"=") }) {
		all = slices.Insert(all, 0, "./"+dir)
	}
	return all
}
