package unreal

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// The custom properties of an actor's node are those of the actor. What stands there besides tells usher what the node is.
const keptKey = "digest" // the digest of the properties as they were shown

// Scenes of earlier versions have it among the properties.
var aside = map[string]bool{"class": true, "object": true, "shown": true, "light": true, partKey: true, keptKey: true, scene.ReadOnly: true}

// digestOf returns what the properties of a node come to, so that a later edit of them can be told from a later edit of
// the record.
func digestOf(values map[string]any) string {
	h := fnv.New64a()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !aside[key] {
			fmt.Fprintf(h, "%s=", key)
			writeShown(h, values[key])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// writeShown writes a value down as editors keep it: some have numbers for truth, and all have floats for whole numbers.
func writeShown(w io.Writer, v any) {
	switch x := v.(type) {
	case string:
		fmt.Fprintf(w, "%q;", x)
		return
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			fmt.Fprintf(w, "%s:", key)
			writeShown(w, x[key])
		}
		return
	case []any:
		for _, e := range x {
			writeShown(w, e)
		}
		return
	case bool:
		v = 0.0
		if x {
			v = 1.0
		}
	}
	if n, ok := pack.Number(v); ok {
		digits := 9 // of what went through 32 bits
		if n == math.Trunc(n) {
			digits = -1
		}
		n += 0 // a zero has no sign
		io.WriteString(w, strconv.FormatFloat(n, 'g', digits, 64))
	}
	io.WriteString(w, ";")
}

func sameShown(a, b any) bool {
	var x, y strings.Builder
	writeShown(&x, a)
	writeShown(&y, b)
	return x.String() == y.String()
}

// takeProperties takes over the properties of an actor that were edited among those of its node. Those that the place or
// the light of the node decide stay as that says: as is the actor before its node was looked at. It reports whether there
// were any.
func (e *levelEdit) takeProperties(base *unreal.Object, as map[string]any, x standing) (changed bool, err error) {
	n := x.node.Native
	if n == nil || n.Format != levelName {
		return false, nil
	}
	kept, tells := scene.Shown(n, keptKey).(string)
	if tells && kept == digestOf(n.Values) {
		return false, nil
	}
	was := e.was[x.actor].Native.Values
	for _, key := range slices.Sorted(maps.Keys(n.Values)) {
		if _, known := was[key]; known || aside[key] {
			continue
		}
		added := base.Property(key, 0) != nil // by an earlier run
		if added {
			err = e.setProperty(base, key, n.Values[key], true)
		} else {
			added, err = e.addProperty(base, key, n.Values[key])
		}
		if err != nil {
			return changed, schema.In(base.Path, err)
		}
		if changed = changed || added; !added {
			e.unknown.Add(x.node.Name + "." + key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if aside[key] || sameShown(n.Values[key], was[key]) {
			continue
		}
		now, there := n.Values[key]
		switch {
		case !tells:
			e.stale.Add(x.node.Name + "." + key)
			continue
		case !sameShown(as[key], shownProperties(e.a, base)[key]):
			e.decided.Add(x.node.Name + "." + key)
			continue
		}
		if err := e.setProperty(base, key, now, there); err != nil {
			return changed, schema.In(base.Path, err)
		}
		changed = true
	}
	return changed, nil
}

// addProperty gives an actor a property that other objects of the package have, all of one type.
func (e *levelEdit) addProperty(base *unreal.Object, name string, value any) (added bool, err error) {
	types := e.a.usedTypes(name)
	if len(types) != 1 || types[0] == unreal.StructProperty.String() {
		return false, nil
	}
	q, err := e.a.property(&RecordProperty{Name: name, Type: types[0], Value: value}, nil, nil, 0)
	if err != nil {
		return false, err
	}
	base.Properties = append(slices.Clone(base.Properties), q)
	return true, nil
}

// setProperty gives a property of an actor another value, or takes it out.
func (e *levelEdit) setProperty(base *unreal.Object, name string, value any, there bool) error {
	k := slices.IndexFunc(base.Properties, func(p unreal.Property) bool { return p.Index == 0 && e.a.Name(p.Name) == name })
	if k < 0 {
		return nil // a copy of an actor has no such
	}
	if !there {
		base.Properties = slices.Delete(slices.Clone(base.Properties), k, k+1)
		return nil
	}
	r := describeProperty(e.a.Package, &base.Properties[k])
	if n, ok := pack.Number(value); ok && r.Type == unreal.BoolProperty.String() && (n == 0 || n == 1) {
		value = n != 0
	}
	r.Value = value
	q, err := e.a.property(&r, nil, nil, 0)
	if err != nil {
		return err
	}
	base.Properties = slices.Clone(base.Properties)
	base.Properties[k] = q
	return nil
}

// shownProperties returns what a node shows of the properties of an actor.
func shownProperties(a *archive, base *unreal.Object) map[string]any {
	values := map[string]any{}
	for i := range base.Properties {
		p := describeProperty(a.Package, &base.Properties[i])
		if p.Index == 0 {
			values[p.Name] = p.Value
		}
	}
	return values
}

// tellProperties says which edited properties could not be taken over.
func (e *levelEdit) tellProperties(path string) {
	e.unknown.Tell(e.d, "property-new", path, "the custom property", "custom properties", "is left out: no object of the package has a property of that name, whose type is stored with it; add it in the JSON of the actor")
	e.decided.Tell(e.d, "property-decided", path, "the edited property", "edited properties", "is left out: the place or the light of its node was edited too, and decides")
	e.stale.Tell(e.d, "property-stale", path, "the property", "properties", "is another one in the level, which stays: this scene, made by an older usher, does not tell whether it was edited; export it anew to edit properties")
}

// navigation are properties of actors that the paths of the game run through.
var navigation = []string{"nextnavigationpoint", "paths", "upstreampaths", "prunedpaths", "visnoreachpaths", "startpath", "previouspath"}

// navigating are the engine's own classes of navigation points, which need not be at hand.
var navigating = []string{"navigationpoint", "ambushpoint", "buttonmarker", "homebase", "inventoryspot", "liftcenter", "liftexit", "pathnode", "patrolpoint",
	"playerstart", "teleporter", "triggermarker", "warpzonemarker"}

// guides reports whether an actor is part of the game's paths.
func (a *archive) guides(base *unreal.Object, actor unreal.Ref) bool {
	class := a.Exports[actor-1].Class
	return slices.Contains(navigating, strings.ToLower(a.ObjectName(class))) || reaches(a.File, class, "NavigationPoint") ||
		slices.ContainsFunc(base.Properties, func(p unreal.Property) bool {
			return slices.Contains(navigation, strings.ToLower(a.Name(p.Name)))
		})
}

// tellPaths warns of navigation points that are new or have moved.
func tellPaths(points scene.Tally, path string, d *schema.Diagnostics) {
	switch {
	case points.Count == 1:
		d.Warnf("paths", path, "the navigation point %q is new or elsewhere: until the editor defines paths anew, the game's paths run as before, and may pass it by", points.First)
	case points.Count > 1:
		d.Warnf("paths", path, "%d navigation points, the first is %q, are new or elsewhere: until the editor defines paths anew, the game's paths run as before, and may pass them by", points.Count, points.First)
	}
}

// keepDigest notes what the properties of a node come to.
func keepDigest(n *asset.Native) { scene.SetShown(n, keptKey, digestOf(n.Values)) }
