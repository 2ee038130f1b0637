package texture

import (
	"math/bits"
	"slices"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// opaque is the colour of a pixel without its alpha.
func opaque(p asset.RGBA) asset.RGBA { return asset.RGBA{p[0], p[1], p[2], 255} }

// matchAll finds every pixel in a palette; exact is false when a colour is missing. Transparent pixels of masked
// textures are entry 0, which no opaque pixel may use.
func matchAll(pix []asset.RGBA, palette []asset.RGBA, masked bool) (indices []byte, exact bool) {
	index := map[asset.RGBA]byte{}
	for i := len(palette) - 1; i >= 0; i-- { // the first of equal colours wins
		if !masked || i > 0 {
			index[opaque(palette[i])] = byte(i)
		}
	}
	indices = make([]byte, len(pix))
	for k, p := range pix {
		if masked && p[3] < 128 {
			continue
		}
		i, ok := index[opaque(p)]
		if !ok {
			return nil, false
		}
		indices[k] = i
	}
	return indices, true
}

// exactly reports whether the palette gives all pixels back.
func exactly(pix []asset.RGBA, indices []byte, palette []asset.RGBA) bool {
	for k, p := range pix {
		q := palette[indices[k]]
		if opaque(p) != opaque(q) && (p[3] >= 128 || q[3] >= 128) {
			return false
		}
	}
	return true
}

// quantize returns a palette of at most 256 colours for a picture, and its indices. Colours of the old palette that the
// picture uses keep their entries; where all colours fit, they are exact, otherwise those are chosen that
// make the least error. Its rows are width pixels long; 0 for a picture that is not to be dithered.
func quantize(pix []asset.RGBA, old []asset.RGBA, masked bool, width int) (indices []byte, palette []asset.RGBA) {
	counts := map[asset.RGBA]int{}
	for _, p := range pix {
		if !masked || p[3] >= 128 {
			counts[opaque(p)]++
		}
	}
	room := 256
	palette = make([]asset.RGBA, 256)
	for i := range palette {
		palette[i] = asset.RGBA{0, 0, 0, 255}
	}
	if masked {
		room = 255
		if len(old) > 0 {
			palette[0] = old[0]
		}
		palette[0][3] = 0
	}
	colors := sortedColors(counts)
	many := len(colors) > room
	if many {
		colors = reduce(colors, counts, room)
	}
	keepPlaces(palette, colors, old, 256-room)
	if many && width > 0 {
		return dithered(pix, width, palette, masked), palette
	}
	return nearestAll(pix, palette, masked), palette
}

// keepPlaces puts the colours into the palette, those of the old one where they were.
func keepPlaces(palette, colors, old []asset.RGBA, first int) {
	wanted := map[asset.RGBA]bool{}
	for _, c := range colors {
		wanted[c] = true
	}
	var taken [256]bool
	for i := first; i < len(old) && i < 256; i++ {
		if c := opaque(old[i]); wanted[c] {
			palette[i], taken[i] = c, true
			delete(wanted, c)
		}
	}
	at := first
	for _, c := range colors {
		if !wanted[c] {
			continue
		}
		for taken[at] {
			at++
		}
		palette[at], taken[at] = c, true
	}
}

func sortedColors(counts map[asset.RGBA]int) []asset.RGBA {
	colors := make([]asset.RGBA, 0, len(counts))
	for c := range counts {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(a, b asset.RGBA) int { return slices.Compare(a[:], b[:]) })
	return colors
}

// reduce chooses n colours for the ones that a picture has.
func reduce(colors []asset.RGBA, counts map[asset.RGBA]int, n int) []asset.RGBA {
	shades := make([]picture.Shade, len(colors))
	for i, c := range colors {
		shades[i] = picture.Shade{Color: [3]uint8(c[:3]), Count: counts[c]}
	}
	out := make([]asset.RGBA, 0, n)
	for _, c := range picture.Reduce(shades, n) {
		out = append(out, asset.RGBA{c[0], c[1], c[2], 255})
	}
	return out
}

// dithered maps pixels to palette entries and spreads the errors.
func dithered(pix []asset.RGBA, width int, palette []asset.RGBA, masked bool) []byte {
	find := nearestOf(palette, masked)
	return picture.Dither(width, len(pix)/width, func(i int) ([3]uint8, bool) {
		return [3]uint8(pix[i][:3]), !masked || pix[i][3] >= 128
	}, func(c [3]uint8) (byte, [3]uint8) {
		i := find(asset.RGBA{c[0], c[1], c[2], 255})
		return i, [3]uint8(palette[i][:3])
	})
}

// nearestAll maps pixels to the nearest palette entries.
func nearestAll(pix []asset.RGBA, palette []asset.RGBA, masked bool) []byte {
	find := nearestOf(palette, masked)
	indices := make([]byte, len(pix))
	for k, p := range pix {
		if !masked || p[3] >= 128 {
			indices[k] = find(opaque(p))
		}
	}
	return indices
}

// nearestOf is nearest with a memory.
func nearestOf(palette []asset.RGBA, masked bool) func(c asset.RGBA) byte {
	known := map[asset.RGBA]byte{}
	return func(c asset.RGBA) byte {
		i, ok := known[c]
		if !ok {
			i = nearest(c, palette, masked)
			known[c] = i
		}
		return i
	}
}

// nearest returns the palette entry with the smallest sum of squares; entry 0 of a masked palette is no colour.
func nearest(c asset.RGBA, palette []asset.RGBA, masked bool) byte {
	best, least := 0, 1<<30
	for i := range palette {
		if masked && i == 0 && len(palette) > 1 {
			continue
		}
		r, g, b := int(c[0])-int(palette[i][0]), int(c[1])-int(palette[i][1]), int(c[2])-int(palette[i][2])
		if d := r*r + g*g + b*b; d < least {
			best, least = i, d
		}
	}
	return byte(best)
}

// chain returns a picture and up to count−1 halves of it, down to 1 × 1, inside the palette (reference section 9.4): a
// pixel is the mean of four, the nearest entry; of a masked texture it is a hole if at least half of the four are.
func chain(indices []byte, width, height, count int, palette []asset.RGBA, masked bool) []unreal.Mip {
	known := map[asset.RGBA]byte{}
	var mips []unreal.Mip
	for {
		mips = append(mips, unreal.Mip{Pixels: indices, USize: uint32(width), VSize: uint32(height),
			UBits: uint8(bits.Len(uint(width)) - 1), VBits: uint8(bits.Len(uint(height)) - 1)})
		if len(mips) >= count || width == 1 && height == 1 {
			return mips
		}
		indices = halve(indices, width, height, palette, masked, known)
		width, height = max(width/2, 1), max(height/2, 1)
	}
}

func halve(src []byte, width, height int, palette []asset.RGBA, masked bool, known map[asset.RGBA]byte) []byte {
	w, h := max(width/2, 1), max(height/2, 1)
	dst := make([]byte, w*h)
	right, below := 1, width
	if width == 1 {
		right = 0
	}
	if height == 1 {
		below = 0
	}
	for y := range h {
		for x := range w {
			at := y*2*width*min(below, 1) + x*2*right
			dst[y*w+x] = blend([4]byte{src[at], src[at+right], src[at+below], src[at+right+below]}, palette, masked, known)
		}
	}
	return dst
}

// blend returns the entry for four pixels.
func blend(four [4]byte, palette []asset.RGBA, masked bool, known map[asset.RGBA]byte) byte {
	if four[0] == four[1] && four[0] == four[2] && four[0] == four[3] {
		return four[0]
	}
	var sum [3]int
	n := 0
	for _, i := range four {
		if masked && i == 0 || int(i) >= len(palette) {
			continue
		}
		n++
		for k := range sum {
			sum[k] += int(palette[i][k])
		}
	}
	if masked && n <= 2 {
		return 0
	}
	n = max(n, 1)
	c := asset.RGBA{uint8((sum[0] + n/2) / n), uint8((sum[1] + n/2) / n), uint8((sum[2] + n/2) / n), 255}
	i, ok := known[c]
	if !ok {
		i = nearest(c, palette, masked)
		known[c] = i
	}
	return i
}
