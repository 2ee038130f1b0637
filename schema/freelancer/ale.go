package freelancer

import "sync"

// Names of the two leaves of an .ale file; each lies in a directory of the same name (reference section 13).
const (
	EffectLibraryName = "ALEffectLib"
	NodeLibraryName   = "AlchemyNodeLibrary"
)

// ALE is an .ale file with its two libraries decoded. Their leaves in the tree are then empty. A missing library is nil.
type ALE struct {
	Effects *EffectLibrary
	Nodes   *NodeLibrary
	Tree    *Tree
}

// Leaves returns the leaves of the two libraries, nil for one that is missing.
func (a *ALE) Leaves() (effects, nodes *Node) {
	root := a.Tree.Root
	return root.Find(EffectLibraryName + "/" + EffectLibraryName), root.Find(NodeLibraryName + "/" + NodeLibraryName)
}

// ALEString is a string of an .ale file: a length that counts the zero at the end, the bytes, and a byte of padding
// when the length is odd.
type ALEString struct {
	Value        string
	Unterminated bool   // no zero within the length; the empty string has both forms
	Residue      []byte // bytes after the first zero, within the length
	Pad          uint8  `unwritten:"texts of odd length have none, and a text may be edited without looking at it"` // value of the padding byte, if there is one
}

// EffectLibrary is the list of particle effects of an .ale file.
type EffectLibrary struct {
	Version float32 // 1.0 or 1.1
	Effects []Effect
	Tail    []byte `json:",omitempty"`
}

// Effect is a tree of instances of nodes, and which instance feeds which.
type Effect struct {
	Name         ALEString
	Bounds       *[4]float32 `json:",omitempty"` // since version 1.1; perhaps a bounding sphere
	Instances    []EffectInstance
	Pairs        []EffectPair
	MissingPairs uint32 `json:",omitempty"` // pairs that are counted but not there
}

// NoParent is the parent of an instance at the top.
const NoParent = 0x8000

// EffectInstance is a use of a node.
type EffectInstance struct {
	Flags  uint32 // 1 for a container without a node
	Node   uint32 // FLCRC, case kept, of the node's Node_Name
	Parent uint32 // ID of another instance, or NoParent
	ID     uint32
}

// EffectPair joins an emitter with an appearance, or an appearance with a field.
type EffectPair struct{ Source, Target uint32 }

// NodeLibrary is the list of nodes that effects are made of.
type NodeLibrary struct {
	Version float32
	Nodes   []EffectNode
	Tail    []byte `json:",omitempty"`
}

// EffectNode is an emitter, an appearance or a field.
type EffectNode struct {
	Type       ALEString // FxBasicAppearance, FxSphereEmitter …
	Properties []EffectProperty
}

// Name returns the Node_Name, by which effects refer to the node.
func (n *EffectNode) Name() string {
	for i := range n.Properties {
		if p := &n.Properties[i]; p.Name == "Node_Name" && p.Text != nil {
			return p.Text.Value
		}
	}
	return ""
}

// EffectPropertyType is the type of a property without its highest bit.
type EffectPropertyType uint16

// The types.
const (
	EffectBool       EffectPropertyType = 0x001
	EffectInt        EffectPropertyType = 0x002
	EffectFloat      EffectPropertyType = 0x003
	EffectText       EffectPropertyType = 0x103
	EffectBlend      EffectPropertyType = 0x104
	EffectTransform  EffectPropertyType = 0x105
	EffectFloatAnim  EffectPropertyType = 0x200
	EffectColorAnim  EffectPropertyType = 0x201
	EffectCurveAnim  EffectPropertyType = 0x202
	EffectBoolSet                       = 0x8000     // the bit of the type that is the value of a boolean
	TransformPresent uint32             = 0x80000000 // the flag of a transform that has curves
)

// EffectProperty is a property of a node. It has a name, or the hash of a name that usher does not know. It has one value,
// in the field for its type.
type EffectProperty struct {
	Name      string `json:",omitempty"`
	Hash      uint32 `json:",omitempty"` // FLCRC, case kept; 0 when Name is known
	Type      EffectPropertyType
	Bool      bool            `json:",omitempty"` // value of an EffectBool
	Int       *int32          `json:",omitempty"`
	Float     *float32        `json:",omitempty"`
	Text      *ALEString      `json:",omitempty"`
	Blend     *[2]uint32      `json:",omitempty"` // D3DBLEND of source and destination; 5, 2 adds
	Transform *NodeTransform  `json:",omitempty"`
	Floats    *FloatAnimation `json:",omitempty"`
	Colors    *ColorAnimation `json:",omitempty"`
	Curves    *CurveAnimation `json:",omitempty"`
}

// ID returns the hash of the property's name.
func (p *EffectProperty) ID() uint32 {
	if p.Name != "" {
		return FLCRCExact(p.Name)
	}
	return p.Hash
}

// NodeTransform places a node. With TransformPresent it has nine curves: translation, rotation in degrees and scale,
// x y z each.
type NodeTransform struct {
	Flags  uint32
	Curves []CurveAnimation `json:",omitempty"`
}

// Easing is how values between keys are found.
type Easing uint8

// The easings.
const (
	EaseStep Easing = iota
	EaseLinear
	EaseIn
	EaseOut
	EaseSmooth
	EaseInOut
)

// FloatAnimation is lists of keys, one for each value of the effect's parameter.
type FloatAnimation struct {
	Easing Easing
	Lists  []FloatKeys
}

// FloatKeys holds keys of time and value.
type FloatKeys struct {
	Param  float32
	Easing Easing
	Keys   [][2]float32
}

// ColorAnimation is a FloatAnimation of colours.
type ColorAnimation struct {
	Easing Easing
	Lists  []ColorKeys
}

// ColorKeys holds keys of time, red, green and blue, 0 … 1 as displayed.
type ColorKeys struct {
	Param  float32
	Easing Easing
	Keys   [][4]float32
}

// CurveAnimation is curves with tangents, one for each value of the effect's parameter.
type CurveAnimation struct {
	Easing Easing
	Curves []Curve
}

// Wrap flags of a curve: what it is before its first key, and 16 times that for after its last one.
const (
	WrapRepeat   = 0x01
	WrapMirror   = 0x02
	WrapClamp    = 0x04
	WrapContinue = 0x08
)

// Curve holds keys of time, value, tangent in and tangent out; tangents are per unit of time. Without keys it is
// Default everywhere.
type Curve struct {
	Param   float32
	Default float32
	Wrap    uint16
	Keys    [][4]float32
}

// effectPropertyNames are the names that the game's nodes use.
var effectPropertyNames = map[string][]string{
	"Node":            {"Name", "LifeSpan", "Transform", "ClassName"},
	"Emitter":         {"LODCurve", "InitialParticles", "Frequency", "MaxParticles", "EmitCount", "InitLifeSpan", "Pressure", "VelocityApproach"},
	"CubeEmitter":     {"Width", "Height", "Depth", "MinSpread", "MaxSpread"},
	"SphereEmitter":   {"MinRadius", "MaxRadius"},
	"ConeEmitter":     {"MinRadius", "MaxRadius", "MinSpread", "MaxSpread"},
	"Appearance":      {"LODCurve"},
	"BasicApp":        {"TriTexture", "QuadTexture", "MotionBlur", "Color", "Alpha", "Size", "HToVAspect", "Rotate", "TexName", "BlendInfo", "UseCommonTexFrame", "TexFrame", "CommonTexFrame", "FlipTexU", "FlipTexV"},
	"OrientedApp":     {"Width", "Height"},
	"RectApp":         {"CenterOnPos", "ViewingAngleFade", "Scale", "Length", "Width"},
	"BeamApp":         {"DisablePlaceHolder", "DupeFirstParticle", "LineAppearance"},
	"ParticleApp":     {"LifeName", "DeathName", "UseDynamicRotation", "SmoothRotation"},
	"MeshApp":         {"MeshId", "MeshName", "UseParticleTransform", "ParticleTransform"},
	"RadialField":     {"Approach", "Attenuation", "Magnitude", "Radius"},
	"CollideField":    {"Height", "Reflectivity", "Width"},
	"AirField":        {"Approach", "Magnitude"},
	"GravityField":    {"Gravity"},
	"TurbulenceField": {"Approach", "Magnitude"},
}

var effectNames = sync.OnceValue(func() map[uint32]string {
	m := map[uint32]string{}
	for class, names := range effectPropertyNames {
		for _, n := range names {
			m[FLCRCExact(class+"_"+n)] = class + "_" + n
		}
	}
	return m
})

// EffectPropertyName returns the name that a hash stands for, or "".
func EffectPropertyName(hash uint32) string { return effectNames()[hash] }
