package restore

import (
	"strings"

	"github.com/usher-assets/usher/schema/asset"
)

// Habit is a set of things that some programs do to scenes in which nobody edits anything. They cannot be recognised from
// the scene; the program must be known.
type Habit uint16

// The habits, with the function that undoes each.
const (
	SavesPose         Habit = 1 << iota // it saves the frame that it shows as the pose at rest: [TakeRest]
	LosesNormals                        // it writes [NoNormal] where it could not keep one: [Normals]
	SpoilsColors                        // it gives the corners of a mesh each other's colours: [Colors]
	DropsUnused                         // it leaves out nodes that show nothing, and attributes that no material asks for: [Refill]
	RoundsToBytes                       // it keeps eight bits of colours and weights: [RefillShapes] has the colours
	WrapsScene                          // it puts a node above the whole scene: [Unwrap]
	SplitsMeshes                        // it makes a node of each primitive, and numbers names that are there twice: [Unwrap]
	AsksForProperties                   // it writes custom properties only if somebody ticks a box: [TellOfExtras]
	BlendsTurns                         // from key to key it blends the four numbers of a rotation, and samples that: [scene.Compare] allows for it
)

// programs are the programs whose habits are known, by how their names for themselves begin. The number in Blender's is that
// of its add-on for glTF.
var programs = [...]struct {
	generator string
	habits    Habit
}{
	{"Khronos glTF Blender I/O", SavesPose | LosesNormals | AsksForProperties | BlendsTurns},
	{"Khronos glTF Blender I/O v3.4.50", SpoilsColors},
	{"THREE.GLTFExporter", WrapsScene | SplitsMeshes},
	{"glTF-Transform", DropsUnused},
	{"gltfpack", DropsUnused | RoundsToBytes},
}

// Does reports whether the program that wrote a scene has the habit.
func Does(s *asset.Scene, h Habit) bool {
	for _, p := range programs {
		if p.habits&h != 0 && strings.HasPrefix(s.Generator, p.generator) {
			return true
		}
	}
	return false
}
