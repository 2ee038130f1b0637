package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestOddLeaves puts a value that glTF cannot hold, or shows as nothing, into one leaf of a file: by way of GLB the file
// comes back as it was.
func TestOddLeaves(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	single := func(at int, v float32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[4*at:], math.Float32bits(v))
			return b
		}
	}
	planet := freelancer.NewTree()
	if err := write.SphereModel(planet.Root.Dir("Sphere"), &freelancer.SphereModel{Materials: []string{"a", "b", "c", "d", "e", "f"}, Radius: 100, Sides: 6}); err != nil {
		t.Fatal(err)
	}
	points := freelancer.NewTree()
	write.Hardpoint(points.Root, &freelancer.Hardpoint{Name: "HpA", Orientation: freelancer.Identity3})
	for _, c := range []struct {
		name, file, leaf string
		odd              func(b []byte) []byte
	}{
		{"a hardpoint nowhere", "ship.cmp", "hull.3db/Hardpoints/Fixed/HpEngine01/Position", single(1, nan)},
		{"a joint that turns by no number", "ship.cmp", "Cmpnd/Cons/Rev", single(32+8, nan)},
		{"a channel of events", "events.cmp", "", nil},
		{"a channel at no time", "events.cmp", "Animation/Script/Sc_spin/Joint map 1/Channel/Header", func(b []byte) []byte {
			b[8] = uint8(freelancer.ChannelQuaternion)
			return single(1, nan)(b)
		}},
		{"a bone bound nowhere", "figure.dfm", "*.3db/Bone to root", single(6, nan)},
		{"an endless weight", "figure.dfm", "MultiLevel/Mesh0/Geometry/Bone_weight_chain", single(0, inf)},
		{"no levels of a figure", "figure.dfm", "MultiLevel/Mesh0", nil},
		{"no radius", "planet.sph", "Sphere/Radius", nil},
		{"no planet", "points.sph", "", nil},
		{"no parts", "none.cmp", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tree *freelancer.Tree
			switch c.file {
			case "planet.sph":
				tree = planet
			case "points.sph":
				tree = points
			case "none.cmp":
				tree = freelancer.NewTree()
				tree.Root.Add(freelancer.NewDir("Cmpnd"))
			case "events.cmp":
				tree = eventful(t)
			default:
				var err error
				if tree, err = read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", c.file)), nil); err != nil {
					t.Fatal(err)
				}
			}
			dirs := map[*freelancer.Node]*freelancer.Node{}
			found := c.leaf == ""
			tree.Root.Walk(func(path string, n *freelancer.Node) bool {
				for _, child := range n.Children {
					dirs[child] = n
				}
				if ok, _ := filepath.Match(c.leaf, path); ok && !found {
					found = true
					if c.odd == nil {
						dirs[n].Remove(n)
					} else {
						n.Data = c.odd(bytes.Clone(n.Data))
					}
				}
				return true
			})
			if !found {
				t.Fatalf("%s has no %s", c.file, c.leaf)
			}
			b, fm := treeBytes(t, tree), byName(t, filepath.Ext(c.file)[1:])
			corpus.SameBytes(t, "by way of GLB", lower(t, fm, c.file, fromGLB(t, glb(t, lift(t, fm, c.file, b, nil), nil)), nil), b)
		})
	}
}

// eventful returns a model whose script moves one part, and has nothing but events for another.
func eventful(t *testing.T) *freelancer.Tree {
	t.Helper()
	tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	header := make([]byte, 12)
	header[0], header[8] = 1, 0x08
	tree.Root.Find("Animation/Script/Sc_spin").Add(freelancer.NewDir("Joint map 1",
		freelancer.NewLeaf("Parent name", []byte("Root\x00")), freelancer.NewLeaf("Child name", []byte("wing\x00")),
		freelancer.NewDir("Channel", freelancer.NewLeaf("Header", header), freelancer.NewLeaf("Frames", make([]byte, 16)))))
	return tree
}
