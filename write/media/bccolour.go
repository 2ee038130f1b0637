package media

import (
	"math/bits"

	"github.com/usher-assets/usher/schema/media"
)

// line is a candidate for a colour block: two ends in 5, 6 and 5 bits, and which entry each pixel takes. Entries count
// along the line in steps of 1/steps: 0 is end a, steps is end b.
type line struct {
	a, b  [3]int32
	entry [16]uint8
	err   int32
}

// colours returns the colour block of b. Only in blocks of BC1 may the order of the ends choose three colours and
// transparency.
func (b *block) colours(effort media.Effort, bc1 bool) uint64 {
	if effort == media.Quick {
		return b.quickColours(bc1)
	}
	all := b.mask(bc1)
	if all == 0 {
		return allClear
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

// allClear is the block of BC1 without an opaque pixel.
const allClear = 0xFFFFFFFF_0000_0000

// mask returns a bit for each opaque pixel of a block of BC1; in other blocks all are.
func (b *block) mask(bc1 bool) uint32 {
	if !bc1 {
		return 0xFFFF
	}
	mask := uint32(0)
	for i, a := range b.alpha {
		mask |= uint32(a>>7) << i
	}
	return mask
}

// start returns the line between the two pixels that lie furthest apart along the principal axis, refined.
func (b *block) start(mask uint32, steps int32) line {
	low, high := b.bounds(mask)
	if low == high {
		return flat(low, steps)
	}
	from, to, _ := b.principal(mask)
	return b.between(from, to, mask, steps)
}

// between returns the line between two colours, refined.
func (b *block) between(from, to [3]int32, mask uint32, steps int32) line {
	return b.refine(b.assign(quantise(from), quantise(to), mask, steps, worst), mask, steps)
}

// fit finds a line for the pixels of the mask, of which there is at least one.
func (b *block) fit(mask uint32, steps int32) line {
	low, high := b.bounds(mask)
	if low == high {
		return flat(low, steps)
	}
	from, to, _ := b.principal(mask)
	best := b.between(from, to, mask, steps)
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

// smooth reports whether the colours hardly differ, so that three colours may come nearer to them than four.
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
	table := single3()
	if steps == 2 {
		table = single2()
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

// quick is a line of four colours through all 16 pixels of a block: its ends, and the entries with 2 bits each, counted
// along the line.
type quick struct {
	a, b    [3]int32
	entries uint32
	err     int32
}

// quickColours returns the colour block of b as colours does, with one start and a fixed number of improvements.
func (b *block) quickColours(bc1 bool) uint64 {
	if mask := b.mask(bc1); mask != 0xFFFF {
		if mask == 0 {
			return allClear
		}
		l := b.start(mask, 2)
		return l.pack3(mask)
	}
	from, to, wide := b.principal(0xFFFF)
	if wide == 0 {
		return b.flatColour(bc1)
	}
	for c := range 3 { // the ends serve all pixels at the line's ends, of which these are the outermost
		d := (to[c] - from[c]) / 16
		from[c], to[c] = from[c]+d, to[c]-d
	}
	best := b.quickAssign(quantise(from), quantise(to))
	for range 2 {
		if !b.quickRefine(&best) {
			break
		}
	}
	if wide <= quickSmooth { // ends chosen for their inner entries may be nearer than any others
		var mean [3]int32
		for c := range 3 {
			mean[c] = (from[c] + to[c]) / 2
		}
		l := flat(mean, 3)
		other := b.quickAssign(l.a, l.b)
		b.quickRefine(&other)
		if other.err < best.err {
			best = other
		}
	}
	return best.pack(bc1)
}

// quickSmooth is the variance, as principal counts it, of colours that differ by some four levels.
const quickSmooth = 4096

// flatColour returns the block of one colour.
func (b *block) flatColour(bc1 bool) uint64 {
	l := flat(b.rgb[0], 3)
	if bc1 && l.err > 0 {
		if three := flat(b.rgb[0], 2); three.err < l.err {
			return three.pack3(0xFFFF)
		}
	}
	return l.pack4(bc1)
}

// principal returns the two pixels that lie furthest apart along the principal axis of the colours, and n² times the
// variance of the n colours.
func (b *block) principal(mask uint32) (from, to [3]int32, wide int32) {
	axis, wide := b.axis(mask)
	least, most := int32(1<<31-1), int32(-1<<31)
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		p := &b.rgb[i]
		t := (p[0]*axis[0] + p[1]*axis[1] + p[2]*axis[2]) << 4 // 26 bits, a sign, and room for the pixel's number
		least, most = min(least, t|int32(i)), max(most, t|int32(15-i))
	}
	return b.rgb[least&15], b.rgb[15-most&15], wide
}

// axis returns the principal axis, with components of at most 16 bits and a sign.
func (b *block) axis(mask uint32) (axis [3]int32, wide int32) {
	var n, x, y, z, xx, xy, xz, yy, yz, zz int32
	for i := range b.rgb {
		if mask>>i&1 == 0 {
			continue
		}
		p := &b.rgb[i]
		n, x, y, z = n+1, x+p[0], y+p[1], z+p[2]
		xx, xy, xz = xx+p[0]*p[0], xy+p[0]*p[1], xz+p[0]*p[2]
		yy, yz, zz = yy+p[1]*p[1], yz+p[1]*p[2], zz+p[2]*p[2]
	}
	xx, xy, xz = n*xx-x*x, n*xy-x*y, n*xz-x*z
	yy, yz, zz = n*yy-y*y, n*yz-y*z, n*zz-z*z
	// Power iteration: the column of the widest channel leans towards the axis already.
	v := [3]int64{int64(xx), int64(xy), int64(xz)}
	if yy > xx && yy >= zz {
		v = [3]int64{int64(xy), int64(yy), int64(yz)}
	} else if zz > xx {
		v = [3]int64{int64(xz), int64(yz), int64(zz)}
	}
	for range 4 {
		v = narrow(v, 32)
		v = [3]int64{
			int64(xx)*v[0] + int64(xy)*v[1] + int64(xz)*v[2],
			int64(xy)*v[0] + int64(yy)*v[1] + int64(yz)*v[2],
			int64(xz)*v[0] + int64(yz)*v[1] + int64(zz)*v[2],
		}
	}
	v = narrow(v, 16)
	return [3]int32{int32(v[0]), int32(v[1]), int32(v[2])}, xx + yy + zz
}

// narrow shifts a vector down to components of at most so many bits and a sign.
func narrow(v [3]int64, most int) [3]int64 {
	size := uint64(max(v[0], -v[0]) | max(v[1], -v[1]) | max(v[2], -v[2]))
	shift := max(bits.Len64(size)-most, 0)
	return [3]int64{v[0] >> shift, v[1] >> shift, v[2] >> shift}
}

// quickAssign gives each pixel the entry whose stretch of the line it projects to.
func (b *block) quickAssign(from, to [3]int32) quick {
	q := quick{a: from, b: to}
	var p [4][4]int32
	for c := range 3 {
		x, y := widened[c][from[c]&63], widened[c][to[c]&63]
		p[0][c], p[1][c], p[2][c], p[3][c] = x, (2*x+y)/3, (x+2*y)/3, y
	}
	dr, dg, db := p[3][0]-p[0][0], p[3][1]-p[0][1], p[3][2]-p[0][2]
	first := (p[0][0]+p[1][0])*dr + (p[0][1]+p[1][1])*dg + (p[0][2]+p[1][2])*db
	second := (p[1][0]+p[2][0])*dr + (p[1][1]+p[2][1])*dg + (p[1][2]+p[2][2])*db
	third := (p[2][0]+p[3][0])*dr + (p[2][1]+p[3][1])*dg + (p[2][2]+p[3][2])*db
	dr, dg, db = 2*dr, 2*dg, 2*db
	for i := range b.rgb {
		v := &b.rgb[i]
		t := v[0]*dr + v[1]*dg + v[2]*db
		e := uint32(first-t)>>31 + uint32(second-t)>>31 + uint32(third-t)>>31
		q.entries |= e << (2 * i & 31)
		w := &p[e&3]
		r, g, z := v[0]-w[0], v[1]-w[1], v[2]-w[2]
		q.err += r*r + g*g + z*z
	}
	return q
}

// quickRefine takes the ends that fit the entries best, and reports whether that is better.
func (b *block) quickRefine(best *quick) bool {
	if best.err == 0 {
		return false
	}
	from, to, ok := b.quickSolve(best.entries)
	if !ok || from == best.a && to == best.b {
		return false
	}
	q := b.quickAssign(from, to)
	if q.err >= best.err {
		return false
	}
	*best = q
	return true
}

// quickSolve returns the ends nearest to the solution of least squares for the entries.
func (b *block) quickSolve(entries uint32) (from, to [3]int32, ok bool) {
	const steps = 3
	var n, ee int32      // sum of entries, and of their squares
	var all, up [3]int32 // sum of pixels, and of pixels times entries
	for i := range b.rgb {
		v, e := &b.rgb[i], int32(entries>>(2*i&31)&3)
		n, ee = n+e, ee+e*e
		all[0], all[1], all[2] = all[0]+v[0], all[1]+v[1], all[2]+v[2]
		up[0], up[1], up[2] = up[0]+e*v[0], up[1]+e*v[1], up[2]+e*v[2]
	}
	aa, ab, bb := steps*steps*16-2*steps*n+ee, steps*n-ee, ee
	det := aa*bb - ab*ab
	if det == 0 {
		return from, to, false
	}
	for c := range 3 {
		pb := up[c]
		pa := steps*all[c] - pb
		w := &widened[c]
		x := min(max(nearestBits(steps*(pa*bb-pb*ab)/det, highest[c]), 1), highest[c]-1)
		y := min(max(nearestBits(steps*(pb*aa-pa*ab)/det, highest[c]), 1), highest[c]-1)
		// Nine times the error, less what all ends have in common, is aa·u² + 2·ab·u·v + bb·v² − 6·(pa·u + pb·v).
		var f, g [3]int32
		for i := range int32(3) {
			u, v := w[(x+i-1)&63], w[(y+i-1)&63]
			f[i], g[i] = u*(aa*u-2*steps*pa), v*(bb*v-2*steps*pb)
		}
		least := int64(1<<63 - 1)
		for i := range int32(3) {
			u := 2 * ab * w[(x+i-1)&63]
			for j := range int32(3) {
				err := f[i] + g[j] + u*w[(y+j-1)&63]
				least = min(least, int64(err)<<4|int64(i<<2|j))
			}
		}
		from[c], to[c] = x+int32(least>>2&3)-1, y+int32(least&3)-1
	}
	return from, to, true
}
