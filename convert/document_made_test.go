package convert_test

import (
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/freelancer"
)

// TestEditedMadeDocuments does what TestEditedDocuments does for formats that testdata has no files of.
func TestEditedMadeDocuments(t *testing.T) {
	planet := freelancer.NewTree()
	do[any](nil, write.SphereModel(planet.Root.Dir("Sphere"), &freelancer.SphereModel{Materials: []string{"a", "b"}, Radius: 5, Sides: 2}))(t)
	for name, tree := range map[string]*freelancer.Tree{"planet.sph": planet, "parts.cmp": madeParts(t)} {
		t.Run(name, func(t *testing.T) { editDocuments(t, name, do(write.UTF(tree))(t)) })
	}
	for name, v := range map[string]any{
		"u9-types":     &ultima9.Types{Records: make([]ultima9.Type, ultima9.TypeCount)},
		"u9-dimension": &ultima9.Dimensions{Spheres: make([]ultima9.DimensionSphere, 8000), Minima: make([]float32, 8000), Maxima: make([]float32, 8000)},
	} {
		t.Run(name, func(t *testing.T) { editValue(t, formats.ByName(name), v, &format.Env{Name: name}) })
	}
}

// do returns a value that came without an error.
func do[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// madeParts has a joint of every kind, and a wire.
func madeParts(t *testing.T) *freelancer.Tree {
	tree := freelancer.NewTree()
	for kind := freelancer.Fix; kind <= freelancer.Trans; kind++ {
		j := &freelancer.Joints{Kind: kind, List: []freelancer.Joint{{Kind: kind, Parent: freelancer.PartName{Name: "Root"}, Child: freelancer.PartName{Name: "wing"}}}}
		tree.Root.Dir("Cmpnd").Dir("Cons").Set(kind.String(), do(write.Joints(j))(t))
	}
	wire := &freelancer.VWire{Size: freelancer.WireHeader, VertexCount: 2, VertexRange: 2, Indices: []uint16{0, 1}}
	tree.Root.Dir("VMeshWire").Set("VWireData", do(write.VWire(wire))(t))
	return tree
}
