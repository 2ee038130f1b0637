package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestOutcomes holds what becomes of damaged payloads, of values that nobody should write, of trees whose directories are
// damaged, and of trees that are edited.
func TestOutcomes(t *testing.T) {
	table := damage.Open(t, "outcomes", "freelancer.tsv")
	payloadOutcomes(t, table)
	channelOutcomes(t, table)
	viewOutcomes(t, table)
	treeOutcomes(t, table)
	layoutOutcomes(t, table)
}

func payloadOutcomes(t *testing.T, table *damage.Table) {
	damage.Codec(t, table, "wire", filled[freelancer.VWire]("Tail"), write.VWire, read.VWire)
	damage.Codec(t, table, "reference", filled[freelancer.VMeshRef](), write.VMeshRef, read.VMeshRef)
	damage.Codec(t, table, "floats", filled[freelancer.Floats](), write.Floats, read.Floats)
	damage.Codec(t, table, "ints", filled[freelancer.Ints](), write.Ints, read.Ints)
	damage.Codec(t, table, "shorts", &freelancer.Shorts{Values: []uint16{1, 0x203}, Tail: []byte{9}}, write.Shorts, read.Shorts)
	damage.Codec(t, table, "text", &freelancer.Text{Value: "a text", Tail: []byte{0, 5}}, write.Text, read.Text)
	damage.Codec(t, table, "mesh", triangle(), write.VMesh, read.VMesh)
	damage.Codec(t, table, "mesh of all fields", everyField(), write.VMesh, read.VMesh)
	damage.Codec(t, table, "surfaces", newSur(), write.Sur, read.Sur)
	damage.Codec(t, table, "compiled INI", newBINI(), write.BINI, read.BINI)
	damage.Codec(t, table, "older surfaces", oldSur(), write.Sur, read.Sur)
	damage.Codec(t, table, "nodes", allProperties(), write.NodeLibrary, read.NodeLibrary)
	for _, version := range []float32{1, 1.1} {
		l := filled[freelancer.EffectLibrary]("Tail", "MissingPairs", "Unterminated", "Residue", "Pad")
		if l.Version = version; version == 1 {
			made.Each(l, func(e *freelancer.Effect) { e.Bounds = nil })
		}
		damage.Codec(t, table, fmt.Sprint("effects ", version), l, write.EffectLibrary, read.EffectLibrary)
	}
	for kind := freelancer.Fix; kind <= freelancer.Trans; kind++ {
		damage.Codec(t, table, fmt.Sprint("joints ", kind), madeJoints(kind), write.Joints,
			func(b []byte, d *schema.Diagnostics) (*freelancer.Joints, error) { return read.Joints(kind, b, d) })
	}
	wave, err := read.Wave(madeWave, nil)
	if err != nil {
		t.Fatal(err)
	}
	damage.Codec(t, table, "wave", wave, write.Wave, read.Wave)
}

// everyField is a mesh of two vertices with everything that a vertex can have.
func everyField() *freelancer.VMesh {
	m := filled[freelancer.VMesh]("Tail", "FVF", "TexCoords")
	m.Type, m.FVF = 1, freelancer.NewFVF(freelancer.FVFNormal|freelancer.FVFPointSize|freelancer.FVFDiffuse|freelancer.FVFSpecular, 2)
	m.TexCoords = [][][2]float32{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
	return m
}

func channelOutcomes(t *testing.T, table *damage.Table) {
	for _, c := range madeChannels() {
		header, frames, err := write.Channel(c)
		if err != nil {
			t.Fatal(err)
		}
		again := func(c *freelancer.Channel) ([]byte, error) {
			h, f, err := write.Channel(c)
			return append(h, f...), err
		}
		table.Run(t, fmt.Sprintf("channel 0x%x every %g", uint32(c.Type), c.Interval), func(t *testing.T, add func(what, outcome string)) {
			for what, b := range [][]byte{header, frames} {
				outcome := damage.Payload(func(b []byte, d *schema.Diagnostics) (*freelancer.Channel, error) {
					if what == 0 {
						return read.Channel(b, frames, d)
					}
					return read.Channel(header, b, d)
				}, again)
				damage.Bytes(b, outcome, add)
				damage.Near(b, outcome, add)
			}
			damage.Values(c, func() ([]byte, error) { return again(c) }, add)
		})
	}
}

// viewOutcomes holds what is read in trees whose nodes are damaged, one at a time.
func viewOutcomes(t *testing.T, table *damage.Table) {
	figure := freelancer.NewTree().Root
	if err := write.Deformable(figure, madeCharacter()); err != nil {
		t.Fatal(err)
	}
	voice := freelancer.NewTree().Root
	for _, id := range []uint32{0x30, 0x10, 0xF0000000} {
		write.VoiceLine(voice, id, madeWave)
	}
	v := madeViews()
	written(t, table, "hardpoint", v.hardpoints[0], write.Hardpoint)
	written(t, table, "compound", v.compound, write.Compound)
	written(t, table, "camera", v.camera, sure(write.Camera))
	written(t, table, "levels", v.levels, sure(write.MultiLevel))
	written(t, table, "sphere", v.ball, write.SphereModel)
	written(t, table, "motion", v.motion, write.MaterialAnim)
	written(t, table, "script", v.script, write.Script)
	written(t, table, "texture", v.texture, write.Texture)
	written(t, table, "character", madeCharacter(), write.Deformable)
	for name, root := range map[string]*freelancer.Node{"views": madeViews().tree(t), "figure": figure, "voice": voice} {
		b, err := write.UTF(&freelancer.Tree{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		table.Run(t, name, func(t *testing.T, add func(what, outcome string)) {
			add("whole", viewsOf(mustRead(t, b).Root))
			for i := range placesOf(mustRead(t, b).Root) {
				for what, damage := range nodeDamage {
					root := mustRead(t, b).Root
					if at := placesOf(root)[i]; damage(at.parent, at.n) {
						add(fmt.Sprint(at.path, " ", what), viewsOf(root))
					}
				}
			}
		})
	}
}

// nodeDamage is what may be wrong with a node; false means that it cannot be with this one.
var nodeDamage = []func(parent, n *freelancer.Node) bool{
	func(parent, n *freelancer.Node) bool { return parent.Remove(n) },
	func(parent, n *freelancer.Node) bool { parent.Add(n); return true },
	func(parent, n *freelancer.Node) bool { n.Name += "1"; return true },
	func(parent, n *freelancer.Node) bool { n.Name = n.Name[:len(n.Name)-1]; return true },
	func(parent, n *freelancer.Node) bool { slices.Reverse(n.Children); return len(n.Children) > 1 },
	func(parent, n *freelancer.Node) bool {
		*n = *freelancer.NewLeaf(n.Name, []byte{1, 2, 3, 4, 0})
		return true
	},
	func(parent, n *freelancer.Node) bool { *n = *freelancer.NewDir(n.Name); return true },
	func(parent, n *freelancer.Node) bool { return resize(n, -1) },
	func(parent, n *freelancer.Node) bool { return resize(n, 1) },
	func(parent, n *freelancer.Node) bool { return resize(n, 4) },
	func(parent, n *freelancer.Node) bool { return resize(n, -4) },
	func(parent, n *freelancer.Node) bool { return change(n, func(b []byte) { b[0]++ }) },
	func(parent, n *freelancer.Node) bool { return change(n, func(b []byte) { b[0]-- }) },
	func(parent, n *freelancer.Node) bool { return change(n, func(b []byte) { b[len(b)-1] ^= 0x80 }) },
	func(parent, n *freelancer.Node) bool { return change(n, func(b []byte) { b[len(b)/2] += 7 }) },
}

func resize(n *freelancer.Node, by int) bool {
	if n.IsDir() || len(n.Data)+by < 0 {
		return false
	}
	n.Data = append(bytes.Clone(n.Data), 9, 8, 7, 6)[:len(n.Data)+by]
	return true
}

func change(n *freelancer.Node, do func(b []byte)) bool {
	if n.IsDir() || len(n.Data) == 0 {
		return false
	}
	n.Data = bytes.Clone(n.Data)
	do(n.Data)
	return true
}

// place is a node below a root.
type place struct {
	path      string
	parent, n *freelancer.Node
}

func placesOf(root *freelancer.Node) (list []place) {
	root.Walk(func(path string, parent *freelancer.Node) bool {
		for _, n := range parent.Children {
			list = append(list, place{path + "/" + n.Name, parent, n})
		}
		return true
	})
	return list
}

// written holds what is written into a new tree, of v and of v with other fields.
func written[T any](t *testing.T, table *damage.Table, name string, v *T, to func(root *freelancer.Node, v *T) error) {
	table.Run(t, name+" written", func(t *testing.T, add func(what, outcome string)) {
		damage.Values(v, func() ([]byte, error) {
			root, once := freelancer.NewTree().Root, *v // writers note the node
			if err := to(root, &once); err != nil {
				return nil, err
			}
			return write.UTF(&freelancer.Tree{Root: root})
		}, add, "Node")
	})
}

func sure[T any](write func(*freelancer.Node, *T)) func(*freelancer.Node, *T) error {
	return func(root *freelancer.Node, v *T) error { write(root, v); return nil }
}

// viewsOf is the outcome of reading everything that spans several leaves.
func viewsOf(root *freelancer.Node) string {
	d := new(schema.Diagnostics)
	s := "read"
	add := func(v any, err error) {
		if err != nil {
			s += ", " + damage.Refusal(err) + " " + err.Error()
			return
		}
		s += fmt.Sprintf(" %016x", damage.Fingerprint(v))
	}
	add(read.Compound(root, d))
	add(read.Deformable(root, d))
	add(read.Scripts(root, d))
	add(read.MaterialAnims(root, d))
	add(read.Materials(root, d))
	add(read.Textures(root, d))
	add(read.VoiceLines(root, d), nil)
	root.Walk(func(_ string, n *freelancer.Node) bool {
		if !n.IsDir() {
			return true
		}
		add(read.Hardpoints(n))
		switch n.Name {
		case "Levels":
			add(read.MultiLevel(n))
		case "Camera":
			add(read.Camera(n))
		case "Sphere":
			add(read.SphereModel(n, d))
		}
		return true
	})
	return fmt.Sprintf("%s, told %016x", s, damage.Fingerprint(d.All()))
}

// treeOutcomes holds how edited trees are laid out.
func treeOutcomes(t *testing.T, table *damage.Table) {
	err := filepath.WalkDir(corpus.Testdata(t, "freelancer"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b := corpus.Bytes(t, p)
		if _, err := read.UTF(b, nil); err != nil {
			return nil
		}
		table.Run(t, "edits of "+d.Name(), func(t *testing.T, add func(what, outcome string)) {
			for i := range placesOf(mustRead(t, b).Root) {
				for what, edit := range treeEdits {
					tree := mustRead(t, b)
					if at := placesOf(tree.Root)[i]; edit(tree.Root, at.parent, at.n) {
						add(fmt.Sprint(at.path, " ", what), damage.Written(write.UTF(tree)))
					}
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var treeEdits = []func(root, parent, n *freelancer.Node) bool{
	func(root, parent, n *freelancer.Node) bool { return parent.Remove(n) },
	func(root, parent, n *freelancer.Node) bool { n.Name = "q"; return true },
	func(root, parent, n *freelancer.Node) bool { n.Name += "-renamed"; return true },
	func(root, parent, n *freelancer.Node) bool { return resize(n, 1) },
	func(root, parent, n *freelancer.Node) bool { return resize(n, 4) },
	func(root, parent, n *freelancer.Node) bool { return resize(n, -1) },
	func(root, parent, n *freelancer.Node) bool {
		n.Data = append(bytes.Clone(n.Data), make([]byte, 1001)...)
		return !n.IsDir()
	},
	func(root, parent, n *freelancer.Node) bool { n.Data = nil; return !n.IsDir() },
	func(root, parent, n *freelancer.Node) bool { // to another place
		parent.Remove(n)
		root.Add(n)
		return true
	},
	func(root, parent, n *freelancer.Node) bool { // its place is taken by another one
		parent.Remove(n)
		root.Add(freelancer.NewDir("new directory", freelancer.NewLeaf("new leaf", []byte("content")), freelancer.NewLeaf("empty", nil)))
		return true
	},
	func(root, parent, n *freelancer.Node) bool { // what is free is taken in part
		if n.IsDir() || len(n.Data) < 12 {
			return false
		}
		parent.Remove(n)
		root.Add(freelancer.NewLeaf("less", n.Data[:len(n.Data)-4]))
		root.Add(freelancer.NewLeaf("little", n.Data[:1]))
		return true
	},
}

// layoutOutcomes holds how trees are edited whose numbers were changed before: with payloads that share their place, free
// entries and free blocks.
func layoutOutcomes(t *testing.T, table *damage.Table) {
	for name, b := range oddLayouts(t) {
		table.Run(t, "layout "+name, func(t *testing.T, add func(what, outcome string)) {
			data := int(binary.LittleEndian.Uint32(b[36:]))
			outcome := func(b []byte) (s string) {
				for _, edit := range layoutEdits {
					tree, err := read.UTF(b, nil)
					if err != nil {
						return damage.Refusal(err)
					}
					edit(tree.Root, func(name string, b []byte) {
						if n := tree.Root.Child(name); n != nil {
							n.Data = b
						}
					})
					s += damage.Written(write.UTF(tree)) + " "
				}
				return s
			}
			add("whole", outcome(b))
			entries := 12
			if name == "with a length" { // which only the root tells
				entries, data = 1, len(b)
			}
			damage.Words(b, outcome, add, [2]int{0, freelancer.HeaderSize + entries*freelancer.EntrySize}, [2]int{data, len(b)})
		})
	}
}

// oddLayouts returns a tree with free entries and free blocks of several lengths, and the same whose root knows the length of
// the file, with bytes behind it.
func oddLayouts(t *testing.T) map[string][]byte {
	leaf := func(name string, n int) *freelancer.Node {
		return freelancer.NewLeaf(name, bytes.Repeat([]byte(name), n))
	}
	root := freelancer.NewTree().Root
	for _, n := range []*freelancer.Node{leaf("a", 20), leaf("b", 20), leaf("c", 20), leaf("gone 1", 2), freelancer.NewDir("d", leaf("inner", 2)),
		leaf("e", 5), leaf("gone 2", 4), leaf("f", 8), leaf("gone 3", 1), leaf("g", 3)} {
		root.Add(n)
	}
	b := mustWrite(t, &freelancer.Tree{Root: root})
	for i := 1; i <= 2; i++ { // b and c have the place of a
		at := freelancer.HeaderSize + freelancer.EntrySize*(1+i)
		copy(b[at+16:at+20], b[freelancer.HeaderSize+freelancer.EntrySize+16:])
	}
	tree := mustRead(t, b)
	for _, name := range []string{"gone 1", "gone 2", "gone 3"} {
		tree.Root.Remove(tree.Root.Child(name))
	}
	free := mustWrite(t, tree)
	known := append(bytes.Clone(free), "behind"...)
	for at := 20; at <= 28; at += 4 {
		binary.LittleEndian.PutUint32(known[freelancer.HeaderSize+at:], uint32(len(known)))
	}
	return map[string][]byte{"with free places": free, "with a length": known}
}

// layoutEdits are edits of such a tree.
var layoutEdits = []func(root *freelancer.Node, set func(name string, b []byte)){
	func(root *freelancer.Node, set func(name string, b []byte)) { set("e", []byte("eeeeEEEE!")) },
	func(root *freelancer.Node, set func(name string, b []byte)) {
		set("e", []byte("eeeeEEEE"))
		set("f", []byte("f"))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) { // three that share a place get the same other one
		for _, name := range []string{"a", "b", "c"} {
			set(name, bytes.Repeat([]byte("x"), 30))
		}
	},
	func(root *freelancer.Node, set func(name string, b []byte)) { // others of one length, and one of its own
		set("a", []byte("12345678901234567890123"))
		set("b", []byte("x2345678901234567890123"))
		set("c", []byte("1234567890123456789012x"))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) {
		set("a", make([]byte, 40))
		set("b", make([]byte, 41))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) { // a new one has what they get
		root.Children = append([]*freelancer.Node{freelancer.NewLeaf("new", make([]byte, 30))}, root.Children...)
		set("a", make([]byte, 30))
		set("b", make([]byte, 30))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) { // free blocks are taken whole and in part
		for i, n := range []int{1, 9, 12, 13, 17} {
			root.Add(freelancer.NewLeaf(fmt.Sprint("new ", i), bytes.Repeat([]byte{'n'}, n)))
		}
	},
	func(root *freelancer.Node, set func(name string, b []byte)) { // what is left just holds the header of a free block
		root.Add(freelancer.NewLeaf("new", make([]byte, 16)))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) {
		if n := root.Child("d"); n != nil {
			root.Remove(n)
		}
		root.Add(freelancer.NewLeaf("a name that no dictionary has room for", []byte("x")))
	},
	func(root *freelancer.Node, set func(name string, b []byte)) {
		for _, n := range root.Children {
			n.Name += "2"
		}
	},
}
