package freelancer_test

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
)

// exercises lists what a tree holds in the words of the corpus' manifest.
func exercises(t *testing.T, b []byte) map[string]bool {
	tree := mustRead(t, b)
	root := tree.Root
	x := map[string]bool{}
	fvf, primitives := set{}, set{}
	joints, hardpoints, levels, channels, sides := set{}, set{}, set{}, set{}, set{}
	var wires, materials set = set{}, set{}
	eachLeaf(root, func(path string, n *freelancer.Node, kind freelancer.LeafKind) {
		v, err := read.Leaf(kind, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case *freelancer.VMesh:
			fvf[fmt.Sprintf("0x%x", uint16(v.FVF))] = true
			primitives[fmt.Sprint(uint32(v.Primitive))] = true
		case *freelancer.VMeshRef:
			if v.Mesh == 0 && v.Empty() {
				x["null VMeshRef"] = true
			}
		case *freelancer.VWire:
			lo, hi := slices.Min(v.Indices), slices.Max(v.Indices)
			switch v.VertexRange {
			case hi - lo + 1:
				wires["max-min+1"] = true
			case hi - lo:
				wires["max-min"] = true
			default:
				wires["other"] = true
			}
		case *freelancer.Joints:
			if len(v.List) > 0 {
				joints[strings.ToLower(v.Kind.String())] = true
			}
		case *freelancer.Floats:
			if (n.Name == "Min" || n.Name == "Max") && len(n.Data) == 8 {
				x["8-byte Min/Max"] = true
			}
		case *freelancer.EffectLibrary:
			x["particle effect library"] = true
		}
	})
	root.Walk(func(_ string, n *freelancer.Node) bool {
		hs, err := read.Hardpoints(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hs {
			hardpoints[map[bool]string{false: "Fixed", true: "Revolute"}[h.Revolute]] = true
		}
		if freelancer.SameName(n.Name, "MultiLevel") {
			m, _ := read.MultiLevel(n)
			levels[fmt.Sprint(len(m.Levels))] = true
		}
		if freelancer.SameName(n.Name, "Sphere") {
			s, err := read.SphereModel(n, nil)
			if err != nil || len(s.Materials) != int(s.Sides) {
				t.Errorf("sphere: %+v, %v", s, err)
			}
			sides[fmt.Sprint(s.Sides)] = true
		}
		return true
	})
	scripts, err := read.Scripts(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		for _, m := range s.Maps {
			channels[fmt.Sprintf("0x%x", uint32(m.Channel.Type))] = true
		}
	}
	list, _ := read.Materials(root, nil)
	for _, m := range list {
		materials[m.Type] = true
	}
	x["FVF "+fvf.join("/")] = true
	x["primitives "+primitives.join("/")] = true
	x["joints "+joints.join("+")] = true
	x["hardpoints "+hardpoints.join("+")] = true
	x["LOD levels "+levels.join("/")] = true
	x["animation "+channels.join("/")] = true
	x["wireframe("+wires.join("/")+")"] = true
	x["materials "+materials.join("+")] = true
	x["sphere sides "+sides.join("/")] = true
	stamp := "no exporter stamp"
	if n := root.Child("Exporter Version"); n != nil {
		v, _ := read.Text(n.Data, nil)
		stamp = v.Value
	}
	x["writer: "+stamp] = true
	return x
}

type set map[string]bool

func (s set) join(sep string) string { return strings.Join(slices.Sorted(maps.Keys(s)), sep) }

// normal sorts the words of "FVF 0x112/0x2" and its like.
func normal(token string) string {
	for _, sep := range []string{"/", "+"} {
		head, list, ok := strings.Cut(token, " ")
		if !ok || !strings.Contains(list, sep) || strings.HasPrefix(token, "LOD") || strings.Contains(token, "(") || strings.HasPrefix(token, "8-") {
			continue
		}
		words := strings.Split(list, sep)
		sort.Strings(words)
		return head + " " + strings.Join(words, sep)
	}
	return token
}

func TestManifest(t *testing.T) {
	checked := 0
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		if e.Columns["repo"] == "(synthetic)" {
			return
		}
		have := exercises(t, b)
		for _, token := range strings.Split(e.Columns["exercises"], "; ") {
			if strings.HasPrefix(token, "DDS") || strings.HasPrefix(token, "TGA") || strings.HasPrefix(token, "container") {
				continue
			}
			checked++
			if !have[normal(token)] {
				t.Errorf("%q is not among %v", token, slices.Sorted(maps.Keys(have)))
			}
		}
	})
	if checked < 150 {
		t.Errorf("only %d facts were compared", checked)
	}
}

// TestContainerFacts compares what the manifest says of the containers.
func TestContainerFacts(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		what := e.Columns["exercises"]
		tree := mustRead(t, b)
		h := tree.Header
		facts := map[string]bool{
			"FILETIME 0":                          h.FileTime == 0,
			"no leading NUL in dictionary":        b[h.NamesOffset] != 0,
			"no leading NUL":                      b[h.NamesOffset] != 0,
			"dictionary before tree":              h.NamesOffset < h.TreeOffset,
			"root sizes = file size":              int(tree.Root.Slot.Used) == len(b),
			"free entry list":                     h.FirstFreeEntry != 0 && h.FirstFreeData != 0 && h.FreeDataSize != 0,
			"root with no children":               len(tree.Root.Children) == 0,
			"zero-length names":                   has(tree, func(n *freelancer.Node) bool { return n.Name == "" }),
			"attribute 0 entry":                   has(tree, func(n *freelancer.Node) bool { return n.Attributes == 0 }),
			"zero-size leaf":                      has(tree, func(n *freelancer.Node) bool { return !n.IsDir() && len(n.Data) == 0 }),
			"attribute 0x08000080":                has(tree, func(n *freelancer.Node) bool { return n.Attributes == freelancer.Database }),
			"windows-1252 name":                   has(tree, func(n *freelancer.Node) bool { return n.Name == "Näme “q”" }),
			"case-insensitive duplicate siblings": has(tree, func(n *freelancer.Node) bool { return n.Name == "SAME" }),
			"entries share data":                  sharesData(tree),
			"data shared between entries":         sharesData(tree),
			"last alloc runs past EOF": has(tree, func(n *freelancer.Node) bool {
				return n.Data != nil && int(h.DataOffset+n.Slot.Child+n.Slot.Allocated) > len(b)
			}),
			"alloc past EOF": has(tree, func(n *freelancer.Node) bool {
				return n.Data != nil && int(h.DataOffset+n.Slot.Child+n.Slot.Allocated) > len(b)
			}),
			"high attribute bits": has(tree, func(n *freelancer.Node) bool { return n.Attributes&^0x90 != 0 }),
		}
		for fact, holds := range facts {
			if strings.Contains(what, fact) && !holds {
				t.Errorf("%q does not hold", fact)
			}
		}
	})
}

func has(tree *freelancer.Tree, f func(n *freelancer.Node) bool) (found bool) {
	tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
		found = found || f(n)
		return true
	})
	return found
}

func sharesData(tree *freelancer.Tree) bool {
	seen := map[uint32]bool{}
	return has(tree, func(n *freelancer.Node) bool {
		if n.IsDir() || n.Data == nil {
			return false
		}
		twice := seen[n.Slot.Child]
		seen[n.Slot.Child] = true
		return twice
	})
}
