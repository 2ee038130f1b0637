package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"
)

// recordsOf returns the records of a ship as the game reads them, and the comment that lists what no record names.
func recordsOf(t *testing.T, s *Ship) (list []*Section, rest string) {
	t.Helper()
	text, unfit := s.INI()
	if len(unfit) > 0 {
		t.Fatalf("no INI file can hold %q", unfit)
	}
	f := newFile(format.GameFile{}, []byte(text))
	if f.Err != nil {
		t.Fatal(f.Err)
	}
	_, rest, _ = strings.Cut(text, "; Hardpoints that no line names: ")
	return f.Sections, strings.TrimRight(rest, ".\r\n")
}

// TestShipHardpoints: every hardpoint that the reference of the game's names lists, with what stands behind such names, is on the
// lines that are for it, or is told as one that none names.
func TestShipHardpoints(t *testing.T) {
	kinds := map[string]string{ // key and first value of the first line, by what names begin with
		"HpWeapon": "hp_type hp_gun_special_10", "HpTurret": "hp_type hp_turret_special_10", "HpTorpedo": "hp_type hp_torpedo_special_2",
		"HpMissile": "hp_type hp_torpedo_special_2", "HpShield": "hp_type hp_fighter_shield_special_7", "HpThruster": "hp_type hp_thruster",
		"HpMine": "hp_type hp_mine_dropper", "HpCM": "hp_type hp_countermeasure_dropper", "HpCargo": "hp_type hp_cargo_pod",
		"HpHeadLight": "equip LargeWhiteSpecial", "HpRunningLight": "equip SlowSmallBlue", "HpContrail": "equip contrail01",
		"HpDockLight": "equip DockingLightRedSmall", "HpEngine": "num_exhaust_nozzles 1",
		"HpBayDoor": "", "HpTractor": "", "HpFX": "", "HpMount": "", "HpCockpit": "", "HpPilot": "", "DpWing": "", "SpConnect": "", "HpLightA": "",
	}
	exact := map[string]string{"HpBayDoor01": "HP_bay_surface HpBayDoor01", "HpBayDoor02": "HP_bay_external HpBayDoor02", "HpTractor_Source": "HP_tractor_source HpTractor_Source"}
	cases := 0
	for begin, usual := range kinds {
		for _, end := range []string{"", "01", "02", "17", "_Source", "_S1_03", "Special", "01.001"} {
			for _, name := range []string{begin + end, strings.ToUpper(begin + end), strings.ToLower(begin + end)} {
				cases++
				want := usual
				if end == "Special" { // it is another name
					want = ""
				}
				for whole, line := range exact {
					if strings.EqualFold(name, whole) {
						want = strings.Fields(line)[0] + " " + name
					}
				}
				list, rest := recordsOf(t, &Ship{Name: "wren", Extension: ".cmp", Ranges: "0, 1", Hardpoints: []string{name}})
				if got := lineOf(list, name, strings.Fields(want + " x")[0]); got != want {
					t.Errorf("%s: on the line %q, want %q", name, got, want)
				}
				if told := rest == name; told != (want == "") {
					t.Errorf("%s: told as one that no line names: %v, want %v", name, told, want == "")
				}
			}
		}
	}
	t.Logf("%d names", cases)
}

// lineOf returns key and first value of the first line that has a hardpoint, or that counts it.
func lineOf(list []*Section, name, counted string) string {
	for _, s := range list {
		for i := range s.Entries {
			e := &s.Entries[i]
			named := slices.ContainsFunc(e.Values, func(v freelancer.BINIValue) bool { return v.Text == name })
			if named || counted == "num_exhaust_nozzles" && e.Key == counted {
				return e.Key + " " + e.Text(0)
			}
		}
	}
	return ""
}

// TestShipClasses: all classes of a kind, the highest first, each with all hardpoints in the order of their names.
func TestShipClasses(t *testing.T) {
	for _, x := range rooms {
		list, _ := recordsOf(t, &Ship{Name: "wren", Extension: ".cmp", Hardpoints: []string{x.begin + "02", x.begin + "01"}})
		var got, want []string
		for _, e := range list[0].All("hp_type") {
			got = append(got, e.String())
		}
		for n := x.classes; n > 0; n-- {
			want = append(want, fmt.Sprintf("%s_%d, %s01, %s02", x.kind, n, x.begin, x.begin))
		}
		if x.classes == 0 {
			want = []string{fmt.Sprintf("%s, %s01, %s02", x.kind, x.begin, x.begin)}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", x.begin, got, want)
		}
	}
}

// TestShipShield: the link wants both ends.
func TestShipShield(t *testing.T) {
	for names, want := range map[string]string{
		"HpMount": "", "HpShield01": "", "HpMount HpShield01": "l_fighter_shield01, HpMount, HpShield01", "hpshield02 HPMOUNT": "l_fighter_shield01, HPMOUNT, hpshield02",
	} {
		list, _ := recordsOf(t, &Ship{Name: "wren", Extension: ".cmp", Hardpoints: strings.Fields(names)})
		got := ""
		if e := list[0].Get("shield_link"); e != nil {
			got = e.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

// TestShipPieces: what breaks off is told where part, hardpoint and piece are called alike, and the record of the piece always.
func TestShipPieces(t *testing.T) {
	for name, c := range map[string]struct {
		part, hardpoint, piece, want string
	}{
		"alike":         {"wing", "DpWing", "dmg_wing.3db", "Ship CollisionGroup Simple"},
		"in other case": {"Wing", "DPWING", "DMG_wing.3db", "Ship CollisionGroup Simple"},
		"no part":       {"tail", "DpWing", "dmg_wing.3db", "Ship Simple"},
		"no hardpoint":  {"wing", "DpTail", "dmg_wing.3db", "Ship Simple"},
		"another piece": {"wing", "DpWing", "wing.cmp", "Ship Simple"},
	} {
		s := &Ship{Name: "wren", Extension: ".cmp", Library: true, Parts: []string{"Root", c.part}, Hardpoints: []string{c.hardpoint}, Pieces: []Piece{{c.piece, "0, 50, 700"}}}
		list, rest := recordsOf(t, s)
		var got []string
		for _, s := range list[:len(strings.Fields(c.want))] {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != c.want || (rest == "") != (len(got) == 3) {
			t.Errorf("%s: %v, want %s; no line names %q", name, got, c.want, rest)
		}
		piece := list[len(got)-1]
		if piece.Text("DA_archetype") != `ships\wren\`+c.piece || piece.Text("material_library") != `ships\wren\wren.mat` || piece.Get("LODranges").String() != "0, 50, 700" {
			t.Errorf("%s: %v", name, piece.Entries)
		}
		if group := list[1]; len(got) == 3 && (group.Text("obj") != c.part || group.Text("dmg_hp") != c.hardpoint || group.Text("dmg_obj") != piece.Nickname() || group.Owner() != list[0]) {
			t.Errorf("%s: %v", name, group.Entries)
		}
	}
}

// TestShipNames: whatever byte a name has, it makes no line or section more, and is told where it cannot be on a line.
func TestShipNames(t *testing.T) {
	shape := func(s *Ship) (n []int) {
		text, _ := s.INI()
		for _, x := range newFile(format.GameFile{}, []byte(text)).Sections {
			n = append(n, len(x.Entries))
		}
		return n
	}
	with, without := shape(&Ship{Name: "wren", Hardpoints: []string{"HpCM01"}}), shape(&Ship{Name: "wren"})
	arrived, told := 0, 0
	for c := range 256 {
		for _, name := range []string{"HpCM01" + string([]byte{byte(c)}), "HpCM0" + string([]byte{byte(c)}) + "1", string([]byte{byte(c)}) + "HpCM01"} {
			s := &Ship{Name: "wren", Hardpoints: []string{name}, Pieces: []Piece{{File: name + ".3db"}}}
			text, unfit := s.INI()
			s.Pieces = nil
			got := shape(s)
			if slices.Contains(unfit, name) {
				told++
				if !slices.Equal(got, without) || strings.Contains(text, name) {
					t.Errorf("%q: sections of %v entries, want %v", name, got, without)
				}
				continue
			}
			arrived++
			if !slices.Equal(got, with) && !slices.Equal(got, without) || !strings.Contains(text, name) {
				t.Errorf("%q: sections of %v entries, want %v", name, got, with)
			}
			if sections := newFile(format.GameFile{}, []byte(text)).Sections; slices.Equal(got, with) && lineOf(sections, name, "") == "" {
				t.Errorf("%q is on a line as another name", name)
			}
		}
	}
	if arrived < 3*85 || told < 3*128 {
		t.Errorf("%d names arrived, %d were told", arrived, told)
	}
	t.Logf("%d names arrived, %d were told", arrived, told)
}

// TestShipSize: the camera stands as far away as the ship is large, and a ship has an engine even where no hardpoint shows it.
func TestShipSize(t *testing.T) {
	for _, c := range []struct {
		ship Ship
		want string // camera_offset, num_exhaust_nozzles
	}{
		{Ship{Size: 9.6}, "10, 38; 1"}, {Ship{Size: 1}, "1, 4; 1"}, {Ship{Size: 250, Hardpoints: []string{"HpEngine01", "HpEngine02", "HpEngineGlow01"}}, "250, 1000; 2"},
	} {
		c.ship.Name = "wren"
		list, _ := recordsOf(t, &c.ship)
		if got := list[0].Get("camera_offset").String() + "; " + list[0].Text("num_exhaust_nozzles"); got != c.want {
			t.Errorf("%+v: %s, want %s", c.ship, got, c.want)
		}
	}
}
