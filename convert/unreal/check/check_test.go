package check

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"

	write "github.com/usher-assets/usher/write/unreal"
)

// made is a package in the making.
type made struct{ *unreal.Package }

func newPackage() made { return made{&unreal.Package{Version: 69}} }

// holds adds an object.
func (p made) holds(class, name string, flags uint32) made {
	ref := unreal.Ref(0)
	if class != "Class" {
		ref = p.AddClass("Engine", class)
	}
	p.AddExport(ref, 0, name, flags)
	return p
}

// wants adds an import from another package, and an object that refers to it.
func (p made) wants(pkg, class, name string) made {
	p.imports(pkg, class, name)
	p.AddExport(0, 0, "User", 0)
	p.Exports[len(p.Exports)-1].Super = unreal.Ref(-len(p.Imports))
	return p
}

// imports adds an import that nothing refers to.
func (p made) imports(pkg, class, name string) made {
	p.AddImport("Engine", class, p.AddImport("Core", "Package", 0, pkg), name)
	return p
}

func (p made) file(t testing.TB) *fstest.MapFile {
	t.Helper()
	var b bytes.Buffer
	if err := write.Package(&b, p.Package); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: b.Bytes()}
}

// TestFaults: each fault of a small game is found, and nothing else.
func TestFaults(t *testing.T) {
	core := newPackage().holds("Class", "Object", unreal.Public|native)
	engine := newPackage().holds("Class", "Texture", unreal.Public|native)
	walls := func() made { return newPackage().holds("Texture", "Brick", unreal.Public).holds("Texture", "Plan", 0) }
	for _, c := range []struct {
		name  string
		walls *made // nil for none
		hall  made
		want  []string
	}{
		{"nothing", ref(walls()), newPackage().wants("Walls", "Texture", "Brick"), nil},
		{"another case", ref(walls()), newPackage().wants("WALLS", "Texture", "BRICK"), nil},
		{"package", nil, newPackage().wants("Walls", "Texture", "Brick").wants("walls", "Texture", "Plan"), []string{"package-missing Maps/hall.unr Walls"}},
		{"object", ref(walls()), newPackage().wants("Walls", "Texture", "Stone"), []string{"object-missing Maps/hall.unr Walls.Stone"}},
		{"object that is not public", ref(walls()), newPackage().wants("Walls", "Texture", "Plan"), []string{"object-private Maps/hall.unr Walls.Plan"}},
		{"class of the program", ref(walls()), newPackage().wants("Engine", "Class", "Level"), nil},
		{"two of a name, the first public", ref(walls().holds("Texture", "Brick", 0)), newPackage().wants("Walls", "Texture", "Brick"), nil},
		{"two of a name, the last public", ref(walls().holds("Texture", "Plan", unreal.Public)), newPackage().wants("Walls", "Texture", "Plan"), nil},
		{"two of a name, none public", ref(walls().holds("Texture", "Plan", 0)), newPackage().wants("Walls", "Texture", "Plan"), []string{"object-private Maps/hall.unr Walls.Plan"}},
		{"object of the program", ref(walls()), newPackage().wants("Engine", "Texture", "Stone"), []string{"object-missing Maps/hall.unr Engine.Stone"}},
		{"class of no program", ref(walls()), newPackage().wants("Walls", "Class", "Door"), []string{"object-missing Maps/hall.unr Walls.Door"}},
	} {
		for _, upper := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, " ", upper), func(t *testing.T) {
				files := fstest.MapFS{"System/Core.u": core.file(t), "System/Engine.u": engine.file(t), "Maps/hall.unr": c.hall.file(t)}
				if c.walls != nil {
					name := "Textures/Walls.utx"
					if upper {
						name = "Textures/WALLS.UTX"
					}
					files[name] = c.walls.file(t)
				}
				if got := found(t, files); !slices.Equal(got, c.want) {
					t.Errorf("found %q, want %q", got, c.want)
				}
			})
		}
	}
}

// TestMissingCounted: of a package that is missing, its objects are counted, and not itself.
func TestMissingCounted(t *testing.T) {
	files := fstest.MapFS{
		"System/Core.u": newPackage().holds("Class", "Object", unreal.Public|native).file(t), "System/Engine.u": newPackage().holds("Class", "Texture", unreal.Public|native).file(t),
		"Maps/hall.unr": newPackage().wants("Walls", "Texture", "Brick").file(t), "Maps/yard.unr": newPackage().wants("Walls", "Texture", "Brick").wants("walls", "Texture", "Plan").file(t),
	}
	g, err := format.NewGame([]string{"System", "Maps"}, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"Maps/hall.unr": "there is no package Walls, from which it imports 1 object",
		"Maps/yard.unr": "there is no package Walls, from which it imports 2 objects",
	}
	got := map[string]string{}
	for _, f := range Game(g) {
		got[f.File.Path] = f.Msg
	}
	if !maps.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

func ref(p made) *made { return &p }

func found(t testing.TB, files fstest.MapFS) (lines []string) {
	t.Helper()
	g, err := format.NewGame([]string{"System", "Maps", "Textures"}, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Game(g) {
		lines = append(lines, strings.TrimSpace(f.Kind.Name+" "+f.File.Path+" "+f.Name))
	}
	return lines
}

// Two packages of one name hold what either has, as those of textures and of music may.
func TestTwins(t *testing.T) {
	files := fstest.MapFS{
		"Music/Walls.umx":    newPackage().holds("Music", "Song", unreal.Public).file(t),
		"Textures/Walls.utx": newPackage().holds("Texture", "Brick", unreal.Public).file(t),
		"System/Core.u":      newPackage().holds("Class", "Object", unreal.Public|native).file(t),
		"System/Engine.u":    newPackage().holds("Class", "Texture", unreal.Public|native).file(t),
		"Maps/hall.unr":      newPackage().wants("Walls", "Texture", "Brick").file(t),
	}
	g, err := format.NewGame(nil, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	if list := Game(g); len(list) != 0 {
		t.Errorf("found %+v", list)
	}
}

// TestDamaged: a package that ends anywhere is told of as damaged, or read; what imports from a damaged one is not told twice.
func TestDamaged(t *testing.T) {
	whole := newPackage().holds("Texture", "Brick", unreal.Public).file(t).Data
	hall := newPackage().wants("Walls", "Texture", "Brick").file(t)
	for n := range len(whole) {
		files := fstest.MapFS{
			"Textures/Walls.utx": {Data: whole[:n]}, "Maps/hall.unr": hall,
			"System/Core.u":   newPackage().holds("Class", "Object", native).file(t),
			"System/Engine.u": newPackage().holds("Class", "Texture", unreal.Public|native).file(t),
		}
		if got := found(t, files); !slices.Equal(got, []string{"package-unreadable Textures/Walls.utx"}) && got != nil {
			t.Fatalf("%d bytes of %d: %q", n, len(whole), got)
		}
	}
}
