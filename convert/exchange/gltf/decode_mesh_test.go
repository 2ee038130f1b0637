package gltf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestEditedPrimitives: what rides with primitives finds them by their number or, where an editor joined or divided some, by their
// material; those that glTF cannot hold keep their place as far as there are others before them.
func TestEditedPrimitives(t *testing.T) {
	a, b, c := asset.NewMaterial("a"), asset.NewMaterial("b"), asset.NewMaterial("c")
	primitive := func(format string, m *asset.Material) *asset.Primitive {
		p := quad()
		p.Material, p.Native = m, &asset.Native{Format: format}
		return p
	}
	drawn := primitive("undrawn", c)
	drawn.Indices = []uint32{}
	all := scene(mesh("m", primitive("one", a), primitive("two", a), &asset.Primitive{Mode: asset.Lines, Native: &asset.Native{Format: "hollow"}}, primitive("three", b), drawn, &asset.Primitive{Native: &asset.Native{Format: "last"}}))
	all.Materials = []*asset.Material{a, b, c}
	whole := encode(t, all, nil)
	for _, e := range []struct {
		name string
		edit func(list []any) []any
		want string
	}{
		{"as they were", func(list []any) []any { return list }, "one two hollow three undrawn last"},
		{"the first gone", func(list []any) []any { return list[1:] }, "one three hollow - last"}, // its material has two
		{"all but one gone", func(list []any) []any { return list[2:3] }, "three hollow last"},
		{"one more", func(list []any) []any { return append(list, list[2]) }, "one one hollow three - last three"},
		{"without material", func(list []any) []any { delete(list[2].(map[string]any), "material"); return list[2:] }, "- - hollow last"},
		{"turned", func(list []any) []any { list[0], list[2] = list[2], list[0]; return list }, "one two hollow three undrawn last"},
	} {
		file := edited(t, whole, func(doc map[string]any) {
			m := doc["meshes"].([]any)[0].(map[string]any)
			m["primitives"] = e.edit(m["primitives"].([]any))
		})
		s, err := Decode(file, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range s.Meshes[0].Primitives {
			name := "-"
			if p.Native != nil {
				name = p.Native.Format
			}
			if (len(p.Positions) == 0) != (name == "hollow" || name == "last") || (p.Mode == asset.Lines) != (name == "hollow") {
				t.Errorf("%s: %s has %d positions and mode %d", e.name, name, len(p.Positions), p.Mode)
			}
			got = append(got, name)
		}
		if got := strings.Join(got, " "); got != e.want {
			t.Errorf("%s: %s, want %s", e.name, got, e.want)
		}
	}
}

// TestManyPrimitives: of records of one material the one of the least number is taken, where an editor changed how many there are.
func TestManyPrimitives(t *testing.T) {
	m := asset.NewMaterial("m")
	all := mesh("m")
	for i := range 12 {
		p := quad()
		p.Material, p.Native = m, &asset.Native{Format: fmt.Sprint(i)}
		if i < 2 {
			p.Indices = []uint32{}
		}
		all.Primitives = append(all.Primitives, p)
	}
	s := scene(all)
	s.Materials = []*asset.Material{m}
	back := decode(t, edited(t, encode(t, s, nil), func(doc map[string]any) {
		g := doc["meshes"].([]any)[0].(map[string]any)
		g["primitives"] = g["primitives"].([]any)[3:]
	}))
	for i, p := range back.Meshes[0].Primitives {
		if p.Native == nil || p.Native.Format != "2" {
			t.Errorf("primitive %d: %v", i, p.Native)
		}
	}
}

// TestEditedPrimitivesRefused: a primitive of a mesh that was edited wears no material that there is not.
func TestEditedPrimitivesRefused(t *testing.T) {
	p, q := quad(), quad()
	p.Native = native("p")
	whole := encode(t, scene(mesh("m", p, q)), nil)
	for _, number := range []float64{-1, 0} {
		_, err := Decode(edited(t, whole, func(doc map[string]any) {
			m := doc["meshes"].([]any)[0].(map[string]any)
			list := m["primitives"].([]any)[:1]
			list[0].(map[string]any)["material"] = number
			m["primitives"] = list
		}), nil, nil)
		if schema.Class(err) != schema.ErrRange || !strings.Contains(err.Error(), "meshes/0/primitives/0/material") {
			t.Errorf("material %v: %v", number, err)
		}
	}
}

// TestEmptyPrimitives: those without vertices get the material of their number and name, else that of their name.
func TestEmptyPrimitives(t *testing.T) {
	const body = `"materials":[{"name":"a"},{"name":"b"},{"name":"a"}],"meshes":[{"primitives":[],"extras":{"usher":{"asset":{"count":1,"primitives":{"0":{"asset":{"empty":1,%s}}}}}}}]`
	for record, want := range map[string]string{
		`"mode":"lines","targets":2,"material":2,"materialName":"a"`: "1 2 2", `"mode":"points","material":1,"materialName":"a"`: "2 0 0", `"mode":"triangles","material":3,"materialName":"b"`: "0 0 1",
		`"mode":"x","targets":4096,"material":0,"materialName":"c"`: "0 0 -1", `"targets":4095`: "0 4095 -1", `"materialName":"a"`: "0 0 -1",
	} {
		s, d := told(t, strings.Replace(document(fmt.Sprintf(body, record)), `"primitives":[],`, `"primitives":[{"attributes":{"_X":0}}],`, 1), nil)
		p := s.Meshes[0].Primitives[0]
		material := -1
		for i, m := range s.Materials {
			if m == p.Material {
				material = i
			}
		}
		if got := fmt.Sprint(p.Mode, " ", len(p.Targets), " ", material); got != want || len(s.Meshes[0].Primitives) != 1 {
			t.Errorf("%s: %s, want %s", record, got, want)
		}
		equal(t, "said", saidBy(d), []string{"meshes/0/primitives/0 no-positions: a primitive without positions is left out"})
	}
}

// TestAttributesOfOthers has attributes of every kind beside positions of two vertices, with what becomes of them.
func TestAttributesOfOthers(t *testing.T) {
	bin := data([]float64{0, 0, 0, 1, 1, 1}, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 2, 3, 4}, []float64{1, 0, 0, 0, 1, 0, 0, 0}, make([]byte, 72))
	accessor := func(at, component int, kind string, more string) string {
		return fmt.Sprintf(`{"bufferView":0,"byteOffset":%d,"componentType":%d,"count":2,"type":%q%s}`, at, component, kind, more)
	}
	accessors := strings.Join([]string{accessor(0, 5126, "VEC3", ""), accessor(24, 5121, "SCALAR", ""), accessor(24, 5121, "SCALAR", `,"normalized":true`), accessor(24, 5123, "VEC2", ""), accessor(24, 5122, "SCALAR", ""),
		accessor(24, 5125, "SCALAR", ""), accessor(80, 5126, "MAT3", ""), accessor(24, 5121, "MAT2", ""), accessor(32, 5126, "VEC2", ""), accessor(24, 5121, "VEC4", ""), accessor(48, 5126, "VEC4", ""),
		`{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}`, accessor(24, 5125, "VEC4", ""), accessor(24, 5121, "VEC3", ""), accessor(0, 5126, "VEC3", "")}, ",")
	one := func(attributes string) string {
		return document(`"buffers":[{"byteLength":152}],"bufferViews":[{"buffer":0,"byteLength":152}],"accessors":[` + accessors + `],"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":0,` + attributes + `}}]}]`)
	}
	custom := func(name string, comps int, kind asset.AttributeType, values ...float32) []asset.Attribute {
		return []asset.Attribute{{Name: name, Components: comps, Type: kind, Values: values}}
	}
	for _, c := range []struct {
		attributes string
		want       []asset.Attribute
		said       string
	}{
		{`"_A":1`, custom("_A", 1, asset.Uint8, 1, 2), ""},
		{`"_A":2`, custom("_A", 1, asset.Float32, 1.0/255, 2.0/255), ""},
		{`"_A":3`, custom("_A", 2, asset.Uint16, 0x201, 0x403, 0x605, 0x807), ""},
		{`"_A":4`, custom("_A", 1, asset.Float32, 0x201, 0x403), ""},
		{`"_A":9`, custom("_A", 4, asset.Uint8, 1, 2, 3, 4, 5, 6, 7, 8), ""},
		{`"_A":5`, nil, "_A unknown-attribute: an attribute of type SCALAR of UNSIGNED_INT is left out"},
		{`"_A":6`, nil, "_A unknown-attribute: an attribute of type MAT3 of FLOAT is left out"},
		{`"_A":7`, nil, "_A unknown-attribute: an attribute of type MAT2 of UNSIGNED_BYTE is left out"},
		{`"ID":1`, custom("_ID", 1, asset.Uint8, 1, 2), "ID unknown-attribute: the attribute is kept as _ID"},
		{`"_ID":2,"ID":1`, custom("_ID", 1, asset.Uint8, 1, 2), "ID unknown-attribute: the attribute is kept as _ID; _ID unknown-attribute: two attributes are called _ID"},
		{`"TEXCOORD_256":8`, custom("_TEXCOORD_256", 2, asset.Float32, 1, 2, 3, 4), "TEXCOORD_256 unknown-attribute: the attribute is kept as _TEXCOORD_256"},
		{`"TEXCOORD_-1":8`, custom("_TEXCOORD_-1", 2, asset.Float32, 1, 2, 3, 4), "TEXCOORD_-1 unknown-attribute: the attribute is kept as _TEXCOORD_-1"},
		{`"TEXCOORD_a":8`, custom("_TEXCOORD_a", 2, asset.Float32, 1, 2, 3, 4), "TEXCOORD_a unknown-attribute: the attribute is kept as _TEXCOORD_a"},
		{`"JOINTS_256":9`, custom("_JOINTS_256", 4, asset.Uint8, 1, 2, 3, 4, 5, 6, 7, 8), "JOINTS_256 unknown-attribute: the attribute is kept as _JOINTS_256"},
		{`"WEIGHTS_x":8`, custom("_WEIGHTS_x", 2, asset.Float32, 1, 2, 3, 4), "WEIGHTS_x unknown-attribute: the attribute is kept as _WEIGHTS_x"},
		{`"COLOR_1":9`, custom("_COLOR_1", 4, asset.Uint8, 1, 2, 3, 4, 5, 6, 7, 8), "COLOR_1 unknown-attribute: the attribute is kept as _COLOR_1"},
	} {
		s, d := told(t, one(c.attributes), bin)
		p := s.Meshes[0].Primitives[0]
		equal(t, c.attributes, p.Custom, c.want)
		if got := strings.ReplaceAll(strings.Join(saidBy(d), "; "), "meshes/0/primitives/0/", ""); got != c.said || p.TexCoords != nil || p.Joints != nil || p.Weights != nil {
			t.Errorf("%s: said %q, want %q", c.attributes, got, c.said)
		}
	}
	p := first(t, one(`"TEXCOORD_1":8,"TEXCOORD_10":8,"JOINTS_0":9,"JOINTS_1":9,"WEIGHTS_0":10,"WEIGHTS_1":10`), bin)
	set := [][2]float32{{1, 2}, {3, 4}}
	equal(t, "sets", p.TexCoords, [][][2]float32{nil, set, nil, nil, nil, nil, nil, nil, nil, nil, set})
	equal(t, "joints", p.Joints, [][][4]uint16{{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{1, 2, 3, 4}, {5, 6, 7, 8}}})
	holdRefused(t, bin,
		refused{one(`"_A":11`), schema.ErrMismatch, "_A: 1 elements for 2 vertices"},
		refused{one(`"_A":15`), schema.ErrRange, "_A: index 15, there are 15"},
		refused{one(`"COLOR_0":15`), schema.ErrRange, "COLOR_0: index 15"},
		refused{one(`"COLOR_0":8`), schema.ErrMismatch, "COLOR_0: type VEC2, 4 components expected"},
		refused{one(`"COLOR_0":11`), schema.ErrMismatch, "COLOR_0"},
		refused{one(`"JOINTS_0":12,"WEIGHTS_0":10`), schema.ErrMismatch, "JOINTS_0: type VEC4 of UNSIGNED_INT"},
		refused{one(`"JOINTS_0":13,"WEIGHTS_0":10`), schema.ErrMismatch, "JOINTS_0: type VEC3 of UNSIGNED_BYTE"},
		refused{one(`"JOINTS_0":10,"WEIGHTS_0":10`), schema.ErrUnsupported, "component type"},
		refused{one(`"JOINTS_1":9,"WEIGHTS_1":10`), schema.ErrMismatch, "2 sets of joints, 2 of weights"},
		refused{one(`"JOINTS_0":9,"JOINTS_1":9,"WEIGHTS_1":10`), schema.ErrMismatch, "2 sets of joints, 2 of weights"},
		refused{one(`"JOINTS_0":9,"WEIGHTS_0":10,"WEIGHTS_1":10`), schema.ErrMismatch, "1 sets of joints, 2 of weights"})
}

// TestSharedByPrimitives: colours, joints and indices that primitives share are read once, and held against the vertices of each.
func TestSharedByPrimitives(t *testing.T) {
	bin := data([]float64{0, 0, 0, 1, 1, 1, 2, 2, 2}, []byte{255, 0, 51, 0, 0, 255, 0, 0, 0, 51, 0, 0}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, []byte{0, 1, 2, 0}, []uint32{0, 1, 2})
	const head = `"buffers":[{"byteLength":124}],"bufferViews":[{"buffer":0,"byteLength":124},{"buffer":0,"byteOffset":36,"byteLength":12,"byteStride":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"},
		{"bufferView":1,"componentType":5121,"normalized":true,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":48,"componentType":5121,"count":3,"type":"VEC4"},{"bufferView":0,"byteOffset":60,"componentType":5126,"count":3,"type":"VEC4"},
		{"bufferView":0,"byteOffset":108,"componentType":5121,"count":3,"type":"SCALAR"},{"bufferView":0,"byteOffset":112,"componentType":5125,"count":3,"type":"SCALAR"},
		{"bufferView":0,"byteOffset":108,"componentType":5121,"count":3,"type":"SCALAR","normalized":true},{"bufferView":0,"byteOffset":108,"componentType":5121,"count":2,"type":"VEC2"}],"meshes":[{"primitives":[%s]}]`
	doc := func(primitives ...string) string { return document(fmt.Sprintf(head, strings.Join(primitives, ","))) }
	const whole = `{"attributes":{"POSITION":0,"COLOR_0":2,"JOINTS_0":3,"WEIGHTS_0":4},"indices":5}`
	s, d := told(t, doc(whole, whole), bin)
	for _, p := range s.Meshes[0].Primitives {
		equal(t, "shared", []any{p.Colors, p.Joints, p.Indices}, []any{[][4]float32{{1, 0, 0.2, 1}, {0, 1, 0, 1}, {0, 0.2, 0, 1}}, [][][4]uint16{{{1}, {}, {}}}, []uint32{0, 1, 2}})
	}
	if a, b := s.Meshes[0].Primitives[0], s.Meshes[0].Primitives[1]; &a.Colors[0] != &b.Colors[0] || &a.Joints[0][0] != &b.Joints[0][0] || &a.Indices[0] != &b.Indices[0] || len(d.All()) > 0 {
		t.Error("what is shared was read twice")
	}
	holdRefused(t, bin,
		refused{doc(`{"attributes":{"POSITION":0,"COLOR_0":2}}`, `{"mode":0,"attributes":{"POSITION":1,"COLOR_0":2}}`), schema.ErrMismatch, "primitives/1/COLOR_0: 3 elements, 2 expected"},
		refused{doc(`{"attributes":{"POSITION":0,"JOINTS_0":3,"WEIGHTS_0":4}}`, `{"mode":0,"attributes":{"POSITION":1,"JOINTS_0":3,"WEIGHTS_0":4}}`), schema.ErrMismatch, "primitives/1/JOINTS_0: 3 elements, 2 expected"},
		refused{doc(`{"attributes":{"POSITION":0},"indices":5}`, `{"attributes":{"POSITION":1},"indices":5}`), schema.ErrRange, "primitives/1/indices: index 2, there are 2 vertices"},
		refused{doc(`{"attributes":{"POSITION":0},"indices":6}`, `{"attributes":{"POSITION":1},"indices":6}`), schema.ErrRange, "primitives/1/indices: index 2, there are 2 vertices"},
		refused{doc(`{"attributes":{"POSITION":0},"indices":7}`), schema.ErrUnsupported, "normalised integers as indices"},
		refused{doc(`{"attributes":{"POSITION":0},"indices":8}`), schema.ErrMismatch, "indices: type VEC2"},
		refused{doc(`{"attributes":{"POSITION":0},"indices":9}`), schema.ErrRange, "indices: index 9"})
}

// TestIncomplete: what is no whole number of triangles or lines is cut and told.
func TestIncomplete(t *testing.T) {
	bin := data([]float64{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}, []byte{4, 3, 2, 1, 0, 0, 0, 0})
	for _, c := range []struct {
		primitive string
		want      []uint32
		said      string
	}{
		{`"mode":1,"indices":1`, []uint32{4, 3, 2, 1}, "5 indices are no whole number of lines"},
		{`"mode":4,"indices":1`, []uint32{4, 3, 2}, "5 indices are no whole number of triangles"},
		{`"mode":1`, []uint32{0, 1, 2, 3}, "5 indices are no whole number of lines"},
		{`"mode":4`, []uint32{0, 1, 2}, "5 indices are no whole number of triangles"},
		{`"mode":0`, nil, ""},
		{`"mode":2`, []uint32{0, 1, 1, 2, 2, 3, 3, 4, 4, 0}, ""},
		{`"mode":3`, []uint32{0, 1, 1, 2, 2, 3, 3, 4}, ""},
		{`"mode":6`, []uint32{1, 2, 0, 2, 3, 0, 3, 4, 0}, ""},
		{`"mode":2,"indices":2`, []uint32{}, ""},
		{`"mode":5,"indices":2`, []uint32{}, ""},
	} {
		s, d := told(t, document(`"buffers":[{"byteLength":68}],"bufferViews":[{"buffer":0,"byteLength":68}],"accessors":[{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"},
			{"bufferView":0,"byteOffset":60,"componentType":5121,"count":5,"type":"SCALAR"},{"bufferView":0,"byteOffset":60,"componentType":5121,"count":1,"type":"SCALAR"}],
			"meshes":[{"primitives":[{"attributes":{"POSITION":0},`+c.primitive+`}]}]`), bin)
		equal(t, c.primitive, s.Meshes[0].Primitives[0].Indices, c.want)
		want := []string(nil)
		if c.said != "" {
			want = []string{"meshes/0/primitives/0 incomplete-primitive: " + c.said}
		}
		equal(t, c.primitive, saidBy(d), want)
	}
}

// TestTargetsOfOthers: names of targets in extras, what of a target is left out, and Draco beside plain positions.
func TestTargetsOfOthers(t *testing.T) {
	const head = `"buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[` + vec3x3 + `,{"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":35,"componentType":5121},"values":{"bufferView":0}}}],`
	bin := append(data([]float64{1, 2, 3, 0, 0, 0, 0, 0}), 0, 0, 0, 2)
	s, d := told(t, document(head+`"meshes":[{"weights":[0.25,0.5],"extras":{"targetNames":["a",7],"b":1},"primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":0,"COLOR_0":0},{"NORMAL":0,"TANGENT":0}]}]},
		{"extras":{"targetNames":["a"]},"primitives":[{"attributes":{"POSITION":1},"extensions":{"KHR_draco_mesh_compression":{}}},{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{}}}]}]`), bin)
	m := s.Meshes[0]
	equal(t, "names", []any{m.TargetNames, m.Weights, m.Extras, s.Meshes[1].TargetNames, s.Meshes[1].Extras}, []any{[]string{"a", "7"}, []float32{0.25, 0.5}, map[string]any{"b": 1.0}, []string{"a"}, map[string]any(nil)})
	moved := m.Primitives[0].Positions
	equal(t, "targets", m.Primitives[0].Targets, []asset.Target{{Positions: moved}, {Normals: moved, Tangents: moved}})
	equal(t, "sparse", s.Meshes[1].Primitives[0].Positions[2], [3]float32{1, 2, 3})
	equal(t, "said", saidBy(d), []string{"meshes/0/primitives/0/targets/0 unknown-attribute: COLOR_0 of a morph target is left out", "meshes/1/primitives/0 unknown-extension: KHR_draco_mesh_compression is not known and left out, in 2 places"})
}
