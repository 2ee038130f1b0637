package ultimate3d

import (
	"errors"
	"math"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// boneTail reads the bone chunks in the layout that fits, and what follows them (reference section 6.3): the engine's
// layout if it ends with the file, else the published text's under the same condition, else the engine's with trailing
// bytes.
func (p *parser) boneTail(c *read.Cursor, n int, t *tail) {
	if n == 0 {
		t.trailing = c.Rest()
		return
	}
	d := p.d
	p.d = nil
	defer func() {
		if p.d = d; d.Trace() != nil {
			p.boneChunks(c.Pos(), n, t.layout) // once more, noting what it reads
		}
	}()
	engine := p.boneChunks(c.Pos(), n, ultimate3d.EngineKeys)
	if engine.err == nil && len(engine.trailing) == 0 {
		t.takeBones(engine)
		return
	}
	literal := p.boneChunks(c.Pos(), n, ultimate3d.LiteralKeys)
	if literal.err == nil && len(literal.trailing) == 0 && !p.cutKeys(engine.err, literal.bones) {
		t.takeBones(literal)
		return
	}
	t.takeBones(engine)
}

func (t *tail) takeBones(from tail) {
	t.bones, t.bonesAt, t.layout, t.trailing, t.err = from.bones, from.bonesAt, from.layout, from.trailing, from.err
}

func (p *parser) boneChunks(pos, n int, layout ultimate3d.KeyLayout) tail {
	c := read.NewCursor(ultimate3d.FormatName, p.b, p.d)
	c.Seek(pos, "bones")
	n = c.Extent(uint64(n), ultimate3d.BoneMinSize, "nBone")
	t := tail{layout: layout, bones: make([]*ultimate3d.Bone, n), bonesAt: make([]int, n)}
	for i := range n {
		t.bonesAt[i] = c.Pos()
		c.Enter("bone", i)
		t.bones[i] = bone(c, layout)
		c.Leave()
		if c.Err() != nil {
			return tail{err: c.Err()}
		}
	}
	t.trailing, t.err = c.Rest(), c.Err()
	return t
}

// bone reads a bone chunk (reference section 6).
func bone(c *read.Cursor, layout ultimate3d.KeyLayout) *ultimate3d.Bone {
	b := &ultimate3d.Bone{}
	c.Magic(ultimate3d.BoneMagic, "identifier")
	b.Name = c.CString("Name")
	b.Parent = c.U16("iParent")
	b.BoneFrame = c.F32("BoneFrame")
	b.PassOnBoneFrame = ultimate3d.Bool(c.U8("PassOnBoneFrame"))
	n := c.Extent(uint64(c.U16("nMesh")), 66, "nMesh")
	b.Attachments = makeOrNil[ultimate3d.Attachment](n)
	for i := range b.Attachments {
		b.Attachments[i].Mesh = c.U16("piMesh")
	}
	for i := range b.Attachments {
		b.Attachments[i].Transformation = c.Mat4("pMeshTransformation")
	}
	b.Scaling = vectorKeys(c, "nScalingKey", layout, &b.Fillers[0])
	b.Translation = vectorKeys(c, "nTranslationKey", layout, &b.Fillers[1])
	n = keyCount(c, "nRotationKey", 20, layout, &b.Fillers[2])
	b.Rotation = makeOrNil[ultimate3d.RotationKey](n)
	for i := range b.Rotation {
		c.Enter("rotation", i)
		b.Rotation[i] = ultimate3d.RotationKey{Frame: c.U16("key frame"), Unused: c.U16("unused"), Value: c.Vec4("rotation key")}
		c.Leave()
	}
	return b
}

func vectorKeys(c *read.Cursor, field string, layout ultimate3d.KeyLayout, filler *uint16) []ultimate3d.VectorKey {
	keys := makeOrNil[ultimate3d.VectorKey](keyCount(c, field, 16, layout, filler))
	for i := range keys {
		c.Enter("key", i)
		keys[i] = ultimate3d.VectorKey{Frame: c.U16("key frame"), Unused: c.U16("unused"), Value: c.Vec3("key")}
		c.Leave()
	}
	return keys
}

func keyCount(c *read.Cursor, field string, size int, layout ultimate3d.KeyLayout, filler *uint16) int {
	n := c.U16(field)
	if layout == ultimate3d.LiteralKeys {
		*filler = c.U16("filler")
	}
	return c.Extent(uint64(n), size, field)
}

func makeOrNil[T any](n int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

// cutKeys reports whether a file that ends within the engine's layout is simply truncated, although the other layout
// happens to end with it: the keys there, shifted by some bytes, make no sense, or those of the engine's layout do.
func (p *parser) cutKeys(engine error, literal []*ultimate3d.Bone) bool {
	var fe *schema.FormatError
	if !errors.As(engine, &fe) || !errors.Is(fe, schema.ErrTruncated) {
		return false
	}
	keys := fe.Field == "nScalingKey" || fe.Field == "nTranslationKey" || fe.Field == "nRotationKey"
	if !sensibleKeys(literal) {
		return true
	}
	const usual = 4096 // keys of one track
	start := int(fe.Offset)
	if !keys || len(p.b)-start < 8 {
		return false
	}
	c := read.NewCursor(ultimate3d.FormatName, p.b, nil)
	c.Seek(start-2, "count")
	if n := c.U16("count"); n > usual {
		return false
	}
	c.Skip(4, "key frame")
	for n := 0; n < 3 && c.Left() >= 4; n++ {
		if !sensible([]float32{c.F32("key")}) {
			return false
		}
	}
	return true
}

// sensibleKeys reports whether all keys hold numbers that somebody could have meant: floats read from the wrong position
// are soon subnormal or huge.
func sensibleKeys(list []*ultimate3d.Bone) bool {
	for _, b := range list {
		for _, keys := range [][]ultimate3d.VectorKey{b.Scaling, b.Translation} {
			for i := range keys {
				if !sensible(keys[i].Value[:]) {
					return false
				}
			}
		}
		for i := range b.Rotation {
			if !sensible(b.Rotation[i].Value[:]) {
				return false
			}
		}
	}
	return true
}

func sensible(v []float32) bool {
	for _, x := range v {
		size := math.Abs(float64(x))
		if size != 0 && !(size > 1e-30 && size < 1e12) {
			return false
		}
	}
	return true
}
