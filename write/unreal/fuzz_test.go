package unreal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// FuzzPackage: what reads must write back the same bytes, and what is rebuilt must read again.
func FuzzPackage(f *testing.F) {
	for _, version := range []uint16{60, 63, 64, 69} {
		f.Add(save(f, small(f, version, []byte{1, 2, 3})))
	}
	seeds, _ := filepath.Glob("../../testdata/unreal/*")
	for _, s := range seeds {
		if b, err := os.ReadFile(s); err == nil && len(b) < 1<<14 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return
		}
		if got := save(t, p); !bytes.Equal(got, b) {
			t.Fatalf("%d bytes became %d others", len(b), len(got))
		}
		for i := range p.Exports {
			payload, err := p.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			sameObject(t, payload, p.Context(i))
		}
		if read.Relocations(p, nil) != nil {
			return
		}
		p.AddExport(0, 0, "Added", 0)
		if got := save(t, p); len(open(t, got).Exports) != len(p.Exports) {
			t.Fatal("the added export is missing")
		}
	})
}

// sameObject: an object that reads must write back the same bytes.
func sameObject(t testing.TB, b []byte, x *unreal.Context) {
	t.Helper()
	o, err := read.Object(b, x, nil)
	if err != nil {
		return
	}
	got, err := write.Object(o)
	if err != nil {
		t.Fatalf("%s of %x: %v", x.Class, b, err)
	}
	if !bytes.Equal(got, b) {
		t.Fatalf("%s: %x became %x", x.Class, b, got)
	}
}

// fuzzClasses fuzzes the payloads of classes; the first byte of the input chooses version and flags.
func fuzzClasses(f *testing.F, classes ...string) {
	p := small(f, 69, nil)
	for i := range p.Exports {
		if b, err := p.Payload(i); err == nil {
			f.Add(append([]byte{9}, b...))
		}
	}
	f.Add([]byte{0})
	f.Add(append([]byte{9, 0}, make([]byte, 200)...))
	f.Add(append([]byte{3, 0}, make([]byte, 200)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		p := *p
		p.Version = unreal.MinVersion + uint16(b[0]&15)%10
		for _, class := range classes {
			x := &unreal.Context{Package: &p, Class: class, Offset: int64(b[0]&0x40) * 8}
			if b[0]&0x80 != 0 {
				x.Flags = unreal.HasStack
			}
			sameObject(t, b[1:], x)
		}
	})
}

func FuzzProperties(f *testing.F)   { fuzzClasses(f, "Light") }
func FuzzTexture(f *testing.F)      { fuzzClasses(f, "Texture", "FireTexture", "Palette") }
func FuzzSound(f *testing.F)        { fuzzClasses(f, "Sound", "Music") }
func FuzzFont(f *testing.F)         { fuzzClasses(f, "Font") }
func FuzzTextBuffer(f *testing.F)   { fuzzClasses(f, "TextBuffer") }
func FuzzMesh(f *testing.F)         { fuzzClasses(f, "Mesh", "LodMesh") }
func FuzzSkeletalMesh(f *testing.F) { fuzzClasses(f, "SkeletalMesh", "Animation") }
func FuzzModel(f *testing.F)        { fuzzClasses(f, "Model", "Vectors", "BspNodes", "BspSurfs", "Verts") }
func FuzzPolys(f *testing.F)        { fuzzClasses(f, "Polys") }
func FuzzLevel(f *testing.F)        { fuzzClasses(f, "Level") }
func FuzzScript(f *testing.F) {
	fuzzClasses(f, "Class", "Struct", "Function", "State", "Enum", "Const", "IntProperty", "ClassProperty", "FixedArrayProperty")
}
