package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
)

// both makes several edits of a game.
func both(edits ...func(testing.TB, fstest.MapFS)) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		for _, edit := range edits {
			edit(t, files)
		}
	}
}

// put adds a file to a game; without text it is a copy of another one.
func put(file, text string, of ...string) func(testing.TB, fstest.MapFS) {
	return func(_ testing.TB, files fstest.MapFS) {
		f := &fstest.MapFile{Data: []byte(text)}
		for _, name := range of {
			f = files[name]
		}
		files[file] = f
	}
}

// putTree adds a file with a tree.
func putTree(file string, children ...*freelancer.Node) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		files[file] = &fstest.MapFile{Data: bytesOf(t, &freelancer.Tree{Root: freelancer.NewDir("", children...)})}
	}
}

// at returns a node of a tree.
func at(root *freelancer.Node, names ...string) *freelancer.Node {
	for _, name := range names {
		root = root.Child(name)
	}
	return root
}

// cut leaves so many bytes of a leaf.
func cut(n int, names ...string) func(testing.TB, fstest.MapFS) {
	return reshape(heron, func(root *freelancer.Node) {
		leaf := at(root, names...)
		leaf.Data = leaf.Data[:n]
	})
}

// far returns bytes of a VMeshRef whose box lies 50 metres away.
func far(b []byte) []byte {
	b = slices.Clone(b)
	for i := 28; i < 52; i += 4 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))
		binary.LittleEndian.PutUint32(b[i:], math.Float32bits(v+50))
	}
	return b
}

// levels gives the hull of the ship levels of detail, the later ones 50 metres away.
func levels(n int) func(testing.TB, fstest.MapFS) {
	return reshape(heron, func(root *freelancer.Node) {
		ref := at(without(root, "hull.3db", "VMeshPart"), "VMeshRef").Data
		multi := freelancer.NewDir("MultiLevel")
		for i := range n {
			if i > 0 {
				ref = far(ref)
			}
			multi.Children = append(multi.Children, freelancer.NewDir(fmt.Sprint("Level", i), freelancer.NewDir("VMeshPart", freelancer.NewLeaf("VMeshRef", ref))))
		}
		hull := root.Child("hull.3db")
		hull.Children = append(hull.Children, multi)
	})
}

// group makes the first level of the hull draw a number of groups of its mesh, from one on.
func group(start, count uint16) func(testing.TB, fstest.MapFS) {
	return reshape(heron, func(root *freelancer.Node) {
		ref := at(root, "hull.3db", "VMeshPart", "VMeshRef").Data
		binary.LittleEndian.PutUint16(ref[16:], start)
		binary.LittleEndian.PutUint16(ref[18:], count)
	})
}

// text returns a finding with all that is told.
func text(f *format.Finding) string {
	s := fmt.Sprintf("%s %s:%d (%d.%d) %s %q: %s", f.Kind.Name, f.File.Path, f.Line, f.At>>16, f.At&0xffff, f.Entry, f.Name, f.Msg)
	if len(f.About) > 0 {
		s += "; " + strings.Join(f.About, ", ")
	}
	if f.Mend != nil {
		s += "; " + f.Mend.Words
	}
	return s
}

func check(t testing.TB, files fs.FS) (list []string) {
	t.Helper()
	g, err := format.NewGame([]string{"DATA", "EXE"}, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Game(g) {
		list = append(list, text(&f))
	}
	return list
}

const (
	equip   = "DATA/EQUIPMENT/equip.ini"
	library = "material_library = ships\\heron\\heron.mat\n"
	wing    = "\n[Simple]\nnickname = heron_wing\nDA_archetype = ships\\heron\\heron_wing.3db\n"
)

// manyFiles names the ship in so many files.
func manyFiles(n int) func(testing.TB, fstest.MapFS) {
	return func(_ testing.TB, files fstest.MapFS) {
		for i := range n {
			files[fmt.Sprintf("DATA/MISSIONS/m%d.ini", i+10)] = &fstest.MapFile{Data: []byte("[A]\nx = ships\\heron\\heron.cmp\ny = ships\\heron\\heron.cmp\n")}
		}
	}
}

// noPaint takes the material that several files have out of all but the library.
func noPaint(files ...string) func(testing.TB, fstest.MapFS) {
	var edits []func(testing.TB, fstest.MapFS)
	for _, file := range files {
		edits = append(edits, reshape(file, func(root *freelancer.Node) {
			without(root, "VMeshLibrary")
			without(root, "VMeshPart")
			without(root, "Material library")
		}))
	}
	return both(edits...)
}

// told are games and all that is told of them, in the order in which it is found.
var told = []struct {
	name string
	edit func(testing.TB, fstest.MapFS)
	want []string
}{
	{"model of a ship", remove(heron), []string{
		`model-missing DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "Ships\\Heron\\heron.cmp": there is no Ships\Heron\heron.cmp`,
	}},
	{"library", remove(heronMat), []string{
		`library-missing DATA/SHIPS/shiparch.ini:4 (0.3) [Ship] heron/material_library "ships\\heron\\heron.mat": there is no ships\heron\heron.mat`,
		`material-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "0x087C4FA1": the material 0x087C4FA1 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/heron_wing.3db or SOLAR/crate.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"sound", remove("DATA/AUDIO/music.wav"), []string{
		`sound-missing DATA/UNIVERSE/SYSTEMS/li01.ini:4 (1.1) [Music] number 1/space "audio\\music.wav": there is no audio\music.wav`,
	}},
	{"archetype of a loadout", change(loadouts, "archetype = heron", "archetype = stork, heron"), []string{
		`record-missing DATA/SHIPS/loadouts.ini:3 (0.2) [Loadout] heron_01/archetype "stork": there is no ship or solar object stork`,
	}},
	{"equipment", change(loadouts, "equip = power01", "equip = power02, gun01"), []string{
		`record-missing DATA/SHIPS/loadouts.ini:5 (0.4) [Loadout] heron_01/equip "power02": no record has the nickname power02`,
		`hardpoint-missing DATA/SHIPS/loadouts.ini:5 (0.4) [Loadout] heron_01/equip "gun01": SHIPS/HERON/heron.cmp has no hardpoint gun01; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"damage", change(shiparch, "dmg_obj = heron_wing", "dmg_obj = heron_tail"), []string{
		`record-missing DATA/SHIPS/shiparch.ini:12 (1.3) [CollisionGroup] number 1/dmg_obj "heron_tail": no record [Simple] has the nickname heron_tail`,
	}},
	{"hardpoint", change(loadouts, "HPWEAPON01", "HpWeapon02"), []string{
		`hardpoint-missing DATA/SHIPS/loadouts.ini:4 (0.3) [Loadout] heron_01/equip "HpWeapon02": SHIPS/HERON/heron.cmp has no hardpoint HpWeapon02; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"hardpoint of a record, once for several with one model", both(change(loadouts, "HPWEAPON01", "HpWeapon02"), change(shiparch, "[Simple]", "[Solar]\nnickname = heron\nDA_archetype = ships\\heron\\heron.cmp\n"+library+"\n[Simple]")), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:15 (2.1) [Solar] heron/nickname "heron": heron is the nickname of [Ship] in SHIPS/shiparch.ini, line 1 as well; DATA/SHIPS/shiparch.ini`,
		`hardpoint-missing DATA/SHIPS/loadouts.ini:4 (0.3) [Loadout] heron_01/equip "HpWeapon02": SHIPS/HERON/heron.cmp has no hardpoint HpWeapon02; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"part", change(shiparch, "obj = wing", "obj = tail"), []string{
		`part-missing DATA/SHIPS/shiparch.ini:10 (1.1) [CollisionGroup] number 1/obj "tail": SHIPS/HERON/heron.cmp has no part tail; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"levels", change(shiparch, "LODranges = 0, 1000", "LODranges = 0"), []string{
		`levels-unreached DATA/SHIPS/shiparch.ini:5 (0.4) [Ship] heron/LODranges "": 1 distance reaches 0 of the 1 level of SHIPS/HERON/heron.cmp; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"no distances", change(shiparch, "LODranges = 0, 1000", "LODranges ="), []string{
		`levels-unreached DATA/SHIPS/shiparch.ini:5 (0.4) [Ship] heron/LODranges "": 0 distances reach 0 of the 1 level of SHIPS/HERON/heron.cmp; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"levels of a model without any", both(putTree("DATA/SHIPS/new.3db"), change(shiparch, "[Simple]", "[Ship]\nnickname = new\nDA_archetype = ships\\new.3db\nLODranges = 0\n[Simple]")), nil},
	{"two levels", levels(2), []string{
		`levels-unreached DATA/SHIPS/shiparch.ini:5 (0.4) [Ship] heron/LODranges "": 2 distances reach 1 of the 2 levels of SHIPS/HERON/heron.cmp; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"two levels and their distances", both(levels(2), change(shiparch, "0, 1000", "0, 500, 1000")), nil},
	{"texture", reshape(heronMat, func(root *freelancer.Node) { without(root, "Texture library", "steel.dds") }), []string{
		`texture-missing DATA/SHIPS/HERON/HERON.MAT:0 (0.0) steel "steel.dds": the texture steel.dds of the material steel is in none of the libraries; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"texture that two models show, once", both(func(_ testing.TB, files fstest.MapFS) { files["DATA/SHIPS/new.cmp"] = files[heron] },
		change(shiparch, "[Simple]", "[Simple]\nnickname = new\nDA_archetype = ships\\new.cmp\nmaterial_library = ships\\heron\\heron.mat\n[Simple]"),
		reshape(heronMat, func(root *freelancer.Node) { without(root, "Texture library", "steel.dds") })), []string{
		`texture-missing DATA/SHIPS/HERON/HERON.MAT:0 (0.0) steel "steel.dds": the texture steel.dds of the material steel is in none of the libraries; DATA/SHIPS/HERON/heron.cmp, DATA/SHIPS/new.cmp`,
	}},
	{"texture of a model's own material", reshape("DATA/SOLAR/crate.3db", func(root *freelancer.Node) {
		m := at(root, "Material library", "paint")
		m.Children = append(m.Children, freelancer.NewLeaf("Dt_name", []byte("gone.tga\x00")))
	}), []string{
		`texture-missing DATA/SOLAR/crate.3db:0 (0.0) paint "gone.tga": the texture gone.tga of the material paint is in none of the libraries; DATA/SOLAR/solararch.ini, DATA/EQUIPMENT/equip.ini`,
	}},
	{"texture that is no folder", reshape(heronMat, func(root *freelancer.Node) {
		without(root, "Texture library", "steel.dds")
		x := root.Child("Texture library")
		x.Children = append(x.Children, freelancer.NewLeaf("steel.dds", []byte("x")))
	}), []string{
		`texture-missing DATA/SHIPS/HERON/HERON.MAT:0 (0.0) steel "steel.dds": the texture steel.dds of the material steel is in none of the libraries; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"texture without a name", reshape(heronMat, func(root *freelancer.Node) { at(root, "Material library", "steel", "Dt_name").Data = []byte{0} }), nil},
	{"no texture library", reshape(heronMat, func(root *freelancer.Node) { without(root, "Texture library") }), []string{
		`texture-missing DATA/SHIPS/HERON/HERON.MAT:0 (0.0) steel "steel.dds": the texture steel.dds of the material steel is in none of the libraries; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"mesh of two levels, once", both(levels(2), change(shiparch, "0, 1000", "0, 500, 1000"), reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary", "ship.hull.lod0-112.vms") })), []string{
		`mesh-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) VMeshRef "0x19B11EF6": the mesh 0x19B11EF6 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
	}},
	{"mesh that lies in a library", func(t testing.TB, files fstest.MapFS) {
		var x *freelancer.Node
		reshape(heron, func(root *freelancer.Node) { x = without(root, "VMeshLibrary") })(t, files)
		putTree("DATA/SHIPS/HERON/heron.vms", x)(t, files)
	}, nil},
	{"material of a mesh that lies in a library", func(t testing.TB, files fstest.MapFS) {
		var x *freelancer.Node
		reshape(heron, func(root *freelancer.Node) { x = without(root, "VMeshLibrary") })(t, files)
		putTree("DATA/SHIPS/HERON/heron.vms", x)(t, files)
		reshape(heronMat, func(root *freelancer.Node) { without(root, "Material library", "steel") })(t, files)
	}, []string{
		`material-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "0x087C4FA1": the material 0x087C4FA1 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
	}},
	{"mesh without data", reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary", "ship.wing.lod0-112.vms", "VMeshData") }), []string{
		`mesh-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) VMeshRef "0x14EF47C9": the mesh 0x14EF47C9 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
	}},
	{"mesh with no byte of data", cut(0, "VMeshLibrary", "ship.wing.lod0-112.vms", "VMeshData"), []string{
		`mesh-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) VMeshRef "0x14EF47C9": the mesh 0x14EF47C9 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
	}},
	{"nothing drawn", both(group(0, 0), reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary", "ship.hull.lod0-112.vms") })), nil},
	{"groups beyond the mesh", group(70, 9), nil},
	{"reference with no byte of data", both(cut(0, "hull.3db", "VMeshPart", "VMeshRef"), reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary", "ship.hull.lod0-112.vms") })), nil},
	{"part without a folder", reshape(heron, func(root *freelancer.Node) { without(root, "Root.3db") }), nil},
	{"record without library", change(shiparch, library, ""), []string{
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "steel": the model wears the material steel of SHIPS/HERON/HERON.MAT, which the record does not load; DATA/SHIPS/HERON/heron.cmp; material_library = SHIPS\HERON\HERON.MAT is added`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/HERON.MAT, SHIPS/HERON/heron_wing.3db or SOLAR/crate.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"record without library, whose materials one library has", both(change(shiparch, library, ""), noPaint("DATA/SOLAR/crate.3db", "DATA/SHIPS/HERON/heron_wing.3db")), []string{
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "steel": the model wears the material steel of SHIPS/HERON/HERON.MAT, which the record does not load; DATA/SHIPS/HERON/heron.cmp; material_library = SHIPS\HERON\HERON.MAT is added`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/HERON.MAT, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"material of two libraries", both(change(shiparch, library, ""), noPaint("DATA/SOLAR/crate.3db", "DATA/SHIPS/HERON/heron_wing.3db"), put("DATA/SHIPS/steel.mat", "", heronMat)), []string{
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "steel": the model wears the material steel of SHIPS/HERON/HERON.MAT or SHIPS/steel.mat, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/HERON.MAT or SHIPS/steel.mat, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"material of another model", both(reshape(heronMat, func(root *freelancer.Node) { without(root, "Material library", "paint") }), noPaint("DATA/SOLAR/crate.3db")), []string{
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/heron_wing.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"planet", putTree("DATA/SOLAR/new.sph", freelancer.NewDir("Sphere", freelancer.NewLeaf("M0", []byte("steel\x00")), freelancer.NewLeaf("M1", []byte("rust\x00")), freelancer.NewLeaf("M2", []byte("\x00")), freelancer.NewLeaf("Sides", []byte("wood\x00")), freelancer.NewDir("M3", freelancer.NewLeaf("x", []byte("clay\x00"))))), []string{
		`material-missing DATA/SOLAR/new.sph:0 (0.0)  "rust": the material rust is in none of the libraries`,
	}},
	{"character", putTree("DATA/CHARACTERS/new.dfm", freelancer.NewDir("Mesh", freelancer.NewLeaf("Material_name", []byte("skin\x00")))), []string{
		`material-missing DATA/CHARACTERS/new.dfm:0 (0.0)  "skin": the material skin is in none of the libraries`,
	}},
	{"two users of a model", both(remove(heronMat), change(shiparch, library, ""), manyFiles(1)), []string{
		`material-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "0x087C4FA1": the material 0x087C4FA1 is in none of the libraries; DATA/SHIPS/shiparch.ini, DATA/MISSIONS/m10.ini`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/heron_wing.3db or SOLAR/crate.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"nine users of a model", both(remove(heronMat), change(shiparch, library, ""), manyFiles(8)), []string{
		`material-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "0x087C4FA1": the material 0x087C4FA1 is in none of the libraries; DATA/SHIPS/shiparch.ini, DATA/MISSIONS/m10.ini, DATA/MISSIONS/m11.ini, DATA/MISSIONS/m12.ini, DATA/MISSIONS/m13.ini, DATA/MISSIONS/m14.ini, DATA/MISSIONS/m15.ini, DATA/MISSIONS/m16.ini`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/heron_wing.3db or SOLAR/crate.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"models in their order", both(noPaint("DATA/SOLAR/crate.3db", "DATA/SHIPS/HERON/heron_wing.3db"), putTree("DATA/A/c.sph", freelancer.NewLeaf("M0", []byte("c\x00"))), putTree("DATA/B/D.sph", freelancer.NewLeaf("M0", []byte("d\x00"))), putTree("DATA/b/a.sph", freelancer.NewLeaf("M0", []byte("a\x00"))), putTree("DATA/A/e.sph", freelancer.NewLeaf("M0", []byte("e\x00"))), putTree("DATA/C/b.sph", freelancer.NewLeaf("M0", []byte("b\x00"))), putTree("DATA/a/F.sph", freelancer.NewLeaf("M0", []byte("f\x00")))), []string{
		`material-missing DATA/A/c.sph:0 (0.0)  "c": the material c is in none of the libraries`,
		`material-missing DATA/A/e.sph:0 (0.0)  "e": the material e is in none of the libraries`,
		`material-missing DATA/a/F.sph:0 (0.0)  "f": the material f is in none of the libraries`,
		`material-missing DATA/b/a.sph:0 (0.0)  "a": the material a is in none of the libraries`,
		`material-missing DATA/B/D.sph:0 (0.0)  "d": the material d is in none of the libraries`,
		`material-missing DATA/C/b.sph:0 (0.0)  "b": the material b is in none of the libraries`,
	}},
	{"record twice", change(shiparch, "[Simple]", wing+"[Simple]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:19 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini; this one, which is the same, is taken out`,
	}},
	{"record twice, the second with another value", change(shiparch, "[Simple]", "[Simple]\nnickname = heron_wing\nDA_archetype = solar\\crate.3db\n[Simple]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:18 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 14 as well; DATA/SHIPS/shiparch.ini`,
	}},
	{"record twice, the second with another key", change(shiparch, "[Simple]", "[Simple]\nnickname = heron_wing\nmesh = ships\\heron\\heron_wing.3db\n[Simple]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:18 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 14 as well; DATA/SHIPS/shiparch.ini`,
	}},
	{"record twice, the second of another kind", change(shiparch, "[Simple]", wing+"[Sample]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:19 (3.1) [Sample] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini`,
	}},
	{"record twice, the second with an entry more", change(shiparch, "[Simple]", "[Simple]\nnickname = heron_wing\n[Simple]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:17 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 14 as well; DATA/SHIPS/shiparch.ini`,
	}},
	{"record twice, the second with a group", change(shiparch, "[Simple]", wing+"[Simple]\nnickname = heron_wing\nDA_archetype = ships\\heron\\heron_wing.3db\n[Sample]\nx = 1\n[Simple]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:19 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini`,
		`nickname-twice DATA/SHIPS/shiparch.ini:24 (5.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini; this one, which is the same, is taken out`,
	}},
	{"record twice, the second before another record", change(shiparch, "[Simple]", wing+wing+"[Simple]\nnickname = other\nx = 1\n[Sample]"), []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:20 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini; this one, which is the same, is taken out`,
		`nickname-twice DATA/SHIPS/shiparch.ini:26 (5.1) [Sample] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini, line 15 as well; DATA/SHIPS/shiparch.ini`,
	}},
	{"record twice in compiled files", func(t testing.TB, files fstest.MapFS) {
		change(shiparch, "[Simple]", wing+"[Simple]")(t, files)
		maps.Copy(files, compiled(t, files))
	}, []string{
		`nickname-twice DATA/SHIPS/shiparch.ini:0 (3.1) [Simple] heron_wing/nickname "heron_wing": heron_wing is the nickname of [Simple] in SHIPS/shiparch.ini as well; DATA/SHIPS/shiparch.ini; this one, which is the same, is taken out`,
	}},
	{"one nickname of a gun and a good", change("DATA/EQUIPMENT/goods.ini", "gun01", "power01"), nil},
	{"two ships of two nicknames, and sections without any", change(shiparch, "[Simple]", "[Ship]\nnickname = stork\n[A]\n[A]\n[Simple]"), nil},
	{"nickname twice in files that others name", put(li01, "[A]\nnickname = x\n[A]\nnickname = x\n"), nil},
	{"names beside the data of freelancer.ini", change("EXE/freelancer.ini", "[Data]", "[Error]\nlog = log.ini\n[Data]"), nil},
	{"nickname that looks like a file", change(equip, "power01", "power01\n[Alarm]\nnickname = alarm.wav"), nil},
	{"two lines that mean nothing", change(li01, "1.5", "5000000000\nx = 6000000000"), []string{
		`ini-line DATA/UNIVERSE/SYSTEMS/li01.ini:0 (0.0) line 2 "": spacefarclip: value 1: 5000000000 does not fit into 32 bits: with a point it is a float`,
		`ini-line DATA/UNIVERSE/SYSTEMS/li01.ini:0 (0.0) line 3 "": x: value 1: 6000000000 does not fit into 32 bits: with a point it is a float`,
	}},
	{"damaged joints", cut(1, "Cmpnd", "Root", "Index"), []string{
		`unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "": Cmpnd/Root\Index+0x0: Index: needs 4 bytes, 1 left; DATA/SHIPS/shiparch.ini`,
	}},
	{"damaged reference", cut(10, "hull.3db", "VMeshPart", "VMeshRef"), []string{
		`unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "": vmeshref+0xa: vertexCount: needs 2 bytes, 0 left; DATA/SHIPS/shiparch.ini`,
	}},
	{"damaged hardpoint", cut(5, "hull.3db", "Hardpoints", "Fixed", "HpEngine01", "Position"), []string{
		`unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "": hull.3db\Hardpoints/HpEngine01\Position+0x0: Position: needs 12 bytes, 5 left; DATA/SHIPS/shiparch.ini`,
	}},
	{"damaged count of materials", reshape("DATA/SOLAR/crate.3db", func(root *freelancer.Node) { x := at(root, "Material library", "Material count"); x.Data = x.Data[:1] }), []string{
		`unreadable DATA/SOLAR/crate.3db:0 (0.0)  "": Material library\Material count+0x0: Material count: needs 4 bytes, 1 left; DATA/SOLAR/solararch.ini, DATA/EQUIPMENT/equip.ini`,
	}},
	{"rest of levels", both(levels(2), reshape(heron, func(root *freelancer.Node) {
		x := at(root, "hull.3db", "MultiLevel")
		x.Children = append(x.Children, freelancer.NewLeaf("Switch2", []byte("abc")))
	})), []string{
		`levels-unreached DATA/SHIPS/shiparch.ini:5 (0.4) [Ship] heron/LODranges "": 2 distances reach 1 of the 2 levels of SHIPS/HERON/heron.cmp; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"damaged model without meshes", both(cut(10, "wing.3db", "VMeshPart", "VMeshRef"), reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary") })), []string{
		`unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "": vmeshref+0xa: vertexCount: needs 2 bytes, 0 left; DATA/SHIPS/shiparch.ini`,
	}},
	{"damaged library", reshape(heronMat, func(root *freelancer.Node) { x := at(root, "Material library", "Material count"); x.Data = x.Data[:1] }), []string{
		`unreadable DATA/SHIPS/HERON/HERON.MAT:0 (0.0)  "": Material library\Material count+0x0: Material count: needs 4 bytes, 1 left`,
		`material-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0)  "0x087C4FA1": the material 0x087C4FA1 is in none of the libraries; DATA/SHIPS/shiparch.ini`,
		`library-unnamed DATA/SHIPS/shiparch.ini:3 (0.2) [Ship] heron/DA_archetype "paint": the model wears the material paint of SHIPS/HERON/heron_wing.3db or SOLAR/crate.3db, which the record does not load; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"hulls of a part that is not there", hulls(func(x *freelancer.Sur) { own(x.Parts[0], "tail", 0) }), []string{
		`hull-part-missing DATA/SHIPS/HERON/heron.sur:0 (0.0) 0xE6D1902F "0xE6D1902F": it has hulls for a part with the hash 0xE6D1902F, and SHIPS/HERON/heron.cmp has no such part; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"hulls elsewhere", hulls(func(x *freelancer.Sur) { own(x.Parts[0], "hull", 50) }), []string{
		`hull-old DATA/SHIPS/HERON/heron.sur:0 (0.0) hull "": the hulls of hull lie elsewhere than what SHIPS/HERON/heron.cmp shows; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"older layout of hulls", func(t testing.TB, files fstest.MapFS) {
		files["DATA/SHIPS/HERON/heron.sur"] = &fstest.MapFile{Data: corpus.Bytes(t, corpus.Testdata(t, "freelancer", "older.sur"))}
	}, []string{
		`hull-layout DATA/SHIPS/HERON/heron.sur:0 (0.0)  "": it has an older layout, of which the game loads nothing: SHIPS/HERON/heron.cmp has no hulls there; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"class of a material", both(classOf("DcDtBt"), materialMap("name = ^detailmap_.* = BtDetailMapMaterial")), []string{
		`material-class DATA/SHIPS/HERON/HERON.MAT:0 (0.0) steel "DcDtBt": the game has no class of materials "DcDtBt", and leaves the material steel out`,
	}},
	{"joint", joint(64, "tail"), []string{
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Fix "tail": the joint of "tail" to "Root" is left out: the model has no part "tail"; DATA/SHIPS/shiparch.ini`,
	}},
	{"hulls of a model that draws nothing", both(group(0, 0), hulls(func(x *freelancer.Sur) { own(x.Parts[0], "hull", 50) })), nil},
	{"hulls of a model of one part, which is another", reshape(heron, func(root *freelancer.Node) {
		for _, name := range []string{"Part_hull", "Part_turret", "Part_wing"} {
			without(root, "Cmpnd", name)
		}
	}), []string{
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Fix "hull": the joint of "hull" to "Root" is left out: the model has no part "hull"; DATA/SHIPS/shiparch.ini`,
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Fix "wing": the joint of "wing" to "Root" is left out: the model has no part "wing"; DATA/SHIPS/shiparch.ini`,
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Rev "hull": the joint of "turret" to "hull" is left out: the model has no part "hull"; DATA/SHIPS/shiparch.ini`,
		`hull-part-missing DATA/SHIPS/HERON/heron.sur:0 (0.0) 0xEE009509 "0xEE009509": it has hulls for a part with the hash 0xEE009509, and SHIPS/HERON/heron.cmp has no such part; DATA/SHIPS/HERON/heron.cmp`,
		`hardpoint-missing DATA/SHIPS/shiparch.ini:6 (0.5) [Ship] heron/hp_type "HpWeapon01": SHIPS/HERON/heron.cmp has no hardpoint HpWeapon01; DATA/SHIPS/HERON/heron.cmp`,
		`part-missing DATA/SHIPS/shiparch.ini:10 (1.1) [CollisionGroup] number 1/obj "wing": SHIPS/HERON/heron.cmp has no part wing; DATA/SHIPS/HERON/heron.cmp`,
		`hardpoint-missing DATA/SHIPS/shiparch.ini:11 (1.2) [CollisionGroup] number 1/dmg_hp "HpEngine01": SHIPS/HERON/heron.cmp has no hardpoint HpEngine01; DATA/SHIPS/HERON/heron.cmp`,
		`hardpoint-missing DATA/SHIPS/loadouts.ini:4 (0.3) [Loadout] heron_01/equip "HPWEAPON01": SHIPS/HERON/heron.cmp has no hardpoint HPWEAPON01; DATA/SHIPS/HERON/heron.cmp`,
	}},
	{"hulls of a model of no part, which says nothing of its parts", reshape(heron, func(root *freelancer.Node) {
		for _, name := range []string{"Root", "Part_hull", "Part_turret", "Part_wing"} {
			without(root, "Cmpnd", name)
		}
	}), []string{
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Fix "Root": the joint of "hull" to "Root" is left out: the model has no part "Root"; DATA/SHIPS/shiparch.ini`,
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Fix "Root": the joint of "wing" to "Root" is left out: the model has no part "Root"; DATA/SHIPS/shiparch.ini`,
		`joint-part-missing DATA/SHIPS/HERON/heron.cmp:0 (0.0) Cmpnd/Cons/Rev "hull": the joint of "turret" to "hull" is left out: the model has no part "hull"; DATA/SHIPS/shiparch.ini`,
		`hardpoint-missing DATA/SHIPS/shiparch.ini:6 (0.5) [Ship] heron/hp_type "HpWeapon01": SHIPS/HERON/heron.cmp has no hardpoint HpWeapon01; DATA/SHIPS/HERON/heron.cmp`,
		`part-missing DATA/SHIPS/shiparch.ini:10 (1.1) [CollisionGroup] number 1/obj "wing": SHIPS/HERON/heron.cmp has no part wing; DATA/SHIPS/HERON/heron.cmp`,
		`hardpoint-missing DATA/SHIPS/shiparch.ini:11 (1.2) [CollisionGroup] number 1/dmg_hp "HpEngine01": SHIPS/HERON/heron.cmp has no hardpoint HpEngine01; DATA/SHIPS/HERON/heron.cmp`,
		`hardpoint-missing DATA/SHIPS/loadouts.ini:4 (0.3) [Loadout] heron_01/equip "HPWEAPON01": SHIPS/HERON/heron.cmp has no hardpoint HPWEAPON01; DATA/SHIPS/HERON/heron.cmp`,
	}},
}

// TestTold: what is told of a fault, and where.
func TestTold(t *testing.T) {
	for _, c := range told {
		t.Run(c.name, func(t *testing.T) {
			files := wholeGame(t)
			c.edit(t, files)
			if got := check(t, files); !slices.Equal(got, c.want) {
				t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// deaf is a game with a file of which only some bytes can be read, or which cannot be opened at all.
type deaf struct {
	fstest.MapFS
	name  string
	bytes int
}

type deafFile struct {
	fs.File
	*bytes.Reader
	bytes int64
}

func (f deafFile) Read(b []byte) (int, error) { return f.Reader.Read(b) }

func (f deafFile) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.bytes {
		return 0, fs.ErrInvalid
	}
	return f.Reader.ReadAt(b, at)
}

func (d deaf) Open(name string) (fs.File, error) {
	f, err := d.MapFS.Open(name)
	if err != nil || name != d.name {
		return f, err
	}
	if d.bytes == 0 {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return deafFile{f, bytes.NewReader(d.MapFS[name].Data), int64(d.bytes)}, nil
}

// TestDeaf: a file that cannot be read is told as such, and nothing is said of what may be in it.
func TestDeaf(t *testing.T) {
	files := wholeGame(t)
	for _, c := range []struct {
		file  string
		bytes int
		want  string
	}{
		{heron, 0, "unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  \"\": open DATA/SHIPS/HERON/heron.cmp: permission denied; DATA/SHIPS/shiparch.ini"},
		{heron, 200, "unreadable DATA/SHIPS/HERON/heron.cmp:0 (0.0)  \"\": invalid argument; DATA/SHIPS/shiparch.ini"},
		{"DATA/SHIPS/HERON/heron.sur", 0, "unreadable DATA/SHIPS/HERON/heron.sur:0 (0.0)  \"\": open DATA/SHIPS/HERON/heron.sur: permission denied; DATA/SHIPS/HERON/heron.cmp"},
	} {
		if got := check(t, deaf{files, c.file, c.bytes}); len(got) != 1 || got[0] != c.want {
			t.Errorf("%d bytes of %s: told\n%s\nwant\n%s", c.bytes, c.file, strings.Join(got, "\n"), c.want)
		}
	}
}

// TestElsewhere: hulls are another shape's when they stand out of their mesh by a quarter of its size and leave as much bare, or
// leave 0.7 of it bare. The mesh is 3 x 4 x 12 metres, 13 from corner to corner.
func TestElsewhere(t *testing.T) {
	mesh := &part{min: [3]float32{10, 20, 30}, max: [3]float32{13, 24, 42}}
	for _, c := range []struct {
		name      string
		low, high [3]float32
		want      bool
	}{
		{"alike", mesh.min, mesh.max, false},
		{"further up", [3]float32{10, 20, 33.25}, [3]float32{13, 24, 45.25}, false},
		{"too far up", [3]float32{10, 20, 33.26}, [3]float32{13, 24, 45.26}, true},
		{"further down", [3]float32{10, 20, 26.75}, [3]float32{13, 24, 38.75}, false},
		{"too far down", [3]float32{10, 20, 26.74}, [3]float32{13, 24, 38.74}, true},
		{"to one side", [3]float32{13.2, 20, 30}, [3]float32{16.2, 24, 42}, false},
		{"too far to one side", [3]float32{13.3, 20, 30}, [3]float32{16.3, 24, 42}, true},
		{"beside it", [3]float32{10, 23.5, 30}, [3]float32{13, 27.5, 42}, true},
		{"around it", [3]float32{0, 10, 20}, [3]float32{23, 34, 52}, false},
		{"its lower end", [3]float32{10, 20, 30}, [3]float32{13, 24, 33}, false},
		{"less of its lower end", [3]float32{10, 20, 30}, [3]float32{13, 24, 32.8}, true},
		{"its upper end", [3]float32{10, 20, 39}, [3]float32{13, 24, 42}, false},
		{"less of its upper end", [3]float32{10, 20, 39.2}, [3]float32{13, 24, 42}, true},
		{"across", [3]float32{0, 20, 34}, [3]float32{23, 24, 38}, true},
	} {
		p := &freelancer.SurPart{ID: 7, Surface: &freelancer.Surface{Points: []freelancer.SurPoint{
			{At: [3]float32{-900, 900, 0}, ID: 8}, {At: c.low, ID: 7}, {At: c.high, ID: 7}}}}
		if got := elsewhere(mesh, p); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for name, s := range map[string]*freelancer.Surface{"no surface": nil, "no points": {}, "points of others": {Points: []freelancer.SurPoint{{ID: 8}}}} {
		if elsewhere(mesh, &freelancer.SurPart{ID: 7, Surface: s}) {
			t.Errorf("%s: elsewhere", name)
		}
	}
}

// TestList: names as words.
func TestList(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"", ""}, {"a", "a"}, {"a b", "a or b"}, {"a b c", "a, b or c"}, {"a b c d", "a, b or 2 others"}, {"a b c d e", "a, b or 3 others"},
	} {
		if got := list(strings.Fields(c.names), "or"); got != c.want {
			t.Errorf("%s: %s", c.names, got)
		}
	}
}

// TestNoGame: a folder without DATA is no game, and one with a single file is.
func TestNoGame(t *testing.T) {
	whole := wholeGame(t)
	if got := check(t, fstest.MapFS{"EXE/freelancer.ini": whole["EXE/freelancer.ini"]}); got != nil {
		t.Errorf("told %q", got)
	}
	if got := check(t, fstest.MapFS{shiparch: whole[shiparch]}); len(got) != 4 {
		t.Errorf("told\n%s", strings.Join(got, "\n"))
	}
}
