package t3d

import (
	"reflect"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Numbers of a polygon that are none, or that have no place in a package, are refused.
func TestPolygonNumbers(t *testing.T) {
	for _, c := range []struct {
		head, pan string
		want      error
	}{
		{"Flags=8 Link=3", "U=-4 V=32767", nil},
		{"Flags=-2147483648", "U=0 V=0", nil},
		{"Flags=4294967296", "U=0 V=0", schema.ErrValue},
		{"Flags=none", "U=0 V=0", schema.ErrValue},
		{"Link=2147483648", "U=0 V=0", schema.ErrValue},
		{"Link=1", "U=0 V=32768", schema.ErrValue},
	} {
		text, err := read.T3D([]byte("Begin PolyList\r\nBegin Polygon "+c.head+"\r\nPan "+c.pan+"\r\nEnd Polygon\r\nEnd PolyList\r\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Polygons(text.Items, nil); schema.Class(err) != c.want {
			t.Errorf("%s, %s: %v", c.head, c.pan, err)
		}
	}
}

// TestPolygonValues: everything that a polygon says, with blanks or tabs between, and back.
func TestPolygonValues(t *testing.T) {
	const body = "Begin Polygon Item=Side Texture=Brick Flags=-12 Link=13\r\nOrigin -1,2.5,+3\r\nNormal 0,0,1\r\nPan U=-14 V=1500\r\nTextureU 1,0,0\r\nTextureV 0,1,0\r\n" +
		"Vertex 1,2,3\r\nVertex 4,5,6\r\nVertex 7,8,9\r\nEnd Polygon\r\n"
	want := Polygon{Poly: unreal.Poly{Base: [3]float32{-1, 2.5, 3}, Normal: [3]float32{0, 0, 1}, TextureU: [3]float32{1, 0, 0}, TextureV: [3]float32{0, 1, 0}, PanU: -14, PanV: 1500,
		Vertices: [][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, Flags: 0xFFFFFFF4, Link: 13}, TextureName: "Brick", ItemName: "Side"}
	for name, text := range map[string]string{"blanks": body, "more blanks": strings.ReplaceAll(body, " ", "   "), "tabs": strings.ReplaceAll(body, " ", "\t"), "in lower case": strings.ToLower(body)} {
		x, err := read.T3D([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Polygons(x.Items, nil)
		if name == "in lower case" {
			want.TextureName, want.ItemName = "brick", "side"
		} else {
			want.TextureName, want.ItemName = "Brick", "Side"
		}
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	p := &unreal.Package{Version: 69}
	p.AddName("None")
	want.Item, want.Texture = p.AddName("Side"), p.AddImport("Engine", "Texture", 0, "Brick")
	o := &unreal.Polys{Polys: []unreal.Poly{want.Poly}}
	o.Context = &unreal.Context{Package: p, Path: "Level.Room"}
	text := BrushText(o)
	for _, line := range []string{"Begin Brush Name=Room", "Begin Polygon Item=Side Texture=Brick Flags=-12 Link=13", "Pan      U=-14 V=1500", "Origin   -00001.000000,+00002.500000,+00003.000000", "Vertex   +00007.000000,+00008.000000,+00009.000000"} {
		if strings.Count(text, line+"\r\n") != 1 {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
	o.Polys[0] = unreal.Poly{Link: noLink}
	if text := BrushText(o); !strings.Contains(text, "Begin Polygon\r\n") || strings.Contains(text, "Pan") {
		t.Errorf("what says nothing is\n%s", text)
	}
}
