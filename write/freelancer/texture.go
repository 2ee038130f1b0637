package freelancer

import (
	"bytes"

	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Texture writes what a texture's directory holds beside pictures: its animation. An entry without a directory gets
// one in the library of the tree's root, together with its leaves.
func Texture(root *freelancer.Node, t *freelancer.TextureEntry) error {
	if t.Node == nil {
		t.Node = addTexture(root.Dir(freelancer.TextureLibrary), freelancer.NewDir(t.Name, t.Leaves...))
	}
	if t.Animation == nil {
		return nil
	}
	a := t.Animation
	w := write.NewBuffer("texture", 20*len(a.Frames))
	for _, r := range a.Frames {
		w.U32(r.Texture)
		w.Floats(r.U0, r.V0, r.U1, r.V1)
	}
	rects, err := w.Finish()
	f := fields{n: t.Node}
	f.words("Texture count", a.Textures)
	f.words("Frame count", uint32(len(a.Frames)))
	f.floats("FPS", a.FPS)
	f.put("Frame rects", rects)
	return err
}

// addTexture adds a texture to a library. Where the library tells how many it holds, and rightly so, it goes on to.
func addTexture(library, texture *freelancer.Node) *freelancer.Node {
	n := uint32(0)
	for _, c := range library.Children {
		if c.IsDir() {
			n++
		}
	}
	if c := library.Child("Texture count"); c != nil && bytes.HasPrefix(c.Data, wordBytes([]uint32{n})) {
		f := fields{n: library}
		f.words("Texture count", n+1)
	}
	return library.Add(texture)
}
