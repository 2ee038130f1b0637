package ultimate3d

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// eachValid calls f with every valid file of the corpus as a subtest.
func eachValid(t *testing.T, f func(t *testing.T, path string, b []byte)) {
	for _, e := range corpus.Manifest(t, "ultimate3d") {
		if e.Expected == "ok" || e.Expected == "warning" {
			t.Run(e.File, func(t *testing.T) { f(t, e.Path, corpus.Bytes(t, e.Path)) })
		}
	}
}

func mustRead(t testing.TB, b []byte) *ultimate3d.Model {
	t.Helper()
	m, err := read.U3D(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustWrite(t testing.TB, m *ultimate3d.Model) []byte {
	t.Helper()
	b, err := write.U3D(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestReadWrite(t *testing.T) {
	eachValid(t, func(t *testing.T, _ string, b []byte) {
		corpus.SameBytes(t, "written", mustWrite(t, mustRead(t, b)), b)
	})
}

// A shadow volume with vertices and no triangles has no arrays by the engine's rule, and has them by the published
// text's: what the rest of the file demands is taken.
func TestLoneShadowVertices(t *testing.T) {
	m := smallModel()
	m.Meshes[0].Shadow.VertexCount = 2
	for _, vertices := range [][]byte{nil, make([]byte, 48)} {
		m.Meshes[0].Shadow.Vertices = vertices
		b := mustWrite(t, m)
		got := mustRead(t, b)
		if len(got.Meshes[0].Shadow.Vertices) != len(vertices) {
			t.Errorf("%d bytes of shadow vertices, want %d", len(got.Meshes[0].Shadow.Vertices), len(vertices))
		}
		corpus.SameBytes(t, "written", mustWrite(t, got), b)
	}
}

func TestMinimalSize(t *testing.T) {
	m := smallModel()
	m.Meshes[0] = &ultimate3d.Mesh{Name: "a", LOD: 1, NormalScalar: 1, TextureCoordinatesOwned: ultimate3d.True, TrianglesOwned: ultimate3d.True}
	m.Materials[0].Name = "m"
	if b := mustWrite(t, m); len(b) != 261 {
		t.Errorf("the smallest file has %d bytes, want 261", len(b))
	}
	m.Materials[0].EffectUsed, m.Materials[0].Effect = ultimate3d.True, &ultimate3d.Effect{}
	if b := mustWrite(t, m); len(b) != 261+2221 {
		t.Errorf("with an effect block %d bytes, want %d", len(b), 261+2221)
	}
}

// smallModel has one triangle.
func smallModel() *ultimate3d.Model {
	return &ultimate3d.Model{
		Version: 1, MeshesPerFrame: 1, Frames: 1, LODs: 1,
		Meshes: []*ultimate3d.Mesh{{
			Name: "m", LOD: 1, NormalScalar: 1, TextureCoordinatesOwned: ultimate3d.True, TrianglesOwned: ultimate3d.True,
			Positions: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
			Normals:   []ultimate3d.Normal{{0, 127}, {0, 127}, {0, 127}},
			Triangles: [][3]uint16{{0, 1, 2}}, TriangleMaterials: []uint16{0},
		}},
		Materials: []*ultimate3d.Material{{Name: "m", ColorOp: [8]ultimate3d.ColorOp{3, 1, 1, 1, 1, 1, 1, 1}}},
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(m *ultimate3d.Model)
		class error
	}{
		{"vertex index", func(m *ultimate3d.Model) { m.Meshes[0].Triangles[0][1] = 3 }, schema.ErrRange},
		{"material index", func(m *ultimate3d.Model) { m.Meshes[0].TriangleMaterials[0] = 1 }, schema.ErrRange},
		{"mesh count", func(m *ultimate3d.Model) { m.Frames = 2 }, schema.ErrMismatch},
		{"normals", func(m *ultimate3d.Model) { m.Meshes[0].Normals = nil }, schema.ErrMismatch},
		{"shared in frame 0", func(m *ultimate3d.Model) { m.Meshes[0].TextureCoordinatesOwned = 0 }, schema.ErrMismatch},
		{"levels", func(m *ultimate3d.Model) { m.LODs = 2 }, schema.ErrMismatch},
		{"version", func(m *ultimate3d.Model) { m.Version = 2 }, schema.ErrUnsupported},
		{"zero in a name", func(m *ultimate3d.Model) { m.Meshes[0].Name = "a\x00b" }, schema.ErrValue},
		{"name outside the code page", func(m *ultimate3d.Model) { m.Meshes[0].Name = "Ω" }, schema.ErrValue},
		{"effect", func(m *ultimate3d.Model) { m.Materials[0].EffectUsed = 1 }, schema.ErrMismatch},
		{"parent", func(m *ultimate3d.Model) { m.Bones = []*ultimate3d.Bone{{Parent: 7}} }, schema.ErrRange},
		{"cycle", func(m *ultimate3d.Model) { m.Bones = []*ultimate3d.Bone{{Parent: 1}, {Parent: 0}} }, schema.ErrCycle},
		{"weights without bones", func(m *ultimate3d.Model) {
			m.Meshes[0].StoredWeights, m.Meshes[0].Weights, m.Meshes[0].WeightBones = 1, make([]float32, 3), make([][4]uint8, 3)
		}, schema.ErrMismatch},
	} {
		m := smallModel()
		c.spoil(m)
		if _, err := write.U3D(m); schema.Class(err) != c.class {
			t.Errorf("%s: got %v, want %v", c.name, err, c.class)
		}
	}
}

// generate draws a valid model.
func generate(t *rapid.T) *ultimate3d.Model {
	name := func(what string) string { return rapid.StringMatching(`[a-zA-Z0-9 é€]{0,6}`).Draw(t, what) }
	float := func(what string) float32 { return float32(rapid.IntRange(-100000, 100000).Draw(t, what)) / 1024 }
	boolean := func(what string) ultimate3d.Bool {
		return ultimate3d.Bool(rapid.SampledFrom([]uint8{0, 1, 1, 255, 7}).Draw(t, what))
	}
	nBone := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "bones")
	m := &ultimate3d.Model{
		Version: 1, MeshesPerFrame: uint16(rapid.IntRange(1, 2).Draw(t, "meshes")), Frames: uint32(rapid.IntRange(1, 3).Draw(t, "frames")),
		LODs: uint16(rapid.IntRange(1, 2).Draw(t, "levels")), AlphaBlending: boolean("alpha"), VertexTweening: boolean("tween"),
		CelShadingStrength: float("cel"), Trailing: rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "trailing"),
	}
	weights := uint16(0)
	if nBone > 0 {
		weights = rapid.SampledFrom([]uint16{0, 0, 1, 2, 3}).Draw(t, "weights")
		m.Layout = rapid.SampledFrom([]ultimate3d.KeyLayout{0, 0, 1}).Draw(t, "layout")
	}
	if m.Layout == ultimate3d.LiteralKeys || len(m.Trailing) == 0 {
		m.Trailing = nil // the published text's layout is recognised by the file's end
	}
	if weights > 0 {
		m.MeshesPerFrame = 1
	}
	for range m.LODs - 1 {
		m.LODLevels = append(m.LODLevels, float("level"))
		m.LODDistancesSq = append(m.LODDistancesSq, float("distance"))
	}
	nMaterial := rapid.IntRange(1, 2).Draw(t, "materials")
	count := int(m.MeshesPerFrame) * int(m.LODs)
	if nBone == 0 {
		count *= int(m.Frames)
	}
	for i := range count {
		mesh := &ultimate3d.Mesh{
			Name: name("mesh"), Frame: uint16(i), LOD: float("lod"), NormalScalar: 1, StoredWeights: weights,
			UseTextureCoordinateBuffer: boolean("buffer"), TextureCoordinatesOwned: ultimate3d.True, TrianglesOwned: ultimate3d.True,
		}
		vertices := rapid.IntRange(0, 4).Draw(t, "vertices")
		shared := nBone == 0 && i >= m.Base(i) && m.Base(i) != i && rapid.Bool().Draw(t, "shared")
		if shared {
			vertices = len(m.Meshes[m.Base(i)].Positions)
			mesh.TextureCoordinatesOwned, mesh.TrianglesOwned = 0, 0
			mesh.SharedTriangles = uint16(len(m.Meshes[m.Base(i)].Triangles))
		}
		for range vertices {
			mesh.Positions = append(mesh.Positions, [3]float32{float("x"), float("y"), float("z")})
			mesh.Normals = append(mesh.Normals, ultimate3d.Normal{rapid.Int8().Draw(t, "lat"), rapid.Int8().Draw(t, "lon")})
			for range weights {
				mesh.Weights = append(mesh.Weights, rapid.Float32Range(0, 0.3).Draw(t, "weight"))
			}
			if weights > 0 {
				mesh.WeightBones = append(mesh.WeightBones, [4]uint8{0, uint8(nBone - 1), 0, 0})
			}
		}
		for k := range mesh.TexCoordDimensions {
			mesh.TexCoordDimensions[k] = uint16(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 2, 3, 4}).Draw(t, "dimension"))
			if n := vertices * int(mesh.TexCoordDimensions[k]); n > 0 && !shared {
				mesh.TexCoords[k] = rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "coordinates")
			}
		}
		if vertices > 0 && !shared {
			for range rapid.IntRange(0, 3).Draw(t, "triangles") {
				v := func() uint16 { return uint16(rapid.IntRange(0, vertices-1).Draw(t, "index")) }
				mesh.Triangles = append(mesh.Triangles, [3]uint16{v(), v(), v()})
				mesh.TriangleMaterials = append(mesh.TriangleMaterials, uint16(rapid.IntRange(0, nMaterial-1).Draw(t, "material")))
			}
		}
		if n := rapid.IntRange(0, 2).Draw(t, "shadow"); n > 0 {
			size := n * ultimate3d.ShadowVertexSize(weights)
			mesh.Shadow = ultimate3d.ShadowVolume{VertexCount: uint16(n), Vertices: rapid.SliceOfN(rapid.Byte(), size, size).Draw(t, "shadow"), Triangles: [][3]uint16{{0, 0, 1}}}
		}
		m.Meshes = append(m.Meshes, mesh)
	}
	for i := range nMaterial {
		material := &ultimate3d.Material{Name: name("material"), Diffuse: [4]float32{float("r"), 0, 1, 1}, TextureCount: uint16(i), ExportResources: boolean("export")}
		for k := range material.ColorOp {
			material.ColorOp[k] = ultimate3d.ColorOp(rapid.IntRange(1, 26).Draw(t, "op"))
		}
		embedded := material.ExportResources.True()
		for k := range rapid.IntRange(0, 3).Draw(t, "textures") {
			texture := &ultimate3d.Texture{Used: 1, Type: ultimate3d.TextureType(rapid.IntRange(0, 3).Draw(t, "type")), Identifier: name("texture")}
			content := rapid.SliceOfN(rapid.Byte(), 1, 5).Draw(t, "content")
			switch {
			case texture.Type == ultimate3d.CubeTexture:
				texture.Width = 4
				for f := range texture.FaceFiles {
					if embedded {
						texture.FaceContents[f] = content
					} else {
						texture.FaceFiles[f] = name("face")
					}
				}
			case texture.Type != ultimate3d.NoFileTexture:
				texture.Width, texture.Height = 1, 2
				if texture.Type == ultimate3d.HeightTexture {
					texture.HeightFactor = float("height")
				}
				if embedded {
					texture.Content = content
				} else {
					texture.File = name("file")
				}
			}
			material.Textures[2*k] = texture
		}
		if rapid.IntRange(0, 3).Draw(t, "effect") == 0 {
			material.EffectUsed = 1
			effect := &ultimate3d.Effect{Embedded: ultimate3d.BoolOf(embedded), VertexShader: name("shader"), PixelShader: name("shader")}
			effect.VertexConstants[95][3] = float("constant")
			effect.Lights[2] = 9
			if embedded {
				effect.VertexCode = []uint32{0xFFFE0101, 5}
				if effect.PixelShader != "" {
					effect.PixelCode = []uint32{7}
				}
			}
			material.Effect = effect
		}
		m.Materials = append(m.Materials, material)
	}
	for i := range nBone {
		bone := &ultimate3d.Bone{Name: name("bone"), Parent: ultimate3d.RootParent, BoneFrame: rapid.SampledFrom([]float32{-1, 0, 2}).Draw(t, "frame"), PassOnBoneFrame: boolean("pass")}
		if i > 0 && rapid.Bool().Draw(t, "child") {
			bone.Parent = uint16(rapid.IntRange(0, i-1).Draw(t, "parent"))
		}
		if weights > 0 || rapid.Bool().Draw(t, "attached") {
			bone.Attachments = []ultimate3d.Attachment{{Mesh: 0, Transformation: [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, float("tx"), 0, 0, 1}}}
		}
		keys := func(what string) (list []ultimate3d.VectorKey) {
			for k := range rapid.IntRange(0, 3).Draw(t, what) {
				list = append(list, ultimate3d.VectorKey{Frame: uint16(3 * k), Unused: rapid.Uint16().Draw(t, "unused"), Value: [3]float32{float("kx"), 1, 2}})
			}
			return list
		}
		bone.Scaling, bone.Translation = keys("scaling"), keys("translation")
		for k := range rapid.IntRange(0, 3).Draw(t, "rotation") {
			bone.Rotation = append(bone.Rotation, ultimate3d.RotationKey{Frame: uint16(k), Value: [4]float32{0, 0, 0.6, 0.8}})
		}
		if m.Layout == ultimate3d.LiteralKeys {
			bone.Fillers = [3]uint16{0xCDCD, 0xCDCD, 0xCDCD}
		}
		m.Bones = append(m.Bones, bone)
	}
	return m
}

func TestWriteReadGenerated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := generate(t)
		b, err := write.U3D(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.U3D(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Trailing) == 0 {
			got.Trailing = nil
		}
		for _, mesh := range got.Meshes {
			if len(mesh.Shadow.Vertices) == 0 {
				mesh.Shadow.Vertices = nil
			}
		}
		if !reflect.DeepEqual(got, m) {
			t.Fatalf("read back differently:\n%.3000s\n%.3000s", dump(got), dump(m))
		}
	})
}

func dump(m *ultimate3d.Model) string {
	s := fmt.Sprintf("%+v", *m)
	for _, x := range m.Meshes {
		s += fmt.Sprintf("\n%+v", *x)
	}
	for _, x := range m.Materials {
		s += fmt.Sprintf("\n%+v", *x)
	}
	for _, x := range m.Bones {
		s += fmt.Sprintf("\n%+v", *x)
	}
	return s
}

// The normals of the lattice survive the way through floats (reference section 1.5).
func TestNormalLattice(t *testing.T) {
	for lat := -31; lat <= 31; lat++ {
		for lon := -127; lon <= 127; lon++ {
			n := ultimate3d.Normal{int8(lat), int8(lon)}
			if got, ok := ultimate3d.NormalOf(n.Vector()); got != n || !ok {
				t.Fatalf("%v came back as %v", n, got)
			}
		}
	}
	for _, v := range [][3]float32{{}, {float32(math.NaN()), 0, 0}, {float32(math.Inf(1)), 0, 0}} {
		if n, ok := ultimate3d.NormalOf(v); ok || n.Vector()[1] < 0.99 {
			t.Errorf("%v gave %v, %v", v, n, ok)
		}
	}
}

func FuzzU3D(f *testing.F) {
	f.Add(func() []byte { b, _ := write.U3D(smallModel()); return b }())
	for _, pattern := range []string{"../../testdata/ultimate3d/*.u3d", "../../../shared/corpus/ultimate3d/*/*.u3d"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && len(b) < 20000 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := read.U3D(b, nil)
		if err != nil {
			return
		}
		got, err := write.U3D(m)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "written", got, b)
	})
}

// benchModel has one mesh as large as the format allows.
func benchModel() *ultimate3d.Model {
	const side = 180
	mesh := &ultimate3d.Mesh{Name: "grid", LOD: 1, NormalScalar: 1, TextureCoordinatesOwned: 1, TrianglesOwned: 1, TexCoordDimensions: [8]uint16{2}}
	for y := range side {
		for x := range side {
			mesh.Positions = append(mesh.Positions, [3]float32{float32(x), float32(math.Sin(float64(x*y) / 50)), float32(y)})
			mesh.Normals = append(mesh.Normals, ultimate3d.Normal{int8(-31 + x%8), int8(y)})
			mesh.TexCoords[0] = append(mesh.TexCoords[0], float32(x)/side, float32(y)/side)
		}
	}
	for y := range side - 1 {
		for x := range side - 1 {
			a := uint16(y*side + x)
			mesh.Triangles = append(mesh.Triangles, [3]uint16{a, a + side, a + 1}, [3]uint16{a + 1, a + side, a + side + 1})
		}
	}
	mesh.TriangleMaterials = make([]uint16, len(mesh.Triangles))
	m := smallModel()
	m.Meshes[0] = mesh
	return m
}

func BenchmarkRead(b *testing.B) {
	data := mustWrite(b, benchModel())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustRead(b, data)
	}
}

func BenchmarkWrite(b *testing.B) {
	m := benchModel()
	b.SetBytes(int64(len(mustWrite(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		mustWrite(b, m)
	}
}

// FuzzLift lifts and lowers whatever can be read: the bytes are the same again.
func FuzzLift(f *testing.F) {
	f.Add(func() []byte { b, _ := write.U3D(smallModel()); return b }())
	for _, pattern := range []string{"../../testdata/ultimate3d/*.u3d", "../../../shared/corpus/ultimate3d/*/*.u3d"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && len(b) < 6000 {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := read.U3D(b, nil)
		if err != nil || m.Frames > 1000 {
			return
		}
		s, err := Lift(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Lower(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := write.U3D(back)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, "there and back", got, b)
		strip(s)
		if m, err = Lower(s, nil); err != nil {
			if schema.Class(err) == nil {
				t.Fatal(err)
			}
			return
		}
		if _, err = write.U3D(m); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkLift(b *testing.B) {
	m := benchModel()
	b.SetBytes(int64(len(mustWrite(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lift(m, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLower(b *testing.B) {
	m := benchModel()
	s, err := Lift(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(mustWrite(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lower(s, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLowerShuffled lowers what an editor has given another order.
func BenchmarkLowerShuffled(b *testing.B) {
	m := benchModel()
	s, err := Lift(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	shuffle(s)
	b.SetBytes(int64(len(mustWrite(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lower(s, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLowerForeign(b *testing.B) {
	m := benchModel()
	s, err := Lift(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	strip(s)
	b.SetBytes(int64(len(mustWrite(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Lower(s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
