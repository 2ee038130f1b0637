package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
)

// Palette writes ankh.pal (reference section 3).
func Palette(p *ultima9.Palette) ([]byte, error) {
	b := make([]byte, 0, ultima9.PaletteSize+len(p.Trailing))
	for _, c := range p.Colors {
		b = append(b, c[:]...)
	}
	return append(b, p.Trailing...), nil
}
