package format

// Ultimate3DOptions are choices that concern Ultimate 3D models only.
type Ultimate3DOptions struct {
	FPS       float64 // frames a second, which the files do not store; 0 is 30
	Clips     []Clip  // ranges of frames that cut a model's single animation into several
	Embed     bool    // put textures into the model file
	KeepNodes bool    // keep the node hierarchy even if neither animation nor skin needs it
	BakeSkin  bool    // bake a skin into frames if the target cannot have both

	AmbientFirst bool // material colours begin with ambient, as the published text has them (reference section 5)
}

// Clip is a named range of frames, both ends included.
type Clip struct {
	Name        string
	First, Last int
}
