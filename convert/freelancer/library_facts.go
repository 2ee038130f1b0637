package freelancer

import (
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema/freelancer"
)

// facts tells which file each mesh, material and texture of a model comes from.
func (l *library) facts(root *freelancer.Node, env *format.Env) (facts []format.Fact) {
	from := func(path string) string {
		if path == "" {
			return "in the file itself"
		}
		return "in " + path
	}
	names := voice.Hashes(env)
	called := func(crc uint32) string { return strings.TrimSpace(freelancer.Hash(crc).String() + " " + names[crc]) }
	for _, crc := range slices.Sorted(maps.Keys(meshUses(root))) {
		switch x := l.meshes[crc]; {
		case crc == 0:
		case x == nil:
			facts = append(facts, format.Fact{Name: "mesh " + called(crc), Value: "not found"})
		case !x.own:
			facts = append(facts, format.Fact{Name: "mesh " + x.name, Value: from(x.path)})
		}
	}
	for _, a := range l.scene.Materials {
		e := l.materials[mesh.MaterialCRC(a)]
		if e == nil || e.m == nil || e.m.Node == nil {
			crc := mesh.MaterialCRC(a)
			known := called(crc)
			if _, ok := freelancer.ParseHash(a.Name); !ok {
				known = a.Name
			}
			facts = append(facts, format.Fact{Name: "material " + known, Value: "not found"})
			continue
		}
		facts = append(facts, format.Fact{Name: "material " + e.m.Name, Value: e.m.Type + ", " + from(e.path)})
		for _, p := range e.m.Properties {
			if p.Kind != freelancer.TextProperty || freelancer.SameName(p.Name, "Type") || p.Text == "" {
				continue
			}
			where := "not found"
			if x := l.texture(freelancer.FLCRC(p.Text)); x != nil {
				where = from(x.path)
			}
			facts = append(facts, format.Fact{Name: "  texture " + p.Text, Value: where})
		}
	}
	return facts
}
