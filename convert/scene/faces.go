package scene

import "slices"

// Face is a triangle, as three numbers that identify its corners, such as position numbers. −1 is an unknown corner.
type Face [3]int

// turned returns a face with its least corner first, keeping the winding, and by how many corners it was turned: corner k
// of the result is corner (k + turn) % 3.
func (f Face) turned() (t Face, turn int) {
	t = f
	for k := 1; k < 3; k++ {
		if x := (Face{f[k], f[(k+1)%3], f[(k+2)%3]}); less(x, t) {
			t, turn = x, k
		}
	}
	return t, turn
}

func less(a, b Face) bool {
	for k := range a {
		if a[k] != b[k] {
			return a[k] < b[k]
		}
	}
	return false
}

// flat reports whether a face joins a corner with itself, so that it has no area.
func (f Face) flat() bool { return f[0] == f[1] || f[1] == f[2] || f[2] == f[0] }

// known reports whether all corners are.
func (f Face) known() bool { return f[0] >= 0 && f[1] >= 0 && f[2] >= 0 }

// either returns a face that is the same for both of its sides.
func (f Face) either() Face {
	slices.Sort(f[:])
	return f
}

// FacePairs is the correspondence between the faces of an edited surface and those of the original.
type FacePairs struct {
	Of    []int  // for each face of the surface its face in the original, −1 for a new one
	Turn  []int  // corner k of it is corner (k + Turn) % 3 of the original
	There []bool // for each face of the original: the surface still has it

	original []Face
}

// PairFaces pairs faces that join the same corners with the same winding, each at most once. If several faces do, alike
// decides which belong together. It is called with a face of the original, a face of the surface, and a turn as in
// [FacePairs]. It may be nil.
func PairFaces(original, surface []Face, alike func(a, b, turn int) bool) *FacePairs {
	p := &FacePairs{Of: make([]int, len(surface)), Turn: make([]int, len(surface)), There: make([]bool, len(original)), original: original}
	// Faces of equal corners form a chain, in their order.
	first, next := make(map[Face]int32, len(original)), make([]int32, len(original))
	turns := make([]uint8, len(original))
	for a := len(original) - 1; a >= 0; a-- {
		key, turn := original[a].turned()
		turns[a], next[a] = uint8(turn), -1
		if !key.known() {
			continue
		}
		if i, ok := first[key]; ok {
			next[a] = i
		}
		first[key] = int32(a)
	}
	find := func(b int, fits func(a, b, turn int) bool) bool {
		key, turn := surface[b].turned()
		start, ok := first[key]
		if !ok || !key.known() {
			return true // never
		}
		before := int32(-1)
		for a, n := start, 0; a >= 0 && n < heap; a, n = next[a], n+1 { // of a heap of faces in one place the rest are new
			by := (int(turns[a]) - turn + 3) % 3
			if fits != nil && !fits(int(a), b, by) {
				before = a
				continue
			}
			p.Of[b], p.Turn[b], p.There[a] = int(a), by, true
			switch {
			case before >= 0:
				next[before] = next[a]
			case next[a] >= 0:
				first[key] = next[a]
			default:
				delete(first, key)
			}
			return true
		}
		return false
	}
	left := make([]int32, 0, len(surface))
	for b := range surface {
		if p.Of[b] = -1; !find(b, alike) {
			left = append(left, int32(b))
		}
	}
	for _, b := range left {
		find(int(b), nil)
	}
	return p
}

// Gone returns the faces of the original that the surface no longer has. It leaves out faces that editors drop by
// themselves: those without area, and duplicates of a face that is still there.
func (p *FacePairs) Gone() (gone []int) {
	var shown map[Face]bool
	for a, there := range p.There {
		if there || p.original[a].flat() {
			continue
		}
		if shown == nil {
			shown = make(map[Face]bool, len(p.There))
			for i, f := range p.original {
				if p.There[i] {
					shown[f.either()] = true
				}
			}
		}
		if !shown[p.original[a].either()] {
			gone = append(gone, a)
		}
	}
	return gone
}

// Complete reports whether every face of either side has its counterpart, or is degenerate or a duplicate.
func (p *FacePairs) Complete(surface []Face) bool {
	for b, a := range p.Of {
		if a < 0 && !(surface[b].known() && surface[b].flat()) {
			return false
		}
	}
	return len(p.Gone()) == 0
}
