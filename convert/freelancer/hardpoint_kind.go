package freelancer

import (
	"strings"

	"github.com/usher-assets/usher/schema/freelancer"
)

// usualTurn is how far hardpoints turn to either side, in degrees, where nobody says.
const usualTurn = 45

// turningHardpoints are what the names of hardpoints begin with that turn in nearly all models (reference section 19.3).
var turningHardpoints = []string{"hpweapon", "hpturret", "hptorpedo", "hpmissile"}

// turnsByName tells whether hardpoints of a name usually turn.
func turnsByName(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "")
	for _, begin := range turningHardpoints {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// hardpointName tells whether a name is one that empty nodes have which stand for hardpoints: they begin with Hp in any
// case, and those of damaged parts and separable ones with Dp and Sp, which other words do too.
func hardpointName(name string) bool {
	if len(name) < 3 {
		return false
	}
	begin, third := name[:2], strings.TrimPrefix(name[2:], "_")
	if third == "" {
		return false
	}
	if freelancer.SameName(begin, "Hp") {
		return true
	}
	c := third[0]
	return (freelancer.SameName(begin, "Dp") || freelancer.SameName(begin, "Sp")) && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || name[2] == '_')
}
