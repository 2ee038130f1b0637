package library

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// takeValues gives a material the colours, the opacity and the numbers that somebody edited, and reports whether there are any.
func takeValues(m *freelancer.Material, a, base *asset.Material, known bool) (changed bool, err error) {
	if !scene.SameColor(base.BaseColor[:3], a.BaseColor[:3]) {
		changed = true
		setLeading(m, colorProperty("Dc", a.BaseColor[:3]))
	}
	if math.Abs(float64(base.BaseColor[3]-a.BaseColor[3])) > 1e-3 && (known || a.BaseColor[3] < 1) {
		changed = true
		setLeading(m, opacityProperty(m.Type, a.BaseColor[3]))
	}
	if !scene.SameColor(base.Emissive[:], a.Emissive[:]) && (a.EmissiveTexture == nil || a.Emissive != [3]float32{1, 1, 1}) {
		changed = true
		setLeading(m, colorProperty("Ec", a.Emissive[:]))
	}
	numbers, err := takeNumbers(m, a, known)
	return changed || numbers, err
}

// numbersKey is where a material of another file remembers its numbers.
const numbersKey = "numbers"

// isNumber reports whether a property of a shader holds numbers that glTF has no place for: how often a detail map repeats, how
// an atmosphere fades.
func isNumber(typ, property string) bool {
	switch strings.ToLower(property) {
	case "dc", "ec":
		return false
	case "oc":
		return isAir(typ)
	case "alpha":
		return !isAir(typ)
	}
	switch freelancer.PropertyKindOf(property) {
	case freelancer.FloatProperty:
		return true
	case freelancer.WordProperty:
		return !strings.HasSuffix(strings.ToLower(property), "_flags")
	}
	return false
}

// numberFields are the numbers of a material that a person may edit.
func numberFields(m *freelancer.Material) scene.Fields {
	f := scene.Fields{}
	for i := range m.Properties {
		p := &m.Properties[i]
		if !isNumber(m.Type, p.Name) || m.Property(p.Name) != p {
			continue
		}
		switch {
		case len(p.Floats) == 1:
			f[p.Name] = &p.Floats[0]
		case len(p.Floats) > 0:
			f[p.Name] = p.Floats
		case len(p.Words) == 1:
			f[p.Name] = &p.Words[0]
		case len(p.Words) > 0:
			f[p.Name] = p.Words
		}
	}
	return f
}

// numbersOf returns the numbers that a material shows, in one line.
func numbersOf(a *asset.Material) string {
	var list []string
	values := rig.Values(a.Native)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if typ, _ := values["type"].(string); isNumber(typ, key) {
			list = append(list, fmt.Sprintf("%s %g", key, narrowed(values, key)))
		}
	}
	return strings.Join(list, "|")
}

func narrowed(values map[string]any, key string) []float32 {
	if x, single := scene.Number(values[key]); single {
		return scene.Narrow([]float64{x})
	}
	return scene.Narrow(rig.Numbers(values, key))
}

// takeNumbers gives a material the numbers that somebody edited, and reports whether there are any. One that nobody knows takes
// all that the scene shows.
func takeNumbers(m *freelancer.Material, a *asset.Material, known bool) (changed bool, err error) {
	values := rig.Values(a.Native)
	if !known {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if !isNumber(m.Type, key) {
				continue
			}
			p := freelancer.Property{Name: key, Kind: freelancer.PropertyKindOf(key), Floats: narrowed(values, key)}
			if p.Kind == freelancer.WordProperty {
				p.Words, p.Floats = make([]uint32, len(p.Floats)), nil
			}
			m.Set(p)
		}
	}
	before := make([]freelancer.Property, len(m.Properties))
	for i := range m.Properties {
		p := &m.Properties[i]
		before[i] = *p
		p.Floats, p.Words = slices.Clone(p.Floats), slices.Clone(p.Words)
	}
	if err := numberFields(m).Take(freelancer.Format, "materials/"+m.Name, a.Native); err != nil {
		return false, err
	}
	for i := range m.Properties {
		p := &m.Properties[i]
		changed = changed || !slices.Equal(p.Words, before[i].Words) || !slices.Equal(p.Floats, before[i].Floats)
	}
	return changed, nil
}
