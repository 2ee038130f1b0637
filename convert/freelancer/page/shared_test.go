package page

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// TestSharedPayloads: a document of a small file whose entries share a payload many times is refused, before it is made.
func TestSharedPayloads(t *testing.T) {
	payload := make([]byte, 1<<20)
	for _, c := range []struct {
		leaves int
		class  error
	}{{2, nil}, {300, schema.ErrLimit}} {
		tree := freelancer.NewTree()
		tree.Layout = &freelancer.Layout{Size: len(payload) + 1000}
		for range c.leaves {
			tree.Root.Add(freelancer.NewLeaf("leaf", payload))
		}
		if err := checkShown(tree); schema.Class(err) != c.class {
			t.Errorf("%d leaves: %v", c.leaves, err)
		}
	}
}
