package ultima9

import (
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// rawVector turns a direction or a place from metres, Y up, to raw axes, Z up, without scaling it.
func rawVector(v [3]float32) [3]float32 { return [3]float32{v[0], -v[2], v[1]} }

// rawPoint turns a place from metres, Y up, to raw units, Z up.
func rawPoint(v [3]float32) [3]float32 {
	v = rawVector(v)
	for k := range v {
		v[k] *= ultima9.RawPerMetre
	}
	return v
}

// toRaw turns a transform between nodes in metres, Y up, to one between limbs in raw units, Z up.
func toRaw(t asset.Transform) asset.Transform {
	axis := rawVector([3]float32(t.Rotation[:3]))
	return asset.Transform{
		Translation: rawPoint(t.Translation),
		Rotation:    [4]float32{axis[0], axis[1], axis[2], t.Rotation[3]},
		Scale:       [3]float32{t.Scale[0], t.Scale[2], t.Scale[1]},
	}
}
