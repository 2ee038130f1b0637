package ultimate3d

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/write"
)

// MeshChunks encodes mesh chunks one after the other, without a model file.
func MeshChunks(list []*ultimate3d.Mesh) ([]byte, error) {
	if i := slices.Index(list, nil); i >= 0 {
		return nil, schema.Errorf(ultimate3d.FormatName, schema.ErrValue, "mesh", "mesh %d is nil", i)
	}
	w := write.NewBuffer(ultimate3d.FormatName, sizeOf(&ultimate3d.Model{Meshes: list}))
	for _, m := range list {
		writeMesh(w, m)
	}
	return w.Finish()
}

// MaterialChunk encodes a material chunk without a model file.
func MaterialChunk(m *ultimate3d.Material) ([]byte, error) {
	w := write.NewBuffer(ultimate3d.FormatName, 256)
	writeMaterial(w, m)
	return w.Finish()
}

// BoneChunk encodes a bone chunk without a model file.
func BoneChunk(b *ultimate3d.Bone, layout ultimate3d.KeyLayout) ([]byte, error) {
	w := write.NewBuffer(ultimate3d.FormatName, 256)
	writeBone(w, b, layout)
	return w.Finish()
}
