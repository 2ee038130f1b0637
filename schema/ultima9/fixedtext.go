package ultima9

import "github.com/usher-assets/usher/schema"

// FixedText is a text field of fixed length, including the bytes after its end.
type FixedText = schema.FixedText
