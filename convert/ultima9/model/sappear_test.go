package model

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
)

func modelEnv(t testing.TB) *format.Env { return u9.Env(t, "sappear.flx", "texture") }

func TestSappearUnedited(t *testing.T) {
	for name, b := range u9.MeshFiles(t) {
		for _, env := range []*format.Env{nil, modelEnv(t)} {
			s := u9.Lift(t, Sappear, b, env)
			corpus.SameBytes(t, name, u9.Lower(t, Sappear, s, nil), b)
			corpus.SameBytes(t, name+" through GLB", u9.Lower(t, Sappear, u9.ThroughGLB(t, name, s), env), b)
		}
	}
}

// visible is a triangle as a viewer of the glTF file sees it.
type visible struct {
	Positions [3][3]float64
	UV        [3][2]float64
}

func sceneTriangles(s *asset.Scene, keep func(n *asset.Node) bool) []visible {
	var list []visible
	world := map[*asset.Node]mgl64.Mat4{}
	s.Walk(func(n, parent *asset.Node) {
		world[n] = scene.Matrix(&n.Transform)
		if parent != nil {
			world[n] = world[parent].Mul4(world[n])
		}
		if n.Mesh == nil || !keep(n) {
			return
		}
		for _, p := range n.Mesh.Primitives {
			for i := 0; i+3 <= len(p.Indices); i += 3 {
				var v visible
				for k := range 3 {
					at := p.Indices[i+k]
					x := p.Positions[at]
					v.Positions[k] = [3]float64(world[n].Mul4x1(mgl64.Vec4{float64(x[0]), float64(x[1]), float64(x[2]), 1}).Vec3())
					v.UV[k] = [2]float64{float64(p.TexCoords[0][at][0]), float64(p.TexCoords[0][at][1])}
				}
				list = append(list, v)
			}
		}
	})
	return list
}

// levelZero keeps what is visible at the highest level of detail.
func levelZero(n *asset.Node) bool {
	return scene.ShownWhole(n.Mesh.Native, "lod", 0) == 0 && scene.ShownWhole(n.Mesh.Native, "mount", 0) == 0
}

func sameTriangle(a, b visible) bool {
	for k := range 3 {
		for i := range 3 {
			if math.Abs(a.Positions[k][i]-b.Positions[k][i]) > 1e-4 {
				return false
			}
		}
		for i := range 2 {
			if math.Abs(a.UV[k][i]-b.UV[k][i]) > 1e-4 {
				return false
			}
		}
	}
	return true
}

// The triangles that the sidecars give for glTF, in metres, Y up, counter-clockwise.
func TestSappearTriangles(t *testing.T) {
	n := 0
	files, _ := filepath.Glob(u9.Synthetic(t, "mesh", "*.mesh.json"))
	for _, path := range files {
		var side struct {
			Triangles json.RawMessage `json:"gltf_lod0_triangles"`
		}
		corpus.JSON(t, path, &side)
		var want []struct {
			Positions [3][3]*float64
			UV        [3][2]*float64
		}
		if json.Unmarshal(side.Triangles, &want) != nil || side.Triangles == nil {
			continue // left out for size
		}
		got := sceneTriangles(u9.Lift(t, Sappear, corpus.Bytes(t, path[:len(path)-5]), nil), levelZero)
		if len(got) != len(want) {
			t.Errorf("%s: %d triangles, want %d", path, len(got), len(want))
			continue
		}
		used := make([]bool, len(got))
		for i, w := range want {
			var v visible
			for k := range 3 {
				for j := range 3 {
					v.Positions[k][j] = orZero(w.Positions[k][j])
				}
				for j := range 2 {
					v.UV[k][j] = orZero(w.UV[k][j])
				}
			}
			at := -1
			for k := range got {
				if !used[k] && sameTriangle(got[k], v) {
					at = k
					break
				}
			}
			if at < 0 {
				t.Errorf("%s: triangle %d %v is not there", path, i, v)
				break
			}
			used[at] = true
			n++
		}
	}
	if n < 250 {
		t.Errorf("only %d triangles compared", n)
	}
	t.Logf("%d triangles", n)
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

func TestSappearScene(t *testing.T) {
	s := u9.Lift(t, Sappear, corpus.Bytes(t, u9.Synthetic(t, "mesh", "body.mesh")), &format.Env{Name: "sappear.flx", Entry: "42"})
	root := s.Roots[0]
	if root.Name != "u9_model_42" || root.Transform.Scale != [3]float32{0.025, 0.025, 0.025} || root.Transform.Rotation != [4]float32{-math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2} {
		t.Errorf("root %s at %+v", root.Name, root.Transform)
	}
	parents := map[string]string{}
	lods := map[string]int{}
	s.Walk(func(n, p *asset.Node) {
		if p != nil {
			parents[n.Name] = p.Name
		}
		lods[n.Name] = len(n.LODs)
	})
	for n, p := range map[string]string{"limb_1": "u9_model_42", "limb_2": "limb_1", "limb_5": "limb_2", "limb_6": "limb_5", "limb_6_mount": "limb_6", "limb_2_lod0": "limb_2"} {
		if parents[n] != p {
			t.Errorf("%s hangs on %s, want %s", n, parents[n], p)
		}
	}
	if lods["limb_2_lod0"] != 2 || lods["limb_5_lod0"] != 1 || lods["limb_6_lod0"] != 2 {
		t.Errorf("levels: %v", lods)
	}
}

func TestSappearMaterials(t *testing.T) {
	env := modelEnv(t)
	s := u9.Lift(t, Sappear, corpus.Bytes(t, u9.Synthetic(t, "mesh", "materials.mesh")), env)
	for _, m := range s.Materials {
		v := m.Native.Values
		slot, flags, alpha := scene.Whole(v["texture"]), scene.Whole(v["flags"]), scene.Whole(v["alpha"])
		if slot == ultima9.NoTexture {
			if m.Name != "invisible" || m.Alpha != asset.Blend || m.BaseColor[3] != 0 || m.BaseColorTexture != nil {
				t.Errorf("invisible: %+v", m)
			}
			continue
		}
		r := m.BaseColorTexture
		if r == nil || r.Texture.Name != (look.Picture{Slot: uint16(slot), Frame: uint8(scene.Whole(v["frame"]))}).Title() {
			t.Errorf("%s: texture %+v", m.Name, r)
			continue
		}
		if (r.WrapS == asset.Clamp) != (flags&0x100 != 0) || (r.WrapT == asset.Clamp) != (flags&0x200 != 0) {
			t.Errorf("%s: flags %x, wrap %v %v", m.Name, flags, r.WrapS, r.WrapT)
		}
		if alpha != 255 && (m.Alpha != asset.Blend || math.Abs(float64(m.BaseColor[3])-float64(alpha)/255) > 1e-6) {
			t.Errorf("%s: alpha %d as %v %v", m.Name, alpha, m.Alpha, m.BaseColor[3])
		}
		if flags&0x800 != 0 && (m.Alpha != asset.Blend || m.EmissiveTexture == nil) {
			t.Errorf("%s: not additive", m.Name)
		}
		if flags&1 != 0 && alpha == 255 && flags&0x800 == 0 && m.Alpha != asset.Mask {
			t.Errorf("%s: the colour key is no mask", m.Name)
		}
	}
	if len(s.Materials) < 4 {
		t.Errorf("%d materials", len(s.Materials))
	}
}

func BenchmarkSappearLift(b *testing.B) {
	data := corpus.Bytes(b, u9.Synthetic(b, "mesh", "large.mesh"))
	m := u9.Do(read.Sappear(data, nil))(b)
	s := u9.Do(liftSappear(m, nil))(b)
	b.Run("lift", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			u9.Do(liftSappear(m, nil))(b)
		}
	})
	b.Run("lower", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			u9.Do(lowerSappear(s, nil))(b)
		}
	})
}
