package unreal

// T3D is the text form of brushes and actors in the editor (reference section 12.4): nested blocks of lines, kept as
// written.
type T3D struct {
	Items []T3DItem
}

// T3DItem is a line, or a block with its lines.
type T3DItem struct {
	Line  string // with its line end; of a block its "Begin" line
	End   string // "End" line of a block; empty for a plain line, and for a block that the text leaves open
	Items []T3DItem
}
