package ultimate3d

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
)

// foreign lowers a scene from elsewhere, through the file's bytes, and lifts the result.
func foreign(t *testing.T, s *asset.Scene, o format.Options) (*ultimate3d.Model, *asset.Scene, *schema.Diagnostics) {
	t.Helper()
	d := new(schema.Diagnostics)
	m := lower(t, s, &format.Env{Diagnostics: d, Options: o})
	return m, throughGLB(t, lift(t, m, format.Options{})), d
}

// Every file of the corpus, without what it kept, becomes a model that shows the same at every frame.
func TestForeignCorpus(t *testing.T) {
	eachValid(t, func(t *testing.T, path string, b []byte) {
		m := mustRead(t, b)
		s := lift(t, m, format.Options{})
		strip(s)
		s = throughGLB(t, s)
		got, back, _ := foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{KeepNodes: len(m.Bones) > 0}})
		for f := range min(int(m.Frames), 12) {
			at := float64(f) / DefaultFPS
			sameSight(t, fmt.Sprintf("frame %d", f), triangles(back, at), triangles(s, at), 2e-4)
		}
		if got.LODs != m.LODs {
			t.Errorf("%d levels of detail, want %d", got.LODs, m.LODs)
		}
	})
}

func quad(material *asset.Material) *asset.Mesh {
	return &asset.Mesh{Name: "quad", Primitives: []*asset.Primitive{{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.1}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3}, Material: material,
	}}}
}

func sceneOf(nodes ...*asset.Node) *asset.Scene {
	s := &asset.Scene{Name: "scene", Roots: nodes}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && !slices.Contains(s.Meshes, n.Mesh) {
			s.Meshes = append(s.Meshes, n.Mesh)
			for _, p := range n.Mesh.Primitives {
				if p.Material != nil && !slices.Contains(s.Materials, p.Material) {
					s.Materials = append(s.Materials, p.Material)
				}
			}
		}
	})
	return s
}

func meshNode(name string, m *asset.Mesh) *asset.Node {
	n := asset.NewNode(name)
	n.Mesh = m
	return n
}

// grid has more triangles than a mesh can hold.
func grid(side int) *asset.Mesh {
	p := &asset.Primitive{}
	for y := range side {
		for x := range side {
			p.Positions = append(p.Positions, [3]float32{float32(x), float32(y), 0})
			p.Normals = append(p.Normals, [3]float32{0, 0, 1})
		}
	}
	for y := range side - 1 {
		for x := range side - 1 {
			a := uint32(y*side + x)
			p.Indices = append(p.Indices, a, a+1, a+uint32(side), a+1, a+uint32(side)+1, a+uint32(side))
		}
	}
	return &asset.Mesh{Name: "grid", Primitives: []*asset.Primitive{p}}
}

func TestSplit(t *testing.T) {
	const side = 300
	m, _, _ := foreign(t, sceneOf(meshNode("grid", grid(side))), format.Options{})
	count := 0
	for _, mesh := range m.Meshes {
		count += len(mesh.Triangles)
	}
	if len(m.Meshes) < 2 || count != 2*(side-1)*(side-1) {
		t.Errorf("%d meshes, %d triangles", len(m.Meshes), count)
	}
}

// The limits of the format are errors that say so.
func TestRefused(t *testing.T) {
	joint := asset.NewNode("joint")
	skinnedGrid := grid(300)
	p := skinnedGrid.Primitives[0]
	p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, len(p.Positions))}, [][][4]float32{make([][4]float32, len(p.Positions))}
	for i := range p.Weights[0] {
		p.Weights[0][i][0] = 1
	}
	n := meshNode("skinned", skinnedGrid)
	n.Skin = &asset.Skin{Joints: []*asset.Node{joint}}
	large := sceneOf(joint, n)
	large.Skins = []*asset.Skin{n.Skin}

	long := sceneOf(meshNode("q", quad(nil)))
	long.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: long.Roots[0], Path: asset.Translation, Times: []float32{0, 1e6}, Values: make([]float32, 6)}}}}

	last := sceneOf(meshNode("q", quad(nil)))
	animate(last, "wait", &asset.Channel{Node: last.Roots[0], Path: asset.Translation, Times: []float32{0, 65535. / 30}, Values: []float32{0, 0, 0, 1, 0, 0}})
	if m := lower(t, last, nil); m.Frames != 65536 {
		t.Errorf("the longest animation has %d frames", m.Frames)
	}
	several := sceneOf(meshNode("q", quad(nil)))
	for _, name := range []string{"walk", "run"} {
		animate(several, name, &asset.Channel{Node: several.Roots[0], Path: asset.Translation, Times: []float32{0, 2000}, Values: []float32{0, 0, 0, 1, 0, 0}})
	}

	for name, c := range map[string]struct {
		s     *asset.Scene
		o     format.Options
		class error
		says  string
	}{
		"skinned mesh too large": {large, format.Options{}, schema.ErrLimit, "90000 vertices"},
		"animation too long":     {long, format.Options{}, schema.ErrLimit, "3e+07 frames"},
		"animations too long":    {several, format.Options{}, schema.ErrLimit, "the animations have 120001 frames one behind the other"},
		"no such animation":      {long, format.Options{Animation: "run"}, schema.ErrValue, `there is no animation "run"`},
	} {
		if _, err := Lower(c.s, &format.Env{Options: c.o}); !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestForeignMaterials(t *testing.T) {
	a := asset.NewMaterial("Ω stone")
	a.BaseColor = [4]float32{scene.Linear(0.5), scene.Linear(0.25), 1, 0.75}
	a.Emissive = [3]float32{0, scene.Linear(0.1), 0}
	a.Specular = &asset.Specular{Factor: 1, Color: [3]float32{1, 1, 1}}
	a.Roughness = roughness(32)
	img := asset.NewImage(2, 2, asset.RGBA8)
	a.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "stone", Frames: []asset.Frame{{Mips: []asset.Image{img}}}}}
	mesh := quad(a)
	mesh.Primitives[0].TexCoords = [][][2]float32{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	s := sceneOf(meshNode("q", mesh))
	s.Textures = []*asset.Texture{a.BaseColorTexture.Texture}
	var name string
	env := &format.Env{Diagnostics: new(schema.Diagnostics), Emit: func(n string, b []byte) error { name = n; return nil }}
	m := lower(t, s, env)
	got := m.Materials[0]
	want := &ultimate3d.Material{Name: "_ stone", Diffuse: [4]float32{0.5, 0.25, 1, 0.75}, Ambient: [4]float32{0.5, 0.25, 1, 0.75}}
	for k := range 4 {
		if math.Abs(float64(got.Diffuse[k]-want.Diffuse[k])) > 1e-6 || got.Ambient != got.Diffuse {
			t.Errorf("diffuse %v, ambient %v", got.Diffuse, got.Ambient)
		}
	}
	if got.Name != want.Name || math.Abs(float64(got.SpecularPower)-32) > 1e-3 || got.ColorOp != [8]ultimate3d.ColorOp{5, 1, 1, 1, 1, 1, 1, 1} || name != "stone.png" ||
		got.Textures[0].Identifier != name || got.Textures[0].File != name || got.Textures[0].Width != 2 || !env.Diagnostics.Has("name") {
		t.Errorf("%+v %+v, file %q, %v", got, got.Textures[0], name, env.Diagnostics.All())
	}
	m = lower(t, s, &format.Env{Options: format.Options{Ultimate3D: format.Ultimate3DOptions{Embed: true}}})
	if x := m.Materials[0]; !x.ExportResources.True() || len(x.Textures[0].Content) == 0 || x.Textures[0].File != "" {
		t.Errorf("embedded: %+v", x.Textures[0])
	}
	if back := lift(t, m, format.Options{}); len(back.Textures) != 1 || back.Materials[0].Alpha != asset.Blend {
		t.Error("the embedded texture is not shown")
	}
}

// What the format has no place for is reported.
func TestLosses(t *testing.T) {
	a := asset.NewMaterial("m")
	a.NormalTexture = &asset.TextureRef{Texture: &asset.Texture{}}
	mesh := quad(a)
	mesh.Primitives[0].Colors, mesh.Primitives[0].Tangents = make([][4]float32, 4), make([][4]float32, 4)
	mesh.Primitives = append(mesh.Primitives, &asset.Primitive{Mode: asset.Lines, Positions: make([][3]float32, 2)})
	n := meshNode("q", mesh)
	n.Camera = &asset.Camera{}
	n.Extras = map[string]any{"a": 1}
	d := new(schema.Diagnostics)
	lower(t, sceneOf(n), &format.Env{Diagnostics: d})
	for _, code := range []string{"material-property", "vertex-colours", "lines-and-points", "camera", "extras"} {
		if !d.Has(code) {
			t.Errorf("nothing was said of %s: %v", code, d.All())
		}
	}
}

func TestForeignAnimations(t *testing.T) {
	n := meshNode("q", quad(nil))
	s := sceneOf(n)
	half := float32(math.Sqrt2 / 2)
	s.Animations = []*asset.Animation{
		{Name: "walk", Channels: []*asset.Channel{
			{Node: n, Path: asset.Translation, Times: []float32{0, 0.5, 1}, Values: []float32{0, 0, 0, 1, 2, 3, 0, 0, 0}},
			{Node: n, Path: asset.Scale, Interpolation: asset.StepKeys, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 2, 2, 2}},
		}},
		{Name: "turn", Channels: []*asset.Channel{
			{Node: n, Path: asset.Rotation, Times: []float32{0.0123, 0.7}, Values: []float32{0, 0, 0, 1, 0, 0, -half, -half}},
		}},
	}
	m, back, d := foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{FPS: 10}})
	b := m.Bones[0]
	if len(b.Translation) != 5 || b.Translation[1] != (ultimate3d.VectorKey{Frame: 5, Value: [3]float32{-1, 2, 3}}) || b.Translation[4].Frame != 18 {
		t.Errorf("translation %v", b.Translation)
	}
	if len(b.Scaling) != 5 || b.Scaling[1].Frame != 9 || b.Scaling[1].Value != [3]float32{1, 1, 1} || b.Scaling[2].Frame != 10 {
		t.Errorf("scaling %v", b.Scaling)
	}
	for i := 1; i < len(b.Rotation); i++ {
		p, q := b.Rotation[i-1].Value, b.Rotation[i].Value
		if p[0]*q[0]+p[1]*q[1]+p[2]*q[2]+p[3]*q[3] < 0 {
			t.Error("neighbours in different hemispheres")
		}
	}
	if m.Frames != 19 || !d.Has("clip") {
		t.Errorf("%d frames, %v", m.Frames, d.All())
	}
	for f := range 11 {
		sameSight(t, fmt.Sprint(f), triangles(back, float64(f)/DefaultFPS), triangles(s, float64(f)/10), 1e-3)
	}
	m, _, _ = foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{FPS: 10}, Animation: "turn"})
	if m.Frames != 8 || m.Bones[0].Translation != nil {
		t.Errorf("one animation: %d frames, %v", m.Frames, m.Bones[0].Translation)
	}
}

// Mirrored instances show their fronts, nodes with a shear keep it.
func TestForeignTransforms(t *testing.T) {
	q := quad(nil)
	a, b, c := meshNode("a", q), meshNode("b", q), meshNode("c", q)
	b.Transform.Scale = [3]float32{-1, 2, 1}
	b.Transform.Translation = [3]float32{5, 0, 0}
	c.Transform.Matrix = &[16]float32{1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, -5, 0, 1, 1}
	s := sceneOf(a, b, c)
	for _, keep := range []bool{false, true} {
		m, back, _ := foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{KeepNodes: keep}})
		sameSight(t, fmt.Sprint(keep), triangles(back, 0), triangles(s, 0), 1e-5)
		if bones := len(m.Bones); keep != (bones == 3) {
			t.Errorf("%d bones", bones)
		}
		if keep && m.MeshesPerFrame != 2 {
			t.Errorf("%d meshes for two looks of one", m.MeshesPerFrame)
		}
	}
}

// Several skins, rigid parts and six influences become one mesh.
func TestForeignSkin(t *testing.T) {
	root, arm, hand := asset.NewNode("root"), asset.NewNode("arm"), asset.NewNode("hand")
	root.Transform.Translation = [3]float32{0, 1, 0}
	arm.Transform.Translation = [3]float32{1, 0, 0}
	root.Children, arm.Children = []*asset.Node{arm}, []*asset.Node{hand}
	hat := meshNode("hat", quad(nil))
	hat.Transform.Translation = [3]float32{0, 2, 0}
	arm.Children = append(arm.Children, hat)
	skin := &asset.Skin{Joints: []*asset.Node{root, arm, hand}, InverseBind: [][16]float32{
		{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1},
	}}
	other := &asset.Skin{Joints: []*asset.Node{arm}} // another inverse bind for the same joint
	body, glove := quad(nil), quad(nil)
	body.Primitives[0].Joints = [][][4]uint16{{{0, 1}, {1}, {1, 0}, {0}}}
	body.Primitives[0].Weights = [][][4]float32{{{0.5, 0.5}, {1}, {0.75, 0.25}, {1}}}
	glove.Primitives[0].Joints = [][][4]uint16{{{}, {}, {}, {}}}
	glove.Primitives[0].Weights = [][][4]float32{{{1}, {1}, {1}, {1}}}
	x, y := meshNode("body", body), meshNode("glove", glove)
	x.Skin, y.Skin = skin, other
	s := sceneOf(root, x, y)
	s.Skins = []*asset.Skin{skin, other}
	half := float32(math.Sqrt2 / 2)
	s.Animations = []*asset.Animation{{Name: "wave", Channels: []*asset.Channel{
		{Node: arm, Path: asset.Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0, half, half}},
	}}}
	m, back, _ := foreign(t, s, format.Options{})
	if len(m.Meshes) != 1 || m.Meshes[0].StoredWeights != 1 || len(m.Bones) != 4 {
		t.Errorf("%d meshes, %d stored weights, %d bones", len(m.Meshes), m.Meshes[0].StoredWeights, len(m.Bones))
	}
	for _, f := range []float64{0, 7, 15, 30} {
		sameSight(t, fmt.Sprint(f), triangles(back, f/30), triangles(s, f/30), 1e-3)
	}
	for _, b := range m.Bones {
		if len(b.Attachments) != 1 || b.Attachments[0].Mesh != 0 {
			t.Errorf("bone %q carries %v", b.Name, b.Attachments)
		}
	}

	body.Primitives[0].Joints = append(body.Primitives[0].Joints, [][4]uint16{{2}, {}, {}, {}})
	body.Primitives[0].Weights[0][0] = [4]float32{0.4, 0.4}
	body.Primitives[0].Weights = append(body.Primitives[0].Weights, [][4]float32{{0.2}, {}, {}, {}})
	if m, _, _ = foreign(t, s, format.Options{}); m.Meshes[0].StoredWeights != 3 {
		t.Errorf("%d stored weights for three influences", m.Meshes[0].StoredWeights)
	}
}

func TestForeignMorph(t *testing.T) {
	q := quad(nil)
	q.Primitives[0].Targets = []asset.Target{{Positions: [][3]float32{{0, 0, 1}, {}, {}, {0.5, 0, 0}}}}
	n := meshNode("q", q)
	s := sceneOf(n)
	s.Animations = []*asset.Animation{{Name: "m", Channels: []*asset.Channel{
		{Node: n, Path: asset.MorphWeights, Times: []float32{0, 4.0 / 30, 8.0 / 30}, Values: []float32{0, 1, 0}},
		{Node: n, Path: asset.Translation, Times: []float32{0, 8.0 / 30}, Values: []float32{0, 0, 0, 8, 0, 0}},
	}}}
	m, back, _ := foreign(t, s, format.Options{})
	if m.Frames != 9 || !m.VertexTweening.True() || len(m.Bones) != 0 || m.Meshes[3].TrianglesOwned.True() {
		t.Errorf("%d frames, %d bones", m.Frames, len(m.Bones))
	}
	for f := range 9 {
		sameSight(t, fmt.Sprint(f), triangles(back, float64(f)/30), triangles(s, float64(f)/30), 1e-5)
	}

	still, d := *s, new(schema.Diagnostics)
	still.Animations = nil
	if m := lower(t, &still, &format.Env{Diagnostics: d}); m.Frames != 1 || codesOf(d) != "morph-targets" {
		t.Errorf("without an animation %d frames, told %s", m.Frames, codesOf(d))
	}

	joint := asset.NewNode("joint")
	q.Primitives[0].Joints, q.Primitives[0].Weights = [][][4]uint16{make([][4]uint16, 4)}, [][][4]float32{{{1}, {1}, {1}, {1}}}
	n.Skin = &asset.Skin{Joints: []*asset.Node{joint}}
	s.Roots, s.Skins = append(s.Roots, joint), []*asset.Skin{n.Skin}
	if _, err := Lower(s, nil); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("skin and morph targets: %v", err)
	}
	if m, _, _ = foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{BakeSkin: true}}); m.Frames != 9 || len(m.Bones) != 0 {
		t.Error("not baked")
	}
}

func TestForeignLevels(t *testing.T) {
	full, far := meshNode("full", grid(20)), meshNode("far", grid(5))
	full.LODs = []*asset.Node{far}
	other := meshNode("other", quad(nil)) // has no levels of its own
	d := new(schema.Diagnostics)
	s := sceneOf(full, other)
	m := lower(t, s, &format.Env{Diagnostics: d, Options: format.Options{LODDistances: []float64{50}}})
	want := float32(2*4*4+2) / (2*19*19 + 2)
	if d.Has("lod-distances") {
		t.Errorf("all distances are given: %v", d.All())
	}
	if m.LODs != 2 || len(m.Meshes) != 4 || m.LODDistancesSq[0] != 2500 || m.LODLevels[0] != want || m.Meshes[1].LOD != want {
		t.Errorf("%d levels, %d meshes, levels %v, distances %v", m.LODs, len(m.Meshes), m.LODLevels, m.LODDistancesSq)
	}
	if len(m.Meshes[3].Triangles) != 2 {
		t.Error("the missing level does not repeat the one before")
	}
	m = lower(t, s, &format.Env{Diagnostics: d})
	if m.LODDistancesSq[0] != 400 || !d.Has("lod-distances") {
		t.Errorf("distances %v", m.LODDistancesSq)
	}
	full.LODs = append(full.LODs, asset.NewNode("nothing"))
	if m = lower(t, s, &format.Env{}); m.LODs != 3 || len(m.Meshes) != 6 || m.Meshes[2].TriangleCount() != 0 || m.Meshes[1].TriangleCount() != 32 {
		t.Errorf("with a level that shows nothing: %d levels, %d meshes, triangles %d, %d", m.LODs, len(m.Meshes), m.Meshes[1].TriangleCount(), m.Meshes[2].TriangleCount())
	}
}

// Shapes without normals are lit as flat; texture transforms, which every target has carried out, move the coordinates.
func TestForeignAttributes(t *testing.T) {
	a := asset.NewMaterial("m")
	a.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "t"}, Transform: &asset.TextureTransform{Scale: [2]float32{2, 2}, Offset: [2]float32{0.5, 0}}}
	q := quad(a)
	q.Primitives[0].Normals = nil
	q.Primitives[0].TexCoords = [][][2]float32{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 0}, {0.25, 0}, {1, 1}, {0, 1}}}
	s := sceneOf(meshNode("q", q))
	s.Textures, s.Materials = []*asset.Texture{a.BaseColorTexture.Texture}, []*asset.Material{a}
	scene.Plain(s, nil)
	m := lower(t, s, nil)
	mesh := m.Meshes[0]
	if len(mesh.Positions) != 6 || mesh.TexCoordDimensions != [8]uint16{2, 2} || mesh.TexCoords[0][2] != 2.5 || mesh.TexCoords[1][2] != 0.25 {
		t.Errorf("%d vertices, sets %v: %v", len(mesh.Positions), mesh.TexCoordDimensions, mesh.TexCoords[0])
	}
	if n := mesh.Normals[0].Vector(); n[2] < 0.99 {
		t.Errorf("flat normal %v", n)
	}
}

// Models made by Blender show the same as models of the engine (testdata/ultimate3d/foreign/make.py makes them).
func TestBlenderSamples(t *testing.T) {
	for name, c := range map[string]struct {
		frames, meshes, bones int
		tolerance             float64
	}{
		"box":     {1, 1, 0, 1e-5},
		"morph":   {21, 1, 0, 1e-5},
		"skinned": {21, 1, 4, 1e-3},
		"two_uv":  {1, 1, 0, 0},
	} {
		s, err := gltf.Decode(corpus.Bytes(t, filepath.Join(corpus.Testdata(t, "ultimate3d", "foreign"), name+".glb")), nil, nil)
		must(t, err)
		m, back, d := foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{Embed: true}})
		if int(m.Frames) != c.frames || int(m.MeshesPerFrame) != c.meshes || len(m.Bones) != c.bones {
			t.Errorf("%s: %d frames of %d meshes, %d bones; %v", name, m.Frames, m.MeshesPerFrame, len(m.Bones), d.All())
		}
		for f := range c.frames {
			sameSight(t, fmt.Sprintf("%s, frame %d", name, f), triangles(back, float64(f)/DefaultFPS), triangles(s, float64(f)/DefaultFPS), c.tolerance)
		}
		if name == "two_uv" && (m.Meshes[0].TexCoordDimensions != [8]uint16{2, 2} || m.Materials[0].TexCoordSet[0] != 1 || len(back.Textures) != 1) {
			t.Errorf("two sets: %v, %v, %d textures", m.Meshes[0].TexCoordDimensions, m.Materials[0].TexCoordSet, len(back.Textures))
		}
	}
}

// TestNoTriangles: no empty model is made of a scene that shows nothing.
func TestNoTriangles(t *testing.T) {
	_, err := Lower(sceneOf(asset.NewNode("empty")), nil)
	if !errors.Is(err, schema.ErrUnsupported) || !strings.Contains(err.Error(), "shows no triangles") {
		t.Error(err)
	}
}

// A scene whose primitives all have a material gets no other; one without gets the material of those without.
func TestMaterialOfThoseWithout(t *testing.T) {
	a, b := asset.NewMaterial("a"), asset.NewMaterial("b")
	for _, tt := range []struct {
		name      string
		materials []*asset.Material // of a quad each
		want      int
	}{
		{"all have one", []*asset.Material{a, b}, 2},
		{"none has", []*asset.Material{nil, nil}, 1},
		{"the first has none", []*asset.Material{nil, b}, 2},
		{"the last has none", []*asset.Material{a, nil}, 2},
	} {
		var nodes []*asset.Node
		for i, m := range tt.materials {
			nodes = append(nodes, meshNode(fmt.Sprint("q", i), quad(m)))
		}
		m := lower(t, sceneOf(nodes...), nil)
		used := map[uint16]bool{}
		for _, mesh := range m.Meshes {
			for _, k := range mesh.TriangleMaterials {
				used[k] = true
			}
		}
		if len(m.Materials) != tt.want || len(used) != tt.want {
			t.Errorf("%s: %d materials, %d used", tt.name, len(m.Materials), len(used))
		}
	}
}

// TestJoined: primitives that have other attributes than their neighbours get zeros for what they lack.
func TestJoined(t *testing.T) {
	full := &asset.Primitive{
		Positions: [][3]float32{{1}, {2}, {3}}, Normals: make([][3]float32, 3), TexCoords: [][][2]float32{{{1}, {2}, {3}}},
		Joints: [][][4]uint16{{{1}, {2}, {3}}}, Weights: [][][4]float32{{{1}, {1}, {1}}}, Custom: []asset.Attribute{{Name: "a", Components: 2, Values: []float32{1, 2, 3, 4, 5, 6}}},
		Targets: []asset.Target{{Positions: [][3]float32{{1}, {2}, {3}}, Normals: [][3]float32{{4}, {5}, {6}}}},
	}
	plain := &asset.Primitive{Positions: [][3]float32{{4}, {5}, {6}, {7}}, Normals: make([][3]float32, 4), Indices: []uint32{0, 1, 2, 3, 2, 9, 1, 1}}
	lines := &asset.Primitive{Mode: asset.Lines, Positions: make([][3]float32, 2)}
	for i, list := range [][]*asset.Primitive{{full, plain, lines}, {plain, full, {}}} {
		s := join(&asset.Mesh{Primitives: list})
		at, of := 3*i+i, 4 // where the full one begins, and how many the other has
		if len(s.Positions) != 3+of || len(s.materials) != 3 || len(s.Indices) != 9 {
			t.Fatalf("%d: %d vertices, %d triangles, %v", i, len(s.Positions), len(s.materials), s.Indices)
		}
		for _, n := range []int{len(s.Normals), len(s.TexCoords[0]), len(s.Joints[0]), len(s.Weights[0]), len(s.Custom[0].Values) / 2, len(s.Targets[0].Positions), len(s.Targets[0].Normals)} {
			if n != 3+of {
				t.Errorf("%d: an attribute of %d vertices, want %d", i, n, 3+of)
			}
		}
		other := 3 - 3*i
		for k := range 3 {
			v := float32(k + 1)
			if s.Positions[at+k][0] != v || s.TexCoords[0][at+k][0] != v || s.Joints[0][at+k][0] != uint16(k+1) || s.Weights[0][at+k][0] != 1 ||
				s.Custom[0].Values[2*(at+k)+1] != 2*v || s.Targets[0].Positions[at+k][0] != v || s.Targets[0].Normals[at+k][0] != v+3 {
				t.Errorf("%d: vertex %d is not as it was", i, k)
			}
		}
		for k := range of {
			v := other + k
			if s.TexCoords[0][v] != [2]float32{} || s.Weights[0][v] != [4]float32{} || s.Custom[0].Values[2*v] != 0 || s.Targets[0].Positions[v] != [3]float32{} || s.Targets[0].Normals[v] != [3]float32{} {
				t.Errorf("%d: vertex %d has what nobody gave it", i, v)
			}
		}
		o := uint32(other)
		if want := []uint32{o, o + 1, o + 2, o + 3, o + 2, o + 3}; !slices.Equal(s.Indices[3-3*i:9-3*i], want) {
			t.Errorf("%d: indices %v", i, s.Indices)
		}
	}
	shared := *plain
	shared.Indices = []uint32{0, 2, 1}
	if s := join(&asset.Mesh{Primitives: []*asset.Primitive{plain, &shared}}); len(s.Positions) != 4 || !slices.Equal(s.Indices[6:], []uint32{0, 2, 1}) {
		t.Errorf("what shares vertices: %d, %v", len(s.Positions), s.Indices)
	}
	shared.Normals = make([][3]float32, 4)
	if s := join(&asset.Mesh{Primitives: []*asset.Primitive{plain, &shared}}); len(s.Positions) != 8 || !slices.Equal(s.Indices[6:], []uint32{4, 6, 5}) {
		t.Errorf("what shares places alone: %d, %v", len(s.Positions), s.Indices)
	}
}

// TestForeignPlaces: everything is shown where the scene has it: on nodes, on skins, mirrored, and at every level of detail.
func TestForeignPlaces(t *testing.T) {
	move := func(n *asset.Node, x, y, z float32) *asset.Node {
		n.Transform.Translation = [3]float32{x, y, z}
		return n
	}
	joints := func(m *asset.Mesh) *asset.Mesh {
		m.Primitives[0].Joints, m.Primitives[0].Weights = [][][4]uint16{make([][4]uint16, 4)}, [][][4]float32{{{1}, {1}, {1}, {1}}}
		return m
	}
	for _, c := range []struct {
		name string
		make func(joint *asset.Node) []*asset.Node
		skin bool // of the nodes that are called so
	}{
		{"a skin whose mesh follows nothing", func(*asset.Node) []*asset.Node { return []*asset.Node{move(meshNode("skinned", quad(nil)), 1, 2, 3)} }, true},
		{"a hat beside a skin", func(j *asset.Node) []*asset.Node {
			hat := move(meshNode("hat", quad(nil)), 0, 2, 0)
			j.Children = append(j.Children, hat)
			return []*asset.Node{meshNode("skinned", joints(quad(nil)))}
		}, true},
		{"a mirrored hat beside a skin", func(j *asset.Node) []*asset.Node {
			hat := move(meshNode("hat", quad(nil)), 0, 2, 0)
			hat.Transform.Scale[0] = -1
			j.Children = append(j.Children, hat)
			return []*asset.Node{meshNode("skinned", joints(quad(nil)))}
		}, true},
		{"levels of detail", func(*asset.Node) []*asset.Node {
			n := move(meshNode("full", quad(nil)), 1, 0, 0)
			n.LODs = []*asset.Node{move(meshNode("far", grid(3)), 1, 5, 0)}
			return []*asset.Node{n}
		}, false},
		{"levels of detail of a hat beside a skin", func(j *asset.Node) []*asset.Node {
			n := move(meshNode("full", quad(nil)), 1, 0, 0)
			n.LODs = []*asset.Node{move(meshNode("far", grid(3)), 1, 5, 0)}
			j.Children = append(j.Children, n)
			s := meshNode("skinned", joints(quad(nil)))
			s.LODs = []*asset.Node{meshNode("skinned", joints(quad(nil)))}
			return []*asset.Node{s}
		}, true},
	} {
		for _, keep := range []bool{false, true} {
			joint := move(asset.NewNode("joint"), 0, 1, 0)
			nodes := append([]*asset.Node{joint}, c.make(joint)...)
			s := sceneOf(nodes...)
			skin := &asset.Skin{Joints: []*asset.Node{joint}}
			s.Walk(func(n, _ *asset.Node) {
				for _, x := range append([]*asset.Node{n}, n.LODs...) {
					if x.Name == "skinned" {
						x.Skin, s.Skins = skin, []*asset.Skin{skin}
					}
					if x.Mesh != nil && !slices.Contains(s.Meshes, x.Mesh) {
						s.Meshes = append(s.Meshes, x.Mesh)
					}
				}
			})
			if c.skin != (len(s.Skins) == 1) {
				t.Fatal(c.name)
			}
			_, back, _ := foreign(t, s, format.Options{Ultimate3D: format.Ultimate3DOptions{KeepNodes: keep}})
			sameSight(t, fmt.Sprint(c.name, keep), triangles(back, 0), triangles(s, 0), 1e-5)
			sameSight(t, fmt.Sprint(c.name, keep, " far"), triangles(farther(back), 0), triangles(farther(s), 0), 1e-5)
		}
	}
}

// farther returns a scene that shows the second levels of detail of another one.
func farther(s *asset.Scene) *asset.Scene {
	far := *s
	far.Roots, far.Animations = nil, nil
	copies := map[*asset.Node]*asset.Node{}
	var walk func(n *asset.Node) *asset.Node
	walk = func(n *asset.Node) *asset.Node {
		c := *n
		copies[n] = &c
		c.Children = nil
		for _, x := range n.Children {
			c.Children = append(c.Children, walk(x))
		}
		if len(n.LODs) > 0 { // beside it, since it has a place of its own
			c.Mesh, c.Skin, c.LODs = nil, nil, nil
			x := *n.LODs[0]
			holder := asset.NewNode("")
			holder.Children = []*asset.Node{&c, &x}
			return holder
		}
		return &c
	}
	for _, n := range s.Roots {
		far.Roots = append(far.Roots, walk(n))
	}
	far.Walk(func(n, _ *asset.Node) {
		if n.Skin == nil {
			return
		}
		x := *n.Skin
		x.Joints = nil
		for _, j := range n.Skin.Joints {
			x.Joints = append(x.Joints, copies[j])
		}
		n.Skin = &x
	})
	return &far
}

// TestSplitWhole: what a mesh can hold stays in its order; one triangle more makes two of it.
func TestSplitWhole(t *testing.T) {
	for _, c := range []struct{ triangles, parts int }{{65535, 1}, {65536, 2}} {
		s := &surface{materials: make([]*asset.Material, c.triangles)}
		s.Positions = make([][3]float32, 3)
		for range c.triangles {
			s.Indices = append(s.Indices, 2, 1, 0)
		}
		b := &newModel{lowerer: &lowerer{}}
		parts := b.split(s, false)
		if len(parts) != c.parts || c.parts == 1 && (!slices.Equal(parts[0].vertices, []uint32{0, 1, 2}) || parts[0].triangles[0] != [3]uint16{2, 0, 1}) ||
			c.parts == 2 && (len(parts[0].triangles) != 65535 || !slices.Equal(parts[1].vertices, []uint32{2, 0, 1})) {
			t.Errorf("%d triangles: %d parts, the last of %v", c.triangles, len(parts), parts[len(parts)-1].vertices)
		}
	}
	b := &newModel{lowerer: &lowerer{}, m: &ultimate3d.Model{}}
	if err := b.lowerBones(make([]slot, maxCount)); schema.Class(err) != schema.ErrLimit {
		t.Errorf("65,535 bones: %v", err)
	}
}
