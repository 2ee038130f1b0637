package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Sound reads a sound (reference section 10).
func Sound(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Sound, error) {
	return decode(b, x, d, sound)
}

func sound(r *reader, s *unreal.Sound) {
	r.base(&s.Object)
	s.FileType = r.Name("file type")
	s.Data = r.lazyBytes("data")
}
