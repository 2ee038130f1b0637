package freelancer_test

import (
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
)

// painted returns a picture whose alpha is that of the function.
func painted(w, h int, alpha func(x, y int) byte) asset.Image {
	m := asset.NewImage(w, h, asset.RGBA8)
	for y := range h {
		for x := range w {
			copy(m.Pix[4*(y*w+x):], []byte{byte(x), byte(y), 100, alpha(x, y)})
		}
	}
	return m
}

func solid(int, int) byte  { return 255 }
func holes(x, _ int) byte  { return byte(255 * (x / 8 % 2)) }
func smooth(x, y int) byte { return byte(x + y) }
func oneTexture(m asset.Image) *asset.Texture {
	return &asset.Texture{Name: "picture", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// kindOf tells how a texture is stored: the code of its DDS file or the bits of its Targa, its size and levels.
func kindOf(t *testing.T, x *freelancer.TextureEntry) (kind string, w, h, levels int) {
	t.Helper()
	if x.Form == freelancer.TGATexture {
		g, err := readmedia.TGA(x.Leaves[0].Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return map[uint8]string{24: "tga24", 32: "tga32"}[g.Bits], int(g.Width), int(g.Height), len(x.Leaves)
	}
	d, err := readmedia.DDS(x.Leaves[0].Data, nil)
	if err != nil {
		t.Fatal(err)
	}
	kind = "rgba"
	if d.Format.Block() > 0 {
		kind = d.Format.FourCC.String()
	}
	return kind, int(d.Width), int(d.Height), d.Mips()
}

// TestNewTextureKinds: how new pictures are stored, as the user asks or as the game's own are (reference section 19.5).
func TestNewTextureKinds(t *testing.T) {
	for _, c := range []struct {
		name   string
		m      asset.Image
		asked  string
		kind   string
		w, h   int
		levels int
		codes  []string
	}{
		{"opaque", painted(64, 64, solid), "", "DXT1", 64, 64, 7, nil},
		{"holes", painted(64, 64, holes), "", "DXT5", 64, 64, 7, nil},
		{"smooth alpha", painted(64, 64, smooth), "", "DXT5", 64, 64, 7, nil},
		{"an icon", painted(32, 16, solid), "", "tga32", 32, 16, 6, nil},
		{"not square", painted(128, 64, solid), "", "DXT1", 128, 64, 8, nil},
		{"no power of two", painted(100, 60, solid), "", "DXT1", 128, 64, 8, []string{"texture-scaled"}},
		{"dxt1 for smooth alpha", painted(64, 64, smooth), "dxt1", "DXT1", 64, 64, 7, []string{"texture-alpha"}},
		{"dxt1 for holes", painted(64, 64, holes), "dxt1", "DXT1", 64, 64, 7, nil},
		{"dxt3", painted(64, 64, solid), "dxt3", "DXT3", 64, 64, 7, nil},
		{"dxt5", painted(64, 64, solid), "dxt5", "DXT5", 64, 64, 7, nil},
		{"rgba", painted(64, 64, smooth), "rgba", "rgba", 64, 64, 7, nil},
		{"tga", painted(64, 64, smooth), "tga", "tga32", 64, 64, 7, nil},
		{"a large tga", painted(1024, 2, solid), "tga", "tga32", 1024, 2, 10, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d schema.Diagnostics
			v, err := byName(t, "txm").Lower(oneTexture(c.m), &format.Env{Options: format.Options{Encoding: c.asked}, Diagnostics: &d})
			if err != nil {
				t.Fatal(err)
			}
			list, err := read.Textures(v.(*freelancer.Tree).Root, nil)
			if err != nil || len(list) != 1 {
				t.Fatalf("%d textures: %v", len(list), err)
			}
			if kind, w, h, levels := kindOf(t, list[0]); kind != c.kind || w != c.w || h != c.h || levels != c.levels {
				t.Errorf("%s, %d x %d in %d levels; want %s, %d x %d in %d", kind, w, h, levels, c.kind, c.w, c.h, c.levels)
			}
			if ext := filepath.Ext(list[0].Name); (ext == ".tga") != (c.kind == "tga32") {
				t.Errorf("it is called %q", list[0].Name)
			}
			for _, code := range []string{"texture-scaled", "texture-alpha"} {
				want := len(c.codes) > 0 && c.codes[0] == code
				if d.Has(code) != want {
					t.Errorf("%s: %v, want %v", code, !want, want)
				}
			}
		})
	}
}

// TestEditedTextureKinds lays another picture into a material of a model: its texture keeps the kind that it has, unless
// it gains alpha or the user asks for another.
func TestEditedTextureKinds(t *testing.T) {
	for _, c := range []struct {
		name  string
		was   string // kind of the stored texture
		first asset.Image
		then  asset.Image
		asked string
		kind  string
	}{
		{"dxt1 stays", "dxt1", painted(64, 64, solid), painted(64, 64, func(x, y int) byte { return 255 }), "", "DXT1"},
		{"dxt1 gains smooth alpha", "dxt1", painted(64, 64, solid), painted(64, 64, smooth), "", "DXT5"},
		{"dxt1 gains holes", "dxt1", painted(64, 64, solid), painted(64, 64, holes), "", "DXT5"},
		{"dxt1 with holes has others", "dxt1", painted(64, 64, holes), painted(64, 64, func(x, y int) byte { return holes(y, x) }), "", "DXT1"},
		{"dxt3 gains alpha", "dxt3", painted(64, 64, solid), painted(64, 64, smooth), "", "DXT3"},
		{"dxt5 loses alpha", "dxt5", painted(64, 64, smooth), painted(64, 64, solid), "", "DXT5"},
		{"rgba stays", "rgba", painted(64, 64, solid), painted(64, 64, smooth), "", "rgba"},
		{"tga stays", "tga", painted(64, 64, solid), painted(64, 64, smooth), "", "tga32"},
		{"tga is asked to be dxt3", "tga", painted(64, 64, solid), painted(64, 64, smooth), "dxt3", "DXT3"},
		{"dxt1 is asked to be tga", "dxt1", painted(64, 64, solid), painted(64, 64, smooth), "tga", "tga32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fm := byName(t, "cmp")
			s := ship()
			*s.Textures[0].Base() = c.first
			v, err := fm.Lower(s, &format.Env{Name: "ship.cmp", Options: format.Options{Encoding: c.was}})
			if err != nil {
				t.Fatal(err)
			}
			b, err := fm.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			s = fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
			for _, x := range s.Textures {
				if x.Name == "paint.dds" || x.Name == "paint.tga" {
					m := painted(64, 64, func(px, py int) byte { return c.then.Pix[4*(py*64+px)+3] })
					for i := 0; i < len(m.Pix); i += 4 {
						m.Pix[i+2] = 7 // another picture
					}
					x.Frames, x.File = []asset.Frame{{Mips: []asset.Image{m}}}, nil
				}
			}
			var d schema.Diagnostics
			v, err = fm.Lower(s, &format.Env{Name: "ship.cmp", Options: format.Options{Encoding: c.asked}, Diagnostics: &d})
			if err != nil {
				t.Fatal(err)
			}
			list, err := read.Textures(v.(*freelancer.Tree).Root, nil)
			if err != nil || len(list) != 2 {
				t.Fatalf("%d textures: %v", len(list), err)
			}
			if kind, _, _, levels := kindOf(t, list[0]); kind != c.kind || levels != 7 {
				t.Errorf("%s in %d levels, want %s in 7", kind, levels, c.kind)
			}
			if d.Has("texture-alpha") {
				t.Errorf("alpha is lost: %v", d.All())
			}
		})
	}
}
