package compare

import "image"

// Pictures show a changed asset. Heat is bright where the two differ; it is nil when their sizes do. What has no picture
// is nil.
type Pictures struct {
	Before, After, Heat *image.NRGBA
}
