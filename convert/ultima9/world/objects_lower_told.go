package world

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// This file tells what was done to the scene of a map that its files cannot hold: they refer to models and pictures,
// which are records of their own.

// shapeName is Native.Format of the mesh of a limb in a map: what reports whether somebody edited it.
const shapeName = "u9-shape"

// keepShape marks the mesh of a limb, at a place within its model.
func keepShape(m *asset.Mesh, at mgl64.Mat4, depth int) {
	values := map[string]any{"name": m.Name, "depth": depth, "sums": scene.List(shapeSums(m))}
	if at != mgl64.Ident4() {
		values["at"] = scene.List(at[:])
	}
	m.Native = &asset.Native{Format: shapeName, Values: scene.ForReading(values)}
}

// shapeSums returns numbers that stay the same however an editor writes a mesh: the area of the triangles, where it lies,
// how far, how much of the pictures they show, and how coloured they are.
func shapeSums(m *asset.Mesh) []float64 {
	sums := make([]float64, 10)
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles || p.Load != nil {
			continue
		}
		corners := p.Indices
		if corners == nil {
			corners = make([]uint32, len(p.Positions))
			for i := range corners {
				corners[i] = uint32(i)
			}
		}
		for i := 0; i+3 <= len(corners); i += 3 {
			var v [3]mgl64.Vec3
			for k := range v {
				if int(corners[i+k]) >= len(p.Positions) {
					return sums
				}
				v[k] = scene.Wide3(p.Positions[corners[i+k]])
			}
			area := v[1].Sub(v[0]).Cross(v[2].Sub(v[0])).Len()
			sums[0] += area
			for k := range 3 {
				middle := (v[0][k] + v[1][k] + v[2][k]) / 3
				sums[1+k] += area * middle
				sums[4+k] += area * (v[0][k]*v[0][k] + v[1][k]*v[1][k] + v[2][k]*v[2][k])
			}
			if set := model.TextureSet(p); set < len(p.TexCoords) && len(p.TexCoords[set]) == len(p.Positions) {
				uv := p.TexCoords[set]
				for k := range 3 {
					sums[7] += area * float64(uv[corners[i+k]][0])
					sums[8] += area * float64(uv[corners[i+k]][1])
				}
			}
			for k := 0; k < 3 && len(p.Colors) == len(p.Positions); k++ {
				for _, c := range p.Colors[corners[i+k]] {
					sums[9] += area * (1 - float64(c))
				}
			}
		}
	}
	return sums
}

// tellShape reports a limb of a model in a map that is not as it was: moved within the object, renamed, edited. A map
// does not hold models.
func (l *objectLowerer) tellShape(n *asset.Node, at mgl64.Mat4, depth int) {
	m := n.Mesh
	if m == nil || l.told[n.Name] {
		return
	}
	what := ""
	if m.Native == nil || m.Native.Format != shapeName {
		if !l.marked {
			return // a map from before meshes were marked
		}
		what = "is new"
	} else {
		was, known := l.sums[m]
		if !known {
			was = sameSums(scene.Numbers(scene.Shown(m.Native, "sums")), shapeSums(m))
			l.sums[m] = was
		}
		place := mgl64.Ident4()
		if list := scene.Numbers(scene.Shown(m.Native, "at")); len(list) == len(place) {
			copy(place[:], list)
		}
		switch name := scene.ShownText(m.Native, "name"); {
		case !was:
			what = "has other vertices, triangles, texture coordinates or colours"
		case !scene.SamePlace(place, at, 2*ultima9.RawPerMetre):
			what = "was moved, turned or scaled (with its texture coordinates)"
		case depth > 0 && scene.Renamed(name, n.Name):
			what = fmt.Sprintf("was called %q", name)
		case depth != scene.ShownWhole(m.Native, "depth", depth) && depth > 0:
			what = "was put below another node"
		}
	}
	if what == "" {
		return
	}
	l.told[n.Name] = true
	if l.shapes++; l.shapes == 1 {
		l.firstWhat = what
	}
	if l.firstShape[min(depth, 1)] == "" {
		l.firstShape[min(depth, 1)] = n.Name
	}
}

func sameSums(was, now []float64) bool {
	if len(was) != len(now) || len(now) < 10 {
		return false
	}
	if now[7] == 0 && now[8] == 0 { // without pictures nobody sees the coordinates, and editors leave them out
		was = append(slices.Clone(was[:7]), 0, 0, was[9])
	}
	for i := range was {
		scale := max(math.Abs(was[i]), math.Abs(now[i]))
		if i > 0 && i < 4 {
			scale = math.Sqrt(math.Abs(was[0] * was[i+3])) // how far the area reaches
		} else if i >= 7 {
			scale = max(scale, was[0])
		}
		if math.Abs(was[i]-now[i]) > 1e-5*scale {
			return false
		}
	}
	return true
}

// tellRest reports what was seen besides objects, and the objects that are gone.
func (l *objectLowerer) tellRest(s *asset.Scene, root *asset.Native) {
	d := l.env.Told()
	if l.shapes > 0 {
		names := strings.Join(slices.DeleteFunc(l.firstShape[:], func(s string) bool { return s == "" }), ", ")
		d.Lossf("model-edited", names, "%d pieces of models differ from what the map showed, the first %s: a map only refers to models, edit that of the archive", l.shapes, l.firstWhat)
	}
	if root != nil {
		l.names.CheckCalled(s, root.Format)
	}
	l.names.Tell(d, "objects have no names of their own")
	gone, first := 0, uint32(0)
	for offset := range l.stored {
		if !l.seen[offset] {
			if gone++; gone == 1 || offset < first {
				first = offset
			}
		}
	}
	if gone > 0 {
		d.Warnf("objects-removed", "", "%d objects are not in the scene and are taken out of the map, the first is %s_%x: they were deleted, or an editor left out nodes without a shape", gone, l.kind, first)
	}
	for _, n := range s.Roots {
		l.tellStrange(n)
	}
}

// tellStrange reports meshes and empty nodes outside the nodes of a map.
func (l *objectLowerer) tellStrange(n *asset.Node) {
	if n.Native != nil && strings.HasPrefix(n.Native.Format, "u9-") {
		return
	}
	if n.Mesh != nil || n.Light == nil && n.Camera == nil && len(n.Children) == 0 {
		l.env.Told().Lossf("unknown-object", n.Name, "the node is not below those of the map (u9_%s), and is left out", l.kind)
	}
	for _, c := range n.Children {
		l.tellStrange(c)
	}
}
