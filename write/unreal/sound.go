package unreal

import "github.com/usher-assets/usher/schema/unreal"

// Sound writes a sound (reference section 10).
func Sound(s *unreal.Sound) ([]byte, error) {
	w := objectWriter(&s.Object, 64+len(s.Data))
	w.base(&s.Object)
	w.Name(s.FileType)
	w.lazyBytes(s.Data, "data")
	return w.finish(&s.Object)
}
