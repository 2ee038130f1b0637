package mesh

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/unreal"
)

// keepStored gives an edited file the stored numbers of everything that the edit left alone: what went through matrices
// differs in the last bits, and a scene knows nothing of lengths of bones and groups of smoothing.
func keepStored(x, stored *unreal.PSK) {
	if x == stored {
		return
	}
	keepPoints(x, stored)
	for i := range x.Bones {
		b := &x.Bones[i]
		for k := range stored.Bones {
			if s := &stored.Bones[k]; strings.EqualFold(s.Name.Text, b.Name.Text) {
				keepBone(b, s)
			}
		}
	}
	for i := range x.Materials {
		for k := range stored.Materials {
			if s := &stored.Materials[k]; s.Name.Text == x.Materials[i].Name.Text && s.Flags == x.Materials[i].Flags {
				x.Materials[i] = *s
			}
		}
	}
	faces := map[[3][3]float32]unreal.PSKFace{}
	for _, f := range stored.Faces {
		faces[faceCorners(stored, f)] = f
	}
	for i, f := range x.Faces {
		if s, ok := faces[faceCorners(x, f)]; ok {
			x.Faces[i].Second, x.Faces[i].Smoothing = s.Second, s.Smoothing
		}
	}
}

// keepBone takes over a stored bone, but for a place that the edit changed.
func keepBone(b, stored *unreal.ActorXBone) {
	was := *b
	*b = *stored
	b.Parent, b.Children = was.Parent, was.Children
	if !skeleton.SameTurn(scene.Turn(was.Orientation), scene.Turn(stored.Orientation), 1e-5) {
		b.Orientation = was.Orientation
	}
	if !nearPoint(was.Position, stored.Position, tolerance(stored)) {
		b.Position = was.Position
	}
}

func tolerance(b *unreal.ActorXBone) float32 {
	most := float32(1)
	for _, v := range b.Position {
		most = max(most, v, -v)
	}
	return 1e-5 * most
}

// keepPoints puts points that are where a stored one is exactly there.
func keepPoints(x, stored *unreal.PSK) {
	sorted := slices.Clone(stored.Points)
	slices.SortFunc(sorted, func(a, b [3]float32) int { return slices.Compare(a[:], b[:]) })
	size := float32(1)
	for _, p := range sorted {
		for _, v := range p {
			size = max(size, v, -v)
		}
	}
	gap := 1e-6 * size
	for i, p := range x.Points {
		at, _ := slices.BinarySearchFunc(sorted, p[0]-gap, func(q [3]float32, least float32) int {
			if q[0] < least {
				return -1
			}
			return 1
		})
		for ; at < len(sorted) && sorted[at][0] <= p[0]+gap; at++ {
			if nearPoint(p, sorted[at], gap) {
				x.Points[i] = sorted[at]
				break
			}
		}
	}
}

func nearPoint(a, b [3]float32, gap float32) bool {
	return space.Close(a[0], b[0], gap) && space.Close(a[1], b[1], gap) && space.Close(a[2], b[2], gap)
}

// faceCorners returns the places of a face's corners, the least first.
func faceCorners(x *unreal.PSK, f unreal.PSKFace) (p [3][3]float32) {
	least := 0
	for k, w := range f.Wedges {
		p[k] = x.Points[pointOf(x, int(w))]
		if slices.Compare(p[k][:], p[least][:]) < 0 {
			least = k
		}
	}
	return [3][3]float32{p[least], p[(least+1)%3], p[(least+2)%3]}
}
