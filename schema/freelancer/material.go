package freelancer

import "strings"

// The names of the libraries' directories at the root; case differs between files.
const (
	MaterialLibrary = "Material library"
	TextureLibrary  = "Texture library"
	MeshLibrary     = "VMeshLibrary"
)

// TextureFlags say how a material's texture is addressed (reference section 11).
type TextureFlags uint32

// The flags. U occupies the lowest two bits, V the next two.
const (
	AddressRepeat TextureFlags = 0
	AddressMirror TextureFlags = 1
	AddressClamp  TextureFlags = 2
	AddressOnce   TextureFlags = 3
	SecondUV      TextureFlags = 0x10
	TextureUsed   TextureFlags = 0x40 // always set
)

// U returns the addressing of u, one of the Address flags.
func (f TextureFlags) U() TextureFlags { return f & 3 }

// V returns the addressing of v.
func (f TextureFlags) V() TextureFlags { return f >> 2 & 3 }

// Material is a directory of a material library (reference section 11). For a missing property the shader's default
// applies.
type Material struct {
	Name       string
	Type       string // shader: DcDt, DcDtOcOt, Nebula …
	Properties []Property
	Node       *Node `json:"-" unwritten:"where it is written"`
}

// PropertyKind is the type of a material property's value.
type PropertyKind uint8

// The kinds.
const (
	OpaqueProperty PropertyKind = iota // unknown bytes
	TextProperty
	FloatProperty
	WordProperty
)

// Property is a leaf of a material, Type included. One of the values is set, according to the kind.
type Property struct {
	Name   string
	Kind   PropertyKind
	Text   string    `json:",omitempty"`
	Floats []float32 `json:",omitempty"`
	Words  []uint32  `json:",omitempty"`
	Node   *Node     `json:"-" unwritten:"where it is written"`
}

// floatProperties are the properties that hold colours, opacities and scales.
var floatProperties = map[string]bool{
	"dc": true, "ec": true, "ac": true, "sc": true, "oc": true, "sp": true, "tilerate": true, "tilerate0": true,
	"tilerate1": true, "alpha": true, "fade": true, "scale": true, "m_factor": true, "r_factor": true,
}

// PropertyKindOf returns the type of the property with the given name.
func PropertyKindOf(name string) PropertyKind {
	name = strings.ToLower(name)
	switch {
	case name == "type" || strings.HasSuffix(name, "_name"):
		return TextProperty
	case strings.HasSuffix(name, "_flags") || name == "flip u" || name == "flip v":
		return WordProperty
	case floatProperties[name]:
		return FloatProperty
	}
	return OpaqueProperty
}

// Property returns the property with the given name, ignoring case, or nil.
func (m *Material) Property(name string) *Property {
	for i := range m.Properties {
		if SameName(m.Properties[i].Name, name) {
			return &m.Properties[i]
		}
	}
	return nil
}

// Color returns the three values of a colour property.
func (m *Material) Color(name string) (c [3]float32, ok bool) {
	p := m.Property(name)
	if p == nil || len(p.Floats) < 3 {
		return c, false
	}
	copy(c[:], p.Floats)
	return c, true
}

// Float returns the first value of a property.
func (m *Material) Float(name string) (float32, bool) {
	p := m.Property(name)
	if p == nil || len(p.Floats) == 0 {
		return 0, false
	}
	return p.Floats[0], true
}

// Slot returns the texture and flags of a slot: Dt, Et, Bt, Nt, Dm, Dm0, Dm1.
func (m *Material) Slot(slot string) (texture string, flags TextureFlags, ok bool) {
	p := m.Property(slot + "_name")
	if p == nil {
		return "", 0, false
	}
	flags = TextureUsed
	if f := m.Property(slot + "_flags"); f != nil && len(f.Words) > 0 {
		flags = TextureFlags(f.Words[0])
	}
	return p.Text, flags, true
}

// Set sets the value of a property. It adds the property if it is missing.
func (m *Material) Set(p Property) {
	if old := m.Property(p.Name); old != nil {
		p.Name, p.Node = old.Name, old.Node
		*old = p
		return
	}
	m.Properties = append(m.Properties, p)
}

// Tokens splits a material type into the names of its inputs: DcDtOcOt into Dc, Dt, Oc, Ot. The result is nil for other
// types.
func Tokens(typ string) []string {
	var tokens []string
	for rest := typ; rest != ""; {
		if strings.HasPrefix(rest, "Two") {
			tokens, rest = append(tokens, "Two"), rest[3:]
			continue
		}
		if len(rest) < 2 || !strings.Contains("Dc Dt Ec Et Bt Oc Ot Ac Sc", rest[:2]) || rest[1] == ' ' {
			return nil
		}
		tokens, rest = append(tokens, rest[:2]), rest[2:]
	}
	return tokens
}
