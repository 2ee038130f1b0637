package game

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
)

// whole is all that a ship of two parts wants, but for the lines that every ship has.
const whole = `; The records of a new ship, whose files belong into DATA\ships\wren.
; Each section goes into the file above it. What the model does not tell is as a light fighter of the game has it:
; a template. Go through the lines that say "choose".

; ---- into DATA\SHIPS\shiparch.ini
[Ship]
nickname = wren
DA_archetype = ships\wren\wren.cmp
material_library = ships\wren\wren.mat
LODranges = 0, 50, 999 ; choose: the last one is where it vanishes
camera_offset = 12, 50
num_exhaust_nozzles = 1
HP_bay_surface = HpBayDoor01
hp_type = hp_mine_dropper, HpMine01

[CollisionGroup]
obj = wing
separable
parent_impulse = 240.0
child_impulse = 7.0
debris_type = debris_small_ship
dmg_hp = DpWing
dmg_obj = wren_dmg_wing
separation_explosion = explosion_small_ship_breakoff
mass = 5.0 ; choose
hit_pts = 267 ; choose
root_health_proxy = true

[Simple]
nickname = wren_dmg_wing
DA_archetype = ships\wren\dmg_wing.3db
material_library = ships\wren\wren.mat
LODranges = 0, 40 ; choose: the last one is where it vanishes
mass = 5.0 ; choose

; ---- into DATA\SHIPS\loadouts.ini
[Loadout]
nickname = wren_loadout01
archetype = wren
equip = ge_lf_engine_01 ; choose
equip = li_fighter_power01 ; choose
equip = ge_s_scanner_01 ; choose
equip = ge_s_tractor_01 ; choose
equip = contrail01, HpContrail01

; ---- into DATA\EQUIPMENT\goods.ini
[Good]
nickname = wren_hull
category = shiphull
ship = wren
price = 6600 ; choose
ids_name = 0 ; choose: as above
item_icon = Equipment\models\commodities\nn_icons\li_fighter.3db ; choose

[Good]
nickname = wren_package
category = ship
hull = wren_hull
addon = ge_lf_engine_01, internal, 1 ; choose
addon = li_fighter_power01, internal, 1 ; choose
addon = ge_s_scanner_01, internal, 1 ; choose
addon = ge_s_tractor_01, internal, 1 ; choose
addon = contrail01, HpContrail01, 1

; ---- into DATA\EQUIPMENT\market_ships.ini, below the base that sells it
[BaseGood]
base = Li01_01_base ; choose
marketgood = wren_package, 1, -1, 1, 1, 0, 1, 1

; Hardpoints that no line names: DpTail, HpZ.
`

func TestShipWhole(t *testing.T) {
	s := &Ship{Name: "wren", Extension: ".cmp", Library: true, Ranges: "0, 50, 999", Size: 12.4, Parts: []string{"Root", "wing"},
		Hardpoints: []string{"HpMine01", "HpBayDoor01", "HpContrail01", "DpTail", "DpWing", "HpZ"}, Pieces: []Piece{{"dmg_wing.3db", "0, 40"}}}
	text, unfit := s.INI()
	text = strings.Replace(strings.ReplaceAll(text, "\r\n", "\n"), flight, "", 1)
	if text != whole || len(unfit) > 0 {
		t.Errorf("%s\nunfit: %q", text, unfit)
	}
	s.Hardpoints = []string{"HpEngine01", "HpMount", "HpShield01", "HpTractor_Source"}
	if text, _ := s.INI(); strings.Contains(text, "no line names") {
		t.Errorf("all have a line:\n%s", text)
	}
	s.Library = false
	if text, _ := s.INI(); strings.Contains(text, "material_library") {
		t.Error("a ship without a library wants one")
	}
}

// TestLoaded: what files of words say of libraries, compiled or not.
func TestLoaded(t *testing.T) {
	const text = "[Ship]\nDA_archetype = Ships\\Wren.cmp\nmaterial_library = Ships\\A.mat\nmaterial_library = ships/../ships/a.MAT\nmaterial_library = b.mat\n[Ship]\nmaterial_library = c.mat\n[Ship]\nDA_archetype = d.cmp\nmaterial_library =\n"
	for _, b := range [][]byte{[]byte(text), compiled(t, text)} {
		words := Words(b)
		if !HasLibraries(words) || strings.Contains(string(words), "Ships") || !strings.Contains(string(words), `ships\a.mat`) {
			t.Errorf("%.4s: words %q", b, words)
		}
		l := Loaded{}
		l.Add(b)
		if len(l) != 1 || strings.Join(l["ships/wren.cmp"], " ") != "ships/a.mat b.mat" {
			t.Errorf("%.4s: %v", b, l)
		}
	}
	if b := compiled(t, "[material_library]\n"); strings.HasPrefix(string(Words(b)), "bini") {
		t.Errorf("words %q", Words(b))
	}
	for _, b := range []string{"BINI", "BINI\x01\x00\x00\x00\xff\xff\xff", "BINI\x01\x00\x00\x00\xff\xff\xff\xff"} {
		Words([]byte(b))
	}
	if got := string(Words([]byte("BINI\x01\x00\x00\x00\x0c\x00\x00\x00A"))); got != "a" {
		t.Errorf("behind the header are %q", got)
	}
	for name, want := range map[string]string{`Ships\A.mat`: "ships/a.mat", "/a": "a", `..\..\x`: "x", "": "", "a/./b//c": "a/b/c"} {
		if got := Path(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{`a.b\c`: "", `a/b.INI`: ".ini", "a.tar.gz": ".gz", `x\.3db`: ".3db"} {
		if got := Extension(name); got != want {
			t.Errorf("the extension of %q is %q, want %q", name, got, want)
		}
	}
}

// TestSoundsOfOthers: of files that several records have, only sounds and models are theirs.
func TestSoundsOfOthers(t *testing.T) {
	g, err := format.NewGame(nil, format.Layer{FS: fstest.MapFS{
		"DATA/a.ini": {Data: []byte("[Ship]\nnickname = wren\nfile = hum.wav\n[Sound]\nnickname = hum\nfile = HUM.wav\n[Sound]\nnickname = lost\nfile = lost.wav\n")}, "DATA/hum.wav": {},
	}})
	if err != nil {
		t.Fatal(err)
	}
	k := Of(g)
	if list := k.Naming("data/hum.WAV"); len(list) != 1 || list[0].Title() != "[Sound] hum" {
		t.Errorf("%v", list)
	}
	if list := k.Naming(""); len(list) > 0 {
		t.Errorf("no file at all is named by %v", list)
	}
}
