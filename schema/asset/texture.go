package asset

// Texture is a picture, or several: frames of an animation, each with mip levels, each with faces.
type Texture struct {
	Name    string
	Frames  []Frame
	Palette []RGBA    // colours of Indexed8 images, at most 256
	Alpha   AlphaMode // how the source uses alpha
	FPS     float32   // playback speed of the frames in frames a second; 0 if unknown
	URI     string    // file name by which the source refers to it; empty if it is stored inside the source
	File    *Stored   // the picture file as it was read (PNG, JPEG …), its type as Encoding; kept until edited
	Extras  map[string]any
	Native  *Native
}

// RGBA is a colour with straight alpha as displayed (sRGB), 0 … 255.
type RGBA [4]uint8

// Frame is one picture of an animation.
type Frame struct {
	Name  string
	Mips  []Image // full size first; never empty
	Faces []Image // of a cube map: −X +Y −Y +Z −Z, while Mips[0] is +X; empty for other pictures
}

// PixelFormat is the layout of Image.Pix.
type PixelFormat uint8

// The pixel formats.
const (
	RGBA8    PixelFormat = iota // 4 bytes: red, green, blue, straight alpha
	Indexed8                    // 1 byte into Texture.Palette
	Gray8                       // 1 byte
	Gray16                      // 2 bytes, little-endian: height fields
)

// Bytes returns the size of one pixel.
func (f PixelFormat) Bytes() int {
	switch f {
	case RGBA8:
		return 4
	case Gray16:
		return 2
	}
	return 1
}

// Image is one grid of pixels, rows from the top, no padding.
type Image struct {
	Width, Height int
	Format        PixelFormat
	Pix           []byte
	Stored        *Stored // the encoded form that Pix was decoded from
}

// NewImage returns a zeroed image.
func NewImage(width, height int, format PixelFormat) Image {
	return Image{Width: width, Height: height, Format: format, Pix: make([]byte, width*height*format.Bytes())}
}

// Base returns the full-size image of the first frame, or nil if its pixels are not decoded.
func (t *Texture) Base() *Image {
	if len(t.Frames) == 0 || len(t.Frames[0].Mips) == 0 {
		return nil
	}
	return &t.Frames[0].Mips[0]
}
