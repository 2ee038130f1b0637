package ultimate3d

import (
	"encoding/binary"
	"io"
	"math"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// TestCutKeys holds when a file that ends within keys is a truncated one, and not one of the other layout.
func TestCutKeys(t *testing.T) {
	cut := func(field string) error {
		return &schema.FormatError{Field: field, Offset: 2, Class: schema.ErrTruncated}
	}
	sound := []*ultimate3d.Bone{{Scaling: []ultimate3d.VectorKey{{Value: [3]float32{1, 2, 3}}}}}
	shifted := []*ultimate3d.Bone{{Rotation: []ultimate3d.RotationKey{{Value: [4]float32{0, 0, 1e-42, 1}}}}}
	for _, tt := range []struct {
		name    string
		engine  error
		literal []*ultimate3d.Bone
		count   uint16
		keys    []float32
		less    int // bytes
		want    bool
	}{
		{"keys of the engine's layout", cut("nScalingKey"), sound, 5, []float32{1, 2, 3}, 0, true},
		{"of a translation", cut("nTranslationKey"), sound, 5, []float32{1, 2, 3}, 0, true},
		{"of a rotation", cut("nRotationKey"), sound, 5, []float32{1, 2, 3}, 0, true},
		{"one key", cut("nScalingKey"), sound, 5, []float32{1}, 0, true},
		{"less than one key", cut("nScalingKey"), sound, 5, []float32{1}, 1, false},
		{"as many keys as a track has", cut("nScalingKey"), sound, 4096, []float32{1, 2, 3}, 0, true},
		{"more keys than a track has", cut("nScalingKey"), sound, 4097, []float32{1, 2, 3}, 0, false},
		{"keys of neither layout", cut("nScalingKey"), sound, 5, []float32{1, 2, 1e-42}, 0, false},
		{"a fourth number is not looked at", cut("nScalingKey"), sound, 5, []float32{1, 2, 3, 1e-42}, 0, true},
		{"not within keys", cut("Name"), sound, 5, []float32{1, 2, 3}, 0, false},
		{"not within keys, and the other layout makes no sense", cut("Name"), shifted, 5, nil, 0, true},
		{"not cut", &schema.FormatError{Field: "nScalingKey", Offset: 2, Class: schema.ErrValue}, sound, 5, []float32{1, 2, 3}, 0, false},
		{"not cut, and the other layout makes no sense", &schema.FormatError{Field: "nScalingKey", Offset: 2, Class: schema.ErrValue}, shifted, 5, nil, 0, false},
		{"another error", io.ErrUnexpectedEOF, shifted, 5, []float32{1, 2, 3}, 0, false},
	} {
		b := append(binary.LittleEndian.AppendUint16(nil, tt.count), 0, 0, 0, 0)
		for _, x := range tt.keys {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		if got := (&parser{b: b[:len(b)-tt.less]}).cutKeys(tt.engine, tt.literal); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
