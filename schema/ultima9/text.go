package ultima9

// Text is a record of text.flx, misctext.flx and the dialect archives: a line in UTF-16, little-endian (reference
// section 10.4).
type Text struct {
	Text string // up to the first zero
	// Unterminated is set when there is no zero.
	Unterminated bool `json:",omitempty"`
	// Rest holds the code units after the zero.
	Rest []uint16 `json:",omitempty"`
	// Units holds the stored code units if they are not valid UTF-16, which Text cannot represent. They are ignored once Text
	// is changed.
	Units []uint16 `json:",omitempty" unwritten:"counts as long as Text is its reading"`
}
