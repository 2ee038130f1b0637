package ultimate3d

import (
	"slices"

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
	for _, set := range m.TexCoordSet {
		w.U32(uint32(set))
	}
	w.U8(uint8(m.ExportResources))
	checkOpaque(w, m)
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

// checkOpaque refuses what a material holds beside bytes that nobody decoded, or without the flag that leads to it.
func checkOpaque(w *write.Buffer, m *ultimate3d.Material) {
	resources, effect := m.ExportResources.True(), m.EffectUsed.True()
	if !m.Opaque && len(m.Undecoded) > 0 {
		w.NoPlace("Undecoded", "material %q, which is decoded,", m.Name)
	}
	if m.Opaque && !resources && !effect {
		w.NoPlace("Opaque", "material %q, which has no resources and no effect,", m.Name)
	}
	if m.Opaque && resources && (effect || m.Textures != [8]*ultimate3d.Texture{}) {
		w.NoPlace("Textures", "material %q, whose resources are not decoded,", m.Name)
	}
	if m.Effect != nil && (m.Opaque || !effect) {
		w.NoPlace("Effect", "material %q, which uses none or one that is not decoded,", m.Name)
	}
}

// checkTexture refuses what a texture of its type has no place for.
func checkTexture(w *write.Buffer, t *ultimate3d.Texture, embedded bool) {
	image := t.Type == ultimate3d.ImageTexture || t.Type == ultimate3d.HeightTexture
	cube := t.Type == ultimate3d.CubeTexture
	faces := slices.ContainsFunc(t.FaceContents[:], func(b []byte) bool { return b != nil })
	for _, x := range [...]struct {
		field      string
		set, place bool
	}{
		{"Width", t.Width != 0, image || cube}, {"Height", t.Height != 0, image},
		{"HeightFactor", t.HeightFactor != 0, t.Type == ultimate3d.HeightTexture},
		{"File", t.File != "", image && !embedded}, {"Content", t.Content != nil, image && embedded},
		{"FaceFiles", t.FaceFiles != [6]string{}, cube && !embedded}, {"FaceContents", faces, cube && embedded},
	} {
		if x.set && !x.place {
			w.NoPlace(x.field, "texture %q of type %d", t.Identifier, t.Type)
		}
	}
}

func writeTexture(w *write.Buffer, t *ultimate3d.Texture, embedded bool) {
	if t == nil {
		w.U8(uint8(ultimate3d.False))
		return
	}
	checkTexture(w, t, embedded)
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
	if !e.Embedded.True() && len(e.VertexCode) > 0 || len(e.PixelCode) > 0 && (!e.Embedded.True() || e.PixelShader == "") {
		w.NoPlace("code", "an effect that has it in other files, or no such shader,")
	}
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
