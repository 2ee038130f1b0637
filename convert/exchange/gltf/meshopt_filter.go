package gltf

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/usher-assets/usher/schema"
)

// The filters.
const (
	filterNone        = "NONE"
	filterOctahedral  = "OCTAHEDRAL"
	filterQuaternion  = "QUATERNION"
	filterExponential = "EXPONENTIAL"
	filterColor       = "COLOR"
)

// checkFilter reports whether a filter works on elements of so many bytes.
func checkFilter(name string, stride int) error {
	fits := true
	switch name {
	case "", filterNone, filterExponential:
	case filterOctahedral, filterColor:
		fits = stride == 4 || stride == 8
	case filterQuaternion:
		fits = stride == 8
	default:
		return packedError(schema.ErrUnsupported, "filter %q", name)
	}
	if !fits {
		return packedError(schema.ErrValue, "filter %s of elements of %d bytes", name, stride)
	}
	return nil
}

// applyFilter changes unpacked elements in place.
func applyFilter(name string, b []byte, stride int) {
	var filter func(v *[4]int32, most float64)
	signed := true
	switch name {
	case filterExponential:
		exponential(b)
		return
	case filterOctahedral:
		filter = octahedral
	case filterQuaternion:
		filter = quaternionFilter
	case filterColor:
		filter, signed = luma, false
	default:
		return
	}
	var v [4]int32
	if stride == 4 {
		most := 255.0
		if signed {
			most = math.MaxInt8
		}
		for ; len(b) >= 4; b = b[4:] {
			for k := range v {
				v[k] = int32(int8(b[k]))
			}
			filter(&v, most)
			for k, x := range v {
				b[k] = byte(x)
			}
		}
		return
	}
	most := 65535.0
	if signed {
		most = math.MaxInt16
	}
	for ; len(b) >= 8; b = b[8:] {
		for k := range v {
			v[k] = int32(int16(binary.LittleEndian.Uint16(b[2*k:])))
		}
		filter(&v, most)
		for k, x := range v {
			binary.LittleEndian.PutUint16(b[2*k:], uint16(x))
		}
	}
}

// octahedral makes a unit vector of its place on an octahedron unfolded into a square. The third number is 1 in the
// precision of the first two; the fourth stays.
func octahedral(v *[4]int32, most float64) {
	if v[2] == 0 {
		return // damaged
	}
	one := float64(v[2])
	x, y := float64(v[0])/one, float64(v[1])/one
	z := 1 - math.Abs(x) - math.Abs(y)
	fold := min(z, 0)
	x -= math.Copysign(fold, x)
	y -= math.Copysign(fold, y)
	scale := most / math.Sqrt(x*x+y*y+z*z)
	v[0], v[1], v[2] = whole(x*scale), whole(y*scale), whole(z*scale)
}

// quaternionFilter finds the greatest component of a rotation from the three others. Which it is stands in two bits of
// the fourth number, which is else 1 in the precision of the others.
func quaternionFilter(v *[4]int32, most float64) {
	one, largest := float64(v[3]|3)*math.Sqrt2, int(v[3]&3)
	x, y, z := float64(v[0])/one, float64(v[1])/one, float64(v[2])/one
	w := math.Sqrt(max(0, 1-x*x-y*y-z*z))
	for k, c := range [...]float64{w, x, y, z} {
		v[(largest+k)%4] = whole(c * most)
	}
}

// luma makes red, green and blue of brightness and two differences. The highest bit of the fourth number tells the
// precision; the bits below are alpha.
func luma(v *[4]int32, most float64) {
	top := 31 - bits.LeadingZeros32(uint32(v[3])&uint32(most))
	if top < 0 {
		return // damaged
	}
	y, co, cg, a := v[0]&int32(most), v[1], v[2], v[3]
	span := int32(1)<<(top+1) - 1
	a &= span >> 1
	a = a<<1 | a&1
	scale := most / float64(span)
	for k, c := range [...]int32{y + co - cg, y + cg, y - co - cg, a} {
		v[k] = whole(min(max(float64(c)*scale, 0), most))
	}
}

// exponential makes floats of a mantissa of 24 bits and an exponent of 8.
func exponential(b []byte) {
	for ; len(b) >= 4; b = b[4:] {
		x := int32(binary.LittleEndian.Uint32(b))
		f := float32(math.Ldexp(float64(x<<8>>8), int(x>>24)))
		binary.LittleEndian.PutUint32(b, math.Float32bits(f))
	}
}

// whole rounds, halves away from zero.
func whole(x float64) int32 { return int32(math.Round(x)) }
