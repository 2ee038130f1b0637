package unreal

// Computed reports whether the engine computes the pixels of the textures of a class while it runs, from parameters that are
// stored.
func Computed(class string) bool {
	switch class {
	case "FireTexture", "WaterTexture", "WaveTexture", "WetTexture", "IceTexture":
		return true
	}
	return false
}

// SparkType says what an emitter of a FireTexture does (reference section 9.3).
type SparkType uint8

// The types of sparks, in the order of the engine.
const (
	SparkBurn SparkType = iota
	SparkSparkle
	SparkPulse
	SparkSignal
	SparkBlaze
	SparkOzHasSpoken
	SparkCone
	SparkBlazeRight
	SparkBlazeLeft
	SparkCylinder
	SparkCylinder3D
	SparkLissajous
	SparkJugglers
	SparkEmit
	SparkFountain
	SparkFlocks
	SparkEels
	SparkOrganic
	SparkWanderOrganic
	SparkRandomCloud
	SparkCustomCloud
	SparkLocalCloud
	SparkStars
	SparkLineLightning
	SparkRampLightning
	SparkSphereLightning
	SparkWheel
	SparkGametes
	SparkSprinkler
	SparkTypes // how many there are
)

// MaxSparks is how many sparks a FireTexture can have, those that others emit included.
const MaxSparks = 8192

// Drop is a source of waves in a WaterTexture: type ([DropType]), depth, x, y and four parameters that depend on the type. Places count in
// cells of 2 × 2 pixels.
type Drop [8]uint8

// DropType says what a drop does to the water (reference section 9.3).
type DropType uint8

// The types of drops, in the order of the engine.
const (
	DropFixedDepth DropType = iota
	DropPhaseSpot
	DropShallowSpot
	DropHalfAmpl
	DropRandomMover
	DropFixedRandomSpot
	DropWhirlyThing
	DropBigWhirly
	DropHorizontalLine
	DropVerticalLine
	DropDiagonalLine1
	DropDiagonalLine2
	DropHorizontalOsc
	DropVerticalOsc
	DropDiagonalOsc1
	DropDiagonalOsc2
	DropRainDrops
	DropAreaClamp
	DropLeakyTap
	DropDrippyTap
	DropTypes // how many there are
)

// MaxDrops is how many drops a WaterTexture can have.
const MaxDrops = 256

// Panning says how the layer of an IceTexture moves, beside its steady drift.
type Panning uint8

// The ways to move.
const (
	PanLinear Panning = iota
	PanCircular
	PanGestation
	PanWavyX
	PanWavyY
)
