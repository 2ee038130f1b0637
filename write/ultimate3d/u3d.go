// Package ultimate3d writes the model files of the engine Ultimate 3D. [U3D] writes a whole file.
package ultimate3d

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/write"
)

// U3D encodes a model. A model that the reader returned gives the same bytes. It refuses a model that breaks the rules of
// the format (see [ultimate3d.Model.Check]) or exceeds one of its counts. Source: reference sections 2 to 6.
func U3D(m *ultimate3d.Model) ([]byte, error) {
	if slices.Contains(m.Meshes, nil) || slices.Contains(m.Materials, nil) || slices.Contains(m.Bones, nil) {
		return nil, schema.Errorf(ultimate3d.FormatName, schema.ErrValue, "chunks", "a mesh, material or bone is nil")
	}
	if err := m.Check(nil, nil); err != nil {
		return nil, err
	}
	if len(m.Bones) == 0 && m.Layout != ultimate3d.EngineKeys {
		return nil, schema.Errorf(ultimate3d.FormatName, schema.ErrMismatch, "Layout", "a model without bones has no layout of keys")
	}
	w := write.NewBuffer(ultimate3d.FormatName, sizeOf(m))
	header(w, m)
	for _, mesh := range m.Meshes {
		writeMesh(w, mesh)
	}
	for _, material := range m.Materials {
		writeMaterial(w, material)
	}
	for _, bone := range m.Bones {
		writeBone(w, bone, m.Layout)
	}
	w.Bytes(m.Trailing)
	return w.Finish()
}

func header(w *write.Buffer, m *ultimate3d.Model) {
	w.Raw(ultimate3d.Magic)
	if !(m.Version <= 1) || math.IsInf(float64(m.Version), 0) {
		w.Failf(schema.ErrUnsupported, "FileVersion", "version %g, only 1.0 is known", m.Version)
	}
	w.F32(m.Version)
	w.Count16(len(m.Meshes), "nMesh")
	w.U16(m.MeshesPerFrame)
	w.U32(m.Frames)
	w.U16(m.LODs)
	w.Count16(len(m.Materials), "nMaterial")
	w.Count16(len(m.Bones), "nBone")
	w.F32(m.CelShadingStrength)
	w.Floats(m.CelShadingColor[:]...)
	w.U8(uint8(m.AlphaBlending))
	w.U8(uint8(m.VertexTweening))
	w.Floats(m.LODLevels...)
	w.Floats(m.LODDistancesSq...)
}

// sizeOf returns about as many bytes as the file will have: vertices and triangles make up nearly all of it.
func sizeOf(m *ultimate3d.Model) int {
	n := ultimate3d.HeaderSize + 8*len(m.LODLevels) + len(m.Trailing)
	for _, mesh := range m.Meshes {
		n += 128 + 14*len(mesh.Positions) + 4*len(mesh.Weights) + 4*len(mesh.WeightBones) + 8*len(mesh.Triangles)
		n += len(mesh.Shadow.Vertices) + 6*len(mesh.Shadow.Triangles)
		for _, set := range mesh.TexCoords {
			n += 4 * len(set)
		}
	}
	for _, material := range m.Materials {
		n += 256 + len(material.Undecoded)
		for _, t := range material.Textures {
			if t != nil {
				n += 64 + len(t.Content)
			}
		}
	}
	for _, bone := range m.Bones {
		n += 64 + 66*len(bone.Attachments) + 16*(len(bone.Scaling)+len(bone.Translation)) + 20*len(bone.Rotation)
	}
	return n
}
