package model

import (
	"bytes"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// An editor that knows no levels of detail leaves them lying about, before the limbs or after them; whoever tidies up
// gives them other names.
func TestSappearLevelsAstray(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	for _, prefix := range []string{"", "my "} {
		for _, first := range []bool{true, false} {
			s := u9.Lift(t, Sappear, b, nil)
			var levels, all []*asset.Node
			s.Walk(func(n, _ *asset.Node) { all = append(all, n) })
			for _, n := range all {
				levels = append(levels, n.LODs...)
				n.LODs = nil
			}
			for _, n := range append(all, levels...) {
				n.Name = prefix + n.Name
			}
			if first {
				s.Roots = append(levels, s.Roots...)
			} else {
				s.Roots = append(s.Roots, levels...)
			}
			corpus.SameBytes(t, prefix+"levels astray", u9.Lower(t, Sappear, s, nil), b)
		}
	}
}

// A model that was moved as a whole has one limb in a new place, though the numbers of the others are a little off.
func TestSappearMovedRoot(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh"))
	s := u9.Lift(t, Sappear, b, nil)
	s.Roots[0].Transform.Translation = [3]float32{1, 2, 3}
	s.Walk(func(n, parent *asset.Node) {
		if n.Native != nil && n.Native.Format == limbName && parent != s.Roots[0] {
			n.Transform.Translation[0] += 2e-5
		}
	})
	before, after := u9.Do(read.Sappear(b, nil))(t), u9.Do(read.Sappear(u9.Lower(t, Sappear, s, nil), nil))(t)
	for i := range before.Limbs {
		x, y := &before.Limbs[i], &after.Limbs[i]
		if moved := x.Parent == x.ID; (x.Position == y.Position) == moved {
			t.Errorf("limb %d stands at %v, stood at %v", x.ID, y.Position, x.Position)
		}
	}
}

// The root of a model tells that the numbers below are raw units, wherever it stands: the clip is unchanged.
func TestAnimMovedRoot(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "anim", "walk.anim"))
	for _, ours := range []bool{true, false} {
		s := u9.Lift(t, Anim, b, clipEnv(t))
		s.Roots[0].Transform.Translation = [3]float32{1, 2, 3}
		s.Roots[0].Transform.Rotation = [4]float32{0, 1, 0, 0}
		if ours {
			corpus.SameBytes(t, "a clip on a moved model", u9.Lower(t, Anim, s, nil), b)
			continue
		}
		s.Animations[0].Native = nil
		before, after := u9.Do(read.Anim(b, nil))(t), u9.Do(read.Anim(u9.Lower(t, Anim, s, nil), nil))(t)
		for i := range after.Parts {
			p := &after.Parts[i]
			for k := range before.Parts {
				if q := &before.Parts[k]; q.ID == p.ID && !scene.SameValue(asset.Rotation, q.Frames[1].Rotation[:], p.Frames[1].Rotation[:], 1) {
					t.Errorf("part %d turns to %v, turned to %v", p.ID, p.Frames[1].Rotation, q.Frames[1].Rotation)
				}
			}
		}
	}
}

// A new texture gets no slot that a material uses, be it without a picture; where nobody takes its picture, that is told.
func TestSappearNewTextureSlot(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "cube.mesh"))
	s := u9.Lift(t, Sappear, b, nil)
	added := asset.NewMaterial("bricks")
	added.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "Bricks", File: &asset.Stored{Encoding: "png"}}}
	p := *s.Meshes[0].Primitives[0]
	p.Material = added
	s.Meshes[0].Primitives = append(s.Meshes[0].Primitives, &p)
	s.Materials = append(s.Materials, added)
	for _, m := range s.Materials {
		if m != added {
			m.Name, m.BaseColorTexture = "", nil
			m.Native.Values["texture"] = 0.0
		}
	}
	s.Textures = nil
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	var slots []uint16
	for _, m := range u9.Do(read.Sappear(u9.Lower(t, Sappear, s, env), nil))(t).Limbs[0].LODs[0].Materials {
		slots = append(slots, m.Texture)
	}
	slices.Sort(slots)
	if !slices.Equal(slots, []uint16{0, 1}) {
		t.Errorf("slots %v", slots)
	}
	if !slices.ContainsFunc(env.Diagnostics.All(), func(d schema.Diagnostic) bool { return d.Code == "texture-new" && d.Severity == schema.Loss }) {
		t.Errorf("nothing was said of the picture: %v", env.Diagnostics.All())
	}
}

// What a record of a model cannot hold is told of.
func TestSappearLosses(t *testing.T) {
	s := u9.Lift(t, Sappear, corpus.Bytes(t, u9.Synthetic(t, "mesh", "cube.mesh")), nil)
	limb := s.Roots[0].Children[0]
	s.Animations = []*asset.Animation{{Name: "walk", Channels: []*asset.Channel{
		{Node: limb, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 40, 0, 0}}}}}
	limb.Skin = &asset.Skin{Joints: []*asset.Node{limb}}
	s.Skins = []*asset.Skin{limb.Skin}
	p := s.Meshes[0].Primitives[0]
	p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, len(p.Positions))}, [][][4]float32{make([][4]float32, len(p.Positions))}
	p.Targets = []asset.Target{{Positions: make([][3]float32, len(p.Positions))}}
	p.Targets[0].Positions[0] = [3]float32{1, 0, 0}
	env := &format.Env{Diagnostics: new(schema.Diagnostics)}
	u9.Lower(t, Sappear, s, env)
	for _, code := range []string{"animations", "skin", "morph-targets"} {
		if !env.Diagnostics.Has(code) {
			t.Errorf("nothing was said of %s: %v", code, env.Diagnostics.All())
		}
	}
}

// A model refers to pictures and does not hold them: one that somebody has painted is told of.
func TestSappearPaintedPicture(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "mesh", "cube.mesh"))
	for _, painted := range []bool{false, true} {
		env := modelEnv(t)
		s := u9.ThroughGLB(t, "painted", u9.Lift(t, Sappear, b, env))
		m := s.Textures[0].Base()
		if m == nil {
			t.Fatal("the texture has no picture")
		}
		if painted {
			*m = asset.Image{Width: m.Width, Height: m.Height, Pix: bytes.Clone(u9.RGBA(t, s.Textures[0], 0))}
			m.Pix[0] ^= 0x40
		}
		corpus.SameBytes(t, "painted", u9.Lower(t, Sappear, s, env), b)
		if env.Diagnostics.Has("picture") != painted {
			t.Errorf("painted %v: %v", painted, env.Diagnostics.All())
		}
	}
}
