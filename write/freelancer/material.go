package freelancer

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Materials writes materials into the library of a tree's root. It adds nodes for new materials and properties, and sets
// the count of the library if that has one or is new. Leaves with the right content are not touched.
func Materials(root *freelancer.Node, list []*freelancer.Material) error {
	if len(list) == 0 && root.Child(freelancer.MaterialLibrary) == nil {
		return nil
	}
	fresh := root.Child(freelancer.MaterialLibrary) == nil
	dir := root.Dir(freelancer.MaterialLibrary)
	seen := map[uint32]string{}
	for _, m := range list {
		crc := freelancer.FLCRC(m.Name)
		if other, clash := seen[crc]; clash {
			return schema.Errorf(freelancer.Format, schema.ErrValue, "material", "%q and %q have the same hash, so that the game cannot tell them apart", other, m.Name)
		}
		seen[crc] = m.Name
		if m.Node == nil {
			m.Node = dir.Add(freelancer.NewDir(m.Name))
		}
		if err := Material(m); err != nil {
			return err
		}
	}
	if fresh || added(dir) {
		f := fields{n: dir}
		f.words("Material count", uint32(len(list)))
	}
	return nil
}

// added reports whether a library that has a count has a new material; otherwise even a wrong count is kept.
func added(dir *freelancer.Node) bool {
	for _, c := range dir.Children {
		if c.IsDir() && c.Slot == nil {
			return dir.Child("Material count") != nil
		}
	}
	return false
}

// Material writes a material into its directory: its name and its properties. It adds leaves for new properties and removes
// those of deleted ones. It fails with ErrMismatch for a property whose value does not fit its kind.
func Material(m *freelancer.Material) error {
	if m.Node == nil {
		return schema.Errorf(freelancer.Format, schema.ErrValue, "material", "%q has no directory: Materials gives it one", m.Name)
	}
	if err := rename(m.Node, "material", m.Name); err != nil {
		return err
	}
	if err := typeProperty(m); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range m.Properties {
		p := &m.Properties[i]
		if key := strings.ToLower(p.Name); p.Name == "" || seen[key] {
			return schema.Errorf(freelancer.Format, schema.ErrValue, "property", "material %q has two properties %q, or one without a name", m.Name, p.Name)
		} else {
			seen[key] = true
		}
		if err := materialProperty(m, p); err != nil {
			return err
		}
	}
	keep(m.Node, m.Properties, func(p freelancer.Property) *freelancer.Node { return p.Node }, func(n *freelancer.Node) bool { return !n.IsDir() })
	return nil
}

// typeProperty brings the type of a material and its property Type in line: the one that is not as it is stored counts.
func typeProperty(m *freelancer.Material) error {
	t := m.Property("Type")
	if t == nil {
		if m.Type != "" {
			m.Properties = append([]freelancer.Property{{Name: "Type", Kind: freelancer.TextProperty, Text: m.Type}}, m.Properties...)
		}
		return nil
	}
	stored := ""
	if leaf := m.Node.Child("Type"); leaf != nil {
		stored = schema.DecodeWindows1252(upToZero(leaf.Data))
	}
	switch {
	case t.Text == m.Type || t.Text == stored:
		t.Text = m.Type
	case m.Type == stored:
		m.Type = t.Text
	default:
		return schema.Errorf(freelancer.Format, schema.ErrMismatch, "Type", "material %q is of type %q, and its property says %q", m.Name, m.Type, t.Text)
	}
	return nil
}

// materialProperty writes a property into its leaf.
func materialProperty(m *freelancer.Material, p *freelancer.Property) error {
	kind := freelancer.PropertyKindOf(p.Name)
	if p.Kind != kind || p.Text != "" && kind != freelancer.TextProperty || p.Floats != nil && kind != freelancer.FloatProperty || p.Words != nil && kind != freelancer.WordProperty {
		return schema.Errorf(freelancer.Format, schema.ErrMismatch, p.Name, "a property of material %q is not of the kind of its name, or has values of another", m.Name)
	}
	if p.Node != nil && slices.Contains(m.Node.Children, p.Node) {
		p.Node.Name = p.Name
	}
	f := fields{n: m.Node}
	switch kind {
	case freelancer.TextProperty:
		if p.Text == "" && m.Node.Child(p.Name) == nil {
			m.Node.Add(freelancer.NewLeaf(p.Name, []byte{0}))
		}
		f.text(p.Name, p.Text)
	case freelancer.FloatProperty:
		f.all(p.Name, floatBytes(p.Floats))
	case freelancer.WordProperty:
		f.all(p.Name, wordBytes(p.Words))
	}
	p.Node = m.Node.Child(p.Name)
	return f.err
}
