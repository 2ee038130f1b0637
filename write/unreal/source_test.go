package unreal_test

import (
	"bytes"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
	"pgregory.net/rapid"
)

func TestSourceTypes(t *testing.T) {
	for kind, want := range map[uint8]uint32{0: 0, 1: 0x100, 2: 0x104, 3: 0x102, 4: 0x140, 18: 0x400104, 20: 0x400140, 8: 0x1001, 0x20: 0x4000, 0x40: 0x10, 0x80: 0x800} {
		if got := unreal.SourceFlags(kind); got != want {
			t.Errorf("type %d: flags %x, want %x", kind, got, want)
		}
		if back, exact := unreal.SourceType(want); back != kind || !exact {
			t.Errorf("flags %x: type %d, exact %v, want %d", want, back, exact, kind)
		}
	}
	if _, exact := unreal.SourceType(0x200); exact {
		t.Error("AutoUPan has no face type")
	}
}

func TestMeshSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		polys := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 16, 16), 0, 4).Draw(t, "polys")
		b := append([]byte{byte(len(polys)), 0}, rapid.SliceOfN(rapid.Byte(), 46, 46).Draw(t, "header")...)
		b = append(append(b, bytes.Join(polys, nil)...), rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "tail")...)
		d, err := read.MeshData(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write.MeshData(d); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%x became %x, %v", b, got, err)
		}
		vertices := rapid.IntRange(1, 4).Draw(t, "vertices")
		frames := rapid.IntRange(0, 3).Draw(t, "frames")
		size := rapid.SampledFrom([]int{4 * vertices, 8 * vertices, 4*vertices + 3}).Draw(t, "size")
		b = append([]byte{byte(frames), 0, byte(size), 0}, rapid.SliceOfN(rapid.Byte(), frames*size, frames*size+3).Draw(t, "data")...)
		a, err := read.MeshAniv(b, vertices, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write.MeshAniv(a); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%x became %x, %v", b, got, err)
		}
	})
}

func TestMeshSourceErrors(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		want error
	}{{make([]byte, 47), schema.ErrTruncated}, {append([]byte{9, 9}, make([]byte, 60)...), schema.ErrCount}} {
		if _, err := read.MeshData(c.b, nil); schema.Class(err) != c.want {
			t.Errorf("%d bytes: %v, want %v", len(c.b), err, c.want)
		}
	}
	if _, err := read.MeshAniv([]byte{2, 0, 8, 0, 1, 2, 3}, 0, nil); schema.Class(err) != schema.ErrCount {
		t.Errorf("frames cut: %v", err)
	}
}

const brushText = "Begin Map\r\nBegin Actor Class=Brush Name=Brush0\r\n    CsgOper=CSG_Add\r\n    Begin Brush Name=Model1\r\n       Begin PolyList\r\n" +
	"          Begin Polygon Item=Side Texture=Wood Flags=256 Link=0\r\n             Origin   -00128.000000,-00128.000000,-00128.000000\r\n          End Polygon\r\n" +
	"       End PolyList\r\n    End Brush\r\n    Brush=Model'MyLevel.Model1'\r\nEnd Actor\r\nEnd Map\r\n"

func TestT3D(t *testing.T) {
	for _, text := range []string{brushText, strings.ReplaceAll(brushText, "\r\n", "\n"), "Begin Map\n  Open", "\r\nbegin map\r\nend map"} {
		v, err := read.T3D([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := write.T3D(v)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "T3D", got, []byte(text))
	}
	v, err := read.T3D([]byte(brushText), nil)
	if err != nil || v.Items[0].Items[0].Items[1].Items[0].Items[0].Items[0].Line != "             Origin   -00128.000000,-00128.000000,-00128.000000\r\n" {
		t.Errorf("%v, %v", v, err)
	}
	for text, want := range map[string]error{"": schema.ErrBadMagic, "hello\n": schema.ErrBadMagic, "End Map\n": schema.ErrMismatch, strings.Repeat("Begin X\n", 1000): schema.ErrLimit} {
		if _, err := read.T3D([]byte(text), nil); schema.Class(err) != want {
			t.Errorf("%.20q: %v, want %v", text, err, want)
		}
	}
}

func FuzzMeshSources(f *testing.F) {
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		if d, err := read.MeshData(b, nil); err == nil {
			if got, err := write.MeshData(d); err != nil || !bytes.Equal(got, b) {
				t.Fatalf("%x became %x, %v", b, got, err)
			}
		}
		for vertices := range 3 {
			if a, err := read.MeshAniv(b, vertices, nil); err == nil {
				if got, err := write.MeshAniv(a); err != nil || !bytes.Equal(got, b) {
					t.Fatalf("%x became %x, %v", b, got, err)
				}
			}
		}
	})
}

func FuzzT3D(f *testing.F) {
	f.Add([]byte(brushText))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := read.T3D(b, nil)
		if err != nil {
			return
		}
		if got, err := write.T3D(v); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%q became %q, %v", b, got, err)
		}
	})
}
