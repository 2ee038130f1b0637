package freelancer

import (
	"math"

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
	n.Mesh = &asset.Mesh{Name: name}
	shape := newSphereShape()
	for side := range sphereSides {
		if len(x.Materials) == 0 {
			break
		}
		n.Mesh.Primitives = append(n.Mesh.Primitives, shape.face(side, x.Radius, m.lib.Named(x.Materials[min(side, len(x.Materials)-1)])))
	}
	m.scene.Meshes = append(m.scene.Meshes, n.Mesh)
	if len(x.Materials) > 6 {
		shell := asset.NewNode(name + "$atmosphere")
		m.id(shell, "atmosphere")
		scene.SetShown(shell.Native, "called", shell.Name)
		shell.Mesh = &asset.Mesh{Name: shell.Name}
		for side := range sphereSides {
			shell.Mesh.Primitives = append(shell.Mesh.Primitives, shape.face(side, x.Radius*1.02, m.lib.Named(x.Materials[6])))
		}
		m.scene.Meshes = append(m.scene.Meshes, shell.Mesh)
		n.Children = append(n.Children, shell)
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

// sphereShape is what balls of every size share: the normals of each side, and the texture coordinates and triangles of all.
type sphereShape struct {
	normals [len(sphereSides)][][3]float32
	coords  [][2]float32
	indices []uint32
}

func newSphereShape() *sphereShape {
	s := &sphereShape{}
	for y := range sphereSteps + 1 {
		for x := range sphereSteps + 1 {
			u, v := float64(x)/sphereSteps, float64(y)/sphereSteps
			s.coords = append(s.coords, [2]float32{float32(u), float32(1 - v)})
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
func (s *sphereShape) face(side int, radius float32, material *asset.Material) *asset.Primitive {
	p := &asset.Primitive{Material: material, Normals: s.normals[side], TexCoords: [][][2]float32{s.coords}, Indices: s.indices}
	for _, n := range p.Normals {
		p.Positions = append(p.Positions, [3]float32{n[0] * radius, n[1] * radius, n[2] * radius})
	}
	return p
}
