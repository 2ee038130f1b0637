package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Area writes a record of areas.flx (reference section 11.5). It fails with ErrMismatch for an encounter without its flag,
// the flag without an encounter, and fields that the area's kind does not have.
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
	w.Record(&x.Position)
	w.U32(uint32(x.Flags))
	w.I32(x.Chance)
	if (x.Flags&ultima9.AreaEncounter != 0) != (x.Encounter != nil) {
		w.Failf(schema.ErrMismatch, "flags", "flags %d and the encounter do not agree", x.Flags)
	}
	if x.Encounter != nil {
		w.Record(x.Encounter)
	}
	w.I32(x.WeightSum)
	w.I32(x.Map)
	w.Count32(len(x.Boxes), "box count")
	w.Records(&x.Boxes)
	w.Bytes(x.Trailing)
	return w.Finish()
}
