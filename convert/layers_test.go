package convert_test

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/testdata/corpus"
)

const module = "github.com/usher-assets/usher/"

// listedPackage is what "go list" tells of a package.
type listedPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

// TestLayers holds the rule of the house: schema ← read, write ← convert ← cmd. There is no exception list.
func TestLayers(t *testing.T) {
	for _, p := range listPackages(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			if !mayImport(from, imported) {
				t.Errorf("%s imports %s", from, imported)
			}
		}
	}
}

// TestMayImport: what the rule allows and forbids.
func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"schema/unreal", "schema", true}, {"schema/unreal", "read", false}, {"read/unreal", "schema/unreal", true}, {"read/unreal", "write/unreal", false},
		{"convert/unreal", "read/unreal", true}, {"convert/unreal", "read/freelancer", false}, {"convert/unreal", "convert/engine", false},
		{"convert/unreal", "convert/exchange/png", true}, {"convert/unreal", "convert/exchange/gltf", false}, {"convert/exchange/png", "convert/unreal", false},
		{"convert/engine/store", "convert/engine/formats", true}, {"convert/engine/formats", "convert/engine/store", false}, {"convert/engine", "convert", false},
		{"convert", "convert/engine", true}, {"convert", "convert/work/batch", false}, {"convert/work/compare", "convert/work/batch", true},
		{"convert/restore", "convert/scene", true}, {"convert/restore", "convert/format", false}, {"convert/scene", "convert/restore", false},
		{"convert/work/compare", "convert/show/sheet", false}, {"convert/show/sheet", "convert/work/compare", true}, {"cmd/usher", "convert", true}, {"cmd/usher/docs", "convert/work/explain", true}, {"cmd/usher/docs", "convert/unreal", false}, {"cmd/usher/docs", "cmd/usher/docs/layout", true}, {"cmd/usher/docs/layout", "schema", true}, {"cmd/usher/docs/layout", "read", false}, {"convert", "cmd/usher", false},
	} {
		if got := mayImport(c.from, module+c.to); got != c.want {
			t.Errorf("%s may import %s: %v", c.from, c.to, got)
		}
	}
}

func listPackages(t *testing.T) []listedPackage {
	cmd := exec.Command("go", "list", "-json=ImportPath,Standard,Imports", "./...")
	cmd.Dir = corpus.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// mayImport reports whether the package from, named within the module, may import another.
func mayImport(from, imported string) bool {
	to, ours := strings.CutPrefix(imported, module)
	if !ours {
		return mayImportForeign(from, imported)
	}
	row, column, _ := strings.Cut(from, "/")
	switch row {
	case "schema":
		return to == "schema" || column != "" && to == "schema/asset" && column != "asset" && column == "media"
	case "read", "write":
		return to == row || inRow(to, "schema") && to != "schema/asset" || to == row+"/media"
	case "convert":
		return convertMayImport(column, to)
	case "cmd":
		if column == "usher/docs/layout" { // what readers note, and not which readers there are
			return to == "schema"
		}
		if column == "usher/docs" && to == "cmd/usher/docs/layout" {
			return true
		}
		if column == "usher/view" || column == "usher/docs" { // handlers and pages, nothing of formats
			return to == "cmd/usher/places" || (inRow(to, "convert") || inRow(to, "schema")) && families[path.Base(to)] == nil
		}
		return inRow(to, "convert") || inRow(to, "schema") || to == "cmd/usher/view" || to == "cmd/usher/docs" || to == "cmd/usher/places"
	}
	return false
}

func convertMayImport(column, to string) bool {
	if column == "" {
		return inRow(to, "schema") || floor(to) < floor("convert")
	}
	if column == "scene" { // the verbs of the asset model know no bytes
		return to == "schema" || to == "schema/asset"
	}
	if column == "restore" {
		return inRow(to, "schema") || to == "convert/scene"
	}
	if inRow(to, "schema") || to == "read" || to == "write" || to == "read/media" || to == "write/media" {
		return true
	}
	family, room, _ := strings.Cut(column, "/")
	if families[family] != nil { // its root stands on its rooms, and they on those that are named
		to, ours := strings.CutPrefix(to, "convert/"+family+"/")
		return to == "read/"+family || to == "write/"+family || slices.Contains(tools, to) ||
			ours && (room == "" || slices.Contains(familyRooms[column], to))
	}
	if strings.HasPrefix(column, "exchange/") {
		return (slices.Contains(tools, to) || slices.Contains(codecs, to)) && to != "convert/"+column
	}
	return floor(to) < floor("convert/"+column)
}

// floors are the rooms of convert from the bottom up: each stands on those before it alone.
var floors = []string{
	"convert/disk", "convert/format", "convert/scene", "convert/restore", "convert/exchange", "convert/show/render",
	"convert/freelancer", "convert/ultimate3d", "convert/unreal", "convert/ultima9",
	"convert/engine/formats", "convert/engine/interchange", "convert/engine/find", "convert/engine/store", "convert/engine", "convert",
	"convert/work/check", "convert/work/batch", "convert/work/explain", "convert/work/compare", "convert/work/worktree", "convert/show/sheet",
}

// floor returns the number of the room that a package is in, which is more than any for what is in none.
func floor(p string) int {
	at := len(floors)
	for i, room := range floors {
		if inRow(p, room) && (at == len(floors) || len(room) > len(floors[at])) {
			at = i
		}
	}
	return at
}

// familyRooms are the rooms of families, and which of the same family each stands on.
var familyRooms = map[string][]string{
	"freelancer/space":   nil,
	"freelancer/ini":     nil,
	"freelancer/game":    {"ini"},
	"freelancer/check":   {"game", "page"},
	"freelancer/rig":     {"space"},
	"freelancer/texture": {"space"},
	"freelancer/archive": {"page", "texture", "voice"},
	"freelancer/mesh":    {"space"},
	"freelancer/library": {"game", "ini", "mesh", "page", "rig", "texture", "voice"},
	"freelancer/hull":    nil,
	"freelancer/page":    nil,
	"freelancer/track":   nil,
	"freelancer/voice":   {"ini"},
	"ultima9/beside":     nil,
	"ultima9/texture":    {"beside"},
	"ultima9/look":       {"beside", "texture"},
	"ultima9/model":      {"beside", "look"},
	"ultima9/world":      {"beside", "look", "model"},
	"ultima9/check":      {"beside", "world"},
	"unreal/download":    nil,
	"unreal/check":       nil,
	"unreal/space":       nil,
	"unreal/skeleton":    {"space"},
	"unreal/t3d":         {"space"},
	"unreal/texture":     nil,
	"unreal/look":        {"pack", "space", "texture"},
	"unreal/mesh":        {"look", "pack", "skeleton", "space", "texture"},
	"unreal/fractal":     nil,
	"unreal/pack":        {"fractal", "texture"},
	"unreal/source":      {"pack", "t3d"},
}

// tools are the packages of convert that the others may use: the contract, the verbs of the asset model and the
// pure codecs.
var tools = []string{"convert/format", "convert/scene", "convert/restore", "convert/exchange/picture", "convert/exchange/png", "convert/exchange/wav", "convert/exchange/json", "convert/exchange/csv", "convert/exchange/rows", "convert/exchange/codepage"}

// codecs are large, and for files that only other programs make: no family imports them.
var codecs = []string{"convert/exchange/picture/foreign", "convert/exchange/mp3"}

func inRow(to, row string) bool { return to == row || strings.HasPrefix(to, row+"/") }

// only names the single importer of a library that is wrapped.
var only = map[string]string{
	"github.com/qmuntal/gltf":   "convert/exchange/gltf",
	"github.com/urfave/cli/v2":  "cmd/usher",
	"github.com/vbauerster/mpb": "cmd/usher",
	"golang.org/x/term":         "cmd/usher",
	"golang.org/x/sys":          "convert/disk",
	"golang.org/x/text":         "convert/exchange/codepage",
	"github.com/git-pkgs":       "convert/work/worktree",
	"github.com/fsnotify":       "convert/disk",
}

func mayImportForeign(from, imported string) bool {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // the standard library
	}
	for library, importer := range only {
		if strings.HasPrefix(imported, library) {
			return from == importer
		}
	}
	row, _, _ := strings.Cut(from, "/")
	return row == "convert" || row == "cmd"
}

// TestSymmetry holds the other rule of the house: what read has under a name, write has under the same.
func TestSymmetry(t *testing.T) {
	root := corpus.Root(t)
	read, write := goFiles(t, filepath.Join(root, "read")), goFiles(t, filepath.Join(root, "write"))
	for name := range read {
		if !write[name] {
			t.Errorf("read/%s has no twin in write", name)
		}
	}
	for name := range write {
		if !read[name] {
			t.Errorf("write/%s has no twin in read", name)
		}
	}
	for name := range read {
		family, _, _ := strings.Cut(name, "/")
		if _, err := os.Stat(filepath.Join(root, "schema", family)); err != nil {
			t.Errorf("read/%s has no column in schema", name)
		}
	}
}

// goFiles returns the Go files of a row's columns, without tests, by their path below the row.
func goFiles(t *testing.T, row string) map[string]bool {
	found, err := filepath.Glob(filepath.Join(row, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, p := range found {
		if !strings.HasSuffix(p, "_test.go") {
			rel, _ := filepath.Rel(row, p)
			names[filepath.ToSlash(rel)] = true
		}
	}
	return names
}

// TestFamilies: what tests take for the families are those of the list of formats, and each has samples.
func TestFamilies(t *testing.T) {
	listed := map[string]bool{}
	for _, f := range formats.All {
		listed[f.Family] = true
	}
	if is := slices.Sorted(maps.Keys(listed)); !slices.Equal(is, corpus.Families(t)) || !slices.Equal(is, slices.Sorted(maps.Keys(families))) {
		t.Errorf("formats of %q, references of %q, samples of %q", is, corpus.Families(t), slices.Sorted(maps.Keys(families)))
	}
}

// TestFamiliesStayLight holds that a program which needs one family does not get the decoders of MP3, TIFF and WebP, the
// glTF library, or another family along.
func TestFamiliesStayLight(t *testing.T) {
	for family := range families {
		cmd := exec.Command("go", "list", "-deps", "./convert/"+family, "./read/"+family, "./write/"+family)
		cmd.Dir = corpus.Root(t)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for _, dep := range strings.Fields(string(out)) {
			other := strings.HasPrefix(dep, module) && families[path.Base(dep)] != nil && path.Base(dep) != family
			for _, heavy := range []string{"go-mp3", "x/image/tiff", "x/image/webp", "x/image/vp8", "qmuntal/gltf", "convert/exchange/picture/foreign", "convert/exchange/mp3", "urfave/cli", "git-pkgs"} {
				other = other || strings.Contains(dep, heavy)
			}
			if other {
				t.Errorf("%s gets %s along", family, dep)
			}
		}
	}
}
