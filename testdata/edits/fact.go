package edits

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"math"
	"slices"
	"strings"
)

// Fact is something that a scene can hold and a target may hold too, of which a picture shows nothing: See reads all of it
// out of a document, Apply changes one of them.
type Fact struct {
	Name    string
	Of      string // the field of scene.Capabilities that it belongs to, or the number of a look; empty for none
	Topic   string // what a message about it says: words with | between
	Targets func(d *Doc) []int
	Apply   func(d *Doc, i int) bool
	See     func(d *Doc) []string
	Other   func(d *Doc, i int) bool // the same with another value, for targets that hold what they do not show; nil for none
}

// Facts is every fact.
func Facts() []Fact {
	list := slices.Concat(modeFacts, lookFacts, pictureFacts, meshFacts, motionFacts, nodeFacts)
	for i := range list {
		if list[i].Of == "Looks" {
			list[i].Topic += "|holds no materials"
		}
	}
	return list
}

// Arrived reports whether one document holds what another one does, under the same names or others.
func (f *Fact) Arrived(wanted, got *Doc) bool {
	a, b := f.See(wanted), f.See(got)
	if slices.Equal(a, b) {
		return true
	}
	was := bare(a)
	return slices.Equal(was, bare(b))
}

// bare returns what is seen without the names of what has it.
func bare(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		_, out[i], _ = strings.Cut(s, ": ")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ofMaterials sees something of all materials that are worn.
func ofMaterials(see func(d *Doc, m Object) string) func(d *Doc) []string {
	return func(d *Doc) (list []string) {
		for _, i := range d.worn() {
			m := d.one("materials", i)
			list = append(list, text(m, "name")+": "+see(d, m))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
}

// setting is a fact about materials that a path of keys holds.
func setting(name, of, topic string, value any, keys ...string) Fact {
	last := len(keys) - 1
	return Fact{Name: name, Of: of, Topic: topic, Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			if name == "roughness" && sub(m, "extensions")["KHR_materials_unlit"] != nil {
				return false // nobody sees it without light
			}
			makeSub(m, keys[:last]...)[keys[last]] = value
			if keys[0] == "extensions" {
				d.use(keys[1])
			}
			return true
		},
		See: ofMaterials(func(_ *Doc, m Object) string {
			return seen(sub(m, keys[:last]...)[keys[last]])
		})}
}

// seen writes a value of JSON down, numbers as exactly as bytes hold them.
func seen(v any) string {
	switch x := v.(type) {
	case nil:
		return "-"
	case float64:
		return fmt.Sprintf("%.1f", math.Abs(x)) // a zero has no sign
	case []any:
		var b []string
		for _, e := range x {
			b = append(b, seen(e))
		}
		return strings.Join(b, " ")
	}
	return fmt.Sprint(v)
}

// withAlpha gives a material a picture of which a quarter is not there, or half there.
func withAlpha(mode string, alpha uint8) Fact {
	return Fact{Name: "alpha mode " + mode + " with a picture", Of: "Looks", Topic: "transparen|holes|alpha|blend|picture|texture", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			makeSub(m, "pbrMetallicRoughness")["baseColorTexture"] = Object{"index": float64(d.newPicture("pattern", alpha))}
			m["alphaMode"] = mode
			return true
		}, See: modes}
}

var modes = ofMaterials(func(_ *Doc, m Object) string { return text(m, "alphaMode") })

// mode sets how the alpha of a material is used.
func mode(mode string) Fact {
	return Fact{Name: "alpha mode " + cmpOr(mode, "OPAQUE"), Of: "Looks", Topic: "transparen|holes|alpha|blend|solid", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			if mode == "" {
				delete(m, "alphaMode")
			} else {
				m["alphaMode"] = mode
			}
			delete(m, "alphaCutoff")
			return true
		}, See: modes}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var modeFacts = []Fact{mode(""), mode("MASK"), mode("BLEND"), withAlpha("MASK", 0), withAlpha("BLEND", 128),
	{Name: "additive", Of: "Looks", Topic: "own light|emissive|additive", Targets: (*Doc).pictured,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			m["emissiveFactor"], m["alphaMode"] = []any{1.0, 1.0, 1.0}, "BLEND"
			m["emissiveTexture"] = clone(sub(m, "pbrMetallicRoughness", "baseColorTexture"))
			return true
		},
		See: ofMaterials(func(d *Doc, m Object) string {
			return text(m, "alphaMode") + seen(m["emissiveFactor"]) + fmt.Sprint(m["emissiveTexture"] != nil)
		})},
	{Name: "additive no more", Of: "Looks", Topic: "own light|emissive|additive", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			delete(m, "emissiveFactor")
			delete(m, "emissiveTexture")
			return true
		},
		See: ofMaterials(func(d *Doc, m Object) string {
			return seen(m["emissiveFactor"]) + fmt.Sprint(m["emissiveTexture"] != nil)
		})},
}

const (
	specular         = "KHR_materials_specular"
	emissiveStrength = "KHR_materials_emissive_strength"
)

// sides makes materials seen from behind, or not.
func sides(name string, both bool) Fact {
	return Fact{Name: name, Of: "Looks", Topic: "behind|two-sided", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			d.one("materials", i)["doubleSided"] = both
			return true
		},
		See: ofMaterials(func(_ *Doc, m Object) string { return fmt.Sprint(m["doubleSided"] == true) })}
}

var lookFacts = []Fact{
	sides("visible from behind", true), sides("visible from the front alone", false),
	setting("unlit", "Looks", "without light|unlit", Object{}, "extensions", "KHR_materials_unlit"),
	setting("own light", "Looks", "own light|emissive", []any{0.0, 0.5, 1.0}, "emissiveFactor"),
	{Name: "strong own light", Of: "Looks", Topic: "own light|emissive", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			m["emissiveFactor"] = []any{1.0, 1.0, 1.0}
			makeSub(m, "extensions", emissiveStrength)["emissiveStrength"] = 4.0
			d.use(emissiveStrength)
			return true
		},
		See: ofMaterials(func(_ *Doc, m Object) string {
			return seen(m["emissiveFactor"]) + " " + seen(sub(m, "extensions", emissiveStrength)["emissiveStrength"])
		})},
	{Name: "reflections", Of: "Looks", Topic: "reflections|specular", Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			makeSub(d.one("materials", i), "extensions")[specular] = Object{"specularFactor": 1.0, "specularColorFactor": []any{1.0, 0.5, 0.0}}
			d.use(specular)
			return true
		},
		See: ofMaterials(func(_ *Doc, m Object) string {
			s := sub(m, "extensions", specular)
			if number(s, "specularFactor", 1) == 0 || s == nil {
				return "-"
			}
			return seen(s["specularColorFactor"])
		})},
	setting("metal", "Looks", "metal", 0.5, "pbrMetallicRoughness", "metallicFactor"),
	setting("roughness", "Looks", "rough", 0.3, "pbrMetallicRoughness", "roughnessFactor"),
}

// newPicture adds a texture of 16 × 16 pixels, of which a quarter has an alpha.
func (d *Doc) newPicture(name string, alpha uint8) int {
	m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{200, 60, 30, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, 0, 8, 8), image.NewUniform(color.NRGBA{30, 60, 200, alpha}), image.Point{}, draw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, m); err != nil {
		panic(err) // nothing that it could not hold
	}
	k := d.add("images", Object{"name": name, "bufferView": float64(d.view(file.Bytes())), "mimeType": "image/png"})
	return d.add("textures", Object{"name": name, "source": float64(k)})
}

// pictured by a slot of the material other than its colour.
func slot(name, topic string, keys ...string) Fact {
	last := len(keys) - 1
	return Fact{Name: name, Of: "Looks", Topic: topic, Targets: (*Doc).worn,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			makeSub(m, keys[:last]...)[keys[last]] = Object{"index": float64(d.newPicture("pattern", 255))}
			if keys[0] == "extensions" {
				d.use(keys[1])
			}
			if keys[0] == "emissiveTexture" {
				m["emissiveFactor"] = []any{1.0, 1.0, 1.0}
			}
			if keys[last] == "metallicRoughnessTexture" {
				makeSub(m, keys[:last]...)["metallicFactor"] = 1.0
			}
			return true
		},
		See: ofMaterials(func(d *Doc, m Object) string { return fmt.Sprint(sub(m, keys...) != nil) })}
}

// sampled is the sampler of the picture of a material.
func (d *Doc) sampled(m Object) Object {
	t := sub(m, "pbrMetallicRoughness", "baseColorTexture")
	if t == nil {
		return nil
	}
	if k := ref(d.one("textures", ref(t, "index")), "sampler"); k >= 0 {
		return d.one("samplers", k)
	}
	return Object{}
}

// sampler changes how the picture of a material is repeated or filtered.
func sampler(name, key string, value float64) Fact {
	usual := 10497.0 // repeat
	if key == "magFilter" {
		usual = 9729 // linear
	}
	return Fact{Name: name, Topic: "sampl|wrap|repeat|clamp|mirror|filter|edge|smooth", Targets: (*Doc).pictured,
		Apply: func(d *Doc, i int) bool {
			m := d.one("materials", i)
			o := clone(d.sampled(m))
			o[key] = value
			t := sub(m, "pbrMetallicRoughness", "baseColorTexture")
			texture := clone(d.one("textures", ref(t, "index")))
			texture["sampler"] = float64(d.add("samplers", o))
			t["index"] = float64(d.add("textures", texture))
			return true
		},
		See: ofMaterials(func(d *Doc, m Object) string { return fmt.Sprint(number(d.sampled(m), key, usual)) })}
}

var pictureFacts = []Fact{
	slot("picture of own light", "own light", "emissiveTexture"),
	slot("picture of metal", "metal", "pbrMetallicRoughness", "metallicRoughnessTexture"),
	slot("picture of normals", "normals", "normalTexture"),
	slot("picture of occlusion", "occlusion", "occlusionTexture"),
	slot("picture of reflections", "reflections", "extensions", specular, "specularColorTexture"),
	sampler("clamped across", "wrapS", 33071), sampler("clamped down", "wrapT", 33071), sampler("repeated across", "wrapS", 10497),
	sampler("mirrored across", "wrapS", 33648), sampler("sharp when near", "magFilter", 9728),
}

// ofMeshes sees something of all meshes that are shown, by the names of their nodes.
func ofMeshes(see func(d *Doc, p Object) string) func(d *Doc) []string {
	return func(d *Doc) (list []string) {
		for _, i := range d.shapes() {
			all := map[string]bool{}
			for _, p := range objects(d.one("meshes", ref(d.nodes()[i], "mesh"))["primitives"]) {
				all[see(d, p)] = true
			}
			for s := range all {
				list = append(list, text(d.nodes()[i], "name")+": "+s)
			}
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
}

// mean is the mean of an attribute, where a primitive has it.
func mean(d *Doc, attributes Object, key string) string {
	k := ref(attributes, key)
	if k < 0 {
		return "-"
	}
	v, width := d.accessor(k)
	sums := make([]float64, width)
	for i, x := range v {
		sums[i%width] += x
	}
	out := ""
	for _, s := range sums {
		out += fmt.Sprintf(" %.1f", math.Abs(s/float64(max(len(v)/width, 1))))
	}
	return out
}

// varies reports whether vertices have different values of an attribute: where all have one, nothing is mapped.
func (d *Doc) varies(attributes Object, key string) bool {
	k := ref(attributes, key)
	if k < 0 {
		return false
	}
	v, width := d.accessor(k)
	for i := range v {
		if v[i] != v[i%width] {
			return true
		}
	}
	return false
}

// onMesh edits all triangles of a mesh.
func onMesh(edit func(d *Doc, p Object, vertices int)) func(d *Doc, i int) bool {
	return func(d *Doc, i int) bool {
		done := false
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			if number(p, "mode", 4) == 4 && ref(sub(p, "attributes"), "POSITION") >= 0 {
				edit(d, p, d.count(Object{"attributes": p["attributes"]}))
				done = true
			}
		}
		return done
	}
}

// painted gives all vertices one colour.
func painted(name string, rgba, other []float64) Fact {
	paint := func(rgba []float64) func(d *Doc, i int) bool {
		return onMesh(func(d *Doc, p Object, n int) {
			sub(p, "attributes")["COLOR_0"] = float64(d.put(slices.Repeat(rgba, n), "VEC4"))
		})
	}
	return Fact{Name: name, Of: "Colors", Topic: "colour", Targets: (*Doc).shapes, Apply: paint(rgba), Other: paint(other),
		See: ofMeshes(func(d *Doc, p Object) string { return mean(d, sub(p, "attributes"), "COLOR_0") })}
}

var meshFacts = []Fact{
	painted("vertices painted", []float64{0.2, 0.5, 1, 1}, []float64{1, 0.5, 0.2, 1}),
	{Name: "colours of vertices removed", Of: "Colors", Topic: "colour", Targets: (*Doc).shapes,
		Apply: onMesh(func(d *Doc, p Object, _ int) { delete(sub(p, "attributes"), "COLOR_0") }),
		See:   ofMeshes(func(d *Doc, p Object) string { return fmt.Sprint(sub(p, "attributes")["COLOR_0"] != nil) })},
	{Name: "second set of texture coordinates", Of: "TexCoords", Topic: "texture coordinates|shown mirrored too|light maps", Targets: (*Doc).shapes,
		Apply: onMesh(func(d *Doc, p Object, n int) {
			at := make([]float64, 2*n)
			for i := range at {
				at[i] = float64(i) / float64(len(at))
			}
			sub(p, "attributes")["TEXCOORD_1"] = float64(d.put(at, "VEC2"))
		}),
		See: ofMeshes(func(d *Doc, p Object) string { return mean(d, sub(p, "attributes"), "TEXCOORD_1") })},
	{Name: "texture coordinates removed", Of: "TexCoords", Topic: "texture coordinates|shown mirrored too", Targets: (*Doc).shapes,
		Apply: onMesh(func(d *Doc, p Object, _ int) { // all sets: glTF numbers them from 0 on
			maps.DeleteFunc(sub(p, "attributes"), func(key string, _ any) bool { return strings.HasPrefix(key, "TEXCOORD_") })
		}),
		See: ofMeshes(func(d *Doc, p Object) string { return fmt.Sprint(d.varies(sub(p, "attributes"), "TEXCOORD_0")) })},
	{Name: "morph target added", Of: "Morphs", Topic: "morph|shape key|frame", Targets: (*Doc).shapes, Apply: addTarget, See: targets},
	{Name: "morph targets removed", Of: "Morphs", Topic: "morph|shape key|frame", Targets: (*Doc).shapes,
		Apply: func(d *Doc, i int) bool {
			m := d.ownMesh(i)
			for _, p := range objects(m["primitives"]) {
				delete(p, "targets")
			}
			delete(m, "weights")
			return d.dropWeights(i)
		}, See: targets},
	{Name: "lines added", Of: "Lines", Topic: "line", Targets: (*Doc).shapes, Apply: loose(1), See: kinds},
	{Name: "points added", Of: "Points", Topic: "point", Targets: (*Doc).shapes, Apply: loose(0), See: kinds},
}

var kinds = ofMeshes(func(_ *Doc, p Object) string { return seen(number(p, "mode", 4)) })

// loose adds lines or points between the first vertices of a mesh.
func loose(mode int) func(d *Doc, i int) bool {
	return func(d *Doc, i int) bool {
		m := d.ownMesh(i)
		list, _ := m["primitives"].([]any)
		p, ok := list[0].(Object)
		if !ok || sub(p, "attributes") == nil || p["targets"] != nil {
			return false
		}
		m["primitives"] = append(list, Object{"mode": float64(mode), "attributes": Object{"POSITION": float64(d.put([]float64{0, 0, 0, 1, 2, 3}, "VEC3"))}})
		return true
	}
}

// targets counts the morph targets that move something.
var targets = ofMeshes(func(d *Doc, p Object) string {
	n := 0
	for _, t := range objects(p["targets"]) {
		if v, _ := d.accessor(ref(t, "POSITION")); slices.ContainsFunc(v, func(x float64) bool { return x != 0 }) {
			n++
		}
	}
	return fmt.Sprint(n)
})

// addTarget gives a mesh one more morph target, which lifts every vertex.
func addTarget(d *Doc, i int) bool {
	m, n := d.ownMesh(i), 0
	high := 0.2 * d.size()
	if ref(d.nodes()[i], "skin") < 0 {
		high /= max(scaleOf(d.worlds(d.locals())[i]), 1e-9)
	}
	for _, p := range objects(m["primitives"]) {
		count := d.count(Object{"attributes": p["attributes"]})
		list, _ := p["targets"].([]any)
		p["targets"] = append(slices.Clone(list), Object{"POSITION": float64(d.put(slices.Repeat([]float64{0, high, 0}, count), "VEC3"))})
		n = len(list) + 1
	}
	weights := numbers(m["weights"])
	for len(weights) < n {
		weights = append(weights, 0)
	}
	m["weights"] = anys(weights)
	for _, a := range d.all("animations") { // a key has a weight for every target
		for _, c := range objects(a["channels"]) {
			if t := sub(c, "target"); ref(t, "node") == i && text(t, "path") == "weights" {
				d.change(objects(a["samplers"])[ref(c, "sampler")], "output", func([]float64, int) {})
				d.widen(objects(a["samplers"])[ref(c, "sampler")], n)
			}
		}
	}
	return true
}

// widen gives all keys of weights a further one, which is zero.
func (d *Doc) widen(s Object, to int) {
	v, _ := d.accessor(ref(s, "output"))
	var out []float64
	for k := 0; k+to-1 <= len(v); k += to - 1 {
		out = append(append(out, v[k:k+to-1]...), 0)
	}
	s["output"] = float64(d.put(out, "SCALAR"))
}

// dropWeights takes the channels of weights of a node out of all animations. It reports whether the node had targets.
func (d *Doc) dropWeights(i int) bool {
	var left []any
	for _, a := range d.all("animations") {
		var channels []any
		for _, c := range objects(a["channels"]) {
			if t := sub(c, "target"); ref(t, "node") != i || text(t, "path") != "weights" {
				channels = append(channels, c)
			}
		}
		if len(channels) > 0 {
			a["channels"] = channels
			left = append(left, a)
		}
	}
	if d.JSON["animations"] = left; len(left) == 0 {
		delete(d.JSON, "animations")
	}
	return true
}
