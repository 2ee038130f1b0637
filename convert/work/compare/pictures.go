package compare

import (
	"image"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Pictures shows an asset that changed, came or went, before and after. Heat is bright where the two differ, and nil if
// their sizes differ. A side that has nothing to show is nil.
type Pictures struct {
	Before, After, Heat *image.NRGBA
	Turned              [2]*image.NRGBA // a model from several sides, side by side
	Heard               [2][]byte       // a sound, as WAV
}

// alone returns an entry that is on one side only, with its picture.
func (c *Comparison) alone(e Entry, l leaf) Entry {
	if e.Kind == format.Archive || e.Kind == format.Raw {
		return e
	}
	err := batch.Guarded(func() error {
		payload, err := l.read()
		if err != nil {
			return err
		}
		it, err := l.load(payload, new(schema.Diagnostics))
		if err != nil {
			return nil // what cannot be read has no picture, and is no less there
		}
		defer it.Close()
		sides := [2]*interchange.Item{nil, it}
		if e.Status == Removed {
			sides = [2]*interchange.Item{it, nil}
		}
		e.Pictures = c.Draw(sides[0], sides[1])
		return nil
	})
	if err != nil {
		e.Status, e.Err = Failed, err
	}
	return e
}
