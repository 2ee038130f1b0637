package unreal

import (
	"cmp"
	"encoding/hex"
	"math"

	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// editNative takes over what was edited of the part that a class stores beside its properties, where that part is
// understood well enough. What it took over, it sets in was too: what differs then cannot be edited.
func (a *archive) editNative(o unreal.AnyObject, was, r *Record) error {
	var err error
	switch o := o.(type) {
	case *unreal.Palette:
		err = editColors(o, r.Native)
	case *unreal.Texture:
		if pack.SameValue(r.Native["mips"], was.Native["mips"]) && len(r.Native) <= 2 && o.Sparks != nil {
			err = editSparks(o, r.Native["sparks"])
			break
		}
		return nil
	case *unreal.Animation:
		if err = pack.CheckKeys(r.Native, "Native", "bones", "sequences"); err == nil && pack.SameValue(r.Native["bones"], was.Native["bones"]) {
			err = a.editSequences(o, r.Native["sequences"])
			break
		}
		return err
	case *unreal.Vectors:
		err = cmp.Or(a.setFields(o, r.Native), hold(&o.Capacity, len(o.Vectors)))
	case *unreal.BspNodes:
		err = cmp.Or(a.setFields(o, r.Native), hold(&o.Capacity, len(o.Nodes)))
	case *unreal.BspSurfs:
		err = cmp.Or(a.setFields(o, r.Native), hold(&o.Capacity, len(o.Surfs)))
	case *unreal.Verts:
		err = cmp.Or(a.setFields(o, r.Native), hold(&o.Capacity, len(o.Verts)))
	default:
		return nil
	}
	was.Native = r.Native
	return err
}

// hold makes room for n elements. What a document says of it is no negative number.
func hold(capacity *int32, n int) error {
	if *capacity < 0 {
		return schema.Errorf(objectName, schema.ErrValue, "Capacity", "%d is no whole number from 0 to %d", *capacity, math.MaxInt32)
	}
	*capacity = max(*capacity, int32(n))
	return nil
}

// editSequences takes over names, groups, rates and notifies. Which move is whose stays.
func (a *archive) editSequences(o *unreal.Animation, value any) error {
	list, err := mesh.ReadSequences(a.File, value)
	if err != nil {
		return err
	}
	if len(list) != len(o.Sequences) {
		return schema.Errorf(objectName, schema.ErrUnsupported, "sequences", "%d sequences, there were %d: motions are added and edited in the model", len(list), len(o.Sequences))
	}
	o.Sequences = list
	return nil
}

// maxColors is what a byte of a picture can tell apart.
const maxColors = 256

// editColors reads "#rrggbbaa", or "#rrggbb" for an opaque colour.
func editColors(o *unreal.Palette, native map[string]any) error {
	if err := pack.CheckKeys(native, "Native", "colors"); err != nil {
		return err
	}
	list, ok := native["colors"].([]any)
	if !ok || len(native) != 1 || len(list) == 0 || len(list) > maxColors {
		return schema.Errorf(objectName, schema.ErrValue, "colors", "expected a list of 1 to %d colours", maxColors)
	}
	colors := make([][4]uint8, len(list))
	for i, v := range list {
		text, _ := v.(string)
		if len(text) == len("#rrggbb") {
			text += "ff"
		}
		b, err := hex.DecodeString(text[min(1, len(text)):])
		if err != nil || len(b) != 4 || text[0] != '#' {
			return schema.Errorf(objectName, schema.ErrValue, "colors", "colour %d: %v is not of the form #rrggbbaa", i, v)
		}
		colors[i] = [4]uint8(b)
	}
	o.Colors = colors
	return nil
}

// editSparks reads eight bytes a spark, in hexadecimal.
func editSparks(o *unreal.Texture, value any) error {
	list, ok := value.([]any)
	if !ok {
		return schema.Errorf(objectName, schema.ErrValue, "sparks", "expected a list")
	}
	sparks := make([]unreal.Spark, len(list))
	for i, v := range list {
		text, _ := v.(string)
		b, err := hex.DecodeString(text)
		if err != nil || len(b) != len(sparks[i]) {
			return schema.Errorf(objectName, schema.ErrValue, "sparks", "spark %d: %v is not eight bytes in hexadecimal", i, v)
		}
		sparks[i] = unreal.Spark(b)
	}
	o.Sparks = sparks
	return nil
}
