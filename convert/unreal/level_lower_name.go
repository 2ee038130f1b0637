package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// nodeName returns the name of the actor that a node is or makes: blanks and dots, which names of objects cannot have,
// become "_".
func nodeName(node string, otherwise string) string {
	return pack.CleanName(strings.Map(func(r rune) rune {
		if r == '.' || r == ' ' {
			return '_'
		}
		return r
	}, node), otherwise)
}

// rename gives actors the names of their nodes. What refers to an actor does so by its number, and follows. A name that
// something else of the package has is not taken over.
func (e *levelEdit) rename(originals []standing) {
	wanted := map[unreal.Ref]string{}
	var order []standing
	for _, x := range originals {
		was := e.a.ObjectName(x.actor)
		name := nodeName(x.node.Name, was)
		if name == was || !scene.Renamed(was, x.node.Name) || !slices.Contains(e.level.Actors, x.actor) {
			continue
		}
		wanted[x.actor] = name
		order = append(order, x)
	}
	stays := map[unreal.Ref]bool{}
	taken := func(x standing) bool {
		return slices.ContainsFunc(indices(len(e.a.Exports)), func(i int) bool {
			r, other := unreal.Ref(i+1), &e.a.Exports[i]
			if r == x.actor || e.a.gone[i] || other.Outer != e.a.Exports[x.actor-1].Outer {
				return false
			}
			name := e.a.Name(other.Name)
			if to, ok := wanted[r]; ok && !stays[r] {
				name = to
			}
			return strings.EqualFold(name, wanted[x.actor])
		})
	}
	for again := true; again; { // one that stays may be in the way of another
		again = false
		for _, x := range slices.Backward(order) { // of two with one name the first gets it
			if !stays[x.actor] && taken(x) {
				stays[x.actor], again = true, true
				e.named.Add(x.node.Name)
			}
		}
	}
	for _, x := range order {
		if !stays[x.actor] {
			if e.a.File.Rename(x.actor, e.a.Exports[x.actor-1].Outer, wanted[x.actor]); e.a.ObjectName(x.actor) != wanted[x.actor] {
				e.named.Add(x.node.Name)
			}
		}
	}
}
