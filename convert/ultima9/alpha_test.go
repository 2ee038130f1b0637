package ultima9

import (
	"testing"

	pic "github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
)

// TestAlphaIsNamed: pictures that have no alpha say so when one with alpha takes their place, and only then.
func TestAlphaIsNamed(t *testing.T) {
	for _, c := range []struct {
		file, what string
		through    func(b []byte, alpha uint8, env *format.Env) error
	}{
		{"ankh.pal", "a palette has no alpha: all pixels are seen", func(b []byte, alpha uint8, env *format.Env) error {
			p, err := read.Palette(b, nil)
			if err != nil {
				return err
			}
			x, err := Palette.Lift(p, env)
			if err == nil {
				_, err = Palette.Lower(withAlpha(t, x, alpha), env)
			}
			return err
		}},
		{"small.picture", "the picture of a savegame has no alpha: all pixels are seen", func(b []byte, alpha uint8, env *format.Env) error {
			p, err := read.SavePicture(b, nil)
			if err != nil {
				return err
			}
			x, err := SavePicture.Lift(p, env)
			if err == nil {
				delete(x.Native.Values, scene.ReadOnly) // its palette is not at hand
				_, err = SavePicture.Lower(withAlpha(t, x, alpha), env)
			}
			return err
		}},
	} {
		for alpha, want := range map[uint8]string{255: "", 254: c.what, 0: c.what} {
			d := new(schema.Diagnostics)
			b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", c.file))
			if err := c.through(b, alpha, &format.Env{Name: c.file, Stored: b, Diagnostics: d}); err != nil {
				t.Errorf("%s: %v", c.file, err)
			}
			got := ""
			for _, said := range d.All() {
				if said.Code == "alpha" {
					got += said.Msg
				}
			}
			if got != want {
				t.Errorf("%s, alpha %d: %q, want %q", c.file, alpha, got, want)
			}
		}
	}
}

// withAlpha returns a texture as an editor saves it: in true colour, one pixel with another alpha.
func withAlpha(t *testing.T, x *asset.Texture, alpha uint8) *asset.Texture {
	t.Helper()
	m, err := pic.RGBA(x.Base(), x.Palette)
	if err != nil {
		t.Fatal(err)
	}
	m.Pix = append([]byte(nil), m.Pix...)
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	m.Pix[4*5+3] = alpha
	out := *x
	out.Palette, out.Frames = nil, []asset.Frame{{Mips: []asset.Image{m}}}
	return &out
}
