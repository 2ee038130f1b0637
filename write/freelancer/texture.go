package freelancer

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Texture writes a texture into its directory: its name, the leaves of its picture, its animation. If it has no directory,
// one is added to the library of the tree's root. It fails with ErrMismatch if the texture lacks what its form requires.
func Texture(root *freelancer.Node, t *freelancer.TextureEntry) error {
	if err := noHoles("leaves", t.Leaves); err != nil {
		return err
	}
	was := t.Node
	if was == nil {
		was = freelancer.NewDir(t.Name)
	} else if err := rename(was, "texture", t.Name); err != nil {
		return err
	}
	if err := pictures(was, t); err != nil {
		return err
	}
	if t.Node == nil {
		t.Node = addTexture(root.Dir(freelancer.TextureLibrary), was)
	}
	if t.Animation != nil {
		return textureAnimation(t)
	}
	return nil
}

// pictures brings the leaves with pictures in a directory in line with those of the texture.
func pictures(dir *freelancer.Node, t *freelancer.TextureEntry) error {
	_, stored := freelancer.TextureIn(dir)
	for _, leaf := range stored {
		if !slices.Contains(t.Leaves, leaf) {
			dir.Remove(leaf)
		}
	}
	for _, leaf := range t.Leaves {
		if !slices.Contains(dir.Children, leaf) {
			dir.Add(leaf)
		}
	}
	form, leaves := freelancer.TextureIn(dir)
	if form == freelancer.NoTexture && t.Animation != nil {
		form = freelancer.AnimatedTexture
	}
	animated := form == freelancer.AnimatedTexture
	if form != t.Form || !slices.Equal(leaves, t.Leaves) || animated != (t.Animation != nil) {
		return schema.Errorf(freelancer.Format, schema.ErrMismatch, "texture", "%q has the form %d, which its leaves and animation are not", t.Name, t.Form)
	}
	return nil
}

func textureAnimation(t *freelancer.TextureEntry) error {
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
