package ultima9

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/gltf"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// meshFiles returns the mesh records of the corpus that can be read.
func meshFiles(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	files, _ := filepath.Glob(synthetic(t, "mesh", "*.mesh"))
	for _, path := range files {
		if filepath.Base(path) != "indexed.mesh" {
			out[filepath.Base(path)] = corpus.Bytes(t, path)
		}
	}
	f := openFile(t, synthetic(t, "install", "static", "sappear.flx"), nil)
	for i, e := range f.Entries() {
		b := do(f.Payload(i))(t)
		if _, err := read.Sappear(b, nil); err == nil {
			out["install:"+e.Path] = b
		}
	}
	if len(out) < 20 {
		t.Fatalf("%d meshes", len(out))
	}
	return out
}

func modelEnv(t testing.TB) *format.Env { return testEnv(t, "sappear.flx", "texture") }

func liftMesh(t testing.TB, b []byte, env *format.Env) *asset.Scene {
	t.Helper()
	return do(liftSappear(do(read.Sappear(b, nil))(t), env))(t)
}

func lowerMesh(t testing.TB, s *asset.Scene, env *format.Env) []byte {
	t.Helper()
	return do(write.Sappear(do(lowerSappear(s, env))(t)))(t)
}

// throughGLB writes a scene as a GLB and reads it.
func throughGLB(t testing.TB, name string, s *asset.Scene) *asset.Scene {
	t.Helper()
	var w bytes.Buffer
	must(t, gltf.Encode(&w, s, gltf.Options{}))
	if name != "" {
		keep(t, name+".glb", w.Bytes())
	}
	return do(gltf.Decode(w.Bytes(), nil, nil))(t)
}

func TestSappearUnedited(t *testing.T) {
	for name, b := range meshFiles(t) {
		for _, env := range []*format.Env{nil, modelEnv(t)} {
			s := liftMesh(t, b, env)
			corpus.SameBytes(t, name, lowerMesh(t, s, nil), b)
			corpus.SameBytes(t, name+" through GLB", lowerMesh(t, throughGLB(t, name, s), env), b)
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
	v := n.Mesh.Native.Values
	return field(v, "lod", 0) == 0 && field(v, "mount", 0) == 0
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
	files, _ := filepath.Glob(synthetic(t, "mesh", "*.mesh.json"))
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
		got := sceneTriangles(liftMesh(t, corpus.Bytes(t, path[:len(path)-5]), nil), levelZero)
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
	s := liftMesh(t, corpus.Bytes(t, synthetic(t, "mesh", "body.mesh")), &format.Env{Name: "sappear.flx", Entry: "42"})
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
	s := liftMesh(t, corpus.Bytes(t, synthetic(t, "mesh", "materials.mesh")), env)
	for _, m := range s.Materials {
		v := m.Native.Values
		slot, flags, alpha := field(v, "texture", -1), field(v, "flags", 0), field(v, "alpha", 255)
		if slot == ultima9.NoTexture {
			if m.Name != "invisible" || m.Alpha != asset.Blend || m.BaseColor[3] != 0 || m.BaseColorTexture != nil {
				t.Errorf("invisible: %+v", m)
			}
			continue
		}
		r := m.BaseColorTexture
		if r == nil || r.Texture.Name != pictureTitle(picture{uint16(slot), uint8(field(v, "frame", 0))}) {
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
	data := corpus.Bytes(b, synthetic(b, "mesh", "large.mesh"))
	m := do(read.Sappear(data, nil))(b)
	s := do(liftSappear(m, nil))(b)
	b.Run("lift", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			do(liftSappear(m, nil))(b)
		}
	})
	b.Run("lower", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			do(lowerSappear(s, nil))(b)
		}
	})
}
