package picture

// strength is how much of an error is passed on, in sixteenths: all of it makes a grain that is worse than the steps it
// hides.
const strength = 10

// Dither maps the pixels of a picture to entries of a palette. It spreads the error of each pixel over its neighbours
// (Floyd–Steinberg, with rows alternately from the left and from the right). at returns a pixel's colour, and whether the
// pixel takes part; one that does not gets entry 0 and spreads nothing. nearest returns the palette entry for a colour.
func Dither(width, height int, at func(i int) (color [3]uint8, part bool), nearest func(color [3]uint8) (entry byte, shown [3]uint8)) []byte {
	out := make([]byte, width*height)
	rows := [2][][3]int{make([][3]int, width+2), make([][3]int, width+2)} // sixteenths, with a margin on both sides
	for y := range height {
		here, below := rows[y&1], rows[1-y&1]
		clear(below)
		step, x := 1, 0
		if y&1 == 1 {
			step, x = -1, width-1
		}
		for ; x >= 0 && x < width; x += step {
			c, part := at(y*width + x)
			if !part {
				continue
			}
			var want [3]uint8
			for k := range 3 {
				want[k] = uint8(min(max(int(c[k])+(here[x+1][k]+8)>>4, 0), 255))
			}
			entry, shown := nearest(want)
			out[y*width+x] = entry
			for k := range 3 {
				e := (int(want[k]) - int(shown[k])) * strength / 16
				here[x+1+step][k] += 7 * e
				below[x+1-step][k] += 3 * e
				below[x+1][k] += 5 * e
				below[x+1+step][k] += e
			}
		}
	}
	return out
}
