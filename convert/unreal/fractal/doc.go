// Package fractal computes the pictures of textures that the engine makes while it runs: fire, waves on water, pictures seen
// through water and through ice. Their parameters stand in the packages, their pixels do not (reference section 9.3).
//
// A simulation gives one picture of palette indices after the other. All that moves is whole numbers, with a random generator
// of its own, so that the same parameters give the same bytes on every machine. The rules are those that are known of the engine;
// where the reference says that nobody knows, the pictures are only like its own.
package fractal

import (
	"math"

	"github.com/usher-assets/usher/schema"
)

// Name is the name that errors give the simulations.
const Name = "unreal-fractal"

// A Simulation makes pictures, one after the other.
type Simulation interface {
	// Step makes the next picture: a palette index a pixel, rows from the top. It stays as it is until the next step.
	Step() []byte
}

// Layer is a picture of palette indices that a simulation looks at. It may move itself.
type Layer struct {
	Width, Height int
	Simulation
}

// Still is a picture that does not move.
type Still []byte

// Step returns the picture.
func (s Still) Step() []byte { return s }

// maxPixels is the largest picture that is computed. Those of the games have 256 × 256 pixels at most.
const maxPixels = 1 << 20

// checkSize refuses pictures without pixels, and those that would take too long.
func checkSize(width, height int) error {
	if width < 1 || height < 1 || width > maxPixels || height > maxPixels || width*height > maxPixels {
		return schema.Errorf(Name, schema.ErrLimit, "size", "%d x %d pixels: computed pictures have 1 to %d", width, height, maxPixels)
	}
	return nil
}

// random is a generator of numbers (xorshift of 32 bits). All simulations begin with the same ones.
type random uint32

const seed random = 0x2545F491

func (r *random) next() uint32 {
	x := uint32(*r)
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	*r = random(x)
	return x >> 8
}

// octet returns 0 to 255.
func (r *random) octet() int { return int(r.next() & 0xFF) }

// below returns 0 to n−1, and 0 for an n of 0.
func (r *random) below(n int) int {
	if n <= 0 {
		return 0
	}
	return int(r.next()) % n
}

// chance reports whether something happens that happens in n of 256 cases.
func (r *random) chance(n int) bool { return r.octet() < n }

// stray returns −1, 0 or 1.
func (r *random) stray() int { return r.below(3) - 1 }

// sines has one turn of a sine in 256 steps, from −127 to 127.
var sines = func() (t [256]int) {
	for i := range t {
		t[i] = int(math.Round(127 * math.Sin(2*math.Pi*float64(i)/256)))
	}
	return t
}()

func sin(angle int) int { return sines[angle&0xFF] }
func cos(angle int) int { return sines[(angle+64)&0xFF] }

// wrap returns the place of i on a side of n pixels, at which everything comes in again that leaves at the other end.
func wrap(i, n int) int {
	if i >= 0 && i < n {
		return i
	}
	return (i%n + n) % n
}

func octet(v int) uint8 { return uint8(min(max(v, 0), 255)) }
