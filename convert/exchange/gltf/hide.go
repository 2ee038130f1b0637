package gltf

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/convert/restore"
	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Show is a set of the parts of a model to show besides its best level of detail. Parts that are not shown are kept: they
// ride in the extras of the node that they belong to, as a small GLB. So every program shows one clean model, and nothing
// is lost.
type Show = verbs.Show

// What can be shown. Lower levels of detail stand below their part.
const (
	ShowLevels     = verbs.ShowLevels
	ShowWires      = verbs.ShowWires
	ShowHulls      = verbs.ShowHulls
	ShowMounts     = verbs.ShowMounts
	ShowHardpoints = verbs.ShowHardpoints
	ShowAll        = verbs.ShowAll
)

// keyKept is where hidden nodes ride; keyNumber is where a material or a joint has the number by which they know it.
const (
	keyKept   = "kept"
	keyNumber = "number"
)

// keyLent says that materials which only hidden meshes wear ride with the scene, and not with each node that hides some.
const keyLent = "lent"

// hiddenNode is the top of what is hidden below a node.
type hiddenNode struct {
	node *asset.Node
	at   int // its place among the children, or −1, −2, … for the levels of detail
}

// hiding finds out what of a scene is not shown.
type hiding struct {
	show    Show
	scene   *asset.Scene
	of      map[*asset.Node][]hiddenNode // by the node that they belong to
	hidden  map[*asset.Node]bool         // all of them, and what is below them
	needed  map[*asset.Node]bool         // joints, which must stay where they are
	skins   map[*asset.Skin]bool         // those of nodes that are shown
	outside map[*asset.Mesh]bool         // meshes of nodes that are shown
	worn    map[*asset.Material]bool     // what those wear
	left    map[*asset.Material]bool     // what hidden meshes wear
	joints  map[*asset.Node]bool         // joints that hidden meshes follow
	listed  map[any]bool                 // meshes and materials of the scene: what is not among them is an error, which is told of what is shown
}

// nodesOf returns the nodes of a scene, and whether they are a forest.
func nodesOf(s *asset.Scene) (nodes map[*asset.Node]bool, sane bool) {
	nodes, sane = map[*asset.Node]bool{}, true
	var look func(list []*asset.Node, depth int)
	look = func(list []*asset.Node, depth int) {
		for _, n := range list {
			if n == nil || nodes[n] || depth > schema.DefaultLimits.Depth {
				sane = false
				continue
			}
			nodes[n] = true
			look(n.Children, depth+1)
			look(n.LODs, depth+1)
		}
	}
	look(s.Roots, 0)
	look(s.Detached, 0)
	return nodes, sane
}

// hide takes what is not shown out of the scene that is written. Scenes of other programs are left as they are: nothing
// says what their levels are for.
func (e *encoder) hide() {
	if e.refuseNils(); e.err != nil {
		return
	}
	if _, sane := nodesOf(e.s); !sane || !e.marks || e.o.whole {
		return // what is wrong with the nodes is told when they are numbered
	}
	show := ShowHardpoints
	if e.o.Show != nil {
		show = *e.o.Show
	}
	h := &hiding{show: show, scene: e.s, of: map[*asset.Node][]hiddenNode{}, hidden: map[*asset.Node]bool{}, needed: map[*asset.Node]bool{}, listed: map[any]bool{}}
	for _, m := range e.s.Meshes {
		h.listed[m] = true
	}
	for _, m := range e.s.Materials {
		h.listed[m] = true
	}
	for _, s := range e.s.Skins {
		for _, j := range append([]*asset.Node{s.Root}, s.Joints...) {
			h.needed[j] = true
		}
	}
	h.find(nil)
	h.look()
	h.find(h.skins)
	if h.look(); len(h.of) == 0 {
		return
	}
	e.hiding, e.s = h, h.shown()
}

// find marks what is hidden. With skins, what has another skin than these is shown: nothing would hold it.
func (h *hiding) find(skins map[*asset.Skin]bool) {
	clear(h.of)
	clear(h.hidden)
	for _, list := range [][]*asset.Node{h.scene.Roots, h.scene.Detached} {
		for _, n := range list {
			h.below(n, skins)
		}
	}
}

// below looks at what belongs to a node that is shown.
func (h *hiding) below(n *asset.Node, skins map[*asset.Skin]bool) {
	for i, c := range n.Children {
		if !h.show.Kind(c.Kind) && !h.holdsShown(c) && h.canHide(n, c, skins) {
			h.take(n, c, i)
			continue
		}
		h.below(c, skins)
	}
	levels := h.show&ShowLevels == 0 && len(n.LODs) > 0
	for _, l := range n.LODs {
		levels = levels && h.canHide(n, l, skins)
	}
	for k, l := range n.LODs {
		if levels {
			h.take(n, l, -1-k)
		} else {
			h.below(l, skins)
		}
	}
}

// holdsShown reports whether a hardpoint is where something lies that is to be shown, such as its hull.
func (h *hiding) holdsShown(n *asset.Node) (holds bool) {
	if n.Kind != asset.Hardpoint {
		return false
	}
	walk(n, func(x *asset.Node) { holds = holds || x.Mesh != nil && h.show.Kind(x.Kind) })
	return holds
}

func (h *hiding) take(owner, n *asset.Node, at int) {
	h.of[owner] = append(h.of[owner], hiddenNode{n, at})
	walk(n, func(x *asset.Node) { h.hidden[x] = true })
}

func walk(n *asset.Node, f func(*asset.Node)) {
	(&asset.Scene{Roots: []*asset.Node{n}}).Walk(func(x, _ *asset.Node) { f(x) })
}

// canHide reports whether a small file can hold a node and what is below it.
func (h *hiding) canHide(owner, n *asset.Node, skins map[*asset.Skin]bool) bool {
	can := true
	walk(n, func(x *asset.Node) {
		can = can && (x.Mesh == owner.Mesh || !h.outside[x.Mesh])
		can = can && !h.needed[x] && (x.Skin == nil || x.Mesh != nil && (skins == nil || skins[x.Skin]))
		if x.Mesh != nil {
			can = can && h.listed[x.Mesh] && !slices.ContainsFunc(x.Mesh.Primitives, func(p *asset.Primitive) bool {
				return p.Load != nil || p.Material != nil && !h.listed[p.Material]
			})
		}
	})
	return can
}

// look finds the skins and meshes of what is shown.
func (h *hiding) look() {
	h.skins, h.outside = map[*asset.Skin]bool{}, map[*asset.Mesh]bool{}
	h.scene.Walk(func(n, _ *asset.Node) {
		if !h.hidden[n] && n.Mesh != nil {
			h.skins[n.Skin], h.outside[n.Mesh] = true, true
		}
	})
	delete(h.skins, nil)
}

// shown returns the scene without what only hidden nodes have.
func (h *hiding) shown() *asset.Scene {
	s := *h.scene
	inside := map[*asset.Mesh]bool{}
	for n := range h.hidden {
		inside[n.Mesh] = n.Mesh != nil && !h.outside[n.Mesh]
	}
	s.Meshes = slices.DeleteFunc(slices.Clone(s.Meshes), func(m *asset.Mesh) bool { return inside[m] })
	worn, left := map[*asset.Material]bool{}, map[*asset.Material]bool{}
	for _, m := range h.scene.Meshes {
		for _, p := range m.Primitives {
			if p.Material == nil {
				continue
			}
			if inside[m] {
				left[p.Material] = true
			} else {
				worn[p.Material] = true
			}
		}
	}
	h.worn, h.left = worn, left
	h.joints = map[*asset.Node]bool{}
	for n := range h.hidden {
		if n.Skin == nil {
			continue
		}
		for _, j := range n.Skin.Joints {
			h.joints[j] = true
		}
	}
	s.Materials = slices.DeleteFunc(slices.Clone(s.Materials), func(m *asset.Material) bool { return left[m] && !worn[m] })
	drawn, bare := map[*asset.Texture]bool{}, map[*asset.Texture]bool{}
	for _, m := range h.scene.Materials {
		for _, r := range texturesOf(m) {
			if left[m] && !worn[m] {
				bare[r.Texture] = true
			} else {
				drawn[r.Texture] = true
			}
		}
	}
	s.Textures = slices.DeleteFunc(slices.Clone(s.Textures), func(t *asset.Texture) bool { return bare[t] && !drawn[t] })
	s.Animations = slices.Clone(s.Animations)
	for i, a := range s.Animations {
		if slices.ContainsFunc(a.Channels, func(c *asset.Channel) bool { return h.hidden[c.Node] }) {
			b := *a
			b.Channels = slices.DeleteFunc(slices.Clone(a.Channels), func(c *asset.Channel) bool { return h.hidden[c.Node] })
			s.Animations[i] = &b
		}
	}
	return &s
}

// texturesOf returns all references of a material.
func texturesOf(m *asset.Material) (list []*asset.TextureRef) {
	return slices.DeleteFunc(m.Textures(), func(r *asset.TextureRef) bool { return r == nil || r.Texture == nil })
}

// children returns the children of a node that are shown.
func (e *encoder) children(n *asset.Node) []*asset.Node {
	if e.hiding == nil || e.hiding.of[n] == nil {
		return n.Children
	}
	return slices.DeleteFunc(slices.Clone(n.Children), func(c *asset.Node) bool { return e.hiding.hidden[c] })
}

// levels returns the lower levels of a node that are shown.
func (e *encoder) levels(n *asset.Node) []*asset.Node {
	if e.hiding == nil || len(n.LODs) == 0 || !e.hiding.hidden[n.LODs[0]] {
		return n.LODs
	}
	return nil
}

// keep returns the record of what is hidden below a node.
func (e *encoder) keep(n *asset.Node) record {
	if e.o.Slim || e.hiding == nil || e.hiding.of[n] == nil {
		return nil
	}
	k := &keeping{h: e.hiding, shown: e.s, owner: n, sub: &asset.Scene{}, meshes: map[*asset.Mesh]*asset.Mesh{}, materials: map[*asset.Material]*asset.Material{}}
	return k.record(e)
}

// skinOfOwner stands for the skin of the node that something is hidden below.
const skinOfOwner = -2

// keeping makes the small file of what is hidden below one node. It has copies of the nodes and meshes, since those wear
// materials and have skins of the file around it.
type keeping struct {
	h         *hiding
	shown     *asset.Scene
	owner     *asset.Node
	sub       *asset.Scene
	meshes    map[*asset.Mesh]*asset.Mesh
	materials map[*asset.Material]*asset.Material
	nodes     map[*asset.Node]*asset.Node
	skins     []any // numbers of the skins of the nodes in their order, −1 for none, skinOfOwner
	worn      []any // numbers of materials that are shown; those that ride with the scene come as −1 − number
	shapes    []any // numbers of meshes, −1 for that of the owner
	moved     []any // numbers of animations
}

func (k *keeping) record(e *encoder) record {
	owner := k.owner
	k.nodes = map[*asset.Node]*asset.Node{}
	var places []any
	for _, x := range k.h.of[owner] {
		k.sub.Roots = append(k.sub.Roots, k.node(x.node))
		places = append(places, x.at)
	}
	k.sub.Walk(func(n, _ *asset.Node) {
		at := slices.Index(k.h.scene.Skins, n.Skin)
		if n.Skin != nil && n.Skin == owner.Skin {
			at = skinOfOwner
		}
		k.skins = append(k.skins, at)
		if n.Skin != nil { // editors give joints another order
			if k.sub.Extras == nil {
				k.sub.Extras = map[string]any{}
			}
			k.sub.Extras[strconv.Itoa(at)] = jointNames(n.Skin)
			k.sub.Extras[jointNumbers(at)] = e.numbersOf(n.Skin)
		}
		n.Skin = nil
	})
	k.animations()
	r := e.small(k.sub)
	was := matrixOf(&owner.Transform)
	r["places"], r["was"], r["shape"] = places, e.finiteList("nodes", was[:]), restore.Signature(owner.Mesh)
	r[keyLent] = 1
	for key, list := range map[string][]any{"skins": k.skins, "materials": k.worn, "meshes": k.shapes, "animations": k.moved} {
		if len(list) > 0 {
			r[key] = list
		}
	}
	return r
}

// jointNumbers is the property of a small file that has the numbers of the joints of a skin.
func jointNumbers(skin int) string { return fmt.Sprintf("%d#", skin) }

func (e *encoder) numbersOf(s *asset.Skin) (numbers []any) {
	for _, j := range s.Joints {
		numbers = append(numbers, e.nodes[j])
	}
	return numbers
}

func jointNames(s *asset.Skin) (names []any) {
	for _, j := range s.Joints {
		names = append(names, j.Name)
	}
	return names
}

func (k *keeping) node(n *asset.Node) *asset.Node {
	c := *n
	k.nodes[n] = &c
	c.Mesh = k.mesh(n.Mesh)
	c.Children, c.LODs = k.list(n.Children), k.list(n.LODs)
	return &c
}

func (k *keeping) list(nodes []*asset.Node) (out []*asset.Node) {
	for _, n := range nodes {
		out = append(out, k.node(n))
	}
	return out
}

func (k *keeping) mesh(m *asset.Mesh) *asset.Mesh {
	if m == nil || k.meshes[m] != nil {
		return k.meshes[m]
	}
	c := *m
	c.Primitives = nil
	for _, p := range m.Primitives {
		q := *p
		q.Material = k.material(p.Material)
		c.Primitives = append(c.Primitives, &q)
	}
	k.meshes[m] = &c
	at := slices.Index(k.h.scene.Meshes, m)
	if m == k.owner.Mesh {
		at = -1
	}
	k.sub.Meshes, k.shapes = append(k.sub.Meshes, &c), append(k.shapes, at)
	return &c
}

// material returns the material of the small file for m. It has the name alone: regain replaces it by the material of the
// surrounding file or, if no visible mesh uses that, by the one that rides with the scene.
func (k *keeping) material(m *asset.Material) *asset.Material {
	if m == nil || k.materials[m] != nil {
		return k.materials[m]
	}
	c, at := asset.NewMaterial(m.Name), slices.Index(k.shown.Materials, m)
	if !k.h.worn[m] {
		at = -1 - slices.Index(k.h.scene.Materials, m)
	}
	k.materials[m] = c
	k.sub.Materials, k.worn = append(k.sub.Materials, c), append(k.worn, at)
	return c
}

// keepLooks puts the materials that only hidden meshes wear, with their textures, into the scene's record: many nodes hide
// shapes that wear the same.
func (e *encoder) keepLooks() {
	if e.o.Slim || e.hiding == nil {
		return
	}
	looks, numbers := &asset.Scene{}, []any{}
	for i, m := range e.hiding.scene.Materials {
		if !e.hiding.left[m] || e.hiding.worn[m] {
			continue
		}
		looks.Materials, numbers = append(looks.Materials, m), append(numbers, i)
		for _, r := range texturesOf(m) {
			if !slices.Contains(looks.Textures, r.Texture) {
				looks.Textures = append(looks.Textures, r.Texture)
			}
		}
	}
	if len(numbers) == 0 {
		return
	}
	r := e.small(looks)
	r["materials"] = numbers
	if e.own == nil {
		e.own = record{}
	}
	e.own[keyKept] = r
}

// small returns the record of a scene that is kept as a file of its own.
func (e *encoder) small(s *asset.Scene) record {
	var b bytes.Buffer
	e.fail(Encode(&b, s, Options{whole: true}))
	r, err := pack(&asset.Native{Payload: b.Bytes()}, nil)
	e.fail(err)
	delete(r, keyFormat)
	e.setAside(r)
	return r
}

// animations takes over the channels of hidden nodes.
func (k *keeping) animations() {
	for i, a := range k.h.scene.Animations {
		var own *asset.Animation
		for _, c := range a.Channels {
			n := k.nodes[c.Node]
			if n == nil {
				continue
			}
			if own == nil {
				own = &asset.Animation{Name: a.Name}
				k.sub.Animations, k.moved = append(k.sub.Animations, own), append(k.moved, i)
			}
			x := *c
			x.Node = n
			own.Channels = append(own.Channels, &x)
		}
	}
}
