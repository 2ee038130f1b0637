package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Materials writes materials into the library of a tree's root. Leaves that hold the same already are left as they
// are; a material or property without a node gets one; a library's count is set where it has one or is new.
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

// added tells whether a library that has a count has a new material; otherwise even a wrong count is kept.
func added(dir *freelancer.Node) bool {
	for _, c := range dir.Children {
		if c.IsDir() && c.Slot == nil {
			return dir.Child("Material count") != nil
		}
	}
	return false
}

// Material writes the properties of a material into its directory.
func Material(m *freelancer.Material) error {
	if t := m.Property("Type"); t == nil && m.Type != "" {
		m.Properties = append([]freelancer.Property{{Name: "Type", Kind: freelancer.TextProperty, Text: m.Type}}, m.Properties...)
	} else if t != nil {
		t.Text = m.Type
	}
	for i := range m.Properties {
		p := &m.Properties[i]
		f := fields{n: m.Node}
		switch p.Kind {
		case freelancer.TextProperty:
			if p.Text == "" && m.Node.Child(p.Name) == nil {
				m.Node.Add(freelancer.NewLeaf(p.Name, []byte{0}))
			}
			f.text(p.Name, p.Text)
		case freelancer.FloatProperty:
			f.put(p.Name, floatBytes(p.Floats))
		case freelancer.WordProperty:
			f.put(p.Name, wordBytes(p.Words))
		}
		if f.err != nil {
			return f.err
		}
		p.Node = m.Node.Child(p.Name)
	}
	return nil
}
