package unreal

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// release is what has to change in the objects that stay when actors go: the level's list, the lists of lights of the
// level's model with their shadows, properties of other actors. Whatever else names an actor keeps it where it is.
type release struct {
	a     *archive
	refs  *references
	going map[int]bool
	left  map[int]bool // actors that the level has left already
	told  []string     // the actors whose properties named one that goes
}

// keeper returns an object that an actor cannot be taken out of; 0 when there is none.
func (x *release) keeper(r unreal.Ref) unreal.Ref {
	for _, i := range x.refs.users[r] {
		if x.going[i] || x.a.gone[i] {
			continue
		}
		o, err := x.a.Object(i)
		if err == nil {
			_, err = x.without(i, o, map[unreal.Ref]bool{r: true})
		}
		if err != nil {
			return unreal.Ref(i + 1)
		}
	}
	return 0
}

// targets are the actors that go.
func (x *release) targets() map[unreal.Ref]bool {
	gone := map[unreal.Ref]bool{}
	for i := range x.going {
		if x.actor(i) {
			gone[unreal.Ref(i+1)] = true
		}
	}
	return gone
}

func (x *release) actor(i int) bool {
	return x.left[i] || x.a.isActor(i)
}

// apply changes the objects that stay.
func (x *release) apply() error {
	gone := x.targets()
	users := map[int]bool{}
	for r := range gone {
		for _, i := range x.refs.users[r] {
			if !x.going[i] && !x.a.gone[i] {
				users[i] = true
			}
		}
	}
	payloads := map[int][]byte{}
	for _, i := range slices.Sorted(maps.Keys(users)) {
		o, err := x.a.Object(i)
		if err != nil {
			return err
		}
		if changed, err := x.without(i, o, gone); err != nil || !changed {
			continue // checkUnused tells who needs what
		}
		if payloads[i], err = write.Object(o); err != nil {
			return err
		}
		if x.a.isActor(i) {
			x.told = append(x.told, x.a.ObjectName(unreal.Ref(i+1)))
		}
	}
	for _, i := range slices.Sorted(maps.Keys(payloads)) {
		if err := x.a.File.Replace(i, payloads[i]); err != nil {
			return err
		}
	}
	if len(x.told) > 0 {
		first := x.told[:min(len(x.told), 3)]
		x.a.Env.Told().Warnf("reference-removed", "", "actors that are removed were named by others: the properties that named them are gone, in %d of these (%s)", len(x.told), strings.Join(first, ", "))
	}
	return nil
}

// without takes actors out of an object that names them.
func (x *release) without(i int, o unreal.AnyObject, gone map[unreal.Ref]bool) (changed bool, err error) {
	switch o := o.(type) {
	case *unreal.Level:
		return leaveLevel(o, gone)
	case *unreal.Model:
		return leaveLights(o, gone)
	case *unreal.Object:
		if x.a.isActor(i) {
			return x.leaveProperties(o, gone)
		}
	}
	return false, stillNeeded(o)
}

func stillNeeded(o unreal.AnyObject) error {
	return schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "%s needs it", o.Base().Path)
}

// leaveLevel takes actors off the list. Paths that the editor built lead from actor to actor: they cannot be mended here.
func leaveLevel(l *unreal.Level, gone map[unreal.Ref]bool) (bool, error) {
	if slices.ContainsFunc(l.Actors[:min(len(l.Actors), 2)], func(r unreal.Ref) bool { return gone[r] }) { // LevelInfo and the builder brush
		return false, stillNeeded(l)
	}
	for i := range l.ReachSpecs {
		if gone[l.ReachSpecs[i].Start] || gone[l.ReachSpecs[i].End] {
			return false, stillNeeded(l)
		}
	}
	if gone[l.First] || slices.ContainsFunc(l.Blocks[:], func(r unreal.Ref) bool { return gone[r] }) {
		return false, stillNeeded(l)
	}
	before := len(l.Actors)
	l.Actors = slices.DeleteFunc(l.Actors, func(r unreal.Ref) bool { return gone[r] })
	return len(l.Actors) != before, nil
}

// leaveLights takes lights out of a model: off the lists, and their shadow bits out of each light map. Nothing moves but
// what follows within a list; the places at its end become free (reference section 12.1).
func leaveLights(m *unreal.Model, gone map[unreal.Ref]bool) (bool, error) {
	for i := range m.Surfs {
		if gone[m.Surfs[i].Actor] {
			return false, stillNeeded(m)
		}
	}
	if slices.ContainsFunc(m.Zones, func(z unreal.Zone) bool { return gone[z.Actor] }) || gone[m.Polys] {
		return false, stillNeeded(m)
	}
	starts := map[int]bool{}
	for i := range m.LightMaps {
		starts[int(m.LightMaps[i].Light)] = true
	}
	for i := range m.Leaves {
		starts[int(m.Leaves[i].Permeating)], starts[int(m.Leaves[i].Volumetric)] = true, true
	}
	if starts[0] = true; !separate(m.Lights, starts, gone) {
		return false, stillNeeded(m)
	}
	done := map[int32]bool{}
	m.LightBits = bytes.Clone(m.LightBits) // the payload's own
	for i := range m.LightMaps {
		if l := &m.LightMaps[i]; !done[l.Offset] {
			done[l.Offset] = true
			dropShadows(m, l, gone)
		}
	}
	changed := false
	for at := 0; at < len(m.Lights); {
		end := at
		for end < len(m.Lights) && m.Lights[end] != 0 {
			end++
		}
		list := m.Lights[at:end]
		kept := slices.DeleteFunc(list, func(r unreal.Ref) bool { return gone[r] })
		changed = changed || len(kept) < len(list)
		clear(list[len(kept):])
		at = end + 1
	}
	return changed, nil
}

// separate reports whether no list of lights begins within another one that a light is to be taken off.
func separate(lights []unreal.Ref, starts map[int]bool, gone map[unreal.Ref]bool) bool {
	for at := 0; at < len(lights); {
		end, within, hit := at, false, false
		for ; end < len(lights) && lights[end] != 0; end++ {
			within = within || end > at && starts[end]
			hit = hit || gone[lights[end]]
		}
		if within && hit {
			return false
		}
		at = end + 1
	}
	return true
}

// dropShadows moves the shadow bits of the lights that stay to the front.
func dropShadows(m *unreal.Model, l *unreal.LightMap, gone map[unreal.Ref]bool) {
	lights := lightsOf(m, l)
	if !slices.ContainsFunc(lights, func(r unreal.Ref) bool { return gone[r] }) || !stored(m, l) {
		return
	}
	size := int(l.UClamp+7) / 8 * int(l.VClamp)
	to := int(l.Offset)
	for n, r := range lights {
		if from := int(l.Offset) + n*size; !gone[r] {
			copy(m.LightBits[to:to+size], m.LightBits[from:from+size])
			to += size
		}
	}
}

// leaveProperties takes the properties away that name actors which go. A chain of navigation points leads on to the next
// one.
func (x *release) leaveProperties(o *unreal.Object, gone map[unreal.Ref]bool) (bool, error) {
	if o.Opaque || len(o.Tail) > 0 || o.Frame != nil && (gone[o.Frame.Node] || gone[o.Frame.State]) {
		return false, stillNeeded(o)
	}
	kept := make([]unreal.Property, 0, len(o.Properties))
	for _, p := range o.Properties {
		if p.Type == unreal.StructProperty && x.a.Name(p.Struct) == regionName {
			if v, ok := readRegion(x.a.Package, p.Value); ok {
				if r, ok := x.a.FindRef(v["Zone"].(string)); ok && gone[r] {
					return false, stillNeeded(o)
				}
			}
		}
		if p.Type != unreal.ObjectProperty || !gone[unreal.Ref(p.Number)] {
			kept = append(kept, p)
			continue
		}
		if name := strings.ToLower(x.a.Name(p.Name)); name == "nextnavigationpoint" || name == "navigationpointlist" {
			if p.Number = int32(x.next(unreal.Ref(p.Number), gone)); p.Number != 0 {
				p.Value = nil
				kept = append(kept, p)
			}
		}
	}
	changed := len(kept) != len(o.Properties) || !slices.EqualFunc(kept, o.Properties, func(a, b unreal.Property) bool { return a.Number == b.Number })
	o.Properties = kept
	return changed, nil
}

// next follows the chain of navigation points to one that stays.
func (x *release) next(r unreal.Ref, gone map[unreal.Ref]bool) unreal.Ref {
	for range len(gone) + 1 {
		if !gone[r] {
			return r
		}
		o, err := x.a.Object(int(r - 1))
		if err != nil {
			return 0
		}
		r = o.Base().Ref("nextNavigationPoint")
	}
	return 0
}
