package library

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// disk is a format.FileTree in memory. Its files are called from the root on.
type disk struct {
	files  fstest.MapFS
	home   string
	shared map[any]any
	opened map[string]int
}

type opened struct{ *bytes.Reader }

func (opened) Close() error { return nil }

func newDisk(home string, files map[string][]byte) *disk {
	d := &disk{files: fstest.MapFS{}, home: home, shared: map[any]any{}, opened: map[string]int{}}
	for name, b := range files {
		d.files[name] = &fstest.MapFile{Data: b}
	}
	return d
}

func onDisk(name string) string           { return filepath.FromSlash("/" + name) }
func (d *disk) inside(path string) string { return strings.Trim(filepath.ToSlash(path), "/") }
func (d *disk) Home() string              { return onDisk(d.home) }
func (d *disk) FS(folder string) (fs.FS, error) {
	return fs.Sub(d.files, d.inside(folder))
}

func (d *disk) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if f := d.files[path.Join(d.home, n)]; f != nil {
			return f.Data, onDisk(path.Join(d.home, n)), nil
		}
	}
	return nil, "", fs.ErrNotExist
}

func (d *disk) Folder(name string) (string, bool) {
	info, err := fs.Stat(d.files, d.inside(name))
	return name, err == nil && info.IsDir()
}

func (d *disk) List(folder string, deep bool, extensions ...string) (list []format.Listed) {
	for _, name := range slices.Sorted(maps.Keys(d.files)) {
		dir, in := path.Dir(name), d.inside(folder)
		if (dir == in || deep && strings.HasPrefix(dir+"/", in+"/")) && slices.Contains(extensions, strings.ToLower(path.Ext(name))) {
			list = append(list, format.Listed{Path: onDisk(name), Size: int64(len(d.files[name].Data))})
		}
	}
	return list
}

func (d *disk) OpenListed(name string) (format.ListedFile, error) {
	f := d.files[d.inside(name)]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	d.opened[d.inside(name)]++
	return opened{bytes.NewReader(f.Data)}, nil
}

func (d *disk) Shared(key any, create func() any) any {
	if d.shared[key] == nil {
		d.shared[key] = create()
	}
	return d.shared[key]
}

func utf(t *testing.T, x *freelancer.Tree) []byte {
	t.Helper()
	b, err := write.UTF(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// meshBytes returns a mesh whose groups have some materials.
func meshBytes(t *testing.T, materials ...string) string {
	t.Helper()
	v := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.FVFPosition}
	for _, m := range materials {
		v.Groups = append(v.Groups, freelancer.MeshGroup{Material: freelancer.FLCRC(m)})
	}
	b, err := write.VMesh(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// namesIn returns which of some names a set of hashes has.
func namesIn(set map[uint32]bool, names ...string) (list []string) {
	for _, n := range names {
		if set[freelancer.FLCRC(n)] {
			list = append(list, n)
		}
	}
	return list
}

// referring returns a model that refers to meshes and materials in all ways, and has some of them.
func referring(t *testing.T) *freelancer.Tree {
	t.Helper()
	ref := func(name string) string { return words(60, freelancer.FLCRC(name), 0) }
	return treeOf(map[string]string{
		"a.3db/VMeshPart/VMeshRef": ref("near.vms"), "b.3db/VMeshPart/VMeshRef": ref("far.vms"), "b.3db/VMeshWire/VWireData": ref("wire.vms"),
		"VMeshLibrary/near.vms/VMeshData": meshBytes(t, "paint", "steel"), "VMeshLibrary/empty.vms/VMeshData": "", "VMeshLibrary/none.vms/other": "x",
		"Sphere/M0": "land\x00", "Sphere/M1": "sea\x00", "Sphere/M2": "", "Sphere/Mx": "no side\x00", "Sphere/Sides": "no name\x00", "MultiLevel/Mesh0/Face_groups/Group0/Material_name": "skin\x00", "M3/deep": "no leaf\x00",
		"Material library/steel/Type": "DcDt\x00", "Material library/sea/Type": "DcDt\x00",
	})
}

// TestWanted: what is looked for is what a model refers to and does not have.
func TestWanted(t *testing.T) {
	x := referring(t)
	e, _ := editorOf(t, x, nil)
	wanted := wantedOf(e.Library, x.Root)
	meshes := namesIn(wanted[meshShelf], "near.vms", "far.vms", "wire.vms")
	materials := namesIn(wanted[materialShelf], "paint", "steel", "land", "sea", "skin", "no side", "no name", "no leaf")
	if fmt.Sprint(meshes, materials) != "[far.vms wire.vms] [paint land skin]" || len(wanted[materialShelf]) != 3 || len(wanted[meshShelf]) != 2 {
		t.Errorf("%v %v, of %d and %d", meshes, materials, len(wanted[meshShelf]), len(wanted[materialShelf]))
	}
	worn := wornBy(x.Root)
	if got := namesIn(worn, "paint", "steel", "land", "sea", "skin", "no side", "no name", "no leaf"); fmt.Sprint(got) != "[paint steel land sea skin]" || len(worn) != 5 {
		t.Errorf("worn are %v, %d", got, len(worn))
	}
	nameless := &format.Env{Files: listless{newDisk("", map[string][]byte{".mat": utf(t, x)})}}
	if l, err := New(freelancer.NewTree().Root, "", &asset.Scene{}, nameless); err != nil || l.Has("steel") {
		t.Errorf("a file without a name has a library without one: %v", err)
	}
	if len(e.Own) != 1 || e.Own[0].Name != "near.vms" || e.Mesh(0) != nil {
		t.Errorf("%d meshes of its own", len(e.Own))
	}
}

// TestNamesAround: hashes are called by what lies in the file and around it, and by the user's list where neither knows them.
func TestNamesAround(t *testing.T) {
	x := referring(t)
	x.Root.Dir("c.3db").Dir("VMeshPart").Set("VMeshRef", []byte(words(60, freelancer.FLCRC("a.3db"), 0))) // that is no mesh
	steel := func(name string) *freelancer.Tree {
		return treeOf(map[string]string{"Material library/" + name + "/Type": "DcDt\x00"})
	}
	far := treeOf(map[string]string{"VMeshLibrary/FAR.vms/VMeshData": meshBytes(t), "Material library/Paint/Type": "DcDt\x00"})
	tree := newDisk("ships", map[string][]byte{"ships/far.vms": utf(t, far), "ships/z.mat": utf(t, steel("PAINT")), "ships/names.txt": []byte("wire.vms\npaint\nNobody\n")})
	env := &format.Env{Name: "ship.cmp", Files: tree}
	env.Options.Freelancer.Names = "names.txt"
	got := Names(x.Root, env)
	var list []string
	for _, n := range []string{"near.vms", "far.vms", "wire.vms", "paint", "steel", "nobody", "land", "a.3db"} {
		list = append(list, got[freelancer.FLCRC(n)])
	}
	if s := strings.Join(list, ","); s != "near.vms,FAR.vms,wire.vms,Paint,steel,Nobody,," {
		t.Error(s)
	}
	for _, env := range []*format.Env{nil, {}} {
		if got := Names(x.Root, env); len(got) != 2 || got[freelancer.FLCRC("near.vms")] != "near.vms" {
			t.Errorf("without files: %v", got)
		}
	}
}

// TestFacts: it is said of each mesh, material and texture where it comes from.
func TestFacts(t *testing.T) {
	x := referring(t)
	x.Root.Child(freelancer.MaterialLibrary).Child("sea").Set("Dt_name", []byte("water.tga\x00"))
	x.Root.Child(freelancer.MaterialLibrary).Child("sea").Set("Et_name", []byte("water.tga\x00"))
	x.Root.Child(freelancer.MaterialLibrary).Child("sea").Set("Bt_name", []byte("foam.tga\x00"))
	x.Root.Child(freelancer.MaterialLibrary).Child("sea").Set("Nt_name", []byte("\x00"))
	x.Root.Dir("c.3db").Dir("VMeshPart").Set("VMeshRef", []byte(words(60, 0, 0)))
	addTexture(t, x, "water.tga", plain(4, 4, 1))
	far := treeOf(map[string]string{"VMeshLibrary/Far.vms/VMeshData": meshBytes(t), "Material library/land/Type": "Nebula\x00"})
	tree := newDisk("ships", map[string][]byte{"ships/far.mat": utf(t, far), "ships/names.txt": []byte("wire.vms\npaint\n")})
	env := &format.Env{Name: "ship.cmp", Files: tree}
	env.Options.Freelancer.Names = "names.txt"
	l, err := New(x.Root, "", &asset.Scene{}, env)
	if err != nil {
		t.Fatal(err)
	}
	l.Mesh(freelancer.FLCRC("far.vms"))
	for _, name := range []string{"sea", "land", "nobody"} {
		l.Named(name)
	}
	l.Material(freelancer.FLCRC("paint"))
	l.Material(freelancer.FLCRC("unknown"))
	got := map[string]any{}
	for _, f := range l.Facts(x.Root, env) {
		if got[f.Name] != nil {
			t.Errorf("%s is said twice", f.Name)
		}
		got[f.Name] = f.Value
	}
	hash := func(name string) string { return freelancer.Hash(freelancer.FLCRC(name)).String() }
	if want := map[string]any{
		"mesh Far.vms": "in " + onDisk("ships/far.mat"), "mesh " + hash("wire.vms") + " wire.vms": "not found", "material sea": "DcDt, in the file itself", "  texture water.tga": "in the file itself",
		"  texture foam.tga": "not found", "material land": "Nebula, in " + onDisk("ships/far.mat"), "material nobody": "not found", "material " + hash("paint") + " paint": "not found", "material " + hash("unknown"): "not found",
	}; !maps.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// TestIndexed: only names are read of a file, and nothing is taken for a name in what is damaged.
func TestIndexed(t *testing.T) {
	x := treeOf(map[string]string{"VMeshLibrary/a.vms/VMeshData": "", "VMeshLibrary/note": "x", "material LIBRARY/paint/Type": "", "Texture library/paint.tga/MIP0": "", "Other/b/x": "", "Material library/steel": ""})
	second := x.Root.Add(freelancer.NewDir("VMeshLibrary"))
	second.Dir("hidden.vms")
	whole := utf(t, x)
	put := func(at int, v uint32) []byte {
		b := slices.Clone(whole)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	tree := int(binary.LittleEndian.Uint32(whole[8:]))
	size := binary.LittleEndian.Uint32(whole[12:])
	const all = "[a.vms] [paint] [paint.tga]"
	for _, c := range []struct {
		name string
		b    []byte
		want string
	}{
		{"whole", whole, all}, {"no data behind it", whole[:binary.LittleEndian.Uint32(whole[36:])], all}, {"empty", nil, "[] [] []"}, {"half a header", whole[:freelancer.HeaderSize-1], "[] [] []"},
		{"only a header", whole[:freelancer.HeaderSize], "[] [] []"}, {"of another kind", append([]byte("XUTF"), whole[4:]...), "[] [] []"}, {"entries behind the end", put(8, uint32(len(whole))-size+1), "[] [] []"},
		{"more entries than there are", put(12, uint32(len(whole))), "[] [] []"}, {"too few entries", put(12, freelancer.EntrySize-1), "[] [] []"}, {"names behind the end", put(24, uint32(len(whole))), "[] [] []"},
		{"entries that go round", put(tree+freelancer.EntrySize, freelancer.EntrySize), "[a.vms] [] []"},
	} {
		names := libraryNames(bytes.NewReader(c.b), int64(len(c.b)))
		got := fmt.Sprint(names[meshShelf], names[materialShelf], names[textureShelf])
		if c.name == "entries that go round" {
			got, c.want = "", "" // in what order they come is nobody's
		}
		if got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		d := newDisk("", map[string][]byte{"x.mat": c.b})
		f := indexFile(d, format.Listed{Path: onDisk("x.mat"), Size: int64(len(c.b))})
		if (f == nil) != (got == "[] [] []") && got != "" || f != nil && got == all && (!f.held[textureShelf][freelancer.FLCRC("paint.tga")] || f.held[meshShelf][freelancer.FLCRC("hidden.vms")] || f.path != onDisk("x.mat")) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
	if indexFile(newDisk("", nil), format.Listed{Path: onDisk("x.mat")}) != nil {
		t.Error("what is not there holds something")
	}
}

// TestFilesOf: a folder is looked through once, for libraries or for models, as deep as it is asked.
func TestFilesOf(t *testing.T) {
	lib := utf(t, treeOf(map[string]string{"Material library/paint/Type": ""}))
	d := newDisk("", map[string][]byte{"a/1.mat": lib, "a/b/2.TXM": lib, "a/b/3.cmp": lib, "a/4.3db": lib, "a/5.vms": []byte("x"), "a/6.txt": lib, "ab/7.mat": lib})
	for _, c := range []struct {
		deep, models bool
		want         string
	}{{false, false, "a/1.mat"}, {true, false, "a/1.mat a/b/2.TXM"}, {false, true, "a/4.3db"}, {true, true, "a/4.3db a/b/3.cmp"}, {true, false, "a/1.mat a/b/2.TXM"}} {
		var got []string
		for _, f := range filesOf(d, onDisk("a"), c.deep, c.models) {
			got = append(got, d.inside(f.path))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%+v: %s", c, s)
		}
	}
	if d.opened["a/b/2.TXM"] != 1 {
		t.Errorf("read %d times", d.opened["a/b/2.TXM"])
	}
}

// TestSteps: how far folders are apart, and in which DATA they lie.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"a", "a", 0}, {"a", "A/", 0}, {"a/b", "a", 1}, {"a", "a/b/c", 2}, {"a/b", "a/c", 2}, {"a/b/c", "x/b/c", 6}, {"", "a", 1}, {"ab/c", "a/c", 4}} {
		if got := steps(onDisk(c.a), onDisk(c.b)); got != c.want {
			t.Errorf("%s to %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	for folder, want := range map[string]string{"game/DATA": "game/DATA", "game/Data/SHIPS/data2": "game/Data", "data/x/data/y": "data/x/data", "game/ships": ""} {
		if got := DataFolder(onDisk(folder)); got != onDisk(want) && !(want == "" && got == "") {
			t.Errorf("%s: %s", folder, got)
		}
	}
}

// TestLoaded: the libraries that records name, whatever the case of their names on disk; an INI file is read when a model stands
// in it.
func TestLoadedLibraries(t *testing.T) {
	lib := utf(t, treeOf(map[string]string{"Material library/paint/Type": ""}))
	record := func(model string, libraries ...string) []byte {
		text := "[Ship]\nDA_archetype = " + model + "\n"
		for _, l := range libraries {
			text += "material_library = " + l + "\n"
		}
		return []byte(text)
	}
	files := map[string][]byte{
		"data/SHIPS/ships.INI":     record(`ships\A.cmp`, `fx\a.mat`, `fx\none.mat`, `FX\A.MAT`, `fx`, `fx\text.mat`),
		"data/SHIPS/deep/deep.ini": record(`ships\A.cmp`, `fx\deep.mat`), "data/top.ini": record(`ships\A.cmp`, `fx\top.mat`), "data/SHIPS/old.txt": record(`ships\A.cmp`, `fx\old.mat`),
		"data/EQUIPMENT/more.ini": record(`ships\b.cmp`, `Fx\B.mat`), "data/EQUIPMENT/none.ini": []byte("[Ship]\nDA_archetype = ships\\a.cmp\n"),
		"data/Fx/A.mat": lib, "data/Fx/deep.mat": lib, "data/Fx/top.mat": lib, "data/Fx/old.mat": lib, "data/Fx/text.mat": []byte("none"), "data/Fx/B.mat": lib,
	}
	d := newDisk("data/SHIPS", files)
	for _, c := range [][2]string{{"a.cmp", "data/Fx/A.mat"}, {"B.CMP", "data/Fx/B.mat"}, {"c.cmp", ""}, {"A.cmp", "data/Fx/A.mat"}} {
		var got []string
		for _, f := range filesLoaded(d, onDisk("data"), onDisk("data/SHIPS/"+c[0])) {
			got = append(got, d.inside(f.path))
		}
		if s := strings.Join(got, " "); s != c[1] {
			t.Errorf("%s: %s, want %s", c[0], s, c[1])
		}
	}
	if x := d.shared[loadedKey{onDisk("data")}].(*loaded); len(x.unread) != 0 || d.opened["data/Fx/A.mat"] != 1 {
		t.Errorf("%d files are unread, a library was read %d times", len(x.unread), d.opened["data/Fx/A.mat"])
	}
	if got := filesLoaded(newDisk("", nil), "data", onDisk("x.cmp")); got != nil {
		t.Errorf("in a place that has no way to it: %v", got)
	}
	cases := fstest.MapFS{"FX/a.mat": {}, "Fx/b.mat": {Data: []byte("abc")}, "fX/c.mat": {}, "Fx/B.mat": {}, "only/X.mat": {}}
	for _, c := range []struct {
		name, want string
		size       int64
	}{{"Fx/b.mat", "Fx/b.mat", 3}, {"FX/a.mat", "FX/a.mat", 0}, {"fx/a.mat", "FX/a.mat", 0}, {"ONLY/x.mat", "only/X.mat", 0}, {"fX/b.mat", "", 0}, {"Fx", "", 0}, {"no/a.mat", "", 0}, {"only/x.mat/y", "", 0}} {
		if got, size, ok := locate(cases, c.name); got != c.want || size != c.size || ok != (c.want != "") {
			t.Errorf("%s: %q, %d, %v", c.name, got, size, ok)
		}
	}
}

// TestReadListed: what is gone or cannot be read in the meantime is told of.
func TestReadListed(t *testing.T) {
	d := newDisk("", map[string][]byte{"a/x.mat": []byte("abc"), "a/y.mat": nil, "a/z.unlisted": {1}})
	for name, want := range map[string]bool{"a/x.mat": true, "a/y.mat": true, "a/none.mat": false} {
		b, err := readListed(d, onDisk(name))
		if (err == nil) != want || want && !bytes.Equal(b, d.files[name].Data) {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if _, err := readListed(gone{d}, onDisk("a/x.mat")); err == nil {
		t.Error("a file that is no longer listed is read")
	}
	told := new(schema.Diagnostics)
	f := &finder{tree: d, lib: &Library{d: told}, read: map[string]*foundFile{}}
	if x := f.open(onDisk("a/none.mat")); x.lib != nil || f.open(onDisk("a/none.mat")) != x || told.Count("library-unusable") != 1 || told.All()[0].Msg != fs.ErrNotExist.Error() {
		t.Errorf("a library that is gone: told %v", told.All())
	}
	if _, err := readListed(broken{d}, onDisk("a/x.mat")); err != io.ErrUnexpectedEOF {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

type listless struct{ format.Files }

type gone struct{ *disk }

func (gone) List(string, bool, ...string) []format.Listed { return nil }

type broken struct{ *disk }

type unreadable struct{ opened }

func (unreadable) ReadAt([]byte, int64) (int, error) { return 0, io.ErrUnexpectedEOF }

func (broken) OpenListed(string) (format.ListedFile, error) { return unreadable{}, nil }

// TestWearers: who wears a material or shows a texture, among all models of a game, is counted once.
func TestWearers(t *testing.T) {
	ship := func(materials ...string) []byte {
		return utf(t, treeOf(map[string]string{"VMeshLibrary/a.vms/VMeshData": meshBytes(t, materials...)}))
	}
	lib := utf(t, treeOf(map[string]string{"Material library/paint/Dt_name": "wood.tga\x00", "Material library/steel/Et_name": "WOOD.tga\x00", "Material library/steel/Type": "other.tga\x00", "Material library/glass/Dt_name": "\x00"}))
	files := map[string][]byte{
		"game/DATA/SHIPS/a.cmp": ship("paint"), "game/DATA/FX/deep/b.3db": ship("steel", "paint"), "game/DATA/FX/c.sph": utf(t, treeOf(map[string]string{"Sphere/M0": "steel\x00"})), "game/DATA/FX/d.dfm": utf(t, treeOf(map[string]string{"Material_name": "glass\x00"})),
		"game/DATA/FX/lib.mat": lib, "game/DATA/FX/bad.cmp": []byte("no"), "game/other.cmp": ship("paint"), "game/DATA/FX/e.txt": ship("paint"),
	}
	e, _ := editorOf(t, treeOf(nil), nil)
	if n := e.wearersOf(onDisk("game/DATA/FX/lib.mat")).ofMaterial(freelancer.FLCRC("paint")); n != 0 {
		t.Errorf("without folders %d wear it", n)
	}
	e.around.tree = newDisk("game/DATA/SHIPS", files)
	for range 2 {
		x := e.wearersOf(onDisk("game/DATA/FX/lib.mat"))
		got := fmt.Sprint(x.ofMaterial(freelancer.FLCRC("paint")), x.ofMaterial(freelancer.FLCRC("steel")), x.ofMaterial(freelancer.FLCRC("glass")), x.ofMaterial(freelancer.FLCRC("none")),
			x.ofTexture(freelancer.FLCRC("wood.tga")), x.ofTexture(freelancer.FLCRC("other.tga")), x.ofTexture(freelancer.FLCRC("")))
		if got != "2 2 1 0 3 0 0" || len(x.models) != 4 {
			t.Errorf("%s, of %d models", got, len(x.models))
		}
	}
	e.around.tree = newDisk("mods/a", map[string][]byte{"mods/a/a.cmp": ship("paint"), "mods/b.cmp": ship("paint"), "mods/a/deep/c.cmp": ship("paint")})
	if n := e.wearersOf(onDisk("mods/a/lib.mat")).ofMaterial(freelancer.FLCRC("paint")); n != 2 {
		t.Errorf("outside of a game %d wear it", n)
	}
}

// TestDestination: where an edit of what lies in another file goes.
func TestDestination(t *testing.T) {
	for _, c := range []struct {
		shared, base, path string
		worn               bool
		want               destination
	}{
		{"", "", "far.mat", true, here}, {format.SharedThere, "", "far.mat", true, left}, {format.SharedThere, "", "far.mat", false, left}, {format.SharedThere, "", "", true, here},
		{format.SharedThere, "x/far.mat", "y/far.mat", true, here}, {format.SharedThere, "x/other.mat", "y/far.mat", true, left},
		{format.SharedCopy, "", "far.mat", true, apart}, {format.SharedCopy, "", "far.mat", false, here}, {format.SharedCopy, "", "", true, here}, {format.SharedCopy, "far.mat", "far.mat", true, here},
	} {
		e := &Editor{env: &format.Env{Options: format.Options{Base: c.base, Freelancer: format.FreelancerOptions{Shared: c.shared}}}}
		if got := e.destination(c.path, c.worn); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestLeaveOthers: of a library that an edit is made for, only what was edited goes there, and what it shows.
func TestLeaveOthers(t *testing.T) {
	leaves := map[string]string{
		"Material library/Paint/Dt_name": "A.tga\x00", "Material library/steel/Dt_name": "b.tga\x00", "Material library/glass/Dt_name": "a.TGA\x00", "Material library/Material count": words(3),
		"Texture library/a.tga/MIP0": "", "Texture library/b.tga/MIP0": "", "Texture library/c.tga/MIP0": "", "Other/x": "",
	}
	for _, c := range []struct {
		shared, took, want string
	}{
		{format.SharedThere, "paint c.tga", "[Paint Material count] [a.tga c.tga]"},
		{format.SharedThere, "", "[Material count] []"},
		{"", "paint", "[Material count Paint glass steel] [a.tga b.tga c.tga]"},
	} {
		x := treeOf(leaves)
		e, _ := editorOf(t, x, nil)
		e.env.Options.Freelancer.Shared = c.shared
		for _, name := range strings.Fields(c.took) {
			e.took[name] = true
		}
		err := e.LeaveOthers()
		materials, textures := entries(x, freelancer.MaterialLibrary), entries(x, freelancer.TextureLibrary)
		slices.Sort(materials)
		slices.Sort(textures)
		want := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(c.want))
		got := strings.Fields(strings.Join(append(materials, textures...), " "))
		slices.Sort(want)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q %q: %v %v, %v", c.shared, c.took, materials, textures, err)
		}
	}
	e, _ := editorOf(t, treeOf(map[string]string{"Other/x": ""}), nil)
	e.env.Options.Freelancer.Shared = format.SharedThere
	if err := e.LeaveOthers(); err != nil || len(e.tree.Root.Children) != 1 {
		t.Errorf("without libraries: %v", err)
	}
	e, _ = editorOf(t, treeOf(map[string]string{"Material library/a/Type": ""}), nil)
	e.tree.Root.Child(freelancer.MaterialLibrary).Set("Material count", []byte{1})
	e.env.Options.Freelancer.Shared = format.SharedThere
	if err := e.LeaveOthers(); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a library that cannot be read: %v", err)
	}
}
