package restore

import (
	"bytes"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Refill puts back what a program left out of a scene because it is not visible ([DropsUnused]): nodes without a mesh, and
// what [RefillShapes] restores. It takes them out of original, which must not be used afterwards, and reports the nodes by
// name. If any node without a mesh is still there, the program kept such nodes, so a person deleted the others; then none
// are put back.
func Refill(original, edited *asset.Scene, d *schema.Diagnostics) {
	r := newRefill(original, edited)
	r.shapes()
	if r.tidied() {
		r.nodes(d)
	}
}

// RefillShapes puts back what a program simplified because it is not visible ([DropsUnused]): unused normals and texture
// coordinates of meshes, and pictures of a single colour and ineffective transparency of materials.
func RefillShapes(original, edited *asset.Scene) { newRefill(original, edited).shapes() }

func newRefill(original, edited *asset.Scene) *refill {
	r := &refill{was: original, now: edited, to: map[*asset.Node]*asset.Node{}, painted: map[*asset.Material]bool{}}
	r.pair(original.Roots, edited.Roots)
	r.pair(original.Detached, edited.Detached)
	r.pairRoots()
	r.pairRest()
	return r
}

// shapes fills up the meshes of nodes.
func (r *refill) shapes() {
	done := map[*asset.Mesh]bool{}
	r.was.Walk(func(n, _ *asset.Node) {
		if x := r.to[n]; x != nil && n.Mesh != nil && x.Mesh != nil && !done[x.Mesh] {
			done[x.Mesh] = true
			r.mesh(n.Mesh, x.Mesh)
		}
	})
}

type refill struct {
	was, now *asset.Scene
	to       map[*asset.Node]*asset.Node // of the original to the edited one
	painted  map[*asset.Material]bool    // materials that were seen to
}

// identity is what tells a node from others.
func identity(n *asset.Node) string {
	id := ""
	if n.Native != nil {
		id = scene.ShownText(n.Native, "id")
	}
	if n.Mesh != nil {
		id += "\x00mesh"
	}
	return n.Name + "\x00" + id
}

// pair pairs nodes that hang on the same node: those with the same name, one after the other.
func (r *refill) pair(was, now []*asset.Node) {
	free := map[string][]*asset.Node{}
	for _, n := range now {
		free[identity(n)] = append(free[identity(n)], n)
	}
	for _, n := range was {
		list := free[identity(n)]
		if len(list) == 0 {
			continue
		}
		free[identity(n)] = list[1:]
		r.to[n] = list[0]
		r.pair(n.Children, list[0].Children)
		r.pair(n.LODs, list[0].LODs)
	}
}

// pairRoots pairs the roots that keep the same of their file, under other names: they bear that of the file, which somebody
// may have renamed.
func (r *refill) pairRoots() {
	taken := map[*asset.Node]bool{}
	for _, n := range r.to {
		taken[n] = true
	}
	for _, n := range r.was.Roots {
		if r.to[n] != nil || n.Native == nil {
			continue
		}
		i := slices.IndexFunc(r.now.Roots, func(x *asset.Node) bool {
			return !taken[x] && x.Native != nil && x.Native.Format == n.Native.Format && bytes.Equal(x.Native.Payload, n.Native.Payload)
		})
		if i >= 0 {
			x := r.now.Roots[i]
			r.to[n], taken[x] = x, true
			r.pair(n.Children, x.Children)
			r.pair(n.LODs, x.LODs)
		}
	}
}

// pairRest pairs nodes that somebody moved to other ones, where only one has the name.
func (r *refill) pairRest() {
	taken := map[*asset.Node]bool{}
	for _, n := range r.to {
		taken[n] = true
	}
	collect := func(s *asset.Scene, known func(*asset.Node) bool) map[string][]*asset.Node {
		m := map[string][]*asset.Node{}
		s.Walk(func(n, _ *asset.Node) {
			if !known(n) {
				m[identity(n)] = append(m[identity(n)], n)
			}
		})
		return m
	}
	now := collect(r.now, func(n *asset.Node) bool { return taken[n] })
	for key, was := range collect(r.was, func(n *asset.Node) bool { return r.to[n] != nil }) {
		if list := now[key]; len(was) == 1 && len(list) == 1 {
			r.to[was[0]] = list[0]
		}
	}
}

// tidied reports whether no node is left that a program could have left out: an end without a shape that nothing needs.
func (r *refill) tidied() bool {
	needed := map[*asset.Node]bool{}
	for _, x := range r.now.Skins {
		for _, j := range x.Joints {
			needed[j] = true
		}
	}
	for _, a := range r.now.Animations {
		for _, c := range a.Channels {
			needed[c.Node] = true
		}
	}
	hidden := map[*asset.Node]bool{} // what usher itself hides, and editors do not see
	r.now.Walk(func(n, _ *asset.Node) {
		for _, l := range n.LODs {
			hidden[l] = true
		}
	})
	clean := true
	r.now.Walk(func(n, parent *asset.Node) {
		if hidden[parent] {
			hidden[n] = true
		}
		clean = clean && (needed[n] || hidden[n] || len(n.Children) > 0 || !scene.Shapeless(n))
	})
	return clean
}

// nodes puts nodes back that show nothing.
func (r *refill) nodes(d *schema.Diagnostics) {
	var names []string
	back := map[*asset.Node]bool{}
	put := func(list *[]*asset.Node, was []*asset.Node) {
		for i, c := range was {
			if r.to[c] == nil && scene.Shapeless(c) && !r.holdsKnown(c) {
				*list = slices.Insert(*list, min(i, len(*list)), c)
				(&asset.Scene{Roots: []*asset.Node{c}}).Walk(func(n, _ *asset.Node) {
					back[n] = true
					names = append(names, n.Name)
				})
			}
		}
	}
	put(&r.now.Roots, r.was.Roots)
	r.was.Walk(func(n, _ *asset.Node) {
		if x := r.to[n]; x != nil {
			put(&x.Children, n.Children)
		}
	})
	if len(names) == 0 {
		return
	}
	r.channels(back)
	d.Warnf("empty-nodes", names[0], "%s without a shape %s not in the file any more, and %s taken from the original: the program that saved it leaves them out (%s)",
		schema.Counted(len(names), "node", "nodes"), isAre(len(names)), isAre(len(names)), Listed(names))
}

// holdsKnown reports whether a node that is below another is in the edited scene: then somebody took the node away.
func (r *refill) holdsKnown(n *asset.Node) bool {
	return r.to[n] != nil || slices.ContainsFunc(n.Children, r.holdsKnown)
}

// channels gives animations the channels of nodes that came back.
func (r *refill) channels(back map[*asset.Node]bool) {
	for _, a := range r.was.Animations {
		i := slices.IndexFunc(r.now.Animations, func(b *asset.Animation) bool { return b.Name == a.Name })
		if i < 0 {
			continue
		}
		for _, c := range a.Channels {
			if back[c.Node] {
				r.now.Animations[i].Channels = append(r.now.Animations[i].Channels, c)
			}
		}
	}
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Listed returns names as one line of text, shortened if there are many.
func Listed(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
