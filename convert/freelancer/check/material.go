package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/schema/freelancer"
)

// checkClasses looks for materials of classes that the game does not have, in every file, since it loads libraries as a whole.
// Which it has depends on a file of its program: without that nothing is said.
func (c *checker) checkClasses() {
	classes, ok := c.Classes()
	if !ok {
		return
	}
	for _, t := range c.trees {
		for _, m := range slices.SortedFunc(maps.Values(t.materials), byName) {
			c.checkClass(t, m, classes)
		}
	}
}

func (c *checker) checkClass(t *tree, m *freelancer.Material, classes game.Classes) {
	class := classes.Of(m)
	if class == "" || freelancer.IsMaterialClass(class) {
		return
	}
	c.tellFile(classUnknown, t.at, m.Name, class, "the game has no class of materials %q, and leaves the material %s out", class, m.Name)
}

func byName(a, b *freelancer.Material) int { return strings.Compare(a.Name, b.Name) }
