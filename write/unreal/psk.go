package unreal

import (
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/write"
)

// actorX appends the chunks of an ActorX file.
type actorX struct{ *write.Buffer }

// PSK writes a skinned mesh (reference section 24). Without Chunks, the usual ones are written; for more than 65,536 wedges
// the faces go into FACE3200.
func PSK(x *unreal.PSK) ([]byte, error) {
	w := actorX{write.NewBuffer(unreal.PSKFormat, 512+12*len(x.Points)+16*len(x.Wedges)+18*len(x.Faces)+88*len(x.Materials)+120*len(x.Bones)+12*len(x.Weights))}
	chunks := x.Chunks
	if chunks == nil {
		faces := "FACE0000"
		if len(x.Wedges) > math.MaxUint16 {
			faces = "FACE3200"
		}
		chunks = usualChunks(1999801, "ACTRHEAD", "PNTS0000", "VTXW0000", faces, "MATT0000", "REFSKELT", "RAWWEIGHTS")
	}
	w.all(chunks, map[string]chunk{
		"PNTS0000": {12, len(x.Points), func(i int) { w.Floats(x.Points[i][:]...) }},
		"VTXW0000": {16, len(x.Wedges), func(i int) { w.wedge(&x.Wedges[i]) }},
		"FACE0000": {12, len(x.Faces), func(i int) { w.face(&x.Faces[i], false) }},
		"FACE3200": {18, len(x.Faces), func(i int) { w.face(&x.Faces[i], true) }},
		"MATT0000": {88, len(x.Materials), func(i int) { w.material(&x.Materials[i]) }},
		"REFSKELT": {120, len(x.Bones), func(i int) { w.bone(&x.Bones[i]) }},
		"RAWWEIGHTS": {12, len(x.Weights), func(i int) {
			w.F32(x.Weights[i].Weight)
			w.I32(x.Weights[i].Point)
			w.I32(x.Weights[i].Bone)
		}},
	})
	return w.Finish()
}

// PSA writes a set of motions (reference section 24).
func PSA(x *unreal.PSA) ([]byte, error) {
	w := actorX{write.NewBuffer(unreal.PSAFormat, 512+120*len(x.Bones)+168*len(x.Sequences)+32*len(x.Keys))}
	chunks := x.Chunks
	if chunks == nil {
		chunks = usualChunks(2, "ANIMHEAD", "BONENAMES", "ANIMINFO", "ANIMKEYS")
	}
	w.all(chunks, map[string]chunk{
		"BONENAMES": {120, len(x.Bones), func(i int) { w.bone(&x.Bones[i]) }},
		"ANIMINFO":  {168, len(x.Sequences), func(i int) { w.sequence(&x.Sequences[i]) }},
		"ANIMKEYS": {32, len(x.Keys), func(i int) {
			w.Floats(x.Keys[i].Position[:]...)
			w.Floats(x.Keys[i].Rotation[:]...)
			w.F32(x.Keys[i].Time)
		}},
	})
	return w.Finish()
}

func usualChunks(kind int32, names ...string) []unreal.ActorXChunk {
	chunks := make([]unreal.ActorXChunk, len(names))
	for i, name := range names {
		copy(chunks[i].ID[:], name)
		chunks[i].Type = kind
	}
	chunks[0].Data = []byte{}
	return chunks
}

// chunk is what a chunk that usher knows holds.
type chunk struct {
	size, count int
	element     func(i int)
}

func (w *actorX) all(chunks []unreal.ActorXChunk, parts map[string]chunk) {
	written := map[string]bool{}
	for i := range chunks {
		c := &chunks[i]
		w.Bytes(c.ID[:])
		w.I32(c.Type)
		if c.Count < 0 || c.Count > 0 && (c.Size != 0 || c.Data == nil) {
			w.Failf(schema.ErrMismatch, c.Name(), "%d elements without bytes, of %d bytes each", c.Count, c.Size)
			return
		}
		if p, known := parts[c.Name()]; known && c.Data == nil {
			if c.Size != 0 && int(c.Size) != p.size {
				w.Failf(schema.ErrMismatch, c.Name(), "the element size is %d, not %d", p.size, c.Size)
			}
			written[c.Name()[:4]] = true // faces are in either of two chunks
			w.I32(int32(p.size))
			w.Count32(p.count, c.Name())
			for k := range p.count {
				p.element(k)
			}
			continue
		}
		if c.Size <= 0 && len(c.Data) > 0 || c.Size > 0 && len(c.Data)%int(c.Size) != 0 {
			w.Failf(schema.ErrMismatch, c.Name(), "%d bytes are no whole number of elements of %d", len(c.Data), c.Size)
			return
		}
		w.I32(c.Size)
		w.Count32(len(c.Data)/max(int(c.Size), 1)+int(c.Count), c.Name())
		w.Bytes(c.Data)
	}
	for name, p := range parts {
		if p.count > 0 && !written[name[:4]] {
			w.NoPlace(name, "a file without that chunk")
		}
	}
}

func (w *actorX) name(n unreal.ActorXName, field string) {
	if n.Rest == nil {
		w.FixedText(n.Text, unreal.ActorXNameSize, field)
		return
	}
	b, ok := schema.EncodeWindows1252(n.Text)
	if b = append(append(b, 0), n.Rest...); !ok || len(b) != unreal.ActorXNameSize {
		w.Failf(schema.ErrValue, field, "%q and what follows it have %d bytes, not %d", n.Text, len(b), unreal.ActorXNameSize)
	}
	w.Bytes(b)
}

func (w *actorX) wedge(x *unreal.PSKWedge) {
	w.U32(x.Point)
	w.Floats(x.UV[:]...)
	w.U8(x.Material)
	w.U8(x.Reserved)
	w.U16(x.Unknown0E)
}

func (w *actorX) face(f *unreal.PSKFace, wide bool) {
	for _, x := range f.Wedges {
		switch {
		case wide:
			w.U32(x)
		case x > math.MaxUint16:
			w.Failf(schema.ErrRange, "wedge", "%d has more than 16 bits", x)
		default:
			w.U16(uint16(x))
		}
	}
	w.U8(f.Material)
	w.U8(f.Second)
	w.U32(f.Smoothing)
}

func (w *actorX) material(m *unreal.PSKMaterial) {
	w.name(m.Name, "material")
	w.I32(m.Texture)
	w.U32(m.Flags)
	w.I32(m.Aux)
	w.U32(m.AuxFlags)
	w.I32(m.LODBias)
	w.I32(m.LODStyle)
}

func (w *actorX) bone(b *unreal.ActorXBone) {
	w.name(b.Name, "bone")
	w.U32(b.Flags)
	w.I32(b.Children)
	w.I32(b.Parent)
	w.Floats(b.Orientation[:]...)
	w.Floats(b.Position[:]...)
	w.F32(b.Length)
	w.Floats(b.Size[:]...)
}

func (w *actorX) sequence(s *unreal.PSASequence) {
	w.name(s.Name, "sequence")
	w.name(s.Group, "group")
	for _, v := range []int32{s.Bones, s.RootInclude, s.KeyStyle, s.Quotum} {
		w.I32(v)
	}
	w.Floats(s.Reduction, s.TrackTime, s.Rate)
	w.I32(s.StartBone)
	w.I32(s.First)
	w.I32(s.Frames)
}
