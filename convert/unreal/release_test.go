package unreal

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestLeaveLevel: actors are taken off a level's list, but for those that its built parts need.
func TestLeaveLevel(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(l *unreal.Level)
		gone   unreal.Ref
		left   []unreal.Ref
		needed bool
	}{
		"none of them":        {func(*unreal.Level) {}, 9, []unreal.Ref{1, 2, 3, 4}, false},
		"the third":           {func(*unreal.Level) {}, 3, []unreal.Ref{1, 2, 4}, false},
		"the last":            {func(*unreal.Level) {}, 4, []unreal.Ref{1, 2, 3}, false},
		"its facts":           {func(*unreal.Level) {}, 1, nil, true},
		"the builder's brush": {func(*unreal.Level) {}, 2, nil, true},
		"of two actors one":   {func(l *unreal.Level) { l.Actors = l.Actors[:1] }, 1, nil, true},
		"a path begins there": {func(l *unreal.Level) { l.ReachSpecs = []unreal.ReachSpec{{}, {Start: 3, End: 4}} }, 3, nil, true},
		"a path ends there":   {func(l *unreal.Level) { l.ReachSpecs = []unreal.ReachSpec{{}, {Start: 4, End: 3}} }, 3, nil, true},
		"a path of others":    {func(l *unreal.Level) { l.ReachSpecs = []unreal.ReachSpec{{Start: 4, End: 4}} }, 3, []unreal.Ref{1, 2, 4}, false},
		"the first of them":   {func(l *unreal.Level) { l.First = 3 }, 3, nil, true},
		"a block of text":     {func(l *unreal.Level) { l.Blocks[0] = 3 }, 3, nil, true},
	} {
		l := &unreal.Level{Actors: []unreal.Ref{1, 2, 3, 4}}
		l.Context = &unreal.Context{}
		c.edit(l)
		before := len(l.Actors)
		changed, err := leaveLevel(l, map[unreal.Ref]bool{c.gone: true})
		if (err != nil) != c.needed || !c.needed && (!slices.Equal(l.Actors, c.left) || changed != (len(c.left) != before)) {
			t.Errorf("%s: %v, changed %v, %v", name, l.Actors, changed, err)
		}
	}
}

// TestLeaveLights: a light goes off every list of a model and takes its shadow bits along; nothing else moves. One that a list
// within another begins with, a zone or a surface needs stays.
func TestLeaveLights(t *testing.T) {
	build := func() *unreal.Model {
		m := &unreal.Model{
			Lights: []unreal.Ref{5, 6, 7, 0, 6, 0, 8, 0},
			LightMaps: []unreal.LightMap{ // three lights on 9 x 2 texels, one on 8 x 1, the first once more, and one without light
				{Offset: 1, UClamp: 9, VClamp: 2, Light: 0}, {Offset: 13, UClamp: 8, VClamp: 1, Light: 4}, {Offset: 1, UClamp: 9, VClamp: 2, Light: 0}, {UClamp: 9, VClamp: 9, Light: -1},
			},
			LightBits: []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98},
			Leaves:    []unreal.Leaf{{Permeating: 6, Volumetric: -1}},
			Surfs:     []unreal.BspSurf{{Actor: 20}}, Zones: []unreal.Zone{{Actor: 21}}, Polys: 22,
		}
		m.Context = &unreal.Context{}
		return m
	}
	for name, c := range map[string]struct {
		edit   func(m *unreal.Model)
		gone   []unreal.Ref
		lights []unreal.Ref
		bits   []byte
		needed bool
	}{
		"none of them":      {nil, []unreal.Ref{9}, []unreal.Ref{5, 6, 7, 0, 6, 0, 8, 0}, []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98}, false},
		"the first":         {nil, []unreal.Ref{5}, []unreal.Ref{6, 7, 0, 0, 6, 0, 8, 0}, []byte{99, 61, 62, 63, 64, 71, 72, 73, 74, 71, 72, 73, 74, 66, 98}, false},
		"one of two lists":  {nil, []unreal.Ref{6}, []unreal.Ref{5, 7, 0, 0, 0, 0, 8, 0}, []byte{99, 51, 52, 53, 54, 71, 72, 73, 74, 71, 72, 73, 74, 66, 98}, false},
		"the last":          {nil, []unreal.Ref{7}, []unreal.Ref{5, 6, 0, 0, 6, 0, 8, 0}, []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98}, false},
		"two of them":       {nil, []unreal.Ref{5, 6}, []unreal.Ref{7, 0, 0, 0, 0, 0, 8, 0}, []byte{99, 71, 72, 73, 74, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98}, false},
		"of a leaf":         {nil, []unreal.Ref{8}, []unreal.Ref{5, 6, 7, 0, 6, 0, 0, 0}, []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98}, false},
		"bits not there":    {func(m *unreal.Model) { m.LightBits = m.LightBits[:12] }, []unreal.Ref{5}, []unreal.Ref{6, 7, 0, 0, 6, 0, 8, 0}, []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73}, false},
		"a list within":     {func(m *unreal.Model) { m.LightMaps[1].Light = 1 }, []unreal.Ref{5}, nil, nil, true},
		"a leaf's within":   {func(m *unreal.Model) { m.Leaves[0].Volumetric = 1 }, []unreal.Ref{7}, nil, nil, true},
		"within another":    {func(m *unreal.Model) { m.LightMaps[1].Light = 1 }, []unreal.Ref{8}, []unreal.Ref{5, 6, 7, 0, 6, 0, 0, 0}, []byte{99, 51, 52, 53, 54, 61, 62, 63, 64, 71, 72, 73, 74, 66, 98}, false},
		"a surface's brush": {nil, []unreal.Ref{20}, nil, nil, true},
		"a zone's facts":    {nil, []unreal.Ref{21}, nil, nil, true},
		"its polygons":      {nil, []unreal.Ref{22}, nil, nil, true},
	} {
		m, gone := build(), map[unreal.Ref]bool{}
		if c.edit != nil {
			c.edit(m)
		}
		for _, r := range c.gone {
			gone[r] = true
		}
		was, before := m.LightBits, bytes.Clone(m.LightBits)
		changed, err := leaveLights(m, gone)
		if !bytes.Equal(was, before) {
			t.Errorf("%s: the payload's own bytes are others now", name)
		}
		if (err != nil) != c.needed || !c.needed && (!slices.Equal(m.Lights, c.lights) || !bytes.Equal(m.LightBits, c.bits) || changed != (name != "none of them")) {
			t.Errorf("%s: lights %v, bits %v, changed %v, %v", name, m.Lights, m.LightBits, changed, err)
		}
	}
}

// TestStoredLightMaps: a light map that leads outside of its bits, or has no size, is none.
func TestStoredLightMaps(t *testing.T) {
	m := &unreal.Model{Lights: []unreal.Ref{5, 6, 0}, LightBits: make([]byte, 16)}
	for _, c := range []struct {
		l    unreal.LightMap
		want bool
	}{
		{unreal.LightMap{UClamp: 8, VClamp: 8}, true}, {unreal.LightMap{UClamp: 9, VClamp: 4}, true}, {unreal.LightMap{UClamp: 9, VClamp: 5}, false}, {unreal.LightMap{UClamp: 1, VClamp: 1, Offset: 14}, true},
		{unreal.LightMap{UClamp: 1, VClamp: 1, Offset: 15}, false}, {unreal.LightMap{UClamp: 1, VClamp: 1, Offset: -1}, false}, {unreal.LightMap{VClamp: 1}, false}, {unreal.LightMap{UClamp: 1}, false},
		{unreal.LightMap{UClamp: -8, VClamp: -8}, false}, {unreal.LightMap{UClamp: math.MaxInt32, VClamp: math.MaxInt32}, false}, {unreal.LightMap{UClamp: atlasWidth + 1, VClamp: 1, Light: -1}, false}, {unreal.LightMap{UClamp: 1, VClamp: atlasWidth + 1, Light: -1}, false},
		{unreal.LightMap{UClamp: atlasWidth, VClamp: atlasWidth, Light: 2}, true}, {unreal.LightMap{UClamp: 1, VClamp: 1, Offset: 17, Light: 3}, false},
	} {
		if got := stored(m, &c.l); got != c.want {
			t.Errorf("%+v: %v", c.l, got)
		}
	}
}

// TestHold: a document may ask for more room than is needed, or for less; not for less than none.
func TestHold(t *testing.T) {
	for _, c := range []struct {
		capacity int32
		n        int
		want     int32
	}{{0, 0, 0}, {0, 3, 3}, {5, 3, 5}, {3, 3, 3}, {-1, 3, -1}} {
		got := c.capacity
		if err := hold(&got, c.n); got != c.want || (err != nil) != (c.capacity < 0) {
			t.Errorf("%d for %d: %d, %v", c.capacity, c.n, got, err)
		}
	}
}

// TestNeededActor: an actor that a built path leads to stays when its node is deleted, and what needs it is told; others go.
func TestNeededActor(t *testing.T) {
	a := hall(t, 69)
	i := a.FindExport("MyLevel", "Level") - 1
	o, err := a.Object(int(i))
	if err != nil {
		t.Fatal(err)
	}
	start := a.FindExport("PlayerStart0", "PlayerStart")
	o.(*unreal.Level).ReachSpecs = []unreal.ReachSpec{{Start: start, End: start}}
	b, err := write.Object(o)
	if err == nil {
		err = a.File.Replace(int(i), b)
	}
	if err != nil {
		t.Fatal(err)
	}
	was := openBytes(t, "Hall.unr", written(t, a))
	a = openBytes(t, "Hall.unr", written(t, a))
	s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
	s.Roots[0].Children = slices.DeleteFunc(s.Roots[0].Children, func(n *asset.Node) bool { return n.Name == "PlayerStart0" || n.Name == "Light1" })
	d := new(schema.Diagnostics)
	a.Env.Diagnostics = d
	now := scenedWith(t, a, through(t, s).(*asset.Scene))
	if got := deeds(t, was, now); got != "-Light1 MyLevel" || !d.Has("actor-needed") {
		t.Errorf("changed %s; told %v", got, d.All())
	}
	if !strings.Contains(d.All()[0].Msg+d.All()[len(d.All())-1].Msg, "PlayerStart0") {
		t.Errorf("told %v", d.All())
	}
}

// TestLeaveProperties: a property that names an actor which goes is taken away, or leads on to the next point of its chain; what
// names one in another way needs it.
func TestLeaveProperties(t *testing.T) {
	names := func(o *unreal.Object) (list []string) {
		for _, p := range o.Properties {
			list = append(list, o.Package.Name(p.Name))
		}
		return list
	}
	for name, c := range map[string]struct {
		edit   func(a *archive, o *unreal.Object, lamp unreal.Ref)
		gone   string
		left   string
		needed bool
	}{
		"its target":         {nil, "Light0", "Level Tag Location", false},
		"another one":        {nil, "Light1", "Level Tag Location Target", false},
		"bytes behind it":    {func(_ *archive, o *unreal.Object, _ unreal.Ref) { o.Tail = []byte{1} }, "Light0", "", true},
		"nothing understood": {func(_ *archive, o *unreal.Object, _ unreal.Ref) { o.Opaque = true }, "Light0", "", true},
		"its node":           {func(_ *archive, o *unreal.Object, lamp unreal.Ref) { o.Frame.Node = lamp }, "Light0", "", true},
		"its state":          {func(_ *archive, o *unreal.Object, lamp unreal.Ref) { o.Frame.State = lamp }, "Light0", "", true},
		"another's state":    {func(_ *archive, o *unreal.Object, lamp unreal.Ref) { o.Frame.State = lamp + 1 }, "Light0", "Level Tag Location", false},
		"no frame":           {func(_ *archive, o *unreal.Object, _ unreal.Ref) { o.Frame = nil }, "Light0", "Level Tag Location", false},
		"a number like it":   {func(_ *archive, o *unreal.Object, lamp unreal.Ref) { o.Set("Count", unreal.IntProperty, int32(lamp)) }, "Light0", "Level Tag Location Count", false},
		"a chain to nowhere": {func(_ *archive, o *unreal.Object, lamp unreal.Ref) {
			o.Set("nextNavigationPoint", unreal.ObjectProperty, int32(lamp))
		}, "Light0", "Level Tag Location", false},
		"a chain that goes on": {func(a *archive, o *unreal.Object, lamp unreal.Ref) {
			x, err := a.Object(int(lamp - 1))
			if err != nil {
				t.Fatal(err)
			}
			x.Base().Set("nextNavigationPoint", unreal.ObjectProperty, int32(a.FindExport("Light1", "Light")))
			put(t, a, lamp, x)
			o.Set("nextNavigationPoint", unreal.ObjectProperty, int32(lamp))
		}, "Light0", "Level Tag Location nextNavigationPoint", false},
	} {
		a := hall(t, 69)
		i := int(a.FindExport("PlayerStart0", "PlayerStart") - 1)
		x, err := a.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		o := x.(*unreal.Object)
		if c.edit != nil {
			c.edit(a, o, a.FindExport("Light0", "Light"))
		}
		before := len(o.Properties)
		changed, err := (&release{a: a}).without(i, o, map[unreal.Ref]bool{a.FindExport(c.gone, "Light"): true})
		if (err != nil) != c.needed || err != nil && !strings.Contains(err.Error(), "PlayerStart0 needs it") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		led := strings.Contains(c.left, "nextNavigationPoint")
		if got := strings.Join(names(o), " "); got != c.left || changed != (led || len(o.Properties) != before) {
			t.Errorf("%s: %s, changed %v", name, got, changed)
		}
		if led && o.Ref("nextNavigationPoint") != a.FindExport("Light1", "Light") {
			t.Errorf("%s: leads to %d", name, o.Ref("nextNavigationPoint"))
		}
	}
	a := hall(t, 69)
	i := int(a.FindExport("Wall", "Texture") - 1)
	o := &unreal.Object{Context: a.Context(i)}
	if _, err := (&release{a: a}).without(i, o, map[unreal.Ref]bool{1: true}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("what is no actor: %v", err)
	}
}
