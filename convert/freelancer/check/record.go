package check

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/schema/freelancer"
)

// mounts are the entries of records that name hardpoints of the record's own model, and which of their values do.
var mounts = []struct {
	key      string
	from, to int
}{
	{"hp_type", 1, 255}, {"shield_link", 1, 2}, {"docking_sphere", 1, 1}, {"HP_tractor_source", 0, 0}, {"HP_bay_surface", 0, 0},
	{"HP_bay_external", 0, 0}, {"HP_child", 0, 0}, {"HP_trail_parent", 0, 0}, {"hp_particles", 0, 0}, {"jump_out_hp", 0, 0},
}

// checkRecord looks for what a section wants of a model.
func (c *checker) checkRecord(s *game.Section) {
	switch {
	case s.Is("Loadout"):
		c.checkLoadout(s)
		return
	case s.Is("CollisionGroup"):
		c.checkGroup(s)
		return
	}
	m := c.modelOf(s)
	if m == nil {
		return
	}
	for _, x := range mounts {
		for _, e := range s.All(x.key) {
			for i := x.from; i <= min(x.to, len(e.Values)-1); i++ {
				c.checkHardpoint(s, e, e.Text(i), m)
			}
		}
	}
	c.checkLevels(s, m)
}

// modelOf returns the model of a record; nil where it has none that can be read.
func (c *checker) modelOf(s *game.Section) *worn {
	at, ok := c.Model(s)
	if !ok {
		return nil
	}
	if m := c.worn[strings.ToLower(at.Path)]; m != nil && m.err == nil {
		return m
	}
	return nil
}

func (c *checker) checkHardpoint(s *game.Section, e *game.Entry, name string, m *worn) {
	if name == "" || m.hardpoints[strings.ToLower(name)] {
		return
	}
	f := c.tell(hardpointMissing, s, e, name, "%s has no hardpoint %s", inData(m.at), name)
	f.About = []string{m.at.Path}
}

// inData returns the path of a file as INI files have it.
func inData(at format.GameFile) string { return strings.TrimPrefix(at.Path, game.Data+"/") }

// checkLoadout looks for the records that a loadout puts on a model, and for where it puts them.
func (c *checker) checkLoadout(s *game.Section) {
	archetype := s.Text("archetype")
	wearers := c.Records(archetype, "Ship", "Solar")
	if archetype != "" && len(wearers) == 0 {
		c.tell(recordMissing, s, s.Get("archetype"), archetype, "there is no ship or solar object %s", archetype)
	}
	for _, x := range [...]struct {
		key string
		hp  int
	}{{"equip", 1}, {"cargo", 2}} {
		for _, e := range s.All(x.key) {
			if name := e.Text(0); name != "" && len(c.Records(name)) == 0 {
				c.tell(recordMissing, s, e, name, "no record has the nickname %s", name)
			}
			for _, wearer := range wearers {
				if m := c.modelOf(wearer); m != nil && x.hp < len(e.Values) && e.Values[x.hp].Type == freelancer.BINIText {
					c.checkHardpoint(s, e, e.Text(x.hp), m)
				}
			}
		}
	}
}

// checkGroup looks for the part that breaks off a model, and for the hardpoints of the damage.
func (c *checker) checkGroup(s *game.Section) {
	m := c.modelOf(ownerOf(s))
	if m == nil {
		return
	}
	if e := s.Get("obj"); e != nil && !m.has(e.Text(0)) {
		f := c.tell(partMissing, s, e, e.Text(0), "%s has no part %s", inData(m.at), e.Text(0))
		f.About = []string{m.at.Path}
	}
	for _, e := range s.All("dmg_hp", "group_dmg_hp") {
		c.checkHardpoint(s, e, e.Text(0), m)
	}
	for _, e := range s.All("dmg_obj", "group_dmg_obj") {
		if name := e.Text(0); name != "" && len(c.Records(name, "Simple")) == 0 {
			c.tell(recordMissing, s, e, name, "no record [Simple] has the nickname %s", name)
		}
	}
}

// ownerOf returns the record that a section of a collision group belongs to: the last one before it that has a model.
func ownerOf(s *game.Section) *game.Section {
	for i := s.Number - 1; i >= 0; i-- {
		if other := s.File.Sections[i]; other.Get("DA_archetype") != nil {
			return other
		}
	}
	return s
}

// has reports whether a model has a part.
func (x *tree) has(name string) bool {
	for _, p := range x.parts {
		if strings.EqualFold(p.name, name) {
			return true
		}
	}
	return false
}

// checkLevels compares the distances of a record with the levels of detail of its model.
func (c *checker) checkLevels(s *game.Section, m *worn) {
	e := s.Get("LODranges")
	if e == nil {
		return
	}
	most := 0
	for _, p := range m.parts {
		most = max(most, p.levels)
	}
	if n := len(e.Values) - 1; n < most {
		f := c.tell(levelsUnreached, s, e, "", "%d distances reach %d of the %d levels of %s", len(e.Values), max(n, 0), most, inData(m.at))
		f.About = []string{m.at.Path}
	}
}
