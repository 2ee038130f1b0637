package texture

import (
	"bytes"

	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/schema/asset"
)

// StoredRows is the value of Options.Freelancer.TextureRows, and of the scene's property "textureRows", for pictures with their rows
// in the order of the file, the lowest first (reference section 4, convention A).
const StoredRows = "stored"

// RowsStored tells whether the rows of a scene's pictures lie as in the file.
func RowsStored(s *asset.Scene, option string) bool {
	if s.Native != nil {
		if rows, ok := s.Native.Values["textureRows"].(string); ok {
			return rows == StoredRows
		}
		if s.Native.Format != "" {
			return false
		}
	}
	return option == StoredRows
}

// TurnRows turns all pictures of a scene upside down, and the texture coordinates with them.
func TurnRows(s *asset.Scene) {
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
					m := &list[i]
					m.Pix, m.Stored = bytes.Clone(m.Pix), nil
					flip(m)
				}
			}
		}
	}
}
