package format

// UnrealOptions are choices that concern Unreal packages only.
type UnrealOptions struct {
	KeepGUID        bool   // an edited package keeps its GUID and history
	PackageVersion  int    // of new packages, 60 to 69; 0 is the default
	TextureEncoding string // of edited and new textures: "bc1", "bc3", "p8"; empty keeps the old encoding
	Mips            string // which mip list of a texture to take: "comp", "base"; empty takes the larger one
	Resize          string // "pow2" scales pictures to powers of two; empty refuses other sizes
}
