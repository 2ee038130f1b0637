package gltf

import (
	"encoding/json"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/convert/restore"
	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// DecodeOnto is [Decode] for a file whose original model is at hand. Editors may drop extras. DecodeOnto puts them back
// from the scene that original returns: an object without usher's record takes the record of its counterpart. The
// counterpart is found by name (allowing for how editors change names), place and shape. The result is what a file with its
// extras would give. original is called only if something is missing; its errors are returned unchanged.
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
	r := newRecovery(base, d.doc, bare)
	if r.Found < len(d.doc.Nodes) { // it may show more than is usual
		whole, err := documentOf(s, ShowAll)
		if err != nil {
			return err
		}
		if x := newRecovery(whole, d.doc, bare); x.Found > r.Found {
			if base, err = documentOf(s, x.shows()); err != nil {
				return err
			}
			r = newRecovery(base, d.doc, bare)
		}
	}
	r.transplant()
	switch {
	case r.Found == 0 && len(d.doc.Nodes) > 0 && len(base.Nodes) > 0:
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
		d.diag.Warnf(restore.NoExtras, "", "exported without Custom Properties: what it kept of the model that it was made from is lost; keep them (extras) when you export")
	}
}

// tellStrangers warns of objects of a document without any record that are like none of the original, while the original has
// some that nothing is like: they may be those, renamed and edited.
func (r *recovery) tellStrangers(diag *schema.Diagnostics) {
	if !r.bare {
		return
	}
	var strange verbs.Tally
	if left(r.Nodes, r.was.Nodes, func(n *gltf.Node) any { return n.Extras }) {
		for k, i := range r.Nodes {
			if i < 0 {
				strange.Add(r.now.Nodes[k].Name)
			}
		}
	}
	if left(r.Materials, r.was.Materials, func(m *gltf.Material) any { return m.Extras }) {
		for k, i := range r.Materials {
			if i < 0 {
				strange.Add(r.now.Materials[k].Name)
			}
		}
	}
	if strange.Count > 0 {
		diag.Warnf(restore.NoExtras, "", "exported without Custom Properties: objects that are like none of the original, %d of them, the first is %q, are taken for new ones, and what they may have kept is lost; keep them (extras) when you export", strange.Count, strange.First)
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

// recovery gives the objects of an edited document what their counterparts in its original have kept.
type recovery struct {
	was, now *gltf.Document
	bare     bool // the edited document has no record at all
	*restore.Pairs
	taken int
}

func newRecovery(was, now *gltf.Document, bare bool) recovery {
	return recovery{was: was, now: now, bare: bare, Pairs: restore.Match(outlineOf(was), outlineOf(now))}
}

// shows returns what the edited document shows of all that there is.
func (r *recovery) shows() Show {
	show := ShowHardpoints
	for _, i := range r.Nodes {
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

// transplant gives objects the extras of their counterparts.
func (r *recovery) transplant() {
	for k, i := range r.Nodes {
		if i >= 0 {
			r.give(&r.now.Nodes[k].Extras, r.was.Nodes[i].Extras)
		}
	}
	for k, i := range r.Meshes {
		if i >= 0 {
			r.give(&r.now.Meshes[k].Extras, r.was.Meshes[i].Extras)
		}
	}
	for k, i := range r.Materials {
		if i >= 0 {
			r.give(&r.now.Materials[k].Extras, r.was.Materials[i].Extras)
		}
	}
	for k, i := range r.Cameras {
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
	if a, b := current(r.was), current(r.now); a != nil && b != nil {
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
