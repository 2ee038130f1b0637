package gltf

import (
	"fmt"
	"maps"
	"slices"

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
