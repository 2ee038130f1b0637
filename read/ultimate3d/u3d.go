// Package ultimate3d reads the model files of the engine Ultimate 3D. [U3D] reads a whole file.
package ultimate3d

import (
	"bytes"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// U3D decodes a model file. Byte slices of the model alias b. Irregularities that the engine tolerates become warnings in
// d. Source: reference sections 2 to 7.
//
// It fails with ErrBadMagic for other files and for wrong chunk identifiers; ErrUnsupported for ECMA-363 files, later
// versions and files that seem password-protected; ErrTruncated if the data ends early or a count cannot fit; ErrMismatch
// if counts contradict each other; ErrRange for indices outside their table; and ErrCycle for bone parents.
func U3D(b []byte, d *schema.Diagnostics) (*ultimate3d.Model, error) {
	if err := recognise(b); err != nil {
		return nil, err
	}
	trace := d.Trace()
	noted := trace.Mark()
	m, p, err := parse(b, false, d)
	if err != nil && p.sawLoneShadowVertices {
		// The published text reads the vertices of a shadow volume without triangles, the engine does not.
		trace.Rewind(noted)
		if again, literal, literalErr := parse(b, true, d); literalErr == nil {
			m, p, err = again, literal, nil
		} else if trace.Rewind(noted); trace != nil {
			m, p, err = parse(b, false, d)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := m.Check(d, p.offset); err != nil {
		return nil, err
	}
	return m, nil
}

// parser holds the state of one reading of a file.
type parser struct {
	b                     []byte
	d                     *schema.Diagnostics // for its trace; nil while something is only tried
	literalShadows        bool
	sawLoneShadowVertices bool
	attempts              int // positions tried behind undecodable materials

	meshes, materials, bones []int // where the chunks begin
	end                      int   // behind the last chunk
}

// offset returns where a chunk begins.
func (p *parser) offset(kind string, i int) int64 {
	list := map[string][]int{"mesh": p.meshes, "material": p.materials, "bone": p.bones, "trailing": {p.end}}[kind]
	if i < len(list) {
		return int64(list[i])
	}
	return 0
}

func parse(b []byte, literalShadows bool, d *schema.Diagnostics) (*ultimate3d.Model, *parser, error) {
	p := &parser{b: b, d: d, literalShadows: literalShadows}
	c := read.NewCursor(ultimate3d.FormatName, b, d)
	m, h := header(c)
	if c.Err() != nil {
		return nil, p, c.Err()
	}
	m.Meshes = make([]*ultimate3d.Mesh, h.meshes)
	p.meshes = make([]int, h.meshes)
	for i := range m.Meshes {
		p.meshes[i] = c.Pos()
		c.Enter("mesh", i)
		m.Meshes[i] = p.mesh(c)
		c.Leave()
		if c.Err() != nil {
			return nil, p, c.Err()
		}
	}
	t := p.tail(c.Pos(), 0, h)
	if t.err != nil {
		return nil, p, t.err
	}
	m.Materials, m.Bones, m.Layout, m.Trailing = t.materials, t.bones, t.layout, t.trailing
	p.materials, p.bones, p.end = t.materialsAt, t.bonesAt, len(b)-len(t.trailing)
	return m, p, nil
}

// counts are the header's counts of chunks.
type counts struct{ meshes, materials, bones int }

// header reads the fixed part and the level of detail tables, and checks the counts before anything is allocated.
func header(c *read.Cursor) (*ultimate3d.Model, counts) {
	var m ultimate3d.Model
	c.Magic(ultimate3d.Magic, "magic")
	at := c.Offset()
	m.Version = c.F32("FileVersion")
	if c.Err() == nil && !(m.Version <= 1) || math.IsInf(float64(m.Version), 0) {
		c.FailAtf(at, schema.ErrUnsupported, "FileVersion", "version %g, only 1.0 is known", m.Version)
	}
	at = c.Offset()
	meshes := c.U16("nMesh")
	m.MeshesPerFrame = c.U16("nMeshesPerFrame")
	m.Frames = c.U32("nFrame")
	m.LODs = c.U16("nLOD")
	materials := c.U16("nMaterial")
	bones := c.U16("nBone")
	m.CelShadingStrength = c.F32("CelShadingStrength")
	m.CelShadingColor = c.Vec4("CelShadingColor")
	m.AlphaBlending = ultimate3d.Bool(c.U8("AlphaBlending"))
	m.VertexTweening = ultimate3d.Bool(c.U8("VertexTweening"))
	if c.Err() != nil {
		return nil, counts{}
	}
	if m.MeshesPerFrame == 0 || m.Frames == 0 || m.LODs == 0 || materials == 0 {
		c.FailAtf(at, schema.ErrMismatch, "counts", "%d meshes a frame, %d frames, %d levels of detail, %d materials: each must be at least 1",
			m.MeshesPerFrame, m.Frames, m.LODs, materials)
	}
	want := uint64(m.MeshesPerFrame) * uint64(m.LODs)
	if bones == 0 {
		want *= uint64(m.Frames)
	}
	if uint64(meshes) != want {
		c.FailAtf(at, schema.ErrMismatch, "nMesh", "%d meshes, the other counts demand %d", meshes, want)
	}
	levels := c.Extent(uint64(m.LODs)-1, 8, "pLODLevelOfDetail")
	least := ultimate3d.MeshMinSize*uint64(meshes) + ultimate3d.MaterialMinSize*uint64(materials) + ultimate3d.BoneMinSize*uint64(bones)
	c.Extent(least+8*uint64(levels), 1, "chunks")
	m.LODLevels = c.F32s(levels, "pLODLevelOfDetail")
	m.LODDistancesSq = c.F32s(levels, "pLODCameraDistanceSq")
	return &m, counts{int(meshes), int(materials), int(bones)}
}

// recognise refuses what is not a model file of version 1.0, as precisely as its bytes allow.
func recognise(b []byte) error {
	fail := func(class error, msg string) error {
		return &schema.FormatError{Format: ultimate3d.FormatName, Offset: 0, Field: "magic", Class: class, Msg: msg}
	}
	switch {
	case bytes.HasPrefix(b, []byte(ultimate3d.Magic)):
		return nil
	case bytes.HasPrefix(b, []byte("U3D\x00")):
		return fail(schema.ErrUnsupported, "Universal 3D (ECMA-363), a different format")
	case len(b) == 0:
		return fail(schema.ErrBadMagic, "the file is empty")
	case encrypted(b):
		return fail(schema.ErrUnsupported, "a password-protected Ultimate 3D file, as it seems; it cannot be read")
	}
	return fail(schema.ErrBadMagic, "unrecognised or password-protected Ultimate 3D file")
}

// encrypted reports whether b has the look of a password-protected file: every byte substituted, the order reversed, some
// filler and a zero at the end (reference section 7). What remains of the plain text is which of the first 17 bytes are
// equal: those of the magic and of version 1.0.
func encrypted(b []byte) bool {
	const plain = ultimate3d.Magic + "\x00\x00\x80\x3F"
	if len(b) < len(plain)+1 || b[len(b)-1] != 0 {
		return false
	}
	for filler := 0; filler <= 260; filler++ {
		end := len(b) - 1 - filler
		if end < len(plain) {
			return false
		}
		if substituted(b[end-len(plain):end], plain) {
			return true
		}
	}
	return false
}

// substituted reports whether the reverse of b could be plain with every byte value replaced by another.
func substituted(b []byte, plain string) bool {
	n := len(b)
	for i := range n {
		for j := range i {
			if (b[n-1-i] == b[n-1-j]) != (plain[i] == plain[j]) {
				return false
			}
		}
	}
	return true
}

// Probe reports whether b begins like a model file of the engine.
func Probe(b []byte) bool { return bytes.HasPrefix(b, []byte(ultimate3d.Magic)) }
