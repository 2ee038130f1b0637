package convert_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// onlyGLTF is a file that says what glTF alone can: a square whose picture is shown from (0.25, 0.5) on and half as large,
// with others like it beside the scene, hidden, and below a hidden node.
func onlyGLTF() string {
	var bin []byte
	for _, v := range []float32{0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1} {
		bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(v))
	}
	for _, i := range []uint16{0, 1, 2, 0, 2, 3} {
		bin = binary.LittleEndian.AppendUint16(bin, i)
	}
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGNgYGD4z8AAAAYCAQAHqDdTAAAAAElFTkSuQmCC"
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]},{"nodes":[3]}],
		"extensionsUsed":["KHR_texture_transform","KHR_node_visibility"],"extensionsRequired":["KHR_texture_transform"],
		"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"}]}},
		"nodes":[{"name":"shown","mesh":0,"extensions":{"KHR_lights_punctual":{"light":0}}},{"name":"hidden","mesh":0,"translation":[9,0,0],"children":[2],"extensions":{"KHR_node_visibility":{"visible":false}}},
			{"name":"below","mesh":0,"translation":[9,9,0]},{"name":"elsewhere","mesh":0,"translation":[0,9,0]},{"name":"nowhere","mesh":0,"translation":[0,0,9]}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1,"NORMAL":2},"indices":3,"material":0}]}],
		"materials":[{"name":"paint","pbrMetallicRoughness":{"metallicFactor":0,"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.25,0.5],"scale":[0.5,0.5]}}}}}],
		"textures":[{"source":0}],"images":[{"name":"dot","uri":"data:image/png;base64,%s"}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[4,4,0]},{"bufferView":0,"byteOffset":48,"componentType":5126,"count":4,"type":"VEC2"},
			{"bufferView":0,"byteOffset":80,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":0,"byteOffset":128,"componentType":5123,"count":6,"type":"SCALAR"}],
		"bufferViews":[{"buffer":0,"byteLength":140}],"buffers":[{"byteLength":140,"uri":"data:application/octet-stream;base64,%s"}]}`, pixel, base64.StdEncoding.EncodeToString(bin))
}

// TestOnlyGLTF makes models of every format of a file that says what glTF alone can: they show what is shown, with the
// picture where it is to be, and what is left out is named.
func TestOnlyGLTF(t *testing.T) {
	for _, target := range []string{"u3d", "cmp", "3db", "sappear", "unreal-mesh-data", "unreal-t3d"} {
		var d schema.Diagnostics
		s, err := gltf.Decode([]byte(onlyGLTF()), nil, &d)
		if err != nil {
			t.Fatal(err)
		}
		f := formats.ByName(target)
		files := map[string][]byte{}
		env := &format.Env{Name: "model" + f.Extensions[0], Output: "model", Diagnostics: &d, Files: emitted(files), Emit: func(name string, b []byte) error {
			files[name] = b
			return nil
		}}
		v, err := engine.Lower(f, s, env)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		b, err := f.Write(v)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		back := *env
		if target == "unreal-mesh-data" {
			back.Name = "model_d.3d"
		}
		v, err = f.Read(b, nil)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		a, err := f.Lift(v, &back)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		said := map[string]int{}
		for _, x := range d.All() {
			said[x.Code]++
		}
		for _, code := range []string{"other-scenes", "hidden-nodes", "light"} {
			if said[code] != 1 {
				t.Errorf("%s: %d diagnostics %s: %v", target, said[code], code, d.All())
			}
		}
		checkSquare(t, target, a.(*asset.Scene))
	}
}

// emitted finds the files that were made beside a model.
type emitted map[string][]byte

func (e emitted) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		for have, b := range e {
			if strings.EqualFold(have, name) {
				return b, have, nil
			}
		}
	}
	return nil, "", errNotMade
}

var errNotMade = fmt.Errorf("not made: %w", fs.ErrNotExist)

// checkSquare holds a model against the square: two triangles whose coordinates run from (0.25, 0.5) to (0.75, 1).
func checkSquare(t *testing.T, target string, s *asset.Scene) {
	t.Helper()
	triangles := 0
	var lo, hi [2]float32
	lo = [2]float32{9, 9}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		for _, p := range n.Mesh.Primitives {
			if p.Mode != asset.Triangles || len(p.TexCoords) == 0 {
				continue
			}
			n := len(p.Indices)
			if p.Indices == nil {
				n = len(p.Positions)
			}
			triangles += n / 3
			for _, x := range p.TexCoords[0] {
				for k := range x {
					lo[k], hi[k] = min(lo[k], x[k]), max(hi[k], x[k])
				}
			}
		}
	})
	if triangles != 2 {
		t.Errorf("%s: %d triangles, want 2", target, triangles)
	}
	if target == "unreal-t3d" {
		return // it has places on pictures, whose sizes it does not know
	}
	for k, want := range [2]float32{0.25, 0.5} {
		if math.Abs(float64(lo[k]-want)) > 0.01 || math.Abs(float64(hi[k]-want-0.5)) > 0.01 {
			t.Errorf("%s: texture coordinates from %v to %v, want (0.25, 0.5) to (0.75, 1)", target, lo, hi)
			return
		}
	}
}
