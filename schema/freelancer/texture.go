package freelancer

import (
	"slices"
	"strings"
)

// TextureForm is how a texture is stored (reference section 12).
type TextureForm uint8

// The forms.
const (
	NoTexture       TextureForm = iota // a directory that holds no picture
	AnimatedTexture                    // frames cut out of other textures
	CubeTexture                        // CUBE: a DDS file with six faces
	DDSTexture                         // MIPS, or MIPU: a DDS file
	TGATexture                         // MIP0 … MIP9: a TGA file each
)

// TextureEntry is a directory of a texture library.
type TextureEntry struct {
	Name      string
	Form      TextureForm
	Leaves    []*Node // of CubeTexture and DDSTexture the one with the file, of TGATexture the levels from the largest
	Animation *TextureAnimation
	Node      *Node `json:"-" unwritten:"where it is written"`
}

// TextureIn returns the form of the texture in a directory of a texture library, and the leaves that hold the picture. If
// several forms are present, the first of animation, CUBE, MIPS and MIPn counts.
func TextureIn(n *Node) (form TextureForm, leaves []*Node) {
	if n.Child("Frame rects") != nil {
		return AnimatedTexture, nil
	}
	if c := n.Child("CUBE"); c != nil {
		return CubeTexture, []*Node{c}
	}
	for _, name := range [...]string{"MIPS", "MIPU"} {
		if c := n.Child(name); c != nil {
			return DDSTexture, []*Node{c}
		}
	}
	for _, c := range n.Children {
		if _, ok := MipLevel(c.Name); ok {
			leaves = append(leaves, c)
		}
	}
	if len(leaves) == 0 {
		return NoTexture, nil
	}
	slices.SortStableFunc(leaves, func(a, b *Node) int {
		i, _ := MipLevel(a.Name)
		k, _ := MipLevel(b.Name)
		return i - k
	})
	return TGATexture, leaves
}

// TextureAnimation is the content of an animated texture: frame k is the rectangle Frames[k] of the texture
// "<name>_<index>" in the same library.
type TextureAnimation struct {
	Textures uint32 // number of textures that frames are cut from
	FPS      float32
	Frames   []FrameRect
}

// FrameRect is a frame: two corners in texture coordinates. V usually runs downwards.
type FrameRect struct {
	Texture        uint32
	U0, V0, U1, V1 float32
}

// MipLevel returns the mip level of a leaf by its name: 3 for MIP3. Blanks around the name are ignored.
func MipLevel(leaf string) (int, bool) {
	name := strings.TrimSpace(leaf)
	if len(name) != 4 || !SameName(name[:3], "MIP") || name[3] < '0' || name[3] > '9' {
		return 0, false
	}
	return int(name[3] - '0'), true
}
