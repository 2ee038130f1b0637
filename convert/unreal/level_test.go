package unreal

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// put adds an object of any class to a package.
func put(t testing.TB, a *archive, r unreal.Ref, o unreal.AnyObject) {
	t.Helper()
	o.Base().Context, o.Base().End = a.Context(int(r-1)), a.AddName("None")
	b, err := write.Object(o)
	if err == nil {
		err = a.Fill(r, b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An actor shows the mesh that the defaults of its class in another package name, at its place, turned and scaled.
func TestActors(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Props.u"})
	props := x.(*archive)
	add(t, props, "Cone", pyramid(), format.Model)
	base := props.AddExport(0, 0, "Prop", unreal.ResourceFlags)
	c := &unreal.Class{}
	c.Context, c.GUID = props.Context(int(base-1)), [16]byte{1}
	c.FriendlyName, c.Config = props.AddName("Prop"), props.AddName("System")
	c.Set("DrawType", unreal.ByteProperty, drawMesh)
	c.Set("Mesh", unreal.ObjectProperty, int32(props.FindExport("Cone", "LodMesh")))
	put(t, props, base, c)
	kid := props.AddExport(0, 0, "BigProp", unreal.ResourceFlags)
	d := &unreal.Class{}
	d.Context = props.Context(int(kid - 1))
	d.Super, d.FriendlyName, d.Config = base, props.AddName("BigProp"), props.AddName("System")
	d.Set("DrawScale", unreal.FloatProperty, int32(math.Float32bits(2)))
	put(t, props, kid, d)

	x, _ = Create(&format.Env{Name: "Map.unr"})
	a := x.(*archive)
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", 0x00070001)
	actor := a.AddExport(a.AddClass("Props", "BigProp"), level, "BigProp0", unreal.LoadFlags|unreal.Transactional)
	prop := &unreal.Object{}
	prop.Context = a.Context(int(actor - 1))
	prop.SetStruct("Location", "Vector", vector(100, 20, 30))
	prop.SetStruct("Rotation", "Rotator", []byte{0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0}) // a quarter turn to the right
	put(t, a, level, &unreal.Level{Actors: []unreal.Ref{actor, 0, actor}, Capacity: 3})
	put(t, a, actor, prop)

	b := written(t, a)
	for _, files := range []format.Files{nil, folder{"props.u": written(t, props)}} {
		a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Map.unr", Files: files})
		if err != nil {
			t.Fatal(err)
		}
		s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
		n := s.Roots[0].Children[0]
		if n.Name != "BigProp0" || len(s.Roots[0].Children) != 1 || scene.Shown(n.Native, "class") != "BigProp" {
			t.Fatalf("%d nodes, the first %q", len(s.Roots[0].Children), n.Name)
		}
		if files == nil {
			if len(s.Meshes) != 0 {
				t.Error("a mesh out of nowhere")
			}
			continue
		}
		// The top of the pyramid is 2 m above its middle; scaled by 2.
		at := [3]float32{-20 / space.UnitsPerMetre, 30/space.UnitsPerMetre + 4, 100 / space.UnitsPerMetre}
		if shown := space.Shown(s); len(shown) != 1 || !holds(shown[0], 0, at) {
			t.Errorf("%d shapes, none at %v", len(shown), at)
		}
		// A corner at (1, 0, −1), turned to the right by 90 degrees, as seen from above.
		corner := [3]float32{2*1 - 20/space.UnitsPerMetre, 30 / space.UnitsPerMetre, 2*1 + 100/space.UnitsPerMetre}
		if shown := space.Shown(s); len(shown) == 1 && !holds(shown[0], 0, corner) {
			t.Errorf("no corner at %v", corner)
		}
	}
}

func vector(v ...float32) (b []byte) {
	for _, x := range v {
		n := math.Float32bits(x)
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	return b
}

// The actors of a real level are all there, with properties; movers have their shape.
func TestLevelNodes(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	a := openBytes(t, "MH.unr", corpus.Bytes(t, dir+"/MH-NaliVillage][-SE.unr"))
	s := lifted(t, a, "MyLevel").(*asset.Scene)
	movers, shaped := 0, 0
	for _, n := range s.Roots[0].Children {
		if n.Native != nil && scene.Shown(n.Native, "class") == "Mover" {
			movers++
			if n.Mesh != nil {
				shaped++
			}
		}
	}
	if movers != 26 || shaped != movers {
		t.Errorf("%d movers, %d with a shape, want 26", movers, shaped)
	}
}

// A vector property that is missing, cut or no number anybody means is as if it were not there, component by component.
func TestProperty3(t *testing.T) {
	p := &unreal.Package{Version: 69}
	o := &unreal.Object{Context: &unreal.Context{Package: p}}
	missing := [3]float32{7, 8, 9}
	bits := func(v ...float32) (b []byte) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for i, tt := range []struct {
		value []byte
		want  [3]float32
	}{
		{bits(1, 2, 3), [3]float32{1, 2, 3}},
		{append(bits(1, 2, 3), 4), [3]float32{1, 2, 3}},
		{bits(1, 2, 3)[:11], missing},
		{nil, missing},
		{bits(nan, 2, 3), [3]float32{7, 2, 3}},
		{bits(1, inf, 3), [3]float32{1, 8, 3}},
		{bits(1, 2, 1e9), [3]float32{1, 2, 9}},
		{bits(-1e9, 2, 0.99e9), [3]float32{7, 2, 0.99e9}},
	} {
		o.SetStruct("Location", "Vector", tt.value)
		if got := property3(o, "Location", missing); got != tt.want {
			t.Errorf("%d: %v, want %v", i, got, tt.want)
		}
	}
	if got := property3(o, "PrePivot", missing); got != missing {
		t.Errorf("a property that is not there: %v", got)
	}
}
