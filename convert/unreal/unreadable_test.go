package unreal

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestUnreadableParts: of a level every object is damaged in turn, and everything is done that looks at it: it is refused with
// the name of what cannot be read, or done with the rest.
func TestUnreadableParts(t *testing.T) {
	scenes := map[string]func(s *asset.Scene){
		"scene": func(*asset.Scene) {},
		"moved scene": func(s *asset.Scene) {
			for _, n := range s.Roots[0].Children[1:] {
				n.Transform.Translation[1]++
			}
		},
		"copied scene": func(s *asset.Scene) {
			for _, n := range slices.Clone(s.Roots[0].Children[1:]) {
				copyNode(t, s, n.Name, n.Name+".001").Children = nil
			}
		},
		"emptied scene": func(s *asset.Scene) { s.Roots[0].Children = s.Roots[0].Children[:3] },
		"painted scene": func(s *asset.Scene) {
			p := s.Roots[0].Children[0].Mesh.Primitives
			p[0].Material, p[1].Material = p[1].Material, p[0].Material
		},
	}
	for _, version := range []uint16{61, 69} {
		source := written(t, gallery(t, version))
		healthy := openBytes(t, "Gallery.unr", source)
		text := textOf(t, healthy)
		shown := map[string]*asset.Scene{}
		for name, edit := range scenes {
			shown[name] = through(t, lifted(t, healthy, "MyLevel")).(*asset.Scene)
			edit(shown[name])
		}
		refused := map[string][]string{} // what was refused without an object
		for damaged := range healthy.Exports {
			name := healthy.ObjectName(unreal.Ref(damaged + 1))
			try := func(what string, do func(a *archive) error) {
				a := openBytes(t, "Gallery.unr", source)
				a.Exports[damaged].Data = []byte{0x3F}
				err := do(a)
				if err != nil && !strings.Contains(err.Error(), name) && schema.Class(err) != schema.ErrUnsupported {
					t.Errorf("version %d, %s, without %s: %v", version, what, name, err)
				}
				if err != nil {
					refused[name] = append(refused[name], what)
				}
			}
			level := entry(t, healthy, "MyLevel")
			lower := func(a *archive, s *asset.Scene) error {
				_, err := formatOf(a, level).Lower(s, &format.Env{Archive: a, Entry: "MyLevel", Diagnostics: a.Env.Diagnostics})
				return err
			}
			for name := range scenes {
				s := through(t, shown[name]).(*asset.Scene)
				inheritLevel(t, healthy, s)
				try(name, func(a *archive) error { return lower(a, s) })
			}
			try("shown", func(a *archive) error {
				o, err := a.Object(level)
				if err == nil {
					_, err = liftLevel(a, o.(*unreal.Level), a.Env)
				}
				return err
			})
			try("text of it", func(a *archive) error {
				o, err := a.Object(level)
				if err == nil {
					_, _, err = a.levelInto(o, t3dName, a.Env)
				}
				return err
			})
			try("text", func(a *archive) error { return a.addText([]byte(text)) })
			try("more text", func(a *archive) error {
				return a.addText([]byte(strings.NewReplacer("Name=Light0", "Name=Light8", "Name=Brush0", "Name=Brush8", "X=5.0", "X=6.0").Replace(text)))
			})
			try("another brush", func(a *archive) error { return a.addText([]byte(mapText)) })
			try("a record", func(a *archive) error { return layIn(t, a, "Light9", &Record{Class: "Light"}) })
			try("shape", func(a *archive) error { return a.ownShape(healthy.FindExport("Brush0", "Brush")) })
			try("others", func(a *archive) error { // what cannot be read has no name, and does not shine
				a.uses()
				a.usedNames()
				w := a.lamps()
				for r := range unreal.Ref(len(a.Exports)) {
					w.ambient(r + 1)
					w.shine(r + 1)
				}
				return nil
			})
		}
		const scenes, shape = "copied scene, emptied scene, moved scene, painted scene, scene, shown", "copied scene, painted scene, shape, text, text of it"
		want := map[string]string{
			"MyLevel":      "a record, another brush, " + strings.Replace(scenes, "moved", "more text, moved", 1) + ", text, text of it",
			"LevelInfo0":   "another brush, " + strings.Replace(scenes, "moved", "more text, moved", 1) + ", text, text of it",
			"PlayerStart0": strings.Replace(scenes, "moved", "more text, moved", 1) + ", text, text of it",
			"Light1":       strings.Replace(scenes, "moved", "more text, moved", 1) + ", text, text of it",
			"Light0":       scenes + ", text, text of it",
			"Brush0":       strings.Replace(scenes, "shown", "shape, shown", 1) + ", text, text of it",
			"Model0":       scenes, "Model1": shape, "Polys1": shape,
		}
		if version < unreal.LazyVersion {
			for _, part := range []string{"Vectors0", "Vectors1", "BspNodes0", "BspSurfs0", "Verts0"} {
				want[part] = scenes
			}
		}
		for i := range healthy.Exports {
			name := healthy.ObjectName(unreal.Ref(i + 1))
			slices.Sort(refused[name])
			if got := strings.Join(refused[name], ", "); got != want[name] {
				t.Errorf("version %d, without %s refused: %s\nwant: %s", version, name, got, want[name])
			}
		}
	}
}
