package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// ActivityList writes a record of activity.flx (reference section 11.2). The last step of an activity, and no other, must
// be an end step; the last activity of a record may end with a step of zeros instead. Otherwise it fails with ErrValue.
func ActivityList(x *ultima9.ActivityList) ([]byte, error) {
	w := write.NewBuffer("u9-activity", 8+64*len(x.Activities))
	w.Count32(len(x.Activities), "record count")
	size := w.Reserve32()
	for i := range x.Activities {
		a := &x.Activities[i]
		w.Record(a)
		for j, s := range a.Steps {
			end, last := s.Opcode == ultima9.EndOpcode, j == len(a.Steps)-1
			open := i == len(x.Activities)-1 && s == (ultima9.ActivityStep{})
			if end && !last || last && !end && !open {
				w.Failf(schema.ErrValue, "opcode", "activity %d: step %d of %d has opcode %d; the last step alone has %d",
					i, j, len(a.Steps), s.Opcode, ultima9.EndOpcode)
			}
			w.Record(&a.Steps[j])
		}
		if len(a.Steps) == 0 {
			w.Failf(schema.ErrValue, "steps", "activity %d has no steps", i)
		}
	}
	w.Patch32(size, w.Len()-8, "payload length")
	return w.Finish()
}

// Trigger writes a record of triggers.flx (reference section 11.3).
func Trigger(x *ultima9.Trigger) ([]byte, error) {
	w := write.NewBuffer("u9-trigger", ultima9.TriggerStepSize*(len(x.Steps)+len(x.Stale)))
	w.Records(&x.Steps)
	w.Records(&x.Stale)
	return w.Finish()
}
