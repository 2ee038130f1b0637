package unreal

import "github.com/usher-assets/usher/schema/unreal"

// TextBuffer writes a text (reference section 10).
func TextBuffer(t *unreal.TextBuffer) ([]byte, error) {
	w := objectWriter(&t.Object, 64+len(t.Text.Text))
	w.base(&t.Object)
	w.U32(t.Pos)
	w.U32(t.Top)
	w.Str(t.Text, "text")
	return w.finish(&t.Object)
}
