package freelancer

import (
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
)

// storedRows is the value of Options.Freelancer.TextureRows, and of the scene's property "textureRows", for pictures with their rows
// in the order of the file, the lowest first (reference section 4, convention A).
const storedRows = "stored"

// rowsStored tells whether the rows of a scene's pictures lie as in the file.
func rowsStored(s *asset.Scene, option string) bool {
	if s.Native != nil {
		if rows, ok := s.Native.Values["textureRows"].(string); ok {
			return rows == storedRows
		}
		if s.Native.Format != "" {
			return false
		}
	}
	return option == storedRows
}

// turnRows turns all pictures of a scene upside down, and the texture coordinates with them.
func turnRows(s *asset.Scene) {
	turned := map[*[2]float32][][2]float32{} // primitives may share them
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			for set, uv := range p.TexCoords {
				if len(uv) == 0 {
					continue
				}
				if turned[&uv[0]] == nil {
					turned[&uv[0]] = space.FlipV(uv)
				}
				p.TexCoords[set] = turned[&uv[0]]
			}
		}
	}
	for _, t := range s.Textures {
		t.File = nil
		for f := range t.Frames {
			for _, list := range [...][]asset.Image{t.Frames[f].Mips, t.Frames[f].Faces} {
				for i := range list {
					turnImage(&list[i])
				}
			}
		}
	}
}

func turnImage(m *asset.Image) {
	row := m.Width * m.Format.Bytes()
	pix := make([]byte, len(m.Pix))
	for y := range m.Height {
		copy(pix[y*row:(y+1)*row], m.Pix[(m.Height-1-y)*row:])
	}
	m.Pix, m.Stored = pix, nil
}
