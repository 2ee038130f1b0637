package ultima9

import "github.com/usher-assets/usher/schema"

// FixedText is a text field of fixed length, what lies behind its end included.
type FixedText = schema.FixedText
