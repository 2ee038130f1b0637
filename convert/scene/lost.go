package scene

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Capabilities says which parts of a scene a target can hold. The zero value means triangles with one set of texture
// coordinates and a picture, and nothing else.
type Capabilities struct {
	Target string // the target as it appears in a sentence: "a .3db file"
	Format string // name of the format in errors, and in the Native of scenes lifted from it

	Bare bool // meshes are not examined: the target holds transforms only

	Empty      bool     // a scene without triangles is valid
	Lines      LineRoom // which lines it holds
	Points     bool
	Colors     bool // of vertices or faces
	TexCoords  int  // sets of texture coordinates; 0 stands for 1
	Skins      bool
	Influences int  // joints that can move a vertex; 0 stands for any number
	Morphs     bool // morph targets, or frames that represent them
	Hulls      bool // surfaces for collisions only
	Levels     int  // lower levels of detail
	Coverage   bool // screen coverages that select levels of detail

	Cameras    bool
	Lights     bool
	Animations bool     // of nodes or of morph targets, as Paths says
	Paths      [4]bool  // the kinds of channels that it holds, by asset.Path
	Properties []string // names of the custom properties that it uses; AnyProperty for all

	Looks Looks // the parts of a material that it holds besides colour and picture

	// Name returns what a name becomes in the target. n is the Native of the thing with this name. It is nil if the target
	// holds any name, or none.
	Name func(kind NameKind, name string, n *asset.Native) string
}

// LineRoom says which lines a target can hold.
type LineRoom uint8

// The kinds of room for lines.
const (
	NoLines    LineRoom = iota
	LinesApart          // those of a mesh that has nothing else
	AllLines
)

// NameKind is the kind of thing that has a name.
type NameKind uint8

// The kinds of names.
const (
	NodeName NameKind = iota // of a node that shows something or is a joint
	MeshName
	MaterialName
)

// AnyProperty among Properties stands for all of them.
const AnyProperty = "*"

// Looks is a set of parts of a material besides its colour and its picture.
type Looks uint32

// The parts of a material.
const (
	LookBlend Looks = 1 << iota // half-transparent places
	LookMask                    // holes
	LookDoubleSided
	LookUnlit
	LookEmissive
	LookEmissiveTexture
	LookSpecular
	LookSpecularTexture
	LookMetal // metal and roughness, as numbers
	LookMetalTexture
	LookNormalTexture
	LookOcclusionTexture
	LookLightTexture
)

var looks = [...]struct {
	look Looks
	name string
	has  func(m *asset.Material) bool
}{
	{LookBlend, "half-transparency", func(m *asset.Material) bool { return m.Alpha == asset.Blend && !Solid(m) }},
	{LookMask, "holes", func(m *asset.Material) bool { return m.Alpha == asset.Mask && !Solid(m) }},
	{LookDoubleSided, "visibility from behind", func(m *asset.Material) bool { return m.DoubleSided }},
	{LookUnlit, "look without light", func(m *asset.Material) bool { return m.Unlit }},
	{LookEmissive, "own light", func(m *asset.Material) bool { return m.Emissive != [3]float32{} && m.EmissiveStrength != 0 }},
	{LookEmissiveTexture, "picture of own light", func(m *asset.Material) bool { return Used(m.EmissiveTexture) }},
	{LookSpecular, "reflections", func(m *asset.Material) bool {
		return m.Specular != nil && m.Specular.Factor != 0 && m.Specular.Color != [3]float32{} && (m.Specular.Factor != 1 || m.Specular.Color != [3]float32{1, 1, 1})
	}},
	{LookSpecularTexture, "picture of reflections", func(m *asset.Material) bool {
		return m.Specular != nil && (Used(m.Specular.Texture) || Used(m.Specular.ColorTexture))
	}},
	{LookMetal, "metal", func(m *asset.Material) bool { return m.Metallic > 0 }},
	{LookMetalTexture, "picture of metal and roughness", func(m *asset.Material) bool { return Used(m.MetalRoughTexture) }},
	{LookNormalTexture, "picture of normals", func(m *asset.Material) bool { return Used(m.NormalTexture) }},
	{LookOcclusionTexture, "picture of occlusion", func(m *asset.Material) bool { return Used(m.OcclusionTexture) }},
	{LookLightTexture, "picture of light", func(m *asset.Material) bool { return Used(m.LightTexture) }},
}

// Used reports whether a reference leads to a texture. r may be nil.
func Used(r *asset.TextureRef) bool { return r != nil && r.Texture != nil }

// Solid reports whether a material is fully opaque, whatever its mode says.
func Solid(m *asset.Material) bool {
	if m.BaseColor[3] < 1 {
		return false
	}
	if !Used(m.BaseColorTexture) {
		return true
	}
	t := m.BaseColorTexture.Texture
	b := t.Base()
	return b != nil && b.AlphaMode(t.Palette) == asset.Opaque
}

// Lost compares a scene with what its target can hold, and reports each loss once, with its count and the first place. It
// does not report things without effect: animations that stay at rest, white vertex colours, morph targets that move
// nothing, unused texture coordinates, tangents. It fails if no model can be made: a mesh without triangles for a target
// that needs them, or coordinates that are not finite.
func Lost(s *asset.Scene, c *Capabilities, d *schema.Diagnostics) error {
	l := &audit{scene: s, c: c, d: d, tallies: map[string]*tally{}}
	l.nodes()
	l.looks()
	l.motions()
	l.report()
	if l.err != nil {
		return l.err
	}
	if own := s.Native != nil && s.Native.Format == c.Format; !c.Empty && !c.Bare && l.triangles == 0 && !own {
		return schema.Errorf(c.Format, schema.ErrUnsupported, "", "the scene shows no triangles, and %s is made of them", c.Target)
	}
	return nil
}

// tally counts a loss.
type tally struct {
	n     int
	first string
	more  string // of the first
}

type audit struct {
	scene     *asset.Scene
	c         *Capabilities
	d         *schema.Diagnostics
	tallies   map[string]*tally
	triangles int
	seen      map[*asset.Mesh]bool
	err       error
}

func (l *audit) count(code, name string) *tally {
	t := l.tallies[code]
	if t == nil {
		t = &tally{first: name}
		l.tallies[code] = t
	}
	t.n++
	return t
}

// report reports the losses in its own order.
func (l *audit) report() {
	for _, x := range [...]struct {
		code, one, many string
		room            int // how many of it the target holds
	}{
		{"lines-and-points", "1 primitive of lines or points is left out", "%d primitives of lines or points are left out", 0},
		{"hull", "1 collision hull is left out", "%d collision hulls are left out", 0},
		{"skin", "1 mesh has a skin, and stays in the shape in which it was bound", "%d meshes have skins, and stay in the shape in which they were bound", 0},
		{"influences", "1 vertex follows more joints than it can", "%d vertices follow more joints than they can, which keep the strongest", l.c.Influences},
		{"morph-targets", "the morph targets of 1 mesh are left out", "the morph targets of %d meshes are left out", 0},
		{"levels", "lower levels of detail of 1 node are left out", "lower levels of detail of %d nodes are left out", l.c.Levels},
		{"coverage", "the screen coverage of levels of detail of 1 node is left out", "the screen coverage of levels of detail of %d nodes is left out", 0},
		{"vertex-colours", "the colours of vertices of 1 mesh are left out", "the colours of vertices of %d meshes are left out", 0},
		{"texture-coordinates", "further sets of texture coordinates of 1 mesh are left out", "further sets of texture coordinates of %d meshes are left out", max(l.c.TexCoords, 1)},
		{"animations", "1 animation is left out", "%d animations are left out", 0},
		{"animation-path", "1 channel of animations is left out", "%d channels of animations are left out", 0},
		{"camera", "1 camera is left out", "%d cameras are left out", 0},
		{"light", "1 light is left out", "%d lights are left out", 0},
		{"detached-node", "1 node outside the scene is left out", "%d nodes outside the scene are left out", 0},
		{"extras", "the custom properties of 1 object are left out", "the custom properties of %d objects are left out", 0},
	} {
		if t := l.tallies[x.code]; t != nil {
			l.lose(x.code, x.one, x.many, x.room, t)
		}
	}
	for _, x := range looks {
		if t := l.tallies[lookCode(x.look)]; t != nil {
			l.lose("material-property", "the "+x.name+" of 1 material is left out", "the "+x.name+" of %d materials is left out", 0, t)
		}
	}
	if t := l.tallies["name"]; t != nil {
		l.d.Lossf("name", "", "%s cannot be held as %s: %s", schema.Counted(t.n, "name", "names"), map[bool]string{true: "it is", false: "they are, the first"}[t.n == 1], t.more)
	}
}

// lose reports a loss.
func (l *audit) lose(code, one, many string, room int, t *tally) {
	text, first, holds := one, "", "none"
	if t.n > 1 {
		text = fmt.Sprintf(many, t.n)
	}
	switch {
	case t.first == "":
	case t.n == 1:
		first = fmt.Sprintf(" (%q)", t.first)
	default:
		first = fmt.Sprintf(" (the first is %q)", t.first)
	}
	if room > 0 {
		holds = fmt.Sprint(room)
	}
	l.d.Lossf(code, "", "%s%s%s: %s holds %s", text, t.more, first, l.c.Target, holds)
}

func lookCode(x Looks) string { return fmt.Sprintf("look-%d", x) }

func (l *audit) nodes() {
	l.seen = map[*asset.Mesh]bool{}
	joints := map[*asset.Node]bool{}
	for _, s := range l.scene.Skins {
		for _, j := range s.Joints {
			joints[j] = true
		}
	}
	detached := map[*asset.Node]bool{}
	for _, n := range l.scene.Detached {
		if n.Native == nil && (n.Mesh == nil || n.Mesh.Native == nil) {
			detached[n] = true
		}
	}
	below := map[*asset.Node]bool{} // levels that the target has no room for, and what is below them
	l.scene.Walk(func(n, parent *asset.Node) {
		if below[n] || below[parent] {
			below[n] = true
			return
		}
		if len(n.LODs) > l.c.Levels {
			l.count("levels", n.Name)
			for _, x := range n.LODs[l.c.Levels:] {
				below[x] = true
			}
		}
		if len(n.Coverage) > 0 && !l.c.Coverage {
			l.count("coverage", n.Name)
		}
		if detached[n] || detached[parent] {
			if detached[n] && parent == nil {
				l.count("detached-node", n.Name)
			}
			detached[n] = true
			return
		}
		if n.Camera != nil && !l.c.Cameras {
			l.count("camera", n.Name)
		}
		if n.Light != nil && !l.c.Lights {
			l.count("light", n.Name)
		}
		l.properties(n.Name, n.Extras)
		if n.Mesh == nil || l.c.Bare {
			if joints[n] && l.c.Skins {
				l.name(NodeName, n.Name, n.Native)
			}
			return
		}
		if isHull(n) && !l.c.Hulls {
			l.count("hull", n.Name)
			return
		}
		l.name(NodeName, n.Name, n.Native)
		l.mesh(n)
	})
	l.properties("", l.scene.Extras)
}

// properties counts an object with custom properties that mean nothing to the target.
func (l *audit) properties(name string, extras map[string]any) {
	if slices.Contains(l.c.Properties, AnyProperty) {
		return
	}
	for key := range extras {
		if key != "usher" && !slices.Contains(l.c.Properties, key) {
			l.count("extras", name)
			return
		}
	}
}

// name counts a name that the target changes.
func (l *audit) name(kind NameKind, name string, n *asset.Native) {
	if l.c.Name == nil || name == "" {
		return
	}
	if now := l.c.Name(kind, name, n); now != name {
		if t := l.count("name", name); t.n == 1 {
			t.more = fmt.Sprintf("%q becomes %q", name, now)
		}
	}
}

// mesh looks at the mesh of a node.
func (l *audit) mesh(n *asset.Node) {
	m := n.Mesh
	if n.Skin != nil && len(n.Skin.Joints) > 0 && !l.c.Skins && slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return len(p.Joints) > 0 }) {
		l.count("skin", n.Name)
	}
	if l.seen[m] {
		return
	}
	l.seen[m] = true
	l.name(MeshName, m.Name, m.Native)
	where := m.Name
	if where == "" {
		where = n.Name
	}
	l.properties(where, m.Extras)
	only := func(mode asset.Mode) bool {
		return !slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Mode != mode })
	}
	colours, morphs, sets := false, false, false
	for i, p := range m.Primitives {
		if p.Load != nil { // made when it is needed
			l.triangles++
			continue
		}
		l.numbers(where, i, p, m)
		switch {
		case p.Mode == asset.Triangles:
			l.triangles += len(p.Indices) / 3
			if p.Indices == nil {
				l.triangles += len(p.Positions) / 3
			}
		case len(p.Positions) == 0:
		case p.Mode == asset.Points && !l.c.Points,
			p.Mode == asset.Lines && (l.c.Lines == NoLines || l.c.Lines == LinesApart && !only(asset.Lines)):
			l.count("lines-and-points", where)
			continue
		}
		colours = colours || slices.ContainsFunc(p.Colors, func(c [4]float32) bool { return c != [4]float32{1, 1, 1, 1} })
		morphs = morphs || slices.ContainsFunc(p.Targets, moves)
		sets = sets || l.tooManySets(p)
		if l.c.Skins && l.c.Influences > 0 {
			l.influences(where, p)
		}
	}
	for code, lost := range map[string]bool{"vertex-colours": colours && !l.c.Colors, "morph-targets": morphs && !l.c.Morphs, "texture-coordinates": sets} {
		if lost {
			l.count(code, where)
		}
	}
}

// moves reports whether a morph target moves anything.
func moves(t asset.Target) bool {
	return slices.ContainsFunc(t.Positions, func(v [3]float32) bool { return v != [3]float32{} })
}

// tooManySets reports whether a primitive has texture coordinates beyond those that the target holds, with anything in them.
func (l *audit) tooManySets(p *asset.Primitive) bool {
	for _, uv := range p.TexCoords[min(len(p.TexCoords), max(l.c.TexCoords, 1)):] {
		if Mapped(uv) {
			return true
		}
	}
	return false
}

// Mapped reports whether a set of texture coordinates differs between vertices. Editors add constant sets to primitives
// that had none, if other primitives of the mesh have some.
func Mapped(uv [][2]float32) bool {
	return slices.ContainsFunc(uv, func(v [2]float32) bool { return v != uv[0] })
}

func (l *audit) influences(where string, p *asset.Primitive) {
	if 4*len(p.Weights) <= l.c.Influences { // as in all meshes without a skin, which need not be looked at
		return
	}
	for v := range p.Positions {
		n := 0
		for _, set := range p.Weights {
			for _, w := range set[v] {
				if w > 0 {
					n++
				}
			}
		}
		if n > l.c.Influences {
			l.count("influences", where)
		}
	}
}

// numbers refuses coordinates that are no numbers, unless usher wrote the mesh: then they are in the original too.
func (l *audit) numbers(where string, i int, p *asset.Primitive, m *asset.Mesh) {
	if l.err != nil || m.Native != nil || l.scene.Native != nil {
		return
	}
	bad := func(name string, v int, x []float32) {
		for _, f := range x {
			if f-f != 0 && l.err == nil {
				l.err = schema.In(fmt.Sprintf("mesh %q/primitives/%d", where, i), schema.Errorf(l.c.Format, schema.ErrValue, name, "vertex %d is at %v, which is no place", v, x))
			}
		}
	}
	for v := range p.Positions {
		bad("POSITION", v, p.Positions[v][:])
	}
	for v := range p.Normals {
		bad("NORMAL", v, p.Normals[v][:])
	}
	for k, set := range p.TexCoords {
		for v := range set {
			bad(fmt.Sprintf("TEXCOORD_%d", k), v, set[v][:])
		}
	}
}

func (l *audit) looks() {
	shown := map[*asset.Material]bool{}
	for m := range l.seen {
		for _, p := range m.Primitives {
			shown[p.Material] = true
		}
	}
	for _, m := range l.scene.Materials {
		if !shown[m] {
			continue
		}
		l.name(MaterialName, m.Name, m.Native)
		l.properties(m.Name, m.Extras)
		for _, x := range looks {
			if l.c.Looks&x.look == 0 && x.has(m) {
				l.count(lookCode(x.look), m.Name)
			}
		}
	}
}

// motions looks at the animations. Channels that leave what they move at rest are none.
func (l *audit) motions() {
	if len(l.scene.Animations) == 0 {
		return
	}
	for _, a := range l.scene.Animations {
		l.properties(a.Name, a.Extras)
	}
	size := Size(l.scene)
	names := [...]string{asset.Translation: "moving", asset.Rotation: "turning", asset.Scale: "scaling", asset.MorphWeights: "blending shapes"}
	kinds := map[asset.Path]bool{}
	for _, a := range l.scene.Animations {
		moving := false
		for _, c := range a.Channels {
			if int(c.Path) >= len(l.c.Paths) || !Valid(c) || Still(CurveOf(c.Node, c.Path, c), size) {
				continue
			}
			moving = true
			if l.c.Animations && !l.c.Paths[c.Path] {
				l.count("animation-path", c.Node.Name)
				kinds[c.Path] = true
			}
		}
		if moving && !l.c.Animations {
			l.count("animations", a.Name)
		}
	}
	if t := l.tallies["animation-path"]; t != nil {
		var list []string
		for p, name := range names {
			if kinds[asset.Path(p)] {
				list = append(list, name)
			}
		}
		t.more = " (" + strings.Join(list, ", ") + ")"
	}
}
