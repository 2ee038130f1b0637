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

// deed is something that is done to a level.
type deed struct {
	name string
	do   func(a *archive) error
}

// levelDeeds returns a gallery, and everything that looks at the parts of its level.
func levelDeeds(t *testing.T, version uint16) (source []byte, healthy *archive, list []deed) {
	source = written(t, gallery(t, version))
	healthy = openBytes(t, "Gallery.unr", source)
	level, brush := entry(t, healthy, "MyLevel"), healthy.FindExport("Brush0", "Brush")
	for name, edit := range map[string]func(s *asset.Scene){
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
	} {
		shown := through(t, lifted(t, healthy, "MyLevel")).(*asset.Scene)
		edit(shown)
		list = append(list, deed{name, func(a *archive) error {
			s := through(t, shown).(*asset.Scene)
			inheritLevel(t, healthy, s)
			_, err := formatOf(a, level).Lower(s, &format.Env{Archive: a, Entry: "MyLevel", Diagnostics: a.Env.Diagnostics})
			return err
		}})
	}
	with := func(do func(l unreal.AnyObject, a *archive) error) func(a *archive) error {
		return func(a *archive) error {
			o, err := a.Object(level)
			if err == nil {
				err = do(o, a)
			}
			return err
		}
	}
	text := textOf(t, healthy)
	more := strings.NewReplacer("Name=Light0", "Name=Light8", "Name=Brush0", "Name=Brush8", "X=5.0", "X=6.0").Replace(text)
	return source, healthy, append(list,
		deed{"shown", with(func(l unreal.AnyObject, a *archive) error {
			_, err := liftLevel(a, l.(*unreal.Level), a.Env)
			return err
		})},
		deed{"text of it", with(func(l unreal.AnyObject, a *archive) error { _, _, err := a.levelInto(l, t3dName, a.Env); return err })},
		deed{"text", func(a *archive) error { return a.addText([]byte(text)) }},
		deed{"more text", func(a *archive) error { return a.addText([]byte(more)) }},
		deed{"another brush", func(a *archive) error { return a.addText([]byte(mapText)) }},
		deed{"a record", func(a *archive) error { return layIn(t, a, "Light9", &Record{Class: "Light"}) }},
		deed{"shape", func(a *archive) error { return a.ownShape(brush) }},
		deed{"others", func(a *archive) error { // what cannot be read has no name, and does not shine
			a.uses()
			a.usedNames()
			w := a.lamps()
			for r := range unreal.Ref(len(a.Exports)) {
				w.ambient(r + 1)
				w.shine(r + 1)
			}
			return nil
		}})
}

// TestUnreadableParts: of a level every object is damaged in turn, and everything is done that looks at it: it is refused with
// the name of what cannot be read, or done with the rest.
func TestUnreadableParts(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		source, healthy, deeds := levelDeeds(t, version)
		refused := map[string][]string{} // what was refused without an object
		for damaged := range healthy.Exports {
			name := healthy.ObjectName(unreal.Ref(damaged + 1))
			for _, x := range deeds {
				a := openBytes(t, "Gallery.unr", source)
				a.Exports[damaged].Data = []byte{0x3F}
				err := x.do(a)
				if err != nil && !strings.Contains(err.Error(), name) && schema.Class(err) != schema.ErrUnsupported {
					t.Errorf("version %d, %s, without %s: %v", version, x.name, name, err)
				}
				if err != nil {
					refused[name] = append(refused[name], x.name)
				}
			}
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

// TestStrayReferences: each reference between the parts of a level leads elsewhere in turn, to nothing, to another package or to
// what is of another class; everything is done that follows it, and is refused or makes a package that can be read.
func TestStrayReferences(t *testing.T) {
	for _, version := range []uint16{61, 69} {
		source, healthy, deeds := levelDeeds(t, version)
		at := func(name, class string) unreal.Ref { return healthy.FindExport(name, class) }
		level, model, brush, shape, wall := at("MyLevel", "Level"), at("Model0", "Model"), at("Brush0", "Brush"), at("Model1", "Model"), at("Wall", "Texture")
		tried := 0
		for _, to := range []unreal.Ref{0, -1, wall, brush, model} {
			for of, edit := range map[unreal.Ref]map[string]func(o unreal.AnyObject){
				brush: {"its shape": func(o unreal.AnyObject) { o.Base().Set("Brush", unreal.ObjectProperty, int32(to)) }},
				shape: {"its polygons": func(o unreal.AnyObject) { o.(*unreal.Model).Polys = to }},
				level: {"its world": func(o unreal.AnyObject) { o.(*unreal.Level).Model = to }, "its last actor": func(o unreal.AnyObject) { l := o.(*unreal.Level); l.Actors[len(l.Actors)-1] = to }},
				model: {"its surfaces": func(o unreal.AnyObject) {
					m := o.(*unreal.Model)
					for i := range m.Surfs {
						m.Surfs[i].Actor, m.Surfs[i].Texture = to, to
					}
					if m.Old != nil {
						m.Old.Surfs = to
					}
				}},
			} {
				for what, change := range edit {
					for _, x := range deeds {
						if x.name == "moved scene" || x.name == "more text" { // as the others
							continue
						}
						a := openBytes(t, "Gallery.unr", source)
						o, err := a.Object(int(of - 1))
						if err != nil {
							t.Fatal(err)
						}
						change(o)
						if err := a.Store(int(of-1), o); err != nil {
							t.Fatal(err)
						}
						rows := len(a.Exports)
						if err := x.do(a); err != nil && schema.Class(err) == nil {
							t.Errorf("version %d, %s, %s is %d: %v", version, x.name, what, to, err)
						}
						if x.name == "shape" && what == "its shape" && (len(a.Exports) > rows) != (to == model) {
							t.Errorf("version %d: a shape that is %d was copied: %d exports more", version, to, len(a.Exports)-rows)
						}
						openBytes(t, "Gallery.unr", written(t, a))
						tried++
					}
				}
			}
		}
		if tried < 250 {
			t.Errorf("version %d: %d", version, tried)
		}
	}
}
