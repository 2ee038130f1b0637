package gltf

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// FuzzDecode holds: what decodes can be written, and what was written comes back as the same bytes.
func FuzzDecode(f *testing.F) {
	for _, s := range []*asset.Scene{scene(mesh("m", quad())), allAttributes(), materials(), virtualTextures(), nodes(), matrices(), lods(), skinScene(true), severalRoots(), animations(), emptyMeshes(), lamps(), sides(), speculars(), otherPictures(), tower(), twins()} {
		f.Add(encode(f, s, nil))
	}
	f.Add([]byte(document(`"nodes":[{"children":[1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"scenes":[{"nodes":[0]}]`)))
	f.Add(glb(document(`"extensionsRequired":["EXT_meshopt_compression"],"buffers":[{"byteLength":8},{"byteLength":6}],"bufferViews":[{"buffer":1,"byteLength":6,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":8,"byteStride":2,"count":3,"mode":"INDICES"}}}],
		"accessors":[{"bufferView":0,"componentType":5123,"count":1,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"_X":0}}}}]`), []byte{headIndices, 0, 4, 4, 0, 0, 0, 0}))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b, nil, nil)
		if _, onto := DecodeOnto(b, nil, func() (*asset.Scene, error) { return twins(), nil }, nil); err != nil {
			if onto == nil {
				t.Fatal("it decodes with an original only")
			}
			return
		}
		first := encode(t, s, nil)
		var last []byte
		for range 2 { // the second time, there is nothing left to mend
			if s, err = Decode(first, nil, nil); err != nil {
				t.Fatalf("what was written does not decode: %v", err)
			}
			var d schema.Diagnostics
			last, first = first, encode(t, s, &d)
			if d.All() == nil && !bytes.Equal(first, last) {
				t.Fatalf("not the same bytes:\n%s\n%s", printable(last), printable(first))
			}
		}
		if !bytes.Equal(first, last) {
			t.Fatalf("not the same bytes the second time:\n%s\n%s", printable(last), printable(first))
		}
	})
}

// printable returns the JSON of a GLB.
func printable(b []byte) []byte {
	text, _, _ := splitGLB(b, nil)
	return text
}

func TestGenerated(t *testing.T) {
	count := 0
	rapid.Check(t, func(r *rapid.T) {
		s := generate(r)
		var d schema.Diagnostics
		var b bytes.Buffer
		if err := Encode(&b, s, Options{Diagnostics: &d}); err != nil {
			r.Fatal(err)
		}
		for _, x := range d.All() {
			r.Fatal(x)
		}
		if count++; count <= 40 {
			keep(t, fmt.Sprintf("generated-%02d.glb", count), b.Bytes())
		}
		got, err := Decode(b.Bytes(), nil, nil)
		if err != nil {
			r.Fatal(err)
		}
		if x := diff(s, got); x != "" {
			r.Fatalf("(-want +got):\n%s", x)
		}
	})
}

// generate makes a scene of random parts that need no mending.
func generate(r *rapid.T) *asset.Scene {
	name := rapid.StringN(0, 8, 40)
	number := rapid.Float32Range(-1e6, 1e6)
	s := &asset.Scene{Name: name.Draw(r, "scene")}
	some := func(what string, most int) int { return rapid.IntRange(0, most).Draw(r, what) }
	native := func() *asset.Native {
		if some("native", 2) > 0 {
			return nil
		}
		values := map[string]any{}
		for range some("values", 3) {
			values[name.Draw(r, "key")] = rapid.OneOf(
				rapid.Map(rapid.Float64(), func(x float64) any { return x }), rapid.Map(name, func(x string) any { return x }),
				rapid.Map(rapid.Bool(), func(x bool) any { return x }),
			).Filter(func(x any) bool { f, ok := x.(float64); return !ok || f == f && f < 1e300 && f > -1e300 }).Draw(r, "value")
		}
		return &asset.Native{Format: name.Draw(r, "format"), Values: values, Payload: rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(r, "payload")}
	}
	for range some("materials", 3) {
		m := asset.NewMaterial(name.Draw(r, "material"))
		for k := range 4 {
			m.BaseColor[k] = rapid.Float32Range(0, 1).Draw(r, "colour")
		}
		m.Alpha = asset.AlphaMode(some("alpha", 2))
		m.AlphaCutoff = rapid.Float32Range(0, 1).Draw(r, "cutoff")
		m.Unlit, m.DoubleSided = rapid.Bool().Draw(r, "unlit"), rapid.Bool().Draw(r, "double")
		m.Native = native()
		s.Materials = append(s.Materials, m)
	}
	for range some("meshes", 3) {
		m := mesh(name.Draw(r, "mesh"))
		m.Native = native()
		for range some("primitives", 3) {
			m.Primitives = append(m.Primitives, generatePrimitive(r, s, number, native))
		}
		s.Meshes = append(s.Meshes, m)
	}
	var all []*asset.Node
	for range some("nodes", 8) {
		n := asset.NewNode(name.Draw(r, "node"))
		n.Kind = asset.NodeKind(some("kind", 4))
		for k := range 3 {
			n.Transform.Translation[k], n.Transform.Scale[k] = number.Draw(r, "t"), number.Draw(r, "s")
		}
		if len(s.Meshes) > 0 {
			n.Mesh = rapid.SampledFrom(append(s.Meshes, nil)).Draw(r, "of")
		}
		n.Native = native()
		switch place := some("place", len(all)+1); {
		case place < len(all):
			all[place].Children = append(all[place].Children, n)
		case place == len(all):
			s.Roots = append(s.Roots, n)
		default:
			s.Detached = append(s.Detached, n)
		}
		all = append(all, n)
	}
	if len(all) > 0 {
		for range some("animations", 2) {
			a := &asset.Animation{Name: name.Draw(r, "animation"), Native: native()}
			for _, n := range all {
				if rapid.Bool().Draw(r, "moves") {
					a.Channels = append(a.Channels, &asset.Channel{Node: n, Times: []float32{0, 0.5, 2}, Values: rapid.SliceOfN(number, 9, 9).Draw(r, "keys")})
				}
			}
			s.Animations = append(s.Animations, a)
		}
	}
	return s
}

func generatePrimitive(r *rapid.T, s *asset.Scene, number *rapid.Generator[float32], native func() *asset.Native) *asset.Primitive {
	n := rapid.IntRange(0, 6).Draw(r, "vertices")
	p := &asset.Primitive{Mode: asset.Mode(rapid.IntRange(0, 2).Draw(r, "mode")), Native: native()}
	if len(s.Materials) > 0 {
		p.Material = rapid.SampledFrom(s.Materials).Draw(r, "material")
	}
	if n == 0 {
		return p
	}
	for range n {
		p.Positions = append(p.Positions, [3]float32{number.Draw(r, "x"), number.Draw(r, "y"), number.Draw(r, "z")})
	}
	if rapid.Bool().Draw(r, "coloured") {
		for range n {
			c := rapid.Float32Range(0, 1)
			p.Colors = append(p.Colors, [4]float32{c.Draw(r, "r"), c.Draw(r, "g"), c.Draw(r, "b"), 1})
		}
	}
	if rapid.Bool().Draw(r, "mapped") {
		set := make([][2]float32, n)
		for i := range set {
			set[i] = [2]float32{number.Draw(r, "u"), number.Draw(r, "v")}
		}
		p.TexCoords = [][][2]float32{set}
	}
	p.Indices = []uint32{}
	for range rapid.IntRange(0, 3).Draw(r, "shapes") * modes[p.Mode].size {
		p.Indices = append(p.Indices, uint32(rapid.IntRange(0, n-1).Draw(r, "index")))
	}
	return p
}
