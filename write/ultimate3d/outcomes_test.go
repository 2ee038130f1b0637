package ultimate3d_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/damage"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// TestOutcomes holds what becomes of damaged models and chunks, and of values that nobody should write.
func TestOutcomes(t *testing.T) {
	table := damage.Open(t, "outcomes", "ultimate3d.tsv")
	for name, m := range madeModels() {
		damage.Codec(t, table, name, m, write.U3D, read.U3D)
	}
	for _, layout := range []ultimate3d.KeyLayout{ultimate3d.EngineKeys, ultimate3d.LiteralKeys} {
		damage.Codec(t, table, fmt.Sprint("bone ", layout), madeBone(layout),
			func(b *ultimate3d.Bone) ([]byte, error) { return write.BoneChunk(b, layout) },
			func(b []byte, _ *schema.Diagnostics) (*ultimate3d.Bone, error) { return read.BoneChunk(b, layout) })
	}
	for _, inside := range []bool{false, true} {
		for _, opaque := range []bool{false, true} {
			damage.Codec(t, table, fmt.Sprintf("material, inside %v, opaque %v", inside, opaque), madeMaterial(inside), write.MaterialChunk,
				func(b []byte, _ *schema.Diagnostics) (*ultimate3d.Material, error) {
					return read.MaterialChunk(b, opaque)
				})
		}
	}
	for _, literal := range []bool{false, true} {
		damage.Codec(t, table, fmt.Sprint("mesh, literal shadows ", literal), &[]*ultimate3d.Mesh{madeMesh()},
			func(list *[]*ultimate3d.Mesh) ([]byte, error) { return write.MeshChunks(*list) },
			func(b []byte, _ *schema.Diagnostics) (*[]*ultimate3d.Mesh, error) {
				list, err := read.MeshChunks(b, literal)
				return &list, err
			})
	}
	table.Run(t, "encrypted", func(t *testing.T, add func(what, outcome string)) {
		for _, filler := range []int{0, 1, 5, 259, 260, 261} {
			damage.Bytes(encrypted(filler), damage.Payload(read.U3D, write.U3D), func(what, outcome string) { add(fmt.Sprint(filler, " ", what), outcome) })
		}
	})
}

// madeModels are small models of each kind: with levels of detail, with frames that share arrays, with bones in both
// layouts, with weights, with materials that cannot be decoded, and with shadows that only the published text reads.
func madeModels() map[string]*ultimate3d.Model {
	plain := func(edit func(m *ultimate3d.Model)) *ultimate3d.Model {
		m := &ultimate3d.Model{}
		made.Fill(m, "Meshes", "Materials", "Bones", "Trailing", "Layout")
		m.Version, m.MeshesPerFrame, m.Frames, m.LODs, m.LODLevels, m.LODDistancesSq = 1, 1, 1, 1, nil, nil
		m.Meshes, m.Materials = []*ultimate3d.Mesh{smallMesh()}, []*ultimate3d.Material{smallMaterial("a"), smallMaterial("b")}
		edit(m)
		return m
	}
	boned := func(layout ultimate3d.KeyLayout) *ultimate3d.Model {
		return plain(func(m *ultimate3d.Model) {
			m.Layout, m.Bones = layout, []*ultimate3d.Bone{madeBone(layout), madeBone(layout)}
			m.Bones[0].Parent, m.Bones[1].Parent = ultimate3d.RootParent, 0
			made.Each(m, func(a *ultimate3d.Attachment) { a.Mesh = 0 })
		})
	}
	models := map[string]*ultimate3d.Model{
		"plain": plain(func(m *ultimate3d.Model) {}),
		"levels": plain(func(m *ultimate3d.Model) {
			m.LODs, m.LODLevels, m.LODDistancesSq = 2, []float32{0.5}, []float32{100}
			m.Meshes = append(m.Meshes, smallMesh())
		}),
		"frames": plain(func(m *ultimate3d.Model) {
			second := smallMesh()
			second.Frame, second.TrianglesOwned, second.TextureCoordinatesOwned = 1, 0, 0
			second.Triangles, second.TriangleMaterials, second.TexCoords, second.SharedTriangles = nil, nil, [8][]float32{}, 2
			m.Frames, m.Meshes = 2, append(m.Meshes, second)
		}),
		"bones":         boned(ultimate3d.EngineKeys),
		"literal bones": boned(ultimate3d.LiteralKeys),
		"bones and trailing": func() *ultimate3d.Model {
			m := boned(ultimate3d.EngineKeys)
			m.Trailing = []byte("left")
			return m
		}(),
		"weights": func() *ultimate3d.Model {
			m := boned(ultimate3d.EngineKeys)
			x := m.Meshes[0]
			x.StoredWeights, x.Weights, x.WeightBones = 1, []float32{0.5, 0.25}, [][4]uint8{{0, 1}, {1, 0}}
			x.Shadow = ultimate3d.ShadowVolume{}
			made.Each(m, func(b *ultimate3d.Bone) { b.Attachments = b.Attachments[:1] })
			return m
		}(),
		"opaque": plain(func(m *ultimate3d.Model) {
			m.Materials[0].Opaque, m.Materials[0].ExportResources, m.Materials[0].Undecoded = true, 1, []byte{1, 99, 0, 0, 0}
			m.Materials[0].Textures = [8]*ultimate3d.Texture{}
		}),
		"literal shadow": plain(func(m *ultimate3d.Model) {
			m.Meshes[0].Shadow = ultimate3d.ShadowVolume{VertexCount: 1, Vertices: bytes.Repeat([]byte{7}, ultimate3d.ShadowVertexSize(0))}
		}),
	}
	return models
}

// smallMesh has two vertices, two triangles and a shadow.
func smallMesh() *ultimate3d.Mesh {
	m := madeMesh()
	m.Frame, m.StoredWeights, m.Weights, m.WeightBones = 0, 0, nil, nil
	m.TexCoordDimensions, m.TexCoords = [8]uint16{2}, [8][]float32{{1, 2, 3, 4}}
	m.TriangleMaterials = []uint16{0, 1}
	m.Shadow.Vertices = m.Shadow.Vertices[:2*ultimate3d.ShadowVertexSize(0)]
	return m
}

func smallMaterial(name string) *ultimate3d.Material {
	m := &ultimate3d.Material{}
	made.Fill(m, "Opaque", "Undecoded", "Textures", "Effect", "EffectUsed", "ExportResources")
	m.Name = name
	m.Textures[2] = &ultimate3d.Texture{Used: 1, Identifier: "x", Width: 8, Height: 4, File: "x.png"}
	return m
}

// encrypted looks as a file with a password does: bytes replaced by others, from the last to the first, filler, a zero.
func encrypted(filler int) []byte {
	b := []byte(ultimate3d.Magic + "\x00\x00\x80\x3Fand more")
	for i := range b {
		b[i] = b[i]*5 + 3
	}
	slices.Reverse(b)
	return append(append(b, bytes.Repeat([]byte{0x11}, filler)...), 0)
}
