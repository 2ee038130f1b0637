package unreal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestTold: what a level cannot take over is told once each, by its name where there is one, with how many and the first where
// there are more.
func TestTold(t *testing.T) {
	tally := func(of func(e *levelEdit) *scene.Tally) func(e *levelEdit, name string) {
		return func(e *levelEdit, name string) { of(e).Add(name) }
	}
	for _, c := range []struct {
		code     string
		severity schema.Severity
		add      func(e *levelEdit, name string)
	}{
		{"actor-kept", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.kept })},
		{"actor-needed", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.needed })},
		{"skewed-actor", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.skewed })},
		{"uneven-scale", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.uneven })},
		{"light-cut", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.cut })},
		{"node", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.added })},
		{"shape", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.shapes })},
		{"reshaped", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.reshaped })},
		{"remapped", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.remapped })},
		{"surface", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.unpainted })},
		{"part-kept", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.bared })},
		{"actor-name", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.renamed })},
		{"actor-name-taken", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.named })},
		{"parent", schema.Loss, tally(func(e *levelEdit) *scene.Tally { return &e.below })},
		{"actor-along", schema.Warning, tally(func(e *levelEdit) *scene.Tally { return &e.along })},
		{"built-world", schema.Warning, tally(func(e *levelEdit) *scene.Tally { return &e.built })},
		{"paths", schema.Warning, tally(func(e *levelEdit) *scene.Tally { return &e.paths })},
		{"actors-removed", schema.Note, tally(func(e *levelEdit) *scene.Tally { return &e.gone })},
		{"baked-light", schema.Warning, func(e *levelEdit, name string) { e.moved = append(e.moved, name) }},
		{"actor-copied", schema.Warning, func(e *levelEdit, name string) {
			if e.twin == "" {
				e.twin = name
			}
			e.twins[asset.NewNode(name)] = standing{}
		}},
	} {
		for count := range 4 {
			d := new(schema.Diagnostics)
			e := &levelEdit{d: d, level: &unreal.Level{Object: unreal.Object{Context: &unreal.Context{Path: "MyLevel"}}}, twins: map[*asset.Node]standing{}}
			for i := range count {
				c.add(e, fmt.Sprintf("It%d", i))
			}
			e.tell()
			all := d.All()
			if len(all) != min(count, 1) {
				t.Errorf("%s of %d: told %v", c.code, count, all)
				continue
			}
			if count == 0 {
				continue
			}
			x := all[0]
			numbered := strings.Contains(x.Msg, fmt.Sprintf("%d ", count)) || strings.Contains(x.Msg, fmt.Sprintf(" %d of them", count))
			if always := c.code == "actors-removed" || c.code == "baked-light"; x.Code != c.code || x.Severity != c.severity || x.Path != "MyLevel" || numbered != (count > 1 || always) || !strings.Contains(x.Msg, "It0") {
				t.Errorf("%s of %d: told %v", c.code, count, x)
			}
		}
	}
}

// TestNeededByNeeded: an actor in which another one stands stays with it, even where that one would go if nothing stood in it.
func TestNeededByNeeded(t *testing.T) {
	a := hall(t, 69)
	region := func(in string) []byte { return append([]byte{byte(a.FindExport(in, "Light"))}, 0, 0, 0, 0, 0) }
	for name, in := range map[string]string{"Light1": "Light0", "PlayerStart0": "Light1"} {
		i := entry(t, a, name)
		o, err := a.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		o.Base().SetStruct("Region", "PointRegion", region(in))
		if err := a.Store(i, o); err != nil {
			t.Fatal(err)
		}
	}
	source := written(t, a)
	for _, c := range []struct{ taken, gone, needed string }{
		{"Light0", "", "Light0"}, {"Light1", "", "Light1"}, {"Light0 Light1", "", "2"}, {"PlayerStart0", "PlayerStart0", ""},
		{"Light0 PlayerStart0", "PlayerStart0", "Light0"}, {"Light1 PlayerStart0", "Light1 PlayerStart0", ""}, {"Light0 Light1 PlayerStart0", "Light0 Light1 PlayerStart0", ""},
	} {
		a, d := openBytes(t, "Hall.unr", source), new(schema.Diagnostics)
		a.Env.Diagnostics = d
		now := checked(t, scened(t, a, func(s *asset.Scene) {
			for name := range strings.FieldsSeq(c.taken) {
				takeNode(t, s, name)
			}
		}))
		var gone, needed []string
		for _, name := range []string{"Light0", "Light1", "PlayerStart0"} {
			if indexOf(now, name) < 0 {
				gone = append(gone, name)
			}
		}
		for _, x := range d.All() {
			if x.Code == "actor-needed" {
				needed = append(needed, x.Msg)
			}
		}
		if strings.Join(gone, " ") != c.gone || len(needed) != min(len(c.needed), 1) || !strings.Contains(strings.Join(needed, ""), c.needed) {
			t.Errorf("without %s: gone are %v, told %v", c.taken, gone, d.All())
		}
	}
}
