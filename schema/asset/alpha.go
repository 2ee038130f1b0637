package asset

import "encoding/binary"

// AlphaMode returns how an image uses alpha: Opaque if all alpha is 255, Mask if it is only 0 and 255, otherwise Blend. For
// Indexed8 the colours of the palette count.
func (m *Image) AlphaMode(palette []RGBA) AlphaMode {
	switch m.Format {
	case RGBA8:
		if m.Opaque() {
			return Opaque
		}
		for i := 3; i < len(m.Pix); i += 4 {
			if a := m.Pix[i]; a != 0 && a != 255 {
				return Blend
			}
		}
		return Mask
	case Indexed8:
		mode := Opaque
		for _, c := range palette {
			if c[3] == 0 {
				mode = Mask
			} else if c[3] != 255 {
				return Blend
			}
		}
		return mode
	}
	return Opaque
}

// Opaque reports whether every pixel of an RGBA8 image has an alpha of 255.
func (m *Image) Opaque() bool {
	const alphas = 0xFF000000_FF000000
	i, le := 0, binary.LittleEndian
	for ; i+32 <= len(m.Pix); i += 32 { // the alphas of eight pixels at once
		p := m.Pix[i : i+32]
		if le.Uint64(p)&le.Uint64(p[8:])&le.Uint64(p[16:])&le.Uint64(p[24:])&alphas != alphas {
			return false
		}
	}
	for i += 3; i < len(m.Pix); i += 4 {
		if m.Pix[i] != 255 {
			return false
		}
	}
	return true
}
