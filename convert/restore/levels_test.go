package restore

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

func TestTakeLevels(t *testing.T) {
	node := func(name string, children ...*asset.Node) *asset.Node {
		n := asset.NewNode(name)
		n.Mesh, n.Children = &asset.Mesh{}, children
		return n
	}
	empty := asset.NewNode("wing$lod3")
	low, lower := node("wing$lod2"), node("wing$lod10")
	lower.Transform.Translation = [3]float32{0, 0, 1}
	had, other, wire := node("wing$lod1"), node("fin$lod1"), node("wing$wire")
	wing := node("wing", lower, other, empty, low, wire)
	wing.Transform.Translation, wing.Transform.Scale = [3]float32{5, 0, 0}, [3]float32{2, 2, 2}
	wing.LODs = []*asset.Node{had}
	TakeLevels(&asset.Scene{Roots: []*asset.Node{node("wing$lod1", wing)}})
	if !slices.Equal(wing.LODs, []*asset.Node{had, low, lower}) {
		t.Errorf("levels %v", names(wing.LODs))
	}
	if !slices.Equal(wing.Children, []*asset.Node{other, empty, wire}) {
		t.Errorf("children %v", names(wing.Children))
	}
	if got := lower.Transform; got.Translation != [3]float32{5, 0, 2} || got.Scale != [3]float32{2, 2, 2} {
		t.Errorf("the level stands at %v", got)
	}
}
