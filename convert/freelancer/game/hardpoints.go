package game

import "github.com/usher-assets/usher/schema/freelancer"

// mounts are the entries that name hardpoints of the model of a record, and which of their values do.
var mounts = []struct {
	key      string
	from, to int
}{
	{"hp_type", 1, 255}, {"shield_link", 1, 2}, {"docking_sphere", 1, 1}, {"HP_tractor_source", 0, 0}, {"HP_bay_surface", 0, 0},
	{"HP_bay_external", 0, 0}, {"HP_child", 0, 0}, {"HP_trail_parent", 0, 0}, {"hp_particles", 0, 0}, {"jump_out_hp", 0, 0},
	{"dmg_hp", 0, 0}, {"group_dmg_hp", 0, 0}, {"equip", 1, 1}, {"cargo", 2, 2},
}

// Mount is a hardpoint that an entry wants.
type Mount struct {
	Entry *Entry
	Name  string
}

// Hardpoints returns the hardpoints that a section wants of a model: of its own, of that of the record which a collision group
// belongs to, or of that which a loadout is for.
func (s *Section) Hardpoints() (list []Mount) {
	for _, x := range mounts {
		for _, e := range s.All(x.key) {
			for i := x.from; i <= min(x.to, len(e.Values)-1); i++ {
				if v := e.Values[i]; v.Type == freelancer.BINIText && v.Text != "" {
					list = append(list, Mount{e, v.Text})
				}
			}
		}
	}
	return list
}

// Wearers returns the records whose models a section wants hardpoints of.
func (k *Knowledge) Wearers(s *Section) []*Section {
	switch {
	case s.Is("Loadout"):
		return k.Records(s.Text("archetype"), "Ship", "Solar")
	case s.Is("CollisionGroup"):
		return []*Section{s.Owner()}
	}
	return []*Section{s}
}

// Owner returns the record that a collision group belongs to: the last one before it that has a model, itself where there is none.
func (s *Section) Owner() *Section {
	if s.owner == nil {
		return s
	}
	return s.owner
}
