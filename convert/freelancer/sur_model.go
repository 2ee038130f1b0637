package freelancer

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// A scene of hulls shows parts and hardpoints of the model that they belong to. A collision file holds neither their places nor
// their names.

// remember lets a part or a hardpoint of such a scene say what it is called, where it stands and what on.
func remember(n *asset.Node, on string) {
	place := space.Matrix(&n.Transform)
	scene.SetShown(n.Native, "called", n.Name)
	scene.SetShown(n.Native, "place", scene.List(scene.Narrow(place[12:15])))
	scene.SetShown(n.Native, "turn", scene.List(quatOf(place)))
	if on != "" {
		scene.SetShown(n.Native, "on", on)
	}
}

// shownParts returns the ids of all that a scene shows of a model, and lets hulls say what they are called.
func shownParts(s *asset.Scene) (ids []any) {
	s.Walk(func(n, _ *asset.Node) {
		switch id := rig.ID(n); {
		case id == "":
		case isHull(n):
			scene.SetShown(n.Native, "called", n.Name)
		default:
			ids = append(ids, id)
		}
	})
	return ids
}

// undoCopyNames gives nodes the names back that an editor has changed without being asked.
func (o *ownSur) undoCopyNames() {
	for _, n := range o.seen {
		if called := scene.ShownText(n.Native, "called"); called != "" && !scene.Renamed(called, n.Name) {
			n.Name = called
		}
	}
}

// reportMoved reports parts that were moved, and parts and hardpoints that moved along: a collision file does not store
// where they are. A part without a parent takes its hulls along.
func (o *ownSur) reportMoved() {
	elsewhere := map[*hull.Part]bool{}
	var roots, parts, points []string
	o.s.Walk(func(n, _ *asset.Node) {
		switch p := o.partOf[n]; {
		case rig.IsHardpoint(n) && elsewhere[o.partAbove(n)]:
			points = append(points, n.Name)
		case p == nil || !o.placed(n):
		case p.Parent == nil && scene.ShownText(n.Native, "on") == "" && !o.stands(n, nil, mgl64.Ident4()):
			roots, elsewhere[p] = append(roots, p.Name), true
		case p.Parent != nil && (!p.Still || elsewhere[p.Parent]):
			parts, elsewhere[p] = append(parts, p.Name), true
		}
	})
	switch stay := inBrackets("parts", parts) + inBrackets("hardpoints", points); {
	case len(roots) > 0:
		o.Diagnostics.Lossf("hull-part-moved", roots[0], "the model as a whole stands elsewhere, and its own hulls went along: a .sur file does not say where a model is%s; move that as well", stay)
	case len(parts) > 0:
		o.Diagnostics.Lossf("hull-part-moved", parts[0], "a .sur file does not say where parts are, and the hulls stay with them%s: move them in the model", stay)
	}
}

// inBrackets returns a list of names with their number, in brackets, or "" for an empty list.
func inBrackets(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d %s: %s)", len(names), what, restore.Listed(names))
}

// reportBare reports hardpoints whose hulls are gone.
func (o *ownSur) reportBare() {
	var bare scene.Tally
	o.s.Walk(func(n, _ *asset.Node) {
		if p := o.partAbove(n); p != nil && rig.IsHardpoint(n) && !rig.Ignored(n) && scene.ShownText(n.Native, "called") != "" && !p.HasHull(n.Name) {
			bare.Add(n.Name)
		}
	})
	bare.Tell(o.Diagnostics, "hull-bare", "", "the hardpoint", "hardpoints have no hull any more", "is left out: a .sur file has only those with a hull, the model beside it has all of them")
}

// reportModel reports edits of parts and hardpoints, which a collision file does not hold.
func (o *ownSur) reportModel() {
	var edited []string
	o.s.Walk(func(n, _ *asset.Node) {
		switch called := scene.ShownText(n.Native, "called"); {
		case rig.Ignored(n):
		case isHull(n):
			if called != "" && called != n.Name && o.seen[rig.ID(n)] == n {
				edited = append(edited, n.Name)
			}
		case rig.ID(n) == "" && rig.IsHardpoint(n), o.seen[rig.ID(n)] != nil && o.seen[rig.ID(n)] != n:
			edited = append(edited, n.Name) // a new one, or a copy
		case called != "" && (called != n.Name || o.partOf[n] == nil && !o.stands(n, o.partAbove(n), o.place(o.partAbove(n)))):
			edited = append(edited, n.Name)
		case called != "" && o.partOf[n] != nil && o.partOf[n].Parent == nil && scene.ShownText(n.Native, "on") != "":
			edited = append(edited, n.Name)
		}
	})
	if o.s.Native != nil {
		list, _ := scene.Shown(o.s.Native, "shows").([]any)
		for _, x := range list {
			if id, _ := x.(string); id != "" && o.seen[id] == nil {
				edited = append(edited, id[strings.LastIndex(id, ":")+1:])
			}
		}
	}
	const why = "a .sur file holds hulls without names, and its model has the names, places and parents of all else: edit that as well"
	switch n := len(edited); n {
	case 0:
	case 1:
		o.Diagnostics.Lossf("hull-model", "", "what was done to the part, hardpoint or hull %q is left out: %s", edited[0], why)
	default:
		o.Diagnostics.Lossf("hull-model", "", "what was done to %d parts, hardpoints and hulls (%s) is left out: %s", n, restore.Listed(edited), why)
	}
}
