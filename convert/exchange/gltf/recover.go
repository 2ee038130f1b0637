package gltf

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/qmuntal/gltf"

	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// DecodeOnto is [Decode] of a file that was made from a model which is at hand. Editors drop extras; original returns
// the scene that the file was made from, and each object whose record of usher's is gone takes that of its counterpart
// there: of the one with its name, as editors change names, and its place and shape. What is read is then what a file
// with its extras would give. original is asked only when something is missing; its errors are returned as they are.
func DecodeOnto(b []byte, find func(uri string) ([]byte, error), original func() (*asset.Scene, error), diag *schema.Diagnostics) (*asset.Scene, error) {
	return decodeWith(b, newDecoder(find, diag), original)
}

// recoverExtras puts the records of the original into the document.
func (d *decoder) recoverExtras(original func() (*asset.Scene, error)) error {
	bare := !d.hasRecords()
	if !bare && !d.lacksRecords() {
		return nil
	}
	s, err := original()
	if err != nil {
		return err
	}
	base, err := documentOf(s, ShowHardpoints)
	if err != nil {
		return err
	}
	r := recovery{was: newSide(base), now: newSide(d.doc), bare: bare}
	r.match()
	if r.found < len(d.doc.Nodes) { // it may show more than is usual
		whole, err := documentOf(s, ShowAll)
		if err != nil {
			return err
		}
		x := recovery{was: newSide(whole), now: r.now, bare: bare}
		if x.match(); x.found > r.found {
			if base, err = documentOf(s, x.shows()); err != nil {
				return err
			}
			r = recovery{was: newSide(base), now: r.now, bare: bare}
			r.match()
		}
	}
	r.transplant()
	switch {
	case r.found == 0 && len(d.doc.Nodes) > 0 && len(base.Nodes) > 0:
		d.unlike = bare
		d.diag.Warnf("base-unlike", "", "nothing in the file has a name or a shape of the original's: is it the right one?")
	case r.taken > 0:
		d.diag.Notef("from-original", "", "extras are gone: what they held of %d objects is taken from the original", r.taken)
		r.tellStrangers(d.diag)
	}
	return nil
}

// tellUnlike warns of a file that usher made of a model which is not the original that is at hand.
func (d *decoder) tellUnlike() {
	if d.unlike && d.marked {
		d.diag.Warnf(verbs.NoExtras, "", "exported without Custom Properties: what it kept of the model that it was made from is lost; keep them (extras) when you export")
	}
}

// tellStrangers warns of objects of a document without any record that are like none of the original, while the original has
// some that nothing is like: they may be those, renamed and edited.
func (r *recovery) tellStrangers(diag *schema.Diagnostics) {
	if !r.bare {
		return
	}
	var strange verbs.Tally
	if left(r.nodes, r.was.Nodes, func(n *gltf.Node) any { return n.Extras }) {
		for k, i := range r.nodes {
			if i < 0 {
				strange.Add(r.now.Nodes[k].Name)
			}
		}
	}
	if left(r.materials, r.was.Materials, func(m *gltf.Material) any { return m.Extras }) {
		for k, i := range r.materials {
			if i < 0 {
				strange.Add(r.now.Materials[k].Name)
			}
		}
	}
	if strange.Count > 0 {
		diag.Warnf(verbs.NoExtras, "", "exported without Custom Properties: objects that are like none of the original, %d of them, the first is %q, are taken for new ones, and what they may have kept is lost; keep them (extras) when you export", strange.Count, strange.First)
	}
}

// left reports whether the original has an object with a record that is nobody's counterpart.
func left[T any](pairs []int, was []T, extras func(T) any) bool {
	for i, x := range was {
		if hasRecord(extras(x)) && !slices.Contains(pairs, i) {
			return true
		}
	}
	return false
}

// documentOf returns the document that a scene is written as.
func documentOf(s *asset.Scene, show Show) (*gltf.Document, error) {
	e, err := build(s, Options{blank: true, Show: &show}, "")
	if err != nil {
		return nil, err
	}
	pieces, err := e.text()
	if err != nil {
		return nil, err
	}
	doc := &gltf.Document{}
	if err := json.Unmarshal(slices.Concat(pieces...), doc); err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "json", "%v", err)
	}
	return doc, nil
}

// hasRecord reports whether extras hold usher's record.
func hasRecord(extras any) bool {
	_, u := split(extras)
	return u != nil
}

// hasRecords reports whether any object that an editor keeps extras of has usher's record.
func (d *decoder) hasRecords() bool { return d.anyExtras(hasRecord) }

// lacksRecords reports whether one of them has none.
func (d *decoder) lacksRecords() bool { return d.anyExtras(func(x any) bool { return !hasRecord(x) }) }

func (d *decoder) anyExtras(is func(any) bool) bool {
	return slices.ContainsFunc(d.doc.Nodes, func(n *gltf.Node) bool { return is(n.Extras) }) ||
		slices.ContainsFunc(d.doc.Meshes, func(m *gltf.Mesh) bool { return is(m.Extras) }) ||
		slices.ContainsFunc(d.doc.Materials, func(m *gltf.Material) bool { return is(m.Extras) }) ||
		slices.ContainsFunc(d.doc.Scenes, func(s *gltf.Scene) bool { return is(s.Extras) })
}

// recovery pairs the objects of an edited document with those of its original. The lists hold, for each object of the
// edited one, the number of its counterpart, or −1.
type recovery struct {
	was, now                         *side
	bare                             bool // the edited document has no record at all
	nodes, meshes, materials, camera []int
	found, taken                     int
}

func (r *recovery) match() {
	wasNames, nowNames := namesOf(r.was.Nodes, nodeName), namesOf(r.now.Nodes, nodeName)
	r.nodes = slices.Repeat([]int{-1}, len(nowNames))
	r.unique(wasNames, nowNames)
	r.nodes = pair(wasNames, nowNames, r.nodes, r.alike)
	r.byShape()
	r.byChildren()
	r.matchMeshes()
	r.matchMaterials()
	r.camera = pair(namesOf(r.was.Cameras, func(c *gltf.Camera) string { return c.Name }), namesOf(r.now.Cameras, func(c *gltf.Camera) string { return c.Name }), nil,
		func(int, int) int { return 0 })
	for k, i := range r.nodes {
		if i >= 0 {
			if a, b := r.was.Nodes[i].Camera, r.now.Nodes[k].Camera; a != nil && b != nil && *b >= 0 && *b < len(r.camera) {
				r.camera[*b] = *a
			}
		}
	}
	for _, i := range r.nodes {
		if i >= 0 {
			r.found++
		}
	}
}

// unique pairs nodes whose name no other node has on either side.
func (r *recovery) unique(was, now []string) {
	count := func(list []string) map[string]int {
		m := map[string]int{}
		for _, x := range list {
			m[x]++
		}
		return m
	}
	a, b := count(was), count(now)
	at := map[string]int{}
	for i, x := range was {
		at[x] = i
	}
	for k, x := range now {
		if x != "" && a[x] == 1 && b[x] == 1 {
			r.nodes[k] = at[x]
		}
	}
}

// shows returns what the edited document shows of all that there is.
func (r *recovery) shows() Show {
	show := ShowHardpoints
	for _, i := range r.nodes {
		if i < 0 {
			continue
		}
		_, u := split(r.was.Nodes[i].Extras)
		own, _ := u[keyAsset].(record)
		switch {
		case own["lodOf"] != nil:
			show |= ShowLevels
		case own["kind"] == kindNames[asset.Wire]:
			show |= ShowWires
		case own["kind"] == kindNames[asset.Hull]:
			show |= ShowHulls
		case own["kind"] == kindNames[asset.Mount]:
			show |= ShowMounts
		}
	}
	return show
}

// alike weighs two nodes with like names.
func (r *recovery) alike(i, k int) (score int) {
	if p, q := r.was.parents[i], r.now.parents[k]; p < 0 && q < 0 || p >= 0 && q >= 0 && r.nodes[q] == p {
		score += 8
	}
	a, hasA := r.was.shape(i)
	b, hasB := r.now.shape(k)
	if hasA == hasB {
		score += 4
	}
	if hasA && hasB && a.like(b) {
		score += 8
	}
	if r.was.joints[i] == r.now.joints[k] {
		score += 4
	}
	x, y := r.was.Nodes[i].Translation, r.now.Nodes[k].Translation
	if d := math.Abs(x[0]-y[0]) + math.Abs(x[1]-y[1]) + math.Abs(x[2]-y[2]); d < 1e-4*(1+math.Abs(x[0])+math.Abs(x[1])+math.Abs(x[2])) {
		score += 4
	}
	return score
}

// byShape pairs nodes that somebody renamed, by meshes that no other node has.
func (r *recovery) byShape() {
	used := map[int]bool{}
	for _, i := range r.nodes {
		used[i] = true
	}
	for k := range r.now.Nodes {
		b, ok := r.now.shape(k)
		if r.nodes[k] >= 0 || !ok {
			continue
		}
		only := -1
		for i := range r.was.Nodes {
			if a, ok := r.was.shape(i); ok && !used[i] && a.like(b) {
				if only >= 0 {
					only = -2
					break
				}
				only = i
			}
		}
		if only >= 0 {
			r.nodes[k], used[only] = only, true
		}
	}
}

// byChildren pairs what is above paired nodes, and has no name of its own: editors call the object that holds a skeleton
// as they like.
func (r *recovery) byChildren() {
	used := map[int]bool{}
	for _, i := range r.nodes {
		used[i] = true
	}
	for k := len(r.now.Nodes) - 1; k >= 0; k-- {
		if r.nodes[k] >= 0 || r.now.Nodes[k].Mesh != nil {
			continue
		}
		above := -1
		for _, c := range r.now.Nodes[k].Children {
			p := -1
			if c >= 0 && c < len(r.nodes) && r.nodes[c] >= 0 {
				p = r.was.parents[r.nodes[c]]
			}
			if p < 0 || used[p] || above >= 0 && above != p {
				above = -1
				break
			}
			above = p
		}
		if above >= 0 {
			r.nodes[k], used[above] = above, true
		}
	}
}

func (r *recovery) matchMeshes() {
	r.meshes = slices.Repeat([]int{-1}, len(r.now.Meshes))
	used := map[int]bool{}
	for k, i := range r.nodes {
		if i < 0 {
			continue
		}
		a, b := r.was.Nodes[i].Mesh, r.now.Nodes[k].Mesh
		if a != nil && b != nil && *b >= 0 && *b < len(r.meshes) && r.meshes[*b] < 0 && !used[*a] {
			r.meshes[*b], used[*a] = *a, true
		}
	}
	meshName := func(m *gltf.Mesh) string { return m.Name }
	r.meshes = pair(namesOf(r.was.Meshes, meshName), namesOf(r.now.Meshes, meshName), r.meshes, func(i, k int) int {
		if r.was.shapes[i].like(r.now.shapes[k]) {
			return 8
		}
		return 0
	})
}

func (r *recovery) matchMaterials() {
	materialName := func(m *gltf.Material) string { return m.Name }
	r.materials = pair(namesOf(r.was.Materials, materialName), namesOf(r.now.Materials, materialName), nil, func(i, k int) int {
		return r.worn(i, k)
	})
	used := map[int]bool{}
	for _, i := range r.materials {
		used[i] = true
	}
	for k, i := range r.meshes { // somebody renamed it
		if i < 0 || len(r.was.Meshes[i].Primitives) != len(r.now.Meshes[k].Primitives) {
			continue
		}
		for n, p := range r.now.Meshes[k].Primitives {
			a, b := r.was.Meshes[i].Primitives[n].Material, p.Material
			if a != nil && b != nil && *b >= 0 && *b < len(r.materials) && r.materials[*b] < 0 && !used[*a] {
				r.materials[*b], used[*a] = *a, true
			}
		}
	}
}

// worn weighs two materials with like names by the meshes that wear both.
func (r *recovery) worn(i, k int) (score int) {
	for m, o := range r.meshes {
		if o < 0 || score >= 8 {
			continue
		}
		wears := func(mesh *gltf.Mesh, material int) bool {
			return slices.ContainsFunc(mesh.Primitives, func(p *gltf.Primitive) bool { return p.Material != nil && *p.Material == material })
		}
		if wears(r.was.Meshes[o], i) && wears(r.now.Meshes[m], k) {
			score += 2
		}
	}
	return score
}

// transplant gives objects the extras of their counterparts.
func (r *recovery) transplant() {
	for k, i := range r.nodes {
		if i >= 0 {
			r.give(&r.now.Nodes[k].Extras, r.was.Nodes[i].Extras)
		}
	}
	for k, i := range r.meshes {
		if i >= 0 {
			r.give(&r.now.Meshes[k].Extras, r.was.Meshes[i].Extras)
		}
	}
	for k, i := range r.materials {
		if i >= 0 {
			r.give(&r.now.Materials[k].Extras, r.was.Materials[i].Extras)
		}
	}
	for k, i := range r.camera {
		if i >= 0 {
			r.give(&r.now.Cameras[k].Extras, r.was.Cameras[i].Extras)
		}
	}
	current := func(doc *gltf.Document) *gltf.Scene {
		i := 0
		if doc.Scene != nil {
			i = *doc.Scene
		}
		if i < 0 || i >= len(doc.Scenes) {
			return nil
		}
		return doc.Scenes[i]
	}
	if a, b := current(r.was.Document), current(r.now.Document); a != nil && b != nil {
		r.give(&b.Extras, a.Extras)
	}
}

// give puts usher's record among extras that lack it, and with it, where no object has kept anything, the properties of
// other programs.
func (r *recovery) give(to *any, from any) {
	kept, ok := from.(record)
	if !ok || hasRecord(*to) {
		return
	}
	all, _ := (*to).(record)
	if all == nil {
		all = record{}
	}
	given := false
	for key, v := range kept {
		if _, there := all[key]; !there && (r.bare || key == ours) || key == ours {
			all[key], given = v, true
		}
	}
	if given {
		*to = all
		r.taken++
	}
}
