package format

import "github.com/usher-assets/usher/schema"

// Explainer is an archive that can take apart entries which have no format of their own, because they mean nothing
// without another one.
type Explainer interface {
	ArchiveFile
	// Explain reads entry i for the trace of d; false when nobody knows what it holds.
	Explain(i int, d *schema.Diagnostics) (bool, error)
}
