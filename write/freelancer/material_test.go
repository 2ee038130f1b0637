package freelancer_test

import (
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestMaterialRefused: a text that the file cannot hold is refused, also where other properties follow it.
func TestMaterialRefused(t *testing.T) {
	for _, properties := range [][]freelancer.Property{
		{{Name: "Dt_name", Kind: freelancer.TextProperty, Text: "Ж"}},
		{{Name: "Dt_name", Kind: freelancer.TextProperty, Text: "Ж"}, {Name: "Oc", Kind: freelancer.FloatProperty, Floats: []float32{1}}},
	} {
		m := &freelancer.Material{Node: freelancer.NewDir("m"), Type: "DcDt", Properties: properties}
		if err := write.Material(m); !errors.Is(err, schema.ErrValue) {
			t.Errorf("%d properties: %v", len(properties), err)
		}
	}
}
