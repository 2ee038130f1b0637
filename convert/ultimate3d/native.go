package ultimate3d

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// What an asset object keeps of its source: its chunks as stored, behind one byte of flags, and values that a person
// may read and edit. The names of the values:
const (
	keyRoot         = "root"       // the node that stands for the file
	keyMesh         = "mesh"       // number of the mesh within a frame
	keyLevel        = "level"      // level of detail
	keyFrame        = "frame"      // the one frame in which a node is shown
	keyMirrored     = "mirrored"   // the mesh is drawn by instances that a mirror turns
	keyMaterial     = "material"   // number of the material
	keyBone         = "bone"       // number of the bone
	keyAttachment   = "attachment" // number of the mesh on its bone
	keyFirst        = "first"      // frame at time 0 of an animation
	keyLast         = "last"
	keyCut          = "cut"     // an animation shows a range that the user asked for
	keyPicture      = "picture" // hash of the pixels of the texture that a material shows
	keyFPS          = "fps"
	keySets         = "texCoordSets" // stored texture coordinate set of each of glTF's
	keyAmbientFirst = "ambientFirst" // material colours were read with ambient first
)

// Flags in the first byte of a payload.
const (
	flagLiteralKeys    = 1 << 0
	flagLiteralShadows = 1 << 1
	flagOpaque         = 1 << 2
)

// flagEnds in the layout of the scene's payload: the bones follow that show nothing.
const flagEnds = 1 << 7

func native(values map[string]any, payload []byte) *asset.Native {
	return &asset.Native{Format: ultimate3d.FormatName, Values: values, Payload: payload}
}

// ours returns n when this format wrote it.
func ours(n *asset.Native) *asset.Native {
	if n == nil || n.Format != ultimate3d.FormatName {
		return nil
	}
	return n
}

// number returns what identifies an object among the values of n, or −1.
func number(n *asset.Native, key string) int {
	return scene.Whole(scene.Shown(ours(n), key))
}

func meshPayload(list []*ultimate3d.Mesh) ([]byte, error) {
	var flags byte
	for _, m := range list {
		if m.Shadow.VertexCount != 0 && len(m.Shadow.Triangles) == 0 && len(m.Shadow.Vertices) > 0 {
			flags |= flagLiteralShadows
		}
	}
	b, err := write.MeshChunks(list)
	return slices.Insert(b, 0, flags), err
}

// meshesOf returns the stored chunks of a mesh, nil when it has none of ours.
func (l *lowerer) meshesOf(n *asset.Native, path string) []*ultimate3d.Mesh {
	if n = ours(n); n == nil || len(n.Payload) == 0 {
		return nil
	}
	list, err := read.MeshChunks(n.Payload[1:], n.Payload[0]&flagLiteralShadows != 0)
	return use(l, list, err, path)
}

// use drops a payload that cannot be read, with a word about it.
func use[T any](l *lowerer, v T, err error, path string) T {
	if err != nil {
		l.d.Warnf("bad-payload", path, "what was kept of the original cannot be read: %v", err)
		var none T
		return none
	}
	return v
}

func materialPayload(m *ultimate3d.Material) ([]byte, error) {
	var flags byte
	if m.Opaque {
		flags = flagOpaque
	}
	b, err := write.MaterialChunk(m)
	return slices.Insert(b, 0, flags), err
}

func (l *lowerer) materialOf(n *asset.Native, path string) *ultimate3d.Material {
	if n = ours(n); n == nil || len(n.Payload) == 0 {
		return nil
	}
	m, err := read.MaterialChunk(n.Payload[1:], n.Payload[0]&flagOpaque != 0)
	return use(l, m, err, path)
}

func bonePayload(b *ultimate3d.Bone, layout ultimate3d.KeyLayout) ([]byte, error) {
	flags := byte(0)
	if layout == ultimate3d.LiteralKeys {
		flags = flagLiteralKeys
	}
	chunk, err := write.BoneChunk(b, layout)
	return append([]byte{flags}, chunk...), err
}

func (l *lowerer) boneOf(n *asset.Native, path string) *ultimate3d.Bone {
	if n = ours(n); n == nil || len(n.Payload) == 0 || number(n, keyMesh) >= 0 {
		return nil // none, or that of a mesh
	}
	layout := ultimate3d.EngineKeys
	if n.Payload[0]&flagLiteralKeys != 0 {
		layout = ultimate3d.LiteralKeys
	}
	b, err := read.BoneChunk(n.Payload[1:], layout)
	return use(l, b, err, path)
}

// fixed is the payload of the scene: the header's fields bit by bit, the tables of the levels of detail, the bones that
// show nothing, and what follows the last chunk.
type fixed struct {
	Floats                        [6]uint32 // as bits, since reflection has no float32: it would change what is no number
	Frames                        uint32
	AlphaBlending, VertexTweening ultimate3d.Bool
	Layout                        ultimate3d.KeyLayout
	Levels                        uint16
}

func headerPayload(m *ultimate3d.Model) ([]byte, error) {
	var floats [6]uint32
	for i, x := range headerFloats(m) {
		floats[i] = math.Float32bits(*x)
	}
	f := fixed{floats, m.Frames, m.AlphaBlending, m.VertexTweening, m.Layout, uint16(len(m.LODLevels))}
	ends := endsOf(m)
	if len(ends) > 0 {
		f.Layout |= flagEnds
	}
	b, _ := binary.Append(nil, binary.LittleEndian, &f) // fixed-size fields cannot fail
	b, _ = binary.Append(b, binary.LittleEndian, m.LODLevels)
	b, _ = binary.Append(b, binary.LittleEndian, m.LODDistancesSq)
	if len(ends) > 0 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(ends)))
	}
	for _, i := range ends {
		bone, err := bonePayload(m.Bones[i], m.Layout)
		if err != nil {
			return nil, err
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(i))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(bone)))
		b = append(b, bone...)
	}
	return append(b, m.Trailing...), nil
}

// endsOf returns the bones that programs leave out which leave out what shows nothing: no mesh hangs on them or below
// them, and no keys move them.
func endsOf(m *ultimate3d.Model) (list []int) {
	if m.Skinned() {
		return nil
	}
	parent, order := m.Parents()
	needed, fixed := make([]bool, len(m.Bones)), m.FixedFrames()
	for _, i := range slices.Backward(order) {
		b := m.Bones[i]
		needed[i] = needed[i] || len(b.Attachments) > 0 || !fixed[i] && max(len(b.Scaling), len(b.Rotation), len(b.Translation)) > 1
		if needed[i] && parent[i] >= 0 {
			needed[parent[i]] = true
		}
	}
	for i := range m.Bones {
		if !needed[i] {
			list = append(list, i)
		}
	}
	return list
}

func headerFloats(m *ultimate3d.Model) [6]*float32 {
	c := &m.CelShadingColor
	return [6]*float32{&m.Version, &m.CelShadingStrength, &c[0], &c[1], &c[2], &c[3]}
}

// headerOf fills the header of m from what a scene has kept, and returns the payloads of the bones that show nothing.
func headerOf(m *ultimate3d.Model, b []byte) (ends map[int][]byte, err error) {
	var f fixed
	r := bytes.NewReader(b)
	short := schema.Errorf(ultimate3d.FormatName, schema.ErrTruncated, "header", "%d bytes", len(b))
	if err := binary.Read(r, binary.LittleEndian, &f); err != nil || r.Len() < 8*int(f.Levels) {
		return nil, short
	}
	for i, x := range headerFloats(m) {
		*x = math.Float32frombits(f.Floats[i])
	}
	m.Frames = f.Frames
	m.AlphaBlending, m.VertexTweening, m.Layout = f.AlphaBlending, f.VertexTweening, f.Layout&^flagEnds
	m.LODLevels, m.LODDistancesSq = make([]float32, f.Levels), make([]float32, f.Levels)
	_ = binary.Read(r, binary.LittleEndian, m.LODLevels) // the length was checked
	_ = binary.Read(r, binary.LittleEndian, m.LODDistancesSq)
	rest := b[len(b)-r.Len():]
	if f.Layout&flagEnds != 0 {
		if ends, rest = endPayloads(rest); ends == nil {
			return nil, short
		}
	}
	if len(rest) > 0 {
		m.Trailing = rest
	}
	return ends, nil
}

// endPayloads takes the payloads of bones from the front; nil where they are cut short.
func endPayloads(b []byte) (ends map[int][]byte, rest []byte) {
	if len(b) < 2 {
		return nil, nil
	}
	count := binary.LittleEndian.Uint16(b)
	b, ends = b[2:], map[int][]byte{}
	for range count {
		if len(b) < 6 {
			return nil, nil
		}
		number, size := int(binary.LittleEndian.Uint16(b)), binary.LittleEndian.Uint32(b[2:])
		if b = b[6:]; uint64(size) > uint64(len(b)) {
			return nil, nil
		}
		ends[number], b = b[:size:size], b[size:]
	}
	return ends, b
}

// headerFields are those of the header that a person may edit, by their names.
func headerFields(m *ultimate3d.Model) scene.Fields {
	return scene.Fields{
		"frames": &m.Frames, "celShadingStrength": &m.CelShadingStrength, "celShadingColor": m.CelShadingColor[:],
		"alphaBlending": &m.AlphaBlending, "vertexTweening": &m.VertexTweening,
	}
}

// levelFields are those of the levels of detail; the distances are shown without the square, see editLevels.
func levelFields(m *ultimate3d.Model) (f scene.Fields, distances []float32) {
	distances = make([]float32, len(m.LODDistancesSq))
	for i, d := range m.LODDistancesSq {
		distances[i] = float32(math.Sqrt(max(float64(d), 0)))
	}
	return scene.Fields{"lodLevels": m.LODLevels, "lodDistances": distances}, distances
}

func headerValues(m *ultimate3d.Model) map[string]any {
	values := headerFields(m).Values()
	levels, _ := levelFields(m)
	maps.Copy(values, levels.Values())
	return values
}

// editHeader takes over what a person changed among the readable fields, but those of levels of detail.
func editHeader(m *ultimate3d.Model, n *asset.Native) error {
	err := headerFields(m).Take(ultimate3d.FormatName, "header", n)
	if err == nil && m.Frames == 0 {
		err = schema.In("header", schema.Errorf(ultimate3d.FormatName, schema.ErrValue, "frames", "0 is no whole number from 1 to %d", uint32(math.MaxUint32)))
	}
	return err
}

// editLevels does the same for the levels of detail, whose number must not have changed yet.
func editLevels(m *ultimate3d.Model, n *asset.Native) error {
	fields, distances := levelFields(m)
	before := slices.Clone(distances)
	err := fields.Take(ultimate3d.FormatName, "header", n)
	for i, d := range distances {
		if d != before[i] {
			m.LODDistancesSq[i] = d * d
		}
	}
	return err
}

// materialFields are those of a material that glTF has no place for.
func materialFields(m *ultimate3d.Material) scene.Fields {
	return scene.Fields{
		"diffuse": m.Diffuse[:], "ambient": m.Ambient[:], "specular": m.Specular[:], "emissive": m.Emissive[:],
		"specularPower": &m.SpecularPower, "colorOp": m.ColorOp[:], "texCoordSet": m.TexCoordSet[:],
	}
}

func boneFields(b *ultimate3d.Bone) scene.Fields {
	return scene.Fields{"boneFrame": &b.BoneFrame, "passOnBoneFrame": &b.PassOnBoneFrame}
}
