package gltf

import (
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestWrapperName: the node that joins bones is taken away, and tells of a name that somebody gave it; not of what editors make of
// names.
func TestWrapperName(t *testing.T) {
	whole := encode(t, severalRoots(), nil)
	for _, c := range []struct {
		name string
		told bool
	}{
		{wrapperName, false},
		{wrapperName + ".001", false},
		{"", false},
		{"Rig", true},
		{"Rig.001", true},
	} {
		b := edited(t, whole, func(doc map[string]any) {
			found := 0
			for _, x := range doc["nodes"].([]any) {
				if n := x.(map[string]any); n["name"] == wrapperName {
					n["name"] = c.name
					found++
				}
			}
			if found != 1 {
				t.Fatalf("%d nodes join the bones", found)
			}
		})
		d := new(schema.Diagnostics)
		s, err := Decode(b, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if d.Has("node-name") != c.told || len(s.Roots) != 5 {
			t.Errorf("%q: told %v, %d roots; %v", c.name, d.Has("node-name"), len(s.Roots), d.All())
		}
	}
}
