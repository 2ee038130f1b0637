package compare

import "image"

// Pictures shows a changed asset, before and after. Heat is bright where they differ, and nil if their sizes differ. A side
// without a picture is nil.
type Pictures struct {
	Before, After, Heat *image.NRGBA
}
