package media

// EA-XA ADPCM version 1 (Ultima IX reference section 12.3): 28 samples a channel in each block; a sample is predicted
// from the two before it and corrected by a signed nibble.
const (
	EAXASamples    = 28 // samples of one block and channel
	EAXABlock      = 15 // bytes of a mono block; a stereo block has twice as many
	EAXAPredictors = 4  // the predictors are numbered 0 … 3
	EAXAMaxShift   = 12 // the largest shift that encoders use; 13 … 15 are legal and mean finer steps
)

// EAXACoefficients holds, for each predictor, the weights of the previous sample and of the one before it in 1/256.
var EAXACoefficients = [EAXAPredictors][2]int32{{0, 0}, {240, 0}, {460, -208}, {392, -220}}
