package scene

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Plain removes what only glTF can express from a scene, in place, and reports what it removes: other scenes, hidden nodes,
// and texture transforms, which are applied to the coordinates. Every target except glTF gets such a scene.
func Plain(s *asset.Scene, d *schema.Diagnostics) {
	before := UsedMeshes(s)
	dropSides(s, d)
	dropHidden(s, d)
	dropUnused(s, before, UsedMeshes(s))
	mapTextures(s, d)
}

// UsedMeshes returns the meshes of all nodes, including those in other scenes; nil is among them if a node has none.
func UsedMeshes(s *asset.Scene) map[*asset.Mesh]bool {
	used := map[*asset.Mesh]bool{}
	each := func(n, _ *asset.Node) { used[n.Mesh] = true }
	s.Walk(each)
	for _, side := range s.Sides {
		(&asset.Scene{Roots: side.Roots}).Walk(each)
	}
	return used
}

// dropSides takes other scenes away, but for nodes that the model needs.
func dropSides(s *asset.Scene, d *schema.Diagnostics) {
	in := map[*asset.Node]bool{}
	var skins []*asset.Skin
	take := func(n, _ *asset.Node) {
		in[n] = true
		if n.Skin != nil {
			skins = append(skins, n.Skin)
		}
	}
	s.Walk(take)
	beside := map[*asset.Node]*asset.Node{} // the root of each node outside
	var first *asset.Node
	for _, side := range s.Sides {
		for _, root := range side.Roots {
			(&asset.Scene{Roots: []*asset.Node{root}}).Walk(func(n, _ *asset.Node) {
				if in[n] {
					return
				}
				if beside[n] = root; first == nil && n.Mesh != nil {
					first = n
				}
			})
		}
	}
	for i := 0; i < len(skins); i++ { // joints may bring nodes with skins
		for _, j := range skins[i].Joints {
			if root := beside[j]; root != nil && !in[j] {
				s.Detached = append(s.Detached, root)
				(&asset.Scene{Roots: []*asset.Node{root}}).Walk(take)
			}
		}
	}
	s.Sides = nil
	s.Skins = slices.DeleteFunc(s.Skins, func(x *asset.Skin) bool {
		return slices.ContainsFunc(x.Joints, func(j *asset.Node) bool { return beside[j] != nil && !in[j] })
	})
	dropChannels(s, func(n *asset.Node) bool { return beside[n] != nil && !in[n] })
	if first != nil && !in[first] {
		d.Lossf("other-scenes", "", "%s left out that other scenes than the default one show; the first with a shape is %q", schema.Counted(len(beside), "node is", "nodes are"), first.Name)
	}
}

// dropChannels takes away what moves the nodes that are gone.
func dropChannels(s *asset.Scene, gone func(n *asset.Node) bool) {
	for _, a := range s.Animations {
		a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return gone(c.Node) })
	}
}

// dropHidden takes away what hidden nodes would show. The nodes stay: others may hang on them.
func dropHidden(s *asset.Scene, d *schema.Diagnostics) {
	count, first := 0, ""
	emptied := map[*asset.Node]bool{}
	var walk func(n *asset.Node, hidden bool)
	walk = func(n *asset.Node, hidden bool) {
		hidden = hidden || n.Hidden
		n.Hidden = false
		if hidden && (n.Mesh != nil || n.Light != nil || n.LODs != nil) {
			if count++; count == 1 {
				first = n.Name
			}
			n.Mesh, n.Skin, n.Light, n.Weights, n.LODs, n.Coverage = nil, nil, nil, nil, nil, nil
			emptied[n] = true
		}
		for _, c := range n.Children {
			walk(c, hidden)
		}
		for _, l := range n.LODs {
			walk(l, hidden)
		}
	}
	for _, n := range slices.Concat(s.Roots, s.Detached) {
		walk(n, false)
	}
	if count == 0 {
		return
	}
	for _, a := range s.Animations {
		a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return c.Path == asset.MorphWeights && emptied[c.Node] })
	}
	d.Lossf("hidden-nodes", "", "%s left out, the first is %q", schema.Counted(count, "hidden shape is", "hidden shapes are"), first)
}

// dropUnused removes meshes that no node uses, and whatever only they used.
func dropUnused(s *asset.Scene, before, after map[*asset.Mesh]bool) {
	gone := func(m *asset.Mesh) bool { return before[m] && !after[m] }
	worn, lost := map[*asset.Material]bool{}, map[*asset.Material]bool{}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			if p.Material != nil && gone(m) {
				lost[p.Material] = true
			} else if p.Material != nil {
				worn[p.Material] = true
			}
		}
	}
	s.Meshes = slices.DeleteFunc(s.Meshes, gone)
	shown, unseen := map[*asset.Texture]bool{}, map[*asset.Texture]bool{}
	unworn := func(m *asset.Material) bool { return lost[m] && !worn[m] }
	for _, m := range s.Materials {
		for _, r := range references(m) {
			if unworn(m) {
				unseen[r.Texture] = true
			} else {
				shown[r.Texture] = true
			}
		}
	}
	s.Materials = slices.DeleteFunc(s.Materials, unworn)
	s.Textures = slices.DeleteFunc(s.Textures, func(t *asset.Texture) bool { return unseen[t] && !shown[t] })
}

// references returns the uses of textures of a material, the base colour first.
func references(m *asset.Material) []*asset.TextureRef {
	return slices.DeleteFunc(m.Textures(), func(r *asset.TextureRef) bool { return r == nil })
}

// TellLights reports the loss of a scene's lights, for targets without lights that do not call [Lost].
func TellLights(s *asset.Scene, d *schema.Diagnostics) {
	tellOf(s, d, "light", [2]string{"light is", "lights are"}, func(n *asset.Node) bool { return n.Light != nil })
}

// TellCameras reports the loss of a scene's cameras, for targets without cameras.
func TellCameras(s *asset.Scene, d *schema.Diagnostics) {
	tellOf(s, d, "camera", [2]string{"camera is", "cameras are"}, func(n *asset.Node) bool { return n.Camera != nil })
}

// Empties returns the empty leaf nodes that somebody added to a scene. These come from no native model, are not joints and
// do not move. known reports whether a node means something to the target; such nodes are left out. It may be nil.
func Empties(s *asset.Scene, known func(n *asset.Node) bool) (list []*asset.Node) {
	needed := map[*asset.Node]bool{}
	for _, x := range s.Skins {
		for _, j := range x.Joints {
			needed[j] = true
		}
	}
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			needed[c.Node] = true
		}
	}
	s.Walk(func(n, _ *asset.Node) {
		if Shapeless(n) && len(n.Children) == 0 && n.Native == nil && !needed[n] && (known == nil || !known(n)) {
			list = append(list, n)
		}
	})
	return list
}

// TellEmpties reports empty nodes that the target ignores.
func TellEmpties(list []*asset.Node, d *schema.Diagnostics) {
	if len(list) > 0 {
		d.Lossf("empty-node", "", "%s left out, the first is %q: without a shape it is nothing here under that name", schema.Counted(len(list), "empty node is", "empty nodes are"), list[0].Name)
	}
}

// tellOf names what nodes have and the target has no room for.
func tellOf(s *asset.Scene, d *schema.Diagnostics, code string, what [2]string, has func(n *asset.Node) bool) {
	count, first := 0, ""
	s.Walk(func(n, _ *asset.Node) {
		if has(n) {
			if count++; count == 1 {
				first = n.Name
			}
		}
	})
	if count > 0 {
		d.Lossf(code, "", "%s left out, the first is %q", schema.Counted(count, what[0], what[1]), first)
	}
}

// Shapeless reports whether a node and everything below it have no mesh.
func Shapeless(n *asset.Node) bool {
	return n.Mesh == nil && n.Camera == nil && n.Light == nil && len(n.LODs) == 0 && !slices.ContainsFunc(n.Children, func(c *asset.Node) bool { return !Shapeless(c) })
}
