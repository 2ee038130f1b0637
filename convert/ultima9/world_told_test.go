package ultima9

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"
)

// What a map's files cannot hold of an edit is named, and a map that nobody edited comes back without a word, through a
// GLB, as it was.
func TestMapEditsTold(t *testing.T) {
	shown := func(s *asset.Scene) (found *asset.Node) {
		s.Walk(func(n, _ *asset.Node) {
			if found == nil && n.Mesh != nil && isObjectNode(n) {
				found = n
			}
		})
		return found
	}
	limb := func(s *asset.Scene) *asset.Node { // as in files that have a node for each limb
		object := shown(s)
		n := asset.NewNode(object.Mesh.Name)
		n.Mesh, object.Mesh = object.Mesh, nil
		scene.SetShown(n.Mesh.Native, "depth", 1)
		object.Children = append(object.Children, n)
		return n
	}
	for _, x := range []struct {
		name, code, says string
		formats          string
		edit             func(s *asset.Scene)
	}{
		{"nothing", "", "", "terrain fixed nonfixed", func(*asset.Scene) {}},
		{"copies' names", "", "", "terrain fixed nonfixed", func(s *asset.Scene) {
			s.Walk(func(n, _ *asset.Node) { n.Name += ".001" })
		}},
		{"limb moved", "model-edited", "moved", "fixed", func(s *asset.Scene) { limb(s).Transform.Translation[0] += 3 }},
		{"limb renamed", "model-edited", "was called", "fixed", func(s *asset.Scene) { limb(s).Name = "Lid" }},
		{"vertex moved", "model-edited", "vertices", "fixed", func(s *asset.Scene) { shown(s).Mesh.Primitives[0].Positions[0][1] += 1 }},
		{"mesh at the root", "unknown-object", "Cube", "fixed", func(s *asset.Scene) {
			n := asset.NewNode("Cube")
			n.Mesh = &asset.Mesh{}
			s.Roots = append(s.Roots, n)
		}},
		{"ground turned", "ground-moved", "ground", "terrain", func(s *asset.Scene) { u9.NodeNamed(t, s, "ground").Transform.Rotation = [4]float32{0, 0, 1, 0} }},
		{"root scaled", "ground-moved", "ground", "terrain", func(s *asset.Scene) { s.Roots[0].Transform.Scale[0] *= 2 }},
		{"vertices scaled", "ground-grid", "ground", "terrain", func(s *asset.Scene) {
			for _, p := range u9.NodeNamed(t, s, "ground").Mesh.Primitives {
				for i := range p.Positions {
					p.Positions[i][0] *= 1.1
				}
			}
		}},
		{"ground renamed", "name", "ground", "terrain", func(s *asset.Scene) { u9.NodeNamed(t, s, "ground").Name = "Hills" }},
		{"water renamed", "name", "water", "terrain", func(s *asset.Scene) { u9.NodeNamed(t, s, "water").Name = "Sea" }},
		{"water gone", "no-water", "water", "terrain", func(s *asset.Scene) { s.Roots[0].Children = s.Roots[0].Children[:1] }},
		{"water cut", "water-shape", "water", "terrain", func(s *asset.Scene) { u9.NodeNamed(t, s, "water").Mesh.Primitives[0].Positions[1][0] /= 2 }},
		{"material half-transparent", "material-transparent", "texture_", "terrain", func(s *asset.Scene) { s.Materials[0].BaseColor[3] = 0.5 }},
		{"material coloured", "material-colour", "texture_", "terrain", func(s *asset.Scene) { s.Materials[0].BaseColor[1] = 0 }},
	} {
		for _, f := range []*format.Format{&terrainFormat, &fixedFormat, &nonfixedFormat} {
			kind := strings.TrimPrefix(f.Name, "u9-")
			if !strings.Contains(" "+x.formats+" ", " "+kind+" ") {
				continue
			}
			dir := "static"
			if kind == "nonfixed" {
				dir = "runtime"
			}
			env := &format.Env{Name: kind + ".9", Files: u9.Folders{u9.Synthetic(t, "install", "static"), u9.Synthetic(t, "install", "runtime")}, Diagnostics: new(schema.Diagnostics)}
			b := corpus.Bytes(t, u9.Synthetic(t, "install", dir, kind+".9"))
			s, _ := u9.GLB(t, u9.Do(f.Lift(u9.Do(f.Read(b, nil))(t), env))(t).(*asset.Scene))
			u9.Must(t, s.LoadAll())
			x.edit(s)
			scene.Plain(s, nil)
			d := new(schema.Diagnostics)
			got := u9.Do(f.Write(u9.Do(f.Lower(s, &format.Env{Diagnostics: d}))(t)))(t)
			var told []schema.Diagnostic
			for _, m := range d.All() {
				if m.Severity != schema.Note {
					told = append(told, m)
				}
			}
			switch {
			case x.code == "" && (len(told) > 0 || !bytes.Equal(got, b)):
				t.Errorf("%s, %s: same bytes %v; %v", kind, x.name, bytes.Equal(got, b), told)
			case x.code != "":
				found := false
				for _, m := range told {
					found = found || m.Code == x.code && strings.Contains(m.Path+" "+m.Msg, x.says)
				}
				if !found {
					t.Errorf("%s, %s: %s expected: %v", kind, x.name, x.code, told)
				}
			}
		}
	}
}

// An object whose node is gone is taken out, and that is said.
func TestMapObjectsGone(t *testing.T) {
	s, _ := regionScene(t)
	root := s.Roots[0]
	root.Children = root.Children[1:]
	d := new(schema.Diagnostics)
	u9.Do(fixedFormat.Lower(s, &format.Env{Diagnostics: d}))(t)
	if !d.Has("objects-removed") {
		t.Errorf("nothing was said: %v", d.All())
	}
}
