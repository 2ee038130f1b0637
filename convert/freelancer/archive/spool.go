package archive

import (
	"io"
	"os"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"
)

// SpoolTo implements format.Spooling.
func (a *archive) SpoolTo(file func() (*os.File, error)) { a.spool.Open = file }

// setStored takes the payload of a new leaf out of memory once it is stored in the spool; nil leaves it there.
func (a *archive) setStored(n *freelancer.Node, stored *io.SectionReader, dir, library *freelancer.Node) {
	if stored == nil {
		return
	}
	if a.spooled == nil {
		a.spooled = map[*freelancer.Node]*format.Format{}
	}
	a.spooled[n] = leafFormat(freelancer.KindOf(n, dir, library), n) // which would read the file for each listing
	n.Data, n.Slot = nil, &freelancer.Slot{Stored: stored}
}
