package unreal

import (
	"testing"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestThroughIndexed: textures come back byte for byte from BMP and PCX files, masked ones too, though these know no
// alpha.
func TestThroughIndexed(t *testing.T) {
	masked := 0
	check := func(a *archive) {
		for i, e := range a.Entries() {
			if e.Class != "Texture" {
				continue
			}
			payload, _ := a.Payload(i)
			f := formatOf(a, i)
			v, err := f.Read(payload, nil)
			if err != nil {
				t.Fatal(err)
			}
			env := &format.Env{Archive: a, Entry: e.Path}
			x, err := f.Lift(v, env)
			if err != nil || x.(*asset.Texture).Base().Format != asset.Indexed8 {
				continue
			}
			was := x.(*asset.Texture)
			if was.Alpha == asset.Mask {
				masked++
			}
			for name, encode := range map[string]func(*asset.Image, []asset.RGBA, bool) ([]byte, bool, error){"a.bmp": picture.EncodeBMP, "a.pcx": picture.EncodePCX} {
				b, exact, err := encode(was.Base(), was.Palette, false)
				if err != nil || !exact {
					t.Fatalf("%s: exact %v, %v", e.Path, exact, err)
				}
				now, err := picture.DecodeImage(name, b)
				if err != nil {
					t.Fatal(err)
				}
				now.File, now.Native = nil, was.Native
				o, err := f.Lower(now, env)
				if err != nil {
					t.Fatalf("%s: %v", e.Path, err)
				}
				got, err := write.Object(o.(unreal.AnyObject))
				if err != nil {
					t.Fatal(err)
				}
				corpus.SameBytes(t, e.Path+" through "+name, got, payload)
			}
		}
	}
	check(openBytes(t, "Made.u", written(t, made(t, 69))))
	for _, name := range []string{"JetpackTex.utx", "ConstructorTex.utx", "sgMedia2.u"} {
		check(openBytes(t, name, corpus.Bytes(t, corpus.Folder(t, "unreal")+"/"+name)))
	}
	if masked == 0 {
		t.Error("no masked texture was met")
	}
}
