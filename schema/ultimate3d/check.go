package ultimate3d

import (
	"fmt"
	"math"

	"github.com/usher-assets/usher/schema"
)

// Check tests m against the rules of the format that concern more than one field (reference sections 2, 3.2, 3.3, 5 and
// 6.2). It returns an error for what no reader could use: ErrMismatch for counts that contradict each other, ErrRange for
// indices outside their table, ErrCycle for bone parents. What the engine tolerates becomes a warning in d. at returns the
// offset of a chunk, such as ("mesh", 3), for both; it is nil if the model was not read from a file.
func (m *Model) Check(d *schema.Diagnostics, at func(kind string, index int) int64) error {
	if at == nil {
		at = func(string, int) int64 { return -1 }
	}
	c := &checker{m, d, at, m.Skinned()}
	if err := c.header(); err != nil {
		return err
	}
	for i := range m.Meshes {
		if err := c.mesh(i); err != nil {
			return err
		}
	}
	for i := range m.Materials {
		c.material(i)
	}
	for i := range m.Bones {
		if err := c.bone(i); err != nil {
			return err
		}
	}
	return c.cycles()
}

type checker struct {
	m       *Model
	d       *schema.Diagnostics
	at      func(kind string, index int) int64
	skinned bool
}

func (c *checker) fail(class error, kind string, i int, field, msg string, args ...any) error {
	return &schema.FormatError{Format: FormatName, Path: path(kind, i), Offset: c.at(kind, i), Field: field, Class: class, Msg: fmt.Sprintf(msg, args...)}
}

func (c *checker) warn(code, kind string, i int, msg string, args ...any) {
	if c.d != nil {
		c.d.WarnAtf(code, path(kind, i), c.at(kind, i), msg, args...)
	}
}

func path(kind string, i int) string {
	if kind == "header" {
		return kind
	}
	return fmt.Sprintf("%s %d", kind, i)
}

func (c *checker) header() error {
	m := c.m
	if m.MeshesPerFrame == 0 || m.Frames == 0 || m.LODs == 0 || len(m.Materials) == 0 {
		return c.fail(schema.ErrMismatch, "header", 0, "counts", "meshes a frame, frames, levels of detail and materials must each be at least 1")
	}
	if uint64(len(m.Meshes)) != m.MeshCount() {
		return c.fail(schema.ErrMismatch, "header", 0, "nMesh", "%d meshes, the other counts demand %d", len(m.Meshes), m.MeshCount())
	}
	if len(m.LODLevels) != int(m.LODs)-1 || len(m.LODDistancesSq) != int(m.LODs)-1 {
		return c.fail(schema.ErrMismatch, "header", 0, "nLOD", "%d levels of detail with %d shares and %d distances", m.LODs, len(m.LODLevels), len(m.LODDistancesSq))
	}
	if c.skinned && m.MeshesPerFrame != 1 {
		return c.fail(schema.ErrMismatch, "header", 0, "nMesh", "%d meshes in a model with vertex weights, which must have one", m.MeshesPerFrame)
	}
	if m.Version < 1 {
		c.warn("old-version", "header", 0, "version %g, 1.0 is expected", m.Version)
	}
	if len(m.Bones) > 0 && m.VertexTweening.True() {
		c.warn("tweening-with-bones", "header", 0, "vertex tweening is set in a model with bones; it has no effect")
	}
	if m.ColumnMatrices() {
		c.warn("column-matrices", "header", 0, "the matrices are for column vectors, as the published text says; they are transposed for use")
	}
	if m.Layout == LiteralKeys {
		c.warn("literal-keys", "bone", 0, "the keys are stored in the layout of the published text, with filler after each count: the engine ends over it")
	}
	if len(m.Trailing) > 0 {
		c.d.WarnAtf("trailing-bytes", "", c.at("trailing", 0), "%d bytes after the last chunk", len(m.Trailing))
	}
	return nil
}

func (c *checker) mesh(i int) error {
	m, mesh := c.m, c.m.Meshes[i]
	if err := c.arrays(i); err != nil {
		return err
	}
	if err := c.sharing(i); err != nil {
		return err
	}
	if want := i / (int(m.MeshesPerFrame) * int(m.LODs)); int(mesh.Frame) != want {
		c.warn("frame-number", "mesh", i, "frame number %d, its place in the file is in frame %d", mesh.Frame, want)
	}
	if mesh.ValidInverseTangentSpace.True() {
		c.warn("tangent-space", "mesh", i, "the normals are part of tangent space matrices")
	}
	if mesh.Shadow.VertexCount != 0 && len(mesh.Shadow.Triangles) == 0 {
		c.warn("shadow-without-triangles", "mesh", i, "a shadow volume of %d vertices and no triangles", mesh.Shadow.VertexCount)
	}
	for t, v := range mesh.Triangles {
		for _, index := range v {
			if int(index) >= len(mesh.Positions) {
				return c.fail(schema.ErrRange, "mesh", i, "pTriangle", "triangle %d refers to vertex %d of %d", t, index, len(mesh.Positions))
			}
		}
	}
	for t, index := range mesh.TriangleMaterials {
		if int(index) >= len(m.Materials) {
			return c.fail(schema.ErrRange, "mesh", i, "piTriangleMaterial", "triangle %d has material %d of %d", t, index, len(m.Materials))
		}
	}
	return c.weights(i)
}

// arrays checks that the arrays of a mesh have the lengths that its counts demand.
func (c *checker) arrays(i int) error {
	mesh := c.m.Meshes[i]
	n := len(mesh.Positions)
	bad := func(field string, got, want int) error {
		return c.fail(schema.ErrMismatch, "mesh", i, field, "%d elements, %d expected", got, want)
	}
	if len(mesh.Normals) != n {
		return bad("pNormal", len(mesh.Normals), n)
	}
	for k, dimension := range mesh.TexCoordDimensions {
		want := 0
		if mesh.TextureCoordinatesOwned.True() {
			want = n * int(dimension)
		}
		if dimension > 4 {
			return c.fail(schema.ErrMismatch, "mesh", i, "pTexCoordDimensions", "set %d has %d dimensions, at most 4", k, dimension)
		}
		if len(mesh.TexCoords[k]) != want {
			return bad("ppTextureCoordinateSet", len(mesh.TexCoords[k]), want)
		}
	}
	if mesh.StoredWeights > 3 {
		return c.fail(schema.ErrMismatch, "mesh", i, "nSkinWeight", "%d weights a vertex, at most 3", mesh.StoredWeights)
	}
	if want := n * int(mesh.StoredWeights); len(mesh.Weights) != want {
		return bad("ppSkinWeight", len(mesh.Weights), want)
	}
	if mesh.StoredWeights != 0 && len(mesh.WeightBones) != n || mesh.StoredWeights == 0 && len(mesh.WeightBones) != 0 {
		return bad("pSkinWeightIndex", len(mesh.WeightBones), n)
	}
	if len(mesh.TriangleMaterials) != len(mesh.Triangles) {
		return bad("piTriangleMaterial", len(mesh.TriangleMaterials), len(mesh.Triangles))
	}
	if !mesh.TrianglesOwned.True() && len(mesh.Triangles) != 0 {
		return bad("pTriangle", len(mesh.Triangles), 0)
	}
	shadow := int(mesh.Shadow.VertexCount) * ShadowVertexSize(mesh.StoredWeights)
	if len(mesh.Shadow.Vertices) != shadow && (len(mesh.Shadow.Vertices) != 0 || len(mesh.Shadow.Triangles) != 0) {
		return bad("pShadowVolumeVBuffer", len(mesh.Shadow.Vertices), shadow)
	}
	return nil
}

// sharing checks that arrays which a mesh does not own are there in frame 0 (reference section 3.2).
func (c *checker) sharing(i int) error {
	m, mesh := c.m, c.m.Meshes[i]
	if mesh.TextureCoordinatesOwned.True() && mesh.TrianglesOwned.True() {
		return nil
	}
	base := m.Meshes[m.Base(i)]
	switch {
	case len(m.Bones) > 0:
		return c.fail(schema.ErrMismatch, "mesh", i, "TrianglesOwned", "arrays are shared between frames in a model with bones")
	case m.Base(i) == i:
		return c.fail(schema.ErrMismatch, "mesh", i, "TrianglesOwned", "a mesh of frame 0 does not own its arrays")
	}
	if !mesh.TextureCoordinatesOwned.True() {
		if !base.TextureCoordinatesOwned.True() || len(base.Positions) != len(mesh.Positions) {
			return c.fail(schema.ErrMismatch, "mesh", i, "TextureCoordinateOwned", "%d vertices share the texture coordinates of mesh %d with %d", len(mesh.Positions), m.Base(i), len(base.Positions))
		}
	}
	if mesh.TrianglesOwned.True() {
		return nil
	}
	if !base.TrianglesOwned.True() || len(base.Triangles) != int(mesh.SharedTriangles) {
		return c.fail(schema.ErrMismatch, "mesh", i, "TrianglesOwned", "%d triangles are shared with mesh %d, which owns %d", mesh.SharedTriangles, m.Base(i), len(base.Triangles))
	}
	for t, v := range base.Triangles {
		if int(max(v[0], v[1], v[2])) >= len(mesh.Positions) {
			return c.fail(schema.ErrRange, "mesh", i, "pTriangle", "shared triangle %d refers past %d vertices", t, len(mesh.Positions))
		}
	}
	return nil
}

// weights checks the bones that vertices follow (reference section 3.3).
func (c *checker) weights(i int) error {
	m, mesh := c.m, c.m.Meshes[i]
	if mesh.StoredWeights == 0 {
		return nil
	}
	if len(m.Bones) == 0 {
		return c.fail(schema.ErrMismatch, "mesh", i, "nSkinWeight", "vertex weights in a model without bones")
	}
	if mesh.StoredWeights == 2 {
		c.warn("two-weights", "mesh", i, "2 stored weights a vertex; the engine knows 1 and 3")
	}
	high, odd, unused := -1, 0, 0
	for v := range mesh.WeightBones {
		w, clamped := mesh.WeightsOf(v)
		if clamped {
			odd++
		}
		for k := range mesh.Influences() {
			bone := int(mesh.WeightBones[v][k])
			if bone >= len(m.Bones) {
				if w[k] != 0 {
					return c.fail(schema.ErrRange, "mesh", i, "pSkinWeightIndex", "vertex %d follows bone %d of %d", v, bone, len(m.Bones))
				}
				unused++
			} else if w[k] != 0 {
				high = max(high, bone)
			}
		}
	}
	if odd > 0 {
		c.warn("weights", "mesh", i, "the weights of %d vertices do not leave a remainder in 0 … 1; they are clamped for use", odd)
	}
	if unused > 0 {
		c.warn("unused-bone", "mesh", i, "%d influences without weight name bones that do not exist", unused)
	}
	if high > int(mesh.MaxBlendingMatrix) {
		c.warn("max-blending-matrix", "mesh", i, "vertices follow bone %d, the highest is said to be %d", high, mesh.MaxBlendingMatrix)
	}
	return nil
}

func (c *checker) material(i int) {
	m := c.m.Materials[i]
	if m.Opaque {
		c.warn("opaque-material", "material", i, "%d bytes of the material could not be decoded; they are kept", len(m.Undecoded))
	}
	for stage, op := range m.ColorOp {
		if op.String() == "" {
			c.warn("color-op", "material", i, "stage %d has the unknown operation %d", stage, op)
		}
	}
	for stage, set := range m.TexCoordSet {
		if set&0xFFFF > 7 {
			c.warn("texcoord-set", "material", i, "stage %d uses texture coordinate set %d; 0 is taken", stage, set&0xFFFF)
		}
	}
}

func (c *checker) bone(i int) error {
	m, b := c.m, c.m.Bones[i]
	if b.Parent != RootParent && int(b.Parent) >= len(m.Bones) {
		return c.fail(schema.ErrRange, "bone", i, "iParent", "bone %d of %d", b.Parent, len(m.Bones))
	}
	for _, a := range b.Attachments {
		if a.Mesh >= m.MeshesPerFrame {
			return c.fail(schema.ErrRange, "bone", i, "piMesh", "mesh %d of %d", a.Mesh, m.MeshesPerFrame)
		}
	}
	if c.skinned && len(b.Attachments) != 1 {
		return c.fail(schema.ErrMismatch, "bone", i, "nMesh", "%d meshes on a bone of a model with vertex weights, which must have one", len(b.Attachments))
	}
	if !ascending(b.Scaling) || !ascending(b.Translation) || !ascending(b.Rotation) {
		c.warn("key-order", "bone", i, "the frames of the keys do not ascend; they are sorted for use")
	}
	for k := range b.Rotation {
		q := b.Rotation[k].Value
		length := math.Sqrt(float64(q[0])*float64(q[0]) + float64(q[1])*float64(q[1]) + float64(q[2])*float64(q[2]) + float64(q[3])*float64(q[3]))
		if !(math.Abs(length-1) <= 1e-3) {
			c.warn("quaternion-length", "bone", i, "rotation key %d has the length %g; it is normalised for use", k, length)
		}
	}
	return nil
}

func ascending[K interface{ frame() uint16 }](keys []K) bool {
	for i := 1; i < len(keys); i++ {
		if keys[i].frame() <= keys[i-1].frame() {
			return false
		}
	}
	return true
}

// cycles checks that every bone leads to a root.
func (c *checker) cycles() error {
	const unknown, open, done = 0, 1, 2
	state := make([]uint8, len(c.m.Bones))
	for i := range c.m.Bones {
		j := i
		for state[j] == unknown {
			state[j] = open
			if c.m.Bones[j].Parent == RootParent {
				break
			}
			next := int(c.m.Bones[j].Parent)
			if state[next] == open {
				return c.fail(schema.ErrCycle, "bone", next, "iParent", "the parents of the bone form a cycle")
			}
			j = next
		}
		for j = i; state[j] == open; j = int(c.m.Bones[j].Parent) {
			state[j] = done
			if c.m.Bones[j].Parent == RootParent {
				break
			}
		}
	}
	return nil
}
