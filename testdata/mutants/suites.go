package main

import (
	"slices"
	"strings"
)

// suites are the packages that are mutated where none is named, and the tests that are to notice beside their own; the quick
// ones come first.
var suites = []struct{ dir, tests string }{
	{"read", "./write,./write/unreal,./write/freelancer,./write/ultima9,./read/unreal"},
	{"read/freelancer", "./write/freelancer,./convert/freelancer,./convert/freelancer/archive,./convert/freelancer/voice,./convert=TestConformanceTestdata|TestDamage/files/freelancer"},
	{"read/ultimate3d", "./write/ultimate3d,./convert/ultimate3d,./convert=TestConformanceTestdata|TestDamage/files/ultimate3d"},
	{"read/unreal", "./write/unreal,./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert=TestConformanceTestdata|TestDamage/files/unreal"},
	{"read/ultima9", "./write/ultima9,./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage/files/ultima9"},
	{"read/media", "./write/media,./convert/picture,./convert/png,./convert/wav,./convert=TestConformanceTestdata"},
	{"write", "./write/unreal,./write/freelancer,./write/ultima9"},
	{"write/freelancer", "./convert/freelancer,./convert/freelancer/archive,./convert/freelancer/voice,./convert=TestConformanceTestdata|TestDamage/files/freelancer"},
	{"write/ultimate3d", "./convert/ultimate3d,./convert=TestConformanceTestdata|TestDamage/files/ultimate3d"},
	{"write/unreal", "./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert=TestConformanceTestdata|TestDamage/files/unreal"},
	{"write/ultima9", "./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage/files/ultima9"},
	{"write/media", "./convert/picture,./convert/png,./convert/wav,./convert=TestConformanceTestdata"},
	{"convert/scene", "./convert/ultimate3d,./convert/freelancer,./convert/unreal,./convert/unreal/pack,./convert/unreal/look,./convert/unreal/mesh,./convert/unreal/skeleton,./convert/unreal/texture,./convert/unreal/t3d,./convert/gltf,./convert/ultima9,./convert/ultima9/model,./convert/ultima9/world,./convert/ultima9/texture,./convert=TestConformanceTestdata|TestDamage"},
	{"convert/disk", "./convert/worktree=Fault|Undo|Staged|TwoPacks|GoesOn|SavedWhilePacking|WithoutATrace,./convert/batch=Faults|HashesFollow|Record|OneName|LinksOut"},
	{"convert/rows", "./convert/ultima9"},
	{"convert/worktree", ""},
	{"convert/batch", ""},
	{"convert/compare", ""},
	{"convert/explain", ""},
	{"convert/sheet", ""},
	{"convert/csv", "./convert/batch=Table|Archive"},
	{"convert/po", "./convert/batch=Texts|Translations"},
	{"convert/json", "./convert=TestConformanceTestdata"},
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
