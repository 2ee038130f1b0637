package restore

import (
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestRejoin: three.js puts a node around the scene, numbers names that are there twice, and makes nodes of primitives.
func TestRejoin(t *testing.T) {
	named := func(name, was string) *asset.Node {
		n := asset.NewNode(name)
		if was != "" {
			n.Extras = map[string]any{"name": was}
		}
		return n
	}
	piece := func(name string) *asset.Node {
		n := asset.NewNode(name)
		n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 3)}}}
		return n
	}
	make := func(generator string) (*asset.Scene, *asset.Node) {
		wrap, root, tower := asset.NewNode("mill"), named("mill_1", "mill"), named("tower", "tower")
		wrap.Native = &asset.Native{Format: "x", Payload: []byte{1}}
		tower.Native = &asset.Native{Format: "x", Payload: []byte{2}}
		pieces := []*asset.Node{piece("tower_1"), piece("other"), piece("tower_2")}
		wrap.Children, root.Children, tower.Children = []*asset.Node{root}, []*asset.Node{tower, named("sails_7", "gate")}, pieces
		move := &asset.Animation{Name: "a"}
		for _, n := range []*asset.Node{pieces[0], pieces[2]} {
			move.Channels = append(move.Channels, &asset.Channel{Node: n, Path: asset.MorphWeights, Times: []float32{0}, Values: []float32{1}})
		}
		return &asset.Scene{Name: "AuxScene", Generator: generator, Roots: []*asset.Node{wrap}, Animations: []*asset.Animation{move},
			Meshes: []*asset.Mesh{pieces[0].Mesh, pieces[1].Mesh, pieces[2].Mesh}}, tower
	}
	s, tower := make("THREE.GLTFExporter r187")
	Unwrap(s)
	if len(s.Roots) != 1 || s.Roots[0].Name != "mill" || s.Name != "mill" || s.Native == nil {
		t.Fatalf("the scene %q has the root %q", s.Name, s.Roots[0].Name)
	}
	if tower.Mesh == nil || len(tower.Mesh.Primitives) != 2 || len(tower.Children) != 1 || tower.Children[0].Name != "other" {
		t.Errorf("the tower: %+v", tower)
	}
	if len(s.Meshes) != 2 || s.Meshes[0] != tower.Mesh {
		t.Errorf("%d meshes", len(s.Meshes))
	}
	if c := s.Animations[0].Channels; len(c) != 1 || c[0].Node != tower {
		t.Errorf("%d channels", len(c))
	}
	if len(tower.Extras) != 0 {
		t.Errorf("properties %v", tower.Extras)
	}
	if n := s.Roots[0].Children[1]; n.Name != "sails_7" {
		t.Errorf("a new name became %q", n.Name)
	}
	if s, tower := make("somebody"); tower.Mesh != nil || s.Roots[0].Name != "mill" {
		t.Error("the helper is wrong")
	} else if Unwrap(s); tower.Mesh != nil || s.Name != "AuxScene" {
		t.Error("what another program did was changed")
	}
}
