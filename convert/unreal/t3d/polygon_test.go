package t3d

import (
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
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
