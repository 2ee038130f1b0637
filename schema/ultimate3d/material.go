package ultimate3d

import "github.com/usher-assets/usher/schema"

// Material is a material chunk (reference section 5): a Direct3D 8 material and eight texture stages. Colours are display
// values, usually 0 … 1; larger ones occur.
type Material struct {
	Name            string
	Diffuse         [4]float32
	Ambient         [4]float32
	Specular        [4]float32
	Emissive        [4]float32
	SpecularPower   float32
	TextureCount    uint16 // 0 in files of the engine, whatever the stages hold
	ColorOp         [8]ColorOp
	TexCoordSet     [8]TexCoordIndex
	ExportResources Bool // texture files and shaders are inside the file
	Textures        [8]*Texture
	EffectUsed      Bool
	Effect          *Effect

	// Opaque is set if the material could not be decoded up to the next chunk. Undecoded is then everything after
	// ExportResources, or after EffectUsed if that is true and ExportResources is not (reference section 5.6).
	Opaque    bool
	Undecoded []byte
}

// TextureType is the kind of a texture record.
type TextureType uint32

// The types.
const (
	ImageTexture  TextureType = 0
	HeightTexture TextureType = 1 // height map that the engine turns into a normal map
	CubeTexture   TextureType = 2
	NoFileTexture TextureType = 3 // stands for something made at run time, a render target
)

var textureTypeNames = schema.EnumNames[TextureType]{ImageTexture: "image", HeightTexture: "height", CubeTexture: "cube", NoFileTexture: "no-file"}

// String returns the type's name.
func (t TextureType) String() string { return textureTypeNames.Text(t) }

// MarshalText implements encoding.TextMarshaler.
func (t TextureType) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *TextureType) UnmarshalText(b []byte) error { return textureTypeNames.Parse(b, t) }

// Texture is the record of one stage. The engine finds the texture's file by the identifier.
type Texture struct {
	Used         Bool // the stage's stored byte, never false
	Type         TextureType
	Identifier   string
	Width        uint16 // size to scale to while loading; a cube map has its edge here
	Height       uint16
	HeightFactor float32 // of height maps
	File         string
	FaceFiles    [6]string
	Content      []byte // the texture's file, when resources are exported
	FaceContents [6][]byte
}

// Effect is a pair of shaders with their constants (reference section 5.3).
type Effect struct {
	Embedded        Bool
	VertexShader    string
	Declaration     [132]byte
	VertexCode      []uint32 // only if embedded
	PixelShader     string   // empty for none
	PixelCode       []uint32 // only if embedded and there is a pixel shader
	VertexMeanings  [96]uint32
	VertexConstants [96][4]float32
	PixelMeanings   [8]uint32
	PixelConstants  [8][4]float32
	Lights          [3]uint16
}

// ColorOp is a Direct3D texture stage operation.
type ColorOp uint32

// The operations that the engine sets by itself (reference section 5.4).
const (
	OpDisable    ColorOp = 1  // unused stages
	OpSelectArg2 ColorOp = 3  // stage 0 without a texture: lit colour only
	OpModulate2X ColorOp = 5  // stage 0 with a texture
	OpLerp       ColorOp = 26 // the highest
)

var colorOpNames = schema.EnumNames[ColorOp]{
	1: "disable", 2: "selectarg1", 3: "selectarg2", 4: "modulate", 5: "modulate2x", 6: "modulate4x", 7: "add", 8: "addsigned",
	9: "addsigned2x", 10: "subtract", 11: "addsmooth", 12: "blenddiffusealpha", 13: "blendtexturealpha", 14: "blendfactoralpha",
	15: "blendtexturealphapm", 16: "blendcurrentalpha", 17: "premodulate", 18: "modulatealpha-addcolor",
	19: "modulatecolor-addalpha", 20: "modulateinvalpha-addcolor", 21: "modulateinvcolor-addalpha", 22: "bumpenvmap",
	23: "bumpenvmapluminance", 24: "dotproduct3", 25: "multiplyadd", 26: "lerp",
}

// String returns the operation's name, or its number.
func (o ColorOp) String() string { return colorOpNames.Text(o) }

// MarshalText implements encoding.TextMarshaler.
func (o ColorOp) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *ColorOp) UnmarshalText(b []byte) error { return colorOpNames.Parse(b, o) }

// TexCoordIndex says which texture coordinates a stage uses: a set, or generated ones.
type TexCoordIndex uint32

// Generated texture coordinates, the high word of a coordinate index (reference section 5.5).
const (
	CameraNormal     = 0x10000
	CameraPosition   = 0x20000
	CameraReflection = 0x30000
)

var texCoordBits = schema.Bits[TexCoordIndex]{
	schema.Number(0, 16, "set"),
	schema.Choice(16, 16, "generated", map[uint32]string{1: "camera-normal", 2: "camera-position", 3: "camera-reflection"}),
}

// String returns the index in words.
func (i TexCoordIndex) String() string { return texCoordBits.Text(i) }

// MarshalText implements encoding.TextMarshaler.
func (i TexCoordIndex) MarshalText() ([]byte, error) { return []byte(i.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *TexCoordIndex) UnmarshalText(b []byte) error { return texCoordBits.Parse(b, i) }
