package ultimate3d

import (
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// TestLiftedFrames: when the shapes of a model's frames are shown, in all of it and in parts of it.
func TestLiftedFrames(t *testing.T) {
	unlike := sheet()
	unlike.VertexTweening = ultimate3d.False
	last := unlike.Meshes[2]
	last.TrianglesOwned, last.SharedTriangles = ultimate3d.True, 0
	last.Triangles, last.TriangleMaterials = unlike.Meshes[0].Triangles[:1], unlike.Meshes[0].TriangleMaterials[:1]
	jumping, two := sheet(), sheet()
	two.Meshes, two.Frames = two.Meshes[:2], 2
	jumping.VertexTweening = ultimate3d.False
	clips := []format.Clip{{Name: "begin", First: 0, Last: 1}, {Name: "end", First: 1, Last: 2}, {Name: "beyond", First: 1, Last: 3}, {Name: "before", First: -1, Last: 1}, {Name: "back", First: 2, Last: 1}}
	for _, c := range []struct {
		name   string
		m      *ultimate3d.Model
		clips  []format.Clip
		clip   string
		node   int // which channel of it
		path   asset.Path
		how    asset.Interpolation
		times  []float32 // in tenths of a second
		values []float32 // the first component for scales
	}{
		{"blended", sheet(), nil, "all", 0, asset.MorphWeights, asset.LinearKeys, []float32{0, 1, 2}, []float32{0, 0, 1, 0, 0, 1}},
		{"jumping", jumping, nil, "all", 0, asset.MorphWeights, asset.StepKeys, []float32{0, 1, 2}, []float32{0, 0, 1, 0, 0, 1}},
		{"the begin", sheet(), clips, "begin", 0, asset.MorphWeights, asset.LinearKeys, []float32{0, 1}, []float32{0, 0, 1, 0}},
		{"the end", sheet(), clips, "end", 0, asset.MorphWeights, asset.LinearKeys, []float32{0, 1}, []float32{1, 0, 0, 1}},
		{"the first alone", unlike, nil, "all", 0, asset.Scale, asset.StepKeys, []float32{0, 1}, []float32{1, 0}},
		{"the second alone", unlike, nil, "all", 1, asset.Scale, asset.StepKeys, []float32{0, 1, 2}, []float32{0, 1, 0}},
		{"the last alone", unlike, nil, "all", 2, asset.Scale, asset.StepKeys, []float32{0, 2}, []float32{0, 1}},
		{"the first is not in the end", unlike, clips, "end", 0, asset.Scale, asset.StepKeys, []float32{0}, []float32{0}},
		{"the second is at its begin", unlike, clips, "end", 1, asset.Scale, asset.StepKeys, []float32{0, 1}, []float32{1, 0}},
		{"the last is not in the begin", unlike, clips, "begin", 2, asset.Scale, asset.StepKeys, []float32{0}, []float32{0}},
		{"of two frames", two, nil, "all", 0, asset.MorphWeights, asset.LinearKeys, []float32{0, 1}, []float32{0, 1}},
	} {
		d := new(schema.Diagnostics)
		s, err := Lift(c.m, &format.Env{Diagnostics: d, Options: format.Options{Ultimate3D: format.Ultimate3DOptions{FPS: 10, Clips: c.clips}}})
		must(t, err)
		if want := min(len(c.clips), 3); d.Count("clip-range") != want || len(s.Animations) != max(len(c.clips)-want, 1) {
			t.Errorf("%s: %d animations, told %s", c.name, len(s.Animations), codesOf(d))
		}
		a := s.Animations[slices.IndexFunc(s.Animations, func(a *asset.Animation) bool { return a.Name == c.clip })]
		x := a.Channels[c.node]
		values := x.Values
		if n := len(x.Node.Mesh.Primitives[0].Targets); c.path == asset.MorphWeights && n != int(c.m.Frames)-1 {
			t.Errorf("%s: %d shapes", c.name, n)
		}
		if c.path == asset.Scale {
			values = nil
			for i := 0; i < len(x.Values); i += 3 {
				if x.Values[i] != x.Values[i+1] || x.Values[i] != x.Values[i+2] {
					t.Errorf("%s: the sizes %v", c.name, x.Values)
				}
				values = append(values, x.Values[i])
			}
		}
		for i := range min(len(x.Times), len(c.times)) {
			if math.Abs(float64(10*x.Times[i]-c.times[i])) > 1e-5 {
				t.Errorf("%s: key %d is at %v", c.name, i, x.Times[i])
			}
		}
		if x.Path != c.path || x.Interpolation != c.how || len(x.Times) != len(c.times) || !slices.Equal(values, c.values) {
			t.Errorf("%s: %v, %v at %v: %v", c.name, x.Path, x.Interpolation, x.Times, values)
		}
		if hidden := c.path == asset.Scale && c.node > 0; hidden != (x.Node.Transform.Scale == [3]float32{}) {
			t.Errorf("%s: its size at rest is %v", c.name, x.Node.Transform.Scale)
		}
	}
}

// TestLiftedBones: when bones have keys, and how many rotations take the longer way, which glTF cannot say.
func TestLiftedBones(t *testing.T) {
	turn := func(f uint16, z, w float32) ultimate3d.RotationKey {
		return ultimate3d.RotationKey{Frame: f, Value: [4]float32{0, 0, z, w}}
	}
	for _, c := range []struct {
		name string
		keys []ultimate3d.RotationKey
		want []float32 // frames
	}{
		{"one key", []ultimate3d.RotationKey{turn(0, 0, 1)}, nil},
		{"the shorter way", []ultimate3d.RotationKey{turn(0, 0, 1), turn(4, 0.6, 0.8)}, []float32{0, 4}},
		{"the longer way", []ultimate3d.RotationKey{turn(0, 0, 1), turn(4, -0.6, -0.8)}, []float32{0, 1, 2, 3, 4}},
		{"the longer way at last", []ultimate3d.RotationKey{turn(0, 0, 1), turn(3, 0.6, 0.8), turn(5, -0.6, -0.8)}, []float32{0, 3, 4, 5}},
		{"the longer way at first", []ultimate3d.RotationKey{turn(0, 0, 1), turn(2, -0.6, -0.8), turn(5, -0.8, -0.6)}, []float32{0, 1, 2, 5}},
		{"a frame before the first key", []ultimate3d.RotationKey{turn(1, 0, 1), turn(3, 0.6, 0.8)}, []float32{0, 1, 3}},
		{"before the first key", []ultimate3d.RotationKey{turn(2, 0, 1), turn(4, 0.6, 0.8)}, []float32{0, 1, 2, 4}},
	} {
		m := arm()
		m.Bones[1].Translation, m.Bones[2].Rotation, m.Bones[1].Rotation = nil, nil, c.keys
		s := lift(t, m, format.Options{Ultimate3D: format.Ultimate3DOptions{FPS: 10}})
		var got []float32
		for _, a := range s.Animations {
			for _, f := range channelOf(a, "arm", asset.Rotation).Times {
				got = append(got, float32(math.Round(float64(10*f))))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: keys at %v, want %v", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name string
		keys func(b *ultimate3d.Bone)
		told string
	}{
		{"no keys", func(b *ultimate3d.Bone) { b.Translation = nil }, ""},
		{"one place", func(b *ultimate3d.Bone) { b.Translation = b.Translation[:1] }, ""},
		{"one turn", func(b *ultimate3d.Bone) { b.Rotation, b.Translation = []ultimate3d.RotationKey{turn(0, 0.6, 0.8)}, nil }, ""},
		{"one size", func(b *ultimate3d.Bone) { b.Scaling, b.Translation = b.Translation[:1], nil }, ""},
		{"places", func(*ultimate3d.Bone) {}, "fixed-frame"},
		{"sizes", func(b *ultimate3d.Bone) { b.Scaling, b.Translation = b.Translation, nil }, "fixed-frame"},
		{"turns", func(b *ultimate3d.Bone) {
			b.Rotation, b.Translation = []ultimate3d.RotationKey{turn(0, 0, 1), turn(4, 0.6, 0.8)}, nil
		}, "fixed-frame"},
	} {
		m, d := arm(), new(schema.Diagnostics)
		m.Bones[1].BoneFrame, m.Bones[1].PassOnBoneFrame = 10, ultimate3d.False
		c.keys(m.Bones[1])
		s, err := Lift(m, &format.Env{Diagnostics: d})
		must(t, err)
		for _, x := range s.Animations[0].Channels {
			if x.Node.Name == "arm" {
				t.Errorf("%s: the arm moves", c.name)
			}
		}
		if codesOf(d) != c.told {
			t.Errorf("%s: told %q, want %q", c.name, codesOf(d), c.told)
		}
	}
	m := limb()
	m.Bones[1].Attachments = nil
	if b := lift(t, m, format.Options{}).Skins[0].InverseBind[1]; b != [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1} {
		t.Errorf("a bone that says nothing of it is bound with %v", b)
	}
	m, d := arm(), new(schema.Diagnostics)
	m.Bones[2].Attachments = nil
	s, err := Lift(m, &format.Env{Diagnostics: d})
	if must(t, err); codesOf(d) != "unattached-mesh" || len(s.Detached) != 1 || s.Detached[0].Name != "plate" {
		t.Errorf("a mesh that hangs on no bone: %d, told %s", len(s.Detached), codesOf(d))
	}
}

// TestSceneNames: what a scene is called after its file.
func TestSceneNames(t *testing.T) {
	for _, c := range []struct{ file, want string }{{"", "model"}, {".u3d", "model"}, {"mill.u3d", "mill"}, {`art\mill.old.u3d`, "mill.old"}, {"a/mill", "mill"}} {
		s, err := Lift(smallModel(), &format.Env{Name: c.file})
		if must(t, err); s.Name != c.want || s.Roots[0].Name != c.want {
			t.Errorf("%q: %q, %q", c.file, s.Name, s.Roots[0].Name)
		}
	}
	s := lift(t, smallModel(), format.Options{})
	if v := scene.Shown(s.Meshes[0].Native, keySets); v != nil || s.Roots[0].Kind == asset.Bone {
		t.Errorf("sets of texture coordinates %v", v)
	}
}

// TestLevelsAlike: whether two nodes with one mesh can share what it becomes.
func TestLevelsAlike(t *testing.T) {
	x, y := &asset.Mesh{}, &asset.Mesh{}
	node := func(weights []float32, levels ...*asset.Mesh) *asset.Node {
		n := &asset.Node{Weights: weights}
		for _, m := range levels {
			n.LODs = append(n.LODs, &asset.Node{Mesh: m})
		}
		return n
	}
	for _, c := range []struct {
		a, b *asset.Node
		want bool
	}{
		{node(nil), node(nil), true}, {node(nil, x, y), node(nil, x, y), true}, {node(nil, x), node(nil, y), false}, {node(nil, x, y), node(nil, x, x), false},
		{node(nil, x), node(nil, x, y), false}, {node([]float32{1}), node([]float32{1}), true}, {node([]float32{1}), node([]float32{0.5}), false},
	} {
		if got := sameLevels(c.a, c.b); got != c.want {
			t.Errorf("%d and %d levels: %v", len(c.a.LODs), len(c.b.LODs), got)
		}
	}
}

// TestSameVertices: primitives share their vertices where they have the very same arrays.
func TestSameVertices(t *testing.T) {
	base := func() *asset.Primitive {
		return &asset.Primitive{Positions: make([][3]float32, 1), Normals: make([][3]float32, 1), TexCoords: [][][2]float32{make([][2]float32, 1)},
			Joints: [][][4]uint16{make([][4]uint16, 1)}, Weights: [][][4]float32{make([][4]float32, 1)},
			Targets: []asset.Target{{Positions: make([][3]float32, 1), Normals: make([][3]float32, 1)}}, Custom: []asset.Attribute{{Name: "a", Values: make([]float32, 1)}}}
	}
	p := base()
	for _, c := range []struct {
		name   string
		change func(q *asset.Primitive)
		want   bool
	}{
		{"nothing", func(*asset.Primitive) {}, true},
		{"more of them", func(q *asset.Primitive) { q.Positions = make([][3]float32, 2) }, false},
		{"normals", func(q *asset.Primitive) { q.Normals = base().Normals }, false},
		{"texture coordinates", func(q *asset.Primitive) { q.TexCoords = base().TexCoords }, false},
		{"joints", func(q *asset.Primitive) { q.Joints = base().Joints }, false},
		{"weights", func(q *asset.Primitive) { q.Weights = base().Weights }, false},
		{"where a target has them", func(q *asset.Primitive) {
			q.Targets = []asset.Target{{Positions: base().Positions, Normals: p.Targets[0].Normals}}
		}, false},
		{"the normals of a target", func(q *asset.Primitive) {
			q.Targets = []asset.Target{{Positions: p.Targets[0].Positions, Normals: base().Normals}}
		}, false},
		{"the name of an attribute", func(q *asset.Primitive) { q.Custom = []asset.Attribute{{Name: "b", Values: p.Custom[0].Values}} }, false},
		{"the values of an attribute", func(q *asset.Primitive) { q.Custom = base().Custom }, false},
		{"no attributes", func(q *asset.Primitive) { q.Custom = nil }, false},
	} {
		q := *p
		c.change(&q)
		if got := sameVertices(p, &q); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestFlatNormals: triangles without normals share no vertices, and each is lit as flat, in every shape that it has.
func TestFlatNormals(t *testing.T) {
	p := &asset.Primitive{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, TexCoords: [][][2]float32{{{1, 2}, {3, 4}, {5, 6}, {7, 8}}},
		Joints: [][][4]uint16{{{1}, {2}, {3}, {4}}}, Weights: [][][4]float32{{{1}, {0.5}, {0.25}, {0.125}}}, Tangents: make([][4]float32, 4),
		Targets: []asset.Target{{Positions: [][3]float32{{}, {}, {0, -1, 1}, {}}}, {}}, Indices: []uint32{0, 1, 2, 0, 2, 3, 1},
	}
	q := withFlatNormals(p)
	back := [3]float32{0, -1, -1} // what leads from the front to straight down
	for i := range 3 {
		if got := plus(q.Normals[i], q.Targets[0].Normals[i]); math.Abs(float64(got[1]+1)) > 1e-6 || math.Abs(float64(got[2])) > 1e-6 || q.Targets[0].Normals[i] != back {
			t.Errorf("corner %d of the target faces %v", i, got)
		}
	}
	if len(q.Positions) != 6 || q.Indices != nil || q.Tangents != nil || q.Positions[4] != p.Positions[2] || q.TexCoords[0][5] != [2]float32{7, 8} ||
		q.Joints[0][4] != [4]uint16{3} || q.Weights[0][1] != [4]float32{0.5} || q.Targets[1].Normals != nil || len(q.Normals) != 6 {
		t.Errorf("%+v", q)
	}
	for i, n := range q.Normals {
		if n != [3]float32{0, 0, 1} {
			t.Errorf("corner %d faces %v", i, n)
		}
	}
	p.Indices = nil
	if q = withFlatNormals(p); len(q.Positions) != 3 || q.Positions[2] != p.Positions[2] {
		t.Errorf("without indices %v", q.Positions)
	}
}

// TestSame: what an editor changes by itself is no edit, and what is no number cannot be one.
func TestSame(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		a, b     float32
		uv, free bool // as a texture coordinate, and as a value of an attribute
	}{
		{0.5, 0.5, true, true}, {0.5, 0.500005, true, false}, {0.5, 0.5000005, true, true}, {0.5, 0.50002, false, false}, {1000, 1000.0005, true, true},
		{1000, 1000.005, true, false}, {1000, 1000.05, false, false}, {nan, 0, true, true}, {nan, nan, true, true}, {nan, 1, false, false}, {inf, 0, true, true}, {inf, nan, true, true}, {0, nan, false, false},
	} {
		for k := range 2 {
			var a, b [2]float32
			a[k], b[k] = c.a, c.b
			if got := sameUV(a, b); got != c.uv {
				t.Errorf("texture coordinates %v and %v: %v", a, b, got)
			}
			if got := sameAttribute(a[:], b[:]); got != c.free {
				t.Errorf("values %v and %v: %v", a, b, got)
			}
		}
	}
}

// TestEnds: what is kept of bones that show nothing is taken whole, or not at all.
func TestEnds(t *testing.T) {
	m := arm()
	m.Bones = append(m.Bones, &ultimate3d.Bone{Name: "tip", Parent: 2, BoneFrame: -1}, &ultimate3d.Bone{Name: "top", Parent: ultimate3d.RootParent, BoneFrame: -1})
	m.Trailing, m.LODLevels, m.LODDistancesSq = []byte{7, 8}, []float32{0.5}, []float32{100}
	m.CelShadingColor[3] = 0.25
	b, err := headerPayload(m)
	must(t, err)
	var got ultimate3d.Model
	ends, err := headerOf(&got, b)
	if err != nil || len(ends) != 2 || len(ends[3]) == 0 || len(ends[4]) == 0 || string(got.Trailing) != "\x07\x08" || got.LODLevels[0] != 0.5 || got.LODDistancesSq[0] != 100 ||
		got.Frames != 21 || got.CelShadingColor[3] != 0.25 || got.Layout != m.Layout || got.AlphaBlending != ultimate3d.True {
		t.Errorf("%v, %v, %+v", ends, err, got)
	}
	whole := len(b) - len(m.Trailing)
	for n := range whole {
		if _, err := headerOf(&got, b[:n]); schema.Class(err) != schema.ErrTruncated {
			t.Errorf("%d of %d bytes: %v", n, whole, err)
		}
	}
	for i, c := range []struct {
		attached int
		keys     int
		want     []int
	}{{2, 3, nil}, {1, 1, []int{2}}, {0, 3, []int{2}}, {-1, 1, []int{0, 1, 2}}, {-1, 2, []int{2}}} {
		m := arm()
		for k, x := range m.Bones {
			x.Rotation = nil
			if x.Attachments = nil; k == c.attached {
				x.Attachments = attach(0, 0, 0, 0)
			}
		}
		m.Bones[1].Translation = m.Bones[1].Translation[:c.keys]
		if got := endsOf(m); !slices.Equal(got, c.want) {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// TestUnwritable: what cannot be written cannot be kept in a scene.
func TestUnwritable(t *testing.T) {
	for name, spoil := range map[string]func(m *ultimate3d.Model){
		"mesh": func(m *ultimate3d.Model) { m.Meshes[1].Name = "Ω" }, "bone": func(m *ultimate3d.Model) { m.Bones[2].Name = "Ω" },
		"material": func(m *ultimate3d.Model) { m.Materials[0].Name = "Ω" },
		"a bone that shows nothing": func(m *ultimate3d.Model) {
			m.Bones = append(m.Bones, &ultimate3d.Bone{Name: "Ω", Parent: ultimate3d.RootParent})
		},
		"a mesh on no bone": func(m *ultimate3d.Model) { m.Meshes[1].Name, m.Bones[2].Attachments = "Ω", nil },
	} {
		m := arm()
		spoil(m)
		if _, err := Lift(m, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, m := range []*ultimate3d.Model{limb(), sheet()} {
		m.Meshes[0].Name = "Ω"
		if _, err := Lift(m, nil); schema.Class(err) != schema.ErrValue {
			t.Errorf("%d bones: %v", len(m.Bones), err)
		}
	}
}

// TestTangentSpace: the normals of a mesh that stores tangent space matrices are their third rows, where they look like normals.
func TestTangentSpace(t *testing.T) {
	three := func(z float32) []float32 { return []float32{1, 1, z, 1, 1, z, 1, 1, z} }
	shapes := func() *shape {
		return &shape{positions: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}, normals: [][3]float32{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, triangles: [][3]uint32{{0, 1, 2}}}
	}
	flat := [3]float32{0, 0, -1} // as the triangle faces
	for _, c := range []struct {
		name  string
		sets  map[int][]float32
		want  [3]float32
		there map[int]int // dimensions of sets that are left
	}{
		{"as the triangle faces", map[int][]float32{0: {0, 0, 0, 0, 0, 0}, 2: three(0.6), 3: three(-0.8)}, [3]float32{0.6, 0, -0.8}, map[int]int{0: 2}},
		{"the last two of three", map[int][]float32{1: three(7), 4: three(0.6), 6: three(-0.8)}, [3]float32{0.6, 0, -0.8}, map[int]int{1: 3}},
		{"another way", map[int][]float32{2: three(0.8), 3: three(0.6)}, flat, nil},
		{"one set", map[int][]float32{2: three(0.6)}, flat, map[int]int{2: 3}},
		{"a set too short", map[int][]float32{2: three(0.6), 3: three(-0.8)[:6]}, flat, map[int]int{2: 3, 3: 3}},
	} {
		s := shapes()
		for k, set := range c.sets {
			if s.sets[k], s.dimensions[k] = set, 3; k == 0 {
				s.dimensions[k] = 2
			}
		}
		s.tangentSpace()
		for v, n := range s.normals {
			if d := minus(n, c.want); dot(d, d) > 1e-10 {
				t.Errorf("%s: vertex %d faces %v, want %v", c.name, v, n, c.want)
			}
		}
		for k, d := range s.dimensions {
			if d != c.there[k] || (s.sets[k] != nil) != (d != 0) {
				t.Errorf("%s: set %d has %d dimensions", c.name, k, d)
			}
		}
	}
}

// TestBend: vertices go with the bones that they follow, as far as they do; one that follows none stays.
func TestBend(t *testing.T) {
	up, turned := asset.NewNode("up"), asset.NewNode("turned")
	up.Transform.Translation, turned.Transform.Rotation = [3]float32{0, 2, 0}, [4]float32{0, 0, 1, 0}
	b := &newModel{lowerer: &lowerer{}, above: map[*asset.Node]*asset.Node{}, still: scene.MotionOf(nil)}
	s := &surface{Primitive: asset.Primitive{
		Positions: [][3]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, Normals: [][3]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}},
		Joints:  [][][4]uint16{{{0}, {1}, {0, 1}, {}, {2, 0}}},
		Weights: [][][4]float32{{{1}, {1}, {0.75, 0.25}, {}, {0.5, 0.5}}},
	}}
	b.bend(s, &asset.Skin{Joints: []*asset.Node{up, turned}}, moment{b.still, 0})
	for v, want := range []struct{ position, normal [3]float32 }{
		{[3]float32{1, 2, 0}, [3]float32{1, 0, 0}}, {[3]float32{-1, 0, 0}, [3]float32{-1, 0, 0}}, {[3]float32{0.5, 1.5, 0}, [3]float32{1, 0, 0}},
		{[3]float32{1, 0, 0}, [3]float32{0, 0, 1}}, {[3]float32{1, 2, 0}, [3]float32{1, 0, 0}},
	} {
		p, n := minus(s.Positions[v], want.position), minus(s.Normals[v], want.normal)
		if dot(p, p) > 1e-10 || dot(n, n) > 1e-10 {
			t.Errorf("vertex %d is at %v and faces %v, want %v", v, s.Positions[v], s.Normals[v], want)
		}
	}
}

// TestMeshNames: a mesh is called as it is, but by a person's name for the node that it came with.
func TestMeshNames(t *testing.T) {
	ours := func(mesh float64) *asset.Native {
		n := native(map[string]any{}, nil)
		scene.SetShown(n, keyMesh, mesh)
		return n
	}
	for _, c := range []struct {
		node, mesh string
		native     *asset.Native
		want       string
	}{
		{"door", "wood", nil, "wood"}, {"door", "", nil, "door"}, {"door", "wood", ours(0), "door"}, {"door", "wood", ours(3), "door"}, {"wood.001", "wood", ours(0), "wood"},
	} {
		if got := meshName(&asset.Node{Name: c.node, Mesh: &asset.Mesh{Name: c.mesh}, Native: c.native}); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.node, c.mesh, got, c.want)
		}
	}
}

// TestNear: how far a place may be off that nobody edited, and that what is no number cannot be told.
func TestNear(t *testing.T) {
	nan, e := float32(math.NaN()), &meshEdit{reach: 0.5}
	for _, c := range []struct {
		p, q float32
		want bool
	}{{1, 1, true}, {1, 1.5, true}, {1, 0.5, true}, {1, 1.625, false}, {1, 0.25, false}, {nan, 0, true}, {nan, 7, true}, {0, nan, false}} {
		for k := range 3 {
			var p, q [3]float32
			p[k], q[k] = c.p, c.q
			if got := e.near(p, q); got != c.want {
				t.Errorf("%v and %v: %v", p, q, got)
			}
		}
	}
}

// TestFlags: the first byte of what a scene keeps says what its chunks do not; files that people have say it so.
func TestFlags(t *testing.T) {
	first := func(b []byte, err error) byte {
		must(t, err)
		return b[0]
	}
	shadowed, bone, opaque := smallModel().Meshes[0], arm().Bones[0], smallModel().Materials[0]
	shadowed.Shadow = ultimate3d.ShadowVolume{VertexCount: 1, Vertices: make([]byte, 24)}
	opaque.Opaque, opaque.ExportResources = true, ultimate3d.True
	for i, c := range []struct{ got, want byte }{
		{first(meshPayload(smallModel().Meshes)), 0}, {first(meshPayload([]*ultimate3d.Mesh{shadowed})), 2},
		{first(materialPayload(smallModel().Materials[0])), 0}, {first(materialPayload(opaque)), 4},
		{first(bonePayload(bone, ultimate3d.EngineKeys)), 0}, {first(bonePayload(bone, ultimate3d.LiteralKeys)), 1}, {flagEnds, 128},
	} {
		if c.got != c.want {
			t.Errorf("%d: %d, want %d", i, c.got, c.want)
		}
	}
	for i, m := range []*ultimate3d.Model{arm(), smallModel()} {
		if i == 0 {
			m.Layout = ultimate3d.LiteralKeys
		} else {
			m.Meshes[0] = shadowed
		}
		s := throughGLB(t, lift(t, m, format.Options{}))
		got, err := Lower(s, nil)
		must(t, err)
		if g, w := mustWrite(t, got), mustWrite(t, m); !slices.Equal(g, w) {
			t.Errorf("model %d is not what it was: % x, want % x", i, g, w)
		}
	}
}

// TestSettled: weights add up to 1, without those that are none.
func TestSettled(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct{ list, want []influence }{
		{[]influence{{1, 0.5}, {2, 1.5}}, []influence{{1, 0.25}, {2, 0.75}}}, {[]influence{{1, 0}, {2, 2}, {3, -1}, {4, nan}}, []influence{{2, 1}}}, {[]influence{{1, 0}}, nil}, {nil, nil},
	} {
		if got := settled(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.list, got, c.want)
		}
	}
}
