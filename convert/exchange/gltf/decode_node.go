package gltf

import (
	"fmt"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// readNodes makes the nodes with all but their place in the scene and their skins.
func (d *decoder) readNodes() error {
	if err := d.separateCopies(); err != nil {
		return err
	}
	if err := d.readParents(); err != nil {
		return err
	}
	cameras := d.readCameras()
	empties := map[int]*asset.Mesh{}
	for i, g := range d.doc.Nodes {
		n, own, err := d.readNode(fmt.Sprintf("nodes/%d", i), g, cameras, empties)
		if err != nil {
			return err
		}
		d.nodes = append(d.nodes, n)
		d.own = append(d.own, own)
	}
	for i, g := range d.doc.Nodes {
		for _, c := range g.Children {
			d.nodes[i].Children = append(d.nodes[i].Children, d.nodes[c])
		}
	}
	if err := d.expandInstances(); err != nil {
		return err
	}
	_, u := split(d.sceneExtras())
	for name := range d.child(d.child(u, keyAsset), "meshes") {
		d.emptyMeshAt(d.child(d.child(d.child(u, keyAsset), "meshes"), name), empties)
	}
	d.s.Meshes = interleave(d.meshes, empties)
	return nil
}

// readParents notes what each node hangs on.
func (d *decoder) readParents() error {
	d.parents = make([]int, len(d.doc.Nodes))
	for i := range d.parents {
		d.parents[i] = -1
	}
	for i, g := range d.doc.Nodes {
		for _, c := range g.Children {
			path := fmt.Sprintf("nodes/%d/children", i)
			if err := refer(path, c, len(d.doc.Nodes)); err != nil {
				return err
			}
			if d.parents[c] >= 0 {
				return pathError(path, schema.ErrCycle, "node %d has two parents, %d and %d", c, d.parents[c], i)
			}
			d.parents[c] = i
		}
	}
	return d.checkDepth()
}

// readNode returns a node without its children, and what of ours stands in its extras.
func (d *decoder) readNode(path string, g *gltf.Node, cameras []*asset.Camera, empties map[int]*asset.Mesh) (n *asset.Node, own record, err error) {
	n = asset.NewNode(g.Name)
	foreign, u := split(g.Extras)
	own = d.child(u, keyAsset)
	n.Extras, n.Native = foreign, d.unpack(path, u)
	d.transform(n, g, own)
	if err := finiteTransform(path, &n.Transform); err != nil {
		return nil, nil, err
	}
	if err := d.nodeExtensions(path, g, n); err != nil {
		return nil, nil, err
	}
	if g.Camera != nil {
		if err := refer(path+"/camera", *g.Camera, len(cameras)); err != nil {
			return nil, nil, err
		}
		n.Camera = cameras[*g.Camera]
	}
	if g.Mesh != nil {
		if err := refer(path+"/mesh", *g.Mesh, len(d.meshes)); err != nil {
			return nil, nil, err
		}
		n.Mesh = d.meshes[*g.Mesh]
	} else if r := d.child(own, "mesh"); r != nil {
		n.Mesh = d.emptyMeshAt(r, empties)
	}
	for _, w := range g.Weights {
		n.Weights = append(n.Weights, float32(w))
	}
	if w := numbers(own, "weights"); len(w) > 0 && n.Weights == nil {
		n.Weights = w
	}
	if v := numbers(foreign, coverage); len(v) > 0 {
		n.Coverage = v
		delete(foreign, coverage)
		if len(foreign) == 0 {
			n.Extras = nil
		}
	}
	return n, own, nil
}

// emptyMeshAt returns the mesh of a record; several nodes may have it.
func (d *decoder) emptyMeshAt(u record, known map[int]*asset.Mesh) *asset.Mesh {
	own := d.child(u, keyAsset)
	if own == nil {
		own = u // a repeated use has the position only
	}
	i := index(own, "index")
	if i < 0 {
		return nil
	}
	full := own["name"] != nil
	m := known[i]
	if m == nil {
		m = &asset.Mesh{}
		known[i] = m
	}
	if full {
		*m = *d.meshRecord(u)
	}
	return m
}

// checkDepth refuses loops and absurd nesting. Each node has one parent at most here, so walking up ends or loops.
func (d *decoder) checkDepth() error {
	depth := make([]int, len(d.parents))
	for i := range d.parents {
		var chain []int
		at := i
		for at >= 0 && depth[at] == 0 {
			depth[at] = -1
			chain = append(chain, at)
			at = d.above(at)
		}
		if at >= 0 && depth[at] == -1 {
			return pathError(fmt.Sprintf("nodes/%d", i), schema.ErrCycle, "the parents of node %d form a loop", i)
		}
		level := 0
		if at >= 0 {
			level = depth[at]
		}
		for k := len(chain) - 1; k >= 0; k-- {
			level++
			depth[chain[k]] = level
		}
		if level > schema.DefaultLimits.Depth {
			return pathError(fmt.Sprintf("nodes/%d", i), schema.ErrLimit, "nested deeper than %d", schema.DefaultLimits.Depth)
		}
	}
	return nil
}

// above returns the parent of a node, or the node whose level of detail it is, or −1.
func (d *decoder) above(i int) int {
	if p := d.parents[i]; p >= lodChild {
		return p - lodChild
	}
	return d.parents[i]
}

// byName returns the number of the first node with each name.
func (d *decoder) byName() map[string]int {
	m := map[string]int{}
	for i, n := range slices.Backward(d.nodes) {
		if n != nil {
			m[n.Name] = i
		}
	}
	return m
}

func (d *decoder) transform(n *asset.Node, g *gltf.Node, own record) {
	t := &n.Transform
	if m := g.Matrix; m != gltf.DefaultMatrix && m != [16]float64{} {
		t.Matrix = &[16]float32{}
		for k := range m {
			t.Matrix[k] = float32(m[k])
		}
		return
	}
	for k := range 3 {
		t.Translation[k], t.Scale[k] = float32(g.Translation[k]), float32(g.Scale[k])
	}
	for k := range 4 {
		t.Rotation[k] = float32(g.Rotation[k])
	}
	if v := numbers(own, "matrix"); len(v) == 16 {
		m := [16]float32(v)
		if trs, _ := decompose(&m); near(&trs, t) {
			n.Transform = asset.Identity
			n.Transform.Matrix = &m
		}
	}
}

// finiteTransform refuses a place that is nowhere.
func finiteTransform(path string, t *asset.Transform) error {
	all := append(append(t.Translation[:], t.Rotation[:]...), t.Scale[:]...)
	if t.Matrix != nil {
		all = t.Matrix[:]
	}
	for _, x := range all {
		if notFinite(x) {
			return pathError(path, schema.ErrValue, "%v in its transform: not finite", x)
		}
	}
	return nil
}

// near reports whether two transforms are the same up to what editors make of them.
func near(a, b *asset.Transform) bool {
	var size float64 = 1
	for _, x := range append(a.Translation[:], a.Scale[:]...) {
		size = max(size, math.Abs(float64(x)))
	}
	for k := range 3 {
		if math.Abs(float64(a.Translation[k]-b.Translation[k])) > 1e-5*size || math.Abs(float64(a.Scale[k]-b.Scale[k])) > 1e-5*size {
			return false
		}
	}
	var cos float64
	for k := range 4 {
		cos += float64(a.Rotation[k]) * float64(b.Rotation[k])
	}
	return math.Abs(cos) > 1-1e-5
}

func (d *decoder) readCameras() []*asset.Camera {
	var cameras []*asset.Camera
	for i, g := range d.doc.Cameras {
		path := fmt.Sprintf("cameras/%d", i)
		c := &asset.Camera{Name: g.Name}
		foreign, u := split(g.Extras)
		own := d.child(u, keyAsset)
		c.Extras, c.Native = foreign, d.unpack(path, u)
		p := g.Perspective
		if p == nil {
			d.diag.Lossf("orthographic-camera", path, "an orthographic camera becomes a perspective one")
			p = &gltf.Perspective{Yfov: usualFOV, Znear: usualNear}
		}
		// A value that glTF does not allow is in the record, and believed while what stands for it is unchanged.
		was := func(field string, now, usual float64) float32 {
			if x, ok := number(own, field); ok && float32(now) == float32(usual) {
				return float32(x)
			}
			return float32(now)
		}
		c.FieldOfView, c.Near = was("yfov", p.Yfov, usualFOV), was("znear", p.Znear, usualNear)
		if p.Zfar != nil {
			c.Far = was("zfar", *p.Zfar, 2*p.Znear)
		}
		if p.AspectRatio != nil {
			c.Aspect = was("aspectRatio", *p.AspectRatio, 1)
		}
		cameras = append(cameras, c)
	}
	return cameras
}

func (d *decoder) sceneIndex() int {
	if d.doc.Scene != nil {
		return *d.doc.Scene
	}
	return 0
}

func (d *decoder) sceneExtras() any {
	if i := d.sceneIndex(); i >= 0 && i < len(d.doc.Scenes) {
		return d.doc.Scenes[i].Extras
	}
	return nil
}

// readScenes puts the nodes in their places.
func (d *decoder) readScenes() error {
	if d.doc.Scene != nil {
		if err := refer("scene", *d.doc.Scene, len(d.doc.Scenes)); err != nil {
			return err
		}
	}
	d.takeShapes()
	d.readKinds()
	if err := d.readLODs(); err != nil {
		return err
	}
	if err := d.checkDepth(); err != nil { // now with the levels of detail
		return err
	}
	placed, taken := map[int]bool{}, map[int]bool{}
	var roots []*asset.Node
	if i := d.sceneIndex(); i < len(d.doc.Scenes) {
		g := d.doc.Scenes[i]
		foreign, u := split(g.Extras)
		d.s.Name, d.s.Extras, d.s.Native = g.Name, foreign, d.unpack("scenes", u)
		for _, k := range g.Nodes {
			path := fmt.Sprintf("scenes/%d/nodes", i)
			if err := refer(path, k, len(d.nodes)); err != nil {
				return err
			}
			if placed[k] {
				return pathError(path, schema.ErrCycle, "node %d is listed twice", k)
			}
			placed[k] = true
			switch {
			case d.nodes[k] == nil, d.parents[k] >= lodChild:
			case d.parents[k] >= 0:
				return pathError(path, schema.ErrMismatch, "node %d is not a root", k)
			case d.own[k]["detached"] != nil:
				d.s.Detached = append(d.s.Detached, d.nodes[k]) // an editor took it into the scene
				taken[k] = true
			default:
				roots = append(roots, d.unwrap(k)...)
			}
		}
	} else {
		for k, n := range d.nodes {
			if n != nil && d.parents[k] < 0 {
				placed[k] = true
				roots = append(roots, n)
			}
		}
	}
	d.s.Roots = d.rewrap(roots)
	d.readSides(placed, taken)
	return nil
}

// takeShapes gives back to nodes the skinned meshes that were moved to nodes of their own.
func (d *decoder) takeShapes() {
	moved := map[*asset.Node]*asset.Node{}
	first := map[string]int{} // node with the name and without a mesh
	marked := map[int]int{}   // node by the number that it had
	for i, n := range slices.Backward(d.nodes) {
		if n.Mesh == nil {
			first[n.Name] = i
			if k := index(d.own[i], "shape"); k >= 0 {
				marked[k] = i
			}
		}
	}
	for i, own := range d.own {
		name, ok := own["meshOf"].(string)
		if !ok || len(d.nodes[i].Children) > 0 || d.nodes[i].Skin == nil {
			continue
		}
		fits := func(n *asset.Node) bool { return n != nil && n != d.nodes[i] && n.Name == name && n.Mesh == nil }
		k := index(own, "meshOfNode")
		if at, ok := marked[k]; ok {
			delete(marked, k) // a copy has the number too
			k = at
			fits = func(n *asset.Node) bool { return n != nil && n.Mesh == nil }
		}
		if k < 0 || k >= len(d.nodes) || !fits(d.nodes[k]) {
			k, ok = first[name]
			if !ok || !fits(d.nodes[k]) {
				continue
			}
		}
		from, to := d.nodes[i], d.nodes[k]
		to.Mesh, to.Skin, to.Weights = from.Mesh, from.Skin, from.Weights
		moved[from] = to
		if p := d.parents[i]; p >= 0 { // Blender hangs skinned meshes below their armature
			d.nodes[p].Children = slices.DeleteFunc(d.nodes[p].Children, func(n *asset.Node) bool { return n == from })
			d.parents[i] = -1
		}
		d.nodes[i] = nil
	}
	for _, a := range d.s.Animations {
		for _, c := range a.Channels {
			if to := moved[c.Node]; to != nil {
				c.Node = to
			}
		}
	}
}

func (d *decoder) readKinds() {
	joints := map[*asset.Node]bool{}
	for _, s := range d.skins {
		for _, j := range s.Joints {
			joints[j] = true
		}
	}
	for i, n := range d.nodes {
		if n == nil {
			continue
		}
		switch {
		case joints[n]:
			n.Kind = asset.Bone
		case n.Camera != nil:
			n.Kind = asset.Eye
		case n.Light != nil:
			n.Kind = asset.Marker
		}
		if k := slices.Index(kindNames[:], text(d.own[i], "kind")); k >= 0 {
			n.Kind = asset.NodeKind(k)
		}
	}
}
