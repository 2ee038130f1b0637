// Package ultimate3d lifts Ultimate 3D models to scenes and lowers scenes to models. A scene that was lifted from a model
// gives this model again, with changes only where it was edited; any other scene gives a new model. [U3D] holds the typed
// functions to read, write, lift and lower.
package ultimate3d

import (
	"bytes"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// Formats lists the formats of the engine Ultimate 3D.
var Formats = []format.Format{format.Of(format.Format{
	Name: ultimate3d.FormatName, Family: "ultimate3d", Title: "Ultimate 3D model", Kind: format.Model, Extensions: []string{".u3d"},
	Probe: probe, Empties: format.AnyEmpty,
}, U3D)}

// U3D holds the typed functions for one format: Ultimate 3D model.
var U3D = format.Functions[ultimate3d.Model, *asset.Scene]{Read: read.U3D, Write: write.U3D, Facts: facts, Lift: Lift, Lower: Lower}

// holds is what a model can hold of a scene.
var holds = scene.Capabilities{
	Target: "a .u3d file", Format: ultimate3d.FormatName,
	TexCoords: 8, Skins: true, Influences: 4, Morphs: true, Levels: 65535,
	Animations: true, Paths: [4]bool{true, true, true, true},
	Looks: scene.LookBlend | scene.LookMask | scene.LookEmissive | scene.LookSpecular,
	Name: func(_ scene.NameKind, name string, _ *asset.Native) string {
		plain := plainText(name)
		return plain
	},
}

func probe(in *format.Input) format.Confidence {
	switch {
	case read.Probe(in.Head):
		return format.Certain
	case bytes.HasPrefix(in.Head, []byte("U3D\x00")):
		return format.Plausible // ECMA-363: the reader says what it is
	case strings.EqualFold(path.Ext(in.Name), ".u3d"):
		return 1 // perhaps behind a password
	}
	return format.No
}

func facts(m *ultimate3d.Model) []format.Fact {
	vertices, triangles, keys := 0, 0, 0
	for i, mesh := range m.Meshes {
		vertices += len(mesh.Positions)
		t, _ := m.TrianglesOf(i)
		triangles += len(t)
	}
	for _, b := range m.Bones {
		keys += len(b.Scaling) + len(b.Translation) + len(b.Rotation)
	}
	var textures []string
	for _, material := range m.Materials {
		for _, t := range material.Textures {
			if t != nil {
				textures = append(textures, t.Identifier)
			}
		}
	}
	facts := []format.Fact{
		{Name: "version", Value: float64(m.Version)},
		{Name: "meshes", Value: int(m.MeshesPerFrame)},
		{Name: "frames", Value: int(m.Frames)},
		{Name: "levels of detail", Value: int(m.LODs)},
		{Name: "vertices", Value: vertices},
		{Name: "triangles", Value: triangles},
		{Name: "materials", Value: len(m.Materials)},
		{Name: "textures", Value: textures},
		{Name: "bones", Value: len(m.Bones)},
	}
	if len(m.Bones) > 0 {
		facts = append(facts, format.Fact{Name: "keys", Value: keys}, format.Fact{Name: "skinned", Value: m.Skinned()})
	} else if m.Frames > 1 {
		facts = append(facts, format.Fact{Name: "tweening", Value: m.VertexTweening.True()})
	}
	if m.Layout == ultimate3d.LiteralKeys {
		facts = append(facts, format.Fact{Name: "key layout", Value: "literal"})
	}
	return facts
}
