package freelancer

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// findHulls reads the collision file beside a model, which has its name; nil when there is none.
func (m *model) findHulls() *freelancer.Sur {
	if m.scene.Name == "" || m.env.Plain && !m.env.Options.Freelancer.Hulls {
		return nil
	}
	b, path, err := m.env.Find(m.scene.Name + ".sur")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var s *freelancer.Sur
	if err == nil {
		s, err = read.Sur(b, m.d.In(path))
	}
	if err != nil {
		m.d.Warnf("hulls-unusable", path, "%v", err)
		return nil
	}
	return s
}

// takeHulls lets a scene show, and carry, the collision file beside its model. Without one, the parts get hulls of their
// own when the user wants them.
func (m *model) takeHulls() error {
	if len(m.parts) == 0 {
		return nil
	}
	defer func() {
		m.scene.Walk(func(n, _ *asset.Node) {
			if isHull(n) {
				n.Kind = asset.Hull
			}
		})
	}()
	if s := m.findHulls(); s != nil {
		b, err := write.Sur(s)
		if err != nil {
			return err
		}
		m.liftHulls(s)
		if m.scene.Native.Values == nil {
			m.scene.Native.Values = map[string]any{}
		}
		m.scene.Native.Values["sur"] = base64.StdEncoding.EncodeToString(b)
	}
	if m.env.Options.Freelancer.Hulls {
		m.madeHulls()
	}
	return nil
}

// carriedHulls returns the collision file that a scene carries; nil when there is none.
func carriedHulls(s *asset.Scene, d *schema.Diagnostics) *freelancer.Sur {
	if s.Native == nil {
		return nil
	}
	b := s.Native.Payload
	var err error
	if s.Native.Format != "sur" {
		text, ok := s.Native.Values["sur"].(string)
		if !ok {
			return nil
		}
		b, err = base64.StdEncoding.DecodeString(text)
	}
	var x *freelancer.Sur
	if err == nil {
		x, err = read.Sur(b, nil)
	}
	if err != nil {
		d.Warnf("native-unusable", "", "the hulls inside the scene cannot be read: %v", err)
		return nil
	}
	return x
}

// liftHulls makes a node for each hull that is no copy of one further down.
func (m *model) liftHulls(s *freelancer.Sur) {
	m.sur, m.stored = s, hull.PartsOf(s)
	m.hullOwners = make([]*part, len(m.stored))
	for i := range m.stored {
		m.hullOwners[i] = m.hullPart(&m.stored[i])
	}
	names := map[string]int{}
	for i := range m.stored {
		for k, h := range m.stored[i].Hulls {
			if h.Hull.Kind == freelancer.TerminalHull {
				m.liftHull(names, i, k)
			}
		}
	}
}

// hullPart returns the part of the model that a part of the collision file belongs to; nil when there is none. The file
// of a .3db model has one with the id 0, or any other.
func (m *model) hullPart(s *hull.Stored) *part {
	for _, p := range m.parts {
		switch {
		case s.Name != "" && strings.EqualFold(s.Name, p.name):
			return p
		case s.Part == nil && s.Name != "":
		case m.tree == nil && p.crc == s.ID:
			return p
		case m.tree == nil:
		case p.def != nil && uint32(s.ID) == freelancer.FLCRC(p.name):
			return p
		case p.def == nil && (s.Part == nil || s.ID == 0 || len(m.stored) == 1 || uint32(s.ID) == freelancer.FLCRC(p.name)):
			return p
		}
	}
	return nil
}

// liftHull makes the node of a hull, where it belongs by its id (reference freelancer-sur 4.2).
func (m *model) liftHull(names map[string]int, i, k int) {
	s, p := &m.stored[i], m.hullOwners[i]
	h := &s.Hulls[k]
	id := h.Hull.ID
	at, name, by := m.parts[0].node, id.String(), mgl64.Ident4()
	extras := map[string]any{hull.Property: true}
	if p != nil {
		at = p.node
	}
	switch place := m.placeOf(i, id); {
	case place.copied:
		return
	case place.hardpoint != nil:
		name = place.hardpoint.node.Name
		if place.part != p {
			extras[hull.Owner] = place.part.name
			break
		}
		at, by = place.hardpoint.node, space.Matrix(&place.hardpoint.node.Transform).Inv()
	case place.part != nil:
		name = place.part.name
		if place.part != p {
			extras[hull.Owner] = name
		}
	case uint32(id) == freelancer.FLCRC(freelancer.ShieldBubble) && slices.Contains(s.Hardpoints, id):
		name = freelancer.ShieldBubble
	}
	full := fmt.Sprintf("%s.%d%s", name, names[at.Name+"/"+name], hull.Suffix)
	names[at.Name+"/"+name]++
	n := asset.NewNode(full)
	n.Extras = extras
	m.id(n, fmt.Sprintf("hull:%d:%d", i, k))
	if extras[hull.Owner] != nil {
		n.Native.Values["crc"] = id.String()
	}
	if n.Mesh = m.hullMesh(full, h.Body(), by); volume(n.Mesh) < 0 {
		n.Native.Values[inward] = 1.0
	}
	at.Children = append(at.Children, n)
	m.shownHulls = append(m.shownHulls, hull.Shown{Part: i, Hull: k, ID: rig.ID(n)})
}

// inward is what a hull remembers whose stored faces look inwards.
const inward = "inward"

// hullPlace is what an id of a hull stands for.
type hullPlace struct {
	part      *part // that the hull is of
	hardpoint *hardpoint
	copied    bool // that part has it itself
}

func (m *model) placeOf(i int, id freelancer.Hash) hullPlace {
	s, p := &m.stored[i], m.hullOwners[i]
	if p == nil {
		return hullPlace{}
	}
	listed := slices.Contains(s.Hardpoints, id)
	if listed {
		if h := hardpointOf(p, id); h != nil {
			return hullPlace{part: p, hardpoint: h}
		}
	}
	if id == s.ID || s.Part == nil {
		return hullPlace{part: p}
	}
	for k, q := range m.hullOwners {
		if q == nil || q == p || !below(q, p) {
			continue
		}
		copied := m.stored[k].Count(id) == s.Count(id)
		if id == m.stored[k].ID {
			return hullPlace{part: q, copied: copied}
		}
		if h := hardpointOf(q, id); h != nil && listed {
			return hullPlace{part: q, hardpoint: h, copied: copied}
		}
	}
	for _, q := range m.parts { // a part without an entry of its own
		if below(q, p) && uint32(id) == freelancer.FLCRC(q.name) {
			return hullPlace{part: q}
		}
	}
	return hullPlace{}
}

func hardpointOf(p *part, id freelancer.Hash) *hardpoint {
	for _, h := range p.hardpoints {
		if freelancer.FLCRC(h.h.Name) == uint32(id) {
			return h
		}
	}
	return nil
}

// below reports whether a part hangs on another, at whatever distance.
func below(p, other *part) bool {
	for p = p.parent; p != nil; p = p.parent {
		if p == other {
			return true
		}
	}
	return false
}

func newHullLook() *asset.Material {
	m := asset.NewMaterial(hull.Suffix)
	m.BaseColor, m.Alpha, m.DoubleSided = [4]float32{0.1, 0.8, 0.2, 0.25}, asset.Blend, true
	return m
}

// hullMesh makes the mesh of a body. All hulls wear one material that shows them apart.
func (m *model) hullMesh(name string, b hull.Body, by mgl64.Mat4) *asset.Mesh {
	if m.hullLook == nil {
		m.hullLook = newHullLook()
		m.scene.Materials = append(m.scene.Materials, m.hullLook)
	}
	p := &asset.Primitive{Positions: b.Points, Material: m.hullLook, Indices: []uint32{}}
	for _, f := range b.Faces {
		p.Indices = append(p.Indices, uint32(f.Points[0]), uint32(f.Points[1]), uint32(f.Points[2]))
	}
	mesh := &asset.Mesh{Name: name, Primitives: []*asset.Primitive{mesh.Baked(p, by)}}
	m.scene.Meshes = append(m.scene.Meshes, mesh)
	return mesh
}

// madeHulls gives each part the convex hull of its mesh.
func (m *model) madeHulls() {
	for _, p := range m.parts {
		if p.node.Mesh == nil || slices.ContainsFunc(p.node.Children, isHull) {
			continue
		}
		b, ok := hull.ConvexHull(pointsOf(mesh.Soup(p.node.Mesh, mgl64.Ident4())))
		if !ok {
			continue
		}
		n := asset.NewNode(p.name + ".0" + hull.Suffix)
		n.Extras = map[string]any{hull.Property: true}
		n.Mesh = m.hullMesh(n.Name, b, mgl64.Ident4())
		p.node.Children = append(p.node.Children, n)
	}
}

// pointsOf returns the different corners of triangles.
func pointsOf(triangles [][3][3]float32) (points [][3]float32) {
	seen := map[[3]float32]bool{}
	for _, t := range triangles {
		for _, v := range t {
			if !seen[v] {
				seen[v] = true
				points = append(points, v)
			}
		}
	}
	return points
}

// isHull reports whether a node shows a hull: by its property, which survives a new name, or by its name.
func isHull(n *asset.Node) bool {
	if n.Mesh == nil || rig.Ignored(n) {
		return false
	}
	if yes, said := rig.Flag(n, hull.Property); said {
		return yes
	}
	base, _ := scene.Uncopied(n.Name)
	return strings.HasSuffix(base, hull.Suffix)
}

// hullFacts describes a collision file for "info".
func hullFacts(s *freelancer.Sur) (facts []format.Fact) {
	layout := "vers 2"
	switch {
	case s.Old != nil:
		layout = "older, without a version"
	case s.Version == 0:
		layout = "empty"
	}
	list := hull.PartsOf(s)
	terminal, faces, copies, radius := 0, 0, 0, 0.0
	var lists []string
	for _, p := range list {
		if p.Part != nil && p.Part.Surface != nil {
			radius = max(radius, float64(p.Part.Surface.Radius))
		}
		for _, h := range p.Hulls {
			if h.Hull.Kind != freelancer.TerminalHull {
				continue
			}
			terminal++
			faces += len(h.Hull.Faces)
			if p.Part != nil && h.Hull.ID != p.ID && !slices.Contains(p.Hardpoints, h.Hull.ID) {
				copies++
			}
		}
		for _, id := range p.Hardpoints {
			lists = append(lists, id.String())
		}
	}
	facts = append(facts, format.Fact{Name: "layout", Value: layout}, format.Fact{Name: "parts", Value: len(list)},
		format.Fact{Name: "hulls", Value: terminal}, format.Fact{Name: "faces", Value: faces})
	if copies > 0 {
		facts = append(facts, format.Fact{Name: "copies of other parts' hulls", Value: copies})
	}
	if len(lists) > 0 {
		facts = append(facts, format.Fact{Name: "hardpoints with hulls", Value: lists})
	}
	if radius > 0 {
		facts = append(facts, format.Fact{Name: "radius", Value: math.Round(radius*100) / 100})
	}
	return facts
}
