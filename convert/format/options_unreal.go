package format

// UnrealOptions is what a user can ask of Unreal packages alone.
type UnrealOptions struct {
	KeepGUID        bool   // an edited package keeps its GUID and history
	PackageVersion  int    // of new packages, 60 to 69; 0 is the default
	TextureEncoding string // of an edited or new texture: "bc1", "bc3", "p8"; empty keeps what it had
	Mips            string // which of a texture's lists to take: "comp", "base"; empty is the larger one
	Resize          string // "pow2" scales pictures whose sides are no powers of two; empty refuses them
}
