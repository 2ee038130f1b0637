package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Materials reads the material library of a tree's root (reference section 11). It warns of a material without a type, and
// of a stored count that is not the number of materials.
func Materials(root *freelancer.Node, d *schema.Diagnostics) ([]*freelancer.Material, error) {
	dir := root.Child(freelancer.MaterialLibrary)
	if dir == nil {
		return nil, nil
	}
	var list []*freelancer.Material
	for _, n := range dir.Children {
		if n.IsDir() {
			list = append(list, Material(n, d))
		}
	}
	f := fields{n: dir}
	if f.has("Material count") {
		if n := f.word("Material count"); f.err == nil && int64(n) != int64(len(list)) {
			d.Warnf("material-count", dir.Name, "the count is %d, there are %d", int32(n), len(list))
		}
	}
	return list, f.err
}

// Material reads the directory of a material.
func Material(n *freelancer.Node, d *schema.Diagnostics) *freelancer.Material {
	n = given(n)
	m := &freelancer.Material{Name: n.Name, Node: n}
	for _, c := range n.Children {
		if c.IsDir() {
			continue
		}
		p := freelancer.Property{Name: c.Name, Kind: freelancer.PropertyKindOf(c.Name), Node: c}
		switch p.Kind {
		case freelancer.TextProperty:
			t, _ := Text(c.Data, nil)
			p.Text = t.Value
		case freelancer.FloatProperty:
			v, _ := Floats(c.Data, nil)
			p.Floats = v.Values
		case freelancer.WordProperty:
			v, _ := Ints(c.Data, nil)
			p.Words = v.Values
		}
		m.Properties = append(m.Properties, p)
	}
	if t := m.Property("Type"); t != nil {
		m.Type = t.Text
	} else {
		d.Warnf("no-type", n.Name, "a material without a type")
	}
	return m
}
