package ultimate3d

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/write"
)

// writeMaterial appends a material chunk (reference section 5).
func writeMaterial(w *write.Buffer, m *ultimate3d.Material) {
	w.Raw(ultimate3d.MaterialMagic)
	w.CString(m.Name, "Name")
	for _, color := range [][4]float32{m.Diffuse, m.Ambient, m.Specular, m.Emissive} {
		w.Floats(color[:]...)
	}
	w.F32(m.SpecularPower)
	w.U16(m.TextureCount)
	for _, op := range m.ColorOp {
		w.U32(uint32(op))
	}
	w.U32s(m.TexCoordSet[:])
	w.U8(uint8(m.ExportResources))
	if m.Opaque && m.ExportResources.True() {
		w.Bytes(m.Undecoded)
		return
	}
	for _, t := range m.Textures {
		writeTexture(w, t, m.ExportResources.True())
	}
	w.U8(uint8(m.EffectUsed))
	if !m.EffectUsed.True() {
		return
	}
	if m.Opaque {
		w.Bytes(m.Undecoded)
		return
	}
	if m.Effect == nil {
		w.Failf(schema.ErrMismatch, "EffectUsed", "material %q uses an effect and has none", m.Name)
		return
	}
	writeEffect(w, m.Effect)
}

func writeTexture(w *write.Buffer, t *ultimate3d.Texture, embedded bool) {
	if t == nil {
		w.U8(uint8(ultimate3d.False))
		return
	}
	if !t.Used.True() {
		w.Failf(schema.ErrValue, "pTextureData", "texture %q is marked unused", t.Identifier)
	}
	w.U8(uint8(t.Used))
	w.U32(uint32(t.Type))
	w.CString(t.Identifier, "Identifier")
	switch t.Type {
	case ultimate3d.ImageTexture, ultimate3d.HeightTexture:
		w.U16(t.Width)
		w.U16(t.Height)
		if t.Type == ultimate3d.HeightTexture {
			w.F32(t.HeightFactor)
		}
		if embedded {
			writeContent(w, t.Content)
		} else {
			w.CString(t.File, "file name")
		}
	case ultimate3d.CubeTexture:
		w.U16(t.Width)
		for i := range t.FaceFiles {
			if embedded {
				writeContent(w, t.FaceContents[i])
			} else {
				w.CString(t.FaceFiles[i], "face file name")
			}
		}
	case ultimate3d.NoFileTexture:
	default:
		w.Failf(schema.ErrValue, "type", "texture type %d, at most 3", t.Type)
	}
}

func writeContent(w *write.Buffer, b []byte) {
	w.Count32(len(b), "size")
	w.Bytes(b)
}

// writeEffect appends an effect block (reference section 5.3).
func writeEffect(w *write.Buffer, e *ultimate3d.Effect) {
	w.U8(uint8(e.Embedded))
	w.CString(e.VertexShader, "vertex shader")
	w.Bytes(e.Declaration[:])
	if e.Embedded.True() {
		writeTokens(w, e.VertexCode)
	}
	w.CString(e.PixelShader, "pixel shader")
	if e.Embedded.True() && e.PixelShader != "" {
		writeTokens(w, e.PixelCode)
	}
	w.U32s(e.VertexMeanings[:])
	for i := range e.VertexConstants {
		w.Floats(e.VertexConstants[i][:]...)
	}
	w.U32s(e.PixelMeanings[:])
	for i := range e.PixelConstants {
		w.Floats(e.PixelConstants[i][:]...)
	}
	w.U16s(e.Lights[:])
}

func writeTokens(w *write.Buffer, code []uint32) {
	w.Count32(len(code), "shader tokens")
	w.U32s(code)
}
