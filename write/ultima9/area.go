package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Area writes a record of areas.flx (reference section 11.5). An encounter without its flag, or the flag without an
// encounter, is ErrMismatch, as are fields that its kind does not have.
func Area(x *ultima9.Area) ([]byte, error) {
	w := write.NewBuffer("u9-area", 128+len(x.Opaque)+ultima9.AreaBoxSize*len(x.Boxes))
	w.I32(x.Kind)
	if x.Kind != ultima9.AreaKind {
		if x.ID|x.Chance|x.WeightSum|x.Map != 0 || x.Flags != 0 || x.Position != (ultima9.AreaPosition{}) || x.Encounter != nil || len(x.Boxes)+len(x.Trailing) > 0 {
			w.Failf(schema.ErrMismatch, "kind", "an area of kind %d is its Opaque bytes, and has no other fields", x.Kind)
		}
		w.Bytes(x.Opaque)
		return w.Finish()
	}
	if len(x.Opaque) > 0 {
		w.Failf(schema.ErrMismatch, "kind", "an area of kind %d has no Opaque bytes", x.Kind)
	}
	w.I32(x.ID)
	areaPosition(w, x.Position)
	w.U32(x.Flags)
	w.I32(x.Chance)
	if (x.Flags&ultima9.AreaEncounter != 0) != (x.Encounter != nil) {
		w.Failf(schema.ErrMismatch, "flags", "flags %d and the encounter do not agree", x.Flags)
	}
	if e := x.Encounter; e != nil {
		w.I32(e.Unknown00)
		w.I32(e.Count)
		for _, x := range e.Entries {
			w.U16(x.Type)
			w.U16(x.Weight)
		}
		w.I32(e.Unknown38)
		w.U16(e.Unknown3C)
	}
	w.I32(x.WeightSum)
	w.I32(x.Map)
	w.Count32(len(x.Boxes), "box count")
	for _, b := range x.Boxes {
		areaPosition(w, b.Min)
		areaPosition(w, b.Max)
	}
	w.Bytes(x.Trailing)
	return w.Finish()
}

func areaPosition(w *write.Buffer, p ultima9.AreaPosition) {
	w.I32(p.X)
	w.I32(p.Y)
	w.I16(p.Z)
	w.Bytes(p.Pad0A[:])
}
