package format

// Ultimate3DOptions is what a user can ask of Ultimate 3D models alone.
type Ultimate3DOptions struct {
	FPS       float64 // frames a second, which the files do not store; 0 is 30
	Clips     []Clip  // ranges to cut the one animation of a model into
	Embed     bool    // put textures into the model file
	KeepNodes bool    // keep a node hierarchy that neither animation nor skin needs
	BakeSkin  bool    // bake a skin into frames where the target cannot have both

	// The two readings of the format (reference sections 5 and 6.3).
	AmbientFirst bool // material colours begin with ambient
	LiteralKeys  bool // write bones as the published text says
}

// Clip is a named range of frames, both ends included.
type Clip struct {
	Name        string
	First, Last int
}
