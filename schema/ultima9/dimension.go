package ultima9

// Sizes of dimension.dat.
const (
	DimensionModels = 8000
	DimensionSize   = 192000
)

// Dimensions is dimension.dat: the spheres and boxes of the models for culling (reference section 11.8).
type Dimensions struct {
	Spheres []DimensionSphere // one a model, 8,000
	// Minima and Maxima hold three floats a model, yet only 8,000 floats each: they end within model 2,666.
	Minima, Maxima []float32
	Trailing       []byte `json:",omitempty"`
}

// DimensionSphere encloses a model.
type DimensionSphere struct {
	Radius float32 // −1 when there is no model
	Centre [3]float32
}
