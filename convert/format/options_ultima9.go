package format

// Ultima9Options are choices that concern Ultima IX's formats only.
type Ultima9Options struct {
	Region    bool      // include the other files of a map: its ground and all of its objects
	Box       []float64 // the part of a map to show: x, y and x, y in metres, from the west and south; nil is all of it
	Paint     bool      // show the ground of a map as three pictures to paint: heights, tiles and holes
	NoGround  bool      // leave the ground of a map out
	NoObjects bool      // leave the objects of a map out
	AllDepths bool      // also update the archives that hold an edited texture at another colour depth

	// By default a sound takes over the rate and the channels of the one that it replaces.
	KeepRate     bool // sounds keep their own rate
	KeepChannels bool // sounds keep their own channels
}
