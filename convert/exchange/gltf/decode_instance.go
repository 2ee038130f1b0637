package gltf

import (
	"fmt"
	"maps"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// nodeBytes is what a node takes in memory, with what its place in lists takes.
const nodeBytes = 600

// expandInstances makes nodes of the copies that EXT_mesh_gpu_instancing asks for: below the node that has it, which
// gives its mesh to them.
func (d *decoder) expandInstances() error {
	copies := 0
	first := ""
	for i, g := range d.doc.Nodes {
		path := fmt.Sprintf("nodes/%d", i)
		var x struct {
			Attributes map[string]int `json:"attributes"`
		}
		ok, err := d.extension(path, g.Extensions, extInstancing, &x)
		if ok && d.nodes[i].Mesh != nil {
			var all []*asset.Node
			if all, err = d.instances(path+"/extensions/"+extInstancing, d.nodes[i], x.Attributes); err == nil && len(all) > 0 {
				d.nodes[i].Mesh = nil
				d.nodes[i].Children = append(d.nodes[i].Children, all...)
				if copies += len(all); first == "" {
					first = path
				}
			}
			err = d.excuse(path, extInstancing, err)
		}
		if err != nil {
			return err
		}
	}
	if copies > 0 {
		d.diag.Notef("instances", first, "%d copies of meshes (%s) become nodes", copies, extInstancing)
	}
	return nil
}

// instances returns the copies of a node's mesh.
func (d *decoder) instances(path string, n *asset.Node, attributes map[string]int) ([]*asset.Node, error) {
	count := -1
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		e, err := d.locate(path+"/"+name, attributes[name], count)
		if err != nil {
			return nil, err
		}
		count = e.count
	}
	if count <= 0 {
		return nil, nil
	}
	if err := d.spend(path, nodeBytes*int64(count)); err != nil {
		return nil, err
	}
	all := make([]*asset.Node, count)
	for k := range all {
		all[k] = asset.NewNode(fmt.Sprintf("%s_%d", n.Name, k+1))
		all[k].Mesh, all[k].Weights = n.Mesh, n.Weights
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		at, i := path+"/"+name, attributes[name]
		var err error
		switch name {
		case "TRANSLATION", "SCALE":
			err = d.placeInstances(at, i, count, name == "SCALE", all)
		case "ROTATION":
			err = d.turnInstances(at, i, count, all)
		default:
			err = d.markInstances(at, name, i, all)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// separateCopies splits nodes that usher has joined into the original ones. If the number of instances was changed, they
// become new nodes, as for other files.
func (d *decoder) separateCopies() error {
	var lists []*[]int
	for _, g := range d.doc.Nodes {
		lists = append(lists, &g.Children)
	}
	for _, s := range d.doc.Scenes {
		lists = append(lists, &s.Nodes)
	}
	for _, list := range lists {
		if err := d.separate(list); err != nil {
			return err
		}
	}
	return nil
}

// separate puts the nodes that were joined back into a list of siblings.
func (d *decoder) separate(siblings *[]int) error {
	places := map[int]int{} // of copies, by their numbers
	var added []int
	for _, i := range *siblings {
		if i < 0 || i >= len(d.doc.Nodes) {
			continue // told elsewhere
		}
		all, at, err := d.copies(i)
		if err != nil {
			return err
		}
		for k, g := range all {
			number := i
			if k == 0 {
				d.doc.Nodes[i] = g
			} else {
				number = len(d.doc.Nodes)
				d.doc.Nodes = append(d.doc.Nodes, g)
				added = append(added, number)
			}
			places[number] = at[k]
		}
	}
	if len(added) > 0 {
		*siblings = inPlaces(append(slices.Clip(*siblings), added...), places)
	}
	return nil
}

// inPlaces orders numbers so that those with a place get it, if it is free, and the others fill the gaps.
func inPlaces(numbers []int, places map[int]int) []int {
	out := make([]int, len(numbers))
	for i := range out {
		out[i] = -1
	}
	var rest []int
	for _, number := range numbers {
		if at, ok := places[number]; ok && at >= 0 && at < len(out) && out[at] < 0 {
			out[at] = number
		} else {
			rest = append(rest, number)
		}
	}
	for i := range out {
		if out[i] < 0 {
			out[i], rest = rest[0], rest[1:]
		}
	}
	return out
}

// copies returns the nodes that usher has joined in node i, and their places among their siblings.
func (d *decoder) copies(i int) (all []*gltf.Node, places []int, err error) {
	g, path := d.doc.Nodes[i], fmt.Sprintf("nodes/%d", i)
	_, u := split(g.Extras)
	told, _ := d.child(u, keyAsset)[keyCopies].([]any)
	var x struct {
		Attributes map[string]int `json:"attributes"`
	}
	if ok, err := d.extension(path, g.Extensions, extInstancing, &x); !ok || err != nil || len(told) == 0 || g.Mesh == nil {
		return nil, nil, err
	}
	n := asset.NewNode(g.Name)
	d.transform(n, g, nil)
	copies, err := d.instances(path+"/extensions/"+extInstancing, n, x.Attributes)
	if err != nil {
		return nil, nil, d.excuse(path, extInstancing, err)
	}
	if len(copies) != len(told) || n.Transform != asset.Identity {
		d.diag.Warnf("copies-changed", path, "%q stands for %d nodes and shows its mesh %d times: what usher knew of them is lost", g.Name, len(told), len(copies))
		return nil, nil, nil
	}
	for k, c := range copies {
		own, _ := told[k].(record)
		at := index(own, "at")
		next := &gltf.Node{Name: text(own, "name"), Mesh: g.Mesh, Extras: own["extras"]}
		for axis := range 3 {
			next.Translation[axis], next.Scale[axis] = float64(c.Transform.Translation[axis]), float64(c.Transform.Scale[axis])
		}
		for axis := range 4 {
			next.Rotation[axis] = float64(c.Transform.Rotation[axis])
		}
		all, places = append(all, next), append(places, at)
	}
	return all, places, nil
}

func (d *decoder) placeInstances(path string, i, count int, scale bool, all []*asset.Node) error {
	v, err := d.places(path, i, count)
	if err != nil {
		return err
	}
	for k, n := range all {
		if scale {
			n.Transform.Scale = v[k]
		} else {
			n.Transform.Translation = v[k]
		}
	}
	return nil
}

func (d *decoder) turnInstances(path string, i, count int, all []*asset.Node) error {
	v, err := d.vec4(path, i, count)
	if err != nil {
		return err
	}
	if k := d.firstOdd(i, flat4(v)); k >= 0 {
		return pathError(path, schema.ErrValue, "element %d of accessor %d is %v: not finite", k/4, i, v[k/4])
	}
	for k, n := range all {
		n.Transform.Rotation = v[k]
		mendQuaternion(n.Transform.Rotation[:])
	}
	return nil
}

// markInstances keeps an attribute of another program, such as a number for each copy.
func (d *decoder) markInstances(path, name string, i int, all []*asset.Node) error {
	v, err := d.scalars(path, i)
	if err != nil {
		return err
	}
	comps := len(v) / len(all)
	for k, n := range all {
		if n.Extras == nil {
			n.Extras = map[string]any{}
		}
		if comps == 1 {
			n.Extras[name] = float64(v[k])
			continue
		}
		list := make([]any, comps)
		for c := range list {
			list[c] = float64(v[k*comps+c])
		}
		n.Extras[name] = list
	}
	return nil
}
