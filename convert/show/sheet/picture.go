package sheet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Kinds lists the kinds of content that have a picture.
var Kinds = []format.Kind{format.Texture, format.Model, format.Sound}

// Picture draws an item, with the parts of a model that the user wants to see. If its diagnostics name missing files, these
// become notes of the picture.
func Picture(it *interchange.Item, o render.Options) (*render.Picture, error) {
	a, err := it.LiftSeen()
	if err != nil {
		return nil, err
	}
	if s, ok := a.(*asset.Sound); ok && len(s.PCM) == 0 {
		if decoded, err := mp3.Decoded(s); err == nil { // what cannot be decoded is told of in the picture's notes
			a = decoded
		}
	}
	o.Show = it.Shown()
	p, err := render.Asset(a, o)
	if err != nil {
		return nil, err
	}
	if it.Env != nil {
		p.Notes = withMissing(p.Notes, it.Env.Diagnostics)
	}
	return p, nil
}

// withMissing adds what diagnostics say is missing to the notes of a picture, unless they speak of it already.
func withMissing(notes []string, d *schema.Diagnostics) []string {
	if slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, "missing") }) {
		return notes
	}
	var missing []string
	for _, what := range [...]string{"texture", "picture", "material", "mesh", "palette"} {
		n := 0
		for _, x := range d.All() {
			if x.Code == what+"-missing" {
				n++
			}
		}
		switch {
		case n == 0:
		case what == "material" || what == "mesh": // told of once for all of them
			missing = append(missing, what+" missing")
		case n == 1:
			missing = append(missing, "1 "+what+" missing")
		default:
			missing = append(missing, fmt.Sprintf("%d %ss missing", n, what))
		}
	}
	if missing == nil {
		return notes
	}
	notes = slices.DeleteFunc(notes, func(n string) bool { return n == "no texture" }) // this is why
	return append(missing, notes...)
}
