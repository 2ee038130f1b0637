package freelancer

import (
	"bytes"
	"sort"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Joints reads a leaf of Cons (reference section 7.2). Bytes that do not fill a record are kept, with a warning.
func Joints(kind freelancer.JointKind, b []byte, d *schema.Diagnostics) (*freelancer.Joints, error) {
	c := read.NewCursor("joints", b, d)
	j := &freelancer.Joints{Kind: kind, List: make([]freelancer.Joint, len(b)/kind.RecordSize())}
	for i := range j.List {
		c.Enter("joint", i)
		x := &j.List[i]
		x.Kind = kind
		x.Parent, x.Child = partName(c), partName(c)
		x.Origin = c.Vec3("origin")
		if kind.HasOffset() {
			x.Offset = c.Vec3("offset")
		}
		copy(x.Rotation[:], c.F32s(9, "rotation"))
		if kind.HasAxis() {
			x.Axis = c.Vec3("axis")
		}
		for l := range kind.Limits() {
			x.Min[l], x.Max[l] = c.F32("min"), c.F32("max")
		}
		c.Leave()
	}
	if j.Tail = rest(c); j.Tail != nil {
		d.WarnAtf("joint-size", kind.String(), int64(len(b)-len(j.Tail)), "%d bytes are no multiple of %d", len(b), kind.RecordSize())
	}
	return j, c.Err()
}

func partName(c *read.Cursor) freelancer.PartName {
	b := c.Data(64, schema.LayoutText, "name")
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return freelancer.PartName{Name: schema.DecodeWindows1252(b)}
	}
	p := freelancer.PartName{Name: schema.DecodeWindows1252(b[:n])}
	if residue := bytes.TrimRight(b[n:], "\x00"); len(residue) > 0 {
		p.Residue = residue[1:]
	}
	return p
}

// Compound reads the Cmpnd directory of a tree's root; it returns nil if there is none.
func Compound(root *freelancer.Node, d *schema.Diagnostics) (*freelancer.Compound, error) {
	dir := root.Child("Cmpnd")
	if dir == nil {
		return nil, nil
	}
	c := &freelancer.Compound{}
	f := fields{n: dir}
	c.Scale = f.float("Scale")
	for _, n := range dir.Children {
		isPart, isRoot := freelancer.IsPart(n)
		if !isPart {
			continue
		}
		p := fields{n: n}
		part := &freelancer.Part{Object: p.text("Object name"), File: p.text("File name"), Index: int32(p.word("Index")), Node: n}
		if p.err != nil {
			return nil, schema.In("Cmpnd", p.err)
		}
		if isRoot {
			c.Parts = append([]*freelancer.Part{part}, c.Parts...)
		} else {
			c.Parts = append(c.Parts, part)
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	cons := dir.Child("Cons")
	if cons == nil {
		return c, nil
	}
	for _, leaf := range cons.Children {
		kind, ok := freelancer.JointKindOf(leaf.Name)
		if !ok {
			d.Warnf("unknown-joint", `Cmpnd\Cons`, "joints of the unknown kind %q are kept but not used", leaf.Name)
			continue
		}
		j, err := Joints(kind, leaf.Data, d)
		if err != nil {
			return nil, schema.In(`Cmpnd\Cons\`+leaf.Name, err)
		}
		c.Joints = append(c.Joints, j.List...)
	}
	return c, nil
}

// Camera reads a Camera directory (reference section 7.4).
func Camera(n *freelancer.Node) (*freelancer.Camera, error) {
	f := fields{n: n}
	c := &freelancer.Camera{FovX: f.float("Fovx"), FovY: f.float("Fovy"), Near: f.float("Znear"), Far: f.float("Zfar")}
	return c, f.err
}

// MultiLevel reads a MultiLevel directory (reference section 5.6).
func MultiLevel(n *freelancer.Node) (*freelancer.MultiLevel, error) {
	n = given(n)
	f := fields{n: n}
	m := &freelancer.MultiLevel{Switch: f.floats("Switch2")}
	for _, c := range n.Children {
		if i, ok := freelancer.NumberOf(c.Name, "Level"); ok && c.IsDir() {
			m.Levels = append(m.Levels, freelancer.Level{Number: i, Node: c})
		}
	}
	sort.SliceStable(m.Levels, func(i, j int) bool { return m.Levels[i].Number < m.Levels[j].Number })
	return m, f.err
}
