package ini

import (
	"bytes"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// Read understands an INI file, compiled or a text in the game's encoding, for those who only read it. Lines are nil for a compiled one;
// beside what is wrong with a text there is all that is right with it.
func Read(b []byte) (*freelancer.BINI, Lines, error) {
	if bytes.HasPrefix(b, []byte(freelancer.BINIMagic)) {
		x, err := read.BINI(b, nil)
		return x, nil, err
	}
	p := parse(schema.DecodeWindows1252(b))
	return p.x, p.at, p.faults.Err()
}
