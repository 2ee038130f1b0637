package unreal

import (
	"reflect"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestZones: the box of a zone holds the surfaces on either side of it, and a zone with a fog or a flash says how all is seen
// within; one without says nothing.
func TestZones(t *testing.T) {
	m := &unreal.Model{
		Points: [][3]float32{{0, 0, 0}, {10, 0, 0}, {10, 20, 0}, {0, 0, -30}, {5, 5, -30}, {900, 900, 900}, {100, 200, 300}, {110, 220, 300}},
		Verts:  []unreal.BspVert{{Point: 0}, {Point: 1}, {Point: 2}, {Point: 3}, {Point: 4}, {Point: 0}, {Point: 5}, {Point: 5}, {Point: 77}, {Point: 6}, {Point: 7}, {Point: 7}},
		Nodes: []unreal.BspNode{
			{Count: 3, VertPool: 0, Zones: [2]int32{2, 1}},  // the surface of the water
			{Count: 3, VertPool: 3, Zones: [2]int32{0, 2}},  // its ground
			{Count: 3, VertPool: 6, Zones: [2]int32{0, 1}},  // a wall outside, with a damaged corner
			{Count: 10, VertPool: 3, Zones: [2]int32{0, 2}}, // more corners than there are
			{Count: 2, VertPool: 6, Zones: [2]int32{0, 2}},  // no surface
			{Count: 3, VertPool: 6, Zones: [2]int32{99, 3}}, // zones without an actor
			{Count: 3, VertPool: 9, Zones: [2]int32{0, 4}},  // far from the middle of the world
		},
		Zones: []unreal.Zone{{}, {Actor: 4}, {Actor: 5}, {}, {Actor: 6}},
	}
	m.Context = &unreal.Context{}
	got, err := newArchive(pack.Scratch()).zoneBoxes(m)
	if err != nil {
		t.Fatal(err)
	}
	water := box{[3]float32{-20, -30, 0}, [3]float32{0, 0, 10}}
	if far := (box{[3]float32{-220, 300, 100}, [3]float32{-200, 300, 110}}); len(got) != 3 || got[6] != far || got[5] != water || got[4].high != [3]float32{0, 900, 900} {
		t.Errorf("%v, want %v for 5", got, water)
	}

	pkg := &unreal.Package{Names: []unreal.Name{{Text: "None"}, {Text: "ViewFog"}, {Text: "ViewFlash"}}}
	for _, c := range []struct {
		name       string
		fog, flash []byte
		want       any
	}{
		{"water", vector(0.125, 0.25, 0.5), vector(-0.25, 0, 0), map[string]any{"low": []any{-20.0, -30.0, 0.0}, "high": []any{0.0, 0.0, 10.0}, "fog": []any{0.125, 0.25, 0.5}, "scale": 0.75}},
		{"fog alone", vector(0, 0, 1), nil, map[string]any{"low": []any{-20.0, -30.0, 0.0}, "high": []any{0.0, 0.0, 10.0}, "fog": []any{0.0, 0.0, 1.0}, "scale": 1.0}},
		{"flash alone", nil, vector(-0.5, 0, 0), map[string]any{"low": []any{-20.0, -30.0, 0.0}, "high": []any{0.0, 0.0, 10.0}, "fog": []any{0.0, 0.0, 0.0}, "scale": 0.5}},
		{"a flash of another colour", nil, vector(0, 1, 1), nil},
		{"neither", nil, nil, nil},
		{"cut off", vector(1, 1, 1)[:8], nil, nil},
	} {
		o := &unreal.Object{Context: &unreal.Context{Package: pkg}}
		for i, v := range [][]byte{c.fog, c.flash} {
			if v != nil {
				o.Properties = append(o.Properties, unreal.Property{Name: unreal.NameIndex(i + 1), Type: unreal.StructProperty, Value: v})
			}
		}
		b := &levelBuilder{lamps: newArchive(pack.Scratch()).lamps()}
		b.classes[setting{0, "ViewFog", 0}], b.classes[setting{0, "ViewFlash", 0}] = b.classes[setting{}], b.classes[setting{}]
		n := asset.NewNode("zone")
		n.Native = &asset.Native{Format: levelName}
		b.tint(n, o, 0, water)
		if got := scene.Shown(n.Native, "tint"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestZoneOf: an actor is in the zone that its Region names, and in none where it has no Region, or one that cannot be read.
func TestZoneOf(t *testing.T) {
	a := hall(t, 69)
	b := &levelBuilder{lamps: a.lamps()}
	for _, c := range []struct {
		region []byte
		want   unreal.Ref
	}{
		{[]byte{5, 1, 0, 0, 0, 2}, 5}, {[]byte{0, 1, 0, 0, 0, 2}, 0}, {[]byte{5}, 0}, {nil, 0},
	} {
		o := &unreal.Object{Context: a.Context(0)}
		if c.region != nil {
			o.SetStruct("Region", "PointRegion", c.region)
		}
		if got := b.zoneOf(o); got != c.want {
			t.Errorf("% x: %d, want %d", c.region, got, c.want)
		}
	}
}

// TestZoneActors: a polygon is lit by the zone that its model knows, or by that which the model is in.
func TestZoneActors(t *testing.T) {
	m := &mapped{Model: &unreal.Model{Zones: []unreal.Zone{{Actor: 7}, {Actor: 1}, {Actor: 0}, {Actor: -2}, {Actor: 9}}}}
	for zone, want := range map[int32]unreal.Ref{-1: 3, 0: 3, 1: 1, 2: 3, 3: 3, 4: 9, 5: 3} {
		if got := m.zoneActor(zone, 3); got != want {
			t.Errorf("zone %d: actor %d, want %d", zone, got, want)
		}
	}
}
