package scene

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// calledKey is where a node remembers its name.
const calledKey = "called"

// Call makes a node remember its present name, for a target that stores none. The node needs a Native.
func Call(n *asset.Node) { SetShown(n.Native, calledKey, n.Name) }

// Renames collects things whose new names the target cannot hold.
type Renames struct {
	count    int
	was, now string // of the first
}

// Check compares the old and the new name of a thing.
func (r *Renames) Check(was, now string) {
	if !Renamed(was, now) {
		return
	}
	if r.count++; r.count == 1 {
		r.was, r.now = was, now
	}
}

// CheckCalled compares the names of all nodes of a format with the names that they remember.
func (r *Renames) CheckCalled(s *asset.Scene, format string) {
	s.Walk(func(n, _ *asset.Node) {
		if was := ShownText(n.Native, calledKey); was != "" && n.Native.Format == format {
			r.Check(was, n.Name)
		}
	})
}

// Tell reports the lost names once, with the reason.
func (r *Renames) Tell(d *schema.Diagnostics, why string) {
	switch {
	case r.count == 1:
		d.Lossf("name", r.now, "the new name of %s is left out: %s", r.was, why)
	case r.count > 1:
		d.Lossf("name", r.now, "%d new names are left out, the first is that of %s: %s", r.count, r.was, why)
	}
}
