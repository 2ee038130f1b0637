package texture

import (
	"bytes"
	"fmt"

	pic "github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// SavePictureName is the name of the format of the pictures of savegames.
const SavePictureName = "u9-savepicture"

// SavePicture holds the typed functions for one format: savegame picture.
var SavePicture = format.Functions[ultima9.SavePicture, *asset.Texture]{
	Read:  read.SavePicture,
	Write: write.SavePicture,
	Facts: func(x *ultima9.SavePicture) []format.Fact {
		return []format.Fact{{Name: "size", Value: fmt.Sprintf("%d x %d", x.Width, x.Height)}}
	},
	Lift:  liftSavePicture,
	Lower: lowerSavePicture,
}

// liftSavePicture makes an indexed picture with the colours of ankh.pal, or greys when it is not found.
func liftSavePicture(x *ultima9.SavePicture, env *format.Env) (*asset.Texture, error) {
	payload, err := write.SavePicture(x)
	if err != nil {
		return nil, err
	}
	colours, found := PaletteOf(env, false)
	if !found {
		env.Told().Warnf("no-palette", "", "ankh.pal was not found: 8-bit colours are shown as greys")
	}
	values := scene.ForReading(map[string]any{"palette": "grey"})
	if found {
		values = scene.ForReading(map[string]any{"palette": "ankh", "colours": coloursText(colours[:])})
	}
	return &asset.Texture{Name: env.EntryName("picture"), Palette: colours[:],
		Frames: []asset.Frame{{Mips: []asset.Image{{Width: int(x.Width), Height: int(x.Height), Format: asset.Indexed8, Pix: x.Pixels}}}},
		Native: &asset.Native{Format: SavePictureName, Payload: payload, Values: values}}, nil
}

// lowerSavePicture replaces the pixels; the sides cannot change.
func lowerSavePicture(a *asset.Texture, env *format.Env) (*ultima9.SavePicture, error) {
	n := a.Native
	if n == nil || n.Format != SavePictureName || len(n.Payload) == 0 {
		return nil, schema.Errorf(SavePictureName, schema.ErrUnsupported, "", "a picture can only be put in the place of another one")
	}
	x, err := read.SavePicture(n.Payload, nil)
	if err != nil {
		return nil, err
	}
	m := a.Base()
	if m == nil || m.Width != int(x.Width) || m.Height != int(x.Height) {
		return nil, schema.Errorf(SavePictureName, schema.ErrMismatch, "size", "the picture is %d x %d pixels, and must stay so", x.Width, x.Height)
	}
	tellOpaque(m, a.Palette, "the picture of a savegame", env)
	colours, found := PaletteOf(env, scene.ShownText(n, "palette") == "grey")
	if was := scene.ShownText(n, "colours"); !found && was != "" {
		if m.Format == asset.Indexed8 && bytes.Equal(m.Pix, x.Pixels) && coloursText(a.Palette) == was {
			return x, nil
		}
		return nil, ErrNoPalette(SavePictureName)
	}
	x.Pixels, err = toIndices(m, a.Palette, x.Pixels, colours)
	return x, err
}

// tellOpaque reports that a picture loses its alpha, if it has any.
func tellOpaque(m *asset.Image, palette []asset.RGBA, what string, env *format.Env) {
	if clear, soft := pic.Alpha(m, palette); clear || soft {
		env.Told().Lossf("alpha", "", "%s has no alpha: all pixels are seen", what)
	}
}

// toIndices returns the palette index of every pixel: the stored one where its colour is unchanged, else the nearest.
func toIndices(m *asset.Image, palette []asset.RGBA, stored []byte, colours *[256]asset.RGBA) ([]byte, error) {
	if need := m.Width * m.Height * m.Format.Bytes(); len(m.Pix) != need {
		return nil, schema.Errorf(SavePictureName, schema.ErrMismatch, "pixels", "%d bytes, %d expected", len(m.Pix), need)
	}
	known := map[[3]uint8]byte{}
	out := make([]byte, m.Width*m.Height)
	for i := range out {
		var c [3]uint8
		switch m.Format {
		case asset.RGBA8:
			copy(c[:], m.Pix[4*i:])
		case asset.Gray8:
			c = [3]uint8{m.Pix[i], m.Pix[i], m.Pix[i]}
		case asset.Indexed8:
			if int(m.Pix[i]) >= len(palette) {
				return nil, schema.Errorf(SavePictureName, schema.ErrRange, "pixels", "index %d of %d colours", m.Pix[i], len(palette))
			}
			copy(c[:], palette[m.Pix[i]][:])
		default:
			return nil, schema.Errorf(SavePictureName, schema.ErrUnsupported, "pixels", "16-bit greys")
		}
		if old := colours[stored[i]]; [3]uint8(old[:3]) == c {
			out[i] = stored[i]
			continue
		}
		index, ok := known[c]
		if !ok {
			index = nearestColour(c, colours)
			known[c] = index
		}
		out[i] = index
	}
	return out, nil
}

func nearestColour(c [3]uint8, colours *[256]asset.RGBA) byte {
	best, at := 1<<30, 0
	for i, p := range colours {
		sum := 0
		for k := range c {
			d := int(c[k]) - int(p[k])
			sum += d * d
		}
		if sum < best {
			best, at = sum, i
		}
	}
	return byte(at)
}
