package ultima9

// EndOpcode ends the steps of an activity and of a trigger.
const EndOpcode = 0xFF

// Sizes of activity and trigger records.
const (
	ActivityStepSize = 9
	TriggerStepSize  = 6
)

// ActivityList is a record of activity.flx: the activities of the NPC with the record's number (reference section 11.2).
type ActivityList struct{ Activities []Activity }

// Activity is one routine.
type Activity struct {
	Ordinal uint8
	Name    FixedText      `size:"15"`
	Steps   []ActivityStep `record:"-"`
}

// ActivityStep is one instruction. The last step of an activity has the opcode EndOpcode. The last activity of a record may
// lack it.
type ActivityStep struct {
	Opcode   uint8 // FFh ends the routine
	Operands [8]uint8
}

// Trigger is a record of triggers.flx (reference section 11.3).
type Trigger struct {
	Steps []TriggerStep // up to and including EndOpcode, when there is one
	Stale []TriggerStep `json:",omitempty"` // bytes after the steps, left over from an earlier content
}

// TriggerStep is an instruction.
type TriggerStep struct {
	Opcode   uint8 // FFh ends the trigger
	Operand1 uint8
	Operand2 uint16
	Operand4 uint16
}
