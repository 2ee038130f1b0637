package png

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/usher-assets/usher/schema/asset"
)

// markRGBA is a chunk without content, private to us: the grey or the palette of this file is a shorter form of RGBA8,
// and means nothing else. Its name says that a program that does not know it may leave it out, and has to once it
// changed the picture.
const markRGBA = "rgBA"

// shorter holds the pixels of a shorter form of an RGBA8 picture.
type shorter struct {
	pix    []byte
	census census
}

var shorters = sync.Pool{New: func() any { return new(shorter) }}

// reduce returns an RGBA8 picture as Gray8 or Indexed8 where that loses nothing and is likely to be shorter, else as
// it is. The pixels are s's.
func (s *shorter) reduce(m *asset.Image) (*asset.Image, []asset.RGBA) {
	out := &asset.Image{Width: m.Width, Height: m.Height, Format: asset.Gray8}
	switch {
	case !isGray(m.Pix):
		if !s.indices(m.Pix) {
			return m, nil
		}
		out.Format, out.Pix = asset.Indexed8, s.pix
		return out, s.census.sort(s.pix)
	case !m.Opaque():
		return m, nil
	}
	s.pix = sized(s.pix, len(m.Pix)/4)
	for i := range s.pix {
		s.pix[i] = m.Pix[4*i]
	}
	out.Pix = s.pix
	return out, nil
}

// isGray reports whether red, green and blue are the same in every pixel.
func isGray(pix []byte) bool {
	for ; len(pix) >= 4; pix = pix[4:] {
		if v := binary.LittleEndian.Uint32(pix); (v^v>>8)&0xFFFF != 0 {
			return false
		}
	}
	return true
}

// indices numbers the pixels by their colours. It gives up when there are too many of them for a palette to pay: each
// takes as much room as some pixels, which are the fewer the shorter they become by filters and deflate.
func (s *shorter) indices(pix []byte) bool {
	const pixels = 8 // of a colour, on average, at least
	s.pix = sized(s.pix, len(pix)/4)
	out := s.pix
	s.census.reset(min(256, len(out)/pixels))
	slots := &s.census.slots
	pix = pix[:4*len(out)]
	for i := range out {
		v := binary.LittleEndian.Uint32(pix[4*i:])
		slot := slots[hashOf(v)]
		if slot>>8 != uint64(v)<<1|1 { // seldom; that the colour is the last one's is not, and cannot be foretold
			var ok bool
			if slot, ok = s.census.number(v); !ok {
				return false
			}
		}
		out[i] = byte(slot)
	}
	return true
}

// census is the set of a picture's colours, in a table of open addresses.
type census struct {
	most    int
	colours []uint32                // red in the lowest byte
	slots   [1 << censusBits]uint64 // colour, a bit that tells that there is one, and its number in the lowest byte
}

const censusBits = 12 // four slots for a colour: hardly any has to look further

func hashOf(colour uint32) uint32 { return colour * 0x9E3779B1 >> (32 - censusBits) }

func (s *census) reset(most int) {
	s.most = most
	s.colours = s.colours[:0]
	clear(s.slots[:])
}

// number returns the slot of a colour, a new one for a new colour. It reports false when there are too many.
func (s *census) number(colour uint32) (uint64, bool) {
	for h := hashOf(colour); ; h = (h + 1) % (1 << censusBits) {
		slot := &s.slots[h]
		if *slot == 0 {
			if len(s.colours) == s.most {
				return 0, false
			}
			*slot = uint64(colour)<<9 | 1<<8 | uint64(len(s.colours))
			s.colours = append(s.colours, colour)
		}
		if *slot>>9 == uint64(colour) {
			return *slot, true
		}
	}
}

// sort returns the colours by alpha, so that the list of alphas ends with the last that is not opaque, and by
// brightness, so that differences of neighbours are small. The indices follow.
func (s *census) sort(indices []byte) []asset.RGBA {
	type entry struct {
		key    uint32
		colour uint32
		number uint8
	}
	order := make([]entry, len(s.colours))
	for i, c := range s.colours {
		bright := 2*(c&255) + 5*(c>>8&255) + c>>16&255
		order[i] = entry{c>>24<<16 | bright, c, uint8(i)}
	}
	slices.SortFunc(order, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.colour, b.colour))
	})
	palette := make([]asset.RGBA, len(order))
	var to [256]uint8
	for i, e := range order {
		to[e.number] = uint8(i)
		binary.LittleEndian.PutUint32(palette[i][:], e.colour)
	}
	for i, v := range indices {
		indices[i] = to[v]
	}
	return palette
}
