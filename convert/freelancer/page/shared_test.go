package page

import (
	"runtime"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestSharedPayloads: a document of a small file whose entries share a payload many times is refused, before it is made. One
// that is made does not copy what they share.
func TestSharedPayloads(t *testing.T) {
	payload := make([]byte, 1<<20)
	nobody := Names(func(*freelancer.Node, *format.Env) map[uint32]string { return nil })
	for _, c := range []struct {
		leaves int
		class  error
	}{{2, nil}, {64, nil}, {66, schema.ErrLimit}, {10_000, schema.ErrLimit}} {
		tree := freelancer.NewTree()
		tree.Layout = &freelancer.Layout{Size: len(payload) + 1000}
		for range c.leaves {
			tree.Root.Add(freelancer.NewLeaf("leaf", payload))
		}
		if err := checkShown(tree); schema.Class(err) != c.class {
			t.Errorf("%d leaves: %v", c.leaves, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := nobody.showTree(tree, &format.Env{})
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; schema.Class(err) != c.class || made > 16<<20 {
			t.Errorf("%d leaves: %v, with %d bytes of memory", c.leaves, err, made)
		}
	}
}
