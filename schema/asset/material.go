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
	Emissive          [3]float32 // linear, 0 … 1
	EmissiveStrength  float32    // multiplies Emissive; 1 unless brighter than white
	EmissiveTexture   *TextureRef
	Specular          *Specular
	Unlit             bool
	Alpha             AlphaMode
	AlphaCutoff       float32
	DoubleSided       bool
	Air               bool // around a planet: dense where one looks along it; see [AirShare]
	Unseen            bool // nothing that is shown wears it any more, so that no more than its name is known
	Absent            bool // its picture, or all of what it looks like, is in files that are not at hand
	Extras            map[string]any
	Native            *Native
}

// NewMaterial returns glTF's default material: white, rough, opaque; Metallic is 0 here, since none of the old worlds
// knows metal.
func NewMaterial(name string) *Material {
	return &Material{Name: name, BaseColor: [4]float32{1, 1, 1, 1}, Roughness: 1, NormalScale: 1, EmissiveStrength: 1, AlphaCutoff: 0.5}
}

// AirShare is the mean over a ball of how dense its air looks, where it looks densest 1: the alpha of such a material is the
// product of both, since glTF has no look that changes with the angle.
const AirShare = 0.436

// Specular is the strength and tint of reflections (KHR_materials_specular).
type Specular struct {
	Factor       float32
	Color        [3]float32
	Texture      *TextureRef
	ColorTexture *TextureRef
}

// Wrap is what lies outside a texture.
type Wrap uint8

// The wrap modes.
const (
	Repeat Wrap = iota
	Clamp
	Mirror
)

// Filter is how texels are sampled.
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
