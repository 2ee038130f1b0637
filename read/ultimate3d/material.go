package ultimate3d

import (
	"bytes"
	"errors"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// maxAttempts bounds how many places behind undecodable materials are tried, over the whole file.
const maxAttempts = 256

// tail is everything behind the meshes, as read from some position on.
type tail struct {
	materials            []*ultimate3d.Material
	bones                []*ultimate3d.Bone
	materialsAt, bonesAt []int // where the chunks begin
	layout               ultimate3d.KeyLayout
	trailing             []byte
	err                  error
}

// tail reads the materials from number first on, which begins at pos, and then the bones. Where a material cannot be
// decoded it goes on at the first later chunk identifier from which the rest of the file can be read (section 5.6).
func (p *parser) tail(pos, first int, h counts) tail {
	c := read.NewCursor(ultimate3d.FormatName, p.b, p.d)
	c.Seek(pos, "materials")
	var t tail
	for i := first; i < h.materials; i++ {
		start := c.Pos()
		c.Enter("material", i)
		m, from, shaky := material(c)
		c.Leave()
		last := i == h.materials-1
		next := ultimate3d.MaterialMagic
		if last {
			next = ultimate3d.BoneMagic
			if h.bones == 0 {
				next = ""
			}
		}
		if c.Err() == nil && (next != "" && string(c.Peek(len(next))) != next || next == "" && shaky && !from.plausible && c.Left() > 0) {
			c.Failf(schema.ErrBadMagic, "identifier", "found %q, expected %q", c.Peek(len(next)), next)
		}
		if c.Err() == nil {
			t.materials, t.materialsAt = append(t.materials, m), append(t.materialsAt, start)
			continue
		}
		if !shaky {
			return tail{err: c.Err()}
		}
		rest, opaque := p.resume(m, from, i, next, h, c.Err())
		if rest.err != nil {
			return rest
		}
		rest.materials = append(append(t.materials, opaque), rest.materials...)
		rest.materialsAt = append(append(t.materialsAt, start), rest.materialsAt...)
		return rest
	}
	p.boneTail(c, h.bones, &t)
	return t
}

// resume looks for the chunk after material i, of which everything from a position on is undecodable.
func (p *parser) resume(m *ultimate3d.Material, from mark, i int, next string, h counts, cause error) (tail, *ultimate3d.Material) {
	opaque := *m
	opaque.Opaque = true
	if from.records {
		opaque.Textures, opaque.EffectUsed = [8]*ultimate3d.Texture{}, ultimate3d.False
	}
	opaque.Effect = nil
	if next == "" {
		if from.plausible && errors.Is(cause, schema.ErrTruncated) {
			return tail{err: cause}, nil
		}
		opaque.Undecoded = p.b[from.pos:]
		p.undecoded(from, opaque.Undecoded)
		return tail{}, &opaque
	}
	d, start, attempts := p.d, 0, 0
	p.d = nil
	best := tail{err: cause}
	for pos := from.pos; ; pos++ {
		hit := bytes.Index(p.b[pos:], []byte(next))
		if hit < 0 || p.attempts >= maxAttempts {
			break
		}
		p.attempts++
		pos += hit
		before := p.attempts
		t := p.tail(pos, i+1, h)
		if t.err == nil && (best.err != nil || len(t.trailing) == 0) {
			best, opaque.Undecoded = t, p.b[from.pos:pos]
			start, attempts = pos, before
		}
		if t.err == nil && len(t.trailing) == 0 {
			break
		}
	}
	if p.d = d; d.Trace() != nil && start > 0 { // once more, noting what it reads
		p.attempts = attempts
		p.undecoded(from, opaque.Undecoded)
		p.tail(start, i+1, h)
	}
	return best, &opaque
}

// undecoded tells a trace that what was noted of the undecodable part of a material meant nothing.
func (p *parser) undecoded(from mark, b []byte) {
	if t := p.d.Trace(); t != nil {
		t.Rewind(from.noted)
		t.NoteBytes(b, 1, schema.LayoutBytes, "material", "undecoded")
	}
}

// mark is where the undecodable part of a material begins.
type mark struct {
	pos       int
	noted     int  // by then in the trace
	records   bool // the texture records are part of it
	plausible bool // everything read up to the failure made sense
}

// material reads a material chunk (reference section 5). When resources or an effect are announced, what follows is
// less certain: shaky is then true, and the mark says what remains certain.
func material(c *read.Cursor) (m *ultimate3d.Material, from mark, shaky bool) {
	m = &ultimate3d.Material{}
	c.Magic(ultimate3d.MaterialMagic, "identifier")
	m.Name = c.CString("Name")
	m.Diffuse = c.Vec4("Diffuse")
	m.Ambient = c.Vec4("Ambient")
	m.Specular = c.Vec4("Specular")
	m.Emissive = c.Vec4("Emissive")
	m.SpecularPower = c.F32("SpecularPower")
	m.TextureCount = c.U16("nTexture")
	for i := range m.ColorOp {
		m.ColorOp[i] = read.Named(c, ultimate3d.ColorOp(c.U32("pColorOp")))
	}
	for i := range m.TexCoordSet {
		m.TexCoordSet[i] = read.Named(c, ultimate3d.TexCoordIndex(c.U32("piTexCoordSet")))
	}
	m.ExportResources = ultimate3d.Bool(c.U8("ExportResources"))
	if c.Err() != nil {
		return m, mark{}, false
	}
	shaky = m.ExportResources.True()
	from = mark{pos: c.Pos(), noted: c.Mark(), records: true, plausible: true}
	for i := range m.Textures {
		c.Enter("texture", i)
		m.Textures[i] = texture(c, m.ExportResources.True(), &from)
		c.Leave()
	}
	m.EffectUsed = ultimate3d.Bool(c.U8("EffectUsed"))
	from.sense(m.EffectUsed <= 1)
	if !m.EffectUsed.True() {
		return m, from, shaky
	}
	if !shaky {
		from = mark{pos: c.Pos(), noted: c.Mark(), plausible: from.plausible}
	}
	c.Enter("effect", -1)
	m.Effect = effect(c, m.ExportResources, &from)
	c.Leave()
	return m, from, true
}

// sense notes whether a value that was read makes sense.
func (f *mark) sense(ok bool) { f.plausible = f.plausible && ok }

// senseText notes whether a string has no control characters.
func (f *mark) senseText(s string) string {
	for i := range len(s) {
		f.sense(s[i] >= ' ')
	}
	return s
}

// texture reads the record of one stage; nil for an unused one.
func texture(c *read.Cursor, embedded bool, from *mark) *ultimate3d.Texture {
	used := ultimate3d.Bool(c.U8("used"))
	from.sense(used <= 1)
	if !used.True() {
		return nil
	}
	t := &ultimate3d.Texture{Used: used, Type: read.Named(c, ultimate3d.TextureType(c.U32("type")))}
	if t.Type > ultimate3d.NoFileTexture {
		from.sense(false)
		c.Failf(schema.ErrBadMagic, "type", "texture type %d, at most 3", t.Type)
	}
	t.Identifier = from.senseText(c.CString("Identifier"))
	switch t.Type {
	case ultimate3d.ImageTexture, ultimate3d.HeightTexture:
		t.Width = c.U16("width")
		t.Height = c.U16("height")
		if t.Type == ultimate3d.HeightTexture {
			t.HeightFactor = c.F32("height factor")
		}
		if embedded {
			t.Content = content(c)
		} else {
			t.File = from.senseText(c.CString("file name"))
		}
	case ultimate3d.CubeTexture:
		t.Width = c.U16("width")
		for i := range t.FaceFiles {
			if embedded {
				t.FaceContents[i] = content(c)
			} else {
				t.FaceFiles[i] = from.senseText(c.CString("face file name"))
			}
		}
	}
	return t
}

func content(c *read.Cursor) []byte {
	n := c.Extent(uint64(c.U32("size")), 1, "size")
	return c.Data(n, "file", "file contents")
}

// effect reads an effect block (reference section 5.3).
func effect(c *read.Cursor, exported ultimate3d.Bool, from *mark) *ultimate3d.Effect {
	e := &ultimate3d.Effect{Embedded: ultimate3d.Bool(c.U8("shaders embedded"))}
	from.sense(c.Err() != nil || e.Embedded <= 1 && e.Embedded.True() == exported.True())
	e.VertexShader = from.senseText(c.CString("vertex shader"))
	copy(e.Declaration[:], c.Bytes(len(e.Declaration), "vertex declaration"))
	if e.Embedded.True() {
		e.VertexCode = tokens(c, "vertex shader tokens")
	}
	e.PixelShader = from.senseText(c.CString("pixel shader"))
	if e.Embedded.True() && e.PixelShader != "" {
		e.PixelCode = tokens(c, "pixel shader tokens")
	}
	copy(e.VertexMeanings[:], c.U32s(len(e.VertexMeanings), "vertex constant meanings"))
	for i := range e.VertexConstants {
		e.VertexConstants[i] = c.Vec4("vertex constants")
	}
	copy(e.PixelMeanings[:], c.U32s(len(e.PixelMeanings), "pixel constant meanings"))
	for i := range e.PixelConstants {
		e.PixelConstants[i] = c.Vec4("pixel constants")
	}
	copy(e.Lights[:], c.U16s(len(e.Lights), "light references"))
	return e
}

func tokens(c *read.Cursor, field string) []uint32 {
	return c.U32s(c.Extent(uint64(c.U32(field)), 4, field), field)
}
