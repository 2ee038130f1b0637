package look

import (
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/asset"
)

// Mean returns the mean colour of a frame of a texture; ok is false where no archive at hand has it.
func (l *Lifter) Mean(p Picture) (mean asset.RGBA, ok bool) {
	t := l.texture(p)
	m := t.Base()
	if m == nil || len(m.Pix) == 0 {
		return mean, false
	}
	rgba, err := picture.RGBA(m, t.Palette)
	if err != nil {
		return mean, false
	}
	var sum [3]int
	for i := 0; i+4 <= len(rgba.Pix); i += 4 {
		for k := range sum {
			sum[k] += int(rgba.Pix[i+k])
		}
	}
	pixels := len(rgba.Pix) / 4
	for k := range sum {
		mean[k] = byte((sum[k] + pixels/2) / pixels)
	}
	mean[3] = 0xFF
	return mean, true
}
