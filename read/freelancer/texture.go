package freelancer

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Textures reads the texture library of a tree's root (reference section 12). Pictures are not decoded: they stay DDS and
// TGA files in leaves.
func Textures(root *freelancer.Node, d *schema.Diagnostics) ([]*freelancer.TextureEntry, error) {
	dir := root.Child(freelancer.TextureLibrary)
	if dir == nil {
		return nil, nil
	}
	var list []*freelancer.TextureEntry
	for _, n := range dir.Children {
		if !n.IsDir() {
			continue
		}
		t, err := Texture(n, d)
		if err != nil {
			return nil, schema.In(dir.Name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// Texture reads the directory of a texture.
func Texture(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.TextureEntry, error) {
	n = given(n)
	t := &freelancer.TextureEntry{Name: n.Name, Node: n}
	t.Form, t.Leaves = freelancer.TextureIn(n)
	switch t.Form {
	case freelancer.AnimatedTexture:
		var err error
		t.Animation, err = textureAnimation(n, d)
		return t, err
	case freelancer.DDSTexture:
		if n.Child("MIP0") != nil {
			name := strings.ToUpper(t.Leaves[0].Name)
			d.Warnf("two-pictures", n.Name, "%s and MIP0 are both there; %s counts", name, name)
		}
	}
	return t, nil
}

func textureAnimation(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.TextureAnimation, error) {
	f := fields{n: n}
	a := &freelancer.TextureAnimation{Textures: f.word("Texture count"), FPS: f.float("FPS")}
	count := f.word("Frame count")
	raw := f.leaf("Frame rects", 0)
	if f.err != nil {
		return nil, f.err
	}
	if uint64(count) > uint64(len(raw)/20) {
		return nil, &schema.FormatError{Format: freelancer.Format, Path: n.Name + `\Frame rects`, Offset: 0, Field: "Frame count", Class: schema.ErrCount, Msg: "more frames than Frame rects holds"}
	}
	if len(raw)/20 > int(count) {
		d.Warnf("frame-count", n.Name, "%d frames are counted, %d are there", count, len(raw)/20)
	}
	a.Frames = make([]freelancer.FrameRect, count)
	for i := range a.Frames {
		e := raw[20*i:]
		a.Frames[i] = freelancer.FrameRect{Texture: u32(e, 0), U0: f32(e, 4), V0: f32(e, 8), U1: f32(e, 12), V1: f32(e, 16)}
	}
	return a, nil
}
