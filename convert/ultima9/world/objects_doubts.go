package world

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// DoubtObject warns of what the game would stumble over in an object, if the stored one does not have it too. was is nil for
// a new object.
func DoubtObject(kind ultima9.ObjectKind, was, o *ultima9.Object, path string, d *schema.Diagnostics) {
	if was == nil {
		was = &ultima9.Object{Flags: ultima9.ObjectPresent, Rotation: [4]int16{3: 32767}}
	}
	if kind == ultima9.Fixed && was.Flags&ultima9.ObjectPresent != 0 && o.Flags&ultima9.ObjectPresent == 0 {
		d.Warnf("object-required", path, "flags: %v lacks the %v that every fixed object has: the game crashes without it", o.Flags, ultima9.ObjectPresent)
	}
	if o.Type != was.Type && o.Type >= ultima9.TypeCount {
		d.Warnf("object-type", path, "type: there is no %d, the last one is %d", o.Type, ultima9.TypeCount-1)
	}
	if zeros := [4]int16{}; o.Rotation == zeros && was.Rotation != zeros && o.Flags&ultima9.ObjectContained == 0 {
		d.Warnf("object-rotation", path, "rotation: zeros turn into nowhere; no turn is 0, 0, 0, 32767")
	}
}

// DoubtObjects warns of what the game would stumble over in the objects of a file that are not those of its heap.
func DoubtObjects(x *ultima9.ObjectFile, heap []*ultima9.Object, d *schema.Diagnostics) {
	stored := map[uint32]*ultima9.Object{}
	(&ultima9.ObjectFile{Objects: heap}).Walk(func(o, _ *ultima9.Object) { stored[o.Offset] = o })
	number := 0
	x.Walk(func(o, _ *ultima9.Object) {
		number++
		DoubtObject(x.Kind, stored[o.Offset], o, fmt.Sprintf("object %d at 0x%x", number, o.Offset), d)
	})
}
