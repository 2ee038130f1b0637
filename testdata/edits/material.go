package edits

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
)

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
	{Name: "material made half-transparent", Targets: first((*Doc).worn), Apply: func(d *Doc, i int) (Done, bool) {
		m := d.one("materials", i)
		c := d.material(m).Color
		c[3] = 0.5
		makeSub(m, "pbrMetallicRoughness")["baseColorFactor"], m["alphaMode"] = anys(c[:]), "BLEND"
		return Done{Subjects: d.namedMaterial(i)}, true
	}},
	{Name: "material taken off", Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		p := objects(d.ownMesh(i)["primitives"])[0]
		m := ref(p, "material")
		if m < 0 {
			return Done{}, false
		}
		delete(p, "material")
		return Done{Subjects: append(d.named(i), d.namedMaterial(m)...)}, true
	}},
	{Name: "material added", Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		p := objects(d.ownMesh(i)["primitives"])[0]
		p["material"] = float64(d.add("materials", Object{"name": "Fresh", "pbrMetallicRoughness": Object{"baseColorFactor": []any{0.1, 0.7, 0.2, 1.0}, "metallicFactor": 0.0}}))
		return Done{Subjects: append(d.named(i), "Fresh")}, true
	}},
	{Name: "materials swapped", Targets: first((*Doc).shapes), Apply: func(d *Doc, i int) (Done, bool) {
		list := objects(d.ownMesh(i)["primitives"])
		for _, p := range list[1:] {
			if a, b := ref(list[0], "material"), ref(p, "material"); a >= 0 && b >= 0 && a != b {
				list[0]["material"], p["material"] = p["material"], list[0]["material"]
				return Done{Subjects: slices.Concat(d.named(i), d.namedMaterial(a), d.namedMaterial(b))}, true
			}
		}
		return Done{}, false
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
	{Name: "texture painted in another size", Targets: first((*Doc).pictured), Away: true, Apply: picture("", func(old image.Image) image.Image {
		b := old.Bounds()
		m := image.NewNRGBA(image.Rect(0, 0, 2*b.Dx(), 2*b.Dy()))
		for y := range m.Rect.Max.Y {
			for x := range m.Rect.Max.X {
				if m.Set(x, y, old.At(b.Min.X+x/2, b.Min.Y+y/2)); x > b.Dx() && y > b.Dy() {
					m.Set(x, y, color.NRGBA{250, 20, 200, 255})
				}
			}
		}
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
