package pack

import (
	"fmt"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Palette returns the colours of a texture. They are greys if its palette is in a package that is not at hand.
func (f *File) Palette(o *unreal.Texture) ([][4]uint8, error) {
	owner, i := f.Resolve(o.Ref("Palette"))
	if owner == nil {
		grey := make([][4]uint8, 256)
		for k := range grey {
			grey[k] = [4]uint8{uint8(k), uint8(k), uint8(k), 255}
		}
		f.Env.Told().Warnf("palette-missing", o.Path, "palette %s is not at hand; grey is taken", f.RefText(o.Ref("Palette")))
		return grey, nil
	}
	pal, err := As[unreal.Palette](owner, i)
	if err != nil {
		return nil, err
	}
	if pal == nil || len(pal.Colors) == 0 {
		return nil, schema.Errorf(texture.Name, schema.ErrMismatch, "Palette", "%s is no palette with colours", f.RefText(o.Ref("Palette")))
	}
	return pal.Colors, nil
}

// SetPalette stores the colours of a texture, in its palette if nothing else uses that, otherwise in a new one.
func (f *File) SetPalette(o *unreal.Texture, colors []asset.RGBA, d *schema.Diagnostics) error {
	r := o.Ref("Palette")
	if r <= 0 || f.paletteUsers(r) > 1 {
		if r != 0 {
			d.Warnf("shared-palette", o.Path, "its palette %s is used by other textures and lacks colours of the new picture; the texture gets a palette of its own", f.RefText(r))
		}
		outer := unreal.Ref(0)
		if r > 0 {
			outer = f.Outer(r)
			f.users[r]--
		}
		r = f.addPalette(outer, colors)
		if f.users != nil {
			f.users[r] = 1
		}
		o.Set("Palette", unreal.ObjectProperty, int32(r))
		return nil
	}
	pal, err := As[unreal.Palette](f, int(r-1))
	if err != nil {
		return err
	}
	if pal == nil {
		return schema.Errorf(texture.Name, schema.ErrMismatch, "Palette", "%s is no palette", f.RefText(r))
	}
	for i := range pal.Colors {
		if i < len(colors) {
			pal.Colors[i] = [4]uint8{colors[i][0], colors[i][1], colors[i][2], pal.Colors[i][3]}
		}
	}
	for i := len(pal.Colors); i < len(colors); i++ {
		pal.Colors = append(pal.Colors, [4]uint8{colors[i][0], colors[i][1], colors[i][2], 255})
	}
	return f.Store(int(r-1), pal)
}

// paletteUsers counts the textures of the package that use a palette. Those that cannot be read count for all.
func (f *File) paletteUsers(palette unreal.Ref) int {
	if f.users == nil {
		f.users = map[unreal.Ref]int{}
		for i := range f.Exports {
			switch unreal.Classes[f.Layout(i)] {
			case unreal.TextureKind, unreal.FireKind, unreal.FontKind:
				r := unreadable
				if o, err := f.Object(i); err == nil {
					r = o.Base().Ref("Palette")
				}
				f.users[r]++
			}
		}
	}
	return f.users[palette] + f.users[unreadable]
}

// NewPalette returns a palette for a texture that does not exist yet: one with its colours that nothing uses, which somebody has
// added for it, or a new one.
func (f *File) NewPalette(colors []asset.RGBA) unreal.Ref {
	if r := f.idlePalette(colors); r != 0 {
		f.users[r]++
		return r
	}
	r := f.addPalette(0, colors)
	f.parts[r] = true
	if f.users != nil {
		f.users[r] = 1
	}
	return r
}

// idlePalette returns a palette with these colours that no texture uses; 0 for none.
func (f *File) idlePalette(colors []asset.RGBA) unreal.Ref {
	want := fullPalette(colors)
	for i := range f.Exports {
		if unreal.Classes[f.Layout(i)] != unreal.PaletteKind {
			continue
		}
		if pal, err := As[unreal.Palette](f, i); err != nil || pal == nil || !slices.Equal(pal.Colors, want) {
			continue
		}
		if r := unreal.Ref(i + 1); !f.parts[r] && f.paletteUsers(r) == 0 { // one that was made just now has its texture soon
			return r
		}
	}
	return 0
}

// fullPalette returns colours as a palette of our own has them: 256, and black for those that are missing.
func fullPalette(colors []asset.RGBA) [][4]uint8 {
	list := make([][4]uint8, 256)
	for i := range list {
		list[i] = [4]uint8{0, 0, 0, 255}
		if i < len(colors) {
			list[i] = [4]uint8{colors[i][0], colors[i][1], colors[i][2], 255}
		}
	}
	return list
}

// addPalette makes a palette with a name of its own.
func (f *File) addPalette(outer unreal.Ref, colors []asset.RGBA) unreal.Ref {
	class := f.AddClass("Engine", "Palette")
	n := 1
	for ; ; n++ {
		if _, taken := f.FindName(paletteName(n)); !taken {
			break
		}
	}
	r := f.AddExport(class, outer, paletteName(n), unreal.PrivateFlags)
	pal := &unreal.Palette{Colors: fullPalette(colors)}
	pal.End = f.AddName("None")
	_ = f.Put(r, pal) // a palette of our own always reads
	return r
}

func paletteName(n int) string { return fmt.Sprintf("Palette%d", n) }

// unreadable stands for the palette of a texture that cannot be read.
const unreadable = unreal.Ref(math.MinInt32)
