package scene_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// source makes values of what a fuzzer thinks of; zeros when that is at its end.
type source []byte

func (f *source) byte() (b byte) {
	if len(*f) > 0 {
		b, *f = (*f)[0], (*f)[1:]
	}
	return b
}

// below returns a number from 0 to n − 1.
func (f *source) below(n int) int { return int(f.byte()) % n }

// number returns a small number mostly, and any at times.
func (f *source) number() float32 {
	b := f.byte()
	if b != 0xFF {
		return float32(int8(b)) / 16
	}
	var bits [4]byte
	for i := range bits {
		bits[i] = f.byte()
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(bits[:]))
}

func (f *source) numbers(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = f.number()
	}
	return list
}

// direction returns a vector of unit length, or one of none.
func (f *source) direction() [3]float32 {
	v := scene.Wide3([3]float32(f.numbers(3)))
	if l := v.Len(); l > 1e-3 && l < 1e6 {
		return scene.Narrow3(v.Mul(1 / l))
	}
	return [3]float32{}
}

func (f *source) primitive() *asset.Primitive {
	p := &asset.Primitive{Mode: asset.Mode(f.below(7))}
	flags := f.byte()
	for range f.below(12) {
		p.Positions = append(p.Positions, [3]float32(f.numbers(3)))
		if flags&1 != 0 {
			p.Normals = append(p.Normals, f.direction())
		}
		if flags&2 != 0 {
			p.Colors = append(p.Colors, [4]float32(f.numbers(4)))
		}
	}
	if flags&4 != 0 {
		uv := make([][2]float32, len(p.Positions))
		for i := range uv {
			uv[i] = [2]float32(f.numbers(2))
		}
		p.TexCoords = [][][2]float32{uv}
	}
	if flags&8 != 0 && len(p.Positions) > 0 {
		for range f.below(24) {
			p.Indices = append(p.Indices, uint32(f.below(len(p.Positions))))
		}
	}
	return p
}

func (f *source) transform() asset.Transform {
	t := asset.Identity
	switch flags := f.byte(); {
	case flags&1 != 0:
		m := [16]float32(f.numbers(16))
		t.Matrix = &m
	case flags&2 != 0:
		t.Translation, t.Rotation, t.Scale = [3]float32(f.numbers(3)), [4]float32(f.numbers(4)), [3]float32(f.numbers(3))
	case flags&4 != 0:
		t.Translation = [3]float32(f.numbers(3))
	}
	return t
}

func (f *source) channel(n *asset.Node) *asset.Channel {
	c := &asset.Channel{Node: n, Path: []asset.Path{asset.Translation, asset.Rotation, asset.Scale}[f.below(3)], Interpolation: asset.Interpolation(f.below(3))}
	width := map[asset.Path]int{asset.Translation: 3, asset.Rotation: 4, asset.Scale: 3}[c.Path]
	if c.Interpolation == asset.CubicKeys {
		width *= 3
	}
	for i := range f.below(6) {
		c.Times = append(c.Times, float32(i)+float32(f.below(8))/8)
		c.Values = append(c.Values, f.numbers(width)...)
	}
	return c
}

// scene makes some nodes that hang on each other or on nothing, with meshes, a skin, levels of detail and an animation.
func (f *source) scene() *asset.Scene {
	s := &asset.Scene{Generator: []string{"", "Khronos glTF Blender I/O v3.4.50", "THREE.GLTFExporter r160", "glTF-Transform v4.0.0", "gltfpack 0.20"}[f.below(5)]}
	names := []string{"a", "a.001", "a$lod1", "a$hull", "a_1", "a_2", "b", ""}
	for range f.below(3) {
		s.Materials = append(s.Materials, asset.NewMaterial(names[f.below(len(names))]))
	}
	for range f.below(4) {
		m := &asset.Mesh{Name: names[f.below(len(names))]}
		for range f.below(3) {
			p := f.primitive()
			if len(s.Materials) > 0 {
				p.Material = s.Materials[f.below(len(s.Materials))]
			}
			m.Primitives = append(m.Primitives, p)
		}
		s.Meshes = append(s.Meshes, m)
	}
	var nodes []*asset.Node
	for range f.below(8) {
		n := asset.NewNode(names[f.below(len(names))])
		n.Transform = f.transform()
		if len(s.Meshes) > 0 && f.byte()&1 != 0 {
			n.Mesh = s.Meshes[f.below(len(s.Meshes))]
		}
		switch kind := f.below(4); {
		case kind < 2 && len(nodes) > 0:
			above := nodes[f.below(len(nodes))]
			above.Children = append(above.Children, n)
		case kind == 2 && len(nodes) > 0:
			of := nodes[f.below(len(nodes))]
			of.LODs = append(of.LODs, n)
		default:
			s.Roots = append(s.Roots, n)
		}
		nodes = append(nodes, n)
	}
	a := &asset.Animation{}
	for range f.below(4) {
		if len(nodes) > 0 {
			a.Channels = append(a.Channels, f.channel(nodes[f.below(len(nodes))]))
		}
	}
	s.Animations = []*asset.Animation{a}
	if len(nodes) > 1 && f.byte()&1 != 0 {
		skin := &asset.Skin{Joints: nodes[:1+f.below(len(nodes))]}
		for range skin.Joints {
			skin.InverseBind = append(skin.InverseBind, [16]float32(f.numbers(16)))
		}
		s.Skins, nodes[len(nodes)-1].Skin = []*asset.Skin{skin}, skin
	}
	return s
}

// FuzzScene hands scenes to every verb that takes a whole one: none fails, and none that only arranges moves anything.
func FuzzScene(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x01\x02\x00\x01\x02\x02\x04\x01\x03\x10\x20\x30\x40\x50\x60\x70\x80\x90\x05\x02\x01\x10\x20\x30\x10\x00\x00\x00\x10\x20\x10\x01\x00\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := source(b)
		s, other := in.scene(), in.scene()
		d := new(schema.Diagnostics)
		restore.Unwrap(s)
		restore.TakeLevels(s)
		restore.TellOfExtras(s, d)
		scene.TellLights(s, d)
		scene.TellCameras(s, d)
		restore.JoinCopies(s, func(m *asset.Material) string { return m.Name })
		restore.Refill(other, s, d)
		twin := func(n *asset.Node) *asset.Node { return n }
		restore.TurnBonesBack(other, s, twin)
		restore.TakeRest(s, s, twin, scene.Size(s))
		scene.BindAtRest(s)
		scene.Plain(s, d)
		_ = scene.Lost(s, &scene.Capabilities{Target: "nothing", Format: "none"}, d)
		for _, room := range []scene.Room{scene.AnyRoom, scene.StoredRoom, scene.RigidRoom, scene.NoRoom} {
			plain := sane(s)
			before := scene.SeenInMotion(s)
			done := scene.Settle(s, func(*asset.Node) scene.Room { return room })
			if !plain || len(done.Bent) > 0 {
				continue
			}
			size, near := 1.0, 1e-4
			if len(s.Animations[0].Channels) > 0 {
				near = 0.02 // what moves along an arc is sampled
			}
			for _, p := range before {
				size = max(size, p.Len())
			}
			for i, p := range scene.SeenInMotion(s) {
				if d := p.Sub(before[i]).Len(); d > near*size {
					t.Fatalf("room %d: corner %d was at %v and is at %v", room, i, before[i], p)
				}
			}
		}
	})
}

// sane reports whether nothing of a scene is lost by rounding: no number is none, or so large or small that others vanish
// beside it, and no transform makes everything flat.
func sane(s *asset.Scene) bool {
	ok := len(s.Skins) == 0
	s.Walk(func(n, _ *asset.Node) {
		m := scene.Matrix(&n.Transform)
		for _, x := range m {
			ok = ok && math.Abs(x) < 100
		}
		ok = ok && math.Abs(m.Det()) > 0.1 && n.Transform.Matrix == nil
		if n.Mesh == nil {
			return
		}
		for _, p := range n.Mesh.Primitives {
			ok = ok && finitePoints(p) && scene.Extent(p.Positions) < 100
		}
	})
	for _, c := range s.Animations[0].Channels {
		ok = ok && scene.Valid(c) && c.Path != asset.Scale
		for _, x := range c.Values {
			ok = ok && math.Abs(float64(x)) < 100
		}
	}
	return ok
}

// FuzzMatch matches surfaces with each other, and one with itself in another order.
func FuzzMatch(f *testing.F) {
	f.Add([]byte("\x04\x0D\x04\x00\x00\x00\x00\x00\x10\x10\x00\x00\x00\x00\x10\x00\x00\x00\x00\x10\x03\x00\x01\x02"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := source(b)
		p, q := in.primitive(), in.primitive()
		p.Mode, q.Mode = asset.Triangles, asset.Triangles
		for _, pair := range [][2]*asset.Primitive{{p, q}, {q, p}, {p, backwards(p)}} {
			m := scene.Match(pair[0], pair[1], scene.EditorTolerance)
			for i, v := range m.Vertices {
				if v < -1 || v >= len(pair[0].Positions) {
					t.Fatalf("vertex %d is vertex %d of %d", i, v, len(pair[0].Positions))
				}
			}
			restore.Colors(pair[0], pair[1], scene.EditorTolerance)
		}
		if m := scene.Match(p, p, scene.EditorTolerance); finitePoints(p) && !(m.Complete && m.Same) {
			t.Errorf("a surface is not itself: %+v of %+v", m, p)
		}
		if m := scene.Match(p, backwards(p), scene.EditorTolerance); finitePoints(p) && apart(p) && !m.Complete {
			t.Errorf("a surface in another order is not itself: %+v of %+v", m, p)
		}
	})
}

// backwards returns a surface with its vertices in the opposite order.
func backwards(p *asset.Primitive) *asset.Primitive {
	q := *p
	q.Positions, q.Normals, q.Colors = slices.Clone(p.Positions), slices.Clone(p.Normals), slices.Clone(p.Colors)
	slices.Reverse(q.Positions)
	slices.Reverse(q.Normals)
	slices.Reverse(q.Colors)
	q.TexCoords, q.Indices = nil, nil
	for _, uv := range p.TexCoords {
		uv = slices.Clone(uv)
		slices.Reverse(uv)
		q.TexCoords = append(q.TexCoords, uv)
	}
	for _, i := range scene.Indices(p) {
		q.Indices = append(q.Indices, uint32(len(p.Positions)-1)-i)
	}
	return &q
}

// apart reports whether no two vertices are in one place, where normals alone would tell them apart.
func apart(p *asset.Primitive) bool {
	for i, v := range p.Positions {
		for _, w := range p.Positions[:i] {
			if scene.Wide3(v).Sub(scene.Wide3(w)).Len() < 1e-3*max(scene.Extent(p.Positions), 1e-3) {
				return false
			}
		}
	}
	return true
}

func finitePoints(p *asset.Primitive) bool {
	finite := func(list ...float32) bool {
		return !slices.ContainsFunc(list, func(x float32) bool { return !(math.Abs(float64(x)) < 1e15) })
	}
	for i := range p.Positions {
		if !finite(p.Positions[i][:]...) || p.Normals != nil && !finite(p.Normals[i][:]...) || p.Colors != nil && !finite(p.Colors[i][:]...) ||
			p.TexCoords != nil && !finite(p.TexCoords[0][i][:]...) {
			return false
		}
	}
	return true
}

// FuzzCompare compares curves with each other, and one with itself.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("\x00\x01\x03\x10\x20\x30\x01\x10\x20\x30\x02\x10\x20\x30"))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := source(b)
		n := asset.NewNode("n")
		a, c := in.channel(n), in.channel(n)
		if !scene.Valid(a) || !scene.Valid(c) {
			return
		}
		x, y := scene.CurveOf(n, a.Path, a), scene.CurveOf(n, a.Path, c)
		if c.Path == a.Path {
			scene.Compare(a.Path, x, y, 1).Unedited()
			scene.Compare(a.Path, x, y, 1).EditedAt(0.5)
		}
		scene.FramesMiss(x, 30, 1, nil)
		scene.Still(x, 1)
		for _, v := range a.Values {
			if !(math.Abs(float64(v)) < 1e6) {
				return
			}
		}
		if !scene.Compare(a.Path, x, x, 1).Unedited() {
			t.Errorf("a curve is not itself: %+v", a)
		}
	})
}
