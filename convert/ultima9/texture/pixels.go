package texture

import (
	"encoding/binary"

	"github.com/usher-assets/usher/convert/format"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	pixels "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	mediawrite "github.com/usher-assets/usher/write/media"
)

// decodePixels turns the stored pixels of a level into RGBA8, in memory that may be lent. Colours are the game's palette.
func decodePixels(memory *format.Scratch, src []byte, w, h int, f ultima9.PixelFormat, flags ultima9.FrameFlags, colours *[256]asset.RGBA) ([]byte, error) {
	if err := schema.DefaultLimits.Picture("u9-texture", w, h, 4); err != nil {
		return nil, err
	}
	dst := memory.Pixels(4 * w * h)
	if f == ultima9.BC1 {
		return dst, media.BC1Into(dst, src, w, h)
	}
	if uint64(len(src)) < f.Size(uint64(w), uint64(h)) {
		clear(dst)
	}
	switch f {
	case ultima9.P8:
		decodeP8(dst, src, flags.Keyed(), colours)
	case ultima9.RGB565:
		media.RGB565(dst, src)
		if flags.Keyed() {
			clearKey(dst, src, flags.Key())
		}
	case ultima9.ARGB1555:
		media.ARGB1555(dst, src)
	case ultima9.AI44:
		for i, v := range src[:w*h] {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(v&15)*0x111111|uint32(v>>4)*0x11000000)
		}
	case ultima9.AI88:
		for i := range w * h {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(src[2*i])*0x010101|uint32(src[2*i+1])<<24)
		}
	case ultima9.A8:
		for i, v := range src[:w*h] {
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)*0x01010101)
		}
	}
	return dst, nil
}

func decodeP8(dst, src []byte, keyed bool, colours *[256]asset.RGBA) {
	var table [256]uint32
	for i, c := range colours {
		table[i] = binary.LittleEndian.Uint32(c[:]) | 0xFF000000
	}
	if keyed {
		table[ultima9.KeyIndex] &= 0x00FFFFFF
	}
	for i := range min(len(src), len(dst)/4) {
		binary.LittleEndian.PutUint32(dst[4*i:], table[src[i]])
	}
}

// clearKey makes the pixels of the key's colour transparent.
func clearKey(dst, src []byte, key uint16) {
	for i := range min(len(src)/2, len(dst)/4) {
		if binary.LittleEndian.Uint16(src[2*i:]) == key {
			dst[4*i+3] = 0
		}
	}
}

// opaqueFrom is the alpha from which formats of one bit of alpha take a pixel as opaque.
const opaqueFrom = 128

func hasHoles(pix []byte) bool {
	for i := 3; i < len(pix); i += 4 {
		if pix[i] < opaqueFrom {
			return true
		}
	}
	return false
}

// encoder turns RGBA8 into the stored pixels of one frame. It is made once for a frame, since the flags of the frame
// must suit all of its levels.
type encoder struct {
	format ultima9.PixelFormat
	flags  ultima9.FrameFlags
	match  *matcher      // of P8
	effort pixels.Effort // of BC1
}

// newEncoder returns an encoder for a frame with these flags. A picture with holes turns the key test on in formats
// that have no alpha of their own.
func newEncoder(f ultima9.PixelFormat, flags ultima9.FrameFlags, pix []byte, colours *[256]asset.RGBA, effort pixels.Effort) *encoder {
	e := &encoder{format: f, flags: flags, effort: effort}
	if (f == ultima9.P8 || f == ultima9.RGB565) && !flags.Keyed() && hasHoles(pix) {
		e.flags &^= ultima9.FlagNoKey
		if f == ultima9.RGB565 && flags.Key() == 0 {
			e.flags = flags.WithKey(ultima9.DefaultKey)
		}
	}
	if f == ultima9.P8 {
		e.match = newMatcher(colours, e.flags.Keyed())
	}
	return e
}

func (e *encoder) encode(pix []byte, w, h int) ([]byte, error) {
	if e.format == ultima9.BC1 {
		return mediawrite.BC1(pix, w, h, e.effort)
	}
	dst := make([]byte, e.format.Size(uint64(w), uint64(h)))
	switch e.format {
	case ultima9.P8:
		e.match.indices(dst, pix)
	case ultima9.RGB565:
		mediawrite.RGB565(dst, pix)
		if e.flags.Keyed() {
			setKey(dst, pix, e.flags.Key())
		}
	case ultima9.ARGB1555:
		mediawrite.ARGB1555(dst, pix)
	case ultima9.AI44:
		for i := range w * h {
			p := pix[4*i : 4*i+4]
			dst[i] = p[3]&0xF0 | luminance(p)>>4
		}
	case ultima9.AI88:
		for i := range w * h {
			p := pix[4*i : 4*i+4]
			dst[2*i], dst[2*i+1] = luminance(p), p[3]
		}
	case ultima9.A8:
		encodeA8(dst, pix)
	}
	return dst, nil
}

// setKey gives transparent pixels the key's value and moves opaque ones that have it by one step of green.
func setKey(dst, pix []byte, key uint16) {
	const greenStep = 0x20
	for i := range len(dst) / 2 {
		d := dst[2*i:]
		switch {
		case pix[4*i+3] < opaqueFrom:
			binary.LittleEndian.PutUint16(d, key)
		case binary.LittleEndian.Uint16(d) == key:
			binary.LittleEndian.PutUint16(d, key^greenStep)
		}
	}
}

func luminance(p []byte) uint8 {
	return uint8((299*int(p[0]) + 587*int(p[1]) + 114*int(p[2]) + 500) / 1000)
}

// encodeA8 takes the alpha of a picture that has any, else its luminance.
func encodeA8(dst, pix []byte) {
	alpha := false
	for i := 3; i < len(pix); i += 4 {
		alpha = alpha || pix[i] != 255
	}
	for i := range dst {
		p := pix[4*i : 4*i+4]
		dst[i] = p[3]
		if !alpha {
			dst[i] = luminance(p)
		}
	}
}

// matcher finds palette indices for colours: an entry of just this colour first, then the nearest of those that the
// game's tools used.
type matcher struct {
	colours *[256]asset.RGBA
	keyed   bool
	found   map[[3]uint8]uint8
	stored  []byte // indices of the picture before the edit, kept where they still have the pixel's colour; may be nil
}

func newMatcher(colours *[256]asset.RGBA, keyed bool) *matcher {
	m := &matcher{colours: colours, keyed: keyed, found: map[[3]uint8]uint8{}}
	put := func(i int) {
		c := [3]uint8(colours[i][:3])
		if _, taken := m.found[c]; !taken && !(keyed && i == ultima9.KeyIndex) {
			m.found[c] = uint8(i)
		}
	}
	for i := ultima9.FirstFree; i <= ultima9.LastFree; i++ {
		put(i)
	}
	for i := range colours {
		put(i)
	}
	return m
}

func (m *matcher) indices(dst, pix []byte) {
	var last [3]uint8
	index := m.nearest(last)
	for i := range dst {
		c := [3]uint8(pix[4*i : 4*i+3])
		switch {
		case m.keyed && pix[4*i+3] < opaqueFrom:
			dst[i] = ultima9.KeyIndex
			continue
		case len(m.stored) == len(dst) && m.fits(m.stored[i], c):
			dst[i] = m.stored[i]
			continue
		case c != last: // neighbours are often alike
			last, index = c, m.nearest(c)
		}
		dst[i] = index
	}
}

// fits reports whether an index shows the colour.
func (m *matcher) fits(index uint8, c [3]uint8) bool {
	return [3]uint8(m.colours[index][:3]) == c && !(m.keyed && index == ultima9.KeyIndex)
}

func (m *matcher) nearest(c [3]uint8) uint8 {
	if i, ok := m.found[c]; ok {
		return i
	}
	best, least := 0, 1<<30
	for i := ultima9.FirstFree; i <= ultima9.LastFree; i++ {
		d := 0
		for k, v := range c {
			x := int(v) - int(m.colours[i][k])
			d += x * x
		}
		if d < least {
			best, least = i, d
		}
	}
	m.found[c] = uint8(best)
	return uint8(best)
}

// halve returns the next mip level: the mean of 2 x 2 pixels, colours weighted by alpha so that the colour of holes
// does not bleed.
func halve(pix []byte, w, h int) ([]byte, int, int) {
	nw, nh := max(1, w/2), max(1, h/2)
	out := make([]byte, 4*nw*nh)
	for y := range nh {
		upper := pix[4*w*min(2*y, h-1):]
		lower := pix[4*w*min(2*y+1, h-1):]
		for x := range nw {
			l, r := 4*min(2*x, w-1), 4*min(2*x+1, w-1)
			mean(out[4*(y*nw+x):], upper[l:l+4], upper[r:r+4], lower[l:l+4], lower[r:r+4])
		}
	}
	return out, nw, nh
}

func mean(dst []byte, p ...[]byte) {
	var sum [3]int
	alpha, plain := 0, [3]int{}
	for _, c := range p {
		a := int(c[3])
		alpha += a
		for k := range sum {
			sum[k] += a * int(c[k])
			plain[k] += int(c[k])
		}
	}
	for k := range sum {
		if alpha == 0 {
			dst[k] = uint8((plain[k] + 2) / 4)
		} else {
			dst[k] = uint8((sum[k] + alpha/2) / alpha)
		}
	}
	dst[3] = uint8((alpha + 2) / 4)
}

// ToRGBA returns the pixels of an image as RGBA8. They are the image's own if it already has this format.
func ToRGBA(m *asset.Image, palette []asset.RGBA) ([]byte, error) {
	if want := m.Width * m.Height * m.Format.Bytes(); m.Width <= 0 || m.Height <= 0 || len(m.Pix) != want {
		return nil, schema.Errorf("u9-texture", schema.ErrValue, "pixels", "%d x %d pixels in %d bytes, expected %d", m.Width, m.Height, len(m.Pix), want)
	}
	if m.Format == asset.RGBA8 {
		return m.Pix, nil
	}
	out := make([]byte, 4*m.Width*m.Height)
	switch m.Format {
	case asset.Indexed8:
		for i, v := range m.Pix {
			c := asset.RGBA{0, 0, 0, 255}
			if int(v) < len(palette) {
				c = palette[v]
			}
			copy(out[4*i:], c[:])
		}
	default:
		step := m.Format.Bytes()
		for i := range m.Width * m.Height {
			v := m.Pix[step*i+step-1] // the high byte
			binary.LittleEndian.PutUint32(out[4*i:], uint32(v)*0x010101|0xFF000000)
		}
	}
	return out, nil
}

// SamePixels reports whether two RGBA8 pictures are equal. Colour under zero alpha is ignored.
func SamePixels(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i+4 <= len(a); i += 4 {
		x, y := binary.LittleEndian.Uint32(a[i:]), binary.LittleEndian.Uint32(b[i:])
		if x != y && (x|y)>>24 != 0 {
			return false
		}
	}
	return true
}
