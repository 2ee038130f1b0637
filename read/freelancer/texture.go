package freelancer

import (
	"sort"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Textures reads the texture library of a tree's root (reference section 12). Pictures stay what they are: DDS and
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

// Texture reads the directory of a texture. Where several forms are present the first one of animation, CUBE, MIPS
// and MIPn counts.
func Texture(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.TextureEntry, error) {
	t := &freelancer.TextureEntry{Name: n.Name, Node: n}
	if n.Child("Frame rects") != nil {
		t.Form = freelancer.AnimatedTexture
		var err error
		t.Animation, err = textureAnimation(n, d)
		return t, err
	}
	if c := n.Child("CUBE"); c != nil {
		t.Form, t.Leaves = freelancer.CubeTexture, []*freelancer.Node{c}
		return t, nil
	}
	for _, name := range [...]string{"MIPS", "MIPU"} {
		if c := n.Child(name); c != nil {
			t.Form, t.Leaves = freelancer.DDSTexture, []*freelancer.Node{c}
			if n.Child("MIP0") != nil {
				d.Warnf("two-pictures", n.Name, "%s and MIP0 are both there; %s counts", name, name)
			}
			return t, nil
		}
	}
	for _, c := range n.Children {
		if _, ok := freelancer.MipLevel(c.Name); ok {
			t.Leaves = append(t.Leaves, c)
		}
	}
	sort.SliceStable(t.Leaves, func(i, j int) bool {
		a, _ := freelancer.MipLevel(t.Leaves[i].Name)
		b, _ := freelancer.MipLevel(t.Leaves[j].Name)
		return a < b
	})
	if len(t.Leaves) > 0 {
		t.Form = freelancer.TGATexture
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
