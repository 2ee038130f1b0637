package track

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
)

// Thinned leaves out those poses of a sampled motion that its other poses lead through. Editors write one a frame, whatever keys
// they have; blends says that between those they blend the four numbers of a rotation. Poses with a long time before or behind
// them were not sampled, and stay.
func Thinned(poses []Pose, blends bool) []Pose {
	if len(poses) < 3 {
		return poses
	}
	t := thinning{poses: poses, keep: make([]bool, len(poses)), size: 1, blends: blends}
	for i := range poses {
		t.size = max(t.size, poses[i].At.Len())
	}
	last := 0
	for i := range poses {
		if i == 0 || i == len(poses)-1 || poses[i].Time-poses[i-1].Time > longGap || poses[i+1].Time-poses[i].Time > longGap {
			t.keep[i] = true
			t.between(last, i)
			last = i
		}
	}
	var list []Pose
	for i, keep := range t.keep {
		if keep {
			list = append(list, poses[i])
		}
	}
	return list
}

// thinning finds the poses that are needed.
type thinning struct {
	poses  []Pose
	keep   []bool
	size   float64 // of what moves
	blends bool
}

// between keeps, of the poses between two, the keys that an editor may have had, then what those cannot do without where the
// editor turned in another way than frames do.
func (t *thinning) between(from, to int) {
	t.split(from, to, t.offKeys)
	for last, i := from, from+1; t.blends && i <= to; i++ {
		if i == to || t.keep[i] {
			t.split(last, i, t.offEven)
			last = i
		}
	}
}

// split keeps the pose that is the farthest from the way between two others, and so on, until all lie on it.
func (t *thinning) split(from, to int, off func(i, from, to int) float64) {
	for from+1 < to {
		at, most := -1, 1.0
		for i := from + 1; i < to; i++ {
			if far := off(i, from, to); far > most {
				at, most = i, far
			}
		}
		if at < 0 {
			return
		}
		t.keep[at] = true
		t.split(from, at, off)
		from = at
	}
}

// share is which part of what frames may be off a pose may be: it adds up along the parts that hang on each other.
const share = 0.4

// offKeys returns how far a pose is from the way between two keys, as a part of what it may be off.
func (t *thinning) offKeys(i, from, to int) float64 {
	a, b, x := &t.poses[from], &t.poses[to], &t.poses[i]
	s := (x.Time - a.Time) / (b.Time - a.Time)
	turn := Shorter(a.Turn, b.Turn)
	off := scene.Angle(mgl64.QuatSlerp(turn, b.Turn, s), x.Turn)
	if t.blends {
		off = min(off, scene.Angle(mgl64.QuatNlerp(turn, b.Turn, s), x.Turn))
	}
	return max(a.At.Mul(1-s).Add(b.At.Mul(s)).Sub(x.At).Len()/(share*frameShift*t.size), off/(share*frameTurn))
}

// offEven returns how far a pose is from an even turn, as a part of what a blended one may be off.
func (t *thinning) offEven(i, from, to int) float64 {
	a, b, x := &t.poses[from], &t.poses[to], &t.poses[i]
	even := mgl64.QuatSlerp(Shorter(a.Turn, b.Turn), b.Turn, (x.Time-a.Time)/(b.Time-a.Time))
	return scene.Angle(even, x.Turn) / blendedTurn
}
