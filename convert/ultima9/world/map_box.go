package world

import (
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// boxKey is where the root nodes of a map's files keep it.
const boxKey = "box"

// mapBoxOf returns the box that the options ask for.
func mapBoxOf(env *format.Env) mapBox {
	if env == nil || len(env.Options.Ultima9.Box) != 4 {
		return mapBox{}
	}
	b := mapBox{set: true}
	for i, v := range env.Options.Ultima9.Box {
		b.raw[i] = v * ultima9.RawPerMetre
	}
	return b
}

// mapBox is the part of a map that a scene shows: from x, y to x, y in raw units, the latter not included. Root nodes
// remember it, so that what is outside stays as it is when the scene comes back.
type mapBox struct {
	set bool // otherwise it is all of the map
	raw [4]float64
}

// keep notes the box in a root's Native.
func (b mapBox) keep(n *asset.Native) {
	if b.set {
		scene.SetShown(n, boxKey, scene.List(b.raw[:]))
	}
}

// keptBox is the reverse of keep.
func keptBox(n *asset.Native) (b mapBox) {
	list := scene.Numbers(scene.Shown(n, boxKey))
	b.set = len(list) == len(b.raw)
	copy(b.raw[:], list)
	return b
}

// holds reports whether an object lies in the box.
func (b mapBox) holds(o *ultima9.Object) bool {
	x, y, _ := o.World()
	return !b.set || float64(x) >= b.raw[0] && float64(y) >= b.raw[1] && float64(x) < b.raw[2] && float64(y) < b.raw[3]
}

// cells returns the cells of a terrain of w by h points that the box touches: from x, y up to, but not including, x, y.
func (b mapBox) cells(w, h int) (x0, y0, x1, y1 int) {
	if !b.set {
		return 0, 0, w, h
	}
	at := func(v float64, round func(float64) float64, most int) int {
		return int(min(max(round(v/ultima9.PointStep), 0), float64(most)))
	}
	return at(b.raw[0], math.Floor, w), at(b.raw[1], math.Floor, h), at(b.raw[2], math.Ceil, w), at(b.raw[3], math.Ceil, h)
}
