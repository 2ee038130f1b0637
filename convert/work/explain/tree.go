package explain

import "strings"

// Node is a structure of a file, with its parts in the order of the file.
type Node struct {
	Label    string // entry, structure with its number, or field
	Offset   int64
	Size     int64 // sum of all spans in it, without gaps between them
	Span     *Span // for a field, kept bytes or a gap; nil for a structure
	Repeats  int   // number of consecutive fields with this name, this one included
	Children []*Node
	// Alike is the number of similar structures after this one that are left out; Until is the end of the last of them.
	Alike int
	Until int64
}

// Tree returns the structures of a map. With fold, only the first is kept of four or more consecutive structures that
// differ only in their number, and of consecutive fields with the same name and layout.
func (m *Map) Tree(fold bool) []*Node {
	root := new(Node)
	var open []*Node // the structures that the last span was in
	for i := range m.Spans {
		s := &m.Spans[i]
		labels := structures(s)
		n := 0
		for n < len(labels) && n < len(open) && open[n].Label == labels[n] {
			n++
		}
		open = open[:n]
		for _, label := range labels[n:] {
			parent := root
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			node := &Node{Label: label, Offset: s.Offset, Repeats: 1}
			parent.Children = append(parent.Children, node)
			open = append(open, node)
		}
		parent := root
		for _, node := range open {
			node.Size += s.Size
			parent = node
		}
		parent.add(s, fold)
	}
	if fold {
		root.fold()
	}
	return root.Children
}

// structures returns what a span lies in, from the outside in.
func structures(s *Span) (labels []string) {
	if s.Entry != "" {
		labels = append(labels, s.Entry)
	}
	if s.Path != "" {
		labels = append(labels, strings.Split(s.Path, "/")...)
	}
	return labels
}

func (n *Node) add(s *Span, fold bool) {
	label := s.Field
	if s.Kind == Gap {
		label = "gap"
	}
	if last := len(n.Children) - 1; fold && last >= 0 {
		x := n.Children[last]
		if was := x.Span; was != nil && x.Label == label && was.Layout == s.Layout && was.Kind == s.Kind && s.Kind != Gap && x.Offset+x.Size == s.Offset {
			x.Repeats++
			x.Size += s.Size
			return
		}
	}
	n.Children = append(n.Children, &Node{Label: label, Offset: s.Offset, Size: s.Size, Span: s, Repeats: 1})
}

// fold leaves out all but the first of many like structures.
func (n *Node) fold() {
	const many = 4
	var list []*Node
	for i := 0; i < len(n.Children); {
		x := n.Children[i]
		run := i + 1
		for run < len(n.Children) && alike(x, n.Children[run]) {
			run++
		}
		if run-i < many {
			run = i + 1
		} else {
			last := n.Children[run-1]
			x.Alike, x.Until = run-i-1, last.Offset+last.Size
		}
		x.fold()
		list = append(list, x)
		i = run
	}
	n.Children = list
}

// alike reports whether two structures bear the same name, but for the number, and hold the same fields. Entries of an
// archive that are but numbers are alike whatever they hold.
func alike(a, b *Node) bool {
	if a.Span != nil || b.Span != nil || base(a.Label) != base(b.Label) {
		return false
	}
	return base(a.Label) == "" || a.shape() == b.shape()
}

// shape names what is in a structure, runs of the same once.
func (n *Node) shape() string {
	var names []string
	for _, c := range n.Children {
		if name := base(c.Label); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return strings.Join(names, "/")
}

// base returns a label without its number.
func base(label string) string { return strings.TrimRight(label, "0123456789") }
