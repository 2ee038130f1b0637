package gltf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestChannels has channels of animations that are left out with a word, or refused.
func TestChannels(t *testing.T) {
	nan := math.NaN()
	bin := data([]float64{0, 1, 1, 1, -1, 2, 0, nan, 5, nan}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	accessor := func(at, count int, kind string) string {
		return fmt.Sprintf(`{"bufferView":0,"byteOffset":%d,"componentType":5126,"count":%d,"type":%q}`, at, count, kind)
	}
	// Times: 0, 1; 1, 1; −1, 2; 0, no number. Values: two places; one that is no number; matrices of 2 × 2 and of 3 × 3; two rotations.
	accessors := strings.Join([]string{accessor(0, 2, "SCALAR"), accessor(8, 2, "SCALAR"), accessor(16, 2, "SCALAR"), accessor(24, 2, "SCALAR"),
		accessor(40, 2, "VEC3"), accessor(32, 2, "VEC3"), accessor(40, 1, "MAT2"), accessor(40, 1, "MAT3"), accessor(40, 2, "VEC4"), accessor(0, 1, "SCALAR"), strings.Replace(accessor(40, 2, "VEC3"), "5126", "5125", 1)}, ",")
	for _, c := range []struct {
		sampler, target string
		of              int
		said            string // or the error
		class           error
	}{
		{`"input":0,"output":4`, `"node":0,"path":"translation"`, 0, "", nil},
		{`"input":0,"output":8`, `"node":0,"path":"rotation"`, 0, "", nil},
		{`"input":9,"output":4,"interpolation":"CUBICSPLINE"`, `"node":0,"path":"translation"`, 0, "2 values for 1 keys", schema.ErrMismatch},
		{`"input":0,"output":4`, `"node":0,"path":"rotation"`, 0, "6 values for 2 keys of 4", schema.ErrMismatch},
		{`"input":0,"output":4`, `"node":0,"path":"weights"`, 0, "6 values for 2 keys of 0", schema.ErrMismatch},
		{`"input":1,"output":4`, `"node":0,"path":"scale"`, 0, "animations/0/channels/0 times-not-ascending: time 1 at key 1: the channel is left out", nil},
		{`"input":2,"output":4`, `"node":0,"path":"scale"`, 0, "animations/0/channels/0 times-not-ascending: time -1 at key 0: the channel is left out", nil},
		{`"input":3,"output":4`, `"node":0,"path":"scale"`, 0, "animations/0/channels/0 times-not-ascending: time NaN at key 1: the channel is left out", nil},
		{`"input":0,"output":5`, `"node":0,"path":"scale"`, 0, "animations/0/channels/0 values-not-finite: value NaN in accessor 5: the channel is left out", nil},
		{`"input":0,"output":4`, `"path":"scale"`, 0, `animations/0/channels/0 channel-without-node: an animation of "scale" is left out`, nil},
		{`"input":0,"output":4`, `"node":0,"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/x"}}`, 0, `animations/0/channels/0 animation-pointer: an animation of "/x" is left out (KHR_animation_pointer)`, nil},
		{`"input":0,"output":4`, `"node":2,"path":"scale"`, 0, "animations/0/channels/0/target/node: index 2, there are 2", schema.ErrRange},
		{`"input":0,"output":4`, `"node":0,"path":"scale"`, 1, "animations/0/channels/0/sampler: index 1, there are 1", schema.ErrRange},
		{`"input":11,"output":4`, `"node":0,"path":"scale"`, 0, "channels/0/input: index 11, there are 11", schema.ErrRange},
		{`"input":0,"output":10`, `"node":0,"path":"scale"`, 0, "channels/0/output: 32-bit integers are for indices only", schema.ErrUnsupported},
		{`"input":0,"output":6`, `"node":0,"path":"rotation"`, 0, "type MAT2", schema.ErrMismatch},
		{`"input":0,"output":7`, `"node":0,"path":"rotation"`, 0, "type MAT3", schema.ErrMismatch},
	} {
		var d schema.Diagnostics
		j := document(fmt.Sprintf(`"buffers":[{"byteLength":104}],"bufferViews":[{"buffer":0,"byteLength":104}],"accessors":[%s],"nodes":[{"name":"n"},{}],
			"animations":[{"name":"a","samplers":[{%s}],"channels":[{"sampler":%d,"target":{%s}}]}]`, accessors, c.sampler, c.of, c.target))
		s, err := Decode(glb(j, bin), nil, &d)
		if err != nil {
			if schema.Class(err) != c.class || !strings.Contains(err.Error(), strings.TrimPrefix(c.said, "2 values")) {
				t.Errorf("%s of %s: %v, want %v with %q", c.sampler, c.target, err, c.class, c.said)
			}
			continue
		}
		if got := strings.Join(saidBy(&d), "; "); got != c.said || c.class != nil || len(s.Animations[0].Channels) != map[bool]int{true: 1, false: 0}[c.said == ""] {
			t.Errorf("%s of %s: said %q, want %q", c.sampler, c.target, got, c.said)
		}
	}
}

// TestSkinsOfOthers has skins that contradict themselves or their meshes, and one that has more matrices than joints.
func TestSkinsOfOthers(t *testing.T) {
	bin := data([]float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 8, 9, 10, 1}, []byte{1, 0, 0, 0, 255, 0, 0, 0})
	doc := func(body string) string {
		return document(`"buffers":[{"byteLength":136}],"bufferViews":[{"buffer":0,"byteLength":136}],"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"MAT4"},{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"},
			{"bufferView":0,"byteOffset":128,"componentType":5121,"count":1,"type":"VEC4"},{"bufferView":0,"byteOffset":132,"componentType":5121,"normalized":true,"count":1,"type":"VEC4"}],
			"meshes":[{"primitives":[{"mode":0,"attributes":{"POSITION":1,"JOINTS_0":2,"WEIGHTS_0":3}}]}],"nodes":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"body","mesh":0,"skin":0}],` + body)
	}
	s, d := told(t, doc(`"skins":[{"name":"s","joints":[1,0],"skeleton":2,"inverseBindMatrices":0}]`), bin)
	equal(t, "matrices", s.Skins[0].InverseBind, [][16]float32{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 8, 9, 10, 1}})
	equal(t, "skin", []any{names(s.Skins[0].Joints), s.Skins[0].Root.Name, len(d.All()), s.Roots[3].Skin == s.Skins[0]}, []any{"b a", "c", 0, true})
	s, _ = told(t, strings.Replace(doc(`"skins":[{"joints":[1],"inverseBindMatrices":0}]`), `"mesh":0,`, "", 1), bin)
	equal(t, "more matrices than joints", [][16]float32(s.Skins[0].InverseBind), [][16]float32{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1}})
	for k := range 4 { // one of them too large
		copy(bin[128:], []byte{0, 0, 0, 0})
		bin[128+k] = 2
		holdRefused(t, bin, refused{doc(`"skins":[{"joints":[0,1]}]`), schema.ErrRange, "nodes/3/skin: the mesh has joint 2, the skin has 2"})
	}
	copy(bin[128:], []byte{1, 0, 0, 0})
	holdRefused(t, bin,
		refused{doc(`"skins":[{"joints":[0,1,2],"inverseBindMatrices":0}]`), schema.ErrMismatch, "skins/0/inverseBindMatrices: 2 matrices for 3 joints"},
		refused{doc(`"skins":[{"joints":[0,1],"inverseBindMatrices":1}]`), schema.ErrMismatch, "type VEC3"},
		refused{doc(`"skins":[{"joints":[0,1],"skeleton":4}]`), schema.ErrRange, "skins/0/skeleton: index 4"},
		refused{doc(`"skins":[{"joints":[0]}]`), schema.ErrRange, "nodes/3/skin: the mesh has joint 1, the skin has 1"})
}

// TestEmptyAnimations: animations that glTF cannot hold are in their places; what is told of none is none.
func TestEmptyAnimations(t *testing.T) {
	for records, want := range map[string]string{
		`"0":{"format":"f","asset":{"name":"x","empty":1,"extras":"{\"a\":1}"}}`: "x f map[a:1]; moving - map[]",
		`"1":{"asset":{"name":"x","empty":1}}`:                                   "moving - map[]; x - map[]",
		`"x":{"asset":{"name":"x","empty":1}}`:                                   "moving - map[]", `"-1":{"asset":{"name":"x","empty":1}}`: "moving - map[]", `"1":{"asset":{"name":"x"}}`: "moving - map[]",
		`"0":{"format":"f","asset":{"name":"moving"}}`: "moving f map[]", `"0":{"format":"f","asset":{"name":"was"}}`: "moving f map[]", `"5":{"format":"f","asset":{"name":"moving"}}`: "moving f map[]", `"5":{"format":"f","asset":{"name":"was"}}`: "moving - map[]",
	} {
		turned, _ := told(t, document(`"animations":[{"name":"b","channels":[]},{"name":"a","channels":[]}],"scenes":[{"extras":{"usher":{"asset":{"animations":{"0":{"format":"of a","asset":{"name":"a"}},"1":{"format":"of b","asset":{"name":"b"}}}}}}}]`), nil)
		for _, a := range turned.Animations {
			equal(t, "turned", a.Native.Format, "of "+a.Name)
		}
		s, _ := told(t, document(`"animations":[{"name":"moving","channels":[]}],"scenes":[{"extras":{"usher":{"asset":{"animations":{`+records+`}}}}}]`), nil)
		var got []string
		for _, a := range s.Animations {
			format := "-"
			if a.Native != nil {
				format = a.Native.Format
			}
			got = append(got, fmt.Sprint(a.Name, " ", format, " ", a.Extras))
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%s: %s, want %s", records, got, want)
		}
	}
}

// TestAnimationsOfOneName: those that have the same name get their records in the order of their numbers.
func TestAnimationsOfOneName(t *testing.T) {
	for removed := range 3 {
		n := asset.NewNode("n")
		s := &asset.Scene{Roots: []*asset.Node{n}}
		for i := range 12 {
			s.Animations = append(s.Animations, &asset.Animation{Name: "a", Native: &asset.Native{Values: map[string]any{"id": float64(i)}}, Channels: []*asset.Channel{{Node: n, Times: []float32{0}, Values: []float32{float32(i), 0, 0}}}})
		}
		back := decode(t, edited(t, encode(t, s, nil), func(doc map[string]any) { doc["animations"] = doc["animations"].([]any)[:12-removed] }))
		for i, a := range back.Animations {
			if a.Native.Values["id"] != float64(a.Channels[0].Values[0]) {
				t.Errorf("%d removed: animation %d is %v", removed, i, a.Native.Values["id"])
			}
		}
	}
}

// TestAnimationRecords: what rides with the scene finds its animation by its number, by its name where an editor added or removed
// some, and by its number again where somebody renamed it.
func TestAnimationRecords(t *testing.T) {
	moving := func(name string, id float64) *asset.Animation {
		return &asset.Animation{Name: name, Native: &asset.Native{Format: "x", Values: map[string]any{"id": id}}}
	}
	for _, c := range []struct {
		name string
		edit func(list []any) []any
		want string
	}{
		{"as they were", func(list []any) []any { return list }, "a1 b2 still9 c3 c4"},
		{"one fewer", func(list []any) []any { return list[1:] }, "b2 c3 still9 c4"},
		{"the last gone", func(list []any) []any { return list[:3] }, "a1 b2 still9 c3"},
		{"turned", func(list []any) []any { return []any{list[3], list[2], list[1], list[0]} }, "c3 c4 still9 b2 a1"},
		{"renamed", func(list []any) []any { list[1].(map[string]any)["name"] = "new"; return list }, "a1 new2 still9 c3 c4"},
		{"one renamed and another of its name", func(list []any) []any {
			list[0].(map[string]any)["name"], list[1].(map[string]any)["name"] = "b", "new"
			return list
		}, "b2 new- still9 c3 c4"},
		{"one more", func(list []any) []any {
			more := map[string]any{"name": "more", "channels": list[0].(map[string]any)["channels"], "samplers": list[0].(map[string]any)["samplers"]}
			return append([]any{more}, list...)
		}, "more- a1 still9 b2 c3 c4"},
	} {
		n := asset.NewNode("n")
		s := &asset.Scene{Roots: []*asset.Node{n}, Animations: []*asset.Animation{moving("a", 1), moving("b", 2), moving("still", 9), moving("c", 3), moving("c", 4)}}
		for i, a := range s.Animations {
			if i != 2 {
				a.Channels = []*asset.Channel{{Node: n, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, float32(i), 0, 0}}}
			}
		}
		back := decode(t, edited(t, encode(t, s, nil), func(doc map[string]any) { doc["animations"] = c.edit(doc["animations"].([]any)) }))
		var got []string
		for _, a := range back.Animations {
			id := "-"
			if a.Native != nil {
				id = fmt.Sprint(a.Native.Values["id"])
			}
			got = append(got, a.Name+id)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
