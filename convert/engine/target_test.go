package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// native is an item of a native format that was read from a file of that name.
func native(t *testing.T, name, file string) *interchange.Item {
	t.Helper()
	f := formats.ByName(name)
	if f == nil {
		t.Fatalf("there is no format %s", name)
	}
	return &interchange.Item{Format: f, Env: &format.Env{Name: file}}
}

// remembers is an asset out of an interchange file, which says what it was made from.
func remembers(name string) *interchange.Item {
	return &interchange.Item{Asset: &asset.Table{Native: &asset.Native{Format: name}}, Env: new(format.Env)}
}

// TestParseTarget: an extension or the name of a format is what an item is to become; of several formats the item's own.
func TestParseTarget(t *testing.T) {
	picture := &interchange.Item{Asset: &asset.Texture{}, Env: new(format.Env)}
	onto := func(name string) *interchange.Item {
		return &interchange.Item{Asset: &asset.Table{}, Env: &format.Env{Original: interchange.NewOriginal(func() (asset.Asset, *format.Format, error) {
			return &asset.Table{}, formats.ByName(name), nil
		})}}
	}
	for _, c := range []struct {
		ask  string
		it   *interchange.Item
		want string // extension and format, or a part of the error
	}{
		{"glb", nil, ".glb glb"}, {".GLB", nil, ".glb glb"}, {"glTF", nil, ".gltf gltf"}, {"png", picture, ".png png"}, {"cmp", nil, ".cmp =cmp"}, {".3db", nil, ".3db =3db"}, {"u3d", picture, ".u3d =u3d"},
		{"sappear", nil, ".mesh =sappear"}, {"mesh", nil, ".mesh =sappear"}, {"mesh", remembers("u9-indexed"), ".mesh =u9-indexed"}, {"mesh", remembers("sappear"), ".mesh =sappear"},
		{"utf", native(t, "voice", "a.utf"), ".utf =voice"}, {"utf", native(t, "utf", "a.cmp"), ".utf =utf"}, {"cmp", native(t, "cmp", "a.3db"), ".cmp =cmp"}, {".3db", native(t, "cmp", "a.3db"), ".3db =cmp"},
		{"txt", native(t, "u9-registry", "registry.txt"), ".txt =u9-registry"}, {"txt", native(t, "u9-text", "a.u9text"), ".txt txt"}, {"csv", native(t, "u9-registry", "registry.txt"), ".csv csv"},
		{"9", native(t, "u9-terrain", "terrain.7"), ".9 =u9-terrain"}, {"9", remembers("u9-fixed"), ".9 =u9-fixed"}, {"ini", nil, ".ini ini"}, {"3d", nil, "_d.3d =unreal-mesh-data"},
		{"u9-terrain", nil, ".terrain =u9-terrain"}, {"unreal-object", nil, ".unreal-object =unreal-object"}, {"flx", nil, ".flx =flx"}, {"gif", nil, "gif files are read, and not made"},
		{"dat", onto("u9-textdat"), ".dat =u9-textdat"}, {"dat", onto("u9-highway"), ".dat =u9-highway"}, {"dat", onto("cmp"), ".dat =u9-types"},
		{"xyz", nil, `nothing known makes "xyz" files`}, {"it", nil, ".it =module"}, {"psa", nil, "unreal-psa is made with a .psk file, beside it: ask for that"}, {"sav", nil, "u9-savegame can be read but not made"},
	} {
		got, err := ParseTarget(c.ask, c.it)
		text := got.Extension + " "
		switch {
		case err != nil:
			text = err.Error()
		case got.Format != nil:
			text += "=" + got.Format.Name
		default:
			text += got.interchange.Name
		}
		if err == nil && text != c.want || err != nil && !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: %s, want %s", c.ask, text, c.want)
		}
	}
}

// TestDefaultTarget: a native file becomes the interchange file of its kind, what was made from one becomes that again.
func TestDefaultTarget(t *testing.T) {
	document := native(t, "u9-registry", "registry.json")
	document.Document = true
	scene := func(n *asset.Native, roots ...*asset.Node) *interchange.Item {
		return &interchange.Item{Asset: &asset.Scene{Native: n, Roots: roots}, Env: new(format.Env)}
	}
	for _, c := range []struct {
		what string
		it   *interchange.Item
		want string
	}{
		{"nothing", nil, ""}, {"an empty item", &interchange.Item{}, ""}, {"a model", native(t, "cmp", "a.cmp"), ".glb"}, {"a motion", native(t, "u9-anim", "a.anim"), ".glb"},
		{"a texture", native(t, "u9-texture", "a.tex"), ".png"}, {"a sound", native(t, "u9-sound", "a.snd"), ".wav"}, {"a table", native(t, "u9-npc", "a.npc"), ".json"}, {"a text", native(t, "u9-text", "a.u9text"), ".txt"},
		{"a book", native(t, "u9-book", "a.book"), ".txt"}, {"what has no other form", native(t, "u9-processes", "a.processes"), ".json"},
		{"a document", document, ".txt"}, {"a table that remembers", remembers("u9-npc"), ".npc"}, {"a scene that remembers", scene(&asset.Native{Format: "cmp"}), ".cmp"},
		{"a scene whose file had another extension", scene(&asset.Native{Format: "cmp", Values: map[string]any{"extension": ".3db"}}), ".3db"},
		{"a scene whose node remembers", scene(nil, &asset.Node{}, &asset.Node{Native: &asset.Native{Format: "nobody"}}, &asset.Node{Native: &asset.Native{Format: "u3d"}}), ".u3d"}, {"a scene of nobody", scene(nil, &asset.Node{}), ""},
		{"a picture of another kind", &interchange.Item{Asset: &asset.Texture{File: new(asset.Stored)}}, ".png"}, {"a picture", &interchange.Item{Asset: new(asset.Texture)}, ""},
		{"a picture that remembers", &interchange.Item{Asset: &asset.Texture{File: new(asset.Stored), Native: &asset.Native{Format: "u9-texture"}}}, ".tex"},
	} {
		got, err := DefaultTarget(c.it)
		if got.Extension != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s becomes %q, %v, want %q", c.what, got.Extension, err, c.want)
		}
	}
	if got := ShownAs(nil); got != (Target{}) || got.Carries(formats.ByName("cmp")) {
		t.Errorf("nothing is shown as %+v", got)
	}
	if png := ShownAs(formats.ByName("u9-texture")); !png.Carries(formats.ByName("u9-palette")) || png.Carries(formats.ByName("cmp")) {
		t.Error("a picture carries models, or no pictures")
	}
}

// TestTargetNames: a file is called like its input, with the new extension; the number of a map stays.
func TestTargetNames(t *testing.T) {
	terrain, cmp, glb := Target{Extension: ".terrain", Format: formats.ByName("u9-terrain")}, Target{Extension: ".cmp", Format: formats.ByName("cmp")}, ShownAs(formats.ByName("cmp"))
	numbered := Target{Extension: ".9", Format: formats.ByName("u9-terrain")}
	for _, c := range []struct {
		target            Target
		input, stem, name string
	}{
		{cmp, "ship", "ship", "ship.cmp"}, {cmp, "ship.cmp", "ship", "ship.cmp"}, {cmp, "ship.CMP", "ship", "ship.cmp"}, {cmp, "ship.sur", "ship.sur", "ship.sur.cmp"}, {cmp, ".cmp", ".cmp", ".cmp.cmp"},
		{cmp, "ship.5", "ship.5", "ship.5.cmp"}, {glb, "ship.glb", "ship.glb", "ship.glb.glb"}, {glb, "terrain.5", "terrain.5", "terrain.5.glb"},
		{terrain, "terrain.5", "terrain.5", "terrain.5"}, {terrain, "hills", "hills", "hills.terrain"}, {numbered, "terrain.5", "terrain.5", "terrain.9"}, {numbered, "hills", "hills", "hills.9"},
	} {
		stem := c.target.stem(c.input)
		if name := c.target.name(stem); stem != c.stem || name != c.name {
			t.Errorf("%s: stem %q, name %q, want %q, %q", c.input, stem, name, c.stem, c.name)
		}
	}
}

// TestCompiled: the text of an INI, and its JSON, are compiled where an INI is asked for.
func TestCompiled(t *testing.T) {
	text := func(ext string) *interchange.Item { return &interchange.Item{Asset: &asset.Text{Extension: ext}} }
	document, binary := native(t, "bini", "a.json"), native(t, "bini", "a.ini")
	document.Document = true
	ini, txt := Target{Extension: ".ini", interchange: interchange.ByExtension(".ini")}, Target{Extension: ".txt", interchange: interchange.ByExtension(".txt")}
	for _, c := range []struct {
		what   string
		it     *interchange.Item
		target Target
		want   string
	}{
		{"a text", text(".ini"), ini, "bini"}, {"a document", document, ini, "bini"}, {"a compiled one", binary, ini, ""}, {"a text as another", text(".ini"), txt, ""}, {"another text", text(".txt"), ini, ""}, {"a plain text", text(".txt"), txt, ""},
		{"a document as text", document, txt, ""}, {"nothing", nil, ini, ""}, {"into a native format", text(".ini"), Target{Extension: ".ini", Format: formats.ByName("bini")}, ""}, {"a picture", &interchange.Item{Asset: new(asset.Texture)}, ini, ""},
	} {
		got := ""
		if f := Compiled(c.it, c.target); f != nil {
			got = f.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestParseOperand: an entry begins behind the first colon whose left side is a file; what exists as it is has none.
func TestParseOperand(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.flx", "a.flx:1:2", "b", "b:c"} {
		corpus.Allowed(t, os.WriteFile(name, nil, 0o666))
	}
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	for operand, want := range map[string]string{
		"a.flx": "a.flx|", "a.flx:1": "a.flx|1", "a.flx:1:2": "a.flx:1:2|", "a.flx:x:y": "a.flx|x:y", "b:c:d": "b|c:d", "b:c": "b:c|", "dir": "dir|", "dir:1": "error", "none": "error", "none:1": "error", ":b": "error", "b:": "error",
		filepath.Join(".", "b") + ":x": "b|x",
	} {
		path, entry, err := ParseOperand(operand)
		got := filepath.Base(path) + "|" + entry
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", operand, got, want)
		}
	}
	if got := (Source{Path: "a", Entry: "b"}).String() + (Source{Path: "a"}).String(); got != "a:ba" {
		t.Errorf("sources are called %s", got)
	}
}
