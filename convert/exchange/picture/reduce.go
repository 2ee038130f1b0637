package picture

import (
	"math"
	"slices"
)

// Shade is a colour with the number of pixels that have it.
type Shade struct {
	Color [3]uint8
	Count int
}

// Reduce returns at most n colours that represent the shades of a picture with a small sum of squared errors. It splits
// boxes of colours where that lowers the sum most, then moves each colour to the mean of the shades nearest to it until
// that gains nothing (Lloyd's algorithm). The order of the shades does not matter.
func Reduce(shades []Shade, n int) [][3]uint8 {
	shades = slices.Clone(shades)
	slices.SortFunc(shades, func(a, b Shade) int { return slices.Compare(a.Color[:], b.Color[:]) })
	if len(shades) <= n {
		out := make([][3]uint8, len(shades))
		for i, s := range shades {
			out[i] = s.Color
		}
		return out
	}
	points := cells(shades)
	centers := cut(points, n)
	refine(points, centers)
	return rounded(centers)
}

// point is a shade, or the mean of a few alike.
type point struct {
	at     [3]float64
	weight float64
}

// maxPoints bounds the work: pictures with more shades than this have theirs put together in cells of 4 × 4 × 4.
const maxPoints = 1 << 14

func cells(shades []Shade) []point {
	points := make([]point, 0, min(len(shades), maxPoints))
	if len(shades) <= maxPoints {
		for _, s := range shades {
			points = append(points, point{[3]float64{float64(s.Color[0]), float64(s.Color[1]), float64(s.Color[2])}, float64(s.Count)})
		}
		return points
	}
	index := map[[3]uint8]int{}
	for _, s := range shades {
		k := [3]uint8{s.Color[0] >> 2, s.Color[1] >> 2, s.Color[2] >> 2}
		i, ok := index[k]
		if !ok {
			i = len(points)
			index[k] = i
			points = append(points, point{})
		}
		for c := range 3 {
			points[i].at[c] += float64(s.Color[c]) * float64(s.Count)
		}
		points[i].weight += float64(s.Count)
	}
	for i := range points {
		for c := range 3 {
			points[i].at[c] /= points[i].weight
		}
	}
	return points
}

// box is a set of points, with the cut that lowers the sum of squared errors most.
type box struct {
	points []point
	axis   int
	at     int     // the first point of the second half, sorted by the axis
	gain   float64 // 0 where there is nothing to cut
}

// cut parts the points into n boxes and returns their means.
func cut(points []point, n int) [][3]float64 {
	boxes := []box{bestCut(points)}
	for len(boxes) < n {
		best := 0
		for i := range boxes {
			if boxes[i].gain > boxes[best].gain {
				best = i
			}
		}
		b := boxes[best]
		if b.gain <= 0 {
			break
		}
		sortBy(b.points, b.axis)
		boxes[best] = bestCut(b.points[:b.at])
		boxes = append(boxes, bestCut(b.points[b.at:]))
	}
	centers := make([][3]float64, len(boxes))
	for i, b := range boxes {
		var sum sums
		for _, p := range b.points {
			sum.add(p)
		}
		centers[i] = sum.mean()
	}
	return centers
}

func sortBy(points []point, axis int) {
	slices.SortFunc(points, func(a, b point) int {
		for k := range 3 {
			if d := a.at[(axis+k)%3] - b.at[(axis+k)%3]; d != 0 {
				return int(math.Copysign(1, d))
			}
		}
		return 0
	})
}

// sums are the moments of a set of points.
type sums struct {
	weight float64
	first  [3]float64
}

func (s *sums) add(p point) {
	s.weight += p.weight
	for k := range 3 {
		s.first[k] += p.weight * p.at[k]
	}
}

func (s *sums) mean() (m [3]float64) {
	for k := range 3 {
		m[k] = s.first[k] / s.weight
	}
	return m
}

// score is what a set contributes to the sum that a cut raises: the squared errors fall by as much.
func (s *sums) score() float64 {
	if s.weight == 0 {
		return 0
	}
	return (s.first[0]*s.first[0] + s.first[1]*s.first[1] + s.first[2]*s.first[2]) / s.weight
}

func bestCut(points []point) box {
	b := box{points: points}
	var all sums
	for _, p := range points {
		all.add(p)
	}
	for axis := range 3 {
		sortBy(points, axis)
		var low sums
		for i := 1; i < len(points); i++ {
			low.add(points[i-1])
			if points[i].at[axis] == points[i-1].at[axis] {
				continue
			}
			high := sums{all.weight - low.weight, [3]float64{all.first[0] - low.first[0], all.first[1] - low.first[1], all.first[2] - low.first[2]}}
			if gain := low.score() + high.score() - all.score(); gain > b.gain {
				b.axis, b.at, b.gain = axis, i, gain
			}
		}
	}
	return b
}

// maxRounds ends the refinement of pictures that gain a little each time.
const maxRounds = 24

// refine moves the centres to the middle of the points that are nearest to them.
func refine(points []point, centers [][3]float64) {
	owner := make([]int, len(points))
	last := math.Inf(1)
	for range maxRounds {
		near := order(centers)
		parts := make([]sums, len(centers))
		total, worst, farthest := 0.0, 0.0, 0
		for i, p := range points {
			k, d := near.nearest(p.at, owner[i])
			owner[i] = k
			parts[k].add(p)
			total += d * p.weight
			if d*p.weight > worst {
				worst, farthest = d*p.weight, i
			}
		}
		if total > last*0.9995 {
			return
		}
		last = total
		for k := range centers {
			if parts[k].weight > 0 {
				centers[k] = parts[k].mean()
			} else { // nobody needs it here
				centers[k] = points[farthest].at
			}
		}
	}
}

func rounded(centers [][3]float64) [][3]uint8 {
	out := make([][3]uint8, len(centers))
	for i, c := range centers {
		for k := range 3 {
			out[i][k] = uint8(min(max(c[k]+0.5, 0), 255))
		}
	}
	slices.SortFunc(out, func(a, b [3]uint8) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}

// near finds nearest centres. For each centre the others stand in the order of their distance: one that is twice as far
// away as the point cannot be nearer to it.
type near struct {
	centers [][3]float64
	ranks   [][]neighbour
}

type neighbour struct {
	index    int
	distance float64 // squared, a quarter of it
}

func order(centers [][3]float64) *near {
	n := &near{centers, make([][]neighbour, len(centers))}
	for i, a := range centers {
		n.ranks[i] = make([]neighbour, 0, len(centers)-1)
		for j, b := range centers {
			if i != j {
				n.ranks[i] = append(n.ranks[i], neighbour{j, squared(a, b) / 4})
			}
		}
		slices.SortFunc(n.ranks[i], func(a, b neighbour) int {
			if a.distance != b.distance {
				return int(math.Copysign(1, a.distance-b.distance))
			}
			return a.index - b.index
		})
	}
	return n
}

// nearest returns the centre next to a point and the squared distance; guess is a centre that may be it.
func (n *near) nearest(p [3]float64, guess int) (int, float64) {
	best, least := guess, squared(p, n.centers[guess])
	start := least
	for _, x := range n.ranks[guess] {
		if x.distance > start {
			break
		}
		if d := squared(p, n.centers[x.index]); d < least || d == least && x.index < best {
			best, least = x.index, d
		}
	}
	return best, least
}

func squared(a, b [3]float64) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return x*x + y*y + z*z
}
