package format

// Ultima9Options is what a user can ask of Ultima IX's formats alone.
type Ultima9Options struct {
	Region    bool      // show the other files of a map as well: its ground and all of its objects
	Box       []float64 // the part of a map to show: x, y and x, y in metres, from the west and south; nil is all of it
	NoGround  bool      // leave the ground of a map out
	NoObjects bool      // leave the objects of a map out
	AllDepths bool      // an edited texture is written into the archives that hold it in other pixels as well

	// Sounds take over the rate and the channels of the ones whose place they take.
	KeepRate     bool // they keep their own rate
	KeepChannels bool // they keep their own channels
}
