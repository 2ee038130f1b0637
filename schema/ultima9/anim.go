package ultima9

import (
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// AnimFrameSize is the size of a key of an animation (reference section 7.1).
const AnimFrameSize = 0x2C

// The timing of all clips of the game.
const (
	AnimFPS      = 30
	AnimInterval = 33 // milliseconds between keys
)

// Anim is a record of anim.flx: a clip that moves the limbs of a model.
type Anim struct {
	ID         int32 // slot in the archive
	Start, End int32 // frames of the scene that the clip was made from, both included
	FrameCount int32 // End − Start + 1
	FPS        int32
	Interval   int32   // milliseconds
	Source     string  // name of the scene file
	Registry   []int32 // the part ids, then stale memory of the tool that made the file
	Parts      []AnimPart
	Events     []AnimEvent
}

// AnimPart is the motion of one limb.
type AnimPart struct {
	ID     int32 // limb id; above 255 lights and cameras of the scene
	Name   string
	Frames []AnimFrame
}

// AnimFrame is a key of the motion of a limb.
type AnimFrame struct {
	Time     int32      // milliseconds
	Rotation [4]float32 // w, x, y, z
	Position [3]float32
	Scale    [3]float32
}

// AnimEvent is something that happens during a clip.
type AnimEvent struct {
	Time      int32 // milliseconds
	Type      EventType
	Parameter uint32
}

// EventType is the type of an event.
type EventType uint32

// The event types.
const (
	EventNone EventType = iota
	EventLoop
	EventContact
	EventSound
	EventFootstep
	EventCycleStart
	EventRampUp
	EventRampDown
	EventEnd
)

var eventNames = schema.EnumNames[EventType]{
	EventNone: "none", EventLoop: "loop", EventContact: "contact", EventSound: "sound", EventFootstep: "footstep",
	EventCycleStart: "cycle-start", EventRampUp: "ramp-up", EventRampDown: "ramp-down", EventEnd: "end",
}

// String returns the type's name.
func (t EventType) String() string { return eventNames.Text(t) }

// MarshalText implements encoding.TextMarshaler.
func (t EventType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *EventType) UnmarshalText(b []byte) error { return eventNames.Parse(b, t) }

// Moves reports whether the game uses the positions of this motion. It does so only for the pelvis.
func (p *AnimPart) Moves() bool {
	return strings.EqualFold(p.Name, "PELVIS") || strings.EqualFold(p.Name, "HIPS")
}

// Registry is registry.txt: the names of limb ids (reference section 7.4). Lines that are not entries are kept.
type Registry struct{ Lines []RegistryLine }

// RegistryLine is a line of registry.txt. ID is 0 for comments and blank lines.
type RegistryLine struct {
	Text string `unwritten:"number and name outrank the line that they were found in"` // as found, with its line end; empty for a new line
	ID   int32
	Name string
}

// Names returns the names by limb id.
func (r *Registry) Names() map[int32]string {
	names := map[int32]string{}
	for _, l := range r.Lines {
		if l.ID != 0 {
			names[l.ID] = l.Name
		}
	}
	return names
}

// ParseRegistryLine parses a line of registry.txt. The id is 0 for a comment or blank line. ok is false if the line is
// neither that nor a positive number and a name.
func ParseRegistryLine(text string) (id int32, name string, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.HasPrefix(text, "//") {
		return 0, "", true
	}
	number, name, _ := strings.Cut(text, " ")
	if tab, rest, found := strings.Cut(number, "\t"); found {
		number, name = tab, strings.TrimSpace(rest+" "+name)
	}
	n, err := strconv.ParseInt(number, 10, 32)
	return int32(n), strings.TrimSpace(name), err == nil && n > 0
}
