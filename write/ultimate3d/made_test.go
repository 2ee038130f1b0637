package ultimate3d_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// same expects that a chunk is read as it was written, and no part of it without an error.
func same[T any](t *testing.T, want T, b []byte, err error, read func([]byte) (T, error)) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for n := range b {
		if _, err := read(b[:n:n]); n > 0 && err == nil {
			t.Errorf("cut to %d of %d bytes and read", n, len(b))
		}
	}
	if _, err := read(append(b[:len(b):len(b)], 0)); err == nil {
		t.Error("read with a byte too many")
	}
}

// TestMadeBone has keys of every kind in both layouts.
func TestMadeBone(t *testing.T) {
	for _, layout := range []ultimate3d.KeyLayout{ultimate3d.EngineKeys, ultimate3d.LiteralKeys} {
		t.Run(fmt.Sprint(layout), func(t *testing.T) {
			want := madeBone(layout)
			b, err := write.BoneChunk(want, layout)
			same(t, want, b, err, func(b []byte) (*ultimate3d.Bone, error) { return read.BoneChunk(b, layout) })
		})
	}
}

func madeBone(layout ultimate3d.KeyLayout) *ultimate3d.Bone {
	b := &ultimate3d.Bone{}
	made.Fill(b)
	if layout == ultimate3d.EngineKeys {
		b.Fillers = [3]uint16{}
	}
	return b
}

// TestMadeMaterial has textures of every type and an effect, outside and inside the file.
func TestMadeMaterial(t *testing.T) {
	for _, inside := range []bool{false, true} {
		t.Run(fmt.Sprint("inside ", inside), func(t *testing.T) {
			want := madeMaterial(inside)
			b, err := write.MaterialChunk(want)
			same(t, want, b, err, func(b []byte) (*ultimate3d.Material, error) { return read.MaterialChunk(b, false) })
		})
	}
}

func madeMaterial(inside bool) *ultimate3d.Material {
	want := &ultimate3d.Material{}
	made.Fill(want, "Opaque", "Undecoded", "Textures")
	want.EffectUsed, want.ExportResources, want.Effect.Embedded = 1, 0, 0
	for i := range 5 {
		x := &ultimate3d.Texture{Used: 1, Type: ultimate3d.TextureType(i % 4), Identifier: fmt.Sprint("texture ", i)}
		switch x.Type {
		case ultimate3d.ImageTexture:
			x.Width, x.Height, x.File = 8, 4, "a.png"
		case ultimate3d.HeightTexture:
			x.Width, x.Height, x.HeightFactor, x.File = 16, 2, 0.5, "b.png"
		case ultimate3d.CubeTexture:
			x.Width, x.FaceFiles = 32, [6]string{"1", "2", "3", "4", "5", "6"}
		}
		if inside {
			if x.File != "" {
				x.Content = []byte(x.File)
			}
			for k, f := range x.FaceFiles {
				if f != "" {
					x.FaceContents[k] = []byte(f)
				}
			}
			x.File, x.FaceFiles = "", [6]string{}
		}
		want.Textures[i+i/4] = x
	}
	if inside {
		want.ExportResources, want.Effect.Embedded = 1, 1
	} else {
		want.Effect.VertexCode, want.Effect.PixelCode = nil, nil
	}
	return want
}

// TestMadeMesh has every array of a mesh, in three vertices and two triangles.
func TestMadeMesh(t *testing.T) {
	want := madeMesh()
	b, err := write.MeshChunks([]*ultimate3d.Mesh{want})
	same(t, []*ultimate3d.Mesh{want}, b, err, func(b []byte) ([]*ultimate3d.Mesh, error) { return read.MeshChunks(b, false) })
}

func madeMesh() *ultimate3d.Mesh {
	want := &ultimate3d.Mesh{}
	made.Fill(want, "Vertices", "SharedTriangles")
	want.TexCoordDimensions = [8]uint16{2, 0, 3}
	want.TexCoords = [8][]float32{{1, 2, 3, 4}, nil, {1, 2, 3, 4, 5, 6}}
	want.StoredWeights, want.Weights, want.WeightBones = 3, []float32{.1, .2, .3, .4, .5, .6}, [][4]uint8{{1, 2, 3, 4}, {5, 6, 7, 8}}
	want.UseTextureCoordinateBuffer, want.TextureCoordinatesOwned, want.TrianglesOwned, want.ValidInverseTangentSpace = 1, 1, 1, 0
	want.Triangles = [][3]uint16{{0, 1, 0}, {1, 0, 1}}
	want.Shadow.VertexCount, want.Shadow.Vertices = 2, make([]byte, 2*ultimate3d.ShadowVertexSize(3))
	for i := range want.Shadow.Vertices {
		want.Shadow.Vertices[i] = byte(i)
	}
	return want
}

// TestMadeDimensions has texture coordinates of up to four dimensions; five are refused.
func TestMadeDimensions(t *testing.T) {
	for dimension := uint16(1); dimension <= 5; dimension++ {
		m := smallMesh()
		m.TexCoordDimensions[0], m.TexCoords[0] = dimension, make([]float32, 2*dimension)
		b, err := write.MeshChunks([]*ultimate3d.Mesh{m})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read.MeshChunks(b, false); (err == nil) != (dimension <= 4) {
			t.Errorf("%d dimensions: %v", dimension, err)
		}
	}
}

// TestLiteralBonesWithoutKeys: the fillers alone tell the layout of the published text.
func TestLiteralBonesWithoutKeys(t *testing.T) {
	for _, layout := range []ultimate3d.KeyLayout{ultimate3d.EngineKeys, ultimate3d.LiteralKeys} {
		m := madeModels()["bones"]
		m.Layout, m.Bones = layout, []*ultimate3d.Bone{{Name: "root", Parent: ultimate3d.RootParent}}
		b, err := write.U3D(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read.U3D(b, nil); err != nil || got.Layout != layout || len(got.Bones) != 1 || len(got.Trailing) != 0 {
			t.Errorf("layout %v: %+v, %v", layout, got, err)
		}
	}
}
