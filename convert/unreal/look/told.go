package look

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Audit compares a scene with what its target can hold, and reports the losses.
func Audit(s *asset.Scene, room *scene.Capabilities, env *format.Env) error {
	d := env.Told()
	restore.Unwrap(s)
	tellBare(s, d)
	TellUnmapped(s, d)
	TellNames(s, d)
	if room.TexCoords > 1 {
		tellUnlit(s, room, d)
	}
	if err := Check(s); err != nil {
		return err
	}
	showFlags(s)
	return scene.Lost(s, room, d)
}

// TellNames reports a new name of the node that stands for a file or an object.
func TellNames(s *asset.Scene, d *schema.Diagnostics) {
	var names scene.Renames
	names.CheckCalled(s, space.Root)
	names.Tell(d, "a file is called as its user wants, and an object as its package has it")
}

// tellUnlit reports second sets of texture coordinates on meshes without light maps, which alone use them.
func tellUnlit(s *asset.Scene, room *scene.Capabilities, d *schema.Diagnostics) {
	var lost scene.Tally
	for _, n := range space.Shown(s) {
		if slices.ContainsFunc(n.Node.Mesh.Primitives, func(p *asset.Primitive) bool {
			return len(p.TexCoords) > 1 && scene.Mapped(p.TexCoords[1]) && (p.Material == nil || p.Material.OcclusionTexture == nil && !p.Material.Unlit)
		}) {
			lost.Add(n.Node.Name)
		}
	}
	lost.Tell(d, "texture-coordinates", s.Name, "the second set of texture coordinates of", "second sets of texture coordinates", "is left out: "+room.Target+" has one for its light maps alone")
}

// TellUnmapped reports meshes of a scene made by usher that have lost their texture coordinates.
func TellUnmapped(s *asset.Scene, d *schema.Diagnostics) {
	if s.Native == nil {
		return
	}
	var lost scene.Tally
	for _, n := range space.Shown(s) {
		if slices.ContainsFunc(n.Node.Mesh.Primitives, func(p *asset.Primitive) bool {
			return p.Mode == asset.Triangles && len(p.Positions) > 0 && len(p.TexCoords) == 0
		}) {
			lost.Add(n.Node.Name)
		}
	}
	lost.Tell(d, "texture-coordinates", s.Name, "the shape", "shapes", "has no texture coordinates any more: the engine stores some for every corner, which are all 0 where it stores new ones")
}

// Looks is what materials can show in the engine besides colour and picture.
const Looks = scene.LookBlend | scene.LookMask | scene.LookDoubleSided | scene.LookUnlit

// TellEdits reports what an edited scene has and is, the scene lifted from the result, does not. It does not compare
// geometry or frames.
func TellEdits(now, is *asset.Scene, room *scene.Capabilities, path string, d *schema.Diagnostics) {
	tellParts(now, is, path, d)
	TellMaterials(now, is, room, path, d)
	TellAnimations(now, is, path, d)
}

// tellParts reports the names of nodes with a shape: the engine knows the one mesh that they become.
func tellParts(now, is *asset.Scene, path string, d *schema.Diagnostics) {
	var names []string
	is.Walk(func(n, _ *asset.Node) { names = append(names, n.Name) })
	var lost scene.Tally
	now.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && !slices.ContainsFunc(names, func(was string) bool { return !scene.Renamed(was, n.Name) }) {
			lost.Add(n.Name)
		}
	})
	lost.Tell(d, "node-name", path, "the name of node", "names of nodes", "is left out: what the node shows becomes part of the one shape, which bears the name of its entry")
}

// TellParents reports nodes with a mesh below another such node, since brushes have no hierarchy.
func TellParents(now, is *asset.Scene, path string, d *schema.Diagnostics) {
	above := map[string]string{}
	is.Walk(func(n, parent *asset.Node) {
		if parent != nil {
			above[n.Name] = parent.Name
		}
	})
	var lost scene.Tally
	now.Walk(func(n, parent *asset.Node) {
		if n.Mesh == nil || parent == nil || parent.Mesh == nil {
			return
		}
		was, known := above[n.Name]
		if !known {
			was, known = above[Uncopied(n.Name)]
		}
		if known && scene.Renamed(was, parent.Name) {
			lost.Add(n.Name)
		}
	})
	lost.Tell(d, "parent", path, "node", "nodes", "is below another one now, which is left out: brushes stand side by side, and keep their places")
}

// Uncopied returns a node's name without the number that an editor gave a copy.
func Uncopied(name string) string {
	base, _ := scene.Uncopied(name)
	return base
}

// TellMaterials reports looks of materials that differ in is, the scene lifted from the result. A mesh can only store a
// texture's name and flags.
func TellMaterials(now, is *asset.Scene, room *scene.Capabilities, path string, d *schema.Diagnostics) {
	var name, look, gone, bare scene.Tally
	if worn := bareNodes(is); len(worn) == 0 {
		for _, n := range bareNodes(now) {
			bare.Add(n.Name)
		}
	}
	var unheld scene.Unheld
	bare.Tell(d, "no-material", path, "the mesh", "meshes", "shows triangles without a material, which wear one again: the engine stores a texture and flags for every triangle")
	for _, m := range shownMaterials(now) {
		c := materialLike(is.Materials, m)
		switch {
		case c == nil:
			if m.Native == nil || scene.Shown(m.Native, "skin") == nil { // of what a class wears materialOf tells
				gone.Add(m.Name)
			}
			continue
		case scene.Renamed(c.Name, m.Name):
			name.Add(m.Name)
		}
		unheld.Compare(m, pictured(c, m), room, m.Native != nil)
		if !scene.SameColor(c.BaseColor[:], m.BaseColor[:]) || !sameSkin(c, m) {
			look.Add(m.Name)
		}
	}
	gone.Tell(d, "material", path, "material", "materials", "is left out with its colour: the engine stores textures and flags alone")
	name.Tell(d, "material-name", path, "the name of material", "names of materials", "is left out: materials bear the names of their textures")
	look.Tell(d, "material-look", path, "the colour or picture of material", "colours or pictures of materials",
		"is left out: the texture that it names stays as it is, in its own entry or package; edit that, or give the picture another name")
	unheld.Tell(d, path, room)
}

// pictured returns a stored material as it looks with the picture of the one in the scene, where its own is not at hand.
func pictured(stored, now *asset.Material) *asset.Material {
	t := now.BaseColorTexture
	if stored.BaseColorTexture != nil || t == nil || t.Texture == nil {
		return stored
	}
	is := *stored
	is.BaseColorTexture = &asset.TextureRef{Texture: t.Texture}
	if FlagsOf(stored)&unreal.PolyNoSmooth != 0 {
		is.BaseColorTexture.Filter = asset.Nearest
	}
	if t.Texture.Alpha == asset.Mask && is.Alpha == asset.Opaque {
		is.Alpha = asset.Mask
	}
	return &is
}

// bareNodes returns the nodes that show triangles without a material.
func bareNodes(s *asset.Scene) (list []*asset.Node) {
	for _, n := range space.Shown(s) {
		if slices.ContainsFunc(n.Node.Mesh.Primitives, func(p *asset.Primitive) bool {
			return p.Material == nil && p.Mode == asset.Triangles && len(p.Positions) > 0
		}) {
			list = append(list, n.Node)
		}
	}
	return list
}

// shownMaterials returns the materials of triangles, each once.
func shownMaterials(s *asset.Scene) (list []*asset.Material) {
	seen := map[*asset.Material]bool{nil: true}
	for _, n := range space.Shown(s) {
		for _, p := range n.Node.Mesh.Primitives {
			if !seen[p.Material] && p.Mode == asset.Triangles && len(p.Positions) > 0 {
				seen[p.Material] = true
				list = append(list, p.Material)
			}
		}
	}
	return list
}

// materialLike finds the material that m is among others: of its name with the same flags and number of the texture, of
// its name, or with those alone.
func materialLike(all []*asset.Material, m *asset.Material) *asset.Material {
	var byName, byValue *asset.Material
	for _, c := range all {
		named, same := !scene.Renamed(c.Name, m.Name), sameSlot(c.Native, m.Native)
		switch {
		case named && same:
			return c
		case named && byName == nil:
			byName = c
		case same && byValue == nil:
			byValue = c
		}
	}
	if byName != nil {
		return byName
	}
	return byValue
}

// sameSlot reports whether two materials have the same flags, and their texture in the same place of the list.
func sameSlot(a, b *asset.Native) bool {
	if a == nil || b == nil {
		return false
	}
	for _, key := range []string{"polyFlags", "textureIndex"} {
		x, ok1 := pack.Number(scene.Shown(a, key))
		y, ok2 := pack.Number(scene.Shown(b, key))
		if !ok1 || !ok2 || x != y {
			return false
		}
	}
	return true
}

// sameSkin reports whether two materials show the same picture. One that is not at hand cannot be compared: its name counts.
func sameSkin(was, is *asset.Material) bool {
	stored, now := was.BaseColorTexture, is.BaseColorTexture
	if name := textureName(was); (stored == nil || stored.Texture == nil) && now != nil && now.Texture != nil && name != "" {
		return !scene.Renamed(strings.ToLower(name), strings.ToLower(now.Texture.Name)) // an import may write a name in another case than its package
	}
	picture := func(r *asset.TextureRef) (*asset.Texture, *asset.Image) {
		if r == nil || r.Texture == nil {
			return nil, nil
		}
		return r.Texture, r.Texture.Base()
	}
	t, a := picture(stored)
	u, b := picture(now)
	switch {
	case a == nil || b == nil:
		return t == nil && u == nil || a == nil && t != nil || b == nil && u != nil
	case a.Width != b.Width || a.Height != b.Height:
		return false
	case a.Format == asset.Gray16 || b.Format == asset.Gray16: // no texture is such a picture
		return a.Format == b.Format
	}
	x, y := texture.Pixels(t), texture.Pixels(u)
	for i := range x {
		if x[i][3] == 0 && y[i][3] == 0 {
			continue // nobody sees its colour
		}
		for k := range x[i] {
			if math.Abs(float64(x[i][k])-float64(y[i][k])) > pictureTolerance {
				return false
			}
		}
	}
	return true
}

// textureName returns the name of the texture that a stored material shows; empty where it has none.
func textureName(m *asset.Material) string {
	if m.Native == nil {
		return ""
	}
	text, worn := scene.Shown(m.Native, "skin").(string)
	if !worn {
		text = scene.ShownText(m.Native, "texture")
	}
	text = strings.TrimSuffix(text, "'")
	return text[strings.LastIndexAny(text, ".'")+1:]
}

// pictureTolerance is by how much of 255 a component of a pixel may differ that nobody painted: editors save pictures
// anew.
const pictureTolerance = 24

// TellAnimations reports animations that is, the scene lifted from the result, lacks, and those that only is has.
func TellAnimations(now, is *asset.Scene, path string, d *schema.Diagnostics) {
	size := scene.Size(now)
	var lost, stays, cubic scene.Tally
	for _, x := range now.Animations {
		if slices.ContainsFunc(x.Channels, func(c *asset.Channel) bool { return bends(c, size) }) {
			cubic.Add(x.Name)
		}
		if sequenceOf(is.Animations, x.Name) == nil && len(x.Channels) > 0 {
			lost.Add(x.Name)
		}
	}
	for _, x := range is.Animations {
		if !slices.ContainsFunc(now.Animations, func(y *asset.Animation) bool { return sameName(x.Name, y.Name) }) {
			stays.Add(x.Name)
		}
	}
	scene.TellJumps(now.Animations, size, path, "the engine", d)
	lost.Tell(d, "animation", path, "animation", "animations", "is left out: there is no sequence of that name")
	TellFrames(now, is, path, d)
	cubic.Tell(d, "animation-cubic", path, "the cubic keys of animation", "cubic keys of animations", "become straight lines between frames")
	stays.Tell(d, "animation-stays", path, "the sequence of animation", "sequences of animations", "is not shown any more, and stays")
}

// bends reports whether a channel has cubic keys with tangents that lead elsewhere than straight to the next key.
func bends(c *asset.Channel, size float64) bool {
	if c.Interpolation != asset.CubicKeys || !scene.Valid(c) {
		return false
	}
	keys := &asset.Channel{Node: c.Node, Path: c.Path, Times: c.Times}
	for i := range c.Times {
		keys.Values = append(keys.Values, scene.Key(c, i)...)
	}
	return !scene.Compare(c.Path, scene.CurveOf(c.Node, c.Path, keys), scene.CurveOf(c.Node, c.Path, c), size).Unedited()
}

// AdoptMaterials restores the Native of materials that have lost it, from stored materials with the same names. It reports
// whether there were any.
func AdoptMaterials(s, stored *asset.Scene) (bare bool) {
	for _, m := range s.Materials {
		if m.Native != nil {
			continue
		}
		var like *asset.Material
		bare = true
		for _, c := range stored.Materials {
			if scene.Renamed(c.Name, m.Name) {
				continue
			}
			if like == nil || m.Alpha == c.Alpha && m.DoubleSided == c.DoubleSided && m.Unlit == c.Unlit &&
				!(m.Alpha == like.Alpha && m.DoubleSided == like.DoubleSided && m.Unlit == like.Unlit) {
				like = c
			}
		}
		if like != nil {
			m.Native = like.Native
		}
	}
	return bare
}

// TellUnkept reports materials that have lost their Native, if that makes a difference.
func TellUnkept(path string, d *schema.Diagnostics) {
	if d.Has(restore.NoExtras) {
		return
	}
	d.Warnf(restore.NoExtras, path, "exported without Custom Properties: flags and numbers of materials are taken from those with their names; keep them (extras) when you export")
}

// tellBare reports a scene that usher made, by the size of its root, and an editor saved without what was kept.
func tellBare(s *asset.Scene, d *schema.Diagnostics) {
	if s.Native != nil || d.Has(restore.NoExtras) {
		return
	}
	bare := false
	s.Walk(func(n, _ *asset.Node) {
		bare = bare || n.Native == nil && !slices.ContainsFunc(n.Transform.Scale[:], func(k float32) bool { return !space.Close(k*space.UnitsPerMetre, 1, 1e-4) })
	})
	if bare {
		d.Warnf(restore.NoExtras, s.Name, "exported without Custom Properties: what was kept of the original is lost, and it is made anew from what is shown; keep them (extras) when you export")
	}
}
