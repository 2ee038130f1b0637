package freelancer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerLevels brings the mesh of a part and its levels of detail in line.
func (e *editor) lowerLevels(p *part) error {
	n := e.nodeOf[p]
	if len(p.levels) == 0 {
		if err := e.newLevels(p, n); err != nil {
			return err
		}
		return e.lowerSwitch(p, n)
	}
	added := e.addedLevels(n)
	for i, l := range slices.Clone(p.levels) {
		edited := n
		if i > 0 {
			edited = e.byID[rig.ID(l.node)]
		}
		if edited == nil {
			if edited = added[i]; edited != nil {
				delete(added, i)
			} else if e.showsLevels() {
				if err := e.removeLevel(p, l); err != nil {
					return err
				}
				continue
			} else {
				e.d.Notef("lod-kept", p.name, "level of detail %d is not in the scene any more; the file keeps it", i)
				continue
			}
		}
		if err := e.lowerLevel(p, l, i, edited); err != nil {
			return err
		}
	}
	if err := e.appendLevels(p, n, added); err != nil {
		return err
	}
	if err := e.lowerSwitch(p, n); err != nil {
		return err
	}
	return e.askedSwitch(p)
}

// newLevels gives a part without geometry that of its node.
func (e *editor) newLevels(p *part, n *asset.Node) error {
	shapes := append([]*asset.Node{n}, e.levelNodes(n)...)
	if len(shapes) == 1 {
		if n.Mesh == nil || mesh.OnlyLines(n.Mesh) {
			return nil
		}
		return e.setMesh(p, p.content, nil, "lod0", n.Mesh, e.levelPlace(p, n, n))
	}
	if n := len(shapes); n > maxLevel+1 {
		e.d.Lossf("lod-left-out", p.name, "%d levels of detail are too many: the game knows %d", n, maxLevel+1)
		shapes = shapes[:maxLevel+1]
	}
	dir := p.content.Dir("MultiLevel")
	for i, c := range shapes {
		d := dir.Dir(fmt.Sprintf("Level%d", i))
		if c.Mesh != nil {
			if err := e.setMesh(p, d, nil, fmt.Sprintf("lod%d", i), c.Mesh, e.levelPlace(p, n, c)); err != nil {
				return err
			}
		}
	}
	write.MultiLevel(dir, &freelancer.MultiLevel{Switch: e.distances(n, len(shapes))})
	return nil
}

// levelNodes returns the nodes that hold the lower levels of detail of a node's mesh, in their order: those that it
// names itself, and those that are called after it, wherever they are.
func (e *editor) levelNodes(n *asset.Node) []*asset.Node {
	called := e.levels[strings.ToLower(n.Name)]
	delete(e.levels, strings.ToLower(n.Name))
	slices.SortStableFunc(called, func(a, b *asset.Node) int {
		_, i, _ := levelName(a)
		_, j, _ := levelName(b)
		return i - j
	})
	nodes := slices.Clone(n.LODs)
	for _, c := range called {
		if !slices.Contains(nodes, c) {
			nodes = append(nodes, c)
		}
	}
	return nodes
}

// levelName takes the name of a lower level of detail apart: the node that it belongs to, in lower case, and its number.
// What an editor puts behind the name of a copy is part of the node's name.
func levelName(c *asset.Node) (of string, number int, ok bool) {
	name, _ := scene.Uncopied(c.Name)
	copied := c.Name[len(name):]
	i := strings.LastIndex(name, "$lod")
	if i < 0 || c.Mesh == nil || skip(c) {
		return "", 0, false
	}
	number, ok = freelancer.NumberOf(name[i:], "$lod")
	return strings.ToLower(name[:i] + copied), number, ok && number > 0
}

// levelWorld returns where a level of detail of a node is in the world. One that the node names, or that has no parent
// and the node's own place, stands where the node stands.
func (e *editor) levelWorld(n, c *asset.Node) mgl64.Mat4 {
	if e.parentOf[c] == nil && (slices.Contains(n.LODs, c) || space.SameTransform(&n.Transform, &c.Transform)) {
		c = n
	}
	return space.World(c, e.parentOf)
}

// levelPlace returns where the mesh of a level of detail is within its part.
func (e *editor) levelPlace(p *part, n, c *asset.Node) mgl64.Mat4 {
	place := e.frames[p].Inv().Mul4(e.levelWorld(n, c))
	if !p.fresh && space.Near(place, e.skew(p)) {
		return mgl64.Ident4()
	}
	return place
}

// addedLevels returns the levels of detail that a part got in an editor, by their numbers.
func (e *editor) addedLevels(n *asset.Node) map[int]*asset.Node {
	added := map[int]*asset.Node{}
	for _, c := range e.levelNodes(n) {
		if of, i, ok := levelName(c); ok && of == strings.ToLower(n.Name) && added[i] == nil && !e.original(c) {
			added[i] = c
		}
	}
	return added
}

// reportLevels reports levels of detail that belong to no part.
func (e *editor) reportLevels() {
	for _, part := range slices.Sorted(maps.Keys(e.levels)) {
		for _, c := range e.levels[part] {
			if !e.original(c) {
				e.d.Lossf("lod-left-out", c.Name, "it is called like a level of detail, but there is no such part")
			}
		}
	}
}

// showsLevels reports whether the editor that the scene comes from shows levels of detail, so that one that is missing
// was deleted by a person: some editors drop them all.
func (e *editor) showsLevels() bool {
	for _, p := range e.parts {
		for i, l := range p.levels {
			if i > 0 && e.byID[rig.ID(l.node)] != nil {
				return true
			}
		}
	}
	return false
}

// removeLevel takes out a level of detail. The one before it is drawn in its stead, and later ones move up.
func (e *editor) removeLevel(p *part, l *level) error {
	e.d.Notef("lod-removed", p.name, "level of detail %d is not in the scene any more", l.number)
	dir := p.content.Child("MultiLevel")
	dir.Remove(l.dir)
	p.levels = slices.DeleteFunc(p.levels, func(x *level) bool { return x == l })
	for _, x := range p.levels {
		if x.number > l.number {
			x.number--
			x.dir.Name = fmt.Sprintf("Level%d", x.number)
		}
	}
	return setSwitch(dir, func(s []float32) []float32 {
		if l.number < len(s) {
			s = slices.Delete(s, l.number, l.number+1)
		}
		return s
	})
}

// appendLevels adds levels of detail behind the last one. A part that had a single mesh gets room for several.
func (e *editor) appendLevels(p *part, n *asset.Node, added map[int]*asset.Node) error {
	if len(added) == 0 {
		return nil
	}
	dir := p.content.Child("MultiLevel")
	if dir == nil {
		dir = e.lowerFirstLevel(p)
	}
	at := p.levels[len(p.levels)-1].number
	for _, i := range slices.Sorted(maps.Keys(added)) {
		if at++; at > maxLevel {
			e.d.Lossf("lod-left-out", p.name, "%d levels of detail are too many: the game knows %d", at+1, maxLevel+1)
			return nil
		}
		c := added[i]
		if err := e.setMesh(p, dir.Dir(fmt.Sprintf("Level%d", at)), nil, fmt.Sprintf("lod%d", at), c.Mesh, e.levelPlace(p, n, c)); err != nil {
			return err
		}
		if err := setSwitch(dir, func(s []float32) []float32 { return e.extendSwitch(s, at) }); err != nil {
			return err
		}
	}
	return nil
}

// maxLevel is the number of the last level of detail that the game knows.
const maxLevel = 9

// lowerFirstLevel puts the one mesh of a part into the first of several levels of detail.
func (e *editor) lowerFirstLevel(p *part) *freelancer.Node {
	first := freelancer.NewDir("Level0")
	dir := freelancer.NewDir("MultiLevel")
	write.MultiLevel(dir, &freelancer.MultiLevel{Switch: []float32{0, farthestLevel}})
	dir.Add(first)
	one := p.content.Child("VMeshPart")
	if one != nil {
		p.content.Children[slices.Index(p.content.Children, one)] = dir
		first.Add(one)
	} else {
		p.content.Add(dir)
	}
	p.levels[0].dir = first
	return dir
}

// farthestLevel is where the last level of detail ends: as good as never, as the game's own files have it (reference
// section 19.2).
const farthestLevel = 1e6

// distances returns the list for a number of new levels of detail: those that the node carries from another file, what
// the user says, or the usual ones; the last level is never out of sight.
func (e *editor) distances(n *asset.Node, levels int) []float32 {
	if len(e.env.Options.LODDistances) == 0 {
		if given := rig.Numbers(rig.Values(n.Native), "switch2"); len(given) == levels+1 {
			return scene.Narrow(given)
		}
	}
	list := []float32{0}
	for i := range levels - 1 {
		list = append(list, e.distance(i))
	}
	list = append(list, farthestLevel)
	if levels > 1 {
		e.d.Notef("lod-ranges", n.Name, "the game rather takes the distances of its INI files: LODranges = %s", rangesOf(list))
	}
	return list
}

// extendSwitch gives the list of distances one more level: it begins where the last one ended, unless that was never.
// Odd lists stay.
func (e *editor) extendSwitch(s []float32, level int) []float32 {
	if len(s) != level+1 {
		return s
	}
	last := s[level]
	if last < farthestLevel {
		return append(s, farthestLevel)
	}
	from := e.distance(level - 1)
	if before := s[level-1]; !(from > before && from < last) {
		from = before + (last-before)/2
		if x := before * 10; x > before && x < last {
			from = x
		}
	}
	return slices.Insert(s, level, from)
}

// distance returns from where on the level behind the given one is drawn: 100, ten times as far for each further one as
// long as that is in sight, and from there on half of the way that is left.
func (e *editor) distance(level int) float32 {
	if given := e.env.Options.LODDistances; level < len(given) {
		return float32(given[level])
	}
	const steps = 4
	if level < steps {
		return float32(100 * math.Pow10(level))
	}
	return float32(farthestLevel - farthestLevel*0.9/math.Pow(2, float64(level-steps+1)))
}

// lowerSwitch takes over edited distances.
func (e *editor) lowerSwitch(p *part, n *asset.Node) error {
	dir := p.content.Child("MultiLevel")
	was := scene.Narrow(rig.Numbers(rig.Values(p.node.Native), "switch2"))
	if dir == nil || len(was) == 0 || rig.Values(n.Native)["switch2"] == nil {
		return nil
	}
	now := slices.Clone(was)
	if err := (scene.Fields{"switch2": now}).Take(freelancer.Format, n.Name, n.Native); err != nil {
		return err
	}
	if !slices.Equal(was, now) {
		write.MultiLevel(dir, &freelancer.MultiLevel{Switch: now})
	}
	return nil
}

// askedSwitch gives the levels of a part that was there before the distances that the user asks for.
func (e *editor) askedSwitch(p *part) error {
	given := e.env.Options.LODDistances
	if len(given) == 0 {
		return nil
	}
	levels := 1
	dir := p.content.Child("MultiLevel")
	if dir != nil {
		err := setSwitch(dir, func(s []float32) []float32 {
			if len(s) == 1 {
				return s // a damaged one
			}
			levels = len(s) - 1
			for i := 1; i < levels; i++ {
				if i <= len(given) {
					s[i] = float32(given[i-1])
				} else if s[i] <= s[i-1] {
					s[i] = 10 * s[i-1]
				}
			}
			s[levels] = max(farthestLevel, 10*s[levels-1])
			return s
		})
		if err != nil {
			return err
		}
	}
	if levels <= len(given) {
		e.d.Notef("lod-distance", p.name, "it has %d lower levels of detail, and needs no more distances than that", levels-1)
	}
	return nil
}

// setSwitch changes the distances of levels of detail, where there are any.
func setSwitch(dir *freelancer.Node, change func([]float32) []float32) error {
	ml, err := read.MultiLevel(dir)
	if err != nil || len(ml.Switch) == 0 {
		return err
	}
	ml.Switch = change(ml.Switch)
	write.MultiLevel(dir, ml)
	return nil
}
