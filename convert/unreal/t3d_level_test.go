package unreal

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// textOf returns the level of a package as T3D.
func textOf(t testing.TB, a *archive) string {
	t.Helper()
	i, err := a.export(entry(t, a, "MyLevel"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	x, ok, err := a.levelInto(o, t3dName, a.Env)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	b, err := write.T3D(x.(*unreal.T3D))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// mapText is a level as the editor writes it: a lamp, a brush with a hole in its texture's path, a mover, a start.
const mapText = `Begin Map
Begin Actor Class=LevelInfo Name=LevelInfo0
    Title="Hall of ""mirrors"
    Name=LevelInfo0
End Actor
Begin Actor Class=Light Name=Lamp7
    Level=LevelInfo'MyLevel.LevelInfo0'
    Tag=Light
    Region=(Zone=LevelInfo'MyLevel.LevelInfo0',iLeaf=-1,ZoneNumber=2)
    Group=lamps
    Location=(X=16.500000,Z=-3.250000)
    Rotation=(Yaw=-16384)
    LightType=LT_Pulse
    LightHue=40
    DrawScale=0.411411
    bHidden=True
    Target=PlayerStart'MyLevel.Start3'
    Texture=Texture'Engine.S_Light'
    Name=Lamp7
End Actor
Begin Actor Class=PlayerStart Name=Start3
    Level=LevelInfo'MyLevel.LevelInfo0'
    Tag=None
    Paths(0)=3
    Paths(1)=4
    Color=(R=1,B=255)
    Name=Start3
End Actor
Begin Actor Class=Brush Name=Wall9
    CsgOper=CSG_Subtract
    MainScale=(Scale=(X=0.250000,Z=3.000000),SheerAxis=SHEER_ZX)
    Level=LevelInfo'MyLevel.LevelInfo0'
    Tag=Brush
    Begin Brush Name=Model77
       Begin PolyList
          Begin Polygon Item=OUTSIDE Texture=Wall Flags=-1073741824 Link=0
             Origin   -00032.000000,-00008.000000,+00064.000000
             Normal   +00000.000000,+00000.000000,+00001.000000
             Pan      U=0 V=-34
             TextureU +00000.000000,+00001.000000,+00000.000000
             TextureV -00001.000000,+00000.000000,+00000.000000
             Vertex   -00032.000000,-00008.000000,+00064.000000
             Vertex   +00032.000000,-00008.000000,+00064.000000
             Vertex   +00032.000000,+00008.000000,+00064.000000
          End Polygon
          Begin Polygon
             Origin   +00000.000000,+00000.000000,+00000.000000
             Normal   +00000.000000,+00000.000000,+00001.000000
             TextureU +00000.000000,+00001.000000,+00000.000000
             TextureV -00001.000000,+00000.000000,+00000.000000
             Vertex   -00032.000000,-00008.000000,+00064.000000
             Vertex   +00032.000000,-00008.000000,+00064.000000
             Vertex   +00032.000000,+00008.000000,+00064.500000
          End Polygon
       End PolyList
    End Brush
    Brush=Model'MyLevel.Model77'
    PrePivot=(Y=-1.000000)
    Name=Wall9
End Actor
End Map
`

// Text that is laid into a level comes out of the written package as it was; laid in again it changes nothing.
func TestTextLevel(t *testing.T) {
	for _, version := range []uint16{60, 61, 63, 69} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			was := hall(t, version)
			text := strings.Replace(mapText, `Title="Hall of ""mirrors"`, `Title="Hall"`, 1)
			a := openBytes(t, "Hall.unr", written(t, was))
			d := &schema.Diagnostics{}
			a.Env = &format.Env{Name: "Hall.unr", Diagnostics: d}
			if err := a.Add("text", []byte(text), &t3dFormat); err != nil {
				t.Fatal(err)
			}
			now := checked(t, a)
			shapes := " +Model77 +Polys"
			if version < unreal.LazyVersion {
				shapes = " +BspNodes +BspSurfs +Model77 +Polys +Vectors +Vectors2 +Verts"
			}
			want := strings.Join(strings.Fields("+Lamp7"+shapes+" +Start3 +Wall9 LevelInfo0 MyLevel"), " ")
			if got := sortedWords(strings.Fields(deeds(t, was, now))); got != sortedWords(strings.Fields(want)) {
				t.Errorf("changed: %s\nwant: %s", got, want)
			}
			if !d.Has("rebuild") || d.Has("t3d-value") || d.Has("t3d-reference") || d.Has("t3d-class") {
				t.Errorf("told: %v", d.All())
			}
			got := textOf(t, now)
			for _, block := range strings.Split(text, "End Actor\n") {
				block = strings.TrimPrefix(strings.TrimPrefix(block, "Begin Map\n"), "End Map\n")
				if !strings.Contains(strings.ReplaceAll(got, "\r\n", "\n"), block) {
					t.Errorf("the text of the package has no block\n%s\nbut is\n%s", block, got)
				}
			}
			if err := now.Add("text", []byte(got), &t3dFormat); err != nil {
				t.Fatal(err)
			}
			if again := checked(t, now); deeds(t, openBytes(t, "Hall.unr", written(t, a)), again) != "" {
				t.Errorf("laid in again: %s", deeds(t, now, again))
			}
		})
	}
}

// The levels of the corpus take their own text without a change; one of them is there as text too.
func TestTextCorpus(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	a := openBytes(t, "1HH-TestBox.unr", corpus.Bytes(t, dir+"/1HH-TestBox.unr"))
	want := string(corpus.Bytes(t, dir+"/t3d/1HH-TestBox.t3d"))
	if got := strings.ReplaceAll(textOf(t, a), "\r\n", "\n"); got != strings.ReplaceAll(want, "\r\n", "\n") {
		t.Errorf("the text of the level is not that of the corpus: %d bytes, %d", len(got), len(want))
	}
	for _, e := range valid(t) {
		if !strings.HasSuffix(e.File, ".unr") {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		a := openBytes(t, e.File, b)
		if a.level() < 0 {
			continue
		}
		text := textOf(t, a)
		if err := a.Add("text", []byte(text), &t3dFormat); err != nil {
			t.Errorf("%s: %v", e.File, err)
			continue
		}
		corpus.SameBytes(t, e.File, written(t, a), b)
	}
}

func TestDecimals(t *testing.T) {
	for x, want := range map[float32]string{411.4140625: "411.414063", -411.4140625: "-411.414063", 1: "1.000000", 0.1: "0.100000", 1.0 / 128: "0.007813", -0.5: "-0.500000"} {
		if got := t3d.Decimal(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

// Text that makes no sense is refused or left out, and never breaks the package.
func TestTextOdd(t *testing.T) {
	for _, c := range []struct{ text, code string }{
		{"Begin Actor Class=Nowhere Name=X\nEnd Actor\n", "t3d-class"},
		{"Begin Actor Class=Light Name=X\n Location=(X=a)\nEnd Actor\n", "t3d-value"},
		{"Begin Actor Class=Light Name=X\n Target=Light'MyLevel.Gone'\nEnd Actor\n", "t3d-reference"},
		{"Begin Actor Class=Light Name=X\n Location=(X=1,Y\nEnd Actor\n", "t3d-value"},
		{"Begin Actor Class=Light Name=X\n LightType=LT_Nonsense\nEnd Actor\n", "t3d-value"},
		{"Begin Actor Class=Light Name=X\n Target(99999999999)=None\n =\n (=)=\nEnd Actor\n", ""},
		{"Begin Actor Class=Light Name=bad.name*\nEnd Actor\n", "!"},
		{"Begin PolyList\nEnd PolyList\n", "!"},
		{"Begin Actor Class=Brush Name=B\n Begin Brush Name=\n Begin Polygon Flags=x\n End Polygon\n End Brush\nEnd Actor\n", "!"},
	} {
		a := hall(t, 69)
		d := &schema.Diagnostics{}
		a.Env = &format.Env{Name: "Hall.unr", Diagnostics: d}
		err := a.Add("text", []byte(c.text), &t3dFormat)
		if (err != nil) != (c.code == "!") || err == nil && c.code != "" && !d.Has(c.code) {
			t.Errorf("%q: %v, %v", c.text, err, d.All())
		}
		if err == nil {
			checked(t, a)
		}
	}
}

// FuzzTextLevel lays any text into a level: what is taken makes a package that the independent parser finds consistent.
func FuzzTextLevel(f *testing.F) {
	f.Add([]byte(mapText))
	f.Add([]byte("Begin Actor Class=Light Name=X\n Location=(X=a)\nEnd Actor\n"))
	source := written(f, hall(f, 61))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		if x, err := read.T3D(text, nil); err != nil || x == nil {
			return
		}
		a := openBytes(t, "Hall.unr", source)
		if a.Add("text", text, &t3dFormat) != nil {
			return
		}
		var w bytes.Buffer
		if _, err := a.WriteTo(&w); err != nil {
			return
		}
		if _, err := checkPackage(w.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}

// Brushes of a map stand where their actors put them.
func TestTextPlaces(t *testing.T) {
	text := strings.Replace(mapText, "    Level=LevelInfo'MyLevel.LevelInfo0'\n    Tag=Brush\n", "    Location=(X=100.000000,Y=20.000000)\n    Rotation=(Yaw=16384)\n", 1)
	x, err := read.T3D([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := liftT3D(x, &format.Env{Name: "map.t3d"})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := nodeNamed(t, through(t, s).(*asset.Scene), "Wall9")
	// (−32, −8, 64) less the pivot (0, −1, 0), scaled by (0.25, 1, 3), a quarter turn to the right, at (100, 20, 0).
	want := [3]float32{100 + 7, 20 - 8, 192}
	m := scene.Matrix(&n.Transform)
	got := m.Mul4x1(scene.Wide3(n.Mesh.Primitives[0].Positions[0]).Vec4(1)).Vec3()
	if at := space.Vertex.Back(scene.Narrow3(got)); math.Abs(float64(at[0]-want[0]))+math.Abs(float64(at[1]-want[1]))+math.Abs(float64(at[2]-want[2])) > 1e-3 {
		t.Errorf("a corner is at %v, want %v", at, want)
	}
	if n.Native == nil || scene.ShownText(n.Native, "csgOper") != "CSG_Subtract" {
		t.Errorf("%+v", n.Native)
	}
}

// TestTextReshapesNothing: text whose polygons cannot be read is refused, and the shape that its brush has stays; a block without
// lines is no property.
func TestTextReshapesNothing(t *testing.T) {
	a := hall(t, 69)
	d := &schema.Diagnostics{}
	a.Env = &format.Env{Name: "Hall.unr", Diagnostics: d}
	text := strings.Replace(mapText, `Title="Hall of ""mirrors"`, `Title="Hall"`, 1)
	empty := strings.Replace(text, "    Name=Lamp7\n", "    Begin Notes Location=Here\n    End Notes\n    Name=Lamp7\n", 1)
	if err := a.Add("text", []byte(empty), &t3dFormat); err != nil || d.Has("t3d-value") {
		t.Fatalf("%v, told %v", err, d.All())
	}
	before := polygonsOf(t, a, "Wall9")
	for _, c := range []struct{ from, to string }{
		{"Flags=-1073741824", "Flags=x"},
		{"Vertex   +00032.000000,+00008.000000,+00064.500000", "Vertex   +00032.000000,+00008.000000"},
	} {
		err := a.Add("text", []byte(strings.Replace(text, c.from, c.to, 1)), &t3dFormat)
		if err == nil || polygonsOf(t, a, "Wall9") != before {
			t.Errorf("%s: %v, %s", c.to, err, polygonsOf(t, a, "Wall9"))
		}
	}
}

// polygonsOf returns the polygons of the brush of an actor as text.
func polygonsOf(t *testing.T, a *archive, actor string) string {
	t.Helper()
	o, err := a.Object(int(a.ByName(actor, "Brush") - 1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := pack.As[unreal.Model](a.File, int(o.Base().Ref("Brush")-1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pack.As[unreal.Polys](a.File, int(m.Polys-1))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v", p.Polys)
}

// TestUnboundFormats: the format of an entry reads no payload before it is bound to the entry.
func TestUnboundFormats(t *testing.T) {
	for _, e := range hall(t, 69).Entries() {
		if e.Format == nil || e.Format.Bind == nil {
			continue
		}
		if _, err := e.Format.Read(nil, nil); schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), "bound it to the entry") {
			t.Errorf("%s: %v", e.Path, err)
		}
	}
}
