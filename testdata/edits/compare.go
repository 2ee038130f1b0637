package edits

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// Limits says how far two pictures may be apart and still show the same.
type Limits struct {
	Position float64 // as share of the size of the model
	Motion   float64 // the same during animations, which formats may hold as lists of frames
	Quantum  float64 // and as a length in the scene
	Angle    float64 // degrees
	UV       float64
	Color    float64
	Normal   float64 // degrees; 0 compares none
	Picture  float64 // of the fields of a texture

	Drifts []Drift // of each sample, what the program that edited shows otherwise there unasked; nil is nothing
}

// Drift is how far a picture may be off at one sample beyond the limit.
type Drift struct {
	Far   float64 // as share of the size of the model
	Angle float64 // degrees
}

// drift returns what is allowed beyond the limit at a sample; the first one is at rest.
func (l *Limits) drift(sample int) Drift {
	if sample == 0 || sample > len(l.Drifts) {
		return Drift{}
	}
	return l.Drifts[sample-1]
}

// DriftOf returns how far two pictures at one sample are apart in what moves.
func DriftOf(want, got *Picture, l Limits) (d Drift) {
	for _, x := range Compare(want, got, l, true) {
		switch {
		case !x.Moves():
		case strings.HasSuffix(x.What, "°"):
			d.Angle = max(d.Angle, x.Error)
		default:
			d.Far = max(d.Far, x.Error)
		}
	}
	return d
}

// Rough returns the limits for what a program did that samples animations at frames of its own.
func (l Limits) Rough() Limits {
	l.Motion, l.Angle = 10*l.Motion, 1
	return l
}

// Difference is one kind of thing that a picture shows otherwise.
type Difference struct {
	What  string   // "triangles", "hardpoints", "texture coordinates" …
	Count int      // how many of Of
	Of    int      // there are in the picture that is wanted
	Error float64  // the largest, as share of the model's size; degrees for turns; infinite for what is not there at all
	Names []string // of nodes, materials and animations
}

func (d Difference) String() string {
	s := fmt.Sprintf("%d/%d %s", d.Count, d.Of, d.What)
	switch {
	case strings.HasSuffix(d.What, "°"):
		s += fmt.Sprintf(" %.3g", d.Error)
	case math.IsInf(d.Error, 0):
	case d.Error > 0:
		s += fmt.Sprintf(" %.2g %%", 100*d.Error)
	}
	return s
}

// Compare says what of a picture another one does not show. Motion asks for the places of animated nodes as well.
func Compare(want, got *Picture, l Limits, motion bool) (list []Difference) {
	c := &comparison{want, got, l, want.Size*l.Position + l.Quantum, want.Size*l.Motion + l.Quantum, &list, map[[2]int]float64{}}
	c.triangles("triangles", want.Shown, got.Shown)
	c.triangles("triangles of levels", want.Levels, got.Levels)
	c.triangles("lines", want.Wires, got.Wires)
	c.triangles("mount triangles", want.Mounts, got.Mounts)
	c.places("hardpoints", want.Points, got.Points, true)
	c.places("pivots", want.Pivots, got.Pivots, false)
	c.places("lights", want.Lights, got.Lights, false)
	c.looks()
	if motion {
		c.moves()
	}
	if len(got.Missing) > len(want.Missing) {
		list = append(list, Difference{What: "animations", Count: len(got.Missing), Of: len(got.Missing), Error: math.Inf(1), Names: got.Missing})
	}
	if n := len(got.Animated) - len(want.Animated); n > 0 {
		fresh := slices.DeleteFunc(slices.Clone(got.Animated), func(name string) bool { return slices.Contains(want.Animated, name) })
		list = append(list, Difference{What: "animations too many", Count: n, Of: len(want.Animated), Error: math.Inf(1), Names: fresh})
	}
	return list
}

type comparison struct {
	want, got *Picture
	l         Limits
	near      float64 // at rest
	moving    float64 // during animations
	list      *[]Difference
	known     map[[2]int]float64 // how much two materials differ
}

func (c *comparison) add(d Difference) {
	if d.Count > 0 {
		slices.Sort(d.Names)
		d.Names = slices.Compact(d.Names)
		*c.list = append(*c.list, d)
	}
}

// flat reports whether a triangle has next to no area: editors and formats drop such ones.
func (t *Triangle) flat(near float64) bool {
	a, b, c := t.Corners[0].At[0], t.Corners[1].At[0], t.Corners[2].At[0]
	e, f := b.Sub(a), c.Sub(a)
	longest := max(e.Len(), f.Len(), c.Sub(b).Len())
	return longest <= near || !t.Line && e.Cross(f).Len()/longest <= near
}

// hidden reports whether a triangle is a point at a sample: some formats show nodes by their scales.
func (t *Triangle) hidden(sample int) bool {
	return t.Corners[0].At[sample] == t.Corners[1].At[sample] && t.Corners[1].At[sample] == t.Corners[2].At[sample]
}

// along is a direction that no model is built along: triangles are looked for by their place on it.
var along = mgl64.Vec3{0.5773, 0.2113, 0.7887}.Normalize()

func (t *Triangle) key() (sum float64) {
	for _, c := range t.Corners {
		sum += c.At[0].Dot(along) / 3
	}
	return sum
}

// skipped stands in place of a pair for triangles that are too flat to look at.
const skipped = -2

func (c *comparison) triangles(what string, want, got []Triangle) {
	taken, pair := make([]bool, len(got)), make([]int, len(want))
	for i := range pair { // most have kept their order
		switch {
		case want[i].flat(2 * c.near):
			pair[i] = skipped
		case i < len(got) && c.all(&want[i], &got[i]) && c.alike(want[i].Material, got[i].Material):
			pair[i], taken[i] = i, true
		default:
			pair[i] = -1
		}
	}
	c.search(want, got, pair, taken)
	c.unpaired(what, want, got, pair, taken)
	c.paired(what, want, got, pair)
}

// keyed is a triangle that is looked for by its key.
type keyed struct {
	key float64
	i   int
}

// search pairs the triangles that have none yet with those that are not taken: first with the same in everything, at
// last with any that has its corners in the same places.
func (c *comparison) search(want, got []Triangle, pair []int, taken []bool) {
	if !slices.Contains(pair, -1) {
		return
	}
	var left []keyed
	for i := range got {
		if !taken[i] {
			left = append(left, keyed{got[i].key(), i})
		}
	}
	slices.SortStableFunc(left, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for _, same := range []func(a, b *Triangle) bool{
		func(a, b *Triangle) bool { return c.all(a, b) && c.alike(a.Material, b.Material) },
		c.all,
		c.resting, // of several in one place that move apart, the one with the same texture coordinates
		func(a, b *Triangle) bool { _, ok := c.turned(a, b, c.near); return ok },
		func(a, b *Triangle) bool { _, ok := c.turned(a, flipped(b), c.near); return ok },
	} {
		for i := range want {
			if pair[i] != -1 {
				continue
			}
			k := want[i].key()
			at, _ := slices.BinarySearchFunc(left, k-c.near, func(x keyed, k float64) int { return cmp.Compare(x.key, k) })
			for ; at < len(left) && left[at].key <= k+c.near; at++ {
				if j := left[at].i; !taken[j] && same(&want[i], &got[j]) {
					pair[i], taken[j] = j, true
					break
				}
			}
		}
	}
}

func flipped(t *Triangle) *Triangle {
	f := *t
	f.Corners[1], f.Corners[2] = f.Corners[2], f.Corners[1]
	return &f
}

// looked counts the triangles that are looked at.
func looked(pair []int) (n int) {
	for _, k := range pair {
		if k != skipped {
			n++
		}
	}
	return n
}

// unpaired reports triangles that one picture has alone.
func (c *comparison) unpaired(what string, want, got []Triangle, pair []int, taken []bool) {
	var left []*Triangle
	small := 0 // lines on the border of what is looked at: they may stand for others, but are none too many
	for i := range got {
		switch {
		case taken[i]:
		case !got[i].flat(10 * c.near):
			left = append(left, &got[i])
		case got[i].Line && !got[i].flat(c.near):
			small++
		}
	}
	gone := Difference{What: what, Of: looked(pair)}
	for i, k := range pair {
		if k != -1 {
			continue
		}
		gone.Names = append(gone.Names, want[i].Node)
		if gone.Count++; gone.Count > 100 || math.IsInf(gone.Error, 0) {
			continue
		}
		nearest := math.Inf(1)
		for _, t := range left[:min(len(left), 3000)] {
			far, _ := c.turned(&want[i], t, math.Inf(1))
			nearest = min(nearest, far)
		}
		gone.Error = max(gone.Error, nearest/c.want.Size)
	}
	if fewer := gone.Count - len(left) - small; fewer > 0 {
		gone.What += fmt.Sprintf(" (%d fewer)", fewer)
	}
	c.add(gone)
	if len(left) > gone.Count {
		more := Difference{What: what + " too many", Count: len(left) - gone.Count, Of: gone.Of, Error: math.Inf(1)}
		for _, t := range left {
			more.Names = append(more.Names, t.Node)
		}
		c.add(more)
	}
}

// turned returns how far the corners of two triangles are apart at rest, in the order in which they are nearest. It stops
// where they are further apart than a limit.
func (c *comparison) turned(a, b *Triangle, limit float64) (far float64, ok bool) {
	best, _ := order(a, b)
	return best, best <= limit
}

// order returns the least distance at rest and the order of corners that has it.
func order(a, b *Triangle) (float64, int) {
	best, by := math.Inf(1), 0
	for turn := range 3 {
		far := 0.0
		for k := 0; k < 3 && far < best; k++ {
			far = max(far, a.Corners[k].At[0].Sub(b.Corners[(k+turn)%3].At[0]).Len())
		}
		if far < best {
			best, by = far, turn
		}
	}
	return best, by
}

// clip returns the name of the animation of a sample; there is none for the first one, at rest.
func (c *comparison) clip(sample int) []string {
	if sample == 0 || sample > len(c.want.Clips) {
		return nil
	}
	return c.want.Clips[sample-1 : sample]
}

// lever is how much further off than before an edited shape may be where it turns otherwise: it may have grown, or stand
// further away from what it turns around.
const lever = 2

// limit returns how far a place may be off at a sample.
func (c *comparison) limit(sample int) float64 {
	if sample == 0 {
		return c.near
	}
	return c.moving + lever*c.want.Size*c.l.drift(sample).Far
}

// all reports whether two triangles are the same in all that is compared but the material.
func (c *comparison) all(a, b *Triangle) bool { return c.same(a, b, len(a.Corners[0].At)) }

// resting tells the same of triangles at rest.
func (c *comparison) resting(a, b *Triangle) bool { return c.same(a, b, 1) }

// same reports whether two triangles are the same at the first samples.
func (c *comparison) same(a, b *Triangle, samples int) bool {
	for turn := range 3 {
		ok := true
		for k := range 3 {
			x, y := &a.Corners[k], &b.Corners[(k+turn)%3]
			for s := 0; ok && s < samples; s++ {
				ok = x.At[s].Sub(y.At[s]).Len() <= c.limit(s) || s > 0 && a.hidden(s) && b.hidden(s)
			}
			for i := range x.Color {
				ok = ok && math.Abs(x.Color[i]-y.Color[i]) <= c.l.Color
			}
			if !ok {
				break
			}
		}
		if ok && c.uvs(a, b, turn) <= c.l.UV {
			return true
		}
	}
	return false
}

// uvs returns how far texture coordinates are apart. A triangle that is shifted by whole textures looks the same.
func (c *comparison) uvs(a, b *Triangle, turn int) (far float64) {
	if !a.HasUV {
		return 0
	}
	for i := range 2 {
		whole := math.Round(a.Corners[0].UV[i] - b.Corners[turn%3].UV[i])
		for k := range 3 {
			far = max(far, math.Abs(a.Corners[k].UV[i]-b.Corners[(k+turn)%3].UV[i]-whole))
		}
	}
	return far
}

func (c *comparison) material(list []Material, i int) Material {
	if i < 0 || i >= len(list) {
		return Material{Color: [4]float64{1, 1, 1, 1}}
	}
	return list[i]
}

// alike reports whether two materials look the same.
func (c *comparison) alike(i, j int) bool { return c.unlike(i, j) <= 0 }

// unlike returns how much two materials differ beyond the limit.
func (c *comparison) unlike(i, j int) float64 {
	far, known := c.known[[2]int{i, j}]
	if !known {
		far = c.differ(i, j)
		c.known[[2]int{i, j}] = far
	}
	return far
}

func (c *comparison) differ(i, j int) (far float64) {
	a, b := c.material(c.want.Materials, i), c.material(c.got.Materials, j)
	for k := range a.Color {
		if d := math.Abs(a.Color[k] - b.Color[k]); d > c.l.Color {
			far = max(far, d)
		}
	}
	if (a.Thumb == nil) != (b.Thumb == nil) || (a.Alpha == "BLEND") != (b.Alpha == "BLEND") {
		return 1
	}
	for k := range min(len(a.Thumb), len(b.Thumb)) {
		if d := math.Abs(a.Thumb[k] - b.Thumb[k]); d > c.l.Picture {
			far = max(far, d)
		}
	}
	return far
}

// paired reports what differs of triangles that are in the same place.
func (c *comparison) paired(what string, want, got []Triangle, pair []int) {
	of := looked(pair)
	prefix := strings.TrimPrefix(strings.TrimPrefix(what, "triangles")+" ", " ")
	moves, uvs := Difference{What: prefix + "triangles in animations", Of: of}, Difference{What: prefix + "texture coordinates", Of: of}
	facing := Difference{What: what + " facing the other way", Of: of}
	colors, looks := Difference{What: prefix + "vertex colours", Of: of}, Difference{What: prefix + "triangles with another material", Of: of}
	shades := Difference{What: prefix + "normals", Of: of}
	note := func(d *Difference, by float64, name string) {
		d.Count++
		d.Error = max(d.Error, by)
		d.Names = append(d.Names, name)
	}
	for i, k := range pair {
		if k < 0 {
			continue
		}
		a, b := &want[i], &got[k]
		if !c.all(a, b) {
			if _, ok := c.turned(a, b, c.near); !ok {
				b = flipped(b)
				facing.Count++
				facing.Names = append(facing.Names, a.Node)
			}
			_, turn := order(a, b)
			far, color, off := 0.0, 0.0, false
			var clips []string // in which it moves otherwise
			for k := range 3 {
				x, y := &a.Corners[k], &b.Corners[(k+turn)%3]
				for s := range x.At {
					if s == 0 || !a.hidden(s) || !b.hidden(s) {
						by := x.At[s].Sub(y.At[s]).Len()
						if far = max(far, by); by > max(c.moving, c.limit(s)) {
							off = true
							clips = append(clips, c.clip(s)...)
						}
					}
				}
				for i := range x.Color {
					color = max(color, math.Abs(x.Color[i]-y.Color[i]))
				}
			}
			if off {
				note(&moves, far/c.want.Size, a.Node)
				moves.Names = append(append(moves.Names, c.want.Movers[a.Node]...), clips...)
			}
			if d := c.uvs(a, b, turn); d > c.l.UV {
				note(&uvs, d, a.Node)
			}
			if color > c.l.Color {
				note(&colors, color, a.Node)
			}
		}
		if by := c.shade(a, b); by > c.l.Normal {
			note(&shades, by, a.Node)
		}
		if by := c.unlike(a.Material, b.Material); by > 0 {
			note(&looks, by, a.Node)
			looks.Names = append(looks.Names, c.material(c.want.Materials, a.Material).Name)
		}
	}
	for _, d := range []Difference{facing, moves, uvs, colors, shades, looks} {
		c.add(d)
	}
}

// shade returns the largest angle between the normals of two triangles' corners in degrees, where they are compared.
func (c *comparison) shade(a, b *Triangle) (angle float64) {
	if c.l.Normal == 0 {
		return 0
	}
	_, turn := order(a, b)
	for k := range 3 {
		x, y := a.Corners[k].Normal, b.Corners[(k+turn)%3].Normal
		if x.Len() > 0 && y.Len() > 0 {
			angle = max(angle, mgl64.RadToDeg(math.Atan2(x.Cross(y).Len(), x.Dot(y))))
		}
	}
	return angle
}
