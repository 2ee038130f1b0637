package ultimate3d

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// arm is a model of three bones, one of them moving, small enough to say of an edit what all of the file is then.
func arm() *ultimate3d.Model {
	m := smallModel()
	m.AlphaBlending = ultimate3d.True
	plate := *m.Meshes[0]
	plate.Name = "plate"
	m.Meshes, m.MeshesPerFrame, m.Frames = append(m.Meshes, &plate), 2, 21
	bone := func(name string, parent uint16, a []ultimate3d.Attachment) *ultimate3d.Bone {
		return &ultimate3d.Bone{Name: name, Parent: parent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: a}
	}
	m.Bones = []*ultimate3d.Bone{bone("root", ultimate3d.RootParent, attach(0, 0, 0, 0)), bone("arm", 0, nil), bone("hand", 1, attach(1, 0, 0, 0))}
	m.Bones[1].Translation = []ultimate3d.VectorKey{{Unused: 1}, {Frame: 10, Unused: 2, Value: [3]float32{10, 0, 0}}, {Frame: 20, Unused: 3}}
	m.Bones[2].Translation = []ultimate3d.VectorKey{{Value: [3]float32{0, 5, 0}}}
	m.Bones[2].Rotation = []ultimate3d.RotationKey{{Value: [4]float32{0, 0, 0, 1}}, {Frame: 20, Unused: 4, Value: [4]float32{0, 0, 0.6, 0.8}}}
	return m
}

func nodeOf(s *asset.Scene, name string) (found *asset.Node) {
	s.Walk(func(n, _ *asset.Node) {
		if n.Name == name && found == nil {
			found = n
		}
	})
	return found
}

// channelOf returns how an animation moves a node.
func channelOf(a *asset.Animation, node string, path asset.Path) *asset.Channel {
	i := slices.IndexFunc(a.Channels, func(c *asset.Channel) bool { return c.Node.Name == node && c.Path == path })
	return a.Channels[i]
}

func codesOf(d *schema.Diagnostics) string {
	var list []string
	for _, x := range d.All() {
		list = append(list, x.Code)
	}
	return strings.Join(list, " ")
}

// edited is an edit of a scene, what it makes of the model, and the codes of what is told.
type edited struct {
	name string
	edit func(s *asset.Scene)
	want func(m *ultimate3d.Model)
	told string
}

func (c *edited) try(t *testing.T, m *ultimate3d.Model, o format.Options) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		s := throughGLB(t, lift(t, m, o))
		c.edit(s)
		d := new(schema.Diagnostics)
		got := lower(t, throughGLB(t, s), &format.Env{Diagnostics: d})
		if codesOf(d) != c.told {
			t.Errorf("told %q, want %q: %v", codesOf(d), c.told, d.All())
		}
		want := mustRead(t, mustWrite(t, m))
		c.want(want)
		unsigned(got)
		unsigned(want)
		if !bytes.Equal(mustWrite(t, got), mustWrite(t, want)) {
			t.Errorf("%d frames, want %d; blending %v, want %v; tweening %v, want %v", got.Frames, want.Frames, got.AlphaBlending, want.AlphaBlending, got.VertexTweening, want.VertexTweening)
			g, w := strings.Split(dump(got), "\n"), strings.Split(dump(want), "\n")
			for i := 1; i < min(len(g), len(w)); i++ {
				if g[i] != w[i] {
					t.Errorf("it became\n%s\nwant\n%s", g[i], w[i])
				}
			}
		}
	})
}

// unsigned takes the sign off zeros, which mirroring gives one.
func unsigned(m *ultimate3d.Model) {
	zero := func(list []float32) {
		for i := range list {
			if list[i] == 0 {
				list[i] = 0
			}
		}
	}
	for _, x := range m.Meshes {
		for i := range x.Positions {
			zero(x.Positions[i][:])
		}
	}
	for _, b := range m.Bones {
		for i := range b.Attachments {
			zero(b.Attachments[i].Transformation[:])
		}
		for i := range b.Translation {
			zero(b.Translation[i].Value[:])
		}
		for i := range b.Rotation {
			zero(b.Rotation[i].Value[:])
		}
	}
}

func animate(s *asset.Scene, name string, list ...*asset.Channel) {
	s.Animations = append(s.Animations, &asset.Animation{Name: name, Channels: list})
}

// TestBoneEdits: what an edit of a bone changes, to the byte.
func TestBoneEdits(t *testing.T) {
	same := func(*ultimate3d.Model) {}
	key := func(f uint16, x float32) ultimate3d.VectorKey {
		return ultimate3d.VectorKey{Frame: f, Value: [3]float32{x, 0, 0}}
	}
	moving := func(s *asset.Scene) *asset.Channel { return channelOf(s.Animations[0], "arm", asset.Translation) }
	for _, c := range []edited{
		{"a key", func(s *asset.Scene) { moving(s).Values[3] = -12 }, func(m *ultimate3d.Model) { m.Bones[1].Translation[1] = key(10, 12) }, "keys-edited"},
		{"a key more", func(s *asset.Scene) {
			c := moving(s)
			c.Times, c.Values = append(c.Times, 1), append(c.Values, 7, 0, 0)
		}, func(m *ultimate3d.Model) {
			m.Frames, m.Bones[1].Translation = 31, append(m.Bones[1].Translation, key(30, -7))
		}, "keys-edited"},
		{"no keys", func(s *asset.Scene) {
			a := s.Animations[0]
			a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return c.Path == asset.Translation })
		}, func(m *ultimate3d.Model) { m.Bones[1].Translation = nil }, "keys-removed"},
		{"no animation", func(s *asset.Scene) { s.Animations = nil }, same, "animation-stays"},
		{"its animation goes by another name", func(s *asset.Scene) { s.Animations[0].Name = "walk" }, same, "animation-name"},
		{"an animation more", func(s *asset.Scene) {
			animate(s, "wave", &asset.Channel{Node: nodeOf(s, "arm"), Path: asset.Translation, Times: []float32{0, 0.5}, Values: []float32{-1, 0, 0, -4, 0, 0}})
		}, func(m *ultimate3d.Model) {
			m.Frames, m.Bones[1].Translation = 37, append(m.Bones[1].Translation, key(21, 1), key(36, 4))
		}, "animation-name"},
		{"an animation of what stood still", func(s *asset.Scene) {
			animate(s, "wave", &asset.Channel{Node: nodeOf(s, "hand"), Path: asset.Translation, Times: []float32{0.1, 0.5}, Values: []float32{0, 6, 0, 0, 9, 0}})
		}, func(m *ultimate3d.Model) {
			y := func(f uint16, y float32) ultimate3d.VectorKey {
				return ultimate3d.VectorKey{Frame: f, Value: [3]float32{0, y, 0}}
			}
			m.Frames, m.Bones[2].Translation = 37, []ultimate3d.VectorKey{y(0, 5), y(20, 5), y(21, 6), y(24, 6), y(36, 9)}
		}, "animation-name"},
		{"an animation of what had no keys", func(s *asset.Scene) {
			animate(s, "grow", &asset.Channel{Node: nodeOf(s, "hand"), Path: asset.Scale, Times: []float32{0, 0.5}, Values: []float32{1, 1, 1, 2, 1, 1}})
		}, func(m *ultimate3d.Model) {
			one := func(f uint16, x float32) ultimate3d.VectorKey {
				return ultimate3d.VectorKey{Frame: f, Value: [3]float32{x, 1, 1}}
			}
			m.Frames, m.Bones[2].Scaling = 37, []ultimate3d.VectorKey{one(0, 1), one(20, 1), one(21, 1), one(36, 2)}
		}, "animation-name"},
		{"an animation longer than keys reach", func(s *asset.Scene) {
			animate(s, "wait", &asset.Channel{Node: nodeOf(s, "arm"), Path: asset.Translation, Times: []float32{0, 2184}, Values: []float32{0, 0, 0, 1, 0, 0}})
		}, same, "animation-name animation-too-long"},
		{"where a bone stands that does not move", func(s *asset.Scene) { nodeOf(s, "hand").Transform.Translation = [3]float32{-1, 6, 2} },
			func(m *ultimate3d.Model) { m.Bones[2].Translation[0].Value = [3]float32{1, 6, 2} }, "pose-edited"},
		{"how large a bone is that says nothing of it", func(s *asset.Scene) { nodeOf(s, "root").Transform.Scale = [3]float32{2, 3, 4} },
			func(m *ultimate3d.Model) { m.Bones[0].Scaling = []ultimate3d.VectorKey{{Value: [3]float32{2, 3, 4}}} }, "pose-edited"},
		{"where a bone stands that moves", func(s *asset.Scene) { nodeOf(s, "arm").Transform.Translation = [3]float32{0, 3, 0} }, same, "rest-pose"},
		{"a bone hangs on none", func(s *asset.Scene) {
			arm, hand := nodeOf(s, "arm"), nodeOf(s, "hand")
			arm.Children = slices.DeleteFunc(arm.Children, func(n *asset.Node) bool { return n == hand })
			s.Roots = append(s.Roots, hand)
		}, func(m *ultimate3d.Model) { m.Bones[2].Parent = ultimate3d.RootParent }, ""},
		{"a bone hangs on another one", func(s *asset.Scene) {
			arm, hand, root := nodeOf(s, "arm"), nodeOf(s, "hand"), nodeOf(s, "root")
			arm.Children = slices.DeleteFunc(arm.Children, func(n *asset.Node) bool { return n == hand })
			root.Children = append(root.Children, hand)
		}, func(m *ultimate3d.Model) { m.Bones[2].Parent = 0 }, ""},
		{"a name", func(s *asset.Scene) { nodeOf(s, "hand").Name = "paw" }, func(m *ultimate3d.Model) { m.Bones[2].Name = "paw" }, ""},
		{"where a mesh hangs", func(s *asset.Scene) { nodeOf(s, "plate").Transform.Translation = [3]float32{-1, 2, 3} },
			func(m *ultimate3d.Model) { m.Bones[2].Attachments = attach(1, 1, 2, 3) }, ""},
		{"the name of a mesh", func(s *asset.Scene) { nodeOf(s, "plate").Name = "disc" }, func(m *ultimate3d.Model) { m.Meshes[1].Name = "disc" }, ""},
		{"a mesh is mirrored", func(s *asset.Scene) { nodeOf(s, "plate").Transform.Scale[0] = -1 }, func(m *ultimate3d.Model) {
			m.Bones[2].Attachments[0].Transformation[0] = -1
			x := m.Meshes[1]
			x.NormalScalar, x.Triangles = -1, [][3]uint16{{0, 2, 1}}
			for i, n := range x.Normals {
				v := n.Vector()
				x.Normals[i], _ = ultimate3d.NormalOf([3]float32{-v[0], -v[1], -v[2]})
			}
		}, "mesh-edited"},
		{"a node that shows nothing", func(s *asset.Scene) {
			n := asset.NewNode("marker")
			n.Transform.Translation = [3]float32{1, 0, 0}
			nodeOf(s, "hand").Children = append(nodeOf(s, "hand").Children, n)
		}, same, "node"},
		{"a half-transparent material", func(s *asset.Scene) {
			s.Materials[0].BaseColor[3], s.Materials[0].Alpha = 0.5, asset.Blend
		}, func(m *ultimate3d.Model) { m.Materials[0].Diffuse[3] = 0.5 }, ""},
	} {
		c.try(t, arm(), format.Options{})
	}
}

// TestClipEdits: in a range of frames that a person asked for, what lies outside it stays.
func TestClipEdits(t *testing.T) {
	o := format.Options{Ultimate3D: format.Ultimate3DOptions{FPS: 10, Clips: []format.Clip{{Name: "begin", First: 0, Last: 5}, {Name: "end", First: 10, Last: 20}}}}
	key := func(f uint16, x float32) ultimate3d.VectorKey {
		return ultimate3d.VectorKey{Frame: f, Value: [3]float32{x, 0, 0}}
	}
	for _, c := range []edited{
		{"a key at the end of the first", func(s *asset.Scene) { channelOf(s.Animations[0], "arm", asset.Translation).Values[3] = -8 },
			func(m *ultimate3d.Model) {
				m.Bones[1].Translation = slices.Insert(m.Bones[1].Translation, 1, key(5, 8))
			}, "keys-edited"},
		{"the last key of the last", func(s *asset.Scene) { channelOf(s.Animations[1], "arm", asset.Translation).Values[3] = -8 },
			func(m *ultimate3d.Model) { m.Bones[1].Translation[2] = key(20, 8) }, "keys-edited"},
		{"no keys in the last", func(s *asset.Scene) {
			a := s.Animations[1]
			a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return c.Path == asset.Translation })
		}, func(m *ultimate3d.Model) { m.Bones[1].Translation = m.Bones[1].Translation[:1] }, "keys-removed"},
		{"the last is gone", func(s *asset.Scene) { s.Animations = s.Animations[:1] }, func(*ultimate3d.Model) {}, ""},
	} {
		c.try(t, arm(), o)
	}
}

// sheet is a model of three frames, each of a square whose halves have materials of their own, with a set of texture
// coordinates that glTF knows and one that it does not.
func sheet() *ultimate3d.Model {
	m := &ultimate3d.Model{Version: 1, MeshesPerFrame: 1, LODs: 1, Frames: 3, VertexTweening: ultimate3d.True,
		Materials: []*ultimate3d.Material{{Name: "red", Diffuse: [4]float32{1, 0, 0, 1}}, {Name: "blue", Diffuse: [4]float32{0, 0, 1, 1}}}}
	for f := range 3 {
		x := newMesh("sheet")
		x.Frame = uint16(f)
		z := float32(f)
		x.Positions = [][3]float32{{0, 0, z}, {0, 4, 0}, {4, 4, 0}, {4, 0, 0}}
		x.Normals = []ultimate3d.Normal{{0, 127}, {0, 127}, {0, 127}, {0, 127}}
		x.TexCoordDimensions = [8]uint16{2, 0, 1}
		if f == 0 {
			x.TexCoords[0], x.TexCoords[2] = []float32{0, 1, 0, 0, 1, 0, 1, 1}, []float32{0.1, 0.2, 0.3, 0.4}
			x.Triangles, x.TriangleMaterials = [][3]uint16{{0, 1, 2}, {0, 2, 3}}, []uint16{0, 1}
			x.Shadow = ultimate3d.ShadowVolume{VertexCount: 1, Vertices: make([]byte, ultimate3d.ShadowVertexSize(0)), Triangles: [][3]uint16{{0, 0, 0}}}
		} else {
			x.TextureCoordinatesOwned, x.TrianglesOwned, x.SharedTriangles = ultimate3d.False, ultimate3d.False, 2
		}
		m.Meshes = append(m.Meshes, x)
	}
	return m
}

// TestFrameEdits: what an edit of a mesh changes in all of its frames.
func TestFrameEdits(t *testing.T) {
	same := func(*ultimate3d.Model) {}
	each := func(f func(x *ultimate3d.Mesh)) func(m *ultimate3d.Model) {
		return func(m *ultimate3d.Model) {
			m.Meshes[0].Shadow = ultimate3d.ShadowVolume{}
			for _, x := range m.Meshes {
				f(x)
			}
		}
	}
	// Primitives share their vertices in glTF, and an editor changes all of them.
	all := func(f func(p *asset.Primitive)) func(s *asset.Scene) {
		return func(s *asset.Scene) {
			for _, p := range s.Meshes[0].Primitives {
				f(p)
			}
		}
	}
	morph := func(s *asset.Scene) *asset.Channel { return s.Animations[0].Channels[0] }
	for _, c := range []edited{
		{"a corner", all(func(p *asset.Primitive) { p.Positions[2] = [3]float32{-5, 4, 1} }),
			each(func(x *ultimate3d.Mesh) { x.Positions[2] = [3]float32{5, 4, 1} }), "shadow-volume mesh-edited"},
		{"a corner of one frame", all(func(p *asset.Primitive) { p.Targets[1].Positions[3] = [3]float32{0, 0, 3} }),
			func(m *ultimate3d.Model) {
				m.Meshes[0].Shadow = ultimate3d.ShadowVolume{}
				m.Meshes[2].Positions[3][2] = 3
			}, "shadow-volume mesh-edited"},
		{"the place", func(s *asset.Scene) { nodeOf(s, "sheet").Transform.Translation = [3]float32{-1, 2, 0} },
			each(func(x *ultimate3d.Mesh) {
				for i := range x.Positions {
					x.Positions[i] = plus(x.Positions[i], [3]float32{1, 2, 0})
				}
			}), "shadow-volume mesh-edited"},
		{"the size", func(s *asset.Scene) { nodeOf(s, "sheet").Transform.Scale = [3]float32{2, 2, 2} },
			each(func(x *ultimate3d.Mesh) {
				for i, p := range x.Positions {
					x.Positions[i] = plus(p, p)
				}
			}), "shadow-volume mesh-edited"},
		{"where a picture is", all(func(p *asset.Primitive) { p.TexCoords[0][1] = [2]float32{0.25, 0.5} }),
			func(m *ultimate3d.Model) { m.Meshes[0].TexCoords[0][2], m.Meshes[0].TexCoords[0][3] = 0.25, 0.5 }, "mesh-edited"},
		{"where a picture of one dimension is", all(func(p *asset.Primitive) { p.Custom[0].Values[1] = 0.75 }),
			func(m *ultimate3d.Model) { m.Meshes[0].TexCoords[2][1] = 0.75 }, "mesh-edited"},
		{"a normal", all(func(p *asset.Primitive) {
			p.Normals[0] = [3]float32{-1, 0, 0}
			for k := range p.Targets {
				p.Targets[k].Normals[0] = [3]float32{}
			}
		}), func(m *ultimate3d.Model) {
			for _, x := range m.Meshes {
				x.Normals[0], _ = ultimate3d.NormalOf([3]float32{1, 0, 0})
			}
		}, "mesh-edited"},
		{"a material", func(s *asset.Scene) { s.Meshes[0].Primitives[0].Material = s.Materials[1] },
			func(m *ultimate3d.Model) { m.Meshes[0].TriangleMaterials[0] = 1 }, "mesh-edited"},
		{"no material", func(s *asset.Scene) { s.Meshes[0].Primitives[1].Material = nil }, func(m *ultimate3d.Model) {
			m.Meshes[0].TriangleMaterials[1] = 2
			white := &ultimate3d.Material{Name: "default", Diffuse: [4]float32{1, 1, 1, 1}, Ambient: [4]float32{1, 1, 1, 1},
				Specular: [4]float32{0, 0, 0, 1}, Emissive: [4]float32{0, 0, 0, 1}, ColorOp: [8]ultimate3d.ColorOp{ultimate3d.OpSelectArg2, 1, 1, 1, 1, 1, 1, 1}}
			m.Materials = append(m.Materials, white)
		}, "mesh-edited"},
		{"a triangle less", func(s *asset.Scene) { s.Meshes[0].Primitives = s.Meshes[0].Primitives[:1] }, each(func(x *ultimate3d.Mesh) {
			x.Positions, x.Normals = x.Positions[:3], x.Normals[:3]
			if x.Frame == 0 {
				x.TexCoords[0], x.TexCoords[2] = x.TexCoords[0][:6], x.TexCoords[2][:3]
				x.Triangles, x.TriangleMaterials = x.Triangles[:1], x.TriangleMaterials[:1]
			} else {
				x.SharedTriangles = 1
			}
		}), "shadow-volume mesh-edited"},
		{"the other side of a triangle", func(s *asset.Scene) {
			i := s.Meshes[0].Primitives[1].Indices
			i[1], i[2] = i[2], i[1]
		}, each(func(x *ultimate3d.Mesh) {
			if x.Frame == 0 {
				x.Triangles[1] = [3]uint16{0, 3, 2}
			}
		}), "shadow-volume mesh-edited"},
		{"the name of the node", func(s *asset.Scene) { nodeOf(s, "sheet").Name = "page" }, func(m *ultimate3d.Model) {
			for _, x := range m.Meshes {
				x.Name = "page"
			}
		}, ""},
		{"the name of the mesh", func(s *asset.Scene) { s.Meshes[0].Name = "page" }, func(m *ultimate3d.Model) {
			for _, x := range m.Meshes {
				x.Name = "page"
			}
		}, ""},
		{"frames jump", func(s *asset.Scene) { morph(s).Interpolation = asset.StepKeys }, func(m *ultimate3d.Model) { m.VertexTweening = ultimate3d.False }, ""},
		{"no frames are played", func(s *asset.Scene) { s.Animations = nil }, same, "animation-stays"},
		{"a shape more", func(s *asset.Scene) {
			all(func(p *asset.Primitive) {
				p.Targets = append(p.Targets, asset.Target{Positions: make([][3]float32, 4)})
			})(s)
			morph(s).Values, s.Meshes[0].Weights, s.Meshes[0].TargetNames = []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, nil, nil
		}, same, "morph-targets"},
		{"no texture coordinates", all(func(p *asset.Primitive) { p.TexCoords, p.Custom = nil, nil }), same, "texture-coordinates"},
		{"another set of texture coordinates", all(func(p *asset.Primitive) {
			p.TexCoords = append(p.TexCoords, [][2]float32{{1, 2}, {3, 4}, {5, 6}, {7, 8}})
		}), func(m *ultimate3d.Model) {
			m.Meshes[0].TexCoordDimensions[1], m.Meshes[0].TexCoords[1] = 2, []float32{1, 2, 3, 4, 5, 6, 7, 8}
		}, "mesh-edited"},
		{"two other sets", all(func(p *asset.Primitive) {
			p.TexCoords = append(p.TexCoords, [][2]float32{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, [][2]float32{{8, 7}, {6, 5}, {4, 3}, {2, 1}})
		}), func(m *ultimate3d.Model) {
			x := m.Meshes[0]
			x.TexCoordDimensions, x.TexCoords[1], x.TexCoords[3] = [8]uint16{2, 2, 1, 2}, []float32{1, 2, 3, 4, 5, 6, 7, 8}, []float32{8, 7, 6, 5, 4, 3, 2, 1}
		}, "mesh-edited"},
		{"half-transparent", func(s *asset.Scene) { s.Materials[1].BaseColor[3], s.Materials[1].Alpha = 0.5, asset.Blend },
			func(m *ultimate3d.Model) { m.Materials[1].Diffuse[3], m.AlphaBlending = 0.5, ultimate3d.True }, "alpha-blending"},
		{"a node below", func(s *asset.Scene) {
			nodeOf(s, "sheet").Children = []*asset.Node{asset.NewNode("marker")}
		}, same, "node"},
	} {
		c.try(t, sheet(), format.Options{})
	}
}

// limb is a model of one mesh that follows two bones, with places in its inverse bind matrices.
func limb() *ultimate3d.Model {
	m := smallModel()
	x := m.Meshes[0]
	x.StoredWeights, x.MaxBlendingMatrix = 1, 1
	x.Weights, x.WeightBones = []float32{1, 0.5, 0}, [][4]uint8{{0, 1}, {0, 1}, {0, 1}}
	for i, name := range []string{"upper", "lower"} {
		b := &ultimate3d.Bone{Name: name, Parent: ultimate3d.RootParent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: attach(0, 0, float32(-i), 0)}
		if i > 0 {
			b.Parent, b.Translation = 0, []ultimate3d.VectorKey{{Value: [3]float32{0, 1, 0}}}
		}
		m.Bones = append(m.Bones, b)
	}
	return m
}

// columned turns the matrices of a model into those for column vectors, which some programs wrote.
func columned(m *ultimate3d.Model) *ultimate3d.Model {
	for _, b := range m.Bones {
		for i := range b.Attachments {
			b.Attachments[i].Transformation = transposed(b.Attachments[i].Transformation)
		}
	}
	return m
}

// TestSkinEdits: what an edit of a mesh that follows bones changes.
func TestSkinEdits(t *testing.T) {
	first := func(s *asset.Scene) *asset.Primitive { return s.Meshes[0].Primitives[0] }
	for _, c := range []edited{
		{"weights", func(s *asset.Scene) { first(s).Weights[0][1] = [4]float32{0.25, 0.75} }, func(m *ultimate3d.Model) {
			m.Meshes[0].Weights[1], m.Meshes[0].WeightBones[1] = 0.75, [4]uint8{1, 0}
		}, "mesh-edited"},
		{"an inverse bind matrix", func(s *asset.Scene) { s.Skins[0].InverseBind[1][12] = -3 },
			func(m *ultimate3d.Model) { m.Bones[1].Attachments = attach(0, 3, -1, 0) }, ""},
		{"joints in another order", func(s *asset.Scene) {
			x := s.Skins[0]
			x.Joints[0], x.Joints[1] = x.Joints[1], x.Joints[0]
			x.InverseBind[0], x.InverseBind[1] = x.InverseBind[1], x.InverseBind[0]
			for v := range first(s).Joints[0] {
				j := &first(s).Joints[0][v]
				j[0], j[1] = 1-j[0], 1-j[1]
			}
		}, func(*ultimate3d.Model) {}, ""},
		{"a vertex that follows nothing", func(s *asset.Scene) {
			p := first(s)
			p.Positions, p.Normals = append(p.Positions, [3]float32{-7, 0, 0}), append(p.Normals, [3]float32{0, 1, 0})
			p.Joints[0], p.Weights[0] = append(p.Joints[0], [4]uint16{}), append(p.Weights[0], [4]float32{})
			p.Indices = append(p.Indices, 0, 3, 1)
		}, func(m *ultimate3d.Model) {
			x := m.Meshes[0]
			up, _ := ultimate3d.NormalOf([3]float32{0, 1, 0})
			x.Positions, x.Normals = append(x.Positions, [3]float32{7, 0, 0}), append(x.Normals, up)
			x.Weights, x.WeightBones = append(x.Weights, 1), append(x.WeightBones, [4]uint8{})
			x.Triangles, x.TriangleMaterials = append(x.Triangles, [3]uint16{0, 1, 3}), append(x.TriangleMaterials, 0)
		}, "mesh-edited"},
	} {
		c.try(t, limb(), format.Options{})
	}
	three := edited{"three bones", func(s *asset.Scene) {
		first(s).Weights[0][1] = [4]float32{0.25, 0.25, 0.5}
		first(s).Joints[0][1] = [4]uint16{0, 1, 2}
	},
		func(m *ultimate3d.Model) {
			x := m.Meshes[0]
			x.StoredWeights, x.MaxBlendingMatrix = 3, 2
			x.Weights = []float32{1, 0, 0, 0.5, 0.25, 0.25, 1, 0, 0}
			x.WeightBones = [][4]uint8{{0}, {2, 0, 1}, {1}}
		}, "mesh-edited"}
	m := limb() // whose last vertex no triangle has
	x := m.Meshes[0]
	x.Positions, x.Normals = append(x.Positions, [3]float32{9, 9, 9}), append(x.Normals, x.Normals[0])
	x.Weights, x.WeightBones = append(x.Weights, 0.25), append(x.WeightBones, [4]uint8{1, 0})
	gone := edited{"weights, without what nobody sees", func(s *asset.Scene) {
		p := first(s)
		p.Positions, p.Normals, p.Joints[0], p.Weights[0] = p.Positions[:3], p.Normals[:3], p.Joints[0][:3], p.Weights[0][:3]
		p.Weights[0][1] = [4]float32{0.25, 0.75}
	}, func(m *ultimate3d.Model) { m.Meshes[0].Weights[1], m.Meshes[0].WeightBones[1] = 0.75, [4]uint8{1, 0} }, "mesh-edited"}
	gone.try(t, m, format.Options{})
	m = limb()
	tip := *m.Bones[1]
	tip.Name, tip.Parent = "tip", 1
	m.Bones = append(m.Bones, &tip)
	three.try(t, m, format.Options{})

	of := edited{"a matrix for column vectors", func(s *asset.Scene) { s.Skins[0].InverseBind[1][12] = -3 },
		func(m *ultimate3d.Model) {
			m.Bones[1].Attachments[0].Transformation = transposed(attach(0, 3, -1, 0)[0].Transformation)
		}, ""}
	of.try(t, columned(limb()), format.Options{})
	m = arm()
	m.Bones[2].Attachments = attach(1, 0, 1, 0)
	of = edited{"the place of a mesh for column vectors", func(s *asset.Scene) {
		nodeOf(s, "plate").Transform = asset.Identity
		nodeOf(s, "plate").Transform.Translation = [3]float32{-1, 2, 3}
	}, func(m *ultimate3d.Model) {
		m.Bones[2].Attachments[0].Transformation = transposed(attach(1, 1, 2, 3)[0].Transformation)
	}, ""}
	of.try(t, columned(m), format.Options{})
}

// TestOneFrameOfMany: of frames that are shown one by one, one can be edited, whatever it shared with others.
func TestOneFrameOfMany(t *testing.T) {
	model := func() *ultimate3d.Model {
		m := sheet()
		m.VertexTweening, m.Meshes[0].Shadow = ultimate3d.False, ultimate3d.ShadowVolume{}
		last := m.Meshes[2]
		last.TrianglesOwned, last.SharedTriangles = ultimate3d.True, 0
		last.Triangles, last.TriangleMaterials = m.Meshes[0].Triangles[:1], m.Meshes[0].TriangleMaterials[:1]
		return m
	}
	shownAt := func(s *asset.Scene, frame int) (list []*asset.Primitive) {
		s.Walk(func(n, _ *asset.Node) {
			if n.Mesh != nil && number(n.Native, keyFrame) == frame {
				list = n.Mesh.Primitives
			}
		})
		return list
	}
	own := func(m *ultimate3d.Model, frames ...int) {
		for _, f := range frames {
			x, base := m.Meshes[f], m.Meshes[0]
			if !x.TrianglesOwned.True() {
				x.TrianglesOwned, x.SharedTriangles = ultimate3d.True, 0
				x.Triangles, x.TriangleMaterials = slices.Clone(base.Triangles), slices.Clone(base.TriangleMaterials)
			}
			x.TextureCoordinatesOwned = ultimate3d.True
			x.TexCoords[0], x.TexCoords[2] = slices.Clone(base.TexCoords[0]), slices.Clone(base.TexCoords[2])
		}
	}
	for _, c := range []edited{
		{"a corner of the first", func(s *asset.Scene) {
			for _, p := range shownAt(s, 0) {
				p.Positions[2] = [3]float32{-5, 4, 1}
			}
		}, func(m *ultimate3d.Model) { own(m, 1, 2); m.Meshes[0].Positions[2] = [3]float32{5, 4, 1} }, "mesh-edited"},
		{"where the picture of the second is", func(s *asset.Scene) {
			for _, p := range shownAt(s, 1) {
				p.TexCoords[0][1] = [2]float32{0.25, 0.5}
			}
		}, func(m *ultimate3d.Model) {
			own(m, 1)
			m.Meshes[1].TexCoords[0][2], m.Meshes[1].TexCoords[0][3] = 0.25, 0.5
		}, "mesh-edited"},
		{"a triangle of the last", func(s *asset.Scene) {
			i := shownAt(s, 2)[0].Indices
			i[1], i[2] = i[2], i[1]
		}, func(m *ultimate3d.Model) {
			own(m, 2)
			m.Meshes[2].Triangles = [][3]uint16{{0, 2, 1}}
		}, "mesh-edited"},
	} {
		c.try(t, model(), format.Options{})
	}
}

// TestHeaderEdits: a person's values of the whole model, and of a material whose ambient colour is the one that is shown.
func TestHeaderEdits(t *testing.T) {
	for _, c := range []edited{
		{"cel shading", func(s *asset.Scene) {
			s.Native.Values["celShadingStrength"], s.Native.Values["celShadingColor"] = 2.5, []any{1.0, 0.5, 0.25, 0.0}
		}, func(m *ultimate3d.Model) { m.CelShadingStrength, m.CelShadingColor = 2.5, [4]float32{1, 0.5, 0.25, 0} }, ""},
		{"blending", func(s *asset.Scene) { s.Native.Values["alphaBlending"] = 1.0 }, func(m *ultimate3d.Model) { m.AlphaBlending = ultimate3d.True }, ""},
		{"tweening", func(s *asset.Scene) { s.Native.Values["vertexTweening"] = 0.0 }, func(m *ultimate3d.Model) { m.VertexTweening = ultimate3d.False }, ""},
	} {
		c.try(t, sheet(), format.Options{})
	}
	frames := edited{"frames", func(s *asset.Scene) { s.Native.Values["frames"] = 50.0 }, func(m *ultimate3d.Model) { m.Frames = 50 }, ""}
	frames.try(t, arm(), format.Options{})

	m := arm()
	m.Materials[0].Diffuse, m.Materials[0].Ambient = [4]float32{1, 1, 1, 1}, [4]float32{0, 0, 0, 1}
	colour := edited{"ambient first", func(s *asset.Scene) {
		s.Materials[0].BaseColor = [4]float32{1, 0, 0, 0.5}
		s.Materials[0].Alpha = asset.Blend
	},
		func(m *ultimate3d.Model) { m.Materials[0].Ambient = [4]float32{1, 0, 0, 0.5} }, ""}
	colour.try(t, m, format.Options{Ultimate3D: format.Ultimate3DOptions{AmbientFirst: true}})
}

// TestRebuilt: why a model is built anew, where an edit leaves nothing to hold on to.
func TestRebuilt(t *testing.T) {
	child := func(s *asset.Scene, above, name string) *asset.Node {
		n := asset.NewNode(name)
		nodeOf(s, above).Children = append(nodeOf(s, above).Children, n)
		return n
	}
	take := func(s *asset.Scene, above, name string) *asset.Node {
		n, from := nodeOf(s, name), nodeOf(s, above)
		from.Children = slices.DeleteFunc(from.Children, func(x *asset.Node) bool { return x == n })
		return n
	}
	twice := arm()
	twice.Bones[1].Attachments = attach(1, 2, 0, 0)
	mirrored := arm()
	mirrored.Bones[1].Attachments = attach(1, 2, 0, 0)
	mirrored.Bones[1].Attachments[0].Transformation[0] = -1
	unlike := sheet()
	unlike.VertexTweening = ultimate3d.False
	last := unlike.Meshes[2]
	last.TrianglesOwned, last.SharedTriangles = ultimate3d.True, 0
	last.Triangles, last.TriangleMaterials = unlike.Meshes[0].Triangles[:1], unlike.Meshes[0].TriangleMaterials[:1]
	var second *asset.Node // of the two that show the plate
	for _, c := range []struct {
		name  string
		model *ultimate3d.Model
		edit  func(s *asset.Scene)
		why   string
	}{
		{"no material", arm(), func(s *asset.Scene) { s.Materials[0].Native = nil }, "a material is missing"},
		{"a bone twice", arm(), func(s *asset.Scene) { child(s, "hand", "copy").Native = nodeOf(s, "arm").Native }, "a bone is there twice"},
		{"no first bone", arm(), func(s *asset.Scene) { nodeOf(s, "root").Native = nil }, "a bone is missing"},
		{"a bone of other bytes", arm(), func(s *asset.Scene) { nodeOf(s, "hand").Native.Payload = []byte{0, 1} }, "a bone cannot be read"},
		{"a new mesh", arm(), func(s *asset.Scene) {
			child(s, "hand", "ring").Mesh = quad(nil)
			s.Meshes = append(s.Meshes, nodeOf(s, "ring").Mesh)
		}, `mesh "quad" is new`},
		{"a mesh less", arm(), func(s *asset.Scene) { take(s, "hand", "plate") }, "the kept parts do not fit together (bone 2: piMesh: mesh 1 of 1)"},
		{"a mesh twice", arm(), func(s *asset.Scene) {
			n := child(s, "hand", "other")
			n.Mesh, n.Native = nodeOf(s, "plate").Mesh, nodeOf(s, "plate").Native
		}, `mesh "plate" is shown 2 times, once it was 1`},
		{"a mesh on another bone", arm(), func(s *asset.Scene) {
			n := take(s, "hand", "plate")
			nodeOf(s, "root").Children = append(nodeOf(s, "root").Children, n)
		}, `mesh "plate" hangs on another bone`},
		{"one of two mirrored", twice, func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) {
				if n.Name == "plate" {
					second = n
				}
			})
			second.Transform = asset.Identity
			second.Transform.Scale[0] = -1
		}, `mesh "plate" is mirrored in one place only`},
		{"a node that moves", arm(), func(s *asset.Scene) {
			s.Animations[0].Channels = append(s.Animations[0].Channels, &asset.Channel{Node: child(s, "hand", "lamp"), Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}})
		}, `node "lamp" is animated`},
		{"a node that moves others", arm(), func(s *asset.Scene) {
			n := take(s, "arm", "hand")
			between := child(s, "arm", "between")
			between.Transform.Translation, between.Children = [3]float32{1, 0, 0}, []*asset.Node{n}
		}, `node "between" moves what is below it`},
		{"a frame that is not there", unlike, func(s *asset.Scene) { scene.SetShown(nodeOf(s, "sheet").Native, keyFrame, 5.0) }, "the meshes do not fit together"},
		{"a frame twice", unlike, func(s *asset.Scene) { scene.SetShown(nodeOf(s, "sheet").Native, keyFrame, 1.0) }, `mesh "sheet" is there twice`},
		{"no mirror image", mirrored, func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) {
				n.Children = slices.DeleteFunc(n.Children, func(x *asset.Node) bool { return number(x.Native, keyMirrored) > 0 })
			})
		}, "meshes were added or removed"},
		{"an attachment that is not there", arm(), func(s *asset.Scene) { scene.SetShown(nodeOf(s, "plate").Native, keyAttachment, 1.0) }, `mesh "plate" hangs on another bone`},
		{"no skin", limb(), func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) { n.Skin = nil })
			s.Skins = nil
		}, "the mesh has no skin any more"},
		{"a joint that is no bone", limb(), func(s *asset.Scene) {
			s.Skins[0].Joints[1] = child(s, "lower", "end")
		}, `joint "end" is no bone`},
		{"another animation of shapes", sheet(), func(s *asset.Scene) { s.Animations[0].Channels[0].Values[2] = 0.5 }, `the animation of mesh "sheet" has changed`},
		{"an animation of a place", sheet(), func(s *asset.Scene) {
			animate(s, "go", &asset.Channel{Node: nodeOf(s, "sheet"), Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}})
		}, `the animation of mesh "sheet" has changed`},
	} {
		s := throughGLB(t, lift(t, c.model, format.Options{}))
		c.edit(s)
		d := new(schema.Diagnostics)
		_, err := Lower(throughGLB(t, s), &format.Env{Diagnostics: d})
		told := ""
		for _, x := range d.All() {
			if x.Code == "rebuilt" {
				told = x.Msg
			}
		}
		if err != nil || told != c.why+": the model is built anew from what the scene shows" {
			t.Errorf("%s: %q, %v, want %q", c.name, told, err, c.why)
		}
	}
}

// leveled is a model of a bone that carries a mesh with two levels of detail.
func leveled() *ultimate3d.Model {
	m := arm()
	m.Meshes, m.MeshesPerFrame, m.Bones = m.Meshes[:1], 1, m.Bones[:1]
	m.LODs, m.LODLevels, m.LODDistancesSq, m.Frames = 2, []float32{0.5}, []float32{100}, 1
	far := *m.Meshes[0]
	far.Name, far.LOD = "far", 0.5
	m.Meshes = append(m.Meshes, &far)
	m.Bones[0].Attachments = attach(0, 2, 0, 0)
	return m
}

// TestLevelEdits: what an edit of a level of detail changes, and what of it has no place.
func TestLevelEdits(t *testing.T) {
	far := func(s *asset.Scene) *asset.Node { return nodeOf(s, "m").LODs[0] }
	for _, c := range []edited{
		{"a corner", func(s *asset.Scene) { far(s).Mesh.Primitives[0].Positions[1] = [3]float32{0, 5, 0} },
			func(m *ultimate3d.Model) { m.Meshes[1].Positions[1][1] = 5 }, "mesh-edited"},
		{"its place beside the better one", func(s *asset.Scene) {
			far(s).Transform = asset.Identity
			far(s).Transform.Translation = [3]float32{-2, 1, 0}
		}, func(m *ultimate3d.Model) {
			for i := range m.Meshes[1].Positions {
				m.Meshes[1].Positions[i][1]++
			}
		}, "mesh-edited"},
		{"the place of all", func(s *asset.Scene) {
			for _, n := range []*asset.Node{nodeOf(s, "m"), far(s)} {
				n.Transform = asset.Identity
				n.Transform.Translation = [3]float32{-2, 1, 0}
			}
		}, func(m *ultimate3d.Model) { m.Bones[0].Attachments = attach(0, 2, 1, 0) }, ""},
		{"the place of the better one", func(s *asset.Scene) { // a level that was in the same place goes along
			nodeOf(s, "m").Transform = asset.Identity
			nodeOf(s, "m").Transform.Translation = [3]float32{-2, 1, 0}
		}, func(m *ultimate3d.Model) { m.Bones[0].Attachments = attach(0, 2, 1, 0) }, ""},
		{"no lower level", func(s *asset.Scene) { nodeOf(s, "m").LODs = nil }, func(m *ultimate3d.Model) {
			m.LODs, m.LODLevels, m.LODDistancesSq, m.Meshes = 1, nil, nil, m.Meshes[:1]
		}, "level-gone"},
		{"a distance", func(s *asset.Scene) { s.Native.Values["lodDistances"] = []any{30.0} }, func(m *ultimate3d.Model) { m.LODDistancesSq[0] = 900 }, ""},
		{"a share", func(s *asset.Scene) { s.Native.Values["lodLevels"] = []any{0.25} }, func(m *ultimate3d.Model) { m.LODLevels[0] = 0.25 }, ""},
		{"a name", func(s *asset.Scene) { far(s).Name = "distant" }, func(m *ultimate3d.Model) { m.Meshes[1].Name = "distant" }, ""},
	} {
		c.try(t, leveled(), format.Options{})
	}
	s := throughGLB(t, lift(t, leveled(), format.Options{}))
	s.Native.Values["lodDistances"] = "far"
	if _, err := Lower(s, nil); schema.Class(err) != schema.ErrValue {
		t.Errorf("a distance that is a text: %v", err)
	}
}

// TestMirroredEdits: a mesh that is shown mirrored too changes there as well; of two edits that are not one the first counts.
func TestMirroredEdits(t *testing.T) {
	model := func() *ultimate3d.Model {
		m := arm()
		m.Bones[1].Attachments = attach(1, 2, 0, 0)
		m.Bones[1].Attachments[0].Transformation[0] = -1
		return m
	}
	edit := func(y ...float32) func(s *asset.Scene) {
		return func(s *asset.Scene) {
			i := 0
			for _, x := range s.Meshes {
				if x.Name == "plate" && i < len(y) {
					x.Primitives[0].Positions = slices.Clone(x.Primitives[0].Positions)
					x.Primitives[0].Positions[1][1] = y[i]
					i++
				}
			}
		}
	}
	want := func(m *ultimate3d.Model) { m.Meshes[1].Positions[1][1] = 5 }
	for _, c := range []edited{
		{"one", edit(5), want, "mesh-edited mirrored-follows"},
		{"both alike", edit(5, 5), want, "mesh-edited"},
		{"each otherwise", edit(7, 5), want, "mesh-edited edited-twice"},
		{"the name of one", func(s *asset.Scene) { nodeOf(s, "plate").Name = "disc" }, func(m *ultimate3d.Model) { m.Meshes[1].Name = "disc" }, "mesh-name"},
	} {
		c.try(t, model(), format.Options{})
	}
}

// TestMaterialEdits: what an edit of a material changes.
func TestMaterialEdits(t *testing.T) {
	model := func() *ultimate3d.Model {
		m := smallModel()
		m.AlphaBlending = ultimate3d.True
		x := solid("wall", "a.png", pixel(t, 255))
		x.Textures[0].Width, x.Textures[0].Height = 1, 1
		m.Materials = []*ultimate3d.Material{x}
		return m
	}
	blue := func() *asset.Texture {
		img := asset.NewImage(2, 1, asset.RGBA8)
		copy(img.Pix, []byte{0, 0, 255, 255, 0, 0, 255, 255})
		return &asset.Texture{Name: "blue", Frames: []asset.Frame{{Mips: []asset.Image{img}}}}
	}
	for _, c := range []struct {
		edited
		check func(was, x *ultimate3d.Material) bool
	}{
		{edited{name: "no picture", edit: func(s *asset.Scene) { s.Materials[0].BaseColorTexture = nil }},
			func(_, x *ultimate3d.Material) bool {
				return x.Textures[0] == nil && x.ColorOp[0] == ultimate3d.OpSelectArg2
			}},
		{edited{name: "another picture", edit: func(s *asset.Scene) {
			s.Materials[0].BaseColorTexture.Texture = blue()
			s.Textures = []*asset.Texture{s.Materials[0].BaseColorTexture.Texture}
		}}, func(was, x *ultimate3d.Material) bool {
			return x.Textures[0].Width == 2 && x.Textures[0].Height == 1 && len(x.Textures[0].Content) > 0 && x.Textures[0].Identifier == "a.png" && x.ColorOp == was.ColorOp
		}},
		{edited{name: "what it sends out", edit: func(s *asset.Scene) { s.Materials[0].Emissive = [3]float32{1, 0, 0} }},
			func(_, x *ultimate3d.Material) bool { return x.Emissive == [4]float32{1, 0, 0, 1} }},
		{edited{name: "what it sends out, more of it", edit: func(s *asset.Scene) {
			s.Materials[0].Emissive, s.Materials[0].EmissiveStrength = [3]float32{0, 0.5, 0}, 2
		}}, func(_, x *ultimate3d.Material) bool { return x.Emissive == [4]float32{0, 1, 0, 1} }},
		{edited{name: "its shine", edit: func(s *asset.Scene) {
			s.Materials[0].Specular, s.Materials[0].Roughness = &asset.Specular{Factor: 1, Color: [3]float32{0, 1, 0}}, 0.5
		}}, func(_, x *ultimate3d.Material) bool {
			return x.Specular == [4]float32{0, 1, 0, 1} && x.SpecularPower > 29.9 && x.SpecularPower < 30.1
		}},
		{edited{name: "its name", edit: func(s *asset.Scene) { s.Materials[0].Name = "floor" }}, func(_, x *ultimate3d.Material) bool { return x.Name == "floor" }},
		{edited{name: "its alpha", edit: func(s *asset.Scene) { s.Materials[0].BaseColor[3], s.Materials[0].Alpha = 0.25, asset.Blend }},
			func(_, x *ultimate3d.Material) bool {
				return x.Diffuse == [4]float32{1, 1, 1, 0.25} && x.Ambient == [4]float32{1, 1, 1, 1}
			}},
		{edited{name: "nothing", edit: func(*asset.Scene) {}}, func(was, x *ultimate3d.Material) bool {
			return bytes.Equal(was.Textures[0].Content, x.Textures[0].Content)
		}},
	} {
		m := model()
		s := throughGLB(t, lift(t, m, format.Options{}))
		c.edit(s)
		got := lower(t, throughGLB(t, s), nil).Materials
		if len(got) != 1 || !c.check(m.Materials[0], got[0]) {
			t.Errorf("%s: %+v %+v", c.name, got[0], got[0].Textures[0])
		}
	}

	more := edited{"a material more", func(s *asset.Scene) {
		a := asset.NewMaterial("gold")
		a.BaseColor = [4]float32{1, 1, 0, 1}
		s.Materials = append(s.Materials, a)
		s.Meshes[0].Primitives[0].Material = a
	}, func(m *ultimate3d.Model) {
		m.Materials = append(m.Materials, &ultimate3d.Material{Name: "gold", Diffuse: [4]float32{1, 1, 0, 1}, Ambient: [4]float32{1, 1, 0, 1},
			Specular: [4]float32{0, 0, 0, 1}, Emissive: [4]float32{0, 0, 0, 1}, ColorOp: [8]ultimate3d.ColorOp{ultimate3d.OpSelectArg2, 1, 1, 1, 1, 1, 1, 1}})
		m.Meshes[0].TriangleMaterials[0] = 1
	}, "mesh-edited"}
	more.try(t, smallModel(), format.Options{})

	added := throughGLB(t, lift(t, smallModel(), format.Options{}))
	added.Materials[0].BaseColorTexture = &asset.TextureRef{Texture: blue(), TexCoord: 0}
	added.Textures = []*asset.Texture{added.Materials[0].BaseColorTexture.Texture}
	var name string
	x := lower(t, throughGLB(t, added), &format.Env{Emit: func(n string, _ []byte) error { name = n; return nil }}).Materials[0]
	if x.ColorOp[0] != ultimate3d.OpModulate2X || x.TexCoordSet[0] != 0 || x.Textures[0] == nil || x.Textures[0].File != name || name != "blue.png" {
		t.Errorf("a picture where none was: %+v, %+v, written %s", x, x.Textures[0], name)
	}
}

// TestTangentEdits: tangent space matrices of an edited mesh become the normals that they stand for.
func TestTangentEdits(t *testing.T) {
	m := smallModel()
	x := m.Meshes[0]
	x.ValidInverseTangentSpace, x.TexCoordDimensions = ultimate3d.True, [8]uint16{2, 0, 3, 3}
	x.TexCoords[0] = []float32{0, 0, 0, 1, 1, 0}
	x.TexCoords[2], x.TexCoords[3] = []float32{0, 0, 0, 0, 0, 0, 0, 0, 0}, []float32{0, 0, -1, 0, 0, -1, 0, 0, -1}
	for i := range x.Normals {
		x.Normals[i], _ = ultimate3d.NormalOf([3]float32{1, 0, 0})
	}
	for _, scalar := range []float32{1, -1} {
		x.NormalScalar = scalar
		back, _ := ultimate3d.NormalOf([3]float32{0, 0, -scalar})
		c := edited{"a corner", func(s *asset.Scene) { s.Meshes[0].Primitives[0].Positions[1] = [3]float32{0, 5, 0} }, func(m *ultimate3d.Model) {
			x := m.Meshes[0]
			x.Positions[1][1] = 5
			x.ValidInverseTangentSpace, x.TexCoordDimensions, x.TexCoords[2], x.TexCoords[3] = ultimate3d.False, [8]uint16{2}, nil, nil
			x.Normals = []ultimate3d.Normal{back, back, back}
		}, "tangent-space mesh-edited"}
		c.try(t, m, format.Options{})
	}
}

// TestBadPayloads: what was kept of a model and cannot be read is told, and the model is made of what is shown.
func TestBadPayloads(t *testing.T) {
	for name, spoil := range map[string]func(s *asset.Scene){
		"the header":        func(s *asset.Scene) { s.Native.Payload = s.Native.Payload[:9] },
		"a mesh":            func(s *asset.Scene) { n := nodeOf(s, "plate").Native; n.Payload = n.Payload[:9] },
		"a mesh of no byte": func(s *asset.Scene) { nodeOf(s, "plate").Native.Payload = []byte{0} },
		"a bone":            func(s *asset.Scene) { n := nodeOf(s, "hand").Native; n.Payload = n.Payload[:9] },
		"a material":        func(s *asset.Scene) { n := s.Materials[0].Native; n.Payload = n.Payload[:9] },
	} {
		s := throughGLB(t, lift(t, arm(), format.Options{}))
		spoil(s)
		d := new(schema.Diagnostics)
		m := lower(t, s, &format.Env{Diagnostics: d})
		if !d.Has("bad-payload") && name != "a mesh of no byte" || len(m.Bones) < 3 || len(m.Meshes) != 2 {
			t.Errorf("%s: %d bones, %d meshes, told %v", name, len(m.Bones), len(m.Meshes), d.All())
		}
	}
}

// TestRebuiltKeeps: of a model that is built anew, bones and the whole keep what no scene shows.
func TestRebuiltKeeps(t *testing.T) {
	m := arm()
	m.CelShadingStrength, m.CelShadingColor, m.AlphaBlending = 2, [4]float32{1, 0.5, 0.25, 1}, ultimate3d.False
	for i, b := range m.Bones {
		b.BoneFrame, b.PassOnBoneFrame = float32(i+3), ultimate3d.False
	}
	s := throughGLB(t, lift(t, m, format.Options{}))
	nodeOf(s, "hand").Native.Values["boneFrame"] = 9.0
	s.Native.Values["celShadingStrength"] = 4.0
	n := meshNode("ring", quad(nil))
	nodeOf(s, "hand").Children = append(nodeOf(s, "hand").Children, n)
	s.Meshes = append(s.Meshes, n.Mesh)
	d := new(schema.Diagnostics)
	got := lower(t, throughGLB(t, s), &format.Env{Diagnostics: d, Options: format.Options{Ultimate3D: format.Ultimate3DOptions{KeepNodes: true}}})
	frames := map[string]float32{}
	for _, b := range got.Bones {
		if frames[b.Name] = b.BoneFrame; b.PassOnBoneFrame.True() != (b.Name == "ring" || b.Name == "plate" || b.Name == "m") {
			t.Errorf("%s passes its frame on: %v", b.Name, b.PassOnBoneFrame)
		}
	}
	if !d.Has("rebuilt") || frames["root"] != 3 || frames["arm"] != 4 || frames["hand"] != 9 || frames["ring"] != -1 || got.CelShadingStrength != 4 ||
		got.CelShadingColor != m.CelShadingColor || got.AlphaBlending.True() {
		t.Errorf("%v, %+v, told %s", frames, got, codesOf(d))
	}
}

// TestTurnedBack: a mesh that was stored for a mirror, and hangs in none any more, is one like others.
func TestTurnedBack(t *testing.T) {
	m := arm()
	m.Meshes[1].NormalScalar = -1
	m.Bones[2].Attachments[0].Transformation[0] = -1
	c := edited{"a mesh is mirrored no more", func(s *asset.Scene) { nodeOf(s, "plate").Transform = asset.Identity }, func(m *ultimate3d.Model) {
		x := m.Meshes[1]
		m.Bones[2].Attachments = attach(1, 0, 0, 0)
		x.NormalScalar, x.Triangles = 1, [][3]uint16{{0, 2, 1}}
		for i, n := range x.Normals {
			v := n.Vector()
			x.Normals[i], _ = ultimate3d.NormalOf([3]float32{-v[0], -v[1], -v[2]})
		}
	}, "mesh-edited"}
	c.try(t, m, format.Options{})
}

// TestNormalsAtPoles: Blender turns the normals of corners around triangles without area, which is no edit; those of others are.
func TestNormalsAtPoles(t *testing.T) {
	m := smallModel()
	x := m.Meshes[0]
	x.Positions, x.Normals = append(x.Positions, [3]float32{5, 0, 0}, [3]float32{5, 0, 0}), append(x.Normals, x.Normals[0], x.Normals[0])
	x.Triangles, x.TriangleMaterials = append(x.Triangles, [3]uint16{2, 3, 4}), []uint16{0, 0}
	for v := range x.Positions {
		for _, generator := range []string{"Khronos glTF Blender I/O v4.5.51", "COLLADA2GLTF"} {
			s := throughGLB(t, lift(t, m, format.Options{}))
			s.Generator = generator
			s.Meshes[0].Primitives[0].Normals[v] = [3]float32{1, 0, 0}
			got, err := Lower(s, nil)
			must(t, err)
			edited := got.Meshes[0].Normals[v] != x.Normals[v]
			if want := v < 2 || v == 2 && generator != "Khronos glTF Blender I/O v4.5.51"; v < 3 && edited != want {
				t.Errorf("vertex %d, by %s: edited %v", v, generator, edited)
			}
		}
	}
}
