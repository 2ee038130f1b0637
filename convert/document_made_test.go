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
	library := freelancer.NewTree()
	library.Root.Dir(freelancer.MaterialLibrary).Dir("hull").Set("Type", []byte("DcDt\x00"))
	for name, tree := range map[string]*freelancer.Tree{"planet.sph": planet, "hull.mat": library, "parts.cmp": madeParts(t)} {
		t.Run(name, func(t *testing.T) { editDocuments(t, name, do(write.UTF(tree))(t)) })
	}
	t.Run("fire.ale", func(t *testing.T) { editDocuments(t, "fire.ale", do(write.ALE(madeEffects()))(t)) })
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

// madeEffects has a property of every kind.
func madeEffects() *freelancer.ALE {
	one, half := int32(1), float32(0.5)
	curve := freelancer.CurveAnimation{Easing: 1, Curves: []freelancer.Curve{{Wrap: 0x11, Keys: [][4]float32{{0, 1, 2, 3}}}}}
	return &freelancer.ALE{
		Tree: freelancer.NewTree(),
		Effects: &freelancer.EffectLibrary{Version: 1.1, Effects: []freelancer.Effect{{
			Name: freelancer.ALEString{Value: "e"}, Bounds: &[4]float32{}, Instances: make([]freelancer.EffectInstance, 2), Pairs: make([]freelancer.EffectPair, 1),
		}}},
		Nodes: &freelancer.NodeLibrary{Version: 1.1, Nodes: []freelancer.EffectNode{{
			Type: freelancer.ALEString{Value: "FxNode"}, Properties: []freelancer.EffectProperty{
				{Name: "Node_Name", Type: freelancer.EffectText, Text: &freelancer.ALEString{Value: "node"}},
				{Name: "BasicApp_FlipTexU", Type: freelancer.EffectBool, Bool: true},
				{Hash: 1, Type: freelancer.EffectInt, Int: &one},
				{Hash: 2, Type: freelancer.EffectFloat, Float: &half},
				{Hash: 3, Type: freelancer.EffectBlend, Blend: &[2]uint32{5, 2}},
				{Hash: 5, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: 0x80050304, Curves: []freelancer.CurveAnimation{curve, {}, {}, {}, {}, {}, {}, {}, {}}}},
				{Hash: 6, Type: freelancer.EffectFloatAnim, Floats: &freelancer.FloatAnimation{Lists: []freelancer.FloatKeys{{Keys: [][2]float32{{0, 1}}}}}},
				{Hash: 8, Type: freelancer.EffectColorAnim, Colors: &freelancer.ColorAnimation{Lists: []freelancer.ColorKeys{{Keys: [][4]float32{{0, 1, 1, 1}}}}}},
				{Hash: 9, Type: freelancer.EffectCurveAnim, Curves: &curve},
			},
		}}},
	}
}
