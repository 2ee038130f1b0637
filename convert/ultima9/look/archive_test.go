package look

import (
	"fmt"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// striped is a picture whose left half has one grey and whose right half another.
func striped(left, right byte) *asset.Texture {
	m := asset.NewImage(4, 4, asset.RGBA8)
	for i := range 16 {
		grey := left
		if i%4 > 1 {
			grey = right
		}
		copy(m.Pix[4*i:], []byte{grey, grey, grey, 255})
	}
	return &asset.Texture{Name: "texture_5", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// archive holds pictures by their slots, in 16 bit.
func archive(t *testing.T, pictures map[int]*asset.Texture) []byte {
	t.Helper()
	records := map[int][]byte{}
	for slot, x := range pictures {
		records[slot] = u9.Do(write.Texture(u9.Do(texture.Set.Lower(x, &format.Env{Name: "bitmap16.flx"}))(t)))(t)
	}
	return u9.FLX(t, records)
}

// TestMean: the mean colour of a picture, to the nearest, of the best archive that has it.
func TestMean(t *testing.T) {
	files := u9.Held{"bitmap16.flx": archive(t, map[int]*asset.Texture{5: striped(0, 255), 6: striped(255, 255)}), "bitmapsh.flx": archive(t, map[int]*asset.Texture{6: striped(0, 0), 7: striped(0, 0)})}
	l := NewLifter(new(asset.Scene), &format.Env{Files: files, Diagnostics: new(schema.Diagnostics)})
	for slot, want := range map[uint16]asset.RGBA{5: {128, 128, 128, 255}, 6: {255, 255, 255, 255}, 7: {0, 0, 0, 255}} {
		if got, ok := l.Mean(Picture{Slot: slot}); !ok || got != want {
			t.Errorf("texture %d: %v, %v; want %v", slot, got, ok, want)
		}
	}
	if got, ok := l.Mean(Picture{Slot: 4}); ok {
		t.Errorf("a texture that nobody has: %v", got)
	}
}

// TestArchivesTold: which archives the pictures come from is told where it is none, or another than was asked for.
func TestArchivesTold(t *testing.T) {
	b := archive(t, map[int]*asset.Texture{5: striped(9, 9)})
	for _, c := range []struct {
		name, named string
		files       u9.Held
		told        string
	}{
		{"none", "", u9.Held{}, "no-textures"},
		{"none of that name, nor another", "mine.flx", u9.Held{}, "no-textures"},
		{"beside", "", u9.Held{"bitmap16.flx": b}, ""},
		{"named", "mine.flx", u9.Held{"mine.flx": b, "bitmap16.flx": b}, ""},
		{"another than named", "mine.flx", u9.Held{"bitmap16.flx": b}, "textures-elsewhere"},
	} {
		var d schema.Diagnostics
		l := NewLifter(new(asset.Scene), &format.Env{Files: c.files, Diagnostics: &d, Options: format.Options{Textures: c.named}})
		l.Mean(Picture{Slot: 5})
		l.Mean(Picture{Slot: 5})
		told := ""
		for _, x := range d.All() {
			told += x.Code
		}
		if told != c.told {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
	}
}

// TestTellPicture: a picture is compared with that of each archive that has its slot, and told once where none shows it.
func TestTellPicture(t *testing.T) {
	files := u9.Held{"bitmap16.flx": archive(t, map[int]*asset.Texture{5: striped(0, 255)}), "bitmapsh.flx": archive(t, map[int]*asset.Texture{5: striped(255, 0)})}
	wide := striped(0, 255)
	wide.Base().Width, wide.Base().Height = 8, 2
	for _, c := range []struct {
		name    string
		slot    uint16
		picture *asset.Texture
		known   bool
		told    int
	}{
		{"that of the best", 5, striped(0, 255), true, 0},
		{"that of another", 5, striped(255, 0), true, 0},
		{"none of theirs", 5, striped(0, 0), true, 1},
		{"their pixels in another shape", 5, wide, true, 1},
		{"of a slot that none has", 4, striped(0, 255), false, 0},
		{"without pixels", 5, &asset.Texture{}, false, 0},
	} {
		var d schema.Diagnostics
		r := NewLowerer(new(asset.Scene), &format.Env{Files: files, Diagnostics: &d})
		for range 2 {
			if known := r.tellPicture(Picture{Slot: c.slot}, c.picture); known != c.known {
				t.Errorf("%s: known %v", c.name, known)
			}
		}
		if len(d.All()) != c.told {
			t.Errorf("%s: told %v", c.name, fmt.Sprint(d.All()))
		}
	}
}
