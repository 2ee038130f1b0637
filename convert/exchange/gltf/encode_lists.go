package gltf

import (
	"fmt"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// refuseNils refuses a scene whose lists have places without anything. Nodes are looked at when they are numbered.
func (e *encoder) refuseNils() {
	s := e.s
	refuseNil(e, "meshes", s.Meshes)
	refuseNil(e, "skins", s.Skins)
	refuseNil(e, "materials", s.Materials)
	refuseNil(e, "textures", s.Textures)
	refuseNil(e, "animations", s.Animations)
	refuseNil(e, "scenes", s.Sides)
	if e.err != nil {
		return
	}
	for i, m := range s.Meshes {
		refuseNil(e, fmt.Sprintf("meshes/%d/primitives", i), m.Primitives)
	}
	for i, a := range s.Animations {
		refuseNil(e, fmt.Sprintf("animations/%d/channels", i), a.Channels)
	}
}

func refuseNil[T any](e *encoder, path string, list []*T) {
	if i := slices.Index(list, nil); i >= 0 {
		e.failf(fmt.Sprintf("%s/%d", path, i), schema.ErrValue, "", "nil")
	}
}
