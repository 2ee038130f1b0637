package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// ActivityList reads a record of activity.flx (reference section 11.2). It fails with ErrMismatch if the stored length is
// not that of the record, or bytes follow the last activity.
func ActivityList(b []byte, d *schema.Diagnostics) (*ultima9.ActivityList, error) {
	c := read.NewCursor("u9-activity", b, d)
	records := uint64(c.U32("record count"))
	size := c.U32("payload length")
	if c.Err() == nil && int64(size) != int64(c.Left()) {
		c.FailAtf(4, schema.ErrMismatch, "payload length", "%d, %d bytes left", size, c.Left())
	}
	x := &ultima9.ActivityList{}
	x.Activities = make([]ultima9.Activity, c.Count(records, schema.RecordOf(new(ultima9.Activity)).Size+ultima9.ActivityStepSize, "record count"))
	for i := range x.Activities {
		c.Enter("activity", i)
		activity(c, &x.Activities[i], d)
		c.Leave()
	}
	if n := c.Left(); n > 0 {
		c.Failf(schema.ErrMismatch, "record count", "%d bytes follow the last activity", n)
	}
	return done(x, c)
}

func activity(c *read.Cursor, a *ultima9.Activity, d *schema.Diagnostics) {
	c.Record(a)
	for c.Err() == nil {
		if n := len(a.Steps); c.Left() == 0 && n > 0 && a.Steps[n-1] == (ultima9.ActivityStep{}) { // zeros up to the end, as a retail file has them
			d.WarnAtf("activity-without-end", c.Path(), c.Offset(), "no step ends the activity")
			return
		}
		c.Enter("step", len(a.Steps))
		a.Steps = append(a.Steps, ultima9.ActivityStep{})
		s := &a.Steps[len(a.Steps)-1]
		c.Record(s)
		c.Leave()
		if s.Opcode == ultima9.EndOpcode {
			return
		}
	}
}

// Trigger reads a record of triggers.flx (reference section 11.3). It fails with ErrMismatch if the length is not a
// multiple of six.
func Trigger(b []byte, d *schema.Diagnostics) (*ultima9.Trigger, error) {
	c := read.NewCursor("u9-trigger", b, d)
	if len(b)%ultima9.TriggerStepSize != 0 {
		c.Failf(schema.ErrMismatch, "steps", "%d bytes are no whole number of %d-byte steps", len(b), ultima9.TriggerStepSize)
	}
	var steps []ultima9.TriggerStep
	c.Records(&steps, len(b)/ultima9.TriggerStepSize, "step")
	end := 1 + slices.IndexFunc(steps, func(s ultima9.TriggerStep) bool { return s.Opcode == ultima9.EndOpcode })
	if end == 0 {
		d.WarnAtf("trigger-without-end", "", int64(len(b)), "no step ends the trigger")
		end = len(steps)
	}
	x := &ultima9.Trigger{Steps: steps[:end:end]}
	if end < len(steps) {
		x.Stale = steps[end:]
	}
	return done(x, c)
}
