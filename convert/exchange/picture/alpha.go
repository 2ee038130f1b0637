package picture

import "github.com/usher-assets/usher/schema/asset"

// Alpha reports whether an image has fully transparent pixels, and whether it has partly transparent ones. Both are false
// if pixels of the image are missing.
func Alpha(m *asset.Image, palette []asset.RGBA) (clear, soft bool) {
	full, err := RGBA(m, palette)
	if err != nil {
		return false, false
	}
	for i := 3; i < len(full.Pix); i += 4 {
		switch full.Pix[i] {
		case 0:
			clear = true
		case 255:
		default:
			soft = true
		}
	}
	return clear, soft
}
