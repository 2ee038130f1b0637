// Package pictures makes textures for tests and benchmarks. They are computed from integers only, so that golden
// hashes hold on every machine. Tests alone import it.
package pictures

// A Kind is one family of textures.
type Kind struct {
	Name string
	RGBA func(size int) []byte // size × size pixels of RGBA8
}

// Kinds are bricks with grain, a panelled hull, foliage with alpha, and a smooth gradient such as skin or sky.
var Kinds = []Kind{{"stone", Stone}, {"hull", Hull}, {"foliage", Foliage}, {"skin", Skin}}

// hash returns 32 well-mixed bits of a point.
func hash(x, y, seed int) uint32 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ uint32(seed)*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	return h ^ h>>15
}

// noise returns 0 … 255, smooth over cells of 1 << shift pixels.
func noise(x, y, shift, seed int) int {
	cell := 1 << shift
	cx, cy, fx, fy := x>>shift, y>>shift, x&(cell-1), y&(cell-1)
	at := func(dx, dy int) int { return int(hash(cx+dx, cy+dy, seed) & 255) }
	top := at(0, 0)*(cell-fx) + at(1, 0)*fx
	bottom := at(0, 1)*(cell-fx) + at(1, 1)*fx
	return (top*(cell-fy) + bottom*fy) >> (2 * shift)
}

func fill(size int, f func(x, y int) (r, g, b, a int)) []byte {
	pix := make([]byte, 0, 4*size*size)
	for y := range size {
		for x := range size {
			r, g, b, a := f(x, y)
			pix = append(pix, clamp(r), clamp(g), clamp(b), clamp(a))
		}
	}
	return pix
}

func clamp(v int) byte { return byte(min(max(v, 0), 255)) }

// Stone returns bricks with mortar and grain; opaque.
func Stone(size int) []byte {
	return fill(size, func(x, y int) (r, g, b, a int) {
		row := y / 32
		shifted := x + row%2*32
		if y%32 < 3 || shifted%64 < 3 {
			v := 150 + noise(x, y, 2, 1)/8
			return v, v - 4, v - 10, 255
		}
		tone := int(hash(shifted/64, row, 2) & 31)
		grain := int(hash(x, y, 3)&7) + noise(x, y, 3, 4)/6
		return 110 + tone + grain, 60 + tone/2 + grain, 45 + tone/3 + grain, 255
	})
}

// Hull returns panels with seams, rivets and lit windows; opaque.
func Hull(size int) []byte {
	return fill(size, func(x, y int) (r, g, b, a int) {
		px, py := x%96, y%64
		shade := 90 + int(hash(x/96, y/64, 5)&31) + noise(x, y, 5, 6)/10
		switch {
		case px < 2 || py < 2:
			return 40, 42, 48, 255
		case px > 8 && px < 12 && py > 8 && py < 12:
			return shade + 40, shade + 42, shade + 45, 255
		case py > 28 && py < 36 && px > 20 && px < 80 && px%10 < 6 && hash(x/10, y/64, 7)&3 == 0:
			return 250, 230, 150, 255
		}
		return shade, shade + 3, shade + 9, 255
	})
}

// Foliage returns leaves before nothing: alpha is 0, 255 or an edge between them.
func Foliage(size int) []byte {
	return fill(size, func(x, y int) (r, g, b, a int) {
		leaf := noise(x, y, 4, 8)*2/3 + noise(x, y, 2, 9)/3
		light := noise(x, y, 3, 10) / 4
		grain := int(hash(x, y, 11) & 3)
		return 30 + light + grain, 70 + light*2 + grain, 20 + light/2, (leaf - 110) * 16
	})
}

// Skin returns soft gradients with a little grain; opaque.
func Skin(size int) []byte {
	return fill(size, func(x, y int) (r, g, b, a int) {
		v := noise(x, y, 7, 12)/2 + noise(x, y, 5, 13)/8
		fine := int(hash(x, y, 14) & 1)
		return 120 + v*2/3 + fine, 80 + v/2 + fine, 60 + v/3, 255
	})
}

// Indexed returns the indices of size × size pixels and their 256 colours: 64 levels of green, with four of red
// against blue, as a palette made for one picture has them. The colours are sorted, or in random order.
func Indexed(pix []byte, sorted bool) (indices []byte, palette [256][4]byte) {
	var slot [256]byte
	for i := range slot {
		slot[i] = byte(i)
	}
	for i := 255; i > 0 && !sorted; i-- {
		j := int(hash(i, 0, 15)) % (i + 1)
		slot[i], slot[j] = slot[j], slot[i]
	}
	indices = make([]byte, len(pix)/4)
	for i := range indices {
		red, green, blue := int(pix[4*i]), int(pix[4*i+1]), int(pix[4*i+2])
		warm := min(max((red-blue+32)/32, 0), 3)
		indices[i] = slot[green>>2<<2|warm]
	}
	for code := range 256 {
		green, warm := code>>2*255/63, code&3*32-32
		palette[slot[code]] = [4]byte{clamp(green + warm/2), byte(green), clamp(green - warm/2), 255}
	}
	return indices, palette
}
