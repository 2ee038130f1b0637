package ultima9

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Sappear writes a mesh record (reference section 6) at the offsets in the mesh, its limbs and their levels. For a new or
// changed mesh, set these with LOD.Layout and Mesh.Layout first. It fails with ErrMismatch if a limb has another number of
// levels than the mesh says, and with ErrRange for offsets and counts that do not fit.
func Sappear(m *ultima9.Mesh) ([]byte, error) {
	size, err := sappearSize(m)
	if err != nil {
		return nil, err
	}
	w := write.NewBuffer("sappear", ultima9.MeshHeaderSize+4*len(m.Limbs)*(int(m.LODs)+1))
	writeMeshHeader(w, m)
	var parts []region
	for i := range m.Limbs {
		l := &m.Limbs[i]
		w.U32(l.Offset)
		parts = append(parts, region{at: int(l.Offset), size: ultima9.LimbHeaderSize, write: func(b []byte) { writeLimb(b, l) }})
		for k := range l.LODs {
			lod := &l.LODs[k]
			w.U32(lod.Offset)
			level, err := levelBytes(lod)
			if err != nil {
				return nil, err
			}
			parts = append(parts, region{at: int(lod.Offset), size: len(level), write: func(b []byte) { copy(b, level) }})
		}
	}
	head, err := w.Finish()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	parts = append(parts, region{size: len(head), write: func(b []byte) { copy(b, head) }})
	return b, fill("sappear", b, gaps(parts, m.Gaps))
}

// SappearLimb writes only the header of a limb (reference section 6.2).
func SappearLimb(l *ultima9.Limb) ([]byte, error) {
	b := make([]byte, ultima9.LimbHeaderSize)
	writeLimb(b, l)
	return b, nil
}

// SappearLOD writes only a level of detail, beginning with its size word (reference section 6.3).
func SappearLOD(l *ultima9.LOD) ([]byte, error) {
	if err := checkLOD(l); err != nil {
		return nil, err
	}
	return levelBytes(l)
}

// sappearSize checks all offsets and returns the size of the record.
func sappearSize(m *ultima9.Mesh) (int, error) {
	start := ultima9.MeshHeaderSize + 4*len(m.Limbs)*(int(m.LODs)+1)
	end, parts := start, start
	reach := func(offset uint32, n int) bool {
		end, parts = max(end, int(offset)+n), parts+n
		return offset >= ultima9.MeshHeaderSize
	}
	for i := range m.Limbs {
		l := &m.Limbs[i]
		if len(l.LODs) != int(m.LODs) {
			return 0, schema.Errorf("sappear", schema.ErrMismatch, "LOD count", "limb %d has %d levels of detail, the mesh %d", i, len(l.LODs), m.LODs)
		}
		ok := reach(l.Offset, ultima9.LimbHeaderSize)
		for k := range l.LODs {
			lod := &l.LODs[k]
			ok = ok && reach(lod.Offset, 4+int(lod.Size))
			if err := checkLOD(lod); err != nil {
				return 0, err
			}
		}
		if !ok {
			return 0, schema.Errorf("sappear", schema.ErrRange, "offset", "limb %d begins inside the header", i)
		}
	}
	for _, g := range m.Gaps {
		end, parts = max(end, int(g.Offset)+len(g.Data)), parts+len(g.Data)
	}
	return end, checkSpread("sappear", end, parts)
}

// checkSpread holds the size of a record, which follows from the offsets in it, against the bytes of its parts: no
// record has much room between them, and a wrong offset must not make gigabytes of zeros.
func checkSpread(format string, size, parts int) error {
	if size > 2*parts+1<<16 || size > math.MaxUint32 {
		return schema.Errorf(format, schema.ErrRange, "offset", "parts of %d bytes are spread over %d", parts, size)
	}
	return nil
}

// checkLOD checks that the arrays of a level lie inside it.
func checkLOD(l *ultima9.LOD) error {
	if l.Empty() {
		return checkEmpty(l)
	}
	ok, parts := l.Size >= ultima9.LODHeaderSize, ultima9.LODHeaderSize
	inside := func(offset uint32, n, size int) {
		parts += n * size
		ok = ok && (n == 0 || offset >= ultima9.LODHeaderSize && int(offset)+n*size <= int(l.Size))
	}
	inside(l.FacesAt, len(l.Faces), ultima9.FaceSize)
	inside(l.MountFacesAt, len(l.MountFaces), ultima9.FaceSize)
	inside(l.VerticesAt, len(l.Vertices), 12)
	inside(l.MountVerticesAt, len(l.MountVertices), 12)
	inside(l.MaterialsAt, len(l.Materials), ultima9.MaterialSize)
	for i, list := range l.Sorted {
		if n := len(l.Faces) + 2; len(list) != n && (len(list) > 0 || len(l.Faces) > 0) {
			return schema.Errorf("sappear", schema.ErrMismatch, "Sorted", "list %d has %d numbers; one for each face and two at the ends are %d", i, len(list), n)
		}
		inside(l.SortedAt[i], len(l.Sorted[i]), 2)
	}
	for _, g := range l.Gaps {
		parts += len(g.Data)
		ok = ok && int(g.Offset)+len(g.Data) <= int(l.Size)
	}
	if !ok {
		return schema.Errorf("sappear", schema.ErrRange, "offset", "an array of the level at 0x%x lies outside its 0x%x bytes", l.Offset, l.Size)
	}
	return checkSpread("sappear", int(l.Size), parts)
}

// checkEmpty refuses geometry of a level whose size says that it has none.
func checkEmpty(l *ultima9.LOD) error {
	held := len(l.Faces) + len(l.MountFaces) + len(l.Vertices) + len(l.MountVertices) + len(l.Materials) + len(l.Gaps)
	for _, list := range l.Sorted {
		held += len(list)
	}
	header := make([]byte, ultima9.LODHeaderSize)
	writeLODHeader(header, l)
	if held > 0 || len(bytes.Trim(header, "\x00")) > 0 {
		return schema.Errorf("sappear", schema.ErrMismatch, "Size", "the level at 0x%x has the size 0, and so no Faces, Vertices, Materials or anything else", l.Offset)
	}
	return nil
}

func writeMeshHeader(w *write.Buffer, m *ultima9.Mesh) {
	w.Count32(len(m.Limbs), "limb count")
	w.U32(m.LODs)
	w.Floats(m.CylinderBase[:]...)
	w.Floats(m.CylinderHeight, m.CylinderRadius)
	w.Floats(m.SphereCentre[:]...)
	w.F32(m.SphereRadius)
	w.I16(int16(m.Shape))
	w.U16(m.Unknown2E)
	w.Floats(m.BoxMin[:]...)
	w.Floats(m.BoxMax[:]...)
	for _, t := range m.Thresholds {
		w.I32(t)
	}
	w.Floats(m.CentreOfMass[:]...)
	w.F32(m.Volume)
	w.Floats(m.InverseInertia[:]...)
	w.I32(m.DiagonalInertia)
}

// block fills a part of the record whose size is known.
type block struct {
	b  []byte
	at int
}

func (p *block) u8s(v ...uint8) { p.at += copy(p.b[p.at:], v) }

func (p *block) u16(v uint16) {
	binary.LittleEndian.PutUint16(p.b[p.at:], v)
	p.at += 2
}

func (p *block) u32(v uint32) {
	binary.LittleEndian.PutUint32(p.b[p.at:], v)
	p.at += 4
}

func (p *block) u32s(v ...uint32) {
	for _, x := range v {
		p.u32(x)
	}
}

func (p *block) f32s(v ...float32) {
	for _, x := range v {
		p.u32(math.Float32bits(x))
	}
}

func writeLimb(b []byte, l *ultima9.Limb) {
	p := block{b: b}
	p.u32s(l.ID, l.Parent)
	p.f32s(l.Scale[:]...)
	p.f32s(l.Position[:]...)
	p.f32s(l.Rotation[:]...)
}

// levelBytes returns a level that was checked, its size word first.
func levelBytes(l *ultima9.LOD) ([]byte, error) {
	b := make([]byte, 4+l.Size)
	binary.LittleEndian.PutUint32(b, l.Size)
	if l.Empty() {
		return b, nil
	}
	parts := []region{
		{size: ultima9.LODHeaderSize, write: func(b []byte) { writeLODHeader(b, l) }},
		array(l.FacesAt, l.Faces, ultima9.FaceSize, writeFaces),
		array(l.MountFacesAt, l.MountFaces, ultima9.FaceSize, writeFaces),
		array(l.VerticesAt, l.Vertices, 12, writeVertices),
		array(l.MountVerticesAt, l.MountVertices, 12, writeVertices),
		array(l.MaterialsAt, l.Materials, ultima9.MaterialSize, writeMaterials),
	}
	for i, list := range l.Sorted {
		parts = append(parts, array(l.SortedAt[i], list, 2, writeNumbers))
	}
	return b, fill("sappear", b[4:], gaps(parts, l.Gaps))
}

// array is the region of an array whose elements have so many bytes. The offset of one without elements means nothing.
func array[T any](at uint32, list []T, size int, write func([]byte, []T)) region {
	if len(list) == 0 {
		at = 0
	}
	return region{at: int(at), size: size * len(list), write: func(b []byte) { write(b, list) }}
}

func writeLODHeader(b []byte, l *ultima9.LOD) {
	p := block{b: b}
	p.u32s(uint32(l.Flags), uint32(l.Flags2))
	p.f32s(l.SphereCentre[:]...)
	p.f32s(l.SphereRadius)
	p.f32s(l.BoxMin[:]...)
	p.f32s(l.BoxMax[:]...)
	p.u32s(l.BuildPointers[:]...)
	p.u32s(uint32(len(l.Faces)), uint32(len(l.MountFaces)), uint32(len(l.Vertices)), uint32(len(l.MountVertices)), l.MaxFaces, uint32(len(l.Materials)))
	p.u32s(l.FacesAt, l.MountFacesAt, l.VerticesAt, l.MountVerticesAt, l.MaterialsAt)
	p.u32s(l.SortedAt[:]...)
	p.u32s(l.Reserved[:]...)
}

func writeNumbers(b []byte, list []int16) {
	for i, v := range list {
		binary.LittleEndian.PutUint16(b[2*i:], uint16(v))
	}
}

func writeFaces(b []byte, list []ultima9.Face) {
	p := block{b: b}
	for i := range list {
		f := &list[i]
		for k := range f.Corners {
			c := &f.Corners[k]
			p.u32(c.Vertex)
			p.u32(c.VertexOffset)
			p.f32s(c.Normal[:]...)
			p.f32s(c.UV[:]...)
		}
		p.u32(uint32(f.Flags))
		p.u32(uint32(f.Flags2))
		p.f32s(f.Normal[:]...)
		p.f32s(f.PlaneW)
		p.u32(f.RawMaterial)
		p.u8s(f.Color[:]...)
		p.u8s(f.Extremes[:]...)
		p.u16(f.SizeCode)
	}
}

func writeVertices(b []byte, list [][3]float32) {
	p := block{b: b}
	for i := range list {
		p.f32s(list[i][:]...)
	}
}

func writeMaterials(b []byte, list []ultima9.Material) {
	p := block{b: b}
	for i := range list {
		m := &list[i]
		p.u16(m.Texture)
		p.u16(m.Unknown02)
		p.u16(uint16(m.Flags))
		p.u16(m.Unknown06)
		p.u16(m.FirstFace)
		p.u16(m.FaceCount)
		p.u8s(m.DefaultAlpha, m.ActiveAlpha, m.Start, m.End, m.Current, m.FPS, m.Type, uint8(m.Backward))
		p.u32(m.Timer)
	}
}

// region is a part of a record, which lies where an offset says.
type region struct {
	at, size int
	gap      bool           // bytes that are outside of all parts
	write    func(b []byte) // fills as many bytes
}

// gaps appends the bytes that lie between the parts of a record.
func gaps(list []region, all []ultima9.Gap) []region {
	for _, g := range all {
		list = append(list, region{int(g.Offset), len(g.Data), true, func(b []byte) { copy(b, g.Data) }})
	}
	return list
}

// fill writes the regions of a record. Several parts may share bytes, as long as they say the same: else what was changed in
// one of them would be lost under the other. Gaps share none.
func fill(format string, b []byte, list []region) error {
	for _, r := range list {
		r.write(b[r.at:][:r.size])
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b region) int { return cmp.Compare(a.at, b.at) })
	shared, end, gap := false, 0, false
	for _, r := range sorted {
		overlaps := r.size > 0 && r.at < end
		if r.gap && (r.size == 0 || overlaps) || gap && overlaps {
			return schema.Errorf(format, schema.ErrMismatch, "Gaps", "the gap at 0x%x is empty, or another part has bytes of it", r.at)
		}
		shared = shared || overlaps
		if r.at+r.size > end {
			end, gap = r.at+r.size, r.gap
		}
	}
	if !shared {
		return nil
	}
	for _, r := range list {
		here := b[r.at:][:r.size]
		again := bytes.Clone(here)
		if r.write(again); !bytes.Equal(again, here) {
			return schema.Errorf(format, schema.ErrMismatch, "offset", "the part at 0x%x shares bytes with another that says something else", r.at)
		}
	}
	return nil
}
