package edits

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// places of hardpoints, markers and cameras.
func (d *Doc) points() []int { return d.withRole(Point) }

func (d *Doc) mounts() []int { return d.withRole(Mount) }

var placeEdits = []Edit{
	{Name: "hardpoint moved", Targets: (*Doc).points, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "hardpoint turned", Targets: (*Doc).points, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, angled(40, mgl64.Vec3{1, 2, 3}), unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "hardpoint renamed", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		name := "HpRenamed07"
		subjects := append(d.named(i), name)
		d.nodes()[i]["name"] = name
		return Done{Subjects: subjects, Appears: []string{name}}, true
	}},
	{Name: "hardpoint copied", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		k := d.copyOf(i, false)
		d.moveNode(k, d.shiftOf(k, 0.2), unturn, unscale)
		return Done{Subjects: append(d.named(i), d.named(k)...)}, true
	}},
	{Name: "hardpoint added", Targets: (*Doc).mainRoots, Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.points()) == 0 {
			return Done{}, false
		}
		t := d.shiftOf(i, 0.2)
		d.hang(d.add("nodes", Object{"name": "HpAdded01", "translation": anys(t[:])}), i)
		return Done{Subjects: []string{"HpAdded01"}}, true
	}},
	{Name: "hardpoint deleted", Targets: first((*Doc).points), Apply: func(d *Doc, i int) (Done, bool) {
		if len(d.below(i)) > 1 {
			return Done{}, false
		}
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
	{Name: "mount shape moved", Targets: (*Doc).mounts, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "mount shape turned", Targets: (*Doc).mounts, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, angled(40, mgl64.Vec3{1, 2, 3}), unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "mount shape deleted", Targets: first((*Doc).mounts), Apply: func(d *Doc, i int) (Done, bool) {
		names := d.named(i)
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
}

func (d *Doc) levels() []int { return d.withRole(Level) }

var levelEdits = []Edit{
	{Name: "level moved", Targets: (*Doc).levels, Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, d.shiftOf(i, 0.1), unturn, unscale)
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "level scaled", Targets: first((*Doc).levels), Apply: func(d *Doc, i int) (Done, bool) {
		d.moveNode(i, still, unturn, mgl64.Vec3{1.5, 1.5, 1.5})
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "level's vertex moved", Loose: true, Targets: first((*Doc).levels), Apply: moveVertex},
	{Name: "level deleted", Keeps: true, Targets: (*Doc).levels, Apply: func(d *Doc, i int) (Done, bool) {
		names := append(d.named(i), "level")
		d.removeNodes(map[int]bool{i: true})
		return Done{Subjects: names}, true
	}},
	{Name: "all levels deleted", Keeps: true, Apply: func(d *Doc, _ int) (Done, bool) {
		gone := map[int]bool{}
		for _, i := range d.levels() {
			gone[i] = true
		}
		d.removeNodes(gone)
		return Done{Subjects: []string{"level", "levels"}}, len(gone) > 0
	}},
}

// moveVertex moves a corner of a mesh, in all primitives that share it.
func moveVertex(d *Doc, i int) (Done, bool) {
	mesh := d.ownMesh(i)
	list := objects(mesh["primitives"])
	if len(list) == 0 || d.count(list[0]) < 3 {
		return Done{}, false
	}
	positions, _ := d.accessor(ref(sub(list[0], "attributes"), "POSITION"))
	v := d.indices(list[0])[0]
	at := mgl64.Vec3(positions[3*v : 3*v+3])
	scale := scaleOf(d.worlds(d.locals())[i])
	if ref(d.nodes()[i], "skin") >= 0 {
		scale = 1
	}
	by := mgl64.Vec3{1, 0.5, -0.7}.Mul(0.05 * d.size() / max(scale, 1e-9))
	for _, p := range list {
		d.change(sub(p, "attributes"), "POSITION", func(v []float64, _ int) {
			for k := 0; k < len(v); k += 3 {
				if mgl64.Vec3(v[k:k+3]).Sub(at).Len() < 1e-6*max(1, at.Len()) {
					x := at.Add(by)
					copy(v[k:], x[:])
				}
			}
		})
	}
	return Done{Subjects: d.named(i)}, true
}

func (d *Doc) shapes() []int { return d.withRole(Shape, Skinned) }

// attribute edits one attribute of all primitives of a mesh.
func attribute(name string, edit func(v []float64, w int)) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		done := false
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			done = d.change(sub(p, "attributes"), name, edit) || done
		}
		return Done{Subjects: d.named(i)}, done
	}
}

var surfaceEdits = []Edit{
	{Name: "vertex moved", Loose: true, Targets: (*Doc).shapes, Apply: moveVertex},
	{Name: "all vertices scaled", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			d.mapPrimitive(p, mgl64.Scale3D(1.3, 1.3, 1.3))
		}
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "triangle deleted", Loose: true, Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		p := objects(d.ownMesh(i)["primitives"])[0]
		list := d.indices(p)
		if len(list) < 6 {
			return Done{}, false
		}
		d.setCorners(p, list[3:])
		return Done{Subjects: d.named(i)}, true
	}},
	{Name: "texture coordinates moved", Targets: first((*Doc).shapes), Apply: attribute("TEXCOORD_0", func(v []float64, _ int) {
		for k := 0; k < len(v)/2; k += 2 { // the first half of the vertices, so that it is no shift of all
			if v[k] < 0.5 {
				v[k] += 0.25
			} else {
				v[k] -= 0.25
			}
		}
	})},
	{Name: "vertex colours changed", Targets: first((*Doc).shapes), Apply: attribute("COLOR_0", func(v []float64, w int) {
		for k := range v {
			if k%w == 0 {
				v[k] = 1 - v[k]
			}
		}
	})},
	{Name: "vertex colours added", Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		done := false
		for _, p := range objects(d.ownMesh(i)["primitives"]) {
			a := sub(p, "attributes")
			if a["COLOR_0"] != nil {
				continue
			}
			done = true
			positions, _ := d.accessor(ref(a, "POSITION"))
			var colors []float64
			for k := range len(positions) / 3 {
				colors = append(colors, 0.25, float64(k%2), 0.5, 1)
			}
			a["COLOR_0"] = float64(d.put(colors, "VEC4"))
		}
		return Done{Subjects: append(d.named(i), "colours", "colors", "COLOR_0")}, done
	}},
}

// worn returns the materials that what is shown wears.
func (d *Doc) worn() (list []int) {
	for _, i := range d.shapes() {
		for _, p := range objects(d.one("meshes", ref(d.nodes()[i], "mesh"))["primitives"]) {
			if m := ref(p, "material"); m >= 0 && !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// pictured returns the materials that wear a texture.
func (d *Doc) pictured() (list []int) {
	for _, m := range d.worn() {
		if d.material(d.one("materials", m)).Thumb != nil {
			list = append(list, m)
		}
	}
	return list
}

// namedMaterial returns what a message about a material may call it, with its texture and image.
func (d *Doc) namedMaterial(i int) []string {
	m := d.one("materials", i)
	list := []string{text(m, "name")}
	if t := sub(m, "pbrMetallicRoughness", "baseColorTexture"); t != nil {
		texture := d.one("textures", ref(t, "index"))
		list = append(list, text(texture, "name"))
		if k := ref(texture, "source"); k >= 0 {
			list = append(list, text(d.one("images", k), "name"))
		}
	}
	return list
}

// picture gives a material a picture that f makes of its own; an editor that paints keeps the name of the image.
func picture(name string, f func(old image.Image) image.Image) func(d *Doc, i int) (Done, bool) {
	return func(d *Doc, i int) (Done, bool) {
		t := sub(d.one("materials", i), "pbrMetallicRoughness", "baseColorTexture")
		texture := d.one("textures", ref(t, "index"))
		old := d.one("images", ref(texture, "source"))
		m, _, err := image.Decode(bytes.NewReader(d.imageBytes(old)))
		if err != nil {
			return Done{}, false
		}
		var file bytes.Buffer
		if err := png.Encode(&file, f(m)); err != nil {
			return Done{}, false
		}
		o := clone(old)
		o["bufferView"], o["mimeType"] = float64(d.view(file.Bytes())), "image/png"
		subjects := d.namedMaterial(i)
		if name != "" {
			o = Object{"name": name, "bufferView": o["bufferView"], "mimeType": "image/png"}
			texture = withoutExtras(clone(texture))
			t["index"] = float64(d.add("textures", texture))
			texture["source"] = float64(d.add("images", o))
			return Done{Subjects: append(subjects, name)}, true
		}
		d.JSON["images"].([]any)[ref(texture, "source")] = o
		return Done{Subjects: subjects}, true
	}
}

var materialEdits = []Edit{
	{Name: "material renamed", Targets: first((*Doc).worn), Apply: func(d *Doc, i int) (Done, bool) {
		names := append(d.namedMaterial(i), "Repainted")
		d.one("materials", i)["name"] = "Repainted"
		return Done{Subjects: names, Appears: []string{"Repainted"}}, true
	}},
	{Name: "material recoloured", Targets: first((*Doc).worn), Apply: func(d *Doc, i int) (Done, bool) {
		m := d.one("materials", i)
		c := d.material(m).Color
		for k := range 3 {
			c[k] = 0.25 + 0.5*float64(k%2) - 0.1*c[k]
		}
		makeSub(m, "pbrMetallicRoughness")["baseColorFactor"] = anys(c[:])
		return Done{Subjects: d.namedMaterial(i)}, true
	}},
	{Name: "texture replaced", Targets: first((*Doc).pictured), Away: true, Apply: picture("fresh_picture", func(image.Image) image.Image {
		m := image.NewNRGBA(image.Rect(0, 0, 32, 32))
		draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{30, 120, 220, 255}), image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(0, 0, 16, 16), image.NewUniform(color.NRGBA{240, 200, 40, 255}), image.Point{}, draw.Src)
		return m
	})},
	{Name: "texture painted", Targets: first((*Doc).pictured), Away: true, Apply: picture("", func(old image.Image) image.Image {
		m := image.NewNRGBA(old.Bounds())
		draw.Draw(m, m.Rect, old, m.Rect.Min, draw.Src)
		half := m.Rect
		half.Max.X = (half.Min.X + half.Max.X) / 2
		draw.Draw(m, half, image.NewUniform(color.NRGBA{250, 20, 200, 255}), image.Point{}, draw.Src)
		return m
	})},
	{Name: "texture taken off", Targets: first((*Doc).pictured), Away: true, Apply: func(d *Doc, i int) (Done, bool) {
		names := d.namedMaterial(i)
		delete(sub(d.one("materials", i), "pbrMetallicRoughness"), "baseColorTexture")
		return Done{Subjects: names}, true
	}},
	{Name: "texture transform added", Targets: first((*Doc).pictured), Apply: func(d *Doc, i int) (Done, bool) {
		t := sub(d.one("materials", i), "pbrMetallicRoughness", "baseColorTexture")
		makeSub(t, "extensions")["KHR_texture_transform"] = Object{"offset": []any{0.1, 0.3}, "scale": []any{0.5, 0.25}}
		d.use("KHR_texture_transform")
		return Done{Subjects: append(d.namedMaterial(i), "KHR_texture_transform")}, true
	}},
}

// use declares an extension.
func (d *Doc) use(name string) {
	list, _ := d.JSON["extensionsUsed"].([]any)
	if !slices.Contains(list, any(name)) {
		d.JSON["extensionsUsed"] = append(list, name)
	}
}
