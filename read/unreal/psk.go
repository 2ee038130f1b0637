package unreal

import (
	"bytes"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// actorX reads the chunks of an ActorX file.
type actorX struct {
	*read.Cursor
	chunks []unreal.ActorXChunk
	seen   map[string]bool
}

// PSK reads a skinned mesh (reference section 24). Unknown chunks are kept. It fails with ErrBadMagic if the first chunk is
// not that of a PSK file, and with ErrMismatch for elements of an unexpected size or a missing chunk.
func PSK(b []byte, d *schema.Diagnostics) (*unreal.PSK, error) {
	r := newActorX(b, unreal.PSKFormat, "ACTRHEAD", d)
	x := &unreal.PSK{}
	r.all(map[string]func(n int){
		"PNTS0000":   func(n int) { x.Points = r.Vec3s(n, "points") },
		"VTXW0000":   func(n int) { x.Wedges = elements(r, n, "wedge", r.wedge) },
		"FACE0000":   func(n int) { x.Faces = elements(r, n, "face", r.face16) },
		"FACE3200":   func(n int) { x.Faces = elements(r, n, "face", r.face32) },
		"MATT0000":   func(n int) { x.Materials = elements(r, n, "material", r.material) },
		"REFSKELT":   func(n int) { x.Bones = elements(r, n, "bone", r.bone) },
		"RAWWEIGHTS": func(n int) { x.Weights = elements(r, n, "weight", r.weight) },
	})
	if r.Err() == nil && r.seen["FACE3200"] {
		r.seen["FACE0000"] = true
	}
	r.need("PNTS0000", "VTXW0000", "FACE0000", "MATT0000", "REFSKELT", "RAWWEIGHTS")
	x.Chunks = r.chunks
	if r.Err() != nil {
		return nil, r.Err()
	}
	return x, nil
}

// PSA reads a set of motions (reference section 24). Errors are those of [PSK].
func PSA(b []byte, d *schema.Diagnostics) (*unreal.PSA, error) {
	r := newActorX(b, unreal.PSAFormat, "ANIMHEAD", d)
	x := &unreal.PSA{}
	r.all(map[string]func(n int){
		"BONENAMES": func(n int) { x.Bones = elements(r, n, "bone", r.bone) },
		"ANIMINFO":  func(n int) { x.Sequences = elements(r, n, "sequence", r.sequence) },
		"ANIMKEYS": func(n int) {
			x.Keys = elements(r, n, "key", func(k *unreal.PSAKey) {
				*k = unreal.PSAKey{Position: r.Vec3("position"), Rotation: r.Vec4("rotation"), Time: r.F32("time")}
			})
		},
	})
	r.need("BONENAMES", "ANIMINFO", "ANIMKEYS")
	x.Chunks = r.chunks
	if r.Err() != nil {
		return nil, r.Err()
	}
	return x, nil
}

// IsActorX returns the format of an ActorX file that begins with b, or "" if it is none.
func IsActorX(head []byte) string {
	switch {
	case len(head) < unreal.ActorXHead:
	case bytes.HasPrefix(head, []byte("ACTRHEAD\x00")):
		return unreal.PSKFormat
	case bytes.HasPrefix(head, []byte("ANIMHEAD\x00")):
		return unreal.PSAFormat
	}
	return ""
}

func newActorX(b []byte, format, first string, d *schema.Diagnostics) *actorX {
	r := &actorX{Cursor: read.NewCursor(format, b, d), seen: map[string]bool{}}
	if head := r.Peek(len(first)); string(head) != first && len(head) == len(first) {
		r.Failf(schema.ErrBadMagic, "first chunk", "found %q, expected %s", head, first)
	}
	return r
}

// elementSizes are those of the chunks that usher knows.
var elementSizes = map[string]int32{
	"PNTS0000": 12, "VTXW0000": 16, "FACE0000": 12, "FACE3200": 18, "MATT0000": 88, "REFSKELT": 120, "RAWWEIGHTS": 12,
	"BONENAMES": 120, "ANIMINFO": 168, "ANIMKEYS": 32,
}

// all reads the chunks one after another.
func (r *actorX) all(known map[string]func(n int)) {
	for r.Err() == nil && r.Left() > 0 {
		c := unreal.ActorXChunk{}
		at := r.Offset()
		copy(c.ID[:], r.Data(len(c.ID), schema.LayoutText, "chunk id"))
		c.Type, c.Size = r.I32("chunk type"), r.I32("element size")
		n := r.I32("element count")
		name := c.Name()
		if r.Err() != nil {
			return
		}
		if n < 0 || c.Size < 0 {
			r.FailAtf(at+24, schema.ErrCount, "element count", "%s: %d elements of %d bytes", name, n, c.Size)
			return
		}
		f := known[name]
		if r.seen[name] || name == "FACE0000" && r.seen["FACE3200"] || name == "FACE3200" && r.seen["FACE0000"] || n == 0 && c.Size != elementSizes[name] {
			f = nil // a second one, and an empty one of odd size, are kept as they are
		}
		r.Enter(name, -1)
		switch {
		case f == nil:
			if int64(n)*int64(c.Size) > int64(r.Left()) {
				r.Failf(schema.ErrTruncated, "elements", "%d of %d bytes, %d left", n, c.Size, r.Left())
				return
			}
			c.Data = r.Bytes(int(n)*int(c.Size), "elements")
			if c.Data == nil {
				c.Data = []byte{}
			}
			if c.Size == 0 {
				c.Count = n
			}
		case c.Size != elementSizes[name]:
			r.FailAtf(at+24, schema.ErrMismatch, "element size", "%d, expected %d", c.Size, elementSizes[name])
			return
		default:
			f(r.Count(uint64(n), int(c.Size), "elements"))
		}
		r.Leave()
		r.seen[name] = true
		r.chunks = append(r.chunks, c)
	}
}

// need fails where a chunk is missing.
func (r *actorX) need(names ...string) {
	for _, name := range names {
		if !r.seen[name] {
			r.Failf(schema.ErrMismatch, "chunks", "there is no %s", name)
			return
		}
	}
}

// elements reads n elements, whose number was checked before.
func elements[T any](r *actorX, n int, field string, element func(*T)) []T {
	all := make([]T, n)
	for i := range all {
		r.Enter(field, i)
		element(&all[i])
		if r.Err() != nil {
			return nil
		}
		r.Leave()
	}
	return all
}

func (r *actorX) name(field string) (n unreal.ActorXName) {
	b := r.Data(unreal.ActorXNameSize, schema.LayoutText, field)
	text, rest, ended := bytes.Cut(b, []byte{0})
	if !ended && b != nil {
		r.Failf(schema.ErrValue, field, "%q has no end", b)
	}
	n.Text = schema.DecodeWindows1252(text)
	if len(bytes.Trim(rest, "\x00")) > 0 {
		n.Rest = rest
	}
	return n
}

func (r *actorX) wedge(w *unreal.PSKWedge) {
	*w = unreal.PSKWedge{Point: r.U32("point"), UV: r.Vec2("UV"), Material: r.U8("material"), Reserved: r.U8("reserved"), Unknown0E: r.U16("unknown")}
}

func (r *actorX) face16(f *unreal.PSKFace) {
	f.Wedges = [3]uint32{uint32(r.U16("wedge")), uint32(r.U16("wedge")), uint32(r.U16("wedge"))}
	f.Material, f.Second, f.Smoothing = r.U8("material"), r.U8("second material"), r.U32("smoothing groups")
}

func (r *actorX) face32(f *unreal.PSKFace) {
	f.Wedges = [3]uint32{r.U32("wedge"), r.U32("wedge"), r.U32("wedge")}
	f.Material, f.Second, f.Smoothing = r.U8("material"), r.U8("second material"), r.U32("smoothing groups")
}

func (r *actorX) material(m *unreal.PSKMaterial) {
	*m = unreal.PSKMaterial{Name: r.name("name"), Texture: r.I32("texture index"), Flags: r.U32("poly flags"), Aux: r.I32("aux material"),
		AuxFlags: r.U32("aux flags"), LODBias: r.I32("LOD bias"), LODStyle: r.I32("LOD style")}
}

func (r *actorX) bone(b *unreal.ActorXBone) {
	*b = unreal.ActorXBone{Name: r.name("name"), Flags: r.U32("flags"), Children: r.I32("children"), Parent: r.I32("parent"),
		Orientation: r.Vec4("orientation"), Position: r.Vec3("position"), Length: r.F32("length"), Size: r.Vec3("size")}
}

func (r *actorX) weight(w *unreal.PSKWeight) {
	*w = unreal.PSKWeight{Weight: r.F32("weight"), Point: r.I32("point"), Bone: r.I32("bone")}
}

func (r *actorX) sequence(s *unreal.PSASequence) {
	*s = unreal.PSASequence{Name: r.name("name"), Group: r.name("group"), Bones: r.I32("bones"), RootInclude: r.I32("root include"),
		KeyStyle: r.I32("key style"), Quotum: r.I32("key quotum"), Reduction: r.F32("reduction"), TrackTime: r.F32("track time"),
		Rate: r.F32("rate"), StartBone: r.I32("start bone"), First: r.I32("first frame"), Frames: r.I32("frames")}
}
