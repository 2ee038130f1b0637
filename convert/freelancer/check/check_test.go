package check

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

func bytesOf(t testing.TB, x *freelancer.Tree) []byte {
	t.Helper()
	b, err := write.UTF(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// without takes an entry out of a tree and returns it.
func without(x *freelancer.Node, names ...string) *freelancer.Node {
	for _, name := range names[:len(names)-1] {
		x = x.Child(name)
	}
	gone := x.Child(names[len(names)-1])
	x.Children = slices.DeleteFunc(x.Children, func(n *freelancer.Node) bool { return n == gone })
	return gone
}

// wholeGame returns a small game in which nothing is missing: a ship whose materials lie in a library of their own, its hulls,
// and a crate.
func wholeGame(t testing.TB) fstest.MapFS {
	t.Helper()
	from, files := os.DirFS(filepath.Join(corpus.Testdata(t), "check", "game")), fstest.MapFS{}
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(from, name)
		files[name] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// compiled returns the same files with all INI but freelancer.ini compiled, as the game has them.
func compiled(t testing.TB, files fstest.MapFS) fstest.MapFS {
	out := maps.Clone(files)
	for name, f := range files {
		if !strings.HasSuffix(name, ".ini") || !strings.HasPrefix(name, "DATA") || strings.HasPrefix(string(f.Data), "BINI") {
			continue
		}
		x, err := ini.Parse(string(f.Data), nil)
		if err != nil {
			continue // a damaged one stays as it is
		}
		b, err := write.BINI(x)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = &fstest.MapFile{Data: b}
	}
	return out
}

// shouted returns the same files with names in upper case.
func shouted(_ testing.TB, files fstest.MapFS) fstest.MapFS {
	out := fstest.MapFS{}
	for name, f := range files {
		out[strings.ToUpper(name)] = f
	}
	return out
}

// forms are what a game may look like without being another one.
var forms = map[string]func(testing.TB, fstest.MapFS) fstest.MapFS{
	"text": func(_ testing.TB, files fstest.MapFS) fstest.MapFS { return files }, "compiled": compiled, "shouted": shouted,
}

// found returns what is found, a line each: kind, file, entry, name.
func found(t testing.TB, files fstest.MapFS) (lines []string, list []format.Finding) {
	t.Helper()
	g, err := format.NewGame([]string{"DATA", "EXE"}, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	list = Game(g)
	for _, f := range list {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s %s %s %s", f.Kind.Name, strings.ToLower(f.File.Path), f.Entry, f.Name), " "))
	}
	slices.Sort(lines)
	return lines, list
}

// change edits a text of a game, which it has.
func change(file, from, to string) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		text := string(files[file].Data)
		if !strings.Contains(text, from) {
			t.Fatalf("%s has no %q", file, from)
		}
		files[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, from, to, 1))}
	}
}

func remove(file string) func(testing.TB, fstest.MapFS) {
	return func(_ testing.TB, files fstest.MapFS) { delete(files, file) }
}

// reshape edits a tree of a game.
func reshape(file string, edit func(root *freelancer.Node)) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		x, err := read.UTF(files[file].Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		edit(x.Root)
		files[file] = &fstest.MapFile{Data: bytesOf(t, x)}
	}
}

// hulls edits the collision file of the ship.
func hulls(edit func(x *freelancer.Sur)) func(testing.TB, fstest.MapFS) {
	return func(t testing.TB, files fstest.MapFS) {
		const name = "DATA/SHIPS/HERON/heron.sur"
		x, err := read.Sur(files[name].Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		edit(x)
		b, err := write.Sur(x)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
}

// own makes the hulls of a part those of another one.
func own(p *freelancer.SurPart, name string, by float32) {
	was := p.ID
	p.ID = freelancer.Hash(freelancer.FLCRC(name))
	for i := range p.Surface.Points {
		if at := &p.Surface.Points[i]; at.ID == was {
			at.ID = p.ID
			at.At[0] += by
		}
	}
	for i := range p.Surface.Hulls {
		if h := &p.Surface.Hulls[i]; h.ID == was {
			h.ID = p.ID
		}
	}
}

// classOf gives a material of the ship another type.
func classOf(typ string) func(testing.TB, fstest.MapFS) {
	return reshape(heronMat, func(root *freelancer.Node) { at(root, "Material library", "steel", "Type").Data = []byte(typ + "\x00") })
}

// materialMap gives the game lines that say which class materials get.
func materialMap(lines string) func(testing.TB, fstest.MapFS) {
	return put("EXE/dacom.ini", "@include other.ini\n\n[DACOM]\nDcDtBt = DcDt\n\n[MaterialMap] ; the last one first\n"+lines+"\n")
}

// joint writes a name into the first joint of the ship: the parent's at 0, the child's at 64.
func joint(offset int, name string) func(testing.TB, fstest.MapFS) {
	return reshape(heron, func(root *freelancer.Node) {
		leaf := at(root, "Cmpnd", "Cons", "Fix")
		leaf.Data = slices.Clone(leaf.Data)
		copy(leaf.Data[offset:offset+64], name+strings.Repeat("\x00", 64))
	})
}

const (
	shiparch = "DATA/SHIPS/shiparch.ini"
	loadouts = "DATA/SHIPS/loadouts.ini"
	li01     = "DATA/UNIVERSE/SYSTEMS/li01.ini"
	heron    = "DATA/SHIPS/HERON/heron.cmp"
	heronMat = "DATA/SHIPS/HERON/HERON.MAT"
)

// faulty are games with one fault each, and all that is found in them.
var faulty = []struct {
	name string
	edit func(testing.TB, fstest.MapFS)
	want []string
}{
	{"nothing", func(testing.TB, fstest.MapFS) {}, nil},
	{"model of a ship", remove(heron), []string{`model-missing data/ships/shiparch.ini [Ship] heron/DA_archetype Ships\Heron\heron.cmp`}},
	{"model by its name", change(shiparch, "heron_wing.3db", "heron_wings.3db"), []string{`model-missing data/ships/shiparch.ini [Simple] heron_wing/DA_archetype ships\heron\heron_wings.3db`}},
	{"library", remove(heronMat), []string{
		"library-missing data/ships/shiparch.ini [Ship] heron/material_library ships\\heron\\heron.mat",
		"library-unnamed data/ships/shiparch.ini [Ship] heron/DA_archetype paint", // the crate has one
		"material-missing data/ships/heron/heron.cmp  " + hash("steel"),
	}},
	{"sound", remove("DATA/AUDIO/music.wav"), []string{`sound-missing data/universe/systems/li01.ini [Music] number 1/space audio\music.wav`}},
	{"voices", remove("DATA/AUDIO/voice.utf"), []string{`sound-missing data/universe/systems/li01.ini [Music] number 1/voice audio\voice.utf`}},
	{"effect", remove("DATA/FX/danger.ale"), []string{`effect-missing data/universe/systems/li01.ini [Music] number 1/danger fx\danger.ale`}},
	{"script", remove("DATA/SCRIPTS/battle.THN"), []string{`script-missing data/universe/systems/li01.ini [Music] number 1/battle scripts\battle.thn`}},
	{"animation", remove("DATA/CHARACTERS/walk.anm"), []string{`animation-missing data/universe/systems/li01.ini [Music] number 1/motion characters\walk.anm`}},
	{"system", remove(li01), []string{`ini-missing data/universe/universe.ini [System] li01/file systems\li01.ini`}},
	{"file of freelancer.ini", remove("DATA/SOLAR/solararch.ini"), []string{`ini-missing exe/freelancer.ini [Data] number 1/solar solar\solararch.ini`}},
	{"file of a mission", remove("DATA/MISSIONS/npc.ini"), []string{`ini-missing data/missions/m01.ini [Mission] number 1/npc_ship_file missions\npc.ini`}},
	{"name that leaves the game", change(li01, `audio\music.wav`, `..\..\..\etc\music.wav`), []string{`sound-missing data/universe/systems/li01.ini [Music] number 1/space ..\..\..\etc\music.wav`}},
	{"ship of a loadout", change(loadouts, "archetype = heron", "archetype = stork"), []string{"record-missing data/ships/loadouts.ini [Loadout] heron_01/archetype stork"}},
	{"equipment of a loadout", change(loadouts, "equip = power01", "equip = power02"), []string{"record-missing data/ships/loadouts.ini [Loadout] heron_01/equip power02"}},
	{"cargo of a loadout", change(loadouts, "cargo = gun01", "cargo = gun02"), []string{"record-missing data/ships/loadouts.ini [Loadout] heron_01/cargo gun02"}},
	{"damage", change(shiparch, "dmg_obj = heron_wing", "dmg_obj = heron_tail"), []string{"record-missing data/ships/shiparch.ini [CollisionGroup] number 1/dmg_obj heron_tail"}},
	{"hardpoint of a loadout", change(loadouts, "HPWEAPON01", "HpWeapon02"), []string{"hardpoint-missing data/ships/loadouts.ini [Loadout] heron_01/equip HpWeapon02"}},
	{"hardpoint of a record", change(shiparch, "hp_gun, HpWeapon01", "hp_gun, HpWeapon01, HpWeapon07"), []string{"hardpoint-missing data/ships/shiparch.ini [Ship] heron/hp_type HpWeapon07"}},
	{"hardpoint of cargo", change(loadouts, "cargo = gun01, 2", "cargo = gun01, 2, HpCargo01"), []string{"hardpoint-missing data/ships/loadouts.ini [Loadout] heron_01/cargo HpCargo01"}},
	{"hardpoint of a shield", change(shiparch, "fuse = none", "shield_link = none, HpMount, HpEngine01\nfuse = none"), []string{"hardpoint-missing data/ships/shiparch.ini [Ship] heron/shield_link HpMount"}},
	{"hardpoint of a group", change(shiparch, "dmg_hp = HpEngine01", "dmg_hp = DpWing"), []string{"hardpoint-missing data/ships/shiparch.ini [CollisionGroup] number 1/dmg_hp DpWing"}},
	{"hardpoint of the model", reshape(heron, func(root *freelancer.Node) { without(root, "turret.3db", "Hardpoints", "Revolute", "HpWeapon01") }), []string{
		"hardpoint-missing data/ships/loadouts.ini [Loadout] heron_01/equip HPWEAPON01", "hardpoint-missing data/ships/shiparch.ini [Ship] heron/hp_type HpWeapon01",
	}},
	{"part of a group", change(shiparch, "obj = wing", "obj = tail"), []string{"part-missing data/ships/shiparch.ini [CollisionGroup] number 1/obj tail"}},
	{"levels", change(shiparch, "LODranges = 0, 1000", "LODranges = 0"), []string{"levels-unreached data/ships/shiparch.ini [Ship] heron/LODranges"}},
	{"two ships", change(shiparch, "[CollisionGroup]", "[Ship]\nnickname = HERON\n[CollisionGroup]"), []string{"nickname-twice data/ships/shiparch.ini [Ship] HERON/nickname HERON"}},
	{"a gun and a reactor", change("DATA/EQUIPMENT/equip.ini", "nickname = power01", "nickname = power01\n[Gun]\nnickname = Power01"), []string{
		"nickname-twice data/equipment/equip.ini [Gun] Power01/nickname Power01",
	}},
	{"material", reshape(heronMat, func(root *freelancer.Node) { without(root, "Material library", "steel") }), []string{"material-missing data/ships/heron/heron.cmp  " + hash("steel")}},
	{"texture", reshape(heronMat, func(root *freelancer.Node) { without(root, "Texture library", "steel.dds") }), []string{"texture-missing data/ships/heron/heron.mat steel steel.dds"}},
	{"mesh", reshape(heron, func(root *freelancer.Node) { without(root, "VMeshLibrary", "ship.wing.lod0-112.vms") }), []string{
		"mesh-missing data/ships/heron/heron.cmp VMeshRef " + hash("ship.wing.lod0-112.vms"),
	}},
	{"record without library", change(shiparch, "material_library = ships\\heron\\heron.mat\n", ""), []string{
		"library-unnamed data/ships/shiparch.ini [Ship] heron/DA_archetype paint", "library-unnamed data/ships/shiparch.ini [Ship] heron/DA_archetype steel",
	}},
	{"damaged model", func(_ testing.TB, files fstest.MapFS) { files[heron].Data = files[heron].Data[:100] }, []string{"unreadable data/ships/heron/heron.cmp"}},
	{"damaged model that nothing names", func(_ testing.TB, files fstest.MapFS) {
		files["DATA/SHIPS/new.3db"] = &fstest.MapFile{Data: []byte("UTF ")}
	}, []string{"unreadable data/ships/new.3db"}},
	{"model that nothing names", func(_ testing.TB, files fstest.MapFS) { files["DATA/FX/new.cmp"] = files[heron] }, nil},
	{"damaged INI", func(_ testing.TB, files fstest.MapFS) {
		files[li01] = &fstest.MapFile{Data: []byte("BINI\x01\x00\x00\x00")}
	}, []string{"unreadable data/universe/systems/li01.ini"}},
	{"damaged hulls", func(_ testing.TB, files fstest.MapFS) {
		files["DATA/SHIPS/HERON/heron.sur"] = &fstest.MapFile{Data: []byte("vers")}
	}, []string{"unreadable data/ships/heron/heron.sur"}},
	{"line", change(li01, "1.5", "5000000000"), []string{"ini-line data/universe/systems/li01.ini line 2"}},
	{"hulls of a part", hulls(func(x *freelancer.Sur) { own(x.Parts[0], "tail", 0) }), []string{"hull-part-missing data/ships/heron/heron.sur " + hash("tail") + " " + hash("tail")}},
	{"hulls elsewhere", hulls(func(x *freelancer.Sur) { own(x.Parts[0], "hull", 50) }), []string{"hull-old data/ships/heron/heron.sur hull"}},
	{"class of a material", both(classOf("DcDtBt"), materialMap("name = ^detailmap_.* = BtDetailMapMaterial")), []string{"material-class data/ships/heron/heron.mat steel DcDtBt"}},
	{"class that a line of the map leads to", both(classOf("DcDtBt"), materialMap("DcDt = Dirt\nname = ^STEEL$ = Rust")), []string{
		"material-class data/ships/heron/heron.mat paint Dirt", "material-class data/ships/heron/heron.mat steel Rust",
		"material-class data/ships/heron/heron_wing.3db paint Dirt", "material-class data/solar/crate.3db paint Dirt",
	}},
	{"class by the last line that fits", both(classOf("DcDtBt"), materialMap("name = ^st = Rust\nname = ee = BtDetailMapMaterial\nname = ^ee = Rust")), nil},
	{"class of a type", both(classOf("DcDtBt"), materialMap("dcdtbt = DCDTEC")), nil},
	{"class by a line that means nothing", both(classOf("DcDtBt"), materialMap("name = *( = DcDt\nname = ( = DcDt\nname\nname = ^steel$")), []string{"material-class data/ships/heron/heron.mat steel DcDtBt"}},
	{"class where no line says what the game has", classOf("DcDtBt"), nil},
	{"material without a class", both(classOf(""), materialMap("")), nil},
	{"joint to a part", joint(64, "tail"), []string{"joint-part-missing data/ships/heron/heron.cmp Cmpnd/Cons/Fix tail"}},
	{"joint from a part", joint(0, "tail"), []string{"joint-part-missing data/ships/heron/heron.cmp Cmpnd/Cons/Fix tail"}},
	{"joint to a part without a name", joint(64, ""), []string{"joint-part-missing data/ships/heron/heron.cmp Cmpnd/Cons/Fix"}},
	{"joint to a part in other letters", joint(0, "ROOT"), nil},
	{"older layout of hulls", func(t testing.TB, files fstest.MapFS) {
		files["DATA/SHIPS/HERON/heron.sur"] = &fstest.MapFile{Data: corpus.Bytes(t, corpus.Testdata(t, "freelancer", "older.sur"))}
	}, []string{"hull-layout data/ships/heron/heron.sur"}},
	{"no freelancer.ini", remove("EXE/freelancer.ini"), []string{"config-missing exe/freelancer.ini  EXE/freelancer.ini", `model-missing data/ships/unread.ini [Ship] old/DA_archetype ships\gone.cmp`}},
}

func hash(name string) string { return freelancer.Hash(freelancer.FLCRC(name)).String() }

// TestFaults: each fault is found in every form of the game, and nothing else.
func TestFaults(t *testing.T) {
	for _, c := range faulty {
		for _, form := range slices.Sorted(maps.Keys(forms)) {
			if form == "compiled" && strings.Contains(strings.Join(c.want, ""), lineUnread.Name) {
				continue // a compiled file has no lines that mean nothing
			}
			t.Run(c.name+"/"+form, func(t *testing.T) {
				files := wholeGame(t)
				c.edit(t, files)
				got, _ := found(t, forms[form](t, files))
				want := slices.Sorted(slices.Values(c.want))
				if !slices.Equal(got, want) {
					t.Errorf("found:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}

// TestKinds: every kind is one of those that the faults show.
func TestKinds(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range faulty {
		for _, line := range c.want {
			kind, _, _ := strings.Cut(line, " ")
			shown[kind] = true
		}
	}
	for _, k := range Kinds {
		if !shown[k.Name] || k.Title == "" {
			t.Errorf("%s: shown by a fault %v, %q", k.Name, shown[k.Name], k.Title)
		}
	}
}
