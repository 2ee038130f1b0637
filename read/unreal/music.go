package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Music reads a piece of music (reference section 10).
func Music(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Music, error) {
	return decode(b, x, d, music)
}

func music(r *reader, m *unreal.Music) {
	r.base(&m.Object)
	m.FileType = r.Name("file type")
	m.Data = r.lazyBytes("data")
}
