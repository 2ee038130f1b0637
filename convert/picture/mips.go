package picture

import "github.com/usher-assets/usher/schema/asset"

// Halve returns the next mip level of an RGBA8 or Gray8 image: each pixel is the mean of four, colours weighted by
// their alpha.
func Halve(m *asset.Image) asset.Image {
	out := asset.NewImage(max(m.Width/2, 1), max(m.Height/2, 1), m.Format)
	size := m.Format.Bytes()
	for y := range out.Height {
		y0, y1 := 2*y*m.Width, min(2*y+1, m.Height-1)*m.Width
		for x := range out.Width {
			x0, x1 := 2*x, min(2*x+1, m.Width-1)
			at := [4]int{size * (y0 + x0), size * (y0 + x1), size * (y1 + x0), size * (y1 + x1)}
			dst := out.Pix[size*(y*out.Width+x):]
			if size == 4 {
				mean(dst[:4], m.Pix, at)
				continue
			}
			sum := 2
			for _, i := range at {
				sum += int(m.Pix[i])
			}
			dst[0] = byte(sum / 4)
		}
	}
	return out
}

func mean(dst, pix []byte, at [4]int) {
	var sum, plain [3]int
	alpha := 0
	for _, i := range at {
		p := pix[i : i+4]
		a := int(p[3])
		alpha += a
		for c := range 3 {
			sum[c] += a * int(p[c])
			plain[c] += int(p[c])
		}
	}
	for c := range 3 {
		if alpha > 0 {
			dst[c] = byte((sum[c] + alpha/2) / alpha)
		} else {
			dst[c] = byte((plain[c] + 2) / 4) // invisible colours keep their mean too
		}
	}
	dst[3] = byte((alpha + 2) / 4)
}

// Mips returns n levels, the first being m; fewer when 1 × 1 comes earlier.
func Mips(m asset.Image, n int) []asset.Image {
	list := []asset.Image{m}
	for len(list) < n {
		last := &list[len(list)-1]
		if last.Width == 1 && last.Height == 1 {
			break
		}
		list = append(list, Halve(last))
	}
	return list
}
