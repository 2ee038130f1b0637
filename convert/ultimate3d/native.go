package ultimate3d

import (
	"bytes"
	"encoding/binary"
	"math"

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

// number returns a numeric value of n, or -1.
func number(n *asset.Native, key string) int {
	if n == nil {
		return -1
	}
	if f, ok := float(n.Values[key]); ok && f >= 0 && f <= math.MaxInt32 && f == math.Trunc(f) {
		return int(f)
	}
	return -1
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// floats returns a list of numbers, whatever JSON has made of it.
func floats(v any) []float64 {
	switch v := v.(type) {
	case []float64:
		return v
	case []any:
		list := make([]float64, 0, len(v))
		for _, x := range v {
			f, ok := float(x)
			if !ok {
				return nil
			}
			list = append(list, f)
		}
		return list
	}
	return nil
}

// list makes a JSON value of numbers. JSON knows no infinities: they are left to the payload.
func list[T float32 | uint32 | ultimate3d.ColorOp](v []T) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = finite(float64(x))
	}
	return out
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// sameNumbers tells whether what a person may have edited still says what was stored.
func sameNumbers(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-6*max(1, math.Abs(b[i])) {
			return false
		}
	}
	return true
}

// edited returns the numbers of values[key] when they are there and differ from those of was.
func edited(values, was map[string]any, key string) ([]float64, bool) {
	v, ok := values[key]
	if !ok {
		return nil, false
	}
	now, before := numbersOf(v), numbersOf(was[key])
	if now == nil || len(now) != len(before) || sameNumbers(now, before) {
		return nil, false
	}
	return now, true
}

func numbersOf(v any) []float64 {
	if f, ok := float(v); ok {
		return []float64{f}
	}
	return floats(v)
}

func meshPayload(list []*ultimate3d.Mesh) ([]byte, error) {
	var flags byte
	for _, m := range list {
		if m.Shadow.VertexCount != 0 && len(m.Shadow.Triangles) == 0 && len(m.Shadow.Vertices) > 0 {
			flags |= flagLiteralShadows
		}
	}
	b, err := write.MeshChunks(list)
	return append([]byte{flags}, b...), err
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
	return append([]byte{flags}, b...), err
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
	if n = ours(n); n == nil || len(n.Payload) == 0 {
		return nil
	}
	layout := ultimate3d.EngineKeys
	if n.Payload[0]&flagLiteralKeys != 0 {
		layout = ultimate3d.LiteralKeys
	}
	b, err := read.BoneChunk(n.Payload[1:], layout)
	return use(l, b, err, path)
}

// fixed is the payload of the scene: the header's fields bit by bit, the tables of the levels of detail, and what
// follows the last chunk.
type fixed struct {
	Floats                        [6]uint32 // as bits, since reflection has no float32: it would change what is no number
	Frames                        uint32
	AlphaBlending, VertexTweening ultimate3d.Bool
	Layout                        ultimate3d.KeyLayout
	Levels                        uint16
}

func headerPayload(m *ultimate3d.Model) []byte {
	var floats [6]uint32
	for i, x := range headerFloats(m) {
		floats[i] = math.Float32bits(*x)
	}
	f := fixed{floats, m.Frames, m.AlphaBlending, m.VertexTweening, m.Layout, uint16(len(m.LODLevels))}
	b, _ := binary.Append(nil, binary.LittleEndian, &f) // fixed-size fields cannot fail
	b, _ = binary.Append(b, binary.LittleEndian, m.LODLevels)
	b, _ = binary.Append(b, binary.LittleEndian, m.LODDistancesSq)
	return append(b, m.Trailing...)
}

func headerFloats(m *ultimate3d.Model) [6]*float32 {
	c := &m.CelShadingColor
	return [6]*float32{&m.Version, &m.CelShadingStrength, &c[0], &c[1], &c[2], &c[3]}
}

// headerOf fills the header of m from what a scene has kept.
func headerOf(m *ultimate3d.Model, b []byte) error {
	var f fixed
	r := bytes.NewReader(b)
	if err := binary.Read(r, binary.LittleEndian, &f); err != nil || r.Len() < 8*int(f.Levels) {
		return schema.Errorf(ultimate3d.FormatName, schema.ErrTruncated, "header", "%d bytes", len(b))
	}
	for i, x := range headerFloats(m) {
		*x = math.Float32frombits(f.Floats[i])
	}
	m.Frames = f.Frames
	m.AlphaBlending, m.VertexTweening, m.Layout = f.AlphaBlending, f.VertexTweening, f.Layout
	m.LODLevels, m.LODDistancesSq = make([]float32, f.Levels), make([]float32, f.Levels)
	_ = binary.Read(r, binary.LittleEndian, m.LODLevels) // the length was checked
	_ = binary.Read(r, binary.LittleEndian, m.LODDistancesSq)
	if r.Len() > 0 {
		m.Trailing = b[len(b)-r.Len():]
	}
	return nil
}

// headerValues are the readable fields of the header.
func headerValues(m *ultimate3d.Model) map[string]any {
	distances := make([]float32, len(m.LODDistancesSq))
	for i, d := range m.LODDistancesSq {
		distances[i] = float32(math.Sqrt(max(float64(d), 0)))
	}
	return map[string]any{
		"frames":             float64(m.Frames),
		"celShadingStrength": finite(float64(m.CelShadingStrength)),
		"celShadingColor":    list(m.CelShadingColor[:]),
		"alphaBlending":      boolNumber(m.AlphaBlending),
		"vertexTweening":     boolNumber(m.VertexTweening),
		"lodLevels":          list(m.LODLevels),
		"lodDistances":       list(distances),
	}
}

func boolNumber(b ultimate3d.Bool) float64 {
	if b.True() {
		return 1
	}
	return 0
}

// editHeader takes over what a person changed among the readable fields.
func editHeader(m *ultimate3d.Model, values map[string]any) {
	was := headerValues(m)
	if v, ok := edited(values, was, "frames"); ok && v[0] >= 1 && v[0] <= math.MaxUint32 {
		m.Frames = uint32(v[0])
	}
	if v, ok := edited(values, was, "celShadingStrength"); ok {
		m.CelShadingStrength = float32(v[0])
	}
	if v, ok := edited(values, was, "celShadingColor"); ok {
		narrowInto(m.CelShadingColor[:], v)
	}
	if v, ok := edited(values, was, "alphaBlending"); ok {
		m.AlphaBlending = ultimate3d.BoolOf(v[0] != 0)
	}
	if v, ok := edited(values, was, "vertexTweening"); ok {
		m.VertexTweening = ultimate3d.BoolOf(v[0] != 0)
	}
	if v, ok := edited(values, was, "lodLevels"); ok {
		narrowInto(m.LODLevels, v)
	}
	if v, ok := edited(values, was, "lodDistances"); ok {
		for i := range v {
			m.LODDistancesSq[i] = float32(v[i] * v[i])
		}
	}
}

func narrowInto(dst []float32, v []float64) {
	for i := range dst {
		dst[i] = float32(v[i])
	}
}

// wholeInto takes over the numbers that fit.
func wholeInto[T ~uint32](dst []T, v []float64) {
	for i, x := range v {
		if x >= 0 && x <= math.MaxUint32 {
			dst[i] = T(x)
		}
	}
}

// materialValues are the readable fields of a material that glTF has no place for.
func materialValues(m *ultimate3d.Material) map[string]any {
	return map[string]any{
		"diffuse":       list(m.Diffuse[:]),
		"ambient":       list(m.Ambient[:]),
		"specular":      list(m.Specular[:]),
		"emissive":      list(m.Emissive[:]),
		"specularPower": finite(float64(m.SpecularPower)),
		"colorOp":       list(m.ColorOp[:]),
		"texCoordSet":   list(m.TexCoordSet[:]),
	}
}

// editMaterial takes over what a person changed among the readable fields.
func editMaterial(m *ultimate3d.Material, values map[string]any) {
	was := materialValues(m)
	for key, field := range map[string][]float32{"diffuse": m.Diffuse[:], "ambient": m.Ambient[:], "specular": m.Specular[:], "emissive": m.Emissive[:]} {
		if v, ok := edited(values, was, key); ok {
			narrowInto(field, v)
		}
	}
	if v, ok := edited(values, was, "specularPower"); ok {
		m.SpecularPower = float32(v[0])
	}
	if v, ok := edited(values, was, "colorOp"); ok {
		wholeInto(m.ColorOp[:], v)
	}
	if v, ok := edited(values, was, "texCoordSet"); ok {
		wholeInto(m.TexCoordSet[:], v)
	}
}

func boneValues(b *ultimate3d.Bone) map[string]any {
	return map[string]any{"boneFrame": finite(float64(b.BoneFrame)), "passOnBoneFrame": boolNumber(b.PassOnBoneFrame)}
}

func editBone(b *ultimate3d.Bone, values map[string]any) {
	was := boneValues(b)
	if v, ok := edited(values, was, "boneFrame"); ok {
		b.BoneFrame = float32(v[0])
	}
	if v, ok := edited(values, was, "passOnBoneFrame"); ok {
		b.PassOnBoneFrame = ultimate3d.BoolOf(v[0] != 0)
	}
}
