package gltf

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// fleet is twins with two nodes and a material that have no record.
func fleet() *asset.Scene {
	s := twins()
	s.Materials = append(s.Materials, asset.NewMaterial("plain"))
	s.Roots[0].Children = append(s.Roots[0].Children, asset.NewNode("plain"), asset.NewNode("plain"))
	return s
}

// TestLostRecords holds that what had a record and has none is named, and what never had one is not.
func TestLostRecords(t *testing.T) {
	named := func(list string, names ...string) func(doc map[string]any) {
		return func(doc map[string]any) {
			each(doc, func(_ string, _ int, o map[string]any) {
				if name, _ := o["name"].(string); len(names) > 0 && name == names[0] {
					names = names[1:]
					delete(o, "extras")
				}
			}, list)
		}
	}
	rename := func(list, from, to string) func(doc map[string]any) {
		return func(doc map[string]any) {
			each(doc, func(_ string, _ int, o map[string]any) {
				if o["name"] == from {
					o["name"] = to
				}
			}, list)
		}
	}
	add := func(list string, o map[string]any) func(doc map[string]any) {
		return func(doc map[string]any) { doc[list] = append(doc[list].([]any), o) }
	}
	for what, x := range map[string]struct {
		edits []func(doc map[string]any)
		want  string
	}{
		"nothing edited":         {nil, ""},
		"a material":             {[]func(map[string]any){named("materials", "hull")}, `hull: the material "hull"`},
		"a material never kept":  {[]func(map[string]any){named("materials", "plain")}, ""},
		"a node":                 {[]func(map[string]any){named("nodes", "Root")}, `Root: the node "Root"`},
		"one of two of a name":   {[]func(map[string]any){named("nodes", "wing")}, `wing: the node "wing"`},
		"two nodes":              {[]func(map[string]any){named("nodes", "wing", "wing")}, `wing: 2 nodes, the first is "wing",`},
		"the scene":              {[]func(map[string]any){named("scenes", "ship")}, `ship: the scene`},
		"a mesh and the scene":   {[]func(map[string]any){named("meshes", "wing"), named("scenes", "ship")}, `ship: the scene`},
		"a mesh":                 {[]func(map[string]any){named("meshes", "wing")}, `wing: the mesh "wing"`},
		"a new material":         {[]func(map[string]any){add("materials", map[string]any{"name": "new"})}, ""},
		"a new one of the name":  {[]func(map[string]any){add("materials", map[string]any{"name": "hull"})}, ""},
		"the old one numbered":   {[]func(map[string]any){rename("materials", "hull", "hull.001"), add("materials", map[string]any{"name": "hull"})}, ""},
		"the new one numbered":   {[]func(map[string]any){named("materials", "hull"), rename("materials", "hull", "hull.001")}, `hull.001: the material "hull.001"`},
		"a renamed one that had": {[]func(map[string]any){rename("materials", "hull", "skin")}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			b := edited(t, encode(t, fleet(), nil), func(doc map[string]any) {
				for _, edit := range x.edits {
					edit(doc)
				}
			})
			d := new(schema.Diagnostics)
			if _, err := Decode(b, nil, d); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range d.All() {
				head, _, ok := strings.Cut(m.Msg, " had Custom Properties (extras) and has none any more: ")
				if m.Code != restore.NoExtras || !ok || m.Hint != ", or name the original with --base" {
					t.Errorf("said %v", m)
				}
				got = append(got, m.Path+": "+head)
			}
			equal(t, "said", strings.Join(got, "; "), x.want)
		})
	}
}

// TestRecordsListed holds which files list their records.
func TestRecordsListed(t *testing.T) {
	foreign := &asset.Scene{Materials: []*asset.Material{asset.NewMaterial("m")}}
	for what, x := range map[string]struct {
		s    *asset.Scene
		o    Options
		want map[string]any
	}{
		"of a game":         {fleet(), Options{}, map[string]any{"nodes": "Root\nwing\nwing\nHpWeapon01\nwing", "meshes": "wing\nwing\nwing", "materials": "hull"}},
		"slim":              {fleet(), Options{Slim: true}, nil},
		"a part of another": {fleet(), Options{whole: true}, nil},
		"of a glTF file":    {foreign, Options{}, nil},
	} {
		t.Run(what, func(t *testing.T) {
			e, err := build(x.s, x.o, "")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := e.own[keyRecords].(record)
			equal(t, "listed", map[string]any(got), x.want)
		})
	}
}
