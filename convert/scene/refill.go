package scene

import (
	"bytes"

	"image/color"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Tidies reports whether an editor leaves out what it takes for unused: glTF-Transform's prune and gltfpack drop nodes that
// show nothing and attributes of vertices that no material asks for, see [Refill].
func (e Editor) Tidies() bool { return e.Program == GltfTransform || e.Program == Gltfpack }

// Refill puts back what a program left out of a scene because it showed nothing ([Editor.Tidies]): nodes without a shape,
// and what [RefillShapes] does. All is taken from the original, which is the caller's to give away, and the nodes are
// named. A person may have deleted nodes before the program ran: where any such node is left, it kept them, and what is
// missing was meant to go.
func Refill(original, edited *asset.Scene, d *schema.Diagnostics) {
	r := newRefill(original, edited)
	r.shapes()
	if r.tidied() {
		r.nodes(d)
	}
}

// RefillShapes gives shapes the normals and texture coordinates that no material used, and materials the pictures of one
// colour and the transparency without an effect that a program made simpler ([Editor.Tidies]).
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
		id = ShownText(n.Native, "id")
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

// shapeless reports whether a node and all below it show nothing.
func shapeless(n *asset.Node) bool {
	return n.Mesh == nil && n.Camera == nil && n.Light == nil && len(n.LODs) == 0 && !slices.ContainsFunc(n.Children, func(c *asset.Node) bool { return !shapeless(c) })
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
		clean = clean && (needed[n] || hidden[n] || len(n.Children) > 0 || !shapeless(n))
	})
	return clean
}

// nodes puts nodes back that show nothing.
func (r *refill) nodes(d *schema.Diagnostics) {
	var names []string
	back := map[*asset.Node]bool{}
	put := func(list *[]*asset.Node, was []*asset.Node) {
		for i, c := range was {
			if r.to[c] == nil && shapeless(c) && !r.holdsKnown(c) {
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
		counted(len(names), "node", "nodes"), isAre(len(names)), isAre(len(names)), Listed(names))
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

// Listed returns names in one line, not too many of them.
func Listed(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// mesh gives the primitives of a mesh what they lack.
func (r *refill) mesh(was, now *asset.Mesh) {
	for i, p := range now.Primitives {
		q := counterpart(was, now, i)
		if q == nil {
			continue
		}
		if p.Material != nil && q.Material != nil && !r.painted[p.Material] {
			r.painted[p.Material] = true
			r.material(q.Material, p.Material)
		}
		if p.Load != nil || q.Load != nil || p.Mode != q.Mode || len(p.Positions) == 0 || len(q.Positions) == 0 {
			continue
		}
		if len(p.TexCoords) < len(q.TexCoords) || p.Normals == nil && q.Normals != nil {
			if refillPrimitive(q, p) && p.Material != nil && q.Material != nil {
				renumber(q.Material, p.Material)
			}
		}
		if EditorOf(r.now).Program == Gltfpack && len(p.Colors) > 0 && len(q.Colors) == len(q.Positions) {
			sharpen(q, p)
		}
	}
}

// counterpart returns the primitive of the original that the i-th of a mesh is: the one in its place, or the only one with
// the name of its material; nil for none.
func counterpart(was, now *asset.Mesh, i int) (found *asset.Primitive) {
	if len(was.Primitives) == len(now.Primitives) {
		return was.Primitives[i]
	}
	name := func(p *asset.Primitive) string {
		if p.Material == nil {
			return ""
		}
		return p.Material.Name
	}
	for _, q := range was.Primitives {
		if name(q) == name(now.Primitives[i]) {
			if found != nil {
				return nil
			}
			found = q
		}
	}
	return found
}

// refillPrimitive gives a primitive the attributes of the original that it lacks. It reports whether sets of texture
// coordinates have other numbers than before: programs number those anew that they keep.
func refillPrimitive(was, now *asset.Primitive) (renumbered bool) {
	of := vertices(was, now)
	if of == nil {
		return false
	}
	if now.Normals == nil && len(was.Normals) == len(was.Positions) {
		now.Normals = pickKnown(was.Normals, of)
	}
	if len(now.TexCoords) >= len(was.TexCoords) || slices.ContainsFunc(was.TexCoords, func(uv [][2]float32) bool { return len(uv) != len(was.Positions) }) {
		return false
	}
	var sets [][][2]float32
	for _, uv := range was.TexCoords {
		sets = append(sets, pickKnown(uv, of))
	}
	at := 0
	for i, uv := range now.TexCoords { // an edited one keeps its place
		same := func(old [][2]float32) bool { return sameSet(uv, old, of) }
		last := len(sets) - len(now.TexCoords) + i
		if k := slices.IndexFunc(sets[at:last+1], same); k > 0 {
			at, renumbered = at+k, true
		}
		sets[at] = uv
		at++
	}
	now.TexCoords = sets
	return renumbered
}

// renumber makes a material use the sets of texture coordinates that it used.
func renumber(was, now *asset.Material) {
	before := uses(was)
	for i, r := range uses(now) {
		if used(r) && used(before[i]) {
			r.TexCoord = before[i].TexCoord
		}
	}
}

// sameSet reports whether most texture coordinates of known vertices are the same.
func sameSet(now, was [][2]float32, of []int) bool {
	near, known := 0, 0
	for i, v := range of {
		if v >= 0 {
			known++
			if d := [2]float32{now[i][0] - was[i][0], now[i][1] - was[i][1]}; max(d[0], -d[0], d[1], -d[1]) < 1e-4 {
				near++
			}
		}
	}
	return 2*near > known
}

// vertices returns for each vertex of a primitive the one of the original that it is, −1 for none; nil when none is known.
func vertices(was, now *asset.Primitive) []int {
	if len(was.Positions) == len(now.Positions) {
		near := Index{reach: EditorTolerance.Position * max(Extent(was.Positions), 1e-30)}
		same := true
		of := make([]int, len(now.Positions))
		for i := range of {
			of[i] = i
			same = same && near.Near(was.Positions[i], now.Positions[i])
		}
		if same || slices.Equal(was.Indices, now.Indices) {
			return of
		}
	}
	if was.Mode != asset.Triangles {
		return nil
	}
	blind := *was
	if len(now.TexCoords) < len(was.TexCoords) {
		blind.TexCoords = nil
	}
	of := Match(&blind, now, EditorTolerance).Vertices
	if !slices.ContainsFunc(of, func(v int) bool { return v >= 0 }) {
		return nil
	}
	return of
}

// pickKnown is pick where −1 stands for nothing.
func pickKnown[T any](v []T, of []int) []T {
	out := make([]T, len(of))
	for i, k := range of {
		if k >= 0 {
			out[i] = v[k]
		}
	}
	return out
}

// sharpen gives vertices the colours of the original that theirs are rounded from: gltfpack has eight bits for what is
// linear.
func sharpen(was, now *asset.Primitive) {
	const half = 0.51 / 255
	of := vertices(was, now)
	colors := slices.Clone(now.Colors)
	for i, v := range of {
		if v < 0 {
			continue
		}
		near := true
		for k, x := range was.Colors[v] {
			d := x - colors[i][k]
			near = near && d <= half && d >= -half
		}
		if near {
			colors[i] = was.Colors[v]
		}
	}
	now.Colors = colors
}

// material gives a material back its picture of one colour, which programs make its own colour, and its transparency
// where nothing of it is transparent.
func (r *refill) material(was, now *asset.Material) {
	if !used(now.BaseColorTexture) && used(was.BaseColorTexture) {
		only, ok := onlyColor(was.BaseColorTexture.Texture)
		for k := range only {
			only[k] *= was.BaseColor[k]
		}
		if !ok || !SameColor(only[:], now.BaseColor[:]) {
			return
		}
		ref := *was.BaseColorTexture
		now.BaseColorTexture, now.BaseColor = &ref, was.BaseColor
		if !slices.Contains(r.now.Textures, ref.Texture) {
			r.now.Textures = append(r.now.Textures, ref.Texture)
		}
	}
	if EditorOf(r.now).Program == Gltfpack && now.Alpha == asset.Opaque && Solid(was) && SameColor(was.BaseColor[:], now.BaseColor[:]) {
		now.Alpha, now.AlphaCutoff = was.Alpha, was.AlphaCutoff
	}
}

// onlyColor returns the linear colour of a picture that has one only.
func onlyColor(t *asset.Texture) (c [4]float32, ok bool) {
	m := t.Base()
	if m == nil || m.Width < 1 || m.Height < 1 {
		return c, false
	}
	p := m.Image(t.Palette)
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(p.At(x, y)).(color.NRGBA) }
	b := p.Bounds()
	first := at(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if at(x, y) != first {
				return c, false
			}
		}
	}
	return [4]float32{Linear(float32(first.R) / 255), Linear(float32(first.G) / 255), Linear(float32(first.B) / 255), float32(first.A) / 255}, true
}
