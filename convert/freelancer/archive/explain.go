package archive

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// Explain implements format.Explainer: the two leaves of an animation's channel mean something together.
func (a *archive) Explain(i int, d *schema.Diagnostics) (bool, error) {
	n, dir := a.nodes[i], a.parents[i]
	if !freelancer.SameName(dir.Name, "Channel") {
		return false, nil
	}
	header, frames := dir.Child("Header"), dir.Child("Frames")
	if header == nil || frames == nil || n != header && n != frames {
		return false, nil
	}
	trace := d.Trace()
	noted := trace.Mark()
	_, err := read.Channel(header.Data, frames.Data, d)
	own := trace.Spans[:noted:noted]
	for _, s := range trace.Spans[noted:] { // the other leaf tells of itself
		if at, ok := trace.Offset(n.Data); ok && s.Offset >= at && s.Offset < at+int64(len(n.Data)) {
			own = append(own, s)
		}
	}
	trace.Spans = own
	return true, err
}
