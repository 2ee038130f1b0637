package library

import (
	"strings"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// isAir reports whether a shader draws the air around a planet. Its picture lies on no surface: it is a table of how dense the
// air looks, by the angle of the look and by that of the light.
func isAir(typ string) bool { return strings.Contains(typ, "Atmosphere") }

// opacityOf returns the opacity of a material as it is shown.
func opacityOf(s *freelancer.Material) float32 {
	if isAir(s.Type) {
		density, ok := s.Float("Alpha")
		if !ok {
			density = 1
		}
		return min(max(asset.AirShare*density, 0), 1)
	}
	if o, ok := s.Float("Oc"); ok {
		return min(max(o, 0), 1)
	}
	return 1
}

// opacityProperty returns the property that gives a shader an opacity which is shown.
func opacityProperty(typ string, opacity float32) freelancer.Property {
	if isAir(typ) {
		return freelancer.Property{Name: "Alpha", Kind: freelancer.FloatProperty, Floats: []float32{opacity / asset.AirShare}}
	}
	return freelancer.Property{Name: "Oc", Kind: freelancer.FloatProperty, Floats: []float32{opacity}}
}

// withoutTable returns the material of an atmosphere without its texture, which is a table for the shader and not a
// picture. GLBs of earlier versions show the table itself on an opaque atmosphere.
func (e *Editor) withoutTable(a *asset.Material, m *freelancer.Material, base *asset.Material) *asset.Material {
	r := a.BaseColorTexture
	if r == nil || r.Texture == nil {
		return a
	}
	bare := *a
	bare.BaseColorTexture = nil
	table, _, _ := m.Slot("Dt")
	switch {
	case !freelancer.SameName(table, textureName(r.Texture)) || painted(a):
		e.told.Lossf("air-picture", a.Name, "its new picture is left out: the shader %s takes its picture, %q, for a table by the angles of look and light, and lays it on nothing", m.Type, table)
	case bare.BaseColor[3] == 1:
		bare.BaseColor[3] = base.BaseColor[3]
	}
	return &bare
}
