package ultima9

// Text is a record of text.flx, misctext.flx and the dialect archives: a line in UTF-16, little-endian (reference
// section 10.4).
type Text struct {
	Text string // up to the first zero
	// Unterminated is set when there is no zero.
	Unterminated bool `json:",omitempty"`
	// Rest holds the code units behind the zero.
	Rest []uint16 `json:",omitempty"`
	// Units holds the stored code units when they are no valid UTF-16, which Text cannot show. They count as long as
	// Text still is their reading.
	Units []uint16 `json:",omitempty" unwritten:"counts as long as Text is its reading"`
}
