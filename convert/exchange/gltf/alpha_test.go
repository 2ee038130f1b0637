package gltf

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestMaskOfSolid: the alpha of a picture that only solid materials wear is not in the picture, and comes back, also to an
// edited picture of the same size.
func TestMaskOfSolid(t *testing.T) {
	image := func(alpha ...byte) *asset.Texture {
		m := asset.NewImage(2, 2, asset.RGBA8)
		for i := range alpha {
			copy(m.Pix[4*i:], []byte{byte(10 * i), 100, byte(200 + i), alpha[i]})
		}
		return &asset.Texture{Name: "x", Alpha: m.AlphaMode(nil), Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	}
	scene := func(x *asset.Texture, modes ...asset.AlphaMode) *asset.Scene {
		s := twins()
		s.Textures, s.Materials = []*asset.Texture{x}, nil
		for i, mode := range modes {
			m := asset.NewMaterial(fmt.Sprint("m", i))
			m.Alpha, m.BaseColorTexture, m.Native = mode, &asset.TextureRef{Texture: x}, &asset.Native{Format: "fl"}
			s.Materials = append(s.Materials, m)
		}
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh != nil {
				for _, p := range n.Mesh.Primitives {
					p.Material = nil
				}
			}
		})
		return s
	}
	pixels := func(b []byte) *asset.Texture {
		t.Helper()
		d := newDecoder(nil, nil)
		if _, err := decodeWith(b, d, nil); err != nil {
			t.Fatal(err)
		}
		file, err := d.viewBytes("", *d.doc.Images[0].BufferView)
		if err != nil {
			t.Fatal(err)
		}
		x, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, c := range []struct {
		name  string
		alpha []byte
		modes []asset.AlphaMode
		solid bool // the picture is written without alpha
	}{
		{"solid", []byte{0, 128, 255, 7}, []asset.AlphaMode{asset.Opaque}, true},
		{"holes in it", []byte{0, 255, 255, 0}, []asset.AlphaMode{asset.Opaque}, true},
		{"two solid", []byte{0, 128, 255, 7}, []asset.AlphaMode{asset.Opaque, asset.Opaque}, true},
		{"one of two", []byte{0, 128, 255, 7}, []asset.AlphaMode{asset.Opaque, asset.Blend}, false},
		{"mask", []byte{0, 255, 255, 0}, []asset.AlphaMode{asset.Mask}, false},
		{"without alpha", []byte{255, 255, 255, 255}, []asset.AlphaMode{asset.Opaque}, false},
	} {
		s := scene(image(c.alpha...), c.modes...)
		b := encode(t, s, nil)
		shown := pixels(b)
		if now := shown.Base().AlphaMode(shown.Palette) == asset.Opaque; now != (c.solid || c.alpha[0] == 255) {
			t.Errorf("%s: the picture has alpha: %t", c.name, !now)
		}
		if has := strings.Contains(string(b), `"mask":"`); has != c.solid {
			t.Errorf("%s: a mask rides along: %t", c.name, has)
		}
		var d schema.Diagnostics
		back, err := Decode(b, nil, &d)
		if err != nil || len(d.All()) > 0 {
			t.Fatal(c.name, err, d.All())
		}
		x := back.Textures[0]
		if got := asset.FromImage(x.Base().Image(x.Palette)).Pix; !bytes.Equal(got, s.Textures[0].Base().Pix) || x.Alpha != s.Textures[0].Alpha {
			t.Errorf("%s: %v comes back as %v (%v)", c.name, s.Textures[0].Base().Pix, got, x.Alpha)
		}
	}
	edit := func(name string, to *asset.Texture, want []byte, code string) {
		t.Helper()
		var file bytes.Buffer
		if err := png.Encode(&file, to, png.Options{}); err != nil {
			t.Fatal(err)
		}
		b := edited(t, encode(t, scene(image(0, 128, 255, 7), asset.Opaque), nil), func(doc map[string]any) {
			i := doc["images"].([]any)[0].(map[string]any)
			delete(i, "bufferView")
			i["uri"] = "x.png"
		})
		var d schema.Diagnostics
		back, err := Decode(b, func(string) ([]byte, error) { return file.Bytes(), nil }, &d)
		if err != nil {
			t.Fatal(err)
		}
		x := back.Textures[0]
		var got []byte
		for i, p := range asset.FromImage(x.Base().Image(x.Palette)).Pix {
			if i%4 == 3 {
				got = append(got, p)
			}
		}
		if !bytes.Equal(got, want) || d.Has(code) != (code != "") {
			t.Errorf("%s: alpha %v, want %v; %v", name, got, want, d.All())
		}
	}
	big := asset.NewImage(4, 1, asset.RGBA8)
	for i := range big.Pix {
		big.Pix[i] = 255
	}
	edit("painted", image(255, 255, 255, 255), []byte{0, 128, 255, 7}, "")
	edit("painted with alpha", image(1, 255, 255, 255), []byte{1, 255, 255, 255}, "")
	edit("of another size", &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{big}}}}, []byte{255, 255, 255, 255}, "mask-lost")
}

// TestMasksOfLooks: of pictures that solid materials wear, those keep their alpha in the file that would be like others without it,
// that are no RGBA, that have a file, and those of scenes that keep nothing of another format.
func TestMasksOfLooks(t *testing.T) {
	const solid, mixed = "solid", "mixed" // how the picture is written
	rgba := func(width int, first byte, alpha ...byte) *asset.Texture {
		m := asset.NewImage(width, len(alpha)/width, asset.RGBA8)
		for i, a := range alpha {
			copy(m.Pix[4*i:], []byte{first, 2, byte(i), a})
		}
		return &asset.Texture{Alpha: m.AlphaMode(nil), Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	}
	indexed := picture8("x")
	indexed.Palette[1][3], indexed.Alpha = 0, asset.Mask
	filed := rgba(2, 1, 0, 128)
	filed.File = &asset.Stored{Encoding: "png", Data: pngOf(t, filed)}
	for _, c := range []struct {
		name   string
		made   bool
		all    []*asset.Texture
		worn   int // of them, by a material of its own each
		states string
	}{
		{"one", true, []*asset.Texture{rgba(2, 1, 0, 128)}, 1, "solid"},
		{"of a foreign scene", false, []*asset.Texture{rgba(2, 1, 0, 128)}, 1, "mixed"},
		{"nobody wears it", true, []*asset.Texture{rgba(2, 1, 0, 128)}, 0, "mixed"},
		{"with a palette", true, []*asset.Texture{indexed}, 1, "mixed"},
		{"with a file", true, []*asset.Texture{filed}, 1, "mixed"},
		{"without pixels", true, []*asset.Texture{{Name: "x"}, rgba(2, 1, 0, 128)}, 2, "solid"},
		{"of another alpha alone", true, []*asset.Texture{rgba(2, 1, 0, 128), rgba(2, 1, 0, 127)}, 2, "mixed mixed"},
		{"like one that nobody wears", true, []*asset.Texture{rgba(2, 1, 0, 128), rgba(2, 1, 255, 128)}, 1, "mixed mixed"},
		{"the same", true, []*asset.Texture{rgba(2, 1, 0, 128), rgba(2, 1, 0, 128)}, 2, "solid solid"},
		{"of another colour", true, []*asset.Texture{rgba(2, 1, 0, 128), rgba(2, 3, 0, 127)}, 2, "solid solid"},
		{"of another shape", true, []*asset.Texture{rgba(2, 1, 0, 128, 7, 7), rgba(4, 1, 0, 127, 7, 7)}, 2, "solid solid"},
		{"beside one with a palette", true, []*asset.Texture{rgba(4, 1, 0, 1, 2, 3, 4, 5, 6, 7), indexed}, 2, "solid mixed"},
	} {
		s := &asset.Scene{Textures: c.all}
		if c.made {
			s.Native = &asset.Native{Format: "fl"}
		}
		for _, x := range c.all[:c.worn] {
			m := asset.NewMaterial("m")
			m.BaseColorTexture = &asset.TextureRef{Texture: x}
			s.Materials = append(s.Materials, m)
		}
		var states []string
		d := newDecoder(nil, nil)
		if _, err := decodeWith(encode(t, s, nil), d, nil); err != nil {
			t.Fatal(err)
		}
		for _, g := range d.doc.Images {
			file, err := d.viewBytes("", *g.BufferView)
			if err != nil {
				t.Fatal(err)
			}
			x, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, map[bool]string{true: solid, false: mixed}[x.Base().AlphaMode(x.Palette) == asset.Opaque])
		}
		if got := strings.Join(states, " "); got != c.states {
			t.Errorf("%s: written %s, want %s", c.name, got, c.states)
		}
	}
}

// TestUnmask: alpha that rides with a picture is given to it where it fits, and told of where it does not.
func TestUnmask(t *testing.T) {
	grey := func(width, height int) string {
		m := asset.NewImage(width, height, asset.Gray8)
		for i := range m.Pix {
			m.Pix[i] = byte(40 * i)
		}
		return base64.StdEncoding.EncodeToString(pngOf(t, &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}))
	}
	for _, c := range []struct {
		name, text string
		told       string
	}{
		{"of its size", grey(4, 2), ""},
		{"too wide", grey(5, 2), "it is for 5 x 2 pixels, and the picture has 4 x 2 now"},
		{"too high", grey(4, 3), "it is for 4 x 3 pixels, and the picture has 4 x 2 now"},
		{"no base64", "?", "illegal base64"},
		{"no picture", "AAAA", "the alpha of \"x\", which nothing shows, is left out"},
	} {
		var diag schema.Diagnostics
		d, x := newDecoder(nil, &diag), picture8("x")
		x.File = &asset.Stored{Encoding: "png"}
		d.unmask("images/0", x, c.text)
		if c.told != "" {
			if all := diag.All(); len(all) != 1 || all[0].Code != "mask-lost" || !strings.Contains(all[0].Msg, c.told) || x.Base().Format != asset.Indexed8 || x.File == nil {
				t.Errorf("%s: %v", c.name, all)
			}
			continue
		}
		equal(t, c.name, []any{len(diag.All()), x.Base().Pix[:12], x.Palette, x.File, x.Alpha}, []any{0, []byte{1, 2, 3, 0, 200, 100, 50, 40, 0, 255, 0, 80}, []asset.RGBA(nil), (*asset.Stored)(nil), asset.Blend})
	}
	for name, x := range map[string]*asset.Texture{"no picture": {}, "no pixels": {Frames: []asset.Frame{{Mips: []asset.Image{{Width: 4, Height: 2, Format: asset.RGBA8}}}}}, "alpha of its own": picture32("x")} {
		var diag schema.Diagnostics
		if newDecoder(nil, &diag).unmask("", x, grey(4, 2)); len(diag.All()) > 0 {
			t.Errorf("%s: %v", name, diag.All())
		}
	}
}
