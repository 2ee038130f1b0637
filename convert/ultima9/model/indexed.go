package model

import (
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// Indexed holds the typed functions for one format: model of the older layout.
var Indexed = format.Functions[ultima9.IndexedMesh, *asset.Scene]{
	Read:  read.Indexed,
	Write: write.Indexed,
	Facts: indexedFacts,
	Lift:  liftIndexed,
	Lower: lowerIndexed,
}

// IndexedName is the name of the format of models of the older layout.
const IndexedName = "u9-indexed"

// liftIndexed makes a scene like that of a mesh: a root node with one mesh, and a primitive for each texture. Whoever
// makes a model of it gets one in the layout that the game reads.
func liftIndexed(m *ultima9.IndexedMesh, env *format.Env) (*asset.Scene, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	payload, err := write.Indexed(m)
	if err != nil {
		return nil, err
	}
	s := &asset.Scene{Name: env.EntryName("model")}
	looks := look.NewLifter(s, env)
	root, limb := asset.NewNode("u9_"+s.Name), asset.NewNode("limb_0")
	root.Transform = RootTransform
	root.Native = &asset.Native{Format: IndexedName, Payload: payload}
	scene.Call(root)
	limb.Mesh = &asset.Mesh{Name: limb.Name}
	s.Roots, root.Children, s.Meshes = []*asset.Node{root}, []*asset.Node{limb}, []*asset.Mesh{limb.Mesh}
	textures, faces := indexedTriangles(m)
	for _, t := range textures {
		p := primitive(faces[t], m.Vertices)
		p.Material = looks.Material(ultima9.Material{Texture: t, DefaultAlpha: 0xFF, ActiveAlpha: 0xFF})
		limb.Mesh.Primitives = append(limb.Mesh.Primitives, p)
	}
	return s, nil
}

// lowerIndexed returns the stored record of an unedited scene. It does not write this layout anew, since the game does not
// read it.
func lowerIndexed(s *asset.Scene, env *format.Env) (*ultima9.IndexedMesh, error) {
	var native *asset.Native
	s.Walk(func(n, _ *asset.Node) {
		if native == nil && n.Native != nil && n.Native.Format == IndexedName && len(n.Native.Payload) > 0 {
			native = n.Native
		}
	})
	if native == nil {
		return nil, errIndexed("the scene was not made from one")
	}
	m, err := read.Indexed(native.Payload, nil)
	if err != nil {
		return nil, err
	}
	quiet := format.Env{}
	if env != nil {
		quiet = *env
		quiet.Diagnostics = nil
	}
	before, err := liftIndexed(m, &quiet)
	if err != nil {
		return nil, err
	}
	d := env.Told()
	if err := scene.Lost(s, &indexedRoom, d); err != nil {
		return nil, err
	}
	same, err := sameModel(before, s, env)
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, errIndexed("the model was edited")
	}
	tellIndexedNames(s, d)
	return m, nil
}

func errIndexed(why string) error {
	err := schema.Errorf(IndexedName, schema.ErrUnsupported, "", "%s, and the older layout is not made, since the game does not read it: make a %s of it", why, SappearName)
	return schema.Hinted(err, " (--to %s)", SappearName)
}

// indexedTriangles returns the faces as triangles with corners of their own, by texture, and the textures as they first
// appear.
func indexedTriangles(m *ultima9.IndexedMesh) (textures []uint16, faces map[uint16][]ultima9.Face) {
	faces = map[uint16][]ultima9.Face{}
	for i := range m.Faces {
		f := &m.Faces[i]
		t := uint16(min(f.Texture, ultima9.NoTexture))
		if faces[t] == nil {
			textures = append(textures, t)
		}
		halves := [][3]int{{0, 1, 2}, {0, 2, 3}}
		if f.Triangle() {
			halves = halves[:1]
		}
		for _, half := range halves {
			triangle := ultima9.Face{Normal: f.Normal}
			for k, n := range half {
				c := &m.Corners[f.Corners[n]]
				triangle.Corners[k] = ultima9.Corner{Vertex: c.Vertex, Normal: c.Normal, UV: c.UV}
			}
			faces[t] = append(faces[t], triangle)
		}
	}
	return textures, faces
}

func indexedFacts(m *ultima9.IndexedMesh) []format.Fact {
	textures := map[uint32]bool{}
	for i := range m.Faces {
		textures[m.Faces[i].Texture] = true
	}
	return []format.Fact{
		{Name: "faces", Value: len(m.Faces)},
		{Name: "corners", Value: len(m.Corners)},
		{Name: "vertices", Value: len(m.Vertices)},
		{Name: "textures", Value: slices.Sorted(maps.Keys(textures))},
	}
}
