package ultimate3d_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
)

// sidecar is what the corpus says a file holds.
type sidecar struct {
	Layout string
	Header struct {
		Version                                                float32
		NMesh, NMeshesPerFrame, NFrame, NLOD, NMaterial, NBone int
		CelStrength                                            float32
		CelColor                                               [4]float32
		AlphaBlending, VertexTweening                          int
		LodLevel, LodDistSq                                    []float32
	}
	Meshes []struct {
		Name                                               string
		Frame                                              int
		LOD, NormalScalar                                  float32
		ValidInverseTangentSpaceMatrices                   any
		NVertex                                            int
		TexCoordDimensions                                 [8]uint16
		NSkinWeight, IMaxBlendingMatrix                    int
		NShadowVolumeVertex, NShadowVolumeTriangle         int
		ShadowVertices                                     []shadowVertex
		ShadowTriangles                                    [][3]uint16
		UseTextureCoordinateBuffer, TextureCoordinateOwned bool
		NTriangle                                          int
		TrianglesOwned                                     bool
		SharesWithMesh                                     *int
		Positions                                          [][3]float32
		NormalsRaw                                         [][2]int8
		Normals                                            [][3]float64
		TexCoords                                          [][]any
		SkinWeights                                        [][]float32
		SkinIndices                                        [][]int
		SkinWeightsFull                                    [][]float64
		Triangles                                          [][3]uint16
		TriangleMaterials                                  []uint16
		PositionsSha256, NormalsRawSha256, TrianglesSha256 string
		TexCoordSet0Sha256                                 string
	}
	Materials []struct {
		Name                                 string
		ColorsInFileOrder                    [][4]float32
		Diffuse, Ambient, Specular, Emissive [4]float32
		Power                                float32
		NTexture                             uint16
		ColorOp                              [8]ultimate3d.ColorOp
		TexCoordSet                          [8]uint32
		ExportResources, EffectUsed, Opaque  bool
		Textures                             []*struct {
			Type           uint32
			Identifier     string
			Width, Height  uint16
			HeightFactor   float32
			File           string
			EmbeddedBytes  int
			EmbeddedSha256 string
			Faces          []any
		}
	}
	Bones []struct {
		Name                         string
		Parent                       *uint16
		BoneFrame                    float32
		PassOnBoneFrame              bool
		Meshes                       []uint16
		MeshTransformations          [][16]float32
		ScalingKeys, TranslationKeys []struct {
			Frame uint16
			Value [3]float32
		}
		RotationKeys []struct {
			Frame uint16
			Value [4]float32 `json:"value_xyzw"`
		}
	}
	Poses []struct {
		Frame            float64
		BoneToWorld      [][16]float64
		SkinnedPositions [][3]float64
	}
}

type shadowVertex struct {
	Pos, Nrm [3]float32
	W        []float32
	Idx      []uint8
}

func valid(e corpus.Entry) bool { return e.Expected == "ok" || e.Expected == "warning" }

func load(t *testing.T, path string) (*ultimate3d.Model, *schema.Diagnostics) {
	t.Helper()
	var d schema.Diagnostics
	m, err := read.U3D(corpus.Bytes(t, path), &d)
	if err != nil {
		t.Fatal(err)
	}
	return m, &d
}

func warnings(d *schema.Diagnostics) (list []string) {
	for _, x := range d.All() {
		if x.Severity == schema.Warning {
			list = append(list, x.String())
		}
	}
	return list
}

func TestSidecars(t *testing.T) {
	for _, e := range corpus.Manifest(t, "ultimate3d") {
		if !valid(e) {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			m, d := load(t, e.Path)
			if w := warnings(d); (len(w) > 0) != (e.Expected == "warning" || m.Layout == ultimate3d.LiteralKeys) {
				t.Errorf("expected %q, got the warnings %q", e.Expected, w)
			}
			var s sidecar
			corpus.JSON(t, e.Path+".json", &s)
			checkHeader(t, m, &s)
			checkMeshes(t, m, &s)
			checkMaterials(t, m, &s)
			checkBones(t, m, &s)
			checkPoses(t, m, &s)
		})
	}
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func sameList[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d elements, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s %d: got %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func near(t *testing.T, what string, got, want []float64, limit float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= limit) {
			t.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
}

func checkHeader(t *testing.T, m *ultimate3d.Model, s *sidecar) {
	h := &s.Header
	same(t, "version", m.Version, h.Version)
	same(t, "nMesh", len(m.Meshes), h.NMesh)
	same(t, "nMeshesPerFrame", int(m.MeshesPerFrame), h.NMeshesPerFrame)
	same(t, "nFrame", int(m.Frames), h.NFrame)
	same(t, "nLOD", int(m.LODs), h.NLOD)
	same(t, "nMaterial", len(m.Materials), h.NMaterial)
	same(t, "nBone", len(m.Bones), h.NBone)
	same(t, "CelShadingStrength", m.CelShadingStrength, h.CelStrength)
	same(t, "CelShadingColor", m.CelShadingColor, h.CelColor)
	same(t, "AlphaBlending", int(m.AlphaBlending), h.AlphaBlending)
	same(t, "VertexTweening", int(m.VertexTweening), h.VertexTweening)
	sameList(t, "lodLevel", m.LODLevels, h.LodLevel)
	sameList(t, "lodDistSq", m.LODDistancesSq, h.LodDistSq)
	same(t, "layout", m.Layout == ultimate3d.LiteralKeys, s.Layout == "spec-literal")
}

func hash(v any) string {
	b, _ := binary.Append(nil, binary.LittleEndian, v)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func checkMeshes(t *testing.T, m *ultimate3d.Model, s *sidecar) {
	for i, want := range s.Meshes {
		got := m.Meshes[i]
		same(t, "name", got.Name, want.Name)
		same(t, "frame", int(got.Frame), want.Frame)
		same(t, "lod", got.LOD, want.LOD)
		same(t, "normalScalar", got.NormalScalar, want.NormalScalar)
		same(t, "tangent space", got.ValidInverseTangentSpace.True(), truth(want.ValidInverseTangentSpaceMatrices))
		same(t, "nVertex", len(got.Positions), want.NVertex)
		same(t, "dimensions", got.TexCoordDimensions, want.TexCoordDimensions)
		same(t, "nSkinWeight", int(got.StoredWeights), want.NSkinWeight)
		same(t, "iMaxBlendingMatrix", int(got.MaxBlendingMatrix), want.IMaxBlendingMatrix)
		same(t, "shadow vertices", int(got.Shadow.VertexCount), want.NShadowVolumeVertex)
		same(t, "shadow triangles", len(got.Shadow.Triangles), want.NShadowVolumeTriangle)
		same(t, "use buffer", got.UseTextureCoordinateBuffer.True(), want.UseTextureCoordinateBuffer)
		same(t, "texture coordinates owned", got.TextureCoordinatesOwned.True(), want.TextureCoordinateOwned)
		same(t, "nTriangle", got.TriangleCount(), want.NTriangle)
		same(t, "triangles owned", got.TrianglesOwned.True(), want.TrianglesOwned)
		if want.SharesWithMesh != nil {
			same(t, "base", m.Base(i), *want.SharesWithMesh)
		}
		if len(want.ShadowVertices) > 0 {
			var b []byte
			for _, v := range want.ShadowVertices {
				for _, part := range []any{v.Pos, v.Nrm, v.W, v.Idx} {
					b, _ = binary.Append(b, binary.LittleEndian, part)
				}
			}
			corpus.SameBytes(t, "shadow vertices", got.Shadow.Vertices, b)
			sameList(t, "shadow triangles", got.Shadow.Triangles, want.ShadowTriangles)
		}
		if want.PositionsSha256 != "" {
			same(t, "positions", hash(got.Positions), want.PositionsSha256)
			same(t, "normals", hash(got.Normals), want.NormalsRawSha256)
			same(t, "triangles", hash(got.Triangles), want.TrianglesSha256)
			same(t, "texture coordinates", hash(got.TexCoords[0]), want.TexCoordSet0Sha256)
			continue
		}
		sameList(t, "positions", got.Positions, want.Positions)
		for v, n := range want.NormalsRaw {
			same(t, "raw normal", [2]int8(got.Normals[v]), n)
			d := got.Normals[v].Vector()
			near(t, "normal", []float64{float64(d[0]), float64(d[1]), float64(d[2])}, want.Normals[v][:], 1e-5)
		}
		for k, set := range want.TexCoords {
			flat, dimension := m.TexCoordsOf(i, k)
			if !got.TextureCoordinatesOwned.True() {
				flat = got.TexCoords[k]
			}
			same(t, "texture coordinates", len(flat), len(set)*dimension)
			for v := range set {
				for a, x := range floats(set[v]) {
					same(t, "texture coordinate", flat[v*dimension+a], x)
				}
			}
		}
		for v, w := range want.SkinWeights {
			sameList(t, "weights", got.Weights[v*len(w):(v+1)*len(w)], w)
			for k, index := range want.SkinIndices[v] {
				same(t, "weight bone", int(got.WeightBones[v][k]), index)
			}
		}
		for v, w := range want.SkinWeightsFull {
			full, _ := got.WeightsOf(v)
			for k := range w {
				near(t, "full weight", []float64{float64(full[k])}, w[k:k+1], 1e-5)
			}
		}
		triangles, materials := got.Triangles, got.TriangleMaterials
		sameList(t, "triangles", triangles, want.Triangles)
		sameList(t, "triangle materials", materials, want.TriangleMaterials)
	}
}

// floats takes a vertex of a texture coordinate set: a list, or a bare number for one dimension.
func floats(v any) (list []float32) {
	if x, ok := v.(float64); ok {
		return []float32{float32(x)}
	}
	for _, x := range v.([]any) {
		list = append(list, float32(x.(float64)))
	}
	return list
}

func checkMaterials(t *testing.T, m *ultimate3d.Model, s *sidecar) {
	for i, want := range s.Materials {
		got := m.Materials[i]
		same(t, "name", got.Name, want.Name)
		same(t, "diffuse", got.Diffuse, want.Diffuse)
		same(t, "ambient", got.Ambient, want.Ambient)
		same(t, "specular", got.Specular, want.Specular)
		same(t, "emissive", got.Emissive, want.Emissive)
		same(t, "power", got.SpecularPower, want.Power)
		same(t, "nTexture", got.TextureCount, want.NTexture)
		same(t, "colorOp", got.ColorOp, want.ColorOp)
		same(t, "texCoordSet", got.TexCoordSet, want.TexCoordSet)
		same(t, "exportResources", got.ExportResources.True(), want.ExportResources)
		same(t, "opaque", got.Opaque, want.Opaque)
		if !want.Opaque {
			same(t, "effectUsed", got.EffectUsed.True(), want.EffectUsed)
		}
		for k, record := range want.Textures {
			texture := got.Textures[k]
			if record == nil {
				same(t, "texture", texture, nil)
				continue
			}
			same(t, "type", uint32(texture.Type), record.Type)
			same(t, "identifier", texture.Identifier, record.Identifier)
			same(t, "width", texture.Width, record.Width)
			same(t, "height", texture.Height, record.Height)
			same(t, "height factor", texture.HeightFactor, record.HeightFactor)
			same(t, "file", texture.File, record.File)
			same(t, "content", len(texture.Content), record.EmbeddedBytes)
			if record.EmbeddedSha256 != "" {
				same(t, "content", hash(texture.Content), record.EmbeddedSha256)
			}
			for f, face := range record.Faces {
				switch face := face.(type) {
				case string:
					same(t, "face", texture.FaceFiles[f], face)
				case map[string]any:
					same(t, "face", hash(texture.FaceContents[f]), face["sha256"].(string))
				}
			}
		}
	}
}

func checkBones(t *testing.T, m *ultimate3d.Model, s *sidecar) {
	for i, want := range s.Bones {
		got := m.Bones[i]
		same(t, "name", got.Name, want.Name)
		parent := uint16(ultimate3d.RootParent)
		if want.Parent != nil {
			parent = *want.Parent
		}
		same(t, "parent", got.Parent, parent)
		same(t, "boneFrame", got.BoneFrame, want.BoneFrame)
		same(t, "passOnBoneFrame", got.PassOnBoneFrame.True(), want.PassOnBoneFrame)
		same(t, "attachments", len(got.Attachments), len(want.Meshes))
		for k := range want.Meshes {
			same(t, "attached mesh", got.Attachments[k].Mesh, want.Meshes[k])
			same(t, "mesh transformation", got.Attachments[k].Transformation, want.MeshTransformations[k])
		}
		same(t, "scaling keys", len(got.Scaling), len(want.ScalingKeys))
		for k, key := range want.ScalingKeys {
			same(t, "scaling key", got.Scaling[k].Frame, key.Frame)
			same(t, "scaling key", got.Scaling[k].Value, key.Value)
		}
		same(t, "translation keys", len(got.Translation), len(want.TranslationKeys))
		for k, key := range want.TranslationKeys {
			same(t, "translation key", got.Translation[k].Frame, key.Frame)
			same(t, "translation key", got.Translation[k].Value, key.Value)
		}
		same(t, "rotation keys", len(got.Rotation), len(want.RotationKeys))
		for k, key := range want.RotationKeys {
			same(t, "rotation key", got.Rotation[k].Frame, key.Frame)
			same(t, "rotation key", got.Rotation[k].Value, key.Value)
		}
	}
}

func checkPoses(t *testing.T, m *ultimate3d.Model, s *sidecar) {
	for _, pose := range s.Poses {
		world := m.BoneToWorld(pose.Frame)
		same(t, "bones", len(world), len(pose.BoneToWorld))
		for i := range world {
			near(t, "boneToWorld", world[i][:], pose.BoneToWorld[i][:], 1e-4)
		}
		if len(pose.SkinnedPositions) == 0 {
			continue
		}
		skinned := m.SkinnedPositions(0, pose.Frame)
		same(t, "skinned positions", len(skinned), len(pose.SkinnedPositions))
		for i := range skinned {
			near(t, "skinned position", skinned[i][:], pose.SkinnedPositions[i][:], 1e-4)
		}
	}
}

// classes maps the corpus' words to the classes of schema.
var classes = map[string]error{
	"truncated":           schema.ErrTruncated,
	"not-u3d":             schema.ErrBadMagic,
	"wrong-format":        schema.ErrUnsupported,
	"unsupported-version": schema.ErrUnsupported,
	"encrypted":           schema.ErrUnsupported,
	"bad-chunk":           schema.ErrBadMagic,
	"inconsistent":        schema.ErrMismatch,
	"index-range":         schema.ErrRange,
}

func TestMalformed(t *testing.T) {
	for _, e := range corpus.Manifest(t, "ultimate3d") {
		word, bad := strings.CutPrefix(e.Expected, "error:")
		if !bad {
			continue
		}
		_, err := read.U3D(corpus.Bytes(t, e.Path), nil)
		if errors.Is(err, schema.ErrCycle) && word == "inconsistent" {
			continue
		}
		if !errors.Is(err, classes[word]) {
			t.Errorf("%s: got %v, want %s", e.File, err, word)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"synthetic/bad_ecma_u3d.u3d", "u3d+0x0: magic: Universal 3D (ECMA-363), a different format"},
		{"synthetic/bad_vertex_count.u3d", "mesh 0+0x51: nVertex: 65535 elements of 14 bytes do not fit into the 811 bytes left"},
		{"synthetic/bad_frame_count.u3d", "u3d+0x11: nMesh: 1 meshes, the other counts demand 4294967295"},
		{"synthetic/bad_vertex_index.u3d", "mesh 0+0x35: pTriangle: triangle 0 refers to vertex 999 of 24"},
	} {
		folder := corpus.Folder(t, "ultimate3d")
		if _, err := read.U3D(corpus.Bytes(t, folder+"/"+c.file), nil); err == nil || err.Error() != c.text {
			t.Errorf("%s: got %q, want %q", c.file, err, c.text)
		}
	}
}

// Every file cut anywhere is refused, but for the bytes after its last chunk.
func TestTruncation(t *testing.T) {
	for _, e := range corpus.Manifest(t, "ultimate3d") {
		if !valid(e) {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		m, _ := load(t, e.Path)
		step := 1 + len(b)/20000
		for n := 0; n < len(b)-len(m.Trailing); n += step {
			if _, err := read.U3D(b[:n:n], nil); err == nil {
				t.Errorf("%s: the first %d of %d bytes are accepted", e.File, n, len(b))
				break
			}
		}
	}
}

// A small file that announces 65,535 of everything costs next to nothing.
func TestHostileCounts(t *testing.T) {
	b := []byte(ultimate3d.Magic + "\x00\x00\x80\x3F")
	for range 9 {
		b = append(b, 0xFF, 0xFF)
	}
	b = append(b, make([]byte, 100-len(b))...)
	cases := map[string][]byte{"all": b}
	for name, counts := range map[string][7]uint16{ // meshes, per frame, frames low, frames high, levels, materials, bones
		"meshes":    {65535, 65535, 1, 0, 1, 65535, 65535},
		"levels":    {65535, 1, 1, 0, 65535, 1, 65535},
		"frames":    {65535, 1, 65535, 0, 1, 1, 0},
		"materials": {1, 1, 1, 0, 1, 65535, 0},
		"bones":     {1, 1, 1, 0, 1, 1, 65535},
	} {
		h := append([]byte(nil), b...)
		for i, n := range counts {
			binary.LittleEndian.PutUint16(h[17+2*i:], n)
		}
		cases[name] = h
	}
	for name, b := range cases {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read.U3D(b, nil)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

// truth takes a boolean or a number.
func truth(v any) bool { return v == true || v == 1.0 }
