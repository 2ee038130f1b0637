package unreal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flag is a bit with its name.
type Flag struct {
	Bit  uint32
	Name string
}

// FlagNames returns the names of the bits that are set, in the table's order. Bits without a name appear in hexadecimal.
func FlagNames(flags uint32, table []Flag) []string {
	names := []string{}
	for _, f := range table {
		if flags&f.Bit != 0 {
			names = append(names, f.Name)
			flags &^= f.Bit
		}
	}
	if flags != 0 {
		names = append(names, fmt.Sprintf("0x%X", flags))
	}
	return names
}

// FlagBits returns the bits with the given names. It is the inverse of [FlagNames]. If ok is false, the last result is the
// name that the table lacks.
func FlagBits(names []string, table []Flag) (flags uint32, unknown string, ok bool) {
	for _, name := range names {
		i := slices.IndexFunc(table, func(f Flag) bool { return strings.EqualFold(f.Name, name) })
		if i >= 0 {
			flags |= table[i].Bit
			continue
		}
		digits, isHex := strings.CutPrefix(name, "0x")
		bits, err := strconv.ParseUint(digits, 16, 32)
		if !isHex || err != nil {
			return 0, name, false
		}
		flags |= uint32(bits)
	}
	return flags, "", true
}

// PackageFlags are the flags of a package (reference section 1.6).
var PackageFlags = []Flag{
	{0x1, "AllowDownload"}, {0x2, "ClientOptional"}, {0x4, "ServerSideOnly"}, {0x8, "BrokenLinks"}, {0x10, "Unsecure"},
	{0x20, "DeltaSaved"}, {0x8000, "Need"},
}

// The object flags that usher looks at.
const (
	Transactional  = 0x1
	Public         = 0x4
	LoadForClient  = 0x10000
	LoadForServer  = 0x20000
	LoadForEdit    = 0x40000
	Standalone     = 0x80000
	HasStack       = 0x02000000
	LoadFlags      = LoadForClient | LoadForServer | LoadForEdit
	NameFlags      = LoadFlags | 0x10        // for ordinary names
	ResourceFlags  = LoadFlags | 0x80000 | 4 // for textures, sounds, music, fonts, meshes, animations
	PrivateFlags   = LoadFlags | 4           // for palettes and groups
	TextBufferFlag = 0x00340000              // for script sources: loaded by the editor only
	ActorFlags     = LoadFlags | Transactional | HasStack
)

// ObjectFlags are the flags of exports and names (reference section 1.7).
var ObjectFlags = []Flag{
	{0x1, "Transactional"}, {0x2, "Unreachable"}, {0x4, "Public"}, {0x8, "TagImp"}, {0x10, "TagExp"},
	{0x20, "SourceModified"}, {0x40, "TagGarbage"}, {0x100, "HasArchetype"}, {0x200, "NeedLoad"},
	{0x400, "HighlightedName"}, {0x800, "InSingularFunc"}, {0x1000, "Suppress"}, {0x2000, "InEndState"},
	{0x4000, "Transient"}, {0x8000, "PreLoading"}, {0x10000, "LoadForClient"}, {0x20000, "LoadForServer"},
	{0x40000, "LoadForEdit"}, {0x80000, "Standalone"}, {0x100000, "NotForClient"}, {0x200000, "NotForServer"},
	{0x400000, "NotForEdit"}, {0x800000, "Destroyed"}, {0x1000000, "NeedPostLoad"}, {HasStack, "HasStack"},
	{0x4000000, "Native"}, {0x8000000, "Marked"}, {0x10000000, "ErrorShutdown"}, {0x20000000, "DebugPostLoad"},
	{0x40000000, "DebugSerialize"}, {0x80000000, "DebugDestroy"},
}

// The poly flags that usher looks at.
const (
	PolyInvisible    = 0x1
	PolyMasked       = 0x2
	PolyTranslucent  = 0x4
	PolyEnvironment  = 0x10
	PolyModulated    = 0x40
	PolyFakeBackdrop = 0x80
	PolyTwoSided     = 0x100
	PolyNoSmooth     = 0x800
	PolyWeapon       = 0x1000
	PolyFlat         = 0x4000
	PolyUnlit        = 0x400000
)

// PolyFlags are the flags of faces, mesh materials, BSP surfaces and brush polygons (reference section 11.6).
var PolyFlags = []Flag{
	{0x1, "Invisible"}, {0x2, "Masked"}, {0x4, "Translucent"}, {0x8, "NotSolid"}, {0x10, "Environment"},
	{0x20, "Semisolid"}, {0x40, "Modulated"}, {0x80, "FakeBackdrop"}, {0x100, "TwoSided"}, {0x200, "AutoUPan"},
	{0x400, "AutoVPan"}, {0x800, "NoSmooth"}, {0x1000, "SpecialPoly"}, {0x2000, "SmallWavy"}, {0x4000, "Flat"},
	{0x8000, "LowShadowDetail"}, {0x10000, "NoMerge"}, {0x20000, "CloudWavy"}, {0x40000, "DirtyShadows"},
	{0x80000, "BrightCorners"}, {0x100000, "SpecialLit"}, {0x200000, "Gouraud"}, {0x400000, "Unlit"},
	{0x800000, "HighShadowDetail"}, {0x1000000, "Memorized"}, {0x2000000, "Selected"}, {0x4000000, "Portal"},
	{0x8000000, "Mirrored"}, {0x10000000, "Highlighted"}, {0x20000000, "Occluder"}, {0x40000000, "EdProcessed"},
	{0x80000000, "EdCut"},
}

// ClassFlags are the flags of classes (reference section 13).
var ClassFlags = []Flag{
	{0x1, "Abstract"}, {0x2, "Compiled"}, {0x4, "Config"}, {0x8, "Transient"}, {0x10, "Parsed"}, {0x20, "Localized"},
	{0x40, "SafeReplace"}, {0x80, "RuntimeStatic"}, {0x100, "NoExport"}, {0x200, "NoUserCreate"},
	{0x400, "PerObjectConfig"}, {0x800, "NativeReplication"},
}

// FunctionNet is the function flag of functions that have a replication offset.
const FunctionNet = 0x40

// FunctionFlags are the flags of functions.
var FunctionFlags = []Flag{
	{0x1, "Final"}, {0x2, "Defined"}, {0x4, "Iterator"}, {0x8, "Latent"}, {0x10, "PreOperator"}, {0x20, "Singular"},
	{0x40, "Net"}, {0x80, "Reliable"}, {0x100, "Simulated"}, {0x200, "Exec"}, {0x400, "Native"}, {0x800, "Event"},
	{0x1000, "Operator"}, {0x2000, "Static"}, {0x4000, "NoExport"}, {0x8000, "Const"}, {0x10000, "Invariant"},
}

// StateFlags are the flags of states.
var StateFlags = []Flag{{0x1, "Editable"}, {0x2, "Auto"}, {0x4, "Simulated"}}

// PropertyNet is the property flag of properties that have a replication offset.
const PropertyNet = 0x20

// PropertyFlags are the flags of property declarations.
var PropertyFlags = []Flag{
	{0x1, "Edit"}, {0x2, "Const"}, {0x4, "Input"}, {0x8, "ExportObject"}, {0x10, "Optional"}, {0x20, "Net"},
	{0x40, "ConstRef"}, {0x80, "Parm"}, {0x100, "Out"}, {0x200, "Skip"}, {0x400, "Return"}, {0x800, "Coerce"},
	{0x1000, "Native"}, {0x2000, "Transient"}, {0x4000, "Config"}, {0x8000, "Localized"}, {0x10000, "Travel"},
	{0x20000, "EditConst"}, {0x40000, "GlobalConfig"}, {0x100000, "OnDemand"}, {0x200000, "New"},
	{0x400000, "NeedCtorLink"},
}
