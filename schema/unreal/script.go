package unreal

// Field is the common beginning of all script objects (reference section 13).
type Field struct {
	Object
	Super Ref
	Next  Ref
}

// Struct is the declaration of a struct, and the first part of functions, states and classes. Code is the stored byte code.
// ScriptSize is the size of the code in memory, where every index has 4 bytes.
type Struct struct {
	Field
	ScriptText   Ref
	Children     Ref
	FriendlyName NameIndex
	Line         uint32
	TextPos      uint32
	ScriptSize   uint32
	Code         []byte
}

// Function is a function. The fields named Old are stored only before CountedVersion.
type Function struct {
	Struct
	OldParmSize     uint16
	Native          uint16
	OldParms        uint8
	Precedence      uint8
	OldReturnOffset uint16
	FuncFlags       uint32
	RepOffset       uint16 // stored if FuncFlags has FunctionNet
}

// State is a state.
type State struct {
	Struct
	Probe      uint64
	Ignore     uint64
	LabelTable uint16
	StateFlags uint32
}

// Class is a class. Its Properties are the default values; they stand at the end of the payload.
type Class struct {
	State
	OldRecordSize  uint32 // before LazyVersion
	ClassFlags     uint32
	GUID           [16]byte
	Dependencies   []Dependency
	PackageImports []NameIndex
	Within         Ref       // from LazyVersion on
	Config         NameIndex // from LazyVersion on
}

// Dependency is a class that another class needed when it was compiled.
type Dependency struct {
	Class Ref
	Deep  uint32
	CRC   uint32
}

// Enum is an enumeration.
type Enum struct {
	Field
	Names []NameIndex
}

// Const is a constant.
type Const struct {
	Field
	Value Str
}

// PropertyDecl is the declaration of a property. What follows the common part depends on the class: Refs has its
// references (ByteProperty enum; ObjectProperty class; ClassProperty class, metaclass; StructProperty struct;
// ArrayProperty and FixedArrayProperty inner; MapProperty key, value).
type PropertyDecl struct {
	Field
	ArrayDim  int32
	PropFlags uint32
	Category  NameIndex
	RepOffset uint16 // stored if PropFlags has PropertyNet
	Refs      []Ref
	Count     int32 // FixedArrayProperty
}

// PropertyRefs returns the number of references that a property class stores.
func PropertyRefs(class string) int {
	switch class {
	case "ByteProperty", "ObjectProperty", "StructProperty", "ArrayProperty", "FixedArrayProperty":
		return 1
	case "ClassProperty", "MapProperty":
		return 2
	}
	return 0
}
