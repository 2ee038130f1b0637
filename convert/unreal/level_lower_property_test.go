package unreal

import (
	"maps"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// others returns values that a person may give a property in place of one.
func others(v any) map[string]any {
	switch x := v.(type) {
	case bool:
		return map[string]any{"turned": !x, "as a number": map[bool]float64{true: 0, false: 1}[x]}
	case string:
		return map[string]any{"another name": "Light", "a number": 3.0}
	case map[string]any:
		more := maps.Clone(x)
		for key, f := range x {
			if n, ok := f.(float64); ok {
				more[key] = n + 1
			}
		}
		return map[string]any{"other fields": more, "no fields": map[string]any{}, "a text": "x"}
	}
	return map[string]any{"one": 1.0, "half": 1.5, "far": 1e12, "negative": -2.0, "a text": "x"}
}

// Each property that the node of an actor shows, changed in each way or taken out, changes the actor, or a message or an
// error names it.
func TestLevelProperties(t *testing.T) {
	source := written(t, hall(t, 69))
	shows := lifted(t, openBytes(t, "Hall.unr", source), "MyLevel").(*asset.Scene)
	count := map[string]int{}
	try := func(node, key, how string, edit func(values map[string]any)) {
		a := openBytes(t, "Hall.unr", source)
		d := new(schema.Diagnostics)
		a.Env.Diagnostics = d
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		i := slices.IndexFunc(s.Roots[0].Children, func(n *asset.Node) bool { return n.Name == node })
		edit(s.Roots[0].Children[i].Native.Values)
		e := entry(t, a, "MyLevel")
		f := formatOf(a, e)
		x, err := f.Lower(s, &format.Env{Archive: a, Entry: "MyLevel", Diagnostics: d})
		var b []byte
		if err == nil {
			b, err = f.Write(x)
		}
		if err == nil {
			err = a.Replace(e, b)
		}
		switch {
		case err != nil:
			count["refused"]++
		case deeds(t, openBytes(t, "Hall.unr", source), openBytes(t, "Hall.unr", written(t, a))) != "":
			count["arrived"]++
		case d.Has("property-new") || d.Has("property-decided"):
			count["named"]++
		default:
			t.Errorf("%s.%s, %s: nothing changes, and nothing is said", node, key, how)
		}
	}
	for _, n := range shows.Roots[0].Children {
		if n.Native == nil {
			continue
		}
		for key, v := range n.Native.Values {
			if aside[key] {
				continue
			}
			for how, x := range others(v) {
				if !sameShown(x, v) {
					try(n.Name, key, how, func(values map[string]any) { values[key] = x })
				}
			}
			try(n.Name, key, "removed", func(values map[string]any) { delete(values, key) })
		}
		try(n.Name, "Unheard", "added", func(values map[string]any) { values["Unheard"] = 1.0 })
		try(n.Name, "LightHue", "added", func(values map[string]any) { values["LightHue"] = 77.0 })
	}
	t.Log(count)
	if count["arrived"] < 20 || count["refused"] == 0 || count["named"] == 0 {
		t.Errorf("too few of each: %v", count)
	}
}
