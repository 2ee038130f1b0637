package texture

import (
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// IsComputed reports whether the engine computes the pixels of a texture while it runs, from parameters that are stored.
func IsComputed(o *unreal.Texture) bool {
	return unreal.Computed(o.Class) && !hasPixels(o.Mips) && !hasPixels(o.Compressed)
}

// OfIndices returns pictures of palette indices as the frames of a texture, in the colours of its palette.
func OfIndices(from Palettes, o *unreal.Texture, pictures []asset.Image) (*asset.Texture, error) {
	t := named(o)
	pal, err := from.Palette(o)
	if err != nil {
		return nil, err
	}
	t.Palette = visiblePalette(pal, t.Alpha == asset.Mask)
	for _, m := range pictures {
		t.Frames = append(t.Frames, asset.Frame{Name: t.Name, Mips: []asset.Image{m}})
	}
	return t, nil
}

// Indices returns the pixels of a texture as they are stored: palette indices. It is nil where there are none.
func Indices(o *unreal.Texture) *unreal.Mip {
	if !hasPixels(o.Mips) || baseFormat(o) != 0 {
		return nil
	}
	return &o.Mips[0]
}
