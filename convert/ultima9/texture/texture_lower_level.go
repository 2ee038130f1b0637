package texture

import (
	"bytes"

	pic "github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/asset"
	pixels "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
)

// levelBefore is a level as it was before an edit.
type levelBefore struct {
	data []byte // as stored
	pix  []byte // as RGBA8
}

// storedLevels returns the levels of a stored frame that has the size and format of the picture that takes its place.
func (l *textureLowerer) storedLevels(i int, kind ultima9.PixelFormat, m *asset.Image, colours *[256]asset.RGBA) (list []levelBefore, err error) {
	if l.base == nil || i >= len(l.base.Frames) || l.kindChanged(i, kind) {
		return nil, nil
	}
	f := &l.base.Frames[i]
	for k, data := range f.Levels {
		w, h := f.LevelSize(k)
		if k == 0 && (w != m.Width || h != m.Height) || uint64(len(data)) < kind.Size(uint64(w), uint64(h)) {
			return list, nil
		}
		pix, err := decodePixels(nil, data, w, h, kind, f.Flags, colours)
		if err != nil {
			return nil, err
		}
		list = append(list, levelBefore{data, pix})
	}
	return list, nil
}

func (l *textureLowerer) kindChanged(i int, kind ultima9.PixelFormat) bool {
	was, _ := l.base.Format(i)
	return was != kind
}

// storedIndices returns the indices that an 8-bit frame of the same size had.
func (l *textureLowerer) storedIndices(i int, kind ultima9.PixelFormat, m *asset.Image) []byte {
	if m.Format == asset.Indexed8 && l.ownPalette() {
		return m.Pix
	}
	if l.base == nil || i >= len(l.base.Frames) {
		return nil
	}
	f := &l.base.Frames[i]
	if was, _ := l.base.Format(i); was != kind || int(f.Width) != m.Width {
		return nil
	}
	return f.Levels[0]
}

// ownPalette reports whether the texture's palette has 256 entries, so that its indices may be those of the game: the
// matcher checks each of them.
func (l *textureLowerer) ownPalette() bool { return len(l.asset.Palette) == 256 }

// reportAlpha tells when a picture's alpha does not fit into the format.
func (l *textureLowerer) reportAlpha(kind ultima9.PixelFormat, i int, pix []byte) {
	if kind == ultima9.AI44 || kind == ultima9.AI88 || kind == ultima9.A8 {
		return
	}
	for k := 3; k < len(pix); k += 4 {
		if pix[k] != 0 && pix[k] != 255 {
			l.env.Told().Lossf("alpha", "", "frame %d: %v knows no half-transparent pixels; alpha from 128 on is opaque", i, kind)
			return
		}
	}
}

// levelsOf encodes a picture and its mip levels. Of the levels that it takes the place of, if any, what does not depend
// on the edit stays.
func levelsOf(e *encoder, pix []byte, w, h, mips int, before []levelBefore) ([][]byte, error) {
	levels := make([][]byte, 1+mips)
	var was []byte // the picture before, made smaller as the new one is
	if len(before) > 0 {
		was = before[0].pix
	}
	for k := range levels {
		now := pix
		if k < len(before) {
			now = bytes.Clone(pix)
			pic.Carry(now, was, before[k].pix)
		}
		if e.match != nil && k > 0 {
			e.match.stored = nil
			if k < len(before) {
				e.match.stored = before[k].data
			}
		}
		var err error
		if levels[k], err = e.encode(now, w, h); err != nil {
			return nil, err
		}
		if k < len(before) && e.format == ultima9.BC1 {
			pic.Blocks{Side: 4, Size: pixels.BC1Block}.Keep(levels[k], before[k].data, before[k].pix, now, w)
		}
		if k < min(mips, len(before)-1) {
			was, _, _ = halve(was, w, h)
		}
		if k < mips {
			pix, w, h = halve(pix, w, h)
		}
	}
	return levels, nil
}

// newRows returns the row offsets of a new frame: from the start of the frame, or CDCDCDCDh for block-compressed ones,
// which have no rows (reference section 4.2).
func newRows(kind ultima9.PixelFormat, w, h int) []uint32 {
	rows := make([]uint32, h)
	for y := range rows {
		rows[y] = 0xCDCDCDCD
		if kind != ultima9.BC1 {
			rows[y] = uint32(ultima9.FrameHeaderSize+4*h) + uint32(y)*uint32(kind.Size(uint64(w), 1))
		}
	}
	return rows
}
