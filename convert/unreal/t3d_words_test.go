package unreal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestWordsOfBytes: every word of every enumeration is its number, however it is written and whatever the property is called; a
// number without a word is itself.
func TestWordsOfBytes(t *testing.T) {
	x := &t3dReader{a: hall(t, 69)}
	for key, words := range enums {
		for i, word := range words {
			if got := byteText(strings.ToUpper(key), int32(i)); got != word {
				t.Errorf("%s %d is %s, want %s", key, i, got, word)
			}
			for _, name := range []string{key, strings.ToUpper(key), "Unheard"} {
				for _, text := range []string{word, strings.ToLower(word), fmt.Sprint(i)} {
					if got, ok := x.byte(name, text); !ok || got != float64(i) {
						t.Errorf("%s=%s is %v, %v, want %d", name, text, got, ok, i)
					}
				}
			}
		}
		for _, n := range []int{-1, len(words), 255} {
			if got := byteText(key, int32(n)); got != fmt.Sprint(n) {
				t.Errorf("%s %d is %s", key, n, got)
			}
		}
	}
	if x.values.Count != 0 {
		t.Errorf("told of %s", x.values.First)
	}
	if v, ok := x.byte("LightType", "LT_Nonsense"); ok || x.values.First != "LightType" {
		t.Errorf("LT_Nonsense is %v", v)
	}
	if got := byteText("Unheard", 0); got != "0" {
		t.Error(got)
	}
}

// TestObjectsAsText: an object of the package is one of MyLevel, an import has its own package, and each finds back.
func TestObjectsAsText(t *testing.T) {
	a := hall(t, 69)
	group := a.AddExport(a.AddClass("Core", "Package"), 0, "mylevel", unreal.LoadFlags)
	inside := a.AddExport(a.AddClass("Engine", "Light"), group, "Inside", unreal.LoadFlags)
	group2 := a.AddExport(a.AddClass("Core", "Package"), 0, "MyLevel2", unreal.LoadFlags)
	stranger := a.AddExport(a.AddClass("Engine", "Light"), group2, "Stranger", unreal.LoadFlags)
	wall := a.AddImport("Engine", "Texture", a.AddImport("Core", "Package", 0, "Walls"), "Brick")
	for r, want := range map[unreal.Ref]string{
		0: "None", 1: a.ClassName(1) + "'MyLevel." + a.ObjectName(1) + "'", inside: "Light'MyLevel.Inside'", stranger: "Light'MyLevel.MyLevel2.Stranger'", group: "Package'MyLevel'", wall: "Texture'Walls.Brick'",
	} {
		if got := a.objectText(r); got != want {
			t.Errorf("%d is %s, want %s", r, got, want)
		}
	}
}

// TestTypesByForm: the type of a property that no object has is told by the form of its value.
func TestTypesByForm(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		x := &t3dReader{a: hall(t, version), types: map[string]RecordProperty{}}
		text := map[uint16]string{61: "String", 69: "Str"}[version]
		for line, want := range map[string]string{
			`Any="x"`: text, "Any=True": "Bool", "Any=false": "Bool", "Any=Truth": "Name", "Any=None": "Object", "Any=none": "Name", "Any=Light'A.B'": "Object",
			"Any=7": "Int", "Any=-7": "Int", "LightHue=7": "Byte", "LIGHTHUE=7": "Byte", "Physics=2": "Byte", "Physics=PHYS_None": "Byte", "Any=7.5": "Float", "Any=-1e3": "Float", "Any=1e39": "Name", "Any=word": "Name", "Any=": "Name",
			"Any=(Yaw=1)": "Struct Rotator", "Any=(pitch=1)": "Struct Rotator", "Any=(Roll=1)": "Struct Rotator", "Any=(iLeaf=1)": "Struct PointRegion", "Any=(Zone=None)": "Struct PointRegion",
			"Any=(SheerAxis=SHEER_XY)": "Struct Scale", "Any=(Scale=(X=2))": "Struct Scale", "Any=(W=1)": "Struct Plane", "Any=(X=1,W=1)": "Struct Plane", "Any=(X=1)": "Struct Vector", "Any=(Y=1)": "Struct Vector", "Any=(Z=1)": "Struct Vector",
			"Any=(R=1)": "Struct Color", "Any=(G=1)": "Struct Color", "Any=(B=1)": "Struct Color", "MainScale=()": "Struct Scale", "RotationRate=()": "Struct Rotator", "FogColor=()": "Struct Color", "Any=()": "Struct Vector",
		} {
			name, value, _ := strings.Cut(line, "=")
			r := x.typed(name, value)
			if got := strings.TrimSpace(r.Type + " " + r.Struct); got != want {
				t.Errorf("version %d: %s is %s, want %s", version, line, got, want)
			}
		}
	}
}

// TestTypesByOthers: what an actor of the package has is of the type that it has there, and what only other things have is not.
func TestTypesByOthers(t *testing.T) {
	a := hall(t, 69)
	x := &t3dReader{a: a}
	for line, want := range map[string]string{"Location=7": "Struct Vector", "LOCATION=7": "Struct Vector", "Level=7": "Object", "Tag=7": "Name", "LightSaturation=x": "Byte", "USize=1.5": "Float", "Palette=x": "Name"} {
		name, value, _ := strings.Cut(line, "=")
		r := x.typed(name, value)
		if got := strings.TrimSpace(r.Type + " " + r.Struct); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}

// TestDressedTriangles: a polygon wears the texture that its material shows, or else names, in its size.
func TestDressedTriangles(t *testing.T) {
	named := func(text string) *asset.Native {
		n := &asset.Native{}
		scene.SetShown(n, "texture", text)
		return n
	}
	board := func(name string) *asset.TextureRef {
		x := checkerboard(8, 4)
		x.Name = name
		return &asset.TextureRef{Texture: x}
	}
	for name, c := range map[string]struct {
		m             *asset.Material
		texture       string
		width, height float64
	}{
		"nothing":                  {nil, "", 256, 256},
		"a plain one":              {&asset.Material{Name: "Paint"}, "", 256, 256},
		"a name":                   {&asset.Material{Native: named("Wall")}, "Wall", 256, 256},
		"a path":                   {&asset.Material{Native: named("Texture'Walls.Red.Brick'")}, "Brick", 256, 256},
		"a class and a name":       {&asset.Material{Native: named("Texture'Brick'")}, "Brick", 256, 256},
		"other values":             {&asset.Material{Native: &asset.Native{Values: map[string]any{"polyFlags": 4.0}}}, "", 256, 256},
		"a picture":                {&asset.Material{BaseColorTexture: board("Board")}, "Board", 8, 4},
		"a picture and a name":     {&asset.Material{Native: named("Wall"), BaseColorTexture: board("Board")}, "Board", 8, 4},
		"a picture without a name": {&asset.Material{Name: "Paint", BaseColorTexture: board("")}, "Paint", 8, 4},
		"its name alone":           {&asset.Material{Native: named("Wall"), BaseColorTexture: board("")}, "Wall", 8, 4},
		"no picture":               {&asset.Material{Native: named("Wall"), BaseColorTexture: new(asset.TextureRef)}, "Wall", 256, 256},
		"an empty picture":         {&asset.Material{BaseColorTexture: &asset.TextureRef{Texture: &asset.Texture{Name: "Void"}}}, "Void", 256, 256},
	} {
		x := texturedAs(c.m)
		if x.TextureName != c.texture || x.width != c.width || x.height != c.height || x.Flags != look.FlagsOf(c.m) {
			t.Errorf("%s: %q of %v x %v", name, x.TextureName, x.width, x.height)
		}
	}
}

// TestCoveredTriangles: the axes of a triangle put each corner at its texels; where no axes can, they lie along the first edge.
func TestCoveredTriangles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	number := func(most float64) float64 { return math.Round((2*r.Float64()-1)*most*16) / 16 }
	for n := range 500 {
		var p unreal.Poly
		var uv [3][2]float64
		for k := range uv {
			p.Vertices = append(p.Vertices, [3]float32{float32(number(512)), float32(number(512)), float32(number(512))})
			uv[k] = [2]float64{number(300), number(300)}
		}
		flat := n%5 == 0
		if flat { // it shows a line of its texture
			uv[2] = [2]float64{2*uv[1][0] - uv[0][0], 2*uv[1][1] - uv[0][1]}
		}
		p.Base = p.Vertices[0]
		if !flatPolygon(&p) {
			t.Fatal("no area")
		}
		along := p
		new(clothed).cover(&p, uv)
		if flat {
			if p.TextureU != along.TextureU || p.TextureV != along.TextureV || p.Base != along.Base {
				t.Errorf("%v at %v has axes %v, %v", p.Vertices, uv, p.TextureU, p.TextureV)
			}
			continue
		}
		for k, v := range p.Vertices {
			d := scene.Wide3(v).Sub(scene.Wide3(p.Base))
			at := [2]float64{d.Dot(scene.Wide3(p.TextureU)), d.Dot(scene.Wide3(p.TextureV))}
			reach := 1e-3 * (1 + d.Len()*(scene.Wide3(p.TextureU).Len()+scene.Wide3(p.TextureV).Len()))
			if !(math.Abs(at[0]-uv[k][0]) < reach && math.Abs(at[1]-uv[k][1]) < reach) {
				t.Errorf("corner %d of %v shows %v, want %v", k, p.Vertices, at, uv[k])
			}
		}
	}
	flat := unreal.Poly{Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, TextureU: [3]float32{7}}
	new(clothed).cover(&flat, [3][2]float64{{0, 0}, {1, 0}, {0, 1}})
	if flat.TextureU != [3]float32{7} || flatPolygon(&flat) {
		t.Errorf("a line has axes: %+v", flat)
	}
}

// TestTexturesByName: a texture is found by its last name, in the package before its imports, and what is none is told.
func TestTexturesByName(t *testing.T) {
	a, d := hall(t, 69), new(schema.Diagnostics)
	a.Env.Diagnostics = d
	fire := a.AddImport("Fire", "FireTexture", a.AddImport("Core", "Package", 0, "Flames"), "Blaze")
	a.AddImport("Engine", "Sound", 0, "Bang")
	wall := a.FindExport("Wall", "Texture")
	for name, want := range map[string]unreal.Ref{"Wall": wall, "WALL": wall, "Room.Walls.Wall": wall, "Blaze": fire, "flames.blaze": fire, "": 0} {
		if got := a.textureNamed(name); got != want {
			t.Errorf("%q is %d, want %d", name, got, want)
		}
	}
	if d.Has("texture-missing") {
		t.Errorf("told %v", d.All())
	}
	for _, name := range []string{"Bang", "Gone", "Light0"} {
		if got := a.textureNamed("Some." + name); got != 0 {
			t.Errorf("%s is %d", name, got)
		}
	}
	var told []string
	for _, x := range d.All() {
		told = append(told, x.Code+" "+x.Path)
	}
	if got := strings.Join(told, ", "); got != "texture-missing Bang, texture-missing Gone, texture-missing Light0" {
		t.Errorf("told %s", got)
	}
}

// TestShapeOfANameThatIsTaken: a brush of the text gets the shape of the text, though the level has another one of that name.
func TestShapeOfANameThatIsTaken(t *testing.T) {
	const text = "Begin Actor Class=Brush Name=New\nBegin Brush Name=Model0\nBegin Polygon\nNormal 0,0,1\nVertex 0,0,0\nVertex 8,0,0\nVertex 0,8,0\nEnd Polygon\nEnd Brush\nBrush=Model'MyLevel.Model0'\nEnd Actor\n"
	a := hall(t, 69)
	if err := a.addText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	o, err := a.Object(int(a.ByName("New", "Brush") - 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := pack.As[unreal.Model](a.File, int(o.Base().Ref("Brush")-1))
	if err != nil || m == nil || m.Path == "Model0" || m.Polys <= 0 {
		t.Fatalf("the shape is %+v, %v", m, err)
	}
	if polys, err := pack.As[unreal.Polys](a.File, int(m.Polys-1)); err != nil || len(polys.Polys) != 1 || len(polys.Polys[0].Vertices) != 3 || !a.IsNone(polys.Polys[0].Item) {
		t.Errorf("%+v, %v", polys, err)
	}
	bare := &unreal.Object{Context: &unreal.Context{Package: a.Package}}
	bare.Set("Brush", unreal.ObjectProperty, 0)
	if err := a.copyBrush(bare, 1); err != nil || bare.Ref("Brush") != 0 { // a brush without a shape is copied without one
		t.Errorf("%v", err)
	}
}

// TestWhereActorsOfTextGo: a new actor lies where the first of its level lies, in the group of a level or in none.
func TestWhereActorsOfTextGo(t *testing.T) {
	const text = "Begin Actor Class=Light Name=New\nEnd Actor\nBegin Actor Class=Brush Name=Shape\nEnd Actor\n"
	for _, grouped := range []bool{false, true} {
		a := hall(t, 69)
		level := a.level()
		l, _ := a.Object(level)
		first := l.(*unreal.Level).Actors[0]
		if grouped {
			a.Exports[first-1].Outer = unreal.Ref(level + 1)
		}
		if err := a.addText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		for name, flags := range map[string]uint32{"New": unreal.ActorFlags, "Shape": brushFlags} {
			r := a.ByName(name, map[string]string{"New": "Light", "Shape": "Brush"}[name])
			if e := a.Exports[r-1]; e.Outer != a.Exports[first-1].Outer || e.Flags != flags {
				t.Errorf("grouped %v: %s lies in %d, flags %#x", grouped, name, e.Outer, e.Flags)
			}
		}
		o, err := a.Object(int(a.ByName("New", "Light") - 1))
		if err != nil || o.Base().Frame == nil || o.Base().Ref("Level") != first {
			t.Errorf("the light is %+v, %v", o.Base(), err)
		}
	}
	for _, first := range [][]unreal.Ref{nil, {0}} { // a level of no actors
		a := hall(t, 69)
		level, err := a.Object(a.level())
		if err != nil {
			t.Fatal(err)
		}
		l := level.(*unreal.Level)
		l.Actors = first
		if err := a.layIn(l, []byte(text), &format.Env{}); err != nil {
			t.Fatal(err)
		}
		r := a.ByName("New", "Light")
		o, err := a.Object(int(r - 1))
		if err != nil || a.Exports[r-1].Outer != 0 || !slices.Contains(l.Actors, r) || o.Base().Ref("Level") != 0 || o.Base().Ref("Tag") == 0 && o.Base().Property("Tag", 0) == nil {
			t.Errorf("%v: %+v in %v, %v", first, o.Base(), l.Actors, err)
		}
	}
}
