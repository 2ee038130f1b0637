package gltf

import (
	stdjson "encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// allNumbers is a document with a number in every place that has one, but for counts and indices.
const allNumbers = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2]}],
"extensionsUsed":["KHR_lights_punctual","KHR_texture_transform","KHR_materials_emissive_strength","KHR_materials_specular","KHR_materials_pbrSpecularGlossiness","KHR_materials_ior","KHR_materials_unlit"],
"nodes":[{"translation":[1,2,3],"rotation":[0,0,0,1],"scale":[1,2,1],"camera":0,"extensions":{"KHR_lights_punctual":{"light":0}}},
 {"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,2,3,4,1],"camera":1,"extensions":{"KHR_lights_punctual":{"light":1}}},{"mesh":0,"weights":[0.5]}],
"cameras":[{"type":"perspective","perspective":{"aspectRatio":1.5,"yfov":0.7,"zfar":100,"znear":0.1}},{"type":"orthographic","orthographic":{"xmag":2,"ymag":2,"zfar":100,"znear":0.1}}],
"meshes":[{"weights":[0.25],"primitives":[{"attributes":{"POSITION":0},"material":0,"targets":[{"POSITION":0}]},{"attributes":{"POSITION":0},"material":1}]}],
"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,"byteLength":64}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],
"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="}],"textures":[{"source":0}],
"materials":[{"alphaMode":"MASK","alphaCutoff":0.3,"emissiveFactor":[0.1,0.2,0.3],
 "emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.1,0.2],"rotation":0.3,"scale":[2,3]}}},
 "normalTexture":{"index":0,"scale":0.5},"occlusionTexture":{"index":0,"strength":0.5},
 "pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.1,"roughnessFactor":0.2,"baseColorTexture":{"index":0}},
 "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":2},"KHR_materials_specular":{"specularFactor":0.5,"specularColorFactor":[0.1,0.2,0.3]},"KHR_materials_ior":{"ior":1.4}}},
 {"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.1,0.2,0.3,0.4],"specularFactor":[0.1,0.2,0.3],"glossinessFactor":0.5}}}],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","color":[0.1,0.2,0.3],"intensity":4,"range":5,"spot":{"innerConeAngle":0.1,"outerConeAngle":0.2}},
 {"type":"point","color":[0.1,0.2,0.3],"intensity":4,"range":5}]}}}`

// TestEndlessNumbers puts a number that 32 bits cannot hold in every place of a document: nothing of the scene becomes endless.
func TestEndlessNumbers(t *testing.T) {
	var root any
	if err := stdjson.Unmarshal([]byte(allNumbers), &root); err != nil {
		t.Fatal(err)
	}
	bin := make([]byte, 64)
	if _, err := Decode(glb(allNumbers, bin), nil, nil); err != nil {
		t.Fatal(err)
	}
	tried, refused := 0, 0
	eachNumber(root, "", nil, func(where string, set func(any)) {
		for _, x := range []float64{1e300, -1e39} {
			set(x)
			b, err := stdjson.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			d := new(schema.Diagnostics)
			s, err := Decode(glb(string(b), bin), nil, d)
			if err != nil {
				refused++
				continue
			}
			if at := endless(reflect.ValueOf(s), "", map[any]bool{}); at != "" {
				t.Errorf("%s is %g: %s of the scene is endless; said %v", where, x, at, d.All())
			}
		}
	})
	if t.Logf("%d tried, %d refused", tried, refused); tried < 150 || refused < 60 {
		t.Errorf("%d of %d were refused", refused, tried)
	}
}

// eachNumber calls f for every number in v, which set puts another one in place of. It is as before afterwards.
func eachNumber(v any, where string, set func(any), f func(where string, set func(any))) {
	switch x := v.(type) {
	case map[string]any:
		for key, e := range x {
			eachNumber(e, where+"/"+key, func(now any) { x[key] = now }, f)
		}
	case []any:
		for i, e := range x {
			eachNumber(e, fmt.Sprint(where, "/", i), func(now any) { x[i] = now }, f)
		}
	case float64:
		f(where, set)
		set(x)
	}
}

// endless returns where a value has a number that is infinite, or none.
func endless(v reflect.Value, where string, seen map[any]bool) string {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if math.IsInf(v.Float(), 0) || math.IsNaN(v.Float()) {
			return where
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Kind() == reflect.Pointer && seen[v.Interface()] {
			return ""
		}
		if v.Kind() == reflect.Pointer {
			seen[v.Interface()] = true
		}
		return endless(v.Elem(), where, seen)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if at := endless(v.Field(i), where+"."+v.Type().Field(i).Name, seen); at != "" {
					return at
				}
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if at := endless(v.Index(i), fmt.Sprint(where, "[", i, "]"), seen); at != "" {
				return at
			}
		}
	}
	return ""
}
