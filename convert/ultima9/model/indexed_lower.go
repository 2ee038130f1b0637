package model

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// indexedRoom is what a model of the older layout can hold of a scene.
var indexedRoom = func() scene.Capabilities {
	room := modelRoom
	room.Target, room.Format, room.Levels = "a model of the older layout of Ultima IX", IndexedName, 0
	return room
}()

// sameModel reports whether a scene shows what the stored model was lifted to: the same triangles, with the same pictures,
// at the same places. What differs without a place in either layout, as the colour of a material, is told.
func sameModel(before, now *asset.Scene, env *format.Env) (bool, error) {
	if !look.Titled(now) {
		return false, nil
	}
	stored, err := rawTriangles(before, look.NewLowerer(before, nil))
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(now.Materials, look.Edited) {
		return false, nil
	}
	looks := look.NewLowerer(now, env)
	looks.Kept = true
	visible, err := rawTriangles(now, looks)
	if err != nil {
		return false, err
	}
	looks.Tell(&indexedRoom)
	if i := slices.IndexFunc(visible, func(t triangle) bool { return !t.corners[0].hasUV }); i >= 0 && !restore.Does(now, restore.DropsUnused) {
		env.Told().Lossf("texture-coordinates", "", "triangle %d and others have no texture coordinates any more: faces keep theirs", i)
	}
	for i := range stored { // the faces' own colours are not shown
		stored[i].color = &[4]uint8{0xFF, 0xFF, 0xFF, 0xFF}
	}
	_, whole := match(stored, visible)
	return whole, nil
}

// rawTriangles returns the triangles of a scene in raw units, wherever an editor put their nodes.
func rawTriangles(s *asset.Scene, looks *look.Lowerer) (list []triangle, err error) {
	e := &levelEncoder{looks: looks, path: IndexedName}
	scene.WalkWorld(s.Roots, mgl64.Ident4(), func(n *asset.Node, world mgl64.Mat4, _ bool) bool {
		if n.Mesh == nil || err != nil {
			return false
		}
		var more []triangle
		more, err = e.triangles(scene.BakeMesh(n.Mesh, ToRawMatrix.Mul4(world)), true)
		for i := range more {
			more[i].material.Flags &^= ultima9.RenderChromaKey // a picture with holes says so itself
		}
		list = append(list, more...)
		return false
	}, false)
	return list, err
}

// tellIndexedNames reports new names of what liftIndexed named.
func tellIndexedNames(s *asset.Scene, d *schema.Diagnostics) {
	var r scene.Renames
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil {
			r.Check("limb_0", n.Name)
		}
	})
	r.CheckCalled(s, IndexedName)
	look.CheckNames(&r, s)
	r.Tell(d, "a model holds no names, only the numbers of textures")
}
