package gltf

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// kindNames are the values of usher.asset.kind.
var kindNames = [...]string{asset.Plain: "plain", asset.Bone: "bone", asset.Hardpoint: "hardpoint", asset.Eye: "eye", asset.Marker: "marker", asset.Wire: "wire", asset.Hull: "hull", asset.Mount: "mount"}

// numberNodes gives every node its number and looks at what nodes are used for.
func (e *encoder) numberNodes() {
	for _, n := range e.s.Roots {
		e.tops[n] = true
		e.number(n, nil, 0)
	}
	for _, n := range e.s.Detached {
		e.number(n, nil, 0)
		e.detached[n] = true
	}
	for _, side := range e.s.Sides {
		for _, n := range side.Roots {
			if _, known := e.nodes[n]; !known {
				e.number(n, nil, 0)
			}
		}
	}
	for _, s := range e.s.Skins {
		for _, j := range s.Joints {
			e.jointOf[j] = true
		}
	}
	for _, a := range e.s.Animations {
		for _, c := range a.Channels {
			if c.Path != asset.MorphWeights {
				e.moved[c.Node] = true
			}
		}
	}
	for i, m := range e.s.Meshes {
		e.meshLists[m] = i
	}
}

func (e *encoder) number(n, parent *asset.Node, depth int) {
	if n == nil {
		e.failf("nodes", schema.ErrValue, "children", "a nil node")
		return
	}
	if _, seen := e.nodes[n]; seen {
		e.failf("nodes", schema.ErrCycle, n.Name, "the node occurs twice in the scene")
		return
	}
	if depth > schema.DefaultLimits.Depth {
		e.failf("nodes", schema.ErrLimit, n.Name, "nested deeper than %d", schema.DefaultLimits.Depth)
		return
	}
	e.nodes[n] = len(e.list)
	e.list = append(e.list, n)
	if e.parents[n] = parent; parent != nil {
		e.below[parent] = append(e.below[parent], n)
	}
	for _, c := range e.children(n) {
		e.number(c, n, depth+1)
	}
	for _, l := range e.levels(n) {
		at := e.levelParent(n, parent, l)
		e.tops[l] = at == nil && e.showsLevels() && e.inScene(n)
		e.number(l, at, depth+1)
	}
}

// root returns the topmost parent of a node.
func (e *encoder) root(n *asset.Node) *asset.Node {
	for e.parents[n] != nil {
		n = e.parents[n]
	}
	return n
}

func (e *encoder) inScene(n *asset.Node) bool { return e.tops[e.root(n)] }

func (e *encoder) buildNodes() {
	for i, n := range e.list {
		e.doc.Nodes = append(e.doc.Nodes, e.node(i, n))
	}
	for _, n := range e.list {
		if n.Skin == nil || n.Mesh == nil {
			continue
		}
		e.checkSkinned(n)
	}
	e.wrapRoots()
	for i, n := range e.list {
		e.shape(i, n)
	}
}

func (e *encoder) node(i int, n *asset.Node) *gltf.Node {
	path := fmt.Sprintf("nodes/%d", i)
	g := &gltf.Node{Name: n.Name, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
	own := record{}
	if n.Kind != e.usualKind(n) {
		if int(n.Kind) >= len(kindNames) {
			e.failf(path, schema.ErrValue, "Kind", "%d", n.Kind)
			return g
		}
		own["kind"] = kindNames[n.Kind]
	}
	for _, c := range e.below[n] {
		g.Children = append(g.Children, e.nodes[c])
	}
	e.place(path, n, g, own)
	if n.Camera != nil {
		g.Camera = gltf.Index(e.camera(n.Camera))
	}
	if n.Light != nil {
		e.extend(g, extLights, record{"light": e.light(n.Light)})
	}
	if n.Hidden {
		e.extend(g, extVisibility, record{"visible": false})
	}
	foreign := n.Extras
	if levels := e.levels(n); len(levels) > 0 && !e.showsLevels() {
		ids := make([]int, len(levels))
		for k, l := range levels {
			ids[k] = e.nodes[l]
		}
		e.extend(g, extLOD, record{"ids": ids})
	}
	if len(n.Coverage) > 0 {
		foreign = record{coverage: e.finiteList(path+"/Coverage", n.Coverage)}
		for k, v := range n.Extras {
			if k != coverage {
				foreign[k] = v
			}
		}
	}
	if owner, level := e.ownerOf(n); owner != nil {
		if own["lodOf"], own["lodLevel"] = owner.Name, level; e.parents[n] == owner {
			own["lodBelow"] = 1
		}
	} else if e.detached[n] {
		own["detached"] = 1
	}
	if n.Mesh != nil && e.meshes[n.Mesh] < 0 {
		own["mesh"] = e.emptyMesh(n.Mesh)
	}
	if n.Skin != nil && (n.Mesh == nil || !e.meshInfo[n.Mesh].skinned) {
		own["skin"] = e.skins[n.Skin] // glTF allows it only with a skinned mesh
	}
	if e.apart(n, g) {
		own["shape"] = i // editors change names and order
	}
	if e.hiding != nil && e.hiding.joints[n] {
		own[keyNumber] = i
	}
	if n.Mesh == nil && len(n.Weights) > 0 {
		own["weights"] = e.finiteList(path+"/Weights", n.Weights)
	}
	if kept := e.keep(n); kept != nil {
		own[keyKept] = kept
	}
	if e.s.Native != nil && e.tops[n] && !e.o.whole && (n.Native != nil || len(own) > 0) {
		own[keyScene] = 1
	}
	g.Extras = e.extras(path, foreign, n.Native, own)
	return g
}

// coverage is the name in a node's extras under which MSFT_lod expects the screen coverages.
const coverage = "MSFT_screencoverage"

func (e *encoder) usualKind(n *asset.Node) asset.NodeKind {
	switch {
	case e.jointOf[n]:
		return asset.Bone
	case n.Camera != nil:
		return asset.Eye
	case n.Light != nil:
		return asset.Marker
	}
	return asset.Plain
}

// extend gives a node an extension.
func (e *encoder) extend(g *gltf.Node, name string, v any) {
	if g.Extensions == nil {
		g.Extensions = gltf.Extensions{}
	}
	g.Extensions[name] = v
	e.used[name] = true
}

func (e *encoder) ownerOf(n *asset.Node) (*asset.Node, int) {
	if e.lodOwner == nil {
		e.lodOwner = map[*asset.Node]lodPlace{}
		for _, o := range e.list {
			for k, l := range o.LODs {
				e.lodOwner[l] = lodPlace{o, k + 1}
			}
		}
	}
	p := e.lodOwner[n]
	return p.owner, p.level
}

// place writes the transform. A matrix that is no product of translation, rotation and scale, or that is animated, is
// not allowed in glTF: its nearest such product is written, and the matrix beside it.
func (e *encoder) place(path string, n *asset.Node, g *gltf.Node, own record) {
	t := e.transform(n)
	if t.Matrix != nil {
		m := *t.Matrix
		e.finite(path+"/matrix", m[:])
		trs, exact := decompose(&m)
		if exact && !e.moved[n] && !(n.Skin != nil && n.Mesh != nil) && m != identityMatrix {
			for k, x := range m {
				g.Matrix[k] = float64(x)
			}
			return
		}
		own["matrix"] = m[:]
		t = trs
	}
	e.finite(path+"/translation", t.Translation[:])
	e.finite(path+"/scale", t.Scale[:])
	e.unitQuaternion(path+"/rotation", t.Rotation[:])
	for k := range 3 {
		g.Translation[k], g.Scale[k] = float64(t.Translation[k]), float64(t.Scale[k])
	}
	for k := range 4 {
		g.Rotation[k] = min(max(float64(t.Rotation[k]), -1), 1)
	}
	if g.Scale == [3]float64{} {
		// The library takes a zero scale for an absent one. The least float64 is 0 in the float32 of every reader.
		g.Scale[2] = math.SmallestNonzeroFloat64
	}
}

var identityMatrix = [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}

func (e *encoder) finite(path string, v []float32) {
	for i, x := range v {
		if notFinite(x) {
			e.o.Diagnostics.Warnf("not-finite", path, "%v is written as 0", x)
			v[i] = 0
		}
	}
}

func (e *encoder) finiteList(path string, v []float32) []float32 {
	c := append([]float32(nil), v...)
	e.finite(path, c)
	return c
}

func notFinite(x float32) bool { return math.Float32bits(x)&0x7F800000 == 0x7F800000 }

// unitQuaternion mends a rotation that is not of unit length.
func (e *encoder) unitQuaternion(path string, q []float32) {
	if mendQuaternion(q) {
		e.o.Diagnostics.Warnf("rotation-not-unit", path, "a rotation is brought to unit length")
	}
}

func mendQuaternion(q []float32) bool {
	var sum float64
	for _, x := range q {
		sum += float64(x) * float64(x)
	}
	if math.Abs(sum-1) <= 5e-3 {
		return false
	}
	if !(sum > 1e-30) || math.IsInf(sum, 0) {
		q[0], q[1], q[2], q[3] = 0, 0, 0, 1
		return true
	}
	length := math.Sqrt(sum)
	for i := range q {
		q[i] = float32(float64(q[i]) / length)
	}
	return true
}

// apart reports whether the skinned mesh of a node gets a node of its own, see [encoder.shape].
func (e *encoder) apart(n *asset.Node, g *gltf.Node) bool {
	return n.Mesh != nil && e.meshes[n.Mesh] >= 0 && n.Skin != nil && e.meshInfo[n.Mesh].skinned && (e.parents[n] != nil || e.wrapped[n] || e.moved[n] ||
		g.Translation != gltf.DefaultTranslation || g.Rotation != gltf.DefaultRotation || g.Scale != gltf.DefaultScale)
}

// shape gives a node its mesh and skin. glTF ignores the transform of a skinned mesh and of everything above it, and
// the validator warns of any: where there is one, a node of its own at the root carries the mesh, which changes nothing.
func (e *encoder) shape(i int, n *asset.Node) {
	if n.Mesh == nil || e.meshes[n.Mesh] < 0 {
		return
	}
	g := e.doc.Nodes[i]
	skinned := n.Skin != nil && e.meshInfo[n.Mesh].skinned
	if e.apart(n, g) {
		own := record{"meshOf": n.Name, "meshOfNode": i}
		g = &gltf.Node{Name: n.Name, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
		e.shapes[n] = len(e.doc.Nodes)
		e.doc.Nodes = append(e.doc.Nodes, g)
		e.carried = append(e.carried, n)
		g.Extras = e.join("nodes", nil, record{keyAsset: own})
	}
	path := fmt.Sprintf("nodes/%d", i)
	g.Mesh = gltf.Index(e.meshes[n.Mesh])
	if len(n.Weights) > 0 {
		g.Weights = e.weights(path, n.Weights, e.meshInfo[n.Mesh].targets)
	}
	if !skinned {
		if e.meshInfo[n.Mesh].skinned {
			e.o.Diagnostics.Warnf("skin-missing", path, "the mesh has joints, but the node no skin")
		}
		return
	}
	g.Skin = gltf.Index(e.skins[n.Skin])
	e.attachSkinRecord(g, n.Skin)
}

// weights makes a list of morph weights as long as glTF wants it.
func (e *encoder) weights(path string, w []float32, targets int) []float64 {
	if len(w) != targets {
		e.o.Diagnostics.Lossf("weights-count", path, "%d morph weights for %d targets", len(w), targets)
	}
	if targets == 0 {
		return nil
	}
	all := make([]float64, targets)
	for i := range min(len(w), targets) {
		if !notFinite(w[i]) {
			all[i] = float64(w[i])
		}
	}
	return all
}

// checkSkinned holds the joints of a mesh against the skin.
func (e *encoder) checkSkinned(n *asset.Node) {
	info := e.meshInfo[n.Mesh]
	if info.skinned && info.maxJoint >= len(n.Skin.Joints) {
		e.failf(fmt.Sprintf("nodes/%d", e.nodes[n]), schema.ErrRange, "JOINTS", "joint %d, the skin has %d", info.maxJoint, len(n.Skin.Joints))
	}
}

// wrapperName is the name of the node that joins the roots of joints.
const wrapperName = "Skeleton"

// wrapRoots gives joints that hang under several roots a common one, which glTF demands. The reader takes it away.
func (e *encoder) wrapRoots() {
	need := false
	holds := map[*asset.Node]bool{}
	for _, s := range e.s.Skins {
		for _, j := range s.Joints {
			holds[e.root(j)] = true
			need = need || e.root(j) != e.root(s.Joints[0])
		}
	}
	if !need {
		return
	}
	w := &gltf.Node{Name: wrapperName, Rotation: gltf.DefaultRotation, Scale: gltf.DefaultScale}
	e.wrapped = map[*asset.Node]bool{}
	var at []int
	for i, n := range e.s.Roots {
		if holds[n] {
			at = append(at, i)
			w.Children = append(w.Children, e.nodes[n])
			e.wrapped[n] = true
		}
	}
	if len(at) < len(holds) {
		e.o.Diagnostics.Warnf("skin-roots", "skins", "joints below roots outside the scene have no common root")
	}
	if len(at) == 0 {
		return
	}
	w.Extras = e.join("nodes", nil, record{keyAsset: record{"wraps": at}})
	e.wrapAt, e.wrapper = at, len(e.doc.Nodes)
	e.doc.Nodes = append(e.doc.Nodes, w)
	e.carried = append(e.carried, nil)
}

// What stands for values of a camera that glTF does not allow: radians, metres.
const (
	usualFOV  = 0.8
	usualNear = 0.01
)

func (e *encoder) camera(c *asset.Camera) int {
	if i, ok := e.cameras[c]; ok {
		return i
	}
	i := len(e.doc.Cameras)
	path := fmt.Sprintf("cameras/%d", i)
	p := &gltf.Perspective{Yfov: float64(c.FieldOfView), Znear: float64(c.Near)}
	own := record{}
	mend := func(field string, v *float64, good bool, usual float64) {
		if good {
			return
		}
		e.o.Diagnostics.Warnf("camera-value", path+"/"+field, "%v is not possible in glTF, %v is written", *v, usual)
		if !math.IsNaN(*v) && !math.IsInf(*v, 0) {
			own[field] = *v
		}
		*v = usual
	}
	mend("yfov", &p.Yfov, p.Yfov > 0 && p.Yfov < math.Pi, usualFOV)
	mend("znear", &p.Znear, p.Znear > 0 && !math.IsInf(p.Znear, 0), usualNear)
	if c.Far != 0 {
		far := float64(c.Far)
		mend("zfar", &far, far > p.Znear && !math.IsInf(far, 0), 2*p.Znear)
		p.Zfar = &far
	}
	if c.Aspect != 0 {
		a := float64(c.Aspect)
		mend("aspectRatio", &a, a > 0 && !math.IsInf(a, 0), 1)
		p.AspectRatio = &a
	}
	e.cameras[c] = i
	e.doc.Cameras = append(e.doc.Cameras, &gltf.Camera{Name: c.Name, Type: "perspective", Perspective: p, Extras: e.extras(path, c.Extras, c.Native, own)})
	return i
}
