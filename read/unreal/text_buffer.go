package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TextBuffer reads a text (reference section 10).
func TextBuffer(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.TextBuffer, error) {
	return decode(b, x, d, textBuffer)
}

func textBuffer(r *reader, t *unreal.TextBuffer) {
	r.base(&t.Object)
	t.Pos, t.Top = r.U32("Pos"), r.U32("Top")
	t.Text = r.Str("text")
}
