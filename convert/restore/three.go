package restore

import (
	"reflect"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// rejoin undoes what three.js does to every scene: it numbers duplicate names and keeps the old name beside them, and makes
// a node for each primitive of a mesh with several.
func rejoin(s *asset.Scene) {
	if !Does(s, SplitsMeshes) {
		return
	}
	for _, m := range s.Meshes {
		delete(m.Extras, "targetNames") // stands in the mesh as well
	}
	s.Walk(func(n, _ *asset.Node) {
		delete(n.Extras, "targetNames")
		if name, ok := n.Extras["name"].(string); ok && !scene.Renamed(name, uncounted(n.Name, name)) {
			n.Name = name
			delete(n.Extras, "name")
		}
	})
	s.Walk(func(n, _ *asset.Node) { joinPieces(s, n) })
}

// uncounted returns a name without the number that three.js put behind it, if it is the other one then.
func uncounted(now, was string) string {
	if of, ok := scene.Piece(now); ok && of == scene.ThreeJSName(was) {
		return was
	}
	return now
}

// joinPieces gives a node the mesh that its children show piece by piece: two at least, which stand where the node is,
// are called alike, and know the same of the mesh.
func joinPieces(s *asset.Scene, n *asset.Node) {
	if n.Mesh != nil || len(n.Children) < 2 {
		return
	}
	first, name := -1, ""
	var pieces []*asset.Node
	for i, c := range n.Children {
		of, ok := scene.Piece(c.Name)
		if !ok || c.Mesh == nil || len(c.Mesh.Primitives) != 1 || len(c.Children) > 0 || len(c.LODs) > 0 || c.Transform != asset.Identity || c.Native != nil && len(c.Native.Payload) > 0 {
			continue
		}
		if first < 0 {
			first, name = i, of
		}
		if p := n.Children[first]; of == name && sameSkin(c.Skin, p.Skin) && reflect.DeepEqual(c.Native, p.Native) {
			pieces = append(pieces, c)
		}
	}
	if len(pieces) < 2 || n.Native == nil && len(pieces) < len(n.Children) {
		return
	}
	mesh := &asset.Mesh{Name: name, Native: pieces[0].Native, Weights: pieces[0].Mesh.Weights, TargetNames: pieces[0].Mesh.TargetNames}
	for _, c := range pieces {
		mesh.Primitives = append(mesh.Primitives, c.Mesh.Primitives...)
	}
	at := slices.Index(s.Meshes, pieces[0].Mesh)
	if at < 0 {
		at = len(s.Meshes)
	}
	s.Meshes = slices.Insert(s.Meshes, at, mesh)
	for _, a := range s.Animations { // each piece has the channels of the whole
		a.Channels = slices.DeleteFunc(a.Channels, func(c *asset.Channel) bool { return slices.Contains(pieces[1:], c.Node) })
		for _, c := range a.Channels {
			if c.Node == pieces[0] {
				c.Node = n
			}
		}
	}
	n.Mesh, n.Skin, n.Weights = mesh, pieces[0].Skin, pieces[0].Weights
	n.Children = slices.DeleteFunc(n.Children, func(c *asset.Node) bool { return slices.Contains(pieces, c) })
	used, skins := scene.UsedMeshes(s), map[*asset.Skin]bool{}
	s.Walk(func(n, _ *asset.Node) { skins[n.Skin] = true })
	s.Skins = slices.DeleteFunc(s.Skins, func(x *asset.Skin) bool { return !skins[x] && sameSkin(x, n.Skin) })
	s.Meshes = slices.DeleteFunc(s.Meshes, func(m *asset.Mesh) bool { return !used[m] })
}

// sameSkin reports whether two skins bind the same joints in the same places: three.js makes one for each piece.
func sameSkin(a, b *asset.Skin) bool {
	return a == b || a != nil && b != nil && slices.Equal(a.Joints, b.Joints) && slices.Equal(a.InverseBind, b.InverseBind)
}
