package gltf

import (
	"fmt"
	"slices"

	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// readLODs hangs levels of detail below their node, by MSFT_lod or, after an editor dropped that, by the names that
// ride along.
func (d *decoder) readLODs() error {
	named := d.byName()
	for i, n := range d.nodes {
		var ext struct {
			IDs []int `json:"ids"`
		}
		if n == nil {
			continue
		}
		path := fmt.Sprintf("nodes/%d", i)
		ok, err := d.extension(path, d.doc.Nodes[i].Extensions, extLOD, &ext)
		if ok {
			err = d.checkLODs(path+"/extensions/"+extLOD, i, ext.IDs, named)
			ok = err == nil
			err = d.excuse(path, extLOD, err)
		}
		if err != nil {
			return err
		}
		for _, k := range ext.IDs {
			if ok && !d.hang(i, k) {
				d.diag.Lossf("lod-place", path, "node %d cannot be a level of detail of node %d and stays where it is", k, i)
			}
		}
	}
	for k, own := range d.own {
		name, ok := own["lodOf"].(string)
		if !ok || d.nodes[k] == nil || d.parents[k] >= lodChild {
			continue
		}
		if p := d.parents[k]; p >= 0 && own["lodBelow"] != nil && d.nodes[p] != nil && d.own[p]["lodOf"] == nil {
			d.hang(p, k)
		} else if i := d.ownerCalled(named, name, k); i >= 0 {
			d.hang(i, k)
		}
	}
	return nil
}

// ownerCalled returns the number of the node with a name, or of the one that an editor made of it, whose level of detail
// node k can be; −1 when there is none.
func (d *decoder) ownerCalled(named map[string]int, name string, k int) int {
	if i, ok := named[name]; ok && i != k {
		return i
	}
	for i, n := range d.nodes {
		if n != nil && i != k && d.own[i]["lodOf"] == nil && verbs.NameKey(n.Name) == verbs.NameKey(name) {
			return i
		}
	}
	return -1
}

// checkLODs holds the levels of node i against what usher wrote with them, if it did: an editor that does not know the
// extension copies it with the numbers that nodes had before.
func (d *decoder) checkLODs(path string, i int, ids []int, named map[string]int) error {
	ours := slices.ContainsFunc(d.own, func(own record) bool { return own["lodOf"] != nil })
	for _, k := range ids {
		if err := refer(path, k, len(d.nodes)); err != nil {
			return err
		}
		if !ours || d.nodes[k] == nil {
			continue
		}
		owner, known := d.own[k]["lodOf"].(string)
		other, there := named[owner]
		if !known || there && other != i && d.nodes[i].Name != owner {
			return pathError(path, schema.ErrMismatch, "node %d is no level of detail of this one", k)
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
	for at, steps := i, 0; at >= 0; at = d.above(at) { // k must not be above i
		if steps++; at == k || steps > schema.DefaultLimits.Depth {
			return false
		}
	}
	if p := d.parents[k]; p >= 0 {
		if p != d.parents[i] && p != i {
			return false
		}
		if p == i { // it stands in the space of its part
			d.nodes[k].Transform = outOf(&d.nodes[k].Transform, &d.nodes[i].Transform)
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
	if verbs.Renamed(wrapperName, n.Name) {
		d.diag.Lossf("node-name", n.Name, "the node that joins the bones stands in no other file than glTF: it is %q again", wrapperName)
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
