package restore

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// NoExtras is the code of the warning that custom properties are missing. It is given at most once.
const NoExtras = "no-custom-properties"

// TellOfExtras warns if the custom properties of a scene are missing or broken, with one message each. What usher stored in
// them is then lost, and the model is made from what the scene shows.
func TellOfExtras(s *asset.Scene, d *schema.Diagnostics) {
	if spoiled := spoiled(s); len(spoiled) > 0 {
		d.Warnf("extras-spoiled", spoiled[0], "an editor spoiled the kept data of %s: it made text of them, since one value did not fit into its own properties; they are not believed",
			schema.Counted(len(spoiled), "object", "objects"))
	}
	if what := bare(s); what != "" {
		how := "keep them (extras) when you export"
		if Does(s, AsksForProperties) {
			how = "in Blender tick Include › Custom Properties when you export"
		}
		d.Hint(", or name the original with --base").Warnf(NoExtras, "", "exported without Custom Properties: %s are lost; %s", what, how)
	}
}

// spoiled returns the names of objects whose data were made text of.
func spoiled(s *asset.Scene) (names []string) {
	check := func(name string, extras map[string]any) {
		if scene.IsSpoiled(extras) {
			names = append(names, name)
		}
	}
	check(s.Name, s.Extras)
	s.Walk(func(n, _ *asset.Node) {
		check(n.Name, n.Extras)
		if n.Mesh != nil {
			check(n.Mesh.Name, n.Mesh.Extras)
		}
	})
	for _, m := range s.Materials {
		check(m.Name, m.Extras)
	}
	return names
}

// bare says what a scene has lost that usher made, by its mark or the names which it gives, and that has none of its data;
// nothing for other scenes.
func bare(s *asset.Scene) string {
	if s.Native != nil || slices.ContainsFunc(s.Materials, func(m *asset.Material) bool { return m.Native != nil }) ||
		slices.ContainsFunc(s.Animations, func(a *asset.Animation) bool { return a.Native != nil }) {
		return ""
	}
	kept, marked, levels, wires, hardpoints, limbs := false, false, false, false, false, false
	s.Walk(func(n, _ *asset.Node) {
		marked = marked || n.Native != nil || len(n.Extras) > 0 || n.Mesh != nil && (n.Mesh.Native != nil || len(n.Mesh.Extras) > 0)
		name, _ := scene.Uncopied(n.Name)
		if _, _, ok := scene.LevelName(n.Name); ok {
			levels = true
		}
		wires = wires || strings.HasSuffix(name, scene.WireMark)
		limbs = limbs || scene.IsLimb(name)
		kept = kept || n.Native != nil || n.Mesh != nil && n.Mesh.Native != nil
		empty := n.Mesh == nil && n.Camera == nil && n.Skin == nil && len(n.Children) == 0
		hardpoints = hardpoints || empty && scene.HardpointName(name)
	})
	if kept || marked && !s.Stripped || !s.Stripped && !levels && !wires && !hardpoints && !limbs {
		return ""
	}
	what := []string{}
	for _, x := range []struct {
		is   bool
		text string
	}{
		{hardpoints, "kinds and limits of hardpoints"}, {levels, "distances of levels of detail"}, {wires, "wireframes"}, {limbs, "what limbs keep of the original"},
		{len(s.Animations) > 0, "joints and exact animations"},
		{true, "stored shapes, lines, materials and textures"},
	} {
		if x.is {
			what = append(what, x.text)
		}
	}
	if len(what) == 1 {
		return what[0]
	}
	return strings.Join(what[:len(what)-1], ", ") + " and " + what[len(what)-1]
}
