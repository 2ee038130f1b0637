package unreal

import "github.com/usher-assets/usher/schema/unreal"

// Music writes a piece of music (reference section 10).
func Music(m *unreal.Music) ([]byte, error) {
	w := objectWriter(&m.Object, 64+len(m.Data))
	w.base(&m.Object)
	w.Name(m.FileType)
	w.lazyBytes(m.Data, "data")
	return w.finish(&m.Object)
}
