package unreal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// furnished is the hall whose start shows a mesh.
func furnished(t *testing.T) *archive {
	t.Helper()
	a := hall(t, 69)
	add(t, a, "Cone", pyramid(), format.Model)
	r := a.FindExport("PlayerStart0", "PlayerStart")
	o, err := a.Object(int(r - 1))
	if err != nil {
		t.Fatal(err)
	}
	o.Base().Set("DrawType", unreal.ByteProperty, drawMesh)
	o.Base().Set("Mesh", unreal.ObjectProperty, int32(a.FindExport("Cone", "LodMesh")))
	b, err := write.Object(o)
	if err == nil {
		err = a.File.Replace(int(r-1), b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Hall.unr", written(t, a))
}

// What is done to the mesh of an actor is done to the actor; what a level cannot hold is told of.
func TestLevelParts(t *testing.T) {
	part := func(t *testing.T, s *asset.Scene) (n, actor *asset.Node) {
		actor, _ = nodeNamed(t, s, "PlayerStart0")
		if len(actor.Children) != 1 || actor.Children[0].Mesh == nil {
			t.Fatal("the start shows no mesh")
		}
		return actor.Children[0], actor
	}
	for _, c := range []struct {
		name, changed, codes string
		edit                 func(t *testing.T, s *asset.Scene)
		at                   [3]float32 // of the start; not looked at if zero
	}{
		{"untouched", "", "", func(*testing.T, *asset.Scene) {}, [3]float32{5, 6, 7}},
		{"mesh moved", "PlayerStart0", "actor-along paths", func(t *testing.T, s *asset.Scene) {
			n, _ := part(t, s)
			n.Transform.Translation[2] += 16
		}, [3]float32{21, 6, 7}},
		{"both moved", "PlayerStart0", "actor-along paths", func(t *testing.T, s *asset.Scene) {
			n, actor := part(t, s)
			n.Transform.Translation[2] += 16
			actor.Transform.Translation[1] += 8
		}, [3]float32{21, 6, 15}},
		{"mesh copied", "+Cone_001 MyLevel", "actor-copied paths", func(t *testing.T, s *asset.Scene) {
			n, actor := part(t, s)
			twin := *n
			twin.Name = n.Name + ".001"
			twin.Transform.Translation[2] += 16
			actor.Children = append(actor.Children, &twin)
		}, [3]float32{5, 6, 7}},
		{"mesh deleted", "", "part-kept", func(t *testing.T, s *asset.Scene) {
			_, actor := part(t, s)
			actor.Children = nil
		}, [3]float32{5, 6, 7}},
		{"mesh renamed", "", "actor-name", func(t *testing.T, s *asset.Scene) {
			n, _ := part(t, s)
			n.Name = "Hat"
		}, [3]float32{}},
		{"named as a copy", "", "", func(t *testing.T, s *asset.Scene) {
			n, actor := part(t, s)
			n.Name, actor.Name = n.Name+".007", actor.Name+".001"
		}, [3]float32{}},
		{"below another", "", "parent", func(t *testing.T, s *asset.Scene) {
			_, actor := part(t, s)
			lamp, _ := nodeNamed(t, s, "Light1")
			worlds := scene.Worlds(s)
			actor.Transform = scene.TransformOf(worlds[lamp].Inv().Mul4(worlds[actor]))
			s.Roots[0].Children = slices.DeleteFunc(s.Roots[0].Children, func(n *asset.Node) bool { return n == actor })
			lamp.Children = append(lamp.Children, actor)
		}, [3]float32{5, 6, 7}},
		{"the world below another", "", "parent", func(t *testing.T, s *asset.Scene) {
			n, _ := nodeNamed(t, s, geometryName)
			lamp, _ := nodeNamed(t, s, "Light1")
			n.Transform = scene.TransformOf(scene.Worlds(s)[lamp].Inv().Mul4(scene.Worlds(s)[n]))
			s.Roots[0].Children = slices.DeleteFunc(s.Roots[0].Children, func(c *asset.Node) bool { return c == n })
			lamp.Children = append(lamp.Children, n)
		}, [3]float32{5, 6, 7}},
		{"level moved", "", "level-moved", func(t *testing.T, s *asset.Scene) { s.Roots[0].Transform.Translation[0] += 3 }, [3]float32{5, 6, 7}},
		{"level mirrored", "", "level-moved", func(t *testing.T, s *asset.Scene) { s.Roots[0].Transform.Scale[0] *= -1 }, [3]float32{5, 6, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			was := furnished(t)
			a := furnished(t)
			s := through(t, lifted(t, a, "MyLevel")).(*asset.Scene)
			c.edit(t, s)
			d := new(schema.Diagnostics)
			a.Env.Diagnostics = d
			now := scenedWith(t, a, through(t, s).(*asset.Scene))
			if got := deeds(t, was, now); got != c.changed {
				t.Errorf("changed: %s\nwant: %s", got, c.changed)
			}
			var codes []string
			for _, x := range d.All() {
				if x.Severity != schema.Note {
					codes = append(codes, x.Code)
				}
			}
			if c.codes == "level-moved" && !strings.Contains(fmt.Sprint(d.All()), " was "+map[string]string{"level moved": "moved, turned or scaled", "level mirrored": "mirrored"}[c.name]+" with ") {
				t.Errorf("told %v", d.All())
			}
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("told of %q, want %q: %v", got, c.codes, d.All())
			}
			if c.at == ([3]float32{}) {
				return
			}
			if at := actorAt(t, now, "PlayerStart0"); at != c.at {
				t.Errorf("the start is at %v, want %v", at, c.at)
			}
			if strings.HasPrefix(c.changed, "+") {
				if at := actorAt(t, now, "Cone_001"); at == c.at || at[1] != c.at[1] || at[2] != c.at[2] {
					t.Errorf("the copy is at %v", at)
				}
			}
		})
	}
}
