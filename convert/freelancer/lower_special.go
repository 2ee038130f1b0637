package freelancer

import (
	"math"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// lowerSphere brings a planet in line. Its shape is not stored: only radius, materials and hardpoints count.
func (e *editor) lowerSphere() error {
	if e.sphere == nil {
		return e.newSphere()
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

// newSphere makes a planet of a ball: each side gets the material that the ball has in its middle, and a second ball
// whose name speaks of an atmosphere gives its own.
func (e *editor) newSphere() error {
	x := freelancer.SphereModel{Materials: make([]string, len(sphereSides))}
	var best [len(sphereSides)]float64
	nearest, shell := math.Inf(1), ""
	e.edited.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || skip(n) || onlyLines(n.Mesh) || e.isLevel(n) {
			return
		}
		air := strings.Contains(strings.ToLower(n.Name), "atmosphere")
		world := worldOf(n, e.parentOf)
		for _, p := range n.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			material := defaultMaterial
			if p.Material != nil {
				material = materialName(p.Material)
			}
			if air {
				shell = material
				continue
			}
			idx := indices(p)
			for i := 0; i+3 <= len(idx); i += 3 {
				var middle mgl64.Vec3
				for _, k := range idx[i : i+3] {
					at := mgl64.TransformCoordinate(vec(p.Positions[k]), world)
					x.Radius = max(x.Radius, float32(at.Len()))
					nearest = min(nearest, at.Len())
					middle = middle.Add(at)
				}
				if middle.Len() == 0 {
					continue
				}
				middle = middle.Normalize()
				for side, axes := range sphereSides {
					if c := middle.Dot(mgl64.Vec3(axes[0])); c > best[side] {
						best[side], x.Materials[side] = c, material
					}
				}
			}
		}
	})
	if x.Radius == 0 {
		return schema.Errorf(e.format, schema.ErrUnsupported, "", "the scene has no triangles that could be a planet")
	}
	if nearest < 0.95*float64(x.Radius) {
		e.d.Lossf("planet-shape", e.stem, "a planet is a ball about the origin: only its radius, %g, and its materials are kept", x.Radius)
	}
	for side, m := range x.Materials {
		if m == "" {
			x.Materials[side] = defaultMaterial
		}
	}
	if shell != "" {
		x.Materials = append(x.Materials, shell)
	}
	x.Sides = int32(len(x.Materials))
	return write.SphereModel(e.tree.Root.Dir("Sphere"), &x)
}
