package gltf

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"encoding/json"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// readNodes makes the nodes with all but their place in the scene and their skins.
func (d *decoder) readNodes() error {
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
	if err := d.checkDepth(); err != nil {
		return err
	}
	cameras, err := d.readCameras()
	if err != nil {
		return err
	}
	empties := map[int]*asset.Mesh{}
	for i, g := range d.doc.Nodes {
		path := fmt.Sprintf("nodes/%d", i)
		n := asset.NewNode(g.Name)
		foreign, u := split(g.Extras)
		own := d.child(u, keyAsset)
		n.Extras, n.Native = foreign, d.unpack(path, u)
		d.transform(n, g, own)
		if g.Camera != nil {
			if err := refer(path+"/camera", *g.Camera, len(cameras)); err != nil {
				return err
			}
			n.Camera = cameras[*g.Camera]
		}
		if g.Mesh != nil {
			if err := refer(path+"/mesh", *g.Mesh, len(d.meshes)); err != nil {
				return err
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
		d.nodes = append(d.nodes, n)
		d.own = append(d.own, own)
	}
	for i, g := range d.doc.Nodes {
		for _, c := range g.Children {
			d.nodes[i].Children = append(d.nodes[i].Children, d.nodes[c])
		}
	}
	_, u := split(d.sceneExtras())
	for name := range d.child(d.child(u, keyAsset), "meshes") {
		d.emptyMeshAt(d.child(d.child(d.child(u, keyAsset), "meshes"), name), empties)
	}
	d.s.Meshes = interleave(d.meshes, empties)
	return nil
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
			at = d.parents[at]
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

// near tells whether two transforms are the same up to what editors make of them.
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

func (d *decoder) readCameras() ([]*asset.Camera, error) {
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
			p = &gltf.Perspective{Yfov: 0.8, Znear: 0.01}
		}
		was := func(field string, now float64) float32 {
			if x, ok := number(own, field); ok {
				return float32(x)
			}
			return float32(now)
		}
		c.FieldOfView, c.Near = was("yfov", p.Yfov), was("znear", p.Znear)
		if p.Zfar != nil {
			c.Far = was("zfar", *p.Zfar)
		}
		if p.AspectRatio != nil {
			c.Aspect = was("aspectRatio", *p.AspectRatio)
		}
		cameras = append(cameras, c)
	}
	return cameras, nil
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

func (d *decoder) readSkins() error {
	_, u := split(d.sceneExtras())
	for i, g := range d.doc.Skins {
		path := fmt.Sprintf("skins/%d", i)
		s := &asset.Skin{Name: g.Name}
		foreign, u := split(g.Extras)
		s.Extras, s.Native = foreign, d.unpack(path, u)
		if len(g.Joints) > 1<<16 {
			return pathError(path+"/joints", schema.ErrLimit, "%d joints", len(g.Joints))
		}
		seen := map[int]bool{}
		for _, j := range g.Joints {
			if err := refer(path+"/joints", j, len(d.nodes)); err != nil {
				return err
			}
			if seen[j] {
				return pathError(path+"/joints", schema.ErrMismatch, "node %d is a joint twice", j)
			}
			seen[j] = true
			s.Joints = append(s.Joints, d.nodes[j])
		}
		if g.Skeleton != nil {
			if err := refer(path+"/skeleton", *g.Skeleton, len(d.nodes)); err != nil {
				return err
			}
			s.Root = d.nodes[*g.Skeleton]
		}
		if g.InverseBindMatrices != nil {
			m, err := d.mat4(path+"/inverseBindMatrices", *g.InverseBindMatrices)
			if err != nil {
				return err
			}
			if len(m) < len(s.Joints) {
				return pathError(path+"/inverseBindMatrices", schema.ErrMismatch, "%d matrices for %d joints", len(m), len(s.Joints))
			}
			s.InverseBind = m[:len(s.Joints):len(s.Joints)]
		}
		d.skins = append(d.skins, s)
	}
	for i, g := range d.doc.Nodes {
		k := index(d.own[i], "skin")
		if g.Skin != nil {
			k = *g.Skin
			if err := refer(fmt.Sprintf("nodes/%d/skin", i), k, len(d.skins)); err != nil {
				return err
			}
		}
		if k < 0 || k >= len(d.skins) {
			continue
		}
		d.nodes[i].Skin = d.skins[k]
		if n := d.unpack(fmt.Sprintf("nodes/%d", i), d.child(d.own[i], "skinRecord")); n != nil {
			d.skins[k].Native = n
		}
		if err := d.checkJoints(fmt.Sprintf("nodes/%d/skin", i), d.nodes[i]); err != nil {
			return err
		}
	}
	d.s.Skins = d.skins
	textures := d.child(d.child(u, keyAsset), "textures")
	for name := range textures {
		d.virtualTexture("scenes", d.child(textures, name))
	}
	d.s.Textures = interleave(d.images, d.virtual)
	return nil
}

// checkJoints holds the joints of a mesh against the skin of its node.
func (d *decoder) checkJoints(path string, n *asset.Node) error {
	if n.Mesh == nil {
		return nil
	}
	for _, p := range n.Mesh.Primitives {
		for k, set := range p.Joints {
			for i, j := range set {
				if most := max(j[0], j[1], j[2], j[3]); int(most) >= len(n.Skin.Joints) {
					return pathError(path, schema.ErrRange, "JOINTS_%d of vertex %d has joint %d, the skin has %d", k, i, most, len(n.Skin.Joints))
				}
			}
		}
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
	placed := map[int]bool{}
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
			case d.nodes[k] == nil:
			case d.parents[k] >= 0:
				return pathError(path, schema.ErrMismatch, "node %d is not a root", k)
			case d.own[k]["detached"] != nil:
				d.s.Detached = append(d.s.Detached, d.nodes[k]) // an editor took it into the scene
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
	for k, n := range d.nodes {
		if n != nil && d.parents[k] < 0 && !placed[k] {
			d.s.Detached = append(d.s.Detached, n)
		}
	}
	if len(d.doc.Scenes) > 1 {
		d.diag.Warnf("several-scenes", "scenes", "%d scenes: the nodes outside the default one are detached", len(d.doc.Scenes))
	}
	return nil
}

// takeShapes gives back to nodes the skinned meshes that were moved to nodes of their own.
func (d *decoder) takeShapes() {
	for i, own := range d.own {
		name, ok := own["meshOf"].(string)
		if !ok || d.nodes[i] == nil || len(d.nodes[i].Children) > 0 || d.parents[i] >= 0 {
			continue
		}
		fits := func(n *asset.Node) bool { return n != nil && n != d.nodes[i] && n.Name == name && n.Mesh == nil }
		k := index(own, "meshOfNode")
		if k < 0 || k >= len(d.nodes) || !fits(d.nodes[k]) {
			k = slices.IndexFunc(d.nodes, fits)
		}
		if k < 0 {
			continue
		}
		from, to := d.nodes[i], d.nodes[k]
		to.Mesh, to.Skin, to.Weights = from.Mesh, from.Skin, from.Weights
		for _, a := range d.s.Animations {
			for _, c := range a.Channels {
				if c.Node == from {
					c.Node = to
				}
			}
		}
		d.nodes[i] = nil
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
		}
		if k := slices.Index(kindNames[:], text(d.own[i], "kind")); k >= 0 {
			n.Kind = asset.NodeKind(k)
		}
		for _, x := range slices.Sorted(maps.Keys(d.doc.Nodes[i].Extensions)) {
			if x != extLOD {
				d.diag.Lossf("unknown-extension", fmt.Sprintf("nodes/%d", i), "%s is left out", x)
			}
		}
	}
}

// readLODs hangs levels of detail below their node, by MSFT_lod or, after an editor dropped that, by the names that
// ride along.
func (d *decoder) readLODs() error {
	for i, n := range d.nodes {
		raw, ok := d.doc.Nodes[i].Extensions[extLOD].(json.RawMessage)
		if !ok || n == nil {
			continue
		}
		var ext struct {
			IDs []int `json:"ids"`
		}
		path := fmt.Sprintf("nodes/%d/extensions/%s", i, extLOD)
		if err := json.Unmarshal(raw, &ext); err != nil {
			return pathError(path, schema.ErrValue, "%v", err)
		}
		for _, k := range ext.IDs {
			if err := refer(path, k, len(d.nodes)); err != nil {
				return err
			}
			if !d.hang(i, k) {
				d.diag.Lossf("lod-place", path, "node %d cannot be a level of detail of node %d and stays where it is", k, i)
			}
		}
	}
	for k, own := range d.own {
		name, ok := own["lodOf"].(string)
		if !ok || d.nodes[k] == nil || d.parents[k] >= 0 {
			continue
		}
		if i := slices.IndexFunc(d.nodes, func(n *asset.Node) bool { return n != nil && n != d.nodes[k] && n.Name == name }); i >= 0 {
			d.hang(i, k)
		}
	}
	return nil
}

// lodChild marks a node that is a level of detail as no root.
const lodChild = 1 << 30

// hang makes node k a level of detail of node i.
func (d *decoder) hang(i, k int) bool {
	if d.nodes[k] == nil || k == i || d.parents[k] >= lodChild {
		return false
	}
	for at := i; at >= 0; { // k must not be above i
		if at == k {
			return false
		}
		if at = d.parents[at]; at >= lodChild {
			at -= lodChild
		}
	}
	if p := d.parents[k]; p >= 0 {
		if p != d.parents[i] {
			return false
		}
		siblings := d.nodes[p].Children
		d.nodes[p].Children = slices.Delete(siblings, slices.Index(siblings, d.nodes[k]), slices.Index(siblings, d.nodes[k])+1)
	}
	d.parents[k] = lodChild + i
	d.nodes[i].LODs = append(d.nodes[i].LODs, d.nodes[k])
	return true
}

// unwrap returns the roots below a node that only joins them, or the node itself.
func (d *decoder) unwrap(k int) []*asset.Node {
	n := d.nodes[k]
	at := numbers(d.own[k], "wraps")
	if len(at) == 0 || len(at) != len(n.Children) || n.Transform != asset.Identity || n.Mesh != nil {
		return []*asset.Node{n}
	}
	d.wrapAt = at
	d.wrapped = n.Children
	d.nodes[k] = nil
	return nil
}

// rewrap sets the nodes of a wrapper in where they were.
func (d *decoder) rewrap(roots []*asset.Node) []*asset.Node {
	at := map[int]*asset.Node{}
	for i, n := range d.wrapped {
		at[int(d.wrapAt[i])] = n
	}
	if len(at) != len(d.wrapped) {
		return append(roots, d.wrapped...)
	}
	return interleave(roots, at)
}

func (d *decoder) readAnimations() error {
	_, u := split(d.sceneExtras())
	records := d.child(d.child(u, keyAsset), "animations")
	used := map[string]bool{}
	empties := map[int]*asset.Animation{}
	for _, key := range slices.Sorted(maps.Keys(records)) {
		r := d.child(records, key)
		own := d.child(r, keyAsset)
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && own["empty"] != nil {
			a := &asset.Animation{Name: text(own, "name"), Native: d.unpack("scenes", r), Extras: d.keptExtras(own)}
			empties[i], used[key] = a, true
		}
	}
	var all []*asset.Animation
	for i, g := range d.doc.Animations {
		path := fmt.Sprintf("animations/%d", i)
		a := &asset.Animation{Name: g.Name}
		foreign, u := split(g.Extras)
		a.Extras, a.Native = foreign, d.unpack(path, u)
		for k, c := range g.Channels {
			if err := d.channel(fmt.Sprintf("%s/channels/%d", path, k), g, c, a); err != nil {
				return err
			}
		}
		all = append(all, a)
	}
	d.s.Animations = interleave(all, empties)
	inPlace := d.animationsInPlace(records)
	for i, a := range d.s.Animations {
		key := strconv.Itoa(i)
		if slices.Contains(slices.Collect(maps.Values(empties)), a) {
			continue
		}
		if !inPlace {
			key = d.recordByName(records, a.Name, used)
		}
		if r := d.child(records, key); r != nil {
			used[key] = true
			a.Native = d.unpack("scenes", r)
		}
	}
	return nil
}

// animationsInPlace tells whether all records still have the numbers of their animations. An editor may have added or
// removed some; names find them then.
func (d *decoder) animationsInPlace(records record) bool {
	for key := range records {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(d.s.Animations) || d.s.Animations[i].Name != text(d.child(d.child(records, key), keyAsset), "name") {
			return false
		}
	}
	return true
}

func (d *decoder) recordByName(records record, name string, used map[string]bool) string {
	for _, k := range slices.Sorted(maps.Keys(records)) {
		if !used[k] && text(d.child(d.child(records, k), keyAsset), "name") == name {
			return k
		}
	}
	return ""
}

func (d *decoder) channel(path string, g *gltf.Animation, c *gltf.AnimationChannel, a *asset.Animation) error {
	if c.Target.Node == nil {
		d.diag.Lossf("channel-without-node", path, "an animation of %q is left out", c.Target.Path)
		return nil
	}
	if err := refer(path+"/target/node", *c.Target.Node, len(d.nodes)); err != nil {
		return err
	}
	p := slices.Index(targetPaths[:], c.Target.Path)
	if p < 0 {
		d.diag.Lossf("unknown-path", path, "an animation of %q is left out", c.Target.Path)
		return nil
	}
	if err := refer(path+"/sampler", c.Sampler, len(g.Samplers)); err != nil {
		return err
	}
	s := g.Samplers[c.Sampler]
	x := &asset.Channel{Node: d.nodes[*c.Target.Node], Path: asset.Path(p)}
	x.Interpolation = asset.Interpolation(slices.Index(interpolations[:], s.Interpolation))
	var err error
	if x.Times, err = d.scalars(path+"/input", s.Input); err != nil {
		return err
	}
	if x.Values, err = d.scalars(path+"/output", s.Output); err != nil {
		return err
	}
	width := [...]int{3, 4, 3, 0}[p]
	if x.Path == asset.MorphWeights {
		if m := x.Node.Mesh; m != nil && len(m.Primitives) > 0 {
			width = len(m.Primitives[0].Targets)
		}
	}
	keys := len(x.Times)
	if x.Interpolation == asset.CubicKeys {
		keys *= 3
	}
	if len(x.Values) != keys*width {
		return pathError(path+"/output", schema.ErrMismatch, "%d values for %d keys of %d", len(x.Values), len(x.Times), width)
	}
	for i, t := range x.Times {
		if notFinite(t) || t < 0 || i > 0 && t <= x.Times[i-1] {
			d.diag.Lossf("times-not-ascending", path, "time %v at key %d: the channel is left out", t, i)
			return nil
		}
	}
	a.Channels = append(a.Channels, x)
	return nil
}
