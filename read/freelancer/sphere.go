package freelancer

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// SphereModel reads a Sphere directory (reference section 10).
func SphereModel(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.SphereModel, error) {
	n = given(n)
	f := fields{n: n}
	s := &freelancer.SphereModel{Radius: f.float("Radius"), Sides: int32(f.word("Sides"))}
	numbered := n.Numbered("M")
	for i := 0; numbered[i] != nil; i++ {
		name, _ := Text(numbered[i].Data, nil) // any bytes are a text
		s.Materials = append(s.Materials, name.Value)
	}
	if f.err == nil && int(s.Sides) != len(s.Materials) {
		d.Warnf("sphere-sides", n.Name, "%d sides with %d materials", s.Sides, len(s.Materials))
	}
	return s, f.err
}
