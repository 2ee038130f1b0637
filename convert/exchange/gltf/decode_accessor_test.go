package gltf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestAccessors has accessors that cannot be read, as positions over 64 bytes.
func TestAccessors(t *testing.T) {
	const sparse = `{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":%d,"indices":{"bufferView":0,"byteOffset":%d,"componentType":%d},"values":{"bufferView":0,"byteOffset":%d}}}`
	bin := make([]byte, 64)
	bin[40], bin[41], bin[42], bin[43] = 2, 1, 2, 3 // indices: out of order, in order, too large
	for _, c := range []struct {
		accessor string
		class    error
		want     string
	}{
		{`{"bufferView":0,"componentType":5126,"count":0,"type":"VEC3"}`, schema.ErrValue, "count must be greater than zero"},
		{`{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"}`, nil, ""},
		{`{"bufferView":0,"byteOffset":52,"componentType":5126,"count":1,"type":"VEC3"}`, nil, ""},
		{`{"bufferView":0,"byteOffset":53,"componentType":5126,"count":1,"type":"VEC3"}`, schema.ErrCount, "1 elements of 12 bytes every 12, 11 bytes left"},
		{`{"bufferView":0,"byteOffset":64,"componentType":5126,"count":1,"type":"VEC3"}`, schema.ErrCount, "0 bytes left"},
		{`{"bufferView":1,"componentType":5126,"count":1,"type":"VEC3"}`, schema.ErrValue, "byteStride: 8, an element has 12 bytes"},
		{`{"bufferView":2,"componentType":5126,"count":1,"type":"VEC3"}`, schema.ErrValue, "byteStride: 70000"},
		{`{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}`, nil, ""},
		{`{"bufferView":3,"componentType":5126,"count":3,"type":"VEC3"}`, schema.ErrCount, "3 elements of 12 bytes every 52, 64 bytes left"},
		{`{"bufferView":0,"componentType":5125,"count":1,"type":"VEC3"}`, schema.ErrUnsupported, "32-bit integers are for indices only"},
		{`{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}`, schema.ErrMismatch, "type SCALAR, 3 components expected"},
		{`{"bufferView":-1,"componentType":5126,"count":1,"type":"VEC3"}`, schema.ErrRange, "bufferView: index -1, there are 4"},
		{fmt.Sprintf(sparse, 2, 41, 5121, 0), nil, ""},
		{fmt.Sprintf(sparse, 0, 41, 5121, 0), schema.ErrCount, "sparse/count: 0 of 3 elements"},
		{fmt.Sprintf(sparse, 2, 40, 5121, 0), schema.ErrRange, "index 1 at 1: they ascend and stay below 3"},
		{fmt.Sprintf(sparse, 1, 43, 5121, 0), schema.ErrRange, "index 3 at 0"},
		{fmt.Sprintf(sparse, 1, 0, 5126, 0), schema.ErrUnsupported, "sparse/indices: component type"},
		{fmt.Sprintf(sparse, 2, 41, 5121, 44), schema.ErrCount, "sparse/values/count: 2 elements of 12 bytes every 12, 20 bytes left"},
		{fmt.Sprintf(sparse, 2, 63, 5121, 0), schema.ErrCount, "sparse/indices/count: 2 elements of 1 bytes every 1, 1 bytes left"},
		{strings.Replace(fmt.Sprintf(sparse, 1, 41, 5121, 0), "5126", "5125", 1), schema.ErrUnsupported, "32-bit integers"},
		{`{"componentType":5125,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}`, schema.ErrUnsupported, "sparse/values: 32-bit integers"},
	} {
		j := document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64},{"buffer":0,"byteLength":64,"byteStride":8},{"buffer":0,"byteLength":64,"byteStride":70000},{"buffer":0,"byteLength":64,"byteStride":52}],
			"accessors":[` + c.accessor + `],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}}]}]`)
		_, err := Decode(glb(j, bin), nil, nil)
		if schema.Class(err) != c.class || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %v with %q", c.accessor, err, c.class, c.want)
		}
	}
}

// TestBudget: how many bytes of memory each kind of data takes, which is refused where there are fewer.
func TestBudget(t *testing.T) {
	file := document(`"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64},{"buffer":0,"byteLength":4,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteOffset":0,"byteLength":16,"byteStride":2,"count":2,"mode":"INDICES"}}}],
		"accessors":[` + vec3x3 + `,{"bufferView":0,"componentType":5121,"count":3,"type":"SCALAR"},{"bufferView":0,"componentType":5121,"count":3,"type":"VEC4"},{"bufferView":0,"componentType":5126,"count":3,"type":"VEC4"},
		{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":0,"byteOffset":60,"componentType":5121},"values":{"bufferView":0}}},{"bufferView":0,"componentType":5125,"count":3,"type":"SCALAR"},{"bufferView":1,"componentType":5123,"count":2,"type":"SCALAR"}]`)
	bin := make([]byte, 64)
	bin[0], bin[61] = headIndices, 1
	for name, c := range map[string]struct {
		need int64
		read func(d *decoder) error
	}{
		"positions":      {36, func(d *decoder) error { _, err := d.vec3("", 0, 3); return err }},
		"rotations":      {48, func(d *decoder) error { _, err := d.vec4("", 3, 3); return err }},
		"colours":        {36 + 48, func(d *decoder) error { _, err := d.colors("", 0, 3); return err }},
		"joints":         {72, func(d *decoder) error { _, err := d.joints("", 2, 3); return err }},
		"numbers":        {36, func(d *decoder) error { _, err := d.scalars("", 0); return err }},
		"bytes":          {48, func(d *decoder) error { _, err := d.scalars("", 2); return err }},
		"sparse":         {8 + 36, func(d *decoder) error { _, err := d.vec3("", 4, 3); return err }},
		"indices":        {12, func(d *decoder) error { _, err := d.indexList("", 1); return err }},
		"large indices":  {12, func(d *decoder) error { _, err := d.indexList("", 5); return err }},
		"packed indices": {4 + 8, func(d *decoder) error { _, err := d.indexList("", 6); return err }},
		"a strip": {4 * 3 * 4, func(d *decoder) error {
			return d.indices("", &gltf.Primitive{Mode: gltf.PrimitiveTriangleStrip}, &asset.Primitive{Positions: make([][3]float32, 4)})
		}},
		"a loop": {4 * 2 * 3, func(d *decoder) error {
			return d.indices("", &gltf.Primitive{Mode: gltf.PrimitiveLineLoop}, &asset.Primitive{Positions: make([][3]float32, 3)})
		}},
		"instances": {3*nodeBytes + 36, func(d *decoder) error {
			_, err := d.instances("", asset.NewNode("n"), map[string]int{"SCALE": 0})
			return err
		}},
	} {
		for _, room := range []int64{c.need, c.need - 1} {
			d := newDecoder(nil, nil)
			if err := d.parse([]byte(file)); err != nil {
				t.Fatal(err)
			}
			if err := d.loadBuffers(held(bin)); err != nil {
				t.Fatal(err)
			}
			d.budget = room
			if err := c.read(d); (err == nil) != (room == c.need) || err != nil && schema.Class(err) != schema.ErrLimit || err == nil && d.budget != 0 {
				t.Errorf("%s: with %d bytes, %v, %d are left", name, room, err, d.budget)
			}
		}
	}
}

// TestSharedAccessors: what several primitives share is mended and told of once, and held against the vertices of each.
func TestSharedAccessors(t *testing.T) {
	nan := math.NaN()
	bin := data([]float64{0, 0, 0, 1, 1, 1, nan, 0, nan, 0, 3, 4}, []byte{0, 0, 127, 0, 0, 60, 80, 0}, []byte{3, 4, 0, 0, 0, 0, 0, 0})
	const head = `"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64},{"buffer":0,"byteOffset":48,"byteLength":16,"byteStride":4}],"accessors":[
		{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":0,"byteOffset":24,"componentType":5126,"count":2,"type":"VEC3"},
		{"bufferView":1,"componentType":5120,"normalized":true,"count":2,"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},{"bufferView":1,"byteOffset":8,"componentType":5120,"count":2,"type":"VEC4"}],`
	s, d := told(t, document(head+`"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,"NORMAL":1}},{"mode":0,"attributes":{"POSITION":0,"NORMAL":1}},{"mode":0,"attributes":{"POSITION":0,"NORMAL":2,"TANGENT":4}},{"mode":0,"attributes":{"POSITION":0,"NORMAL":2}}]}]`), bin)
	all := s.Meshes[0].Primitives
	equal(t, "mended", [][][3]float32{all[0].Normals, all[1].Normals}, [][][3]float32{{{}, {0, 3, 4}}, {{}, {0, 3, 4}}})
	equal(t, "of unit length", [][][3]float32{all[2].Normals, all[3].Normals}, [][][3]float32{{{0, 0, 1}, {0, 0.6, 0.8}}, {{0, 0, 1}, {0, 0.6, 0.8}}})
	equal(t, "tangents", all[2].Tangents, [][4]float32{{0.6, 0.8, 0, 1}, {0, 0, 0, 1}})
	equal(t, "said", saidBy(d), []string{"meshes/0/primitives/0/NORMAL not-finite: 2 values of accessor 1 are not finite and taken for 0"})
	holdRefused(t, bin,
		refused{document(head + `"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0}},{"mode":0,"attributes":{"POSITION":3,"NORMAL":0}}]}]`), schema.ErrMismatch, "primitives/1/NORMAL: 2 elements, 1 expected"},
		refused{document(head + `"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":1}}]}]`), schema.ErrValue, "POSITION: element 0 of accessor 1 is [NaN 0 NaN]: not finite"})
}

// TestSparseBytes: sparse values that are no floats replace one element each, as they are or brought to 1.
func TestSparseBytes(t *testing.T) {
	bin := []byte{1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 0, 127, 0x81, 0, 0, 5, 6, 7, 0, 0, 2, 0, 0}
	for normalized, want := range map[bool][][3]float32{false: {{127, -127, 0}, {2, 2, 2}, {5, 6, 7}}, true: {{1, -1, 0}, {2.0 / 127, 2.0 / 127, 2.0 / 127}, {5.0 / 127, 6.0 / 127, 7.0 / 127}}} {
		p := first(t, document(fmt.Sprintf(`"buffers":[{"byteLength":24}],"bufferViews":[{"buffer":0,"byteLength":12,"byteStride":4},{"buffer":0,"byteOffset":12,"byteLength":8,"byteStride":4},{"buffer":0,"byteOffset":20,"byteLength":2}],
			"accessors":[{"bufferView":0,"componentType":5120,"normalized":%t,"count":3,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":1}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]`, normalized)), bin)
		equal(t, fmt.Sprint("brought to 1 ", normalized), p.Positions, want)
	}
}
