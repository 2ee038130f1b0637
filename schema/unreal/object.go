package unreal

import "strings"

// Kind is the payload layout of a class.
type Kind uint8

// The layouts.
const (
	UnknownKind Kind = iota
	GroupKind
	TextureKind
	FireKind
	PaletteKind
	SoundKind
	MusicKind
	FontKind
	TextBufferKind
	MeshKind
	LodMeshKind
	SkeletalMeshKind
	AnimationKind
	ModelKind
	VectorsKind
	BspNodesKind
	BspSurfsKind
	VertsKind
	PolysKind
	LevelKind
	ClassKind
	StructKind
	FunctionKind
	StateKind
	EnumKind
	ConstKind
	PropertyKind
)

// Script reports whether objects of this kind are declarations of the script compiler (reference section 13).
func (k Kind) Script() bool { return k >= ClassKind && k <= PropertyKind }

// Classes maps the classes that usher knows to their payload layouts (reference sections 9 to 13).
var Classes = map[string]Kind{
	"Package": GroupKind,
	"Texture": TextureKind, "ScriptedTexture": TextureKind, "FractalTexture": TextureKind, "FireTexture": FireKind,
	"IceTexture": TextureKind, "WaterTexture": TextureKind, "WaveTexture": TextureKind, "WetTexture": TextureKind,
	"Palette": PaletteKind, "Sound": SoundKind, "Music": MusicKind, "Font": FontKind, "TextBuffer": TextBufferKind,
	"Mesh": MeshKind, "LodMesh": LodMeshKind, "SkeletalMesh": SkeletalMeshKind, "Animation": AnimationKind,
	"Model": ModelKind, "Vectors": VectorsKind, "BspNodes": BspNodesKind, "BspSurfs": BspSurfsKind, "Verts": VertsKind,
	"Polys": PolysKind, "Level": LevelKind,
	"Class": ClassKind, "Struct": StructKind, "Function": FunctionKind, "State": StateKind, "Enum": EnumKind, "Const": ConstKind,
	"ByteProperty": PropertyKind, "IntProperty": PropertyKind, "BoolProperty": PropertyKind, "FloatProperty": PropertyKind,
	"ObjectProperty": PropertyKind, "ClassProperty": PropertyKind, "NameProperty": PropertyKind, "StrProperty": PropertyKind,
	"StringProperty": PropertyKind, "StructProperty": PropertyKind, "ArrayProperty": PropertyKind,
	"FixedArrayProperty": PropertyKind, "MapProperty": PropertyKind,
}

// StateFrame is the saved execution state of an object with the flag HasStack (reference section 8.1).
type StateFrame struct {
	Node   Ref
	State  Ref
	Probe  uint64
	Latent uint32
	Offset int32 // of the code; stored only where Node is set
}

// Object is the common part of all objects. An object of a class that usher does not know consists of it alone, with the
// data of the class in Tail.
type Object struct {
	*Context   `json:"-" unwritten:"where the object is"`
	Frame      *StateFrame `json:",omitempty"`
	Properties []Property
	End        NameIndex  `unwritten:"0 is any None"` // the "None" that ends the list
	Odd        []OddIndex `json:",omitempty" unwritten:"an odd form counts as long as the index has its value"`
	Tail       []byte     `json:",omitempty"` // bytes after the payload
	Opaque     bool       `json:",omitempty"` // nothing of the payload could be decoded: Tail is all of it
}

// Base returns o itself. All decoded objects have it, since they embed Object.
func (o *Object) Base() *Object { return o }

// AnyObject is a decoded object of any class.
type AnyObject interface{ Base() *Object }

// PropertyType is the type of a tagged property.
type PropertyType uint8

// The property types (reference section 8.2).
const (
	ByteProperty PropertyType = iota + 1
	IntProperty
	BoolProperty
	FloatProperty
	ObjectProperty
	NameProperty
	StringProperty
	ClassProperty
	ArrayProperty
	StructProperty
	VectorProperty
	RotatorProperty
	StrProperty
	MapProperty
	FixedArrayProperty
)

var propertyTypes = [16]string{"", "Byte", "Int", "Bool", "Float", "Object", "Name", "String", "Class", "Array", "Struct",
	"Vector", "Rotator", "Str", "Map", "FixedArray"}

// String returns the type's name.
func (t PropertyType) String() string { return propertyTypes[t&15] }

// Property is a tagged property. A value that is one number is in Number. Any other value, or a number that is stored in an
// unusual way, is in Value.
type Property struct {
	Name       NameIndex
	Type       PropertyType
	SizeCode   uint8 `unwritten:"another one is taken where the value does not fit it"`      // as stored; the writer replaces it if the value does not fit
	Narrow     bool  `json:",omitempty"`                                                     // an Int or Float whose SizeCode says 1 or 2 bytes; the value has its 4
	Array      bool  `unwritten:"an index that is not 0 is stored in any case"`              // an array index is stored
	IndexWidth uint8 `unwritten:"counts where an index is stored, and 0 takes the shortest"` // bytes of the array index as stored: 1, 2 or 4; 0 takes the shortest
	Struct     NameIndex
	Index      int32  // array element
	Number     int32  // Byte, Int, Bool (0, 1), Object, Class, Name; the bits of a Float
	Value      []byte // stored bytes, when they are not just Number
}

// Property returns the first property with the given name and array index, or nil.
func (o *Object) Property(name string, index int) *Property {
	for i := range o.Properties {
		p := &o.Properties[i]
		if int(p.Index) == index && strings.EqualFold(o.Package.Name(p.Name), name) {
			return p
		}
	}
	return nil
}

// Number returns the number of a property, or missing if the object does not have it.
func (o *Object) Number(name string, missing int32) int32 {
	if p := o.Property(name, 0); p != nil {
		return p.Number
	}
	return missing
}

// Ref returns the object that a property refers to, or 0 if the object does not have it.
func (o *Object) Ref(name string) Ref { return Ref(o.Number(name, 0)) }

// Bool returns the value of a boolean property, false if the object does not have it.
func (o *Object) Bool(name string) bool { return o.Number(name, 0) != 0 }

// Set changes or appends a property whose type is one number.
func (o *Object) Set(name string, t PropertyType, number int32) {
	p := o.Property(name, 0)
	if p == nil {
		o.Properties = append(o.Properties, Property{Name: o.Package.AddName(name), Type: t, SizeCode: scalarCode(t)})
		p = &o.Properties[len(o.Properties)-1]
	}
	p.Number, p.Value = number, nil
}

// SetStruct changes or appends a property that is a struct.
func (o *Object) SetStruct(name, class string, value []byte) {
	p := o.Property(name, 0)
	if p == nil {
		o.Properties = append(o.Properties, Property{Name: o.Package.AddName(name), Type: StructProperty, Struct: o.Package.AddName(class)})
		p = &o.Properties[len(o.Properties)-1]
	}
	p.Value = value
}

// Unset removes all properties with a name.
func (o *Object) Unset(name string) {
	kept := o.Properties[:0]
	for _, p := range o.Properties {
		if !strings.EqualFold(o.Package.Name(p.Name), name) {
			kept = append(kept, p)
		}
	}
	o.Properties = kept
}

// scalarCode returns the size code that the engine writes: Bool stores a size byte of 0.
func scalarCode(t PropertyType) uint8 {
	switch t {
	case IntProperty, FloatProperty:
		return 2
	case BoolProperty:
		return 5
	}
	return 0
}

// FixedSizes are the sizes of the size codes 0 to 4.
var FixedSizes = [5]int{1, 2, 4, 12, 16}

// PointRegion is the value of the struct property with this name: the part of a level that an actor is in (reference
// section 8.2).
type PointRegion struct {
	Zone       Ref
	Leaf       int32
	ZoneNumber uint8
}

// Str is a counted string of a payload with its stored form: reference section 6.
type Str struct {
	Text string
	Form NameForm `unwritten:"text that Windows-1252 lacks is wide in any case"`
	Raw  []byte   // of the raw forms: all stored characters
}
