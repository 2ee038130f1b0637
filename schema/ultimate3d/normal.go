package ultimate3d

import (
	"fmt"
	"math"
)

// Normal is a direction in two bytes, latitude and longitude (reference section 1.5).
type Normal [2]int8

// The steps of the published description: 2π/127 and π/127.
const (
	latitudeStep  = 0.0494739
	longitudeStep = 0.02473695
)

// Vector returns the direction, of unit length. Bytes outside the documented range follow the same formula.
func (n Normal) Vector() [3]float32 {
	sinLat, cosLat := math.Sincos(float64(n[0]) * latitudeStep)
	sinLon, cosLon := math.Sincos(float64(n[1]) * longitudeStep)
	return [3]float32{float32(sinLon * cosLat), float32(-sinLat), float32(cosLon * cosLat)}
}

// String returns the coordinates of the direction, with three decimals.
func (n Normal) String() string {
	v := n.Vector()
	return fmt.Sprintf("%.3f %.3f %.3f", v[0], v[1], v[2])
}

// NormalOf returns the nearest normal to a direction. For a zero or non-finite direction it returns straight up, and ok is
// false.
func NormalOf(v [3]float32) (n Normal, ok bool) {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	length := math.Sqrt(x*x + y*y + z*z)
	if !(length > 0) || math.IsInf(length, 0) {
		return Normal{-31, 0}, false
	}
	lat := math.Round(-math.Asin(min(max(y/length, -1), 1)) / latitudeStep)
	lon := math.Round(math.Atan2(x, z) / longitudeStep)
	return Normal{int8(min(max(lat, -31), 31)), int8(min(max(lon, -127), 127))}, true
}
