package unreal

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"pgregory.net/rapid"
)

// mutations do to a skinned scene what files hold that nobody should have written.
var mutations = []func(t *rapid.T, s *asset.Scene){
	func(t *rapid.T, s *asset.Scene) { s.Skins[0].InverseBind = nil },
	func(t *rapid.T, s *asset.Scene) {
		s.Skins[0].InverseBind[rapid.IntRange(0, 2).Draw(t, "joint")] = [16]float32{}
	},
	func(t *rapid.T, s *asset.Scene) { slices.Reverse(s.Skins[0].Joints) },
	func(t *rapid.T, s *asset.Scene) { s.Skins[0].Joints[2] = s.Skins[0].Joints[0] },
	func(t *rapid.T, s *asset.Scene) { s.Skins[0].Joints[1] = s.Roots[0] },
	func(t *rapid.T, s *asset.Scene) { s.Skins[0].Joints[1] = asset.NewNode("elsewhere") },
	func(t *rapid.T, s *asset.Scene) { s.Roots[1].Skin = &asset.Skin{Joints: s.Skins[0].Joints} },
	func(t *rapid.T, s *asset.Scene) { s.Roots[1].Skin = nil },
	func(t *rapid.T, s *asset.Scene) {
		n := s.Skins[0].Joints[rapid.IntRange(0, 2).Draw(t, "joint")]
		n.Transform.Scale = [3]float32{number32(t), number32(t), number32(t)}
	},
	func(t *rapid.T, s *asset.Scene) {
		n := s.Skins[0].Joints[rapid.IntRange(0, 2).Draw(t, "joint")]
		n.Transform.Rotation = [4]float32{number32(t), number32(t), number32(t), number32(t)}
	},
	func(t *rapid.T, s *asset.Scene) {
		s.Skins[0].Joints[1].Name, s.Skins[0].Joints[2].Name = "same", "SAME"
	},
	func(t *rapid.T, s *asset.Scene) { s.Skins[0].Joints[1].Name = rapid.String().Draw(t, "name") },
	func(t *rapid.T, s *asset.Scene) { s.Meshes[0].Primitives[0].TexCoords = nil },
	func(t *rapid.T, s *asset.Scene) {
		p := s.Meshes[0].Primitives[0]
		p.TexCoords[0][rapid.IntRange(0, 27).Draw(t, "vertex")] = [2]float32{number32(t), number32(t)}
		p.Positions[rapid.IntRange(0, 27).Draw(t, "vertex")] = [3]float32{number32(t), number32(t), number32(t)}
	},
	func(t *rapid.T, s *asset.Scene) {
		s.Meshes[0].Primitives[0].Weights[0][rapid.IntRange(0, 27).Draw(t, "vertex")] = [4]float32{number32(t), number32(t), 0, number32(t)}
	},
	func(t *rapid.T, s *asset.Scene) { s.Meshes[0].Primitives[0].Indices = nil },
	func(t *rapid.T, s *asset.Scene) {
		s.Meshes[0].Primitives[0].Joints, s.Meshes[0].Primitives[0].Weights = nil, nil
	},
	func(t *rapid.T, s *asset.Scene) {
		c := s.Animations[rapid.IntRange(0, 1).Draw(t, "animation")].Channels[0]
		c.Values[rapid.IntRange(0, len(c.Values)-1).Draw(t, "value")] = number32(t)
	},
	func(t *rapid.T, s *asset.Scene) {
		c := s.Animations[1].Channels[1]
		c.Times[1] = float32(rapid.SampledFrom([]float64{0.3, 1e5, 1e30}).Draw(t, "time"))
	},
	func(t *rapid.T, s *asset.Scene) { s.Animations[0].Channels[0].Node = s.Roots[0] },
	func(t *rapid.T, s *asset.Scene) { s.Animations[0].Channels[1].Path = asset.Scale },
	func(t *rapid.T, s *asset.Scene) { s.Animations[0].Channels = nil },
	func(t *rapid.T, s *asset.Scene) { s.Animations[1].Name = s.Animations[0].Name },
}

func number32(t *rapid.T) float32 {
	return float32(rapid.SampledFrom([]float64{0, -1, 1, 0.5, 1e-30, 1e30, -1e5, math.NaN(), math.Inf(1)}).Draw(t, "number"))
}

// TestHostileScenes: whatever a scene holds, a mesh of it is refused or can be read again.
func TestHostileScenes(t *testing.T) {
	stored := written(t, wormPackage(t))
	refused := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := worm()
		a := openBytes(t, "Worms.u", stored)
		i := entry(t, a, "Beasts.Worm")
		onto := rapid.Bool().Draw(rt, "onto")
		if onto {
			s = lifted(t, a, "Beasts.Worm").(*asset.Scene)
			s.Roots[1].Skin = s.Skins[0]
		}
		for range rapid.IntRange(1, 3).Draw(rt, "count") {
			k := rapid.IntRange(0, len(mutations)-1).Draw(rt, "mutation")
			func() {
				defer func() { _ = recover() }() // the mutation itself does not fit what another one left
				mutations[k](rt, s)
			}()
		}
		if onto {
			v, err := formatOf(a, i).Lower(s, &format.Env{})
			if err != nil {
				refused++
				return
			}
			b, err := formatOf(a, i).Write(v)
			if err == nil {
				err = a.Replace(i, b)
			}
			if err != nil {
				rt.Fatal(err)
			}
			checkWhole(t, openBytes(t, "Worms.u", written(t, a)))
			return
		}
		x, _ := Create(&format.Env{Name: "New.u"})
		leaf := x.(*archive).newLeaf(format.Model)
		v, err := leaf.Lower(s, &format.Env{})
		if err != nil {
			refused++
			return
		}
		b, err := leaf.Write(v)
		if err == nil {
			err = x.Add("Mesh", b, leaf)
		}
		if err != nil {
			rt.Fatal(err)
		}
		checkWhole(t, openBytes(t, "New.u", written(t, x)))
	})
	t.Logf("%d refused", refused)
}
