package unreal

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// dressedPackage has a mesh without a texture, two pictures, a class that shows the mesh, and one below it that puts
// the first picture on it.
func dressedPackage(t *testing.T) *archive {
	x, _ := Create(&format.Env{Name: "Dressed.u"})
	a := x.(*archive)
	for _, name := range []string{"Red", "Blue"} {
		board := checkerboard(8, 8)
		board.Name = name
		add(t, a, name, board, format.Texture)
	}
	s := pyramid()
	s.Meshes[0].Primitives[0].Material.BaseColorTexture = nil
	o, err := mesh.Lower(a.File, -1, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.(*unreal.LodMesh).Textures = []unreal.Ref{0}
	b, err := write.Object(o)
	if err == nil {
		err = a.Add("Cone", b, a.bind(meshFormat, -1))
	}
	if err != nil {
		t.Fatal(err)
	}
	class := func(name string, super unreal.Ref, properties map[string]unreal.Ref) unreal.Ref {
		r := a.AddExport(0, 0, name, unreal.ResourceFlags)
		a.Exports[r-1].Super = super
		c := &unreal.Class{}
		c.Context = a.Context(int(r - 1))
		c.Super, c.FriendlyName, c.Config = super, a.AddName(name), a.AddName("System")
		for k, v := range properties {
			c.Set(k, unreal.ObjectProperty, int32(v))
		}
		put(t, a, r, c)
		return r
	}
	base := class("Prop", 0, map[string]unreal.Ref{"Mesh": a.FindExport("Cone", "LodMesh")})
	class("RedProp", base, map[string]unreal.Ref{"MultiSkins": a.FindExport("Red", "Texture")})
	class("BlueProp", base, map[string]unreal.Ref{"Skin": a.FindExport("Blue", "Texture")})
	b = written(t, a)
	return openBytes(t, "Dressed.u", b)
}

func worn(s *asset.Scene) string {
	for _, m := range s.Materials {
		if m.BaseColorTexture != nil {
			return m.BaseColorTexture.Texture.Name
		}
	}
	return ""
}

// A mesh without textures shows what the first class that uses it puts on it. That is not taken for an edit, but
// another picture is.
func TestOutfit(t *testing.T) {
	a := dressedPackage(t)
	s := through(t, lifted(t, a, "Cone")).(*asset.Scene)
	if got := worn(s); got != "Red" {
		t.Fatalf("the mesh wears %q, want Red", got)
	}
	i := int(a.FindExport("Cone", "LodMesh") - 1)
	stored, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	f := a.leaf(i, i)
	d := new(schema.Diagnostics)
	lower := func() []byte {
		v, err := f.Lower(s, &format.Env{Archive: a, Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		b, err := f.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(lower(), stored) {
		t.Error("untouched, the mesh changed")
	}
	if len(d.All()) > 0 {
		t.Errorf("untouched, it is told of %v", d.All())
	}
	s.Materials[0].BaseColorTexture.Texture.Name = "Blue"
	o, err := f.Read(lower(), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.LodMesh)
	if k := m.Materials[0].Texture; a.ObjectName(m.Textures[k]) != "Blue" {
		t.Error("the picture that was put in its place did not arrive")
	}
	if all := d.All(); len(all) != 1 || all[0].Code != "skin-stays" {
		t.Errorf("told of %v, want the skin of the class that stays", all)
	}
}

// What an actor has itself comes before what its class has; both before the mesh's own textures.
func TestActorSkins(t *testing.T) {
	a := dressedPackage(t)
	blue, class := a.FindExport("Blue", "Texture"), a.FindExport("RedProp", "Class")
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", 0x00070001)
	var actors []unreal.Ref
	for _, name := range []string{"RedProp0", "RedProp1"} {
		r := a.AddExport(class, level, name, unreal.LoadFlags)
		o := &unreal.Object{}
		o.Context = a.Context(int(r - 1))
		if name == "RedProp1" {
			o.Set("MultiSkins", unreal.ObjectProperty, int32(blue))
		}
		put(t, a, r, o)
		actors = append(actors, r)
	}
	put(t, a, level, &unreal.Level{Actors: actors, Capacity: 2})
	s := through(t, lifted(t, openBytes(t, "Map.unr", written(t, a)), "MyLevel")).(*asset.Scene)
	shown := space.Shown(s)
	if len(shown) != 2 {
		t.Fatalf("%d shapes, want 2", len(shown))
	}
	for i, want := range []string{"Red", "Blue"} {
		m := shown[i].Node.Mesh.Primitives[0].Material
		if m.BaseColorTexture == nil || m.BaseColorTexture.Texture.Name != want {
			t.Errorf("actor %d does not wear %s", i, want)
		}
	}
}

// A skeletal mesh that an actor shows has a shape, at rest.
func TestSkeletalActor(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Worms.unr"})
	a := x.(*archive)
	add(t, a, "Worm", worm(), format.Model)
	level := a.AddExport(a.AddClass("Engine", "Level"), 0, "MyLevel", 0x00070001)
	r := a.AddExport(a.AddClass("Engine", "Actor"), level, "Worm0", unreal.LoadFlags)
	o := &unreal.Object{}
	o.Context = a.Context(int(r - 1))
	o.Set("DrawType", unreal.ByteProperty, drawMesh)
	o.Set("Mesh", unreal.ObjectProperty, int32(a.FindExport("Worm", "SkeletalMesh")))
	put(t, a, r, o)
	put(t, a, level, &unreal.Level{Actors: []unreal.Ref{r}, Capacity: 1})
	s := through(t, lifted(t, openBytes(t, "Worms.unr", written(t, a)), "MyLevel")).(*asset.Scene)
	if shown := space.Shown(s); len(shown) != 1 || len(shown[0].Node.Mesh.Primitives) == 0 || len(shown[0].Node.Mesh.Primitives[0].Joints) != 0 {
		t.Errorf("%d shapes, want one without a skin", len(shown))
	}
}
