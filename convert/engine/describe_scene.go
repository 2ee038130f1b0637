package engine

import (
	"fmt"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// listed is how many meshes, materials, textures and animations of a scene are described one by one, unless all are asked
// for.
const listed = 20

// sceneParts describes the parts of a scene one by one: what they hold, and what they take.
func sceneParts(s *asset.Scene, all bool) (facts []format.Fact) {
	list := func(kind string, n int, describe func(i int) (name, text string)) {
		for i := range n {
			if i == listed && !all {
				facts = append(facts, format.Fact{Name: kind + " …", Value: fmt.Sprintf("%d more; -v shows all", n-i)})
				return
			}
			name, text := describe(i)
			facts = append(facts, format.Fact{Name: strings.TrimSpace(kind + " " + name), Value: text})
		}
	}
	list("mesh", len(s.Meshes), func(i int) (string, string) { return s.Meshes[i].Name, meshText(s.Meshes[i]) })
	list("material", len(s.Materials), func(i int) (string, string) { return s.Materials[i].Name, materialText(s.Materials[i]) })
	list("texture", len(s.Textures), func(i int) (string, string) { return s.Textures[i].Name, textureText(s.Textures[i]) })
	list("animation", len(s.Animations), func(i int) (string, string) { return s.Animations[i].Name, animationText(s.Animations[i]) })
	return facts
}

func meshText(m *asset.Mesh) string {
	vertices, triangles, err := sceneSize(&asset.Scene{Meshes: []*asset.Mesh{m}})
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s, %s, %s", schema.Counted(len(m.Primitives), "primitive", "primitives"), schema.Counted(vertices, "vertex", "vertices"), schema.Counted(triangles, "triangle", "triangles"))
	targets := 0
	for _, p := range m.Primitives {
		targets = max(targets, len(p.Targets))
	}
	if targets > 0 {
		text += ", " + schema.Counted(targets, "morph target", "morph targets")
	}
	return text
}

func materialText(m *asset.Material) string {
	parts := []string{[...]string{asset.Opaque: "opaque", asset.Mask: "with holes", asset.Blend: "half-transparent"}[min(m.Alpha, asset.Blend)]}
	for _, x := range []struct {
		is   bool
		name string
	}{{m.DoubleSided, "seen from behind"}, {m.Unlit, "unlit"}} {
		if x.is {
			parts = append(parts, x.name)
		}
	}
	for _, x := range []struct {
		ref  *asset.TextureRef
		name string
	}{{m.BaseColorTexture, "colour"}, {m.EmissiveTexture, "own light"}, {m.MetalRoughTexture, "metal and roughness"}, {m.NormalTexture, "normals"}, {m.OcclusionTexture, "occlusion"}, {m.LightTexture, "light"}} {
		if x.ref != nil && x.ref.Texture != nil {
			parts = append(parts, fmt.Sprintf("%s of %q", x.name, x.ref.Texture.Name))
		}
	}
	return strings.Join(parts, ", ")
}

// textureText describes a picture: its size, its file, and what it takes as pixels of a graphics card, with all mip levels.
func textureText(t *asset.Texture) string {
	base := t.Base()
	if base == nil {
		return "no pixels"
	}
	text := fmt.Sprintf("%d x %d", base.Width, base.Height)
	if t.File != nil {
		text += fmt.Sprintf(", %s of %d bytes", t.File.Encoding, len(t.File.Data))
	}
	pixels := 0
	for w, h := base.Width, base.Height; ; w, h = max(w/2, 1), max(h/2, 1) {
		if pixels += w * h; w <= 1 && h <= 1 {
			break
		}
	}
	return text + fmt.Sprintf(", %d bytes on a graphics card", 4*pixels)
}

func animationText(a *asset.Animation) string {
	keys, end := 0, float32(0)
	for _, c := range a.Channels {
		if keys += len(c.Times); len(c.Times) > 0 {
			end = max(end, c.Times[len(c.Times)-1])
		}
	}
	return fmt.Sprintf("%s, %s, %.4g seconds", schema.Counted(len(a.Channels), "channel", "channels"), schema.Counted(keys, "key", "keys"), end)
}
