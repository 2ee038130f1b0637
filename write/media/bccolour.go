package media

// line is a candidate for a colour block: two ends in 5, 6 and 5 bits, and which entry each pixel takes. Entries count
// along the line in steps of 1/steps: 0 is end a, steps is end b.
type line struct {
	a, b  [3]int32
	entry [16]uint8
	err   int32
}

// highest is the largest value of each channel, widened its values at 8 bits.
var (
	highest = [3]int32{31, 63, 31}
	widened = widen()
)

func widen() (w [3][64]int32) {
	for v := range int32(64) {
		w[0][v], w[1][v], w[2][v] = v&31<<3|v&31>>2, v<<2|v>>4, v&31<<3|v&31>>2
	}
	return w
}

// pair is the two ends of one channel whose inner entry comes nearest to a value, which it makes.
type pair struct{ a, b, makes int32 }

// single2 and single3 hold the pairs for every channel and value, for lines of 2 and 3 steps; the inner entry is
// number 1, and of several pairs the one with the closest ends is taken.
var single2, single3 = singles(2), singles(3)

func singles(steps int32) (t [3][256]pair) {
	const none = -1
	for c := range t {
		for v := range t[c] {
			t[c][v].makes = none
		}
		for a := range highest[c] + 1 {
			for b := range highest[c] + 1 {
				v := between(widened[c][a], widened[c][b], 1, steps)
				if p := &t[c][v]; p.makes == none || abs(a-b) < abs(p.a-p.b) {
					*p = pair{a, b, v}
				}
			}
		}
		exact := t[c]
		for v := range int32(256) {
			for d := int32(0); t[c][v].makes == none; d++ {
				if down := exact[max(v-d, 0)]; down.makes != none {
					t[c][v] = down
				} else if up := exact[min(v+d, 255)]; up.makes != none {
					t[c][v] = up
				}
			}
		}
	}
	return t
}

func abs(v int32) int32 { return max(v, -v) }

// between returns entry i of the line from a to b, as decoders compute it.
func between(a, b, i, steps int32) int32 { return ((steps-i)*a + i*b) / steps }

// colours returns the colour block of b. Only in blocks of BC1 may the order of the ends choose three colours and
// transparency.
func (b *block) colours(bc1 bool) uint64 {
	all := uint32(0xFFFF)
	if bc1 {
		for i, a := range b.alpha {
			if a < 128 {
				all &^= 1 << i
			}
		}
	}
	if all == 0 {
		return 0xFFFFFFFF_0000_0000
	}
	if all != 0xFFFF {
		l := b.fit(all, 2)
		return l.pack3(all)
	}
	l := b.fit(all, 3)
	if bc1 && l.err > 0 && b.smooth(all) {
		if three := b.fit(all, 2); three.err < l.err {
			return three.pack3(all)
		}
	}
	return l.pack4(bc1)
}

// pack4 returns the block with four colours: the first end is the higher one.
func (l *line) pack4(bc1 bool) uint64 {
	codes := [4]uint64{0, 2, 3, 1}
	a, b := pack565(l.a), pack565(l.b)
	if a < b {
		a, b = b, a
		codes = [4]uint64{1, 3, 2, 0}
	}
	if a == b && bc1 {
		codes = [4]uint64{} // equal ends mean three colours, the last of them transparent
	}
	return l.pack(a, b, codes, 0xFFFF)
}

// pack3 returns the block with three colours; pixels outside the mask are transparent.
func (l *line) pack3(mask uint32) uint64 {
	codes := [4]uint64{0, 2, 1, 0}
	a, b := pack565(l.a), pack565(l.b)
	if a > b {
		a, b = b, a
		codes = [4]uint64{1, 2, 0, 0}
	}
	return l.pack(a, b, codes, mask)
}

func (l *line) pack(a, b uint64, codes [4]uint64, mask uint32) uint64 {
	v := a | b<<16
	for i, e := range l.entry {
		code := uint64(3)
		if mask>>i&1 != 0 {
			code = codes[e&3]
		}
		v |= code << (32 + 2*i)
	}
	return v
}

func pack565(c [3]int32) uint64 { return uint64(c[0]<<11 | c[1]<<5 | c[2]) }

// fit finds a line for the pixels of the mask, of which there is at least one.
func (b *block) fit(mask uint32, steps int32) line {
	low, high := b.bounds(mask)
	if low == high {
		return flat(low, steps)
	}
	from, to := b.principal(mask)
	best := b.refine(b.assign(quantise(from), quantise(to), mask, steps, worst), mask, steps)
	if best.err == 0 {
		return best
	}
	// Colours at the far ends are rare: a start that lies an eighth further in often ends better.
	for c := range 3 {
		d := (to[c] - from[c]) / 8
		from[c], to[c] = from[c]+d, to[c]-d
	}
	best = b.better(best, quantise(from), quantise(to), mask, steps)
	// Colours that hardly differ fit best between ends chosen for their inner entries.
	if spread(low, high) <= smooth {
		for c := range 3 {
			from[c] = (low[c] + high[c]) / 2
		}
		l := flat(from, steps)
		best = b.better(best, l.a, l.b, mask, steps)
	}
	return b.descend(best, mask, steps)
}

const (
	smooth = 24      // range of colours, in levels, up to which the inner entries decide
	worst  = 1 << 30 // above every error
)

// better refines the line between other ends and returns it if it beats best.
func (b *block) better(best line, from, to [3]int32, mask uint32, steps int32) line {
	if l := b.refine(b.assign(from, to, mask, steps, worst), mask, steps); l.err < best.err {
		return l
	}
	return best
}

// descend moves one end of one channel at a time as long as that helps.
func (b *block) descend(best line, mask uint32, steps int32) line {
	for stuck, at := 0, 0; stuck < 12 && best.err > 0; at = (at + 1) % 12 {
		c := at % 3
		ends := [2][3]int32{best.a, best.b}
		v := ends[at/6][c] + int32(at/3%2*2-1)
		stuck++
		if v < 0 || v > highest[c] {
			continue
		}
		ends[at/6][c] = v
		if l := b.assign(ends[0], ends[1], mask, steps, best.err); l.err < best.err {
			best, stuck = l, 0
		}
	}
	return best
}

// smooth tells whether the colours hardly differ, so that three colours may come nearer to them than four.
func (b *block) smooth(mask uint32) bool { return spread(b.bounds(mask)) <= smooth }

func spread(low, high [3]int32) int32 {
	return max(high[0]-low[0], high[1]-low[1], high[2]-low[2])
}

func (b *block) bounds(mask uint32) (low, high [3]int32) {
	low = [3]int32{255, 255, 255}
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		for c, v := range b.rgb[i] {
			low[c], high[c] = min(low[c], v), max(high[c], v)
		}
	}
	return low, high
}

// flat returns the best line for one colour: the pixels take its inner entry, which the ends make as near as can be.
func flat(colour [3]int32, steps int32) line {
	table := &single3
	if steps == 2 {
		table = &single2
	}
	var l line
	for c, v := range colour {
		p := table[c][v]
		l.a[c], l.b[c] = p.a, p.b
		l.err += 16 * (p.makes - v) * (p.makes - v)
	}
	for i := range l.entry {
		l.entry[i] = 1
	}
	return l
}

// principal returns the two pixels that lie furthest apart along the principal axis of the colours.
func (b *block) principal(mask uint32) (from, to [3]int32) {
	var n int64
	var sum [3]int64
	var xx, xy, xz, yy, yz, zz int64
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		x, y, z := int64(b.rgb[i][0]), int64(b.rgb[i][1]), int64(b.rgb[i][2])
		n++
		sum[0], sum[1], sum[2] = sum[0]+x, sum[1]+y, sum[2]+z
		xx, xy, xz, yy, yz, zz = xx+x*x, xy+x*y, xz+x*z, yy+y*y, yz+y*z, zz+z*z
	}
	xx, xy, xz = n*xx-sum[0]*sum[0], n*xy-sum[0]*sum[1], n*xz-sum[0]*sum[2]
	yy, yz, zz = n*yy-sum[1]*sum[1], n*yz-sum[1]*sum[2], n*zz-sum[2]*sum[2]

	// Power iteration: the column of the widest channel leans towards the axis already.
	axis := [3]int64{xx, xy, xz}
	if yy > xx && yy >= zz {
		axis = [3]int64{xy, yy, yz}
	} else if zz > xx {
		axis = [3]int64{xz, yz, zz}
	}
	for range 4 {
		axis = shorten(axis)
		axis = [3]int64{
			xx*axis[0] + xy*axis[1] + xz*axis[2],
			xy*axis[0] + yy*axis[1] + yz*axis[2],
			xz*axis[0] + yz*axis[1] + zz*axis[2],
		}
	}
	axis = shorten(axis)
	least, most := int64(1)<<62, -int64(1)<<62
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		t := axis[0]*int64(b.rgb[i][0]) + axis[1]*int64(b.rgb[i][1]) + axis[2]*int64(b.rgb[i][2])
		if t < least {
			least, from = t, b.rgb[i]
		}
		if t > most {
			most, to = t, b.rgb[i]
		}
	}
	return from, to
}

// shorten scales a vector down to components of at most 16 bits.
func shorten(v [3]int64) [3]int64 {
	for max(v[0], -v[0])|max(v[1], -v[1])|max(v[2], -v[2]) >= 1<<16 {
		v[0], v[1], v[2] = v[0]/16, v[1]/16, v[2]/16
	}
	return v
}

// quantise returns the nearest ends of 5, 6 and 5 bits.
func quantise(v [3]int32) [3]int32 {
	return [3]int32{nearestBits(v[0], 31), nearestBits(v[1], 63), nearestBits(v[2], 31)}
}

func nearestBits(v, top int32) int32 { return (min(max(v, 0), 255)*top + 127) / 255 }

// assign gives each pixel an entry of the line between two ends: the one whose stretch of the line the pixel projects
// to. It gives up at an error of limit.
func (b *block) assign(from, to [3]int32, mask uint32, steps, limit int32) line {
	l := line{a: from, b: to}
	var p [4][4]int32 // the entries; a fourth channel keeps indexing cheap
	for c := range 3 {
		x, y := widened[c][from[c]&63], widened[c][to[c]&63]
		if steps == 3 {
			p[0][c], p[1][c], p[2][c], p[3][c] = x, (2*x+y)/3, (x+2*y)/3, y
		} else {
			p[0][c], p[1][c], p[2][c], p[3][c] = x, (x+y)/2, y, y
		}
	}
	dr, dg, db := p[3][0]-p[0][0], p[3][1]-p[0][1], p[3][2]-p[0][2]
	border := func(i int) int32 {
		return (p[i][0]+p[i+1][0])*dr + (p[i][1]+p[i+1][1])*dg + (p[i][2]+p[i+1][2])*db
	}
	first, second, third := border(0), border(1), border(2)
	if steps == 2 {
		third = 1<<31 - 1
	}
	dr, dg, db = 2*dr, 2*dg, 2*db
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		v := &b.rgb[i]
		t := v[0]*dr + v[1]*dg + v[2]*db
		// Each border that lies below t adds one; a branch here would be a coin toss.
		e := uint32(first-t)>>31 + uint32(second-t)>>31 + uint32(third-t)>>31
		l.entry[i] = uint8(e)
		q := &p[e&3]
		r, g, z := v[0]-q[0], v[1]-q[1], v[2]-q[2]
		if l.err += r*r + g*g + z*z; l.err >= limit {
			break
		}
	}
	return l
}

// refine improves a line until it gets no better.
func (b *block) refine(best line, mask uint32, steps int32) line {
	for range 6 {
		if best.err == 0 {
			break
		}
		from, to := b.solve(&best, mask, steps)
		if from == best.a && to == best.b {
			break
		}
		l := b.assign(from, to, mask, steps, best.err)
		if l.err >= best.err {
			break
		}
		best = l
	}
	return best
}

// solve returns the best ends for the entries of a line: channel by channel, the quantised ends around the solution of
// least squares that have the smallest error with the entries that a decoder will make of them.
func (b *block) solve(l *line, mask uint32, steps int32) (from, to [3]int32) {
	var n [4]int32
	var sum [4][3]int32
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		e := l.entry[i] & 3
		n[e]++
		sum[e][0] += b.rgb[i][0]
		sum[e][1] += b.rgb[i][1]
		sum[e][2] += b.rgb[i][2]
	}
	var aa, ab, bb int32
	for e := range steps + 1 {
		w := steps - e
		aa, ab, bb = aa+n[e]*w*w, ab+n[e]*w*e, bb+n[e]*e*e
	}
	det := aa*bb - ab*ab
	if det == 0 {
		return l.a, l.b
	}
	for c := range 3 {
		var pa, pb int32
		for e := range steps + 1 {
			pa, pb = pa+(steps-e)*sum[e][c], pb+e*sum[e][c]
		}
		a := nearestBits(steps*(pa*bb-pb*ab)/det, highest[c])
		z := nearestBits(steps*(pb*aa-pa*ab)/det, highest[c])
		from[c], to[c] = around(a, z, c, steps, &n, &sum)
	}
	return from, to
}

// around searches the ends next to a and b. The error of an entry of value v with n pixels of sum s is n·v² − 2·s·v
// and a constant.
func around(a, b int32, c int, steps int32, n *[4]int32, sum *[4][3]int32) (from, to int32) {
	least := int32(1<<31 - 1)
	from, to = a, b
	for x := max(a-1, 0); x <= min(a+1, highest[c]); x++ {
		for y := max(b-1, 0); y <= min(b+1, highest[c]); y++ {
			u, v := widened[c][x&63], widened[c][y&63]
			var err int32
			if steps == 3 {
				p, q := (2*u+v)/3, (u+2*v)/3
				err = u*(n[0]*u-2*sum[0][c]) + p*(n[1]*p-2*sum[1][c]) + q*(n[2]*q-2*sum[2][c]) + v*(n[3]*v-2*sum[3][c])
			} else {
				p := (u + v) / 2
				err = u*(n[0]*u-2*sum[0][c]) + p*(n[1]*p-2*sum[1][c]) + v*(n[2]*v-2*sum[2][c])
			}
			if err < least {
				least, from, to = err, x, y
			}
		}
	}
	return from, to
}
