package freelancer

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerSphere brings a planet in line. Its shape is not stored: only radius, materials and hardpoints count.
func (e *editor) lowerSphere() error {
	if e.sphere == nil {
		return schema.Errorf(e.format, schema.ErrUnsupported, "", "a planet can only be made from the scene of one: radius and sides are in its properties")
	}
	n := e.byID["sphere"]
	if n == nil {
		return nil
	}
	x := *e.sphere.x
	if n.Native != nil {
		if r, ok := number(n.Native.Values, "radius"); ok && list(x.Radius)[0] != r {
			x.Radius = float32(r)
		}
	}
	if n.Mesh != nil && len(n.Mesh.Primitives) == 6 && len(x.Materials) >= 6 {
		x.Materials = append([]string(nil), x.Materials...)
		for i, p := range n.Mesh.Primitives {
			if p.Material != nil && !strings.EqualFold(p.Material.Name, x.Materials[i]) {
				x.Materials[i] = materialName(p.Material)
			}
		}
	}
	return write.SphereModel(e.sphere.dir, &x)
}
