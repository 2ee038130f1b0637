package ultima9

import (
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Sappear reads a mesh record (reference section 6).
//
// It fails with ErrTruncated for a cut header, ErrCount for counts that the remaining bytes cannot hold, ErrRange for
// offsets and numbers outside their table, ErrMismatch if the materials do not cover every face exactly once, ErrCycle for
// limbs that are their own ancestors, ErrValue for positions that are not finite, and ErrUnsupported for the older layout,
// which [Indexed] reads.
func Sappear(b []byte, d *schema.Diagnostics) (*ultima9.Mesh, error) {
	c := read.NewCursor("sappear", b, d)
	m := new(ultima9.Mesh)
	limbs := c.U32("limb count")
	m.LODs = c.U32("LOD count")
	if IsIndexed(b) {
		c.FailAtf(0, schema.ErrUnsupported, "limb count", "this is the older layout of meshes, u9-indexed, which the game itself cannot load")
	}
	meshHeader(c, m)
	if c.Err() == nil && (m.LODs < 1 || m.LODs > ultima9.MaxLODs) {
		c.FailAtf(4, schema.ErrCount, "LOD count", "%d levels, 1 to %d expected", m.LODs, ultima9.MaxLODs)
	}
	n := c.Count(uint64(limbs), 4*(int(m.LODs)+1)+ultima9.LimbHeaderSize, "limb count")
	if c.Err() != nil {
		return nil, c.Err()
	}
	r := sappearReader{b: b, d: d, lods: map[uint32]ultima9.LOD{}, room: 2 * len(b)}
	r.spans = append(r.spans, ultima9.Span{End: uint32(ultima9.MeshHeaderSize + 4*n*(int(m.LODs)+1))})
	m.Limbs = make([]ultima9.Limb, n)
	levels := make([]ultima9.LOD, n*int(m.LODs))
	for i := range m.Limbs {
		c.Enter("limb", i)
		l := &m.Limbs[i]
		l.LODs, levels = levels[:m.LODs:m.LODs], levels[m.LODs:]
		l.Offset = c.U32("offset")
		if err := r.limb(l, c.Path()); err != nil {
			return nil, err
		}
		for k := range l.LODs {
			c.Enter("LOD", k)
			if err := r.level(&l.LODs[k], c.U32("offset"), c.Path()); err != nil {
				return nil, err
			}
			c.Leave()
		}
		c.Leave()
	}
	if _, err := m.Parents(); err != nil {
		return nil, err
	}
	m.Gaps = ultima9.Uncovered(b, r.spans)
	for _, g := range m.Gaps {
		d.WarnAtf("gap", "", int64(g.Offset), "%d bytes belong to no limb", len(g.Data))
	}
	return m, nil
}

func meshHeader(c *read.Cursor, m *ultima9.Mesh) {
	m.CylinderBase = c.Vec3("cylinder base")
	m.CylinderHeight = c.F32("cylinder height")
	m.CylinderRadius = c.F32("cylinder radius")
	m.SphereCentre = c.Vec3("sphere centre")
	m.SphereRadius = c.F32("sphere radius")
	m.Shape = read.Named(c, ultima9.CollisionShape(c.I16("collision shape")))
	m.Unknown2E = c.U16("padding")
	m.BoxMin = c.Vec3("box minimum")
	m.BoxMax = c.Vec3("box maximum")
	for i := range m.Thresholds {
		m.Thresholds[i] = c.I32("LOD thresholds")
	}
	m.CentreOfMass = c.Vec3("centre of mass")
	m.Volume = c.F32("volume")
	copy(m.InverseInertia[:], c.F32s(9, "inverse inertia"))
	m.DiagonalInertia = c.I32("diagonal")
}

// sappearReader reads limbs and levels, which lie anywhere in the record.
type sappearReader struct {
	b     []byte
	d     *schema.Diagnostics
	spans []ultima9.Span
	lods  map[uint32]ultima9.LOD // by offset: table entries may share a level
	room  int                    // bytes that levels may still have; they may overlap, but not without end
}

// at returns a cursor at an offset of the record.
func (r *sappearReader) at(offset uint32, size int, path string) (*read.Cursor, error) {
	c := read.NewCursorAt("sappear", path, r.b, 0, r.d)
	if int64(offset)+int64(size) > int64(len(r.b)) || offset < ultima9.MeshHeaderSize {
		c.FailAtf(int64(offset), schema.ErrRange, "offset", "0x%x leaves no room for %d bytes in a record of 0x%x", offset, size, len(r.b))
		return nil, c.Err()
	}
	c.Seek(int(offset), "offset")
	return c, c.Err()
}

func (r *sappearReader) limb(l *ultima9.Limb, path string) error {
	c, err := r.at(l.Offset, ultima9.LimbHeaderSize, path)
	if err != nil {
		return err
	}
	r.spans = append(r.spans, ultima9.Span{Start: l.Offset, End: l.Offset + ultima9.LimbHeaderSize})
	return limbHeader(c, l)
}

// SappearLimb reads only the header of a limb (reference section 6.2). Errors are those of Sappear.
func SappearLimb(b []byte, d *schema.Diagnostics) (*ultima9.Limb, error) {
	l := new(ultima9.Limb)
	if err := limbHeader(read.NewCursor("sappear", b, d), l); err != nil {
		return nil, err
	}
	return l, nil
}

func limbHeader(c *read.Cursor, l *ultima9.Limb) error {
	l.ID = c.U32("id")
	l.Parent = c.U32("parent")
	l.Scale = c.Vec3("scale")
	l.Position = c.Vec3("position")
	l.Rotation = c.Vec4("rotation")
	if !finite(l.Scale[:]) || !finite(l.Position[:]) || !finite(l.Rotation[:]) {
		c.FailAtf(c.Offset()-ultima9.LimbHeaderSize, schema.ErrValue, "place", "scale %v, position %v, rotation %v", l.Scale, l.Position, l.Rotation)
	}
	return c.Err()
}

func finite(v []float32) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}

func (r *sappearReader) level(l *ultima9.LOD, offset uint32, path string) error {
	if known, ok := r.lods[offset]; ok {
		*l = known
		return nil
	}
	c, err := r.at(offset, 4, path)
	if err != nil {
		return err
	}
	l.Offset = offset
	l.Size = c.U32("size")
	end := int64(offset) + 4 + int64(l.Size)
	switch {
	case end > int64(len(r.b)):
		c.Failf(schema.ErrRange, "size", "%d bytes, %d left", l.Size, c.Left())
	case l.Size > 0 && l.Size < ultima9.LODHeaderSize:
		c.Failf(schema.ErrTruncated, "size", "%d bytes, the header alone has %d", l.Size, ultima9.LODHeaderSize)
	case int(l.Size) > r.room:
		c.Failf(schema.ErrLimit, "size", "the levels overlap too often")
	}
	if c.Err() != nil {
		return c.Err()
	}
	r.room -= int(l.Size)
	r.spans = append(r.spans, ultima9.Span{Start: offset, End: uint32(end)})
	if l.Size > 0 {
		c = read.NewCursorAt("sappear", path, r.b[offset+4:end], int64(offset)+4, r.d)
		lodBody(c, l)
		r.report(l, path)
	}
	r.lods[offset] = *l
	return c.Err()
}

// SappearLOD reads only a level of detail, beginning with its size word (reference section 6.3). Errors are those of
// Sappear.
func SappearLOD(b []byte, d *schema.Diagnostics) (*ultima9.LOD, error) {
	c := read.NewCursor("sappear", b, d)
	l := &ultima9.LOD{Size: c.U32("size")}
	switch {
	case c.Err() != nil:
	case int64(l.Size) != int64(c.Left()):
		c.FailAtf(0, schema.ErrMismatch, "size", "%d bytes, found %d", l.Size, c.Left())
	case l.Size > 0:
		c = read.NewCursorAt("sappear", "", b[4:], 4, d)
		lodBody(c, l)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	return l, nil
}

func lodBody(c *read.Cursor, l *ultima9.LOD) {
	l.Flags = read.Named(c, ultima9.Flags(c.U32("flags")))
	l.Flags2 = read.Named(c, ultima9.Flags(c.U32("flags 2")))
	l.SphereCentre = c.Vec3("sphere centre")
	l.SphereRadius = c.F32("sphere radius")
	l.BoxMin = c.Vec3("box minimum")
	l.BoxMax = c.Vec3("box maximum")
	l.BuildPointers = [2]uint32{c.U32("build pointer"), c.U32("build pointer")}
	faces, mountFaces := c.U32("face count"), c.U32("mount face count")
	vertices, mountVertices := c.U32("vertex count"), c.U32("mount vertex count")
	l.MaxFaces = c.U32("maximum face count")
	materials := c.U32("material count")
	l.FacesAt, l.MountFacesAt = c.U32("face offset"), c.U32("mount face offset")
	l.VerticesAt, l.MountVerticesAt = c.U32("vertex offset"), c.U32("mount vertex offset")
	l.MaterialsAt = c.U32("material offset")
	for i := range l.SortedAt {
		l.SortedAt[i] = c.U32("sorted list offset")
	}
	l.Reserved = [2]uint32{c.U32("reserved"), c.U32("reserved")}

	a := arrays{c: c, spans: make([]ultima9.Span, 1, 10)}
	a.spans[0].End = ultima9.LODHeaderSize
	l.Vertices = c.Vec3s(a.seek(l.VerticesAt, vertices, 12, "vertices"), "vertices")
	l.MountVertices = c.Vec3s(a.seek(l.MountVerticesAt, mountVertices, 12, "mount vertices"), "mount vertices")
	l.Faces = readFaces(c, a.seek(l.FacesAt, faces, ultima9.FaceSize, "faces"), len(l.Vertices), "faces")
	l.MountFaces = readFaces(c, a.seek(l.MountFacesAt, mountFaces, ultima9.FaceSize, "mount faces"), len(l.MountVertices), "mount faces")
	l.Materials = readMaterials(c, a.seek(l.MaterialsAt, materials, ultima9.MaterialSize, "materials"))
	checkCover(c, l)
	for i := range l.Sorted {
		if faces == 0 && int64(l.SortedAt[i])+4 > int64(l.Size) {
			continue // without faces there is nothing to sort, and no list
		}
		n := a.seek(l.SortedAt[i], faces+2, 2, "sorted list")
		list := c.U16s(n, "sorted list")
		l.Sorted[i] = make([]int16, len(list))
		for k, v := range list {
			l.Sorted[i][k] = int16(v)
		}
	}
	if c.Err() == nil {
		c.Seek(0, "")
		l.Gaps = ultima9.Uncovered(c.Part(c.Left(), "level"), a.spans)
	}
}

// arrays finds the arrays of a level.
type arrays struct {
	c     *read.Cursor
	spans []ultima9.Span
}

// seek goes to an array of n elements, after checking that it lies behind the header and inside the level. It returns
// n, or 0 on failure. The offset of an empty array means nothing.
func (a *arrays) seek(offset, n uint32, size int, field string) int {
	if n == 0 || a.c.Err() != nil {
		return 0
	}
	if offset < ultima9.LODHeaderSize {
		a.c.Failf(schema.ErrRange, field, "the array at 0x%x lies inside the header", offset)
		return 0
	}
	a.c.Seek(int(offset), field)
	count := a.c.Count(uint64(n), size, field)
	if a.c.Err() == nil {
		a.spans = append(a.spans, ultima9.Span{Start: offset, End: offset + uint32(count*size)})
	}
	return count
}

// faceLayout is the layout of a face, for a trace.
const faceLayout = cornerLayout + cornerLayout + cornerLayout +
	"flags:u32 flags-2:u32 normal:3f32 plane-w:f32 raw-material:u32 colour:4u8 extremes:6u8 size-code:u16"

var faceNames = schema.NamesOf[ultima9.Flags]("flags", "flags-2")

const cornerLayout = "vertex:u32 vertex-offset:u32 normal:3f32 UV:2f32 "

func readFaces(c *read.Cursor, n, vertices int, field string) []ultima9.Face {
	if n == 0 {
		return nil
	}
	start := c.Offset()
	list := make([]ultima9.Face, n)
	f := read.NewCursor("sappear", c.Elements(n, ultima9.FaceSize, faceLayout, field), nil) // of known size: it cannot fail
	c.Name(faceNames)
	for i := range list {
		face := &list[i]
		for k := range face.Corners {
			corner := &face.Corners[k]
			corner.Vertex = f.U32("vertex")
			corner.VertexOffset = f.U32("vertex offset")
			corner.Normal = f.Vec3("normal")
			corner.UV = f.Vec2("UV")
			if corner.Vertex >= uint32(vertices) {
				c.FailAtf(start+int64(i*ultima9.FaceSize+k*ultima9.CornerSize), schema.ErrRange, field,
					"corner %d of face %d uses vertex %d of %d", k, i, corner.Vertex, vertices)
				return nil
			}
		}
		face.Flags = ultima9.Flags(f.U32("flags"))
		face.Flags2 = ultima9.Flags(f.U32("flags 2"))
		face.Normal = f.Vec3("normal")
		face.PlaneW = f.F32("plane w")
		face.RawMaterial = f.U32("raw material")
		copy(face.Color[:], f.Bytes(4, "colour"))
		copy(face.Extremes[:], f.Bytes(6, "extremes"))
		face.SizeCode = f.U16("size code")
	}
	return list
}

func readMaterials(c *read.Cursor, n int) []ultima9.Material {
	if n == 0 {
		return nil
	}
	list := make([]ultima9.Material, n)
	for i := range list {
		c.Enter("material", i)
		list[i] = ultima9.Material{
			Texture: c.U16("texture"), Unknown02: c.U16("padding"), Flags: read.Named(c, ultima9.RenderFlags(c.U16("render flags"))), Unknown06: c.U16("padding"),
			FirstFace: c.U16("first face"), FaceCount: c.U16("face count"), DefaultAlpha: c.U8("default alpha"), ActiveAlpha: c.U8("active alpha"),
			Start: c.U8("start frame"), End: c.U8("end frame"), Current: c.U8("current frame"), FPS: c.U8("frames per second"),
			Type: c.U8("animation type"), Backward: read.Named(c, ultima9.Direction(c.U8("direction"))), Timer: c.U32("timer"),
		}
		c.Leave()
	}
	return list
}

// checkCover checks that every face has exactly one material.
func checkCover(c *read.Cursor, l *ultima9.LOD) {
	if c.Err() != nil {
		return
	}
	covered := make([]bool, len(l.Faces))
	total := 0
	at := c.Offset() - int64(len(l.Materials)*ultima9.MaterialSize)
	for i, m := range l.Materials {
		at := at + int64(i*ultima9.MaterialSize) + 8
		first, end := int(m.FirstFace), int(m.FirstFace)+int(m.FaceCount)
		if end > len(l.Faces) {
			c.FailAtf(at, schema.ErrRange, "first face", "material %d covers faces %d to %d of %d", i, first, end, len(l.Faces))
			return
		}
		for k := first; k < end; k++ {
			if covered[k] {
				c.FailAtf(at, schema.ErrMismatch, "first face", "face %d has two materials", k)
				return
			}
			covered[k] = true
			total++
		}
	}
	if total < len(covered) {
		c.FailAtf(at, schema.ErrMismatch, "materials", "%d of %d faces have no material", len(covered)-total, len(covered))
	}
}

// report tells what is odd in a level that can be used all the same.
func (r *sappearReader) report(l *ultima9.LOD, path string) {
	if r.d == nil {
		return
	}
	nan, loose := 0, 0
	for i := range l.Faces {
		for k := range l.Faces[i].Corners {
			corner := &l.Faces[i].Corners[k]
			if !finite(corner.UV[:]) {
				nan++
			}
			if corner.VertexOffset != 12*corner.Vertex {
				loose++
			}
		}
	}
	if nan > 0 {
		r.d.Warnf("uv-nan", path, "%d corners have texture coordinates that are no numbers", nan)
	}
	if loose > 0 {
		r.d.Warnf("vertex-offset", path, "%d corners have a vertex offset that is not 12 times their vertex", loose)
	}
	for _, g := range l.Gaps {
		r.d.WarnAtf("gap", path, int64(l.Offset)+4+int64(g.Offset), "%d bytes belong to no array", len(g.Data))
	}
}
