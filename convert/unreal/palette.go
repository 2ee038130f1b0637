package unreal

import (
	"fmt"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// Palette returns the colours of a texture; grey where its palette is of another package that is not at hand.
func (a *archive) Palette(o *unreal.Texture) ([][4]uint8, error) {
	owner, i := a.resolve(o.Ref("Palette"))
	if owner == nil {
		grey := make([][4]uint8, 256)
		for k := range grey {
			grey[k] = [4]uint8{uint8(k), uint8(k), uint8(k), 255}
		}
		a.diagnostics().Warnf("palette-missing", o.Path, "palette %s is not at hand; grey is taken", refText(a.p, o.Ref("Palette")))
		return grey, nil
	}
	x, err := owner.object(i)
	if err != nil {
		return nil, err
	}
	pal, ok := x.(*unreal.Palette)
	if !ok || len(pal.Colors) == 0 {
		return nil, schema.Errorf(textureName, schema.ErrMismatch, "Palette", "%s is no palette with colours", refText(a.p, o.Ref("Palette")))
	}
	return pal.Colors, nil
}

// SetPalette stores the colours of a texture: in its palette when nothing else uses it, else in a new one.
func (a *archive) SetPalette(o *unreal.Texture, colors []asset.RGBA, d *schema.Diagnostics) error {
	r := o.Ref("Palette")
	if r <= 0 || a.paletteUsers(r) > 1 {
		if r != 0 {
			d.Warnf("shared-palette", o.Path, "its palette %s is used by other textures and lacks colours of the new picture; the texture gets a palette of its own", refText(a.p, r))
		}
		outer := unreal.Ref(0)
		if r > 0 {
			outer = a.p.Outer(r)
			a.users[r]--
		}
		r = a.addPalette(outer, colors)
		if a.users != nil {
			a.users[r] = 1
		}
		o.Set("Palette", unreal.ObjectProperty, int32(r))
		return nil
	}
	x, err := a.object(int(r - 1))
	if err != nil {
		return err
	}
	pal, ok := x.(*unreal.Palette)
	if !ok {
		return schema.Errorf(textureName, schema.ErrMismatch, "Palette", "%s is no palette", refText(a.p, r))
	}
	for i := range pal.Colors {
		if i < len(colors) {
			pal.Colors[i] = [4]uint8{colors[i][0], colors[i][1], colors[i][2], pal.Colors[i][3]}
		}
	}
	for i := len(pal.Colors); i < len(colors); i++ {
		pal.Colors = append(pal.Colors, [4]uint8{colors[i][0], colors[i][1], colors[i][2], 255})
	}
	b, err := write.Palette(pal)
	if err != nil {
		return err
	}
	return a.replace(int(r-1), b)
}

// paletteUsers counts the textures of the package that use a palette. Those that cannot be read count for all.
func (a *archive) paletteUsers(palette unreal.Ref) int {
	if a.users == nil {
		a.users = map[unreal.Ref]int{}
		for i := range a.p.Exports {
			switch unreal.Classes[a.p.Layout(i)] {
			case unreal.TextureKind, unreal.FireKind, unreal.FontKind:
				r := unreadable
				if o, err := a.object(i); err == nil {
					r = o.Base().Ref("Palette")
				}
				a.users[r]++
			}
		}
	}
	return a.users[palette] + a.users[unreadable]
}

// NewPalette makes a palette for a texture that has no place yet.
func (a *archive) NewPalette(colors []asset.RGBA) unreal.Ref {
	r := a.addPalette(0, colors)
	a.fresh[r] = true
	return r
}

// addPalette makes a palette with a name of its own.
func (a *archive) addPalette(outer unreal.Ref, colors []asset.RGBA) unreal.Ref {
	class := a.p.AddClass("Engine", "Palette")
	n := 1
	for ; ; n++ {
		if _, taken := a.p.FindName(paletteName(n)); !taken {
			break
		}
	}
	r := a.p.AddExport(class, outer, paletteName(n), unreal.PrivateFlags)
	pal := &unreal.Palette{Colors: make([][4]uint8, 256)}
	for i := range pal.Colors {
		pal.Colors[i] = [4]uint8{0, 0, 0, 255}
		if i < len(colors) {
			pal.Colors[i] = [4]uint8{colors[i][0], colors[i][1], colors[i][2], 255}
		}
	}
	pal.Context, pal.End = a.p.Context(int(r-1)), a.p.AddName("None")
	if b, err := write.Palette(pal); err == nil {
		_ = a.addEntry(r, b) // a palette of our own always reads
	}
	return r
}

func paletteName(n int) string { return fmt.Sprintf("Palette%d", n) }

// unreadable stands for the palette of a texture that cannot be read.
const unreadable = unreal.Ref(math.MinInt32)
