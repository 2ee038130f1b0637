package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// NPCs writes slot 0 of npc.flx (reference section 11.1).
func NPCs(x *ultima9.NPCs) ([]byte, error) {
	w := write.NewBuffer("u9-npc", len(x.Records)*ultima9.NPCSize)
	w.Records(&x.Records)
	return w.Finish()
}
