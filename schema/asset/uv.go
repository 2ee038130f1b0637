package asset

import "math"

// Apply maps texture coordinates: it scales, then rotates counter-clockwise about the top left corner of the texture, then
// shifts them (KHR_texture_transform).
func (t *TextureTransform) Apply(uv [][2]float32) [][2]float32 {
	sin, cos := math.Sincos(float64(t.Rotation))
	out := make([][2]float32, len(uv))
	for i, x := range uv {
		u, v := float64(x[0])*float64(t.Scale[0]), float64(x[1])*float64(t.Scale[1])
		out[i] = [2]float32{
			float32(cos*u + sin*v + float64(t.Offset[0])),
			float32(-sin*u + cos*v + float64(t.Offset[1])),
		}
	}
	return out
}
