package model

import (
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// levelEncoder makes a level of detail of a visible mesh and what is stored of it.
type levelEncoder struct {
	looks     *look.Lowerer
	diag      *schema.Diagnostics
	path      string
	metres    bool         // positions are metres, Y up
	stored    *ultima9.LOD // nil for a new mesh
	mount     *asset.Mesh  // visible mount geometry
	tidied    bool         // the program that saved the scene leaves out what shows nothing
	keepMount bool         // mount geometry is not shown at this level: the stored one stays
}

// encode returns the level, whether it differs from the stored one, and whether its vertices do.
func (e *levelEncoder) encode(mesh *asset.Mesh) (l *ultima9.LOD, changed, moved bool, err error) {
	if same, err := e.untouched(mesh); same || err != nil {
		return e.stored, false, false, err
	}
	visible, err := e.triangles(mesh, true)
	if err != nil {
		return nil, false, false, err
	}
	mount, err := e.triangles(e.mount, false)
	if err != nil {
		return nil, false, false, err
	}
	l = &ultima9.LOD{Flags: 4}
	var body surface
	mounts := surface{bare: true}
	if e.stored != nil {
		*l = *e.stored
		body = surface{faces: e.stored.Faces, vertices: e.stored.Vertices, materials: e.stored.Materials}
		mounts.faces, mounts.vertices = e.stored.MountFaces, e.stored.MountVertices
	}
	bodyEdit := body.edit(visible)
	mountEdit := mounts.edit(mount)
	if e.keepMount {
		mountEdit = edit{whole: true}
	}
	if e.stored != nil && bodyEdit.whole && mountEdit.whole {
		return l, false, false, nil
	}
	e.report(&bodyEdit)
	if !bodyEdit.whole {
		body.rebuild(&bodyEdit)
		if len(body.faces) > ultima9.MaxFaces {
			return nil, false, false, schema.Errorf(SappearName, schema.ErrRange, "faces", "%s: %d faces, at most %d", e.path, len(body.faces), ultima9.MaxFaces)
		}
		moved = e.stored == nil || !slices.Equal(body.vertices, e.stored.Vertices)
		e.takeBody(l, &body, moved)
	}
	if !mountEdit.whole {
		mounts.rebuild(&mountEdit)
		l.MountFaces, l.MountVertices = mounts.faces, mounts.vertices
	}
	if l.Sorted[0] == nil {
		sortFaces(l)
	}
	l.Layout()
	return l, true, moved, nil
}

// untouched reports whether a mesh is, number for number, what the stored level was lifted to.
func (e *levelEncoder) untouched(mesh *asset.Mesh) (bool, error) {
	if e.stored == nil || e.metres || mesh == nil {
		return false, nil
	}
	mounted := !e.keepMount && len(e.stored.MountFaces) > 0
	switch {
	case !e.keepMount && mounted != (e.mount != nil), !sameShapes(Primitives(e.stored), mesh.Primitives):
		return false, nil
	case mounted && !sameShapes([]*asset.Primitive{mountPrimitive(e.stored)}, e.mount.Primitives):
		return false, nil
	}
	i := 0
	for _, m := range e.stored.Materials {
		if m.FaceCount == 0 {
			continue
		}
		now, err := e.looks.Material(mesh.Primitives[i].Material)
		if err != nil || now != look.WithoutRange(m) {
			return false, err
		}
		i++
	}
	return true, nil
}

func sameShapes(a, b []*asset.Primitive) bool {
	return slices.EqualFunc(a, b, func(x, y *asset.Primitive) bool {
		return y.Mode == asset.Triangles && len(y.TexCoords) == 1 && TextureSet(y) == 0 && y.Colors == nil && slices.Equal(x.Indices, y.Indices) &&
			slices.Equal(x.Positions, y.Positions) && slices.Equal(x.Normals, y.Normals) && slices.Equal(x.TexCoords[0], y.TexCoords[0])
	})
}

// takeBody puts the rebuilt faces into the level.
func (e *levelEncoder) takeBody(l *ultima9.LOD, s *surface, moved bool) {
	if l.MaxFaces = max(l.MaxFaces, uint32(len(s.faces))); e.stored == nil || e.stored.MaxFaces == uint32(len(e.stored.Faces)) {
		l.MaxFaces = uint32(len(s.faces))
	}
	l.Faces, l.Vertices, l.Materials = s.faces, s.vertices, s.materials
	if !s.sameFaces {
		l.Sorted = [4][]int16{}
	}
	if moved {
		boundLOD(l)
	}
}

// sortFaces fills the four sorted lists: the order of the faces, and its reverse (reference section 6.7).
func sortFaces(l *ultima9.LOD) {
	n := len(l.Faces)
	for i := range l.Sorted {
		list := make([]int16, n+2)
		list[0], list[n+1] = -1, -1
		for k := range n {
			list[k+1] = int16(k)
			if i%2 == 1 {
				list[k+1] = int16(n - 1 - k)
			}
		}
		l.Sorted[i] = list
	}
}

func (e *levelEncoder) report(x *edit) {
	if e.stored == nil {
		e.diag.Notef("level-new", e.path, "%d faces", len(x.visible))
		return
	}
	kept, looks, changed := 0, 0, 0
	for _, p := range x.pairs {
		switch {
		case p.face >= 0 && p.same:
			kept++
		case p.face >= 0 && p.exact == [3]bool{true, true, true}:
			looks++
		default:
			changed++
		}
	}
	other := ""
	if looks > 0 {
		other = fmt.Sprintf(" %d of the same shape with another material or colour,", looks)
	}
	e.diag.Notef("level-edited", e.path, "%d faces as they were,%s %d new or changed, %d before", kept, other, changed, len(e.stored.Faces))
}

// triangles returns the faces of a mesh as they are stored: raw units, clockwise.
func (e *levelEncoder) triangles(m *asset.Mesh, looks bool) ([]triangle, error) {
	if m == nil {
		return nil, nil
	}
	var list []triangle
	mixed, unmapped := 0, 0
	for _, p := range m.Primitives {
		if p.Mode != asset.Triangles {
			continue
		}
		count := len(p.Positions)
		if p.Indices != nil {
			count = len(p.Indices)
		}
		material := ultima9.Material{}
		if looks && count > 0 {
			var err error
			if material, err = e.looks.Material(p.Material); err != nil {
				return nil, err
			}
		}
		for i := 0; i+3 <= count; i += 3 {
			t := triangle{material: material}
			var vertices [3]uint32
			for k, at := range [3]int{i, i + 2, i + 1} {
				v := uint32(at)
				if p.Indices != nil {
					v = p.Indices[at]
				}
				if int(v) >= len(p.Positions) {
					return nil, schema.Errorf(SappearName, schema.ErrRange, "indices", "%s: vertex %d of %d", e.path, v, len(p.Positions))
				}
				t.corners[k], vertices[k] = e.corner(p, v), v
			}
			if looks && e.stored != nil && !e.tidied && !t.corners[0].hasUV {
				unmapped++
			}
			if looks && look.Plain(p.Material) {
				color := displayColor(p.Material.BaseColor)
				t.color = &color
			}
			if len(p.Colors) == len(p.Positions) && len(p.Colors) > 0 {
				color, same := faceColor(p, vertices)
				t.color = &color
				if !same {
					mixed++
				}
			}
			list = append(list, t)
		}
	}
	if unmapped > 0 {
		e.diag.Lossf("texture-coordinates", e.path, "%d triangles have no texture coordinates any more: those that were there keep theirs", unmapped)
	}
	if mixed > 0 {
		e.diag.Lossf("corner-colours", e.path, "%d faces have corners of different colours: a face has one, their mean", mixed)
	}
	return list, nil
}

// faceColor returns the mean of the colours of three vertices, and whether they have one and the same.
func faceColor(p *asset.Primitive, vertices [3]uint32) (mean [4]uint8, same bool) {
	a, b, c := displayColor(p.Colors[vertices[0]]), displayColor(p.Colors[vertices[1]]), displayColor(p.Colors[vertices[2]])
	for k := range mean {
		mean[k] = uint8((int(a[k]) + int(b[k]) + int(c[k]) + 1) / 3)
	}
	return mean, a == b && b == c
}

func (e *levelEncoder) corner(p *asset.Primitive, v uint32) corner {
	c := corner{position: cleanPosition(p.Positions[v])}
	if int(v) < len(p.Normals) {
		c.normal, c.hasNormal = cleanNormal(p.Normals[v], [3]float32{}), true
	}
	if set := TextureSet(p); set < len(p.TexCoords) && int(v) < len(p.TexCoords[set]) {
		c.uv, c.hasUV = cleanUV(p.TexCoords[set][v]), true
	}
	if e.metres {
		c.position, c.normal = rawPoint(c.position), rawVector(c.normal)
	}
	return c
}

// TextureSet returns the number of the texture coordinate set that a primitive's picture uses.
func TextureSet(p *asset.Primitive) int {
	if p.Material == nil || p.Material.BaseColorTexture == nil {
		return 0
	}
	return p.Material.BaseColorTexture.TexCoord
}

// displayColor turns a linear colour into a stored one.
func displayColor(c [4]float32) (out [4]uint8) {
	for k, x := range c {
		if k < 3 {
			x = scene.Display(x)
		}
		out[k] = look.AlphaByte(x)
	}
	return out
}
