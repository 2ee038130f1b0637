package freelancer_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// parted returns a model without its materials and textures, and a library of them. The materials' type tells libraries
// apart.
func parted(t *testing.T, typ string, textures bool) (model, library []byte) {
	t.Helper()
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	lib := freelancer.NewTree()
	for _, name := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		dir := tree.Root.Child(name)
		tree.Root.Remove(dir)
		if name == freelancer.MaterialLibrary || textures {
			copied := lib.Root.Add(freelancer.NewDir(name))
			copied.Children = dir.Children
		}
	}
	for _, m := range lib.Root.Child(freelancer.MaterialLibrary).Children {
		if m.IsDir() {
			m.Child("Type").Data = []byte(typ + "\x00")
		}
	}
	return treeBytes(t, tree), treeBytes(t, lib)
}

// only returns a library with one of its materials.
func only(t *testing.T, b []byte, material string) []byte {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := tree.Root.Child(freelancer.MaterialLibrary)
	for _, m := range slices.Clone(dir.Children) {
		if m.Name != material {
			dir.Remove(m)
		}
	}
	return treeBytes(t, tree)
}

// damaged returns a library that names what it holds, but has a mesh that cannot be read.
func damaged(t *testing.T, b []byte) []byte {
	t.Helper()
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree.Root.Dir(freelancer.MeshLibrary).Dir("broken.vms").Set("VMeshData", []byte{1})
	return treeBytes(t, tree)
}

// compiledINI returns an INI file as the game has it.
func compiledINI(t *testing.T, text []byte) []byte {
	t.Helper()
	x, err := ini.Parse(string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestMaterialsFound lays libraries around a model, and looks which of them is taken (reference section 19.1).
func TestMaterialsFound(t *testing.T) {
	model, near := parted(t, "DcDt", true)
	_, far := parted(t, "DcDtTwo", true)
	_, bare := parted(t, "DcDt", false)
	const ship = "game/DATA/SHIPS/LIBERTY/LI_ELITE/li_elite.cmp"
	record := func(model, library string) []byte {
		return []byte("[Ship]\nnickname = elite\nDA_archetype = " + model + "\nmaterial_library = " + library + "\n")
	}
	own := record(`ships\liberty\\Li_Elite\li_elite.cmp`, `fx\Z.mat`)
	for name, c := range map[string]struct {
		at      string // where the ship is, if not in a game
		files   map[string][]byte
		options format.Options // folders relative to the root
		want    string         // the types of the materials that are found
		picture bool
	}{
		"nothing there":                 {want: ""},
		"its folder":                    {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/other.mat": near}, want: "DcDt DcDt", picture: true},
		"the folder above":              {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/li_ships.mat": near}, want: "DcDt DcDt", picture: true},
		"two above":                     {files: map[string][]byte{"game/DATA/SHIPS/all.MAT": near}, want: "DcDt DcDt", picture: true},
		"the game":                      {files: map[string][]byte{"game/DATA/FX/fx.txm": near}, want: "DcDt DcDt", picture: true},
		"outside the game":              {files: map[string][]byte{"game/other.mat": near}, want: ""},
		"above before sideways":         {files: map[string][]byte{"game/DATA/SHIPS/z.mat": near, "game/DATA/SHIPS/LIBERTY/A/a.mat": far}, want: "DcDt DcDt", picture: true},
		"no game":                       {at: "a/b/c/li_elite.cmp", files: map[string][]byte{"a/z.mat": near}, want: "DcDt DcDt", picture: true},
		"no game, and too far":          {at: "a/b/c/d/li_elite.cmp", files: map[string][]byte{"a/z.mat": near}, want: ""},
		"its own name goes first":       {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/li_elite.mat": near, "game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far}, want: "DcDt DcDt", picture: true},
		"the nearest":                   {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/z.mat": near, "game/DATA/SHIPS/a.mat": far}, want: "DcDt DcDt", picture: true},
		"the nearest, sideways":         {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_SHIP/z.mat": near, "game/DATA/FX/a.mat": far}, want: "DcDt DcDt", picture: true},
		"what covers most":              {files: map[string][]byte{"game/DATA/SHIPS/z.mat": near, "game/DATA/SHIPS/a.mat": only(t, far, "paint")}, want: "DcDt DcDt", picture: true},
		"by name":                       {files: map[string][]byte{"game/DATA/SHIPS/A.mat": near, "game/DATA/SHIPS/b.mat": far}, want: "DcDt DcDt", picture: true},
		"textures elsewhere":            {files: map[string][]byte{"game/DATA/SHIPS/a.mat": bare, "game/DATA/FX/b.txm": far}, want: "DcDt DcDt", picture: true},
		"a folder that is named":        {files: map[string][]byte{"mods/deep/down/a.mat": near, "game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far}, options: format.Options{With: []string{"mods"}}, want: "DcDt DcDt", picture: true},
		"a folder for textures":         {files: map[string][]byte{"mods/deep/a.txm": near, "game/DATA/SHIPS/a.mat": bare}, options: format.Options{Textures: "mods"}, want: "DcDt DcDt", picture: true},
		"a model in a named folder":     {files: map[string][]byte{"mods/base.cmp": near}, options: format.Options{With: []string{"mods"}}, want: "DcDt DcDt", picture: true},
		"libraries before models":       {files: map[string][]byte{"mods/base.cmp": far, "mods/deep/z.mat": near}, options: format.Options{With: []string{"mods"}}, want: "DcDt DcDt", picture: true},
		"an installed game":             {files: map[string][]byte{"real/DATA/SHIPS/LIBERTY/z.mat": near, "real/DATA/FX/a.mat": far}, options: format.Options{Install: []string{"real"}}, want: "DcDt DcDt", picture: true},
		"its own game first":            {files: map[string][]byte{"real/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far, "game/DATA/FX/z.mat": near}, options: format.Options{Install: []string{"real/DATA"}}, want: "DcDt DcDt", picture: true},
		"its INI record":                {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far, "game/DATA/FX/z.mat": near, "game/DATA/SHIPS/shiparch.ini": own}, want: "DcDt DcDt", picture: true},
		"a compiled INI record":         {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far, "game/DATA/FX/z.mat": near, "game/DATA/SHIPS/shiparch.ini": compiledINI(t, own)}, want: "DcDt DcDt", picture: true},
		"the record of another":         {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/z.mat": near, "game/DATA/FX/z.mat": far, "game/DATA/SHIPS/shiparch.ini": record("ships\\li_elite.cmp", "fx\\z.mat")}, want: "DcDt DcDt", picture: true},
		"a record of nothing":           {files: map[string][]byte{"game/DATA/SHIPS/a.mat": near, "game/DATA/SHIPS/shiparch.ini": record("ships\\liberty\\li_elite\\li_elite.cmp", "..\\..\\z.mat"), "z.mat": far}, want: "DcDt DcDt", picture: true},
		"a record of an installed game": {files: map[string][]byte{"real/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": far, "real/DATA/FX/z.mat": near, "real/DATA/SHIPS/shiparch.ini": own}, options: format.Options{Install: []string{"real"}}, want: "DcDt DcDt", picture: true},
		"one damaged inside is passed":  {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": damaged(t, far), "game/DATA/SHIPS/LIBERTY/LI_ELITE/b.mat": far[:len(far)-1], "game/DATA/SHIPS/LIBERTY/LI_ELITE/c.mat": near, "game/DATA/SHIPS/a.mat": far}, want: "DcDt DcDt", picture: true},
		"one of its name is damaged":    {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/li_elite.mat": near[:200], "game/DATA/SHIPS/a.mat": near}, want: "DcDt DcDt", picture: true},
		"a damaged one is passed":       {files: map[string][]byte{"game/DATA/SHIPS/LIBERTY/LI_ELITE/a.mat": near[:200], "game/DATA/SHIPS/a.mat": near}, want: "DcDt DcDt", picture: true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put := func(name string, b []byte) {
				p := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			at := cmp.Or(c.at, ship)
			put(at, model)
			for name, b := range c.files {
				put(name, b)
			}
			o := c.options
			o.With, o.Install = slices.Clone(o.With), slices.Clone(o.Install)
			for _, list := range [...][]string{o.With, o.Install} {
				for i := range list {
					list[i] = filepath.Join(root, list[i])
				}
			}
			if o.Textures != "" {
				o.Textures = filepath.Join(root, o.Textures)
			}
			var d schema.Diagnostics
			l := engine.Loader{Options: o}
			s := liftWith(t, byName(t, "cmp"), model, l.Env(filepath.Join(root, filepath.FromSlash(at)), &d))
			var types []string
			picture := false
			for _, m := range s.Materials {
				if typ, ok := m.Native.Values["type"].(string); ok {
					types = append(types, typ)
				}
				picture = picture || m.BaseColorTexture != nil
			}
			if got := strings.Join(types, " "); got != c.want || picture != c.picture {
				t.Errorf("materials of types %q, pictures %v; want %q, %v: %v", got, picture, c.want, c.picture, d.All())
			}
			if d.Has("material-missing") != (c.want == "") || d.Has("library-found") != (c.want != "") && name != "its own name goes first" {
				t.Errorf("what is said: %v", d.All())
			}
			if damage := name == "one damaged inside is passed" || name == "one of its name is damaged"; d.Has("library-unusable") != damage {
				t.Errorf("told of damage %v: %v", !damage, d.All())
			}
			if back := lower(t, byName(t, "cmp"), "li_elite.cmp", fromGLB(t, glb(t, s, nil)), nil); string(back) != string(model) {
				t.Error("it does not come back as it was")
			}
		})
	}
}

// TestMaterialsMissing: what is not found is told of with its hash, its name where a list has it, and the places.
func TestMaterialsMissing(t *testing.T) {
	model, _ := parted(t, "DcDt", true)
	dir := t.TempDir()
	names := filepath.Join(dir, "names.txt")
	if err := os.WriteFile(names, []byte("paint\nnobody\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var d schema.Diagnostics
	l := engine.Loader{Options: format.Options{Freelancer: format.FreelancerOptions{Names: names}, Install: []string{dir}}}
	liftWith(t, byName(t, "cmp"), model, l.Env(filepath.Join(dir, "DATA", "ship.cmp"), &d))
	text := ""
	for _, x := range d.All() {
		if x.Code == "material-missing" {
			text = x.String()
		}
	}
	for _, want := range []string{"2 materials", hash("paint").String() + ` "paint"`, hash("steel").String(), "its folder", dir, "--install"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not tell of %q", text, want)
		}
	}
}

// TestMeshesFound finds a mesh library beside the model under another name.
func TestMeshesFound(t *testing.T) {
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	lib := freelancer.NewTree()
	dir := tree.Root.Child(freelancer.MeshLibrary)
	lib.Root.Add(dir)
	tree.Root.Remove(dir)
	root := t.TempDir()
	nothing := freelancer.NewTree() // names all of them, and holds none
	for _, m := range dir.Children {
		nothing.Root.Dir(freelancer.MeshLibrary).Dir(m.Name).Set("VMeshData", nil)
	}
	for name, b := range map[string][]byte{"interface.generic.vms": treeBytes(t, lib), "a.vms": treeBytes(t, nothing)} {
		if err := os.WriteFile(filepath.Join(root, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	model := treeBytes(t, tree)
	var d schema.Diagnostics
	s := liftWith(t, byName(t, "cmp"), model, new(engine.Loader).Env(filepath.Join(root, "ship.cmp"), &d))
	shown := 0
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil {
			shown++
		}
	})
	if shown != 3 || d.Has("mesh-missing") {
		t.Errorf("%d meshes: %v", shown, d.All())
	}
	want := fmt.Sprintf("%d meshes from %s", len(dir.Children), filepath.Join(root, "interface.generic.vms"))
	if all := d.All(); !slices.ContainsFunc(all, func(x schema.Diagnostic) bool { return x.Code == "library-found" && x.Msg == want }) || d.Count("library-found") != 1 {
		t.Errorf("told %v, want %s", all, want)
	}
	if back := lower(t, byName(t, "cmp"), "ship.cmp", fromGLB(t, glb(t, s, nil)), nil); string(back) != string(model) {
		t.Error("it does not come back as it was")
	}
}

// TestDetail: "info -v" tells which file each material and texture comes from.
func TestDetail(t *testing.T) {
	model, library := parted(t, "DcDt", true)
	root := t.TempDir()
	for name, b := range map[string][]byte{"ship.cmp": model, "z.mat": only(t, library, "paint")} {
		if err := os.WriteFile(filepath.Join(root, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := engine.Loader{Detail: true}
	desc, err := l.Describe(engine.Source{Path: filepath.Join(root, "ship.cmp")})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, f := range desc.Facts {
		got[f.Name] = f.Value
	}
	path := filepath.Join(root, "z.mat")
	for name, want := range map[string]string{"material paint": "DcDt, in " + path, "  texture paint.dds": "in " + path, "material " + hash("steel").String(): "not found"} {
		if got[name] != want {
			t.Errorf("%s: %v, want %s", name, got[name], want)
		}
	}
}

// TestPlanetFound shows a planet with materials of another file, and takes it back where that file is not at hand.
func TestPlanetFound(t *testing.T) {
	_, library := parted(t, "DcDt", true)
	tree := freelancer.NewTree()
	dir := tree.Root.Add(freelancer.NewDir("Sphere"))
	for i, name := range [...]string{"paint", "steel", "paint", "steel", "paint", "nobody"} {
		dir.Add(freelancer.NewLeaf(fmt.Sprintf("M%d", i), []byte(name+"\x00")))
	}
	dir.Add(freelancer.NewLeaf("Radius", []byte{0, 0, 0x80, 0x3f}))
	dir.Add(freelancer.NewLeaf("Sides", []byte{6, 0, 0, 0}))
	planet := treeBytes(t, tree)
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "other.mat"), library, 0o644); err != nil {
		t.Fatal(err)
	}
	var d schema.Diagnostics
	s := liftWith(t, byName(t, "sph"), planet, new(engine.Loader).Env(filepath.Join(root, "p.sph"), &d))
	if len(s.Materials) != 3 || s.Materials[0].BaseColorTexture == nil || !d.Has("material-missing") {
		t.Fatalf("%d materials: %v", len(s.Materials), d.All())
	}
	corpus.SameBytes(t, "elsewhere", lower(t, byName(t, "sph"), "p.sph", fromGLB(t, glb(t, s, nil)), nil), planet)
}
