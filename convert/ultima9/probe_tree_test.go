package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// TestSmallTrees: the smallest tree of spaces has a node.
func TestSmallTrees(t *testing.T) {
	node := ultima9.TreeNode{Front: -1, Back: -1, Subtree: 1}
	tree := func(nodes ...ultima9.TreeNode) []byte {
		return u9.Do(write.TreeData(&ultima9.TreeData{Nodes: nodes}))(t)
	}
	for name, c := range map[string]struct {
		b    []byte
		want format.Confidence
	}{
		"a node": {tree(node), format.Structural}, "two nodes": {tree(node, node), format.Structural}, "no node, and bytes": {append(tree(), make([]byte, 40)...), format.No},
		"no node": {tree(), format.No}, "half a node": {tree(node)[:43], format.No}, "another version": {append([]byte{1}, tree(node)[1:]...), format.No},
		"a list beyond its end": {append([]byte{0, 0, 0, 0, 11, 0, 0, 0}, make([]byte, 40)...), format.No}, "a list up to its end": {append([]byte{0, 0, 0, 0, 10, 0, 0, 0}, make([]byte, 40)...), format.No},
		"a byte more": {append(tree(node), 0), format.No},
	} {
		if got := probeTreeData(&format.Input{Head: c.b, Size: int64(len(c.b))}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestTextsFromElsewhere: only the native bytes of a line say what stands behind its text.
func TestTextsFromElsewhere(t *testing.T) {
	stored := u9.Do(write.Text(&ultima9.Text{Text: "one\ntwo"}))(t)
	for name, c := range map[string]struct {
		native *asset.Native
		want   string
	}{
		"none": {nil, "one\r\ntwo"}, "of another format": {&asset.Native{Format: "x", Payload: stored}, "one\r\ntwo"},
		"without bytes": {&asset.Native{Format: textName}, "one\r\ntwo"}, "its own": {&asset.Native{Format: textName, Payload: stored}, "one\ntwo"},
	} {
		x, err := lowerText(&asset.Text{Body: "one\r\ntwo", Native: c.native}, nil)
		if err != nil || x.Text != c.want {
			t.Errorf("%s: %+v, %v, want %q", name, x, err, c.want)
		}
	}
}
