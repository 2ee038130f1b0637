package gltf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// glb wraps JSON and a binary chunk.
func glb(json string, bin []byte) []byte {
	for len(json)%4 != 0 {
		json += " "
	}
	b := binary.LittleEndian.AppendUint32(nil, glbMagic)
	b = binary.LittleEndian.AppendUint32(b, 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(28+len(json)+len(bin)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(json)))
	b = binary.LittleEndian.AppendUint32(b, chunkJSON)
	b = append(b, json...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(bin)))
	b = binary.LittleEndian.AppendUint32(b, chunkBIN)
	return append(b, bin...)
}

// document adds the required parts to the body of a document.
func document(body string) string { return `{"asset":{"version":"2.0"},` + body + `}` }

// meshOf is a document with one primitive over a buffer of 64 bytes.
func meshOf(accessors, primitive string) string {
	return document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64}],"accessors":[` + accessors + `],"meshes":[{"primitives":[` + primitive + `]}]`)
}

const (
	vec3x3   = `{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}`
	position = `"attributes":{"POSITION":0}`
)

func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, json string
		class      error
		path       string // part of the error's text
	}{
		{"no json", `{"asset":`, schema.ErrTruncated, "json"},
		{"not an object", `{"asset":3}`, schema.ErrValue, "json"},
		{"version 1", `{"asset":{"version":"1.0"}}`, schema.ErrUnsupported, "version"},
		{"draco", document(`"extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"]`), schema.ErrUnsupported, "KHR_draco_mesh_compression"},
		{"null node", document(`"nodes":[null]`), schema.ErrValue, "nodes/0"},
		{"null primitive", document(`"meshes":[{"primitives":[null]}]`), schema.ErrValue, "meshes/0/primitives/0"},
		{"short buffer", document(`"buffers":[{"byteLength":65}]`), schema.ErrTruncated, "buffers/0/byteLength"},
		{"negative buffer", document(`"buffers":[{"byteLength":-1}]`), schema.ErrTruncated, "buffers/0/byteLength"},
		{"second buffer without uri", document(`"buffers":[{"byteLength":4},{"byteLength":4}]`), schema.ErrTruncated, "buffers/1/uri"},
		{"buffer on the network", document(`"buffers":[{"byteLength":4,"uri":"https://example.org/a.bin"}]`), schema.ErrUnsupported, "buffers/0/uri"},
		{"missing buffer", document(`"buffers":[{"byteLength":4,"uri":"a.bin"}]`), schema.ErrTruncated, "a.bin"},
		{"bad data uri", document(`"buffers":[{"byteLength":4,"uri":"data:x;base64,!!"}]`), schema.ErrValue, "buffers/0/uri"},
		{"accessor index", meshOf(vec3x3, `{"attributes":{"POSITION":7}}`), schema.ErrRange, "meshes/0/primitives/0/POSITION"},
		{"negative accessor", meshOf(vec3x3, `{"attributes":{"POSITION":-1}}`), schema.ErrRange, "meshes/0/primitives/0/POSITION"},
		{"huge count", meshOf(`{"bufferView":0,"componentType":5126,"count":4000000000000000000,"type":"VEC3"}`, `{`+position+`}`), schema.ErrCount, "POSITION/count"},
		{"one too many", meshOf(`{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"}`, `{`+position+`}`), schema.ErrCount, "POSITION/count"},
		{"huge count without data", meshOf(`{"componentType":5126,"count":100000000,"type":"VEC3"}`, `{`+position+`}`), schema.ErrCount, "POSITION"},
		{"negative count", meshOf(`{"bufferView":0,"componentType":5126,"count":-3,"type":"VEC3"}`, `{`+position+`}`), schema.ErrValue, "count"},
		{"offset beyond", meshOf(`{"bufferView":0,"byteOffset":65,"componentType":5126,"count":1,"type":"VEC3"}`, `{`+position+`}`), schema.ErrRange, "byteOffset"},
		{"negative offset", meshOf(`{"bufferView":0,"byteOffset":-4,"componentType":5126,"count":1,"type":"VEC3"}`, `{`+position+`}`), schema.ErrRange, "byteOffset"},
		{"view index", meshOf(`{"bufferView":3,"componentType":5126,"count":1,"type":"VEC3"}`, `{`+position+`}`), schema.ErrRange, "bufferView"},
		{"view beyond", document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteOffset":60,"byteLength":5}],"images":[{"bufferView":0}]`), schema.ErrRange, "bufferViews/0"},
		{"view overflow", document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteOffset":9223372036854775807,"byteLength":5}],"images":[{"bufferView":0}]`), schema.ErrRange, "bufferViews/0"},
		{"view of no buffer", document(`"bufferViews":[{"buffer":0,"byteLength":5}],"images":[{"bufferView":0}]`), schema.ErrRange, "bufferViews/0/buffer"},
		{"wrong type", meshOf(`{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}`, `{`+position+`}`), schema.ErrMismatch, "POSITION"},
		{"index beyond", meshOf(vec3x3+`,{"bufferView":0,"byteOffset":3,"componentType":5121,"count":3,"type":"SCALAR"}`, `{`+position+`,"indices":1}`), schema.ErrRange, "indices"},
		{"float indices", meshOf(vec3x3+`,{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"}`, `{`+position+`,"indices":1}`), schema.ErrUnsupported, "indices"},
		{"unequal counts", meshOf(vec3x3+`,{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}`, `{"attributes":{"POSITION":0,"NORMAL":1}}`), schema.ErrMismatch, "NORMAL"},
		{"joints without weights", meshOf(vec3x3+`,{"bufferView":0,"componentType":5121,"count":3,"type":"VEC4"}`, `{"attributes":{"POSITION":0,"JOINTS_0":1}}`), schema.ErrMismatch, "joints"},
		{"material", meshOf(vec3x3, `{`+position+`,"material":0}`), schema.ErrRange, "material"},
		{"sparse beyond", meshOf(`{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":3,"componentType":5121},"values":{"bufferView":0}}}`, `{`+position+`}`), schema.ErrRange, "sparse/indices"},
		{"sparse count", meshOf(`{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":4,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}`, `{`+position+`}`), schema.ErrCount, "sparse/count"},
		{"sparse order", meshOf(`{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}`, `{`+position+`}`), schema.ErrRange, "sparse/indices"},
		{"texture index", document(`"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]`), schema.ErrRange, "materials/0/baseColor"},
		{"image index", document(`"textures":[{"source":1}],"materials":[{"emissiveTexture":{"index":0}}]`), schema.ErrRange, "textures/0/source"},
		{"sampler index", document(`"images":[{}],"textures":[{"source":0,"sampler":0}],"materials":[{"emissiveTexture":{"index":0}}]`), schema.ErrRange, "textures/0/sampler"},
		{"child index", document(`"nodes":[{"children":[1]}]`), schema.ErrRange, "nodes/0/children"},
		{"own parent", document(`"nodes":[{"children":[0]}]`), schema.ErrCycle, "nodes/0"},
		{"loop", document(`"nodes":[{"children":[1]},{"children":[2]},{"children":[0]}]`), schema.ErrCycle, "nodes/0"},
		{"two parents", document(`"nodes":[{"children":[2]},{"children":[2]},{}]`), schema.ErrCycle, "node 2"},
		{"root twice", document(`"nodes":[{}],"scenes":[{"nodes":[0,0]}]`), schema.ErrCycle, "scenes/0/nodes"},
		{"inner root", document(`"nodes":[{"children":[1]},{}],"scenes":[{"nodes":[1]}]`), schema.ErrMismatch, "scenes/0/nodes"},
		{"scene index", document(`"scene":1,"scenes":[{}]`), schema.ErrRange, "scene"},
		{"negative scene", document(`"scene":-1,"scenes":[{}]`), schema.ErrRange, "scene"},
		{"deep", document(`"nodes":[` + chain(300) + `]`), schema.ErrLimit, "nodes"},
		{"mesh index", document(`"nodes":[{"mesh":0}]`), schema.ErrRange, "nodes/0/mesh"},
		{"camera index", document(`"nodes":[{"camera":0}]`), schema.ErrRange, "nodes/0/camera"},
		{"skin index", document(`"nodes":[{"skin":0}]`), schema.ErrRange, "nodes/0/skin"},
		{"joint index", document(`"nodes":[{}],"skins":[{"joints":[1]}]`), schema.ErrRange, "skins/0/joints"},
		{"joint twice", document(`"nodes":[{}],"skins":[{"joints":[0,0]}]`), schema.ErrMismatch, "skins/0/joints"},
		{"lod index", document(`"extensionsRequired":["MSFT_lod"],"nodes":[{"extensions":{"MSFT_lod":{"ids":[9]}}}]`), schema.ErrRange, "MSFT_lod"},
		{"lod text", document(`"extensionsRequired":["MSFT_lod"],"nodes":[{"extensions":{"MSFT_lod":{"ids":"x"}}}]`), schema.ErrValue, "MSFT_lod"},
		{"draco alone", meshOf(`{"componentType":5126,"count":3,"type":"VEC3"}`, `{`+position+`,"extensions":{"KHR_draco_mesh_compression":{"bufferView":0}}}`), schema.ErrUnsupported, "npx @gltf-transform/cli copy"},
		{"not a number", meshOf(`{"bufferView":0,"byteOffset":36,"componentType":5126,"count":2,"type":"VEC3"}`, `{`+position+`}`), schema.ErrValue, "POSITION: element 1 of accessor 0 is [0 NaN 0]"},
		{"endless node", document(`"nodes":[{"translation":[1e39,0,0]}]`), schema.ErrValue, "nodes/0"},
		{"endless matrix", document(`"nodes":[{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,1e39,0,1]}]`), schema.ErrValue, "nodes/0"},
		{"animation node", document(`"animations":[{"samplers":[],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}]`), schema.ErrRange, "animations/0/channels/0"},
		{"many objects", document(`"nodes":[{}` + strings.Repeat(",{}", 40000) + `]`), schema.ErrLimit, "objects"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := make([]byte, 64)
			bin[3] = 9
			binary.LittleEndian.PutUint32(bin[52:], 0x7FC00000) // not a number
			for kind, b := range map[string][]byte{"glb": glb(c.json, bin), "json": []byte(c.json)} {
				if kind == "json" && strings.Contains(c.json, `"byteLength"`) {
					continue // these need the binary chunk
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := Decode(b, nil, nil)
				runtime.ReadMemStats(&after)
				if !errors.Is(err, c.class) || !strings.Contains(fmt.Sprint(err), c.path) {
					t.Errorf("%s: %v; expected %v with %q", kind, err, c.class, c.path)
				}
				if used := after.TotalAlloc - before.TotalAlloc; len(b) < 1000 && used > 1<<20 {
					t.Errorf("%s: %d bytes allocated for %d bytes", kind, used, len(b))
				}
			}
		})
	}
}

func chain(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, `{"children":[%d]},`, i+1)
	}
	return s.String() + "{}"
}

func TestHostileContainer(t *testing.T) {
	good := glb(document(`"nodes":[{}]`), make([]byte, 8))
	change := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for _, c := range []struct {
		name  string
		b     []byte
		class error
	}{
		{"nothing", nil, schema.ErrBadMagic},
		{"text", []byte("hello"), schema.ErrBadMagic},
		{"magic only", good[:4], schema.ErrTruncated},
		{"version", change(4, 1), schema.ErrUnsupported},
		{"length beyond", change(8, 1<<31), schema.ErrTruncated},
		{"length too small", change(8, 12), schema.ErrMismatch},
		{"chunk beyond", change(12, 1<<32-1), schema.ErrTruncated},
		{"chunk type", change(16, 0), schema.ErrBadMagic},
	} {
		if _, err := Decode(c.b, nil, nil); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, expected %v", c.name, err, c.class)
		}
	}
	for i := range good {
		if _, err := Decode(good[:i], nil, nil); err == nil {
			t.Errorf("cut at %d of %d: no error", i, len(good))
		}
	}
	var d schema.Diagnostics
	if _, err := Decode(append(bytes.Clone(good), 1, 2), nil, &d); err != nil || !d.Has("trailing-bytes") {
		t.Errorf("trailing bytes: %v, %v", err, d.All())
	}
}

// TestMemoryBound has many accessors on the same bytes, and pictures of bombs.
func TestMemoryBound(t *testing.T) {
	var accessors, prims strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&accessors, `{"bufferView":0,"componentType":5126,"count":20000,"type":"VEC3"},`)
		fmt.Fprintf(&prims, `{"attributes":{"POSITION":%d}},`, i)
	}
	j := document(`"buffers":[{"byteLength":240000}],"bufferViews":[{"buffer":0,"byteLength":240000}],"accessors":[` +
		strings.TrimSuffix(accessors.String(), ",") + `],"meshes":[{"primitives":[` + strings.TrimSuffix(prims.String(), ",") + `]}]`)
	b := glb(j, make([]byte, 240000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Decode(b, nil, nil)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, schema.ErrLimit) {
		t.Errorf("%v, expected %v", err, schema.ErrLimit)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(64*len(b)+16<<20); used > most {
		t.Errorf("%d bytes allocated for %d, at most %d", used, len(b), most)
	}
}

// TestWriterFails stops the writer at every byte.
func TestWriterFails(t *testing.T) {
	s := allAttributes()
	whole := encode(t, s, nil)
	for n := range whole {
		w := &limited{left: n}
		if err := Encode(w, s, Options{}); !errors.Is(err, errFull) {
			t.Fatalf("%d of %d bytes: error %v", n, len(whole), err)
		}
	}
	if err := Encode(&limited{left: len(whole)}, s, Options{}); err != nil {
		t.Error(err)
	}
}

var errFull = errors.New("full")

type limited struct{ left int }

func (w *limited) Write(b []byte) (int, error) {
	if len(b) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(b)
	return len(b), nil
}

func TestTooLarge(t *testing.T) {
	for _, size := range []int64{1<<32 - 30, 1 << 32, 1 << 40} {
		w := &limited{1 << 10}
		if err := writeGLB(w, [][]byte{[]byte("{}")}, &buffer{size: size}); !errors.Is(err, schema.ErrLimit) || w.left != 1<<10 {
			t.Errorf("%d bytes: %v, %d bytes written", size, err, 1<<10-w.left)
		}
	}
}

// TestManyObjects holds the memory of the document itself.
func TestManyObjects(t *testing.T) {
	for _, body := range []string{`"nodes":[{}` + strings.Repeat(",{}", 30000) + `]`, `"extras":[[]` + strings.Repeat(",[]", 300000) + `]`, `"extras":[0` + strings.Repeat(",0", 300000) + `]`, `"nodes":[{"name":""}` + strings.Repeat(`,{"name":""}`, 100000) + `]`} {
		b := []byte(document(body))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Decode(b, nil, nil)
		runtime.ReadMemStats(&after)
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(64*len(b)+16<<20); used > most {
			t.Errorf("%.20s: %d bytes allocated for %d, at most %d (error %v)", body, used, len(b), most, err)
		}
	}
}

func TestBadScenes(t *testing.T) {
	change := func(f func(*asset.Scene)) *asset.Scene {
		s := scene(mesh("m", quad()))
		f(s)
		return s
	}
	for _, c := range []struct {
		name  string
		class error
		s     *asset.Scene
	}{
		{"index", schema.ErrRange, change(func(s *asset.Scene) { s.Meshes[0].Primitives[0].Indices[1] = 4 })},
		{"partial triangle", schema.ErrMismatch, change(func(s *asset.Scene) { s.Meshes[0].Primitives[0].Indices = []uint32{0, 1} })},
		{"normals", schema.ErrMismatch, change(func(s *asset.Scene) { s.Meshes[0].Primitives[0].Normals = make([][3]float32, 3) })},
		{"cycle", schema.ErrCycle, change(func(s *asset.Scene) { s.Roots[0].Children = s.Roots })},
		{"twice", schema.ErrCycle, change(func(s *asset.Scene) { s.Roots = append(s.Roots, s.Roots[0]) })},
		{"unlisted mesh", schema.ErrRange, change(func(s *asset.Scene) { s.Meshes = nil })},
		{"unlisted material", schema.ErrRange, change(func(s *asset.Scene) { s.Meshes[0].Primitives[0].Material = asset.NewMaterial("x") })},
		{"nil node", schema.ErrValue, change(func(s *asset.Scene) { s.Roots[0].Children = []*asset.Node{nil} })},
		{"joint", schema.ErrRange, change(func(s *asset.Scene) {
			p := s.Meshes[0].Primitives[0]
			p.Joints, p.Weights = [][][4]uint16{{{1}, {}, {}, {}}}, [][][4]float32{{{1}, {1}, {1}, {1}}}
			s.Skins = []*asset.Skin{{Joints: []*asset.Node{s.Roots[0]}}}
			s.Roots[0].Skin = s.Skins[0]
		})},
		{"times", schema.ErrValue, change(func(s *asset.Scene) {
			s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: s.Roots[0], Times: []float32{1, 1}, Values: make([]float32, 6)}}}}
		})},
		{"values", schema.ErrMismatch, change(func(s *asset.Scene) {
			s.Animations = []*asset.Animation{{Channels: []*asset.Channel{{Node: s.Roots[0], Times: []float32{1, 2}, Values: make([]float32, 5)}}}}
		})},
		{"extras", schema.ErrValue, change(func(s *asset.Scene) { s.Roots[0].Native = &asset.Native{Values: map[string]any{"f": func() {}}} })},
	} {
		if err := Encode(&limited{1 << 30}, c.s, Options{}); !errors.Is(err, c.class) {
			t.Errorf("%s: %v, expected %v", c.name, err, c.class)
		}
	}
}
