package check

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/schema"
)

// checkRecord looks for what a section wants of models, and of other records.
func (c *checker) checkRecord(s *game.Section) {
	switch {
	case s.Is("Loadout"):
		c.checkLoadout(s)
	case s.Is("CollisionGroup"):
		c.checkGroup(s)
	default:
		if m := c.modelOf(s); m != nil {
			c.checkLevels(s, m)
		}
	}
	var done []*worn // a model once, however many records have it
	for _, wearer := range c.Wearers(s) {
		if m := c.modelOf(wearer); m != nil && !slices.Contains(done, m) {
			done = append(done, m)
			c.checkHardpoints(s, m)
		}
	}
}

// modelOf returns the model of a record; nil where it has none that can be read.
func (c *checker) modelOf(s *game.Section) *worn {
	at, _ := c.Model(s)
	if m := c.worn[strings.ToLower(at.Path)]; m != nil && m.err == nil {
		return m
	}
	return nil
}

// checkHardpoints looks for the hardpoints that a section wants of a model.
func (c *checker) checkHardpoints(s *game.Section, m *worn) {
	for _, x := range s.Hardpoints() {
		if !m.hardpoints[strings.ToLower(x.Name)] {
			f := c.tell(hardpointMissing, s, x.Entry, x.Name, "%s has no hardpoint %s", inData(m.at), x.Name)
			f.About = []string{m.at.Path}
		}
	}
}

// inData returns the path of a file as INI files have it.
func inData(at format.GameFile) string { return strings.TrimPrefix(at.Path, game.Data+"/") }

// checkLoadout looks for the records that a loadout puts on a model.
func (c *checker) checkLoadout(s *game.Section) {
	if e := s.Get("archetype"); e.Text(0) != "" && len(c.Wearers(s)) == 0 {
		c.tell(recordMissing, s, e, e.Text(0), "there is no ship or solar object %s", e.Text(0))
	}
	for _, e := range s.All("equip", "cargo") {
		if name := e.Text(0); name != "" && !c.Knows(name) {
			c.tell(recordMissing, s, e, name, "no record has the nickname %s", name)
		}
	}
}

// checkGroup looks for the part that breaks off a model, and for the records of the damage.
func (c *checker) checkGroup(s *game.Section) {
	m := c.modelOf(s.Owner())
	if e := s.Get("obj"); e != nil && m != nil && !m.has(e.Text(0)) {
		f := c.tell(partMissing, s, e, e.Text(0), "%s has no part %s", inData(m.at), e.Text(0))
		f.About = []string{m.at.Path}
	}
	for _, e := range s.All("dmg_obj", "group_dmg_obj") {
		if name := e.Text(0); name != "" && len(c.Records(name, "Simple")) == 0 {
			c.tell(recordMissing, s, e, name, "no record [Simple] has the nickname %s", name)
		}
	}
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

// checkJoints looks for the parts that joints join. One without a name is none.
func (c *checker) checkJoints(m *worn) {
	for i := range m.joints {
		j := &m.joints[i]
		for _, name := range [...]string{j.Parent.Name, j.Child.Name} {
			if name == "" || !m.has(name) {
				c.tellModel(jointLoose, m, "Cmpnd/Cons/"+j.Kind.String(), name, "the joint of %q to %q is left out: the model has no part %q", j.Child.Name, j.Parent.Name, name)
				break
			}
		}
	}
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
		f := c.tell(levelsUnreached, s, e, "", "%s %d of the %s of %s", schema.Counted(len(e.Values), "distance reaches", "distances reach"), max(n, 0),
			schema.Counted(most, "level", "levels"), inData(m.at))
		f.About = []string{m.at.Path}
	}
}
