package ultimate3d

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// corpusModel reads a file of the corpus.
func corpusModel(t testing.TB, name string) (*ultimate3d.Model, []byte) {
	t.Helper()
	b := corpus.Bytes(t, filepath.Join(corpus.Folder(t, "ultimate3d"), filepath.FromSlash(name)))
	return mustRead(t, b), b
}

// throughGLB returns a scene as it comes back from the bytes of a GLB.
func throughGLB(t testing.TB, s *asset.Scene) *asset.Scene {
	t.Helper()
	return fromGLB(t, toGLB(t, s))
}

func toGLB(t testing.TB, s *asset.Scene) []byte {
	t.Helper()
	var w bytes.Buffer
	must(t, gltf.Encode(&w, s, gltf.Options{}))
	return w.Bytes()
}

func fromGLB(t testing.TB, b []byte) *asset.Scene {
	t.Helper()
	s, err := gltf.Decode(b, nil, nil)
	must(t, err)
	return s
}

func lift(t testing.TB, m *ultimate3d.Model, o format.Options) *asset.Scene {
	t.Helper()
	s, err := Lift(m, &format.Env{Name: "model.u3d", Options: o})
	must(t, err)
	return s
}

func lower(t testing.TB, s *asset.Scene, env *format.Env) *ultimate3d.Model {
	t.Helper()
	m, err := Lower(s, env)
	must(t, err)
	return mustRead(t, mustWrite(t, m)) // what is written can be read
}

// edit lifts a file, goes through GLB, lets f edit the scene, goes through GLB again and back.
func edit(t testing.TB, m *ultimate3d.Model, f func(s *asset.Scene)) *ultimate3d.Model {
	t.Helper()
	s := throughGLB(t, lift(t, m, format.Options{}))
	f(s)
	d := new(schema.Diagnostics)
	env := &format.Env{Diagnostics: d}
	got := lower(t, throughGLB(t, s), env)
	if d.Has("rebuilt") {
		t.Errorf("built anew: %v", d.All())
	}
	return got
}

// sameBut checks that a model is the original with a change.
func sameBut(t testing.TB, got, want *ultimate3d.Model, change func(m *ultimate3d.Model)) {
	t.Helper()
	want = mustRead(t, mustWrite(t, want)) // a copy
	change(want)
	corpus.SameBytes(t, "edited model", mustWrite(t, got), mustWrite(t, want))
}

func TestUneditedThroughGLB(t *testing.T) {
	eachValid(t, func(t *testing.T, _ string, b []byte) {
		m := mustRead(t, b)
		for _, o := range []format.Ultimate3DOptions{{}, {FPS: 24}, {AmbientFirst: true}, {Clips: []format.Clip{{Name: "a", First: 0, Last: int(m.Frames-1) / 2}, {Name: "b", First: int(m.Frames-1) / 2, Last: int(m.Frames - 1)}}}} {
			got := lower(t, throughGLB(t, lift(t, m, format.Options{Ultimate3D: o})), nil)
			corpus.SameBytes(t, "back", mustWrite(t, got), b)
		}
	})
}

func TestEditVertex(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_multi.u3d")
	got := edit(t, m, func(s *asset.Scene) { s.Meshes[1].Primitives[0].Positions[2] = [3]float32{-5, 6, 7} })
	sameBut(t, got, m, func(m *ultimate3d.Model) { m.Meshes[1].Positions[2] = [3]float32{5, 6, 7} })
}

func TestEditVertexOfFrame(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/frames_tween_shared.u3d")
	got := edit(t, m, func(s *asset.Scene) {
		for _, p := range s.Meshes[0].Primitives {
			p.Targets[1].Positions[3] = minus([3]float32{1, 2, 3}, p.Positions[3])
		}
	})
	sameBut(t, got, m, func(m *ultimate3d.Model) { m.Meshes[m.MeshIndex(2, 0, 0)].Positions[3] = [3]float32{-1, 2, 3} })
}

func TestEditColour(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_multi.u3d")
	got := edit(t, m, func(s *asset.Scene) { s.Materials[1].BaseColor[2] = scene.Linear(0.25) })
	if d := got.Materials[1].Diffuse[2] - 0.25; d > 1e-6 || d < -1e-6 {
		t.Errorf("blue is %v", got.Materials[1].Diffuse[2])
	}
	sameBut(t, got, m, func(m *ultimate3d.Model) { m.Materials[1].Diffuse[2] = got.Materials[1].Diffuse[2] })
}

// What a person writes into the readable values arrives too.
func TestEditValues(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/rigid_skeleton.u3d")
	got := edit(t, m, func(s *asset.Scene) {
		s.Materials[0].Native.Values["ambient"] = []any{0.5, 0.25, 0.125, 1.0}
		s.Native.Values["celShadingStrength"] = 2.5
		s.Walk(func(n, _ *asset.Node) {
			if number(n.Native, keyBone) == 1 && n.Mesh == nil {
				n.Native.Values["boneFrame"] = 3.0
			}
		})
	})
	sameBut(t, got, m, func(m *ultimate3d.Model) {
		m.Materials[0].Ambient, m.CelShadingStrength, m.Bones[1].BoneFrame = [4]float32{0.5, 0.25, 0.125, 1}, 2.5, 3
	})
}

func TestEditTexCoord(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/uv_dims.u3d")
	got := edit(t, m, func(s *asset.Scene) { s.Meshes[0].Primitives[0].TexCoords[0][1] = [2]float32{0.75, 3} })
	changed := 0
	for k := range 8 {
		if !slices.Equal(got.Meshes[0].TexCoords[k], m.Meshes[0].TexCoords[k]) {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d sets have changed", changed)
	}
	for k := range 8 {
		if m.Meshes[0].TexCoordDimensions[k] != 0 {
			sameBut(t, got, m, func(m *ultimate3d.Model) {
				n := int(m.Meshes[0].TexCoordDimensions[k])
				m.Meshes[0].TexCoords[k][n] = 0.75
				if n > 1 {
					m.Meshes[0].TexCoords[k][n+1] = 3
				}
			})
			break
		}
	}
}

func TestEditName(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_multi.u3d")
	got := edit(t, m, func(s *asset.Scene) {
		s.Meshes[0].Name = "Fenêtre"
		s.Materials[0].Name = "Verre"
	})
	sameBut(t, got, m, func(m *ultimate3d.Model) { m.Meshes[0].Name, m.Materials[0].Name = "Fenêtre", "Verre" })
}

// A key more in a bone's rotation leaves the other keys as they were.
func TestEditKey(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/rigid_skeleton.u3d")
	bone := -1
	var frame int
	got := edit(t, m, func(s *asset.Scene) {
		for _, c := range s.Animations[0].Channels {
			if c.Path != asset.Translation || len(c.Times) < 2 || bone >= 0 {
				continue
			}
			bone = number(c.Node.Native, keyBone)
			frame = int(c.Times[0]*30) + 1
			c.Times = slices.Insert(slices.Clone(c.Times), 1, float32(frame)/30)
			c.Values = slices.Insert(slices.Clone(c.Values), 3, 1, 2, 3)
		}
	})
	if bone < 0 {
		t.Fatal("nothing to edit")
	}
	sameBut(t, got, m, func(m *ultimate3d.Model) {
		k := &m.Bones[bone].Translation
		*k = slices.Insert(slices.Clone(*k), 1, ultimate3d.VectorKey{Frame: uint16(frame), Value: [3]float32{-1, 2, 3}})
	})
}

func TestEditPose(t *testing.T) {
	m, _ := corpusModel(t, "real/SoundDropper.u3d")
	got := edit(t, m, func(s *asset.Scene) {
		s.Walk(func(n, _ *asset.Node) {
			if n.Kind == asset.Bone || number(n.Native, keyBone) == 0 && n.Mesh == nil {
				n.Transform.Translation = [3]float32{1, 2, 3}
			}
		})
	})
	sameBut(t, got, m, func(m *ultimate3d.Model) {
		m.Bones[0].Translation = []ultimate3d.VectorKey{{Value: [3]float32{-1, 2, 3}}}
	})
}

// shuffle gives vertices another order and divides those that several triangles share, as editors do.
func shuffle(s *asset.Scene) {
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			n := len(p.Indices)
			order := make([]uint32, n)
			for i := range order {
				order[i] = p.Indices[n-1-i] // every corner its own vertex, backwards
			}
			p.Positions, p.Normals = pick(p.Positions, order), pick(p.Normals, order)
			p.TexCoords, p.Joints, p.Weights = pickAll(p.TexCoords, order), pickAll(p.Joints, order), pickAll(p.Weights, order)
			p.Custom = nil
			p.Targets = slices.Clone(p.Targets)
			for k := range p.Targets {
				p.Targets[k].Positions, p.Targets[k].Normals = pick(p.Targets[k].Positions, order), pick(p.Targets[k].Normals, order)
			}
			p.Indices = make([]uint32, n)
			for i := range p.Indices {
				p.Indices[i] = uint32(n - 1 - (i/3*3 + (i+1)%3)) // each triangle begins with another corner
			}
		}
	}
}

func TestShuffled(t *testing.T) {
	eachValid(t, func(t *testing.T, _ string, b []byte) {
		m := mustRead(t, b)
		got := edit(t, m, shuffle)
		corpus.SameBytes(t, "shuffled", mustWrite(t, got), b)
	})
}

func TestShuffledEdit(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_multi.u3d")
	want := mirror3(m.Meshes[0].Positions[0])
	got := edit(t, m, func(s *asset.Scene) {
		shuffle(s)
		for _, p := range s.Meshes[0].Primitives {
			for i := range p.Positions {
				if p.Positions[i] == want {
					p.Positions[i] = [3]float32{9, 9, 9}
				}
			}
		}
	})
	sameBut(t, got, m, func(m *ultimate3d.Model) {
		for i, p := range m.Meshes[0].Positions {
			if p == mirror3(want) {
				m.Meshes[0].Positions[i] = [3]float32{-9, 9, 9}
			}
		}
	})
}

// A triangle that was taken out takes its vertices along where nothing else uses them; a new one comes last.
func TestEditTriangles(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_box.u3d")
	got := edit(t, m, func(s *asset.Scene) {
		p := s.Meshes[0].Primitives[0]
		p.Indices = p.Indices[3:]
	})
	if len(got.Meshes[0].Triangles) != len(m.Meshes[0].Triangles)-1 || len(got.Meshes[0].Positions) != len(m.Meshes[0].Positions)-1 {
		t.Errorf("%d triangles, %d vertices", len(got.Meshes[0].Triangles), len(got.Meshes[0].Positions))
	}
	got = edit(t, m, func(s *asset.Scene) {
		p := s.Meshes[0].Primitives[0]
		p.Positions = append(slices.Clone(p.Positions), [3]float32{-7, 8, 9})
		p.Normals = append(slices.Clone(p.Normals), [3]float32{0, 1, 0})
		for k := range p.TexCoords {
			p.TexCoords[k] = append(slices.Clone(p.TexCoords[k]), [2]float32{})
		}
		p.Indices = append(slices.Clone(p.Indices), 0, 1, uint32(len(p.Positions)-1))
	})
	n := len(m.Meshes[0].Positions)
	last := got.Meshes[0].Triangles[len(got.Meshes[0].Triangles)-1]
	if len(got.Meshes[0].Positions) != n+1 || got.Meshes[0].Positions[n] != [3]float32{7, 8, 9} || last != [3]uint16{0, uint16(n), 1} {
		t.Errorf("new triangle %v of %d vertices", last, len(got.Meshes[0].Positions))
	}
}

// Nodes of a model without bones that were moved take their vertices along.
func TestMovedNode(t *testing.T) {
	m, _ := corpusModel(t, "synthetic/static_box.u3d")
	got := edit(t, m, func(s *asset.Scene) { s.Roots[0].Children[0].Transform.Translation = [3]float32{-16, 32, 64} })
	for i, p := range m.Meshes[0].Positions {
		if want := plus(p, [3]float32{16, 32, 64}); got.Meshes[0].Positions[i] != want {
			t.Errorf("vertex %d at %v, want %v", i, got.Meshes[0].Positions[i], want)
		}
	}
}

// TestLevelsDeleted: where a person deletes a level of detail, all else stays as it is stored, and a message tells of it.
func TestLevelsDeleted(t *testing.T) {
	for _, name := range []string{"synthetic/lod_frames.u3d", "synthetic/lod_static.u3d", "synthetic/lod_skeleton.u3d"} {
		m, _ := corpusModel(t, name)
		for level := 1; level < int(m.LODs); level++ {
			s := throughGLB(t, lift(t, m, format.Options{}))
			s.Walk(func(n, _ *asset.Node) {
				n.LODs = slices.DeleteFunc(n.LODs, func(x *asset.Node) bool { return number(x.Native, keyLevel) == level })
			})
			d := new(schema.Diagnostics)
			got := lower(t, s, &format.Env{Diagnostics: d})
			if d.Has("rebuilt") || !d.Has("level-gone") {
				t.Errorf("%s, level %d: %v", name, level, d.All())
			}
			sameBut(t, got, m, func(m *ultimate3d.Model) {
				all, k := m.Meshes, 0
				m.Meshes = slices.DeleteFunc(slices.Clone(all), func(*ultimate3d.Mesh) bool { k++; return (k-1)%int(m.LODs) == level })
				m.LODLevels, m.LODDistancesSq = slices.Delete(m.LODLevels, level-1, level), slices.Delete(m.LODDistancesSq, level-1, level)
				m.LODs--
			})
		}
	}
}

// TestNewBone: a bone that no vertex follows is left out by name, and all else stays as it was stored; --keep-nodes keeps it.
func TestNewBone(t *testing.T) {
	for _, name := range []string{"synthetic/skinned_2w.u3d", "synthetic/skinned_4w.u3d"} {
		m, b := corpusModel(t, name)
		for _, keep := range []bool{false, true} {
			s := throughGLB(t, lift(t, m, format.Options{}))
			skin, bone := s.Skins[0], asset.NewNode("tail")
			last := skin.Joints[len(skin.Joints)-1]
			bone.Transform.Translation = [3]float32{0, 1, 0}
			last.Children = append(last.Children, bone)
			skin.Joints = append(skin.Joints, bone)
			skin.InverseBind = append(skin.InverseBind, skin.InverseBind[len(skin.InverseBind)-1])
			var d schema.Diagnostics
			env := &format.Env{Diagnostics: &d}
			env.Options.Ultimate3D.KeepNodes = keep
			got := lower(t, throughGLB(t, s), env)
			has := slices.ContainsFunc(got.Bones, func(b *ultimate3d.Bone) bool { return b.Name == "tail" })
			if has != keep || d.Has("node") == keep {
				t.Errorf("%s, --keep-nodes %t: the bone is there: %t; %v", name, keep, has, d.All())
			}
			if !keep {
				corpus.SameBytes(t, name, mustWrite(t, got), b)
			}
		}
	}
}
