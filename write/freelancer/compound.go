package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// Joints writes a leaf of Cons. It fails with ErrRange for a part name of more than 64 bytes. A name of exactly 64 has no
// final zero.
func Joints(j *freelancer.Joints) ([]byte, error) {
	w := write.NewBuffer("joints", j.Kind.RecordSize()*len(j.List)+len(j.Tail))
	for i := range j.List {
		x := &j.List[i]
		if x.Kind != j.Kind {
			w.Failf(schema.ErrMismatch, "kind", "a %v joint among those of %v", x.Kind, j.Kind)
		}
		joint(w, x)
	}
	w.Bytes(j.Tail)
	return w.Finish()
}

func joint(w *write.Buffer, x *freelancer.Joint) {
	none, kind := [3]float32{}, x.Kind
	partName(w, x.Parent)
	partName(w, x.Child)
	w.Floats(x.Origin[:]...)
	if kind.HasOffset() {
		w.Floats(x.Offset[:]...)
	} else if x.Offset != none {
		w.NoPlace("offset", "a %v joint", kind)
	}
	w.Floats(x.Rotation[:]...)
	if kind.HasAxis() {
		w.Floats(x.Axis[:]...)
	} else if x.Axis != none {
		w.NoPlace("axis", "a %v joint", kind)
	}
	for l := range none {
		if l < kind.Limits() {
			w.Floats(x.Min[l], x.Max[l])
		} else if x.Min[l] != 0 || x.Max[l] != 0 {
			w.NoPlace("limits", "a %v joint", kind)
		}
	}
}

func partName(w *write.Buffer, p freelancer.PartName) {
	start := w.Len()
	w.Text(p.Name, "name")
	n := w.Len() - start
	if n < 64 {
		w.U8(0)
		n++
		residue := p.Residue[:min(len(p.Residue), 64-n)]
		w.Bytes(residue)
		n += len(residue)
	}
	if n > 64 {
		w.Failf(schema.ErrRange, "name", "%q is longer than 64 bytes", p.Name)
		return
	}
	w.Fill(64-n, 0)
}

// Compound writes parts and joints into the Cmpnd directory of a tree's root. It adds a directory for a part without Node,
// and removes the directories of deleted parts. Leaves with the right content are not touched.
func Compound(root *freelancer.Node, c *freelancer.Compound) error {
	if err := noHoles("parts", c.Parts); err != nil {
		return err
	}
	dir := root.Dir("Cmpnd")
	for i, p := range c.Parts {
		if p.Node == nil {
			name := "Root"
			if i > 0 {
				name = "Part_" + p.Object
			}
			p.Node = dir.Add(freelancer.NewDir(name))
		}
		f := fields{n: p.Node}
		f.text("Object name", p.Object)
		f.text("File name", p.File)
		f.words("Index", uint32(p.Index))
		if f.err != nil {
			return f.err
		}
	}
	keep(dir, c.Parts, func(p *freelancer.Part) *freelancer.Node { return p.Node }, func(n *freelancer.Node) bool {
		isPart, _ := freelancer.IsPart(n)
		return isPart
	})
	if f := (fields{n: dir}); f.has("Scale", c.Scale) {
		f.floats("Scale", c.Scale)
	}
	return joints(dir, c.Joints)
}

// joints writes the leaves of Cons.
func joints(dir *freelancer.Node, all []freelancer.Joint) error {
	lists := map[freelancer.JointKind][]freelancer.Joint{}
	var kinds []freelancer.JointKind
	for _, j := range all {
		if _, known := lists[j.Kind]; !known {
			kinds = append(kinds, j.Kind)
		}
		lists[j.Kind] = append(lists[j.Kind], j)
	}
	if cons := dir.Child("Cons"); cons != nil {
		for i := len(cons.Children) - 1; i >= 0; i-- {
			leaf := cons.Children[i]
			if kind, ok := freelancer.JointKindOf(leaf.Name); ok && lists[kind] == nil && len(leaf.Data) > 0 {
				cons.Remove(leaf)
			}
		}
	}
	for _, kind := range kinds {
		b, err := Joints(&freelancer.Joints{Kind: kind, List: lists[kind]})
		if err != nil {
			return err
		}
		f := fields{n: dir.Dir("Cons")}
		f.set(kind.String(), b, kind.RecordSize())
	}
	return nil
}

// Camera writes a Camera directory.
func Camera(n *freelancer.Node, c *freelancer.Camera) {
	f := fields{n: n}
	for i, v := range [...]float32{c.FovX, c.FovY, c.Near, c.Far} {
		if name := [...]string{"Fovx", "Fovy", "Znear", "Zfar"}[i]; f.has(name, v) {
			f.floats(name, v)
		}
	}
}

// MultiLevel writes the distances of a MultiLevel directory. It adds directories for new levels, and numbers all of them.
func MultiLevel(n *freelancer.Node, m *freelancer.MultiLevel) {
	f := fields{n: n}
	f.floatList("Switch2", m.Switch)
	for i := range m.Levels {
		l := &m.Levels[i]
		if l.Node == nil {
			l.Node = n.Dir(fmt.Sprintf("Level%d", l.Number))
		} else if number, _ := freelancer.NumberOf(l.Node.Name, "Level"); number != l.Number {
			l.Node.Name = fmt.Sprintf("Level%d", l.Number)
		}
	}
}
