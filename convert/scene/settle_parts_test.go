package scene

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/asset"
)

// TestFits: what room a node needs, and what is kept in the room that it has.
func TestFits(t *testing.T) {
	moved, turned, twice := mgl64.Translate3D(1, 2, 3), trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{1, 1, 1}, mgl64.Vec3{0, 0, 1}, 30), trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 2, 2}, mgl64.Vec3{0, 0, 1}, 30)
	for _, c := range []struct {
		room Room
		m    mgl64.Mat4
		fits bool
		kept mgl64.Mat4
	}{
		{AnyRoom, twice, true, twice}, {StoredRoom, twice, true, turned}, {RigidRoom, twice, false, turned}, {NoRoom, twice, false, mgl64.Ident4()},
		{RigidRoom, turned, true, turned}, {NoRoom, moved, false, mgl64.Ident4()}, {NoRoom, mgl64.Ident4(), true, mgl64.Ident4()}, {NoRoom, mgl64.Translate3D(4e-6, 0, 0), true, mgl64.Ident4()},
	} {
		s := &settler{room: func(*asset.Node) Room { return c.room }, size: 1}
		if got := s.fits(nil, c.m); got != c.fits {
			t.Errorf("room %d for %v: %v", c.room, c.m, got)
		}
		if got := s.kept(nil, c.m); furthest(got, c.kept) > 1e-9 {
			t.Errorf("room %d keeps %v, want %v", c.room, got, c.kept)
		}
	}
}

// TestSettleStored: a node that has room for what it is now passes on what others put above it.
func TestSettleStored(t *testing.T) {
	up, n, level, detached := asset.NewNode("up"), shownBy("n", square()), shownBy("level", square()), shownBy("detached", square())
	up.Children, n.LODs = []*asset.Node{n}, []*asset.Node{level}
	up.Transform.Scale, n.Transform.Scale, detached.Transform.Scale = [3]float32{2, 2, 2}, [3]float32{1, 3, 1}, [3]float32{4, 4, 4}
	n.Transform.Translation = [3]float32{1, 0, 0}
	s := &asset.Scene{Roots: []*asset.Node{up}, Detached: []*asset.Node{detached}, Meshes: []*asset.Mesh{n.Mesh, level.Mesh, detached.Mesh}}
	room := map[*asset.Node]Room{up: NoRoom, n: StoredRoom, level: RigidRoom, detached: RigidRoom}
	done := Settle(s, func(n *asset.Node) Room { return room[n] })
	equal(t, "places", []asset.Transform{up.Transform, n.Transform, level.Transform, detached.Transform}, []asset.Transform{asset.Identity, {Translation: [3]float32{2, 0, 0}, Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 1, 1}}, asset.Identity, asset.Identity})
	equal(t, "shapes", [][3]float32{n.Mesh.Primitives[0].Positions[2], level.Mesh.Primitives[0].Positions[2], detached.Mesh.Primitives[0].Positions[2]}, [][3]float32{{2, 6, 0}, {2, 2, 0}, {4, 4, 0}})
	if len(done.Baked) != 4 || len(s.Meshes) != 3 || furthest(done.Baked[n], mgl64.Scale3D(2, 6, 2)) > 1e-6 {
		t.Errorf("%d baked, %d meshes, %v", len(done.Baked), len(s.Meshes), done.Baked[n])
	}

	up, n = asset.NewNode("up"), shownBy("n", square())
	up.Children, n.Transform.Scale = []*asset.Node{n}, [3]float32{1, 3, 1}
	mesh := n.Mesh
	done = Settle(&asset.Scene{Roots: []*asset.Node{up}}, func(*asset.Node) Room { return StoredRoom })
	if n.Mesh != mesh || n.Transform.Scale[1] != 3 || len(done.Baked) != 0 {
		t.Error("what is stored was settled")
	}
	up.Transform.Translation = [3]float32{5, 0, 0} // what is passed on moves alone, and all is rigid below
	n.Transform = asset.Identity
	Settle(&asset.Scene{Roots: []*asset.Node{up}}, func(x *asset.Node) Room { return map[*asset.Node]Room{up: NoRoom, n: RigidRoom}[x] })
	if n.Mesh != mesh || n.Transform.Translation != [3]float32{5, 0, 0} || up.Transform != asset.Identity {
		t.Errorf("moved: %v below %v", n.Transform, up.Transform)
	}
}

// TestSettleRounds: what is left of a turn is nothing, and no shape is made anew for it.
func TestSettleRounds(t *testing.T) {
	up, n, below := asset.NewNode("up"), shownBy("n", square()), shownBy("below", square())
	up.Children, n.Children = []*asset.Node{n}, []*asset.Node{below}
	up.Transform.Rotation = NarrowTurn(mgl64.QuatRotate(0.7, mgl64.Vec3{1, 2, 3}.Normalize()))
	n.Transform.Rotation = NarrowTurn(mgl64.QuatRotate(1.1, mgl64.Vec3{3, 0, 1}.Normalize()))
	meshes := []*asset.Mesh{n.Mesh, below.Mesh}
	done := Settle(&asset.Scene{Roots: []*asset.Node{up}, Meshes: meshes}, func(x *asset.Node) Room {
		if x == up {
			return NoRoom
		}
		return RigidRoom
	})
	if n.Mesh != meshes[0] || below.Mesh != meshes[1] || done.Baked[n] != mgl64.Ident4() || below.Transform != asset.Identity {
		t.Errorf("left: %v, below at %v", done.Baked[n], below.Transform)
	}
}

// TestSettleFlat: what has no size along an axis keeps it.
func TestSettleFlat(t *testing.T) {
	n := shownBy("n", square())
	n.Transform.Scale, n.Transform.Translation = [3]float32{2, 0, 2}, [3]float32{1, 2, 3}
	Settle(&asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}}, func(*asset.Node) Room { return RigidRoom })
	equal(t, "shape", n.Mesh.Primitives[0].Positions, [][3]float32{{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {0, 0, 0}})
	if n.Transform.Translation != [3]float32{1, 2, 3} {
		t.Errorf("at %v", n.Transform)
	}
}

// TestSettleShares: nodes that share a mesh, and get the same, go on sharing, and each mesh stands where it stood.
func TestSettleShares(t *testing.T) {
	mesh, other := &asset.Mesh{Name: "mesh", Primitives: []*asset.Primitive{square()}}, &asset.Mesh{Name: "other", Primitives: []*asset.Primitive{square()}}
	s := &asset.Scene{Meshes: []*asset.Mesh{mesh, {Name: "unused"}, other}}
	for _, scale := range []float32{2, 3, 2} {
		n := asset.NewNode(fmt.Sprint(scale))
		n.Mesh, n.Transform.Scale = mesh, [3]float32{scale, scale, scale}
		s.Roots = append(s.Roots, n)
	}
	last := asset.NewNode("other")
	last.Mesh = other
	s.Roots = append(s.Roots, last)
	Settle(s, func(*asset.Node) Room { return RigidRoom })
	if s.Roots[0].Mesh != s.Roots[2].Mesh || s.Roots[0].Mesh == s.Roots[1].Mesh || last.Mesh != other {
		t.Error("meshes are shared in another way")
	}
	var left []string
	for _, m := range s.Meshes {
		size := float32(0)
		if m.Primitives != nil {
			size = m.Primitives[0].Positions[2][0]
		}
		left = append(left, fmt.Sprint(m.Name, " ", size))
	}
	equal(t, "meshes", left, []string{"mesh 2", "mesh 3", "unused 0", "other 1"})
}

// TestSimilar: a matrix keeps the shape of things when it scales alike in all directions, mirrored or not.
func TestSimilar(t *testing.T) {
	sheared := mgl64.Ident4()
	sheared[4] = 0.3
	for _, c := range []struct {
		name string
		m    mgl64.Mat4
		want bool
	}{
		{"identity", mgl64.Ident4(), true}, {"all", trs(mgl64.Vec3{1, 2, 3}, mgl64.Vec3{2, 2, 2}, mgl64.Vec3{1, 2, 3}, 40), true}, {"mirrored", mgl64.Scale3D(2, -2, 2), true}, {"small", mgl64.Scale3D(1e-4, 1e-4, 1e-4), true},
		{"x", mgl64.Scale3D(2, 1, 1), false}, {"y", mgl64.Scale3D(1, 2, 1), false}, {"z", mgl64.Scale3D(1, 1, 2), false}, {"flat", mgl64.Scale3D(1, 1, 0), false}, {"nothing", mgl64.Scale3D(0, 0, 0), false}, {"sheared", sheared, false},
		{"a little larger", mgl64.Scale3D(5, 5, 5+0.9e-4), true}, {"larger", mgl64.Scale3D(5, 5, 5+1.1e-4), false}, {"a little smaller", mgl64.Scale3D(5-0.9e-4, 5, 5), true}, {"smaller", mgl64.Scale3D(5-1.1e-4, 5, 5), false},
	} {
		if got := similar(c.m); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestMapped calls its function for every value, and tells which are tangents.
func TestMapped(t *testing.T) {
	for kind, want := range map[asset.Interpolation][]bool{asset.LinearKeys: {false, false}, asset.CubicKeys: {true, false, true, true, false, true}} {
		c := &asset.Channel{Path: asset.Translation, Interpolation: kind, Times: []float32{0, 1}, Values: make([]float32, 3*len(want))}
		var got []bool
		out := mapped(c, func(v []float32, tangent bool) {
			got = append(got, tangent)
			v[len(v)-1] = float32(len(got))
		})
		equal(t, "tangents", got, want)
		for i := range want {
			if out.Values[3*i+2] != float32(i+1) || out.Values[3*i] != 0 || c.Values[3*i+2] != 0 {
				t.Errorf("value %d became %v", i, out.Values[3*i:3*i+3])
			}
		}
	}
}

// TestSettleKeys: keys of a node whose transform goes elsewhere are what makes the same motion, and keep their form where
// they can.
func TestSettleKeys(t *testing.T) {
	build := func(kind asset.Interpolation, path asset.Path, values ...float32) (s *asset.Scene, up, n *asset.Node) {
		up, n = asset.NewNode("up"), shownBy("n", square())
		up.Children = []*asset.Node{n}
		c := &asset.Channel{Node: n, Path: path, Interpolation: kind, Times: []float32{0, 0.1}, Values: values}
		weights := &asset.Channel{Node: n, Path: asset.MorphWeights, Times: []float32{0}, Values: []float32{1}}
		other := &asset.Channel{Node: asset.NewNode("other"), Path: path, Interpolation: kind, Times: c.Times, Values: c.Values}
		return &asset.Scene{Roots: []*asset.Node{up}, Animations: []*asset.Animation{{Channels: []*asset.Channel{c, weights, other}}}}, up, n
	}
	settle := func(s *asset.Scene, up *asset.Node) *Settled {
		return Settle(s, func(x *asset.Node) Room {
			if x == up {
				return NoRoom
			}
			return RigidRoom
		})
	}
	s, up, _ := build(asset.CubicKeys, asset.Translation, 0, 1, 0, 1, 0, 0, 0, 2, 0, 3, 0, 0, 4, 5, 6, 0, 0, 7)
	up.Transform.Translation, up.Transform.Rotation = [3]float32{10, 0, 0}, [4]float32{0, 0, 1, 0}
	other := s.Animations[0].Channels[2]
	done := settle(s, up)
	channels := s.Animations[0].Channels
	if len(channels) != 3 || channels[0].Path != asset.MorphWeights || channels[1] != other || channels[2].Interpolation != asset.CubicKeys || len(done.Bent) != 0 {
		t.Fatalf("%d channels", len(channels))
	}
	for i, want := range []float32{0, -1, 0, 9, 0, 0, 0, -2, 0, 7, 0, 0, 6, -5, 6, 0, 0, 7} {
		tangent := i/3%3 != 1
		if i >= 9 { // the second key
			want = []float32{-3, 0, 0, 6, -5, 6, 0, 0, 7}[i-9]
		}
		if got := channels[2].Values[i]; math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("value %d is %g, want %g (tangent %v)", i, got, want, tangent)
		}
	}

	s, up, n := build(asset.LinearKeys, asset.Translation, 1, 0, 0, 4, 0, 0) // what scales itself moves along frames
	scale := &asset.Channel{Node: n, Path: asset.Scale, Times: []float32{0, 0.1}, Values: []float32{1, 1, 1, 2, 2, 2}}
	s.Animations[0].Channels = append(s.Animations[0].Channels, scale)
	up.Transform.Scale = [3]float32{2, 2, 2}
	settle(s, up)
	channels = s.Animations[0].Channels
	if len(channels) != 5 || channels[4] != scale || !slices.Equal(channels[2].Times, channels[3].Times) || len(channels[2].Times) < 4 {
		t.Fatalf("%d channels", len(channels))
	}
	first, last := Key(channels[2], 0), Key(channels[2], len(channels[2].Times)-1)
	equal(t, "moves", [][]float32{first, last}, [][]float32{{2, 0, 0}, {8, 0, 0}})
	equal(t, "turns", Key(channels[3], 0), []float32{0, 0, 0, 1})

	s, up, n = build(asset.LinearKeys, asset.Rotation, 0, 0, 0, 1, 0, 0, 1, 0) // what is scaled unevenly and turns
	up.Transform.Scale = [3]float32{1, 2, 1}
	done = settle(s, up)
	equal(t, "bent", done.Bent, []Bent{{n, up}})
	s, up, n = build(asset.LinearKeys, asset.Rotation, 0, 0, 0, 1, 0, 0, 1, 0)
	up.Transform.Scale = [3]float32{1, 2, 1}
	done = Settle(s, func(x *asset.Node) Room { return map[*asset.Node]Room{up: NoRoom, n: AnyRoom}[x] })
	equal(t, "bent with room", done.Bent, []Bent{{n, up}})
	s, up, n = build(asset.LinearKeys, asset.Rotation, 0, 0, 0, 1, 0, 0, 1, 0)
	n.Transform.Scale = [3]float32{1, 2, 1}
	if done = settle(s, up); len(done.Bent) != 0 {
		t.Error("what is scaled itself was bent")
	}
	s, up, n = build(asset.LinearKeys, asset.Translation, 0, 0, 0, 1, 0, 0)
	below, beside := shownBy("below", square()), shownBy("beside", square())
	n.Children, up.Children = []*asset.Node{below}, append(up.Children, beside)
	n.Transform.Scale = [3]float32{1, 2, 1}
	turn := []float32{0, 0, 0, 1, 0, 0, 0.6, 0.8}
	s.Animations[0].Channels = append(s.Animations[0].Channels, &asset.Channel{Node: below, Path: asset.Rotation, Times: []float32{0, 0.1}, Values: turn}, &asset.Channel{Node: beside, Path: asset.Rotation, Times: []float32{0, 0.1}, Values: turn})
	beside.Transform.Scale = [3]float32{1, 1, 1}
	done = settle(s, up)
	equal(t, "bent below", done.Bent, []Bent{{below, n}})
}

// TestSettleSkins: joints that are all left with the same pass it on to the vertices, and the matrices stay rigid.
func TestSettleSkins(t *testing.T) {
	for name, c := range map[string]struct {
		scale [2]float32 // of the joints
		up    [3]float32
		shape float32 // of the vertices
		binds [2]float32
	}{
		"above":           {[2]float32{1, 1}, [3]float32{2, 2, 2}, 2, [2]float32{1, 1}},
		"one of them":     {[2]float32{1, 3}, [3]float32{1, 1, 1}, 1, [2]float32{1, 3}},
		"the other":       {[2]float32{3, 1}, [3]float32{1, 1, 1}, 1, [2]float32{3, 1}},
		"differently":     {[2]float32{2, 3}, [3]float32{1, 1, 1}, 1, [2]float32{2, 3}},
		"mirrored above":  {[2]float32{1, 1}, [3]float32{-1, 1, 1}, 1, [2]float32{-1, -1}},
		"nothing":         {[2]float32{1, 1}, [3]float32{1, 1, 1}, 1, [2]float32{1, 1}},
		"both, the same,": {[2]float32{3, 3}, [3]float32{1, 1, 1}, 3, [2]float32{1, 1}},
	} {
		up, a, b, shape, bare := asset.NewNode("up"), asset.NewNode("a"), asset.NewNode("b"), shownBy("shape", square()), asset.NewNode("bare")
		up.Children = []*asset.Node{a, b}
		up.Transform.Scale = c.up
		a.Transform.Scale, b.Transform.Scale = [3]float32{c.scale[0], c.scale[0], c.scale[0]}, [3]float32{c.scale[1], c.scale[1], c.scale[1]}
		shape.Skin = &asset.Skin{Joints: []*asset.Node{a, b}}
		bare.Skin = shape.Skin
		shape.Transform.Scale = [3]float32{5, 5, 5} // means nothing to a skin
		s := &asset.Scene{Roots: []*asset.Node{up, shape, bare}, Skins: []*asset.Skin{shape.Skin, {Joints: []*asset.Node{bare}}}, Meshes: []*asset.Mesh{shape.Mesh}}
		Settle(s, func(n *asset.Node) Room {
			if n == shape {
				return AnyRoom
			}
			return RigidRoom
		})
		if got := shape.Mesh.Primitives[0].Positions[2]; got != [3]float32{c.shape, c.shape, 0} {
			t.Errorf("%s: the vertices are %v", name, got)
		}
		for i := range 2 {
			if got := InverseBind(shape.Skin, i)[0]; math.Abs(got-float64(c.binds[i])) > 1e-6 {
				t.Errorf("%s: joint %d is bound by %v", name, i, got)
			}
		}
		if shape.Skin == nil || bare.Skin != shape.Skin || s.Skins[1].InverseBind != nil {
			t.Errorf("%s: skins are others", name)
		}
	}
}
