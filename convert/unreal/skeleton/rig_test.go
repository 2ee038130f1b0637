package skeleton

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// arm is a scene of two joints below a node that is turned, and half as large as they say.
func arm() *asset.Scene {
	above, upper, lower := asset.NewNode("above"), asset.NewNode("Arm"), asset.NewNode("arm")
	above.Transform.Scale = [3]float32{0.5, 0.5, 0.5}
	above.Transform.Rotation = [4]float32{0, float32(math.Sin(0.4)), 0, float32(math.Cos(0.4))}
	upper.Transform.Translation, lower.Transform.Translation = [3]float32{0, 0.5, 0}, [3]float32{0, 1, 0}
	above.Children, upper.Children = []*asset.Node{upper}, []*asset.Node{lower}
	skin := &asset.Skin{Joints: []*asset.Node{lower, upper}, InverseBind: [][16]float32{
		{0: 1, 5: 1, 10: 1, 13: -1, 15: 1}, {0: 1, 5: 1, 10: 1, 15: 1},
	}}
	return &asset.Scene{Roots: []*asset.Node{above}, Skins: []*asset.Skin{skin}}
}

func rigOf(t *testing.T, s *asset.Scene) *Rig {
	m := &unreal.Mesh{Scale: [3]float32{1, 1, 1}}
	m.Object = unreal.Object{Context: &unreal.Context{}}
	r, err := RigOf(s, m, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRig: the bones of a foreign scene come parents first, under names that differ, and do not scale, however its nodes
// do.
func TestRig(t *testing.T) {
	s := arm()
	r := rigOf(t, s)
	for i, want := range []struct {
		name   string
		parent int
	}{{"Arm", -1}, {"arm_2", 0}} {
		b := &r.Bones[i]
		if b.Name != want.name || b.Parent != want.parent {
			t.Errorf("bone %d is %q below %d, want %q below %d", i, b.Name, b.Parent, want.name, want.parent)
		}
		if size, even := sizeOf(b.bind); math.Abs(size-1) > 1e-9 || !even || math.Abs(b.size-0.5*space.UnitsPerMetre) > 1e-4 {
			t.Errorf("bone %d: size %v, joint %v", i, size, b.size)
		}
	}
	if d := r.Bones[0].bind.Col(3).Vec3().Sub(mgl64.Vec3{0, 0.25 * space.UnitsPerMetre, 0}).Len(); d > 1e-4 {
		t.Errorf("the root is %v away", d)
	}
	if d := r.Bones[1].Local.Col(3).Vec3().Sub(mgl64.Vec3{0, 0.5 * space.UnitsPerMetre, 0}).Len(); d > 1e-4 {
		t.Errorf("the second bone is %v away from the first", d)
	}
}

// TestRigAgainst: bones are found in another rig by name, those that lie elsewhere are named, and an animation of the
// joints is a motion of each.
func TestRigAgainst(t *testing.T) {
	was, s := rigOf(t, arm()), arm()
	if number, same := rigOf(t, s).Numbers(was); !same || number[0] != 0 || number[1] != 1 {
		t.Errorf("the same rig has the numbers %v", number)
	}
	lower := s.Skins[0].Joints[0]
	s.Skins[0].InverseBind[1][13] = 0.5
	r := rigOf(t, s)
	if moved := r.Moved(was, []int{0, 1}); len(moved) != 1 || moved[0] != 0 {
		t.Errorf("bones %v have moved, want the first one", moved)
	}
	lower.Name = "hand"
	if number, same := rigOf(t, s).Numbers(was); same || number[1] != -1 {
		t.Errorf("with a bone of another name the numbers are %v", number)
	}
	x := &asset.Animation{Channels: []*asset.Channel{{Node: lower, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 1, 0, 0, 3, 0}}}}
	motions, err := r.Motions(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(motions[0].Times) != 1 || len(motions[1].Times) != 2 {
		t.Fatalf("the bones have %d and %d keys, want 1 and 2", len(motions[0].Times), len(motions[1].Times))
	}
	if _, _, place := motions[1].At(0.5); place.Sub(mgl64.Vec3{0, 1 * space.UnitsPerMetre, 0}).Len() > 1e-3 {
		t.Errorf("halfway the bone is at %v", place)
	}
	if other := (Motion{Times: []float32{0}, Rotations: motions[1].Rotations[:1], Positions: motions[1].Positions[:1]}); motions[1].Same(&other, 1) || !motions[1].Same(&motions[1], 1) {
		t.Error("a motion is the same as rest, or another than itself")
	}
}
