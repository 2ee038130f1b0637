package unreal

// TextBuffer is a text, such as the script source of a class (reference section 10).
type TextBuffer struct {
	Object
	Pos, Top uint32
	Text     Str
}
