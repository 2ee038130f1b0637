package game

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema/freelancer"
)

// Ship is a new model, as far as the records are concerned that the game wants of it.
type Ship struct {
	Name       string  // of its files, without extension
	Extension  string  // of the model
	Library    bool    // its materials are in a library of the same name
	Ranges     string  // the value of LODranges
	Size       float64 // from its middle to its end, in metres
	Parts      []string
	Hardpoints []string // in the order of the model
	Pieces     []Piece  // models of their own that belong to it
}

// Piece is a model that covers the hole where a part has broken off.
type Piece struct {
	File   string
	Ranges string
}

// name returns the name of a piece without its extension.
func (p *Piece) name() string { return strings.TrimSuffix(p.File, Extension(p.File)) }

// rooms are what the game knows hardpoints by their names for: the kinds of equipment that fit, with one kind for each class.
var rooms = []struct {
	begin, kind string
	classes     int // 0 for a kind without classes
}{
	{"HpWeapon", "hp_gun_special", 10}, {"HpTurret", "hp_turret_special", 10}, {"HpTorpedo", "hp_torpedo_special", 2},
	{"HpMissile", "hp_torpedo_special", 2}, {"HpShield", "hp_fighter_shield_special", 7}, {"HpThruster", "hp_thruster", 0},
	{"HpMine", "hp_mine_dropper", 0}, {"HpCM", "hp_countermeasure_dropper", 0}, {"HpCargo", "hp_cargo_pod", 0},
}

// holders are the keys of a ship's record that name one hardpoint.
var holders = [][2]string{{"HP_bay_surface", "HpBayDoor01"}, {"HP_bay_external", "HpBayDoor02"}, {"HP_tractor_source", "HpTractor_Source"}}

// fittings are what a light fighter of the game has on its hardpoints.
var fittings = [][2]string{
	{"HpShield", "shield01_mark01_lf"}, {"HpThruster", "ge_s_thruster_01"}, {"HpHeadLight", "LargeWhiteSpecial"},
	{"HpRunningLight", "SlowSmallBlue"}, {"HpContrail", "contrail01"}, {"HpDockLight", "DockingLightRedSmall"},
}

// innards are what it has inside.
var innards = []string{"ge_lf_engine_01", "li_fighter_power01", "ge_s_scanner_01", "ge_s_tractor_01"}

// flight is the rest of the record of such a fighter.
const flight = `ids_name = 0 ; choose: the number of its name in the game's string libraries
ids_info = 0 ; choose: that of its description
ship_class = 0 ; choose: 0 light fighter, 1 heavy fighter, 2 freighter, 3 very heavy fighter
type = FIGHTER
msg_id_prefix = gcs_refer_shiparch_lfighter
mission_property = can_use_berths
cockpit = cockpits\liberty\l_fighter.ini
pilot_mesh = generic_pilot
hit_pts = 1300 ; choose
mass = 100.0 ; choose
hold_size = 25 ; choose
nanobot_limit = 12 ; choose
shield_battery_limit = 12 ; choose
linear_drag = 1.0
steering_torque = 24000.0, 24000.0, 58000.0 ; choose: how fast it turns
angular_drag = 15000.0, 15000.0, 35000.0
rotation_inertia = 2800.0, 2800.0, 1000.0
nudge_force = 30000.0
strafe_force = 20000
strafe_power_usage = 2
max_bank_angle = 35
camera_angular_acceleration = 0.05
camera_horizontal_turn_angle = 23
camera_vertical_turn_up_angle = 5
camera_vertical_turn_down_angle = 30
camera_turn_look_ahead_slerp_amount = 1.0
explosion_arch = explosion_li_fighter
surface_hit_effects = 0, small_hull_hit_light01, small_hull_hit_light02, small_hull_hit_light03
surface_hit_effects = 150, small_hull_hit_medium01, small_hull_hit_medium02, small_hull_hit_medium03
surface_hit_effects = 300, small_hull_hit_heavy01, small_hull_hit_heavy02, small_hull_hit_heavy03
fuse = intermed_damage_smallship02, 0.0, 400
fuse = intermed_damage_smallship03, 0.0, 200
`

// INI returns the records that the game wants of a ship, to be pasted into its files, and the names of hardpoints and pieces that
// no line of an INI file can hold.
func (s *Ship) INI() (text string, unfit []string) {
	own := *s
	w := &shipWriter{Ship: &own, named: map[string]bool{}}
	for _, name := range s.Hardpoints {
		if !Writable(name) {
			unfit = append(unfit, name)
		} else {
			w.free = append(w.free, name)
		}
	}
	w.Pieces = nil
	for _, p := range s.Pieces {
		if !Plain(p.File) {
			unfit = append(unfit, p.File)
		} else {
			w.Pieces = append(w.Pieces, p)
		}
	}
	w.head()
	w.archetype()
	w.pieces()
	w.loadout()
	w.goods()
	w.rest()
	return strings.ReplaceAll(w.String(), "\n", "\r\n"), unfit
}

// Writable reports whether a line of an INI file can hold a name as one of its values.
func Writable(name string) bool {
	return name != "" && name == strings.TrimSpace(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return r < ' ' || r > '~' || strings.ContainsRune(`;,="[]`, r)
	})
}

// Plain reports whether a name can be that of a file in a line of an INI file, and of a record.
func Plain(name string) bool { return Writable(name) && !strings.ContainsAny(name, ` \/`) }

// shipWriter writes the records of a ship.
type shipWriter struct {
	*Ship
	strings.Builder
	free  []string        // hardpoints that lines can name
	named map[string]bool // those that a line names
}

func (w *shipWriter) linef(text string, args ...any) { fmt.Fprintf(w, text+"\n", args...) }

// file opens the sections for a file of the game.
func (w *shipWriter) file(name string) { w.linef("\n; ---- into %s", name) }

// folder is where the ship's files belong, below DATA.
func (w *shipWriter) folder() string { return `ships\` + w.Name }

func (w *shipWriter) head() {
	w.linef(`; The records of a new ship, whose files belong into DATA\%s.`, w.folder())
	w.linef("; Each section goes into the file above it. What the model does not tell is as a light fighter of the game has it:")
	w.linef(`; a template. Go through the lines that say "choose".`)
}

// model names the files of a model.
func (w *shipWriter) model(file, ranges string) {
	w.linef(`DA_archetype = %s\%s`, w.folder(), file)
	if w.Library {
		w.linef(`material_library = %s\%s.mat`, w.folder(), w.Name)
	}
	w.linef("LODranges = %s ; choose: the last one is where it vanishes", ranges)
}

func (w *shipWriter) archetype() {
	w.file(`DATA\SHIPS\shiparch.ini`)
	w.linef("[Ship]\nnickname = %s", w.Name)
	w.model(w.Name+w.Extension, w.Ranges)
	w.WriteString(flight)
	w.linef("camera_offset = %.0f, %.0f", w.Size, 4*w.Size) // as with the game's fighters
	engines := w.called("HpEngine")
	w.name(engines)
	w.linef("num_exhaust_nozzles = %d", max(len(engines), 1))
	for _, x := range holders {
		if list := w.exactly(x[1]); len(list) > 0 {
			w.linef("%s = %s", x[0], list[0])
			w.name(list)
		}
	}
	bubble, shield := w.exactly(freelancer.ShieldBubble), w.called("HpShield")
	if len(bubble) > 0 && len(shield) > 0 {
		w.linef("shield_link = l_fighter_shield01, %s, %s", bubble[0], shield[0])
		w.name(bubble)
	}
	for _, x := range rooms {
		w.room(x.begin, x.kind, x.classes)
	}
}

// room says what fits the hardpoints of a name: all classes, the highest first.
func (w *shipWriter) room(begin, kind string, classes int) {
	list := w.called(begin)
	if len(list) == 0 {
		return
	}
	w.name(list)
	names := strings.Join(list, ", ")
	if classes == 0 {
		w.linef("hp_type = %s, %s", kind, names)
	}
	for n := classes; n > 0; n-- {
		w.linef("hp_type = %s_%d, %s", kind, n, names)
	}
}

// pieces writes the records of the models that belong to the ship, and before them what breaks off, as far as names tell: behind
// the part "wing" and the hardpoint "DpWing" the piece "dmg_wing" shows.
func (w *shipWriter) pieces() {
	for i := range w.Pieces {
		w.group(&w.Pieces[i])
	}
	for i := range w.Pieces {
		p := &w.Pieces[i]
		w.linef("\n[Simple]\nnickname = %s_%s", w.Name, p.name())
		w.model(p.File, p.Ranges)
		w.linef("mass = 5.0 ; choose")
	}
}

// group says that a part breaks off, where the model has the part and the hardpoint that are called like a piece.
func (w *shipWriter) group(p *Piece) {
	of, is := strings.CutPrefix(strings.ToLower(p.name()), "dmg_")
	part := slices.IndexFunc(w.Parts, func(name string) bool { return strings.EqualFold(name, of) && Writable(name) })
	point := w.exactly("Dp" + of)
	if !is || part < 0 || len(point) == 0 {
		return
	}
	w.name(point)
	w.linef("\n[CollisionGroup]\nobj = %s\nseparable\nparent_impulse = 240.0\nchild_impulse = 7.0\ndebris_type = debris_small_ship", w.Parts[part])
	w.linef("dmg_hp = %s\ndmg_obj = %s_%s", point[0], w.Name, p.name())
	w.linef("separation_explosion = explosion_small_ship_breakoff\nmass = 5.0 ; choose\nhit_pts = 267 ; choose\nroot_health_proxy = true")
}

// loadout is the equipment of those who fly the ship and are no players.
func (w *shipWriter) loadout() {
	w.file(`DATA\SHIPS\loadouts.ini`)
	w.linef("[Loadout]\nnickname = %s_loadout01\narchetype = %s", w.Name, w.Name)
	w.equip("equip = %s", "equip = %s, %s")
}

// equip puts equipment into the ship and onto its hardpoints.
func (w *shipWriter) equip(inside, outside string) {
	for _, name := range innards {
		w.linef(inside+" ; choose", name)
	}
	for _, x := range fittings {
		list := w.called(x[0])
		w.name(list)
		for _, at := range list {
			w.linef(outside, x[1], at)
		}
	}
}

// goods are what dealers sell.
func (w *shipWriter) goods() {
	w.file(`DATA\EQUIPMENT\goods.ini`)
	w.linef("[Good]\nnickname = %s_hull\ncategory = shiphull\nship = %s", w.Name, w.Name)
	w.linef("price = 6600 ; choose\nids_name = 0 ; choose: as above")
	w.linef(`item_icon = Equipment\models\commodities\nn_icons\li_fighter.3db ; choose`)
	w.linef("\n[Good]\nnickname = %s_package\ncategory = ship\nhull = %s_hull", w.Name, w.Name)
	w.equip("addon = %s, internal, 1", "addon = %s, %s, 1")
	w.file(`DATA\EQUIPMENT\market_ships.ini, below the base that sells it`)
	w.linef("[BaseGood]\nbase = Li01_01_base ; choose\nmarketgood = %s_package, 1, -1, 1, 1, 0, 1, 1", w.Name)
}

// rest lists the hardpoints that are there and have no line yet.
func (w *shipWriter) rest() {
	var list []string
	for _, name := range w.free {
		if !w.named[name] {
			list = append(list, name)
		}
	}
	if len(list) > 0 {
		w.linef("\n; Hardpoints that no line names: %s.", strings.Join(list, ", "))
	}
}

// exactly returns the hardpoint of a name, in any case; an empty list where there is none.
func (w *shipWriter) exactly(name string) []string {
	i := slices.IndexFunc(w.free, func(x string) bool { return strings.EqualFold(x, name) })
	if i < 0 {
		return nil
	}
	return w.free[i : i+1]
}

// called returns the hardpoints whose names are one of the game's and what tells them apart: a number, or a side with numbers.
func (w *shipWriter) called(begin string) (list []string) {
	for _, name := range w.free {
		if len(name) < len(begin) || !strings.EqualFold(name[:len(begin)], begin) {
			continue
		}
		if rest := name[len(begin):]; rest == "" || rest[0] == '_' || rest[0] >= '0' && rest[0] <= '9' {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func (w *shipWriter) name(list []string) {
	for _, name := range list {
		w.named[name] = true
	}
}
