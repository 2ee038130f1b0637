package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/u9"
)

// TestMapPartTold: of a whole map, each of its files tells what is lost of its own part.
func TestMapPartTold(t *testing.T) {
	for name, c := range map[string]struct {
		node   string // format of the nodes whose material is edited
		target *format.Format
		told   bool
	}{
		"ground, to terrain":   {terrainFormat.Name, &terrainFormat, true},
		"ground, to objects":   {terrainFormat.Name, &nonfixedFormat, false},
		"objects, to terrain":  {"u9-object", &terrainFormat, false},
		"objects, to nonfixed": {"u9-object", &nonfixedFormat, true},
	} {
		s, _ := regionScene(t)
		before, after := new(schema.Diagnostics), new(schema.Diagnostics)
		u9.Do(c.target.Lower(s, &format.Env{Diagnostics: before}))(t)
		var edit func(list []*asset.Node, inside bool)
		edit = func(list []*asset.Node, inside bool) {
			for _, n := range list {
				within := inside || n.Native != nil && n.Native.Format == c.node
				if within && n.Mesh != nil {
					for _, p := range n.Mesh.Primitives {
						if p.Material != nil {
							p.Material.Emissive, p.Material.EmissiveStrength, p.Material.BaseColor = [3]float32{1, 1, 1}, 1, [4]float32{1, 0, 0, 1}
						}
					}
				}
				edit(n.Children, within)
			}
		}
		edit(s.Roots, false)
		u9.Do(c.target.Lower(s, &format.Env{Diagnostics: after}))(t)
		if told := len(after.All()) > len(before.All()); told != c.told {
			t.Errorf("%s: %v, before %v", name, after.All(), before.All())
		}
	}
}
