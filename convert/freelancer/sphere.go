package freelancer

import (
	"math"
	"slices"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// sphere is a planet and the node that it was lifted to.
type sphere struct {
	x    *freelancer.SphereModel
	dir  *freelancer.Node
	node *asset.Node
}

// sphereSteps is the number of squares along a side of a face of the cube that a planet is made of.
const sphereSteps = 16

// sphereSides gives the faces in the order of their materials: the direction outwards, to the right and up.
var sphereSides = [6][3][3]float64{
	{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
	{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
	{{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}},
	{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
	{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
}

// liftSphere makes a cube, blown up to a ball, of a planet, and a second one of its atmosphere: the file holds no
// geometry.
func (m *model) liftSphere() error {
	dir := m.tree.Root.Child("Sphere")
	if dir == nil {
		return nil
	}
	x, err := read.SphereModel(dir, m.d)
	if err != nil {
		return err
	}
	name := m.scene.Name
	if name == "" {
		name = "planet"
	}
	n := asset.NewNode(name)
	m.id(n, "sphere")
	n.Native.Values["radius"] = scene.Finite(float64(x.Radius))
	scene.SetShown(n.Native, "called", n.Name)
	m.sphere = &sphere{x, dir, n}
	m.scene.Roots = append(m.scene.Roots, n)
	shape := newSphereShape()
	m.ball(n, shape, x.Radius, sidesOf(x.Materials))
	if len(x.Materials) > 6 {
		n.Children = append(n.Children, m.atmosphere(name+"$atmosphere", shape, x))
	}
	if m.parts != nil {
		return nil
	}
	hardpoints, err := read.Hardpoints(m.tree.Root)
	if err != nil {
		return err
	}
	for _, h := range hardpoints {
		c := rig.HardpointNode(h)
		m.id(c, "hardpoint:"+h.Name)
		n.Children = append(n.Children, c)
	}
	return nil
}

// What a ball has among its values for reading: how many times as large as its planet it is, and of each side whether its picture
// is mirrored. GLBs of before say neither: an atmosphere is usualAir times as large in them.
const (
	ballScale  = "scale"
	ballMirror = "mirrored"
	usualAir   = 1.02
)

// sidesOf returns the materials of the six sides of a planet: the last stands for those that are missing. It is empty where
// there are none.
func sidesOf(materials []string) []string {
	if len(materials) == 0 || len(materials) >= len(sphereSides) {
		return materials[:min(len(materials), len(sphereSides))]
	}
	return append(slices.Clone(materials), slices.Repeat(materials[len(materials)-1:], len(sphereSides)-len(materials))...)
}

// atmosphere makes the ball of the air around a planet, as large as its material says.
func (m *model) atmosphere(name string, shape *sphereShape, x *freelancer.SphereModel) *asset.Node {
	n := asset.NewNode(name)
	m.id(n, "atmosphere")
	scene.SetShown(n.Native, "called", n.Name)
	scale := float32(usualAir)
	if s := m.lib.Stored(x.Materials[6]); s != nil {
		if k, ok := s.Float("Scale"); ok && k > 0 && k < 100 {
			scale = k
		}
	}
	scene.SetShown(n.Native, ballScale, scene.Finite(float64(scale)))
	m.ball(n, shape, x.Radius*scale, slices.Repeat(x.Materials[6:7], len(sphereSides)))
	return n
}

// ball gives a node the mesh of a planet or its atmosphere, whose sides wear the materials of these names.
func (m *model) ball(n *asset.Node, shape *sphereShape, radius float32, materials []string) {
	n.Mesh = &asset.Mesh{Name: n.Name}
	mirrored, all := make([]any, len(materials)), mirroring(0)
	for side, name := range materials {
		mirror := mirroringOf(m.lib.Stored(name))
		mirrored[side], all = float64(mirror), all|mirror
		n.Mesh.Primitives = append(n.Mesh.Primitives, shape.face(side, radius, mirror, m.lib.Named(name)))
	}
	if all != 0 {
		scene.SetShown(n.Native, ballMirror, mirrored)
	}
	m.scene.Meshes = append(m.scene.Meshes, n.Mesh)
}

// mirroring is how the picture of a side is mirrored: 1 across, 2 down, 3 both.
type mirroring uint8

// mirroringOf returns what a material says of it, which may be nil.
func mirroringOf(s *freelancer.Material) (m mirroring) {
	if s == nil {
		return 0
	}
	for k, name := range [...]string{"flip u", "flip v"} {
		if p := s.Property(name); p != nil && len(p.Words) > 0 && p.Words[0] != 0 {
			m |= 1 << k
		}
	}
	return m
}

// shownBall returns the mesh that a node of a planet was shown with, for another radius of its planet.
func shownBall(n *asset.Node, radius, scale float32) *asset.Mesh {
	if k, ok := scene.Number(scene.Shown(n.Native, ballScale)); ok {
		scale = float32(k)
	}
	shape, m := newSphereShape(), new(asset.Mesh)
	for side := range sphereSides {
		m.Primitives = append(m.Primitives, shape.face(side, radius*scale, mirroringOn(n, side), nil))
	}
	return m
}

// mirroringOn returns how the picture of a side was mirrored when its ball was shown.
func mirroringOn(ball *asset.Node, side int) mirroring {
	if list := scene.Numbers(scene.Shown(ball.Native, ballMirror)); side < len(list) {
		return mirroring(list[side])
	}
	return 0
}

// sphereShape is what balls of every size share: the normals of each side, and the texture coordinates and triangles of all.
type sphereShape struct {
	normals [len(sphereSides)][][3]float32
	coords  map[mirroring][][2]float32
	indices []uint32
}

func newSphereShape() *sphereShape {
	s := &sphereShape{coords: map[mirroring][][2]float32{}}
	for y := range sphereSteps + 1 {
		for x := range sphereSteps + 1 {
			u, v := float64(x)/sphereSteps, float64(y)/sphereSteps
			for side := range sphereSides {
				s.normals[side] = append(s.normals[side], sphereNormal(side, u, v))
			}
		}
	}
	for y := range uint32(sphereSteps) {
		for x := range uint32(sphereSteps) {
			a := y*(sphereSteps+1) + x
			b, c, d := a+1, a+sphereSteps+1, a+sphereSteps+2
			s.indices = append(s.indices, a, b, d, a, d, c)
		}
	}
	return s
}

// coordsOf returns the texture coordinates of a side.
func (s *sphereShape) coordsOf(mirror mirroring) [][2]float32 {
	if s.coords[mirror] != nil {
		return s.coords[mirror]
	}
	var list [][2]float32
	for y := range sphereSteps + 1 {
		for x := range sphereSteps + 1 {
			at := [2]float32{float32(x) / sphereSteps, 1 - float32(y)/sphereSteps}
			for k := range at {
				if mirror>>k&1 != 0 {
					at[k] = 1 - at[k]
				}
			}
			list = append(list, at)
		}
	}
	s.coords[mirror] = list
	return list
}

// sphereNormal returns the direction of a point of a side of the cube.
func sphereNormal(side int, u, v float64) (normal [3]float32) {
	out, right, up := sphereSides[side][0], sphereSides[side][1], sphereSides[side][2]
	var dir [3]float64
	length := 0.0
	for k := range 3 {
		dir[k] = out[k] + (2*u-1)*right[k] + (2*v-1)*up[k]
		length += dir[k] * dir[k]
	}
	length = math.Sqrt(length)
	for k := range 3 {
		normal[k] = float32(dir[k] / length)
	}
	return normal
}

// face returns a side of a ball.
func (s *sphereShape) face(side int, radius float32, mirror mirroring, material *asset.Material) *asset.Primitive {
	p := &asset.Primitive{Material: material, Normals: s.normals[side], TexCoords: [][][2]float32{s.coordsOf(mirror)}, Indices: s.indices}
	for _, n := range p.Normals {
		p.Positions = append(p.Positions, [3]float32{n[0] * radius, n[1] * radius, n[2] * radius})
	}
	return p
}
