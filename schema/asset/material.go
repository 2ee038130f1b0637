package asset

// AlphaMode is how a material or texture uses alpha.
type AlphaMode uint8

// The alpha modes.
const (
	Opaque AlphaMode = iota
	Mask             // visible where alpha >= cutoff
	Blend
)

// Material is a metallic-roughness material. Make it with [NewMaterial]: the zero value is black.
type Material struct {
	Name              string
	BaseColor         [4]float32 // linear, 0 … 1
	BaseColorTexture  *TextureRef
	Metallic          float32
	Roughness         float32
	MetalRoughTexture *TextureRef // green roughness, blue metallic
	NormalTexture     *TextureRef
	NormalScale       float32
	OcclusionTexture  *TextureRef
	LightTexture      *TextureRef // light that falls on it, baked: mid grey shows the base colour as it is, white twice as bright
	Emissive          [3]float32  // linear, 0 … 1
	EmissiveStrength  float32     // multiplies Emissive; 1 unless brighter than white
	EmissiveTexture   *TextureRef
	Specular          *Specular
	Unlit             bool
	Alpha             AlphaMode
	AlphaCutoff       float32
	DoubleSided       bool
	Air               bool // it is the atmosphere of a planet, which looks densest at the rim; see [AirShare]
	Unseen            bool // no visible mesh uses it any more, so only its name is known
	Absent            bool // its picture or all of its look is in files that are missing
	Extras            map[string]any
	Native            *Native
}

// NewMaterial returns the default material of glTF (white, rough, opaque) with Metallic 0, since the games' worlds have no
// metals.
func NewMaterial(name string) *Material {
	return &Material{Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Roughness: 1, NormalScale: 1, EmissiveStrength: 1, AlphaCutoff: 0.5}
}

// Textures returns how a material uses textures, in the same order for every material; nil for uses that it lacks.
func (m *Material) Textures() []*TextureRef {
	all := []*TextureRef{m.BaseColorTexture, m.EmissiveTexture, m.NormalTexture, m.OcclusionTexture, m.LightTexture, m.MetalRoughTexture, nil, nil}
	if s := m.Specular; s != nil {
		all[len(all)-2], all[len(all)-1] = s.Texture, s.ColorTexture
	}
	return all
}

// AirShare is the mean density of an atmosphere as a share of its greatest density. glTF has no look that changes with the
// viewing angle, so an atmosphere's alpha is its greatest density times AirShare.
const AirShare = 0.436

// Specular is the strength and tint of reflections (KHR_materials_specular).
type Specular struct {
	Factor       float32
	Color        [3]float32
	Texture      *TextureRef
	ColorTexture *TextureRef
}

// Wrap says how a texture continues outside of 0 … 1.
type Wrap uint8

// The wrap modes.
const (
	Repeat Wrap = iota
	Clamp
	Mirror
)

// Filter says how texels are sampled.
type Filter uint8

// The filters; Unset leaves the choice to the viewer.
const (
	Unset Filter = iota
	Nearest
	Linear
)

// TextureRef is the use of a texture in a material.
type TextureRef struct {
	Texture      *Texture
	TexCoord     int
	WrapS, WrapT Wrap
	Filter       Filter
	Transform    *TextureTransform
	Extras       map[string]any
}

// TextureTransform maps texture coordinates: scale, then rotation (radians, counter-clockwise), then offset.
type TextureTransform struct {
	Offset, Scale [2]float32
	Rotation      float32
}
