package ultima9

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"
)

// regionScene lifts a map of the synthetic installation with all its files.
func regionScene(t testing.TB) (*asset.Scene, *format.Env) {
	t.Helper()
	env := &format.Env{Name: "fixed.9", Files: u9.Folders{u9.Synthetic(t, "install", "static"), u9.Synthetic(t, "install", "runtime")}, Diagnostics: new(schema.Diagnostics)}
	env.Options.Ultima9.Region = true
	v := u9.Do(fixedFormat.Read(corpus.Bytes(t, u9.Synthetic(t, "install", "static", "fixed.9")), nil))(t)
	return u9.Do(fixedFormat.Lift(v, env))(t).(*asset.Scene), env
}

// lowered lowers a scene to a format and writes it.
func lowered(t testing.TB, f *format.Format, s *asset.Scene) []byte {
	t.Helper()
	return u9.Do(f.Write(u9.Do(f.Lower(s, &format.Env{Diagnostics: new(schema.Diagnostics)}))(t)))(t)
}

func TestRegionPlaces(t *testing.T) {
	type object struct {
		Kind     string
		Offset   int
		Type     int
		Model    int
		Position [3]float64 `json:"position_gltf"`
		Rotation [4]float64 `json:"rotation_xyzw"`
		Scale    [3]float64
	}
	var want struct{ Objects []object }
	corpus.JSON(t, u9.Synthetic(t, "install/expected.json"), &want)
	s, _ := regionScene(t)
	found := map[[2]any]*asset.Node{}
	places := map[*asset.Node]mgl64.Mat4{}
	shapes := map[*asset.Node]bool{}
	scene.WalkWorld(s.Roots, mgl64.Ident4(), func(n *asset.Node, world mgl64.Mat4, _ bool) bool {
		if isObjectNode(n) {
			kind := "fixed"
			if strings.Contains(n.Name, "_nonfixed_") {
				kind = "nonfixed"
			}
			found[[2]any{kind, scene.ShownWhole(n.Native, "offset", 0)}] = n
			places[n] = world
			shapes[n] = n.Mesh != nil || len(n.Children) > 0
		}
		return false
	}, false)
	shown := 0
	for _, w := range want.Objects {
		n := found[[2]any{w.Kind, w.Offset}]
		if n == nil {
			if w.Kind == "fixed" {
				t.Errorf("no node for %+v", w)
			}
			continue
		}
		shown++
		at := places[n].Col(3).Vec3()
		for k := range 3 {
			if math.Abs(at[k]-w.Position[k]) > 1e-4*max(1, math.Abs(w.Position[k])) || math.Abs(float64(n.Transform.Scale[k])-w.Scale[k]) > 1e-4 {
				t.Errorf("%s %d is at %v with scale %v, want %v, %v", w.Kind, w.Offset, at, n.Transform.Scale, w.Position, w.Scale)
				break
			}
		}
		for k := range 4 {
			if math.Abs(float64(n.Transform.Rotation[k])-w.Rotation[k]) > 1e-4 {
				t.Errorf("%s %d has rotation %v, want %v", w.Kind, w.Offset, n.Transform.Rotation, w.Rotation)
				break
			}
		}
		if shape := w.Model != 0 || w.Kind == "nonfixed"; shapes[n] != shape && w.Model != 0 {
			t.Errorf("%s %d shows a shape: %v, model %d", w.Kind, w.Offset, shapes[n], w.Model)
		}
	}
	if shown < 40 {
		t.Errorf("%d objects shown", shown)
	}
}

// objectsIn returns the objects of a file by what they are, without their offsets.
func objectsIn(t testing.TB, f *format.Format, b []byte) map[uint32]ultima9.Object {
	t.Helper()
	all := map[uint32]ultima9.Object{}
	u9.Do(f.Read(b, nil))(t).(*ultima9.ObjectFile).Walk(func(o, _ *ultima9.Object) { all[o.Offset] = *o })
	return all
}

func TestRegionEdits(t *testing.T) {
	for _, f := range []*format.Format{&fixedFormat, &nonfixedFormat} {
		s, _ := regionScene(t)
		s, _ = u9.GLB(t, s)
		var root *asset.Node
		s.Walk(func(n, _ *asset.Node) {
			if n.Native != nil && n.Native.Format == f.Name {
				root = n
			}
		})
		before := objectsIn(t, f, root.Native.Payload)
		near, far, gone, copied := root.Children[0], root.Children[1], root.Children[2], root.Children[3]
		offset := func(n *asset.Node) uint32 { return uint32(scene.ShownWhole(n.Native, "offset", 0)) }
		near.Transform.Translation[2] += 7
		was := before[offset(far)]
		x, y, _ := was.World()
		far.Transform.Translation[0], far.Transform.Translation[1] = float32((x+4096)%8192), float32((y+4096)%8192) // another square
		far.Transform.Rotation = [4]float32{0, 0, 0.6, 0.8}
		twin := *copied
		twin.Name += ".001"
		twin.Transform.Translation[0] = 100
		made := asset.NewNode("type_5")
		made.Transform.Translation = [3]float32{5000, 300, 20}
		root.Children = append(append(root.Children[:2:2], root.Children[3:]...), &twin, made)

		after := objectsIn(t, f, lowered(t, f, s))
		if len(after) != len(before)+1 && before[offset(gone)].Contents == nil {
			t.Errorf("%s: %d objects, %d before", f.Name, len(after), len(before))
		}
		same := 0
		for at, o := range before {
			g, ok := after[at]
			switch at {
			case offset(near):
				o.Z += 7
			case offset(gone), offset(far):
				continue // their cells may be in use again
			}
			if ok && sameFields(&g, &o) && g.Square == o.Square {
				same++
			} else if !ok || at == offset(near) {
				t.Errorf("%s: the object at 0x%x changed: %+v, want %+v", f.Name, at, g, o)
			}
		}
		moved, added, made5 := 0, 0, 0
		for _, g := range after {
			gx, gy, _ := g.World()
			if gx == (x+4096)%8192 && gy == (y+4096)%8192 && g.Type == was.Type && g.Rotation == [4]int16{0, 0, 19660, 26214} {
				moved++
			}
			if gx == 100 && g.Type == before[offset(copied)].Type {
				added++
			}
			if gx == 5000 && gy == 300 && g.Z == 20 && g.Type == 5 {
				made5++
			}
		}
		if moved != 1 || added != 1 || made5 != 1 || same < len(before)-4 {
			t.Errorf("%s: %d moved, %d copied, %d made, %d of %d the same", f.Name, moved, added, made5, same, len(before))
		}
	}
}

func isObjectNode(n *asset.Node) bool { return n.Native != nil && n.Native.Format == "u9-object" }
