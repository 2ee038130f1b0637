package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// SphereModel reads a Sphere directory (reference section 10).
func SphereModel(n *freelancer.Node, d *schema.Diagnostics) (*freelancer.SphereModel, error) {
	f := fields{n: n}
	s := &freelancer.SphereModel{Radius: f.float("Radius"), Sides: int32(f.word("Sides"))}
	for i := 0; f.has(fmt.Sprintf("M%d", i)); i++ {
		s.Materials = append(s.Materials, f.text(fmt.Sprintf("M%d", i)))
	}
	if f.err == nil && int(s.Sides) != len(s.Materials) {
		d.Warnf("sphere-sides", n.Name, "%d sides with %d materials", s.Sides, len(s.Materials))
	}
	return s, f.err
}
