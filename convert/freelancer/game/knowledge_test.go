package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
)

// knowledgeOf returns what the files of a game say.
func knowledgeOf(t *testing.T, files map[string]string) *Knowledge {
	t.Helper()
	disk := fstest.MapFS{}
	for name, text := range files {
		disk[name] = &fstest.MapFile{Data: []byte(text)}
	}
	g, err := format.NewGame(nil, format.Layer{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	return Of(g)
}

// TestKnowledgeFiles: which files the game reads, in which order, and what they are read as.
func TestKnowledgeFiles(t *testing.T) {
	files := map[string]string{
		"EXE/freelancer.ini":          "[Freelancer]\nother = gone.ini\n[Data]\nships = ships\\a.ini\nSOLAR = solar\\b.ini\nships = SHIPS\\A.INI\nships = nowhere.ini\nships = a.txt\n",
		"DATA/ships/a.ini":            "[Ship]\nnickname = wren\nfiles = c.ini, ships\\d.INI\n",
		"DATA/ships/c.ini":            "[Ship]\nnickname = heron\nback = a.ini\n",
		"DATA/ships/d.ini":            "[Ship]\nnickname = gull",
		"DATA/solar/b.ini":            "[Solar]\nnickname = moon\n",
		"DATA/gone.ini":               "[Ship]\nnickname = unread\n",
		"DATA/MISSIONS/m.ini":         "[Mission]\nnickname = m1\n",
		"DATA/RANDOMMISSIONS/x/r.ini": "[Mission]\nnickname = r1\n",
		"DATA/missions/m.txt":         "[Mission]\nnickname = text\n",
	}
	read := func(k *Knowledge) (list []string) {
		for _, f := range k.Files {
			list = append(list, f.Path+" "+f.Key)
		}
		return list
	}
	k := knowledgeOf(t, files)
	want := []string{"DATA/ships/a.ini ships", "DATA/solar/b.ini solar", "DATA/MISSIONS/m.ini ", "DATA/RANDOMMISSIONS/x/r.ini ", "DATA/ships/c.ini ", "DATA/ships/d.ini "}
	if got := read(k); !slices.Equal(got, want) || k.Unread != 1 || k.Config == nil {
		t.Errorf("%q, %d unread", got, k.Unread)
	}
	for name, want := range map[string]bool{"WREN": true, "heron": true, "gull": true, "moon": true, "m1": true, "r1": true, "unread": false, "text": false} {
		if k.Knows(name) != want {
			t.Errorf("%s is known: %v", name, !want)
		}
	}
	delete(files, "EXE/freelancer.ini")
	k = knowledgeOf(t, files)
	want = []string{"DATA/MISSIONS/m.ini ", "DATA/RANDOMMISSIONS/x/r.ini ", "DATA/gone.ini ", "DATA/ships/a.ini ships", "DATA/ships/c.ini ships", "DATA/ships/d.ini ships", "DATA/solar/b.ini solar"}
	if got := read(k); !slices.Equal(got, want) || k.Unread != 0 || k.Config != nil || !k.Knows("unread") {
		t.Errorf("without freelancer.ini: %q, %d unread", got, k.Unread)
	}
}

// TestKnowledgeRecords: records by nickname and section, by model and sound, with what is loaded with a model.
func TestKnowledgeRecords(t *testing.T) {
	k := knowledgeOf(t, map[string]string{
		"DATA/ships/a.ini": "[Ship]\nnickname = Wren\nDA_archetype = ships\\wren.cmp\nmaterial_library = ships\\a.mat\nmaterial_library = SHIPS\\A.mat\nmaterial_library = lost.mat\n" +
			"[ship]\nnickname = wren\nDA_archetype = lost.cmp\n[Solar]\nnickname = wren\n[Sound]\nnickname = hum\nfile = audio\\hum.wav\n[Noise]\nfile = audio\\hum.wav\n" +
			strings.Repeat("[Ship]\nnickname = many\n", maxAlike+1),
		"DATA/ships/wren.cmp": "", "DATA/SHIPS/a.mat": "", "DATA/audio/hum.wav": "",
	})
	for _, c := range []struct {
		nickname string
		sections []string
		want     int
	}{
		{"WREN", []string{"SHIP"}, 2}, {"wren", []string{"Ship", "Solar"}, 3}, {"wren", nil, 0}, {"wren", []string{"Sound"}, 0}, {"many", []string{"Ship"}, maxAlike},
	} {
		if got := k.Records(c.nickname, c.sections...); len(got) != c.want {
			t.Errorf("%s of %q: %d records, want %d", c.nickname, c.sections, len(got), c.want)
		}
	}
	titles := func(file string) string {
		var list []string
		for _, s := range k.Naming(file) {
			list = append(list, s.Title())
		}
		return strings.Join(list, ", ")
	}
	for file, want := range map[string]string{"data/SHIPS/wren.cmp": "[Ship] Wren", "DATA/audio/hum.wav": "[Sound] hum", "DATA/SHIPS/a.mat": "", "DATA/lost.cmp": ""} {
		if got := titles(file); got != want {
			t.Errorf("%s is named by %q, want %q", file, got, want)
		}
	}
	wren := k.Records("wren", "Ship")[0]
	if list := k.Libraries(wren); len(list) != 1 || list[0].Path != "DATA/SHIPS/a.mat" {
		t.Errorf("libraries %v", list)
	}
	if _, ok := k.Model(k.Records("wren", "Solar")[0]); ok {
		t.Error("a record without a model has one")
	}
}

// TestHardpointsWanted: which values of which entries are hardpoints, and of whose model.
func TestHardpointsWanted(t *testing.T) {
	for line, want := range map[string]string{
		"hp_type = kind, HpA, HpB, 7, HpC": "HpA HpB HpC", "shield_link = s, HpMount, HpShield, HpNo": "HpMount HpShield", "docking_sphere = jump, HpDock, x": "HpDock",
		"HP_tractor_source = HpT, x": "HpT", "HP_bay_surface = HpS, x": "HpS", "HP_bay_external = HpE, x": "HpE", "HP_child = HpC, x": "HpC",
		"HP_trail_parent = HpP, x": "HpP", "hp_particles = HpQ, x": "HpQ", "jump_out_hp = HpJ, x": "HpJ", "dmg_hp = DpA, x": "DpA",
		"group_dmg_hp = DpB, x": "DpB", "equip = gun, HpW, x": "HpW", "cargo = pod, 3, HpG, x": "HpG", "equip = gun": "", "hp_type = HpA": "", "mass = HpA, HpB": "", "EQUIP = gun, , x": "",
	} {
		f := newFile(format.GameFile{}, []byte("[Ship]\n"+line+"\n"))
		var got []string
		for _, m := range f.Sections[0].Hardpoints() {
			got = append(got, m.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	k := knowledgeOf(t, map[string]string{"DATA/ships/a.ini": "[CollisionGroup]\n[Ship]\nnickname = wren\nDA_archetype = wren.cmp\n[CollisionGroup]\n[Solar]\nnickname = wren\n[CollisionGroup]\n[Loadout]\narchetype = WREN\n[Equipment]\n"})
	for i, want := range []string{"[CollisionGroup] number 1", "[Ship] wren", "[Ship] wren", "[Solar] wren", "[Ship] wren", "[Ship] wren [Solar] wren", "[Equipment] number 1"} {
		var got []string
		for _, s := range k.Wearers(k.Files[0].Sections[i]) {
			got = append(got, s.Title())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("section %d: %q, want %q", i, got, want)
		}
	}
}

// TestPlain: names that a line of an INI file, or a record, can hold.
func TestPlain(t *testing.T) {
	for name, want := range map[string][2]bool{
		"Hp01": {true, true}, "a b": {true, false}, `a\b`: {true, false}, "a/b": {true, false}, "": {}, " a": {}, "a ": {}, "a;b": {}, "a,b": {}, "a=b": {},
		`a"b`: {}, "a[b": {}, "a]b": {}, "a\tb": {}, "a\x1fb": {}, "a\x7fb": {}, "ä": {}, "~": {true, true}, "!": {true, true},
	} {
		if got := [2]bool{Writable(name), Plain(name)}; got != want {
			t.Errorf("%q: writable and plain %v, want %v", name, got, want)
		}
	}
	_, unfit := (&Ship{Name: "wren", Hardpoints: []string{"HpA;", "HpB"}, Pieces: []Piece{{File: "a b.3db"}, {File: "c.3db"}}}).INI()
	if fmt.Sprint(unfit) != "[HpA; a b.3db]" {
		t.Errorf("unfit: %q", unfit)
	}
}
