package gltf

import (
	"bytes"
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
